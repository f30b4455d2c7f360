function [h, rows, columns] = heatmap (ds, clusters, varargin)
%KNNG.HEATMAP  Draw a matrix in colours, similar rows and columns side by side.
%   knng.heatmap (ds, clusters) draws into the current figure, in place of what
%   is there: a line for each of the n rows of the data set (genes), a column
%   for each sample; high values orange, low ones blue, missing ones grey. Rows
%   stand in groups by their cluster, columns by their class, where ds.classes
%   has one; bars on the left and on top have a colour for each.
%   knng.heatmap (ds) takes all rows as one cluster.
%   h = knng.heatmap (...) returns the handle of the image.
%   [h, rows, columns] = knng.heatmap (...) also returns the order, n-by-1 and
%   d-by-1: the picture shows ds.X(rows,columns).
%
%     ds        as knng.read returns it; or a matrix, n-by-d
%     clusters  n labels: whole numbers, as knng.mstknn, knng.leiden and others
%               give them, or texts; [] for one cluster, where options follow.
%               Clusters stand in their order; a missing one (NaN, '') comes
%               last, 'none'
%
%   Options:
%
%     'Standardize'  draws each row less its mean, in units of its standard
%                    deviation; false draws the values themselves. Default true
%     'Limit'        the value that has the last colour, and everything beyond
%                    it; the first is at its negative; between 1e-30 and 1e30.
%                    0: chosen so that 98 of 100 values lie within; default 0
%     'Labels'       n texts for the rows, in place of ds.names and, where there
%                    are any, ds.symbols before them; default {}
%     'Threads'      processor threads for the order, default: all
%
%   Up to 60 rows (columns) have their names beside them. Of more than 2 000
%   rows (columns) some share a line: their mean is drawn. The colour-blind can
%   tell blue and orange apart.
%
%   Within a group those that are alike stand side by side: the order is the
%   shortest path through all leaves that a tree allows, exactly. The tree is
%   that of average linkage over 1 - r (without 'Standardize', and for columns,
%   over euclidean distances). A group of more than 2 000 is ordered by its
%   first principal component.
%
%   No screen is needed: without one the figure is invisible, in Octave drawn by
%   gnuplot where that is installed, and print makes a file of it.
%
%   Cost: O(n*d), and for the order O(c^3) at worst with c rows in a cluster: a
%   second for c = 2 000; then what print takes. Memory: 40 bytes times c^2.
%
%   Errors: knng:args:ds; knng:args:labels (not one for each row);
%   knng:args:option; knng:args:unknownOption; knng:args:count;
%   knng:memory:host; knng:toolbox:noGraphics (no gnuplot).
%
%   Source: Z. Bar-Joseph, D. Gifford, T. Jaakkola, Bioinformatics 17 (2001)
%   S22-S29, for the order.
%
%   Example:
%     X = [repmat([1 1 5 5], 20, 1); repmat([4 3 1 1], 30, 1)];
%     X = X + mod ((1:50)' * [0.37 0.71 0.13 0.93], 1);
%     ds = struct ('X', X, 'classes', {{'a', 'a', 'b', 'b'}});
%     [h, rows] = knng.heatmap (ds, [ones(20, 1); 2 * ones(30, 1)]);
%     isequal (sort (rows(1:20)), (1:20)')           % 1
%
%   See also knng.profile, knng.scatter, knng.leiden, knng.mstknn, knng.read.

  if (nargin < 1)
    error ('knng:args:count', 'knng.heatmap needs a data set, and clusters if you like, as in knng.heatmap (ds, clusters): see help knng.heatmap');
  end
  if (isnumeric (ds))
    ds = struct ('X', ds);
  end
  ds = knng.internal.check_ds (ds);
  [n, d] = size (ds.X);
  if (nargin < 2 || (isnumeric (clusters) && isempty (clusters)))
    clusters = ones (n, 1);
  elseif (ischar (clusters) && size (clusters, 1) == 1 && n > 1)
    error ('knng:args:labels', ['clusters are ''%s'': they must be a label for each of the %d rows; options come after ' ...
           'them, or after [] for none, as in knng.heatmap (ds, [], ''Standardize'', false)'], knng.internal.shown (clusters), n);
  end
  [opt, given] = knng.internal.options (struct ('Standardize', true, 'Limit', 0, 'Labels', {{}}, 'Threads', []), varargin);
  knng.internal.threads (given);
  check (opt, n);
  [part, parts] = knng.internal.groups_of (clusters);
  if (numel (part) ~= n)
    error ('knng:args:labels', 'there are %d clusters for %d rows: give one for each row', numel (part), n);
  end
  [kind, classes] = knng.internal.sample_groups (ds);
  knng.internal.built ();

  Z = double (ds.X);
  if (opt.Standardize)
    Z = knng.internal.standard_rows (Z);
  end
  Z(~isfinite (Z)) = NaN;
  rows = order_groups (Z, part, opt.Standardize, opt);
  columns = order_groups (Z', kind, false, opt);
  Z = Z(rows, columns);
  limit = double (opt.Limit);
  if (limit == 0)
    limit = limit_of (Z);
  end
  [row_names, column_names] = names_beside (ds, opt.Labels, rows, columns);

  [fig, back] = knng.internal.blank_figure ([7 8]);         %#ok<ASGLU>
  ax = axes_between (fig, parts, row_names, column_names);
  colours = blue_to_orange ();
  h = draw_matrix (ax, Z, limit, colours);
  [across, down] = deal (d / 100, n / 100);
  if (~isempty (classes))
    knng.internal.class_bar (ax, kind(columns), classes, 0.5 - 3.5 * down, 0.5 - down, 0.5 - 5 * down);
  end
  if (numel (parts) > 1)
    cluster_bar (ax, part(rows), parts, 0.5 - 4.5 * across, 0.5 - across, d + 0.5);
  end
  write_names (ax, row_names, column_names, n, d);
  write_title (ax, n, numel (parts), d);
  set (ax, 'xlim', [0.5 - 5 * across, d + 0.5], 'ylim', [0.5 - 4 * down, n + 0.5]);
  draw_scale (fig, limit, colours, opt.Standardize);
  set (fig, 'currentaxes', ax);
  if (nargout == 0)
    clear h                                                  % prints no ans
  end
end

function check (opt, n)
  knng.internal.check_flag ('Standardize', opt.Standardize);
  if (~isnumeric (opt.Limit) || ~isreal (opt.Limit) || numel (opt.Limit) ~= 1 || ~(opt.Limit == 0 || (opt.Limit > 1e-30 && opt.Limit < 1e30)))
    error ('knng:args:option', '''Limit'' is %s: it must be a number between 1e-30 and 1e30, or 0', knng.internal.given (opt.Limit));
  end
  knng.internal.check_texts (opt.Labels, n);
end

function order = order_groups (Z, group, squared, opt)
% Groups one after the other; in each the leaves in order, turned so that it begins with what is more like the end of the
% group before.
  order = zeros (0, 1);
  for g = 1:max (group)
    at = find (group == g);
    at = at(knng.internal.leaf_order (Z(at, :), squared, opt));
    if (~isempty (order))
      ends = bsxfun (@minus, Z(at([1 end]), :), Z(order(end), :));
      ends(isnan (ends)) = 0;
      ends = sum (ends .^ 2, 2);
      if (ends(2) < ends(1))
        at = flipud (at);
      end
    end
    order = [order; at]; %#ok<AGROW>
  end
end

function limit = limit_of (Z)
% The size that 98 of 100 values do not pass; 1 where that is no limit.
  sizes = sort (abs (Z(~isnan (Z))));
  limit = max ([sizes(max (ceil (0.98 * end), 1):ceil (0.98 * end)); 0]);
  if (limit < 1e-30 || limit > 1e30)
    limit = 1;
  end
end

function [row_names, column_names] = names_beside (ds, labels, rows, columns)
% In the order of the picture; {} where there are none, or no room for so many.
  row_names = {};
  if (numel (rows) <= 60 && isempty (labels))
    row_names = full_names (ds.names(rows), knng.internal.symbols_of (ds), rows);
  elseif (numel (rows) <= 60)
    row_names = labels(rows);
  end
  column_names = {};
  if (iscellstr (ds.samples) && ~isempty (ds.samples) && numel (columns) <= 60)
    column_names = ds.samples(columns);
  end
end

function names = full_names (names, symbols, rows)
% The names, behind their symbols if they have some.
  if (~isempty (symbols))
    some = find (~cellfun ('isempty', symbols(rows)));
    names(some) = cellfun (@(s, t) [s, ' ', t], symbols(rows(some)), names(some), 'UniformOutput', false);
  end
end

function ax = axes_between (fig, parts, row_names, column_names)
% Axes that leave room for the names of clusters on the left, of rows on the right, of columns below.
  wide = @(texts, inches) min (0.36, 0.02 + inches * max ([0; cellfun('length', texts(:))]));
  left = 0.05 + wide (parts, 0.013);
  right = wide (row_names, 0.008 + 0.0025 * (numel (row_names) <= 40));
  low = 0.02;
  if (~isempty (column_names))
    low = wide (column_names, 0.009);
  end
  ax = axes ('parent', fig, 'position', [left, low, 0.98 - right - left, 0.9 - low], 'visible', 'off', 'ydir', 'reverse');
  hold (ax, 'on');
end

function colours = blue_to_orange ()
% 65 colours, a row each: the darkest blue the lowest, white in the middle.
  colours = interp1 ([-1 -0.5 0 0.5 1], [0.03 0.19 0.42; 0.25 0.56 0.80; 0.97 0.97 0.97; 0.93 0.55 0.23; 0.45 0.18 0], ...
                     linspace (-1, 1, 65));
end

function h = draw_matrix (ax, Z, limit, colours)
% The values from -limit to limit in the colours, missing ones grey, one cell of the axes for each.
  [n, d] = size (Z);
  levels = size (colours, 1);
  small = shrink (shrink (Z, 2000)', 2000)';
  level = round ((max (min (small / limit, 1), -1) + 1) / 2 * (levels - 1)) + 1;
  level(isnan (small)) = levels + 1;
  shade = [colours; 0.75 0.75 0.75];
  h = image ([1 + (d / size (small, 2) - 1) / 2, d - (d / size (small, 2) - 1) / 2], ...
             [1 + (n / size (small, 1) - 1) / 2, n - (n / size (small, 1) - 1) / 2], ...
             cat (3, reshape (shade(level, 1), size (level)), reshape (shade(level, 2), size (level)), ...
                  reshape (shade(level, 3), size (level))), 'parent', ax);
end

function Z = shrink (Z, most)
% The means of so many rows each that at most MOST are left.
  n = size (Z, 1);
  if (n <= most)
    return
  end
  at = ceil ((1:n)' * most / n);
  S = sparse (at, 1:n, 1, most, n);
  known = ~isnan (Z);
  Z(~known) = 0;
  Z = full (S * Z) ./ full (S * known);
end

function cluster_bar (ax, part, names, left, right, wide)
% A bar in the colours of the clusters, lines between them, and names where there is room.
  n = numel (part);
  shade = knng.internal.group_colours (part, names);
  lines = min (n, 2000);
  at = ceil (((1:lines) - 0.5) * n / lines);
  image (left + [0.25 0.75] * (right - left), 0.5 + n / lines * [0.5, lines - 0.5], ...
         repmat (reshape (shade(at, :), lines, 1, 3), [1 2 1]), 'parent', ax);
  first = [1; find(diff (part)) + 1];
  last = [first(2:end) - 1; n];
  for c = 1:numel (first)
    if (c > 1 && max (last(c) - first(c), last(c - 1) - first(c - 1)) + 1 >= 0.02 * n) % between tiny ones there is no room
      line ([left, wide], [first(c), first(c)] - 0.5, 'parent', ax, 'color', 'k', 'linewidth', 0.5);
    end
    if (last(c) - first(c) + 1 >= 0.02 * n)
      text (left - 0.01 * wide, (first(c) + last(c)) / 2, names{part(first(c))}, 'parent', ax, 'horizontalalignment', 'right', ...
            'fontsize', 9, 'interpreter', 'none');
    end
  end
end

function write_names (ax, row_names, column_names, n, d)
  style = {'parent', ax, 'interpreter', 'none', 'fontsize'};
  for i = 1:numel (row_names)
    text (d + 0.5 + d / 100, i, knng.internal.shown (row_names{i}), style{:}, 6 + 2 * (n <= 40));
  end
  for j = 1:numel (column_names)
    text (j, n + 0.5 + n / 100, knng.internal.shown (column_names{j}), style{:}, 6 + (d <= 40), 'rotation', 90, ...
          'horizontalalignment', 'right');
  end
end

function write_title (ax, n, parts, d)
  some = '';
  if (parts > 1)
    some = sprintf (' in %d clusters', parts);
  end
  text (0.5, 0.5 - 9 * (n / 100), sprintf ('%d rows%s, %d samples', n, some, d), 'parent', ax, 'interpreter', 'none', ...
        'fontsize', 12, 'fontweight', 'bold');
end

function draw_scale (fig, limit, colours, standardize)
% The colours of the values from -limit to limit, in the corner at the top.
  levels = size (colours, 1);
  key = axes ('parent', fig, 'position', [0.72 0.965 0.25 0.018], 'ytick', [], 'fontsize', 8, 'tickdir', 'out', 'layer', 'top');
  hold (key, 'on');
  image (linspace (-limit, limit, levels), [0.25 0.75], repmat (reshape (colours, 1, levels, 3), [2 1 1]), 'parent', key);
  set (key, 'xlim', limit * [-1 1] * (1 + 1 / levels), 'ylim', [0 1]);
  if (standardize)
    text (-1.06 * limit, 0.5, 'standard deviations', 'parent', key, 'fontsize', 8, 'horizontalalignment', 'right');
  end
end

%!test <*1>
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! X = [repmat([1 1 5 5], 20, 1); repmat([4 3 1 1], 30, 1)] + mod ((1:50)' * [0.37 0.71 0.13 0.93], 1);
%! ds = struct ('X', X, 'classes', {{'a', 'a', 'b', 'b'}});
%! [h, rows, columns] = knng.heatmap (ds, [ones(20, 1); 2 * ones(30, 1)]);
%! assert (sort (rows(1:20)), (1:20)');
%! assert (sort (rows), (1:50)');
%! assert (sort (columns(1:2)), [1; 2]);
%! c = get (h, 'cdata');
%! assert (size (c), [50 4 3]);
%! assert (all (all (c(1:20, columns > 2, 1) > c(1:20, columns > 2, 3))));           # high: orange
%! assert (all (all (c(1:20, columns < 3, 1) < c(1:20, columns < 3, 3))));           # low: blue

%!test  # colours of values, gaps, the limit, groups of every kind, labels
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! X = [-9 0 9; -1 NaN 1; -0.5 0 Inf];
%! [h, rows, columns] = knng.heatmap (X, {'b'; ''; 'a_1'}, 'Standardize', false, 'limit', 1, 'Labels', {'r_1', 'r2', 'r3'});
%! assert (rows, [3; 1; 2]);
%! c = get (h, 'cdata');
%! at = @(i, j) squeeze (c(rows == i, columns == j, :))';
%! assert (at (1, 1), at (2, 1));
%! assert (at (1, 3), at (2, 3));
%! assert (at (1, 2), at (3, 2));
%! assert (at (2, 2), [0.75 0.75 0.75]);
%! assert (at (3, 3), [0.75 0.75 0.75]);
%! texts = get (findobj (fig, 'type', 'text'), 'string');
%! assert (all (ismember ({'r_1', 'a_1', 'none'}, texts)));
%! knng.heatmap (struct ('X', magic (3), 'names', {{'a', 'b', 'c'}}, 'symbols', {{'S', '', 'T'}}));
%! assert (all (ismember ({'S a', 'b', 'T c'}, get (findobj (fig, 'type', 'text'), 'string'))));

%!test  # large ones share lines; the edges of sizes; nothing but gaps
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! X = mod ((1:5000)' * [0.1 0.2 0.3], 1);
%! [h, rows] = knng.heatmap (single (X), [], 'Standardize', false);
%! assert (size (get (h, 'cdata')), [2000 3 3]);
%! assert (sort (rows), (1:5000)');
%! for n = 1:3
%!   for d = 1:2
%!     [h, rows, columns] = knng.heatmap (magic (4)(1:n, 1:d), ones (1, n));
%!     assert ([numel(rows), numel(columns)], [n d]);
%!   end
%! end
%! knng.heatmap (NaN (3));
%! knng.heatmap (1e300 * magic (4));
%! knng.heatmap (ones (3), 1:3);

%!error id=knng:args:count knng.heatmap ()
%!error id=knng:args:ds knng.heatmap ('text')
%!error id=knng:args:ds knng.heatmap ([])
%!error id=knng:args:labels knng.heatmap (magic (3), [1 2])
%!error id=knng:args:labels knng.heatmap (magic (3), magic (3))
%!error id=knng:args:option knng.heatmap (magic (3), 1:3, 'Limit', -1)
%!error id=knng:args:option knng.heatmap (magic (3), 1:3, 'Limit', 1e-323)
%!error id=knng:args:option knng.heatmap (magic (3), 1:3, 'Labels', {'a'})
%!error id=knng:args:option knng.heatmap (magic (3), 1:3, 'Standardize', 2)
%!error id=knng:args:unknownOption knng.heatmap (magic (3), 1:3, 'Labls', {})
