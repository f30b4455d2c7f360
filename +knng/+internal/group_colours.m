function shade = group_colours (group, none)
%GROUP_COLOURS  A colour, a row, for each of the group numbers; the group of the number NONE is grey.
%   The first eight are those of knng.internal.palette, the next paler, then darker: number 25 is like the first.

  colours = knng.internal.palette ();
  colours = [colours; 0.45 * colours + 0.55; 0.4 * colours];
  shade = colours(mod (group(:) - 1, size (colours, 1)) + 1, :);
  shade(group(:) == none, :) = 0.8;
end

%!test  # any two differ, from grey too
%! c = knng.internal.group_colours (1:25, 25);
%! assert (c([1:8, 25], :), [knng.internal.palette(); 0.8 0.8 0.8]);
%! apart = max (abs (permute (c, [1 3 2]) - permute (c, [3 1 2])), [], 3) + eye (25);
%! assert (min (apart(:)) > 0.08);
%! assert (knng.internal.group_colours ([25; 26], 0), c(1:2, :));
