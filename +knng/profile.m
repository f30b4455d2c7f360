function h = profile (ds, idx, varargin)
%KNNG.PROFILE  Draw a gene and its nearest neighbours over the samples.
%   knng.profile (ds, idx, name) draws into the current figure, in place of what
%   is there: a row of the data set as a bold line, its neighbours as thin ones
%   and their mean as a broad one, over the samples; beside it the list of
%   neighbours with Pearson's correlation r. The samples stand in groups by
%   their class, and within a class in the order of the row.
%   knng.profile (ds, idx, dist, name) draws the same.
%   knng.profile (ds, A, name) draws the same.
%   h = knng.profile (..., 'Name', value, ...) takes options, and returns the
%   handles of the lines: the row, the mean, then each neighbour; a column.
%
%     ds    as knng.read returns it: ds.X, n-by-d, ds.names, and ds.classes if
%           the samples have classes; or a matrix, whose rows have numbers
%     idx   n-by-k, from [idx, dist] = knngraph (ds.X, k, ...); or 1-by-k, the
%           neighbours of this row alone, from knng.knnsearch
%     name  the name of a row, exactly as in ds.names, or its number; or a gene
%           symbol or annotation, as in knng.neighbors: of several rows the
%           first, and a warning, knng:args:name, lists them
%
%   Options:
%
%     'K'            how many neighbours, default 20; fewer where there are
%                    fewer. Up to 24 are in the list. 'NumNeighbors' is the same
%     'Standardize'  draws each row less its mean, in units of its standard
%                    deviation, since the correlations know neither level nor
%                    scale; false draws the values themselves. Default true
%     'Labels'       n texts that stand in the list before the names of the
%                    rows, such as the symbols of genes; default ds.symbols
%                    where there are any, else {}, none
%
%   With 'Standardize' a neighbour with r < 0 ('abspearson' finds such) is drawn
%   upside down, dashed, and so enters the mean. Missing values leave gaps; r
%   is over the samples that both have, the mean over those that are there.
%
%   No screen is needed: without one the figure is invisible, in Octave drawn by
%   gnuplot where that is installed, and print makes a file of it.
%
%   Cost: O(n) to find the name, O(k*d); well below a second, and what print
%   takes.
%
%   Errors: knng:args:ds; knng:args:idx, :class; knng:args:k; knng:args:name (no
%   such row; the message lists similar names); knng:args:labels (the classes
%   are no labels); knng:args:option; knng:args:unknownOption; knng:args:count;
%   knng:toolbox:noGraphics (no gnuplot). Warnings: knng:data:noNeighbours (the
%   row has none, and why: it is constant, values are missing);
%   knng:toolbox:letters, as knng.scatter.
%
%   Example:
%     root = fileparts (which ('knngraph'));
%     ds = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
%     idx = knng.knnsearch (ds.X, ds.X(1, :), 'K', 21, 'Distance', 'pearson');
%     h = knng.profile (ds, idx, ds.names{1});
%     numel (h)                          % 22: the gene, the mean, 20 neighbours
%
%   See also knng.neighbors, knng.heatmap, knng.scatter, knng.read.

  if (nargin > 3 && ~issparse (idx) && isfloat (varargin{1}) && numel (idx) > 1 && isequal (size (varargin{1}), size (idx)))
    varargin(1) = [];                                        % dist
  end
  if (nargin < 3 || isempty (varargin))
    error ('knng:args:count', 'knng.profile needs a data set, a graph and a name, as in knng.profile (ds, idx, ''X95735_at''): see help knng.profile');
  end
  if (isfloat (ds))                                          % rows without names
    ds = struct ('X', ds);
  end
  ds = knng.internal.check_ds (ds);
  row = knng.internal.find_row (ds, varargin{1}, false);
  opt = knng.internal.options (struct ('K', 20, 'Standardize', true, 'Labels', {{}}), varargin(2:end));
  opt.K = knng.internal.check_neighbours ('''K''', opt.K);
  knng.internal.check_flag ('Standardize', opt.Standardize);
  knng.internal.check_texts (opt.Labels, size (ds.X, 1));
  if (isempty (opt.Labels))
    opt.Labels = regexprep (knng.internal.symbols_beside (ds), ' *///.*', ' ...'); % there is room for one
  end
  [near, found] = neighbours_of (row, ds.names, idx, double (opt.K));
  if (isempty (near))
    warning ('knng:data:noNeighbours', '''%s'' has no neighbours, and stands alone in the picture: %s', knng.internal.shown (ds.names{row}), ...
             knng.internal.why_none (ds.X, row, found));
  end
  [group, classes, none] = knng.internal.sample_groups (ds);
  [Z, r, down, order] = curves (ds.X, row, near, group, opt.Standardize);

  names = knng.internal.short_texts (reshape (ds.names(near), [], 1));
  labels = {};
  if (~isempty (opt.Labels))
    labels = knng.internal.short_texts (reshape (opt.Labels(near), [], 1));
    labels(strcmp (labels, names)) = {''};                   % one and the same stands there once
  end
  name = full_name (ds.names{row}, opt.Labels, row);
  page = lay_out (name, names, labels, group(order), classes, none, Z);

  [fig, back] = knng.internal.blank_figure ();               %#ok<ASGLU>
  knng.internal.paper (fig, page.size);
  at = @(left, wide) [left, page.low, wide, 3.74] ./ page.size([1 2 1 2]);
  list = knng.internal.fixed_axes (fig, at (page.left + page.wide + 0.12, page.list), [0 1], [0 1]);
  ax = axes ('parent', fig, 'position', at (page.left, page.wide));
  hold (ax, 'on');
  blue = [0.3 0.55 0.75];                                    % the mean
  shade = [];
  if (~isempty (classes))
    shade = knng.internal.group_colours (group(order), none);
  end
  drawn = draw_curves (ax, Z, down, group(order), shade, page, blue, opt.Standardize);
  write_titles (ax, page, name, numel (near), size (ds.X, 1), ~isempty (classes), opt.Standardize);
  draw_list (list, name, r, down, names, labels, page.names, blue);
  if (~isempty (page.key))
    key = knng.internal.fixed_axes (fig, [0 0 1 1], [0, page.size(1)], [0, page.size(2)], 'ydir', 'reverse');
    knng.internal.draw_key (key, page.key, @(x) page.left + x, @(y) page.size(2) - page.low + 0.6 + y);
  end
  knng.internal.whole_figure (fig, ax);
  if (nargout > 0)                                           % else it would print ans
    h = drawn;
  end
end

function [near, idx] = neighbours_of (row, names, idx, k)
% The first k neighbours of the row, a column, without the row itself; IDX as a matrix.
  n = numel (names);
  if (issparse (idx))
    graph = knng.internal.graph_arguments ('knng.profile (ds, GRAPH, ''X95735_at'')', {idx});
    idx = knng.internal.tables (graph);
  end
  if (~isnumeric (idx) || ~isreal (idx) || ndims (idx) ~= 2 || ~any (size (idx, 1) == [1 n]))
    error ('knng:args:idx', 'IDX is %s: it must have a row for each of the %d rows of DS.X, or be one row', ...
           knng.internal.given (idx), n);
  end
  near = double (idx(min (row, size (idx, 1)), :));
  near = near(1:find ([near == 0, true], 1) - 1);            % what comes after has no neighbours
  if (~knng.internal.whole (near, 1, n))
    error ('knng:args:idx', 'IDX has numbers in the row of ''%s'' that are no whole numbers from 1 to %d', ...
           knng.internal.shown (names{row}), n);
  end
  near = near(near ~= row);
  near = near(1:min (end, k))';
end

function page = lay_out (name, names, labels, group, classes, none, Z)
% In inches: size, of the page; left and wide, of the curves, Z, beside numbers and what they are; list, of the list, as wide as what stands in it; low, the height at which they
% begin; and where in the list the names stand, from 0 to 1. The names of classes stand above the curves, or, where one has no room
% there, in a key below them.
  widest = @(texts, points) max ([0; knng.internal.text_inches(texts, points)]);
  label = 0;
  if (~isempty (labels))
    label = max (0.67, 1.08 * widest (labels, 8.5) + 0.1);
  end
  ticks = arrayfun (@(v) sprintf ('%.3g', v), [-0.5; max(abs (Z(:)))], 'UniformOutput', false);
  page.left = 0.55 + widest (ticks, 9);
  page.wide = 5.59;
  page.list = max ([1.93, 1.08 * widest({name}, 8.5) + 0.3, label + widest(names, 7.5) + 0.35]);
  page.names = label / page.list;
  [page.classes, page.points, page.key, lines] = deal ({}, 10, [], 0);
  if (~isempty (classes))
    [page.classes, page.points] = knng.internal.class_texts (group, classes, page.wide);
    if (isempty (page.classes))
      shown = knng.internal.legend_order (classes(1:end - (none > 0)))';
      shown = [shown(ismember (shown, group)), none(any (group(:) == none))];
      texts = knng.internal.counted (reshape (classes(shown), 1, []), arrayfun (@(g) sum (group == g), shown), classes);
      key = struct ('name', 'class', 'texts', {texts}, 'shades', {num2cell(knng.internal.group_colours (shown, none), 2)'});
      [page.key, lines] = knng.internal.key_items (key, 5.71 + page.list);
    end
  end
  page.low = 0.6 + 0.18 * lines + 0.05 * (lines > 0);
  page.size = [page.left + page.wide + 0.25 + page.list, page.low + 4.2];
end

function [Z, r, down, order] = curves (X, row, near, group, standardize)
% The rows of Z are what is drawn, the row and then its neighbours, over the samples in the order ORDER. r are the
% neighbours' correlations with the row, over the samples that both have. Those that are upside down are marked in DOWN.
  value = double (X(row, :));
  [~, order] = sortrows ([group, value(:)]);
  X = double (X([row; near], order));
  Z = knng.internal.standard_rows (X);
  r = knng.internal.correlate (X(2:end, :), X(1, :));
  down = false (numel (near), 1);
  if (standardize)
    down = r < 0;
    Z([false; down], :) = -Z([false; down], :);
  else
    Z = X;
  end
  Z(abs (Z) > 1e30) = NaN;                                   % axes fail beyond about 1e38
end

function h = draw_curves (ax, Z, down, group, shade, page, blue, standardize)
% Lines behind all between the groups of samples and at the mean, then the neighbours, their mean in BLUE, the row, and
% above all the bar of classes in the colours SHADE. h as of knng.profile.
  [k, d] = deal (numel (down), size (Z, 2));
  low = min ([Z(:); 0]);
  high = max ([Z(:); low + 1e-6]);
  step = (high - low) / 20;
  for e = (find (diff (group)) + 0.5)'
    line ([e e], [low - step, high + step], 'parent', ax, 'color', [0.75 0.75 0.75], 'linewidth', 0.5);
  end
  if (standardize)
    line ([0.5, d + 0.5], [0 0], 'parent', ax, 'color', [0.85 0.85 0.85], 'linewidth', 0.5);
  end
  h = zeros (k + 2, 1);
  styles = {'-', '--'};
  for i = 1:k
    h(i + 2) = line (1:d, Z(i + 1, :), 'parent', ax, 'linestyle', styles{1 + down(i)}, 'color', [0.62 0.67 0.72], 'linewidth', 1);
  end
  h(2) = line (1:d, mean_known (Z(2:end, :)), 'parent', ax, 'linestyle', '-', 'color', blue, 'linewidth', 6);
  if (k == 0)
    set (h(2), 'visible', 'off');
  end
  h(1) = line (1:d, Z(1, :), 'parent', ax, 'linestyle', '-', 'marker', 'o', 'color', 'k', 'linewidth', 3, 'markersize', 4, ...
               'markerfacecolor', 'k');
  top = high + step;
  if (~isempty (shade))
    knng.internal.class_bar (ax, shade, [0.5, d + 0.5], [top, top + step]);
    first = [1; find(diff (group(:))) + 1; d + 1];
    for t = 1:numel (page.classes)
      colour = shade(first(t), :);
      text ((first(t) + first(t + 1)) / 2 - 0.5, top + 2.2 * step, page.classes{t}, 'parent', ax, 'horizontalalignment', 'center', ...
            'fontsize', page.points, 'fontweight', 'bold', 'interpreter', 'none', ...
            'color', colour * min (0.85, 0.5 / mean (colour)));     % pale ones darker
    end
    top = top + 3.2 * step;
  end
  set (ax, 'xlim', [0.5, d + 0.5], 'ylim', [low - step, top], 'box', 'off', 'layer', 'top', 'fontsize', 9, 'tickdir', 'out');
end

function m = mean_known (Z)
% Of each column, over what is there; NaN where nothing is.
  known = ~isnan (Z);
  Z(~known) = 0;
  m = sum (Z, 1) ./ sum (known, 1);
end

function name = full_name (name, labels, row)
% The name of the row, behind its label if it has one.
  name = knng.internal.shown (name);
  if (~isempty (labels) && ~isempty (labels{row}) && ~strcmp (labels{row}, name))
    name = [knng.internal.shown(labels{row}), ' (', name, ')'];
  end
end

function write_titles (ax, page, name, k, n, by_class, standardize)
% Both stand in the middle of the curves; a name that would begin left of the paper is cut: it stands whole in the list.
  room = 2 * (page.left + page.wide / 2 - 0.1);
  by = 'samples, by ';
  if (by_class)
    by = 'samples, by class, then by ';
  end
  [text, points] = fitting (@(t) [by, t], name, [10 9 8], room);
  xlabel (ax, text, 'fontsize', points, 'interpreter', 'none');
  if (standardize)
    ylabel (ax, 'standard deviations from the mean', 'fontsize', 10);
  else
    ylabel (ax, 'value', 'fontsize', 10);
  end
  [text, points] = fitting (@(t) sprintf ('%s and its %d nearest of %d', t, k, n), name, [12 10 9], room / 1.08);
  title (ax, text, 'fontsize', points, 'fontweight', 'bold', 'interpreter', 'none');
end

function [text, points] = fitting (say, name, sizes, room)
% The first of the sizes in which what is said of the name has room; with the last the name is cut.
  for points = sizes
    text = say (name);
    if (knng.internal.text_inches ({text}, points) <= room)
      return
    end
  end
  for most = numel (name):-1:4
    text = say (knng.internal.cut_text (name, most));
    if (knng.internal.text_inches ({text}, points) <= room)
      return
    end
  end
end

function draw_list (list, name, r, down, names, labels, names_at, blue)
% The key of the bold and the broad line, then the neighbours with their correlations.
  k = numel (names);
  lines = min (max (k, 12), 24);
  set (list, 'ylim', [0 lines + 3]);
  y = lines + 2.6;
  style = {'parent', list, 'fontsize', 8.5, 'interpreter', 'none'};
  line ([0 0.09], [y y], 'parent', list, 'color', 'k', 'linewidth', 3);
  text (0.12, y, name, style{:}, 'fontweight', 'bold');
  if (k > 0)
    line ([0 0.09], [y y] - 1, 'parent', list, 'color', blue, 'linewidth', 6);
    text (0.12, y - 1, 'mean of its neighbours', style{:}, 'color', 0.8 * blue);
    text (1, y - 2.1, 'r', style{:}, 'horizontalalignment', 'right', 'fontangle', 'italic');
  end
  if (any (down))
    text (0, y - 2.1, 'dashed: r < 0, upside down', style{:}, 'color', [0.4 0.4 0.4]);
  end
  listed = k - (k > lines) * (k - lines + 1);
  if (listed < k)
    text (0, 0.5, sprintf ('and %d more', k - listed), style{:}, 'fontsize', 8, 'color', [0.35 0.35 0.35]);
  end
  at = 1:listed;
  y = lines + 0.5 - at;
  if (~isempty (labels))
    knng.internal.write_texts (list, 0, y, labels(at), 'fontsize', 8.5, 'fontweight', 'bold');
  end
  knng.internal.write_texts (list, names_at, y, names(at), 'fontsize', 7.5, 'color', [0.35 0.35 0.35]);
  said = arrayfun (@(v) sprintf ('%.2f', v), r(at), 'UniformOutput', false);
  knng.internal.write_texts (list, 1, y, said, 'fontsize', 8, 'horizontalalignment', 'right');
end

%!shared ds
%! ds = struct ('X', [1 2 3 4 5 6; 2 1 4 3 6 5; 6 5 4 3 2 1; 5 5 5 5 5 5; 1 NaN 2 0 3 1; 0 0 0 1 1 1]);
%! ds.names = {'A', 'B', 'C', 'D', 'E', 'F'};
%! ds.classes = {'y', 'x', 'x', 'y', '', 'x'};

%!test  # the example of the help text
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! root = fileparts (which ('knngraph'));
%! gs = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
%! idx = knng.knnsearch (gs.X, gs.X(1, :), 'K', 21, 'Distance', 'pearson');
%! h = knng.profile (gs, idx, gs.names{1});
%! assert (numel (h), 22);

%!test  # what is drawn: by class, missing last, then by the row; upside down where r < 0; the mean of these
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! h = knng.profile (ds, repmat ([0 0], 6, 1) + [2 3], 'A', 'Labels', {'a', 'b_1', '', 'd', 'e', 'f'});
%! order = [2 3 6 1 4 5];
%! z = @(i) (ds.X(i, order) - 3.5) / std (ds.X(i, :));
%! assert (get (h(1), 'ydata'), z(1), 1e-12);
%! assert (get (h(3), 'ydata'), z(2), 1e-12);
%! assert (get (h(4), 'ydata'), -z(3), 1e-12);
%! assert (get (h(4), 'linestyle'), '--');
%! assert (get (h(2), 'ydata'), (z(2) - z(3)) / 2, 1e-12);
%! texts = get (findobj (fig, 'type', 'text'), 'string');
%! assert (all (ismember ({'x, 3', 'y, 2', 'none, 1', 'B', 'b_1', 'C', '-1.00', '0.83'}, texts)));
%! h = knng.profile (ds, int32 ([1 3 0 7]), 1, 'standardize', false, 'K', 1);     # itself is left out
%! assert (numel (h), 3);
%! assert (get (h(3), 'ydata'), ds.X(3, order));

%!test  # of classes that are numbers the counts are no decimals
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! knng.profile (setfield (ds, 'classes', [0 0 1 0 NaN 1]), [2 3], 1);
%! assert (all (ismember ({'0 (3)', '1 (2)', 'none (1)'}, get (findobj (fig, 'type', 'text'), 'string'))));

%!test  # rows without neighbours, constant, with gaps; no classes; one sample
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! warning ('on', 'knng:data:noNeighbours', 'local');
%! lastwarn ('');
%! knng.profile (ds, [2 3], 1);
%! assert (lastwarn (), '');
%! evalc ('n = numel (knng.profile (ds, zeros (6, 2), ''D''));');
%! [said, id] = lastwarn ();
%! assert ({n, id}, {2, 'knng:data:noNeighbours'});
%! assert (said, '''D'' has no neighbours, and stands alone in the picture: it is constant, which leaves no distance with the correlations');
%! evalc ('knng.profile (ds, [0 0], ''E'');');
%! assert (any (strfind (lastwarn (), '1 of its 6 values are missing')));
%! h = knng.profile (rmfield (ds, 'classes'), [5 1 2], 4);
%! assert (sum (isnan (get (h(3), 'ydata'))), 1);
%! r = corr (ds.X(5, [1 3:6])', ds.X(1, [1 3:6])');           # over the samples that both have
%! h = knng.profile (rmfield (ds, 'classes'), [5 2], 1);
%! assert (any (strcmp (get (findobj (fig, 'type', 'text'), 'string'), sprintf ('%.2f', r))));
%! assert (~any (isnan (get (h(2), 'ydata'))));
%! assert (numel (knng.profile (struct ('X', [1; 2; 3]), [2; 1; 1], 3)), 3);

%!test  # symbols: found by them, and beside the names
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! es = setfield (ds, 'symbols', {'sA'; 'sB'; 'sC /// sX'; ''; ''; ''});
%! h = knng.profile (es, [3 0], 'sB');
%! texts = get (findobj (fig, 'type', 'text'), 'string');
%! assert (all (ismember ({'sB (B)', 'sC ...', 'C'}, texts)));

%!test  # names of classes without room stand below; the list is as wide as its names; what is one and the same stands there once
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! es = ds;
%! long = 'a class whose name is far too long for three of six samples';
%! es.classes = {'y', long, long, 'y', '', long};
%! es.names{2} = repmat ('long name ', 1, 5);
%! es.symbols = es.names;
%! es.symbols{3} = 'sC';
%! knng.profile (ds, [2 3], 1);
%! paper = get (fig, 'paperposition');
%! assert (paper, [0, 0, get(fig, 'papersize')]);
%! knng.profile (es, [2 3], 1);
%! page = get (fig, 'paperposition');
%! assert (page(3) > paper(3) + 0.5 && page(4) > paper(4));
%! texts = get (findobj (fig, 'type', 'text'), 'string');
%! assert (all (ismember ({'class', [long ', 3'], 'y, 2', 'none, 1', 'sC', es.names{2}}, texts)));
%! assert (sum (strcmp (texts, es.names{2})), 1);
%! knng.scatter ([1 2; 3 4]);                                # what is drawn next takes the place of all
%! assert (numel (findobj (fig, 'type', 'axes')), 1);

%!error id=knng:args:count knng.profile (ds, [1 2])
%!error id=knng:args:ds knng.profile ('text', [1 2], 1)
%!error id=knng:args:idx knng.profile (ds, ones (2, 2), 1)
%!error id=knng:args:idx knng.profile (ds, [2 9], 1)
%!error id=knng:args:idx knng.profile (ds, {1}, 1)
%!error id=knng:args:class knng.profile (ds, sparse (6, 5), 1)
%!error <did you mean> knng.profile (ds, [2 3], 'a')
%!error id=knng:args:k knng.profile (ds, [2 3], 1, 'K', 0)
%!error id=knng:args:option knng.profile (ds, [2 3], 1, 'Labels', {'a'})
%!error id=knng:args:option knng.profile (ds, [2 3], 1, 'Standardize', 'yes')
%!error id=knng:args:unknownOption knng.profile (ds, [2 3], 1, 'Lable', {})
%!error id=knng:args:labels knng.profile (setfield (ds, 'classes', {1, 2, 3, 4, 5, 6}), [2 3], 1)
