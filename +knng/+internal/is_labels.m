function yes = is_labels (v)
%IS_LABELS  Whether V is of a kind that can be labels or values: a cell of texts of one row each, real numbers or logicals.

  yes = (iscellstr (v) && all (cellfun ('size', v(:), 1) <= 1)) || ((isnumeric (v) || islogical (v)) && isreal (v));
end

%!assert (knng.internal.is_labels ({'a', ''}) && knng.internal.is_labels ([1 2]) && knng.internal.is_labels (true))
%!assert (~knng.internal.is_labels ({['a'; 'b']}) && ~knng.internal.is_labels ('ab') && ~knng.internal.is_labels (1i))
