function [bars, groups, scale] = page_colours (phenotypes, classes)
%PAGE_COLOURS  The colours of a page: BARS, a cell with a row for each kind of each of the phenotypes of KNNG.INTERNAL.PHENOTYPES, [] of values, as
%   knng.heatmap has them; GROUPS, 40 rows, for the groups on the map, in lists and beside the clustergram; SCALE, of the lowest, the middle and the
%   highest value, which can be seen on any paper. CLASSES: the first phenotype is the classes.
%   Those of groups are colours of bars, too, which can be seen on white and on black paper, and none of BARS while there are others. So long as there
%   are, they have not the hue of a value, and are neither bright nor greyish. Each is as far as can be, for people of every colour vision, from those
%   before it and from the grey of no group.

  scale = [20 90 170; 170 170 170; 213 94 0] / 255;
  shown = knng.internal.sample_bars (phenotypes, [], zeros (0, 3), double (classes));
  bars = {shown.colours};
  those = knng.internal.bar_colours (1:150);
  seen = knng.internal.as_seen (those);
  those = those(seen(:, 1) > 32 & seen(:, 1) < 71, :);
  seen = arrayfun (@(vision) knng.internal.as_seen (those, vision), 1:4, 'UniformOutput', false);
  near = nearest (seen{1}, knng.internal.as_seen (vertcat (bars{:}, zeros (0, 3))));
  better = 1e4 * (near > 0) + 1e3 * decent (seen{1}, scale);
  for vision = 1:4
    near = min (near, nearest (seen{vision}, knng.internal.as_seen ([0.66 0.66 0.66], vision)));
  end
  groups = zeros (40, 3);
  for g = 1:40
    [~, best] = max (near + better);                         % of equal ones the first
    groups(g, :) = those(best, :);
    for vision = 1:4
      lab = seen{vision};
      near = min (near, nearest (lab, lab(best, :)) / (1 + (vision == 1)));   % most people see all, twice as far
    end
    better(best) = -1;                                       % not again
  end
end

function yes = decent (seen, scale)
  hue = atan2 (seen(:, 3), seen(:, 2)) * 180 / pi;           % of blue -82, of orange 60
  chroma = sqrt (sum (seen(:, 2:3) .^ 2, 2));
  values = knng.internal.as_seen (interp1 ([0 0.5 1], scale, linspace (0, 1, 65)));
  yes = abs (hue + 83) > 34 & abs (hue - 60) > 20 & chroma > 26 & chroma < 75 & nearest (seen, values) > 12;
end

function d = nearest (seen, others)
% How far each is from the nearest of the others, both as knng.internal.as_seen returns them.
  d = Inf (size (seen, 1), 1);
  for c = others'
    d = min (d, sqrt (sum (bsxfun (@minus, seen, c') .^ 2, 2)));
  end
end

%!test  # classes and phenotypes as in knng.heatmap; groups on any paper, for each vision, far from these and from values
%! kinds = @(n) arrayfun (@(i) sprintf ('k%02d', i), (1:n)', 'UniformOutput', false);
%! p = struct ('name', {'class', 'age', 'sex'}, 'kinds', {kinds(3), {}, kinds(2)}, 'of', {[1 2 3 0], [7 8 9 NaN], [1 1 2 2]});
%! [bars, groups, scale] = knng.internal.page_colours (p, true);
%! assert (bars, {knng.internal.bar_colours(1:3), [], knng.internal.bar_colours(4:5)});
%! assert (size (groups), [40 3]);
%! far = @(a, b, v) sqrt (sumsq (permute (knng.internal.as_seen (a, v), [1 3 2]) - permute (knng.internal.as_seen (b, v), [3 1 2]), 3));
%! for v = 1:4
%!   apart = far (groups, groups, v) + 1e3 * eye (40);
%!   assert (min (apart(1:8, 1:8)(:)) > 13 + 13 * (v == 1));
%!   assert (min (apart(1:16, 1:16)(:)) > 8 + 10 * (v == 1));
%!   assert (min (apart(:)) > 1);                             # with shapes, which change after each eight
%!   assert (min (far (groups, [0.66 0.66 0.66], v)) > 5);
%! end
%! assert (min (far (groups, groups, 1)(! eye (40))) > 13);
%! assert (min (far (groups, vertcat (bars{:}), 1)(:)) > 13);
%! values = [knng.internal.heat_colours(); interp1([-1 0 1], scale, linspace (-1, 1, 65))];
%! assert (min (far ([groups; vertcat(bars{:})], values, 1)(:)) > 12);
%! light = ((groups + 0.055) / 1.055) .^ 2.4;
%! light(groups <= 0.04045) = groups(groups <= 0.04045) / 12.92;
%! light = light * [0.2126; 0.7152; 0.0722];
%! assert (all (1.05 ./ (light + 0.05) > 2.2));               # contrast on white, on the page's dark paper
%! assert (all ((light + 0.05) / (0.0089 + 0.05) > 2));
%!test  # neither blue nor orange nor grey, while there are others; that no bar has while there are
%! [~, groups] = knng.internal.page_colours (struct ('name', {'class'}, 'kinds', {{'a'; 'b'}}, 'of', {[1 2]}), true);
%! lab = knng.internal.as_seen (groups(1:25, :));
%! hue = atan2 (lab(:, 3), lab(:, 2)) * 180 / pi;
%! assert (all (abs (hue + 83) > 34 & abs (hue - 60) > 20 & hypot (lab(:, 2), lab(:, 3)) > 26));
%! kinds = arrayfun (@(i) sprintf ('k%02d', i), (1:12)', 'UniformOutput', false);
%! p = struct ('name', {'a', 'b', 'c'}, 'kinds', {kinds}, 'of', {1:12});
%! [bars, groups] = knng.internal.page_colours (p, true);
%! assert (size (unique ([vertcat(bars{:}); groups], 'rows')), [76 3]);
%!test  # no phenotype; classes that take all there are
%! [bars, groups] = knng.internal.page_colours (struct ('name', {}, 'kinds', {}, 'of', {}), false);
%! assert (isempty (bars));
%! assert (size (unique (groups, 'rows')), [40 3]);
%! kinds = arrayfun (@(i) sprintf ('k%02d', i), (1:40)', 'UniformOutput', false);
%! p = struct ('name', {'a', 'b', 'c', 'd'}, 'kinds', {kinds}, 'of', {1:40});
%! [bars, groups] = knng.internal.page_colours (p, true);
%! assert (bars{1}, knng.internal.bar_colours (1:40));
%! assert (size (unique (groups, 'rows')), [40 3]);
