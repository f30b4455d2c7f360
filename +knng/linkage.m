function Z = linkage (X, varargin)
%KNNG.LINKAGE  The tree of clusters of rows, by hierarchical clustering.
%   Z = knng.linkage (X) joins the rows of the n-by-d matrix X step by step, the
%   nearest two clusters first, until all are one: n-1 steps. Z is (n-1)-by-3,
%   as MATLAB's: step s joins the clusters Z(s,1) < Z(s,2) at the height Z(s,3),
%   their distance. 1 to n are the rows, n+s is what step s made.
%   Z = knng.linkage (X, method) says what the distance of two clusters is:
%
%     'single'    the least distance of a row of the one and a row of the other;
%                 the default
%     'complete'  the largest
%     'average'   the mean of all (UPGMA)
%     'weighted'  the mean of the distances of the two parts that were joined
%                 last, whatever their sizes (WPGMA)
%     'ward'      sqrt (2*r*s/(r+s)) times the distance of their centres, of r
%                 and s rows: the join adds the least to the sum of squares
%     'centroid'  the distance of their centres (UPGMC)
%     'median'    the same, but the centre of a join is halfway between those of
%                 its two parts (WPGMC)
%
%   Z = knng.linkage (X, method, metric) measures with another metric of
%   knngraph than 'euclidean'.
%   Z = knng.linkage (y, method) takes distances: y is a row of n*(n-1)/2, those
%   of rows (1,2), (1,3), ..., (2,3), ..., as from pdist or squareform. (A
%   column is a matrix X of one column.)
%   Z = knng.linkage (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Distance'    the metric, if it is not the third argument
%     'SaveMemory'  'on' or 'off', the default, as MATLAB has it; changes
%                   nothing: the method decides
%     'MaxMemory'   bytes beside X and Z; default: what the machine has
%     'Threads', 'Progress'  as in knngraph
%     'Device', 'MaxDeviceMemory'  as in knngraph; but for the search of
%                   'single' one GPU at most, which keeps what is compared,
%                   where that is faster
%
%   knng.cluster cuts the tree into clusters, knng.clusterdata does both.
%
%   'single' comes from the exact tree of knng.minspantree: millions of rows. A
%   distance up to realmin is 0 there. 'ward', 'centroid' and 'median' by the
%   euclidean metric keep the centres alone, 8*n*d bytes. All others, and all of
%   y, take a table of 8*n^2 bytes (20 000 rows: 3.2 GB), or 10*n^2 of a GPU;
%   more than 'MaxMemory', or than there is, is an error before any work, or
%   once a GPU has given up. 'ward', 'centroid' and 'median' mean euclidean
%   distances: with another metric there is a warning.
%
%   By 'centroid' and 'median' a cluster may be nearer to a third than its parts
%   were to each other, so that heights fall from a step to a later one. Their
%   steps are in the order in which they were made, all others by height.
%
%   Distances are those of knngraph to the last bit. Where clusters are equally
%   near, a rule decides (docs/canonical.md, 13): every machine, every number of
%   threads and every GPU gives the same Z. Other programs may have other rules,
%   and give another tree of the same right.
%
%   Each row has to have distances: with NaN, Inf or, by a correlation, a
%   constant row there is an error that names the first and counts them.
%
%   Cost: O(n^2*d) with the table and by 'ward', mostly also by 'centroid' and
%   'median'; 'single' as knng.minspantree. Threads wait for each other at each
%   step: where other programs keep the processors busy, 'Threads', 1 may be
%   twice as fast. Ctrl-C stops it.
%
%   Errors: knng:data:rows (a row without distances); knng:args:dist (y is no
%   row of n*(n-1)/2 distances of 0 or more); knng:args:class, :sparse,
%   :complex, :dims, :empty, :rows, :method, :metric, :device, :option,
%   :maxMemory, :unknownOption, :count; knng:device:none; knng:memory:host;
%   knng:interrupted; knng:internal:tree. Warnings:
%   knng:args:euclidean ('ward', 'centroid' or 'median' with another metric);
%   knng:data:distances (X looks like a table of distances); knng:data:fill (X
%   has numbers that may stand for missing values, as -9999);
%   knng:device:fallback (a GPU did not finish, or lacks memory; the CPU did).
%
%   Source: F. Murtagh, A survey of recent advances in hierarchical clustering
%   algorithms, Computer Journal 26 (1983) 354-359; D. Muellner, Modern
%   hierarchical, agglomerative clustering algorithms, arXiv:1109.2378 (2011).
%
%   Example:
%     X = [1; 2; 4; 10; 11];
%     Z = knng.linkage (X, 'average')     % 1 2 1; 4 5 1; 3 6 2.5; 7 8 8.1667
%     knng.cluster (Z, 'MaxClust', 2)'    % 1 1 1 2 2
%
%   See also knng.cluster, knng.clusterdata, knng.minspantree, knng.mstknn,
%   knngraph.

  if (nargin < 1)
    error ('knng:args:count', ['knng.linkage needs points or distances, as in knng.linkage (X, ''average''): ' ...
           'see help knng.linkage']);
  end
  knng.internal.built ();
  [method, opt, how, asked] = arguments_of (varargin);
  metric = opt.Distance;
  knng.internal.check_matrix (X, 'X');
  if (isempty (opt.Device))
    opt.Device = 'auto';
  end
  where = {opt.MaxMemory, opt.Device, opt.MaxDeviceMemory, opt};
  why = '';
  if (size (X, 1) == 1 && isempty (metric))
    check_pairs (X);
    [Z, why] = knng.internal.linkage ('distances', double (X), method, where{:});
  else
    if (isempty (metric))
      metric = 'euclidean';
    end
    hint (X, method, metric, asked);
    if (strcmp (method, 'single'))
      Z = nearest_first (X, metric, how, opt);
    else
      knng.internal.doubt_filled (X);                        % as a search would
      [Z, why] = knng.internal.linkage ('points', X, metric, method, where{:});
    end
  end
  if (~isempty (why))
    warning ('knng:device:fallback', 'a GPU did not finish (%s): the CPU makes the tree', why);
  end
end

function [method, opt, how, asked] = arguments_of (args)
% ASKED is the metric as it was given.
  method = 'single';
  engine = knng.internal.engine ();
  opt = struct ('Distance', [], 'SaveMemory', 'off');
  for name = fieldnames (engine)'
    opt.(name{1}) = [];
  end
  opt.Progress = 'auto';
  if (~isempty (args) && ~is_option (args{1}, opt))
    if (is_method (args{1}) && ischar (args{1}))
      method = lower (args{1});
    elseif (~is_method (args{1}))
      list = knng.internal.linkage_methods ();
      list = sprintf (', ''%s''', list{:});
      error ('knng:args:method', 'the method is %s%s: it must be one of %s', knng.internal.given (args{1}), called_here (args{1}), list(3:end));
    end
    args = knng.internal.metric_first (opt, args(2:end));
  end
  [opt, given] = knng.internal.options (opt, args);
  asked = opt.Distance;
  if (~isempty (opt.Distance) || any (strcmp (given(1:2:end), 'Distance')))
    opt.Distance = knng.internal.metric (opt.Distance);
  end
  knng.internal.check_choice ('SaveMemory', opt.SaveMemory, {'on', 'off'});
  how = knng.internal.engine (given);
end

function text = called_here (name)
% What a method of other programs is here.
  of = {'upgma', 'average'; 'wpgma', 'weighted'; 'mcquitty', 'weighted'; 'upgmc', 'centroid'; 'wpgmc', 'median'; 'ward.d2', 'ward'};
  text = '';
  if (knng.internal.is_one_of (name, of(:, 1)))
    text = sprintf (', which is ''%s'' here', of{strcmpi (name, of(:, 1)), 2});
  end
end

function ok = is_option (value, opt)
  ok = false;
  if (ischar (value) && ndims (value) == 2 && size (value, 1) == 1)
    [name, several] = knng.internal.option_name (opt, value);
    ok = ~is_method (value) && (~isempty (name) || ~isempty (several));
  end
end

function ok = is_method (value)
  ok = knng.internal.is_one_of (value, knng.internal.linkage_methods ()) || (isnumeric (value) && isempty (value));
end

function check_pairs (y)
% One row: points are more.
  m = numel (y);
  n = round ((1 + sqrt (1 + 8 * m)) / 2);
  if (n * (n - 1) / 2 ~= m)
    error ('knng:args:dist', ['X is %d-by-%d: one row is taken for distances, and must have n*(n-1)/2 of them, those of all pairs of n rows; ' ...
           'a tree of points needs two rows or more'], size (y, 1), m);
  end
end

function hint (X, method, metric, asked)
  n = size (X, 1);
  if (n > 2 && n == size (X, 2) && ~any (diag (X)) && all (X(:) >= 0) && isequal (X, X'))
    warning ('knng:data:distances', ['X is a symmetric %d-by-%d matrix of zeros on the diagonal and looks like a table of distances, ' ...
             'but is taken for points: give distances as a row, squareform (X)'], n, n);
  end
  if (any (strcmp (method, {'ward', 'centroid', 'median'})) && ~strcmp (metric, 'euclidean'))
    warning ('knng:args:euclidean', 'the method ''%s'' is made for the euclidean metric: with ''%s'' its heights mean little', ...
             method, asked);
  end
end

function Z = nearest_first (X, metric, how, opt)
% Single linkage.
  n = size (X, 1);
  knng.internal.linkage ('check', X, metric, opt);            % each row has distances
  [i, j, d] = knng.internal.all_pairs (X, metric, 1, how);
  Z = knng.internal.linkage ('edges', n, i, j, d, opt);
end

%!function check (Z, X, method)                      % each height, from the rows themselves, and the order of the steps
%!  n = rows (Z) + 1;
%!  knng.internal.tree ('check', Z);
%!  assert (all (Z(:, 1) < Z(:, 2)));
%!  part = num2cell (1:n);
%!  D = sqrt (sum ((permute (X, [1 3 2]) - permute (X, [3 1 2])) .^ 2, 3));
%!  if (! any (strcmp (method, {'centroid', 'median'})))
%!    assert (issorted (Z(:, 3)));
%!  end
%!  centre = mat2cell (X, ones (1, n), columns (X))';
%!  for s = 1:n-1
%!    [a, b] = deal (part{Z(s, 1)}, part{Z(s, 2)});
%!    part{n + s} = [a, b];
%!    gap = norm (mean (X(a, :), 1) - mean (X(b, :), 1));
%!    [p, q] = deal (centre{Z(s, 1)}, centre{Z(s, 2)});
%!    centre{n + s} = (p + q) / 2;
%!    h = struct ('single', min (D(a, b)(:)), 'complete', max (D(a, b)(:)), 'average', mean (D(a, b)(:)), 'centroid', gap, ...
%!                'ward', sqrt (2 * numel (a) * numel (b) / (numel (a) + numel (b))) * gap, 'median', norm (p - q));
%!    assert (Z(s, 3), h.(method), 1e-12 * (1 + max (D(:))));
%!  end
%!endfunction
%!function h = heights (varargin)
%!  Z = knng.linkage (varargin{:});
%!  h = Z(:, 3);
%!endfunction
%!function v = methods_of ()
%!  v = {'single', 'complete', 'average', 'ward', 'centroid', 'median'};
%!endfunction

%!test <*1>
%! X = [1; 2; 4; 10; 11];
%! assert (knng.linkage (X, 'average'), [1 2 1; 4 5 1; 3 6 2.5; 7 8 49/6], 1e-14);
%! assert (knng.linkage ([1 3 9 10 2 8 9 6 7 1], 'average'), knng.linkage (X, 'average'));

%!test  # what SciPy 1.17.1 gives
%! X = mod ((1:12)' .^ 2 * sqrt ([2 3]), 1);
%! R.single = [5 9 1 13 3 2 7 17 16 6 11; 10 12 8 14 4 15 18 19 20 21 22; ...
%!             0.116665 0.15271 0.15271 0.158658 0.159892 0.166088 0.181742 0.181742 0.191223 0.271977 0.332177];
%! R.complete = [5 9 1 3 7 13 2 11 6 19 21; 10 12 8 4 15 14 16 17 18 20 22; ...
%!               0.116665 0.15271 0.15271 0.159892 0.21407 0.312935 0.347099 0.475974 0.558826 0.641032 0.823007];
%! R.average = [5 9 1 3 7 13 2 16 6 11 21; 10 12 8 4 15 14 17 19 18 20 22; ...
%!              0.116665 0.15271 0.15271 0.159892 0.197906 0.243961 0.281027 0.316122 0.427046 0.48734 0.530092];
%! R.weighted = [5 9 1 3 7 13 2 17 6 11 21; 10 12 8 4 15 14 16 19 18 20 22; ...
%!               0.116665 0.15271 0.15271 0.159892 0.197906 0.243961 0.282246 0.328916 0.427046 0.488329 0.613929];
%! R.ward = [5 9 1 3 7 2 13 11 6 18 21; 10 12 8 4 15 16 14 17 19 20 22; ...
%!           0.116665 0.15271 0.15271 0.159892 0.211653 0.321408 0.33136 0.457981 0.532412 0.622173 1.082594];
%! R.centroid = [5 9 1 3 7 13 2 16 6 11 21; 10 12 8 4 15 14 17 19 18 20 22; ...
%!               0.116665 0.15271 0.15271 0.159892 0.183297 0.234307 0.273306 0.285289 0.420909 0.465247 0.448237];
%! R.median = [5 9 1 3 7 13 2 17 6 11 21; 10 12 8 4 15 14 16 19 18 20 22; ...
%!             0.116665 0.15271 0.15271 0.159892 0.183297 0.234307 0.278348 0.291055 0.420909 0.465396 0.527773];
%! y = knng.internal.linkage ('pairs', X, 'euclidean');
%! for m = fieldnames (R)'
%!   for Z = {knng.linkage(X, m{1}), knng.linkage(y, m{1})}
%!     assert (Z{1}(:, 3), R.(m{1})(3, :)', 1e-6);
%!     if (strcmp (m{1}, 'single'))                        % 9 joins 12 and 1 joins 8 at one height, and two more do
%!       assert (knng.cluster (Z{1}, 'MaxClust', [2 3]), [1 1 1 1 1 1 1 1 1 1 2 1; 1 1 1 1 1 2 1 1 1 1 3 1]');
%!     else
%!       assert (Z{1}(:, 1:2), R.(m{1})(1:2, :)');
%!     end
%!   end
%! end

%!test  # heights mean what they should, with and without ties, from points and from distances, for any number of threads
%! n = 90 + 50 * ! isempty (getenv ('KNNG_ALL'));
%! for kind = 1:4
%!   X = reshape (knng.internal.random (kind, 3 * n), n, 3);
%!   if (kind == 2)
%!     X = floor (4 * X);
%!   elseif (kind == 3)
%!     X(n / 2 + 1:end, :) = X(1:n / 2, :);
%!   elseif (kind == 4)
%!     X = cumsum (1.1 .^ (1:n))' * [1 0 0];              # one long chain
%!   end
%!   half = X(1:2:end, :);
%!   y = knng.internal.linkage ('pairs', half, 'euclidean');
%!   for m = methods_of ()
%!     check (knng.linkage (half, m{1}), half, m{1});
%!     check (knng.linkage (y, m{1}), half, m{1});
%!     assert (knng.linkage (X, m{1}, 'euclidean', 'Threads', 3), knng.linkage (X, m{1}, 'euclidean', 'Threads', 1));
%!   end
%! end

%!test  # so many rows that threads share the table
%! X = reshape (knng.internal.random (5, 3600), 1200, 3);
%! for m = {'single', 'complete', 'average', 'weighted', 'ward'}
%!   y = knng.internal.linkage ('pairs', X, 'euclidean');
%!   Z = knng.linkage (y, m{1}, 'Threads', 1);
%!   assert (knng.linkage (y, m{1}, 'Threads', 3), Z);
%!   assert (heights (X, m{1}, 'euclidean', 'Threads', 2), Z(:, 3), 1e-12);
%! end

%!test  # from huge to tiny: a power of two changes nothing but the heights
%! X = floor (64 * reshape (knng.internal.random (9, 90), 30, 3));
%! for m = [methods_of(), {'weighted'}]
%!   Z = knng.linkage (X, m{1});
%!   y = knng.internal.linkage ('pairs', X, 'euclidean');
%!   Y = knng.linkage (y, m{1});
%!   for e = [-500, 480]
%!     S = knng.linkage (X * 2 ^ e, m{1});
%!     assert (S, [Z(:, 1:2), Z(:, 3) * 2 ^ e]);
%!   end
%!   for e = [-1000, -600, 600, 1000]
%!     S = knng.linkage (y * 2 ^ e, m{1});
%!     assert (S(:, 3), Y(:, 3) * 2 ^ e, -1e-14);
%!   end
%! end
%! Z = knng.linkage ([1; 2; 4] * 2 ^ 1000, 'ward');
%! assert (Z, [1 2 2^1000; 3 4 2.5 * 2^1000 * sqrt(4 / 3)], -1e-15);
%! assert (heights ([1; 2; 4] * 2 ^ -1074, 'ward')' > 0, [true true]);

%!test  # infinite distances, equal rows, one row, two
%! for m = [methods_of(), {'weighted'}]
%!   assert (heights (Inf (1, 10), m{1}), Inf (4, 1));
%!   assert (knng.linkage ([1 Inf Inf Inf Inf 2], m{1}), [1 2 1; 3 4 2; 5 6 Inf]);
%!   assert (heights (ones (6, 2), m{1}), zeros (5, 1));
%!   Z = knng.linkage ([7 8 9; 7 8 9; 7 8 10], m{1});
%!   assert (Z(:, [1 2]), [1 2; 3 4]);
%!   assert (knng.linkage ([0; 0], m{1}), [1 2 0]);
%!   assert (size (knng.linkage (5, m{1}, 'euclidean')), [0 3]);
%!   assert (knng.linkage (5, m{1}), [1 2 5]);
%! end
%! assert (heights ([1e200; 3e200; -1e200; 1e155], 'average', 'sqeuclidean'), [Inf; Inf; Inf]);

%!test  # metrics; golub's samples
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! Z = knng.linkage (ds.X', 'average', 'pearson');
%! assert (knng.linkage (ds.X', 'average', 'Metric', 'corr'), Z);
%! D = 1 - corr (ds.X);
%! y = D(tril (true (38), -1))';
%! assert (heights (y, 'average'), Z(:, 3), 1e-12);
%! assert (max (heights (single (ds.X'), 'complete', 'pearson')), max (y), 1e-5);

%!test  # what is left out is the default
%! X = mod ((1:30)' .^ 2 * sqrt ([2 3]), 1);
%! Z = knng.linkage (X);
%! assert (knng.linkage (X, 'SINGLE'), Z);
%! assert (knng.linkage (X, []), Z);
%! assert (knng.linkage (X, 'Threads', 1), Z);
%! assert (knng.linkage (X, 'single', 'Threads', 1, 'savemem', 'on'), Z);
%! assert (knng.linkage (X, 'Distance', 'city'), knng.linkage (X, 'single', 'cityblock'));

%!warning id=knng:args:euclidean knng.linkage ([1 2; 3 4; 5 7], 'ward', 'cityblock');
%!warning <'ward' is made for the euclidean metric: with 'correlation' its heights> knng.linkage ([1 2 4; 3 4 1; 5 7 7], 'ward', 'correlation');
%!warning id=knng:data:distances knng.linkage ([0 1 2; 1 0 3; 2 3 0], 'complete');
%!error id=knng:args:count knng.linkage ()
%!error id=knng:args:method knng.linkage ([1; 2], 'averige')
%!error id=knng:args:method knng.linkage ([1; 2], 'averige', 'pearson')
%!error <the method is 'UPGMA', which is 'average' here: it must be one of 'single'> knng.linkage ([1; 2], 'UPGMA')
%!error <the method is 'ward.D2', which is 'ward' here> knng.linkage ([1; 2], 'ward.D2')
%!error id=knng:args:method knng.linkage ([1; 2], 5)
%!error id=knng:args:option knng.linkage ([1; 2], 'single', 'euclidean', 'SaveMemory', 'maybe')
%!error id=knng:args:metric knng.linkage ([1; 2], 'single', 'euclidian')
%!error id=knng:args:metric knng.linkage ([1; 2], 'single', 5)
%!error id=knng:args:dist knng.linkage ([1 2], 'single')
%!error <^X is 1-by-4: .* a tree of points needs two rows> knng.linkage (magic (4)(1, :))
%!error id=knng:args:dist knng.linkage ([1 -2 3], 'single')
%!error id=knng:args:dist knng.linkage ([1 NaN 3], 'average')
%!error id=knng:args:class knng.linkage ({})
%!error id=knng:args:empty knng.linkage ([])
%!error id=knng:args:unknownOption knng.linkage ([1; 2], 'single', 'euclidean', 'Treads', 2)
%!error id=knng:args:maxMemory knng.linkage ((1:999)', 'average', 'euclidean', 'MaxMemory', 5e6)
%!error id=knng:args:maxMemory knng.linkage ((1:999)', 'ward', 'euclidean', 'MaxMemory', 5e3)
%!error id=knng:args:maxMemory knng.linkage (1:45, 'average', 'MaxMemory', 100)
%!error <row 2 of X has no> knng.linkage ([1; NaN; 3], 'single')
%!error <row 2 of X has no distances \(2 rows have none\): it has NaN> knng.linkage ([1; Inf; NaN], 'ward')
%!error <row 2 of X has no distances \(2 rows have none\): .* constant> knng.linkage ([1 2; 3 3; 4 5; 1 1], 'average', 'pearson')
%!error id=knng:args:device knng.linkage ([1 2; 3 4], 'ward', 'euclidean', 'Device', 'gpi')
%!error <row 2 of X has no> knng.linkage ([1; NaN; 3], 'complete')
%!error <row 3 of X has no.*constant> knng.linkage ([1 2; 2 3; 4 4], 'single', 'pearson')
%!error <^row 3 of X has no distances: it is constant, and .*filterrows> knng.linkage ([1 2; 2 3; 4 4], 'single', 'pearson')
%!error id=knng:data:rows knng.linkage ([1 2; 0 0; 4 4], 'average', 'cosine')
%!function text = said (X, metric)
%!  text = '';
%!  try
%!    knng.linkage (X, 'average', metric);
%!  catch err
%!    text = err.message;
%!    assert (err.identifier, 'knng:data:rows');
%!  end
%!endfunction
%!test  # of rows without distances: what the remedies leave has some
%! X = [1 2 4; 3 3 3; 5 1 2; 0 0 0];
%! assert (regexp (said (X, 'corr'), '^row 2 of X has no distances \(2 rows have none\): it is constant, .* \(X, ''MinVariance'', eps\), or take ''eucl'), 1);
%! assert (said (knng.filterrows (X, 'MinVariance', eps), 'corr'), '');
%! assert (regexp (said (X, 'cosine'), '^row 4 of X has no distances: it is zero, and a tree has all rows; leave zero rows out, as in X\(any \(X, 2\), :\), or'), 1);
%! assert (said (X(any (X, 2), :), 'cosine'), '');
%! X(1, 2) = NaN;
%! assert (regexp (said (X, 'spearman'), '^row 1 of X has no distances \(3 rows have none\): it has NaN or Inf, .* knng.impute; others are constant: leave'), 1);
%! assert (regexp (said (X([2 1 3], :), 'spearman'), '^row 1 of X has no distances \(2 rows have none\): it is constant, .*; others have NaN or Inf: '), 1);
%! assert (regexp (said (X, 'euclidean'), '^row 1 of X has no distances: it has NaN or Inf, .* or fill them in with knng.impute$'), 1);
%! assert (isempty (strfind (said (X([3 2], :), 'corr'), 'knng.impute')));
%!error <^row 2 of X has no distances: it is constant, .* leave constant rows out, as in knng.filterrows> knng.internal.linkage ('pairs', [1 2; 3 3], 'pearson')
%!error id=knng:args:count [y, more] = knng.internal.linkage ('pairs', magic (3), 'euclidean')
%!error id=knng:args:count [n, more] = knng.internal.linkage ('check', magic (3), 'euclidean')
%!error id=knng:args:count [Z, more] = knng.internal.linkage ('edges', 2, 1, 2, 3)
%!test  # where memory is short: a unit that fits, and methods that do with what there is
%! for shape = [50 300 1000; 500 2 50]
%!   X = reshape (knng.internal.random (1, prod (shape)), shape');
%!   [least, fits] = deal ({'single', 'ward'}, [0 0]);
%!   for most = 2 .^ (8:27)
%!     text = '';
%!     try
%!       knng.linkage (X, 'average', 'euclidean', 'MaxMemory', most, 'Threads', 1);
%!     catch err
%!       assert (err.identifier, 'knng:args:maxMemory');
%!       text = err.message;
%!     end
%!     if (isempty (text))
%!       break
%!     end
%!     assert (regexp (text, 'rows takes \d[\d.]* [kM]B beside them, and ''MaxMemory'' is \d[\d.]* (bytes|kB|MB): .*take fewer rows$') > 0, text);
%!     for m = 1:2
%!       if (! isempty (strfind (text, ['''', least{m}, ''''])))
%!         knng.linkage (X, least{m}, 'euclidean', 'MaxMemory', most, 'Threads', 1);
%!         fits(m)++;
%!       end
%!     end
%!   end
%!   assert (shape(1) < 1000 || all (fits));
%! end
%!warning <holds -9999 in 2 of 4 rows> Z = knng.linkage ([1 2; 3 -9999; 5 1; 6 -9999], 'average');
%!error <10 rows takes 1.9 kB beside them, and 'MaxMemory' is 100 bytes: take fewer rows$> knng.linkage (1:45, 'average', 'MaxMemory', 100)
