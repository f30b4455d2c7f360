% bench_range.m  Times knng.rangegraph, with a radius that has 20 rows of each on average, against knngraph with k = 20.
%
% octave-cli --path . bench/bench_range.m; BENCH=full adds a million rows. One thread each. A time is the wall time of a
% whole call on a double matrix that returns idx and dist, the median of three after a first one. Every row's neighbours
% within the radius are compared with those of knngraph. BENCH=gpu: on the GPUs, beside all threads of the CPU, whose
% answer is compared, and knngraph with k = 20 on the GPUs. Prints a table in Markdown.
1;
addpath (fileparts (mfilename ('fullpath')));

function [t, out] = median_time (f)
  t = zeros (1, 4);
  for i = 1:4
    clock = tic ();
    out = f ();
    t(i) = toc (clock);
  end
  t = median (t(2:4));
end

function out = nearest (X, metric)
  [out.idx, out.dist] = knngraph (X, 20, metric, 'Threads', 1, 'Device', 'cpu');
end

function out = within (X, r, metric)
  [out.idx, out.dist, out.info] = knng.rangegraph (X, r, metric, 'Threads', 1, 'Device', 'cpu');
end

function r = radius_of (X, metric)
  % of 500 rows, as queries, 21 have 20 others and themselves within it
  some = X(round (linspace (1, rows (X), 500)), :);
  [~, dist] = knng.knnsearch (X, some, 'K', 1000, 'Distance', metric);
  all = sort (dist(:));
  r = all(500 * 21);
end

function same (name, near, found, r)
  for i = 1:rows (near.idx)
    n = sum (near.dist(i,:) <= r);
    if (numel (found.idx{i}) < n || (n < 20 && numel (found.idx{i}) > n) || ...
        ! isequal ({found.idx{i}(1:n), found.dist{i}(1:n)}, {near.idx(i,1:n), near.dist(i,1:n)}))
      error ('bench_range: %s: row %d differs', name, i);
    end
  end
end

function go (name, X, metric)
  r = radius_of (X, metric);
  [t, near] = median_time (@() nearest (X, metric));
  [s, found] = median_time (@() within (X, r, metric));
  same (name, near, found, r);
  printf ('| %s, %s | %d | %d | %.1f | %.3g s | %.3g s | %.2f | %s |\n', name, metric, rows (X), columns (X), ...
          mean (cellfun ('numel', found.idx)), s, t, s / t, strtok (found.info.pruned, ':'));
  fflush (stdout);
end

function out = on (X, r, metric, device)
  [out.idx, out.dist, out.info] = knng.rangegraph (X, r, metric, 'Device', device);
end

function out = graph (X, metric)
  [out.idx, out.dist] = knngraph (X, 20, metric, 'Device', 'gpu');
end

function go_gpu (name, X, metric, more)
  % more: as many times as many neighbours
  some = X(round (linspace (1, rows (X), 500)), :);
  [~, dist] = knng.knnsearch (X, some, 'K', 1000, 'Distance', metric);
  all = sort (dist(:));
  r = all(500 * (20 * more + 1));
  [t, found] = median_time (@() on (X, r, metric, 'gpu'));
  clock = tic ();
  right = on (X, r, metric, 'cpu');
  c = toc (clock);
  if (! isequal ({found.idx, found.dist}, {right.idx, right.dist}))
    error ('bench_range: %s: the GPU finds other rows', name);
  end
  k = median_time (@() graph (X, metric));
  count = cellfun ('numel', found.idx);
  clock = tic ();
  a = knng.dbscan (X, r, 10, 'Distance', metric, 'Device', 'gpu');
  d(1) = toc (clock);
  clock = tic ();
  b = knng.dbscan (X, r, 10, 'Distance', metric, 'Device', 'cpu');
  d(2) = toc (clock);
  printf ('| %s | %s | %d | %d | %.1f | %d | %.3g s | %.3g s | %.3g s | %.3g s | %.3g s%s |\n', name, metric, rows (X), columns (X), mean (count), ...
          max (count), t, c, k, d, repmat (' (other clusters)', 1, ! isequal (a, b)));
  fflush (stdout);
end

rand ('twister', 1);
randn ('twister', 1);
if (strcmp (getenv ('BENCH'), 'gpu'))
  printf ('| data | metric | n | d | a row has | at most | GPU | CPU | knngraph, k = 20 | dbscan, GPU | CPU |\n');
  printf ('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n');
  n = 100000;
  go_gpu ('normal', randn (n, 3), 'euclidean', 1);
  go_gpu ('normal', randn (n, 10), 'euclidean', 1);
  go_gpu ('normal', randn (n, 50), 'euclidean', 1);
  go_gpu ('normal', randn (n, 295), 'pearson', 1);
  go_gpu ('normal', randn (n, 50), 'euclidean', 10);
  go_gpu ('clusters', made_up ('clusters', n, 50), 'euclidean', 1);
  go_gpu ('clusters', made_up ('clusters', n, 295), 'euclidean', 10);
  go_gpu ('uniform', rand (5 * n, 3), 'euclidean', 1);
  go_gpu ('uniform', rand (5 * n, 12), 'euclidean', 1);
  exit (0);
end
printf ('| data | n | d | a row has | rangegraph | knngraph, k = 20 | ratio | boxes |\n');
printf ('| --- | --- | --- | --- | --- | --- | --- | --- |\n');
n = 100000;
go ('normal', randn (n, 2), 'euclidean');
go ('normal', randn (n, 3), 'euclidean');
go ('normal', randn (n, 3), 'cityblock');
go ('normal', randn (n, 10), 'euclidean');
go ('clusters', made_up ('clusters', n, 10), 'euclidean');
go ('clusters', made_up ('clusters', n, 50), 'euclidean');
go ('normal', randn (n / 5, 100), 'pearson');
go ('normal', randn (n / 5, 100), 'chebychev');
go ('normal', randn (n / 5, 1000), 'euclidean');
if (strcmp (getenv ('BENCH'), 'full'))
  go ('normal', randn (10 * n, 3), 'euclidean');
end
