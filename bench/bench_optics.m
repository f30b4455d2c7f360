function bench_optics (python, which)
%BENCH_OPTICS  knng.optics beside scikit-learn's OPTICS: processor seconds, and seconds.
%   bench_optics (python, which), default 'python3' and all rows of the table below, by their numbers. python has scikit-learn, or is '': then it
%   is left out. Of knng.optics the median of three runs is printed, of scikit-learn, which may take minutes, one run of up to 20 000 rows.

  if (nargin < 2)
    which = 1:6;
  end
  if (nargin < 1)
    python = 'python3';
  end
  here = fileparts (mfilename ('fullpath'));
  addpath (fileparts (here));
  kinds = {'normal', 10000, 10; 'groups', 10000, 10; 'normal', 20000, 50; 'groups', 20000, 50; 'groups', 1e5, 10; 'normal', 1e5, 3};
  for c = which(:)'
    [kind, n, d] = kinds{c,:};
    rand ('twister', 1);
    randn ('twister', 1);
    X = randn (n, d);
    if (strcmp (kind, 'groups'))                             % thirty, of several densities
      C = 10 * randn (30, d);
      g = ceil (30 * rand (n, 1));
      X = C(g,:) + X .* (0.3 + 0.05 * g);
    end
    printf ('%s, %d x %d, minpts 10:\n', kind, n, d);
    [cpu, wall] = deal (zeros (1, 3));
    for r = 1:3
      [t, w] = deal (cputime (), tic ());
      idx = knng.optics (X, 10, 'Threads', 2, 'Progress', 'off');
      [cpu(r), wall(r)] = deal (cputime () - t, toc (w));
    end
    printf ('  %-40s %8.2f s of processor, %8.2f s; %d clusters\n', 'knng.optics', median (cpu), median (wall), max (idx));
    if (~isempty (python) && n <= 20000)
      name = [tempname() '.bin'];
      f = fopen (name, 'w');
      fwrite (f, X', 'double');
      fclose (f);
      system (sprintf ('%s -W ignore %s %s %d 10', python, fullfile (here, 'optics_of.py'), name, d));
      delete (name);
    end
  end
end
