function nfail = test_figures ()
%TEST_FIGURES  Every figure, rendered: as large as its paper, nothing cut at the edge, no text beyond the paper or over another.
%   Prints each failure and at last 'N passed, N failed'.

nfail = run_checks ({@of_real_data, @of_hard_names, @of_little});
end

function of_real_data ()
% Golub et al.: a gene with its neighbours, clusters of genes with classes and phenotypes, maps of the patients.
[lent, fig, back] = blank ();                              %#ok<ASGLU>
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
named = {'ALL', 'AML'};
ds.classes = named(ds.classes + 1);
ds.X = ds.X(1:4:end, :);
ds.names = ds.names(1:4:end);
[idx, dist] = knngraph (ds.X, 20, 'pearson');
c = knng.mstknn (ds.X, 'Distance', 'pearson', 'K', 'connected');
cd3d = ds.X(7, :);
look (fig, @() knng.profile (ds, idx, dist, 5));
look (fig, @() knng.profile (ds, idx, dist, 5, 'Standardize', false));
look (fig, @() knng.heatmap (ds, c, 'Mark', 5:60:700, 'Phenotypes', {'CD3D', cd3d; 'half', mod(1:38, 2) > 0}));
look (fig, @() knng.clustergram (ds, 'MaxClust', [5 2], 'CallOut', 5:60:700, 'Phenotypes', {'CD3D', cd3d; 'half', mod(1:38, 2) > 0}));
Y = knng.diffusionmap (knngraph (ds.X', 12, 'pearson'), 2, 'Epsilon', 'knn');
look (fig, @() knng.scatter (Y, ds.classes, 'Title', 'diagnosis'));
look (fig, @() knng.scatter (Y, cd3d, 'Title', 'CD3D'));
look (fig, @() knng.plot (knngraph (ds.X', 5, 'pearson'), 'XY', Y, 'Groups', ds.classes, 'Labels', ds.samples));
end

function of_hard_names ()
% Names of 200 characters that differ in the middle, 60 groups, letters of other alphabets, rows and phenotypes with nothing.
[lent, fig, back] = blank ();                              %#ok<ASGLU>
long = @(t, i) [repmat('long name ', 1, 9), sprintf('%s%d', t, i), repmat(' long name', 1, 10)];
many = @(t, n) arrayfun (@(i) long (t, i), 1:n, 'UniformOutput', false);
X = mod ((1:80)' .^ 2 * (1:12) .^ 1.5 * 0.618, 1);
X(5, :) = NaN;
X(7, 3) = NaN;
ds = struct ('X', X, 'names', {many('g', 80)}, 'samples', {many('s', 12)});
ds.classes = repmat ({long('class ', 1), [char([195 150]) 'l'], ''}, 1, 4);
idx = repmat ([5 8:20], 80, 1);
look (fig, @() knng.profile (ds, idx, 7));
look (fig, @() knng.profile (ds, idx, 5));
known = {long('age', 1), [1:11 NaN]; 'nothing', repmat({''}, 1, 12); 'called', repmat({'none', '', 'b'}, 1, 4)};
look (fig, @() knng.heatmap (ds, mod (1:80, 60), 'Mark', ds.names(3:6), 'Phenotypes', known));
texts = get (findobj (fig, 'type', 'text'), 'string');
assert (all (ismember ({'none, 12', 'none, 4', 'no label, 4', 'b, 4'}, texts)));
assert (~any (strcmp (texts, '0 to 0')));
assert (sum (ismember ({'(1)', '(2)', '(3)', '(4)'}, cellfun (@(t) t(max (end - 2, 1):end), texts, 'UniformOutput', false))), 4);   # marks
look (fig, @() knng.heatmap (struct ('X', X(1:40, :), 'names', {ds.names(1:40)}), many ('c', 40)));
look (fig, @() knng.clustergram (ds, 'Subset', 1:60, 'MaxClust', [30 3], 'Phenotypes', known));
look (fig, @() knng.clustergram (ds, 'MaxClust', 70, 'CallOut', 1:80, 'Phenotypes', known));
Y = [mod((1:80)' * 0.37, 1), mod((1:80)' * 0.71, 1)];
look (fig, @() knng.scatter (Y, ds.names(1 + mod (1:80, 30))));
key = get (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text'), 'string');
assert (size (unique (key)), [30 1]);
look (fig, @() knng.plot (sparse (80, 80), 'XY', Y, 'Groups', 1:80));
assert (numel (findobj (findall (fig, 'tag', 'knng_key'), 'type', 'text')), 40);
end

function of_little ()
% One row, one sample, nothing but gaps, a cluster that is called none beside one without a name.
[lent, fig, back] = blank ();                              %#ok<ASGLU>
look (fig, @() knng.profile (struct ('X', [1 2 3 4]), [0 0], 1));
look (fig, @() knng.heatmap (struct ('X', [1 2 3 4])));
look (fig, @() knng.heatmap (struct ('X', [1; 2; 3]), {'none', '', 'none'}));
assert (all (ismember ({'none', 'no label'}, get (findobj (fig, 'type', 'text'), 'string'))));
look (fig, @() knng.clustergram (struct ('X', [1; 2; 3], 'samples', {{'only'}}), 'MaxClust', 3));
look (fig, @() knng.clustergram ([1 NaN 3 4; 1 1 1 1], 'MaxClust', [1 3]));
look (fig, @() knng.heatmap (NaN (3, 4)));
look (fig, @() knng.profile (struct ('X', NaN (3, 4)), [2 3; 1 3; 1 2], 1));
look (fig, @() knng.scatter ([1 2], {'one'}));
end

function [lent, fig, back] = blank ()
lent = knng.internal.headless ();
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
end

function look (fig, draw)
% Draws, prints and measures.
draw ();
file = [tempname() '.png'];
gone = onCleanup (@() delete (file));
print (fig, file, '-dpng', '-r60');
picture = imread (file);
paper = get (fig, 'paperposition')(3:4);
what = func2str (draw);
assert ([columns(picture), rows(picture)], paper * 60, 1.5);
ink = any (picture < 200, 3);
assert (any (ink(:)), what);
ink(2:end-1, 2:end-1) = false;
if (any (ink(:)))
  error ('%s: ink at the edge of the paper', what);
end
[boxes, texts] = boxes_of (fig, paper);
outside = any (boxes(:, 1:2) < 0, 2) | boxes(:, 3) > paper(1) | boxes(:, 4) > paper(2);
if (any (outside))
  error ('%s: beyond the paper: %s', what, texts{find (outside, 1)});
end
for i = 2:numel (texts)
  j = 1:i-1;
  over = boxes(i, 1) < boxes(j, 3) & boxes(j, 1) < boxes(i, 3) & boxes(i, 2) < boxes(j, 4) & boxes(j, 2) < boxes(i, 4);
  if (any (over))
    error ('%s: %s stands over %s', what, texts{i}, texts{find (over, 1)});
  end
end
end

function [boxes, texts] = boxes_of (fig, paper)
% Of the texts in axes that have no scale of their own, [left, low, right, high] in inches, rather too small.
boxes = zeros (0, 4);
texts = {};
for ax = findall (fig, 'type', 'axes', 'visible', 'off')'
  if (strcmp (get (ax, 'dataaspectratiomode'), 'manual'))
    continue
  end
  place = get (ax, 'position') .* paper([1 2 1 2]);
  scale = @(v, limits, turned) abs (turned - (v - limits(1)) / diff (limits));
  for t = findobj (ax, 'type', 'text')'
    at = get (t, 'position');
    x = place(1) + place(3) * scale (at(1), get (ax, 'xlim'), 0);
    y = place(2) + place(4) * scale (at(2), get (ax, 'ylim'), strcmp (get (ax, 'ydir'), 'reverse'));
    wide = 0.75 * knng.internal.text_inches ({get(t, 'string')}, get (t, 'fontsize'));
    high = 0.6 * get (t, 'fontsize') / 72;
    before = wide * find (strcmp (get (t, 'horizontalalignment'), {'left', 'center', 'right'})) / 2 - wide / 2;
    if (get (t, 'rotation') == 90)
      boxes(end + 1, :) = [x - high / 2, y - before, x + high / 2, y - before + wide]; %#ok<AGROW>
    else
      boxes(end + 1, :) = [x - before, y - high / 2, x - before + wide, y + high / 2]; %#ok<AGROW>
    end
    texts{end + 1} = get (t, 'string'); %#ok<AGROW>
  end
end
end
