function [i, j, dist] = within (X, radius, metric, how)
%WITHIN  All pairs of rows of X within RADIUS, in both directions, a row with itself left out: columns i, j and their distances.
%   HOW: as of knng.internal.engine.

  [count, j, dist] = knng.internal.range ('graph', X, [], radius, [{'Distance', metric}, how]);
  i = repelem (1:numel (count), count)';
  j = j';
  dist = dist';
end

%!test
%! X = floor (30 * reshape (knng.internal.random (1, 400), 200, 2));
%! D = max (abs (permute (X, [1 3 2]) - permute (X, [3 1 2])), [], 3);
%! for radius = [0 1 3 8 100]
%!   [i, j, d] = knng.internal.within (X, radius, 'chebychev', {});
%!   near = D <= radius & ~eye (200);
%!   assert (sparse (i, j, d + 1, 200, 200), sparse (near .* (D + 1)));
%! end
%! [i, j, d] = knng.internal.within ([1; 5], 1, 'chebychev', {});
%! assert (isempty ([i, j, d]));
