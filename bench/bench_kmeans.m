function bench_kmeans (python, n, d, k, iterations)
%BENCH_KMEANS  knng.kmeans beside scikit-learn, from the same starts: processor time, and time by the clock.
%   bench_kmeans (python, n, d, k, iterations), default 'python3', 1e6, 50, 100, 20. python has scikit-learn. Two kinds of
%   rows: normally distributed around k centres that are themselves so, and uniform. Prints both times, iterations
%   and the sum of the distances of each, and how many rows are in other clusters.

  if (nargin < 5)
    [python, n, d, k, iterations] = deal ('python3', 1e6, 50, 100, 20);
  end
  here = fileparts (mfilename ('fullpath'));
  addpath (fileparts (here));
  folder = tempname ();
  mkdir (folder);
  clean = onCleanup (@() system (['rm -r ' folder]));
  dlmwrite (fullfile (folder, 'size.txt'), [n d k], ' ');
  for kind = {'clusters', 'uniform'}
    rand ('twister', 1);
    randn ('state', 1);
    X = rand (n, d);
    if (strcmp (kind{1}, 'clusters'))
      C = randn (k, d);
      X = C(ceil (k * X(:, 1)), :) + randn (n, d);
    end
    C = X(1:k, :);
    put (fullfile (folder, 'X.bin'), X);
    put (fullfile (folder, 'C.bin'), C);
    warning ('off', 'knng:data:notConverged', 'local');
    for threads = [1 2]
      [begun, since] = deal (cputime (), tic ());
      [idx, ~, ~, ~, info] = knng.kmeans (X, k, 'Start', C, 'MaxIter', iterations, 'Threads', threads, 'Progress', 'off');
      clock_says = toc (since);
      printf ('%s: knng.kmeans, %d threads: %.2f s of processor, %.2f s, %d iterations, %.17g; %.0f %% of distances computed\n', kind{1}, ...
              threads, cputime () - begun, clock_says, info.iterations, info.total, 100 * info.computed);
    end
    [status, text] = system (sprintf ('%s %s %s %d', python, fullfile (here, 'kmeans.py'), folder, iterations));
    if (status ~= 0)
      error ('bench_kmeans: %s', text);
    end
    for line = strsplit (strtrim (text), "\n")
      word = strsplit (line{1}, ' ');
      f = fopen (fullfile (folder, [word{1} '.bin']));
      other = fread (f, Inf, 'double');
      fclose (f);
      printf ('%s: scikit-learn, %s: %s s of processor, %s s, %s iterations, %s; %d rows elsewhere\n', kind{1}, word{:}, sum (other ~= idx));
    end
  end
end

function put (name, X)
  f = fopen (name, 'w');
  fwrite (f, X, 'double');
  fclose (f);
end
