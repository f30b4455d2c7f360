function point_key (ax, h, names, under)
%POINT_KEY  Says which points are whose: the symbol of each line of H, a column, and its name, right of the axes AX or below them, in
%   axes of its own. These go when H(1) goes, and AX have their former place again.
%   Axes that are all of an invisible figure, on paper that is as KNNG.INTERNAL.AXES_READY makes it, stay as wide as they are where
%   names are long: the paper gets wider. Else, in a window, beside other axes or on paper of the user's own, AX give the room, and
%   names that are longer than that are cut, so that they still differ. With UNDER, true, it stands below the left end of the axis, of which
%   AX keep all: for one short name beside a colour bar.

  [inches, fig] = knng.internal.axes_inches (ax);
  former = get (ax, 'position');
  in = get (ax, 'parent');
  paper = get (fig, 'paperposition');
  paper = paper(3:4);
  if (~isequal (in, fig))                                    % a panel is all the paper that there is
    paper = inches(3:4) ./ former(3:4);
  end
  whole = isequal (in, fig) && isequal (findobj (fig, 'type', 'axes'), ax) && max (abs (former - get (0, 'defaultaxesposition'))) < 1e-6;
  ours = whole && strcmp (get (fig, 'visible'), 'off') && isequal ([0, 0, paper], getappdata (fig, 'knng_paper'));
  room = former .* paper([1 2 1 2]);                         % inches
  if (whole)
    room(3) = paper(1) - 0.05 - room(1);
  end

  key = type_of (names, paper(2) - 0.1);
  key.below = false;
  if (nargin > 3 && under)
    box = [room(1) - 0.1, max(room(2) - 0.5, 0.02), key.wide, key.line];
    draw_beside (ax, in, box, paper, key, h, former);
    return
  end
  if (ours && key.wide > 0.25 * paper(1))
    room(3) = former(3) * paper(1) + 0.12 + key.wide;
    paper(1) = room(1) + room(3) + 0.05;
    knng.internal.paper (fig, paper);
  elseif (key.wide > 0.45 * room(3))
    key = less_room (key, names, room);
  end
  [box, room] = share (key, room, paper);
  set (ax, 'position', room ./ paper([1 2 1 2]));
  draw_beside (ax, in, box, paper, key, h, former);
end

function draw_beside (ax, in, box, paper, key, h, former)
  keyed = draw (in, box ./ paper([1 2 1 2]), box(3:4), key, h);
  set (ancestor (ax, 'figure'), 'currentaxes', ax);
  given = get (ax, 'position');
  others = get (h(1), 'deletefcn');                          % what goes with the points
  set (h(1), 'deletefcn', @(varargin) give_back (ax, keyed, former, given, others));
end

function key = type_of (names, high)
% Letters of 9 points, or smaller ones where so many lines need it; at last several columns.
  for way = {9, 8, 7; 0.17, 0.145, 0.122}
    [points, line] = way{:};
    if (numel (names) * line <= high)
      break
    end
  end
  columns = max (1, ceil (numel (names) * line / high));
  key = struct ('names', {names(:)}, 'points', points, 'line', line, 'columns', columns, 'lines', ceil (numel (names) / columns));
  key.wide = columns * (max (knng.internal.text_inches (names, points)) + 0.32);
end

function key = less_room (key, names, room)
% Below the axes where there are few names, else beside them.
  few = numel (names) * 0.145 < 0.4 * room(4);
  key.wide = 0.45 * room(3);
  if (few)
    [key.below, key.points, key.line, key.columns, key.lines, key.wide] = deal (true, 8, 0.145, 1, numel (names), room(3));
  end
  key.names = cut_to (names(:), key.points, key.wide / key.columns - 0.32);
  if (numel (unique (key.names)) < numel (unique (names)))
    numbered = arrayfun (@(i) sprintf ('%d %s', i, names{i}), (1:numel (names))', 'UniformOutput', false);
    key.names = cut_to (numbered, key.points, key.wide / key.columns - 0.32);
  end
end

function names = cut_to (names, points, wide)
  for i = 1:numel (names)
    whole = names{i};
    most = numel (whole);
    while (most > 4 && knng.internal.text_inches (names(i), points) > wide)
      most = most - 1;
      names{i} = knng.internal.cut_text (whole, most);
    end
  end
end

function [box, room] = share (key, room, paper)
% The box of the key, and what is left for the axes, in inches.
  high = key.lines * key.line;
  if (key.below)
    labels = 0.5;                                            % of the axis
    box = [room(1), max(room(2) - labels, 0.05), key.wide, high];
    room([2 4]) = room([2 4]) + [high, -high];
  else
    top = min (room(2) + room(4), paper(2) - 0.05);
    box = [room(1) + room(3) - key.wide, max(top - high, 0.05), key.wide, high];
    room(3) = room(3) - key.wide - 0.12;
  end
end

function ax = draw (in, place, inches, key, h)
% Hidden, since subplot would delete axes that are in its way.
  ax = knng.internal.fixed_axes (in, place, [0, inches(1)], [0, inches(2)], 'handlevisibility', 'off', 'tag', 'knng_key');
  i = 0:numel (h) - 1;
  x = inches(1) / key.columns * floor (i / key.lines) + 0.1;
  y = inches(2) - key.line * (mod (i, key.lines) + 0.5);
  for i = 1:numel (h)
    line (x(i), y(i), 'parent', ax, 'linestyle', 'none', 'marker', get (h(i), 'marker'), 'color', get (h(i), 'color'), ...
          'markerfacecolor', get (h(i), 'markerfacecolor'), 'markersize', 4);
  end
  knng.internal.write_texts (ax, x + 0.13, y, key.names, 'fontsize', key.points);
end

function give_back (ax, key, former, given, others)
  if (~isempty (others))
    others ();
  end
  if (ishandle (key))
    delete (key);
  end
  if (ishandle (ax) && strcmp (get (ax, 'beingdeleted'), 'off') && max (abs (get (ax, 'position') - given)) < 1e-6)
    set (ax, 'position', former);
  end
end

%!shared Y, texts
%! Y = mod ((1:120)' * [0.37 0.71], 1);
%! texts = @(fig) get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string');

%!test  # one column for 40 groups; every name; the paper as it was
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! knng.scatter (Y, mod (1:120, 40));
%! key = findall (fig, 'tag', 'knng_key');
%! assert (sort (str2double (texts (fig))), (0:39)');
%! at = cell2mat (get (findobj (key, 'type', 'text'), 'position'));
%! assert (numel (unique (at(:, 1))), 1);
%! assert (numel (unique (at(:, 2))), 40);
%! place = get (key, 'position');
%! assert (all (place(1:2) > 0) && all (place(1:2) + place(3:4) < 1.001));
%! knng.scatter (Y);                                         # gone, and the room is given back
%! assert (isempty (findall (fig, 'tag', 'knng_key')));
%! assert (get (gca (), 'position'), get (0, 'defaultaxesposition'), 1e-6);

%!test  # in a panel
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! p = uipanel (fig, 'position', [0.5 0 0.5 0.5]);
%! ax = axes ('parent', p);
%! place = get (ax, 'position');
%! knng.scatter (Y, mod (1:120, 3));
%! key = findall (fig, 'tag', 'knng_key');
%! assert ({get(key, 'parent'), sort(str2double (texts (fig)))}, {p, (0:2)'});
%! at = get (key, 'position');
%! assert (get (ax, 'position')(3) < place(3) && at(1) > sum (get (ax, 'position')([1 3])) && sum (at([1 3])) <= 1);

%!test  # axes beside others: no wider paper, no axes in the way of others; names below or cut
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! names = {'short', repmat('long name ', 1, 5), 'c'};
%! ax = subplot (1, 2, 1);
%! place = get (ax, 'position');
%! knng.scatter (Y, names(1 + mod (1:120, 3)));
%! paper = get (fig, 'paperposition');
%! first = get (ax, 'position');
%! assert (first(1:2) >= place(1:2) - 1e-6);
%! assert (first(1:2) + first(3:4) <= place(1:2) + place(3:4) + 1e-6);
%! subplot (1, 2, 2);
%! knng.scatter (Y, names(1 + mod (1:120, 2)));
%! assert (get (fig, 'paperposition'), paper);
%! assert (numel (findobj (fig, 'type', 'axes')), 2);
%! assert (numel (findall (fig, 'tag', 'knng_key')), 2);
%! names = arrayfun (@(i) sprintf ('%smiddle %d%s', repmat ('x', 1, 25), i, repmat ('x', 1, 25)), 1:30, 'UniformOutput', false);
%! knng.scatter (Y, names(1 + mod (1:120, 30)));
%! keys = findall (fig, 'tag', 'knng_key');
%! cut = get (findobj (keys(1), 'type', 'text'), 'string');
%! assert (size (unique (cut)), [30 1]);
%! assert (max (knng.internal.text_inches (cut, 9)) < 1.2);
%! knng.scatter (Y, cellstr (num2str ((1:120)' > 60)));
%! assert (numel (findall (fig, 'tag', 'knng_key')), 2);
%! delete (ax);
%! assert (numel (findall (fig, 'tag', 'knng_key')), 1);
