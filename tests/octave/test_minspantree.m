function nfail = test_minspantree ()
%TEST_MINSPANTREE  Trees against those of Kruskal's algorithm, of Prim's and of igraph, with ties, copies and parts.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@all_distances, @against_kruskal, @golub};
if (knng.internal.with_igraph ())
  checks = [checks, {@against_igraph}];
end
nfail = run_checks (checks);
end

function all_distances ()
% From points: the tree of all pairs.
warning ('off', 'knng:args:kClipped', 'local');
warning ('off', 'knng:data:nonFinite', 'local');
for n = [1 2 3 10 60 400]
  u = mod ((1:n)' * [0.754877666246693, 0.569840290998053], 1);
  for c = 1:4
    X = {u, floor(4 * u), u + 9 * mod((1:n)', 3) .^ 2, single(u .^ 5)}{c};
    X(5:9:end, 1) = NaN;
    T = knng.minspantree (X, 'distance', 'CITYBLOCK');
    if n == 1
      assert (T, sparse (1, 1));
    else
      assert (isequal (T, knng.minspantree (knngraph (double (X), n - 1, 'cityblock'))));
    end
  end
end
end

function against_kruskal ()
% Against Kruskal: ties, copies, parts, both directions and one.
for n = [1 2 3 30 200]
  for k = [1 3 8]
    for m = [3 50 1e6]
      X = floor (m * mod ((1:n)' * [0.618033988749895, 0.41421356237309505], 1));
      if (n > 1)
        [idx, dist] = knngraph (X, min (k, n - 1));
      else
        [idx, dist] = deal (zeros (1, 0));
      end
      A = knng.adjacency (idx, dist);
      [i, j, d] = knng.minspantree (A);
      [i2, j2, d2] = kruskal (A);
      assert ([i, j, d], [i2, j2, d2]);
      [i2, j2, d2] = knng.minspantree (idx, dist);
      assert ({i, j, d}, {i2, j2, d2});
      T = knng.minspantree (A);
      assert (T, T');
      assert ([nnz(T), full(sum (sum (T)))], [2 * numel(d), 2 * sum(max (d, realmin))], -1e-14);
      assert (numel (d), n - max (knng.conncomp (A)));
      assert (knng.conncomp (T), knng.conncomp (A));
    end
  end
end
end

function golub ()
% Golub, every pair: the sum is that of Prim's algorithm.
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
X = ds.X(1:300, :);
[i, j, d] = knng.minspantree (knngraph (X, 299, 'pearson'));
A = full (knngraph (X, 299, 'pearson'));
A(:, 1) = Inf;
near = A(1, :);
total = 0;
for s = 2:300
  [least, at] = min (near);
  total = total + least;
  A(:, at) = Inf;
  near = min (near, A(at, :));
  near(at) = Inf;
end
assert (sum (d), total, 1e-12);
end

function against_igraph ()
% Igraph's tree and parts, of graphs with one part and with many.
X = mod ((1:2000)' * [0.618033988749895 0.41421356237309505 0.7320508075688772], 1) .^ 3;
for k = [1 2 10]
  A = knngraph (X, k);
  [i, j, d] = knng.minspantree (A);
  G = knng.adjacency (A, 'Symmetrize', 'union');
  [a, b] = knng.internal.igraph ('tree', G, 1);
  a(a == 0) = b(b == 0) = [];
  assert (sortrows ([i, j]), sortrows ([min(a, b), max(a, b)]));
  part = knng.internal.igraph ('components', G, 1);
  assert (knng.internal.adjusted_rand (part, knng.conncomp (A)'), 1);
  assert (max (part), 2000 - numel (i));
end
end

function [i, j, d] = kruskal (A)
% By a sorted list of all edges.
[i, j, d] = find (A);
E = sortrows ([d(:) .* (d(:) > realmin), min(i(:), j(:)), max(i(:), j(:))]);
part = 1:rows (A);
keep = false (rows (E), 1);
for e = 1:rows (E)
  keep(e) = part(E(e, 2)) ~= part(E(e, 3));
  part(part == part(E(e, 3))) = part(E(e, 2));
end
[i, j, d] = deal (E(keep, 2), E(keep, 3), E(keep, 1));
end
