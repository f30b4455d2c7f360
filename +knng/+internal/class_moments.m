function [count, means, spread] = class_moments (X, code, kinds)
%CLASS_MOMENTS  Of each row of X and each class of its columns the number of values, their mean and standard deviation.
%   code has a number for each column, 1, ..., KINDS; columns with 0 are left out. Results are n-by-KINDS, double. NaN in X is a missing value; MEANS
%   is NaN without values; SPREAD (by count - 1) is NaN with fewer than two, and 0 where there are no two different ones.

  X = double (X);
  [n, d] = size (X);
  known = ~isnan (X);
  of = sparse (find (code(:) > 0), code(code > 0), 1, d, kinds);
  count = known * of;
  [low, high] = deal (NaN (n, kinds));
  for c = reshape (unique (code(code > 0)), 1, [])
    low(:, c) = min (X(:, code == c), [], 2);
    high(:, c) = max (X(:, code == c), [], 2);
  end
  X(~known) = 0;
  [~, power] = log2 (max (abs (X), [], 2));
  scale = 2 .^ (power - 1);                                  % which rounds nothing
  X = bsxfun (@rdivide, X, scale);                           % so that squares stay finite
  means = (X * of) ./ count;
  spread = zeros (n, kinds);
  for c = 1:kinds
    off = bsxfun (@minus, X(:, code == c), means(:, c));
    off(~known(:, code == c)) = 0;
    spread(:, c) = sqrt (sum (off .^ 2, 2) ./ max (count(:, c) - 1, 1));
  end
  means = bsxfun (@times, means, scale);
  spread = bsxfun (@times, spread, scale);
  flat = low == high;
  means(flat) = low(flat);                                   % to the last bit
  spread(flat) = 0;
  spread(count < 2) = NaN;
end

%!test
%! X = mod ((1:6)' * (1:11) .^ 2 * 0.618, 1);
%! X([3 8 20 44 50]) = NaN;
%! X(4, :) = 0.1;
%! X(5, :) = X(5, :) * 1e300;
%! X(6, [1 4 7]) = NaN;
%! code = [1 2 3 1 2 0 1 2 3 1 2];
%! [count, means, spread] = knng.internal.class_moments (X, code, 3);
%! for i = 1:6
%!   unit = 1 + 1e300 * (i == 5);
%!   for c = 1:3
%!     v = X(i, code == c & ~isnan (X(i, :)));
%!     assert (count(i, c), numel (v));
%!     assert (means(i, c), unit * mean (v / unit), 1e-14 * max ([1, abs(v)]));
%!     if (numel (v) < 2)
%!       assert (spread(i, c), NaN);
%!     else
%!       assert (spread(i, c), unit * std (v / unit), 1e-13 * max ([1, abs(v)]));
%!     end
%!   end
%! end
%! assert ([means(4, 1), spread(4, 1)], [0.1 0]);
%! [count, means, spread] = knng.internal.class_moments ([NaN 1; 2 NaN; NaN NaN], [1 1], 2);
%! assert ({count, means, spread}, {[1 0; 1 0; 0 0], [1 NaN; 2 NaN; NaN NaN], NaN(3, 2)});
