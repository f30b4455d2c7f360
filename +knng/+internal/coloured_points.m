function drawn = coloured_points (Y, labels, name, legend, groups)
%COLOURED_POINTS  What knng.scatter draws into the current axes: the rows of Y in the colours of their LABELS; handles as it returns them.
%   NAME: what the colours are, '' for nothing. LEGEND: whether groups are listed. GROUPS, true: whole numbers are groups, however many there are.

  if (~iscell (labels))
    labels = full (double (labels));
  end
  labels = labels(:);
  [clean, noise] = knng.internal.without_noise (labels, 'groups');
  [group, kinds] = groups_of (clean);
  clusters = isequal (kinds(:)', 1:numel (kinds)) && numel (kinds) <= numel (labels) / 3;
  values = ~iscell (labels) && numel (kinds) > 8 && (any (kinds ~= fix (kinds)) || (numel (kinds) > 40 && ~clusters && ~groups));
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
    [group, low, high] = steps_of (labels, 32);
    colours = blue_to_yellow (32);
    shapes = {'o'};
  else
    [~, shapes] = knng.internal.palette ();
    colours = knng.internal.group_colours (1:40, 0);
  end
  present = unique (group)';
  drawn = draw_groups (ax, Y, group, present, colours, shapes);
  named = [present(present >= 0), present(present < 0)];     % noise is the last to be named
  if (~isempty (rest))                                       % and before it what is left of many, of which the largest is the first
    [~, by_size] = sort (accumarray (group(group > 0), 1), 'descend');
    named = [reshape(by_size(ismember (by_size, present)), 1, []), 0, present(present < 0)];
  end
  [~, at] = ismember (named, present);
  drawn = drawn(at);
  dress (ax, size (Y, 2));
  if (values && ~isempty (low) && high > low)
    colormap (ax, colours);
    caxis (ax, [low, high]);
    bar = colorbar ('peer', ax);
    what = [name, repmat('value', 1, isempty (name))];
    ylabel (bar, knng.internal.shown (what), 'interpreter', 'none');
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

function [group, low, high] = steps_of (values, steps)
% The step of each value between the smallest, LOW, and the largest, HIGH, from 1 on; 0 where it is missing.
  known = abs (values) < 1e30;
  low = min (values(known));
  high = max (values(known));
  group = zeros (numel (values), 1);
  group(known) = min (floor ((values(known) / 2 - low / 2) / (high / 2 - low / 2) * steps) + 1, steps);
end

function colours = blue_to_yellow (steps)
  colours = interp1 ([0 0.5 1], [0 0.15 0.45; 0.5 0.5 0.5; 0.95 0.85 0.15], ((1:steps) - 0.5) / steps);
end

function h = draw_groups (ax, Y, group, present, colours, shapes)
% The points of each group that is PRESENT, below all others those of group 0, and below these noise, -1.
  if (size (Y, 1) > 2000)
    wide = 2;
  else
    wide = 4;
  end
  if (numel (present) > 4)
    moves = knng.internal.still (ax);                        %#ok<NASGU>
  end
  h = zeros (numel (present), 1);
  for g = 1:numel (present)
    at = group == present(g);
    colour = [0.8 0.8 0.8] - 0.2 * (present(g) < 0);
    shape = 'o';
    if (present(g) > 0)
      colour = colours(mod (present(g) - 1, size (colours, 1)) + 1, :);
      shape = shapes{mod (floor ((present(g) - 1) / 8), numel (shapes)) + 1};
    end
    style = {'linestyle', 'none', 'marker', shape, 'markersize', wide, 'color', colour, 'markerfacecolor', colour, 'parent', ax};
    if (size (Y, 2) == 2)
      h(g) = line (Y(at, 1), Y(at, 2), style{:});
    else
      h(g) = line (Y(at, 1), Y(at, 2), Y(at, 3), style{:});
    end
  end
end

function dress (ax, dimensions)
  grid (ax, 'on');
  set (ax, 'gridcolor', [0.85 0.85 0.85], 'gridalpha', 1);
  if (dimensions == 3)
    view (ax, 3);
    zlabel (ax, 'dimension 3');
    if (exist ('OCTAVE_VERSION', 'builtin') ~= 0 && strcmp (get (ancestor (ax, 'figure'), '__graphics_toolkit__'), 'gnuplot'))
      apart (ax);
      return
    end
  end
  xlabel (ax, 'dimension 1');
  ylabel (ax, 'dimension 2');
end

function apart (ax)
% gnuplot writes the names of axes and the numbers at the corners where these meet over each other: blanks move names outwards, and one
% of two numbers goes.
  xlabel (ax, [blanks(24), 'dimension 1']);
  ylabel (ax, ['dimension 2', blanks(24)]);
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
