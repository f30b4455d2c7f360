function eva = evalclusters (X, clust, criterion, varargin)
%KNNG.EVALCLUSTERS  How many clusters rows fall into, by a criterion.
%   eva = knng.evalclusters (X, clust, criterion, 'KList', 1:6) makes 1 to 6
%   clusters of the rows of the n-by-d matrix X, and tells by a criterion which
%   number is best. clust makes them:
%
%     'kmeans'    the best of five runs of knng.kmeans for each k
%     'linkage'   the tree of knng.linkage (X, 'ward'), cut into k
%     a function  clust (X, k) returns a label for each row, or a column of
%                 scores for each of k clusters, of which the largest counts
%     a matrix    clusters that are there already: a column of n numbers for
%                 each solution; then there is no 'KList'
%
%   Of a function and a matrix rows may be in no cluster: NaN, '', or noise, -1
%   beside numbers from 1 on, as of knng.dbscan. These do not count in that
%   solution, and a warning says how many they are: what leaves out more rows
%   looks better. The gap takes no such solutions.
%
%   criterion is one of these texts:
%
%     CalinskiHarabasz  the spread of the centres by that of the rows around
%                       them, (B / (k-1)) / (W / (n-k)); the largest is best
%     DaviesBouldin     for each cluster the worst (s_i + s_j) / d_ij, with s
%                       the mean distance of its rows to its centre and d the
%                       distance of two centres; of these the mean; the smallest
%                       is best
%     silhouette        the mean of knng.silhouette; the largest is best
%     gap               how much smaller log (W) is than that of random rows;
%                       which is best, 'SearchMethod' says
%
%   W is the sum of the squared distances of all rows to the centres of their
%   clusters, and B that of the centres to the mean of all rows, each as often
%   as it has rows. With another 'Distance' the W of the gap is the sum of the
%   distances of all pairs within each cluster by the number of its rows, which
%   of squared distances is the same.
%
%   Options:
%
%     'KList'          the numbers of clusters, whole numbers from 1 on
%     'Distance'       default 'sqeuclidean'. Of the silhouette any metric of
%                      knngraph; of the gap also 'cityblock', 'cosine' and
%                      'correlation', by which 'kmeans' makes the clusters, too,
%                      but not 'linkage'. The others have the default alone
%     'ClusterPriors'  of the silhouette; default 'empirical'
%         'empirical'  all rows count alike
%         'equal'      all clusters do
%     'B'              of the gap: how many sets of random rows; default 100
%     'ReferenceDistribution'  where these lie; default 'pca'
%         'pca'        within the range of the rows along their principal axes
%         'uniform'    within the range of each column
%     'SearchMethod'   of the gap; default 'globalMaxSE'
%         'globalMaxSE'  the smallest k whose gap is within the error, SE, of
%                        the largest
%         'firstMaxSE'   the smallest k whose gap is within the error of the
%                        next one's gap
%     'Seed'           for random rows and knng.kmeans, default 0
%     'Threads', 'Progress'  as in knngraph
%
%   Names and defaults are those of MATLAB's evalclusters, but for 'Seed'. In
%   place of its 'gmdistribution' give a function, such as @(X, k) cluster
%   (fitgmdist (X, k), X).
%
%   eva is a struct. Without a semicolon Octave shows all numbers of X; after
%   struct_levels_to_print (0) it shows the sizes of fields, as MATLAB does. The
%   methods addK, compact, increaseB and plot of MATLAB's are left out: give
%   more of 'KList' or 'B', and plot (eva.InspectedK, eva.CriterionValues).
%     CriterionName, ClusteringFunction, X, NumObservations, Missing
%                      what was asked; how many rows count; rows that do not, as
%                      they hold NaN or Inf, are true in Missing, n-by-1
%     InspectedK       1-by-m, the numbers of clusters
%     CriterionValues  1-by-m; NaN where there is none: of one cluster but for
%                      the gap, and of as many clusters as rows by
%                      Calinski-Harabasz
%     OptimalK         the best number; NaN if all values are NaN
%     OptimalY         n-by-1, its clusters; NaN for rows that do not count
%     NumLeftOut       1-by-m, how many more rows are in no cluster
%     LogW, ExpectedLogW, StdLogW, SE  of the gap alone, 1-by-m: log (W); its
%                      mean and its standard deviation (divided by B) over the
%                      random rows; that deviation times sqrt (1 + 1/B)
%
%   A row that is alone in its cluster has the silhouette 1, as in MATLAB. So of
%   clusters of equal rows, whose other values are 0, those with the most rows
%   alone are best.
%
%   Cost: that of the clusters, of the gap B + 1 times; 'linkage' makes one tree
%   in O(n^2*d) operations for all k, so of the gap B + 1 trees, 101 by default.
%   The silhouette takes n*n*d operations for each k. Everything else is O(n*d).
%   Memory as knng.kmeans, knng.linkage by 'ward' and knng.silhouette. Ctrl-C
%   stops it.
%
%   Errors: knng:args:labels (labels of another number than rows, or for the gap
%   some are missing);
%   knng:args:criterion (there is no such); knng:args:clust (clust is none of
%   the above); knng:args:option, among them a missing 'KList'; knng:args:k
%   (more clusters than rows); knng:args:class, :sparse, :complex, :dims,
%   :empty, :metric, :unknownOption, :count; knng:data:rows (a row has no
%   'Distance', for the gap); and those of knng.kmeans. Its warning
%   knng:data:notConverged is not shown, knng:data:lists and knng:data:fill
%   once. Warnings: knng:data:nonFinite (rows that do not count),
%   knng:data:leftOut (those in no cluster).
%
%   Sources: T. Calinski, J. Harabasz, Communications in Statistics 3 (1974)
%   1-27; D. Davies, D. Bouldin, IEEE PAMI 1 (1979) 224-227; P. Rousseeuw,
%   Journal of Computational and Applied Mathematics 20 (1987) 53-65; R.
%   Tibshirani, G. Walther, T. Hastie, Journal of the Royal Statistical Society
%   B 63 (2001) 411-423, the gap.
%
%   Example:
%     X = [0 0; 0 1; 1 0; 9 9; 9 8; 8 9; 0 9; 1 9; 0 8];
%     eva = knng.evalclusters (X, 'kmeans', 'silhouette', 'KList', 2:5);
%     eva.OptimalK                        % 3
%     eva.OptimalY'                       % three clusters of three rows
%
%   See also knng.kmeans, knng.silhouette, knng.spectralcluster, knngraph.

  if (nargin < 3)
    error ('knng:args:count', ['knng.evalclusters needs a matrix, clusters and a criterion, as in knng.evalclusters (X, ' ...
           '''kmeans'', ''gap'', ''KList'', 1:6): see help knng.evalclusters']);
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  opt = struct ('KList', [], 'Distance', 'sqeuclidean', 'ClusterPriors', 'empirical', 'B', 100, 'ReferenceDistribution', 'pca', ...
                'SearchMethod', 'globalMaxSE', 'Seed', 0, 'Threads', [], 'Progress', 'auto');
  [opt, given] = knng.internal.options (opt, varargin);
  how = knng.internal.engine (given, {'Threads', 'Progress'});
  names = {'CalinskiHarabasz', 'DaviesBouldin', 'silhouette', 'gap'};
  if (~knng.internal.is_one_of (criterion, names))
    error ('knng:args:criterion', ['the criterion is %s: it must be ''CalinskiHarabasz'', ''DaviesBouldin'', ''silhouette'' or ' ...
           '''gap'''], knng.internal.given (criterion));
  end
  name = names{strcmpi (criterion, names)};
  opt = checked (opt, name);
  [n, missing] = deal (size (X, 1), ~all (isfinite (X), 2));
  Z = double (X(~missing, :));
  if (isempty (Z))
    error ('knng:args:empty', 'every row of X holds NaN or Inf: it needs at least one without');
  end
  if (any (missing))
    [share, where] = knng.internal.holding (X, missing);
    warning ('knng:data:nonFinite', '%s hold NaN or Inf and do not count%s; knng.impute fills in missing values', share, where);
  end
  if (strcmp (name, 'gap'))
    check_rows (Z, opt, missing);
  end
  [make, ks, what] = maker (clust, name, opt, X, missing, size (Z, 1), how);
  if (strcmp (name, 'gap') && isnumeric (clust))
    error ('knng:args:clust', 'the gap needs clusters of random rows too: give clust as ''kmeans'' or a function, not a matrix');
  end
  knng.internal.doubt_filled (X);
  state = warning ('off', 'knng:data:fill');                 % of what makes and measures clusters
  back = onCleanup (@() warning (state)); %#ok<NASGU>

  eva = struct ('CriterionName', name, 'ClusteringFunction', {what}, 'X', X, 'NumObservations', size (Z, 1), 'Missing', missing, ...
                'InspectedK', ks, 'CriterionValues', NaN (size (ks)), 'OptimalK', NaN, 'OptimalY', NaN (n, 1), ...
                'NumLeftOut', zeros (size (ks)));
  m = numel (ks);
  labels = make (Z);
  eva.NumLeftOut = sum (labels == 0, 1);
  say_left_out (eva.NumLeftOut, size (Z, 1), strcmp (name, 'gap'));
  switch (name)
    case 'gap'
      eva = gaps (eva, Z, labels, make, opt);
      best = best_gap (eva, opt.SearchMethod);
    case 'silhouette'
      for i = 1:m
        [rows, y] = clustered (Z, labels(:, i));
        eva.CriterionValues(i) = mean_silhouette (rows, y, opt, how);
      end
      [~, best] = max (eva.CriterionValues);
    case 'DaviesBouldin'
      for i = 1:m
        [rows, y] = clustered (Z, labels(:, i));
        eva.CriterionValues(i) = davies_bouldin (rows, y);
      end
      [~, best] = min (eva.CriterionValues);
    otherwise
      for i = 1:m
        [rows, y] = clustered (Z, labels(:, i));
        k = max ([y; 0]);
        if (k > 1 && k < numel (y))
          [W, B] = spreads (rows, y);
          eva.CriterionValues(i) = (B / (k - 1)) / (W / (numel (y) - k));
        end
      end
      [~, best] = max (eva.CriterionValues);
  end
  if (~isempty (best) && ~isnan (eva.CriterionValues(best)))
    eva.OptimalK = ks(best);
    eva.OptimalY(~missing) = labels(:, best);
    eva.OptimalY(eva.OptimalY == 0) = NaN;
  end
end

function say_left_out (left, n, gap)
% A warning where rows are in no cluster, and of the gap an error.
  [most, at] = max (left);
  if (most > 0 && gap)
    error ('knng:args:labels', 'the gap needs a cluster for each row, and %s: give another criterion', ...
           knng.internal.share_of (most, n, 'row', 'is in none', 'are in none'));
  elseif (most > 0)
    of = '';
    if (numel (left) > 1)
      of = sprintf (' in solution %d, where these are the most (NumLeftOut has all)', at);
    end
    warning ('knng:data:leftOut', '%s (%.3g %%)%s, and what is in no cluster does not count: a solution that leaves out more rows looks better', ...
             knng.internal.share_of (most, n, 'row', 'is in no cluster', 'are in no cluster'), 100 * most / n, of);
  end
end

function [Z, y] = clustered (Z, y)
% The rows that are in a cluster, and which.
  if (any (y == 0))
    Z = Z(y > 0, :);
    y = y(y > 0);
  end
end

function opt = checked (opt, name)
  opt.ClusterPriors = knng.internal.check_choice ('ClusterPriors', opt.ClusterPriors, {'empirical', 'equal'});
  opt.ReferenceDistribution = knng.internal.check_choice ('ReferenceDistribution', opt.ReferenceDistribution, {'pca', 'uniform'});
  opt.SearchMethod = knng.internal.check_choice ('SearchMethod', opt.SearchMethod, {'globalmaxse', 'firstmaxse'});
  if (numel (opt.B) ~= 1 || ~knng.internal.whole (opt.B, 1, 1e6))
    error ('knng:args:option', '''B'' is %s: it must be a whole number, 1 to 1e6', knng.internal.given (opt.B));
  end
  opt.B = full (double (opt.B));
  knng.internal.check_seed (opt.Seed);
  opt.Seed = full (double (opt.Seed));
  opt.asked = knng.internal.given (opt.Distance);
  opt.Distance = knng.internal.metric (opt.Distance);
  if (strcmp (name, 'gap'))
    if (~any (strcmp (opt.Distance, {'sqeuclidean', 'cityblock', 'cosine', 'pearson'})))
      error ('knng:args:metric', ['the gap has no %s: give ''sqeuclidean'', ''cityblock'', ''cosine'' or ''correlation''; the silhouette ' ...
             'takes every metric'], opt.asked);
    end
  elseif (~strcmp (name, 'silhouette') && ~strcmp (opt.Distance, 'sqeuclidean'))
    error ('knng:args:metric', 'the criterion ''%s'' has no %s: it is defined by ''sqeuclidean''; the silhouette takes every metric', ...
           name, opt.asked);
  end
end

function check_rows (Z, opt, missing)
% An error if a row that counts has no distances.
  bad = knng.internal.flat_rows (Z, opt.Distance);
  if (any (bad))
    rows = find (~missing);
    what = {'constant', 'zero'};
    error ('knng:data:rows', ['row %d has no %s distances, it is %s (%s): leave such rows out, as with ' ...
           'knng.filterrows'], rows(find (bad, 1)), opt.asked, what{1 + strcmp(opt.Distance, 'cosine')}, ...
           knng.internal.share_of (sum (bad), numel (bad), 'row'));
  end
end

function [make, ks, what] = maker (clust, name, opt, X, missing, m, how)
% make (Z) returns the clusters of the rows Z, numbers from 1 on: a column for each of ks, or of those of clust.
  n = size (X, 1);
  what = clust;
  if (isnumeric (clust) || islogical (clust))
    if (isempty (clust) || ndims (clust) ~= 2 || size (clust, 1) ~= n)
      error ('knng:args:labels', 'clust is %s: it must have a row for each of the %d rows of X, and a column for each solution', ...
             knng.internal.given (clust), n);
    elseif (~isequal (opt.KList, []))
      error ('knng:args:option', '''KList'' is of no use where clust is a matrix of clusters: leave it out');
    end
    code = zeros (m, size (clust, 2));
    for i = 1:size (clust, 2)
      code(:, i) = numbered (clust(~missing, i), m);
    end
    ks = max (code, [], 1);
    make = @(Z) code;
    what = [];
    return
  end
  ks = opt.KList;
  if (isequal (ks, []))
    error ('knng:args:option', '''KList'' is missing, or []: it must be the numbers of clusters to try, as in ''KList'', 1:6');
  elseif (isempty (ks) || ~knng.internal.whole (ks, 1, 2 ^ 53))
    text = knng.internal.given (ks);
    if (isnumeric (ks) && isreal (ks))
      text = knng.internal.given_but (ks, ks >= 1 & ks == fix (ks) & ks <= 2 ^ 53);
    end
    error ('knng:args:option', '''KList'' is %s: it must be the numbers of clusters, whole numbers from 1 on, as in ''KList'', 1:6', text);
  end
  ks = reshape (full (double (ks)), 1, []);
  if (max (ks) > m)
    error ('knng:args:k', '''KList'' has %d: there are no more clusters than rows without NaN and Inf, %d', max (ks), m);
  end
  if (isa (clust, 'function_handle'))
    make = @(Z) of_function (clust, Z, ks);
  elseif (knng.internal.is_one_of (clust, {'kmeans'}))
    what = 'kmeans';
    knng.internal.doubt_lists (X, 'clusters of a graph are made by knng.leiden and knng.mstknn');
    by = 'sqeuclidean';
    if (strcmp (name, 'gap'))
      by = opt.Distance;
    end
    make = @(Z) of_kmeans (Z, ks, opt.Seed, by, how);
  elseif (knng.internal.is_one_of (clust, {'linkage'}))
    what = 'linkage';
    if (strcmp (name, 'gap') && ~strcmp (opt.Distance, 'sqeuclidean'))
      error ('knng:args:metric', ['''linkage'' joins by ''ward'', which has no %s: give ''kmeans'', or a function, such as @(X, k) ' ...
             'knng.clusterdata (X, ''Distance'', %s, ''Linkage'', ''average'', ''MaxClust'', k)'], opt.asked, opt.asked);
    end
    make = @(Z) knng.cluster (knng.linkage (Z, 'ward', 'euclidean', how{:}), 'MaxClust', ks);
  else
    error ('knng:args:clust', ['clust is %s: it must be ''kmeans'', ''linkage'', a function such as @(X, k) knng.kmedoids (X, k), or a ' ...
           'matrix of clusters'], knng.internal.given (clust));
  end
end

function idx = of_kmeans (Z, ks, seed, metric, how)
  state = warning ('off', 'knng:data:notConverged');
  state(2) = warning ('off', 'knng:data:lists');             % which evalclusters has said once
  back = onCleanup (@() warning (state));
  idx = zeros (size (Z, 1), numel (ks));
  for i = 1:numel (ks)
    idx(:, i) = knng.kmeans (Z, ks(i), 'Distance', metric, 'Replicates', 5, 'Seed', seed, how{:});
  end
end

function code = of_function (f, Z, ks)
  code = zeros (size (Z, 1), numel (ks));
  for i = 1:numel (ks)
    y = f (Z, ks(i));
    if ((isnumeric (y) || islogical (y)) && size (y, 2) > 1 && size (y, 1) == size (Z, 1))
      [~, y] = max (y, [], 2);
    end
    code(:, i) = numbered (y, size (Z, 1));
  end
end

function code = numbered (y, m)
% Labels as numbers from 1 on, of m rows; 0 for those in no cluster.
  code = knng.internal.label_codes (knng.internal.without_noise (y));
  if (numel (code) ~= m)
    error ('knng:args:labels', 'clusters are %s: they must be a label for each of the %d rows', knng.internal.given (y), m);
  end
end

function [W, B, k, C, count] = spreads (Z, y)
  k = max (y);
  member = sparse (y, 1:numel (y), 1, k, numel (y));
  count = full (sum (member, 2));
  C = bsxfun (@rdivide, full (member * Z), count);
  W = sum (sum ((Z - C(y, :)) .^ 2));
  B = sum (count .* sum (bsxfun (@minus, C, mean (Z, 1)) .^ 2, 2));
end

function value = davies_bouldin (Z, y)
  value = NaN;
  if (max ([y; 0]) < 2)
    return
  end
  [~, ~, k, C, count] = spreads (Z, y);
  s = accumarray (y, sqrt (sum ((Z - C(y, :)) .^ 2, 2)), [k, 1]) ./ count;
  worst = zeros (k, 1);
  for i = 1:k
    others = [1:i-1, i+1:k];
    worst(i) = max ((s(i) + s(others)) ./ sqrt (sum (bsxfun (@minus, C(others, :), C(i, :)) .^ 2, 2)));
  end
  value = mean (worst);
end

function value = mean_silhouette (Z, y, opt, how)
  if (isempty (y))
    value = NaN;
    return
  end
  s = knng.silhouette (Z, y, opt.Distance, how{:});
  known = ~isnan (s);
  if (~any (known))
    value = NaN;
  elseif (strcmp (opt.ClusterPriors, 'equal'))
    of_cluster = accumarray (y(known), s(known)) ./ accumarray (y(known), 1);
    value = mean (of_cluster(~isnan (of_cluster)));
  else
    value = mean (s(known));
  end
end

function W = within (Z, y, metric)
% The sum of the distances of all pairs within each cluster, by the number of its rows.
  switch (metric)
    case 'cityblock'
      W = 0;
      for j = 1:max (y)
        x = sort (Z(y == j, :), 1);
        s = size (x, 1);
        W = W + sum (sum (bsxfun (@times, 2 * (1:s)' - s - 1, x))) / s; % how often each is the larger, less how often the smaller
      end
    case {'cosine', 'pearson'}
      if (strcmp (metric, 'pearson'))
        Z = bsxfun (@minus, Z, mean (Z, 2));
      end
      Z = bsxfun (@rdivide, Z, max (abs (Z), [], 2));        % whose squares neither overflow nor vanish
      W = spreads (bsxfun (@rdivide, Z, sqrt (sum (Z .^ 2, 2))), y) / 2;
    otherwise
      W = spreads (Z, y);
  end
end

function eva = gaps (eva, Z, labels, make, opt)
  m = numel (eva.InspectedK);
  for i = 1:m
    eva.LogW(1, i) = log (within (Z, labels(:, i), opt.Distance));
  end
  of_random = zeros (opt.B, m);
  [n, d] = size (Z);
  scale = 2 ^ max (0, ceil (log2 (max ([1; abs(Z(:))]))) - 500);          % sums of the largest numbers are none
  Z = Z / scale;
  centre = mean (Z, 1);
  V = eye (d);
  if (strcmp (opt.ReferenceDistribution, 'pca'))
    [~, ~, V] = svd (bsxfun (@minus, Z, centre), 'econ');
    V = knng.internal.upright (V);
  end
  scores = bsxfun (@minus, Z, centre) * V;
  [low, high] = deal (min (scores, [], 1), max (scores, [], 1));
  for b = 1:opt.B
    u = reshape (knng.internal.random (mod (opt.Seed + 7919 * b, 2147483646), n * numel (low)), n, []);
    R = scale * bsxfun (@plus, bsxfun (@plus, low, bsxfun (@times, u, high - low)) * V', centre);
    drawn = make (R);
    for i = 1:m
      of_random(b, i) = log (within (R, drawn(:, i), opt.Distance));
    end
  end
  eva.ExpectedLogW = mean (of_random, 1);
  eva.StdLogW = std (of_random, 1, 1);
  eva.SE = eva.StdLogW * sqrt (1 + 1 / opt.B);
  eva.CriterionValues = eva.ExpectedLogW - eva.LogW;
end

function best = best_gap (eva, method)
% Which of the inspected numbers, in ascending order, is the first that is good enough.
  [~, order] = sort (eva.InspectedK);
  [gap, se] = deal (eva.CriterionValues(order), eva.SE(order));
  if (strcmp (method, 'globalmaxse'))
    [most, at] = max (gap);
    found = find (gap >= most - se(at), 1);
  else
    found = find (gap(1:end-1) >= gap(2:end) - se(2:end), 1);
    if (isempty (found))
      found = numel (gap);
    end
  end
  best = order(found);
end

%!shared Q, y
%! u = reshape (knng.internal.random (1, 600), 200, 3);
%! y = 1 + mod ((1:200)', 4);
%! Q = u + 2 * [y == 2, y == 3, y == 4];

%!test <*1>
%! state = warning ('query', 'knng:data:notConverged');
%! X = [0 0; 0 1; 1 0; 9 9; 9 8; 8 9; 0 9; 1 9; 0 8];
%! eva = knng.evalclusters (X, 'kmeans', 'silhouette', 'KList', 2:5);
%! assert (eva.OptimalK, 3);
%! assert (sort (accumarray (eva.OptimalY, 1))', [3 3 3]);
%! assert (eva.CriterionValues(2), mean (knng.silhouette (X, eva.OptimalY)));
%! assert (warning ('query', 'knng:data:notConverged'), state);

%!test  # numbers whose sums are too large: nothing is said of them
%! eva = knng.evalclusters (2^1023 * mod ((1:40)' * [0.137 0.713 0.371], 1), 'kmeans', 'gap', 'KList', [2 1], 'B', 2, 'Distance', 'correlation');
%! assert ({eva.CriterionValues, eva.OptimalK}, {[NaN NaN], NaN});

%!test  # what scikit-learn 1.9.1 gives for these clusters: calinski_harabasz_score, davies_bouldin_score, silhouette_score
%! Z = [1 2; 2 1; 1 1; 6 5; 7 7; 6 6; 5 6; 9 0; 8 1; 9 2];
%! c = [1 1 1 2 2 2 2 3 3 3]';
%! ch = knng.evalclusters (Z, c, 'CalinskiHarabasz');
%! assert (ch.CriterionValues, 60.94375000000001, 1e-12 * 60.94375000000001);
%! assert (ch.InspectedK, 3);
%! db = knng.evalclusters (Z, c, 'DaviesBouldin');
%! assert (db.CriterionValues, 0.2853806687126828, 1e-12);
%! si = knng.evalclusters (Z, c, 'silhouette', 'Distance', 'euclidean');
%! assert (si.CriterionValues, 0.754081311418554, 1e-12);

%!test  # a tree, cut into each number: its clusters, by each criterion; one row alone
%! Z = knng.linkage (Q, 'ward');
%! for criterion = {'CalinskiHarabasz', 'DaviesBouldin', 'silhouette', 'gap'}
%!   eva = knng.evalclusters (Q, 'Linkage', criterion{1}, 'KList', [6 2:5], 'B', 5);
%!   assert ({eva.OptimalK, eva.OptimalY, eva.ClusteringFunction}, {4, knng.cluster(Z, 'MaxClust', 4), 'linkage'});
%! end
%! eva = knng.evalclusters (Q, 'linkage', 'silhouette', 'KList', 3);
%! assert (eva.CriterionValues, mean (knng.silhouette (Q, knng.cluster (Z, 'MaxClust', 3))));
%! eva = knng.evalclusters ([1 2], 'linkage', 'gap', 'KList', 1, 'B', 2);
%! assert (size (eva.OptimalY), [1 1]);
%! eva = knng.evalclusters (ones (6, 2), 'linkage', 'silhouette', 'KList', [2 3]);
%! assert (eva.CriterionValues, [1 2] / 6, 1e-15);        # rows alone, 1 each

%!test  # every criterion finds four clusters, by kmeans, a function that names them, and one that scores them
%! for criterion = {'CalinskiHarabasz', 'DaviesBouldin', 'silhouette', 'gap'}
%!   eva = knng.evalclusters (Q, 'kmeans', criterion{1}, 'KList', [6 2:5], 'B', 5);
%!   assert (eva.OptimalK, 4);
%!   assert (size (unique ([y, eva.OptimalY], 'rows'), 1), 4);
%!   assert (eva.CriterionName, criterion{1});
%! end
%! eva = knng.evalclusters (Q, @(Z, k) char ('a' + knng.kmeans (Z, k, 'Replicates', 5)), 'DaviesBouldin', 'KList', 3:5);
%! assert (eva.OptimalK, 4);
%! eva = knng.evalclusters (Q, @(Z, k) (1:k) == knng.kmeans (Z, k, 'Replicates', 5), 'CalinskiHarabasz', 'KList', 3:5);
%! assert (eva.OptimalK, 4);
%! eva = knng.evalclusters (Q, [y, 1 + (y > 2), ones(200, 1)], 'silhouette');
%! assert ({eva.InspectedK, eva.OptimalK}, {[4 2 1], 4});

%!test  # the gap: one cluster where there is but one; its parts; references of both kinds
%! eva = knng.evalclusters (Q(y == 1, :), 'kmeans', 'gap', 'KList', 1:3, 'B', 10);
%! assert (eva.OptimalK, 1);
%! assert (eva.CriterionValues, eva.ExpectedLogW - eva.LogW);
%! assert (eva.SE, eva.StdLogW * sqrt (1.1), 1e-15);
%! Z = Q(y == 1, :);
%! assert (eva.LogW(1), log (sum (sum ((Z - mean (Z)) .^ 2))), 1e-12);
%! eva = knng.evalclusters (Q, 'kmeans', 'gap', 'KList', 1:5, 'B', 5, 'ReferenceDistribution', 'uniform', 'SearchMethod', 'firstMaxSE');
%! assert (eva.OptimalK, 4);

%!test  # the package gapstatistics 0.1.5 by 300 sets of random rows, of these numbers (pca_sampling=False, 'sqeuclidean'), up to chance
%! X = mod ((1:180)' .^ 2 * sqrt ([2 3]), 1) + 3 * [kron([0; 1; 0], ones (60, 1)), kron([0; 0; 1], ones (60, 1))];
%! X = (X - min (X)) ./ range (X);                         # of a range: it draws all columns from one
%! eva = knng.evalclusters (X, 'kmeans', 'gap', 'KList', 1:5, 'ReferenceDistribution', 'uniform', 'Seed', 3); # of four and five clusters the best of five runs differs by the seed, up to 0.01
%! assert (eva.LogW, [3.826747 2.904849 0.673373 0.500199 0.330203], 1e-3);
%! assert (eva.CriterionValues, [-0.4273 -0.0182 1.7296 1.477 1.437], 0.015);
%! assert (eva.SE, [0.0479 0.0507 0.0502 0.0469 0.0462], -0.2);
%! assert (eva.OptimalK, 3);

%!test  # the gap by other distances: the definition, pair by pair; clusters by the same distance, of a function and of random rows too
%! X = [Q, 3 - Q(:, 1)];
%! for metric = {'sqeuclidean', 'cityblock', 'cosine', 'correlation'}
%!   eva = knng.evalclusters (X, 'kmeans', 'gap', 'KList', [3 1], 'B', 3, 'Distance', metric{1}, 'Seed', 4);
%!   c = [knng.kmeans(X, 3, 'Distance', metric{1}, 'Replicates', 5, 'Seed', 4), ones(200, 1)];
%!   U = X;
%!   if (strcmp (metric{1}, 'correlation'))
%!     U = U - mean (U, 2);
%!   end
%!   U = U ./ sqrt (sum (U .^ 2, 2));
%!   for i = 1:2
%!     W = 0;
%!     for j = 1:max (c(:, i))
%!       in = find (c(:, i) == j);
%!       D = 0;
%!       for a = in'
%!         switch (metric{1})
%!           case 'sqeuclidean'
%!             D += sum (sum ((X(in, :) - X(a, :)) .^ 2));
%!           case 'cityblock'
%!             D += sum (sum (abs (X(in, :) - X(a, :))));
%!           otherwise
%!             D += sum (1 - U(in, :) * U(a, :)');
%!         end
%!       end
%!       W += D / (2 * numel (in));
%!     end
%!     assert (eva.LogW(i), log (W), 1e-12);
%!   end
%!   f = knng.evalclusters (X, @(Z, k) knng.kmeans (Z, k, 'Distance', metric{1}, 'Replicates', 5, 'Seed', 4), 'gap', 'KList', [3 1], ...
%!                          'B', 3, 'Distance', metric{1}, 'Seed', 4);
%!   assert ({f.LogW, f.ExpectedLogW, f.CriterionValues, f.OptimalY}, {eva.LogW, eva.ExpectedLogW, eva.CriterionValues, eva.OptimalY});
%! end
%! eva = knng.evalclusters (Q, 'kmeans', 'gap', 'KList', 1:5, 'B', 5, 'Distance', 'cityblock');
%! assert (eva.OptimalK, 4);

%!test  # rows that do not count; equal clusters; one cluster; all alone
%! Z = Q;
%! Z(7, 2) = NaN;
%! warning ('off', 'knng:data:nonFinite', 'local');
%! eva = knng.evalclusters (Z, 'kmeans', 'CalinskiHarabasz', 'KList', 3:5);
%! assert ([eva.OptimalK, eva.NumObservations, find(eva.Missing), find(isnan (eva.OptimalY))], [4 199 7 7]);
%! c = 1 + (y > 1);
%! s = knng.silhouette (Q, c);
%! eva = knng.evalclusters (Q, c, 'silhouette', 'ClusterPriors', 'equal');
%! assert (eva.CriterionValues, (mean (s(c == 1)) + mean (s(c == 2))) / 2, 1e-15);
%! eva = knng.evalclusters (Q, ones (200, 1), 'DaviesBouldin');
%! assert (isnan ([eva.CriterionValues, eva.OptimalK]));
%! eva = knng.evalclusters (Q, (1:200)', 'CalinskiHarabasz');
%! assert (isnan (eva.OptimalK));

%!test  # rows in no cluster do not count, by any criterion: noise, NaN, of a matrix and of a function; the gap refuses them
%! c = [y, y, y];
%! c([3 5 9], 2) = -1;
%! c(11, 2) = NaN;
%! c(:, 3) = -1;
%! in = c(:, 2) > 0;
%! want = y;
%! want(! in) = NaN;
%! warning ('off', 'knng:data:leftOut', 'local');
%! for criterion = {'CalinskiHarabasz', 'DaviesBouldin', 'silhouette'}
%!   eva = knng.evalclusters (Q, c, criterion{1});
%!   one = knng.evalclusters (Q(in, :), y(in), criterion{1});
%!   assert (eva.CriterionValues(2), one.CriterionValues);
%!   assert ({eva.NumLeftOut, eva.InspectedK, isnan(eva.CriterionValues)}, {[0 4 200], [4 4 0], [false false true]});
%!   eva = knng.evalclusters (Q, c(:, 2), criterion{1});
%!   f = knng.evalclusters (Q, @(Z, k) c(:, 2), criterion{1}, 'KList', 4);
%!   assert ({eva.OptimalY, f.OptimalY, f.CriterionValues}, {want, want, eva.CriterionValues});
%! end
%! s = knng.silhouette (Q, c(:, 2));
%! assert (eva.CriterionValues, mean (s(! isnan (s))), 1e-15);
%! fail ('knng.evalclusters (Q, @(Z, k) c(:, 2), ''gap'', ''KList'', 4)', 'the gap needs a cluster for each row, and 4 of 200 rows are in none');

%!warning <^1 of 4 rows is in no cluster \(25 %\), and what is in no cluster> knng.evalclusters ([0; 1; 5; 6], [1; 1; 2; -1], 'silhouette');
%!warning <^4 of 4 rows are in no cluster \(100 %\) in solution 2, where> knng.evalclusters ([0; 1; 5; 6], [1 -1; 1 -1; 2 -1; 2 -1], 'silhouette');
%!warning <^1 of 7 rows \(14.3 %\) hold NaN or Inf and do not count; they are in column 2 \(1 row\); knng.impute> knng.evalclusters ([0 0; 0 1; 1 0; 9 9; 9 8; 8 9; 1 NaN], 'kmeans', 'silhouette', 'KList', 2);
%!error id=knng:args:count knng.evalclusters (Q, 'kmeans')
%!error id=knng:args:class knng.evalclusters ('a', 'kmeans', 'gap')
%!error id=knng:args:criterion knng.evalclusters (Q, y, 'Dunn')
%!error id=knng:args:clust knng.evalclusters (Q, 'gmdistribution', 'gap', 'KList', 2)
%!error id=knng:args:clust knng.evalclusters (Q, y, 'gap')
%!error id=knng:args:labels knng.evalclusters (Q, y(2:end), 'silhouette')
%!error id=knng:args:labels knng.evalclusters (Q, @(X, k) 5, 'silhouette', 'KList', 2)
%!error id=knng:args:option knng.evalclusters (Q, 'kmeans', 'silhouette')
%!error id=knng:args:option knng.evalclusters (Q, y, 'silhouette', 'KList', 2)
%!error id=knng:args:option knng.evalclusters (Q, 'kmeans', 'silhouette')
%!error <^'KList' is missing, or \[\]: > knng.evalclusters (Q, 'kmeans', 'silhouette')
%!error <^'KList' is a 1-by-6 double that has 0: it must be the numbers> knng.evalclusters (Q, 'kmeans', 'silhouette', 'KList', 0:5)
%!error <^'KList' is 1.5: it must be the numbers> knng.evalclusters (Q, 'kmeans', 'silhouette', 'KList', 1.5)
%!error <^'KList' is a 1-by-1 cell: it must be the numbers> knng.evalclusters (Q, 'kmeans', 'silhouette', 'KList', {2})
%!error id=knng:args:k knng.evalclusters (Q, 'kmeans', 'silhouette', 'KList', 201)
%!error <^the gap has no 'euclidean': give 'sqeuclidean', 'cityblock'> knng.evalclusters (Q, 'kmeans', 'gap', 'KList', 2, 'Distance', 'euclidean')
%!error <'linkage' joins by 'ward', which has no 'cityblock'> knng.evalclusters (Q, 'linkage', 'gap', 'KList', 2, 'Distance', 'cityblock')
%!error <'DaviesBouldin' has no 'cosine'> knng.evalclusters (Q, 'kmeans', 'DaviesBouldin', 'KList', 2, 'Distance', 'cosine')
%!error <row 3 has no 'corr' distances, it is constant \(1 of 3 rows is\): > knng.evalclusters ([1 2 3; NaN 1 2; 4 4 4; 3 1 2], 'kmeans', 'gap', 'KList', 1, 'Distance', 'corr')
%!error <row 1 has no 'cosine' distances, it is zero \(2 of 3 rows are\): > knng.evalclusters ([0 0; 1 2; 0 0], 'kmeans', 'gap', 'KList', 1, 'Distance', 'cosine')
%!error <by 'ward', which has no 'correlation': .* \(X, 'Distance', 'correlation', > knng.evalclusters (Q, 'linkage', 'gap', 'KList', 2, 'Distance', 'correlation')
%!error <'DaviesBouldin' has no 'correlation'> knng.evalclusters (Q, 'kmeans', 'DaviesBouldin', 'KList', 2, 'Distance', 'correlation')
%!error id=knng:data:rows knng.evalclusters ([1 2; 0 0], 'kmeans', 'gap', 'KList', 1, 'Distance', 'cosine')
%!error id=knng:args:option knng.evalclusters (Q, 'kmeans', 'gap', 'KList', 2, 'B', 0)
%!error id=knng:args:option knng.evalclusters (Q, 'kmeans', 'gap', 'KList', 2, 'SearchMethod', 'all')
%!error id=knng:args:empty knng.evalclusters (NaN, 'kmeans', 'gap', 'KList', 1)
%!test  # lists of neighbours in place of points are doubted once, not for each number of clusters
%! quiet = warning ('query', 'quiet');                        # pkg test does not show warnings
%! unwind_protect
%!   warning ('off', 'quiet');
%!   said = evalc ('knng.evalclusters ([2 1:19; 3 3:20 18]'', ''kmeans'', ''silhouette'', ''KList'', 2:4);');
%! unwind_protect_cleanup
%!   warning (quiet.state, 'quiet');
%! end_unwind_protect
%! assert (numel (strfind (said, 'looks like idx')), 1);
