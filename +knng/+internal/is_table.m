function yes = is_table (t)
%IS_TABLE  Whether T is a struct of columns, as knng.edges and others return it: each field has a row for each row of the table, real numbers (of one
%   or several columns) or a cell of texts. A field `classes`, a row of texts, names the columns of those that have several.

  yes = isstruct (t) && numel (t) == 1 && ~isempty (fieldnames (t));
  if (~yes)
    return
  end
  if (knng.internal.names_columns (t))
    t = rmfield (t, 'classes');
  end
  t = struct2cell (t);
  for i = 1:numel (t)
    v = t{i};
    texts = iscellstr (v) && size (v, 2) == 1 && all (cellfun ('size', v(:), 1) <= 1) && all (cellfun ('ndims', v(:)) == 2);
    numbers = (isnumeric (v) || islogical (v)) && isreal (v);
    yes = yes && (texts || numbers) && ndims (v) == 2 && size (v, 1) == size (t{1}, 1);
  end
end

%!assert (knng.internal.is_table (struct ('a', [1; 2], 'b', {{'x'; 'y'}}, 'c', magic (2))))
%!assert (knng.internal.is_table (struct ('a', zeros (0, 1), 'b', {cell(0, 1)})))
%!assert (knng.internal.is_table (struct ('a', [1 2; 3 4], 'classes', {{'x', 'y'}})))
%!assert (~knng.internal.is_table (struct ('a', [1; 2], 'b', 1)))
%!assert (~knng.internal.is_table (struct ('a', {{'x', 'y'}})))
%!assert (~knng.internal.is_table (struct ('a', @sin)))
%!assert (~knng.internal.is_table (struct ('a', 1i)))
%!assert (~knng.internal.is_table (struct ('a', {1, 2})))
%!assert (~knng.internal.is_table (struct ()))
%!assert (~knng.internal.is_table (5))
