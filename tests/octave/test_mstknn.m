function nfail = test_mstknn ()
%TEST_MSTKNN  Clusters and trees against the method as it is written, with many ties, and of rows whose lists are too
%   short; failing allocations.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@as_it_is_written, @short_lists, @golub, @allocations_fail, @list_of_another_part};
nfail = run_checks (checks);
end

function as_it_is_written ()
% Against the method as it is written: ties, copies, clusters near and far, every K; from X and from all distances.
warning ('off', 'knng:args:kClipped', 'local');
for n = [1 2 3 9 70]
  u = mod ((1:n)' * [0.754877666246693, 0.569840290998053], 1);
  for c = 1:5
    X = {u, floor(3 * u), floor(20 * u), u + 5 * mod((1:n)', 3) .^ 2, [u .^ 4 * 50, floor(u(:, 1) * 6)]}{c};
    D = zeros (n);
    if n > 1
      [idx, dist] = knngraph (X, n - 1);
      D = full (knng.adjacency (idx, dist));
      D(D <= realmin) = 0;
    end
    for k = [-1 0 1 3]
      [want, W] = plainly (D, k);
      K = {'connected', 'auto', k}{2 + sign(k)};
      [labels, T] = knng.mstknn (X, 'K', K);
      assert (labels, want);
      assert (isequal (full (T), W));
      if n > 1
        [labels, T] = knng.mstknn (idx, dist, 'K', K);
        assert (labels, want);
        assert (isequal (full (T), W));
      end
    end
  end
end
end

function short_lists ()
% Lists that are too short: rows are searched again outside of their part, and further inside.
for n = [450 470]
  u = mod ((1:n)' * [0.754877666246693, 0.569840290998053], 1);
  for c = 1:5
    X = {u, floor(3 * u), u + 5 * mod((1:n)', 3) .^ 2, [u .^ 4 * 50, floor(u(:, 1) * 6)], ...
         (u .* (u(:, [2 1]) .^ 3 + mod ((1:n)', 7) .^ 3 / 50)) .^ 3}{c};
    [idx, dist] = knngraph (X, n - 1);
    [want, W] = knng.mstknn (idx, dist);
    [labels, T] = knng.mstknn (X);
    assert (labels, want);
    assert (isequal (T, W));
  end
end
i = [2 3; 1 3; 1 2; 5 6; 4 6; 4 5; 4 8; 7 9; 8 10; 9 11; 10 9];   # 4 has 7 as the third, and its list ends before
d = [1 1; 1 1; 1 1; 1 1; 1 1; 1 1; 3 2; 2 2; 2 2; 2 2; 2 4];
warning ('off', 'knng:graph:shortLists', 'local');
labels = knng.mstknn (i, d, 'K', 1);
assert (labels', [1 1 1 2 2 2 3 3 3 3 3]);
end

function golub ()
% Golub, rows without distances, single, a metric.
warning ('off', 'knng:data:nonFinite', 'local');
warning ('off', 'knng:graph:disconnected', 'local');
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
X = ds.X(1:600, :);
X([7 500], 3) = NaN;
[idx, dist] = knngraph (X, 599, 'pearson');
for k = {3, 6, 'connected', 1}
  [want, W] = knng.mstknn (idx, dist, 'K', k{1});
  [labels, T] = knng.mstknn (X, 'Distance', 'pearson', 'K', k{1});
  assert (labels, want);
  assert (isequal (T, W));
end
assert (find (isnan (labels)), [7; 500]);
assert (nnz (T([7 500], :)), 0);
there = find (! isnan (labels));
sizes = accumarray (labels(there), 1);
assert (numel (sizes) > 10 && all (sizes > 1));
assert (knng.conncomp (T(there, there))', labels(there));
assert (knng.mstknn (single (X)), knng.mstknn (double (single (X))));
A = knngraph (X, 6, 'pearson');
warning ('off', 'knng:graph:shortLists', 'local');
[labels, T] = knng.mstknn (A);
assert (find (isnan (labels)), [7; 500]);
assert (knng.conncomp (T(there, there))', labels(there));
assert (isnan (knng.mstknn (sparse (3, 3))), true (3, 1));
end

function allocations_fail ()
% Every allocation fails in turn: nothing is left.
A = knngraph ((1:40)' .^ 2, 4);
for f = {@() knng.conncomp(A), @() knng.mstknn(A), @() knng.mstknn(A, 'K', 2)}
    failures = 0;
    for nth = 1:20
      knng.internal.forest ('fail', nth);
      try
        f{1} ();
      catch err
        assert (err.identifier, 'knng:memory:host');
        failures = failures + 1;
      end
      [~, live] = knng.internal.forest ('fail', 0);
      assert (live, 0);
    end
    assert (failures >= 1);
end
end

function list_of_another_part ()
% A node whose list begins with the nodes of another part, and which alone holds its own part together.
m = 1e5;
k = 13;
[own, a] = deal (3:2+k, 3+k:2+2*k);                       # near to node 2; near to the others
c = a(end) + (1:m)';
alone = c + m;
e = [1 2 1; repmat(2, k, 1), own', 0.01 * ones(k, 1); 2 a(1) 0.95; ones(k, 1), a', ones(k, 1); a(1:end-1)', a(2:end)', 0.3 * ones(k-1, 1); ...
     a(1) c(1) 0.3; ones(m, 1), c, 1.5 * ones(m, 1); ones(m, 1), alone, 2 * ones(m, 1)];
for s = 1:k
  e = [e; c(1:m-s), c(s+1:m), (0.1 + s * 1e-3) * ones(m-s, 1); repmat(a(s), k, 1), c(1:k), 0.2 * ones(k, 1)];
end
A = sparse (e(:, [1 2]), e(:, [2 1]), e(:, [3 3]), alone(end), alone(end));
t = cputime ();                                            % of the processor: what else runs does not count
labels = knng.mstknn (A);
assert (cputime () - t < 4);
want = ones (alone(end), 1);
want([a'; c]) = 2;
assert (labels, want);
end

function [labels, T] = plainly (D, fixed)
% The method as it is written, on all distances; D is symmetric.
n = rows (D);
T = zeros (n);
labels = zeros (n, 1);
todo = {1:n};
while ! isempty (todo)
  v = todo{end};
  todo(end) = [];
  m = numel (v);
  k = max (1, floor (log (m)));
  if fixed > 0, k = fixed; end
  [i, j] = find (triu (ones (m), 1));
  E = sortrows ([D(sub2ind (size (D), v(i)(:), v(j)(:))), i(:), j(:)]);
  least = k;
  if fixed < 0, least = 1; end
  for c = least:k
    near = false (m);
    for r = 1:m
      other = [1:r-1, r+1:m];
      [~, order] = sort (D(v(r), v(other)));
      near(r, other(order(1:min (c, m - 1)))) = true;
    end
    [~, ~, blocks] = dmperm (sparse (near | near' | eye (m)));
    if numel (blocks) == 2, break, end
  end
  group = 1:m;
  keep = 1:m;
  kept = zeros (0, 2);
  for e = 1:rows (E)
    [a, b] = deal (E(e, 2), E(e, 3));
    if group(a) != group(b)
      group(group == group(b)) = group(a);
      if near(a, b) || near(b, a)
        kept(end + 1, :) = [a, b];
        keep(keep == keep(b)) = keep(a);
      end
    end
  end
  if all (keep == keep(1))
    labels(v) = v(1);
    for e = 1:rows (kept)
      [a, b] = deal (v(kept(e, 1)), v(kept(e, 2)));
      T([a b], [a b]) += [0 1; 1 0] * max (D(a, b), realmin);
    end
  else
    for g = unique (keep)
      todo{end + 1} = v(keep == g);
    end
  end
end
[~, ~, labels] = unique (labels);
labels = labels(:);
end
