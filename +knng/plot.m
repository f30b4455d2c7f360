function [h, XY] = plot (varargin)
%KNNG.PLOT  Draw a graph: points in the colours of their groups, edges as lines.
%   knng.plot (A) draws the n points of the graph A = knngraph (X, k, ...),
%   n-by-n and sparse, and its edges into the current axes, in place of what is
%   there. Points that are joined come to lie together.
%   knng.plot (idx, dist) does the same with the n-by-k tables of [idx, dist] =
%   knngraph (...).
%   [h, XY] = knng.plot (...) returns handles, and in XY, n-by-2, the places,
%   for knng.plot (A, 'XY', XY) or knng.write (file, A, 'Positions', XY).
%   [...] = knng.plot (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Groups'  what the points are coloured by, as the labels of knng.scatter:
%               n texts, or numbers such as c of knng.leiden (A); default none.
%               Of more than 40 groups the 39 largest have colours, and stand by
%               size in the legend; the points of the others are light grey, the
%               last there ('7 others')
%     'Labels'  n texts, such as ds.names, to stand beside the points, above or
%               below, or, where there are up to 200 texts, up to half an inch
%               away, at the end of a line that crosses no other text and no
%               other point; '' for none. Or a data set ds of n rows: their gene
%               symbols, and names where there are none, as knng.write has them.
%               Those that would cover another or, where there are more than
%               40, a point are left out; points with many edges come first.
%               Default none
%     'Layout'  how the places are found; default 'auto'
%         'auto'  'kk' for components of up to 500 points, 'drl' up to 8000,
%                 'fr' for larger ones
%         'kk'    Kamada and Kawai's springs, for up to 2000 points in a
%                 component: distances on paper as along edges
%         'fr'    Fruchterman and Reingold's forces: fast, and even
%         'drl'   the forces of DrL, which pull clusters together: for thousands
%                 of points
%     'XY'      the places themselves, n-by-2, as of knng.diffusionmap (A, 2):
%               no igraph is needed then; default []
%     'Title'   a text: what the colours are, beside the colour bar of values,
%               or above the picture; default none
%     'Seed'    of the random numbers of the layout, from 0 to 2147483645;
%               default 1
%
%   Handles:
%
%     h.edges   of the one line that is all edges that are drawn
%     h.points  a column, as of knng.scatter, one for each group
%     h.labels  a column, of the texts
%
%   Edges have no direction and no weight here: what is stored in A is an edge.
%   Each connected component is laid out by itself, its edges of length 1 on
%   average, wider than high; components stand in rows, the largest first. The
%   same graph, seed and version of igraph give the same picture. Where all
%   edges would be one grey spot, those are drawn that are the shortest on
%   paper, and a line below says how many of how many: knng.trim (A, 5) leaves
%   the nearest neighbours, which may give a better layout, too. Points with NaN
%   or Inf in 'XY' are not drawn, nor are their edges; numbers nearer to 0 than
%   1e-100 are drawn as 0.
%
%   igraph makes the layout: see knng.leiden. No screen is needed: see
%   knng.scatter. print ('-dpng', 'graph.png') makes a file of the picture.
%
%   Cost: some 5 seconds for 3000 points with 20 000 edges, most of it the
%   layout, and what print takes (a second); with 'XY' less than a second, and
%   two more with 'Labels'. 'kk' takes 40*n^2 bytes of a component.
%
%   Errors: knng:toolbox:noIgraph (what to install); knng:args:class, :idx,
%   :dist, :empty as knng.adjacency; knng:args:labels (not one for each point);
%   knng:args:ds;
%   knng:args:positions ('XY' is no n-by-2 matrix); knng:args:option,
%   :unknownOption, :count; knng:toolbox:igraph, :noGraphics (no gnuplot);
%   knng:interrupted; knng:memory:host. Warnings: knng:toolbox:letters, as
%   knng.scatter.
%
%   Sources: T. Kamada, S. Kawai, Inf. Process. Lett. 31 (1989) 7-15; T.
%   Fruchterman, E. Reingold, Softw. Pract. Exp. 21 (1991) 1129-1164; S. Martin,
%   W. M. Brown, B. N. Wylie, DrL, Sandia National Laboratories (2007).
%
%   Example:
%     t = (0:39)' * pi / 20;
%     X = [cos(t), sin(t)];                            % 40 points on a circle
%     h = knng.plot (knngraph (X, 2), 'XY', X, 'Groups', X(:, 1) > 0);
%     numel (h.points)                                 % 2
%
%   See also knng.leiden, knng.scatter, knng.write, knng.diffusionmap, knngraph.

  [graph, pairs] = knng.internal.graph_arguments ('knng.plot (GRAPH)', varargin);
  opt = knng.internal.options (struct ('Groups', [], 'Labels', [], 'Layout', 'auto', 'XY', [], 'Title', '', 'Seed', 1), pairs);
  A = graph{1};
  if (numel (graph) == 2)
    A = knng.internal.graph ('knng.plot (GRAPH)', graph);
  end
  n = size (A, 1);
  if (isstruct (opt.Labels))
    opt.Labels = knng.internal.gene_names (opt.Labels, 'Labels');
    if (numel (opt.Labels) ~= n)
      error ('knng:args:labels', '''Labels'' is a data set of %s, and the graph has %s: give the one that it was made of', ...
             knng.internal.count_of (numel (opt.Labels), 'row'), knng.internal.count_of (n, 'point'));
    end
  end
  check (opt, n);
  XY = opt.XY;
  if (isempty (XY) && n > 0)
    knng.internal.built ();
    knng.internal.with_igraph ('; or give ''XY'', the places, such as Y of knng.diffusionmap (A, 2)');
    XY = knng.internal.layout (A, opt.Layout, opt.Seed);
  end
  XY = reshape (full (double (XY)), n, 2);

  at = XY;
  at(abs (at) < 1e-100) = 0;                                 % Octave fails over axes so small
  [ax, back] = knng.internal.axes_ready ();            %#ok<ASGLU>
  [drawn.edges, share] = draw_edges (ax, A, at);
  drawn.points = draw_points (ax, at, opt.Groups, opt.Title);
  set (drawn.edges, 'handlevisibility', 'on');
  knng.internal.one_scale (ax, 0.04 * ~isempty (share));
  axis (ax, 'off');
  xlabel (ax, '');
  ylabel (ax, '');
  if (~isempty (share))
    text (0, 0, share, 'parent', ax, 'units', 'normalized', 'fontsize', 8, 'color', [0.4 0.4 0.4], 'interpreter', 'none', ...
          'verticalalignment', 'bottom', 'handlevisibility', 'off');
  end
  drawn.labels = write_labels (ax, at, opt.Labels, full (sum (A ~= 0, 1)' + sum (A ~= 0, 2)));
  if (nargout > 0)                                           % else it would print ans
    h = drawn;
  end
end

function check (opt, n)
  XY = opt.XY;
  if (~isnumeric (XY) || ~isreal (XY) || ~(isequal (size (XY), [n 2]) || isequal (XY, [])))
    error ('knng:args:positions', '''XY'' is %s: it must be a real %d-by-2 matrix, a place for each point', knng.internal.given (XY), n);
  end
  labels = opt.Labels;
  if (~isempty (labels) && (~iscellstr (labels) || numel (labels) ~= n || any (cellfun ('size', labels(:), 1) > 1)))
    error ('knng:args:labels', '''Labels'' is %s: it must be a cell of %d texts, one for each point, or a data set of so many rows', knng.internal.given (labels), n);
  end
  groups = opt.Groups;
  if (~isempty (groups) && (numel (groups) ~= n || ~(iscellstr (groups) || ((isnumeric (groups) || islogical (groups)) && isreal (groups)))))
    error ('knng:args:labels', '''Groups'' is %s: there must be %d numbers or texts, one for each point', knng.internal.given (groups), n);
  end
  knng.internal.check_seed (opt.Seed);
  knng.internal.check_title (opt.Title);
  if (~knng.internal.is_one_of (opt.Layout, {'auto', 'kk', 'fr', 'drl'}))
    error ('knng:args:option', '''Layout'' is %s: it must be ''auto'', ''kk'', ''fr'' or ''drl''; places of your own, as of knng.umap, are ''XY''', knng.internal.given (opt.Layout));
  end
end

function [h, share] = draw_edges (ax, A, XY)
% One line, with a gap after each edge. It hides its handle so that the legend leaves it out. Where the edges would be one grey spot, those that
% are the longest on paper are left out; SHARE says of how many, else it is ''.
  n = size (A, 1);
  share = '';
  drawn = all (abs (XY) < 1e30, 2);
  [i, j] = find (triu (A ~= 0 | (A ~= 0)', 1));
  seen = drawn(i) & drawn(j);
  [i, j] = deal (i(seen), j(seen));
  [kept, low] = with_room (ax, XY(drawn, :), XY(i, :) - XY(j, :));
  if (low)
    share = sprintf ('the %d shortest of %d edges', sum (kept), numel (kept));
    [i, j] = deal (i(kept), j(kept));
  end
  ends = [reshape(i, 1, []); reshape(j, 1, []); (n + 1) * ones(1, numel (i))];
  XY(n + 1, :) = NaN;
  grey = 0.8 + 0.1 * (numel (i) > 5000 && ~low);
  h = line (XY(ends(:), 1), XY(ends(:), 2), 'color', [grey grey grey], 'linewidth', 0.5, 'parent', ax, 'handlevisibility', 'off');
  if (isempty (i))
    set (h, 'visible', 'off');                               % gnuplot would warn of it
  end
end

function [kept, some] = with_room (ax, XY, apart)
% Which edges, APART from end to end, are drawn: all, or the shortest, lines of half a point that together would cover 0.3 of the graph's place.
  kept = true (size (apart, 1), 1);
  some = false;
  if (isempty (XY) || isempty (apart))
    return
  end
  inches = knng.internal.axes_inches (ax);
  range = max (XY, [], 1) - min (XY, [], 1);
  unit = max ([range ./ (72 * inches(3:4)), realmin]);       % of the axes in a point of type; both have the same scale
  long = sqrt (sum ((apart / unit) .^ 2, 2));
  [in_order, order] = sort (long);
  covered = cumsum (0.5 * in_order);
  most = 0.3 * prod (max (range / unit, 1));
  if (covered(end) > max (most, 1e4))                        % on small paper a few lines are no spot
    kept(order(covered > most)) = false;
    some = true;
  end
end

function h = draw_points (ax, XY, groups, what)
% By knng.scatter, over what the axes hold.
  former = get (ax, 'nextplot');
  set (ax, 'nextplot', 'add');
  if (isempty (groups))
    h = knng.scatter (XY, 'Equal', true);
    if (~isempty (what))
      title (ax, knng.internal.shown (what), 'interpreter', 'none');
    end
  else
    h = knng.internal.coloured_points (XY, groups, what, true, true);
  end
  set (ax, 'nextplot', former);
end

function h = write_labels (ax, XY, labels, degree)
% From the points with most edges on, each text where it covers no other and no point: beside, above or below its point, or up to half an
% inch away, at the end of a line. Texts make the axes wider, and so themselves larger against the points: they are placed anew
% in the axes that they need, until these no longer grow. Where they would more than double, what stands out is left out.
  h = zeros (0, 1);
  if (isempty (labels))
    return
  end
  labels = cellfun (@(t) knng.internal.printable (reshape (t, 1, [])), labels(:), 'UniformOutput', false);
  [~, order] = sort (-degree);
  seen = ~cellfun ('isempty', labels(:)) & all (abs (XY) < 1e30, 2);
  order = order(seen(order));
  points = XY(all (abs (XY) < 1e30, 2), :);
  inches = knng.internal.axes_inches (ax);
  room = 72 * inches(3:4);                                   % in points of type
  wide = 72 * knng.internal.text_inches (labels(order), 8);
  bare = axis (ax);
  range = bare;
  needed = max ((range([2 4]) - range([1 3])) ./ room);      % axes of one scale have the coarser one
  unit = 0;
  most = 2 * needed;
  while (needed > unit && unit < most)
    unit = min (1.02 * needed, most);
    [side, boxes, away] = place_labels (XY(order, :), wide, points, unit);
    some = boxes(side > 0, :);
    range = [min([bare(1); some(:, 1)]), max([bare(2); some(:, 3)]), min([bare(3); some(:, 2)]), max([bare(4); some(:, 4)])];
    needed = max ((range([2 4]) - range([1 3])) ./ room);
  end
  if (needed > unit)
    middle = [bare(1) + bare(2), bare(3) + bare(4)] / 2;
    low = middle - unit * room / 2;
    high = middle + unit * room / 2;
    side(any (bsxfun (@lt, boxes(:, 1:2), low), 2) | any (bsxfun (@gt, boxes(:, 3:4), high), 2)) = 0;
    range = [low(1), high(1), low(2), high(2)];
  end
  draw_lines (ax, XY(order, :), boxes, away & side > 0);
  across = {'left', 'right', 'center', 'center'};
  for i = find (side > 0)'
    box = boxes(i, :);
    at = {box(1), box(3), (box(1) + box(3)) / 2, (box(1) + box(3)) / 2};
    h(end + 1, 1) = text (at{side(i)}, (box(2) + box(4)) / 2, labels{order(i)}, 'parent', ax, 'fontsize', 8, ...
                          'interpreter', 'none', 'horizontalalignment', across{side(i)}); %#ok<AGROW>
  end
  axis (ax, range);
end

function draw_lines (ax, XY, boxes, some)
% From points to what is nearest to them of the texts that are not at them.
  if (any (some))
    path = line_to (XY(some, :), boxes(some, :));
    gap = NaN (1, sum (some));
    x = [path(:, [1 3])'; gap];
    y = [path(:, [2 4])'; gap];
    line (x(:), y(:), 'parent', ax, 'color', [0.35 0.35 0.35], 'linewidth', 0.5, 'handlevisibility', 'off');
  end
end

function [side, boxes, away] = place_labels (XY, wide, points, unit)
% Where each text, so WIDE in units, stands, and its box [left, low, right, high]: 1 right of the point, 2 left, 3 above, 4
% below, 0 nowhere; AWAY: not at it, but at the end of a line, of up to 200 texts, which crosses no other and no point. Where there is room over points alone, few texts take it, and of many none.
  m = size (XY, 1);
  side = zeros (m, 1);
  boxes = zeros (m, 4);
  away = false (m, 1);
  lines = zeros (m, 4);                                      % from points to texts
  placed = zeros (1, 0);
  count = counts_of (points, unit);
  for i = 1:m
    w = wide(i);
    at = [4, -5, 4 + w, 5; -4 - w, -5, -4, 5; -w / 2, 4, w / 2, 14; -w / 2, -14, w / 2, -4];
    sides = (1:4)';
    free = find (~covered (bsxfun (@plus, at * unit, XY(i, [1 2 1 2])), boxes(placed, :), lines(away, :), unit));
    best = free(find (count (bsxfun (@plus, at(free, :) * unit, XY(i, [1 2 1 2]))) == 0, 1));
    for d = [12 22 36]
      if (~isempty (best) || m > 200)
        break
      end
      s = 0.7 * d;
      if (d == 12)
        others = points(all (abs (bsxfun (@minus, points, XY(i, :))) < 40 * unit, 2) & any (bsxfun (@ne, points, XY(i, :)), 2), :);
      end
      at = [at(1:4, :); d, -5, d + w, 5; -d - w, -5, -d, 5; s, s, s + w, s + 10; s, -s - 10, s + w, -s; -s - w, s, -s, s + 10; ...
            -s - w, -s - 10, -s, -s; -w / 2, d, w / 2, d + 10; -w / 2, -d - 10, w / 2, -d];
      sides = [1:4, 1 2 1 1 2 2 3 4]';
      far = 4 + find (~covered (bsxfun (@plus, at(5:12, :) * unit, XY(i, [1 2 1 2])), boxes(placed, :), lines(away, :), unit));
      far = far(count (bsxfun (@plus, at(far, :) * unit, XY(i, [1 2 1 2]))) == 0);
      for f = far'
        path = line_to (XY(i, :), at(f, :) * unit + XY(i, [1 2 1 2]));
        if (~any (meets (path, boxes(placed, :), unit)) && ~any (passes (path, others, 2.3 * unit)))
          best = f;
          break
        end
      end
    end
    if (isempty (best) && m <= 40)
      best = free(1:min (1, end));
    end
    if (~isempty (best))
      side(i) = sides(best);
      away(i) = best > 4;
      boxes(i, :) = at(best, :) * unit + XY(i, [1 2 1 2]);
      lines(i, :) = line_to (XY(i, :), boxes(i, :));
      placed(end + 1) = i; %#ok<AGROW>
    end
  end
end

function count = counts_of (points, unit)
% A function that says of boxes, rows [left, low, right, high], how many of the points lie in them or touch them, by the sums over a grid.
  if (isempty (points))
    count = @(b) zeros (size (b, 1), 1);
    return
  end
  low = min (points, [], 1) - unit;
  cell = max (unit, max (max (points, [], 1) - low) / 1500);
  at = floor (bsxfun (@minus, points, low) / cell) + 1;
  shape = max (at, [], 1);
  sums = zeros (shape + 1);
  sums(2:end, 2:end) = cumsum (cumsum (accumarray (at, 1, shape), 1), 2);
  place = @(x, k, more) max (0, min (shape(k), floor ((x - low(k)) / cell + more)));
  index = @(x, y) 1 + x + (shape(1) + 1) * y;
  two = 2 * unit;                                            % half of what a point is wide
  count = @(b) sums(index (place (b(:, 3) + two, 1, 1), place (b(:, 4) + two, 2, 1))) ...
               - sums(index (place (b(:, 1) - two, 1, 0), place (b(:, 4) + two, 2, 1))) ...
               - sums(index (place (b(:, 3) + two, 1, 1), place (b(:, 2) - two, 2, 0))) ...
               + sums(index (place (b(:, 1) - two, 1, 0), place (b(:, 2) - two, 2, 0)));
end

function yes = covered (boxes, others, lines, unit)
% Which of the boxes, a row each, have something in common with one of the others, or with a line.
  less = @(a, b) bsxfun (@lt, a, b');
  yes = any (less (boxes(:, 1), others(:, 3)) & ~less (boxes(:, 3), others(:, 1)) & ...
             less (boxes(:, 2), others(:, 4)) & ~less (boxes(:, 4), others(:, 2)), 2);
  if (~isempty (lines))
    yes = yes | any (meets (lines, boxes, unit), 2);
  end
end

function path = line_to (XY, boxes)
% Lines [x, y, x, y] from points, a row each, to what is nearest to them of their boxes.
  path = [XY, max(min (XY, boxes(:, 3:4)), boxes(:, 1:2))];
end

function yes = meets (path, boxes, unit)
% Whether lines, a column each, go through the letters in boxes, a row each, which have a little room above and below.
  boxes = bsxfun (@plus, boxes, [0, 1.2, 0, -1.2] * unit);
  [low, high] = deal (0, 1);                                 % the part of the line that is within
  for k = 1:2
    step = path(:, k + 2)' - path(:, k)';
    first = bsxfun (@rdivide, bsxfun (@minus, boxes(:, k), path(:, k)'), step);
    last = bsxfun (@rdivide, bsxfun (@minus, boxes(:, k + 2), path(:, k)'), step);
    low = max (low, min (first, last));
    high = min (high, max (first, last));
  end
  yes = low < high;
end

function yes = passes (path, points, near)
% Which of the points a line comes so near to.
  step = path(3:4) - path(1:2);
  from = bsxfun (@minus, points, path(1:2));
  t = min (max (from * step' / max (step * step', realmin), 0), 1);
  yes = sum ((from - t * step) .^ 2, 2) < near ^ 2;
end

%!test <*1>
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! t = (0:39)' * pi / 20;
%! X = [cos(t), sin(t)];
%! A = knngraph (X, 2);
%! h = knng.plot (A, 'XY', X, 'Groups', X(:, 1) > 0);
%! assert (numel (h.points), 2);
%! assert (isempty (h.labels));
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), {'1'; '0'});
%! for state = {'add', 'replace'}                            # hold stays as it was
%!   set (gca (), 'nextplot', state{1});
%!   knng.plot (A, 'XY', X);
%!   assert (get (gca (), 'nextplot'), state{1});
%! end

%!test  # places too near to each other for the axes of Octave
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! for tiny = [5e-324 1e-200 1e-99]
%!   clf (fig);
%!   [h, XY] = knng.plot (sparse (magic (3)), 'XY', tiny * magic (3)(:, 1:2), 'Labels', {'a', 'b', 'c'});
%!   drawnow ();
%!   assert (XY, tiny * magic (3)(:, 1:2));
%!   assert (all (isfinite (get (gca (), 'cameraposition'))));
%! end

%!test  # of very many edges the shortest; labels stand over no point; groups by size
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! XY = reshape (knng.internal.random (3, 1200), 600, 2);
%! A = sparse (repmat (1:600, 1, 30), ceil (600 * knng.internal.random (4, 18000)), 1, 600, 600);
%! names = repmat ({''}, 600, 1);
%! names(1:6:600) = arrayfun (@(i) sprintf ('gene %d', i), 1:6:600, 'UniformOutput', false);
%! group = min (ceil ((1:600) / 13), 46);
%! h = knng.plot (A, 'XY', XY, 'Groups', group, 'Labels', names);
%! all_edges = nnz (triu (A | A', 1));
%! x = get (h.edges, 'xdata');
%! y = get (h.edges, 'ydata');
%! drawn = numel (x) / 3;
%! assert (drawn < 0.3 * all_edges && drawn > 100);
%! assert (any (strcmp (get (findall (gca (), 'type', 'text'), 'string'), sprintf ('the %d shortest of %d edges', drawn, all_edges))));
%! long = hypot (x(1:3:end) - x(2:3:end), y(1:3:end) - y(2:3:end));
%! [i, j] = find (triu (A | A', 1));
%! every = sort (hypot (XY(i, 1) - XY(j, 1), XY(i, 2) - XY(j, 2)));
%! assert (sort (long(:)), every(1:drawn), 1e-12);
%! texts = flipud (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'));
%! assert (texts([1 2 40]), {'46'; '1'; '7 others'});
%! assert (numel (h.labels) > 5);
%! range = axis ();
%! page = get (fig, 'paperposition');
%! point = max ((range([2 4]) - range([1 3])) ./ (72 * get (gca (), 'position')(3:4) .* page(3:4)));
%! for l = h.labels'
%!   at = get (l, 'position')(1:2);
%!   wide = 0.9 * 72 * knng.internal.text_inches ({get(l, 'string')}, 8) * point;
%!   left = at(1) - wide * find (strcmp (get (l, 'horizontalalignment'), {'left', 'center', 'right'})) / 2 + wide / 2;
%!   assert (~any (XY(:, 1) > left & XY(:, 1) < left + wide & abs (XY(:, 2) - at(2)) < 4 * point));
%! end

%!test  # lines to texts go through no other text and no other point
%! lent = knng.internal.headless ();
%! for part = {{1, 1, 1}, {1, 2, 2}}
%!   fig = figure ('visible', 'off');
%!   back = onCleanup (@() close (fig));
%!   subplot (part{1}{:});
%!   XY = reshape (knng.internal.random (5, 300), 150, 2);
%!   names = arrayfun (@(i) sprintf ('GENE%d_at', i * 997), 1:150, 'UniformOutput', false);
%!   h = knng.plot (sparse (150, 150), 'XY', XY, 'Labels', names);
%!   path = findall (gca (), 'type', 'line', 'color', [0.35 0.35 0.35]);
%!   x = reshape (get (path, 'xdata'), 3, []);
%!   y = reshape (get (path, 'ydata'), 3, []);
%!   assert (size (x, 2) > 5);
%!   inches = knng.internal.axes_inches (gca ());
%!   range = axis ();
%!   point = max ((range([2 4]) - range([1 3])) ./ (72 * inches(3:4)));
%!   at = cell2mat (get (h.labels, 'position'));
%!   wide = 72 * point * reshape (knng.internal.text_inches (get (h.labels, 'string'), 8), [], 1);
%!   [~, align] = ismember (get (h.labels, 'horizontalalignment'), {'left', 'center', 'right'});
%!   left = at(:, 1) - wide .* (align - 1) / 2;
%!   for k = 1:size (x, 2)
%!     t = linspace (0, 1, 100);
%!     px = x(1, k) + t * (x(2, k) - x(1, k));
%!     py = y(1, k) + t * (y(2, k) - y(1, k));
%!     far = min (hypot (XY(:, 1) - px, XY(:, 2) - py), [], 2) / point;
%!     far(all (abs (XY - [x(1, k), y(1, k)]) < 1e-9, 2)) = Inf;               # its own
%!     assert (min (far) > 2);
%!     inside = px > left + 0.5 * point & px < left + wide - 0.5 * point & abs (py - at(:, 2)) < 3.5 * point;
%!     assert (! any (inside(:)));
%!   end
%!   clear back
%! end

%!test  # one scale, as large as the axes allow, also where long names have made the paper wider
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! XY = [0 0; 8 1; 3 2];
%! for names = {{'a', 'b', 'c'}, {repmat('long name ', 1, 6), 'b', 'c'}}
%!   knng.plot (sparse (3, 3), 'XY', XY, 'Groups', names{1});
%!   inches = knng.internal.axes_inches (gca ());
%!   range = axis ();
%!   assert (range(1:2), [0 8], 1e-9);
%!   assert ((range(4) - range(3)) / inches(4), 8 / inches(3), 1e-9);
%! end

%!test  # labels in a panel
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! axes ('parent', uipanel (fig));
%! knng.plot (sparse (3, 3), 'XY', [0 0; 1 0; 0 1], 'Labels', {'a', 'b', 'c'});
%! assert (sort (get (findobj (fig, 'type', 'text', '-depth', 3), 'string'))(end-2:end), {'a'; 'b'; 'c'});
%! close (fig);

%!test  # no node has a place
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! knng.plot (sparse (3, 3), 'XY', NaN (3, 2), 'Labels', {'a', 'b', 'c'});
%! close (fig);

%!error id=knng:args:count knng.plot ()
%!error id=knng:args:count knng.plot (ones (3))
%!error id=knng:args:class knng.plot (sparse (2, 3))
%!error id=knng:args:unknownOption knng.plot (sparse (3, 3), 'Grups', 1)
%!error id=knng:args:positions knng.plot (sparse (3, 3), 'XY', ones (3))
%!error id=knng:args:positions knng.plot (sparse (3, 3), 'XY', 'ab')
%!test  # the symbols of a data set
%! restored = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! gone = onCleanup (@() close (fig));
%! ds = struct ('X', magic (3), 'names', {{'p1', 'p2', 'p3'}}, 'symbols', {{'CD33', '', 'ZYX'}});
%! h = knng.plot (sparse (3, 3), 'XY', [0 0; 1 0; 0 1], 'Labels', ds);
%! assert (sort (get (h.labels, 'string')), {'CD33'; 'ZYX'; 'p2'});
%! h = knng.plot (sparse (3, 3), 'XY', [0 0; 1 0; 0 1], 'Labels', rmfield (ds, 'symbols'));
%! assert (sort (get (h.labels, 'string')), {'p1'; 'p2'; 'p3'});
%!error <'Labels' is a data set of 3 rows, and the graph has 2 points: give> knng.plot (sparse (2, 2), 'XY', ones (2, 2), 'Labels', struct ('X', magic (3)))
%!error <or a data set of so many rows> knng.plot (sparse (2, 2), 'XY', ones (2, 2), 'Labels', {'a'})
%!error id=knng:args:ds knng.plot (sparse (3, 3), 'XY', ones (3, 2), 'Labels', struct ('a', 1))

%!error id=knng:args:labels knng.plot (sparse (3, 3), 'XY', ones (3, 2), 'Labels', {'a'})
%!error id=knng:args:labels knng.plot (sparse (3, 3), 'XY', ones (3, 2), 'Labels', 1:3)
%!error id=knng:args:labels knng.plot (sparse (3, 3), 'XY', ones (3, 2), 'Groups', 1:2)

%!testif ; knng.internal.with_igraph ()
%! for bad = {sparse(3, 3), 'x'; sparse(3, 3), 5; sparse(1:2000, 2:2001, 1, 2001, 2001), 'kk'}'
%!   try, knng.plot (bad{1}, 'Layout', bad{2}); id = 'none'; catch e, id = e.identifier; end
%!   assert (id, 'knng:args:option');
%! end
