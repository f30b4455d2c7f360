function [npass, nfail] = metamorphic(count, seed, first)
%METAMORPHIC  Searches that must agree with each other, to the last bit, by what docs/canonical.md says.
%   [npass, nfail] = metamorphic(count, seed) draws so many cases: one of the relations below, one of its metrics, data
%   (normal, few integers, clusters, far from the origin, rows of many scales, copies, gaps, constant rows; double or
%   single; 2 to 300 rows), k and options. metamorphic(1, seed, n) repeats case n.
%   There is no oracle here, and no tolerance. Where a relation asks for the graph of other rows, its answer is put
%   together from the matrix of all distances, itself made by a search with K = n, sorted by (distance, index); a single
%   X has the neighbours of double(X), and its distances rounded. So ties need no exception.
%   Before the cases, each relation has to see a last bit, an index and an order of ties that are planted in each of the
%   calls it makes. Prints failures, counts, and at last 'N passed, N failed'.

if nargin < 2
  seed = 20120830;
end
if nargin < 3
  first = 1;
end
former = warning();
restore_warnings = onCleanup(@() warning(former));
for id = {'knng:data:nonFinite', 'knng:data:constant', 'knng:args:kClipped'}
  warning('off', id{1});
end
state = rand('twister');
restore_rand = onCleanup(@() rand('twister', state));

[table, untied] = relations();
npass = 0;
nfail = numel(untied);
for name = untied
  fprintf('FAIL %s is tied to no other metric: add a relation to `ties`\n', name{1});
end
planted = 0;
for r = 1:numel(table) * (count > 1)
  [seen, blind] = prove(table(r), seed);
  npass = npass + seen;
  nfail = nfail + numel(blind);
  planted = planted + seen + numel(blind);
  for i = 1:numel(blind)
    fprintf('FAIL ''%s'' does not see %s\n', table(r).name, blind{i});
  end
end

done = zeros(1, numel(table));
started = tic();
for n = first:first + count - 1
  rand('twister', [seed; n]);
  r = ceil(numel(table) * rand());
  c = draw(table(r));
  try
    problem = table(r).holds(searches(c.options, 0, ''), c);
  catch err
    problem = sprintf('error %s: %s', err.identifier, err.message);
  end
  done(r) = done(r) + 1;
  if isempty(problem)
    npass = npass + 1;
  else
    nfail = nfail + 1;
    fprintf('FAIL %s, %s, %s %d-by-%d %s, k %d: %s\n     again: metamorphic (1, %d, %d)\n', table(r).name, c.metric, ...
            class(c.X), size(c.X, 1), size(c.X, 2), c.data, c.k, problem, seed, n);
  end
end
fprintf('%d cases of seed %d: %d to %d of each of %d relations, %d planted faults; %.0f s, %s\n', count, seed, min(done), ...
        max(done), numel(table), planted, toc(started), datestr(now(), 'yyyy-mm-dd'));
fprintf('%d passed, %d failed\n', npass, nfail);
end

% ---- the relations ---------------------------------------------------------------------------------------------------

function [t, untied] = relations()
% name, the metrics, the data it asks for ('any', 'integers'), the columns it asks for ('', 'eights', 'power', 'one'),
% and the function that returns '' or what is wrong. What holds for a metric by itself follows from its preparation and
% its sum; what ties it to another is in `ties`. untied: metrics without a tie.
m = knng.internal.search('metrics');
prepared = @(varargin) {m(ismember({m.prepared}, varargin)).name};
all = {m.name};
either = {m(strcmp({m.sum}, 'either')).name};
differences = {m(strcmp({m.prepared}, 'none') & ismember({m.sum}, {'minus', 'L1', 'Linf'})).name};
t = [relation('the graph is the search among the rows, self left out', all, 'any', '', @from_search), ...
     relation('distances are symmetric', all, 'any', '', @symmetric), ...
     relation('k is a prefix of k + j', all, 'any', '', @prefix), ...
     relation('rows in another order', all, 'any', '', @(p, c) picked(p, c, order(size(c.X, 1)))), ...
     relation('rows twice', all, 'any', '', @(p, c) picked(p, c, [1:size(c.X, 1), order(size(c.X, 1))])), ...
     relation('rows left out', all, 'any', '', @(p, c) picked(p, c, sort(order(size(c.X, 1))(1:ceil(end / 2))))), ...
     relation('rows without distances between', all, 'any', '', @gaps), ...
     relation('queries on their own', all, 'any', '', @queries), ...
     relation('references in parts', all, 'any', '', @parts), ...
     relation('scaled by a power of two', all, 'any', '', @(p, c) scaled(p, c, m(strcmp(all, c.metric)))), ...
     relation('each row scaled by its own power of two', prepared('unit', 'centred', 'ranked'), 'any', '', @rows_scaled), ...
     relation('rows of either sign', either, 'any', '', @rows_negated), ...
     relation('negated', all, 'any', '', @(p, c) same_graphs(p, c.X, -c.X, c, c.metric)), ...
     relation('columns negated', prepared('none', 'unit'), 'any', '', @columns_negated), ...
     relation('columns of zeros', prepared('none', 'unit'), 'any', '', @zero_columns), ...
     relation('columns that are the same in all rows', differences, 'any', '', @constant_columns), ...
     relation('columns in an order that the sum does not see', all, 'any', 'eights', @lanes), ...
     relation('integers: columns in any order', prepared('none'), 'integers', '', @columns_ordered), ...
     relation('integers: moved by whole numbers', differences, 'integers', '', @moved), ...
     relation('integers: each row moved and scaled', prepared('centred'), 'integers', 'power', @rows_moved), ...
     relation('ranks alone count', prepared('ranked'), 'any', '', @monotone)];
ties = [relation('integers: cosine is pearson where the mean is 0', {'cosine', 'pearson'}, 'integers', '', @cosine_pearson), ...
        relation('spearman is pearson of the ranks', {'spearman'}, 'any', '', @ranked_rows), ...
        relation('antipearson is pearson of the negated', {'antipearson'}, 'any', '', @anti), ...
        relation('abspearson is the nearer of both', {'abspearson'}, 'any', '', @nearer), ...
        relation('euclidean is the root of sqeuclidean', {'euclidean', 'sqeuclidean'}, 'any', '', @root), ...
        relation('one column: the lengths agree', {'cityblock', 'chebychev'}, 'any', 'one', @one_column)];
t = [t, ties];
untied = setdiff(all, [ties.metrics]);
end

function r = relation(name, metrics, data, columns, holds)
r = struct('name', name, 'metrics', {metrics}, 'data', data, 'columns', columns, 'holds', holds);
end

function problem = from_search(p, c)
problem = expect(p, c.X, c, all_distances(p, c.X, c.X, c.metric));
end

function problem = symmetric(p, c)
M = all_distances(p, c.X, c.X, c.metric);
problem = either(same_bits(M, M'), 'they are not');
end

function problem = prefix(p, c)
[i, d] = p.graph(c.X, c.k, c.metric);
[j, e] = p.graph(c.X, c.k + ceil(9 * rand()), c.metric);
problem = compare(i, d, j(:, 1:size(i, 2)), e(:, 1:size(d, 2)));
end

function problem = picked(p, c, pick)
% Whatever rows there are, the distance of two of them is theirs alone.
M = all_distances(p, c.X, c.X, c.metric);
problem = expect(p, c.X(pick, :), c, M(pick, pick));
end

function problem = gaps(p, c)
% Rows with NaN or Inf among the others change nothing but indices.
M = all_distances(p, c.X, c.X, c.metric);
n = size(M, 1);
at = sort(order(n + 3)(1:n));
X = cast(rand(n + 3, size(c.X, 2)), class(c.X));
X(:, ceil(end * rand())) = one({NaN, Inf, -Inf});
X(at, :) = c.X;
N = NaN(n + 3);
N(at, at) = M;
problem = expect(p, X, c, N);
end

function problem = queries(p, c)
% Each query's answer is its own: all at once, and some of them.
pick = order(size(c.Y, 1))(1:ceil(end / 2));
[i, d] = p.search(c.X, c.Y, c.k, c.metric);
[j, e] = p.search(c.X, c.Y(pick, :), c.k, c.metric);
problem = compare(j, e, i(pick, :), d(pick, :));
if isempty(problem)
  [j, e] = sorted(all_distances(p, c.X, c.Y, c.metric), c.k, false);
  problem = compare(i, d, j, cast(e, class(d)));
end
end

function problem = parts(p, c)
h = ceil((size(c.X, 1) - 1) * rand());
M = [all_distances(p, c.X(1:h, :), c.Y, c.metric), all_distances(p, c.X(h + 1:end, :), c.Y, c.metric)];
[i, d] = p.search(c.X, c.Y, c.k, c.metric);
[j, e] = sorted(M, c.k, false);
problem = compare(i, d, j, cast(e, class(d)));
end

function problem = scaled(p, c, metric)
% Exact while nothing overflows or underflows, which these numbers do not; single distances may, and are rounded last.
e = floor(121 * rand()) - 60;
M = all_distances(p, c.X, c.X, c.metric);
if strcmp(metric.prepared, 'none')
  power = 2 - any(strcmp(metric.sum, {'L1', 'Linf'}));       % the others are sums of squares
  M = M * 2 ^ (e * power / (1 + strcmp(metric.map, 'square root')));
end
problem = expect(p, c.X * 2 ^ e, c, M);
end

function problem = rows_scaled(p, c)
factors = 2 .^ (floor(61 * rand(size(c.X, 1), 1)) - 30);
problem = same_graphs(p, c.X, bsxfun(@times, c.X, factors), c, c.metric);
end

function problem = rows_negated(p, c)
signs = 1 - 2 * (rand(size(c.X, 1), 1) < 0.5);
problem = same_graphs(p, c.X, bsxfun(@times, c.X, signs), c, c.metric);
end

function problem = columns_negated(p, c)
signs = 1 - 2 * (rand(1, size(c.X, 2)) < 0.5);
problem = same_graphs(p, c.X, bsxfun(@times, c.X, signs), c, c.metric);
end

function problem = zero_columns(p, c)
% Behind the others any number, since a lane never holds -0; before them, or between, by the eight, so that every term
% stays in its lane. (The correlations have another mean then, and are not the same.)
n = size(c.X, 1);
at = 8 * floor(rand() * (1 + size(c.X, 2) / 8));
at = min(at, size(c.X, 2));
Z = [c.X(:, 1:at), zeros(n, 8 * floor(3 * rand())), c.X(:, at + 1:end), zeros(n, ceil(20 * rand()))];
problem = same_graphs(p, c.X, Z, c, c.metric);
end

function problem = constant_columns(p, c)
% Their difference is 0.
row = cast(100 * rand(1, ceil(20 * rand())), class(c.X));
problem = same_graphs(p, c.X, [c.X, repmat(row, size(c.X, 1), 1)], c, c.metric);
end

function problem = lanes(p, c)
% The sum is ((a0 + a4) + (a2 + a6)) + ((a1 + a5) + (a3 + a7)): whatever is swapped at a sign + gives the same sum.
tree = swap(swap(swap(0, 4), swap(2, 6)), swap(swap(1, 5), swap(3, 7)));
to([0 4 2 6 1 5 3 7] + 1) = tree + 1;
columns = bsxfun(@plus, to', 8 * (0:size(c.X, 2) / 8 - 1));
problem = same_graphs(p, c.X, c.X(:, columns(:)), c, c.metric);
end

function ab = swap(a, b)
ab = [a, b];
if rand() < 0.5
  ab = [b, a];
end
end

function problem = columns_ordered(p, c)
% Sums of small integers are exact.
problem = same_graphs(p, c.X, c.X(:, order(size(c.X, 2))), c, c.metric);
end

function problem = moved(p, c)
% Differences stay what they are.
far = 2 ^ floor((20 + 25 * isa(c.X, 'double')) * rand());
row = cast(round(far * (2 * rand(1, size(c.X, 2)) - 1)), class(c.X));
problem = same_graphs(p, c.X, bsxfun(@plus, c.X, row), c, c.metric);
end

function problem = rows_moved(p, c)
% With 2^j columns the mean, what is left without it and its square sum are exact.
n = size(c.X, 1);
X = bsxfun(@plus, c.X, round(200 * rand(n, 1) - 100));
X = bsxfun(@times, X, 2 .^ round(20 * rand(n, 1) - 10));
problem = same_graphs(p, c.X, X, c, c.metric);
end

function problem = cosine_pearson(p, c)
c.X = [c.X, -c.X];
[i, d] = p.graph(c.X, c.k, 'cosine');
[j, e] = p.graph(c.X, c.k, 'pearson');
problem = compare(i, d, j, e);
end

function problem = ranked_rows(p, c)
R = double(c.X);
for i = find(all(isfinite(R), 2))'
  [x, at] = sort(R(i, :));
  group = cumsum([1, diff(x) ~= 0]);
  means = accumarray(group', 1:numel(x))' ./ accumarray(group', 1)';
  R(i, at) = means(group);
end
[i, d] = p.graph(double(c.X), c.k, 'spearman');
[j, e] = p.graph(R, c.k, 'pearson');
problem = compare(i, d, j, e);
end

function problem = monotone(p, c)
% The place of a value among the different values of its row, and any steps between them.
Z = c.X;
for i = find(all(isfinite(Z), 2))'
  [~, ~, place] = unique(Z(i, :));
  steps = cumsum(ceil(9 * rand(1, size(Z, 2))));
  Z(i, :) = steps(place) - 20;
end
problem = same_graphs(p, c.X, Z, c, c.metric);
end

function problem = anti(p, c)
[i, d] = p.search(c.X, c.Y, c.k, 'antipearson');
[j, e] = p.search(c.X, -c.Y, c.k, 'pearson');
problem = compare(i, d, j, e);
end

function problem = nearer(p, c)
M = min(all_distances(p, c.X, c.X, 'pearson'), all_distances(p, c.X, c.X, 'antipearson'));
problem = expect(p, c.X, c, M);
end

function problem = root(p, c)
% The order is taken after the root, which merges neighbouring doubles.
c.metric = 'euclidean';
problem = expect(p, c.X, c, sqrt(all_distances(p, c.X, c.X, 'sqeuclidean')));
end

function problem = one_column(p, c)
[i, d] = p.graph(c.X, c.k, c.metric);
[j, e] = p.graph(c.X, c.k, 'euclidean');
problem = compare(i, d, j, e);
end

% ---- what relations are made of --------------------------------------------------------------------------------------

function M = all_distances(p, X, Y, metric)
% M(i,j) is the distance of row i of Y and row j of X, or NaN. The search that finds it is sorted as it should be.
n = size(X, 1);
[idx, dist] = p.search(double(X), double(Y), n, metric);
M = NaN(size(idx));
[i, c] = find(idx);
at = sub2ind(size(idx), i(:), c(:));
M(sub2ind(size(M), i(:), reshape(idx(at), [], 1))) = dist(at);
[j, e] = sorted(M, n, false);
problem = compare(idx, dist, j, e);
if ~isempty(problem)
  error('metamorphic:order', 'a search is not in the order of its distances: %s', problem);
end
end

function [idx, dist] = sorted(M, k, graph)
% The k nearest by (distance, index) of each row of M; in a graph without itself. Octave's sort is stable, NaN last.
n = size(M, 2);
if graph
  M(1:n + 1:end) = NaN;
end
[dist, idx] = sort(M, 2);
idx(isnan(dist)) = 0;
k = min(k, n - graph);
idx = idx(:, 1:k);
dist = dist(:, 1:k);
end

function problem = expect(p, X, c, M)
% The graph of X is what the distances M make.
[i, d] = p.graph(X, c.k, c.metric);
[j, e] = sorted(M, c.k, true);
problem = compare(i, d, j, cast(e, class(X)));
end

function problem = same_graphs(p, X, Z, c, metric)
[i, d] = p.graph(X, c.k, metric);
[j, e] = p.graph(Z, c.k, metric);
problem = compare(j, e, i, d);
end

function problem = compare(i, d, j, e)
% '' if both are the same to the bit.
problem = '';
if ~isequal(size(i), size(j)) || ~strcmp(class(d), class(e))
  problem = sprintf('%d-by-%d %s, where there should be %d-by-%d %s', size(i), class(d), size(j), class(e));
elseif ~isequal(i, j)
  [r, c] = find(i ~= j, 1);
  problem = sprintf('row %d, neighbour %d is %d at %.17g, where %d at %.17g should be', r, c, i(r, c), d(r, c), j(r, c), ...
                    e(r, c));
elseif ~same_bits(d, e)
  [r, c] = find(~(d == e | (isnan(d) & isnan(e))), 1);
  problem = sprintf('row %d, neighbour %d is at %.17g, where %.17g should be', r, c, d(r, c), e(r, c));
end
end

function same = same_bits(a, b)
same = isequal(typecast(a(:), 'uint8'), typecast(b(:), 'uint8'));
end

function s = either(ok, problem)
s = '';
if ~ok
  s = problem;
end
end

% ---- drawing a case --------------------------------------------------------------------------------------------------

function x = one(list)
x = list{ceil(numel(list) * rand())};
end

function p = order(n)
[~, p] = sort(rand(1, n));
end

function X = normal(n, d)
X = sqrt(-2 * log(1 - rand(n, d))) .* cos(2 * pi * rand(n, d));
end

function c = draw(r)
n = round(2 * 150 ^ rand());
m = ceil(40 * rand());
d = ceil(60 ^ rand());
switch r.columns
  case 'eights'
    d = 8 * ceil(d / 12);
  case 'power'
    d = 2 ^ ceil(6 * rand());
  case 'one'
    d = 1;
end
c.metric = one(r.metrics);
c.data = one({'normal', 'integers', 'bits', 'clusters', 'far', 'scales', 'copies', 'gaps', 'constant'});
if strcmp(r.data, 'integers')
  c.data = one({'integers', 'bits'});
end
X = make(c.data, n + m, d);
if rand() < 0.25
  X = single(X);
end
c.X = X(1:n, :);
c.Y = X(n + 1:end, :);
c.k = ceil(min(n, 30) * rand());
c.options = {};
if rand() < 0.7
  c.options = {'TileSize', one({16, 32, 48, 64, 256}), 'Threads', ceil(2 * rand()), 'Target', one({'auto', 'plain', 'blas'}), 'Prune', one({'on', 'off', 'auto'})};
end
end

function X = make(data, n, d)
% Numbers between 1e-9 and 1e13 or so, that scaling by 2^60 keeps in range.
X = normal(n, d);
switch data
  case 'integers'
    X = floor(8 * rand(n, d)) - 3;
  case 'bits'
    X = double(rand(n, d) < 0.5);
  case 'clusters'
    X = 1e3 * X(ceil(n ^ 0.5 * rand(n, 1)), :) + X;
  case 'far'
    X = one({1e5, 1e8, 1e12}) + X;
  case 'scales'
    X = bsxfun(@times, X, 10 .^ (8 * rand(n, 1) - 4));
  case 'copies'
    X = X(ceil(n / 3 * rand(n, 1)), :);
  case 'gaps'
    X(rand(n, d) < 0.3 / d) = one({NaN, Inf, -Inf});
  case 'constant'
    X(rand(n, 1) < 0.2, :) = one({0, 0.1, -3});
end
end

% ---- the searches, and faults in them --------------------------------------------------------------------------------

function p = searches(options, at, fault)
% p.graph and p.search; call number `at` of them returns a fault.
calls = tally();
p.graph = @(X, k, metric) spoiled(calls(), at, fault, @() knngraph(X, k, metric, options{:}));
p.search = @(X, Y, k, metric) spoiled(calls(), at, fault, @() knng.knnsearch(X, Y, 'K', k, 'Distance', metric, options{:}));
p.calls = calls;
end

function next = tally()
% A counter: next() is 1, 2, 3 ...
box = containers.Map('KeyType', 'double', 'ValueType', 'double');
box(0) = 0;
next = @() count_in(box);
end

function n = count_in(box)
n = box(0) + 1;
box(0) = n;
end

function [idx, dist] = spoiled(call, at, fault, f)
[idx, dist] = f();
if call ~= at
  return
end
there = idx(:, 1) > 0;
switch fault
  case 'a last bit'
    dist(there, 1) = dist(there, 1) .* (1 + eps(class(dist))) + (dist(there, 1) == 0) * realmin(class(dist));
  case 'another index'
    idx(there, 1) = 1 + mod(idx(there, 1), max(idx(:)));
  case 'ties in another order'
    tied = there & dist(:, 1) == dist(:, 2);
    idx(tied, 1:2) = idx(tied, [2 1]);
end
end

function [seen, blind] = prove(r, seed)
% Plants each fault in each call that the relation makes.
seen = 0;
blind = {};
for fault = {'a last bit', 'another index', 'ties in another order'}
  call = 0;
  calls = 1;
  while call < calls
    call = call + 1;
    rand('twister', seed);
    c = draw(r);
    d = size(c.X, 2);
    X = [1:d; d:-1:1; mod(2 * (1:d), d + 1)](1 + mod(0:23, 3), :);      % ties, and no row without distances
    c.X = X(1:14, :);
    c.Y = X(15:24, :);
    c.k = 4;
    p = searches({}, call, fault{1});
    problem = '';
    try
      problem = r.holds(p, c);
    catch err
      problem = err.message;
    end
    calls = max(calls, p.calls() - 1);
    if isempty(problem)
      blind{end + 1} = sprintf('%s in call %d', fault{1}, call); %#ok<AGROW>
    else
      seen = seen + 1;
    end
  end
end
end
