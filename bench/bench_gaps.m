% bench_gaps  Searches with missing values against complete ones: octave-cli bench/bench_gaps.m
% Rows of 295 columns in 40 clusters that overlap, k = 20; the same with 5 % missing at random, 'Rows', 'pairwise'. Prints
% a line for each metric: seconds of a whole call, the median of RUNS (5), their ratio, exact distances a row. N (24158)
% are the rows, DEVICE ('auto') is the option, METRICS are those to take.
addpath (fileparts (fileparts (mfilename ('fullpath'))));
function value = setting (name, value)
  if (~isempty (getenv (name)))
    value = getenv (name);
  end
end
function [seconds, info] = timed (X, metric, runs, varargin)
  t = zeros (1, runs);
  for r = 1:runs
    started = tic ();
    [~, ~, info] = knngraph (X, 20, metric, varargin{:});
    t(r) = toc (started);
  end
  seconds = median (t);
end
n = str2double (setting ('N', '24158'));
runs = str2double (setting ('RUNS', '5'));
device = setting ('DEVICE', 'auto');
randn ('twister', 3);
rand ('twister', 3);
X = randn (40, 295)(ceil (40 * rand (n, 1)), :) + randn (n, 295);
Z = X;
Z(rand (size (Z)) < 0.05) = NaN;
timed (X(1:min (n, 12000), :), 'pearson', 1, 'Device', device);   % the first of a session takes longer
for metric = strsplit (setting ('METRICS', 'pearson euclidean cosine cityblock'))
  [complete, info] = timed (X, metric{1}, runs, 'Device', device);
  [pairwise, gaps] = timed (Z, metric{1}, runs, 'Device', device, 'Rows', 'pairwise');
  printf ('%-12s %d rows: complete %.3f s, pairwise %.3f s, %.1f times, %.0f distances a row; %s, %s\n', metric{1}, n, complete, ...
          pairwise, pairwise / complete, gaps.refined / n, info.device, gaps.device);
end
