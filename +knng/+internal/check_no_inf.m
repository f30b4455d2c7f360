function check_no_inf (X)
%CHECK_NO_INF  An error where X holds Inf; core/rows/impute.c has the same words.

  row = find (any (isinf (X), 2), 1);
  if (~isempty (row))
    error ('knng:data:infinite', ['X has Inf, the first in row %d: it has no place among numbers; make it a missing value, ' ...
           'X(isinf (X)) = NaN, or a number'], row);
  end
end

%!error <X has Inf, the first in row 2: .* X\(isinf \(X\)\) = NaN, or a number$> knng.internal.check_no_inf ([NaN 1; -Inf 1; Inf 2])
%!test knng.internal.check_no_inf ([NaN 1]);
