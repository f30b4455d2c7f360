function fields = of_rows (meta, n, d)
%OF_ROWS  The fields of META, as knng.read returns it, that have an element for each of n rows, of d values each: columns, and
%   cells of several columns, which had one name in the file (n-by-d is n lines of samples).

  fields = {};
  if (isstruct (meta) && numel (meta) == 1)
    column = @(v) (iscell (v) || ((isnumeric (v) || islogical (v)) && n > 1)) && isequal (size (v), [n 1]);
    several = @(v) iscell (v) && n > 1 && ndims (v) == 2 && size (v, 1) == n && size (v, 2) ~= d && size (v, 2) > 1;
    fields = fieldnames (meta)';
    fields = fields(structfun (@(v) column (v) || several (v), meta)');
  end
end

%!test
%! meta = struct ('format', 'soft', 'IDENTIFIER', {{'p'; 'q'; 'r'}}, 'length', [1; 2; 3], 'age', {{1, 2, 3}}, 'lines', {cell(2, 3)});
%! assert (knng.internal.of_rows (meta, 3, 3), {'IDENTIFIER', 'length'});
%! assert (knng.internal.of_rows (meta, 2, 3), cell (1, 0));
%! assert (knng.internal.of_rows (meta, 2, 2), {'lines'});
%! assert (knng.internal.of_rows (struct ('title', {{'a'}}, 'n', 7), 1, 1), {'title'});
%! assert (knng.internal.of_rows ([], 1, 1), {});
