function [i, j, dist] = within (X, radius, metric, how)
%WITHIN  All pairs of rows of X within RADIUS, in both directions, a row with itself left out: columns i, j and their distances.
%   Rows whose list of neighbours ends within RADIUS are searched again, for four times as many. HOW: as of knng.internal.engine.

  n = size (X, 1);
  [i, j, dist] = deal (zeros (0, 1));
  open = (1:n)';
  k = min (15, n - 1);
  while (~isempty (open) && k > 0)
    if (numel (open) == n)
      [list, d] = knngraph (X, k, metric, how{:});
    else
      [list, d] = knng.knnsearch (X, X(open, :), 'K', k + 1, 'Distance', metric, how{:});
    end
    near = d <= radius;
    more = near(:, end) & k < n - 1;
    near(more, :) = false;
    near = near & bsxfun (@ne, list, open);
    [row, ~] = find (near);
    i = [i; reshape(open(row), [], 1)]; %#ok<AGROW>
    j = [j; reshape(list(near), [], 1)]; %#ok<AGROW>
    dist = [dist; reshape(d(near), [], 1)]; %#ok<AGROW>
    open = open(more);
    k = min (4 * k, n - 1);
  end
end

%!test
%! X = floor (30 * reshape (knng.internal.random (1, 400), 200, 2));
%! D = max (abs (permute (X, [1 3 2]) - permute (X, [3 1 2])), [], 3);
%! for radius = [0 1 3 8 100]
%!   [i, j, d] = knng.internal.within (X, radius, 'chebychev', {});
%!   near = D <= radius & ~eye (200);
%!   assert (sparse (i, j, d + 1, 200, 200), sparse (near .* (D + 1)));
%! end
