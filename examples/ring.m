%RING  Two rings of points, told apart by the graph of their nearest neighbours.
%   600 points lie on two rings around one centre: no line and no mean tells one ring from the other. Each point is
%   joined to the 6 nearest to it, and what hangs together is a group. The picture, ring.png, shows points, graph and
%   groups. For points of your own, a row each in X:
%
%     A = knngraph (X, 6);                                        % A(i,j): the distance from i to its neighbour j
%     [p, ~, r] = dmperm (A + A' + speye (size (A)));             % p(r(g):r(g+1)-1) are the points of group g
%     group(p) = repelem (1:numel (r)-1, diff (r));               % the group of each point

root = fileparts (fileparts (mfilename ('fullpath')));
addpath (root);
if ~exist ('folder', 'var')
    folder = pwd ();
end

n = 600;
scatter = mod (1e5 * sin (1:2*n)', 1);                                   % irregular, and the same every time
angle = 2 * pi * 0.618 * (1:n)' + 0.1 * scatter(1:n);
radius = 1 + (1:n > n/2)' + 0.4 * (scatter(n+1:end) - 0.5);
X = [radius .* cos(angle), radius .* sin(angle)];

A = knngraph (X, 6);
[p, ~, r] = dmperm (A + A' + speye (size (A)));
group = zeros (1, n);
group(p) = repelem (1:numel (r)-1, diff (r));
fprintf ('%d points, %d groups, of %s points\n', n, max (group), strjoin (arrayfun (@num2str, diff (r), 'UniformOutput', false), ' and '));

restore = knng.internal.headless ();
picture = figure ('visible', 'off', 'color', 'w', 'paperunits', 'inches', 'paperposition', [0 0 5 5]);
axes ('position', [0.02 0.02 0.96 0.90]);
[i, j] = find (A);
ends = reshape ([X(i, :), X(j, :), nan(numel (i), 2)]', 2, []);
plot (ends(1, :), ends(2, :), '-', 'color', [0.6 0.6 0.6]);
hold on
colours = [0 0.447 0.698; 0.835 0.369 0; 0 0.6 0.5; 0.8 0.475 0.655];
for g = 1:max (group)
    plot (X(group == g, 1), X(group == g, 2), 'o', 'markersize', 2, 'color', colours(mod (g - 1, 4) + 1, :), ...
          'markerfacecolor', colours(mod (g - 1, 4) + 1, :));
end
axis equal
axis off
title (sprintf ('%d points, each joined to its 6 nearest: %d groups', n, max (group)), 'fontsize', 11);
print (picture, fullfile (folder, 'ring.png'), '-dpng', '-r120');
close (picture);
fprintf ('wrote %s\n', fullfile (folder, 'ring.png'));
