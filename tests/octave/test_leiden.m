function nfail = test_leiden ()
%TEST_LEIDEN  Communities of graphs whose best partitions are known, and their quality pair by pair; weights of any
%   size, wrong options. knng.louvain goes with it, and is all that there is to test without igraph.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@louvain_alone, @() half_a_matrix(@knng.louvain)};
if (knng.internal.with_igraph ())
  checks = [checks, {@best_known, @planted_groups, @without_edges, @connected_parts, @weights_of_any_size, ...
                     @wrong_options, @() half_a_matrix(@knng.leiden), @louvain_of_igraph}];
end
nfail = run_checks (checks);
end

function best_known ()
% The best partition that is known, and what quality is.
K = karate ();
[~, once] = knng.leiden (K, 'Seed', 4, 'Iterations', 1);
[~, q] = knng.leiden (K, 'Seed', 4, 'Iterations', Inf);
assert (q > once);
[c, q] = knng.leiden (K);
assert (q, 0.4197896, 1e-7);
assert (accumarray (c, 1)', [12 11 6 5]);
assert (c([1 34 7 25])', [2 1 4 3]);
assert (isequal (knng.leiden (logical (K)), c) && isequal (knng.leiden (2 * K + 5 * speye (34)), c));
assert (isequal (knng.leiden (triu (K), 'Weight', 'given'), c));
W = K .* (1 + sparse (mod ((1:34)' + (1:34), 5)));
for g = [0.3 1 2.5]
  for objective = {'modularity', 'cpm'}
    [c, q] = knng.leiden (W, 'Resolution', g, 'Objective', objective{1}, 'Seed', 7, 'Iterations', Inf, 'Beta', 0.05);
    assert (q, plain_quality (W, c, g, strcmp (objective{1}, 'modularity')), 1e-12);
  end
end
end

function louvain_alone ()
% The same of knng.louvain: most seeds find the best partition.
K = karate ();
W = K .* (1 + sparse (mod ((1:34)' + (1:34), 5)));
for seed = 1:10
  [c, q(seed)] = knng.louvain (K, 'Seed', seed);
  [again, r] = knng.louvain (logical (K), 'Seed', seed);
  assert (isequal (again, c) && isequal (r, q(seed)));
end
assert (sum (abs (q - 0.4197896) < 1e-7) >= 8);
assert (min (q) > 0.39);
for g = [0.3 1 2.5]
  [c, q] = knng.louvain (W, 'Resolution', g, 'Seed', 7);
  assert (q, plain_quality (W, c, g, true), 1e-12);
end
[W, truth] = planted (3000, 12, 16, 4, 1);
before = rand ('twister');
for seed = 1:3
  c = knng.louvain (W, 'Seed', seed);
  assert (knng.internal.adjusted_rand (c, truth) > 0.99);
  assert (issorted (-accumarray (c, 1)));
end
assert (rand ('twister'), before);
A = sparse ([2 3 1 5 6 4], [1 2 3 4 5 6], 1, 8, 8);
A = A + A';
A(1, 4) = A(4, 1) = realmin;
assert (knng.louvain (A), [1 1 1 2 2 2 3 4]');
assert (knng.louvain (A, 'Resolution', 0), [1 1 1 2 2 2 3 4]');
[c, q] = knng.louvain (sparse (3, 3));
assert (c, (1:3)');
assert (isnan (q));
[c, q] = knng.louvain (sparse (0, 0));
assert (size (c), [0 1]);
for v = {-A, NaN * A, Inf * A}
  try, knng.louvain (v{1}, 'Weight', 'given'); id = 'none'; catch e, id = e.identifier; end
  assert (id, 'knng:args:weight');
end
A = [1, 2; 2, 1];
bad = {'Resolution', {-1, NaN, Inf, 'x', [1 2], {1}}; 'Seed', {-1, 0.5, 2 ^ 31, 'x', @sin}; 'Weight', {'x', 5}};
for i = 1:rows (bad)
  for v = bad{i, 2}
    try, knng.louvain (sparse (A), bad{i, 1}, v{1}); id = 'none'; catch e, id = e.identifier; end
    assert (id, 'knng:args:option');
  end
end
end

function louvain_of_igraph ()
% No worse than igraph's, by the mean and the best of some seeds.
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
W = knng.adjacency (knngraph (ds.X(1:1000, :), 10, 'pearson'), 'Weight', 'jaccard', 'Symmetrize', 'union');
for seed = 1:5
  [~, q(seed)] = knng.louvain (W, 'Weight', 'given', 'Seed', seed);
  [~, r(seed)] = knng.internal.igraph ('louvain', W, seed, 1);
end
assert (mean (q) >= mean (r) && max (q) >= max (r));
end

function planted_groups ()
% Planted groups are found, by every seed; the same seed gives the same.
[W, truth] = planted (3000, 12, 16, 4, 1);
before = rand ('twister');
for seed = 1:3
  [c, q] = knng.leiden (W, 'Seed', seed);
  assert (knng.internal.adjusted_rand (c, truth) > 0.99);
  assert (issorted (-accumarray (c, 1)));
  [again, r] = knng.leiden (W, 'Seed', seed);
  assert (isequal (again, c) && isequal (r, q));
end
assert (rand ('twister'), before);
end

function without_edges ()
% Points without edges; nothing at all; weights of 0.
A = sparse ([2 3 1 5 6 4], [1 2 3 4 5 6], 1, 8, 8);
assert (knng.leiden (A + A'), [1 1 1 2 2 2 3 4]');
[c, q] = knng.leiden (sparse (3, 3));
assert (c, (1:3)');
[c, q] = knng.leiden (sparse (0, 0));
assert (size (c), [0 1]);
A = A + A';
A(1, 4) = A(4, 1) = realmin;
assert (knng.leiden (A, 'Resolution', 0), [1 1 1 2 2 2 3 4]');
end

function connected_parts ()
% Igraph's connected parts are the parts that resolution 0 leaves.
[W, ~] = planted (500, 1, 2, 0, 3);
c = knng.internal.igraph ('components', W, 1);
assert (max (c) > 20);
assert (knng.internal.adjusted_rand (c, knng.leiden (W, 'Resolution', 0, 'Iterations', Inf)), 1);
end

function weights_of_any_size ()
% Weights of any size.
A = kron (eye (3), ones (5));
A(1, 6) = A(6, 11) = A(11, 1) = 0.1;
A = sparse (max (A, A') - eye (15));
want = kron ([1 2 3]', ones (5, 1));
for s = [1e-300 1e-200 1e-100 1 1e100 1e200 1e300]
  [c, q(1)] = knng.leiden (s * A, 'Weight', 'given');
  assert (c, want);
  [c, q(2)] = knng.leiden (s * A, 'Weight', 'given', 'Objective', 'CPM', 'Resolution', 0.3 * s);
  assert (c, want);
  [c, q(3)] = knng.louvain (s * A, 'Weight', 'given');
  assert (c, want);
  assert (q, [3 * (20 / 60.6 - (20.2 / 60.6) ^ 2), (60 - 0.3 * 75) / 60.6, q(1)], 1e-9);
end
end

function wrong_options ()
% Wrong options, before anything is computed.
A = sparse ([2 1], [1 2], 1);
bad = {'Resolution', {-1, NaN, Inf, 'x', [1 2], {1}}; 'Iterations', {0, 1.5, NaN, 'x'}; 'Beta', {-1, Inf, 'x', []}; ...
       'Seed', {-1, 0.5, 2 ^ 31, 'x', @sin}; 'Objective', {'x', 5, '', {'CPM'}}; 'Weight', {'x', 5}};
for i = 1:rows (bad)
  for v = bad{i, 2}
    try, knng.leiden (A, bad{i, 1}, v{1}); id = 'none'; catch e, id = e.identifier; end
    assert (id, 'knng:args:option');
    assert (! isempty (strfind (e.message, bad{i, 1})));
  end
end
for v = {-A, NaN * A, Inf * A}
  try, knng.leiden (v{1}, 'Weight', 'given'); id = 'none'; catch e, id = e.identifier; end
  assert (id, 'knng:args:weight');
end
try, [~, ~] = knng.internal.igraph ('components', A, 1); id = 'none'; catch e, id = e.identifier; end
assert (id, 'knng:args:count');
for v = {sparse([1 2 3]), 1i * A}
  try, knng.leiden (v{1}); id = 'none'; catch e, id = e.identifier; end
  assert (id, 'knng:args:class');
end
end

function half_a_matrix (f)
% Half of a symmetric matrix is no graph of neighbours.
K = karate ();
for A = {triu(K), tril(K), triu(K) + speye(34), logical(tril(K))}
  try, f (A{1}); id = 'none'; catch e, id = e.identifier; end
  assert (id, 'knng:args:weight');
  assert (! isempty (strfind (e.message, 'one side of its diagonal')));
  assert (isequal (f (A{1}, 'Weight', 'given'), f (K)));
  assert (isequal (f (double (A{1}), 'Weight', 'binary'), f (K)));
end
assert (f (knngraph ([0; 1; 5; 6; NaN], 1)), [1 1 2 2 3]');
assert (numel (f (speye (3))), 3);
end

function K = karate ()
% Who met whom: W. Zachary, J. Anthropol. Res. 33 (1977) 452-473.
e = {[2:9, 11:14, 18, 20, 22, 32], [3 4 8 14 18 20 22 31], [4 8:10 14 28 29 33], [8 13 14], [7 11], [7 11 17], 17, [], ...
     [31 33 34], 34, [], [], [], 34, [33 34], [33 34], [], [], [33 34], 34, [33 34], [], [33 34], [26 28 30 33 34], ...
     [26 28 32], 32, [30 34], 34, [32 34], [33 34], [33 34], [33 34], 34, []};
i = repelem (1:34, cellfun ('numel', e));
K = sparse (i, [e{:}], 1, 34, 34);
K = K + K';
end

function Q = plain_quality (W, c, g, modularity)
% Pair by pair.
W = full (W);
S = sum (W(:));
Q = 0;
for i = 1:rows (W)
  for j = 1:rows (W)
    if (c(i) == c(j))
      if (modularity)
        Q += (W(i, j) - g * sum (W(i, :)) * sum (W(j, :)) / S) / S;
      else
        Q += (W(i, j) - g) / S;
      end
    end
  end
end
end

function [W, truth] = planted (n, groups, within, between, seed)
% About so many neighbours of each point.
m = n * [within, between] / 2;
u = knng.internal.random (seed, 2 * sum (m));
i = ceil (n * u(1:sum (m)));
j = ceil (n * u(sum (m) + 1:end));
truth = mod ((1:n)', groups) + 1;
own = 1:m(1);
j(own) = mod (j(own) - mod (j(own), groups) + mod (i(own), groups) - 1, n) + 1;
W = sparse ([i; j], [j; i], 1, n, n);
end
