function order = legend_order (kinds)
%LEGEND_ORDER  In which order the names of groups, KINDS, stand in a legend, a column: names that are by the alphabet by KNNG.INTERNAL.NATURAL_ORDER,
%   others, such as numbers that ascend, as they are. Colours and numbers of groups stay those of the sorted names.

  if (iscell (kinds) && issorted (kinds(:)))
    order = knng.internal.natural_order (kinds);
  else
    order = (1:numel (kinds))';
  end
end

%!assert (knng.internal.legend_order ({'group 1', 'group 10', 'group 2'}), [1; 3; 2])
%!assert (knng.internal.legend_order ({'-2', '-1', '9', '10'}), (1:4)')
%!assert (knng.internal.legend_order ([1 5 10]), (1:3)')
