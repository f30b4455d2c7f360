%MICROARRAY  The neighbours of a gene, and a map of all genes, from the leukaemia data of Golub et al. (1999).
%   It reads 3 051 genes of 38 patients, builds the graph of the 20 nearest genes by Pearson's correlation, prints the
%   neighbours of zyxin, and draws two pictures, profile.png and map.png. The classes of the patients (ALL, AML) are
%   used for colours only. Some 10 seconds, most of them for the pictures. The search itself:
%
%     ds = knng.read ('golub.nbi.gz');                            % ds.X: genes x patients, ds.names: the genes
%     [idx, dist] = knngraph (ds.X, 20, 'pearson');               % idx(i,:): the 20 genes most like gene i
%     knng.neighbors (ds, idx, dist, 'X95735_at')                 % those of one gene, as a table

% Run it from any directory: octave-cli examples/microarray.m. The pictures go to build/demo/; where the toolbox was
% installed, to knng-demo/ in the current folder; or to `folder`, where that is set.

root = fileparts (fileparts (mfilename ('fullpath')));
addpath (root);

% ---- read, search --------------------------------------------------------------------------------------------------
file = fullfile (root, 'examples', 'data', 'golub.nbi.gz');
ds = knng.read (file);
[n, d] = size (ds.X);
k = 20;
fprintf ('%s: %d genes, %d patients (%d ALL, %d AML)\n\n', file, n, d, sum (ds.classes == 0), sum (ds.classes == 1));

[idx, dist, info] = knngraph (ds.X, k, 'pearson');

fprintf ('The exact graph of the %d nearest genes of each, on %s:\n', k, info.device);
stages = fieldnames (info.seconds);
for i = 1:numel (stages)
    fprintf ('  %-8s %9.6f s\n', stages{i}, info.seconds.(stages{i}));
end
fprintf ('Rows certified by the single-precision filter: %d, by double precision: %d, by a full scan: %d\n\n', ...
         info.certified.f32, info.certified.f64, info.certified.scan);

% ---- neighbours by name --------------------------------------------------------------------------------------------
% Zyxin is the gene that best tells AML from ALL in these data. The probes know nothing of the diagnosis, and yet its
% neighbours are what makes a myeloid cell: CD33 (the antigen that drugs against AML aim at), myeloperoxidase and
% elastase of the granules, cystatin C, and PU.1, the transcription factor that sets the lineage.
gene = 'X95735_at';
symbols = {
    'X07743_at', 'PLEK',   'M23197_at', 'CD33',         'X62320_at', 'GRN',  'M27783_s_at', 'ELANE', ...
    'X16546_at', 'RNASE2', 'L08246_at', 'MCL1',         'X17042_at', 'SRGN', 'X62654_rna1_at', 'CD63', ...
    'U46751_at', 'SQSTM1', 'L09209_s_at', 'APLP2',      'D88422_at', 'CSTA', 'M16038_at', 'LYN', ...
    'M84526_at', 'CFD',    'M27891_at', 'CST3',         'X52056_at', 'PU.1', 'M19507_at', 'MPO', ...
    'Y00433_at', 'GPX1',   'M28130_rna1_s_at', 'CXCL8', 'M80254_at', 'PPIF', 'S69272_s_at', 'SERPINB6'};
symbols = reshape (symbols, 2, [])';                                     % probe, gene
knng.neighbors (ds, idx, dist, gene);
t = knng.neighbors (ds, idx, dist, gene);
g = find (strcmp (ds.names, gene));
[~, at] = ismember (t.name, symbols(:, 1));
fprintf ('By their symbols: %s\n\n', strjoin (symbols(at(at > 0), 2)', ', '));

% ---- how to draw without a screen ----------------------------------------------------------------------------------
if ~exist ('folder', 'var')
    folder = fullfile (root, 'build', 'demo');
    if ~exist (fullfile (root, 'Makefile'), 'file')                       % an installed toolbox is not the place
        folder = fullfile (pwd (), 'knng-demo');
    end
end
if ~exist (folder, 'dir')
    mkdir (folder);
end
restore = knng.internal.headless ();
blue = [0 0.447 0.698];
orange = [0.835 0.369 0];

% ---- picture 1: the gene and its neighbours over the patients ------------------------------------------------------
labels = repmat ({''}, n, 1);
[found, at] = ismember (ds.names, symbols(:, 1));
labels(found) = symbols(at(found), 2);
labels{g} = 'zyxin';
named = {'ALL', 'AML'};
shown = ds;
shown.classes = named(ds.classes + 1);
profile = figure ('visible', 'off');
knng.profile (shown, idx, gene, 'Labels', labels);
xlabel ('patients, by diagnosis, then by zyxin');

% ---- picture 2: the graph ------------------------------------------------------------------------------------------
% Weight of an edge: how much the neighbourhoods of its ends have in common (Jaccard), which quiets chance edges.
G = sparse (repmat ((1:n)', 1, k), idx, 1, n, n) + speye (n);
[i, j, common] = find ((G * G') .* (G + G' > 0));
W = sparse (i, j, common ./ (2 * (k + 1) - common), n, n);
W = W - spdiags (diag (W), 0, n, n);
W = W * (6 * n / sum (W(:)));

% Start: the two slowest directions of a walk on the graph.
degree = full (sum (W, 2));
S = spdiags (1 ./ sqrt (degree), 0, n, n);
opts.v0 = ones (n, 1);
S = S * W * S;
[V, D] = eigs ((S + S') / 2, 3, 'la', opts);                             % symmetric to the last bit
[~, slow] = sort (diag (D), 'descend');
Y = bsxfun (@rdivide, V(:, slow(2:3)), sqrt (degree));
Y = bsxfun (@times, Y, 10 * sign (sum (Y .^ 3)) ./ max (abs (Y)));

% Then edges pull and random pairs push, less and less. 1/(1 + a q^b), q the squared distance, is the curve that UMAP
% takes for points that may lie 0.5 apart.
[i, j, w] = find (triu (W, 1));
m = numel (i);
B = sparse ([i; j], [1:m, 1:m]', [-ones(m, 1); ones(m, 1)], n, m);       % B' * Y: from one end to the other
a = 0.583;
b = 1.334;
rounds = 400;
pushes = 10;
rand ('twister', 1);                                                     % the same picture every time
for step = 1:rounds
    z = B' * Y;
    q = sum (z .^ 2, 2) + realmin;
    force = -B * max (min (bsxfun (@times, z, w * 2*a*b .* q.^(b-1) ./ (1 + a * q.^b)), 4), -4);
    for p = 1:pushes
        [~, other] = sort (rand (n, 1));
        z = Y - Y(other, :);
        q = sum (z .^ 2, 2);
        push = 8 / pushes * degree * 2*b ./ ((0.001 + q) .* (1 + a * q.^b));
        force = force + max (min (bsxfun (@times, z, push), 4), -4);
    end
    Y = Y + 0.25 * (1 - (step - 1) / rounds) * force;
end
Y = bsxfun (@minus, Y, mean (Y));
[~, ~, V] = svd (Y, 0);                                                  % the long side lies across the page
Y = Y * V;
Y = bsxfun (@times, Y, sign (sum (Y .^ 3)));
Y = bsxfun (@minus, Y, (max (Y) + min (Y)) / 2);

% Colour: Welch's t of the gene between the classes, from blue (higher in ALL) over grey to orange (higher in AML).
A = ds.X(:, ds.classes == 1);
L = ds.X(:, ds.classes == 0);
score = (mean (A, 2) - mean (L, 2)) ./ sqrt (var (A, 0, 2) / size (A, 2) + var (L, 0, 2) / size (L, 2));
limit = 8;
levels = 33;
x = linspace (-1, 1, levels)';
grey = [0.80 0.80 0.80];
colours = (1 - abs (x)) * grey + max (x, 0) * orange + max (-x, 0) * blue;
bin = round ((max (min (score / limit, 1), -1) + 1) / 2 * (levels - 1)) + 1;

map = figure ('visible', 'off', 'color', 'w', 'paperunits', 'inches', 'paperposition', [0 0 8.4 6]);
axes ('position', [0.01 0.13 0.98 0.80]);
hold on
% Lines would pile up to a grey mass. Here every edge lays down as much ink a step as it has weight.
wide = 1.03 * max (abs (Y(:, 1)));
tall = 1.03 * max (abs (Y(:, 2)));
across = 1400;
pixel = 2 * wide / across;
down = ceil (2 * tall / pixel);
from = bsxfun (@plus, Y(i, :), [wide, tall]) / pixel;
to = bsxfun (@plus, Y(j, :), [wide, tall]) / pixel;
steps = ceil (sqrt (sum ((to - from) .^ 2, 2))) + 1;
ink = zeros (down, across);
first = 1;
while first <= m                                                         % some million steps at a time
    last = min (m, first + max (1, find (cumsum (steps(first:end)) > 2e6, 1)) - 1);
    if isempty (last)
        last = m;
    end
    e = repelem ((first:last)', steps(first:last));
    start = cumsum ([0; steps(first:last-1)]);
    at = ((1:numel (e))' - 1 - start(e - first + 1)) ./ max (steps(e) - 1, 1);
    at = floor (from(e, :) + bsxfun (@times, at, to(e, :) - from(e, :)));
    ink = ink + accumarray (at(:, [2 1]) + 1, w(e), [down, across]);
    first = last + 1;
end
ink = 1 - 0.42 * (1 - exp (-ink / 2));
ink = round (48 * ink) / 48;                                              % few greys make a small file
image ([-wide, wide], [-tall, tall], cat (3, ink, ink, ink));
[~, drawn] = sort (abs (x));
for level = drawn'
    at = bin == level;
    plot (Y(at, 1), Y(at, 2), 'o', 'markersize', 2, 'color', colours(level, :), 'markerfacecolor', colours(level, :));
end
% Three genes with their neighbours, ringed, and a note above or below, the notes kept apart.
marked = {'X95735_at', 'myeloid cells: zyxin'; 'X03934_at', 'T cells: CD3D'; 'M89957_at', 'B cells: CD79B'};
[~, rows] = ismember (marked(:, 1), ds.names);
note = [Y(rows, 1), 1.07 * tall * sign(Y(rows, 2) + realmin)];
for step = 1:20
    for u = 1:numel (rows)
        for v = find (note(:, 2)' == note(u, 2) & 1:numel (rows) ~= u)
            if abs (note(u, 1) - note(v, 1)) < 0.5 * wide
                note(u, 1) = note(u, 1) + 0.05 * wide * sign (note(u, 1) - note(v, 1) + (u - v) * 1e-9);
            end
        end
    end
    note(:, 1) = max (min (note(:, 1), 0.8 * wide), -0.8 * wide);
end
for c = 1:numel (rows)
    r = rows(c);
    near = idx(r, :)';
    spokes = reshape ([repmat(Y(r, :), k, 1), Y(near, :), nan(k, 2)]', 2, []);
    plot (spokes(1, :), spokes(2, :), '-', 'color', [0.2 0.2 0.2], 'linewidth', 1);
    plot ([Y(r, 1), note(c, 1)], [Y(r, 2), note(c, 2)], '-', 'color', [0.6 0.6 0.6], 'linewidth', 1);
    for v = [near; r]'
        dot = 3 + 2.5 * (v == r);
        plot (Y(v, 1), Y(v, 2), 'o', 'markersize', dot + 1.2, 'color', 'k', 'markerfacecolor', 'k');
        plot (Y(v, 1), Y(v, 2), 'o', 'markersize', dot, 'color', colours(bin(v), :), ...
              'markerfacecolor', colours(bin(v), :));
    end
    text (note(c, 1), 1.06 * note(c, 2), marked{c, 2}, 'fontsize', 10, 'horizontalalignment', 'center');
end
axis equal
axis ([-wide, wide, -1.2 * tall, 1.2 * tall]);
axis off
axes ('position', [0.02 0.03 0.96 0.09], 'visible', 'off');
hold on
axis ([0 1 0 1]);
for level = 1:levels
    left = 0.36 + 0.28 * (level - 1) / levels;
    patch (left + [0 0.28 0.28 0] / levels, [0.55 0.55 0.95 0.95], colours(level, :), 'edgecolor', 'none');
end
text (0.35, 0.75, 'higher in ALL', 'fontsize', 9, 'horizontalalignment', 'right', 'color', blue);
text (0.65, 0.75, 'higher in AML', 'fontsize', 9, 'color', orange);
for v = [-limit, 0, limit]
    text (0.5 + 0.14 * v / limit, 0.25, sprintf ('%d', v), 'fontsize', 8, 'horizontalalignment', 'center');
end
text (0.65, 0.25, 'Welch''s t', 'fontsize', 8);
text (0.5, 10.33, sprintf ('%d genes, each joined to the %d that vary most like it over %d patients', n, k, d), ...
      'fontsize', 12, 'fontweight', 'bold', 'horizontalalignment', 'center'); % far above: gnuplot 6 warns of axes without data

% ---- print ---------------------------------------------------------------------------------------------------------
% Twice as large, then the mean of 2-by-2 pixels: smooth lines, whatever the toolkit does.
figures = {profile, 'profile.png'; map, 'map.png'};
for f = 1:size (figures, 1)
    png = fullfile (folder, figures{f, 2});
    print (figures{f, 1}, png, '-dpng', '-r300');
    large = double (imread (png));
    high = floor (size (large, 1)/ 2) * 2;
    wide = floor (size (large, 2)/ 2) * 2;
    small = zeros (high / 2, wide / 2, size (large, 3));
    for p = 1:2
        for q = 1:2
            small = small + large(p:2:high, q:2:wide, :) / 4;
        end
    end
    small(small > 253.5) = 255;                                          % gnuplot's white in images is 254
    imwrite (uint8 (small), png);
    close (figures{f, 1});
    fprintf ('wrote %s\n', png);
end
