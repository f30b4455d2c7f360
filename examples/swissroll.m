%SWISSROLL  Unroll a rolled-up sheet by the graph of its nearest neighbours.
%   2 000 points lie on a sheet that is rolled up like the cake. Straight lines cut through the windings; a walk from
%   neighbour to neighbour stays on the sheet, and the slowest direction of that walk runs along it, from the inner end
%   to the outer (the second is a harmonic of it). The picture, swissroll.png, shows the roll and the map, in the colours of the place along the roll. For
%   points of your own, a row each in X:
%
%     A = knngraph (X, 10);
%     Y = knng.diffusionmap (A, 2);                               % two coordinates a point
%     knng.scatter (Y, labels)                                    % in the colours of groups or values

root = fileparts (fileparts (mfilename ('fullpath')));
addpath (root);
if ~exist ('folder', 'var')
    folder = pwd ();
end

n = 2000;
u = mod ((1:n)' * [0.754877666246693, 0.569840290998053], 1);            % even, and the same every time
angle = sqrt ((1.5*pi)^2 + u(:, 1) * ((4.5*pi)^2 - (1.5*pi)^2));
X = [angle .* cos(angle), 21 * u(:, 2), angle .* sin(angle)];

A = knngraph (X, 10);
[Y, lambda] = knng.diffusionmap (A, 2);
[~, order] = sort (angle);
place(order) = 1:n;
[~, order] = sort (Y(:, 1));
found(order) = 1:n;
along = abs (corr (place', found'));
fprintf ('%d points: the first coordinate has them in the order of the sheet, rank correlation %.4f\n', n, along);

restore = knng.internal.headless ();
picture = figure ('visible', 'off', 'color', 'w', 'paperunits', 'inches', 'paperposition', [0 0 10 4.4]);
ax = axes ('position', [0.05 0.12 0.38 0.76]);
knng.scatter (X(:, [1 3 2]), angle);
colorbar ('off');
title ('a rolled-up sheet', 'fontsize', 11);
xlabel ('x');
ylabel ('z');
zlabel ('y');
view (-20, 60);
ax = axes ('position', [0.54 0.12 0.34 0.76]);
knng.scatter (Y, angle);
title ('its diffusion map: colour, the angle along the roll', 'fontsize', 11);
print (picture, fullfile (folder, 'swissroll.png'), '-dpng', '-r100');
close (picture);
fprintf ('wrote %s\n', fullfile (folder, 'swissroll.png'));
