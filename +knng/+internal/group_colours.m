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

%!test  # knng.write gives the groups of GEXF, .cyjs and GML the same colours
%! warning ('off', 'knng:args:leftOut', 'local');
%! colours = knng.internal.group_colours (1:40, 0);
%! want = arrayfun (@(g) sprintf ('#%02X%02X%02X', round (255 * colours(mod (g - 1, 40) + 1, :))), 1:42, 'UniformOutput', false);
%! pattern = {'cyjs', '"color": "(#\w+)"'; 'gml', 'fill "(#\w+)"'; 'gexf', '<viz:color r="(\d+)" g="(\d+)" b="(\d+)"'}';
%! for f = pattern
%!   file = [tempname() '.' f{1}];
%!   gone = onCleanup (@() delete (file));
%!   knng.write (file, sparse (42, 42), 'Groups', 1:42);
%!   got = regexp (fileread (file), f{2}, 'tokens');
%!   if (strcmp (f{1}, 'gexf'))
%!     got = cellfun (@(t) {sprintf('#%02X%02X%02X', str2double (t))}, got, 'UniformOutput', false);
%!   end
%!   assert ([got{:}], want);
%!   clear gone
%! end
