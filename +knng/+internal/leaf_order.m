function p = leaf_order (Z, squared, varargin)
%LEAF_ORDER  An order P, a column, of the rows of Z in which neighbours are alike.
%   Up to 2 000 rows: the optimal order of the leaves of average linkage, by euclidean distances, or by their
%   squares. More rows stand by their first principal component. P = knng.internal.leaf_order (Z, SQUARED, OPT): OPT has
%   the fields Threads and Progress.

  n = size (Z, 1);
  Z(~isfinite (Z)) = 0;
  Z = Z / max ([abs(Z(:)); realmin]);
  if (n > 2000)
    v = sum (bsxfun (@times, Z, Z(:, 1)), 1)' + 1e-3 * knng.internal.random (1, size (Z, 2));
    Z = bsxfun (@minus, Z, mean (Z, 1));
    for step = 1:50
      v = Z' * (Z * v);
      v = v / max (norm (v), realmin);
    end
    [~, p] = sort (Z * v);
    return
  end
  D = knng.internal.leaf_distances (Z, squared);
  p = knng.internal.leaforder (D, varargin{:});
end

%!test  # points on a line, in pieces
%! x = [5 1 9 2 8 3 7 0]';
%! p = knng.internal.leaf_order (x, false);
%! assert (issorted (x(p)) || issorted (-x(p)));
%! x = mod ((1:2500)' * 997, 2503);
%! p = knng.internal.leaf_order ([x, 2 * x, 0 * x], true);
%! assert (issorted (x(p)) || issorted (-x(p)));

%!testif ; exist ('of_statistics') && ! isempty (pkg ('list', 'statistics'))  # as short as the statistics package's
%! X = reshape (mod ((1:60*7)' .^ 2 * sqrt (2), 1), 60, 7);
%! D = of_statistics ('pdist', X);
%! p = of_statistics ('optimalleaforder', of_statistics ('linkage', D, 'average'), D);
%! D = of_statistics ('squareform', D);
%! q = knng.internal.leaf_order (X, false);
%! len = @(p) sum (D(sub2ind (size (D), p(1:end-1), p(2:end))));
%! assert (len (q), len (p(:)), 1e-9);
