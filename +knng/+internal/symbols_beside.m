function symbols = symbols_beside (ds)
%SYMBOLS_BESIDE  The gene symbols that stand beside the names of a data set's rows, as KNNG.INTERNAL.SYMBOLS_OF has them, '' where
%   a symbol is the name itself, as after knng.collapse; {} where none is left.

  symbols = knng.internal.symbols_of (ds);
  if (~isempty (symbols))
    symbols(strcmp (symbols, reshape (ds.names, [], 1))) = {''};
    if (all (cellfun ('isempty', symbols)))
      symbols = {};
    end
  end
end

%!assert (knng.internal.symbols_beside (struct ('X', [1; 2], 'names', {{'a', 'b'}}, 'symbols', {{'a'; 'B'}})), {''; 'B'})
%!assert (knng.internal.symbols_beside (struct ('X', [1; 2], 'names', {{'a'; 'b'}}, 'symbols', {{'a'; 'b'}})), {})
%!assert (knng.internal.symbols_beside (struct ('X', [1; 2], 'names', {{'a'; 'b'}})), {})
