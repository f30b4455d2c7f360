function symbols = symbols_of (ds)
%SYMBOLS_OF  The gene symbols of the rows of a data set, a column of texts; {} where it has none, or not one for each row.

  symbols = {};
  n = size (ds.X, 1);
  if (isfield (ds, 'symbols') && iscellstr (ds.symbols) && numel (ds.symbols) == n && ~all (cellfun ('isempty', ds.symbols(:))) && ...
      all (cellfun ('size', ds.symbols(:), 1) <= 1))
    symbols = ds.symbols(:);
  end
end

%!assert (knng.internal.symbols_of (struct ('X', [1; 2])), {})
%!assert (knng.internal.symbols_of (struct ('X', [1; 2], 'symbols', {{'a', ''}})), {'a'; ''})
%!assert (knng.internal.symbols_of (struct ('X', [1; 2], 'symbols', {{'a'}})), {})
%!assert (knng.internal.symbols_of (struct ('X', [1; 2], 'symbols', {{'', ''}})), {})
%!assert (knng.internal.symbols_of (struct ('X', [1; 2], 'symbols', 5)), {})
