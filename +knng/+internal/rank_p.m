function p = rank_p (n)
%RANK_P  Two-sided p-values of the rank correlation of N samples without ties, by all n! orders.
%   p(s + 1) is how often |r| is as large as with 2*s, the sum of squared differences of ranks, or larger. From 3 to 13 samples; [] of others.
%   Tables are kept: that of 13 takes 0.15 s once.

  persistent tables
  most = 13;
  if (n < 3 || n > most)
    p = [];
    return
  end
  if (isempty (tables))
    tables = cell (1, most);
  end
  if (isempty (tables{n}))
    count = orders (n);
    half = cumsum (count(1:ceil (end / 2))) / sum (count);
    half = min (1, 2 * half);                                % at the middle both sides meet
    tables{n} = [half; flipud(half(1:floor (numel (count) / 2)))];
  end
  p = tables{n};
end

function count = orders (n)
% How many orders have the sums 0, 2, 4, ... of squared differences. The sum is 2*(sum (i^2) - sum (i * order(i))): so count by the
% latter. Place i is filled after those before it; which numbers these have is a set, and all orders of one set are one column.
  masks = (0:2 ^ n - 1)';
  size_of = zeros (2 ^ n, 1);
  for j = 1:n
    size_of = size_of + bitget (masks, j);
  end
  at = zeros (2 ^ n, 1);
  [F, sets, low] = deal (1, 0, 0);                           % rows are the sums LOW, LOW + 1, ...
  for i = 1:n
    larger = masks(size_of == i);
    at(larger + 1) = 1:numel (larger);
    k = 1:i;
    [before, low] = deal (low, sum (k .* (i + 1 - k)));
    top = sum (k .* (n - i + k));
    G = zeros (top - low + 1, numel (larger));
    for j = 1:n
      free = bitget (sets, j) == 0;
      to = at(sets(free) + 2 ^ (j - 1) + 1);
      rows = (1:size (F, 1)) + before + i * j - low;
      fits = rows >= 1 & rows <= size (G, 1);                % beyond these nothing is counted
      G(rows(fits), to) = G(rows(fits), to) + F(fits, free);
    end
    [F, sets] = deal (G, larger);
  end
  count = flipud (F);
end

%!test  # all orders, one by one
%! for n = 3:8
%!   S = sum ((perms (1:n) - (1:n)) .^ 2, 2);
%!   r = 1 - 6 * S / (n ^ 3 - n);
%!   p = knng.internal.rank_p (n);
%!   assert (numel (p), (n ^ 3 - n) / 6 + 1);
%!   for s = 0:numel (p) - 1
%!     of = abs (1 - 12 * s / (n ^ 3 - n));
%!     assert (p(s + 1), mean (abs (r) >= of - 1e-9), 1e-15);
%!   end
%! end

%!test  # the least, the largest, and the same from both ends
%! for n = 9:13
%!   p = knng.internal.rank_p (n);
%!   assert (p([1 2 end])', [2, 2 * n, 2] / factorial (n), -1e-14);
%!   assert (p, flipud (p));
%!   assert (max (p), 1);
%! end

%!assert (cellfun (@(n) isempty (knng.internal.rank_p (n)), {0, 2, 14, 100}))
