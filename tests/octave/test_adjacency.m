function nfail = test_adjacency ()
%TEST_ADJACENCY  Weights and symmetries against plain loops and sets, edge by edge; lists that are long, or of many
%   lengths; failing allocations.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@every_weight_and_symmetry, @weights_of_two_nodes, @scales, @lengths_of_lists, @zeros_stay, ...
          @all_threads, @same_by_any_threads, @memory_of_results, @stored_as_octave_sees_fit, ...
          @allocations_fail, @too_many_columns};
warning ('off', 'knng:args:weight', 'local');               % halved distances
nfail = run_checks (checks);
end

function every_weight_and_symmetry ()
% Every weight and symmetry, from tables and from A.
[idx, dist, D, E] = graph ();
A = knng.adjacency (idx, dist);
assert (issparse (A) && isequal (full (A), D));
before = D;
arguments = {{'distance'}, {'binary'}, {'similarity', 'Metric', 'cityblock'}, {'similarity', 'Metric', 'correlation'}};
wanted = {D, ones(50), 1 ./ (1 + D), 1 - D};
for w = 1:4
  W = E .* wanted{w};
  W(E & W == 0) = realmin;
  want = {W, W + W' .* ~E, W .* E', (W + W') / 2};
  names = {'none', 'union', 'mutual', 'mean'};
  for s = 1:4
    for given = {{idx, dist}, {A}, {idx, single(dist)}}
      got = knng.adjacency (given{1}{:}, 'Weight', arguments{w}{:}, 'SYMMETRIZE', upper (names{s}));
      if (numel (given{1}) == 2 && isa (given{1}{2}, 'single') && w ~= 2)
        assert (full (got), want{s}, 1e-6);
      else
        assert (full (got), want{s});
      end
      assert (nnz (got), nnz (want{s}));
      assert (s == 1 || isequal (got, got'));
    end
  end
end
assert (isequal (full (A), before));
end

function weights_of_two_nodes ()
% Weights of two nodes: against sets, with every symmetry, from tables and from A.
[idx, dist, D, E] = graph ();
A = knng.adjacency (idx, dist);
cases = {{'jaccard'}, {'snn'}, {'gaussian'}, {'gaussian', 'Neighbor', 2}, {'gaussian', 'Neighbor', 99}, ...
         {'gaussian', 'Bandwidth', 'AUTO'}, {'Gaussian', 'Bandwidth', 2.5}};
bandwidths = {'', '', 'selftuning', 'selftuning', 'selftuning', 'auto', 2.5};
m = [0 0 7 2 99 0 0];
for c = 1:numel (cases)
  W = zeros (50);
  for i = 1:50
    for j = find (E(i, :))
      W(i, j) = max (realmin, weigh (idx, dist, i, j, D(i, j), lower (cases{c}{1}), bandwidths{c}, m(c)));
    end
  end
  both = E & E';
  want = {W, W + W' .* ~E, W .* both, max((W .* (W > realmin) + W' .* (W' > realmin)) / 2, realmin * (E | E'))};
  names = {'none', 'union', 'mutual', 'mean'};
  for s = 1:4
    got = knng.adjacency (idx, dist, 'Weight', cases{c}{:}, 'Symmetrize', names{s});
    assert (full (got), want{s}, -4 * eps);
    assert (isequal (knng.adjacency (A, 'Weight', cases{c}{:}, 'Symmetrize', names{s}), got));
    assert (s == 1 || isequal (got, got'));
    assert (nnz (got), nnz (want{s}));
  end
end
end

function scales ()
% Scales of copies, of infinite distances, of rows without neighbours.
i = [2 3; 1 3; 1 2; 1 2; 0 0];
d = [0 0; 0 0; 0 0; 3 Inf; NaN NaN];
W = full (knng.adjacency (i, d, 'Weight', 'gaussian', 'Neighbor', 1));
assert (W(4, 1:2), [exp(-1) realmin]);                    # s(1) = 3, of the edge from 4; s(4) = 3
assert (W(1, [2 3]), [1 1]);
assert (knng.adjacency ([2; 1], [0; 0], 'Weight', 'gaussian'), sparse ([0 1; 1 0]));
assert (knng.adjacency ([2; 1], [0; 0], 'Weight', 'gaussian', 'Bandwidth', 'auto'), sparse ([0 1; 1 0]));
assert (knng.adjacency ([2; 1], [1; 1], 'Weight', 'jaccard'), sparse ([0 realmin; realmin 0]));
assert (full (knng.adjacency ([3; 3; 1], [1; 1; 1], 'Weight', 'snn', 'Symmetrize', 'union')), realmin * [0 0 1; 0 0 1; 1 1 0]);
assert (full (knng.adjacency (knngraph ((1:5)', 4), 'Weight', 'jaccard')), 0.6 * ~eye (5));
assert (full (knng.adjacency (sparse (2, 2), 'Weight', 'gaussian')), zeros (2));
end

function lengths_of_lists ()
% Lists of all lengths, and a node that is in everybody's, which is done in no time.
[~, ~, ~, E] = graph ();
B = mod ((1:60)' * (1:60), 61) .* (mod ((1:60)' .^ 2 * (1:60), 61) < (1:60)') .* ~eye (60);
E = B > 0;
shared = (double (E) * double (E)') .* E;
assert (full (knng.adjacency (sparse (B), 'Weight', 'snn')), max (shared, realmin * E));
n = 1e5;
A = sparse ([ones(n - 1, 1); (2:n)'], [(2:n)'; ones(n - 1, 1)], 1, n, n);
A(2, 3) = 1;
t = cputime ();                                          % of the processor: what else runs does not count
W = knng.adjacency (A, 'Weight', 'snn', 'Symmetrize', 'union');
assert (cputime () - t < 3);
[i, j] = find (W > realmin);
assert ([i, j], [2 1; 1 2; 3 2; 2 3]);
end

function zeros_stay ()
% Zeros stay.
[i, d] = knngraph ([1 2 3; 1 2 3; 3 1 2; 2 3 1], 1, 'pearson');
for s = {'none', 'union', 'mutual', 'mean'}
  A = knng.adjacency (i, d, 'Symmetrize', s{1});
  assert (full (A(1, 2)), realmin);
  assert (isequal (knng.adjacency (A), A));
  A = knng.adjacency (i, d, 'Symmetrize', s{1}, 'Weight', 'similarity', 'Metric', 'pearson');
  assert (full (A(1, 2)), 1);
end
A = knng.adjacency ([2; 1], [1; 1], 'Weight', 'similarity', 'Metric', 'cosine');
assert (full (A), [0 realmin; realmin 0]);
A = knng.adjacency ([2; 1], [1.5; 1.5], 'Weight', 'similarity', 'Metric', 'cosine');
assert (full (A), [0 -.5; -.5 0]);
end

function all_threads ()
% As many entries as need all threads.
n = 20000;
i = mod ((1:n)' * ones (1, 10) + ones (n, 1) * (1:10) .^ 3, n) + 1;
d = mod (i, 7) + 1;
W = sparse (repmat ((1:n)', 10, 1), i(:), d(:), n, n);
assert (isequal (knng.adjacency (i, d, 'Symmetrize', 'mean'), (W + W') / 2));
assert (isequal (knng.adjacency (i, d, 'Weight', 'binary'), spones (W)));
S = spones (W) * spones (W)' .* spones (W);
got = knng.adjacency (i, d, 'Weight', 'snn');
assert (isequal (got .* (got > realmin), S));
got = knng.adjacency (i, d, 'Weight', 'jaccard');
[r, c, s] = find (S);
assert (isequal (got .* (got > realmin), sparse (r, c, s ./ (20 - s), n, n)));
end

function same_by_any_threads ()
% The same bits by any number of threads, and of several faults the same one is named.
n = 7000;
i = mod ((1:n)' .^ 2 * ones (1, 12) + ones (n, 1) * cumsum (1:12) .^ 2, n) + 1;
i(:, 5) = (1:n)';
i(i(:, 1) == (1:n)', 1) = 0;
i(:, 12) = 0;
for c = 2:12
  i(any (bsxfun (@eq, i(:, c), i(:, 1:c-1)), 2), c) = 0;
end
i(mod (1:n, 3) == 0 & all (i' ~= 1), 12) = 1;                % everybody's neighbour
d = mod (i * 7 + (1:n)' * ones (1, 12), 1000) / 8;
options = {{}, {'Symmetrize', 'union'}, {'Symmetrize', 'mean', 'Weight', 'gaussian'}};
for o = 1:3
  one = knng.adjacency (i, d, options{o}{:}, 'Threads', 1);
  for threads = [2 3 5 8]
    assert (isequal (knng.adjacency (i, d, options{o}{:}, 'Threads', threads), one));
  end
end
d(3000:end, 5) = -1;
for threads = 1:4
  fail (sprintf ('knng.adjacency (i, d, ''Threads'', %d)', threads), '^dist\(3000,5\) is -1');
end
end

function memory_of_results ()
% A sparse matrix to be filled: claimed, and without entries until then.
S = knng.internal.allocate (5, 3, 70000);
assert (issparse (S) && isequal (size (S), [5 3]) && nnz (S) == 0 && nzmax (S) == 70000);
assert (isequal (S, sparse (5, 3)));
for wrong = {{5, 3, 0}, {5, -1, 1}, {5, 2 ^ 60, 1}, {5, 3, 2 ^ 60}}
  try, knng.internal.allocate (wrong{1}{:}); id = ''; catch e, id = e.identifier; end
  assert (id, 'knng:args:range');
end
[i, d] = knngraph (mod ((1:9000)' * [0.37 0.71], 1), 10);    % large enough for such memory
A = knng.adjacency (i, d);
B = A;
A(1, 1) = 1;                                                 % the other one stays
assert (isequal (B, knng.adjacency (B)) && B(1, 1) == 0);
assert (isequal (knng.adjacency (i, d, 'Symmetrize', 'union'), max (B, B')));
end

function allocations_fail ()
% Every allocation fails in turn: nothing is left.
A = knngraph ((1:40)' .^ 2, 4);
for w = {'distance', 'gaussian', 'jaccard'}
  for s = {'none', 'union'}
    failures = 0;
    for nth = 1:20
      knng.internal.adjacency ('fail', nth);
      try
        knng.adjacency (A, 'Weight', w{1}, 'Symmetrize', s{1});
      catch err
        assert (err.identifier, 'knng:memory:host');
        failures = failures + 1;
      end
      [~, live] = knng.internal.adjacency ('fail', 0);
      assert (live, 0);
    end
    assert (failures >= 3 * ~strcmp (w{1}, 'distance'));
  end
end
end

function too_many_columns ()
% More columns than the machine has memory for.
f = fopen ('/proc/meminfo');
if f >= 0
  free = regexp (fread (f, [1 Inf], 'char=>char'), 'MemAvailable: *(\d+) kB', 'tokens', 'once');
  fclose (f);
  if ~isempty (free) && str2double (free{1}) < 30e6
    try, knng.adjacency ([2; 1], [1; 1], 'Columns', 2 ^ 31 - 66); id = 'none'; catch e, id = e.identifier; end
    assert (id, 'knng:memory:host');
  end
end
end

function A = plainly (idx, W, n)
% Edges one by one.
A = zeros (rows (idx), n);
for i = 1:rows (idx)
  for c = find (idx(i, :) > 0)
    A(i, idx(i, c)) = W(i, c);
  end
end
end

function stored_as_octave_sees_fit ()
% Octave up to 8 can be told to store a sparse matrix in full where that is smaller: that is no lack of memory.
n = 1e5;
if (exist ('sparse_auto_mutate') && compare_versions (version (), '8', '<'))
  before = sparse_auto_mutate (true);
  unwind_protect
    A = knng.adjacency (1:n, ones (1, n), 'Columns', n);
  unwind_protect_cleanup
    sparse_auto_mutate (before);
  end_unwind_protect
  assert (isequal (full (A), ones (1, n)));
end
end

function W = weigh (idx, dist, i, j, d, weight, bandwidth, m)
% The weight of one edge, by sets.
near = idx(i, idx(i, :) > 0);
far = idx(j, idx(j, :) > 0);
switch weight
  case 'jaccard'
    W = numel (intersect (near, far)) / numel (union (near, far));
  case 'snn'
    W = numel (intersect (near, far));
  otherwise
    s = [0 0];
    for e = 1:2
      if (ischar (bandwidth) && strcmpi (bandwidth, 'selftuning'))
        all = sort (dist([i j](e), idx([i j](e), :) > 0));
        s(e) = all(min (m, end));
      elseif (ischar (bandwidth))
        all = sort (dist(idx > 0 & dist > 0));
        s(e) = all(ceil (end / 2));
      else
        s(e) = bandwidth;
      end
    end
    W = exp (-(d / s(1)) * (d / s(2)));
end
end

function [idx, dist, D, E] = graph ()
% A graph of 4 neighbours with ties and a row without any: its tables, all its distances, and where its edges are.
X = [mod((1:50)' * 37, 23), mod((1:50)' * 53, 19)];  # ties, no equal rows
X(7, 1) = NaN;
warning ('off', 'knng:data:nonFinite', 'local');
[idx, dist] = knngraph (X, 4);
D = plainly (idx, dist, 50);
E = D > 0;
end
