function [group, names, none] = sample_groups (ds)
%SAMPLE_GROUPS  The groups of the samples by their class, as KNNG.INTERNAL.GROUPS_OF gives them: without classes all are
%   in group 1, NAMES is {} and NONE 0.

  group = ones (size (ds.X, 2), 1);
  names = {};
  none = 0;
  if (~isempty (ds.classes))
    [group, names, none] = knng.internal.groups_of (ds.classes);
  end
end
