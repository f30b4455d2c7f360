function ds = more_rows (ds, X, names)
%MORE_ROWS  The data set DS with the matrix X, whose first rows are those of DS.X, and with the names of all its rows.
%   Symbols and annotation are '' or NaN for the new ones. DS is as check_ds leaves it.

  n = size (ds.X, 1);
  more = size (X, 1) - n;
  ds.X = X;
  ds.names = names;
  if (isfield (ds, 'symbols') && numel (ds.symbols) == n)
    ds.symbols = [ds.symbols(:); repmat({''}, more, 1)];
  end
  if (isfield (ds, 'annotation') && isstruct (ds.annotation))
    for field = fieldnames (ds.annotation)'
      column = ds.annotation.(field{1});
      if (iscell (column))
        column(end+1:n+more, :) = {''};
      elseif (ischar (column))
        column(end+1:n+more, :) = ' ';
      elseif (isnumeric (column) || islogical (column))
        column = [double(column); NaN(more, size (column, 2))];
      else
        error ('knng:args:ds', 'DS.annotation.%s is %s: it must be a cell of texts or numbers, so that more rows can be added', ...
               field{1}, knng.internal.given (column));
      end
      ds.annotation.(field{1}) = column;
    end
  end
end

%!test
%! ds = struct ('X', [1 2 3; 4 5 6], 'names', {{'a'; 'b'}}, 'symbols', {{'A'; 'B'}}, 'meta', struct ('sex', {{1, 2, 3}}), ...
%!              'annotation', struct ('length', [7; 8], 'flag', [true; false], 'twice', {{'a', 'A'; 'b', 'B'}}, 'letters', ['ab'; 'cd']));
%! es = knng.internal.more_rows (ds, [ds.X; 7 8 9; 1 1 1], {'a'; 'b'; 'c'; 'd'});
%! assert (es.annotation, struct ('length', [7; 8; NaN; NaN], 'flag', [1; 0; NaN; NaN], 'twice', {{'a', 'A'; 'b', 'B'; '', ''; '', ''}}, ...
%!                                'letters', ['ab'; 'cd'; '  '; '  ']));
%! assert ({es.symbols, es.meta}, {{'A'; 'B'; ''; ''}, ds.meta});
%! es = knng.internal.more_rows (struct ('X', 1, 'symbols', {cell(0, 1)}), [1; 2], {'a'; 'b'});
%! assert (es, struct ('X', [1; 2], 'symbols', {cell(0, 1)}, 'names', {{'a'; 'b'}}));
%!error id=knng:args:ds knng.internal.more_rows (struct ('X', 1, 'annotation', struct ('a', struct ())), [1; 2], {'a'; 'b'})
