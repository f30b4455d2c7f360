function r = adjusted_rand (a, b)
%ADJUSTED_RAND  How much two partitions agree: 1 if they are the same, about 0 by chance. A and B: the whole numbers, from 1 on, of
%   the parts of each point. L. Hubert, P. Arabie, Journal of Classification 2 (1985) 193-218.

  pairs = @(count) sum (count(:) .* (count(:) - 1) / 2);
  both = pairs (nonzeros (sparse (a(:), b(:), 1)));
  [a, b, all] = deal (pairs (accumarray (a(:), 1)), pairs (accumarray (b(:), 1)), pairs (numel (a)));
  r = 1;
  if (a + b ~= 2 * both)
    r = (both - a * b / all) / ((a + b) / 2 - a * b / all);
  end
end

%!assert (knng.internal.adjusted_rand ([1 1 2 2], [2 2 1 1]), 1)
%!assert (knng.internal.adjusted_rand ([1 2 3 4], [1 2 3 4]), 1)
%!assert (knng.internal.adjusted_rand ([1 1 2 2], [1 2 1 2]), -0.5, eps)
%!assert (knng.internal.adjusted_rand ([1 1 1 2 2 2], [1 1 2 2 3 3]), 8 / 33, 1e-15)
