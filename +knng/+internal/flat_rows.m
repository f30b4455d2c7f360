function flat = flat_rows (X, metric)
%FLAT_ROWS  Which rows of X have no distances by METRIC, a full name, though their numbers are finite: m-by-1, logical.
%   By correlations those are constant, by cosine zero. Of rows with NaN or Inf it says nothing of use.

  if (knng.internal.correlation_sign (metric) ~= 0)
    flat = max (X, [], 2) == min (X, [], 2);
  elseif (strcmp (metric, 'cosine'))
    flat = ~any (X, 2);
  else
    flat = false (size (X, 1), 1);
  end
end

%!assert (knng.internal.flat_rows ([1 1; 0 -0; 1 2], 'spearman'), [true; true; false])
%!assert (knng.internal.flat_rows (single ([1 1; 0 -0; 1 2]), 'cosine'), [false; true; false])
%!assert (knng.internal.flat_rows (ones (2, 3), 'euclidean'), [false; false])
