function nfail = test_diffusionmap ()
%TEST_DIFFUSIONMAP  Maps against those of dense matrices, the bandwidth that is chosen, and shapes that are known: a
%   roll, equal points, parts.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@dense_matrices, @steepest_bandwidth, @points_far_out, @tables_and_permuted_rows, @swiss_roll, ...
          @copies_and_parts};
nfail = run_checks (checks);
end

function dense_matrices ()
% Against dense matrices, by eigs (400 points) and by eig (the first 250 of them).
X = band ();
for m = [400 250]
  B = knngraph (X(1:m, :), 8);
  D1 = full (max (B, B'));
  D1(D1 == 0) = Inf;
  s = full (max (B, [], 2));
  for alpha = [0 0.5 1]
    [Y, lambda] = knng.diffusionmap (B, 4, 'Epsilon', 0.01, 'Alpha', alpha);
    [want, values] = plainly (D1, 4, alpha, 0.04, 1);
    assert (lambda, values, 1e-8);
    assert (Y, want, 1e-8);
    [Y, lambda, model] = knng.diffusionmap (B, 3, 'Epsilon', 'knn', 'alpha', alpha, 'Time', 2.5);
    [want, values] = plainly (D1, 3, alpha, s * s', 2.5);
    assert (Y, want, 1e-8);
    assert ({model.scale, model.epsilon}, {s, []});
  end
end
assert (all (lambda > 0 & lambda <= 1) && issorted (-lambda));
end

function steepest_bandwidth ()
% 'auto' is where the sum of the weights grows fastest.
[X, ~, n] = band ();
B = knngraph (X, 30);
F = full (max (B, B'));
F(F == 0) = Inf;
[~, ~, model] = knng.diffusionmap (B, 1);
S = @(e) log (sum (sum (exp (-F .^ 2 / (4 * e)))) + n);
slope = @(e) (S(e * 1.001) - S(e / 1.001)) / (2 * log (1.001));
grid = model.epsilon * 2 .^ ((-12:12) / 4);
[best, at] = max (arrayfun (slope, grid));
assert (at, 13);
assert (model.dimension, 2 * best, 0.02);
[~, ~, larger] = knng.diffusionmap (8 * B, 1);
assert (larger.epsilon, 64 * model.epsilon);
assert (log2 (model.epsilon) * 4, round (log2 (model.epsilon) * 4), 1e-9);
end

function points_far_out ()
% But no smaller than lets the walk leave each point: a few points far out have no coordinate of their own.
P = sqrt (-2 * log (knng.internal.random (1, 6000))) .* cos (2 * pi * knng.internal.random (2, 6000));
P = reshape (P, 2000, 3);                                 # normal
B = knngraph (P, 10);
U = knng.adjacency (B, 'Symmetrize', 'union');
least = @(e) full (min (sum (spfun (@(d) exp (-d .^ 2 / (4 * e)), U))));
[Y, ~, model] = knng.diffusionmap (B, 3, 'Time', 0);
assert (least (model.epsilon) >= 1 && least (model.epsilon / 2 ^ 0.25) < 1);
assert (max (mean (Y .^ 4)) < 10);                        # 3 for a normal coordinate, 2000 for that of one point
[~, ~, pair] = knng.diffusionmap (sparse ([0 1; 1 0]), 1);
assert (exp (-1 / (4 * pair.epsilon)) >= 0.5);            # one edge cannot weigh 1
end

function tables_and_permuted_rows ()
% Tables and matrix, permuted rows, larger Time.
[X, A, n] = band ();
[idx, dist] = knngraph (X, 8);
[Y, lambda] = knng.diffusionmap (A, 2);
assert (knng.diffusionmap (idx, dist, 2), Y);
assert (knng.diffusionmap (A, 2), Y);                     # the same every time
assert (knng.diffusionmap (A, 2, 'Time', 3), Y .* lambda' .^ 2, 1e-12);
p = mod ((0:n-1) * 147, n) + 1;
assert (knng.diffusionmap (A(p, p), 2), Y(p, :), 1e-7);
end

function swiss_roll ()
% A swiss roll is unrolled.
m = 1500;
u = mod ((1:m)' * [0.754877666246693, 0.569840290998053], 1);
r = sqrt (2.2 + 18 * u(:, 1));                            # even along the roll
P = [r .* cos(3 * r), 6 * u(:, 2), r .* sin(3 * r)] ;
Y = knng.diffusionmap (knngraph (P, 10), 1);
[~, order] = sort (r);
rank_r(order) = 1:m;
[~, order] = sort (Y);
rank_y(order) = 1:m;
assert (abs (corr (rank_r', rank_y')) > 0.999);
end

function copies_and_parts ()
% Equal points are distances 0; points without edges, and parts of the graph.
[X, A, n] = band ();
warning ('off', 'knng:data:nonFinite', 'local');
P = [X; X(1:10, :); NaN(2, 3)];
for e = {'auto', 'knn', 0.01}
  Y = knng.diffusionmap (knngraph (P, 8), 2, 'Epsilon', e{1});
  assert (Y(1:10, :), Y(n+1:n+10, :), 0.1);
  assert (find (isnan (Y(:, 1)))', n + 11:n + 12);
end
G = blkdiag (sparse ([0 1; 1 0]), A, 0, knngraph (X(1:30, :), 8));
try
  knng.diffusionmap (G, 2, 'Epsilon', 0.01);
  assert (false);
catch err
  assert (err.identifier, 'knng:graph:disconnected');
  assert (~isempty (strfind (err.message, '3 parts, the largest of 400 of 432 points')), err.message);
end
[Y, ~, model] = knng.diffusionmap (G, 2, 'Component', 'largest', 'Epsilon', 0.01);
assert (Y(3:n + 2, :), knng.diffusionmap (A, 2, 'Epsilon', 0.01), 1e-7);
assert (all (all (isnan (Y([1:2, n+3:end], :)))));
Y = knng.diffusionmap (blkdiag (G, 0, A), 2, 'Component', 'largest', 'Epsilon', 0.01);  # of equal parts the first
assert (find (~isnan (Y(:, 1)))', 3:n + 2);
Y = knng.diffusionmap (sparse ([0 Inf 1; Inf 0 0; 1 0 0]), 1);
assert (isnan (Y)', [false true false]);
Y = knng.diffusionmap (sparse ([0 realmin 2; realmin 0 1; 2 1 0]), 1);
assert (abs (Y(1) - Y(2)) < abs (Y(1) - Y(3)) / 2);
end

function [Y, lambda] = plainly (D, nd, alpha, scales, time)
% By dense matrices; D: Inf where there is no edge.
W = exp (-D .^ 2 ./ scales);
W(1:rows (D) + 1:end) = 1;
q = sum (W, 2);
W = W ./ (q .^ alpha * (q .^ alpha)');
P = W ./ sum (W, 2);
[V, E] = eig (P);
[lambda, order] = sort (real (diag (E)), 'descend');
lambda = lambda(2:nd + 1);
V = real (V(:, order(2:nd + 1)));
visits = sum (W, 2) / sum (W(:));
V = V ./ sqrt (visits' * V .^ 2);
[~, first] = max (abs (V));
Y = V .* sign (V(sub2ind (size (V), first, 1:nd))) .* lambda' .^ time;
end

function [X, A, n] = band ()
% A band with a bend of n irregular points, and its graph.
n = 400;
u = mod ((1:n)' * [0.618033988749895, 0.414213562373095], 1);
X = [cos(3 * u(:, 1)), sin(3 * u(:, 1)), u(:, 2) / 2];
A = knngraph (X, 8);
end
