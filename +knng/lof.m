function [score, density, new] = lof (varargin)
%KNNG.LOF  How much of an outlier each row is: the local outlier factor.
%   score = knng.lof (X) compares how densely the rows of the n-by-d matrix X
%   lie around each row with how densely they lie around its neighbours. score,
%   n-by-1, is about 1 where both are alike, whatever the density; the larger it
%   is, the more of an outlier is the row. NaN: the row has no neighbours.
%   score = knng.lof (A) and knng.lof (idx, dist) do the same with a graph, as
%   [idx, dist] = knngraph (X, k, ...) returns it.
%   [score, density] = knng.lof (...) also returns the local reachability
%   densities, n-by-1.
%   [score, density, new] = knng.lof (X, 'Queries', Y) also scores new rows,
%   those of the m-by-d matrix Y, among those of X; new is m-by-1.
%   [...] = knng.lof (..., 'Name', value, ...) takes options.
%
%   The method: the k-distance of a row is that to its k-th neighbour. Row o is
%   reached from row i at the larger of their distance and the k-distance of o.
%   The density of a row is 1 over the mean of this over its k neighbours; its
%   score is the mean density of its neighbours over its own.
%
%   Options:
%
%     'K'            how many neighbours, a whole number from 1 on; default
%                    'auto', 20, or all where there are fewer other rows;
%                    'NumNeighbors' is the same. For points
%     'IncludeTies'  false (default): k neighbours, of equally near ones those
%                    of the smaller number. true: all rows that are as near as
%                    the k-th, as the authors have it; the result then does not
%                    depend on the order of the rows. For points
%     'Queries'      new rows, a matrix with the columns of X. For points
%     'Distance'     'euclidean' (default) or any metric of knngraph; 'Metric'
%                    is the same. For points
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                    as in knngraph; of a graph 'Threads' alone
%
%   Copies of a row are rows. Where a row has k copies or more, its density is
%   Inf and its score 1, since its neighbours are as dense. A row that has such
%   a row as a neighbour, but fewer copies, has the score Inf: nothing is as
%   dense as copies are. scikit-learn returns a huge number there, which depends
%   on the unit of X. If you do not want copies to count, take a K larger than
%   the number of copies, or score each row once, with unique (X, 'rows').
%
%   How large a score tells an outlier depends on the data; the authors find
%   scores in clusters close to 1, and scikit-learn takes 1.5 for the border.
%   Take several K and look at the largest scores. With K below 10 scores vary
%   by chance.
%
%   In a graph the neighbours of a row are those in its list, and the last of
%   them gives its k-distance; lists may differ in length. A row of Y is not
%   among the neighbours of X, and one that also stands in X is its own
%   neighbour at distance 0. A single X counts as double (X). Rows without
%   distances (see knngraph) get NaN, and a warning counts them; so do rows of
%   which no neighbour has neighbours. Infinite distances are no neighbours.
%
%   Scores are those of scikit-learn's LocalOutlierFactor (the negative of
%   negative_outlier_factor_ and score_samples) up to rounding, and to the 1e-10
%   that it adds to each mean, but with k copies, as above, and where several
%   rows are equally near, of which it takes others.
%
%   Cost: a graph of k neighbours, and for Y a search; beside it 0.3 s and 70
%   bytes an entry of idx for n = 1e5, k = 20. With 'IncludeTies' rows that have
%   ties at the end of their lists are searched again, with twice as many
%   neighbours each time.
%
%   Errors: knng:args:idx, :dist, :class if the graph is none; knng:args:k;
%   knng:args:columns (X and Y differ in columns); knng:args:option,
%   :unknownOption, :metric, :sparse, :complex, :dims, :empty, :count; and
%   others as knngraph. Warnings: knng:data:nonFinite, knng:data:constant,
%   knng:data:twoColumns, as knngraph; knng:data:range (distances are infinite);
%   knng:data:lists (X looks like idx, without dist).
%
%   Source: M. Breunig, H.-P. Kriegel, R. Ng, J. Sander, LOF: identifying
%   density-based local outliers, SIGMOD 2000, 93-104.
%
%   Example:
%     t = (1:60)' * pi / 30;
%     X = [cos(t), sin(t); 9 + 5*cos(t), 5*sin(t); 1.5 0];
%     score = knng.lof (X, 'K', 5);
%     find (score > 1.5)                                     % 121
%     [~, ~, new] = knng.lof (X, 'K', 5, 'Queries', [1 0.05; 0 0]);
%     new > 1.5                                              % 0, 1
%
%   See also knng.hdbscan, knng.dbscan, knng.hubness, knng.duplicates, knngraph.

  if (nargin < 1)
    error ('knng:args:count', ['knng.lof needs points or a graph, as in knng.lof (X), knng.lof (A) or ' ...
           'knng.lof (idx, dist): see help knng.lof']);
  end
  form = 'knng.lof (GRAPH)';
  [graph, opt, how] = knng.internal.points_or_graph (form, struct ('K', 'auto', 'IncludeTies', false, 'Queries', []), varargin);
  opt = checked (opt, ~isempty (graph), varargin{1});
  [idx, dist, X, k] = knng.internal.near_lists (form, graph, varargin{1}, opt, how, 20, opt.IncludeTies);
  n = size (idx, 1);
  search = @(Q, K) knng.knnsearch (X, Q, 'K', K, 'Distance', opt.Distance, how{:});
  [i, j, d] = entries (idx, dist, k, @(rows, K) search (X(rows, :), K), (1:n)', n);
  [idx, dist] = deal ([]);
  kdist = accumarray (i, d, [n, 1], @max);
  reach = mean_reach (i, j, d, kdist, n);
  score = compared (i, j, reach, reach);
  density = 1 ./ reach;
  new = zeros (size (opt.Queries, 1), 1);
  if (nargout < 3 || isempty (new))
    return
  end
  Y = double (opt.Queries);
  m = size (Y, 1);
  k = min (max (k, 1), n);
  [idx, dist] = of_queries (@() search (Y, min (k + opt.IncludeTies, n)), Y);
  [i, j, d] = entries (idx, dist, k, @(rows, K) search (Y(rows, :), K), zeros (m, 1), n);
  new = compared (i, j, mean_reach (i, j, d, kdist, m), reach);
end

function opt = checked (opt, with_graph, X)
  knng.internal.check_flag ('IncludeTies', opt.IncludeTies);
  opt.IncludeTies = logical (full (opt.IncludeTies));
  if (with_graph && opt.IncludeTies)
    error ('knng:args:option', '''IncludeTies'' is true, and a graph has the neighbours that it has: leave it out, or give points');
  elseif (isequal (opt.Queries, []))
    return
  elseif (~isfloat (opt.Queries) || ~isreal (opt.Queries) || issparse (opt.Queries) || ndims (opt.Queries) ~= 2)
    error ('knng:args:option', '''Queries'' is %s: it must be a full matrix of class double or single, a row for each new point', ...
           knng.internal.given (opt.Queries));
  elseif (with_graph)
    error ('knng:args:option', '''Queries'' is for points: in a graph new rows have no distances; give the points');
  elseif (size (opt.Queries, 2) ~= size (X, 2))
    error ('knng:args:columns', '''Queries'' has %s and X has %d: give both the same features', knng.internal.count_of (size (opt.Queries, 2), 'column'), size (X, 2));
  end
end

function [idx, dist] = of_queries (search, Y)
% That of knng.knnsearch would count rows of X again, and offer 'Rows'.
  id = 'knng:data:nonFinite';
  former = warning ('query', id);
  back = onCleanup (@() warning (former.state, id));
  warning ('off', id);
  [idx, dist] = search ();
  back = [];                                                 %#ok<NASGU>
  missing = sum (any (~isfinite (Y), 2));
  if (missing > 0)
    words = {'they have', 'it has'};
    warning (id, '%s NaN or Inf: %s no score; knng.impute fills in what is missing', ...
             knng.internal.share_of (missing, size (Y, 1), 'row', 'of ''Queries'' holds', 'of ''Queries'' hold'), words{1 + (missing == 1)});
  end
end

function [i, j, d] = entries (idx, dist, k, search, own, n)
% The entries of lists of neighbours, each row's nearest first. Where the lists have more than k columns, the first k, and all that
% are as near as the k-th. If that is the last one, too, SEARCH (ROWS, K) finds K of the n rows; own(r) is row r's own number there.
  open = zeros (0, 1);
  if (size (idx, 2) > k)
    open = find (dist(:, k + 1) <= dist(:, k));
    idx(:, k+1:end) = [];
    kth = dist(:, k);
    dist(:, k+1:end) = [];
    idx(open, :) = 0;
  end
  [i, ~] = find (idx);
  i = i(:);
  j = reshape (idx(idx > 0), [], 1);
  d = reshape (dist(idx > 0), [], 1);
  if (isempty (open))
    return
  end
  state = [warning('off', 'knng:data:nonFinite'), warning('off', 'knng:data:constant'), warning('off', 'knng:data:twoColumns')];
  back = onCleanup (@() warning (state));                    % the first search has said so
  K = k + 1;
  while (~isempty (open))
    K = min (2 * K + 1, n);
    [near, far] = search (open, K);
    whole = K == n | ~(far(:, K) <= kth(open));
    take = bsxfun (@and, whole, near > 0) & bsxfun (@le, far, kth(open)) & bsxfun (@ne, near, own(open));
    [r, ~] = find (take);
    i = [i; reshape(open(r), [], 1)]; %#ok<AGROW>
    j = [j; reshape(near(take), [], 1)]; %#ok<AGROW>
    d = [d; reshape(far(take), [], 1)]; %#ok<AGROW>
    open = open(~whole);
  end
end

function reach = mean_reach (i, j, d, kdist, n)
% From how far each of n rows is reached, the mean over its neighbours; NaN where there are none.
  count = accumarray (i, 1, [n, 1]);
  reach = accumarray (i, max (d, kdist(j)) ./ count(i), [n, 1]);   % no sum that overflows
  reach(count == 0) = NaN;
end

function score = compared (i, j, own, theirs)
% The mean, over the neighbours j of each row i, of its own reach over theirs.
  ratio = own(i) ./ theirs(j);
  ratio(own(i) == 0 & theirs(j) == 0) = 1;                   % copies among copies
  known = ~isnan (ratio);
  n = numel (own);
  count = accumarray (i(known), 1, [n, 1]);
  score = accumarray (i(known), ratio(known), [n, 1]) ./ count;
  score(count == 0) = NaN;
end

%!function [score, density, new] = plain (X, k, metric, ties, Y)
%!  # the definition, over the distances of all pairs
%!  n = rows (X);
%!  [idx, dist] = knngraph (X, n - 1, metric);
%!  D = Inf (n);
%!  for i = 1:n
%!    D(i, idx(i, :)) = dist(i, :);
%!  end
%!  [kd, lrd, near] = deal (zeros (n, 1), zeros (n, 1), cell (n, 1));
%!  for i = 1:n
%!    [near{i}, kd(i)] = nearest (D(i, :), k, ties);
%!  end
%!  for i = 1:n
%!    lrd(i) = 1 / mean (max (kd(near{i})', D(i, near{i})));
%!  end
%!  density = lrd;
%!  for i = 1:n
%!    score(i, 1) = over (lrd(near{i}), lrd(i));
%!  end
%!  [idx, dist] = knng.knnsearch (X, Y, 'K', n, 'Distance', metric);
%!  for i = 1:rows (Y)
%!    D = Inf (1, n);
%!    D(idx(i, :)) = dist(i, :);
%!    o = nearest (D, k, ties);
%!    new(i, 1) = over (lrd(o), 1 / mean (max (kd(o)', D(o))));
%!  end
%!endfunction
%!function [o, kd] = nearest (D, k, ties)
%!  [s, o] = sort (D);
%!  kd = s(k);
%!  if (ties), o = o(s <= kd); else, o = o(1:k); end
%!endfunction
%!function r = over (lrd, own)
%!  r = lrd / own;
%!  r(lrd == Inf & own == Inf) = 1;
%!  r = mean (r);
%!endfunction

%!test <*1>
%! t = (1:60)' * pi / 30;
%! X = [cos(t), sin(t); 9 + 5*cos(t), 5*sin(t); 1.5 0];
%! [score, density, new] = knng.lof (X, 'K', 5, 'Queries', [1 0.05; 0 0]);
%! assert (find (score > 1.5), 121);
%! assert (new > 1.5, [false; true]);
%! assert (all (density(1:60) > 4 * density(61:120)));

%!test  # the definition in plain loops; ties, copies, metrics; tables and matrices alike
%! X = [round(4 * reshape (knng.internal.random (1, 120), 60, 2)); ones(8, 2)];
%! Y = [1 1; 2 3; 9 9; 0.3 2.2];
%! U = reshape (knng.internal.random (2, 180), 60, 3);
%! for c = {{X, 'euclidean'}, {X, 'cityblock'}, {1e-200 * U, 'sqeuclidean'}, {U, 'pearson'}, {1e300 * U, 'chebychev'}}
%!   [Z, metric] = c{1}{:};
%!   Q = Y;
%!   if (columns (Z) == 3), Q = Z([3 5], [2 3 1]); end
%!   for k = [1 5 20]
%!     for ties = [false true]
%!       [score, density, new] = knng.lof (Z, 'K', k, 'Distance', metric, 'IncludeTies', ties, 'Queries', Q);
%!       [s, l, w] = plain (Z, k, metric, ties, Q);
%!       assert (score, s, -1e-12);
%!       assert (density, l, -1e-12);
%!       assert (new, w, -1e-12);
%!     end
%!     [idx, dist] = knngraph (Z, k, metric);
%!     [s, l] = knng.lof (idx, dist);
%!     [score, density] = knng.lof (Z, 'K', k, 'Distance', metric);
%!     if (min (dist(:)) > realmin || any (dist(:) == 0))
%!       assert (isequal (s, score) && isequal (l, density));
%!       [s, l] = knng.lof (knngraph (Z, k, metric));
%!       assert (isequal (s, score) && isequal (l, density));
%!     end
%!   end
%! end

%!test  # with all ties the order of the rows does not count
%! X = round (3 * reshape (knng.internal.random (3, 200), 100, 2));
%! [~, order] = sort (knng.internal.random (4, 100));
%! score = knng.lof (X, 'K', 4, 'IncludeTies', 1);
%! assert (knng.lof (X(order, :), 'K', 4, 'IncludeTies', true), score(order), -1e-12);
%! assert (any (score == Inf) && any (score == 1));

%!test  # scikit-learn 1.9.1, LocalOutlierFactor (n_neighbors=5), of these numbers, which have no ties
%! i = (1:30)';
%! X = [mod(i * [0.7548776662 0.5698402910], 1); 3 + 2 * mod(i(1:15) * [0.8191725134 0.6710436067], 1); 9 9; 1.5 1.2];
%! [score, ~, new] = knng.lof (X, 'K', 5, 'Queries', [0.5 0.5; 2 2; 4 4; -3 1]);
%! known = [1.02129 0.991848 0.982573 1.12075 1.05001 0.977758 0.991616 1.02627 0.999408 0.938257 1.0075 0.989102 ...
%!   0.988967 1.03836 0.993149 1.12885 0.952719 1.02648 0.996779 1.02805 1.05722 0.988174 1.013 0.982573 1.02889 ...
%!   1.05001 0.977758 1.00623 0.995863 0.992645 1.02232 0.995453 1.01713 0.996061 1.03595 1.1897 1.00557 0.960604 ...
%!   0.988952 1.03867 1.04645 1.06992 1.01689 0.971265 0.979224 8.40597 2.91788]';
%! known_new = [1.01587 4.58163 0.965418 10.7213]';
%! assert (score, known, 1e-5 * known);
%! assert (new, known_new, 1e-5 * known_new);

%!test  # few rows, rows without distances or neighbours
%! warning ('off', 'knng:data:nonFinite', 'local');
%! warning ('off', 'knng:args:kClipped', 'local');
%! [score, density, new] = knng.lof (7, 'Queries', 7);
%! assert ({score, density, new}, {NaN, NaN, NaN});
%! assert (knng.lof (single ([1; 2])), [1; 1]);
%! [score, ~, new] = knng.lof ([1; NaN; 2; 3.5], 'K', 9, 'Queries', [NaN; 1]);
%! assert (isnan (score), [false; true; false; false]);
%! assert (isnan (new), [true; false]);
%! score = knng.lof (sparse ([0 1 0; 1 0 0; 0 2 0]));
%! assert (score, [1; 1; 2]);
%! assert (knng.lof (sparse ([0 1; 0 0])), [NaN; NaN]);
%! assert (knng.lof (sparse ([0 1 Inf; 1 5 0; 0 2 0])), [1; 1; 2]);
%! assert (size (knng.lof (sparse (0, 0))), [0 1]);
%! [~, ~, new] = knng.lof ([1; 2]);
%! assert (size (new), [0 1]);
%!warning <^1 of 2 rows of 'Queries' holds NaN or Inf: it has no score; knng.impute fills in> [~, ~, new] = knng.lof ([1; 2; 4], 'Queries', [1; NaN]);
%!error id=knng:args:count knng.lof ()
%!error id=knng:args:k knng.lof (magic (4), 'K', 0)
%!error <'K' is for points> knng.lof (sparse ([0 1; 1 0]), 'K', 1)
%!error <'Queries' is for points> knng.lof (sparse ([0 1; 1 0]), 'Queries', 1)
%!error <'IncludeTies' is true, and a graph> knng.lof (sparse ([0 1; 1 0]), 'IncludeTies', true)
%!error <'IncludeTies' is 2: it must be> knng.lof (magic (4), 'IncludeTies', 2)
%!error <'Queries' is 'a': it must be a full matrix> knng.lof (magic (4), 'Queries', 'a')
%!error id=knng:args:columns knng.lof (magic (4), 'Queries', [1 2])
%!error id=knng:args:class knng.lof ('a')
%!error id=knng:args:dist knng.lof ([2; 1], [1; -1])
