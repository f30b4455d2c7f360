function [count, centre, spread, variance] = row_spread (X)
%ROW_SPREAD  Of each row of X how many values are there, their mean, standard deviation and variance (by count - 1),
%   in double. NaN is not counted. CENTRE is NaN where there is no value; SPREAD and VARIANCE are 0 where there are no two different ones.

  X = double (X);
  known = ~isnan (X);
  count = sum (known, 2);
  flat = ~(max (X, [], 2) > min (X, [], 2));
  only = max (X, [], 2);                                     % of a flat row, to the last bit
  X(~known) = 0;
  [~, power] = log2 (max (abs (X), [], 2));
  scale = 2 .^ (power - 1);                                  % which rounds nothing
  X = bsxfun (@rdivide, X, scale);                           % so that squares stay finite
  centre = sum (X, 2) ./ count;
  X = bsxfun (@minus, X, centre);
  X(~known) = 0;
  variance = sum (X .^ 2, 2) ./ max (count - 1, 1);
  variance(flat) = 0;
  spread = sqrt (variance) .* scale;
  variance = variance .* scale .* scale;
  centre = centre .* scale;
  centre(flat) = only(flat);
end

%!test
%! [count, centre, spread, variance] = knng.internal.row_spread ([1 2 4 9; 1e300 -1e300 0 0; 0.1 0.1 0.1 0.1; 1 NaN 3 NaN; NaN 7 NaN NaN; NaN(1, 4)]);
%! assert (count, [4; 4; 4; 2; 1; 0]);
%! assert (centre, [4; 0; 0.1; 2; 7; NaN]);
%! assert (spread, [std([1 2 4 9]); sqrt(2 / 3) * 1e300; 0; sqrt(2); 0; 0], 4 * eps);
%! assert (spread(3:end), [0; sqrt(2); 0; 0]);
%! assert (variance([1 3:end]), [38/3; 0; 2; 0; 0]);
%! [~, ~, spread, variance] = knng.internal.row_spread ([7 NaN 9; 4.9e-324 0 0]);
%! assert (variance, [2; 0]);
%! assert (spread(2) > 0);
