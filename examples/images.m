%IMAGES  The angles of a turning particle, out of noisy X-ray images that do not tell them.
%   A particle of 40 atoms turns about an axis across the beam. Each of 2 000 pulses meets it at another, unknown angle and
%   leaves a diffraction image of 32 by 32 pixels, on average one photon a pixel, more or less by the pulse. Near angles
%   give similar images: in the space of the 1 024 pixels the images lie about one closed line. The diffusion map of their
%   graph lays that line out as a circle, and the place of an image on the circle is its angle, but for where the angle
%   starts and which way round it runs, which no image tells. The example fails if the angles do not correlate above 0.99
%   with the true ones. The picture, images.png, shows images, the map, and the angles found. For counts of your own,
%   an image a row of X:
%
%     A = knngraph (sqrt (X ./ sum (X, 2)), 30);
%     Y = knng.diffusionmap (A, 2);
%     angle = atan2 (Y(:, 2), Y(:, 1));
%
%   So the orientations of single molecules are found before their structure is computed. They turn about all three axes,
%   and it takes millions of images and more coordinates; of all that the graph is the longest part.

root = fileparts (fileparts (mfilename ('fullpath')));
addpath (root);
if ~exist ('folder', 'var')
    folder = pwd ();
end

% The particle: atoms in a cube of side 2, and the angle and the strength of each pulse; the same every time.
n = 2000;
atoms = 40;
side = 32;
u = knng.internal.random (1, 3 * atoms + 2 * n);
atom = 2 * reshape (u(1:3*atoms), atoms, 3) - 1;
truth = 2 * pi * u(3*atoms + (1:n));
strength = 0.5 + u(3*atoms + n + (1:n));

% The images. The beam comes along z; a pixel far behind the particle collects what is scattered by (qx, qy, 0), as far
% as the angle of scattering is small: |sum of exp (i (qx x + qy y)) over the atoms|^2. So z does not matter, only the shadow
% of the particle along the beam; and I(-q) = I(q). Were the particle to turn about the beam, the image would turn with it
% and come back after half a turn: one could not tell an angle from its opposite. It turns about x instead, across the
% beam. Half a turn shows the shadow from behind, which is its mirror image, and so is the diffraction image: another
% one, if the particle has no symmetry. Every angle has an image of its own, and the line of the images closes after one turn.
q = ((1:side) - (side + 1) / 2) * 24 / side;
seen = bsxfun (@plus, q' .^ 2, q .^ 2) > 4;                              % the middle is lost: there the beam is stopped
x = atom(:, 1);
y = atom(:, 2) * cos (truth') - atom(:, 3) * sin (truth');
X = zeros (n, side ^ 2);
for s = 1:n
    light = seen .* abs (exp (1i * q' * x') * exp (1i * y(:, s) * q)) .^ 2;
    X(s, :) = light(:)' / sum (light(:)) * side ^ 2 * strength(s);
end

% Photons come one by one: a pixel that expects m of them counts j with the probability exp (-m) m^j / j!
chance = reshape (knng.internal.random (2, numel (X)), size (X));
probability = exp (-X);
below = probability;
photons = zeros (size (X));
more = find (chance > below);
j = 0;
while ~isempty (more) && j < 200
    j = j + 1;
    photons(more) = j;
    probability(more) = probability(more) .* X(more) / j;
    below(more) = below(more) + probability(more);
    more = more(chance(more) > below(more));
end

% The angles. A count of m photons is off by about sqrt (m), its root by about 1/2, whatever m: so bright pixels do not
% outvote the others. Divided by their sum first, images of weak and strong pulses are alike.
A = knngraph (bsxfun (@rdivide, sqrt (photons), sqrt (sum (photons, 2))), 30);
[Y, lambda] = knng.diffusionmap (A, 2);
found = atan2 (Y(:, 2), Y(:, 1));

% Correlation of angles (N. Fisher, A. Lee, Biometrika 70 (1983) 327-332): 1 if they differ by a constant, -1 if they run
% opposite ways.
together = @(a) abs (mean (exp (1i * a))) ^ 2;
rho = (together (found - truth) - together (found + truth)) / ...
      sqrt ((1 - together (2 * found)) * (1 - together (2 * truth)));
if rho < 0
    found = -found;
end
found = found - angle (mean (exp (1i * (found - truth))));               % the start that fits best
wrong = abs (angle (exp (1i * (found - truth))));
fprintf ('%d images of %d photons on average: angles found to %.1f degrees (median), correlation %.4f\n', n, ...
         round (mean (sum (photons, 2))), median (wrong) * 180 / pi, abs (rho));
if ~(abs (rho) > 0.99)
    error ('knng:images:angles', 'the angles correlate with the true ones by %.4f only', abs (rho));
end

restore = knng.internal.headless ();
picture = figure ('visible', 'off', 'color', 'w', 'paperunits', 'inches', 'paperposition', [0 0 12 4]);
for s = 1:4
    [~, nearest] = min (abs (truth - (2*s - 1) * pi / 4));
    axes ('position', [0.01 + 0.125 * mod(s - 1, 2), 0.52 - 0.45 * (s > 2), 0.12, 0.36]);
    imagesc (reshape (min (photons(nearest, :), 6), side, side)');
    colormap (gray (64));
    axis square
    axis off
    title (sprintf ('%.0f degrees', truth(nearest) * 180 / pi), 'fontsize', 10);
end
axes ('position', [0.33 0.14 0.24 0.72]);
knng.scatter (Y, truth * 180 / pi);
axis (1.8 * [-1 1 -1 1]);
set (gca (), 'xtick', -1:1, 'ytick', -1:1);
axis square
title ('the map of all images; colour, the true angle', 'fontsize', 11);
axes ('position', [0.72 0.14 0.26 0.72]);
plot (truth * 180 / pi, mod (found, 2 * pi) * 180 / pi, '.', 'markersize', 3, 'color', [0 0.447 0.698]);
axis ([0 360 0 360]);
set (gca (), 'xtick', 0:90:360, 'ytick', 0:90:360);
axis square
grid on
xlabel ('true angle');
ylabel ('angle found');
title (sprintf ('%.1f degrees off (median)', median (wrong) * 180 / pi), 'fontsize', 11);
print (picture, fullfile (folder, 'images.png'), '-dpng', '-r80');
close (picture);
fprintf ('wrote %s\n', fullfile (folder, 'images.png'));
