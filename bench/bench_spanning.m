function bench_spanning (python, which)
%BENCH_SPANNING  knng.minspantree (X), knng.linkage (X, 'single') and knng.hdbscan beside a search of knngraph, and the Python
%package hdbscan: processor seconds, and seconds.
%   bench_spanning (python, which), default 'python3' and all rows of the table below, by their numbers. python has hdbscan, or is
%   '': then it is left out. Each is run three times, and the median is printed; of 10^6 rows once.

  if (nargin < 2)
    which = 1:7;
  end
  if (nargin < 1)
    python = 'python3';
  end
  here = fileparts (mfilename ('fullpath'));
  addpath (fileparts (here));
  two = {'Threads', 2, 'Progress', 'off'};
  kinds = {'normal', 1e5, 10; 'groups', 1e5, 10; 'three', 1e5, 10; 'many', 6e4, 10; 'normal', 1e6, 3; 'groups', 1e6, 10; 'normal', 1e6, 10};
  for c = which(:)'
    [kind, n, d] = kinds{c,:};
    X = points (kind, n, d);
    runs = 3 - 2 * (n > 2e5);
    printf ('%s, %d x %d:\n', kind, n, d);
    show ('knngraph, k = 20', runs, @() knngraph (X, 20, 'euclidean', two{:}));
    show ('knng.minspantree', runs, @() knng.minspantree (X, two{:}));
    show ('knng.linkage, single', runs, @() knng.linkage (X, 'single', 'euclidean', two{:}));
    if (n <= 2e5)
      show ('knng.hdbscan, 20', runs, @() knng.hdbscan (X, 20, two{:}));
      if (~isempty (python))
        name = [tempname() '.bin'];
        f = fopen (name, 'w');
        fwrite (f, X', 'double');
        fclose (f);
        system (sprintf ('%s %s %s %d %d', python, fullfile (here, 'hdbscan_of.py'), name, d, runs));
        delete (name);
      end
    end
  end
end

function X = points (kind, n, d)
  rand ('twister', 1);
  randn ('twister', 1);
  X = randn (n, d);
  if (strcmp (kind, 'groups'))                               % thirty, of several densities
    C = 10 * randn (30, d);
    g = ceil (30 * rand (n, 1));
    X = C(g,:) + X .* (0.3 + 0.05 * g);
  elseif (strcmp (kind, 'three'))
    X = [X(1:n/2,:); 0.3 * X(n/2+1:3*n/4,:) + 3; X(3*n/4+1:end,:) - 5];
  elseif (strcmp (kind, 'many'))                             % three hundred, far apart
    C = 100 * rand (300, d);
    X = X + C(ceil (300 * rand (n, 1)),:);
  end
end

function show (name, runs, f)
  [cpu, wall] = deal (zeros (1, runs));
  for r = 1:runs
    [c, w] = deal (cputime (), tic ());
    f ();
    [cpu(r), wall(r)] = deal (cputime () - c, toc (w));
  end
  printf ('  %-40s %8.2f s of processor, %8.2f s\n', name, median (cpu), median (wall));
end
