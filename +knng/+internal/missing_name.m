function name = missing_name (names)
%MISSING_NAME  What the group of missing labels is called beside groups of these NAMES: 'none', unless one is called so.

  name = 'none';
  if (any (strcmp (names, name)))
    name = 'no label';
  end
end

%!assert (knng.internal.missing_name ({'a'}), 'none')
%!assert (knng.internal.missing_name ({'a', 'none'}), 'no label')
%!assert (knng.internal.missing_name ({}), 'none')
