function m = row_median (X)
%ROW_MEDIAN  The median of each row of X, in its class; NaN is not counted, and where nothing else is, the median.

  n = size (X, 1);
  count = sum (~isnan (X), 2);
  X = sort (X, 2);                                           % NaN last
  at = max (count, 1);
  low = X((floor ((at + 1) / 2) - 1) * n + (1:n)');
  high = X((ceil ((at + 1) / 2) - 1) * n + (1:n)');
  m = (low + high) / 2;
  large = isinf (m);
  m(large) = low(large) / 2 + high(large) / 2;
end

%!assert (knng.internal.row_median ([3 1 2; 4 NaN 1; NaN 7 NaN; NaN NaN NaN]), [2; 2.5; 7; NaN])
%!assert (knng.internal.row_median (single ([1 2 4 9])), single (3))
%!assert (knng.internal.row_median (1.5e308 * [1 1]), 1.5e308)
%!assert (knng.internal.row_median ((1:3)'), (1:3)')
