function ok = is_one_of (value, values)
%IS_ONE_OF  Whether VALUE is a text in one row that stands in the cell VALUES, in upper or lower case.

  ok = ischar (value) && ndims (value) == 2 && size (value, 1) == 1 && any (strcmpi (value, values));
end

%!assert (knng.internal.is_one_of ('On', {'on', 'off'}))
%!assert (~knng.internal.is_one_of ('o', {'on', 'off'}) && ~knng.internal.is_one_of ({'on'}, {'on', 'off'}))
%!assert (~knng.internal.is_one_of (cat (3, 'on', 'on'), {'on'}) && ~knng.internal.is_one_of (['on'; 'on'], {'on'}))
