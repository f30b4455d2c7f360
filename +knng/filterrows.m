function [Z, info, rows] = filterrows (X, varargin)
%KNNG.FILTERROWS  Leave out rows that miss much, are low, or vary little.
%   Z = knng.filterrows (X, 'Name', value, ...) leaves out the rows of the
%   n-by-d matrix X (genes, probes) that the options name, and returns the
%   others, in their order.
%   ds = knng.filterrows (ds, 'Name', value, ...) does so with a data set as
%   knng.read returns it: ds.X, ds.names, ds.symbols, ds.annotation, and all
%   else that has an element for each row; samples and classes stay as they are.
%   ds.history, a column of texts, gets one that says what was done.
%   Where ds.names is missing, the names are the numbers that the rows had.
%   [Z, info, rows] = knng.filterrows (...) also says why rows were left out,
%   and which stay: Z is X(rows,:).
%
%   Options; of a row they count what is there:
%
%     'MaxMissing'   leaves out rows in which more than this share is missing, 0
%                    to 1; default [], no row
%     'MinMean'      leaves out rows whose mean is below this number, in the
%                    unit of X; default [], no row
%     'MinVariance'  leaves out rows whose variance (over count - 1) is below
%                    this number, in the unit of X squared; default [], no row
%     'LowMean'      leaves out this many in 100 rows, those of the lowest mean,
%                    0 to 100; default 0
%     'LowVariance'  leaves out this many in 100 rows, those of the lowest
%                    variance, 0 to 100; default 0
%
%   One of them at least has to be given. The first three come first; the last
%   two are both in 100 of the rows that those leave. With c such rows, as many
%   as possible but no more than asked for, those below the (c+1)-th smallest
%   mean (variance) are left out: rows that are equal to it, to the last bit,
%   stay, so the order of the rows does not matter. (The same values in another
%   order may have another mean in the last bit.) Where more than c rows are
%   constant, 'LowVariance' leaves out none of them, and 'MinVariance', eps all.
%   A row without values has the mean -Inf, one without two different values the
%   variance 0. 'LowMean' and 'LowVariance' between 0 and 1 look like shares: a
%   warning, knng:args:share, says what those would be.
%
%   The neighbours of flat rows are noise, and correlations have no distance for
%   constant ones. Logarithms come first (knng.normalize), because the variance
%   of raw intensities grows with their mean; then this; and knng.addphenotype
%   last, whose row is no gene. knng.impute guesses well where little is
%   missing: 'MaxMissing', 0.5 before it is usual.
%
%   There is no knng.filter: Octave has a filter of its own, for signals, and
%   would warn at every start of a file that is called so.
%
%   Fields of info:
%
%     kept, left   how many stay and how many are left out
%     missing, mean, variance
%                  how many are left out for what they miss, for a low mean, for
%                  a low variance; a row counts at the first of them
%     minmean, minvariance
%                  what mean and variance a row that stays has at least, by the
%                  options; -Inf and 0 if there is no such limit
%
%   Cost: O(n*d), 24 158 rows of 295 columns in half a second; memory: four
%   times X.
%
%   Errors: knng:args:option (a value is wrong, none is given, or no row is
%   left; the message says what each limit took); knng:args:ds; knng:args:class,
%   :sparse, :complex, :dims, :empty; knng:data:infinite (X has Inf);
%   knng:args:unknownOption, :count. Warning: knng:data:fill (X has numbers that
%   may stand for missing values, as -9999).
%
%   Source: R. Bourgon, R. Gentleman, W. Huber, PNAS 107 (2010) 9546-9551, on
%   what such filters do to tests that follow.
%
%   Example:
%     X = [5 5 5 5; 1 9 1 9; 2 NaN NaN NaN; 3 4 3 4; 0 0 1 0];
%     [Z, info, rows] = knng.filterrows (X, 'MaxMissing', 0.5, ...
%                                        'LowVariance', 50);
%     rows'                               % 2 4: of four rows the upper half
%     info.missing                        % 1
%     info.minvariance                    % 0.3333, that of row 4
%
%   See also knng.impute, knng.normalize, knng.collapse, knng.read.

  if (nargin < 1)
    error ('knng:args:count', 'knng.filterrows needs a matrix or a data set, as in knng.filterrows (X, ''LowVariance'', 20): see help knng.filterrows');
  end
  opt = struct ('MaxMissing', [], 'MinMean', [], 'MinVariance', [], 'LowMean', 0, 'LowVariance', 0);
  [opt, given] = knng.internal.options (opt, varargin);
  [X, ds] = knng.internal.matrix_of (X);
  check (opt, given);
  knng.internal.check_no_inf (X);
  [info, rows] = decide (X, opt);
  if (info.kept == 0)
    error ('knng:args:option', ['no row is left: of %d, %d miss too much, %d have too low a mean, %d too low a variance; ' ...
           'give limits that are not so strict'], size (X, 1), info.missing, info.mean, info.variance);
  elseif (isempty (ds))
    Z = X(rows, :);
  else
    named = knng.internal.check_ds (ds);
    ds.names = named.names;
    Z = knng.internal.noted (knng.internal.keep_rows (ds, rows), ...
                             'filterrows: %d of %s left out (missing values: %d, low mean: %d, low variance: %d)', info.left, ...
                             knng.internal.count_of (size (X, 1), 'row'), info.missing, info.mean, info.variance);
  end
end

function check (opt, given)
% An error where a value is wrong, or no option is given.
  limits = {'MaxMissing', 0, 1, 'one number from 0 to 1, or []'; 'MinMean', -Inf, Inf, 'one number, or []'; ...
            'MinVariance', 0, Inf, 'one number from 0 on, or []'; 'LowMean', 0, 100, 'one number from 0 to 100'; ...
            'LowVariance', 0, 100, 'one number from 0 to 100'};
  for limit = limits'
    [name, low, high, wanted] = limit{:};
    v = opt.(name);
    none = strncmp (name, 'M', 1) && isequal (v, []) && isa (v, 'double');
    if (~none && ~(isnumeric (v) && isreal (v) && numel (v) == 1 && v >= low && v <= high))
      error ('knng:args:option', '''%s'' is %s: it must be %s', name, knng.internal.given (v), wanted);
    end
  end
  for name = {'LowMean', 'LowVariance'}
    percent = double (opt.(name{1}));
    if (percent > 0 && percent < 1)
      warning ('knng:args:share', '''%s'' is %g: that leaves out fewer than one in 100 rows; for %g per cent of them give %g', ...
               name{1}, percent, 100 * percent, 100 * percent);
    end
  end
  if (isempty (given))
    error ('knng:args:option', ['no option says which rows to leave out: give at least one, as in ' ...
           'knng.filterrows (X, ''LowVariance'', 20) or knng.filterrows (X, ''MaxMissing'', 0.5)']);
  end
end

function [info, rows] = decide (X, opt)
% Which rows stay, and why not the others.
  [n, d] = size (X);
  [count, centre, spread, variance] = knng.internal.row_spread (X);
  centre(count == 0) = -Inf;
  info = struct ('kept', 0, 'left', 0, 'missing', 0, 'mean', 0, 'variance', 0, 'minmean', -Inf, 'minvariance', 0);
  stay = true (n, 1);
  if (~isempty (opt.MaxMissing))
    stay = (d - count) / d <= double (opt.MaxMissing);
  end
  info.missing = sum (~stay);
  low = false (n, 1);
  flat = false (n, 1);
  if (~isempty (opt.MinMean))
    info.minmean = double (full (opt.MinMean));
    low = centre < info.minmean;
  end
  if (~isempty (opt.MinVariance))
    info.minvariance = double (full (opt.MinVariance));
    flat = variance < info.minvariance;
  end
  among = stay & ~low & ~flat;
  least = lowest (centre(among), opt.LowMean);
  low = low | (among & centre < least);
  info.minmean = max (info.minmean, least);
  least = lowest (spread(among), opt.LowVariance);
  flat = flat | (among & spread < least);
  info.minvariance = max ([info.minvariance; variance(find (spread == least, 1))]);
  info.mean = sum (stay & low);
  info.variance = sum (stay & ~low & flat);
  rows = find (stay & ~low & ~flat);
  info.kept = numel (rows);
  info.left = n - info.kept;
end

function least = lowest (values, percent)
% What a value has to be at least, not to be among so many in 100 that are the lowest.
  c = floor (double (full (percent)) * numel (values) / 100);
  least = -Inf;
  if (c > 0)
    values = sort (values);
    values(end+1) = Inf;                                     % of which no row is left
    least = values(c + 1);
  end
end

%!test <*1>
%! X = [5 5 5 5; 1 9 1 9; 2 NaN NaN NaN; 3 4 3 4; 0 0 1 0];
%! [Z, info, rows] = knng.filterrows (X, 'MaxMissing', 0.5, 'LowVariance', 50);
%! assert (Z, X([2 4], :));
%! assert (rows, [2; 4]);
%! assert (info, struct ('kept', 2, 'left', 3, 'missing', 1, 'mean', 0, 'variance', 2, 'minmean', -Inf, ...
%!                       'minvariance', info.minvariance));
%! assert (info.minvariance, 1/3, eps);

%!test  # each rule, and all together; a row counts at the first
%! X = [1 2 3; 4 4 4; 10 30 20; NaN NaN 90; NaN(1, 3); 7 NaN 9];
%! [~, info, rows] = knng.filterrows (X, 'MaxMissing', 1/3);
%! assert (rows, [1; 2; 3; 6]);
%! [~, info, rows] = knng.filterrows (X, 'MaxMissing', 0);
%! assert (rows, [1; 2; 3]);
%! [~, info, rows] = knng.filterrows (X, 'MinMean', 4);
%! assert (rows, [2; 3; 4; 6]);
%! assert ([info.mean, info.minmean], [2 4]);
%! [~, info, rows] = knng.filterrows (X, 'MinVariance', 2);
%! assert (rows, [3; 6]);
%! [~, info, rows] = knng.filterrows (X, 'MinVariance', eps);
%! assert (rows, [1; 3; 6]);
%! [~, info, rows] = knng.filterrows (X, 'MaxMissing', 0.5, 'MinMean', single (3), 'minvar', int8 (50));
%! assert (rows, 3);
%! assert ([info.missing, info.mean, info.variance, info.left], [2 1 2 5]);

%!test  # percentiles: of those that are left, and equal ones stay
%! X = (1:10)' * [-1 1];
%! for p = [0 9.9 10 35 50 99]
%!   [~, info, rows] = knng.filterrows (X, 'LowVariance', p);
%!   assert (rows, (floor (p / 10) + 1:10)');
%!   [~, info, rows] = knng.filterrows (X + (1:10)', 'LowMean', p);
%!   assert (rows, (floor (p / 10) + 1:10)');
%! end
%! [~, info, rows] = knng.filterrows ([X; 50 NaN; 60 NaN], 'MaxMissing', 0.1, 'LowVariance', 50);
%! assert (rows, (6:10)');
%! assert (info.minvariance, 72, 1e-12);
%! [~, info, rows] = knng.filterrows ([1 1; 2 2; 3 3; 4 5], 'LowVariance', 50);
%! assert (rows, (1:4)');
%! [~, info, rows] = knng.filterrows ([3 1; 1 4; 9 9; 2 8], 'LowMean', 50, 'LowVariance', 25);
%! assert ({rows, info.mean, info.variance}, {4, 2, 1});

%!test  # a data set, single, large and small numbers
%! ds = struct ('X', single ([1 1; 1 2; 5 9]), 'names', {{'a'; 'b'; 'c'}}, 'samples', {{'s', 't'}}, 'classes', [0 1]);
%! es = knng.filterrows (ds, 'LowVariance', 40);
%! said = {'filterrows: 1 of 3 rows left out (missing values: 0, low mean: 0, low variance: 1)'};
%! assert (es, struct ('X', single ([1 2; 5 9]), 'names', {{'b'; 'c'}}, 'samples', {{'s', 't'}}, 'classes', [0 1], 'history', {said}));
%! ds.meta = struct ('format', 'soft', 'sex', {{'f', 'm'}});
%! ds.symbols = {'A'; ''; 'C'};
%! ds.annotation = struct ('IDENTIFIER', {{'A'; '--'; 'C'}});
%! es = knng.filterrows (ds, 'LowVariance', 40);
%! assert ({es.symbols, es.annotation.IDENTIFIER, es.meta}, {{''; 'C'}, {'--'; 'C'}, ds.meta});
%! es = knng.filterrows (rmfield (ds, 'names'), 'LowVariance', 40);
%! assert (es.names, {'2'; '3'});
%! [~, info, rows] = knng.filterrows ([1 2 3; 4 5 7] .* [1e300; 1e-300], 'LowVariance', 50);
%! assert (rows, 1);

%!test  # a share where a number in 100 is wanted
%! lastwarn ('', '');
%! evalc ('[Z, info] = knng.filterrows (magic (3), ''LowMean'', single (0.25));');
%! [text, id] = lastwarn ();
%! assert (id, 'knng:args:share');
%! assert (text, '''LowMean'' is 0.25: that leaves out fewer than one in 100 rows; for 25 per cent of them give 25');
%! assert (info.left, 0);
%! lastwarn ('', '');
%! knng.filterrows (magic (3), 'LowMean', 0, 'LowVariance', 1);
%! assert (lastwarn (), '');

%!error id=knng:args:count knng.filterrows ()
%!error <no option says which> knng.filterrows (magic (3))
%!error <no row is left: of 3, 0 miss too much, 3 have too low a mean, 0 too> knng.filterrows (magic (3), 'MinMean', 50)
%!error <'MaxMissing' is 2: it must be one number from 0 to 1> knng.filterrows (magic (3), 'MaxMissing', 2)
%!error <'LowMean' is 101: it must be one number from 0 to 100> knng.filterrows (magic (3), 'LowMean', 101)
%!error id=knng:args:option knng.filterrows (magic (3), 'MinVariance', -1)
%!error id=knng:args:option knng.filterrows (magic (3), 'MinMean', NaN)
%!error id=knng:args:option knng.filterrows (magic (3), 'LowVariance', [])
%!error id=knng:args:option knng.filterrows (magic (3), 'MinMean', {})
%!error id=knng:data:infinite knng.filterrows ([1 Inf; 2 3], 'LowMean', 10)
%!error id=knng:args:ds knng.filterrows (struct ('X', magic (3), 'names', {{'a'}}), 'LowMean', 10)
%!error id=knng:args:class knng.filterrows ({1}, 'LowMean', 10)
%!error id=knng:args:unknownOption knng.filterrows (magic (3), 10)
