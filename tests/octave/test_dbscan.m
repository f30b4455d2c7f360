function nfail = test_dbscan ()
%TEST_DBSCAN  Clusters and core points against plain search through all pairs, with every metric; parts that a graph of
%   few neighbours leaves apart, small ones and large ones; by a search within epsilon as by graphs.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@all_pairs, @parts_on_a_line, @large_parts, @either_way, @golub};
nfail = run_checks (checks);
end

function all_pairs ()
% Against plain search through all pairs: ties at epsilon, copies, blobs, missing values, every metric.
warning ('off', 'knng:data:nonFinite', 'local');
warning ('off', 'knng:data:constant', 'local');
table = knng.internal.search ('metrics');
metrics = {table.name};
sizes = [1 2 3 9 16 17 18 40 90 200 300];
for t = 1:11 * numel (metrics)
  metric = metrics{ceil (t / 11)};                     % each with each size
  n = sizes(mod (t, 11) + 1);
  d = mod (t, 4) + 2;
  X = reshape (knng.internal.random (t, n * d), n, d);
  switch (mod (t, 5))
    case 0
      X = floor (9 * X);
    case 1
      X = floor (9 * X)(ceil ((1:n) / 20), :);
    case 2
      X += 3 * mod (ceil ((1:n)' .^ 2 / 7), 5);
    case 3
      X(X(:, 1) < 0.1, 2) = NaN;
  end
  D = every_pair (X, metric);
  s = sort (D(D < Inf));
  u = knng.internal.random (t, 2);
  epsilon = max ([0; s(ceil (numel (s) * u(1) ^ 4))]);
  minpts = ceil (20 * u(2) ^ 2);
  [idx, corepts] = knng.dbscan (X, epsilon, minpts, 'Distance', metric, 'Threads', 1);
  [idx2, corepts2] = plainly (D, epsilon, minpts);
  assert (idx, idx2);
  assert (corepts, corepts2);
end
end

function parts_on_a_line ()
% Parts that a graph of 15 neighbours leaves apart: 6000 points in 150 places on a line, which breaks where it has
% gaps.
u = floor (240 * knng.internal.random (1, 150));
x = repmat (u, 40, 1);
for epsilon = [0 1 2 3 1000]
  [idx, corepts] = knng.dbscan (x, epsilon, 30);
  [places, ~, at] = unique (x);
  run = cumsum ([1; diff(places) > epsilon]);
  [~, first, number] = unique (run(at), 'first');
  [~, order] = sort (first);
  rank(order) = 1:numel (order);
  assert (idx, rank(number)(:));
  assert (all (corepts));
end
end

function large_parts ()
% Three blobs in five dimensions, their parts too large for lists: apart, or together at a large epsilon.
X = reshape (sqrt (-2 * log (knng.internal.random (2, 9000))) .* cos (2 * pi * knng.internal.random (3, 9000)), 1800, 5);
which = mod ((0:1799)', 3) + 1;
X(:, 1) += 20 * which;
for epsilon = [6 14 16 19.5 Inf]
  [~, dist] = knng.knnsearch (X(which == 2, :), X(which ~= 2, :));
  near = [any(dist(1:2:end) <= epsilon), any(dist(2:2:end) <= epsilon)];
  numbers = [1, 2 - near(1)];
  numbers(3) = numbers(2) + 1 - near(2);
  assert (knng.dbscan (X, epsilon, 4), numbers(which)');
end
assert (knng.dbscan (X, Inf, 1800), ones (1800, 1));
assert (knng.dbscan (X, Inf, 1801), -ones (1800, 1));
assert (knng.dbscan (X, 6, 4, 'Threads', 1, 'Progress', 'off'), which);
assert (knng.dbscan (single (X), 6, 4), which);
end

function either_way ()
% Enough rows for boxes, with so little memory that a search within epsilon is refused, and with more: at 40 others a row.
n = 9000;
X = reshape (knng.internal.random (5, 3 * n), n, 3);
X = floor (200 * X .^ 2) / 200;
e = knng.estimate (n, 3, 15, 'Calibrate', false);
limit = {'MaxMemory', e.memory.planned};
for epsilon = [0.02 0.03 0.055]
  id = '';
  try
    knng.internal.range ('graph', X, [], epsilon, limit);
  catch err
    id = err.identifier;
  end
  assert (any (strcmp (id, {'knng:args:maxMemory', 'knng:memory:host'})), id);
  assert (! isempty (knng.internal.range ('graph', X, [], epsilon, {'MaxPairs', 100 * n})));
  [idx, corepts] = knng.dbscan (X, epsilon, 9);
  [idx2, corepts2] = knng.dbscan (X, epsilon, 9, limit{:});
  assert ({idx, corepts}, {idx2, corepts2});
  assert (max (idx) > 1 && any (idx < 0));
end
end

function golub ()
% Golub: its genes, by distances of Octave's own.
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
D = 1 - corr (ds.X');
for epsilon = [0.2 0.3]
  [idx, corepts] = knng.dbscan (ds.X, epsilon, 5, 'Distance', 'pearson');
  [idx2, corepts2] = plainly (D, epsilon, 5);
  assert ({idx, corepts}, {idx2, corepts2});
  assert (max (idx), 16 - 14 * (epsilon == 0.3));
end
end

function D = every_pair (X, metric)
n = rows (X);
D = Inf (n);
[idx, dist] = knng.knnsearch (X, X, 'K', n, 'Distance', metric, 'Threads', 1);
[i, ~] = find (idx);
D(sub2ind ([n, n], i(:), idx(idx > 0))) = dist(idx > 0);
D(idx(:, 1) > 0 & logical (eye (n))) = 0;
end

function [idx, core] = plainly (D, epsilon, minpts)
% Point after point, as the source has it.
near = D <= epsilon;
core = sum (near, 2) >= minpts;
idx = -ones (rows (D), 1);
number = 0;
for i = find (core)'
  if (idx(i) > 0)
    continue
  end
  idx(i) = ++number;
  reached = i;
  while (! isempty (reached))
    p = reached(end);
    reached(end) = [];
    new = find (near(:, p) & idx == -1);
    idx(new) = number;
    reached = [reached; new(core(new))];
  end
end
end
