% bench_blocks.m  Times knngraph in the eight blocks of a checkpoint where pairs are left out, by boxes or by components,
% against the same blocks with all pairs ('Prune', 'off'), and against the search of all rows at once.
%
% octave-cli --path . bench/bench_blocks.m: one thread of the CPU, seconds of processor; BENCH_DEVICE=1 takes the first
% GPU, more rows, and the clock. Each is the least of three calls in turns, less the checksums, which have to be the same.
% BENCH_ONLY='normal 3|clusters' takes those rows. The checkpoint is in the folder of temporary files. Prints Markdown.
1;
addpath (fileparts (mfilename ('fullpath')));

function [t, out] = timed (X, device, varargin)
  start = cputime ();
  clock = tic ();
  [idx, dist, out] = knngraph (X, 20, 'Device', device, varargin{:});
  t = cputime () - start;
  if (! strcmp (device, 'cpu'))
    t = toc (clock);
  end
  out.checksum = knng.checksum (idx, dist);
end

function go (name, X)
  only = getenv ('BENCH_ONLY');
  if (! isempty (only) && isempty (regexp (sprintf ('%s %d', name, columns (X)), only, 'once')))
    return
  end
  [device, more] = deal ('cpu', {'Threads', 1});
  if (! isempty (getenv ('BENCH_DEVICE')))
    [device, more] = deal (str2double (getenv ('BENCH_DEVICE')), {});
  end
  t = zeros (3);
  confirm_recursive_rmdir (false, 'local');
  for r = 1:3
    [t(r,1), whole] = timed (X, device, more{:});
    prune = {'off', 'auto'};
    for w = 1:2
      folder = tempname ();
      [t(r,1+w), blocks] = timed (X, device, 'Checkpoint', folder, 'Prune', prune{w}, more{:});
      rmdir (folder, 's');
      if (! strcmp (blocks.checksum, whole.checksum))
        error ('bench_blocks: %s: other neighbours', name);
      end
    end
  end
  t = min (t);
  printf ('| %s | %d | %d | %.3g s | %.3g s | %.3g s | %.1f |\n', name, rows (X), columns (X), t, t(2) / t(3));
  printf ('  %s; %d components\n', blocks.pruned, blocks.components);
  fflush (stdout);
end

rand ('twister', 1);
randn ('twister', 1);
warning ('off', 'all');
n = 100000;
if (! isempty (getenv ('BENCH_DEVICE')))
  n = 1000000;
end
printf ('| data | n | d | at once | all pairs | auto | ratio |\n| --- | --- | --- | --- | --- | --- | --- |\n');
go ('normal', single (randn (n, 3)));
go ('clusters', single (made_up ('clusters', n, 10)));
go ('clusters', single (made_up ('clusters', n, 50)));
go ('20 clusters', single (randn (0.4 * n, 100) + 20 * randn (20, 100)(ceil (20 * rand (0.4 * n, 1)), :)));
go ('cells', single (made_up ('cells', n, 50)));
go ('normal', randn (0.4 * n, 50, 'single'));
if (isempty (getenv ('BENCH_DEVICE')))
  go ('images of spots', made_up ('spots', 60000, 784));
end
