function [h, T, outperm] = dendrogram (Z, varargin)
%KNNG.DENDROGRAM  Draws a tree of clusters.
%   h = knng.dendrogram (Z) draws the tree Z of knng.linkage, of n rows, into
%   the current axes: each step as a bar at its height, above the two nodes that
%   it joins. If it has more than 30 rows only the last 29 steps are drawn: what
%   lies below is one leaf, and its label, (17), says of how many rows.
%   h = knng.dendrogram (Z, P) draws P leaves in place of 30; P = 0 draws all.
%   h = knng.dendrogram (..., 'Name', value, ...) takes options. h are the
%   lines, one for each colour.
%   [h, T, outperm] = knng.dendrogram (...) also returns T, n-by-1, the leaf
%   that each row lies in, and outperm, a row, the leaves from left to right
%   (from bottom to top): as in MATLAB. Where all rows are drawn T is (1:n)',
%   else leaves are counted in the order of their first rows, as by
%   knng.cluster.
%
%   Options:
%
%     'Reorder'         the rows from left to right, as knng.optimalleaforder
%                       returns them, default []: as the tree has them
%     'CheckCrossing'   true, the default, warns where the lines of such an
%                       order cross; false does not
%     'ColorThreshold'  a height: what hangs together below it gets a colour of
%                       its own, of 40 that come again; 'default' is 0.7 of
%                       the largest; default 0, no colours
%     'Orientation'     'top', the default, 'bottom', 'left' or 'right': where
%                       the root is
%     'Labels'          n texts, one for each row, in a cell or a char matrix;
%                       default: the numbers of rows
%
%   Leaves have labels, as large as there is room for beside each other, if that
%   is for letters of 5 points or more: some 70 leaves in axes of the usual
%   size. 'Labels' that have no room are left out with a warning, which says how
%   large a figure has it. Labels longer than 0.6 of the axes are cut in the
%   middle. Of more leaves the colours show more than the lines; the 30 last
%   clusters are easier to read.
%
%   title, where the root is below, and xlabel or ylabel beside the leaves would
%   stand over their labels. Where the axes fill the figure, write a text at its
%   edge instead, behind the call:
%     axes ('position', [0 0 1 1], 'visible', 'off');
%     text (0.5, 0.05, 'genes', 'horizontalalignment', 'center')
%   ('bottom': at 0.96 in place of 0.05; 'right': 0.05, 0.5 and 'rotation', 90;
%   'left': 0.95, 0.5).
%
%   Heights beyond 1e30 are drawn there.
%
%   Cost: O(n), in Octave: some seconds for 50 000 leaves.
%
%   Errors: knng:args:tree (Z is no tree); knng:args:option,
%   :unknownOption, :count. Warnings: knng:args:crossing,
%   :leftOut; knng:toolbox:letters, as knng.scatter.
%
%   Example:
%     X = mod ((1:40)' .^ 2 * sqrt ([2 3]), 1);
%     Z = knng.linkage (X, 'average');
%     order = knng.optimalleaforder (Z, X, 'euclidean');
%     knng.dendrogram (Z, 0, 'Reorder', order, 'ColorThreshold', 'default');
%
%   See also knng.linkage, knng.optimalleaforder, knng.heatmap, knng.cluster.

  if (nargin < 1)
    error ('knng:args:count', 'knng.dendrogram needs a tree, as in knng.dendrogram (knng.linkage (X, ''average'')): see help knng.dendrogram');
  end
  knng.internal.built ();
  most = 30;
  args = varargin;
  if (~isempty (args) && ~ischar (args{1}))
    most = args{1};
    if (~isnumeric (most) || numel (most) ~= 1 || ~knng.internal.whole (most, 0, 2 ^ 53))
      error ('knng:args:option', 'the number of leaves is %s: it must be a whole number, or 0 for all', knng.internal.given (most));
    end
    most = double (full (most));
    args(1) = [];
  end
  knng.internal.tree ('check', Z);
  n = size (Z, 1) + 1;
  opt = struct ('Reorder', [], 'CheckCrossing', true, 'ColorThreshold', 0, 'Orientation', 'top', 'Labels', {{}});
  opt = check_options (knng.internal.options (opt, args), n, Z);
  if (most == 0 || most >= n)
    most = n;
    T = (1:n)';
  else
    T = knng.cluster (Z, 'MaxClust', most);
  end
  [tree, sizes] = last_steps (Z, T, most);
  outperm = order_of_leaves (tree, T, opt.Reorder);
  if (opt.CheckCrossing && ~isempty (opt.Reorder) && crosses (tree, outperm))
    warning ('knng:args:crossing', 'the order of ''Reorder'' is none of the tree: lines cross');
  end

  [ax, back] = knng.internal.axes_ready ();                  %#ok<ASGLU>
  [place, height] = knng.internal.tree_lines (tree, outperm);
  drawn = draw (ax, place, height, knng.internal.step_groups (tree, opt.ColorThreshold), opt.Orientation);
  write_labels (ax, leaf_labels (T, sizes, opt.Labels, outperm), opt.Orientation, most, max ([height(:); 0]), ~isempty (opt.Labels));
  if (nargout > 0)                                           % else it would print ans
    h = drawn;
  end
end

function opt = check_options (opt, n, Z)
  opt.Orientation = knng.internal.check_choice ('Orientation', opt.Orientation, {'top', 'bottom', 'left', 'right'});
  knng.internal.check_flag ('CheckCrossing', opt.CheckCrossing);
  c = opt.ColorThreshold;
  if (ischar (c) && strcmpi (c, 'default'))
    opt.ColorThreshold = 0.7 * max ([0; Z(:, 3)]);
  elseif (~isnumeric (c) || numel (c) ~= 1 || ~isreal (c) || ~(c >= 0))
    error ('knng:args:option', '''ColorThreshold'' is %s: it must be a height, or ''default''', knng.internal.given (c));
  end
  p = opt.Reorder;
  if (~isempty (p) && (~knng.internal.whole (p, 1, n) || numel (p) ~= n || ~isequal (sort (double (full (p(:)))), (1:n)')))
    error ('knng:args:option', '''Reorder'' is %s: it must be the numbers of the %d rows, each once, or []', knng.internal.given (p), n);
  end
  if (isempty (p))
    p = [];
  end
  opt.Reorder = double (full (p(:)'));
  if (ischar (opt.Labels) && ndims (opt.Labels) == 2 && size (opt.Labels, 1) == n)
    opt.Labels = cellstr (opt.Labels);
  end
  knng.internal.check_texts (opt.Labels, n);
end

function [tree, sizes] = last_steps (Z, T, most)
% The steps above MOST leaves, and how many rows each leaf has.
  n = size (Z, 1) + 1;
  sizes = accumarray (T, 1, [most, 1]);
  node = zeros (2 * n - 1, 1);                               % the number of a node among those that are drawn
  node(1:n) = T;
  for s = 1:n - most
    node(n + s) = node(Z(s, 1));
  end
  node(n + (n - most + 1:n - 1)) = most + (1:most - 1);
  tree = [reshape(node(Z(n - most + 1:n - 1, 1:2)), [], 2), Z(n - most + 1:n - 1, 3)];
end

function order = order_of_leaves (tree, T, reorder)
  if (~isempty (reorder))
    [~, first] = unique (T(reorder), 'first');
    [~, order] = sort (first);
    order = reshape (order, 1, []);
    return
  end
  order = knng.internal.tree_order (tree);
end

function yes = crosses (tree, order)
% Whether the leaves of some node do not stand side by side.
  most = numel (order);
  low = zeros (1, 2 * most - 1);
  low(order) = 1:most;
  high = low;
  count = [ones(1, most), zeros(1, most - 1)];
  yes = false;
  for s = 1:most - 1
    a = tree(s, 1);
    b = tree(s, 2);
    low(most + s) = min (low(a), low(b));
    high(most + s) = max (high(a), high(b));
    count(most + s) = count(a) + count(b);
    yes = yes || high(most + s) - low(most + s) >= count(most + s);
  end
end

function h = draw (ax, place, height, group, orientation)
  colours = knng.internal.group_colours (1:40, 0);
  shade = mod (group - 1, size (colours, 1)) + 1;
  shade(group == 0) = 0;
  h = zeros (0, 1);
  upright = any (strcmp (orientation, {'top', 'bottom'}));
  for c = unique (shade)'
    colour = [0.25 0.25 0.25];
    if (c > 0)
      colour = colours(c, :);
    end
    some = shade == c;
    x = reshape (place(:, some), [], 1);
    y = reshape (height(:, some), [], 1);
    if (~upright)
      [x, y] = deal (y, x);
    end
    h(end+1, 1) = line (x, y, 'parent', ax, 'color', colour, 'linewidth', 0.5 + (size (place, 2) < 200)); %#ok<AGROW>
  end
  set (ax, 'box', 'off');
end

function labels = leaf_labels (T, sizes, names, order)
% The names of rows; of leaves of several rows how many they are.
  if (numel (order) > 100 && isempty (names))
    labels = {};
    return
  end
  [~, first] = unique (T, 'first');
  labels = cell (1, numel (order));
  for i = 1:numel (order)
    leaf = order(i);
    if (sizes(leaf) > 1)
      labels{i} = sprintf ('(%d)', sizes(leaf));
    elseif (isempty (names))
      labels{i} = sprintf ('%d', first(leaf));
    else
      labels{i} = names{first(leaf)};
    end
  end
end

function write_labels (ax, labels, orientation, most, top, given)
% A warning where there is no room for those that were GIVEN. The limits of the axes, and texts beside the leaves: ticks could not be turned, nor have names with '_'. The axes make room for them, so
% that the axis of heights begins at 0.
  upright = any (strcmp (orientation, {'top', 'bottom'}));
  place = knng.internal.axes_inches (ax);
  slot = 72 * place(3 + ~upright) / most;                    % beside each other lines of text take a sixth more than their size
  points = min (10, floor (2 * slot / 1.17) / 2);
  if (points < 5)                                            % nobody could read them
    labels = {};
    if (given)
      paper = get (ancestor (ax, 'figure'), 'paperposition');
      paper = paper(3:4);
      paper(2 - upright) = ceil (paper(2 - upright) * 6.2 / slot);   % letters of 5 points
      larger = '';
      if (max (paper) <= 60)
        larger = sprintf (', or make the figure larger before, as by set (gcf, ''paperposition'', [0 0 %.3g %.3g])', paper);
      end
      warning ('knng:args:leftOut', '''Labels'' are left out, since %d of them have no room beside each other: draw fewer leaves, as in knng.dendrogram (Z, 30)%s', ...
               most, larger);
    end
  end
  whole = labels;
  labels = knng.internal.narrow_texts (whole, points, Inf);
  turned = false;
  room = 0;                                                  % in inches, beside the leaves
  if (~isempty (labels) && upright)
    wide = max (knng.internal.text_inches (labels, points)) + points / 144;
    turned = wide * numel (labels) > place(3);
    room = (points / 50 + 0.05) * ~turned + (wide + 0.1) * turned;
  elseif (~isempty (labels))
    room = max (knng.internal.text_inches (labels, points)) + 0.1;
  end
  along = place(4 - ~upright);
  if (room > 0.6 * along)
    room = 0.6 * along;
    labels = knng.internal.narrow_texts (whole, points, room - 0.1 - turned * points / 144);
  end
  tall = top * 1.05 + (top == 0);
  make_room (ax, orientation, room / along);
  names = {'x', 'y'};
  [across, up] = deal (names{2 - upright}, names{1 + upright});
  set (ax, [across 'lim'], [0.5, most + 0.5], [across 'tick'], [], [across 'color'], [1 1 1], [up 'lim'], [0, tall]);
  if (strcmp (orientation, 'bottom'))
    set (ax, 'ydir', 'reverse');
  elseif (strcmp (orientation, 'left'))
    set (ax, 'xdir', 'reverse', 'yaxislocation', 'right');
  end
  moves = knng.internal.still (ax);                          %#ok<NASGU>
  align = {'right', 'top'};                                  % along the text, and across it
  if (any (strcmp (orientation, {'bottom', 'left'})))
    align = {'left', 'bottom'};
  end
  at = 1:numel (labels);
  gap = -0.05 / (along - room) * tall;
  style = {'fontsize', points, 'horizontalalignment', align{1}, 'verticalalignment', 'middle'};
  if (~upright)
    knng.internal.write_texts (ax, gap, at, labels, style{:});
  elseif (turned)
    knng.internal.write_texts (ax, at, gap, labels, style{:}, 'rotation', 90);
  else
    knng.internal.write_texts (ax, at, gap, labels, 'fontsize', points, 'horizontalalignment', 'center', 'verticalalignment', align{2});
  end
end

function make_room (ax, orientation, room)
% At the side of the leaves, as a part of the axes. KNNG.INTERNAL.AXES_READY gives it back.
  was = get (ax, 'position');
  room = room * was(3 + any (strcmp (orientation, {'top', 'bottom'})));
  at = was;
  switch (orientation)
    case 'top'
      at([2 4]) = at([2 4]) + [room, -room];
    case 'bottom'
      at(4) = at(4) - room;
    case 'right'
      at([1 3]) = at([1 3]) + [room, -room];
    case 'left'
      at(3) = at(3) - room;
  end
  set (ax, 'position', at);
  setappdata (ax, 'knng_room', struct ('was', was, 'is', get (ax, 'position')));
end

%!test <*1>
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! X = mod ((1:40)' .^ 2 * sqrt ([2 3]), 1);
%! Z = knng.linkage (X, 'average');
%! order = knng.optimalleaforder (Z, X, 'euclidean');
%! [h, T, outperm] = knng.dendrogram (Z, 0, 'Reorder', order, 'ColorThreshold', 'default');
%! assert (T, (1:40)');
%! assert (outperm, order);
%! y = get (h, 'ydata');
%! y = reshape ([y{:}], 5, []);
%! assert (sort (y(2, :)), Z(:, 3)');                    % every step has its bar
%! assert (y(2, :), y(3, :));
%! groups = knng.cluster (Z, 'Cutoff', 0.7 * max (Z(:, 3)) * (1 - eps), 'Criterion', 'distance');
%! assert (numel (h), 1 + sum (accumarray (groups, 1) > 1));
%! close (fig);

%!test  # the leaves and bars that dendrogram of SciPy 1.17.1 has
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! gone = onCleanup (@() close (fig));
%! X = mod ((1:14)' .^ 2 * sqrt ([2 3 5 7]), 1);
%! of = {'average', [5 11 13 3 8 7 1 14 10 6 9 12 2 4], ...
%!       [7 13 2 6 5 1 10 4 9 4.9375 12 7.34375 1.75; 8 14 3 7.5 6.75 2.5 11 5.875 10.5 9.75 13.5 12.75 10.046875], [3 5 3 1 2]; ...
%!       'ward', [6 9 3 8 7 1 14 12 2 4 11 13 5 10], ...
%!       [6 9 11 5 1 13 4 3 8 11.5 1.5 8.75 2.71875; 7 10 12 6.5 2 14 5.75 4.875 9.5 13.5 3.9375 12.5 10.625], [2 5 3 2 2]; ...
%!       'single', [12 5 11 13 6 2 4 9 10 3 7 8 1 14], ...
%!       [13 6 12 3 11 10 9 2 8 6.5 5 2.75 1; 14 7 13.5 4 12.75 11.875 10.9375 3.5 9.96875 8.984375 7.7421875 6.37109375 4.560546875], ...
%!       [1 3 1 2 7]};
%! for c = 1:3
%!   Z = knng.linkage (X, of{c, 1});
%!   [h, ~, p] = knng.dendrogram (Z, 0);
%!   assert (p, of{c, 2});
%!   x = reshape (get (h, 'xdata'), 5, []);
%!   y = reshape (get (h, 'ydata'), 5, []);
%!   [~, step] = sort (y(2, :));
%!   assert (x([1 3], step), of{c, 3});
%!   [~, T, p] = knng.dendrogram (Z, 5);                     # the last four steps
%!   assert (accumarray (T, 1)(p)', of{c, 4});
%! end

%!test  # the last steps, orientation, labels
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! Z = knng.linkage ([1; 2; 4; 10; 11; 30], 'single');
%! [h, T, outperm] = knng.dendrogram (Z, 3, 'Orientation', 'left', 'Labels', {'a_1', 'b', 'c', 'd', 'e', '%s'});
%! assert (T, [1 1 1 2 2 3]');
%! assert (outperm, [3 2 1]);
%! x = reshape (get (h, 'xdata'), 5, []);
%! assert (x(1:4, :), [0 6 6 0; 0 19 19 6]');
%! y = reshape (get (h, 'ydata'), 5, []);
%! assert (y(1:4, :), [2 2 3 3; 1 1 2.5 2.5]');
%! t = get (findobj (gca (), 'type', 'text', '-depth', 1), 'string');
%! assert (sort (t(:)), sort ({'%s'; '(3)'; '(2)'}));
%! for o = {'top', 'bottom', 'right', 'LEFT'}
%!   clf (fig);
%!   knng.dendrogram (Z, 'Orientation', o{1});
%!   place = get (gca (), 'position');
%!   assert (get (gca (), [char('x' + any (strcmp (o{1}, {'top', 'bottom'}))) 'lim'])(1), 0);   # no axis below the leaves
%!   knng.dendrogram (Z, 'Orientation', o{1});               # the same room again, not more
%!   assert (get (gca (), 'position'), place, 1e-12);
%!   knng.scatter (magic (4)(:, 1:2));
%!   assert (all (get (gca (), 'position')(3:4) >= place(3:4)));
%!   assert (any (get (gca (), 'position')(3:4) > place(3:4)));
%! end
%! [h, T, outperm] = knng.dendrogram (zeros (0, 3));
%! assert ({size(h), T, outperm}, {[0 1], 1, 1});
%! knng.dendrogram ([1 2 Inf]);
%! close (fig);

%!test  # names of fifty leaves, as a char matrix, do not lie over each other, however it stands; of few they have the usual size
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! Z = knng.linkage (mod ((1:50)' .^ 2 * sqrt ([2 3]), 1), 'average');
%! names = num2str ((1:50)', 'GENE_%d');
%! for o = {'top', 'right', 'bottom', 'left'}
%!   clf (fig);
%!   [~, ~, p] = knng.dendrogram (Z, 0, 'Labels', names, 'Orientation', o{1});
%!   t = findobj (gca (), 'type', 'text', '-depth', 1);
%!   place = cell2mat (get (t, 'position'));
%!   along = 2 - any (strcmp (o{1}, {'top', 'bottom'}));
%!   [~, order] = sort (place(:, along));
%!   assert (get (t(order), 'string'), strtrim (cellstr (names(p, :))));
%!   room = get (gca (), 'position')(2 + along) * get (fig, 'paperposition')(2 + along) * 72 / 50;   # points for each
%!   sizes = unique (cell2mat (get (t, 'fontsize')));
%!   assert (numel (sizes) == 1 && sizes * 1.15 <= room && sizes > room / 2);
%!   clf (fig);
%!   knng.dendrogram (Z, 8, 'Orientation', o{1});
%!   assert (unique (cell2mat (get (findobj (gca (), 'type', 'text', '-depth', 1), 'fontsize'))), 10);
%! end
%! close (fig);

%!test  # many rows in 27 cubes, 50 000 where KNNG_ALL is set: the last steps have labels side by side, and of all leaves each cube its colour
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! gone = onCleanup (@() close (fig));
%! count = 3 * (9000 + 41000 * ! isempty (getenv ('KNNG_ALL')));
%! X = 4 * floor (3 * reshape (knng.internal.random (2, count), [], 3));
%! Z = knng.linkage (X + reshape (knng.internal.random (1, count), [], 3), 'single', 'Progress', 'off');
%! [~, T, p] = knng.dendrogram (Z);
%! assert (accumarray (T, 1, [30 1])' > 0, true (1, 30));
%! t = findobj (gca (), 'type', 'text', '-depth', 1);
%! place = cell2mat (get (t, 'position'));
%! assert (sort (place(:, 1))', 1:30);
%! assert (all (cell2mat (get (t, 'fontsize')) >= 5));
%! [~, order] = sort (place(:, 1));
%! size_of = accumarray (T, 1)(p);
%! assert (get (t(order(size_of > 1)), 'string'), arrayfun (@(s) sprintf ('(%d)', s), size_of(size_of > 1), 'UniformOutput', false));
%! clf (fig);
%! [h, ~, p] = knng.dendrogram (Z, 0, 'ColorThreshold', 2);
%! cube = X * [1; 3; 9] / 4;
%! assert (sum (diff (cube(p)) ~= 0), 26);                   # rows of a cube stand together
%! assert (numel (h), 28);
%! y = cellfun (@(v) reshape (v, 5, [])(2, :), get (h, 'ydata'), 'UniformOutput', false);
%! assert (sort ([y{:}]), sort (Z(:, 3))');                  # every step has its bar
%! x = cellfun (@(v) reshape (v, 5, [])([1 3], :)(:), get (h, 'xdata'), 'UniformOutput', false);
%! low = cellfun (@(v) all (v < 2), y);
%! assert (sum (low), 27);
%! for i = find (low)'                                       # what has a colour lies over one cube
%!   assert (numel (unique (cube(p(floor (min (x{i})):ceil (max (x{i})))))), 1);
%! end

%!test  # names that were given are not left out without a word, and have room where the warning says
%! back = knng.internal.headless ();
%! Z = knng.linkage (mod ((1:120)' .^ 2 * sqrt ([2 3]), 1), 'average');
%! names = arrayfun (@(i) sprintf ('g%d', i), 1:120, 'UniformOutput', false);
%! for o = {'top', 'left'}
%!   fig = figure ('visible', 'off');
%!   lastwarn ('', '');
%!   knng.dendrogram (Z, 0, 'Orientation', o{1});
%!   assert (lastwarn (), '');
%!   evalc ("knng.dendrogram (Z, 0, 'Labels', names, 'Orientation', o{1});");
%!   [text, id] = lastwarn ();
%!   assert (id, 'knng:args:leftOut');
%!   assert (isempty (findobj (gca (), 'type', 'text', '-depth', 1)));
%!   close (fig);
%!   fig = figure ('visible', 'off');
%!   eval ([regexp(text, 'set \(gcf.*\]\)', 'match', 'once'), ';']);
%!   lastwarn ('', '');
%!   knng.dendrogram (Z, 0, 'Labels', names, 'Orientation', o{1});
%!   assert (lastwarn (), '');
%!   t = findobj (gca (), 'type', 'text', '-depth', 1);
%!   assert ({numel(t), get(t(1), 'fontsize') >= 5}, {120, true});
%!   close (fig);
%! end
%! fig = figure ('visible', 'off');
%! Z = knng.linkage (mod ((1:5000)' .^ 2 * sqrt (2), 1));
%! evalc ("knng.dendrogram (Z, 0, 'Labels', arrayfun (@(i) sprintf ('g%d', i), 1:5000, 'UniformOutput', false));");
%! assert (isempty (strfind (lastwarn (), 'paperposition')));
%! close (fig);

%!test  # names that nobody could read are left out; long ones are cut, and stay on the page: in panels and pixels too
%! back = knng.internal.headless ();
%! X = mod ((1:100)' .^ 2 * sqrt ([2 3]), 1);
%! Z = knng.linkage (X, 'average');
%! fig = figure ('visible', 'off');
%! subplot (2, 2, 1);
%! knng.dendrogram (Z, 0);
%! assert (isempty (findobj (gca (), 'type', 'text', '-depth', 1)));
%! knng.dendrogram (Z, 30);
%! assert (numel (findobj (gca (), 'type', 'text', '-depth', 1)), 30);
%! close (fig);
%! Z = knng.linkage (X(1:30, :), 'average');
%! names = [repmat('W', 30, 58), num2str((1:30)', '%02d')];
%! sides = {'top', 'right', 'bottom', 'left'};
%! for i = 1:4
%!   o = sides(i);
%!   ways = {'axes', 'panel', 'pixels'};
%!   if (isempty (getenv ('KNNG_ALL')))
%!     ways = ways(1 + mod (i, 3));
%!   end
%!   for way = ways
%!     fig = figure ('visible', 'off');
%!     if (strcmp (way{1}, 'panel'))
%!       axes ('parent', uipanel (fig, 'position', [0 0 1 0.9]));
%!     elseif (strcmp (way{1}, 'pixels'))
%!       axes ('parent', fig, 'units', 'pixels', 'position', [80 60 400 300]);
%!     end
%!     [~, lent] = knng.internal.axes_ready ();
%!     whole = knng.internal.axes_inches (gca ());
%!     knng.dendrogram (Z, 0, 'Labels', names, 'Orientation', o{1});
%!     inches = knng.internal.axes_inches (gca ());
%!     k = 1 + any (strcmp (o{1}, {'top', 'bottom'}));
%!     t = findobj (gca (), 'type', 'text', '-depth', 1);
%!     points = get (t(1), 'fontsize');
%!     assert (points >= 5);
%!     wide = knng.internal.text_inches (get (t, 'string'), points);
%!     room = whole(k + 2) - inches(k + 2);
%!     assert (room, 0.6 * whole(k + 2), 0.05);
%!     assert (max (wide) < room - 0.05 && max (wide) > room - 0.4);
%!     assert (numel (unique (get (t, 'string'))), 30);      # they still differ
%!     close (fig);
%!   end
%! end

%!test  # thousands of leaves; crossing lines
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! Z = knng.linkage (mod ((1:3000)' .^ 2 * sqrt (2), 1));
%! [h, T] = knng.dendrogram (Z, 0, 'ColorThreshold', 2e-4);
%! assert (numel (get (h(1), 'xdata')) + numel (get (h(2), 'xdata')) > 3000);
%! lastwarn ('', '');
%! state = warning ('off', 'knng:args:crossing');
%! knng.dendrogram ([1 2 1; 3 4 2], 'Reorder', [1 3 2], 'CheckCrossing', false);
%! [~, id] = lastwarn ();
%! assert (id, '');
%! warning (state);
%! close (fig);

%!test  # the text of the help stands on the page, outside of where labels of leaves are
%! back = knng.internal.headless ();
%! Z = knng.linkage (mod ((1:30)' .^ 2 * sqrt ([2 3]), 1), 'average');
%! names = arrayfun (@(i) sprintf ('a rather long name %d', i * 997), 1:30, 'UniformOutput', false);
%! lines = regexp (fileread ([fileparts(which ('knngraph')), '/+knng/dendrogram.m']), ...
%!                 '%\s+(axes \(''position''[^\n]*)\n%\s+(text \(0.5, 0.05, [^\n]*)\n', 'tokens', 'once');
%! for o = {'top', 'bottom', 'right', 'left'; '0.5, 0.05', '0.5, 0.96', '0.05, 0.5', '0.95, 0.5'; '', '', ', ''rotation'', 90', ', ''rotation'', 90'}
%!   fig = figure ('visible', 'off');
%!   knng.dendrogram (Z, 0, 'Labels', names, 'Orientation', o{1});
%!   room = getappdata (gca (), 'knng_room');
%!   eval (lines{1});
%!   eval ([strrep(strrep (lines{2}, '0.5, 0.05', o{2}), '''center'')', ['''center''', o{3}, ')']), ';']);
%!   at = get (findobj (gca (), 'type', 'text', '-depth', 1), 'position');
%!   k = 1 + any (strcmp (o{1}, {'top', 'bottom'}));
%!   page = get (fig, 'paperposition')(2 + k);
%!   half = 7 / 72 / page;                                   # of letters of 10 points, as a part of the page
%!   assert (at(k) - half > 0 && at(k) + half < 1);
%!   assert (at(k) + half < room.was(k) || at(k) - half > room.was(k) + room.was(2 + k));
%!   close (fig);
%! end

%!warning id=knng:args:crossing
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! knng.dendrogram ([1 2 1; 3 4 2], 'Reorder', [1 3 2]);
%! close (fig);

%!assert (nthargout (3, @() knng.dendrogram ([1 2 1; 3 4 2], 0, 'Reorder', containers.Map ())), nthargout (3, @() knng.dendrogram ([1 2 1; 3 4 2], 0)))
%!error id=knng:args:count knng.dendrogram ()
%!error id=knng:args:tree knng.dendrogram ([1 2])
%!error id=knng:args:option knng.dendrogram ([1 2 1], -1)
%!error id=knng:args:option knng.dendrogram ([1 2 1], 0, 'Orientation', 'up')
%!error id=knng:args:option knng.dendrogram ([1 2 1], 0, 'Reorder', [1 1])
%!error id=knng:args:option knng.dendrogram ([1 2 1], 0, 'ColorThreshold', 'none')
%!error id=knng:args:option knng.dendrogram ([1 2 1], 0, 'CheckCrossing', 'yes')
%!error id=knng:args:option knng.dendrogram ([1 2 1], 0, 'Labels', {'a'})
%!error id=knng:args:option knng.dendrogram ([1 2 1], 0, 'Labels', ['a'; 'b'; 'c'])
