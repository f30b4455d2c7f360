function Y = targets (Y, X, columns)
%TARGETS  The numbers Y that belong to the rows of X, n-by-p, double or single; a row of n becomes a column.
%   COLUMNS, if given: how many there have to be. What is wrong is an error, knng:args:targets.

  [n, d] = size (X);
  if (~(isnumeric (Y) || islogical (Y)) || ~isreal (Y) || ndims (Y) ~= 2)
    error ('knng:args:targets', ['Y is %s: it must be real numbers, one for each row of X, or a matrix with a row for each; of labels ' ...
           'make a model by knng.fitcknn'], knng.internal.given (Y));
  end
  if (size (Y, 1) == 1 && size (Y, 2) == n)
    Y = Y.';
  end
  if (size (Y, 1) ~= n && d ~= n && (size (Y, 1) == d || isequal (size (Y), [1, d])))
    error ('knng:args:targets', ['Y is %d-by-%d, and X has %d rows and %d columns: a row is what has numbers in Y. ' ...
           'If the columns are the samples, as in what knng.read returns, give X'''], size (Y, 1), size (Y, 2), n, d);
  elseif (size (Y, 1) ~= n || isempty (Y))
    error ('knng:args:targets', 'Y is %d-by-%d, and X has %s: give a row of Y for each', size (Y, 1), size (Y, 2), knng.internal.count_of (n, 'row'));
  elseif (nargin > 2 && size (Y, 2) ~= columns)
    error ('knng:args:targets', 'Y has %s, the model predicts %d: give those', knng.internal.count_of (size (Y, 2), 'column'), columns);
  end
  Y = full (Y);
  if (~isfloat (Y))
    Y = double (Y);
  end
end

%!assert (knng.internal.targets (int8 ([1 2]), eye (2)), [1; 2])
%!assert (knng.internal.targets (single ([1 2; 3 4]), eye (2), 2), single ([1 2; 3 4]))
%!error <Y is 1-by-3, and X has 2 rows> knng.internal.targets (1:3, eye (2))
%!error <Y is 2-by-2, and X has 4 rows: give> knng.internal.targets (magic (2)', ones (4, 1))
%!error <Y is 3-by-2, and X has 2 rows and 3 columns: .* give X'$> knng.internal.targets (ones (3, 2), ones (2, 3))
%!error <Y is 1-by-3, and X has 2 rows and 3 columns: .* give X'$> knng.internal.targets (1:3, ones (2, 3))
%!error id=knng:args:targets knng.internal.targets ([], ones (1, 3))
%!error <Y is a 1-by-2 cell: .* by knng.fitcknn> knng.internal.targets ({'a', 'b'}, eye (2))
%!error <Y has 1 column, the model predicts 2> knng.internal.targets (1:2, eye (2), 2)
