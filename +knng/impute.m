function [Z, info] = impute (X, varargin)
%KNNG.IMPUTE  Fill in missing values from the nearest rows.
%   Z = knng.impute (X, k) fills in every NaN of the n-by-d matrix X: with a
%   mean of what the k nearest rows have in that column, of those that have
%   something there. A nearer row counts for more: the weights are 1/distance.
%   Z = knng.impute (X) takes k = 10.
%   ds = knng.impute (ds, ...) does so with a data set as knng.read returns it:
%   ds.X is filled in, and ds.history, a column of texts, gets one that says
%   what was done; all else stays as it is.
%   [Z, info] = knng.impute (...) also says what was done.
%   [...] = knng.impute (..., 'Name', value, ...) takes options.
%
%     X  n-by-d, double or single; NaN is missing. A row for each gene, a column
%        for each sample
%     k  a whole number, 1 or more. For microarrays 10 to 20 have done well
%     Z  as X, of its class and in its unit. What was there stays, to the last
%        bit
%
%   Options:
%
%     'By'        'rows': from the nearest rows (genes); 'columns': from the
%                 nearest columns (samples), as in MATLAB; default 'rows'
%     'Distance'  default 'euclidean'; 'Metric' is the same
%         'euclidean', 'sqeuclidean', 'cityblock', 'chebychev'
%         'cosine', 'correlation' (or 'pearson')
%         'seuclidean'   euclidean of columns in units of the standard deviation
%                        of what they have (with 'By', 'columns': of rows);
%                        {'seuclidean', s}: in units of s, d numbers
%         'minkowski'    its exponent is 2; {'minkowski', p}: it is p, 1 or more
%         'hamming'      the share of columns that differ
%         'jaccard'      the same of those columns in which one of the two rows
%                        is not 0; if both are 0 in all, they are at distance 0
%         'mahalanobis'  by the covariance of the columns, {'mahalanobis', C} by
%                        C, d-by-d
%         a function     of a row and of m rows, as that of MATLAB's pdist:
%                        f (x, Y) is m-by-1, 0 or more, NaN where there is no
%                        distance; {f, a, ...}: f (x, Y, a, ...)
%     'Weights'   'inverse': 1/distance; 'squaredinverse': 1/distance^2;
%                 'equal'; or k positive numbers, that of the nearest first;
%                 default 'inverse'
%     'Median'    true: the median of the values, without weights; default false
%     'Threads', 'Progress'  as in knngraph
%
%   The distance of two rows is that of the columns in which neither is missing,
%   scaled to all d: a sum over s of them is multiplied by d/s before its root
%   is taken. Rows without a common column have no distance; by 'cosine' and
%   'correlation' they need three, and rows that are 0, or constant, have none.
%   'mahalanobis' and functions compare the columns in which nothing at all is
%   missing, as knnimpute does, and no others. Every missing
%   value has neighbours of its own: a row that misses it too is passed over,
%   and the next nearest takes its place. Rows that are as near as the k-th all
%   count, so the order of the rows does not matter (but for numbers as
%   'Weights', which follow the order of ties, too; those beyond the k-th have
%   the last one). If rows are at distance 0, they alone count with 'inverse'.
%   Values that were filled in fill in no others. A mean never leaves the range
%   of its values.
%
%   A value stays NaN if no row with a distance has it, as in a column without
%   values, or a row without any. A warning, knng:data:nonFinite, counts such
%   values. Leave out rows that miss most, before, with knng.filterrows (ds,
%   'MaxMissing', 0.5): what is filled in there is a guess.
%
%   The mean of neighbours says something only where near rows have near
%   values. By 'cosine' and 'correlation' rows of any height are near, so scale
%   them alike first: knng.normalize (ds, 'zscore').
%
%   Fields of info:
%
%     missing   how many values were missing
%     rows      how many rows (with 'By', 'columns': columns) missed some
%     filled    how many values were filled in
%     left      how many stayed NaN
%     fewer     how many were filled in from fewer than k rows, since no more
%               have a value there
%     k, by, distance, weights  as they were used; distance by its first name,
%               'pearson' for 'correlation'; weights is 'median' with 'Median'
%
%   Every machine and every number of threads returns the same bits, save by
%   'seuclidean', 'mahalanobis', {'minkowski', p} and functions, where Octave
%   computes; there rows may be equally near that are so but for rounding, or
%   not. The values of a mean are summed in the order of (distance, row), in
%   double precision.
%
%   As knnimpute of MATLAB's Bioinformatics Toolbox: the distances, the weights,
%   that a neighbour without the value is passed over, that equally near ones
%   all count for k = 1, 'Median'; what 'DistArgs' gave it stands in the cell
%   behind the distance. Otherwise: that takes columns, k = 1 if none
%   is given, and measures only rows (here: columns) in which nothing at all is
%   missing, of which large data have none. knng.impute (X, 1, 'By', 'columns')
%   is closest to knnimpute (X).
%
%   Cost: r*n*d operations for r rows with missing values; 24 158 rows of 295
%   columns, 5 in 100 missing, take 24 seconds of one core, half of that on two;
%   12 625 of 128 columns 3. 'hamming' and 'jaccard' take three times that,
%   'cosine' ten, 'correlation' thirteen, {'minkowski', p} fifty times; a
%   function is called r times. With few columns a pair of rows costs as much as
%   with some 300: of 60 000 rows of 40 columns, 47 662 of them with missing
%   values, it took 53 seconds of two cores on a busy machine. Memory: Z, 8*n*d
%   bytes, and 200*n for each thread, which are checked before they are claimed;
%   8*n*c more for the c columns that 'mahalanobis' and functions compare, for
%   functions Z again and 64 MB of distances, for {'minkowski', p} 48*n*d.
%   Ctrl-C stops it.
%
%   Errors: knng:args:k; knng:args:metric, also where a function does not return
%   distances; knng:args:values ('mahalanobis' or a function where every column
%   misses a value; a covariance that is singular); knng:args:option;
%   knng:args:ds; knng:args:class, :sparse, :complex, :dims, :empty, :rows;
%   knng:data:infinite (X has Inf); knng:args:unknownOption, :count;
%   knng:memory:host; knng:interrupted. Warning: knng:data:fill (X has numbers
%   that may stand for missing values, as -9999).
%
%   Source: O. Troyanskaya et al., Missing value estimation methods for DNA
%   microarrays, Bioinformatics 17 (2001) 520-525.
%
%   Example:
%     X = [0 0 NaN; 1 0 10; 0 3 20; 50 NaN 50];
%     [Z, info] = knng.impute (X, 2);
%     Z(1, 3)                             % 12.5: 10 at 1.2247, 20 at 3.6742
%     Z(4, 2)                             % 1.5610: 3 at 71.414, 0 at 77.469
%     info.filled                         % 2
%     [idx, dist] = knngraph (Z, 2);      % now every row has neighbours
%
%   See also knng.filterrows, knng.normalize, knng.read, knngraph.

  if (nargin < 1)
    error ('knng:args:count', 'knng.impute needs a matrix or a data set, as in knng.impute (X, 10): see help knng.impute');
  end
  k = 10;
  if (~isempty (varargin) && ~ischar (varargin{1}))
    k = knng.internal.check_neighbours ('k', varargin{1});
    varargin(1) = [];
  end
  opt = struct ('By', 'rows', 'Distance', 'euclidean', 'Weights', 'inverse', 'Median', false, 'Threads', [], 'Progress', 'auto');
  [opt, given] = knng.internal.options (opt, varargin);
  [X, ds] = knng.internal.matrix_of (X);
  knng.internal.built ();
  how = knng.internal.how_to_run (knng.internal.engine (given, {'Threads', 'Progress'}));
  opt.By = knng.internal.check_choice ('By', opt.By, {'rows', 'columns'});
  knng.internal.check_flag ('Median', opt.Median);
  [fill, weights, opt.Weights] = weights_of (opt.Weights, k);
  if (opt.Median)
    if (any (strcmp (given(1:2:end), 'Weights')))
      error ('knng:args:option', '''Weights'' and ''Median'' are both given: a median has no weights; leave out one of them');
    end
    fill = 4;
    opt.Weights = 'median';
  end
  knng.internal.check_no_inf (X);
  columns = strcmp (opt.By, 'columns');
  near = nearness (opt.Distance, X, columns);
  fill = {k, fill, weights, double(columns)};
  if (isempty (near.f))
    [Z, count] = knng.internal.impute (X, near.metric, fill{:}, near.units, near.by, how);
  else
    [Z, count] = by_function (X, near, fill, columns, how);
  end
  info = struct ('missing', count(1), 'rows', count(2), 'filled', count(3), 'left', count(1) - count(3), 'fewer', count(4), ...
                 'k', k, 'by', opt.By, 'distance', {near.name}, 'weights', {opt.Weights});
  if (info.left > 0)
    warn_of (info, isnan (Z));
  end
  if (~isempty (ds))
    ds.X = Z;
    Z = knng.internal.noted (ds, '%s', told (info));
  end
end

function text = told (info)
% What was done, as ds.history has it.
  what = {'row', 'column'};
  what = what{1 + strcmp (info.by, 'columns')};
  if (info.missing == 0)
    text = 'impute: nothing was missing';
    return
  end
  how = info.distance;
  if (iscell (how))
    how = how{1};
  end
  if (isa (how, 'function_handle'))
    how = 'a function';
  end
  text = sprintf ('impute: %d of %s in %s filled in from the %d nearest by %s', info.filled, knng.internal.count_of (info.missing, 'missing value'), ...
                  knng.internal.count_of (info.rows, what), info.k, how);
  if (info.left > 0)
    text = sprintf ('%s; %d stay NaN', text, info.left);
  end
end

function near = nearness (value, X, columns)
% How rows are compared: the name, as info has it; what the gateway compares by, with units, or other rows; or a function of a row and the rows, and these.
  near = struct ('name', '', 'metric', '', 'units', [], 'by', [], 'f', [], 'rows', []);
  more = {};
  if (iscell (value) && ~isempty (value))
    more = value(2:end);
    value = value{1};
  end
  near.name = value;
  if (~isempty (more))
    near.name = [{value}, more];
  end
  if (isa (value, 'function_handle'))
    near.f = @(x, Y) value (x, Y, more{:});
    near.rows = points (X, columns, complete (X, columns, 'functions compare'));
    return
  end
  known = {'euclidean', 'sqeuclidean', 'seuclidean', 'cityblock', 'chebychev', 'minkowski', 'cosine', 'pearson', 'hamming', 'jaccard', ...
           'mahalanobis'};
  own = {'seuclidean', 'minkowski', 'hamming', 'jaccard', 'mahalanobis'};
  asked = value;
  which = [];
  if (ischar (value) && ndims (value) == 2 && size (value, 1) == 1 && numel (value) > 2)
    which = find (strncmpi (value, own, numel (value)));
  end
  if (numel (which) == 1)
    value = own{which};
  else
    value = metric_of (value, known, own);
  end
  [near.name, near.metric] = deal (value);
  if (~any (strcmp (value, known)))
    error ('knng:args:metric', '''Distance'' is %s, by which knng.impute does not compare: it must be %s', knng.internal.given (asked), ...
           listed (known));
  elseif (numel (more) > any (strcmp (value, {'seuclidean', 'minkowski', 'mahalanobis'})))
    error ('knng:args:metric', ['''Distance'' is a cell of %d things: it may be {''seuclidean'', s}, {''minkowski'', p}, {''mahalanobis'', C} ' ...
           'or {f, a, ...}, else a name or a function'], numel (more) + 1);
  end
  if (~isempty (more))
    near.name = [{value}, more];
  end
  switch (value)
    case 'seuclidean'
      near.metric = 'euclidean';
      near.units = units_of (more, X, columns);
    case 'minkowski'
      near = minkowski (near, more, X, columns);
    case 'mahalanobis'
      near.metric = 'euclidean';
      near.by = whitened (X, columns, more);
  end
end

function name = metric_of (value, known, own)
% As knng.internal.metric_among, but where knngraph would list its metrics, those that are known here.
  if (~ischar (value))
    error ('knng:args:metric', '''Distance'' is %s: it must be %s, or a cell that begins with one of these', knng.internal.given (value), listed (known));
  end
  try
    name = knng.internal.metric_among (value, known, own);
  catch err
    if (strncmp (err.message, 'there is no metric', 18))
      error ('knng:args:metric', '''Distance'' is %s%s: it must be %s', knng.internal.given (value), ...
             knng.internal.meant (knng.internal.similar_names (known, value)), listed (known));
    end
    rethrow (err);
  end
end

function text = listed (known)
  text = [sprintf('''%s'', ', known{:}), 'or a function'];
end

function there = complete (X, columns, who)
% The columns (with 'By', 'columns': rows) in which nothing is missing.
  there = find (~any (isnan (X), 1 + columns));
  if (isempty (there))
    error ('knng:args:values', ['every %s of X misses a value, and %s those in which nothing is missing; leave out what misses most, as with ' ...
           'knng.filterrows, or give another ''Distance'', which compares what two %s both have'], name_of ('column', 'row', columns), who, ...
           name_of ('rows', 'columns', columns));
  end
end

function Y = points (X, columns, some)
% What is compared, in rows; of the columns `some`, in their own way.
  if (columns)
    Y = X(some, :)';
  else
    Y = X(:, some);
  end
end

function s = units_of (more, X, columns)
  d = size (X, 2 - columns);
  if (isempty (more))
    s = deviations (X, 1 + columns);
    return
  end
  s = more{1};
  if (~(isnumeric (s) && isreal (s) && numel (s) == d && all (s(:) > 0 & s(:) < Inf)))
    error ('knng:args:metric', '''Distance'' is {''seuclidean'', s}, and s is %s: it must be %s, one for each of what is compared', ...
           knng.internal.given (s), knng.internal.count_of (d, 'positive number'));
  end
  s = double (full (s));
  if (~(max (max (X(:)), -min (X(:))) / min (s(:)) < Inf))
    error ('knng:args:metric', '''Distance'' is {''seuclidean'', s}, and s has %g, in which values of X are no numbers any more', min (s(:)));
  end
end

function near = minkowski (near, more, X, columns)
  p = 2;
  if (~isempty (more))
    p = more{1};
  end
  if (~(isnumeric (p) && isreal (p) && numel (p) == 1 && p >= 1))
    error ('knng:args:metric', '''Distance'' is {''minkowski'', p}, and p is %s: it must be a number, 1 or more', knng.internal.given (p));
  end
  p = double (full (p));
  if (any (p == [1, 2, Inf]))                                % which the engine has
    named = {'cityblock', 'euclidean', 'chebychev'};
    [near.name, near.metric] = deal (named{p == [1, 2, Inf]});
    return
  end
  near.f = @(x, Y) sum_of_powers (x, Y, p);
  near.rows = double (points (X, columns, ':'));
end

function D = sum_of_powers (x, Y, p)
% Over what both have, scaled to all; in units of the largest, so that no power leaves the numbers.
  D = abs (bsxfun (@minus, Y, x));
  gone = isnan (D);
  D(gone) = 0;
  top = max (max (D, [], 2), realmin);
  shared = sum (~gone, 2);
  D = top .* (sum (bsxfun (@rdivide, D, top) .^ p, 2) .* (size (Y, 2) ./ shared)) .^ (1 / p);
  D(isinf (top)) = Inf;
  D(shared == 0) = NaN;
end

function W = whitened (X, columns, more)
% The complete columns as the euclidean distance of their points is Mahalanobis' distance, each point in a column. In units of their
% own, so that numbers of any size have a covariance.
  there = complete (X, columns, '''mahalanobis'' compares');
  Y = double (points (X, columns, there));
  if (isempty (more))
    s = deviation (Y, 1);
  else
    C = covariance_of (more{1}, size (X, 2 - columns), there);
    s = sqrt (diag (C))';
  end
  Y = bsxfun (@rdivide, bsxfun (@minus, Y, mean (Y, 1)), s);
  if (~isempty (more))
    R = C ./ (s' * s);
  else
    R = Y' * Y / max (size (Y, 1) - 1, 1);
  end
  [R, failed] = chol ((R + R') / 2);
  if (failed || rcond (R) ^ 2 < numel (s) * eps)
    what = sprintf ('the %s in which nothing is missing', knng.internal.count_of (numel (s), name_of ('column', 'row', columns)));
    if (~isempty (more))
      error ('knng:args:metric', '''Distance'' is {''mahalanobis'', C}, and C is not positive definite, or nearly not, in %s', what);
    end
    error ('knng:args:values', ['the covariance of %s is singular over %s of X, so there is no Mahalanobis distance: none of the former may be ' ...
           'constant or made of others, and the latter must be more; give ''seuclidean'''], what, ...
           knng.internal.count_of (size (Y, 1), name_of ('row', 'column', columns)));
  end
  W = (Y / R)';
end

function C = covariance_of (C, d, there)
% What is given, of what is compared.
  must_be = 'it must be';
  fine = isnumeric (C) && isreal (C) && isequal (size (C), [d, d]);
  shown = knng.internal.given (C);
  if (fine)
    C = double (full (C(there, there)));
    must_be = 'of what is compared it must be symmetric, without NaN, and more than 0 on the diagonal:';
    fine = all (isfinite (C(:))) && all (diag (C) > 0) && max (max (abs (C - C'))) <= 1e-9 * max (abs (C(:)));
  end
  if (~fine)
    error ('knng:args:metric', ['''Distance'' is {''mahalanobis'', C}, and C is %s: %s the covariance of all columns (with ''By'', ' ...
           '''columns'': rows), %d-by-%d'], shown, must_be, d, d);
  end
end

function t = name_of (a, b, columns)
  t = a;
  if (columns)
    t = b;
  end
end

function [Z, count] = by_function (X, near, fill, columns, how)
% Some of the rows with missing values at once: their distances take 64 MB at most.
  Z = X;
  count = zeros (1, 4);
  n = size (near.rows, 1);
  todo = find (any (isnan (X), 2 - columns));
  step = max (1, floor (2 ^ 23 / n));
  for from = 1:step:numel (todo)
    some = todo(from:min (from + step - 1, numel (todo)));
    D = zeros (n, numel (some));
    for j = 1:numel (some)
      D(:, j) = distances (near.f, near.rows(some(j), :), near.rows);
    end
    [part, more] = knng.internal.impute (X, D, fill{:}, from - 1, [], how);
    if (columns)
      Z(:, some) = part(:, some);
    else
      Z(some, :) = part(some, :);
    end
    count = count + more;
  end
end

function D = distances (f, x, Y)
  try
    D = f (x, Y);
  catch problem
    if (strncmp (problem.identifier, 'knng:', 5))
      rethrow (problem);
    end
    error ('knng:args:metric', '''Distance'' is a function that failed for a row and %d rows: %s', size (Y, 1), knng.internal.shown (problem.message));
  end
  if (~((isnumeric (D) || islogical (D)) && isreal (D) && isequal (size (D), [size(Y, 1), 1])))
    error ('knng:args:metric', ['''Distance'' is a function that returned %s: of a row and of m rows, here %d, it must be the m-by-1 ' ...
           'distances of that row to these'], knng.internal.given (D), size (Y, 1));
  elseif (any (D < 0))
    error ('knng:args:metric', '''Distance'' is a function that returned %g: a distance must be 0 or more, or NaN where there is none', ...
           D(find (D < 0, 1)));
  end
  D = double (full (D)) + 0;                                 % no -0
end

function s = deviations (X, along)
% Of what is there, in each column (along: 1) or row; 1 where all is alike. Numbers of any size have one. Some at once, so as not to take X again.
  many = size (X, 3 - along);
  step = max (1, floor (2 ^ 18 / max (size (X, along), 1)));
  s = ones (1, many);
  if (along == 2)
    s = s';
  end
  for from = 1:step:many
    some = from:min (from + step - 1, many);
    if (along == 1)
      s(some) = deviation (X(:, some), 1);
    else
      s(some) = deviation (X(some, :), 2);
    end
  end
end

function s = deviation (X, along)
  X = double (X);
  gone = isnan (X);
  top = max (max (abs (X), [], along), realmin);
  X = bsxfun (@rdivide, X, top);
  X(gone) = 0;
  count = sum (~gone, along);
  X = bsxfun (@minus, X, bsxfun (@rdivide, sum (X, along), max (count, 1)));
  X(gone) = 0;
  s = sqrt (sum (X .^ 2, along) ./ max (count - 1, 1)) .* top;
  s(~(s > 0)) = 1;
end

function [fill, weights, shown] = weights_of (value, k)
% The number that the gateway has for the rule, and the numbers that are given, the largest 1.
  rules = {'inverse', 'squaredinverse', 'equal'};
  weights = [];
  shown = value;
  if (knng.internal.is_one_of (value, rules))
    shown = lower (value);
    fill = find (strcmp (shown, rules)) - 1;
  elseif (isnumeric (value) && isreal (value) && numel (value) == k && all (value(:) > 0 & value(:) < Inf))
    fill = 3;
    weights = reshape (double (full (value)), 1, []);
    shown = weights;
    weights = max (weights / max (weights), realmin);
  else
    text = knng.internal.given (value);
    if (isnumeric (value) && isreal (value) && numel (value) == k)
      text = knng.internal.given_but (value, value > 0 & value < Inf);
    end
    error ('knng:args:option', '''Weights'' is %s: it must be ''inverse'', ''squaredinverse'', ''equal'' or %s, one for each neighbour', ...
           text, knng.internal.count_of (k, 'positive number'));
  end
end

function warn_of (info, left)
% How many values stay, and why.
  in_rows = sum (any (left, 2));
  empty = [sum(all (left, 2)), sum(all (left, 1))];
  what_helps = 'leave such rows out';
  if (any (empty))
    what_helps = 'leave these out, as with X = X(~all (isnan (X), 2), ~all (isnan (X), 1))';
  end
  why = 'shares no column with';
  if (any (strcmp (info.distance, {'cosine', 'pearson'})))
    why = 'is 0 or constant, or shares fewer than three columns with';
  elseif (isa (info.distance, 'function_handle') || (iscell (info.distance) && isa (info.distance{1}, 'function_handle')))
    why = 'has no distance to';
  end
  if (strcmp (info.by, 'columns'))
    why = strrep (why, 'column', 'row');
  end
  them = {'them', 'it'};
  warning ('knng:data:nonFinite', '%s NaN, in %s: whatever has a value there %s %s (%s and %s no value at all); %s', ...
           knng.internal.share_of (info.left, info.missing, 'missing value', 'stays', 'stay'), knng.internal.count_of (in_rows, 'row'), ...
           why, them{1 + (in_rows == 1)}, knng.internal.count_of (empty(1), 'row'), ...
           knng.internal.count_of (empty(2), 'column has', 'columns have'), what_helps);
end

%!function z = first (varargin)
%!  Z = knng.impute (varargin{:});
%!  z = Z(1);
%!endfunction

%!test <*1>
%! X = [0 0 NaN; 1 0 10; 0 3 20; 50 NaN 50];
%! [Z, info] = knng.impute (X, 2);
%! w = 1 ./ sqrt ([1 9] * 3 / 2);
%! assert (Z(1, 3), w * [10; 20] / sum (w), 1e-14);
%! assert (Z(1, 3), 12.5, 1e-14);
%! assert (Z(~isnan (X)), X(~isnan (X)));
%! assert (info, struct ('missing', 2, 'rows', 2, 'filled', 2, 'left', 0, 'fewer', 0, 'k', 2, 'by', 'rows', ...
%!                       'distance', 'euclidean', 'weights', 'inverse'));

%!test  # the examples of knnimpute: from columns, and of equally near ones all
%! A = [1 2 5; 4 5 7; NaN -1 8; 7 6 0];
%! assert (knng.impute (A, 1, 'By', 'columns'), [1 2 5; 4 5 7; -1 -1 8; 7 6 0]);
%! assert (knng.impute (A', 1), knng.impute (A, 1, 'By', 'columns')');
%! assert (knng.impute ([NaN 1 1; 2 1 1; 8 1 1; 9 7 7], 1), [5 1 1; 2 1 1; 8 1 1; 9 7 7]);
%! assert (knng.impute ([9 7 7; 8 1 1; 2 1 1; NaN 1 1], 1), [9 7 7; 8 1 1; 2 1 1; 5 1 1]);

%!test  # a neighbour without the value is passed over; every value has neighbours of its own
%! X = [NaN 0 0 NaN; NaN 1 0 3; 5 2 0 NaN; 6 9 9 9];
%! Z = knng.impute (X, 1);
%! assert (Z(1, :), [5 0 0 3]);
%! [~, info] = knng.impute (X, 3);
%! assert ([info.missing, info.filled, info.fewer, info.rows], [4 4 4 3]);

%!test  # weights, medians, distances
%! X = [NaN 0; 10 1; 20 3; 50 4];
%! d = 2 * [1 3 4];
%! w = @(w) w * [10; 20; 50] / sum (w);
%! assert (first (X, 3, 'Metric', 'cityblock'), w (1 ./ d), 1e-14);
%! assert (first (X, 3, 'Weights', 'SquaredInverse'), w (d .^ -2), 1e-14);
%! assert (first (X, 3, 'Distance', 'sqeucl'), w (d .^ -2), 1e-14);
%! assert (first (X, 3, 'Weights', 'equal'), 80 / 3, 1e-14);
%! assert (first (X, 3, 'Weights', int8 ([5 3 2])), 21, 1e-14);
%! assert (first (X, 3, 'Median', true), 20);
%! assert (first (X, 2, 'Median', 1), 15);
%! assert (first (X, 1, 'Distance', 'chebychev'), 10);
%! assert (first (X), w (1 ./ d), 1e-14);                             # k = 10, of which there are three
%! [~, info] = knng.impute (X, 3, 'Median', true, 'By', 'COLUMNS', 'Threads', 1, 'Progress', 'off');
%! assert ({info.weights, info.by, info.rows}, {'median', 'columns', 1});

%!test  # a data set, single; values that were there stay, and nothing is missing in what is complete
%! ds = struct ('X', single ([0 NaN; 1 7; 2 9]), 'names', {{'a', 'b', 'c'}}, 'samples', {{'s', 't'}}, 'other', 5);
%! es = knng.impute (ds, 1, 'Threads', 2);
%! assert (es.X, single ([0 7; 1 7; 2 9]));
%! assert (class (es.X), 'single');
%! assert (es.history, {'impute: 1 of 1 missing value in 1 row filled in from the 1 nearest by euclidean'});
%! assert (rmfield (es, {'X', 'history'}), rmfield (ds, 'X'));
%! warning ('off', 'knng:data:nonFinite', 'local');
%! es = knng.impute (struct ('X', [1 NaN; 3 NaN; NaN NaN]), 2, 'Distance', {'minkowski', 3});
%! es.X = [1 NaN 2; 3 4 5];
%! es = knng.impute (es, 2, 'By', 'columns', 'Distance', @(x, Y) abs (Y(:, 1) - x(1)));
%! assert (es.history, {'impute: 0 of 4 missing values in 3 rows filled in from the 2 nearest by minkowski; 4 stay NaN'; ...
%!                      'impute: 1 of 1 missing value in 1 column filled in from the 2 nearest by a function'});
%! es = knng.impute (struct ('X', magic (3)));
%! assert (es.history, {'impute: nothing was missing'});
%! [Z, info] = knng.impute (magic (4), 2);
%! assert (Z, magic (4));
%! assert (info.missing + info.filled + info.left, 0);

%!test  # what cannot be filled in stays, is counted and told
%! lastwarn ('', '');
%! evalc ('[Z, info] = knng.impute ([NaN NaN 3; 1 NaN NaN; 2 NaN 4; NaN NaN NaN]);');
%! [text, id] = lastwarn ();
%! assert (id, 'knng:data:nonFinite');
%! assert (sscanf (text, '%d of %d missing values stay NaN, in %d rows: whatever has a value there shares no column with them (%d row and %d column has no')', [6 8 4 1 1]);
%! assert (Z, [2 NaN 3; 1 NaN 4; 2 NaN 4; NaN NaN NaN]);
%! evalc ('knng.impute ([1 2; NaN NaN]);');
%! assert (strncmp (lastwarn (), '2 of 2 missing values stay NaN, in 1 row: whatever has a value there shares no column with it (1 row and 0 columns have no', 100));
%! evalc ('knng.impute ([1 NaN; 2 NaN]);');
%! assert (! isempty (strfind (lastwarn (), 'in 2 rows: whatever has a value there shares no column with them (0 rows and 1 column has no value')));
%! evalc ('knng.impute ([NaN; 1]);');
%! assert (strncmp (lastwarn (), '1 of 1 missing value stays NaN, in 1 row: ', 42));
%! assert ([info.left, info.filled, info.missing], [6 2 8]);

%!test  # 'seuclidean': units of what is there, of columns or rows; values in their own
%! X = [1 2 300; 2 NaN 100; 3 1 200; 1.1 2.1 NaN; 5 5 120];
%! Y = X;
%! Y([7 14]) = [2.1 300];
%! [Z, info] = knng.impute (X, 1, 'Distance', 'SEuclidean');
%! assert (Z, Y);
%! assert (info.distance, 'seuclidean');
%! assert (knng.impute (X', 1, 'Distance', 'seuclidean', 'By', 'columns'), Y');
%! X = [NaN 1 398; 5 1.1 390; 7 4 399; 8 5 100];           # 398 is near 399, and 1 is near 1.1
%! assert ([first(X, 1), first(X, 1, 'Distance', 'seuclidean')], [7 5]);
%! X = reshape (knng.internal.random (5, 1200), 200, 6) .* [1 10 1e3 1e-4 1 1e300];
%! X(1:13:1200) = NaN;
%! X(:, 5) = 0.1;                                          # constant, and compared so
%! s = cellfun (@(x) max (x) * std (x(~isnan (x)) / max (x)), num2cell (X, 1));
%! s(5) = 1;
%! Z = knng.impute (X, 4, 'Distance', 'seuclidean');
%! assert (Z, knng.impute (X ./ s, 4) .* s, 1e-12 * s);
%! assert (knng.impute (single (X(:, 1:4)), 4, 'Distance', 'seuclidean'), knng.impute (single (X(:, 1:4)), 4, 'Distance', 'seuclidean', 'Threads', 3));

%!test  # 'minkowski' is euclidean, as in knnimpute; 'hamming' of any values
%! X = reshape (knng.internal.random (6, 400), 50, 8);
%! X(1:7:400) = NaN;
%! [Z, info] = knng.impute (X, 3, 'Distance', 'Minkowski');
%! assert (Z, knng.impute (X, 3));
%! assert (info.distance, 'euclidean');
%! assert (knng.impute (X, 3, 'Distance', {'minkowski', 1}), knng.impute (X, 3, 'Distance', 'cityblock'));
%! assert (knng.impute (X, 3, 'Distance', {'minkowski', int8(2)}), Z);
%! assert (knng.impute (X, 3, 'Distance', {'minkowski', Inf}), knng.impute (X, 3, 'Distance', 'chebychev'));
%! B = floor (3 * X);
%! [Z, info] = knng.impute (B, 1, 'Distance', 'hamming', 'Median', true);
%! assert (info.distance, 'hamming');
%! share = sum (B(1, :) ~= B & ~isnan (B) & ~isnan (B(1, :)), 2) ./ sum (~isnan (B) & ~isnan (B(1, :)), 2);
%! share([1; find(isnan (B(:, 1)))]) = Inf;
%! assert (Z(1, 1), median (B(share == min (share), 1)));

%!function Z = plainly (X, k, f)
%! # By a function of two rows, over what both have; the mean of the k nearest that have the value, 1/distance.
%!  Z = X;
%!  for i = find (any (isnan (X), 2))'
%!    D = NaN (rows (X), 1);
%!    for r = [1:i-1, i+1:rows(X)]
%!      both = ~isnan (X(i, :)) & ~isnan (X(r, :));
%!      D(r) = f (X(i, both), X(r, both));
%!    end
%!    for j = find (isnan (X(i, :)))
%!      d = D;
%!      d(isnan (X(:, j))) = NaN;
%!      [d, order] = sort (d);
%!      w = 1 ./ d(1:k);
%!      Z(i, j) = w' * X(order(1:k), j) / sum (w);
%!    end
%!  end
%!endfunction

%!test  # all that knnimpute has, by their definitions
%! X = reshape (knng.internal.random (7, 480), 60, 8) + 0.3;
%! X(1:11:480) = NaN;
%! r = @(x, y) 1 - (x - mean (x)) * (y - mean (y))' / norm (x - mean (x)) / norm (y - mean (y));
%! by = {'correlation', r; 'cosine', @(x, y) 1 - x * y' / norm (x) / norm (y); {'minkowski', 3}, @(x, y) (sum (abs (x - y) .^ 3) * 8 / numel (x)) ^ (1 / 3); ...
%!       {'seuclidean', 1:8}, []};
%! for i = 1:3
%!   Z = knng.impute (X, 3, 'Distance', by{i, 1}, 'Threads', 2);
%!   assert (Z, plainly (X, 3, by{i, 2}), 1e-12);
%!   assert (! isequal (Z, knng.impute (X, 3)));
%!   assert (knng.impute (X', 3, 'By', 'columns', 'Distance', by{i, 1}), Z');
%! end
%! assert (knng.impute (X, 3, 'Distance', by{4, 1}), knng.impute (X ./ (1:8), 3) .* (1:8), 1e-13);
%! B = double (X > 0.9);
%! B(isnan (X)) = NaN;
%! jaccard = @(x, y) max (0, sum (x ~= y) / sum (x | y));                 # 0 / 0: 0
%! for i = find (any (isnan (B), 2))'
%!   for r = 1:60
%!     both = ~isnan (B(i, :)) & ~isnan (B(r, :));
%!     D(r) = jaccard (B(i, both), B(r, both));
%!   end
%!   j = find (isnan (B(i, :)), 1);
%!   D(isnan (B(:, j))) = NaN;
%!   Z = knng.impute (B, 1, 'Distance', 'jaccard', 'Weights', 'equal');
%!   assert (Z(i, j), mean (B(D == min (D), j)));
%! end
%! Z = knng.impute ([1 2 3 NaN; 2 4 6 5; 3 2 1 9; NaN NaN 4 8], 2, 'Distance', 'corr');
%! assert (Z(1, 4), 5, 1e-12);                                             # the last shares one column
%! Z = knng.impute ([3 4 5 6 NaN; 3 4 5 6.1 10; 3 4 5.1 6 11; NaN NaN NaN 700 5000], 3, 'Distance', 'cosine');
%! assert (Z(1, 5) > 10 && Z(1, 5) < 11);                                  # and so here
%! for d = {'cosine', 'correlation'}                                       # two at distance 0, whatever rounding makes of it
%!   assert (first ([NaN 1 2 3 5; 20 3 6 9 15; 90 7 14 21 35], 2, 'Distance', d{1}), 55);
%! end
%! X = [NaN 6e307 -6e307; 6 -6e307 6e307; 9 -6e307 -6e307];
%! assert (first (X, 1, 'Distance', {'minkowski', 3}), 9);
%! X(:, 2:3) = X(:, 2:3) * 1e-200 * 1e-200;                                # powers of these are 0
%! assert (first (X, 1, 'Distance', {'minkowski', 3}), 9);
%! assert (first ([NaN 1e308; 6 -1e308; 9 1], 1, 'Distance', {'minkowski', 3}), 9);

%!test  # Mahalanobis' distance and functions: of the columns in which nothing is missing
%! X = reshape (knng.internal.random (8, 300), 50, 6) * (eye (6) + 0.5);
%! X(1:13:100) = NaN;                                                      # columns 1 and 2
%! Y = X(:, 3:6);
%! P = inv (cov (Y));
%! mahal = @(x, Y) sqrt (sum ((Y - x) * P .* (Y - x), 2));
%! [Z, info] = knng.impute (X, 4, 'Distance', 'Mahalanobis');
%! assert (info.distance, 'mahalanobis');
%! assert (info.filled, sum (isnan (X(:))));
%! assert (Z, knng.impute (X, 4, 'Distance', mahal), 1e-10);
%! assert (Z, knng.impute (X, 4, 'Distance', {'mahalanobis', cov(X)}), 1e-10);        # NaN where they are not compared
%! C = diag ([1 1 1 4 9 16]);
%! assert (knng.impute (X, 4, 'Distance', {'mahalanobis', C}), ...
%!         knng.impute (X, 4, 'Distance', {@(x, Y, s) sqrt(sum (((Y - x) ./ s) .^ 2, 2)), 1:4}), 1e-10);
%! assert (knng.impute (X * 1e200, 4, 'Distance', 'mahalanobis') / 1e200, Z, 1e-10);
%! far = knng.impute (bsxfun (@plus, X, [0 0 1e6 0 0 0]), 4, 'Distance', 'mahalanobis');
%! assert (far(:, 1:2), Z(:, 1:2), 1e-6);
%! assert (Z', knng.impute (X', 4, 'By', 'columns', 'Metric', 'mahalanobis'), 1e-10);

%!test  # what a function is given and may return
%! X = single ([NaN 1 2; 5 1 9; 7 3 2; NaN NaN 2]);
%! f = @(x, Y, varargin) -abs (x - Y) * -1;                               # -0 is 0
%! [Z, info] = knng.impute (X, 1, 'Distance', {f, 1, 2});
%! assert (Z, single ([7 1 2; 5 1 9; 7 3 2; 7 2 2]));                      # column 3 alone is complete; 0 to itself counts for nothing
%! assert (info.distance(2:3), {1, 2});
%! assert (info.missing, 3);
%! assert (knng.impute (X', 1, 'By', 'columns', 'Distance', f), Z');
%! n = 4500;                                                             # more than are measured at once
%! line = [(1:n)', NaN(n, 1)];
%! line(1:2:n, 2) = 1:2:n;
%! [Z, info] = knng.impute (line, 1, 'Distance', @(x, Y) abs (Y - x));
%! assert (Z(:, 2), [1:n-1, n-1]');
%! assert ([info.missing, info.filled, info.rows], n / 2 * [1 1 1]);
%! assert (knng.impute ([NaN 1; 5 1; 7 3], 1, 'Distance', {@(x, Y) Y ~= x}), [5 1; 5 1; 7 3]);
%! g = @(x, Y) [0; 2; NaN; NaN];
%! Z = knng.impute (X, 1, 'Distance', g);
%! assert (Z([1 4 8]), single ([5 5 1]));
%!error <a 1-by-4 double: of a row and of m rows, here 4, it must be> knng.impute ([NaN 1; 2 2; 3 3; 4 4], 1, 'Distance', @(x, Y) 1:4)
%!error <^'Distance' is a function that failed for a row and 2 rows: no such thing$> knng.impute ([NaN 1; 2 2], 1, 'Distance', @(x, Y) error ('no such thing'))
%!error <returned -1: a distance must be 0 or more> knng.impute ([NaN 1; 2 2], 1, 'Distance', @(x, Y) [0; -1])
%!error <^every column of X misses a value, and functions compare> knng.impute ([NaN 1; 2 NaN], 1, 'Distance', @(x, Y) [0; 1])
%!error <^every row of X misses a value, and 'mahalanobis' compares> knng.impute ([NaN 1; 2 NaN], 1, 'Distance', 'mahalanobis', 'By', 'columns')
%!error id=knng:args:values knng.impute ([NaN 1; 2 NaN], 1, 'Distance', 'mahalanobis')
%!error <^the covariance of the 2 columns .* over 3 rows of X> knng.impute ([NaN 1 2; 2 2 4; 4 3 6], 1, 'Distance', 'mahalanobis')
%!error <^'Distance' is {'minkowski', p}, and p is 0.5: it must be a number, 1 or more$> knng.impute (magic (3), 2, 'Distance', {'minkowski', 0.5})
%!error <s is a 1-by-2 double: it must be 3 positive numbers> knng.impute (magic (3), 2, 'Distance', {'seuclidean', [1 2]})
%!error <C is a 2-by-2 double: it must be the covariance of .*, 3-by-3$> knng.impute (magic (3), 2, 'Distance', {'mahalanobis', eye(2)})
%!error <^'Distance' is a cell of 2 things> knng.impute (magic (3), 2, 'Distance', {'euclidean', 2})
%!error <^'Distance' is 5: it must be 'euclidean', .*, or a function, or a cell that> knng.impute (magic (3), 2, 'Distance', {5})
%!error <^'Distance' is a 0-by-0 cell: it must be> knng.impute (magic (3), 2, 'Distance', {})
%!error <^'Distance' is 'norm': it must be 'euclidean', .*, 'mahalanobis', or a function$> knng.impute (magic (3), 2, 'Distance', 'norm')
%!error <^'Distance' is 'jackard' .did you mean 'jaccard'> knng.impute (magic (3), 2, 'Distance', 'jackard')
%!error <no option 'distargs'.*it stands in a cell behind the distance> knng.impute (magic (3), 2, 'distance', 'cosine', 'distargs', 3)
%!assert (knng.impute ([NaN 0; 3 1; 5 0], 1, 'Distance', 'jac'), [5 0; 3 1; 5 0])
%!error <C is not positive definite> knng.impute ([NaN 1 2; 3 4 6; 1 2 7], 1, 'Distance', {'mahalanobis', [1 0 0; 0 1 2; 0 2 1]})
%!error <C is a 3-by-3 double: of what is compared it must be symmetric> knng.impute (magic (3), 1, 'Distance', {'mahalanobis', magic(3)})
%!error <^the covariance of the 1 column .* over 1 row of X> knng.impute ([NaN 1], 1, 'Distance', 'mahalanobis')
%!error <^the covariance of the 2 columns .* is singular> knng.impute ([NaN 1 1; 2 2 2 + 1e-15; 4 3 3; 4 5 5], 1, 'Distance', 'mahalanobis')
%!error <s has 1e-300, in which> knng.impute ([1 1e10], 1, 'Distance', {'seuclidean', [1 1e-300]})
%!warning <2 missing values stay NaN, in 1 row: whatever has a value there is 0 or constant, or shares fewer than three columns with it .* leave such rows out$> knng.impute ([1 1 1 NaN NaN; 1 2 3 4 4; 3 2 1 5 5], 2, 'Distance', 'correlation');
%!error <'Distance' is 'spear', by which> knng.impute (magic (3), 2, 'Distance', 'spear')
%!error <'Distance' is 'abspearson', by which knng.impute .*'mahalanobis', or a function$> knng.impute (magic (3), 2, 'Distance', 'abspearson')
%!error <^'Distance' is 'seuclidan' .did you mean 'seuclidean'..: it must be 'euclidean', .*'seuclidean', .*or 'mahalanobis'$> knng.impute (magic (3), 2, 'Distance', 'seuclidan')
%!error id=knng:args:count knng.impute ()
%!error id=knng:args:class knng.impute ('x.txt')
%!error id=knng:args:class knng.impute (int8 (magic (3)))
%!error id=knng:args:class knng.impute ({1})
%!error id=knng:args:sparse knng.impute (speye (3))
%!error id=knng:args:complex knng.impute (1i * magic (3))
%!error id=knng:args:dims knng.impute (ones (2, 2, 2))
%!error id=knng:args:empty knng.impute ([])
%!error id=knng:args:ds knng.impute (struct ('X', magic (3), 'names', {{'a'}}))
%!error id=knng:args:k knng.impute (magic (3), 0)
%!error id=knng:args:k knng.impute (magic (3), {})
%!error id=knng:data:infinite knng.impute ([1 NaN; Inf 2])
%!error <^X has Inf, the first in row 3: it has> knng.impute ([1 NaN; 2 2; 0 Inf], 1, 'By', 'columns')
%!error <Inf, the first in row 2: .* X\(isinf \(X\)\) = NaN> knng.impute (single ([1 NaN; -Inf 2]))
%!error id=knng:args:metric knng.impute (magic (3), 2, 'Distance', 'l2')
%!error <'By' is 'row': it must be 'rows' or 'columns'> knng.impute (magic (3), 2, 'By', 'row')
%!error <'Weights' is a 1-by-2 double: it must be .* or 3 positive numbers> knng.impute (magic (3), 3, 'Weights', [1 2])
%!error <^'Weights' is a 1-by-3 double that has -3: it must be> knng.impute (magic (3), 3, 'Weights', [1 2 -3])
%!error <^'Weights' is -3: it must be .* or 1 positive number, one> knng.impute (magic (3), 1, 'Weights', -3)
%!error id=knng:args:option knng.impute (magic (3), 2, 'Weights', [1 0])
%!error id=knng:args:option knng.impute (magic (3), 2, 'Weights', [1 Inf])
%!error id=knng:args:option knng.impute (magic (3), 2, 'Median', 2)
%!error <both given> knng.impute (magic (3), 2, 'Median', true, 'Weights', 'equal')
%!error id=knng:args:unknownOption knng.impute (magic (3), 2, 'M', 2)
