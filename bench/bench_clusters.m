function bench_clusters (python)
%BENCH_CLUSTERS  Trees, centres, silhouettes and components beside Octave's statistics package, SciPy and scikit-learn, of the same
%rows: processor seconds, the least of three runs, of calls that take more than a few seconds one. At last a tree of 20 000 x 100 by
%average beside SciPy's, processor seconds and seconds by the clock, two calls after a first one, as memory that is new to the machine is slow.
%   bench_clusters (python), default 'python3', which has SciPy and scikit-learn; '': these are left out. The statistics package has
%   to be installed.

  if (nargin < 1)
    python = 'python3';
  end
  here = fileparts (mfilename ('fullpath'));
  addpath (fileparts (here));
  statistics (true);
  rand ('twister', 1);
  randn ('twister', 1);
  for n = [400, 2000]
    X = randn (n, 20) + 4 * randn (10, 20)(randi (10, n, 1), :);
    start = X(1:10, :);
    y = pdist (X);
    Z = knng.linkage (X, 'average');
    T = knng.cluster (Z, 'MaxClust', 10);
    printf ('%d x 20\n', n);
    for method = {'single', 'average', 'ward'}
      pair (['linkage, ' method{1}], @() knng.linkage (X, method{1}), @() linkage (pdist (X), method{1}));
    end
    pair ('cluster, 10', @() knng.cluster (Z, 'MaxClust', 10), @() cluster (Z, 'MaxClust', 10));
    pair ('inconsistent', @() knng.inconsistent (Z), @() inconsistent (Z));
    pair ('cophenet', @() knng.cophenet (Z, y), @() cophenet (Z, y));
    if (n < 1000)
      pair ('optimalleaforder', @() knng.optimalleaforder (Z, y), @() optimalleaforder (Z, y));
    end
    pair ('kmeans, 10', @() knng.kmeans (X, 10, 'Start', start), @() kmeans (X, 10, 'Start', start));
    pair ('silhouette', @() knng.silhouette (X, T), []);                                     % always draws
    pair ('pca', @() knng.pca (X), @() pca (X));
    if (~isempty (python))
      others (python, here, X);
    end
  end
  statistics (false);
  X = randn (20000, 100);
  printf ('20000 x 100\n');
  for r = 1:3
    [c, w] = deal (cputime (), tic ());
    Z = knng.linkage (X, 'average', 'euclidean', 'Progress', 'off');                          %#ok<NASGU>
    printf ('  linkage, average     %9.2f   by the clock %9.2f\n', cputime () - c, toc (w));
  end
  if (~isempty (python))
    others (python, here, X);
  end
end

function others (python, here, X)
  name = [tempname() '.bin'];
  f = fopen (name, 'w');
  fwrite (f, X', 'double');
  fclose (f);
  system (sprintf ('%s %s %s %d', python, fullfile (here, 'clusters_of.py'), name, columns (X)));
  delete (name);
end

function statistics (on)
  found = pkg ('list', 'statistics');
  state = warning ('off', 'Octave:shadowed-function');
  if (! isempty (strfind (path (), found{1}.dir)))
    rmpath (found{1}.dir);
  end
  if (on)
    addpath (found{1}.dir);
  end
  warning (state);
end

function pair (name, ours, theirs)
  statistics (false);
  a = least (ours);
  if (isempty (theirs))
    printf ('  %-20s %9.4f\n', name, a);
    statistics (true);
    return
  end
  statistics (true);                                         % for its own calls alone: it has other means and medians than Octave
  b = least (theirs);
  printf ('  %-20s %9.4f   statistics %9.4f   ratio %8.1f\n', name, a, b, b / max (a, eps));
end

function t = least (f)
  t = Inf;
  for r = 1:3
    begun = cputime ();
    count = 0;
    while (count < 1 || (cputime () - begun < 0.05 && count < 1000))
      out = f ();                                            %#ok<NASGU>
      count++;
    end
    t = min (t, (cputime () - begun) / count);
    if (t > 5)
      return
    end
  end
end
