function warn_unused (Mdl, X, rows)
%WARN_UNUSED  Says how many rows of X the model MDL of knng.fitcknn or knng.fitrknn does not use since they have no distances.
%   ROWS: the option 'Rows', 'all' or 'pairwise'.

  if (isempty (Mdl.RowsUsed))
    return
  elseif (strcmpi (rows, 'pairwise'))
    odd = any (isinf (X), 2) | all (isnan (X), 2);
    text = 'hold Inf, or no value at all: the model leaves them out';
  else
    odd = ~all (isfinite (X), 2);
    text = 'hold NaN or Inf: the model leaves them out; give ''Rows'', ''pairwise'', or fill in missing values with knng.impute';
  end
  if (any (odd))
    warning ('knng:data:nonFinite', '%d of %d rows %s', sum (odd), numel (odd), text);
  end
end

%!test
%! warning ('error', 'knng:data:nonFinite', 'local');
%! X = [1; NaN; 3; -Inf];
%! M = struct ('RowsUsed', logical ([1; 0; 1; 0]));
%! fail ("knng.internal.warn_unused (M, X, 'all')", '^2 of 4 rows hold NaN or Inf: the model leaves them out; give ''Rows'', ''pairwise'', or');
%! fail ("knng.internal.warn_unused (M, [X, (1:4)'], 'Pairwise')", '^1 of 4 rows hold Inf, or no value at all: the model leaves them out$');
%! fail ("knng.internal.warn_unused (M, X, 'pairwise')", '^2 of 4 rows');
%! knng.internal.warn_unused (struct ('RowsUsed', []), X, 'all');
%! M.RowsUsed(2) = true;                                     % for want of labels
%! knng.internal.warn_unused (M, (1:4)', 'all');
