% BENCH_ESTIMATE_ROWS  Compares what knng.estimate says of rows that are there, and of their size alone, with the time of the
% search: octave-cli bench/bench_estimate_rows.m.
% k = 20, euclidean, by one thread of the CPU, or on DEVICE; seconds of the processor, or by the clock. Takes two minutes, 1 GB.

addpath (fileparts (fileparts (mfilename ('fullpath'))));
options = {'Device', 'cpu', 'Threads', 1};
clock = @cputime;
if (~isempty (getenv ('DEVICE')))
  options = {'Device', getenv('DEVICE')};
  clock = @() double (tic ()) * 1e-6;
end
randn ('twister', 1);
rand ('twister', 1);
n = 100000;
among = @(centres, rows) centres(ceil (size (centres, 1) * rand (rows, 1)), :);
turn = 1.5 * pi * (1 + 2 * rand (n, 1));
data = {'200 clusters', among(3 * randn (200, 50), n) + 0.3 * randn(n, 50)
        'a rolled-up surface', [turn .* cos(turn), 21 * rand(n, 1), turn .* sin(turn)] * randn(3, 100)
        '20 clusters 1e7 apart', among(1e7 * sign (randn (20, 30)), n) + randn(n, 30)
        '20 000 clusters of 5 rows', among(randn (20000, 20), n) + 0.05 * randn(n, 20)
        '100 clusters', among(randn (100, 295), 60000) + 0.3 * randn(60000, 295)
        'images, made up', min(255, max (0, cumsum (10 * randn (30000, 784), 2)))
        'normal', randn(n, 50)
        'normal', randn(n, 3)
        'uniform', rand(n, 5)};
for i = 1:size (data, 1)
  X = data{i, 2};
  started = clock ();
  e = knng.estimate (X, 20, options{:});
  cost = clock () - started;
  size_alone = knng.estimate (size (X, 1), size (X, 2), 20, options{:});
  started = clock ();
  [~, ~, info] = knngraph (X, 20, options{:});
  took = clock () - started;
  fprintf ('%-26s %6d x %3d  by size %6.2f s, of X %6.2f s, took %6.2f s, ratio %.2f; the estimate took %.2f s: %s\n', data{i, 1}, ...
           size (X), size_alone.seconds, e.seconds, took, e.seconds / took, cost, e.pruned);
end
