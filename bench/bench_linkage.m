function bench_linkage (which, slowest)
%BENCH_LINKAGE  Trees of normal numbers by a GPU beside the processor: seconds by the clock, the least of two calls, one where
%it takes more than 5 s. bench_linkage (which, slowest), default all rows of the table below, by their numbers; the processor
%is left out from `slowest` rows of X on, default 60 000. Where it is not, the trees have to be the same to the last bit.

  kinds = {'ward', 5e3, 100; 'ward', 2e4, 100; 'ward', 5e4, 100; 'ward', 1e5, 100; 'centroid', 2e4, 100; 'median', 2e4, 100; ...
           'average', 8192, 100; 'average', 2e4, 100; 'average', 4e4, 100; 'average', 6e4, 100; 'average', 1e5, 30; 'complete', 4e4, 100};
  if (nargin < 2)
    slowest = 6e4;
  end
  if (nargin < 1)
    which = 1:size (kinds, 1);
  end
  addpath (fileparts (fileparts (mfilename ('fullpath'))));
  list = knng.devices ();
  gpu = ~isempty (list);
  for c = which(:)'
    [method, n, d] = kinds{c,:};
    randn ('twister', 1);
    X = randn (n, d);
    [tree, cpu, gpus] = deal ({}, NaN, NaN);
    if (gpu)
      [gpus, tree{end+1}] = least (@() knng.linkage (X, method, 'euclidean', 'Device', 1, 'Progress', 'off'));
    end
    if (n < slowest)
      [cpu, tree{end+1}] = least (@() knng.linkage (X, method, 'euclidean', 'Device', 'cpu', 'Progress', 'off'));
    end
    printf ('%-9s %7d x %3d: GPU %7.3f, processor %7.3f%s\n', method, n, d, gpus, cpu, ...
            merge (numel (tree) < 2, '', merge (isequal (tree{1}, tree{end}), ', the same', ', NOT THE SAME')));
  end
end

function [t, Z] = least (f)
  start = tic ();
  Z = f ();
  t = toc (start);
  if (t < 5)
    start = tic ();
    f ();
    t = min (t, toc (start));
  end
end
