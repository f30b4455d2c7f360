function [Z, info, fit] = normalize (X, method, varargin)
%KNNG.NORMALIZE  Logarithms, equal quantiles, z-scores, medians of 0.
%   Z = knng.normalize (X, method) brings the n-by-d matrix X (a row for each
%   gene, a column for each sample) to a common scale:
%
%     'log2'      log2 (X + offset), element by element
%     'quantile'  every column gets the same values, the mean of all columns
%                 smallest by smallest: what differs is which row has which
%     'zscore'    every row less its mean, over its standard deviation (by
%                 count - 1)
%     'median'    every column less its median
%
%   ds = knng.normalize (ds, method) does so with a data set as knng.read
%   returns it: ds.X changes, and ds.history, a column of texts, gets one that
%   says what was done; all else stays as it is.
%   [Z, info, fit] = knng.normalize (...) also says what was done, in numbers.
%   [...] = knng.normalize (..., 'Name', value, ...) takes options.
%
%   Z has the class of X; the arithmetic is in double precision. Missing values,
%   NaN, stay NaN and count nowhere.
%
%   Options:
%
%     'By'      'rows' or 'columns': what gets the same quantiles, scores or
%               medians of 0; default '': columns for 'quantile' and 'median',
%               rows for 'zscore'. Not for 'log2'
%     'Offset'  number that is added before the logarithm: 1 is usual for
%               counts; default 0. Only for 'log2'
%
%   For arrays take 'log2' if the values are raw (up to thousands), then
%   'quantile', if the samples are of one kind; 'median' changes less. Distances
%   then compare levels. 'zscore' makes profiles of genes comparable: between
%   such rows the squared euclidean distance is 2*(d-1) times that of 'pearson',
%   so no row has other neighbours. Normalize before knng.addphenotype, whose
%   row is no gene.
%
%   'quantile': a column with missing values has fewer; its quantiles are taken
%   on a straight line between neighbouring ones, for the mean as for what it
%   gets. Equal values of a column get one value, the mean of what they would
%   get if they differed. (limma's normalizeQuantiles does the same, but gives
%   three and more equal values that of their mean rank.) A column with one
%   value gets the median.
%
%   'zscore': a row without two different values becomes 0, and a warning,
%   knng:data:constant, counts such rows: with correlations they have no
%   neighbours. Rows and columns that have no value at all are counted by a
%   warning, knng:data:nonFinite. 'log2': a value that is not above -offset is
%   an error, since it has no logarithm, or the infinite one.
%
%   Fields of info:
%
%     method, by, offset  as they were used; by is '' for 'log2', offset 0 for
%                         all others
%     missing             how many values are NaN
%     constant            how many rows (columns) have no two different values
%     lowest, highest     of Z, for a look at the range
%
%   Fields of fit:
%
%     centre, scale  'zscore': mean and standard deviation, 'median': the median
%                    and 1, of each row (n-by-1) or column (1-by-d). So
%                    Z.*scale + centre is X again, but for rounding. Else []
%     target         'quantile': the values that every column gets of which
%                    none are missing or equal, ascending; n-by-1 (by rows
%                    1-by-d). Else []
%
%   Cost: O(n*d), 'quantile' and 'median' O(n*d*log(n)); 24 158 rows of 295
%   columns in a second or two. Memory: four times X.
%
%   Errors: knng:args:method (no such method); knng:args:option;
%   knng:data:logarithm (a value has no logarithm; the message counts them);
%   knng:data:infinite (X has Inf); knng:args:ds; knng:args:class, :sparse,
%   :complex, :dims, :empty; knng:args:unknownOption, :count. Warning:
%   knng:data:fill (X has numbers that may stand for missing values, as -9999).
%
%   Source: B. M. Bolstad et al., A comparison of normalization methods for high
%   density oligonucleotide array data, Bioinformatics 19 (2003) 185-193.
%
%   Example:
%     X = [2 4 8; 16 1 2; 4 2 64];
%     Z = knng.normalize (X, 'log2')      % [1 2 3; 4 0 1; 2 1 6]
%     Q = knng.normalize (Z, 'quantile')  % [2/3 4 2; 4 2/3 2/3; 2 2 4]
%     [~, ~, fit] = knng.normalize (Z, 'median');
%     fit.centre                          % 2 1 3
%
%   See also knng.filterrows, knng.impute, knng.read, knngraph.

  if (nargin < 2)
    error ('knng:args:count', ['knng.normalize needs a matrix or a data set, and a method, as in ' ...
           'knng.normalize (X, ''log2''): see help knng.normalize']);
  end
  if (knng.internal.is_one_of (X, methods ()))
    error ('knng:args:class', 'X is ''%s'', a method: a matrix or a data set comes before it, as in knng.normalize (X, ''%s'')', X, lower (X));
  end
  opt = struct ('By', '', 'Offset', 0);
  [opt, given] = knng.internal.options (opt, varargin);
  [X, ds] = knng.internal.matrix_of (X);
  [method, opt] = check (method, opt, given(1:2:end));
  knng.internal.check_no_inf (X);
  info = struct ('method', method, 'by', opt.By, 'offset', opt.Offset, 'missing', sum (isnan (X(:))), 'constant', 0, ...
                 'lowest', NaN, 'highest', NaN);
  fit = struct ('centre', [], 'scale', [], 'target', []);
  if (strcmp (method, 'log2'))
    Z = logarithm (double (X), opt.Offset);
  elseif (strcmp (opt.By, 'rows'))
    [Z, fit, info.constant] = by_rows (double (X), method, fit);
  else
    [Z, fit, info.constant] = by_rows (double (X)', method, fit);
    Z = Z';
    for field = {'centre', 'scale', 'target'}
      fit.(field{1}) = fit.(field{1})';
    end
  end
  Z = cast (Z, class (X));
  info.lowest = min (Z(:));
  info.highest = max (Z(:));
  if (strcmp (method, 'zscore') && info.constant > 0)
    remedy = '';
    if (strcmp (opt.By, 'rows'))
      remedy = '; knng.filterrows (X, ''MinVariance'', eps) leaves such rows out';
    end
    warning ('knng:data:constant', '%d of %d %s have no two different values: they become 0, and correlations have no distance for them%s', ...
             info.constant, numel (fit.centre), opt.By, remedy);
  end
  empty = [sum(all (isnan (X), 2)), sum(all (isnan (X), 1))];
  if (any (empty))
    warning ('knng:data:nonFinite', ['%d of %d rows and %d of %d columns have no value, and stay so; ' ...
             'knng.filterrows (X, ''MaxMissing'', 0.5) leaves such rows out'], empty(1), size (X, 1), empty(2), size (X, 2));
  end
  if (~isempty (ds))
    ds.X = Z;
    Z = knng.internal.noted (ds, 'normalize: %s', told (info));
  end
end

function text = told (info)
% What was done, as ds.history has it.
  one = info.by(1:end-1);                                    % 'row'
  switch (info.method)
    case 'log2'
      text = 'log2 of the values';
      if (info.offset ~= 0)
        text = sprintf ('log2 of the values + %g', info.offset);
      end
    case 'quantile'
      text = ['the same quantiles for every ' one];
    case 'zscore'
      text = ['z-scores of every ' one];
    otherwise
      text = ['every ' one ' less its median'];
  end
end

function names = methods ()
  names = {'log2', 'quantile', 'zscore', 'median'};
end

function [method, opt] = check (method, opt, names)
% The method and the options in full; an error where one is wrong or would change nothing.
  if (~knng.internal.is_one_of (method, methods ()))
    near = {};
    if (ischar (method) && ndims (method) == 2 && size (method, 1) == 1)
      near = knng.internal.similar_names (methods (), method);
    end
    error ('knng:args:method', 'the method is %s%s: it must be ''log2'', ''quantile'', ''zscore'' or ''median''', ...
           knng.internal.given (method), knng.internal.meant (near));
  end
  method = lower (method);
  if (~isequal (opt.By, ''))
    opt.By = knng.internal.check_choice ('By', opt.By, {'rows', 'columns'});
  end
  v = opt.Offset;
  if (~(isnumeric (v) && isreal (v) && numel (v) == 1 && abs (v) < Inf))
    error ('knng:args:option', '''Offset'' is %s: it must be one number', knng.internal.given (v));
  end
  opt.Offset = double (full (v));
  if (strcmp (method, 'log2'))
    needless = 'By';
  else
    needless = 'Offset';
  end
  if (any (strcmp (names, needless)))
    error ('knng:args:option', '''%s'' is given, and ''%s'' has no use for it: leave it out', needless, method);
  end
  if (isempty (opt.By) && strcmp (method, 'zscore'))
    opt.By = 'rows';
  elseif (isempty (opt.By) && ~strcmp (method, 'log2'))
    opt.By = 'columns';
  end
  opt.By = char (opt.By);
end

function Z = logarithm (X, offset)
  bad = sum (X(:) + offset <= 0);
  if (bad > 0)
    error ('knng:data:logarithm', ['%d of %d values are not above %g, the lowest is %g: they have no logarithm; give a larger ''Offset'', ' ...
           'such as 1 for counts, or make them missing values, X(X <= %g) = NaN'], bad, numel (X), 0 - offset, min (X(:)), 0 - offset);
  end
  Z = log2 (X + offset);
end

function [Z, fit, constant] = by_rows (X, method, fit)
  [count, centre, spread] = knng.internal.row_spread (X);
  constant = sum (spread == 0);
  switch (method)
    case 'zscore'
      fit.centre = centre;
      fit.scale = spread;
      fit.scale(spread == 0) = 1;
      Z = knng.internal.standard_rows (X);
      Z(spread == 0, :) = 0;
      Z(isnan (X)) = NaN;
    case 'median'
      fit.centre = knng.internal.row_median (X);
      fit.scale = ones (size (X, 1), 1);
      Z = bsxfun (@minus, X, fit.centre);
    otherwise
      shrink = 2 ^ (-64 * (max (abs (X(:))) > 1e280));       % so that sums stay finite
      [Z, fit.target] = quantiles (X * shrink, count);
      Z = Z / shrink;
      fit.target = fit.target / shrink;
  end
end

function [Z, target] = quantiles (X, count)
% Every row of X gets the same values. Column l of S is what a row has at the place (l-1)/(d-1) between its least and largest.
  [n, d] = size (X);
  [S, order] = sort (X, 2);                                  % NaN last
  target = zeros (1, d);
  for i = find (count > 0)'
    target = target + spread_out (S(i, 1:count(i)), d);
  end
  target = target / sum (count > 0);                         % NaN where no row has values
  Z = NaN (n, d);
  for i = find (count > 0)'
    values = spread_out (target, count(i));
    [~, ~, which] = unique (S(i, 1:count(i)));               % equal ones have one number
    which = which(:);
    if (which(end) < count(i))
      values = accumarray (which, values(:)) ./ accumarray (which, 1);
      values = values(which);
    end
    Z(i, order(i, 1:count(i))) = values;
  end
end

function y = spread_out (x, m)
% The values x, ascending, at m places on the straight lines between them; the one in the middle, if m is 1.
  c = numel (x);
  if (c == m)
    y = x;
    return
  end
  at = (0:m - 1) * (c - 1) / max (m - 1, 1);
  if (m == 1)
    at = (c - 1) / 2;
  end
  low = floor (at);
  part = at - low;
  y = x(low + 1);
  some = part > 0;
  y(some) = y(some) + part(some) .* (x(low(some) + 2) - y(some));
end

%!test <*1>
%! X = [2 4 8; 16 1 2; 4 2 64];
%! Z = knng.normalize (X, 'log2');
%! assert (Z, [1 2 3; 4 0 1; 2 1 6]);
%! [Q, ~, fit] = knng.normalize (Z, 'quantile');
%! assert (Q, [2/3 4 2; 4 2/3 2/3; 2 2 4], 4 * eps);
%! assert (fit.target, [2/3; 2; 4], 4 * eps);
%! [M, ~, fit] = knng.normalize (Z, 'median');
%! assert (fit.centre, [2 1 3]);
%! assert (M, Z - [2 1 3]);

%!test  # log2
%! [Z, info] = knng.normalize (single ([0 1; 3 NaN]), 'LOG2', 'offset', int8 (1));
%! assert (Z, single ([0 1; 2 NaN]));
%! assert (rmfield (info, {'lowest', 'highest'}), struct ('method', 'log2', 'by', '', 'offset', 1, 'missing', 1, 'constant', 0));
%! assert ([info.lowest, info.highest], single ([0 2]));

%!test  # z-scores and medians, of rows and columns, with NaN
%! X = [1 2 4 9; 0.1 0.1 0.1 0.1; 1 NaN 3 NaN; NaN(1, 4)];
%! warning ('off', 'knng:data:constant', 'local');
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [Z, info, fit] = knng.normalize (X, 'zscore');
%! assert (Z(1, :), (X(1, :) - 4) / std (X(1, :)), 4 * eps);
%! assert (Z(2:4, :), [0 0 0 0; [-1 NaN 1 NaN] / sqrt(2); NaN(1, 4)], eps);
%! assert (info.constant, 2);
%! assert (info.by, 'rows');
%! assert (Z .* fit.scale + fit.centre, X, 8 * eps);
%! [Y, info, of] = knng.normalize (X', 'zscore', 'By', 'columns');
%! assert (Y, Z');
%! assert ({of.centre, of.scale, info.by}, {fit.centre', fit.scale', 'columns'});
%! [Z, info, fit] = knng.normalize (X, 'median', 'By', 'rows');
%! assert (fit.centre, [3; 0.1; 2; NaN]);
%! assert (Z, X - fit.centre);
%! [Z, info, fit] = knng.normalize (X, 'median');
%! assert (fit.centre, [1 1.05 3 4.55]);
%! assert (Z, X - fit.centre);

%!test  # by z-scores euclidean neighbours are those by correlation
%! X = reshape (knng.internal.random (1, 600), 60, 10);
%! assert (knngraph (knng.normalize (X, 'zscore'), 5) > 0, knngraph (X, 5, 'pearson') > 0);

%!test  # quantiles: permutations of one column; ties; missing values against what they mean
%! warning ('off', 'knng:data:nonFinite', 'local');
%! X = reshape (knng.internal.random (2, 350), 50, 7);
%! [Z, info, fit] = knng.normalize (X, 'quantile');
%! assert (sort (Z), repmat (fit.target, 1, 7));
%! assert (fit.target, mean (sort (X), 2), 4 * eps);
%! [~, a] = sort (X);
%! [~, b] = sort (Z);
%! assert (a, b);
%! assert (knng.normalize (X', 'quantile', 'By', 'rows'), Z');
%! Z = knng.normalize ([5 4 3; 2 1 4; 3 4 6; 4 2 8], 'quantile');            # the example of many texts
%! assert (Z, [17 15.5 6; 6 6 9; 9 15.5 14; 14 9 17] / 3, 8 * eps);
%! Z = knng.normalize ([1 10; 1 20; 1 60; 7 90], 'quantile');                # three equal ones get the mean of theirs
%! assert (Z(:, 1), [(5.5 + 10.5 + 30.5) / 3 * [1; 1; 1]; 48.5], 1e-13);
%! [Z, ~, fit] = knng.normalize ([1 NaN; 2 10; 3 20; 4 NaN; 5 30], 'quantile');
%! assert (fit.target, [5.5; 8.5; 11.5; 14.5; 17.5]);
%! assert (Z, [5.5 NaN; 8.5 5.5; 11.5 11.5; 14.5 NaN; 17.5 17.5]);
%! Z = knng.normalize ([1 NaN NaN; 2 9 NaN; 3 NaN NaN], 'quantile');
%! assert (Z, [5 NaN NaN; 5.5 5.5 NaN; 6 NaN NaN]);
%! assert (knng.normalize (NaN (2, 3), 'quantile'), NaN (2, 3));
%! assert (knng.normalize (7, 'quantile'), 7);
%! assert (knng.normalize ([3; 1; 2], 'quantile'), [3; 1; 2]);

%!test  # a data set; constant rows are told
%! ds = struct ('X', [1 2; 5 5], 'names', {{'a'; 'b'}}, 'samples', {{'s', 't'}}, 'classes', [0 1]);
%! lastwarn ('', '');
%! evalc ('es = knng.normalize (ds, ''zscore'');');
%! [text, id] = lastwarn ();
%! assert (id, 'knng:data:constant');
%! assert (sscanf (text, '%d of %d rows')', [1 2]);
%! assert (~isempty (strfind (text, 'knng.filterrows')));
%! evalc ('knng.normalize ([1 2; 1 5], ''zscore'', ''By'', ''columns'');');
%! assert (regexprep (lastwarn (), ':.*', ''), '1 of 2 columns have no two different values');
%! assert (isempty (strfind (lastwarn (), 'filterrows')));
%! assert (es.X, [-1 1; 0 0] / sqrt (2), eps);
%! assert (es.history, {'normalize: z-scores of every row'});
%! assert (rmfield (es, {'X', 'history'}), rmfield (ds, 'X'));
%! es = knng.normalize (knng.normalize (knng.normalize (ds, 'log2', 'Offset', 1), 'quantile'), 'median', 'By', 'rows');
%! assert (es.history, {'normalize: log2 of the values + 1'; 'normalize: the same quantiles for every column'; ...
%!                      'normalize: every row less its median'});

%!test  # what has no value at all is told
%! lastwarn ('', '');
%! evalc ('knng.normalize ([1 2 NaN; NaN NaN NaN], ''log2'');');
%! [text, id] = lastwarn ();
%! assert (id, 'knng:data:nonFinite');
%! assert (sscanf (text, '%d of %d rows and %d of %d columns')', [1 2 1 3]);
%! lastwarn ('', '');
%! knng.normalize ([1 NaN; NaN 2], 'log2');
%! assert (lastwarn (), '');

%!error <the method is a 1-by-1-by-3 char: it must> knng.normalize (magic (4), reshape ('cpu', 1, 1, 3))
%!error id=knng:args:count knng.normalize (magic (3))
%!error <the method is 'log' \(did you mean 'log2'\?\): it must be> knng.normalize (magic (3), 'log')
%!error <the method is 'z': it must be> knng.normalize (magic (3), 'z')
%!error id=knng:args:method knng.normalize (magic (3), 'quantiles')
%!error <the method is 5: it must be 'log2',> knng.normalize (magic (3), 5)
%!error <2 of 4 values are not above 0, the lowest is -3: .* X\(X <= 0\) = NaN> knng.normalize ([0 1; 2 -3], 'log2')
%!error id=knng:data:logarithm knng.normalize ([0 1; 2 -3], 'log2', 'Offset', 3)
%!error <'By' is given, and 'log2' has no use> knng.normalize (magic (3), 'log2', 'By', 'rows')
%!error <'Offset' is given, and 'zscore' has no use> knng.normalize (magic (3), 'zscore', 'Offset', 1)
%!error id=knng:args:option knng.normalize (magic (3), 'log2', 'Offset', [1 2])
%!error id=knng:args:option knng.normalize (magic (3), 'zscore', 'By', 3)
%!error id=knng:data:infinite knng.normalize ([1 Inf], 'median')
%!error id=knng:args:class knng.normalize (uint8 (magic (3)), 'log2')
%!error id=knng:args:unknownOption knng.normalize (magic (3), 'log2', 'Base', 2)
%!error <no option 'rows': it is a value of 'By', as in knng.normalize \(X, 'zscore', 'By', 'columns'\)> knng.normalize (magic (3), 'zscore', 'rows')
%!error <^X is 'zscore', a method: .* as in knng.normalize \(X, 'zscore'\)$> knng.normalize ('zscore', 'rows')
%!error <^X is 'log2', a method> knng.normalize ('log2', magic (3))
