% bench_far.m  Times knngraph where rows lie far apart: clusters, fill values, huge rows, beside normal rows.
%
% octave-cli --path . bench/bench_far.m on one thread of the CPU; BENCH_DEVICE=1 on that GPU, with more rows;
% BENCH_ONLY='two|normal' takes those data. Least of three calls (of one, from 3 s on): of processor time on the CPU, by
% the clock on a GPU. 'at once' is one search of all rows, as 'TileSize' asks for, with 'auto' and 'off' for 'Prune'.
% The checksums of a line have to be the same. Prints a table in Markdown.
1;

function X = far_rows (kind, n, d)
  randn ('twister', 1);
  rand ('twister', 1);
  X = randn (n, d);
  clusters = @(count, apart) randn (count, d)(randi (count, n, 1), :) * apart / sqrt (2 * d);
  switch kind
    case 'one row 10^30 times as long', X(7, :) *= 1e30;
    case '-9999 in 30 % of a column', X(rand (n, 1) < 0.3, 1) = -9999;
    case '10^20 in 30 % of a column', X(rand (n, 1) < 0.3, 1) = 1e20;
    case '10^20 in 10 % of three columns', X([rand(n, 3) < 0.1, false(n, d - 3)]) = 1e20;
    case 'every second row 10^3 apart', X(1:2:n, :) += 1e3 / sqrt (d);
    case 'every second row 10^8 apart', X(1:2:n, :) += 1e8 / sqrt (d);
    case '20 clusters 10^3 apart', X += clusters (20, 1e3);
    case '20 clusters 10^7 apart', X += clusters (20, 1e7);
    case '200 clusters 10^12 apart', X += clusters (200, 1e12);
    case '5 clusters 10^5 apart in each of 4, 10^10 apart', X += clusters (5, 1e5) + clusters (4, 1e10);
    case 'long tails', X = tan (pi * (rand (n, d) - 0.5));
  end
end

function [t, info, sum] = least_time (X, k, options)
  on_gpu = ~isempty (getenv ('BENCH_DEVICE'));
  device = {'Device', 'cpu', 'Threads', 1};
  if (on_gpu)
    device = {'Device', str2double(getenv ('BENCH_DEVICE'))};
  end
  t = Inf;
  for i = 1:3
    before = [cputime(), now() * 86400];
    start = tic ();
    [idx, dist, info] = knngraph (X, k, 'euclidean', 'Progress', 'off', device{:}, options{:});
    took = [cputime() - before(1), toc(start)](1 + on_gpu);
    t = min (t, took);
    if (took > 3)
      break
    end
  end
  sum = knng.checksum (idx, dist);
end

kinds = {'normal', 'one row 10^30 times as long', '-9999 in 30 % of a column', '10^20 in 30 % of a column', ...
         '10^20 in 10 % of three columns', 'every second row 10^3 apart', 'every second row 10^8 apart', ...
         '20 clusters 10^3 apart', '20 clusters 10^7 apart', '200 clusters 10^12 apart', '5 clusters 10^5 apart in each of 4, 10^10 apart', 'long tails'};
sizes = [20000 50; 8000 300];
if (~isempty (getenv ('BENCH_DEVICE')))
  sizes = [100000 50; 100000 295];
end
if (~isempty (getenv ('BENCH_ONLY')))
  kinds = kinds(~cellfun (@isempty, regexp (kinds, getenv ('BENCH_ONLY'))));
end
warning ('off', 'knng:data:fill');
printf ('| data | rows | ''auto'' | ''off'' | at once | ''off'' | clusters |\n| --- | --- | --- | --- | --- | --- | --- |\n');
for s = sizes'
  for k = kinds
    X = far_rows (k{1}, s(1), s(2));
    least_time (X(1:1000, :), 20, {});
    [a, info, sum] = least_time (X, 20, {});
    [b, ~, second] = least_time (X, 20, {'Prune', 'off'});
    [c, ~, third] = least_time (X, 20, {'TileSize', info.tilesize});
    [e, ~, fourth] = least_time (X, 20, {'Prune', 'off', 'TileSize', info.tilesize});
    same = {'', ' DIFFERENT'}{2 - isequal (sum, second, third, fourth)};
    found = regexp (info.pruned, '^yes: ([^;]*far from[^;]*)', 'tokens', 'once');
    printf ('| %s%s | %d x %d | %.3f s | %.3f s | %.3f s | %.3f s | %s |\n', k{1}, same, s, a, b, c, e, strjoin ([found, {'no'}](1)));
    fflush (stdout);
  end
end
