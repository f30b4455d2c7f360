%SWISSROLL  Unroll a rolled-up sheet by the graph of its nearest neighbours.
%   3 000 points lie on a sheet that is rolled up like the cake. Straight lines cut through the windings; a walk from
%   neighbour to neighbour stays on the sheet. The slowest direction of that walk runs along the roll, from its inner end
%   to the outer, the next one across: the diffusion map is the sheet, unrolled. (Each coordinate goes like a cosine from
%   edge to edge, so points crowd at the edges. Were the sheet more than twice as long as wide, twice as fast a wave
%   along it would come before its width.) The picture, swissroll.png, shows the roll and the map, in the colours of the
%   place along the roll. For points of your own, a row each in X:
%
%     A = knngraph (X, 10);
%     Y = knng.diffusionmap (A, 2);                               % two coordinates a point
%     knng.scatter (Y, labels)                                    % in the colours of groups or values

root = fileparts (fileparts (mfilename ('fullpath')));
addpath (root);
if ~exist ('folder', 'var')
    folder = pwd ();
end

n = 3000;
u = mod ((1:n)' * [0.754877666246693, 0.569840290998053], 1);            % even, and the same every time
angle = sqrt ((1.5*pi)^2 + u(:, 1) * ((4.5*pi)^2 - (1.5*pi)^2));
width = 60 * u(:, 2);
X = [angle .* cos(angle), width, angle .* sin(angle)];

A = knngraph (X, 10);
[Y, lambda] = knng.diffusionmap (A, 2);
[~, order] = sort ([angle, width, Y]);
rank = zeros (n, 4);
for c = 1:4
    rank(order(:, c), c) = 1:n;
end
r = abs (corrcoef (rank));
fprintf ('%d points: the map has them in their order along the roll (rank correlation %.4f) and across (%.4f)\n', n, r(1, 3), r(2, 4));
if ~(r(1, 3) > 0.98 && r(2, 4) > 0.98)
    error ('knng:swissroll:rolled', 'the map is not the sheet');
end

restore = knng.internal.headless ();
picture = figure ('visible', 'off', 'color', 'w', 'paperunits', 'inches', 'paperposition', [0 0 10 4.4]);
axes ('position', [0.05 0.12 0.38 0.76]);
knng.scatter (X(:, [1 2 3]), angle);
colorbar ('off');
view (10, 12);
axis ([-15 15 0 60 -15 15]);
set (gca (), 'xtick', [-10 10], 'ytick', 0:20:60, 'ztick', [-10 0 10]);
title ('a rolled-up sheet', 'fontsize', 11);
xlabel ('x');
ylabel ('y');
zlabel ('z');
axes ('position', [0.54 0.12 0.34 0.76]);
knng.scatter (Y, angle);
title ('its diffusion map; colour, the angle along the roll', 'fontsize', 11);
print (picture, fullfile (folder, 'swissroll.png'), '-dpng', '-r100');
close (picture);
fprintf ('wrote %s\n', fullfile (folder, 'swissroll.png'));
