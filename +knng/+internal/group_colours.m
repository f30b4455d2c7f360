function shade = group_colours (group, none)
%GROUP_COLOURS  A colour, a row, for each of the group numbers; the group of the number NONE is grey.

  colours = knng.internal.palette ();
  shade = colours(mod (group(:) - 1, size (colours, 1)) + 1, :);
  shade(group(:) == none, :) = 0.8;
end
