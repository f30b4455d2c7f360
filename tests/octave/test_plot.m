function nfail = test_plot ()
%TEST_PLOT  What is drawn of a graph, and igraph's layouts of it.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@circle, @labels, @labels_apart, @endless_label, @many_groups, @first_print};
if (knng.internal.with_igraph ())
  checks = [checks, {@golub, @layouts, @planted_groups}];
end
nfail = run_checks (checks);
end

function circle ()
% The example of the help; axes that are held stay so.
lent = knng.internal.headless ();
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
t = (0:39)' * pi / 20;
X = [cos(t), sin(t)];
A = knngraph (X, 2);
h = knng.plot (A, 'XY', X, 'Groups', X(:, 1) > 0);
assert (numel (h.points), 2);
check_drawn (h, A, X);
assert (isempty (h.labels));
assert (get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string'), {'1'; '0'});
for state = {'add', 'replace'}                            # hold stays as it was
  set (gca (), 'nextplot', state{1});
  knng.plot (A, 'XY', X);
  assert (get (gca (), 'nextplot'), state{1});
end
end

function labels ()
% Labels that cover none, of points with many edges first; a place that is none; groups and labels by name.
lent = knng.internal.headless ();
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
A = sparse ([1 1 1 2], [2 3 4 3], 1, 5, 5);
XY = [0 0; 0 0.01; 1 1; 1 0; NaN 2];
names = {'first', 'second', 'third', '', 'fifth'};
[h, places] = knng.plot (A, 'XY', XY, 'Labels', names, 'Groups', {'a', 'b', 'a', '', 'b'}');
assert (get (h.labels, 'string'), {'first'; 'second'; 'third'});
assert (get (h.labels, 'horizontalalignment'), {'left'; 'right'; 'left'});
assert (places, XY);
check_drawn (h, A, XY);
assert (numel (h.points), 3);
knng.plot (A, 'XY', single (XY));                         # in place of the others
assert (numel (findobj (gca (), 'type', 'line')), 2);
knng.plot (sparse (0, 0));
% Around points in one place there is room for four; those of most edges have it. A few more stand farther away.
for n = [300 7]
  A = sparse ([1 1 1 2 3], [7 6 5 7 7], 1, n, n);
  h = knng.plot (A, 'XY', zeros (n, 2), 'Labels', arrayfun (@(i) sprintf ('%d', i), 1:n, 'UniformOutput', false));
  assert (numel (h.labels), 4 + 3 * (n == 7));
  assert (all (ismember ({'1', '7'}, get (h.labels(1:4), 'string'))));
end
end

function labels_apart ()
% No label covers another on paper, and the graph keeps its room beside long names of groups.
lent = knng.internal.headless ();
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
XY = [mod((1:60)' * 0.618, 1), mod((1:60)' * 0.7548, 1)];
names = arrayfun (@(i) sprintf ('AFFX-HUMGAPDH/M%d_at', i), 1:60, 'UniformOutput', false);
h = knng.plot (knngraph (XY, 3), 'XY', XY, 'Labels', names, 'Groups', repmat ({'a group of a really rather long name indeed', 'b'}, 1, 30), ...
               'Title', 'kinds');
assert (get (get (gca (), 'title'), 'string'), 'kinds');
page = get (fig, 'paperposition');
place = get (gca (), 'position');
assert (place(3) * page(3) > 5);
range = axis ();
point = max ((range([2 4]) - range([1 3])) ./ (72 * place(3:4) .* page(3:4)));
texts = get (h.labels, 'string');
at = vertcat (get (h.labels, 'position'){:});
wide = 0.9 * 72 * knng.internal.text_inches (texts, 8) * point;
side = get (h.labels, 'horizontalalignment');
left = at(:, 1) - wide .* (strcmp (side, 'right') + 0.5 * strcmp (side, 'center'));
assert (numel (texts) > 15);
for i = 2:numel (texts)
  j = (1:i-1)';
  assert (~any (left(i) < left(j) + wide(j) & left(j) < left(i) + wide(i) & abs (at(j, 2) - at(i, 2)) < 8 * point));
end
end

function endless_label ()
% A label that is wider than the picture is left out, and the graph is not shrunk for it.
lent = knng.internal.headless ();
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
XY = [0 0; 1 0; 1 1; 0 1];
h = knng.plot (sparse ([1 2 3], [2 3 4], 1, 4, 4), 'XY', XY, 'Labels', {repmat('endless ', 1, 40), 'b', 'c', 'd'});
assert (get (h.labels, 'string'), {'b'; 'c'; 'd'});
range = axis ();
assert (diff (range(3:4)) < 3);
end

function first_print ()
% The first print of a figure has as many pixels as the second.
lent = knng.internal.headless ();
back = onCleanup (@() close ('all'));
file = [tempname() '.png'];
gone = onCleanup (@() delete (file));
for draw = {@() knng.scatter([1 2; 3 5; 4 4]), @() knng.plot(sparse (3, 3), 'XY', [1 2; 3 5; 4 4])}
  figure ('visible', 'off');
  draw{1} ();
  print (file, '-dpng', '-r120');
  first = imfinfo (file);
  print (file, '-dpng', '-r120');
  second = imfinfo (file);
  inches = get (gcf (), 'paperposition')(3:4);
  assert ([first.Width, first.Height], [second.Width, second.Height]);
  assert ([first.Width, first.Height], inches * 120, 1.5);
end
end

function many_groups ()
% More groups than there are colours.
lent = knng.internal.headless ();
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
c = [1:60, 60 60 59 59 59 3 4]';
n = numel (c);
h = knng.plot (sparse (n, n), 'XY', [1:n; 1:n]', 'Groups', c);
assert (numel (h.points), 40);
h = knng.plot (sparse (n, n), 'XY', [1:n; 1:n]', 'Groups', cellstr (num2str (c)));
assert (numel (h.points), 40);
h = knng.plot (sparse (n, n), 'XY', [1:n; 1:n]', 'Groups', c / 7);   # a scale
assert (numel (h.points), 31, 1);
end

function golub ()
% Golub: its patients, by class.
lent = knng.internal.headless ();
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
A = knngraph (ds.X', 5, 'pearson');
[h, XY] = knng.plot (A, 'Groups', ds.classes, 'Labels', cellstr (num2str ((1:38)')));
assert (numel (h.points), 2);
assert (numel (h.labels) > 10);
check_drawn (h, A, XY);
assert (mean (knng.silhouette (XY, ds.classes)) > 0.3);
end

function layouts ()
% Every layout: parts apart, edges of length 1, the same every time.
ring = [2:30, 1];
A = sparse ([1:30, 31:33, 40], [ring, 32:34, 41], 1, 42, 42);
for m = {'auto', 'kk', 'FR', 'drl'}
  XY = knng.internal.layout (A, m{1}, 1);
  assert (XY, knng.internal.layout (A' * 7, m{1}, 1));
  assert (all (isfinite (XY(:))));
  part = knng.conncomp (A);
  box = zeros (max (part), 4);
  for p = 1:max (part)
    P = XY(part == p, :);
    box(p, :) = [min(P, [], 1), max(P, [], 1)];
    if (sum (part == p) > 1)
      [i, j] = find (A(part == p, part == p));
      assert (mean (sqrt (sum ((P(i, :) - P(j, :)) .^ 2, 2))), 1, 1e-9);
    end
    for o = 1:p-1
      assert (any (box(p, 1:2) > box(o, 3:4) + 1 | box(o, 1:2) > box(p, 3:4) + 1));
    end
  end
end
XY = knng.internal.layout (A, 'kk', 1);                       # a ring is drawn as one
C = XY(1:30, :) - mean (XY(1:30, :));
r = sqrt (sum (C .^ 2, 2));
assert (max (r) / min (r) < 1.05);
[~, order] = sort (atan2 (C(:, 2), C(:, 1)));
assert (all (ismember (abs (diff (order)), [1 29])));
end

function planted_groups ()
% Groups of a planted graph come to lie together.
group = mod ((1:600)', 3) + 1;
u = knng.internal.random (2, 6000);
i = ceil (600 * u(1:3000));
j = ceil (200 * u(3001:6000)) * 3 - 3;
j = j + mod (i, 3) + 3 * (j + mod (i, 3) == 0);
i(1:90) = j(91:180);
XY = knng.internal.layout (sparse (i, j, 1, 600, 600), 'auto', 1);
assert (mean (knng.silhouette (XY, group)) > 0.5);
end

function check_drawn (h, A, XY)
% Each edge once, and nothing else.
x = get (h.edges, 'xdata');
y = get (h.edges, 'ydata');
[i, j] = find (triu (A | A', 1));
want = sortrows ([XY(i, :), XY(j, :)]);
got = [x(1:3:end)', y(1:3:end)', x(2:3:end)', y(2:3:end)'];
assert (sortrows (got), want);
assert (all (isnan (x(3:3:end))) && numel (x) == 3 * rows (want));
end
