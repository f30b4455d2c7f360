function nfail = test_hdbscan ()
%TEST_HDBSCAN  knng.hdbscan: the lengths of its tree are those of all pairs, by Prim's algorithm on a full matrix; its clusters
%  are the same for rows in another order; and what the Python package hdbscan says of data without equal lengths.

checks = {'tree', @tree; 'ways', @ways; 'other order', @other_order; 'equal choices', @equal_choices; 'underflow', @underflow; 'groups far apart', @far_apart; 'reference', @reference};
nfail = run_checks (checks);
end

function tree ()
warning ('off', 'knng:data:nonFinite', 'local');
warning ('off', 'knng:data:constant', 'local');
names = metric_names ();
for s = 1:3 * numel (names)
  n = 2 + mod (s * 37, 71);
  d = [1 3 7](1 + mod (s, 3));
  X = reshape (knng.internal.random (s, n * d), n, d);
  switch (mod (s, 4))
    case 0, X = floor (4 * X);                               # ties, equal rows
    case 1, X = X + 30 * floor (4 * X(:, 1));                # groups
    case 2, X = X .* 10 .^ (3 * floor (3 * X(:, 1)));        # of other densities
    case 3, X(1 + mod (s, n), 1) = NaN;
  end
  metric = names{1 + mod (s, numel (names))};
  m = 1 + mod (s, 6);
  [~, ~, ~, t] = knng.hdbscan (X, 3, 'MinSamples', m, 'Distance', metric, 'Threads', 1 + mod (s, 2));
  [core, lengths] = of_all_pairs (X, metric, m);
  assert (t.core, core);
  assert (t.edges(:, 3), lengths);
end
end

function ways ()
% By boxes and by searches of all pairs the tree is the same, edge by edge, that of Kruskal's algorithm in the order of
% (length, i, j): with core distances and without.
names = metric_names ();
for s = 1:4 * numel (names)
  n = 30 + mod (s * 37, 41);
  X = reshape (knng.internal.random (s, n * 4), n, 4);
  switch (mod (s, 4))
    case 0, X = floor (3 * X);                               # ties, equal rows
    case 1, X = X + 30 * floor (4 * X(:, 1));                # groups
    case 2, X = round (2 * X) + 100 * floor (3 * X(:, 1));   # both
    case 3, X = X(1 + mod ((1:n)', 8), :);                   # copies, more of each than lists have
  end
  [metric, m] = deal (names{ceil (s / 4)}, mod (s, 5));      # with each kind
  E = kruskal (X, metric, m);
  for way = {{'Prune', 'on', 'TileSize', 8}, {'Prune', 'off'}, {}}
    [i, j, d] = knng.internal.all_pairs (X, metric, 1, way{1}, m);
    assert (sortrows ([d, i, j]), E);
  end
end
end

function T = kruskal (X, metric, m)
n = rows (X);
[idx, dist] = knngraph (X, n - 1, metric);
[r, ~] = find (idx > 0);
[to, d] = deal (idx(idx > 0), dist(idx > 0));
if (m > 0)
  core = Inf (n, 1);
  there = idx(:, 1) > 0;
  core(there) = dist(there, min (m, sum (there) - 1));
  d = max ([d, core(r), core(to)], [], 2);
end
E = sortrows ([d .* (d > realmin), r, to](r < to, :));
part = 1:n;
keep = false (rows (E), 1);
for e = 1:rows (E)
  keep(e) = part(E(e, 2)) != part(E(e, 3));
  part(part == part(E(e, 3))) = part(E(e, 2));
end
T = E(keep, :);
end

function [core, lengths] = of_all_pairs (X, metric, m)
n = rows (X);
[idx, dist] = knngraph (X, n - 1, metric);
there = find (idx(:, 1) > 0);
core = Inf (n, 1);
lengths = zeros (0, 1);
if (numel (there) < 2)
  return
end
core(there) = dist(there, min (m, numel (there) - 1));
W = Inf (n);
[r, ~] = find (idx > 0);
W(sub2ind ([n n], r, idx(idx > 0))) = dist(idx > 0);
W = max (max (W, core), core')(there, there);
in = (1:numel (there))' == 1;
best = W(:, 1);
for e = 2:numel (there)
  best(in) = Inf;
  out = find (! in);
  [lengths(end + 1, 1), at] = min (best(out));
  in(out(at)) = true;
  best = min (best, W(:, out(at)));
end
lengths = sort (lengths);
end

function other_order ()
% Of integers: most lengths are equal. Clusters, probabilities and scores stay with their rows.
X = round ([8 + 3 * normal(1, 300, 2); 30 + 5 * normal(2, 200, 2); 40 * reshape(knng.internal.random (3, 80), 40, 2)]);
[~, order] = sort (knng.internal.random (4, rows (X)));
for method = {'eom', 'leaf'}
  [l, p, s] = knng.hdbscan (X, 8, 'ClusterSelectionMethod', method{1});
  [l2, p2, s2] = knng.hdbscan (X(order, :), 8, 'ClusterSelectionMethod', method{1}, 'Threads', 1);
  assert (p2, p(order));
  assert (s2, s(order));
  assert (max (l) > 1);
  assert (size (unique ([l(order), l2], 'rows'), 1), numel (unique (l)));
  assert ((l2 < 0), l(order) < 0);
end
end

function equal_choices ()
% Two ways to choose clusters are equally good, as whole numbers have it: the larger clusters, in any order of the rows.
X = cumsum ([0 50 50 50 75 75 75 75, 90, 50 50 50 75 75 75 75, 180, 10 10 10 10 10])';
for s = 1:40
  [~, order] = sort (knng.internal.random (s, rows (X)));
  assert (max (knng.hdbscan (X(order), 4, 'MinSamples', 1)), 2);
end
end

function underflow ()
% Distances that underflow to 0 are no holes in a sparse matrix.
X = [(0:7)' * 1e-170; 2e-162 + (0:7)' * 1e-176; 1e-162 + (0:7)' * 1e-170];
[~, ~, ~, t] = knng.hdbscan (X, 2, 'MinSamples', 1);
assert (t.edges(:, 3), zeros (23, 1));
end

function x = normal (seed, n, d)
u = reshape (knng.internal.random (seed, 12 * n * d), n, d, 12);
x = sum (u, 3) - 6;
end

function far_apart ()
% No list leaves its group: parts are searched outside, small ones together and large ones each, one inside of another.
sizes = [3 15 60 150 300];
X = zeros (0, 2);
for g = 1:numel (sizes)
  X = [X; 1000 * g ^ 2 + normal(g, sizes(g), 2)]; %#ok<AGROW>
end
[l, ~, ~, t] = knng.hdbscan (X, 10, 'MinSamples', 4);
[core, lengths] = of_all_pairs (X, 'euclidean', 4);
assert (t.core, core);
assert (t.edges(:, 3), lengths);
assert (accumarray (l, 1)', [18 60 150 300]);                # three rows are no cluster: they fall out of the next one
end

function reference ()
% hdbscan 0.8.44, HDBSCAN (min_cluster_size=8, min_samples=4, algorithm='prims_kdtree', approx_min_span_tree=False), of these numbers.
X = [mod((1:40)' * 0.7548776662, 1), mod((1:40)' * 0.5698402910, 1); 2 + mod((1:25)' * [0.8191725134 0.6710436067], 1) / 2; ...
     4 * mod((1:15)' * [0.6180339887 0.4142135624], 1); 9 9; -5 9];
[l, p, s] = knng.hdbscan (X, 8, 'MinSamples', 4);
labels = [1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 ...
     2 2 2 2 2 2 2 2 2 2 2 2 2 2 1 2 2 2 2 1 2 2 1 2 1 -1 -1]';
probability = [1 1 1 0.614806 1 1 0.802246 0.634456 0.708782 1 1 0.708782 1 0.634456 1 0.614806 1 1 1 1 0.634456 1 0.967521 1 ...
     0.708782 1 1 0.708782 0.981108 0.708782 1 1 0.968858 1 0.708782 1 0.5 1 1 1 1 1 1 1 0.81813 0.744488 1 1 ...
     0.963172 0.963172 0.758411 0.81813 1 0.81813 0.81813 0.772229 0.81813 1 1 1 1 0.744488 1 1 1 0.337919 0.104038 ...
     0.111466 0.374607 0.967521 0.309341 0.121698 0.104038 0.264162 1 0.183766 0.121698 0.244047 0.160803 0.559593 ...
     0 0]';
score = [0 0 0 0.385194 0 0 0.197754 0.365544 0.291218 0 0 0.291218 0 0.365544 0 0.385194 0 0 0 0 0.365544 0 0.0324789 ...
     0 0.291218 0 0 0.291218 0.0188922 0.291218 0 0 0.0311419 0 0.291218 0 0.5 0 0 0 0 0 0 0 0.18187 0.255512 0 0 ...
     0.036828 0.036828 0.241589 0.18187 0 0.18187 0.18187 0.227771 0.18187 0 0 0 0 0.255512 0 0 0 0.662081 0.895962 ...
     0.888534 0.625393 0.0324789 0.690659 0.878302 0.895962 0.735838 0 0.816234 0.878302 0.755953 0.839197 0.440407 ...
     0.984373 0.984318]';
assert (l, labels);
assert (p, probability, 1e-5);
assert (s, score, 1e-5);
end
