function Z = standard_rows (X)
%STANDARD_ROWS  The rows of X less their means, over their standard deviations, both of what is finite; a constant row is 0.

  known = isfinite (X);
  Z = X;
  Z(~known) = 0;
  scale = max (abs (Z), [], 2);
  scale(scale == 0) = 1;
  Z = bsxfun (@rdivide, Z, scale);                           % so that squares stay finite
  count = max (sum (known, 2), 1);
  flat = max (X, [], 2) == min (X, [], 2);
  Z = bsxfun (@minus, Z, sum (Z, 2) ./ count);
  Z(~known) = 0;
  spread = sqrt (sum (Z .^ 2, 2) ./ max (count - 1, 1));
  spread(flat | spread == 0) = Inf;
  Z = bsxfun (@rdivide, Z, spread);
  Z(~known) = NaN;
end

%!test
%! X = [1 2 4 9; 1e300 -1e300 0 0; 0.1 0.1 0.1 0.1; 1 NaN 3 Inf];
%! Z = knng.internal.standard_rows (X);
%! assert (Z(1, :), (X(1, :) - 4) / std (X(1, :)), 1e-12);
%! assert (std (Z(2, :)), 1, 1e-12);
%! assert (Z(3, :), zeros (1, 4));
%! assert (Z(4, :), [-1 NaN 1 NaN] / sqrt (2), 1e-12);
