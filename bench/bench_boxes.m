% bench_boxes.m  Times knngraph where boxes leave out pairs against the same search of all pairs, and against kd-trees.
%
% octave-cli --path . bench/bench_boxes.m; BENCH=full adds a million rows, and data that gain nothing; BENCH_ONLY='normal 3|
% clusters' takes those rows; BENCH_TREES=50 asks trees up to so many columns. One thread each. A time is the processor time of a whole call on a double matrix, which other programs disturb
% less than the clock: the median of three after a first one; of one call from 20 s on. SciPy's cKDTree (leafsize 16),
% scikit-learn's KDTree (leaf_size 40) and nanoflann (build/bench_nanoflann, which `make bench-nanoflann` builds) are
% built and asked for k + 1 neighbours on the same numbers, once; they are left out where they are not there, and beyond
% BENCH_TREES (10) columns, where they take minutes. Prints a table in Markdown.
1;
addpath (fileparts (mfilename ('fullpath')));

function [t, out] = median_time (f)
  t = zeros (1, 4);
  for i = 1:4
    before = cputime ();
    out = f ();
    t(i) = cputime () - before;
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

% What kd-trees take: cKDTree, scikit-learn, nanoflann; NaN where one is not there.
function s = trees (X, k)
  s = NaN (1, 3);
  if (columns (X) > max ([10, str2double(getenv ('BENCH_TREES'))]))
    return
  end
  file = tempname ();
  f = fopen (file, 'w');
  fwrite (f, X', 'double');
  fclose (f);
  python = @(what) sprintf (['OMP_NUM_THREADS=1 python3 -c "' ...
    'import time, numpy as n; %s as t\n' ...
    'x = n.fromfile(''%s'').reshape(%d, %d); a = time.process_time(); t(x).query(x, %d); print(time.process_time() - a)" 2>/dev/null'], ...
    what, file, rows (X), columns (X), k + 1);
  commands = {python('from scipy.spatial import cKDTree'), python('from sklearn.neighbors import KDTree'), ...
    sprintf('build/bench_nanoflann %s %d %d %d 2>/dev/null', file, rows (X), columns (X), k)};
  for i = 1:3
    [status, text] = system (commands{i});
    if (status == 0)
      s(i) = str2double (text);
    end
  end
  delete (file);
end

function text = shown (s)
  text = '';
  if (~isnan (s))
    text = sprintf ('%.3g s', s);
  end
end

function go (name, X, k)
  only = getenv ('BENCH_ONLY');
  if (~isempty (only) && isempty (regexp (sprintf ('%s %d', name, columns (X)), only, 'once')))
    return
  end
  [t, on] = median_time (@() graph (X, k, 'auto'));
  all = NaN;
  if (rows (X) <= 2e5)
    [all, off] = median_time (@() graph (X, k, 'off'));
    if (~strcmp (on.checksum, off.checksum))
      error ('bench_boxes: %s: the results differ', name);
    end
  end
  others = [all, trees(X, k)];
  texts = cell (2, 4);
  for i = 1:4
    texts{1, i} = shown (others(i));
    texts{2, i} = '';
    if (~isnan (others(i)))
      texts{2, i} = sprintf ('%.1f', others(i) / t);
    end
  end
  printf ('| %s | %d | %d | %s | %.2g %% |%s\n', name, rows (X), columns (X), shown (t), 100 * on.refined / rows (X) ^ 2, ...
          sprintf (' %s | %s |', texts{:}));
  fflush (stdout);
end

rand ('twister', 1);
randn ('twister', 1);
printf ('| data | n | d | knngraph | pairs compared | all pairs | ratio | cKDTree | ratio | scikit-learn | ratio | nanoflann | ratio |\n');
printf ('|%s\n', repmat (' --- |', 1, 13));
n = 100000;
go ('normal', randn (n, 2), 20);
go ('normal', randn (n, 3), 20);
go ('normal', randn (n, 5), 20);
go ('normal', randn (n, 8), 20);
go ('normal', randn (n, 10), 20);
go ('clusters', made_up ('clusters', n, 10), 20);
go ('clusters', made_up ('clusters', n, 50), 20);
go ('clusters', made_up ('clusters', n, 295), 20);
go ('swiss roll', made_up ('swiss roll', n, 100), 20);
if (strcmp (getenv ('BENCH'), 'full'))
  go ('normal', randn (10 * n, 3), 20);
  go ('normal', randn (10 * n, 5), 20);
  go ('clusters', made_up ('clusters', 10 * n, 10), 20);
  go ('cells', made_up ('cells', n, 50), 20);
  go ('normal', randn (n, 16), 20);
  go ('normal', randn (n, 50), 20);
  go ('normal', randn (n, 295), 20);
end
