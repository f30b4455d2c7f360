function fields = of_rows (meta, n)
%OF_ROWS  The fields of META, as knng.read returns it, that are columns with an element for each of n rows.

  fields = {};
  if (isstruct (meta) && numel (meta) == 1)
    column = @(v) (iscell (v) || ((isnumeric (v) || islogical (v)) && n > 1)) && isequal (size (v), [n 1]);
    fields = fieldnames (meta)';
    fields = fields(structfun (column, meta)');
  end
end

%!test
%! meta = struct ('format', 'soft', 'IDENTIFIER', {{'p'; 'q'; 'r'}}, 'length', [1; 2; 3], 'age', {{1, 2, 3}}, 'lines', {cell(2, 3)});
%! assert (knng.internal.of_rows (meta, 3), {'IDENTIFIER', 'length'});
%! assert (knng.internal.of_rows (meta, 2), cell (1, 0));
%! assert (knng.internal.of_rows (struct ('title', {{'a'}}, 'n', 7), 1), {'title'});
%! assert (knng.internal.of_rows ([], 1), {});
