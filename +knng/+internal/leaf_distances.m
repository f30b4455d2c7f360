function D = leaf_distances (Z, squared)
%LEAF_DISTANCES  The euclidean distances of all pairs of rows of Z, or their squares, in a unit of no matter; what is not
%   finite counts as 0.

  Z(~isfinite (Z)) = 0;
  Z = Z / max ([abs(Z(:)); realmin]);
  q = sum (Z .^ 2, 2);
  D = max (bsxfun (@plus, q, q') - 2 * (Z * Z'), 0);
  D = (D + D') / 2;
  if (~squared)
    D = sqrt (D);
  end
end
