function shade = group_colours (group, names)
%GROUP_COLOURS  A colour, a row, for each of the group numbers; a last group of the name 'none' is grey.

  colours = knng.internal.palette ();
  shade = colours(mod (group(:) - 1, size (colours, 1)) + 1, :);
  none = find (strcmp (names(end), 'none')) * numel (names);
  shade(ismember (group(:), none), :) = 0.8;
end
