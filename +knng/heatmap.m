function [h, rows, columns] = heatmap (ds, clusters, varargin)
%KNNG.HEATMAP  Draw a matrix in colours, similar rows and columns side by side.
%   knng.heatmap (ds, clusters) draws into the current figure, in place of what
%   is there: a line for each of the n rows of the data set (genes), a column
%   for each sample; high values orange, low ones blue, missing ones grey, which
%   the key below counts ('value  none, 13'). Rows stand in groups by their
%   cluster, columns by their class, where ds.classes has one. Clusters that are
%   alike stand side by side; the tree on the left says how alike they are. A
%   bar on top has a colour for each class, and the trees above it are of the
%   samples.
%   knng.heatmap (ds) takes all rows as one cluster; the tree is of the rows.
%   h = knng.heatmap (...) returns the handle of the image.
%   [h, rows, columns] = knng.heatmap (...) also returns the order, n-by-1 and
%   d-by-1: the picture shows ds.X(rows,columns).
%
%     ds        as knng.read returns it; or a matrix, n-by-d
%     clusters  n labels: whole numbers, as knng.mstknn, knng.leiden and others
%               give them, or texts; [] for one cluster, where options follow.
%               A missing one (NaN, '') comes last, 'none', and behind it
%               noise, -1 beside numbers from 1 on, as of knng.dbscan,
%               knng.hdbscan and knng.optics, with its number, 'noise (12)';
%               neither is a cluster
%
%   Options:
%
%     'Standardize'  draws each row less its mean, in units of its standard
%                    deviation (one value alone has none and is grey, as a
%                    missing one); false draws the values themselves. Default
%                    true
%     'Limit'        the value that has the last colour, and everything beyond
%                    it; the first is at its negative; between 1e-30 and 1e30.
%                    0: chosen so that 98 of 100 values lie within; default 0
%     'Labels'       n texts for the rows, in place of ds.names and, where there
%                    are any, ds.symbols before them; 'RowLabels' is the same;
%                    default {}
%     'Mark'         names, symbols or labels of rows, a cell of texts or one
%                    text, or numbers of rows, that have their names on the
%                    right, each with a line to its row; no other row has. Of a
%                    symbol all rows; at most 200. Default {}
%     'Phenotypes'   what else is known of the samples, a bar on top for each: a
%                    struct with a field for each, or a cell with a row {name,
%                    values} for each, d labels or numbers; or a table of the
%                    samples or the name of its file, as for knng.explore; or
%                    ds.meta, as its 'auto' takes that, or the name of one of
%                    these, such as 'sex'. One that has the names
%                    of the samples, in any order, says whose values the others
%                    are, and is no bar. One that has the labels
%                    of ds.classes gives these its name.
%                    Of more than 40 labels the 39 largest have colours, and
%                    the others are grey. Default {}
%     'Threads'      processor threads for the order, default: all
%
%   Up to 60 rows (columns) have their names beside them, or their numbers in ds
%   where it has no names, and up to 100 clusters. Names of classes stand above
%   their bar if there is room for all of them, otherwise below the picture, as
%   those of other phenotypes. Of more than 2 000 rows (columns) some share a
%   line: their mean is drawn. The colour-blind can tell blue and orange apart.
%   A class has the same colour in all heat maps of a data set, by its place
%   among the sorted names of all; other phenotypes have neither those colours
%   nor, as the classes, the ones of values (so knng.scatter, where blue means
%   no value, has others). The bar of the clusters is grey, lighter and darker
%   in turn: of more than eight or so, some would have the same colour.
%
%   Within a group those that are alike stand side by side: the order is the
%   shortest path through all leaves that a tree allows, exactly. The tree is
%   that of average linkage over 1 - r (without 'Standardize', and for columns,
%   over euclidean distances). That of clusters is over the means of their rows.
%   A group of more than 2 000 is ordered by its first principal component, and
%   has no tree. Of more than 400 the branches of few leaves are pale.
%
%   No screen is needed: without one the figure is invisible, in Octave drawn by
%   gnuplot where that is installed, and print makes a file of it, of the size
%   that the picture needs: 7 inches wide where no names are long. What is drawn
%   next into the figure takes its place.
%
%   Cost: O(n*d), and for the order O(c^3) at worst with c rows in a cluster: a
%   second for c = 2 000; then what print takes. Memory: 40 bytes times c^2.
%
%   Errors: knng:args:ds; knng:args:labels (not one for each row, or sample);
%   knng:args:name (no such row to mark); knng:args:option;
%   knng:args:unknownOption; knng:args:count; knng:io:open, knng:io:format,
%   knng:io:truncated (the file of 'Phenotypes'); knng:memory:host;
%   knng:toolbox:noGraphics (no gnuplot). Warnings: knng:toolbox:letters, as
%   knng.scatter; knng:data:nonFinite (rows or columns without any value, which
%   stand somewhere in the order); knng:data:metadata, as knng.explore.
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
%     known = {'age', [31 56 44 70]; 'sex', {'f', 'm', 'f', 'm'}};
%     knng.heatmap (ds, [], 'Phenotypes', known, 'Mark', [3 40])
%
%   See also knng.profile, knng.scatter, knng.leiden, knng.mstknn, knng.read,
%   knng.clustergram.

  if (nargin < 1)
    error ('knng:args:count', 'knng.heatmap needs a data set, and clusters if you like, as in knng.heatmap (ds, clusters): see help knng.heatmap');
  end
  name = 'ds.X';
  if (isnumeric (ds))
    name = 'X';
    ds = struct ('X', ds);
  end
  ds = knng.internal.check_ds (ds);
  [n, d] = size (ds.X);
  if (nargin < 2 || (isnumeric (clusters) && isempty (clusters)))
    clusters = ones (n, 1);
  elseif (ischar (clusters) && isrow (clusters) && n > 1)
    error ('knng:args:labels', ['clusters are ''%s'': they must be a label for each of the %d rows; options come after ' ...
           'them, or after [] for none, as in knng.heatmap (ds, [], ''Standardize'', false)'], knng.internal.shown (clusters), n);
  end
  [opt, given] = knng.internal.options (struct ('Standardize', true, 'Limit', 0, 'Labels', {{}}, 'Mark', {{}}, ...
                                               'Phenotypes', {{}}, 'Threads', []), varargin);
  knng.internal.threads (given);
  check (opt, n);
  [part, parts, none] = parts_of (clusters);
  if (numel (part) ~= n)
    error ('knng:args:labels', '%s for %s: give one for each row', knng.internal.there_are (numel (part), 'cluster'), knng.internal.count_of (n, 'row'));
  end
  [kind, classes] = knng.internal.sample_groups (ds);
  phenotypes = knng.internal.phenotypes (ds, opt.Phenotypes);
  marks = knng.internal.marked_rows (ds, opt.Labels, opt.Mark, 'Mark');
  knng.internal.built ();

  Z = double (ds.X);
  if (opt.Standardize)
    Z = knng.internal.heat_values (Z, 'row', {});         % one value alone counts as missing
  end
  Z(~isfinite (Z)) = NaN;
  knng.internal.warn_empty (~isnan (Z), [true true], (1:n)', ds, name);
  [part, parts, centres] = alike_beside (Z, part, parts, none, opt);
  rows = order_groups (Z, part, opt.Standardize, opt);
  columns = order_groups (Z', kind, false, opt);
  Z = Z(rows, columns);
  [part, kind] = deal (part(rows), kind(columns));
  limit = double (opt.Limit);
  if (limit == 0)
    limit = knng.internal.heat_limit (Z);
  end
  [row_names, column_names] = names_beside (ds, opt, rows, columns);
  [~, place] = ismember (marks.rows(:)', rows);
  [marks.at, order] = sort (place);
  marks.texts = marks.texts(order);
  bars = knng.internal.sample_bars (phenotypes, columns, zeros (0, 3), double (~isempty (ds.classes)));

  [fig, back] = knng.internal.blank_figure ();               %#ok<ASGLU>
  page = knng.internal.heat_page (struct ('shape', [n d], 'high', 6, 'trees', tree_sizes (n, d, numel (parts), none), ...
                                          'beside', numel (parts) > 1, 'clusters', {parts(1:end * (numel (parts) <= 100))}, ...
                                          'kind', kind, 'classes', {classes}, 'keys', knng.internal.missing_key (Z), 'bars', bars, ...
                                          'row_names', {row_names}, 'column_names', {column_names}, 'marks', marks));
  knng.internal.paper (fig, page.size);
  ax = knng.internal.fixed_axes (fig, [0 0 1 1], page.X ([0, page.size(1)]), page.Y ([0, page.size(2)]), 'ydir', 'reverse');
  colours = knng.internal.heat_colours ();
  drawn = knng.internal.draw_matrix (ax, Z, [-limit, limit], colours);
  knng.internal.draw_bars (ax, page, bars, kind);
  draw_column_trees (ax, page, Z, kind);
  if (numel (parts) > 1)
    at = draw_clusters (ax, page, part, parts, none, d);
    draw_row_tree (ax, page, centres, at(1:size (centres, 1)), opt.Standardize);
  else
    draw_row_tree (ax, page, Z, 1:n, opt.Standardize);
  end
  knng.internal.write_names (ax, page, row_names, column_names, marks);
  knng.internal.heat_title (ax, page, n, numel (parts) - none, d);
  what = {'value', 'standard deviations from the row''s mean'};
  knng.internal.draw_scale (ax, page, [-limit, limit], colours, what{1 + opt.Standardize}, all (isnan (Z(:)) | Z(:) == fix (Z(:))));
  knng.internal.draw_key (ax, page.key, @(x) page.X (page.key_left + x), @(y) page.Y (page.key_top + y));
  knng.internal.whole_figure (fig, ax);
  if (nargout > 0)                                           % else it would print ans
    h = drawn;
  end
end

function check (opt, n)
  knng.internal.check_flag ('Standardize', opt.Standardize);
  if (~isnumeric (opt.Limit) || ~isreal (opt.Limit) || numel (opt.Limit) ~= 1 || ~(opt.Limit == 0 || (opt.Limit > 1e-30 && opt.Limit < 1e30)))
    error ('knng:args:option', '''Limit'' is %s: it must be a number between 1e-30 and 1e30, or 0', knng.internal.given (opt.Limit));
  end
  knng.internal.check_texts (opt.Labels, n);
end

function [part, parts, none] = parts_of (clusters)
% The number of each row's cluster and their names. Behind the clusters come rows without a label, and noise: NONE of these two.
  [clusters, noise] = knng.internal.without_noise (clusters);
  [part, parts, none] = knng.internal.groups_of (clusters);
  none = double (none > 0);
  if (any (noise))
    if (sum (part == numel (parts)) > sum (noise))           % some are no noise, but without a label
      parts{end + 1, 1} = '';
      none = 2;
    end
    part(noise) = numel (parts);
    parts{end} = sprintf ('noise (%d)', sum (noise));
  end
  none = min (none, numel (parts) - 1);                      % where there is nothing else
end

function [part, parts, C] = alike_beside (Z, part, parts, none, opt)
% The clusters numbered anew, so that those with like centres stand beside each other, and the centres C in this order.
% The last NONE of them, rows without a label and noise, stay the last and have no centres.
  known = ~isnan (Z);
  Z(~known) = 0;
  S = sparse (part, 1:numel (part), 1, numel (parts), numel (part));
  C = full (S * Z) ./ full (S * known);
  C = C(1:end - none, :);
  if (opt.Standardize)
    C = knng.internal.standard_rows (C);
  end
  turn = reshape (knng.internal.leaf_order (C, opt.Standardize, opt), [], 1);
  if (turn(1) > turn(end))
    turn = flipud (turn);
  end
  C = C(turn, :);
  turn = [turn; (numel(turn) + 1:numel (parts))'];
  parts = parts(turn);
  number(turn) = 1:numel (turn);
  part = reshape (number(part), [], 1);
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

function [row_names, column_names] = names_beside (ds, opt, rows, columns)
% In the order of the picture; {} where there are none, or no room for so many, or some rows are marked.
  [row_names, column_names] = deal ({});
  if (numel (rows) <= 60 && isempty (opt.Mark))
    row_names = knng.internal.short_texts (knng.internal.row_texts (ds, opt.Labels, rows));
  end
  if (numel (columns) > 60)
    return
  elseif (iscellstr (ds.samples) && ~isempty (ds.samples))
    column_names = knng.internal.short_texts (ds.samples(columns));
  else                                                       % their numbers, as of rows without names
    column_names = arrayfun (@(j) sprintf ('%d', j), columns(:), 'UniformOutput', false);
  end
end

function trees = tree_sizes (n, d, parts, none)
% That of the rows is of the clusters that have a name, where there are several.
  leaves = n;
  if (parts > 1)
    leaves = parts - none;
  end
  trees = [0.5 * (leaves > 1 && leaves <= 2000), 0.4 * (d > 1)];
end

function draw_row_tree (ax, page, leaves, at, squared)
% None of more than 2 000.
  if (size (leaves, 1) <= 2000)
    [place, height, tree] = knng.internal.leaf_tree (leaves, squared, at);
    far = {'x', page.X(page.tree(2) - diff (page.tree) * height)};
    knng.internal.draw_branches (ax, place, far, tree, zeros (size (tree, 1), 1));
  end
end

function draw_column_trees (ax, page, Z, kind)
% One for each class, each to its own scale; none of more than 2 000 columns.
  for g = 1:max (kind)
    at = find (kind == g);
    if (numel (at) <= 2000)
      [place, height, tree] = knng.internal.leaf_tree (Z(:, at)', false, at);
      far = {'y', page.Y(page.trees(2) - diff (page.trees) * height)};
      knng.internal.draw_branches (ax, place, far, tree, zeros (size (tree, 1), 1));
    end
  end
end

function at = draw_clusters (ax, page, part, names, none, d)
% A bar in two greys, which say where the next cluster begins, light for what is none, and lines between them; the names apart from each other, AT these
% heights, each with a line to the middle of its cluster. Of more than 100 none has a name.
  n = numel (part);
  greys = [0.45; 0.75];
  shade = reshape (greys(1 + mod (part, 2)), n, 1);
  shade(part > numel (names) - none) = 0.92;                 % no cluster
  shade = repmat (shade, [1 1 3]);
  knng.internal.class_bar (ax, shade, page.X (page.bar), [0.5, n + 0.5]);
  first = [1; find(diff (part)) + 1];
  last = [first(2:end) - 1; n];
  for c = 2:numel (first)
    if (max (last(c) - first(c), last(c - 1) - first(c - 1)) + 1 >= 0.02 * n)     % lines would hide tiny ones
      line ([page.X(page.bar(1)), d + 0.5], [first(c), first(c)] - 0.5, 'parent', ax, 'color', 'k', 'linewidth', 0.5);
    end
  end
  at = (first + last) / 2;
  if (numel (first) > 100)
    return
  end
  middle = at;
  at = knng.internal.apart (middle, page.cluster_gap * n / page.high, 0.5, n + 0.5);
  bend = page.X ([page.names_right + [0.03, 0.07], page.bar(1) - [0.06, 0.02]]);
  knng.internal.write_texts (ax, page.X (page.names_right), at, names(part(first)), 'horizontalalignment', 'right', ...
                             'fontsize', page.cluster_points);
  for i = 1:numel (first)
    line (bend, [at(i), at(i), middle(i), middle(i)], 'parent', ax, 'color', [0.5 0.5 0.5], 'linewidth', 0.5);
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
%! assert (at (2, 2), knng.internal.missing_grey ());
%! assert (at (3, 3), knng.internal.missing_grey ());
%! texts = get (findobj (fig, 'type', 'text'), 'string');
%! assert (all (ismember ({'r_1', 'a_1', 'none'}, texts)));
%! [~, rows] = knng.heatmap ([X; X; X(1, :)], [2 -1 1 NaN 2 -1 1]);   # noise is the last, and no cluster
%! assert (sort (rows(5:7))', [2 4 6]);
%! assert (rows(5), 4);
%! texts = get (findobj (fig, 'type', 'text'), 'string');
%! assert (ismember ({'noise (2)', 'none', '7 rows in 2 clusters, 3 samples'}, texts), true (1, 3));
%! for all_none = {[-1 -1 -1], [-1 NaN -1], [-1 5 -1]}
%!   [~, rows] = knng.heatmap (X, all_none{1});
%!   assert (sort (rows)', 1:3);
%! end
%! knng.heatmap (struct ('X', magic (3), 'names', {{'a', 'b', 'c'}}, 'symbols', {{'S', '', 'T'}}));
%! assert (all (ismember ({'S a', 'b', 'T c'}, get (findobj (fig, 'type', 'text'), 'string'))));
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [h, rows, columns] = knng.heatmap ([1 NaN; 2 3; 5 1]);             # a value alone is grey, as in knng.clustergram
%! c = get (h, 'cdata');
%! assert (squeeze (c(rows == 1, :, :)), 0.5 * ones (2, 3));
%! assert (all (reshape (any (c(rows ~= 1, :, :) ~= 0.5, 3), [], 1)));

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
%! knng.heatmap (1e300 * magic (4));
%! knng.heatmap (ones (3), 1:3);

%!test  # clusters by likeness, a missing one last; rows and columns agree with what is drawn
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! wave = @(shift) sin ((1:12) / 2 + shift);
%! X = [wave(0); wave(3); wave(0.2); wave(3.2); wave(0.4)] * 2;
%! X = X(repmat (1:5, 1, 6), :) + 0.1 * mod ((1:30)' * (1:12) * 0.618, 1);
%! labels = repmat ({'a', 'b', 'c', 'd', 'e'}, 1, 6);
%! labels([4 5]) = {''};
%! [h, rows] = knng.heatmap (X, labels);
%! order = labels(rows);
%! first = order([true, ~strcmp(order(2:end), order(1:end-1))]);
%! assert (ismember (first, {'a', 'b', 'c', 'd', 'e', ''}));
%! assert (numel (first), 6);
%! assert (first{end}, '');
%! [~, at] = ismember ({'a', 'c', 'e', 'b', 'd'}, first);
%! assert (max (at(1:3)) - min (at(1:3)), 2);
%! assert (abs (diff (at(4:5))), 1);

%!test  # bars of phenotypes: no blue, no orange, no two alike; names that have no room stand in the key; marks
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! X = mod ((1:80)' .^ 2 * (1:12) .^ 1.5 * 0.618, 1);
%! ds = struct ('X', X, 'names', {arrayfun(@(i) sprintf ('g%d', i), 1:80, 'UniformOutput', false)});
%! ds.symbols = upper (ds.names);
%! ds.symbols([7 9]) = {'TWICE'};
%! ds.classes = repmat ({'short', 'a name that has no room above its bar', ''}, 1, 4);
%! age = [1:10, NaN, 40];
%! [h, rows, columns] = knng.heatmap (ds, mod (1:80, 10), 'Mark', {'TWICE', 'g3', 12}, 'Phenotypes', {'sex', repmat({'f', 'm'}, 1, 6); 'age', age});
%! texts = get (findobj (fig, 'type', 'text'), 'string');
%! assert (all (ismember ({'class', 'sex', 'age', 'short, 4', 'a name that has no room above its bar, 4', 'none, 4', 'f, 6', 'm, 6', '1 to 40', ...
%!                         'none, 1', 'g3', 'G12 g12', 'standard deviations from the row''s mean'}, texts)));
%! assert (sum (strcmp (texts, 'TWICE')), 2);
%! assert (~any (strcmp (texts, 'G4 g4')));
%! images = get (findobj (fig, 'type', 'image'), 'cdata');
%! bars = images(cellfun (@(c) isequal (size (c), [2 12 3]), images));
%! assert (numel (bars), 3);
%! seen = cellfun (@(c) unique (reshape (c(1, :, :), 12, 3), 'rows'), bars, 'UniformOutput', false);
%! seen = unique (vertcat (seen{:}), 'rows');
%! values = unique (reshape (get (h, 'cdata'), [], 3), 'rows');
%! far = @(a, b) sqrt (min (sum ((permute (a, [1 3 2]) - permute (b, [3 1 2])) .^ 2, 3), [], 2));
%! vivid = values(max (values, [], 2) - min (values, [], 2) > 0.3, :);
%! assert (all (far (seen, vivid) > 0.15));

%!test  # a class has one colour in all pictures of points, and one in all of values, by its sorted name; beside it nothing has
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! names = arrayfun (@(i) sprintf ('class %02d', i), 1:30, 'UniformOutput', false);
%! ds = struct ('X', mod ((1:9)' .^ 2 * (1:60) .^ 1.5 * 0.618, 1), 'classes', {names(1 + mod ((1:60) * 7, 30))});
%! h = knng.scatter (ds.X(1:2, :)', ds.classes);
%! want = cell2mat (get (h, 'color'));
%! h = knng.plot (sparse (60, 60), 'XY', ds.X(1:2, :)', 'Groups', ds.classes);
%! assert (cell2mat (get (h.points, 'color')), want);
%! [~, number] = ismember (ds.classes, names);
%! knng.profile (ds, ones (9, 0), 1);
%! [~, order] = sortrows ([number', ds.X(1, :)']);
%! bars = get (findobj (fig, 'type', 'image'), 'cdata');
%! bars = bars(cellfun (@(c) isequal (size (c), [2 60 3]), bars));
%! assert (squeeze (bars{1}(1, :, :)), want(number(order), :));
%! sex = repmat ({'f', 'm'}, 1, 30);
%! want = knng.internal.bar_colours (1:30);                  # neither blue nor orange
%! [h, ~, columns] = knng.heatmap (ds, [], 'Phenotypes', {'sex', sex});
%! bars = get (findobj (fig, 'type', 'image'), 'cdata');
%! bars = bars(cellfun (@(c) isequal (size (c), [2 60 3]), bars));
%! same = cellfun (@(c) isequal (squeeze (c(1, :, :)), want(number(columns), :)), bars);
%! assert (sum (same), 1);
%! assert (isempty (intersect (squeeze (bars{! same}(1, :, :)), want, 'rows')));
%! s = knng.clustergram (ds, 'MaxClust', [3 2], 'Phenotypes', {'sex', sex});
%! bars = get (findobj (fig, 'type', 'image'), 'cdata');
%! bars = bars(cellfun (@(c) isequal (size (c), [2 60 3]), bars));
%! same = cellfun (@(c) isequal (squeeze (c(1, :, :)), want(number(s.ColumnOrder), :)), bars);
%! assert ({sum(same), numel(same)}, {1, 3});

%!test  # rows and columns without names have their numbers
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! X = mod ((1:7)' .^ 2 * (1:9) .^ 1.5 * 0.618, 1);
%! for f = {@() nthargout(3, @knng.heatmap, X), @() getfield(knng.clustergram (X), 'ColumnOrder')}
%!   order = f{1} ();
%!   t = findobj (fig, 'type', 'text', 'rotation', 90);
%!   x = cellfun (@(p) p(1), get (t, 'position'));
%!   [~, at] = sort (x);
%!   assert (cellfun (@str2double, get (t(at), 'string')), order(:));
%! end
%! assert (getfield (knng.clustergram (X), 'ColumnLabels'), arrayfun (@(j) sprintf ('%d', j), getfield (knng.clustergram (X), 'ColumnOrder'), 'UniformOutput', false));
%! knng.heatmap (mod ((1:7)' .^ 2 * (1:61) .^ 1.5 * 0.618, 1));
%! assert (isempty (findobj (fig, 'type', 'text', 'rotation', 90)));

%!test  # classes that are all missing
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! knng.heatmap (struct ('X', magic (4), 'classes', {{'', '', '', ''}}));
%! assert (ismember ({'class', 'none, 4'}, get (findobj (fig, 'type', 'text'), 'string')), true (1, 2));

%!test  # the paper is as large as the picture; the next one takes its place; a symbol that is the name stands there once
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! knng.heatmap (struct ('X', magic (4), 'names', {{'a', 'b', 'c', 'd'}}, 'symbols', {{'a', 'b', 'c', 'S'}}), 1:4);
%! assert (all (ismember ({'a', 'S d'}, get (findobj (fig, 'type', 'text'), 'string'))));
%! paper = get (fig, 'paperposition');
%! assert ({paper(1:2), paper(3:4)}, {[0 0], get(fig, 'papersize')});
%! assert (paper(3), 7, 1e-12);
%! knng.scatter (magic (4)(:, 1:2));
%! assert (numel (findobj (fig, 'type', 'image')), 0);
%! assert (get (fig, 'paperposition')(3:4) < [8 6]);
%! names = arrayfun (@(i) sprintf ('cluster %d of a long name', i), 1:90, 'UniformOutput', false);
%! knng.heatmap (mod ((1:90)' * (1:5) * 0.618, 1), names);
%! at = findobj (fig, 'type', 'text');
%! at = at(ismember (get (at, 'string'), names));
%! assert (numel (at), 90);
%! y = sort (cellfun (@(p) p(2), get (at, 'position')));
%! high = get (fig, 'paperposition')(4) * 72 / diff (get (gca (), 'ylim'));
%! assert (min (diff (y)) * high > 8);                       # points, of letters of 7

%!test  # of many leaves the branches of few are pale, in either tree, and all are drawn
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! X = mod ((1:900)' .^ 2 * (1:5) .^ 1.5 * 0.618, 1);
%! for big = {X, X'}
%!   knng.heatmap (big{1});
%!   lines = findobj (fig, 'type', 'line');
%!   count = cellfun (@numel, get (lines, 'xdata'));
%!   shade = cellfun (@mean, get (lines, 'color'));
%!   assert ({count(shade > 0.5), max(count(shade < 0.5)) < 5 * 700}, {5 * 899, true});
%! end
%! knng.heatmap (X(1:400, :));
%! assert (max (cellfun (@mean, get (findobj (fig, 'type', 'line'), 'color'))), 0.3, 1e-12);

%!test  # rows and columns without a value are said, and how to leave them out
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! warning ('error', 'knng:data:nonFinite', 'local');
%! X = magic (6);
%! knng.heatmap (X, [1 1 1 2 2 2]);
%! fail ('knng.heatmap (NaN (5, 4))', '^no value of the 5 rows and 4 columns is shown');
%! Y = X;
%! Y([2 3], :) = NaN;
%! fail ('knng.heatmap (Y)', '^2 of 6 rows \(33.3 %\), the first of them 2, .* knng.filterrows');
%! fail ('knng.heatmap ([1 NaN NaN; magic(3)])', '^1 of 4 rows .* or one alone');
%! ds = struct ('X', X, 'classes', [1 1 1 2 2 2]);
%! ds.X(:, 3) = NaN;
%! fail ('knng.heatmap (ds)', '^1 of 6 columns .* as ds.classes\(3\) = \[\]; ds.X\(:, 3\) = \[\] does$');
%! warning ('off', 'knng:data:nonFinite', 'local');
%! h = knng.heatmap (NaN (3));
%! assert (unique (get (h, 'cdata')), 0.5);

%!test  # missing cells stand in the key, with their number and colour
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! X = magic (6);
%! key = @() findobj (fig, 'type', 'text', 'string', 'none, 2');
%! knng.heatmap (X);
%! assert (isempty (key ()) && isempty (findobj (fig, 'type', 'text', 'string', 'value')));
%! X([3 17]) = NaN;
%! for draw = {@() knng.heatmap(X), @() knng.clustergram(X)}
%!   h = draw{1} ();
%!   assert (numel (key ()), 1);
%!   assert (numel (findobj (fig, 'type', 'text', 'string', 'value')), 1);
%!   fields = findobj (fig, 'type', 'image');
%!   grey = cellfun (@(c) all (c(:) == 0.5), get (fields, 'cdata'));
%!   assert (sum (grey), 1);                                  # beside the text
%! end

%!test  # more classes than colours
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! knng.heatmap (mod ((1:6)' * (1:60) * 0.618, 1), [1 1 1 NaN NaN 1], 'Phenotypes', {'id', cellstr(num2str ((1:60)'))'});
%! assert (any (strcmp (get (findobj (fig, 'type', 'text'), 'string'), '21 others, 21')));
%! assert (any (strcmp (get (findobj (fig, 'type', 'text'), 'string'), '39 (1)')));

%!error <'Mark' names 201 rows: at most 200> knng.heatmap (mod ((1:300)' * (1:5) * 0.618, 1), [], 'Mark', 1:201)
%!error id=knng:args:name knng.heatmap (magic (3), 1:3, 'Mark', {'nobody'})
%!error id=knng:args:name knng.heatmap (magic (3), 1:3, 'Mark', 4)
%!error id=knng:args:option knng.heatmap (magic (3), 1:3, 'Mark', @sin)
%!error id=knng:args:labels knng.heatmap (magic (3), 1:3, 'Phenotypes', {'a', 1:2})
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
