function yes = names_columns (t)
%NAMES_COLUMNS  Whether the struct T of columns has a field `classes` that names the columns of others: a row of as many texts as another has columns.

  yes = false;
  if (isfield (t, 'classes') && iscellstr (t.classes) && size (t.classes, 1) == 1 && ndims (t.classes) == 2)
    others = struct2cell (rmfield (t, 'classes'));
    yes = any (cellfun (@(v) isnumeric (v) && size (v, 2) == numel (t.classes), others)) && ...
          all (cellfun (@(s) size (s, 1) <= 1 && ndims (s) == 2, t.classes));
  end
end

%!assert (knng.internal.names_columns (struct ('a', [1 2; 3 4], 'classes', {{'x', 'y'}})))
%!assert (~knng.internal.names_columns (struct ('a', [1; 3], 'classes', {{'x', 'y'}})))
%!assert (~knng.internal.names_columns (struct ('a', [1; 3], 'classes', {{'x'; 'y'}})))
%!assert (~knng.internal.names_columns (struct ('a', [1; 3])))
