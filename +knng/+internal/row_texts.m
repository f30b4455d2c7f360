function names = row_texts (ds, labels, rows)
%ROW_TEXTS  What is written beside ROWS: their LABELS; without any, {}, the names of the data set, behind their symbols if these are others.

  if (~isempty (labels))
    names = labels(rows);
  else
    names = ds.names(rows);
    symbols = knng.internal.symbols_beside (ds);
    if (~isempty (symbols))
      symbols = symbols(rows);
      some = find (~cellfun ('isempty', symbols(:)));
      names(some) = cellfun (@(s, t) [s, ' ', t], symbols(some), names(some), 'UniformOutput', false);
    end
  end
end

%!test
%! ds = knng.internal.check_ds (struct ('X', [1; 2; 3], 'names', {{'a', 'b', 'c'}}, 'symbols', {{'S', '', 'c'}}));
%! texts = knng.internal.row_texts (ds, {}, [3 2 1]);
%! assert (texts(:), {'c'; 'b'; 'S a'});
%! texts = knng.internal.row_texts (ds, {'x', 'y', 'z'}, [3 1]);
%! assert (texts(:), {'z'; 'x'});
