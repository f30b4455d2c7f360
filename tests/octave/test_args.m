function [npass, nfail] = test_args()
%TEST_ARGS  Bad arguments: each raises its own identifier, says what helps, and leaves the session as it was.
%   Prints each failure and at last 'N passed, N failed'.

here = fileparts(mfilename('fullpath'));
former_path = path();
restore_path = onCleanup(@() path(former_path));
addpath(fileparts(here), here);

tests = [graph_calls(), community_calls(), search_calls(), estimate_calls(), option_calls(), metafeature_calls(), order_calls(), map_calls(), select_calls(), ...
         cluster_calls()];
npass = 0;
nfail = 0;
for i = 1:numel(tests)
  [npass, nfail] = tally(bad_call(tests(i)), tests(i).label, npass, nfail);
end
tests = [accepted_calls(), warning_calls(), memory_calls()];
for i = 1:numel(tests)
  try
    problem = tests(i).f();
  catch err
    problem = sprintf('error %s: %s', err.identifier, err.message);
  end
  [npass, nfail] = tally(problem, tests(i).label, npass, nfail);
end
fprintf('%d passed, %d failed\n', npass, nfail);
end

% ---- what is checked -------------------------------------------------------------------------------------------------

function [npass, nfail] = tally(problem, label, npass, nfail)
if isempty(problem)
  npass = npass + 1;
else
  nfail = nfail + 1;
  fprintf('FAIL %s: %s\n', label, problem);
end
end

function problem = bad_call(t)
% '' if t.f() raises one of the identifiers t.id with a text that matches all of t.text, and a good call still works.
problem = 'no error';
try
  t.f();
catch err
  problem = '';
  if ~any(strcmp(err.identifier, t.id))
    problem = sprintf('identifier ''%s'', text ''%s''', err.identifier, err.message);
  end
  if any(strcmp(strtok(err.message, ':'), gateway_names()))
    problem = sprintf('a gateway is named in ''%s''', err.message);
  end
  for i = 1:numel(t.text)
    if isempty(regexp(err.message, t.text{i}, 'once'))
      problem = sprintf('the text ''%s'' does not match ''%s''', err.message, t.text{i});
    end
  end
end
[idx, dist] = knngraph([0; 1; 3; 8], 2);
if ~isequal(idx, [2 3; 1 3; 2 1; 3 2]) || ~isequal(dist, [1 3; 1 2; 2 3; 5 7])
  problem = 'a good call afterwards is wrong';
end
end

function t = bad(label, id, f, varargin)
% One row: f must raise id (or one of a cell of them) with a text that matches each of the expressions.
t = struct('label', label, 'id', {cellstr(id)}, 'f', f, 'text', {varargin});
end

function t = good(label, f)
% One row: f returns '' or what is wrong.
t = struct('label', label, 'f', f);
end

function s = either(ok, problem)
s = '';
if ~ok
  s = problem;
end
end

function same = same_bits(a, b)
same = strcmp(class(a), class(b)) && isequal(size(a), size(b)) && ...
       isequal(typecast(double(a(:)), 'uint64'), typecast(double(b(:)), 'uint64'));
end

function X = sample()
% 40 x 3, no ties.
X = mod((1:40)' * [0.137 0.713 0.371], 1);
end

% ---- knng.mink, knng.maxk --------------------------------------------------------------------------------------------

function t = select_calls()
X = sample();
wrong = {'tpu', '', 0, -1, 1.5, NaN, [], {'gpu'}, struct('a', 1), @sin, containers.Map(), complex(1, 1)};
k = 'knng:args:k';
dim = 'knng:args:dim';
method = @(v) @() knng.mink(X, 2, 'ComparisonMethod', v);
t = [bad('mink: text', 'knng:args:class', @() knng.mink('abc', 2), 'char', 'double \(A\)'), ...
     bad('mink: a function handle', 'knng:args:class', @() knng.mink(@sin, 2), 'function_handle'), ...
     bad('maxk: a containers.Map', 'knng:args:class', @() knng.maxk(containers.Map(), 2)), ...
     bad('maxk: sparse', 'knng:args:sparse', @() knng.maxk(sparse(X), 2), 'full \(A\)'), ...
     bad('mink: complex', 'knng:args:complex', @() knng.mink(complex(X, 1), 2), 'abs \(A\)'), ...
     bad('mink: k -1', k, @() knng.mink(X, -1), '^k is -1.*from 0 on'), ...
     bad('mink: k 2.5', k, @() knng.mink(X, 2.5), '2\.5'), ...
     bad('mink: k NaN', k, @() knng.mink(X, NaN), 'NaN|nan'), ...
     bad('mink: k a vector', k, @() knng.mink(X, [1 2]), '1-by-2 double'), ...
     bad('mink: k []', k, @() knng.mink(X, [])), ...
     bad('mink: k a cell', k, @() knng.mink(X, {2})), ...
     bad('mink: dim 0', dim, @() knng.mink(X, 2, 0), '0', 'from 1 to 1024'), ...
     bad('mink: dim 1.5', dim, @() knng.mink(X, 2, 1.5), '1\.5'), ...
     bad('mink: dim 1e9', dim, @() knng.mink(X, 2, 1e9)), ...
     bad('mink: dim a vector', dim, @() knng.mink(X, 2, [1 2])), ...
     bad('mink: method imag', 'knng:args:option', method('imag'), 'imag', 'auto.*real.*abs'), ...
     bad('mink: method a number', 'knng:args:option', method(3), '3'), ...
     bad('mink: two GPUs', 'knng:args:device', @() knng.mink(X, 2, 'Device', [1 2]), '1-by-2', 'number of a GPU'), ...
     bad('maxk: Device 9999', {'knng:args:device', 'knng:device:none'}, @() knng.maxk(X, 2, 'Device', int16(9999)), '9999|no GPU can'), ...
     bad('mink: no such option', 'knng:args:unknownOption', @() knng.mink(X, 2, 'Comparing', 'abs'), 'ComparisonMethod'), ...
     bad('mink: three results', {'knng:args:count', 'Octave:undefined-function'}, @() nth_result(3, @knng.mink, X, 2))];
for j = 1:numel(wrong)
  t(end + 1) = bad(sprintf('mink: Device: wrong value %d', j), 'knng:args:device', @() knng.mink(X, 2, 'Device', wrong{j})); %#ok<AGROW>
end
end

function x = nth_result(n, f, varargin)
[out{1:n}] = f(varargin{:});
x = out{n};
end

% ---- knngraph (X, k, metric) -----------------------------------------------------------------------------------------

function t = graph_calls()
X = sample();
file = fullfile(tempdir(), 'knng-no-such-file.txt');
class = 'knng:args:class';
k = 'knng:args:k';
metric = 'knng:args:metric';
count = 'knng:args:count';
names = metric_names();
t = [bad('X a function handle', class, @() knngraph(@sin, 2)), ...
     bad('X an anonymous function', class, @() knngraph(@(x) x, 2)), ...
     bad('X a containers.Map', class, @() knngraph(containers.Map(), 2)), ...
     bad('X a cell', class, @() knngraph({1, 2}, 2)), ...
     bad('X a struct', class, @() knngraph(struct('a', {1, 2}), 2), 'ds\.X'), ...
     bad('X a char matrix', class, @() knngraph(['ab'; 'cd'], 1)), ...
     bad('X no file', 'knng:io:open', @() knngraph(file, 2), 'knng-no-such-file'), ...
     bad('X logical', class, @() knngraph(true(4, 2), 2), 'logical'), ...
     bad('X int32', class, @() knngraph(int32(10 * X), 2), 'int32'), ...
     bad('X uint8', class, @() knngraph(uint8(10 * X), 2), 'uint8'), ...
     bad('X int64', class, @() knngraph(int64(10 * X), 2), 'int64'), ...
     bad('X sparse', 'knng:args:sparse', @() knngraph(sparse(X), 2), 'full'), ...
     bad('X complex', 'knng:args:complex', @() knngraph(complex(X, X), 2)), ...
     bad('X single complex', 'knng:args:complex', @() knngraph(complex(single(X), 1), 2)), ...
     bad('X without rows', 'knng:args:empty', @() knngraph(zeros(0, 3), 2)), ...
     bad('X without columns', 'knng:args:empty', @() knngraph(zeros(3, 0), 2)), ...
     bad('X []', 'knng:args:empty', @() knngraph([], 2)), ...
     bad('X single []', 'knng:args:empty', @() knngraph(single([]), 2)), ...
     bad('X of three dimensions', 'knng:args:dims', @() knngraph(zeros(3, 2, 2), 2)), ...
     bad('X of four dimensions', 'knng:args:dims', @() knngraph(zeros(3, 2, 2, 2), 2)), ...
     bad('no arguments', count, @() knngraph()), ...
     bad('no k', count, @() knngraph(X)), ...
     bad('k 0', k, @() knngraph(X, 0), '0'), ...
     bad('k -1', k, @() knngraph(X, -1), '-1'), ...
     bad('k 2.5', k, @() knngraph(X, 2.5), '2\.5'), ...
     bad('k NaN', k, @() knngraph(X, NaN), 'NaN|nan'), ...
     bad('k Inf', k, @() knngraph(X, Inf), 'Inf|inf'), ...
     bad('k -Inf', k, @() knngraph(X, -Inf)), ...
     bad('k char', k, @() knngraph(X, '3')), ...
     bad('k a vector', k, @() knngraph(X, [1 2])), ...
     bad('k []', k, @() knngraph(X, [])), ...
     bad('k a struct', k, @() knngraph(X, struct('k', 3))), ...
     bad('k a cell', k, @() knngraph(X, {3})), ...
     bad('k a function handle', k, @() knngraph(X, @sin)), ...
     bad('k a containers.Map', k, @() knngraph(X, containers.Map())), ...
     bad('k complex', k, @() knngraph(X, complex(3, 1))), ...
     bad('metric pearsn', metric, @() knngraph(X, 2, 'pearsn'), 'pearsn', '\<pearson\>.*\<pearson\>', names{:}), ...
     bad('metric euclidian', metric, @() knngraph(X, 2, 'euclidian'), '\<euclidean\>.*\<euclidean\>'), ...
     bad('metric xyzzy', metric, @() knngraph(X, 2, 'xyzzy'), 'xyzzy', 'euclidean'), ...
     bad('metric empty', metric, @() knngraph(X, 2, '')), ...
     bad('metric with a percent sign', metric, @() knngraph(X, 2, '%s%n%d'), '%s%n%d'), ...
     bad('metric very long', metric, @() knngraph(X, 2, repmat('x', 1, 100000))), ...
     bad('metric with a zero byte', metric, @() knngraph(X, 2, ['pearson' char(0) 'x'])), ...
     bad('metric a number', metric, @() knngraph(X, 2, 5)), ...
     bad('metric a cell', metric, @() knngraph(X, 2, {'pearson'})), ...
     bad('metric a struct', metric, @() knngraph(X, 2, struct())), ...
     bad('metric a function handle', metric, @() knngraph(X, 2, @(a, b) 0)), ...
     bad('metric a char matrix', metric, @() knngraph(X, 2, ['pear'; 'pear'])), ...
     bad('too many outputs', {count, 'Octave:invalid-fun-call', 'Octave:undefined-function', 'MATLAB:TooManyOutputs', ...
                              'MATLAB:maxlhs'}, @() four_outputs(X))];
end

function four_outputs(X)
[a, b, c, d] = knngraph(X, 2); %#ok<ASGLU>
end

% ---- knng.leiden (A, ...), knng.plot (A, ...) ------------------------------------------------------------------------

function t = community_calls()
A = sparse([2 1], [1 2], 1);
option = {'knng:args:option', 'knng:toolbox:noIgraph'};
t = [bad('leiden: no graph', 'knng:args:count', @() knng.leiden()), ...
     bad('leiden: a full matrix', 'knng:args:count', @() knng.leiden(magic(3)), 'sparse'), ...
     bad('leiden: Resolution -1', option, @() knng.leiden(A, 'Resolution', -1)), ...
     bad('leiden: Objective xyzzy', option, @() knng.leiden(A, 'Objective', 'xyzzy')), ...
     bad('leiden: a negative weight', {'knng:args:weight', 'knng:toolbox:noIgraph'}, @() knng.leiden(-A)), ...
     bad('leiden: option Weights', 'knng:args:unknownOption', @() knng.leiden(A, 'Weights', 'given'), '''Weight'''), ...
     bad('plot: a place too few', 'knng:args:positions', @() knng.plot(A, 'XY', [1 2]), '2-by-2'), ...
     bad('plot: a group too few', 'knng:args:labels', @() knng.plot(A, 'XY', [1 2; 3 4], 'Groups', 1))];
end

% ---- knng.knnsearch (X, Y, ...) --------------------------------------------------------------------------------------

function t = search_calls()
X = sample();
class = 'knng:args:class';
t = [bad('search: no Y', 'knng:args:count', @() knng.knnsearch(X)), ...
     bad('search: X a function handle', class, @() knng.knnsearch(@sin, X, 'K', 2)), ...
     bad('search: Y a function handle', class, @() knng.knnsearch(X, @sin, 'K', 2)), ...
     bad('search: Y a containers.Map', class, @() knng.knnsearch(X, containers.Map(), 'K', 2)), ...
     bad('search: Y a cell', class, @() knng.knnsearch(X, {1 2 3}, 'K', 2)), ...
     bad('search: Y a struct', class, @() knng.knnsearch(X, struct('a', 1), 'K', 2)), ...
     bad('search: Y logical', class, @() knng.knnsearch(X, true(2, 3), 'K', 2)), ...
     bad('search: Y int32', class, @() knng.knnsearch(X, int32(ones(2, 3)), 'K', 2)), ...
     bad('search: Y sparse', 'knng:args:sparse', @() knng.knnsearch(X, sparse(ones(2, 3)), 'K', 2)), ...
     bad('search: Y complex', 'knng:args:complex', @() knng.knnsearch(X, complex(ones(2, 3), 1), 'K', 2)), ...
     bad('search: Y of three dimensions', 'knng:args:dims', @() knng.knnsearch(X, ones(2, 3, 2), 'K', 2)), ...
     bad('search: too few columns', 'knng:args:columns', @() knng.knnsearch(X, X(:, 1:2), 'K', 2), '3', '2'), ...
     bad('search: too many columns', 'knng:args:columns', @() knng.knnsearch(X, [X X], 'K', 2), '3', '6'), ...
     bad('search: K 0', 'knng:args:k', @() knng.knnsearch(X, X, 'K', 0)), ...
     bad('search: K 1.5', 'knng:args:k', @() knng.knnsearch(X, X, 'K', 1.5)), ...
     bad('search: K char', 'knng:args:k', @() knng.knnsearch(X, X, 'K', '2')), ...
     bad('search: Distance unknown', 'knng:args:metric', @() knng.knnsearch(X, X, 'K', 2, 'Distance', 'pearsn'), ...
         '\<pearson\>.*\<pearson\>'), ...
     bad('search: Distance a number', 'knng:args:metric', @() knng.knnsearch(X, X, 'K', 2, 'Distance', 7)), ...
     bad('search: option unknown', 'knng:args:unknownOption', @() knng.knnsearch(X, X, 'Distanse', 'pearson'), ...
         'Distance'), ...
     bad('search: option without value', 'knng:args:option', @() knng.knnsearch(X, X, 'K'))];
end

% ---- options ---------------------------------------------------------------------------------------------------------

function t = option_calls()
X = sample();
g = @(varargin) knngraph(X, 2, 'euclidean', varargin{:});
option = 'knng:args:option';
t = [bad('option Treads', 'knng:args:unknownOption', @() g('Treads', 2), 'Treads', 'Threads'), ...
     bad('option Tilsize', 'knng:args:unknownOption', @() g('Tilsize', 2), '''TileSize''\?'), ...
     bad('option T', 'knng:args:unknownOption', @() g('T', 2), 'no option ''T'''), ...
     bad('option Max', 'knng:args:unknownOption', @() g('max', 2), 'short for several, ''MaxMemory'', ''MaxDeviceMemory'':'), ...
     bad('SaveEvery without Checkpoint', option, @() g('SaveEvery', 60), 'name its folder'), ...
     bad('SaveEvery alone, estimated', option, @() knng.estimate (100, 3, 2, 'SaveEvery', 60), 'name its folder'), ...
     bad('Network without Ranks', option, @() knng.estimate (100, 3, 2, 'Network', 1e9), 'give ''Ranks'''), ...
     bad('option xyzzy', 'knng:args:unknownOption', @() g('xyzzy', 2), 'xyzzy'), ...
     bad('option name empty', 'knng:args:unknownOption', @() g('', 2)), ...
     bad('option name very long', 'knng:args:unknownOption', @() g(repmat('T', 1, 100000), 2)), ...
     bad('option unknown, the second', 'knng:args:unknownOption', @() g('Threads', 1, 'Treads', 2), 'Treads'), ...
     bad('option name a number', {option, 'knng:args:unknownOption'}, @() g(5, 6)), ...
     bad('option name a cell', {option, 'knng:args:unknownOption'}, @() g({'Threads'}, 6)), ...
     bad('option name a function handle', {option, 'knng:args:unknownOption'}, @() g(@sin, 6)), ...
     bad('option without value', option, @() g('Threads'), 'Threads'), ...
     bad('option without value, the second', option, @() g('Threads', 1, 'TileSize'), 'TileSize')];

wrong = {'x', [], {}, {2}, struct('a', 1), @sin, containers.Map(), [1 2], -1, NaN, complex(1, 1), ones(2, 2, 2)};
names = {'TileSize', 'Threads', 'MaxMemory', 'MaxDeviceMemory'};
for i = 1:numel(names)
  for j = 1:numel(wrong)
    t(end + 1) = bad(sprintf('%s: wrong value %d', names{i}, j), option, @() g(names{i}, wrong{j}), names{i}); %#ok<AGROW>
  end
end
for i = 1:2
  t(end + 1) = bad([names{i} ' 2.5'], option, @() g(names{i}, 2.5), '2\.5'); %#ok<AGROW>
  t(end + 1) = bad([names{i} ' Inf'], option, @() g(names{i}, Inf)); %#ok<AGROW>
end

wrong = {5, [], {}, {'avx2'}, struct('a', 1), @sin, containers.Map(), ['avx2'; 'avx2'], true};
for j = 1:numel(wrong)
  t(end + 1) = bad(sprintf('Target: wrong value %d', j), {option, 'knng:args:target'}, @() g('Target', wrong{j})); %#ok<AGROW>
end
t(end + 1) = bad('Target sse9', 'knng:args:target', @() g('Target', 'sse9'), 'sse9', 'plain');
t(end + 1) = bad('Target empty', 'knng:args:target', @() g('Target', ''));

wrong = {'tpu', '', 0, -1, 1.5, NaN, Inf, [], {}, {'gpu'}, struct('a', 1), @sin, containers.Map(), ['gpu'; 'gpu'], ...
         complex(1, 1), ones(2, 2, 2), [0 1], [1 1], int32([2 2]), int8(-1), uint64(0), single(1.5), true, sparse([1 2])};
for j = 1:numel(wrong)
  t(end + 1) = bad(sprintf('Device: wrong value %d', j), 'knng:args:device', @() g('Device', wrong{j})); %#ok<AGROW>
end
try
  [idx, dist] = g('Device', 'gpu'); %#ok<ASGLU>
  t(end + 1) = bad('Device 9999', 'knng:args:device', @() g('Device', 9999), '9999');
  t(end + 1) = bad('Device [1 9999]', 'knng:args:device', @() g('Device', uint16([1 9999])), 'no GPU number 9999: the machine shows \d');
catch err %#ok<NASGU>
  for asked = {'gpu', 1, int32(1), uint8([2 1]), single(9999)}
    t(end + 1) = bad(['Device ' disp(asked{1})], 'knng:device:none', @() g('Device', asked{1}), 'no GPU can be used'); %#ok<AGROW>
  end
end
end

% ---- knng.estimate (n, d, k, ...) ------------------------------------------------------------------------------------

function t = estimate_calls()
rows = 'knng:args:rows';
columns = 'knng:args:columns';
t = [bad('estimate: two arguments', 'knng:args:count', @() knng.estimate(5, 5)), ...
     bad('estimate: a text that is no file', 'knng:io:format', @() knng.estimate('x', 5), 'x is no file of numbers', 'knng\.read'), ...
     bad('estimate: more rows than a search may have', rows, @() knng.estimate(2 ^ 31, 5, 1), '2147483648'), ...
     bad('estimate: more columns than a search may have', rows, @() knng.estimate(5, 2 ^ 31, 1)), ...
     bad('estimate: k too large to count', 'knng:args:k', @() knng.estimate(2 ^ 31 - 65, 5, 2 ^ 40)), ...
     bad('estimate: option of knnsearch', 'knng:args:unknownOption', @() knng.estimate(5, 5, 1, 'K', 2), 'Queries'), ...
     bad('estimate: option without a value', 'knng:args:option', @() knng.estimate(5, 5, 1, 'euclidean', 'Class')), ...
     bad('estimate: too many ranks', 'knng:args:option', @() knng.estimate(5, 5, 1, 'Ranks', 65537), '65536'), ...
     bad('estimate: no network', 'knng:args:option', @() knng.estimate(5, 5, 1, 'Ranks', 2, 'Network', 0), 'bytes'), ...
     bad('estimate: a network that is none', 'knng:args:option', @() knng.estimate(5, 5, 1, 'Ranks', 2, 'Network', 'fast'), 'bytes'), ...
     bad('estimate: ranks of knnsearch', 'knng:args:option', @() knng.estimate(5, 5, 1, 'Ranks', 2, 'Queries', 3), 'knnsearch'), ...
     bad('Class of knngraph', 'knng:args:unknownOption', @() knngraph(sample(), 2, 'Class', 'single'))];
wrong = {'x', [], {}, {2}, struct('a', 1), @sin, containers.Map(), [1 2], 0, -1, 2.5, NaN, Inf, complex(1, 1), ones(2, 2, 2)};
for j = 1:numel(wrong)
  if ~ischar(wrong{j})                      % the name of a file
    t(end + 1) = bad(sprintf('estimate: n, wrong value %d', j), rows, @() knng.estimate(wrong{j}, 5, 1)); %#ok<AGROW>
  end
  t(end + 1) = bad(sprintf('estimate: d, wrong value %d', j), columns, @() knng.estimate(5, wrong{j}, 1)); %#ok<AGROW>
  t(end + 1) = bad(sprintf('estimate: k, wrong value %d', j), 'knng:args:k', @() knng.estimate(5, 5, wrong{j})); %#ok<AGROW>
  for name = {'Queries', 'Class', 'Calibrate', 'Ranks'}
    t(end + 1) = bad(sprintf('estimate: %s, wrong value %d', name{1}, j), 'knng:args:option', ...
                     @() knng.estimate(5, 5, 1, name{1}, wrong{j}), name{1}); %#ok<AGROW>
  end
end
end

% ---- knng.metafeatures, and its gateway ------------------------------------------------------------------------------

function t = metafeature_calls()
X = sample();
names = 'knng:args:names';
count = 'knng:args:count';
f = @knng.internal.metafeatures;
t = [bad('metafeatures: too large', 'knng:memory:host', @() knng.metafeatures((1:3e6)'), 'GB', 'single'), ...
     bad('metafeatures: an operation', 'knng:args:option', @() knng.metafeatures(X, [], 'quotient'), 'quotient', 'ratio'), ...
     bad('metafeatures: operations for names', names, @() knng.metafeatures(X, 'sum'), 'sum', 'operations'), ...
     bad('gateway: no arguments', count, @() f()), ...
     bad('gateway: a name that is none', names, @() f(magic(3), 1, {'a', 5, 'c'})), ...
     bad('gateway: a name with a zero byte', names, @() f(magic(3), 1, {'a', ['b', char(0)], 'c'})), ...
     bad('gateway: a name of two rows', names, @() f(magic(3), 1, {'a', ['b'; 'c'], 'c'})), ...
     bad('gateway: too few names', names, @() f(magic(3), 1, {'a', 'b'}), '2')];
wrong = {'x', {}, [], {2}, struct('a', 1), @sin, containers.Map(), 0, 5, 1.5, NaN, Inf, complex(1, 1), int8(1), sparse(1), 1:5};
for j = 1:numel(wrong)
  t(end + 1) = bad(sprintf('gateway: operations, wrong value %d', j), count, @() f(X, wrong{j}, [])); %#ok<AGROW>
end
end

% ---- the gateway of knng.heatmap -------------------------------------------------------------------------------------

function t = order_calls()
f = @knng.internal.leaforder;
dist = 'knng:args:dist';
t = [bad('order: no arguments', 'knng:args:count', @() f()), ...
     bad('order: not square', dist, @() f(ones(2, 3)), '2-by-3'), ...
     bad('order: single', dist, @() f(single(ones(2)))), ...
     bad('order: not symmetric', dist, @() f([0 1; 2 0]), '\<2\>'), ...
     bad('order: NaN', dist, @() f([0 NaN; NaN 0]))];
wrong = {'x', {}, struct('a', 1), @sin, containers.Map(), complex(ones(2), 1), int8(ones(2)), sparse(ones(2)), ones(2, 2, 2), true(2)};
for j = 1:numel(wrong)
  t(end + 1) = bad(sprintf('order: wrong value %d', j), {'knng:args:class', 'knng:args:sparse', 'knng:args:complex', 'knng:args:dims'}, ...
                   @() f(wrong{j})); %#ok<AGROW>
end
end

% ---- knng.diffusionmap, and its gateway ------------------------------------------------------------------------------

function t = map_calls()
f = @knng.internal.spmv;
A = sparse([0 1 2; 1 0 0; 2 0 0]);
class = 'knng:args:class';
t = [bad('map: tolerance', 'knng:args:option', @() knng.diffusionmap(A, 1, 'Tolerance', 1), 'Tolerance', '\<1\>', '1e-3'), ...
     bad('map: too many dimensions', 'knng:args:nd', @() knng.diffusionmap(A, 3), '3'), ...
     bad('product: no arguments', 'knng:args:count', @() f())];
wrong = {'x', {}, [], ones(3), {2}, struct('a', 1), @sin, containers.Map(), 1i * A, A > 0, ones(3, 1), int8(1), sparse(1i)};
for j = 1:numel(wrong)
  t(end + 1) = bad(sprintf('product: matrix, wrong value %d', j), class, @() f(wrong{j}, ones(3, 1))); %#ok<AGROW>
end
wrong = {'abc', {}, [], ones(1, 3), ones(3, 2), ones(2, 1), single([1; 2; 3]), int8([1; 2; 3]), true(3, 1), 1i * ones(3, 1), sparse([1; 2; 3]), @sin, ...
         struct('a', {1; 2; 3}), containers.Map(), ones(3, 1, 0)};
for j = 1:numel(wrong)
  t(end + 1) = bad(sprintf('product: column, wrong value %d', j), class, @() f(A, wrong{j})); %#ok<AGROW>
end
end

% ---- knng.dbscan, knng.silhouette and its gateway, knng.spectralcluster ----------------------------------------------

function t = cluster_calls()
X = sample();
f = @(varargin) knng.internal.silhouette(X, varargin{:});
labels = 'knng:args:labels';
count = 'knng:args:count';
t = [bad('gateway: no arguments', count, @() knng.internal.silhouette()), ...
     bad('gateway: four arguments', count, @() f('cosine', ones(40, 1), struct('threads', 1))), ...
     bad('gateway: metric', 'knng:args:metric', @() f('cosinus', ones(40, 1)), 'cosine'), ...
     bad('gateway: threads', 'knng:args:option', @() f('cosine', ones(40, 1), struct('Threads', 1.5)), 'Threads'), ...
     bad('gateway: progress', 'knng:args:option', @() f('cosine', ones(40, 1), struct('Threads', [], 'Progress', @sin)), 'Progress'), ...
     bad('silhouette: labels in a matrix', labels, @() knng.silhouette(X, ones(20, 2)), '20-by-2'), ...
     bad('silhouette: too few labels', labels, @() knng.silhouette(X, 1:39), '39', '40'), ...
     bad('dbscan: epsilon negative', 'knng:args:epsilon', @() knng.dbscan(X, -2, 3), '-2'), ...
     bad('dbscan: minpts half', 'knng:args:minpts', @() knng.dbscan(X, 2, 3.5), '3\.5'), ...
     bad('dbscan: memory', 'knng:args:maxMemory', @() knng.dbscan(X, 2, 3, 'MaxMemory', 10)), ...
     bad('spectralcluster: k too large', 'knng:args:k', @() knng.spectralcluster(X, 41), '41', '40'), ...
     bad('spectralcluster: sparse X', 'knng:args:sparse', @() knng.spectralcluster(sparse(X), 2), 'precomputed'), ...
     bad('spectralcluster: distances for S', 'knng:args:similarity', ...
         @() knng.spectralcluster(knngraph(X, 3), 2, 'Distance', 'precomputed'), 'knng\.adjacency')];
wrong = {'x', {}, {2}, struct('a', 1), @sin, containers.Map(), ones(39, 1), ones(1, 40), single(ones(40, 1)), ones(40, 1) / 2, ...
         41 * ones(40, 1), NaN(40, 1), Inf(40, 1), complex(ones(40, 1), 1), sparse(ones(40, 1)), ones(40, 1, 2), true(40, 1)};
for j = 1:numel(wrong)
  t(end + 1) = bad(sprintf('gateway: clusters, wrong value %d', j), labels, @() f('euclidean', wrong{j})); %#ok<AGROW>
end
end

% ---- unusual, but right ----------------------------------------------------------------------------------------------

function t = accepted_calls()
t = [good('X a diagonal matrix', @() same_graph(eye(5), [1 0 0 0 0; 0 1 0 0 0; 0 0 1 0 0; 0 0 0 1 0; 0 0 0 0 1])), ...
     good('X a range', @() same_graph((1:9)', [1 2 3 4 5 6 7 8 9]')), ...
     good('option names in any case', @() any_case()), ...
     good('every small TileSize', @() tile_sizes()), ...
     good('one output is sparse', @() either(issparse(knngraph(sample(), 2)), 'full')), ...
     good('metafeatures and their names', @() all_pairs()), ...
     good('an order of rows', @() an_order()), ...
     good('clusters of a graph', @() clusters()), ...
     good('no output', @() no_output())];
end

function problem = clusters()
problem = '';
if knng.internal.with_igraph()             % under the sanitizers too
  A = sparse([2 3 1 5 6 4], [1 2 3 4 5 6], 1, 6, 6);
  XY = knng.internal.layout(A, 'drl', 1);
  problem = either(isequal(knng.leiden(A + A'), [1 1 1 2 2 2]') && isequal(knng.louvain(A + A'), [1 1 1 2 2 2]') && ...
                   all(isfinite(XY(:))), 'other clusters than the two triangles');
end
end

function problem = an_order()
problem = '';
for n = [0:5, 33, 200]
  x = mod((1:n)' * 0.618, 1);
  p = knng.internal.leaforder(abs(bsxfun(@minus, x, x')));
  if ~(issorted(x(p)) || issorted(-x(p)))
    problem = sprintf('%d points of a line are not in order', n);
  end
end
end

function problem = all_pairs()
problem = '';
for n = [1 2 3 90 93]
  X = tan((1:n)' * (1:3));
  [Z, names, pairs] = knng.metafeatures(X);
  i = pairs(end, 1);
  j = max(pairs(end, 2), 1);
  if size(Z, 1) ~= n + 2 * n * (n - 1) || numel(names) ~= size(Z, 1) || size(pairs, 1) ~= size(Z, 1) || ...
     (n > 1 && (~same_bits(Z(end, :), X(i, :) ./ X(j, :)) || ~strcmp(names{end}, sprintf('%d/%d', i, j))))
    problem = sprintf('not all pairs of %d rows', n);
  end
end
end

function problem = same_graph(X, Z)
[i, d] = knngraph(X, 3);
[j, e] = knngraph(Z, 3);
problem = either(same_bits(i, j) && same_bits(d, e), 'another graph');
end

function problem = any_case()
[i, d] = knngraph(sample(), 3, 'euclidean', 'tilesize', 16, 'THREADS', 1);
[j, e] = knngraph(sample(), 3);
problem = either(same_bits(i, j) && same_bits(d, e), 'another graph');
end

function problem = tile_sizes()
problem = '';
[j, e] = knngraph(sample(), 3);
for t = [1:33, 47:49, 1e3, 1e6]
  [i, d] = knngraph(sample(), 3, 'euclidean', 'TileSize', t);
  if ~same_bits(i, j) || ~same_bits(d, e)
    problem = sprintf('another graph with TileSize %d', t);
  end
end
end

function problem = no_output()
knngraph(sample(), 2);
problem = '';
end

% ---- warnings --------------------------------------------------------------------------------------------------------

function t = warning_calls()
X = sample();
holes = X;
holes([2 7 30], 2) = NaN;
holes(9, 1) = -Inf;
constant = X;
constant([4 11 12 13 40], :) = 0.1;
zero = X;
zero([3 8], :) = 0;
both = constant;
both(1, 1) = NaN;
rows = 'knng:data:nonFinite';
flat = 'knng:data:constant';
t = [good('no warning', @() warns({}, {}, @() knngraph(X, 2))), ...
     good('warning: NaN and Inf', @() warns({rows}, {'\<4 of 40 rows \(10 %\) .*knng\.impute '}, @() knngraph(holes, 2))), ...
     good('warning: NaN, two outputs', @() warns({rows}, {'\<4\>'}, @() two_outputs(holes, 2, 'pearson'))), ...
     good('warning: constant rows', @() warns({flat}, {'\<5\>'}, @() knngraph(constant, 2, 'pearson'))), ...
     good('warning: constant ranks', @() warns({flat}, {'\<5\>'}, @() knngraph(constant, 2, 'spearman'))), ...
     good('warning: zero rows', @() warns({flat}, {'\<2\>'}, @() knngraph(zero, 2, 'cosine'))), ...
     good('constant rows have euclidean distances', @() warns({}, {}, @() knngraph(constant, 2))), ...
     good('constant rows have cosines', @() warns({}, {}, @() knngraph(constant, 2, 'cosine'))), ...
     good('warning: both', @() warns({rows, flat}, {'\<1\>', '\<5\>'}, @() knngraph(both, 2, 'pearson'))), ...
     good('warning: k is cut', @() warns({'knng:args:kClipped'}, {'40', '39'}, @() knngraph(X, 40))), ...
     good('k = n - 1 is right', @() warns({}, {}, @() knngraph(X, 39))), ...
     good('warning: k is far beyond', @() warns({'knng:args:kClipped'}, {'39'}, @() knngraph(X, 2 ^ 53))), ...
     good('warning: NaN queries', @() warns({rows}, {'\<4 of 80 rows \(5 %\)'}, @() knng.knnsearch(X, holes, 'K', 2))), ...
     good('warnings can be errors', @() as_error(rows, @() knngraph(holes, 2)))];
end

function idx = two_outputs(varargin)
[idx, dist] = knngraph(varargin{:}); %#ok<ASGLU>
end

function problem = warns(ids, texts, f) %#ok<INUSD>
% '' if f() gives exactly the warnings ids, each once, with texts that match.
former = warning();
restore = onCleanup(@() warning(former));
all_ids = {'knng:data:nonFinite', 'knng:data:constant', 'knng:args:kClipped'};
for i = 1:numel(all_ids)
  warning('on', all_ids{i});
end
warnings_in = @(printed) numel(regexpi(printed, 'warning:(?! called from)'));
printed = evalc('ignored = f();');
problem = '';
given = warnings_in(printed);
if given ~= numel(ids)
  problem = sprintf('%d warnings, where there should be %d: %s', given, numel(ids), printed);
end
% each in turn with the others off, for what is printed has no identifier
for i = 1:numel(ids)
  for j = 1:numel(all_ids)
    warning('off', all_ids{j});
  end
  warning('on', ids{i});
  printed = evalc('ignored = f();');
  if warnings_in(printed) ~= 1 || isempty(regexp(printed, texts{i}, 'once'))
    problem = sprintf('with ''%s'' alone it prints: %s', ids{i}, printed);
  end
end
end

function problem = as_error(id, f)
% '' if the warning turned into an error arrives as one and the next call works.
former = warning();
restore = onCleanup(@() warning(former));
warning('error', id); %#ok<CTPCT>
problem = 'no error';
try
  f();
catch err
  problem = either(strcmp(err.identifier, id), ['identifier ' err.identifier]);
end
[idx, dist] = knngraph([0; 1; 3], 1); %#ok<ASGLU>
end

% ---- MaxMemory -------------------------------------------------------------------------------------------------------

function t = memory_calls()
X = mod((1:600)' * (1:37) * 0.6180339887, 1);
t = [good('MaxMemory, euclidean', @() least_memory(X, [], 5, 'euclidean')), ...
     good('MaxMemory, pearson', @() least_memory(X, [], 50, 'pearson')), ...
     good('MaxMemory, spearman of singles', @() least_memory(single(X), [], 5, 'spearman')), ...
     good('MaxMemory, cityblock', @() least_memory(X, [], 5, 'cityblock')), ...
     good('MaxMemory, queries', @() least_memory(X, X(7:200, :), 5, 'cosine'))];
end

function problem = least_memory(X, Y, k, metric)
% '' if a limit of 1000 bytes is refused, the text names a limit that works with the same answer, and a tenth less
% than that is refused as well.
if isempty(Y)
  f = @(varargin) knngraph(X, k, metric, varargin{:});
else
  f = @(varargin) knng.knnsearch(X, Y, 'K', k, 'Distance', metric, varargin{:});
end
[idx, dist] = f();
problem = 'a limit of 1000 bytes is no error';
try
  [i, d] = f('MaxMemory', 1000); %#ok<ASGLU>
  return
catch err
  if ~strcmp(err.identifier, 'knng:args:maxMemory')
    problem = sprintf('identifier ''%s'', text ''%s''', err.identifier, err.message);
    return
  end
end
numbers = sort(str2double(regexp(err.message, '\d+(\.\d+)?([eE][+-]?\d+)?', 'match')));
for least = numbers(numbers > 1000)
  try
    [i, d] = f('MaxMemory', least);
  catch
    continue
  end
  problem = either(same_bits(i, idx) && same_bits(d, dist), 'another answer with the least memory');
  try
    [i, d] = f('MaxMemory', floor(0.9 * least)); %#ok<ASGLU>
    problem = sprintf('%g bytes are named as the least, but a tenth less works', least);
  catch err
    if ~strcmp(err.identifier, 'knng:args:maxMemory')
      problem = sprintf('identifier ''%s'', text ''%s''', err.identifier, err.message);
    end
  end
  return
end
problem = sprintf('no number in ''%s'' is a limit that works', err.message);
end
