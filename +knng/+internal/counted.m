function texts = counted (names, counts, all_names)
%COUNTED  The NAMES of groups with how many are in each, a cell as these: 'ALL, 27', but '0 (27)' where the names of ALL_NAMES, by default NAMES,
%   are numbers, since '0, 27' could be one with a decimal comma. What missing labels are called does not count.

  if (nargin < 3)
    all_names = names;
  end
  form = '%s, %d';
  number = ~isnan (str2double (all_names));
  if (any (number) && all (number | ismember (all_names, {'none', 'no label'})))
    form = '%s (%d)';
  end
  texts = reshape (arrayfun (@(i) sprintf (form, names{i}, counts(i)), 1:numel (names), 'UniformOutput', false), size (names));
end

%!assert (knng.internal.counted ({'ALL', 'AML'}, [27 11]), {'ALL, 27', 'AML, 11'})
%!assert (knng.internal.counted ({'0'; '1'; 'none'}, [27 11 2]), {'0 (27)'; '1 (11)'; 'none (2)'})
%!assert (knng.internal.counted ({'1'; 'x'}, [2 1]), {'1, 2'; 'x, 1'})
%!assert (knng.internal.counted ({'none'}, 3, {'1', '2'}), {'none (3)'})
%!assert (knng.internal.counted ({'none'}, 3), {'none, 3'})
