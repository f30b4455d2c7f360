function [npass, nfail] = gpu_searchers(n, only)
%GPU_SEARCHERS  Searchers that keep their rows on a GPU: the bits of searches of the matrix on the CPU, whatever was asked of
%   them before; several at once; calls that fail, of which the next search knows nothing; memory, forks, and what is said.
%   n: rows (default 1500). only: a part, or how the names of the data begin, and nothing else. make check runs it on an emulated GPU,
%   where it also loses the device, and plants copies of other queries and rows of another searcher.
if nargin < 1
  n = 1500;
end
if nargin < 2
  only = '';
end
former = warning();
restore = onCleanup(@() warning(former));
warning('off', 'all');
warning('error', 'knng:device:fallback');  % a GPU that gives up must not pass as the CPU
knng.release('all');
parts = {'several', @several; 'failures', @failures; 'memory', @memory; 'forks', @forks; 'automatic', @automatic
         'interrupts', @interrupts; 'lost', @lost};
named = strcmp(only, parts(:, 1))';
score = [0 0];
if ~any(named)
  score = answers(n, only);
end
for part = parts(named | isempty(only), 2)'
  score = score + part{1}(n);
  knng.release('all');
end
npass = score(1);
nfail = score(2);
fprintf('%d passed, %d failed\n', npass, nfail);
end

function yes = halved()
% Every second search, unless all are asked for: some seconds, or half a minute.
yes = isempty(getenv('KNNG_ALL'));
end

function yes = thinned()
% Of failures, on a GPU every fifth.
yes = ~is_emulated() && halved();
end

function score = tally(ok, varargin)
score = [ok ~ok];
if ~ok
  fprintf('FAIL %s\n', sprintf(varargin{:}));
end
end

function id = id_of(f)
id = '';
try
  f();
catch err
  id = err.identifier;
end
end

function [id, text] = said(f)
id = '';
text = '';
try
  f();
catch err
  id = err.identifier;
  text = err.message;
end
end

% ---- answers ----------------------------------------------------------------------------------------------------------

function score = answers(n, only)
randn('twister', 5);
rand('twister', 5);
A = randn(n, 12);
noise = randn(n, 12);
holes = A(mod((1:n) * 7, ceil(n / 2)) + 1, :);  % equal rows, and rows without distances
holes(1:9:end, 4) = NaN;
holes(5:11:end, :) = 3;
two = (1:n)' > n / 2;
% Queries: like the rows; far too large and small ones; whole numbers; rows; without distances; one; none far from zero.
Q = randn(23, 12);
queries = {'their like', Q; 'one', Q(7, :); 'large', 1e7 * Q; 'one again', Q(8, :); 'huge', 1e150 * Q(1:3, :); 'zeros', zeros(1, 12)
           'tiny', 1e-9 * Q; 'whole', floor(3 * Q); 'like them again', Q(2:9, :); 'large and whole', floor(1e5 * Q); 'rows', A(1:2:25, :)
           'halves', floor(3 * Q) + 0.5; 'without distances', [NaN Q(1, 2:12); Q(2, :); 3 * ones(1, 12); Inf Q(3, 2:12)]
           'single', single(Q); 'one of many', [1e4 * Q(1, :); Q(2:5, :)]};
boxes = {'Prune', 'on', 'TileSize', 8};
table = knng.internal.search('metrics');
cases = cell(0, 4);
for m = {table.name}
  cases(end + 1, :) = {m{1}, A, m{1}, {}};
end
cases = [cases; {
  'whole numbers', floor(3 * A), 'sqeuclidean', {}
  'single', single(A), 'euclidean', {}
  'single, cityblock', single(A), 'cityblock', {}
  'equal rows', holes, 'pearson', {}
  'equal rows, antipearson', holes, 'antipearson', {}
  'equal rows, cityblock', floor(holes), 'cityblock', {}
  'scales', A .* 2 .^ (20 * rand(n, 1)), 'euclidean', {}
  'two pieces', 200 * repmat(A(1, :), n, 1) + noise, 'pearson', {}
  'scan', 3e8 * repmat(A(1, :), n, 1) + noise, 'pearson', {}
  'clusters', 1e8 * two + A, 'euclidean', {}
  'clusters, cityblock', 1e8 * two + A, 'cityblock', {}
  'without a tile', A, 'euclidean', {'Prune', 'auto'}
  'boxes', A(:, 1:3), 'euclidean', boxes
  'boxes, antipearson', A(:, 1:5), 'antipearson', boxes
  'boxes, copies', A, 'sqeuclidean', boxes
  'boxes, copies, cosine', single(A), 'cosine', boxes
  'boxes, cityblock', floor(holes), 'cityblock', boxes
  'boxes, clusters', 1e3 * two + A, 'chebychev', boxes
  'boxes, one leaf', holes, 'pearson', {'Prune', 'on'}
}];
score = [0 0];
pruned = 0;
for c = 1:size(cases, 1)
  [name, X, metric, more] = cases{c, :};
  if ~isempty(only) && ~strncmp(name, only, numel(only))
    continue
  end
  more = {{'TileSize', 48}, more}{1 + ~isempty(more)};
  [ns, info] = knng.createns(X, 'Distance', metric, 'Device', 1, more{:});
  score = score + tally(ns.gpu == 1 && ns.gpubytes >= 8 * numel(X) && isempty(strfind(info.device, 'cpu')), '%s: not on the GPU', name);
  for q = 1 + halved() * mod(c, 2):1 + halved():size(queries, 1)
    Y = queries{q, 2}(:, 1:size(X, 2));
    if any(strcmp(name, {'two pieces', 'scan', 'clusters', 'clusters, cityblock'})) && q < 5
      Y = double(X(q:3:q + 30, :)) + Y(1, :) / 4;
    end
    for k = {1 + mod(q, 4), n + 2}(1:1 + (q == 2))
      [ri, rd, want] = knng.knnsearch(X, Y, 'K', k{1}, 'Distance', metric, 'Device', 'cpu');
      try
        [idx, dist, info] = knng.knnsearch(ns, Y, 'K', k{1});
      catch err
        score = score + tally(false, '%s, queries %s, k = %d: not the neighbours, %s', name, queries{q, 1}, k{1}, err.identifier);
        continue
      end
      same = isequal(idx, ri) && isequaln(dist, rd) && strcmp(class(dist), class(rd)) && isempty(strfind(info.device, 'cpu')) ...
             && info.nonfinite == want.nonfinite && info.constant == want.constant && info.memory.peak <= info.memory.planned;
      pruned = pruned + (info.certified.boxes > 0);
      score = score + tally(same, '%s, queries %s, k = %d: not the neighbours', name, queries{q, 1}, k{1});
    end
  end
  knng.release(ns);
end
score = score + tally(pruned > 50 / (1 + halved()) || ~isempty(only), '%d searches by boxes', pruned);
end

% ---- several ----------------------------------------------------------------------------------------------------------

function score = several(n)
randn('twister', 6);
score = [0 0];
metrics = {'euclidean', 'pearson', 'cityblock', 'euclidean'};
Y = randn(9, 7);
before = numel(knng.searchers());
for i = 1:4
  X{i} = randn(n + i, 7);
  ns{i} = knng.createns(X{i}, 'Distance', metrics{i}, 'Device', {1, 'gpu', 1, 'cpu'}{i});
end
s = knng.searchers();
s = s(before + 1:end);
score = score + tally(isequal([s.gpu], [1 1 1 0]) && all([s(1:3).gpubytes] > 56 * n) && s(4).gpubytes == 0 && isequal([s.bytes], cellfun(@(q) q.bytes, ns)), ...
                      'what is listed');
score = score + tally(all([s(1:3).bytes] < s(4).bytes), 'the host has the rows');
for i = [1 2 1 3 4 2 3 1]
  [ri, rd] = knng.knnsearch(X{i}, Y, 'K', 4, 'Distance', metrics{i}, 'Device', 'cpu');
  [idx, dist] = knng.knnsearch(ns{i}, Y, 'K', 4);
  score = score + tally(isequal(idx, ri) && isequal(dist, rd), 'searcher %d of 4: not the neighbours', i);
  knngraph(X{2}, 3, 'Device', 1);                % others that use the same memory
end
knng.internal.search('release');                 % what the session holds, but not what they do
[idx, dist] = knng.knnsearch(ns{3}, Y, 'K', 4);
[ri, rd] = knng.knnsearch(X{3}, Y, 'K', 4, 'Distance', metrics{3}, 'Device', 'cpu');
score = score + tally(isequal(idx, ri) && isequal(dist, rd), 'after the session was released');
score = score + tally(strcmp(id_of(@() knng.knnsearch(ns{1}, Y, 'Device', 'cpu')), 'knng:args:option'), 'a device at a search');
score = score + tally(isequal(knng.rangesearch(ns{1}, Y, 3), knng.rangesearch(X{1}, Y, 3, 'Device', 'cpu')), 'a radius, of rows on a GPU');
score = score + tally(isequal(knng.rangesearch(ns{4}, Y, 3), knng.rangesearch(X{4}, Y, 3, 'Distance', metrics{4})), 'a radius, of rows on the CPU');
knng.release(ns{1});
score = score + tally(strcmp(id_of(@() knng.rangesearch(ns{1}, Y, 1)), 'knng:searcher:gone'), 'released, a radius');
score = score + tally(strcmp(id_of(@() knng.knnsearch(ns{1}, Y)), 'knng:searcher:gone'), 'released');
last = numel(knng.devices());
other = knng.createns(X{2}, 'Distance', metrics{2}, 'Device', last:-1:1);
[ri, rd] = knng.knnsearch(X{2}, Y, 'K', 4, 'Distance', metrics{2}, 'Device', 'cpu');
[idx, dist, info] = knng.knnsearch(other, Y, 'K', 4);
score = score + tally(isequal(idx, ri) && isequal(dist, rd) && other.gpu == last && strncmp(info.device, '1 x ', 4), 'the last GPU, named first');
score = score + tally(strcmp(id_of(@() knng.createns(Y, 'Device', 1 + numel(knng.devices()))), 'knng:args:device'), 'no such GPU');
end

% ---- what fails -------------------------------------------------------------------------------------------------------

function score = failures(n)
% Every call that can fail does so in turn. What is made is on a GPU, or on the CPU with a warning; a search finds its
% neighbours or says why not, and so does the next one.
randn('twister', 7);
X = randn(min(n, 200), 7);
B = [randn(40, 7); 1e8 + randn(40, 7)];
warning('off', 'knng:device:fallback');
score = [0 0];
nr = 0;
for data = {{X, 'euclidean', randn(5, 7), 'off'}, {B, 'euclidean', B(1:9, :) + 1, 'off'}, {X, 'cityblock', 100 * randn(3, 7), 'on'} ...
            {[X X(:, 1:5) .^ 2], 'sqeuclidean', randn(4, 12), 'on'}, {[B B(:, 1:2)], 'euclidean', B(9:70, [1:7 1 2]) + 1, 'on'}}
            % a tree of rows, one of copies, and one of copies around several centres
  [X, metric, Y, prune] = data{1}{:};
  nr = nr + 1;
  [ri, rd] = knng.knnsearch(X, Y, 'K', 3, 'Distance', metric, 'Device', 'cpu');
  knng.internal.search('release');
  make = @() knng.createns(X, 'Distance', metric, 'Device', 1, 'Threads', 1, 'Prune', prune);
  for searches = 0:1
    ns = [];
    met = 0;
    gone = 0;
    step = 1 + halved() * (~searches + is_emulated() * [4 0 4 2 4](nr)) + 4 * thinned();
    score = score + tally(is_right(make(), Y, ri, rd), '%s: not the neighbours', metric);
    [~, most] = knng.internal.search('fail', 0);
    for nth = 1:step:1000
      if searches && isempty(ns)
        ns = make();
      end
      before = knng.internal.search('fail', nth);
      if searches
        [id, text] = said(@() be_right(ns, Y, ri, rd));
      else
        [id, text] = said(@() be_right(make(), Y, ri, rd));
      end
      [after, ~] = knng.internal.search('fail', 0);
      if after - before < nth
        break
      end
      met = met + ~isempty(id);
      gone = gone + strcmp(id, 'knng:searcher:gone');
      score = score + tally(isempty(id) || strncmp(id, 'knng:', 5), 'call %d: %s, %s', nth, id, text);
      if searches
        score = score + tally(~strncmp(id, 'knng:device:', 12) || ~isempty(strfind(text, 'knng.')), 'call %d: no remedy, %s', nth, text);
        score = score + tally(is_right(ns, Y, ri, rd), '%s, call %d, %s: what is left', metric, nth, id);
      else
        if is_emulated()                           % it takes long
          knng.internal.search('release');
          most = 0;
        end
        [~, live] = knng.internal.search('fail', 0);
        score = score + tally(live <= most && isempty(knng.searchers()), '%s, call %d, %s: what is held', metric, nth, id);
      end
    end
    score = score + tally(met > 10 / step && nth < 1000, '%s: %d failures of %d', metric, met, nth);
    if searches && step == 1                       % each look at the GPU: how many there are, and twice three calls
      score = score + tally(gone >= 7, '%s: %d searches say that it is gone', metric, gone);
    end
    clear ns
  end
end
warning('error', 'knng:device:fallback');
end

function be_right(ns, varargin)
if ~is_right(ns, varargin{:})
  error('gpu_searchers:wrong', 'not the neighbours');
end
end

function yes = is_right(ns, Y, ri, rd)
[idx, dist] = knng.knnsearch(ns, Y, 'K', 3, 'Threads', 1);
yes = isequal(idx, ri) && isequal(dist, rd);
end

% ---- memory -----------------------------------------------------------------------------------------------------------

function score = memory(n)
randn('twister', 8);
X = randn(n, 40);
Y = randn(30, 40);
score = [0 0];
[id, text] = said(@() knng.createns(X, 'Device', 1, 'MaxDeviceMemory', 1e6));
least = str2double(regexp(text, '(?<=at least )\d+', 'match', 'once'));
score = score + tally(strcmp(id, 'knng:device:memory') && least > 1e6, 'no room for the rows: %s', text);
score = score + tally(~isempty(strfind(text, '''Device'', ''cpu''')) && isempty(strfind(text, 'search on')), 'its remedies: %s', text);
[ns, info] = knng.createns(X, 'Device', 1, 'MaxDeviceMemory', least, 'Prune', 'on');
score = score + tally(ns.gpu == 1 && info.memory.device <= least && strcmp(info.pruned, 'no: there is no memory for it on a GPU'), ...
                      'just room enough for the rows, %g of %g bytes, %s', info.memory.device, least, info.pruned);
% which has room for the searches that it is made for
many = [Y; randn(970, 40)];
[ri, rd] = knng.knnsearch(X, many, 'K', 10, 'Device', 'cpu');
[idx, dist, of_search] = knng.knnsearch(ns, many, 'K', 10);
score = score + tally(isequal(idx, ri) && isequal(dist, rd) && of_search.memory.device + ns.gpubytes <= least, 'a search for 1000 rows: %g and %g of %g bytes', ...
                      of_search.memory.device, ns.gpubytes, least);
rows = ns.gpubytes;
[ns, info] = knng.createns(X, 'Device', 1, 'MaxDeviceMemory', least + 1e8, 'Prune', 'on');
score = score + tally(info.memory.device <= least + 1e8 && strncmp(info.pruned, 'yes: ', 5) && ns.gpubytes > rows + 8 * numel(X), ...
                      'and for a tree: %g bytes, %g without, %s', ns.gpubytes, rows, info.pruned);
nodes = 2 ^ max(ceil(log2(n / 32)), 0);
want = (8 + 2) * n * 40 + 28 * n + n * (8 * 40 + 4) + nodes * (32 * 40 + 12) + nodes * 16 * 40 + 2048 * 40 + 86016;
score = score + tally(ns.gpubytes >= want && ns.gpubytes <= want + 4096, 'docs/memory.md: %d bytes, not %d', ns.gpubytes, want);
[~, ~, info] = knng.knnsearch(ns, Y, 'K', 5);
score = score + tally(info.certified.boxes == 30 && info.memory.device < least + 1e8, 'a search by it');
[ns, info] = knng.createns(X, 'Device', 1, 'MaxDeviceMemory', least + 1e6);
[idx, dist, of_search] = knng.knnsearch(ns, Y, 'K', 5);
[ri, rd] = knng.knnsearch(X, Y, 'K', 5, 'Device', 'cpu');
score = score + tally(isequal(idx, ri) && isequal(dist, rd), 'a search with little memory');
score = score + tally(of_search.memory.device + ns.gpubytes <= least + 1e6, 'the limit is that of both together: %g and %g', of_search.memory.device, ns.gpubytes);
[id, text] = said(@() knng.knnsearch(ns, randn(200000, 40), 'K', 5));
score = score + tally(strcmp(id, 'knng:device:memory') && ~isempty(strfind(text, 'knng.release')) && ~isempty(strfind(text, 'fewer rows at a time')) ...
                      && ~isempty(strfind(text, 'knng.createns (X, ''Device'', ''cpu'')')) && isempty(strfind(text, 'MaxDeviceMemory')), ...
                      'too many queries: %s, %s', id, text);
score = score + tally(isequal(knng.knnsearch(ns, Y, 'K', 5), ri), 'after that');
[id, text] = said(@() knngraph(X, 5, 'Device', 1, 'MaxDeviceMemory', 1e6));
score = score + tally(strcmp(id, 'knng:device:memory') && ~isempty(strfind(text, 'knng.release')), 'beside a searcher: %s', text);
if numel(knng.devices()) > 1
  [~, text] = said(@() knngraph(X, 5, 'Device', 2, 'MaxDeviceMemory', 1e6));
  score = score + tally(~isempty(strfind(text, 'at least')) && isempty(strfind(text, 'knng.release')), 'beside one on another GPU: %s', text);
end
knng.release('all');
[~, text] = said(@() knngraph(X, 5, 'Device', 1, 'MaxDeviceMemory', 1e6));
score = score + tally(isempty(strfind(text, 'knng.release')), 'without one: %s', text);
end

% ---- other processes, other devices -----------------------------------------------------------------------------------

function score = forks(n)
randn('twister', 9);
X = randn(n, 5);
ns = knng.createns(X, 'Device', 1);
want = knng.knnsearch(ns, X(1:7, :), 'K', 3);
file = [tempname() '.txt'];
clean = onCleanup(@() delete(file));
fflush(stdout);
child = fork();
if child == 0
  s = knng.searchers();
  fine = ns.gpubytes > 0 && s.gpu == 1 && s.gpubytes == 0;
  [id, text] = said(@() knng.knnsearch(ns, X(1:7, :)));
  fine = fine && strcmp(id, 'knng:searcher:gone') && ~isempty(strfind(text, 'forked')) && knng.release(ns) == 1;
  own = knng.createns(X, 'Device', 'cpu');
  fine = fine && isequal(knng.knnsearch(own, X(1:7, :), 'K', 3), want);
  f = fopen(file, 'w');
  fprintf(f, '%d %s', fine, text);
  fclose(f);
  kill(getpid(), 9);                             % without Octave's own end
end
waitpid(child);
told = fileread(file);
score = tally(told(1) == '1', 'a forked child: %s', told);
score = score + tally(isequal(knng.knnsearch(ns, X(1:7, :), 'K', 3), want), 'its parent');
ask = ['a = knng.createns (magic (3), ''Device'', 1); b = a; clear all; disp (numel (knng.searchers ())); ' ...
       'a = knng.createns (magic (4), ''Device'', 1); clear mex; clear -f; disp (knng.knnsearch (a, magic (4))''); ' ...
       'global g; g = knng.createns (rand (1000, 3), ''Device'', 1, ''Prune'', ''on''); here = g; disp (g.gpu); exit (3)'];
[status, text] = system(sprintf('octave-cli --norc -H -q --path "%s" --eval "%s" 2>&1', fileparts(which('knngraph')), ask));
score = score + tally(status == 3 && isequal(sscanf(text, '%f')', [0 1:4 1]), 'a session that ends with searchers: %d, %s', status, text);
end

function score = automatic(n)
% 'auto': as a search for 1000 rows would choose.
[ns, info] = knng.createns(randn(n, 5));
score = tally(ns.gpu == 0 && ~isempty(strfind(info.note, 'few columns')), 'few columns: %s', info.note);
[ns, info] = knng.createns(randn(n, 5), 'Prune', 'off');
score = score + tally(ns.gpu == 0 && ~isempty(strfind(info.note, 'too few to gain')), 'few rows: %s', info.note);
[ns, info] = knng.createns(randn(n, 9));
score = score + tally(ns.gpu == 0 && ~isempty(strfind(info.note, 'too few to gain')), 'few rows: %s', info.note);
X = randn(1000, 2e4);
[ns, info] = knng.createns(X);
score = score + tally(ns.gpu == 1 && isempty(info.note), 'enough: %s', info.note);
[idx, ~, info] = knng.knnsearch(ns, X(3, :));
score = score + tally(idx == 3 && isempty(info.note) && isempty(strfind(info.device, 'cpu')), 'a search of it');
[ns, info] = knng.createns(X, 'MaxDeviceMemory', 1e6);
score = score + tally(ns.gpu == 0 && ~isempty(strfind(info.note, 'at least')) && ~isempty(strfind(info.note, 'knng.release')), 'no room: %s', info.note);
[idx, ~, info] = knng.knnsearch(ns, X(3, :));
score = score + tally(idx == 3 && ~isempty(strfind(info.note, 'at least')), 'a search then: %s', info.note);
ns = knng.createns(X(:, 1:9), 'Device', 'cpu');
score = score + tally(ns.gpu == 0, 'the CPU');
end

function yes = is_emulated()
list = knng.devices();
yes = ~isempty(strfind(list(1).name, 'emulated'));
end

function score = interrupts(n)
% Ctrl-C in searches, of which some make other copies; on a GPU these are too short (gpu_interrupt.m).
score = [0 0];
if ~is_emulated()
  return
end
randn('twister', 10);
X = randn(20 * n, 12);
Y = randn(9, 12);
for given = {{'euclidean', 'off', 1}, {'euclidean', 'off', 1e7}, {'cityblock', 'on', 1}}
  [metric, prune, size] = given{1}{:};
  ns = knng.createns(X, 'Distance', metric, 'Prune', prune, 'Device', 1, 'Threads', 1);
  [ri, rd] = knng.knnsearch(X, Y, 'K', 3, 'Distance', metric, 'Device', 'cpu');
  m = 200;
  seconds = 0.65;
  while seconds < 1
    m = ceil(m * min(max(1.3 / seconds, 1.5), 10));
    Q = size * randn(m, 12);
    start = tic();
    knng.knnsearch(ns, Q, 'K', 3);
    seconds = toc(start);
  end
  for part = [0.1 0.2]                           % early, as the machine may be quicker now
    system(sprintf('(sleep %g; kill -INT %d) > /dev/null 2>&1 &', part * seconds, getpid()));
    id = id_of(@() knng.knnsearch(ns, Q, 'K', 3));
    score = score + tally(strcmp(id, 'knng:interrupted'), '%s, Ctrl-C at %g of %g s: %s', metric, part, seconds, id);
    score = score + tally(is_right(ns, Y, ri, rd), '%s, after Ctrl-C: not the neighbours', metric);
  end
end
end

function score = lost(n)
score = [0 0];
if ~is_emulated()
  return
end
X = randn(n, 5);
other = knng.createns(X, 'Device', 1, 'Prune', 'on');
ns = knng.createns(X, 'Device', 1, 'Prune', 'on');
for i = 1:2                                      % others have its memory, which must not be given back
  setenv('KNNG_EMULATED_LOST', {'memory', ''}{i});
  [id, text] = said(@() knng.knnsearch(ns, X(1:3, :)));
  s = knng.searchers();
  score = score + tally(strcmp(id, 'knng:searcher:gone') && ~isempty(strfind(text, 'knng.createns')), 'lost memory, %d: %s', i, text);
  score = score + tally(isequal([s.gpu], [1 1]) && s(1).gpubytes == other.gpubytes && s(2).gpubytes == 0, 'lost memory, %d: what is listed', i);
end
score = score + tally(isequal(knng.knnsearch(other, X(1:3, :)), (1:3)'), 'another searcher');
score = score + tally(knng.release(ns) == 1, 'it is released all the same');
setenv('KNNG_EMULATED_LOST', 'device');
[id, text] = said(@() knng.knnsearch(other, X(1:3, :)));
score = score + tally(strcmp(id, 'knng:device:failed') && ~isempty(strfind(text, 'knng.createns')), 'a lost device: %s', text);
s = knng.searchers();
score = score + tally(s.gpu == 1 && s.gpubytes == 0 && other.gpubytes > 0, 'a lost device: what is listed');
setenv('KNNG_EMULATED_LOST', '');
[id, text] = said(@() knng.knnsearch(other, X(1:3, :)));
score = score + tally(strcmp(id, 'knng:searcher:gone') && ~isempty(strfind(text, 'failed earlier')) && isempty(strfind(text, '''auto''')), 'and later: %s', text);
again = knng.createns(X, 'Device', 'cpu');
score = score + tally(isequal(knng.knnsearch(again, X(1:3, :)), (1:3)'), 'made anew');
score = score + tally(knng.release('all') == 2, 'all are released');
end
