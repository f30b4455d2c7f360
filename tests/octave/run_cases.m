function [npass, nfail] = run_cases(level, varargin)
%RUN_CASES  Compares the library with the oracle, bit by bit, over the table of cases and a table of variants.
%   [npass, nfail] = run_cases(level) runs cases(level); level is 'short' (default) or 'deep'.
%   [npass, nfail] = run_cases(level, Name, Value, ...)
%     'Device'   a cell array of values for the option 'Device'; {} (default): the option is not given
%     'Every'    a number: only each so many-th of the cases of each metric (default 1)
%     'Only'     a regular expression: only the cases whose name it matches
%     'Part'     [part, parts]: every so many-th of what is left, from that one on (default [1, 1])
%     'Options'  a cell array of options that every run gets besides
%   A variant is a tile size, a number of threads, a target and a device. Targets that this processor does not have
%   are found by asking. Cases with the note 'full' meet every combination; the others one without options and one with
%   each tile size, the rest of the options going round from case to case until all combinations were there. Cases with
%   the note 'least' run with the least memory besides. A graph or a search counts as one pass or failure a variant, the
%   sparse form, and the searches of a searcher, as one more, and the second way of knng.verify once a case, and once or
%   twice all rows within a radius; so does that the oracle has the same metrics as the library. The data with gaps,
%   'Rows', 'pairwise', are compared with two option lists a case, or one and every device.
%   Needs tests/oracle.mex, see oracle_mex.c.

if nargin < 1
  level = 'short';
end
opt = struct('Device', {{}}, 'Every', 1, 'Only', '', 'Part', [1, 1], 'Options', {{}});
for i = 1:2:numel(varargin)
  if ~isfield(opt, varargin{i}) || i == numel(varargin)
    error('run_cases: unknown option, or one without a value');
  end
  opt.(varargin{i}) = varargin{i + 1};
end

here = fileparts(mfilename('fullpath'));
former_path = path();
restore_path = onCleanup(@() path(former_path));
addpath(fileparts(here), here);
former = warning();
restore = onCleanup(@() warning(former));
warning('off', 'knng:data:nonFinite');
warning('off', 'knng:data:constant');
warning('off', 'knng:data:fewer');
warning('off', 'knng:data:twoColumns');
warning('off', 'knng:args:kClipped');

c = cases(level);
c = c(mod(turns(c), opt.Every) == 0);
if ~isempty(opt.Only)
  c = c(~cellfun(@isempty, regexp({c.name}, opt.Only, 'once')));
end
[every, parts, plain, targets] = variants(opt.Device);
[npass, nfail] = tally(same_metrics(), 'metrics', {}, 0, 0);
c = c(ismember({c.metric}, oracle()));
turn = turns(c);
runs = zeros(1, numel(c));
certified = zeros(5, 1);
for i = opt.Part(1):opt.Part(2):numel(c)
  [idx, dist] = oracle(c(i).X, c(i).Y, c(i).k, c(i).metric);
  [npass, nfail] = tally(second_way(c(i), idx, dist), [c(i).name ' (verify)'], {}, npass, nfail);
  [problem, options] = compare_within(c(i), parts{1 + mod(i, numel(parts))}, idx, dist);
  [npass, nfail] = tally(problem, [c(i).name ' (radius)'], options, npass, nfail);
  if ~strcmp(c(i).metric, 'chebychev') && isempty(c(i).made)
    [gaps, least_shared, expected] = with_gaps(c(i), 1 + mod(i, 4));
    for options = [parts{1 + mod(turn(i), numel(parts))}(1 + mod(i, 5)), plain]
      problem = compare_gaps(gaps, [options{1}, opt.Options], least_shared, expected);
      [npass, nfail] = tally(problem, [c(i).name ' (gaps)'], options{1}, npass, nfail);
    end
  end
  if ~isempty(strfind(c(i).notes, 'full'))
    list = [plain, every];
  else
    list = [plain, parts{1 + mod(turn(i), numel(parts))}];   % each metric meets each part
  end
  if ~isempty(strfind(c(i).notes, 'least'))
    list{end + 1} = least(c(i), plain{1}); %#ok<AGROW>
    list{end + 1} = least(c(i), [plain{1}, {'TileSize', 32}]); %#ok<AGROW>
  end
  for j = 1:numel(list)
    options = [list{j}, opt.Options];
    [problem, info] = compare_lists(c(i), options, idx, dist, @search);
    certified = certified + levels(info);
    runs(i) = runs(i) + 1;
    [npass, nfail] = tally(problem, c(i).name, options, npass, nfail);
    if ~isempty(c(i).Y) && ~any(ismember({'MaxMemory', 'MaxDeviceMemory'}, options(1:2:end)))
      [npass, nfail] = tally(compare_searcher(c(i), options, idx, dist), [c(i).name ' (searcher)'], options, npass, nfail);
    end
    if isempty(c(i).Y) && ~isempty(strfind(c(i).notes, 'sparse')) && j <= numel(plain)
      problem = compare_sparse(c(i), options, idx, dist);
      [npass, nfail] = tally(problem, [c(i).name ' (sparse)'], options, npass, nfail);
    end
  end
end
runs = [runs(runs > 0), zeros(1, ~any(runs))];
fprintf('%d cases (%s), %d to %d variants a case, %d runs; targets:%s\n', sum(runs > 0), level, min(runs), max(runs), ...
        sum(runs), sprintf(' %s', targets{:}));
fprintf('rows certified by half products %d, single %d, double %d, by all pairs %d, by boxes %d\n', certified);
fprintf('%d passed, %d failed\n', npass, nfail);
end

function turn = turns(c)
% A number for each case from 0 on, one more from case to case of a metric, and other ones for the metrics of one data set.
turn = zeros(1, numel(c));
[~, first, which] = unique({c.metric}, 'first');
for m = 1:numel(first)
  turn(which == m) = first(m) - 1 + (0:sum(which == m) - 1);
end
end

function problem = same_metrics()
% '' or the names that the library or the oracle alone has.
problem = strjoin(setxor(metric_names(), oracle()), ', ');
if ~isempty(problem)
  problem = ['core/search/metric.c or tests/oracle.c lacks ' problem];
end
end

function [every, parts, plain, targets] = variants(devices)
% Option lists: all combinations; parts of 5 a device that together are all of them; those with no option but the device.
prunes = {'off', 'on'};
tiles = {{'TileSize', 16}, {'TileSize', 48}, {'TileSize', 64}, {'TileSize', 128}, {}};
targets = {};
for name = {'avx512', 'avx2', 'plain', 'blas'}
  try
    [idx, dist] = knngraph([0; 1; 3], 1, 'euclidean', 'Target', name{1}); %#ok<ASGLU>
    targets{end + 1} = name{1}; %#ok<AGROW>
  catch err
    if ~strcmp(err.identifier, 'knng:args:target')
      rethrow(err);
    end
  end
end
if isempty(targets)
  error('run_cases: no target runs here');
end
if isempty(devices)
  plain = {{}};
else
  plain = cellfun(@(v) {'Device', v}, devices, 'UniformOutput', false);
end
every = {};
parts = {};
for p = 1:3 * numel(targets)
  parts{p} = {}; %#ok<AGROW>
  for w = 1:numel(plain)
    for t = 1:numel(tiles)
      parts{p}{end + 1} = [plain{w}, tiles{t}, {'Threads', 1 + mod(t + p, 3), ...
                           'Target', targets{1 + mod(t + floor(p / 3), numel(targets))}, 'Prune', prunes{1 + mod(t + p, 2)}}];
    end
  end
  every = [every, parts{p}]; %#ok<AGROW>
end
end

function [npass, nfail] = tally(problem, name, options, npass, nfail)
if isempty(problem)
  npass = npass + 1;
else
  nfail = nfail + 1;
  fprintf('FAIL %s  [%s]\n     %s\n', name, show(options), problem);
end
end

function options = least(c, options)
% The options with the smallest MaxMemory that the library says would do.
try
  search(c, [options, {'MaxMemory', 1000}]);
catch err
  if strcmp(err.identifier, 'knng:args:maxMemory')
    numbers = str2double(regexp(err.message, '\d+', 'match'));
    options = [options, {'MaxMemory', min(numbers(numbers > 1000))}];
  end
end
end

function [idx, dist, info] = search(c, options)
if isempty(c.Y)
  [X, options] = given(c, options);
  [idx, dist, info] = knngraph(X, c.k, c.metric, options{:});
else
  [idx, dist, info] = knng.knnsearch(c.X, c.Y, 'K', c.k, 'Distance', c.metric, options{:});
end
end

function [X, options] = given(c, options)
% What a graph is asked with.
X = c.X;
if ~isempty(c.made)
  X = c.made.X;
  options = [options, {'Metafeatures', c.made.ops}];
end
end

function n = levels(info)
% Rows certified by each precision level, and by boxes.
if isempty(info)
  n = zeros(5, 1);
else
  n = cell2mat(struct2cell(info.certified));
end
end

function problem = compare_searcher(c, options, idx, dist)
% '' or what differs where a searcher is asked for one row, then for all, and for the first one again.
at = find(strcmp(options(1:2:end), 'Threads'), 1);
threads = options([2 * at - 1, 2 * at]);
ns = knng.createns(c.X, 'Distance', c.metric, options{:});
held = knng.searchers();
ask = @(c, options) knng.knnsearch(ns, c.Y, 'K', c.k, options{:});
one = c;
one.Y = c.Y(1, :);
problem = compare_lists(one, threads, idx(1, :), dist(1, :), ask);
if isempty(problem)
  problem = compare_lists(c, threads, idx, dist, ask);
end
if isempty(problem)
  problem = compare_lists(one, threads, idx(1, :), dist(1, :), ask);
end
if isempty(problem) && ~isequal(held, knng.searchers())
  problem = 'the searcher is not what it was';
end
end

function [problem, info] = compare_lists(c, options, idx, dist, search)
% '' or what differs between the lists of the library and those of the oracle.
info = [];
try
  [i, d, info] = search(c, options);
catch err
  problem = sprintf('error %s: %s', err.identifier, err.message);
  return
end
problem = '';
if ~strcmp(class(i), class(idx)) || ~strcmp(class(d), class(dist)) || ~isequal(size(i), size(idx)) || ...
   ~isequal(size(d), size(dist)) || issparse(i) || issparse(d) || ~isreal(d)
  problem = sprintf('idx is %s, dist is %s, where they should be %s and %s', kind(i), kind(d), kind(idx), kind(dist));
  return
end
differs = find(any(i ~= idx | isnan(i), 2) | any(differ(d, dist), 2), 1);
if ~isempty(differs)
  [wrong, k] = max(i(differs, :) ~= idx(differs, :) | differ(d(differs, :), dist(differs, :))); %#ok<ASGLU>
  problem = sprintf('row %d, neighbour %d: is %d at %s, should be %d at %s', differs, k, i(differs, k), ...
                    exact(d(differs, k)), idx(differs, k), exact(dist(differs, k)));
elseif info.memory.peak > info.memory.planned
  problem = sprintf('%d bytes were held, where %d were planned', info.memory.peak, info.memory.planned);
end
end

function problem = compare_sparse(c, options, idx, dist)
% '' or what differs: A(i,j) is max (dist, realmin) for the listed pairs and there is no other entry.
try
  [X, options] = given(c, options);
  A = knngraph(X, c.k, c.metric, options{:});
catch err
  problem = sprintf('error %s: %s', err.identifier, err.message);
  return
end
n = size(c.X, 1);
[row, slot] = find(idx);
at = sub2ind(size(idx), row(:), slot(:));
value = max(double(dist(at)), realmin);
[~, order] = sort((idx(at) - 1) * n + row(:));          % by column, then by row
row = row(order);
column = idx(at(order));
[i, j, v] = find(A);
problem = '';
if ~issparse(A) || ~isa(A, 'double') || ~isreal(A) || ~isequal(size(A), [n, n])
  problem = sprintf('A is %s, where it should be sparse %d x %d', kind(A), n, n);
elseif ~isequal(i(:), row(:)) || ~isequal(j(:), column(:)) || nnz(A) ~= numel(at)
  problem = sprintf('A has %d entries, where it should have %d, or they are in other places', nnz(A), numel(at));
elseif any(differ(v(:), reshape(value(order), [], 1)))
  problem = 'A has another distance';
end
end

function [problem, options] = compare_within(c, list, idx, dist)
% '' or what differs between the rows within a radius and those of the oracle's k nearest that are: of a row whose k-th
% lies within it, more may be found, behind these. The radius is a distance that there is.
problem = '';
options = {};
if isa(dist, 'single')                                  % what is compared with a radius is not rounded
  [~, exactly] = oracle(double(c.X), double(c.Y), c.k, c.metric);
else
  exactly = dist;
end
there = sort(exactly(idx > 0));
if isempty(there) || ~isempty(c.made) || numel(c.X) * size(idx, 1) > 2e8
  return
end
pick = [1 + floor(0.6 * numel(there)), 1];
for turn = 1:2
  r = there(min(end, pick(turn)));
  options = list{1 + mod(turn + c.k, numel(list))};
  try
    if isempty(c.Y)
      [i, d, info] = knng.rangegraph(c.X, r, c.metric, options{:});
    else
      [i, d, info] = knng.rangesearch(c.X, c.Y, r, 'Distance', c.metric, options{:});
    end
  catch err
    problem = sprintf('radius %.17g: error %s: %s', r, err.identifier, err.message);
    return
  end
  near = sum(exactly <= r, 2);
  found = cellfun('size', i(:), 2);
  row = find(found < near | (found > near & near < size(idx, 2)) | ~cellfun('isclass', d(:), class(dist)), 1);
  if isempty(row)                                       % all rows at once, since there are many
    of = reshape(repelem((1:numel(found))', found), [], 1);
    first = cumsum(found) - found;
    kept = (1:numel(of))' - first(of) <= near(of);
    wanted = find((1:size(idx, 2))' <= near');
    [i, d, idx_t, dist_t] = deal([i{:}], [d{:}], idx', dist');
    of = of(kept);
    row = of(find(i(kept)(:) ~= idx_t(wanted)(:) | differ(d(kept)(:), dist_t(wanted)(:)), 1));
  end
  if ~isempty(row)
    problem = sprintf('radius %.17g, row %d: %d are within it, where %d should be, or others', r, row, found(row), near(row));
    return
  end
  if info.memory.peak > info.memory.planned
    problem = sprintf('%d bytes were held, where %d were planned', info.memory.peak, info.memory.planned);
  end
end
end

function [c, least, expected] = with_gaps(c, least)
% The case where a tenth of the values are missing and rows are compared over the columns that both have, `least` or more;
% and the oracle's {idx, dist, columns that they share}.
c.X = with_holes(c.X, 11);
c.Y = with_holes(c.Y, 9);
least = min(least, size(c.X, 2));
expected = cell(1, 3);
[expected{:}] = oracle(c.X, c.Y, c.k, c.metric, least);
end

function problem = compare_gaps(c, options, least, expected)
% '' or what differs from the oracle, with info.nvalid.
[idx, dist, shared] = expected{:};
[problem, info] = compare_lists(c, [options, {'Rows', 'pairwise', 'MinValid', least}], idx, dist, @search);
if isempty(problem) && ~isequal(info.nvalid, shared)
  row = find(any(info.nvalid ~= shared, 2), 1);
  problem = sprintf('row %d shares %s columns with its neighbours, should share %s', row, mat2str(info.nvalid(row, :)), ...
                    mat2str(shared(row, :)));
end
end

function X = with_holes(X, step)
[i, j] = ndgrid(1:size(X, 1), 1:size(X, 2));
X(mod(7 * i + 13 * j + floor(i .* j / 3), step) == 0) = NaN;
end

function problem = second_way(c, idx, dist)
% '' if knng.verify, too, finds what the oracle finds.
problem = '';
try
  [X, options] = given(c, {'Queries', c.Y, 'Sample', Inf});
  [ok, report] = knng.verify(X, c.metric, idx, dist, options{:});
  if ~ok
    problem = sprintf('%d rows differ, %d cannot be: %s', report.different, numel(report.malformed), report.why);
  end
catch err
  problem = sprintf('error %s: %s', err.identifier, err.message);
end
end

function b = differ(x, y)
% Elementwise: not the same bits. x and y have the same class and size.
if isa(x, 'single')
  b = reshape(typecast(x(:), 'uint32') ~= typecast(y(:), 'uint32'), size(x));
else
  b = reshape(typecast(x(:), 'uint64') ~= typecast(y(:), 'uint64'), size(x));
end
end

function s = exact(x)
% A distance with its bits.
if isa(x, 'single')
  s = sprintf('%.9g (%08X)', x, typecast(x, 'uint32'));
else
  s = sprintf('%.17g (%s)', x, num2hex(x));
end
end

function s = kind(x)
s = sprintf('%s %d x %d', class(x), size(x, 1), size(x, 2));
end

function s = show(options)
% 'TileSize 16, Threads 1'
s = '';
for i = 1:2:numel(options)
  value = options{i + 1};
  if ~ischar(value)
    value = mat2str(value);
  end
  s = [s, sprintf(', %s %s', options{i}, value)]; %#ok<AGROW>
end
s = s(3:end);
if isempty(s)
  s = 'no options';
end
end
