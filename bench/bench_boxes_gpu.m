% bench_boxes_gpu.m  Times knngraph on a GPU where boxes leave out pairs, against the same search of all pairs.
%
% octave-cli --path . bench/bench_boxes_gpu.m; BENCH_ONLY='normal 3|clusters' takes those rows, BENCH_DEVICE='gpu' all
% GPUs (default: the first). A time is the wall-clock time of a whole call on a matrix of doubles: the median of three
% after a first one. 'Prune' is 'off', 'on' and 'auto'; all have to give one checksum. Prints a table in Markdown, and
% below each row the stages of the last call of each.
1;
addpath (fileparts (mfilename ('fullpath')));

function [t, out] = median_time (f)
  t = zeros (1, 4);
  for i = 1:4
    start = tic ();
    out = f ();
    t(i) = toc (start) - out.aside;
  end
  t = median (t(2:4));
end

function out = graph (X, k, metric, prune)
  device = getenv ('BENCH_DEVICE');
  if (isempty (device))
    device = 1;
  end
  [idx, dist, out] = knngraph (X, k, metric, 'Device', device, 'Prune', prune);
  start = tic ();
  out.checksum = knng.checksum (idx, dist);
  out.aside = toc (start);
end

function go (name, X, k, metric)
  only = getenv ('BENCH_ONLY');
  if (~isempty (only) && isempty (regexp (sprintf ('%s %d', name, columns (X)), only, 'once')))
    return
  end
  ways = {'off', 'on', 'auto'};
  for w = 1:3
    [t(w), out(w)] = median_time (@() graph (X, k, metric, ways{w}));
  end
  same = 'same';
  if (~all (strcmp ({out.checksum}, out(1).checksum)))
    same = 'THEY DIFFER';
  end
  printf ('| %s | %s | %d | %d | %d | %.3f s | %.3f s | %.3f s | %.1f | %.3g %% | %s |\n', name, metric, rows (X), columns (X), k, ...
          t, t(1) / t(3), 100 * out(2).refined / rows (X) ^ 2, same);
  for w = 1:3
    s = out(w).seconds;
    printf ('  %s: prepare %.4f, filter %.4f, refine %.4f, sink %.4f, total %.4f; %s\n', ways{w}, s.prepare, s.filter, s.refine, s.sink, ...
            s.total, out(w).pruned);
  end
  fflush (stdout);
end

rand ('twister', 1);
randn ('twister', 1);
knngraph (randn (20000, 10), 5, 'Device', 1);  % the GPU starts
printf ('| data | metric | n | d | k | all pairs | on | auto | ratio | pairs compared | checksums |\n|%s\n', repmat (' --- |', 1, 11));
n = 100000;
go ('uniform', rand (10 * n, 3), 10, 'euclidean');
go ('normal', randn (10 * n, 3), 10, 'euclidean');
go ('normal', randn (10 * n, 5), 10, 'euclidean');
go ('normal', randn (10 * n, 10), 10, 'euclidean');
go ('normal', randn (n, 3), 10, 'euclidean');
go ('normal', randn (n, 6), 10, 'euclidean');
go ('normal', randn (n, 10), 10, 'euclidean');
go ('normal', randn (n, 16), 10, 'euclidean');
go ('normal', randn (n, 5), 100, 'euclidean');
go ('normal', randn (n, 4), 10, 'cityblock');
go ('normal', randn (n, 5), 10, 'pearson');
go ('clusters', made_up ('clusters', n, 10), 20, 'euclidean');
go ('clusters', made_up ('clusters', n, 50), 20, 'euclidean');
go ('clusters', made_up ('clusters', n, 150), 20, 'euclidean');
go ('clusters', made_up ('clusters', n, 295), 20, 'pearson');
go ('clusters', made_up ('clusters', 10 * n, 10), 20, 'euclidean');
go ('clusters', made_up ('clusters', 10 * n, 50), 20, 'euclidean');
go ('swiss roll', made_up ('swiss roll', n, 100), 20, 'euclidean');
go ('cells', made_up ('cells', n, 50), 20, 'euclidean');
go ('records', made_up ('records', 5 * n, 41), 5, 'euclidean');
