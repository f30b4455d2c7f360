function colours = more_colours (have, count, light, vivid)
%MORE_COLOURS  COUNT more colours, a row each, that are far from the rows of HAVE, from each other, from white, and from the greys of what has no
%   group: each is that of 729 which is farthest from all before it. LIGHT: the least and the largest lightness, from 0 to 100.
%   VIVID: the least and the largest chroma, which is 0 of greys, up to 134; any without it. There are fewer than COUNT where these are used up.

  steps = (0:8)' / 8;
  [r, g, b] = ndgrid (steps, steps, steps);
  those = [r(:), g(:), b(:)];
  seen = knng.internal.as_seen (those);
  if (nargin < 4)
    vivid = [0 Inf];
  end
  chroma = sqrt (far (seen(:, 2:3), [0 0]));
  fits = seen(:, 1) >= light(1) & seen(:, 1) <= light(2) & chroma >= vivid(1) & chroma <= vivid(2);
  [those, seen] = deal (those(fits, :), seen(fits, :));
  near = Inf (size (seen, 1), 1);
  for c = knng.internal.as_seen ([have; 1 1 1; 0.85 0.85 0.85; 0.6 0.6 0.6])'
    near = min (near, far (seen, c'));
  end
  count = min (count, numel (near));
  colours = zeros (count, 3);
  for i = 1:count
    [~, best] = max (near);                                  % of equal ones the first
    colours(i, :) = those(best, :);
    near = min (near, far (seen, seen(best, :)));
  end
end

function d = far (seen, c)
  d = sum (bsxfun (@minus, seen, c) .^ 2, 2);
end

%!test
%! c = knng.internal.more_colours ([0 0 0; 1 0 0], 60, [20 80]);
%! assert (size (c), [60 3]);
%! assert (c(1:5, :), knng.internal.more_colours ([0 0 0; 1 0 0], 5, [20 80]));
%! known = [c; 0 0 0; 1 0 0; 1 1 1; 0.85 0.85 0.85; 0.6 0.6 0.6];
%! apart = sqrt (sum ((permute (known, [1 3 2]) - permute (known, [3 1 2])) .^ 2, 3)) + 9 * eye (65);
%! assert (min (apart(:)) > 0.12);
%! light = c * [0.2126; 0.7152; 0.0722];
%! assert (min (light) > 0.01 && max (light) < 0.9);
%! assert (size (knng.internal.more_colours (zeros (0, 3), 9999, [0 100])), [729 3]);
%! strong = @(c) max (c, [], 2) - min (c, [], 2);
%! assert (min (strong (knng.internal.more_colours (zeros (0, 3), 9999, [30 70], [20 Inf]))) > 0.1);
%! assert (max (strong (knng.internal.more_colours (zeros (0, 3), 9999, [30 70], [0 20]))) < 0.5);
