function v = all_rows (v, used, none)
%ALL_ROWS  V, which has a row for each row that a model uses, with one for every row of its data: NONE in those that are not USED.
%   USED is RowsUsed of the model: n-by-1 logical, [] where all are.

  if (isempty (used))
    return
  end
  whole = repmat (cast (none, class (v)), numel (used), size (v, 2));
  whole(used, :) = v;
  v = whole;
end

%!assert (knng.internal.all_rows ([1 2; 3 4], logical ([1; 0; 1]), NaN), [1 2; NaN NaN; 3 4])
%!assert (knng.internal.all_rows (single ([1; 2]), [], 0), single ([1; 2]))
