function nfail = test_spectralcluster ()
%TEST_SPECTRALCLUSTER  Eigenvalues, eigenvectors and clusters against those of dense matrices; every kind of graph and
%   Laplacian; parts.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@dense_matrices, @two_moons, @graph_of_rows, @parts};
nfail = run_checks (checks);
end

function dense_matrices ()
% Against dense matrices: by eigs (400 rows), by eig, in parts.
for n = [400 250]
  X = moons (n, 0.15);
  for parts = [1 3]
    X(1:4, 1) += 9 * (parts - 1);                         # two small parts, and the moons
    X(5:10, 1) -= 9 * (parts - 1);
    S = similarities (X, 5 - (parts > 1) * 2, 0.3, 'union');
    W = full (S);
    G = diag (sum (W));
    kinds = {'randomwalk', G, 0; 'symmetric', G, 0.5; 'none', eye(n), 0};
    for kind = 1:3
      [U, E] = eig (G - W, kinds{kind, 2});
      [E, order] = sort (diag (E));
      U = diag (diag (kinds{kind, 2}) .^ kinds{kind, 3}) * U(:, order);
      [idx, V, D] = knng.spectralcluster (S, 6, 'Distance', 'precomputed', 'LaplacianNormalization', kinds{kind, 1});
      assert (D, E(1:6), 1e-8);
      Q = orth (U(:, 1:6));
      assert (norm (V - Q * (Q' * V)) < 1e-6);
      assert (sum (V .^ 2), ones (1, 6), 1e-12);
      [~, first] = max (abs (V));
      assert (all (V(sub2ind (size (V), first, 1:6)) > 0));
      assert (sum (D < 1e-10), numel (unique (knng.conncomp (S))));
    end
  end
end
end

function two_moons ()
% Two moons, by every graph and Laplacian; rand keeps its state.
X = moons (600, 0.05);
w = mod ((1:600)', 2) + 1;
rand ('seed', 5);
randn ('seed', 5);
given = {{}, {'NumNeighbors', 12}, {'NumNeighbors', 12, 'KNNGraphType', 'Mutual'}, {'LaplacianNormalization', 'symmetric'}, ...
         {'LaplacianNormalization', 'none', 'KernelScale', 'auto'}, {'Seed', 3, 'Threads', 1}, ...
         {'SimilarityGraph', 'epsilon', 'Radius', 0.25, 'KernelScale', 0.1}, {'Distance', 'cityblock', 'KernelScale', 0.1}};
for g = given
  idx = knng.spectralcluster (X, 2, g{1}{:});
  on = ~isnan (idx);
  assert (mean (on) > 0.98);
  assert (knng.internal.adjusted_rand (idx(on), w(on)) > 0.99);
  assert (idx(find (on, 1)), 1);
end
after = {rand(), randn()};
rand ('seed', 5);
randn ('seed', 5);
assert (after, {rand(), randn()});
end

function graph_of_rows ()
% What X and options come to is the graph that they say.
X = moons (200, 0.1);
[idx, V, D] = knng.spectralcluster (X, 4);
[idx2, V2, D2] = knng.spectralcluster (similarities (X, 6, 1, 'union'), 4, 'Distance', 'Precomputed');
assert ({idx, V, D}, {idx2, V2, D2});
[idx2, V2, D2] = knng.spectralcluster (full (similarities (X, 6, 1, 'union')) + eye (200), 4, 'Distance', 'precomputed');
assert ({idx, V, D}, {idx2, V2, D2});
A = knng.adjacency (knngraph (X, 6), 'Symmetrize', 'union');
[~, V, D] = knng.spectralcluster (X, 3, 'KernelScale', 'auto');
[~, V2, D2] = knng.spectralcluster (X, 3, 'KernelScale', full (median (nonzeros (A))));
assert ({V, D}, {V2, D2});
end

function parts ()
% Parts: as many as clusters, more, and points without edges.
S = kron (speye (4), sparse (ones (5))) - speye (20);
S(16:20, 16:20) = sparse ([1 1 2 3], [2 3 3 5], 1, 5, 5) + sparse ([1 1 2 3], [2 3 3 5], 1, 5, 5)';
want = [1 1 1 1 1 2 2 2 2 2 3 3 3 3 3 4 4 4 NaN 4]';
[idx, V, D] = knng.spectralcluster (S, 4, 'Distance', 'precomputed');
assert (idx, want);
assert (D, zeros (4, 1));
assert (V(1:5, 1), ones (5, 1) / sqrt (5), 1e-15);
assert (isnan (V(19, :)));
warning ('off', 'knng:graph:disconnected', 'local');
warning ('off', 'knng:data:nonFinite', 'local');
idx = knng.spectralcluster (S, 2, 'Distance', 'precomputed');
assert (max (idx), 2);
assert (any (idx(1) ~= idx(6:10)) || any (idx(1) ~= idx(11:15)));
idx = knng.spectralcluster (S, 1, 'Distance', 'precomputed');
assert (idx, want * 0 + 1);
idx = knng.spectralcluster ([0; 1; 2; NaN; 10; 11; 12], 2, 'NumNeighbors', 1);
assert (idx, [1; 1; 1; NaN; 2; 2; 2]);
end

function S = similarities (X, k, scale, rule)
A = knng.adjacency (knngraph (X, k), 'Symmetrize', rule);
[i, j, d] = find (A);
S = sparse (i, j, exp (-(d / scale) .^ 2), rows (A), rows (A));
end

function X = moons (n, noise)
u = reshape (knng.internal.random (7, 4 * n), n, 4);
t = pi * u(:, 1);
w = mod ((1:n)', 2);
X = [cos(t) .* (1 - 2*w) + w, sin(t) .* (1 - 2*w) + w / 2];
X += noise * sqrt (-2 * log (u(:, 2))) .* [cos(2 * pi * u(:, 3)), sin(2 * pi * u(:, 3))];
end
