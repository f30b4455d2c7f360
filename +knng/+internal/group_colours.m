function shade = group_colours (group, none)
%GROUP_COLOURS  A colour, a row, for each of the group numbers; the group of the number NONE is grey.
%   The first eight are those of knng.internal.palette; the next are far from all before them, up to 100: number 101 is like the first. All pictures
%   of points have them from here, so that a class, by its place among the sorted names of all, has the same colour in each.

  persistent colours
  if (isempty (colours))
    first = knng.internal.palette ();
    colours = [first; knng.internal.more_colours(first, 100 - size (first, 1), [22 76])];
  end
  shade = colours(mod (group(:) - 1, 100) + 1, :);
  shade(group(:) == none, :) = 0.8;
end

%!test  # any two differ, from grey too
%! c = knng.internal.group_colours (1:101, 101);
%! assert (c([1:8, 101], :), [knng.internal.palette(); 0.8 0.8 0.8]);
%! apart = max (abs (permute (c, [1 3 2]) - permute (c, [3 1 2])), [], 3) + eye (101);
%! assert (min (apart(:)) > 0.08);
%! assert (min (min (apart(1:40, 1:40))) > 0.12);
%! assert (knng.internal.group_colours ([101; 102], 0), c(1:2, :));
