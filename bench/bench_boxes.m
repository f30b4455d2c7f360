% bench_boxes.m  Times knngraph where boxes leave out pairs against the same search of all pairs, and against SciPy's cKDTree.
%
% octave-cli --path . bench/bench_boxes.m; BENCH=full adds a million rows. One thread each, so that nothing is shared out
% unevenly. A time is the wall time of a whole call on a double matrix, the median of three after a first one; of one call
% from 20 s on. cKDTree (leafsize 16, its default) is built and asked for k + 1 neighbours in one process of Python, on
% the same numbers; it is left out where python3 has no SciPy, and beyond 10 columns, where it takes minutes. Prints a
% table in Markdown.
1;

function [t, out] = median_time (f)
  t = zeros (1, 4);
  for i = 1:4
    clock = tic ();
    out = f ();
    t(i) = toc (clock);
    if (t(i) > 20)
      t = t(i);
      return
    end
  end
  t = median (t(2:4));
end

function out = graph (X, k, prune)
  [idx, dist, out] = knngraph (X, k, 'euclidean', 'Threads', 1, 'Device', 'cpu', 'Prune', prune);
  out.checksum = knng.checksum (idx, dist);
end

function s = ckdtree (X, k)
  s = NaN;
  if (columns (X) > 10)
    return
  end
  file = tempname ();
  f = fopen (file, 'w');
  fwrite (f, X', 'double');
  fclose (f);
  [status, text] = system (sprintf (['OMP_NUM_THREADS=1 python3 -c "' ...
    'import time, numpy as n; from scipy.spatial import cKDTree as t\n' ...
    'x = n.fromfile(''%s'').reshape(%d, %d); a = time.time(); t(x).query(x, %d); print(time.time() - a)"'], ...
    file, rows (X), columns (X), k + 1));
  delete (file);
  if (status == 0)
    s = str2double (text);
  end
end

function text = shown (s)
  text = '';
  if (~isnan (s))
    text = sprintf ('%.3g s', s);
  end
end

function go (name, X, k)
  [t, on] = median_time (@() graph (X, k, 'auto'));
  [all, off] = median_time (@() graph (X, k, 'off'));
  if (~strcmp (on.checksum, off.checksum))
    error ('bench_boxes: %s: the results differ', name);
  end
  tree = ckdtree (X, k);
  compared = 100 * on.refined / rows (X) ^ 2;
  ratio = {sprintf('%.1f', all / t), ''};
  if (~isnan (tree))
    ratio{2} = sprintf ('%.1f', tree / t);
  end
  printf ('| %s | %d | %d | %s | %.2g %% | %s | %s | %s | %s |\n', name, rows (X), columns (X), shown (t), compared, ...
          shown (all), ratio{1}, shown (tree), ratio{2});
  fflush (stdout);
end

function X = clusters (n, d)
  centres = 20 * randn (n / 1000, d);
  X = randn (n, d) + centres(ceil (n / 1000 * rand (n, 1)), :);
end

function X = swiss_roll (n, d)
  t = 10 * rand (n, 1);
  X = [t .* cos(t), t .* sin(t), 10 * rand(n, 1)] * randn (3, d) + 0.01 * randn (n, d);
end

rand ('twister', 1);
randn ('twister', 1);
printf ('| data | n | d | knngraph | pairs compared | all pairs | ratio | cKDTree | ratio |\n');
printf ('| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n');
n = 100000;
go ('normal', randn (n, 2), 20);
go ('normal', randn (n, 3), 20);
go ('normal', randn (n, 5), 20);
go ('normal', randn (n, 8), 20);
go ('normal', randn (n, 10), 20);
go ('clusters', clusters (n, 10), 20);
go ('clusters', clusters (n, 50), 20);
go ('clusters', clusters (n, 295), 20);
go ('swiss roll', swiss_roll (n, 100), 20);
if (strcmp (getenv ('BENCH'), 'full'))
  go ('normal', randn (10 * n, 3), 20);
  go ('clusters', clusters (10 * n, 10), 20);
end
