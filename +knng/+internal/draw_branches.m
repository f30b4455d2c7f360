function draw_branches (ax, place, far, tree, colour, colours)
%DRAW_BRANCHES  The lines of a tree beside a heat map. Of more than 400 leaves the branches of few of them, fewer than 1 in 400, are pale, so that they do
%   not hide the others.
%   PLACE, 5-by-(n-1), says where the lines of each step are along the leaves, and FAR, a cell of the name of the axis away from them, 'x' or 'y', and
%   a matrix of the same size, how far from these; TREE has the two nodes that each step joins, as knng.linkage numbers them. COLOUR: the row of
%   COLOURS of each step, 0 for grey, of thinner lines.

  [axis_of, height] = far{:};
  n = size (tree, 1) + 1;
  count = [ones(n, 1); zeros(n - 1, 1)];
  for s = 1:n - 1
    count(n + s) = count(tree(s, 1)) + count(tree(s, 2));
  end
  many = count >= n / 400;
  short = height;                                            % without what leads to few leaves
  few = ~many(tree(:, 1));
  short(1, few) = height(2, few);
  few = ~many(tree(:, 2));
  short(4, few) = height(3, few);
  steps = many(n + 1:end);
  for c = unique (colour(:))'
    shade = [0.3 0.3 0.3];
    if (c > 0)
      shade = 0.85 * colours(c, :);
    end
    some = colour(:) == c;
    if (~all (many))
      draw_steps (ax, axis_of, place(:, some), height(:, some), 0.3 * shade + 0.7, 0.5);
    end
    some = some & steps;
    draw_steps (ax, axis_of, place(:, some), short(:, some), shade, 0.5 + 0.5 * (c > 0));
  end
end

function draw_steps (ax, axis_of, place, height, shade, wide)
  if (isempty (place))
    return
  elseif (axis_of == 'x')
    [place, height] = deal (height, place);
  end
  line (place(:), height(:), 'parent', ax, 'color', shade, 'linewidth', wide);
end

%!test
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! n = 1000;
%! tree = [1:2:n-1, n+1:2:2*n-3; 2:2:n, n+2:2:2*n-2]';                     # pairs, pairs of these, ...: those of 2 are few, of 4 many
%! [place, height] = knng.internal.tree_lines ([tree, 1 + floor((0:n-2)' / 500)], knng.internal.tree_order (tree));
%! colour = [zeros(n - 2, 1); 1];
%! knng.internal.draw_branches (gca (), place, {'x', height}, tree, colour, [0 1 0]);
%! lines = flipud (get (gca (), 'children'));                # the pale ones below
%! assert (cell2mat (get (lines, 'color')), [0.79 0.79 0.79; 0.3 0.3 0.3; 0.7 0.955 0.7; 0 0.85 0], 1e-12);
%! assert (cellfun (@numel, get (lines, 'xdata'))' / 5, [n - 2, n / 2 - 2, 1, 1]);
%! assert (min (get (lines(2), 'xdata')), 2);                # no further down than the steps of few leaves
%! assert (min (get (lines(1), 'xdata')), 0);
