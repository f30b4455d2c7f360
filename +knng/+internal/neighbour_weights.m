function W = neighbour_weights (dist, here, kind)
%NEIGHBOUR_WEIGHTS  What each neighbour counts by its distance, m-by-k, 0 where there is none.
%   DIST, m-by-k: distances, nearest first. HERE, m-by-k: where there is a neighbour, in the first columns of each row. KIND is
%   'equal', 'inverse', 'squaredinverse' or a function of a matrix of distances, which is called once for each number of
%   neighbours that rows have, so that it never sees a gap.
%   Inverse ones are by the nearest, d(1)/d, which changes no mean: no overflow. Of neighbours at distance 0, or of infinite
%   weight, each counts 1, and others nothing.

  if (isa (kind, 'function_handle'))
    W = zeros (size (dist));
    count = sum (here, 2);
    for c = reshape (unique (count(count > 0)), 1, [])
      r = count == c;
      W(r, 1:c) = ask (kind, dist(r, 1:c));
    end
    return
  end
  W = double (here);
  if (~strcmpi (kind, 'equal'))
    first = repmat (dist(:, 1:min (1, end)), 1, size (dist, 2)); % no row may have a neighbour: then dist has no column
    other = here & dist ~= first;                            % 0/0 and Inf/Inf are 1
    W(other) = first(other) ./ dist(other);
    if (strcmpi (kind, 'squaredinverse'))
      W = W .* W;
    end
  end
end

function w = ask (f, d)
  try
    w = f (d);
  catch problem
    error ('knng:args:option', '''DistanceWeight'' is a function that failed for a %d-by-%d matrix of distances: %s', size (d, 1), ...
           size (d, 2), problem.message);
  end
  if (~(isnumeric (w) || islogical (w)) || ~isreal (w) || ~isequal (size (w), size (d)))
    error ('knng:args:option', ['''DistanceWeight'' is a function that makes of a %d-by-%d matrix of distances %s: it must return a weight ' ...
           'for each, in a matrix of the same size, as @(d) exp (-d) does'], size (d, 1), size (d, 2), knng.internal.given (w));
  end
  w = double (full (w));
  bad = find (~(w >= 0), 1);
  if (~isempty (bad))
    error ('knng:args:option', '''DistanceWeight'' is a function that gives a distance of %g the weight %g: weights must be 0 or more', ...
           double (d(bad)), w(bad));
  end
  endless = any (w == Inf, 2);
  w(endless, :) = w(endless, :) == Inf;
  [~, e] = log2 (max (w, [], 2));
  huge = e > 100;                                            % else sums could be Inf, also of weights times targets
  if (any (huge))
    w(huge, :) = bsxfun (@times, w(huge, :), 2 .^ -e(huge));
  end
end

%!assert (knng.internal.neighbour_weights ([1 2 4; 0 0 3; 2 NaN NaN], [1 1 1; 1 1 1; 1 0 0] > 0, 'inverse'), [1 1/2 1/4; 1 1 0; 1 0 0])
%!assert (knng.internal.neighbour_weights (zeros (3, 0), false (3, 0), 'inverse'), zeros (3, 0))
%!assert (knng.internal.neighbour_weights ([1 2 4; 0 0 3], true (2, 3), 'SquaredInverse'), [1 1/4 1/16; 1 1 0])
%!assert (knng.internal.neighbour_weights ([1 2; 0 5; 2 NaN; NaN NaN], [1 1; 1 1; 1 0; 0 0] > 0, @(d) 1 ./ d), [1 1/2; 1 0; 1/2 0; 0 0])
%!assert (knng.internal.neighbour_weights ([1 2; 1 2], true (2, 2), @(d) [realmax(), 2 ^ 1000; 3, 2 ^ 99]), [1 - eps() / 2, 2 ^ -24; 3, 2 ^ 99])
%!assert (knng.internal.neighbour_weights ([0 0 1], true (1, 3), @(d) 1 ./ d), [1 1 0])
%!error <gives a distance of 2 the weight -1: weights> knng.internal.neighbour_weights ([1 2], true (1, 2), @(d) 1 - d)
%!error <a 1-by-2 matrix of distances 1: it must return> knng.internal.neighbour_weights ([1 2], true (1, 2), @(d) 1)
%!error <that failed for a 1-by-2 matrix of distances: .*nought> knng.internal.neighbour_weights ([1 2], true (1, 2), @(d) error ('nought'))
