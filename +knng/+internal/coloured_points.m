function drawn = coloured_points (Y, labels, name, legend, groups, limits, colours)
%COLOURED_POINTS  What knng.scatter draws into the current axes: the rows of Y in the colours of their LABELS; handles as it returns them.
%   NAME: what the colours are, '' for nothing. LEGEND: whether groups are listed. GROUPS, true: whole numbers are groups, however many there are.
%   LIMITS: the values that have the first and the last colour, a row, or []. COLOURS: of values, a row each, or []; with these all
%   numbers are values.

  by_map = nargin > 6 && ~isempty (colours) && isnumeric (labels);
  if (~iscell (labels))
    labels = full (double (labels));
  end
  labels = labels(:);
  [clean, noise] = knng.internal.without_noise (labels, 'groups');
  [group, kinds] = groups_of (clean);
  clusters = isequal (kinds(:)', 1:numel (kinds)) && numel (kinds) <= numel (labels) / 3;
  values = ~iscell (labels) && numel (kinds) > 8 && (any (kinds ~= fix (kinds)) || (numel (kinds) > 40 && ~clusters && ~groups));
  values = values || (by_map && numel (kinds) > 1);
  rest = '';
  if (values)
    noise(:) = false;
    group = groups_of (labels);
  elseif (numel (kinds) > 40)
    others = {' others', ' others, and none'};
    rest = sprintf ('%d%s', numel (kinds) - 39, others{1 + any(group == 0 & ~noise)});
    [group, kinds] = groups_of (knng.internal.few_groups (clean));
  end
  group(noise) = -1;                                         % below what is 0
  [Y, there] = what_is_drawn (Y);                            % so late, so that a group has its colour whoever is drawn
  [group, noise, labels] = deal (group(there), noise(there), labels(there));

  [ax, back] = knng.internal.axes_ready ();            %#ok<ASGLU>
  if (values)
    if (nargin < 6)
      limits = [];
    end
    if (nargin < 7 || isempty (colours))
      colours = blue_to_yellow (32);
    elseif (size (colours, 1) > 64)                          % a line for each
      colours = colours(round (linspace (1, end, 64)), :);
    end
    [range, beyond, powers] = range_of (labels, limits);
    [labels, range, scale] = placed (labels, range, powers);
    group = steps_of (labels, range, size (colours, 1));
    shapes = {'o'};
  else
    [~, shapes] = knng.internal.palette ();
    colours = knng.internal.group_colours (1:40, 0);
  end
  present = unique (group)';
  order = 'mixed';
  if (values)
    order = order_of (group, size (colours, 1));
  end
  [Y, placing] = on_axes (Y, ax);
  drawn = draw_groups (ax, Y, group, present, colours, shapes, order);
  for h = drawn'
    setappdata (h, 'knng_scale', placing);
  end
  named = present(present >= 0);
  if (~isempty (rest))                                       % the largest first, last what is left of many
    [~, by_size] = sort (accumarray (group(group > 0), 1), 'descend');
    named = [reshape(by_size(ismember (by_size, present)), 1, []), 0];
  elseif (~values)
    order = knng.internal.legend_order (kinds)';
    named = [named(named == 0), order(ismember (order, named))];
  end
  named = [named, present(present < 0)];                     % noise is the last to be named
  [~, at] = ismember (named, present);
  drawn = drawn(at);
  dress (ax, placing);
  if (values && diff (range) > 0)
    colormap (ax, colours);
    caxis (ax, range);
    bar = colorbar ('peer', ax);
    what = [name, repmat('value', 1, isempty (name))];
    ylabel (bar, [knng.internal.shown(what), knng.internal.less_offset(scale.offset)], 'interpreter', 'none');
    write_ends (bar, range, beyond, scale);
    if (legend && any (group == 0))
      knng.internal.point_key (ax, drawn(1), {'none'}, true);
    end
  elseif (~values && ~isempty (drawn))
    if (~isempty (name))
      title (ax, knng.internal.shown (name), 'interpreter', 'none');
    end
    if (legend)
      names = knng.internal.texts_of (kinds);
      what = [rest, repmat(knng.internal.missing_name (names), 1, isempty (rest))];
      texts = [{sprintf('noise (%d)', sum (noise)); what}; names];
      knng.internal.point_key (ax, drawn, texts(named + 2));
    end
  end
end

function [Y, drawn] = what_is_drawn (Y)
% The points that have places, and which they are.
  Y = full (double (Y));
  drawn = all (abs (Y) < 1e30, 2);                           % axes fail beyond about 1e38
  Y(abs (Y) < 1e-30) = 0;
  Y = Y(drawn, :);
end

function [group, kinds] = groups_of (labels)
% The number of each label among the different ones, which ascend; 0 where it is missing.
  if (iscell (labels))
    known = ~cellfun ('isempty', labels);
  else
    known = ~isnan (labels);
  end
  group = zeros (numel (labels), 1);
  [kinds, ~, group(known)] = unique (labels(known));
end

function [range, beyond, powers] = range_of (values, limits)
% The values of the first and the last colour, a row: the smallest and the largest, but where few are so far from the others that these would
% be of few colours, the 2nd or the 98th of 100; or LIMITS. BEYOND: whether there are smaller ones, and larger ones. POWERS: the range is of
% logarithms, since all are above 0, not all of one size, and half of them would have the first of 32 colours.
  known = sort (values(abs (values) < 1e30));
  powers = false;
  if (isempty (known))
    [range, beyond] = deal ([0 0], [false false]);
    return
  end
  range = known([1, end])';
  few = known([ceil(0.02 * end), ceil(0.5 * end), ceil(0.98 * end)])';
  if (~isempty (limits))
    range = limits;
  else
    powers = known(1) > 0 && known(end) > 2 * known(1) && few(2) - few(1) < (few(3) - few(1)) / 32;
    if (powers)
      [known, range, few] = deal (log10 (known), log10 (range), log10 (few));
    end
    few = few([1 3]);
    far = abs (range / 2 - few / 2) > diff (few / 2);
    if (few(2) > few(1))
      range(far) = few(far);
    end
  end
  beyond = [known(1) < range(1), known(end) > range(2)];
end

function group = steps_of (values, range, steps)
% The step of each value in the range, from 1 on, the first and the last of what lies beyond; 0 where it is missing.
  known = abs (values) < 1e30;
  group = zeros (numel (values), 1);
  group(known) = max (min (floor ((values(known) / 2 - range(1) / 2) / (range(2) / 2 - range(1) / 2) * steps) + 1, steps), 1);
end

function text = digits_of (v, digits)
% Three digits, or as many as tell values apart; but all of a number that is read without a power of ten.
  text = sprintf ('%.*g', max (3, digits - 2), v);
  if (any (text == 'e') && abs (v) < 1e6 && abs (v) >= 1)
    text = sprintf ('%.0f', v);
  end
end

function [labels, range, scale] = placed (labels, range, powers)
% Where values stand at the colour bar: at their logarithms, if they are POWERS; between 0 and 1, if they differ so little that axes cannot
% show it. SCALE: the value of a place, less OFFSET; its digits, and the places with a number; [] for those of the axes.
  scale = struct ('value', @(v) v, 'offset', 0, 'digits', 5, 'ticks', []);
  least = max (1e-6, 1e-4 * max (abs (range)));
  if (powers)
    labels(~(abs (labels) < 1e30)) = NaN;
    labels = log10 (labels);
    scale.value = @(v) 10 .^ v;
    scale.ticks = knng.internal.round_values (range, diff (range) > 2);
  elseif (diff (range) > 0 && diff (range) < least)
    scale.offset = knng.internal.offset_of (range(1), range(2));
    [ends, reach] = deal (range - scale.offset, diff (range));
    labels(~(abs (labels) < 1e30)) = NaN;
    labels = (labels - range(1)) / reach;
    unit = 10 ^ (floor (log10 (reach)) - 6);                 % 0 is no 1e-20
    scale.value = @(v) round ((ends(1) + v * reach) / unit) * unit;
    scale.digits = max (5, 4 + ceil (log10 (max (abs (ends)) / reach)));
    scale.ticks = (knng.internal.round_values (ends) - ends(1)) / reach;
    range = [0 1];
  end
end

function order = order_of (group, steps)
% In which order the steps of values are drawn. Where few points have the colours of one half they come last, so that none hides them: 'up',
% high ones, or 'down'. Else all are mixed.
  high = mean (group(group > 0) > steps / 2);
  if (high < 0.25)
    order = 'up';
  elseif (high > 0.75)
    order = 'down';
  else
    order = 'mixed';
  end
end

function write_ends (bar, range, beyond, scale)
% Above and below the colour bar how far it goes, where there are values beyond (beside it there is no room for that; gnuplot's letters have no
% sign for it); beside it values, where its places are others.
  if (exist ('OCTAVE_VERSION', 'builtin') ~= 0)
    names = {'ytick', 'yticklabel'};
  else
    names = {'Ticks', 'TickLabels'};
  end
  texts_at = @(at) arrayfun (@(v) sprintf ('%.*g', scale.digits, v), scale.value (at), 'UniformOutput', false);
  if (~isempty (scale.ticks))
    set (bar, names, {scale.ticks, texts_at(scale.ticks)});
  end
  last = cellfun (@(v) digits_of (v, scale.digits), num2cell (scale.value (range)), 'UniformOutput', false);
  style = {'fontsize', 9, 'fontweight', 'normal', 'interpreter', 'none'};
  if (beyond(2))
    title (bar, sprintf ('>= %s', last{2}), style{:});
  end
  if (beyond(1) && exist ('OCTAVE_VERSION', 'builtin') ~= 0)
    xlabel (bar, sprintf ('<= %s', last{1}), style{:});
  elseif (beyond(1))
    at = reshape (get (bar, 'Ticks'), 1, []);                % its bar has no label below
    at = [range(1), at(at > range(1) + diff (range) / 15)];
    texts = texts_at (at);
    set (bar, names, {at, [{sprintf('<= %s', last{1})}, texts(2:end)]});
  end
end

function colours = blue_to_yellow (steps)
  colours = interp1 ([0 0.5 1], [0 0.15 0.45; 0.5 0.5 0.5; 0.95 0.85 0.15], ((1:steps) - 0.5) / steps);
end

function [Y, scale] = on_axes (Y, ax)
% The places as axes can show them, (Y - SCALE(1, :)) ./ SCALE(2, :), which the names of the axes tell: Octave writes one number at all ticks
% of a column far from 0 that reaches not far, and gnuplot takes a range below 1e-8 for none. Points that are added stand as those there do.
  scale = [0; 1] * ones (1, size (Y, 2));
  there = findobj (ax, 'type', 'line');
  if (ishold (ax) && ~isempty (there))
    known = arrayfun (@(h) getappdata (h, 'knng_scale'), there(:), 'UniformOutput', false);
    known = known(cellfun (@(s) isequal (size (s), size (scale)), known));
    if (~isempty (known))
      scale = known{1};
    end
  elseif (exist ('OCTAVE_VERSION', 'builtin') ~= 0 && size (Y, 1) > 1)
    [low, high] = deal (min (Y, [], 1), max (Y, [], 1));
    scale(1, :) = arrayfun (@knng.internal.offset_of, low, high);
    reach = high - low;
    small = reach > 0 & reach < 1e-6 & strcmp (get (ancestor (ax, 'figure'), '__graphics_toolkit__'), 'gnuplot');
    scale(2, small) = 10 .^ floor (log10 (reach(small)));
  end
  Y = bsxfun (@rdivide, bsxfun (@minus, Y, scale(1, :)), scale(2, :));
end

function h = draw_groups (ax, Y, group, present, colours, shapes, order)
% The points of each group that is PRESENT, below all others those of group 0, and below these noise, -1; the others in the ORDER 'up',
% 'down' or 'mixed'.
  if (size (Y, 1) > 2000)
    wide = 2;
  else
    wide = 4;
  end
  mixed = present(present > 0 & strcmp (order, 'mixed'));
  if (numel (present) > 4 || numel (mixed) > 1)
    moves = knng.internal.still (ax);                        %#ok<NASGU>
  end
  h = zeros (numel (present), 1);
  turns = 1:numel (present);
  if (strcmp (order, 'down'))
    turns = [turns(present <= 0), fliplr(turns(present > 0))];
  end
  for g = turns
    at = group == present(g);
    colour = [0.8 0.8 0.8] - 0.2 * (present(g) < 0);
    shape = 'o';
    if (present(g) > 0)
      colour = colours(mod (present(g) - 1, size (colours, 1)) + 1, :);
      shape = shapes{mod (floor ((present(g) - 1) / 8), numel (shapes)) + 1};
    end
    style = {'linestyle', 'none', 'marker', shape, 'markersize', wide, 'color', colour, 'markerfacecolor', colour, 'parent', ax};
    places = num2cell (Y(at, :), 1);
    h(g) = line (places{:}, style{:});
  end
  if (numel (mixed) > 1)
    mix (h(present > 0), ax);
  end
end

function mix (h, ax)
% No group hides the others: above all points of all groups some of each group are drawn again, in several rounds, each of which begins with
% another group. These lines are not seen by findobj, and go and change with that of their group.
  rounds = max (2, min (12, floor (120 / numel (h))));
  again = cell (1, numel (h));
  alike = {'linestyle', 'marker', 'markersize', 'color', 'markerfacecolor'};
  for r = 1:rounds - 1
    for g = circshift (1:numel (h), [0, -r])
      places = get (h(g), {'xdata', 'ydata', 'zdata'});
      places = places(~cellfun ('isempty', places));
      at = floor (mod ((1:numel (places{1})) * 0.6180339887, 1) * rounds) == r;
      if (any (at))
        places = cellfun (@(x) x(at), places, 'UniformOutput', false);
        drawn = line (places{:}, 'parent', ax, 'handlevisibility', 'off');
        set (drawn, alike, get (h(g), alike));
        again{g} = [again{g}, drawn];
      end
    end
  end
  for g = find (~cellfun ('isempty', again))
    follow (h(g), again{g});
  end
end

function follow (h, others)
  for name = {'color', 'marker', 'markersize', 'markerfacecolor', 'markeredgecolor', 'visible'}
    change = @(varargin) set (others(ishandle (others)), name{1}, get (h, name{1}));
    if (exist ('OCTAVE_VERSION', 'builtin') ~= 0)
      addlistener (h, name{1}, change);
    else
      addlistener (h, name{1}, 'PostSet', change);
    end
  end
  set (h, 'deletefcn', @(varargin) delete (others(ishandle (others))));
end

function dress (ax, scale)
  grid (ax, 'on');
  set (ax, 'gridcolor', [0.85 0.85 0.85], 'gridalpha', 1);
  if (size (scale, 2) == 3)
    view (ax, 3);
    zlabel (ax, axis_name (3, scale));
    if (exist ('OCTAVE_VERSION', 'builtin') ~= 0 && strcmp (get (ancestor (ax, 'figure'), '__graphics_toolkit__'), 'gnuplot'))
      apart (ax, scale);
      return
    end
  end
  xlabel (ax, axis_name (1, scale));
  ylabel (ax, axis_name (2, scale));
end

function text = axis_name (d, scale)
  text = sprintf ('dimension %d%s', d, knng.internal.less_offset (scale(1, d)));
  if (scale(2, d) ~= 1)
    text = sprintf ('%s (%g)', text, scale(2, d));
  end
end

function apart (ax, scale)
% gnuplot writes the names of axes and the numbers at the corners where these meet over each other: blanks move names outwards, and one
% of two numbers goes.
  [x, y] = deal (axis_name (1, scale), axis_name (2, scale));
  xlabel (ax, [blanks(min (31, 18 + ceil (numel (x) / 2))), x]);
  ylabel (ax, [y, blanks(min (31, 18 + ceil (numel (y) / 2)))]);
  ends = {'x', 1; 'y', 2; 'z', 1};
  for i = 1:3
    limits = get (ax, [ends{i, 1}, 'lim']);
    ticks = get (ax, [ends{i, 1}, 'tick']);
    set (ax, [ends{i, 1}, 'tick'], ticks(abs (ticks - limits(ends{i, 2})) > 0.06 * diff (limits)));
  end
end

%!test  # of more groups than 40 the largest come first, and what is left of them is the last but for noise
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! labels = [1:60, 60 60 59 59 59 -1 NaN];
%! h = knng.internal.coloured_points ((1:67)' * [1 2], labels, '', true, true);
%! texts = flipud (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'));
%! assert (texts([1:4, 40, 41]), {'59'; '60'; '1'; '2'; '21 others, and none'; 'noise (1)'});
%! assert (get (h(1), 'xdata'), [59 63 64 65]);
%! assert (get (h(1), 'color'), knng.internal.group_colours (38, 0));   # 1 to 37, 59 and 60 have colours
%! assert (numel (get (h(40), 'xdata')), 22);
%! assert (numel (knng.internal.coloured_points ((1:67)' * [1 2], labels, '', true, false)), 32, 1);   # values
