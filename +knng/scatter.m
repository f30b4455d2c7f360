function h = scatter (Y, labels, varargin)
%KNNG.SCATTER  Draw points in the colours of their groups or values.
%   knng.scatter (Y) draws the n rows of the n-by-2 or n-by-3 matrix Y as points
%   into the current axes, in place of what is there.
%   knng.scatter (Y, labels) colours them.
%   knng.scatter (Y, labels, 'Title', text) says what the colours are.
%   knng.scatter (Y, 'Name', value, ...) takes labels as 'Groups'.
%   h = knng.scatter (...) returns the handles of the points, a column: one for
%   each group, in the order of the legend ('none', texts by the alphabet, but
%   numbers inside them by value, numbers ascending, noise; of more than 40
%   groups the largest, then the others, then noise); one for each of at most 32
%   steps of values.
%
%   Options:
%
%     'Groups'  the labels, as of knng.plot: whole numbers are groups, however
%               many there are; default: those that come second, if any
%     'Title'   a text that stands beside the colour bar of values, or above the
%               picture of groups; default '', and 'value' beside a colour bar
%     'Legend'  false leaves out the list of groups, and 'none' beside values;
%               default true
%     'Equal'   of two columns: true draws them to one scale, so that distances
%               are as in Y; false fills the axes; 'auto' takes one scale where
%               neither reaches more than four times as far as the other, as in
%               maps by knng.umap, knng.tsne or knng.pca. Give false where x and
%               y are different things; default 'auto'
%     'Limits'  [low high], the values of the first and the last colour; default
%               [], see below
%     'Colormap'
%               colours of values, as in knng.clustergram: a row [red, green,
%               blue] each, a function or the name of a colour map, such as
%               'hsv' for angles; numbers then are values, never groups;
%               default: from blue to yellow
%
%   Labels that are texts (a cell of n), logicals, whole numbers of at most 40
%   kinds, numbers of clusters (1 to K, with three points each or more, on
%   average) or up to 8 different numbers are groups, each with a line in the
%   legend and a colour, by its place among the sorted names of all: so a class
%   has the same colour here, in knng.plot and in knng.profile. The colour-blind
%   can tell the first eight colours apart; after these the shapes of the points
%   change, too. Of more than 40 groups the 39 largest have colours. Points with
%   a label NaN or '' are light grey, below the others ('none'), and so are
%   those of the groups without a colour, which the legend counts ('21 others').
%   The noise of knng.dbscan, knng.hdbscan and knng.optics, -1 beside numbers of
%   clusters, is no group: grey, below all others, and the last in the legend,
%   which counts its points ('noise (12)'). Beside one other number -1 may be a
%   class, and is a group.
%
%   Groups are drawn in turns, some of the points of each, always the same ones,
%   so that none hides the others. The handle of a group is of all its points:
%   what is set of it changes these, wherever they are drawn.
%
%   Other numbers are values, from dark blue (the smallest) over grey to yellow,
%   with a colour bar. Points of all values are drawn in turns, but where few
%   have the colours of the upper half, or the lower one, these are drawn last.
%   The function colormap changes the bar alone: give 'Colormap'. Few values far
%   from all others have the last colour: the bar ends at the 98th (or the 2nd)
%   of 100 values where the largest (the smallest) is farther from it than these
%   two are from each other, and says so, '>= 4.31'. Values that are all above
%   0, half of them so small that they would share one colour, have colours by
%   their logarithms: the numbers beside the bar then are powers. With 'Limits'
%   the colours are between these. Points without a value are light grey, 'none'
%   below the axis.
%
%   Names of groups stand whole in the legend, up to 60 characters; longer ones
%   are cut so that they still differ. Where they are long the paper gets wider,
%   so that the points keep their room. In a window, beside other axes, or on
%   paper of your own size the legend then stands below, or cuts them. It goes
%   when other points are drawn into the axes.
%
%   Where a column of Y reaches less far than 1e-6, which gnuplot does not show,
%   it is drawn in a unit that the name of its axis tells, such as (1e-9). Where
%   it reaches less far than 1e-4 of its largest number, Octave draws it less a
%   round number, and the name tells that, too: 'dimension 1 - 1000 (1e-9)'.
%   So it is beside the colour bar of values: 'value - 273.15'.
%
%   Rows of Y with NaN, Inf or more than 1e30, as those that knng.diffusionmap
%   leaves out, are not drawn. No screen is needed: without one the figure is
%   invisible, in Octave drawn by gnuplot where that is installed, and print
%   makes a file of it. Where Octave lacks its font, one is put into the folder
%   tempdir. The paper of print is as large as the window. For other numbers of
%   pixels give print a resolution, as '-r100': '-S' stretches the picture, but
%   leaves the letters as they are, so that names may overlap or be cut.
%
%   Names and titles are shown as they are, whatever is in them. Octave's own
%   title, text and legend do less with gnuplot: a name from a file that others
%   have made can run a command there, by backquotes for instance. With
%   gnuplot print ('-dpng') and print ('-dpdf') leave out letters that Western
%   Europe does not use (those beyond ISO 8859-1, such as Greek ones); a warning
%   says so, and print ('-dsvg', file) keeps them.
%
%   Cost: about a second for n = 20 000, and what print takes.
%
%   Errors: knng:args:class (Y is no real matrix of 2 or 3 columns);
%   knng:args:labels (not one for each row);
%   knng:args:option, :unknownOption, :count; knng:toolbox:noGraphics (no
%   gnuplot). Warnings: knng:toolbox:letters.
%
%   Example:
%     X = [mod((1:60)' * [0.37 0.71], 1); 2 + mod((1:40)' * [0.37 0.71], 1)];
%     h = knng.scatter (X, [repmat({'early'}, 60, 1); repmat({'late'}, 40, 1)]);
%     numel (h)                                      % 2
%
%   See also knng.diffusionmap, knng.demo.

  if (nargin < 1)
    error ('knng:args:count', 'knng.scatter needs points, as in knng.scatter (Y) or knng.scatter (Y, labels): see help knng.scatter');
  end
  if (~isnumeric (Y) || ~isreal (Y) || ndims (Y) ~= 2 || ~any (size (Y, 2) == [2 3]))
    error ('knng:args:class', 'Y is a %d-by-%d %s: it must be a real matrix of 2 or 3 columns, such as Y(:, 1:2)', ...
           size (Y, 1), size (Y, 2), class (Y));
  end
  n = size (Y, 1);
  coloured = nargin > 1;
  opt = struct ('Groups', [], 'Title', '', 'Legend', true, 'Equal', 'auto', 'Limits', [], 'Colormap', []);
  if (coloured && ischar (labels) && ndims (labels) == 2 && size (labels, 1) == 1 ...
      && (mod (nargin, 2) == 1 || ~isempty (knng.internal.option_name (opt, labels))))
    varargin = [{labels}, varargin];                         % a name and its value, and others
    coloured = false;
  end
  [opt, given] = knng.internal.options (opt, varargin);
  by_name = any (strcmp (given(1:2:end), 'Groups')) && ~(isnumeric (opt.Groups) && isempty (opt.Groups));
  if (by_name && (numel (opt.Groups) ~= n || ~knng.internal.is_labels (opt.Groups)))
    error ('knng:args:labels', '''Groups'' is %s: there must be %d numbers or texts, one for each row of Y', knng.internal.given (opt.Groups), n);
  elseif (by_name && coloured)
    error ('knng:args:option', 'labels stand behind Y, and ''Groups'' gives others: leave out one of them');
  elseif (by_name)
    labels = opt.Groups;
    coloured = true;
  elseif (~coloured)
    labels = ones (n, 1);
  end
  knng.internal.check_title (opt.Title);
  knng.internal.check_flag ('Legend', opt.Legend);
  if (numel (labels) ~= n || ~knng.internal.is_labels (labels))
    error ('knng:args:labels', 'the labels are a %d-by-%d %s: there must be %d of them, numbers or a cell of texts, one for each row of Y', ...
           size (labels, 1), size (labels, 2), class (labels), n);
  end
  if (~knng.internal.is_one_of (opt.Equal, {'auto'}))
    knng.internal.check_flag ('Equal', opt.Equal);
  end
  limits = check_limits (opt.Limits);
  colours = knng.internal.colour_map (opt.Colormap, [], 'from blue to yellow');
  drawn = knng.internal.coloured_points (Y, labels, opt.Title, opt.Legend && coloured, by_name, limits, colours);
  if (size (Y, 2) == 2 && ~isempty (drawn) && ((ischar (opt.Equal) && is_map (Y)) || isequal (opt.Equal, true)))
    knng.internal.one_scale (get (drawn(1), 'parent'), 0.04);
  end
  if (nargout > 0)                                           % else it would print ans
    h = drawn;
  end
end

function yes = is_map (Y)
% Whether x and y may be of one kind: neither reaches more than four times as far as the other.
  Y = full (double (Y(all (abs (double (Y)) < 1e30, 2), :)));
  reach = max (Y, [], 1) / 2 - min (Y, [], 1) / 2;
  yes = ~isempty (Y) && min (reach) > 0 && max (reach) <= 4 * min (reach);
end

function limits = check_limits (limits)
  if (isnumeric (limits) && isempty (limits))
    limits = [];
  elseif (~isnumeric (limits) || ~isreal (limits) || numel (limits) ~= 2 || ~all (abs (limits(:)) < 1e30) || ~(limits(1) < limits(2)))
    shown = knng.internal.given (limits);
    if (isnumeric (limits) && isreal (limits) && numel (limits) == 2)
      shown = mat2str (double (full (limits(:)')), 6);
    end
    error ('knng:args:option', '''Limits'' is %s: it must be two numbers, [low high], the first below the second, or []', shown);
  end
  limits = double (full (limits(:)'));
end

%!test <*1>
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! X = [mod((1:60)' * [0.37 0.71], 1); 2 + mod((1:40)' * [0.37 0.71], 1)];
%! h = knng.scatter (X, [repmat({'late'}, 60, 1); repmat({'early'}, 40, 1)]);
%! assert (numel (h), 2);
%! assert ([get(h(1), 'xdata')(:), get(h(1), 'ydata')(:)], X(61:100, :));
%! assert ([get(h(2), 'xdata')(:), get(h(2), 'ydata')(:)], X(1:60, :));
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), {'late'; 'early'});

%!test  # groups of numbers, colours and shapes all different; NaN
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! Y = (1:50)' * [1 2 3];
%! h = knng.scatter (Y, [NaN 1:39, 1:10]);
%! assert (numel (h), 40);
%! assert (get (h(1), 'zdata'), 3);
%! assert ([get(gca (), 'xtick')(1), get(gca (), 'ytick')(end), get(gca (), 'ztick')(1)] != [xlim()(1), ylim()(2), zlim()(1)]);
%! assert (strtrim ({get(get (gca (), 'xlabel'), 'string'), get(get (gca (), 'ylabel'), 'string')}), {'dimension 1', 'dimension 2'});
%! assert (get (h(6), 'xdata')(:), [6; 45]);
%! looks = arrayfun (@(g) [mat2str(get (g, 'color')), get(g, 'marker')], h, 'UniformOutput', false);
%! assert (numel (unique (looks)), 40);
%! Y(3, 2) = NaN;
%! h = knng.scatter (Y);                                     # in place of the others
%! assert (get (h, 'ydata')(:), Y([1 2 4:50], 2));
%! assert (numel (findobj (gca (), 'type', 'line')), 1);

%!test  # noise is grey, the last, and no group
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! h = knng.scatter ((1:7)' * [1 2], int8 ([2 -1 1 2 -1 1 -1]));
%! assert (get (h(3), 'xdata')(:), [2; 5; 7]);
%! assert (diff (get (h(3), 'color')), [0 0]);
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), {'noise (3)'; '2'; '1'});
%! h = knng.scatter ((1:8)' * [1 2], [2 -1 1 2 -1 1 -1 NaN]);
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), {'noise (3)'; '2'; '1'; 'none'});
%! h = knng.scatter ((1:5)' * [1 2], [-1 1 1 -1 1]);                    # two classes
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), {'1'; '-1'});
%! h = knng.scatter ((1:124)' * [1 2], [-1, repmat(1:41, 1, 3)]);       # two of the 41 clusters have no colour
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string')([1 2 end]), {'noise (1)'; '2 others'; '1'});
%! assert (numel (h), 41);

%!test  # of more than 40 groups the 39 largest, and the others in grey: texts, and clusters
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! h = knng.scatter ((1:92)' * [1 2], [cellstr(num2str ([1:41, 1:41]')); repmat({'99'}, 10, 1)]);
%! assert (numel (h), 40);
%! assert (numel (get (h(40), 'xdata')), 2 * 3);
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string')([1 end]), {'3 others'; '99'});
%! h = knng.scatter ((1:123)' * [1 2], repmat (1:41, 1, 3));
%! assert (numel (h), 40);

%!test  # values, from blue to yellow
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! h = knng.scatter (single ((1:1000)' * [1 1]), (1:1000)' / 7);
%! assert (numel (h), 32);
%! assert (get (h(1), 'xdata')(1), 1);
%! assert (get (h(32), 'xdata')(end), 1000);
%! colour = get (h(1), 'color');
%! assert (colour(3) > colour(1));
%! assert (caxis (), [1 1000] / 7, 1e-12);
%! assert (isempty (knng.scatter (zeros (0, 2))));

%!test  # no group hides the others: in the order of painting the last quarter has points of each, by no generator of random numbers
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! Y = mod ((1:900)' * [0.37 0.71], 1);
%! rand ('twister', 1);
%! state = rand ('twister');
%! h = knng.scatter (Y, 1 + mod ((1:900)', 3));
%! assert (rand ('twister'), state);
%! assert (numel (get (h(2), 'xdata')), 300);
%! painted = flipud (findall (gca (), 'type', 'line'));       # the first is the lowest
%! count = cellfun (@numel, get (painted, 'xdata'));
%! last = cumsum (count) > 0.75 * sum (count);
%! colours = cell2mat (get (painted(last), 'color'));
%! points = arrayfun (@(g) sum (count(last)(all (colours == get (h(g), 'color'), 2))), 1:3);
%! assert (min (points) > 0.7 * max (points));
%! for l = painted'                                           # each draws points of its group
%!   g = find (arrayfun (@(g) isequal (get (g, 'color'), get (l, 'color')), h));
%!   assert (all (ismember ([get(l, 'xdata')(:), get(l, 'ydata')(:)], Y(1 + mod (1:900, 3) == g, :), 'rows')));
%! end
%! assert (numel (findobj (gca (), 'type', 'line')), 3);
%! set (h(2), 'color', [0 0 0], 'visible', 'off');
%! assert (sum (strcmp (get (painted, 'visible'), 'off')), sum (all (cell2mat (get (painted, 'color')) == 0, 2)));
%! assert (sum (strcmp (get (painted, 'visible'), 'off')) > 3);
%! delete (h(1));
%! assert (isempty (findall (fig, 'tag', 'knng_key')));
%! assert (all (strcmp (get (findall (gca (), 'type', 'line', 'color', [0 0 0]), 'visible'), 'off')));
%! assert (numel (findall (gca (), 'type', 'line')) < numel (painted));
%! knng.scatter (Y);
%! assert (numel (findall (gca (), 'type', 'line')), 1);

%!function ratio = apart ()
%! inches = knng.internal.axes_inches (gca ());
%! ratio = abs (diff (xlim ()) / inches(3) / (diff (ylim ()) / inches(4)) - 1);
%!endfunction
%!test  # one scale for maps, whatever else has room beside them, and not for different things
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! Y = mod ((1:100)' * [0.37 0.71], 1) * diag ([10 30]);
%! inside = @() all (min (Y) > [xlim()(1), ylim()(1)] & max (Y) < [xlim()(2), ylim()(2)]);
%! for labels = {mod(1:100, 3), Y(:, 1)', repmat({'a long name of a group', 'b'}, 1, 50)}
%!   knng.scatter (Y, labels{1}, 'Title', 'what');
%!   assert (apart () < 1e-6);
%!   assert (get (gca (), 'dataaspectratio')(1:2), [1 1]);
%!   assert (inside ());
%! end
%! knng.scatter (Y, 'Equal', false);
%! assert (strcmp (get (gca (), 'dataaspectratiomode'), 'auto'));
%! knng.scatter (Y * diag ([1 1000]));                       # age and income
%! assert (strcmp (get (gca (), 'dataaspectratiomode'), 'auto'));
%! knng.scatter (Y * diag ([1 3]), 'Equal', true);
%! assert (apart () < 1e-6);
%! hold ('on');
%! knng.scatter (Y + 100);                                   # the first points stay in sight
%! assert (ylim ()(1) < 0 && ylim ()(2) > 130);
%! hold ('off');
%! knng.scatter ([1 2; 1 2]);                                # one place
%! knng.scatter (zeros (0, 2));
%! knng.scatter ([Y, Y(:, 1)]);
%! assert (strcmp (get (gca (), 'dataaspectratiomode'), 'auto'));

%!test  # few values far away have the last colour, which the bar says; missing ones are in a key
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! Y = mod ((1:200)' * [0.37 0.71], 1);
%! v = (1:200)' / 7;
%! has = @(t) any (strcmp (t, get (findall (fig, 'type', 'text'), 'string')));
%! knng.scatter (Y, v);
%! assert ({caxis(), has('none')}, {v([1 200])', false});
%! v(200) = 1e4;
%! v([3 5]) = NaN;
%! h = knng.scatter (Y, v);
%! known = sort (v(~isnan (v)));
%! assert (caxis (), known([1, ceil(0.98 * 198)])');
%! assert (numel (h), 33);                                   # 32 steps and what is missing
%! assert ([get(h(1), 'xdata')(:), get(h(1), 'ydata')(:)], Y([3 5], :));
%! assert (has (sprintf ('>= %.3g', known(ceil (0.98 * 198)))));
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), 'none');
%! knng.scatter (Y, -v, 'Legend', false);
%! assert ({has(sprintf ('<= %.3g', -known(ceil (0.98 * 198)))), has('none')}, {true, false});
%! knng.scatter (Y, v, 'Limits', [0 10]);
%! assert ({caxis(), has('>= 10')}, {[0 10], true});
%! w = exp (5 * sqrt (2) * erfinv (2 * mod ((1:200)' * 0.618, 1) - 1));      # numbers of each size
%! h = knng.scatter (Y, w);
%! assert (numel (h) > 20);
%! assert (max (cellfun (@numel, get (h, 'xdata'))) < 40);
%! place = get (gca (), 'position');
%! for i = 1:3
%!   knng.scatter (Y, v);
%! end
%! knng.scatter (Y);                                         # and all is gone
%! assert (get (gca (), 'position'), get (0, 'defaultaxesposition'), 1e-6);
%! assert (isempty (findall (fig, 'tag', 'knng_key')));
%!test  # the colours; the order of painting; numbers that axes cannot show
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! Y = mod ((1:200)' * [0.37 0.71], 1);
%! v = mod ((1:200)' * 0.618, 1);
%! hidden = @() numel (findall (fig, 'type', 'line', 'handlevisibility', 'off'));
%! h = knng.scatter (Y, v, 'Colormap', 'hsv');
%! assert ({numel(h), get(h(1), 'color'), get(h(64), 'color'), get(gca (), 'colormap')}, {64, hsv(64)(1, :), hsv(64)(64, :), hsv(64)});
%! assert (hidden () > 32);                                  # in turns
%! h = knng.scatter (Y, 10 * mod (1:200, 36), 'Colormap', 'hsv');
%! assert ({numel(h), caxis(), get(h(1), 'color')}, {36, [0 350], hsv(64)(1, :)});
%! h = knng.scatter (Y, 'Groups', mod (1:200, 3) - 1, 'Colormap', [0 0 1; 0 1 0; 1 0 0]);
%! assert (get (h, 'color'), {[0 0 1]; [0 1 0]; [1 0 0]});
%! h = knng.scatter (Y, mod (1:200, 3) > 0, 'Colormap', 'hsv');          # groups
%! assert (numel (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text')), 2);
%! assert (numel (knng.scatter (Y, 'Colormap', 'hsv')), 1);
%! first = @(h) find (get (gca (), 'children') == h);
%! h = knng.scatter (Y, v .^ 4, 'Colormap', [0 0 1; 1 0 0]);
%! assert ({numel(h), hidden()}, {2, 0});
%! assert (first (h(2)) < first (h(1)));                     # children are listed from above
%! h = knng.scatter (Y, -v .^ 4, 'Colormap', [0 0 1; 1 0 0]);
%! assert (first (h(1)) < first (h(2)));
%! shown = @() get (findobj (fig, 'tag', 'colorbar'), 'yticklabel');
%! name = @() get (get (findobj (fig, 'tag', 'colorbar'), 'ylabel'), 'string');
%! for far = {0, 1e-9, 'value', 2e-10; 300, 1e-6, 'value - 300', 2e-7; 1e9, 1, 'value - 1000000000', 0.2; -1, 1e-12, 'value + 1', 2e-13}'
%!   h = knng.scatter (Y, far{1} + far{2} * v);
%!   assert ({numel(h), caxis(), name()}, {32, [0 1], far{3}});
%!   assert (str2double (shown ())(:), far{4} * (round (str2double (shown (){1}) / far{4}) + (0:numel (shown ()) - 1)'), 1e-9 * far{2});
%!   assert (numel (shown ()) > 3 && all (cellfun (@numel, shown ()) <= 7));
%!   assert (all (str2double (shown ()) / far{2} > -0.01 & str2double (shown ()) / far{2} < 1));
%!   assert (numel (unique (cellfun (@numel, get (h, 'xdata')))) < 6);
%! end
%! knng.scatter (Y, 273.15 + 1e-3 * [v(1:198); 100; 200], 'Title', 'T');
%! assert (name (), 'T - 273.15');
%! last = 1e-3 * sort (v(1:198))(196);
%! above = get (get (findobj (fig, 'tag', 'colorbar'), 'title'), 'string');
%! assert (above(1:3), '>= ');
%! assert (str2double (above(4:end)), last, 1e-6);
%! knng.scatter (Y, 5 + 1e-6 * v .^ 9);                      # no logarithms, which are alike
%! assert ({name(), numel(shown ()) > 3}, {'value - 5', true});
%! knng.scatter (Y, 1000 + v);                               # axes can show these
%! assert ({name(), caxis()}, {'value', 1000 + [min(v), max(v)]});
%! h = knng.scatter (1e-9 * Y);
%! if (strcmp (graphics_toolkit (fig), 'gnuplot'))
%!   assert (get (get (gca (), 'xlabel'), 'string'), 'dimension 1 (1e-10)');
%!   assert (get (h, 'xdata')(:), 10 * Y(:, 1), 1e-9);
%! end
%!test  # axes of columns far from 0; what is added stands beside what is there
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! Y = mod ((1:200)' * [0.37 0.71], 1);
%! names = @() {get(get (gca (), 'xlabel'), 'string'), get(get (gca (), 'ylabel'), 'string')};
%! h = knng.scatter ([1e9 + 3 * Y(:, 1), Y(:, 2) - 1e9]);
%! assert (names (), {'dimension 1 - 1000000000', 'dimension 2 + 1000000000'});
%! assert (get (h, 'xdata')(:), 3 * Y(:, 1), 1e-6);
%! assert (get (h, 'ydata')(:), Y(:, 2), 1e-6);
%! hold ('on');
%! h = knng.scatter ([1e9 + 300000 * Y(:, 1), Y(:, 2)]);
%! assert (names (), {'dimension 1 - 1000000000', 'dimension 2 + 1000000000'});
%! assert (get (h, 'xdata')(:), 300000 * Y(:, 1), 1e-6);
%! hold ('off');
%! h = knng.scatter (1 + 5e-12 * Y);
%! if (strcmp (graphics_toolkit (fig), 'gnuplot'))
%!   assert (names (), {'dimension 1 - 1 (1e-12)', 'dimension 2 - 1 (1e-12)'});
%!   assert (get (h, 'xdata')(:), 5 * Y(:, 1), 1e-3);
%! end
%! knng.scatter (1000 + Y);
%! assert (names (), {'dimension 1', 'dimension 2'});
%!error <'Colormap' is 'pwd', and there is no colour map .* from blue to yellow> knng.scatter (ones (3, 2), 1:3, 'Colormap', 'pwd')
%!error <'Limits' is \[2 1\]: it must be two numbers, \[low high\], the first below> knng.scatter (ones (3, 2), 1:3, 'Limits', [2 1])
%!error <'Limits' is \[NaN 1\]: it must be two numbers> knng.scatter (ones (3, 2), 1:3, 'Limits', [NaN 1])
%!error <'Limits' is .*: it must be two numbers> knng.scatter (ones (3, 2), 1:3, 'Limits', 'a')
%!error id=knng:args:option knng.scatter (ones (3, 2), 'Equal', 'yes')

%!test  # the legend has numbers inside texts by value, colours by the alphabet
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! h = knng.scatter ((1:12)' * [1 2], arrayfun (@(g) sprintf ('group %d', g), [1:11, 1], 'UniformOutput', false));
%! texts = flipud (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'));
%! assert (texts, arrayfun (@(g) sprintf ('group %d', g), (1:11)', 'UniformOutput', false));
%! assert (cell2mat (get (h([1 10 11 2]), 'color')), knng.internal.group_colours (1:4, 0));

%!test  # what the colours are; the legend holds long names whole, and leaves the points their room
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! Y = [mod((1:60)' * 0.37, 1), (1:60)'];
%! long = repmat ('long name ', 1, 5);
%! names = repmat ({'b'; long; 'c'}, 20, 1);
%! knng.scatter (Y, Y(:, 1), 'title', 'level of CD_3');
%! assert (any (strcmp (get (findall (fig, 'type', 'text'), 'string'), 'level of CD_3')));
%! knng.scatter (Y, Y(:, 1));
%! assert (any (strcmp (get (findall (fig, 'type', 'text'), 'string'), 'value')));
%! paper = get (fig, 'paperposition');
%! knng.scatter (Y, names, 'Title', 'kind');
%! assert (get (get (gca (), 'title'), 'string'), 'kind');
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), {long; 'c'; 'b'});
%! page = get (fig, 'paperposition');
%! place = get (gca (), 'position');
%! assert ({page(3) > paper(3) + 2, get(fig, 'papersize')}, {true, page(3:4)});
%! assert (place(3) * page(3), 0.775 * paper(3), 1e-9);
%! knng.scatter (Y, names(repmat ([1; 3], 30, 1)));          # and the paper shrinks again
%! assert (get (fig, 'paperposition'), paper, 1e-12);
%! set (fig, 'paperposition', [1 2 3 4]);
%! knng.scatter (Y);                                         # what the user has said stays
%! assert (get (fig, 'paperposition'), [1 2 3 4]);

%!test  # labels as an option, as knng.plot has them
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! h = knng.scatter (magic (4)(:, 1:2), 'Groups', {'b', 'a', 'b', ''}, 'Title', 'kinds');
%! assert (get (h(2), 'xdata'), 5);
%! assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), {'b'; 'a'; 'none'});
%! assert (get (get (gca (), 'title'), 'string'), 'kinds');
%! h = knng.scatter (magic (4)(:, 1:2), 'Title', 'one');
%! assert ({numel(h), isempty(findall (fig, 'tag', 'knng_key'))}, {1, true});
%!test  # 'Groups' are groups; a colour is by all labels, whoever has a place
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! assert (numel (knng.scatter ((1:60)' * [1 2], 'Groups', 1:60)), 40);
%! assert (numel (knng.scatter ((1:60)' * [1 2], 'Groups', [])), 1);
%! h = knng.scatter ([1 2; NaN NaN; 3 4; 5 6], {'b', 'a', 'b', 'c'});
%! assert (cell2mat (get (h, 'color')), knng.internal.group_colours ([2; 3], 0));
%! texts = arrayfun (@(g) sprintf ('%02d', g), 1:42, 'UniformOutput', false);
%! knng.scatter ((1:111)' * [1 2], [texts, texts(1:39), repmat({''}, 1, 30)]);
%! t = get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string');
%! assert (any (strcmp (t, '3 others, and none')));
%!error id=knng:args:labels knng.scatter ([0 1; 2 3; 5 4], reshape ('auto', 1, 2, 2))
%!error <leave out one of them> knng.scatter (ones (3, 2), [1 2 3], 'Groups', [1 2 3])
%!error <'Groups' is .*: there must be 3 numbers or texts> knng.scatter (ones (3, 2), 'Groups', 1:2)
%!error id=knng:args:unknownOption knng.scatter (ones (3, 2), 'Colours', 1:3)
%!error id=knng:args:option knng.scatter (ones (3, 2), 1:3, 'Title', {'a'})
%!error id=knng:args:option knng.scatter (ones (3, 2), 1:3, 'Legend', 'off')
%!error id=knng:args:unknownOption knng.scatter (ones (3, 2), 1:3, 'Size', 3)
%!error id=knng:args:count knng.scatter ()
%!error id=knng:args:class knng.scatter ('ab')
%!error id=knng:args:class knng.scatter (ones (3, 4))
%!error id=knng:args:class knng.scatter (1i * ones (3, 2))
%!error id=knng:args:labels knng.scatter (ones (3, 2), 1:2)
%!error id=knng:args:labels knng.scatter (ones (3, 2), 'abc')
%!error id=knng:args:labels knng.scatter (ones (3, 2), {1, 2, 3})

%!warning id=knng:toolbox:letters
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! gone = onCleanup (@() close (fig));
%! knng.scatter ([1 2; 3 4], {[char([206 178]) '-globin'], 'b'});
