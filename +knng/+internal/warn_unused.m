function warn_unused (Mdl, X, rows, Y)
%WARN_UNUSED  Says how many rows of X the model MDL of knng.fitcknn or knng.fitrknn does not use since they have no distances.
%   ROWS: the option 'Rows', 'all' or 'pairwise'. Y, if given: the numbers of knng.fitrknn; rows that lack one are counted, too.

  if (isempty (Mdl.RowsUsed))
    return
  elseif (strcmpi (rows, 'pairwise'))
    odd = any (isinf (X), 2) | all (isnan (X), 2);
    text = 'hold Inf, or no value at all: the model leaves them out';
  else
    odd = ~all (isfinite (X), 2);
    [~, where] = knng.internal.holding (X, odd);
    text = ['hold NaN or Inf: the model leaves them out', where, '; give ''Rows'', ''pairwise'', or fill in missing values with knng.impute'];
  end
  if (any (odd))
    warning ('knng:data:nonFinite', '%s %s', knng.internal.holding (X, odd), text);
  end
  if (nargin > 3)
    without = ~all (isfinite (knng.internal.targets (Y, X)), 2);
    if (any (without))
      words = {'them', 'it'};
      warning ('knng:data:nonFinite', '%s NaN or Inf in Y: the model leaves %s out', ...
               knng.internal.share_of (sum (without), numel (without), 'row', 'has', 'have'), words{1 + (sum (without) == 1)});
    end
  end
end

%!test
%! warning ('error', 'knng:data:nonFinite', 'local');
%! X = [1; NaN; 3; -Inf];
%! M = struct ('RowsUsed', logical ([1; 0; 1; 0]));
%! fail ("knng.internal.warn_unused (M, X, 'all')", '^2 of 4 rows \(50 %\) hold NaN or Inf: the model leaves them out; they are in column 1 \(2 rows\); give ''Rows'', ''pairwise'', or');
%! fail ("knng.internal.warn_unused (M, [X, (1:4)'], 'Pairwise')", '^1 of 4 rows \(25 %\) hold Inf, or no value at all: the model leaves them out$');
%! fail ("knng.internal.warn_unused (M, X, 'pairwise')", '^2 of 4 rows');
%! knng.internal.warn_unused (struct ('RowsUsed', []), X, 'all');
%! M.RowsUsed(2) = true;                                     % for want of labels
%! knng.internal.warn_unused (M, (1:4)', 'all');
%! M.RowsUsed(2) = true;
%! fail ("knng.internal.warn_unused (M, (1:4)', 'all', [1 2 Inf 4])", '^1 of 4 rows has NaN or Inf in Y: the model leaves it out$');
