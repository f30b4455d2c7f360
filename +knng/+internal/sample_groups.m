function [group, names] = sample_groups (ds)
%SAMPLE_GROUPS  The groups of the samples by their class, as KNNG.INTERNAL.GROUPS_OF gives them: without classes all are
%   in group 1, and NAMES is {}.

  group = ones (size (ds.X, 2), 1);
  names = {};
  if (~isempty (ds.classes))
    [group, names] = knng.internal.groups_of (ds.classes);
  end
end
