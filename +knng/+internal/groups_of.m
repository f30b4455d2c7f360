function [group, names] = groups_of (labels)
%GROUPS_OF  The number of each label's group, a column, and the groups' names as texts for pictures: groups ascend as the
%   labels do, and missing ones (NaN, '') are the last, 'none'.

  [group, kinds] = knng.internal.label_codes (labels);
  if (ischar (kinds) || isa (kinds, 'categorical'))
    kinds = cellstr (kinds);
  end
  names = knng.internal.texts_of (kinds);
  if (any (group == 0))
    names{end+1, 1} = 'none';
    group(group == 0) = numel (names);
  end
end

%!test
%! [group, names] = knng.internal.groups_of ([2 NaN 1.5 2]);
%! assert (group, [2; 3; 1; 2]);
%! assert (names, {'1.5'; '2'; 'none'});
%! [group, names] = knng.internal.groups_of ({'b', 'a'});
%! assert (group, [2; 1]);
%! assert (names, {'a'; 'b'});
