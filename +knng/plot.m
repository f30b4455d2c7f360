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
%               Of more than 40 groups the 39 largest have colours, and the
%               points of the others are light grey ('none' in the legend)
%     'Labels'  n texts, such as ds.names or ds.symbols, to stand beside the
%               points, above or below; '' for none.
%               Those that would cover another are left out; points with many
%               edges come first. Default none
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
%     h.edges   of the one line that is all edges
%     h.points  a column, as of knng.scatter, one for each group
%     h.labels  a column, of the texts
%
%   Edges have no direction and no weight here: what is stored in A is an edge.
%   Each connected component is laid out by itself, its edges of length 1 on
%   average, wider than high; components stand in rows, the largest first. The
%   same graph, seed and version of igraph give the same picture. Points with
%   NaN or Inf in 'XY' are not drawn, nor are their edges.
%
%   igraph makes the layout: see knng.leiden. No screen is needed: see
%   knng.scatter. print ('-dpng', 'graph.png') makes a file of the picture.
%
%   Cost: some 5 seconds for 3000 points with 20 000 edges, most of it the
%   layout, and what print takes (a second); with 'XY' less than a second, and
%   two more with 'Labels'. 'kk' takes 8*n^2 bytes of a component.
%
%   Errors: knng:toolbox:noIgraph (what to install); knng:args:class, :idx,
%   :dist, :empty as knng.adjacency; knng:args:labels (not one for each point);
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
  check (opt, n);
  groups = knng.internal.few_groups (opt.Groups);
  XY = opt.XY;
  if (isempty (XY) && n > 0)
    knng.internal.built ();
    knng.internal.with_igraph ('; or give ''XY'', the places, such as Y of knng.diffusionmap (A, 2)');
    XY = knng.internal.layout (A, opt.Layout, opt.Seed);
  end
  XY = reshape (full (double (XY)), n, 2);

  [ax, back] = knng.internal.axes_ready ();            %#ok<ASGLU>
  drawn.edges = draw_edges (ax, A, XY);
  drawn.points = draw_points (ax, XY, groups, opt.Title);
  set (drawn.edges, 'handlevisibility', 'on');
  axis (ax, 'equal');
  axis (ax, 'off');
  xlabel (ax, '');
  ylabel (ax, '');
  drawn.labels = write_labels (ax, XY, opt.Labels, full (sum (A ~= 0, 1)' + sum (A ~= 0, 2)));
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
    error ('knng:args:labels', '''Labels'' is %s: it must be a cell of %d texts, one for each point', knng.internal.given (labels), n);
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

function h = draw_edges (ax, A, XY)
% One line, with a gap after each edge. It hides its handle so that the legend leaves it out.
  n = size (A, 1);
  drawn = all (abs (XY) < 1e30, 2);
  [i, j] = find (triu (A ~= 0 | (A ~= 0)', 1));
  seen = drawn(i) & drawn(j);
  ends = [reshape(i(seen), 1, []); reshape(j(seen), 1, []); (n + 1) * ones(1, sum (seen))];
  XY(n + 1, :) = NaN;
  grey = 0.8 + 0.1 * (sum (seen) > 5000);
  h = line (XY(ends(:), 1), XY(ends(:), 2), 'color', [grey grey grey], 'linewidth', 0.5, 'parent', ax, 'handlevisibility', 'off');
  if (~any (seen))
    set (h, 'visible', 'off');                               % gnuplot would warn of it
  end
end

function h = draw_points (ax, XY, groups, what)
% By knng.scatter, over what the axes hold.
  former = get (ax, 'nextplot');
  set (ax, 'nextplot', 'add');
  if (isempty (groups))
    h = knng.scatter (XY);
    if (~isempty (what))
      title (ax, knng.internal.shown (what), 'interpreter', 'none');
    end
  else
    h = knng.scatter (XY, groups, 'Title', what);
  end
  set (ax, 'nextplot', former);
end

function h = write_labels (ax, XY, labels, degree)
% From the points with most edges on, each text where it covers no other: beside, above or below its point, if it can be
% where there is no other point. Texts make the axes wider, and so themselves larger against the points: they are placed anew
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
    [side, boxes] = place_labels (XY(order, :), wide, points, unit);
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
  across = {'left', 'right', 'center', 'center'};
  for i = find (side > 0)'
    box = boxes(i, :);
    at = {box(1), box(3), (box(1) + box(3)) / 2, (box(1) + box(3)) / 2};
    h(end + 1, 1) = text (at{side(i)}, (box(2) + box(4)) / 2, labels{order(i)}, 'parent', ax, 'fontsize', 8, ...
                          'interpreter', 'none', 'horizontalalignment', across{side(i)}); %#ok<AGROW>
  end
  axis (ax, range);
end

function [side, boxes] = place_labels (XY, wide, points, unit)
% Where each text, so WIDE in units, stands, and its box [left, low, right, high]: 1 right of the point, 2 left, 3 above, 4
% below, 0 nowhere.
  m = size (XY, 1);
  side = zeros (m, 1);
  boxes = zeros (m, 4);
  placed = zeros (1, 0);
  for i = 1:m
    w = wide(i);
    sides = [4, -5, 4 + w, 5; -4 - w, -5, -4, 5; -w / 2, 4, w / 2, 14; -w / 2, -14, w / 2, -4];
    sides = bsxfun (@plus, sides * unit, XY(i, [1 2 1 2]));
    free = find (~covered (sides, boxes(placed, :)));
    if (isempty (free))
      continue
    end
    bare = free(~covered (sides(free, :), [points, points]));
    best = [bare; free];
    side(i) = best(1);
    boxes(i, :) = sides(best(1), :);
    placed(end + 1) = i; %#ok<AGROW>
  end
end

function yes = covered (boxes, others)
% Which of the boxes, a row each, have something in common with one of the others.
  less = @(a, b) bsxfun (@lt, a, b');
  yes = any (less (boxes(:, 1), others(:, 3)) & ~less (boxes(:, 3), others(:, 1)) & ...
             less (boxes(:, 2), others(:, 4)) & ~less (boxes(:, 4), others(:, 2)), 2);
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

%!test  # labels in a panel
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! axes ('parent', uipanel (fig));
%! knng.plot (sparse (3, 3), 'XY', [0 0; 1 0; 0 1], 'Labels', {'a', 'b', 'c'});
%! assert (sort (get (findobj (fig, 'type', 'text', '-depth', 3), 'string'))(end-2:end), {'a'; 'b'; 'c'});
%! close (fig);

%!error id=knng:args:count knng.plot ()
%!error id=knng:args:count knng.plot (ones (3))
%!error id=knng:args:class knng.plot (sparse (2, 3))
%!error id=knng:args:unknownOption knng.plot (sparse (3, 3), 'Grups', 1)
%!error id=knng:args:positions knng.plot (sparse (3, 3), 'XY', ones (3))
%!error id=knng:args:positions knng.plot (sparse (3, 3), 'XY', 'ab')
%!error id=knng:args:labels knng.plot (sparse (3, 3), 'XY', ones (3, 2), 'Labels', {'a'})
%!error id=knng:args:labels knng.plot (sparse (3, 3), 'XY', ones (3, 2), 'Labels', 1:3)
%!error id=knng:args:labels knng.plot (sparse (3, 3), 'XY', ones (3, 2), 'Groups', 1:2)

%!testif ; knng.internal.with_igraph ()
%! for bad = {sparse(3, 3), 'x'; sparse(3, 3), 5; sparse(1:2000, 2:2001, 1, 2001, 2001), 'kk'}'
%!   try, knng.plot (bad{1}, 'Layout', bad{2}); id = 'none'; catch e, id = e.identifier; end
%!   assert (id, 'knng:args:option');
%! end
