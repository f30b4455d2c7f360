function nfail = test_edges ()
%TEST_EDGES  Lists of edges against plain ones, p-values against closed forms and a series, false discovery rates.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@every_pair_once, @p_values, @of_ranks, @ranks_count_pairs};
nfail = run_checks (checks);
end

function every_pair_once ()
% Every pair once, and directed, from tables and from A: ties, copies, rows without neighbours.
warning ('off', 'knng:data:nonFinite', 'local');
X = [mod((1:50)' * 37, 11), mod((1:50)' * 53, 7)];
X(7, 1) = NaN;
[idx, dist] = knngraph (X, 4);
A = knngraph (X, 4);
D = full (A);
D(D == 0) = Inf;
D(D <= realmin) = 0;
S = min (D, D');
[j, i] = find (tril (S < Inf, -1));
want = sortrows ([S(sub2ind ([50 50], i, j)), i, j]);
E = knng.edges (A);
assert ([E.distance, E.i, E.j], want);
names = cellstr (char ((33:82)'));
F = knng.edges (idx, dist, 'Names', names);
assert ([F.distance, F.i, F.j], want);
assert ({F.from, F.to}, {names(E.i), names(E.j)});
[i, j] = find (D < Inf);
want = sortrows ([D(sub2ind ([50 50], i, j)), i, j]);
E = knng.edges (A, 'Directed', true);
assert ([E.distance, E.i, E.j], want);
E = knng.edges (sparse ([5 3; 1 0]));
assert ([E.i, E.j, E.distance], [1 2 1]);
E = knng.edges (sparse ([5 3; 1 0]), 'Directed', true);
assert ([E.i, E.j, E.distance], [2 1 1; 1 2 3]);
E = knng.edges (sparse (3, 3), 'Metric', 'pearson', 'Samples', 9);
assert (size (E.fdr), [0 1]);
end

function p_values ()
% P-values: closed forms for 4 and 6 samples, a series where they are tiny.
d = 10 .^ (-(300:-7:0)');
A = sparse (1:numel (d), 2:numel (d) + 1, d, numel (d) + 1, numel (d) + 1);
E = knng.edges (A, 'Metric', 'pearson', 'Samples', 4);
assert (E.p, d, -1e-12);
E = knng.edges (A, 'Metric', 'pearson', 'Samples', 6, 'Tests', 1000);
assert (E.p, d .^ 2 .* (3 - d) / 2, -1e-12);
E = knng.edges (A, 'Metric', 'abspearson', 'Samples', 38);
x = d .* (2 - d);
term = x .^ 18 / 18 / beta (18, 1/2);
p = term;
for s = 1:2000
  term = term .* x * (s - 1/2) / s;
  p = p + term * 18 / (18 + s);
end
assert (E.p(d < 0.5 & p > 0), p(d < 0.5 & p > 0), -1e-11);
assert (E.p(p == 0), zeros (sum (p == 0), 1));
E = knng.edges (sparse ([0 2 0.5; 0 0 realmin; 0 0 0]), 'Metric', 'antipearson', 'Samples', 4);
assert ([E.r, E.p], [-1 0; -0.5 0.5; 1 0], 1e-14);
end

function of_ranks ()
% By spearman: of noise no pair is found, however few samples; p of few samples against all orders, of each pair by its own number.
warning ('off', 'knng:data:nonFinite', 'local');
X = knng.internal.noise (1, 400, 14);
for n = 3:14
  [idx, dist] = knngraph (X(:, 1:n), 5, 'spearman');
  E = knng.edges (idx, dist, 'Metric', 'spearman', 'Samples', n);
  assert (all (E.fdr > 0.01 & E.p >= 2 / factorial (n) * (1 - 1e-12)));
  if (n <= 7)
    orders = perms (1:n);
    S = sum ((orders - (1:n)) .^ 2, 2);
    [a, ~, code] = unique (round (E.distance * (n ^ 3 - n) / 12));
    p = arrayfun (@(s) mean (abs (1 - 6 * S / (n ^ 3 - n)) >= abs (1 - 12 * s / (n ^ 3 - n)) - 1e-9), a);
    assert (E.p, p(code), 1e-14);
    [idx, dist] = knngraph (single (X(:, 1:n)), 5, 'spearman');
    F = knng.edges (idx, dist, 'Metric', 'spearman', 'Samples', n);
    G = sparse (E.i, E.j, E.p, 400, 400);
    same = full (G(sub2ind ([400 400], F.i, F.j)));
    assert (sum (same > 0) > 300);
    assert (F.p(same > 0), same(same > 0), 1e-14);
  end
end
X = X(:, 1:9);
X(knng.internal.noise (2, 400, 9) > 0.6) = NaN;
[idx, dist, info] = knngraph (X, 4, 'spearman', 'Rows', 'pairwise', 'MinValid', 3);
E = knng.edges (idx, dist, 'Metric', 'spearman', 'Samples', info.nvalid);
assert (numel (unique (E.samples)) > 3);
for n = unique (E.samples)'
  at = E.samples == n;
  F = knng.edges (sparse (1:sum (at), 2:sum (at) + 1, max (E.distance(at), realmin), 999, 999), 'Metric', 'spearman', 'Samples', n);
  assert (sort (F.p), sort (E.p(at)));
end
end

function ranks_count_pairs ()
% The rank counts pairs, in both forms of the list.
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
X = ds.X(1:400, :);
A = knngraph (X, 3, 'pearson');
E = knng.edges (A, 'Metric', 'correlation', 'Samples', 38);
F = knng.edges (A, 'Metric', 'correlation', 'Samples', 38, 'Directed', true);
Q = sparse (E.i, E.j, E.fdr, 400, 400);
assert (F.fdr, full (Q(sub2ind ([400 400], min (F.i, F.j), max (F.i, F.j)))), -1e-12);
assert (E.fdr, min (1, flipud (cummin (flipud (E.p * (400 * 399 / 2) ./ (1:numel (E.p))')))), -1e-12);
G = knng.edges (A, 'Metric', 'correlation', 'Samples', 38, 'Tests', 1);
assert (all (G.fdr <= G.p));
B = knngraph (X, 399, 'pearson');                         # of all pairs it is Benjamini and Hochberg's; else a bound of it
all_pairs = knng.edges (B, 'Metric', 'pearson', 'Samples', 38);
Q = sparse (all_pairs.i, all_pairs.j, all_pairs.fdr, 400, 400);
assert (all (E.fdr >= full (Q(sub2ind ([400 400], E.i, E.j))) * (1 - 1e-12)));
end
