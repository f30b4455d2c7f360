function [group, names, none] = groups_of (labels)
%GROUPS_OF  The number of each label's group, a column, and the groups' names as texts for pictures: groups ascend as the
%   labels do, and missing ones (NaN, '') are the last, 'none'. NONE is the number of this group, 0 without missing labels.

  [group, kinds] = knng.internal.label_codes (labels);
  if (ischar (kinds) || isa (kinds, 'categorical'))
    kinds = cellstr (kinds);
  end
  names = knng.internal.texts_of (kinds);
  none = 0;
  if (any (group == 0))
    names{end+1, 1} = knng.internal.missing_name (names);
    none = numel (names);
    group(group == 0) = none;
  end
end

%!test
%! [group, names, none] = knng.internal.groups_of ([2 NaN 1.5 2]);
%! assert (group, [2; 3; 1; 2]);
%! assert (names, {'1.5'; '2'; 'none'});
%! assert (none, 3);
%! [group, names, none] = knng.internal.groups_of ({'b', 'a'});
%! assert (group, [2; 1]);
%! assert (names, {'a'; 'b'});
%! assert (none, 0);
%! [group, names, none] = knng.internal.groups_of ({'none', '', 'z'});   # a label that is called so is none of these
%! assert (group, [1; 3; 2]);
%! assert (names, {'none'; 'z'; 'no label'});
%! assert (none, 3);
