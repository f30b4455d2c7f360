function check_labels (count, X)
%CHECK_LABELS  An error where there is not one of COUNT labels for each row of X; where they are those of its columns, it
%   says so.

  [n, d] = size (X);
  if (count == n)
    return
  elseif (count == d)
    error ('knng:args:labels', ['%s for the %s of X, which has %s: a row is what has a label. ' ...
           'If the columns are the samples, as in what knng.read returns, give X'''], knng.internal.there_are (count, 'label'), ...
           knng.internal.count_of (n, 'row'), knng.internal.count_of (d, 'column'));
  end
  error ('knng:args:labels', '%s for the %s of X: give one for each row', knng.internal.there_are (count, 'label'), ...
         knng.internal.count_of (n, 'row'));
end

%!test
%! knng.internal.check_labels (2, ones (2, 3));
%!error <there are 3 labels for the 2 rows of X, which has 3 columns: .* give X'$> knng.internal.check_labels (3, ones (2, 3))
%!error <there are 4 labels for the 2 rows of X: give one for each row> knng.internal.check_labels (4, ones (2, 3))
%!error id=knng:args:labels knng.internal.check_labels (3, ones (2, 3))
