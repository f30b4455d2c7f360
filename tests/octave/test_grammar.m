function [npass, nfail] = test_grammar()
%TEST_GRAMMAR  Every public function keeps to docs/grammar.md: names, aliases, values and graphs, messages, orientation.
%   Runs over grammar_table. Prints each failure and at last 'N passed, N failed'.

global grammar_counts %#ok<GVMIS>
grammar_counts = [0 0];
root = fileparts(which('knngraph'));
former = warning();
restore_warnings = onCleanup(@() warning(former));
warning('off', 'all');
visible = get(0, 'defaultfigurevisible');
set(0, 'defaultfigurevisible', 'off');
restore_figures = onCleanup(@() set(0, 'defaultfigurevisible', visible));

t = grammar_table();
every_function(t, root);
said = containers.Map();                    % what wrong values of an option are called, whatever the function
for r = t.rows
  if r.igraph && ~knng.internal.with_igraph()
    continue
  end
  f = eval(['@' r.name]);
  said = options_of(t, r, f, said);
  too_few(r, f);
  if takes_graph(r)
    graphs(t, r, f);
  end
  orientation(t, r, f);
  close('all');
end
planted(t);
files = t.rows(strcmp({t.rows.name}, 'knng.write')).args{1};
if exist(files, 'file')
  delete(files);
end
page = t.rows(strcmp({t.rows.name}, 'knng.explore')).args{1};
if exist(page, 'file')
  delete(page);
end
kept = t.rows(strcmp({t.rows.name}, 'knngraph')).options.Checkpoint;
output = t.rows(strcmp({t.rows.name}, 'knngraph')).options.Output;
if exist(output, 'file')
  delete(output);
end
if exist(kept, 'dir')
  delete(fullfile(kept, '*'));
  rmdir(kept);
end
npass = grammar_counts(1);
nfail = grammar_counts(2);
fprintf('%d passed, %d failed\n', npass, nfail);
end

function tally(ok, varargin)
global grammar_counts %#ok<GVMIS>
grammar_counts(1 + ~ok) = grammar_counts(1 + ~ok) + 1;
if ~ok
  fprintf('FAIL %s\n', sprintf(varargin{:}));
end
end

% ---- the table --------------------------------------------------------------------------------------------------------

function every_function(t, root)
files = dir(fullfile(root, '+knng', '*.m'));
files(strcmp({files.name}, 'Contents.m')) = [];
public = [{'knngraph'}, cellfun(@(name) ['knng.' name(1:end-2)], {files.name}, 'UniformOutput', false)];
for name = public
  tally(any(strcmp({t.rows.name}, name{1})), ['%s has no row in tests/octave/grammar_table.m: add one, row (''%s'', is, args, options, results); ' ...
        'help grammar_table says how'], name{1}, name{1});
end
for name = unique({t.rows.name})
  tally(any(strcmp(public, name{1})), 'there is no function %s, of tests/octave/grammar_table.m', name{1});
end
for r = t.rows
  kind = strrep(r.is, ' ', '_');
  if isfield(t.needed, kind)
    lacks = setdiff(t.needed.(kind), names_of(r));
    if strcmp(r.name, 'knng.verify') || strcmp(r.name, 'knng.duplicates')
      lacks = setdiff(lacks, {'Progress'});
    end
    tally(isempty(lacks), '%s %s, and takes no ''%s''', r.name, r.is, [lacks{:}]);
  end
end
end

function names = names_of(r)
names = fieldnames(r.options)';
end

function pairs = aliases(r)
% {alias, name; ...} as docs/grammar.md has them.
pairs = cell(0, 2);
for a = {'Metric', 'Distance'; 'Distance', 'Metric'; 'NumNeighbors', 'K'; 'K', 'NumNeighbors'; 'XY', 'Positions'; 'Positions', 'XY'; ...
           'Labels', 'RowLabels'; 'RowLabels', 'Labels'; 'Labels', 'Names'}'
  if isfield(r.options, a{2}) && ~isfield(r.options, a{1})
    pairs(end + 1, :) = a'; %#ok<AGROW>
  end
end
end

% ---- options ----------------------------------------------------------------------------------------------------------

function said = options_of(t, r, f, said)
args = with_graph(r.args, {t.graph.A});
results = numel(r.results);
[id, text] = refused(f, [args, {'xyzzy', 1}]);
if isempty(names_of(r))
  tally(~isempty(id), '%s has no options, and takes one', r.name);
  return
end
listed = regexp(text, 'there is no option ''xyzzy''; the options are (''.*)$', 'tokens', 'once');
listed = regexp([listed{:}], '''(\w+)''', 'tokens');
listed = [listed{:}];
alias = aliases(r);
own = t.rows(strcmp({t.rows.name}, r.name));            % of points and of a graph
all_names = cell(1, numel(own));
all_meant = all_names;
for i = 1:numel(own)
  also = aliases(own(i));
  all_names{i} = [names_of(own(i)), also(:, 1)'];
  all_meant{i} = [names_of(own(i)), also(:, 2)'];
end
tally(strcmp(id, 'knng:args:unknownOption') && isequal(unique(listed), unique([all_names{:}])), ...
      '%s names other options than its row in tests/octave/grammar_table.m has: %s', r.name, text);
[id, text] = refused(f, [args, {5, 1}]);
tally(strcmp(r.is, 'selects') || strcmp(id, 'knng:args:unknownOption') && ~isempty(regexp(text, '^5 stands where the name of an option should: options come as ''Name'', value; the options are ''', 'once')), ...
      '%s, with 5 for an option: %s', r.name, text);
tally(strcmp(refused(f, [args, {'', 1}]), 'knng:args:unknownOption'), '%s takes '''' for an option', r.name);

every = [names_of(r), alias(:, 1)'];
meant = [names_of(r), alias(:, 2)'];
wants = struct();                           % by each name
for i = 1:numel(every)
  name = meant{i};
  if strcmp(name, 'Output') && ~knng.internal.graph_file('can')
    continue                               # it is refused, whatever its value
  end
  value = r.options.(name);
  before = args;
  needed = {'SaveEvery', 'Checkpoint'; 'Network', 'Ranks'; 'MinValid', 'Rows'};   % the first is refused without the second
  for with = needed(strcmp(name, needed(:, 1)), 2)'
    before = [args, with, {r.options.(with{1})}];
  end
  if ~isfield(wants, name)
    wants.(name) = result(f, results, [before, {name, value}]);
  end
  want = wants.(name);
  at = find(strcmp([all_names{:}], every{i}), 1);
  short = shortest([all_names{:}], [all_meant{:}], at);
  spelt = {upper(short)};   % short, and in other letters, at once
  if ~isempty(getenv('KNNG_ALL'))
    spelt = unique({upper(short), lower(short), upper(every{i})});
  end
  if ~strcmp(every{i}, name)
    spelt{end + 1} = every{i}; %#ok<AGROW>
  end
  for s = spelt
    got = result(f, results, [before, s, {value}]);
    tally(same(r, got, want), '%s does otherwise with ''%s'' than with ''%s'': %s', r.name, s{1}, name, shown(got));
  end
  [id, text] = refused(f, [args, every(i)]);
  tally(strcmp(id, 'knng:args:option') && strcmp(text, ['the option ''' every{i} ''' has no value: options come as ''Name'', value']), ...
        '%s, ''%s'' without a value: %s: %s', r.name, every{i}, id, text);
  for length = 2:numel(every{i}) - 1        % each beginning is the option, or refused as short for several
    part = every{i}(1:length);
    which = strncmpi(every, part, length);
    if numel(unique(meant(which))) > 1 && ~any(strcmpi(every, part))
      [id, text] = refused(f, [args, {part, value}]);
      wanted = ['the option ''' part ''' is short for several, '];
      tally(strcmp(id, 'knng:args:unknownOption') && strncmp(text, wanted, numel(wanted)) && ...
            ~isempty(strfind(text, ['''' every{i} ''''])), '%s, ''%s'': %s: %s', r.name, part, id, text);
    end
  end
  if strcmp(every{i}, name)
    said = wrong_values(t, r, f, args, name, said);
  end
end
end

function s = shortest(every, meant, i)
% The shortest beginning of two letters or more that says this option alone.
for length = 2:numel(every{i})
  s = every{i}(1:length);
  if numel(unique(meant(strncmpi(every, s, length)))) == 1 && ~any(strcmpi(every, s) & ~strcmp(meant, meant{i}))
    return
  end
end
s = every{i};
end

function said = wrong_values(t, r, f, args, name, said)
key = name;
if any(strcmp(name, {'Metric', 'NumNeighbors'}))
  key = struct('Metric', 'Distance', 'NumNeighbors', 'K').(name);
elseif strcmp(name, 'IncludeTies') && any(strcmp(r.name, {'knng.lof', 'knng.cvk', 'knng.fitcknn', 'knng.fitrknn'}))
  key = 'true is right here';
elseif strcmp(name, 'Standardize') && strcmp(r.name, 'knng.clustergram')
  key = 'numbers and texts are right here';
elseif strcmp(name, 'LossFun') && knng.internal.is_regression(args{1})
  key = 'other losses are right here';
end
if ~isfield(t.common, key)
  value = @sin;
  if any(strcmp(name, {'DistanceWeight', 'Transformation'}))
    value = {@sin};                        % which is right by itself
  end
  [id, text] = refused(f, [args, {name, value}]);
  tally(~isempty(regexp(id, '^knng:args:', 'once')) && ~isempty(regexp(text, ['^(''' name '''|labels|Y) (is|are) .*: (it|they|there) must '], 'once')), ...
        '%s, ''%s'' a function: %s: %s', r.name, name, id, text);
  return
end
wrong = t.common.(key){2};
for i = 1:numel(wrong)
  if strcmp(key, 'K') && (isequal(wrong{i}, 'x') || isequal(wrong{i}, [])) && isequal(class(wrong{i}), 'double') && ...
     strcmp(r.name, 'knng.spectralcluster')
    continue                               % [] is its default
  elseif any(strcmp(name, {'Metric', 'Directed'})) && isempty(wrong{i})
    continue                               % none
  elseif strcmp(key, 'Distance') && strcmp(r.name, 'knng.impute') && (isa(wrong{i}, 'function_handle') || iscell(wrong{i}))
    continue                               % which it takes
  end
  [id, text] = refused(f, [args, {name, wrong{i}}]);
  tally(strcmp(id, t.common.(key){1}), '%s, ''%s'', wrong value %d: identifier ''%s'' (%s)', r.name, name, i, id, text);
  if strcmp(key, 'Distance') && strcmp(r.name, 'knng.impute')
    continue                               % it lists its own
  end
  what = regexprep(text, '^(''K''|''NumNeighbors''|k) is', 'k is');
  what = regexprep(what, ', ''auto'' or ''connected''$', '');                    % what knng.mstknn takes beside
  what = regexprep(what, '; (in the place of medoids|centres are of) .*$', '');  % what knng.kmedoids and knng.kmeans add of functions
  what = regexprep(what, '(numbers of GPUs, each once, such as \[1 2\]|the number of a GPU, such as 1)$', 'GPUs');
  what = regexprep(what, ' numbers of GPUs, each once.*|or the number of a GPU.*', '');
  what = strrep(what, '''gpu'' or GPUs', '''gpu'', GPUs');
  what = regexprep(what, ',? (or )?GPUs$', '');
  what = regexprep(what, '''gpu''.*', '''gpu''');
  at = sprintf('%s %d', key, i);
  if ~isKey(said, at)
    said(at) = {r.name, what};
  end
  first = said(at);
  tally(strcmp(first{2}, what), '%s and %s say otherwise of a wrong ''%s'':\n     %s\n     %s', first{1}, r.name, name, first{2}, what);
end
end

% ---- calls ------------------------------------------------------------------------------------------------------------

function args = with_graph(args, graph)
at = find(cellfun(@(a) ischar(a) && strcmp(a, '$graph'), args));
if ~isempty(at)
  args = [args(1:at-1), graph, args(at+1:end)];
end
end

function yes = takes_graph(r)
yes = any(cellfun(@(a) ischar(a) && strcmp(a, '$graph'), r.args));
end

function [id, text] = refused(f, args) %#ok<INUSD>
% The identifier and the text of the error; '' if there is none.
id = '';
text = '';
try
  evalc('f (args{:});');
catch err
  id = err.identifier;
  text = err.message;
end
end

function out = result(f, results, args) %#ok<INUSL>
% A cell of the results; an error as a text.
out = cell(1, results);
try
  if results == 0
    evalc('f (args{:});');
  else
    evalc('[out{1:results}] = f (args{:});');
  end
catch err
  out = [err.identifier ': ' err.message];
end
end

function text = shown(out)
text = 'another result';
if ischar(out)
  text = out;
end
end

function ok = same(r, a, b)
ok = iscell(a) && iscell(b);
for i = 1:numel(r.results) * ok
  if isempty(strfind(r.results{i}, '??'))
    ok = ok && isequaln_(a{i}, b{i});
  end
end
end

function ok = isequaln_(a, b)
if isstruct(a) && isstruct(b) && isequal(fieldnames(a), fieldnames(b)) && isequal(size(a), size(b))
  ok = true;
  for name = fieldnames(a)'
    for i = 1:numel(a)
      ok = ok && (strcmp(name{1}, 'seconds') || isequaln_(a(i).(name{1}), b(i).(name{1})));
    end
  end
elseif isfloat(a) && isfloat(b)
  ok = isequal(size(a), size(b)) && all((a(:) == b(:)) | (isnan(a(:)) & isnan(b(:))));
else
  ok = isequal(a, b);
end
end

function too_few(r, f)
if isempty(r.args)
  return
end
[id, text] = refused(f, {});
tally(strcmp(id, 'knng:args:count') && ~isempty(regexp(text, ['^' r.name ' needs .*: see help ' r.name '$'], 'once')), ...
      '%s without arguments: %s: %s', r.name, id, text);
end

% ---- graphs -----------------------------------------------------------------------------------------------------------

function graphs(t, r, f)
g = t.graph;
call = @(varargin) with_graph(r.args, varargin);
results = numel(r.results);
if any(strcmp(r.name, {'knng.trim', 'knng.mutual', 'knng.mutualproximity'}))   % they give back what they get
  want = result(f, 1, call(g.A));
  ways = {@() {knng.adjacency(result(f, 2, call(g.idx, g.dist)){:})}, @() {knng.adjacency(result(f, 2, call(int32(g.idx), g.dist)){:})}};
else
  want = result(f, results, call(g.A));
  ways = {@() result(f, results, call(g.idx, g.dist)), @() result(f, results, call(int32(g.idx), g.dist))};
end
for w = ways
  got = w{1}();
  tally(same(r, got, want), '%s: (A) and (idx, dist) give different answers: %s %s', r.name, shown(got), shown(want));
end
form = strrep(strjoin(regexp(r.name, '\w+$', 'match')), ' ', '');
wrong = {{}, 'knng:args:count'; {magic(3)}, 'knng:args:count'; {sparse(1i)}, 'knng:args:class'; ...
         {single(1), {2}}, 'knng:args:dist'; {g.idx, g.dist(:, 1)}, 'knng:args:dist'; {g.idx, -1i * g.dist}, 'knng:args:dist'; ...
         {{1}, 1}, 'knng:args:idx'; {1i * g.idx, g.dist}, 'knng:args:idx'};
text = {'needs .*: see help '; '.*'; '^A is a 1-by-1 sparse complex double: |^A is a 1-by-1 complex sparse double: '; ...
        '^dist is a 1-by-1 cell: it must be a full 1-by-1 matrix of class double or single, as knngraph returns it along with idx$'; ...
        '^dist is a 12-by-1 double: it must be a full 12-by-4 matrix|^a 12-by-1 double stands behind a full 12-by-4 matrix: if that is points'; '^dist is a 12-by-4 complex double: it must'; ...
        '^idx is a 1-by-1 cell: it must be a full matrix of whole numbers, as knngraph returns it$'; ...
        '^idx is a 12-by-4 complex double: it must'};
from_points = isempty(strfind(r.is, 'graph')) || any(strcmp(r.name, {'knng.minspantree', 'knng.mstknn', 'knng.umap', 'knng.tsne', 'knng.lof', 'knng.intrinsicdim'}));
for i = 1:size(wrong, 1)
  if (i < 3 && (from_points || numel(r.args) > 1)) || (i == 4 && from_points) || (strcmp(r.name, 'knng.profile') && i > 3)
    continue                               % what is behind the graph is taken for a part of it; points; a table without distances
  end
  [id, said] = refused(f, call(wrong{i, 1}{:}));
  tally(strcmp(id, wrong{i, 2}) && ~isempty(regexp(said, text{i}, 'once')), '%s (%s), wrong graph %d: %s: %s', r.name, form, i, id, said);
end
if ~any(strcmp(r.name, {'knng.adjacency', 'knng.trim', 'knng.nystrom', 'knng.verify', 'knng.checksum', 'knng.neighbors'}))
  [id, said] = refused(f, call(sparse(2, 3)));
  tally(strcmp(id, 'knng:args:class') && strcmp(said, 'A is a 2-by-3 sparse double: it must be a square sparse matrix of real numbers, as knngraph returns it'), ...
        '%s, a matrix that is not square: %s: %s', r.name, id, said);
end
end

% ---- orientation ------------------------------------------------------------------------------------------------------

function orientation(t, r, f)
args = with_graph(r.args, {t.graph.A});
out = result(f, numel(r.results), args);
tally(iscell(out), '%s: a right call is refused: %s', r.name, shown(out));
for i = 1:numel(r.results) * iscell(out)
  want = r.results{i};
  if numel(want) < 2 || any(strcmp(want, '??'))
    continue
  end
  side = [NaN NaN];
  for c = 1:2
    if isfield(t.sizes, want(c))
      side(c) = t.sizes.(want(c));
    elseif want(c) == '1'
      side(c) = 1;
    else
      side(c) = size(out{i}, c);
    end
  end
  tally(isequal(size(out{i}), side), '%s: result %d is %s, and should be %s', r.name, i, mat2str(size(out{i})), want);
end
end

% ---- departures that are found ---------------------------------------------------------------------------------------

function planted(t)
% The checks above see what departs from the grammar.
global grammar_counts %#ok<GVMIS>
r = t.rows(strcmp({t.rows.name}, 'knng.conncomp'));
wrong = {'takes no abbreviation', @(varargin) strict(varargin{:}), 'options'; ...
         'has its labels lying', @(varargin) turned(varargin{:}), 'orientation'; ...
         'tells tables from a matrix', @(varargin) other(varargin{:}), 'graphs'};
for i = 1:size(wrong, 1)
  before = grammar_counts;
  evalc(['switch wrong{i, 3}, case ''options'', options_of(t, r, wrong{i, 2}, containers.Map()); case ''graphs'', graphs(t, r, wrong{i, 2}); ' ...
         'case ''orientation'', orientation(t, r, wrong{i, 2}); end']);
  found = grammar_counts(2) > before(2);
  grammar_counts = before;
  tally(found, 'a function that %s is not found', wrong{i, 1});
end
end

function [bins, sizes] = strict(varargin)
if nargin > 1 && ischar(varargin{2}) && ~any(strcmpi(varargin{2}, {'Threads', 'xyzzy', ''}))
  error('knng:args:unknownOption', 'there is no option');
end
[bins, sizes] = knng.conncomp(varargin{:});
end

function [bins, sizes] = turned(varargin)
[bins, sizes] = knng.conncomp(varargin{:});
bins = bins';
end

function [bins, sizes] = other(varargin)
[bins, sizes] = knng.conncomp(varargin{:});
if ~issparse(varargin{1})
  bins(1) = 7;
end
end
