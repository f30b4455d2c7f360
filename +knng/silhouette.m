function s = silhouette (X, clust, varargin)
%KNNG.SILHOUETTE  How well each row of a matrix fits its cluster.
%   s = knng.silhouette (X, clust) compares, for every row of the n-by-d matrix
%   X, the mean a of its distances to the other rows of its cluster with b, the
%   mean of its distances to the rows of the nearest other cluster, that of the
%   smallest mean. s is n-by-1, from -1 to 1:
%
%       s(i) = (b - a) / max (a, b)
%
%   s = knng.silhouette (X, clust, metric) measures with another metric of
%   knngraph than 'sqeuclidean', the default here, as in MATLAB.
%   s = knng.silhouette (..., 'Name', value, ...) takes options.
%
%   Near 1 the row lies well within its cluster, near 0 between two, below 0 it
%   is nearer to another cluster than to its own. mean (s) says how good a
%   clustering is, and so which of several is best. clust are n labels: numbers,
%   logicals, a cell of texts or a char matrix.
%
%   Options:
%
%     'Distance'  the metric, if it is not the third argument, default
%                 'sqeuclidean'
%     'Threads', 'Progress'  as in knngraph
%
%   A row that is alone in its cluster has the value 1, as in MATLAB and
%   Octave's statistics package (in the source and in scikit-learn 0); where a
%   and b are equal it is 0. Rows without a label (NaN, '') and rows without
%   distances (see knngraph) have NaN and take no part; all have NaN if there is
%   but one cluster. The noise of knng.dbscan, -1, is a cluster like others:
%   leave it out with clust(clust < 0) = NaN.
%
%   Distances are those of knngraph to the last bit, all of them, summed in the
%   order of the rows of a cluster: every machine and every number of threads
%   gives the same values. Nothing is drawn: see knng.scatter for points in the
%   colours of s.
%
%   Cost: n*n*d operations on the CPU; 10 000 rows of 300 columns take 5.5
%   seconds on 2 cores. Memory 8*n*d bytes, and 512 bytes a cluster for each
%   thread. Ctrl-C stops it.
%
%   Errors: knng:args:labels (no labels, or not one for each row);
%   knng:args:class, :sparse, :complex, :dims, :empty, :rows, :metric, :option,
%   :unknownOption, :count; knng:memory:host; knng:interrupted.
%
%   Source: P. Rousseeuw, Silhouettes: a graphical aid to the interpretation and
%   validation of cluster analysis, Journal of Computational and Applied
%   Mathematics 20 (1987) 53-65.
%
%   Example:
%     X = [0; 1; 2; 10; 11; 12; 5];
%     s = knng.silhouette (X, [1 1 1 2 2 2 2], 'cityblock');
%     round (100 * s')                    % 84 88 80 70 73 70 -33
%
%   See also knng.evalclusters, knng.kmeans, knng.dbscan, knng.spectralcluster,
%   knng.scatter, knngraph.

  if (nargin < 2)
    error ('knng:args:count', ['knng.silhouette needs a matrix and the cluster of each row, as in ' ...
           'knng.silhouette (X, clust): see help knng.silhouette']);
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  opt = struct ('Distance', 'sqeuclidean', 'Threads', [], 'Progress', 'auto');
  [opt, given] = knng.internal.options (opt, knng.internal.metric_first (opt, varargin));
  metric = knng.internal.metric (opt.Distance);
  knng.internal.engine (given, {'Threads', 'Progress'});
  code = knng.internal.label_codes (clust);
  knng.internal.check_labels (numel (code), X);
  s = knng.internal.silhouette (X, metric, code, opt);
end

%!function s = plainly (D, clust)
%!  for i = 1:rows (D)
%!    a = mean (D(i, clust == clust(i) & (1:rows (D))' ~= i));
%!    b = Inf;
%!    for c = setdiff (clust, clust(i))'
%!      b = min (b, mean (D(i, clust == c)));
%!    end
%!    s(i, 1) = (b - a) / max (a, b);
%!  end
%!endfunction

%!test <*1>
%! X = [0; 1; 2; 10; 11; 12; 5];
%! s = knng.silhouette (X, [1 1 1 2 2 2 2], 'cityblock');
%! assert (round (100 * s'), [84 88 80 70 73 70 -33]);

%!test  # what silhouette_samples of scikit-learn 1.9.1 gives
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! clust = [1 1 2 2 1 3 2 1 1 3 2 3];
%! assert (knng.silhouette (X, clust, 'euclidean')', [0.284292148 0.297422418 -0.138528516 0.277579588 0.214580725 -0.246877273 ...
%!         -0.153602892 0.403352389 0.451892343 0.225816421 -0.028632681 -0.263941055], 1e-9);
%! assert (knng.silhouette (X, clust, 'cityblock')', [0.284753363 0.290322581 -0.162790698 0.232 0.293193717 -0.261904762 ...
%!         -0.111111111 0.393292683 0.424778761 0.295918367 -0.091503268 -0.290688259], 1e-9);

%!test  # against all distances
%! X = reshape (knng.internal.random (1, 900), 300, 3);
%! clust = floor (mod ((1:300)' .^ 2 / 7, 5));
%! D = sqrt (sum ((permute (X, [1 3 2]) - permute (X, [3 1 2])) .^ 2, 3));
%! assert (knng.silhouette (X, clust), plainly (D .^ 2, clust), 1e-13);
%! assert (knng.silhouette (X, clust, 'Euclidean', 'Threads', 1), plainly (D, clust), 1e-13);
%! assert (knng.silhouette (X, clust, 'chebychev'), plainly (max (abs (permute (X, [1 3 2]) - permute (X, [3 1 2])), [], 3), clust), 1e-13);
%! assert (knng.silhouette (X, clust, 'antipearson'), plainly (1 + corr (X'), clust), 1e-12);
%! assert (knng.silhouette (X, clust, 'Threads', 3), knng.silhouette (X, clust, 'Threads', 1));
%! assert (knng.silhouette (single (X), clust), knng.silhouette (double (single (X)), clust));

%!test  # golub: its samples in their classes
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! s = knng.silhouette (ds.X', ds.classes, 'pearson');
%! assert (s, plainly (1 - corr (ds.X), ds.classes(:)), 1e-12);
%! assert (mean (s), 0.2011, 1e-4);

%!test  # labels of every kind; alone; without a label; without distances; equal rows; one cluster
%! X = [0; 1; 2; 10; 11; 12; 50];
%! s = knng.silhouette (X, [1 1 1 2 2 2 7]);
%! assert (s(7), 1);
%! assert (knng.silhouette (X, {'b', 'b', 'b', 'a', 'a', 'a', 'z'}), s);
%! assert (knng.silhouette (X, ['bb'; 'bb'; 'bb'; 'a '; 'a '; 'a '; 'z ']), s);
%! some = knng.silhouette (X(1:6), logical ([0 0 0 1 1 1]));
%! assert (knng.silhouette (X, [1 1 1 2 2 2 NaN]), [some; NaN]);
%! assert (knng.silhouette ([X(1:6); NaN], [1 1 1 2 2 2 2]), [some; NaN]);
%! assert (knng.silhouette (X([1 1 1 1]), [1 1 2 2]), zeros (4, 1));
%! assert (knng.silhouette (X, ones (7, 1)), NaN (7, 1));
%! assert (knng.silhouette (X, NaN (7, 1)), NaN (7, 1));
%! assert (knng.silhouette (1e300 * X(1:6), [1 1 1 2 2 2]), zeros (6, 1));   # every distance is Inf

%!error id=knng:args:count knng.silhouette (1)
%!error id=knng:args:class knng.silhouette ('a', 1)
%!error id=knng:args:labels knng.silhouette ([1; 2], 1)
%!error id=knng:args:labels knng.silhouette ([1; 2], {1, 2})
%!error id=knng:args:metric knng.silhouette ([1; 2], [1 2], 'euclidian')
%!error id=knng:args:metric knng.silhouette ([1; 2], [1 2], 5)
%!error id=knng:args:option knng.silhouette ([1; 2], [1 2], 'Threads', 0)
%!error id=knng:args:option knng.silhouette ([1; 2], [1 2], 'Threads', 1.5)
%!error id=knng:args:option knng.silhouette ([1; 2], [1 2], 'Progress', 3)
%!assert (knng.silhouette ([1; 2; 5], [1 1 2], 'Metric', 'city'), knng.silhouette ([1; 2; 5], [1 1 2], 'cityblock'))
