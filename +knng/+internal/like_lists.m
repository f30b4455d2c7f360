function yes = like_lists (X)
%LIKE_LISTS  Whether the full matrix X looks like the table idx of knngraph: of other rows, none twice in a row, 0 only at its end, and of
%   such as name each other, in every column, far more often than by chance.
%   Of a column, or of few rows, it does not: a list that is not seen is better than points that are doubted.

  [n, k] = size (X);
  yes = false;
  if (~isnumeric (X) || ~isreal (X) || issparse (X) || ndims (X) ~= 2 || n < 5 || k < 2 || k >= n)
    return
  end
  for rows = {1:min(n, 100), 101:n}                          % most matrices are told apart by their first rows
    part = X(rows{1}, :);
    if (~all (part(:) >= 0 & part(:) <= n & part(:) == fix (part(:))) || any (any (bsxfun (@eq, part, cast (rows{1}', class (X))))) || ...
        any (any (part(:, 1:end-1) == 0 & part(:, 2:end) ~= 0)))
      return
    end
    part = sort (part, 2);
    if (any (any (part(:, 1:end-1) == part(:, 2:end) & part(:, 2:end) ~= 0)))
      return
    end
  end
  named = false (n, 1);
  named(X(X > 0)) = true;
  yes = sum (named) >= n / 5 && mutual (X, n, k);
end

function yes = mutual (X, n, k)
% Whether rows name each other. Of many rows some are looked at.
  rows = unique (round (linspace (1, n, min (n, 1000))))';
  [count, both] = deal (zeros (1, k));
  for j = 1:k
    of = double (X(rows, j));
    some = of > 0;
    count(j) = sum (some);
    both(j) = sum (any (bsxfun (@eq, double (X(of(some), :)), rows(some)), 2));
  end
  chance = k / (n - 1);
  spread = @(m) sqrt (2 * m * chance);                       % pairs count twice
  least = @(m) max (0.1 * m, m * chance + max (0, 6 - k) * spread (m));  % of many columns few tables come as far as here by chance
  of_column = @(m) max (0.05 * m, m * chance / 2 + max (0, 5 - k) * spread (m));
  long = count >= numel (rows) / 2;                          % lists of pairwise distances may end early
  yes = any (count) && sum (both) >= least (sum (count)) && all (both(long) >= of_column (count(long)));
end

%!test
%! X = reshape (knng.internal.random (1, 900), 300, 3);
%! [idx, dist] = knngraph (X, 4);
%! f = @knng.internal.like_lists;
%! assert (f (idx) && f (int32 (idx)) && f (single (idx)));
%! some = idx;
%! some([2 299], 3:4) = 0;
%! some(7, :) = 0;
%! assert (f (some));
%! assert (f (some(:, 1:2)));
%! for c = {{250, 1, 250}, {250, 2, 251.5}, {250, 2, NaN}, {250, 2, 301}, {250, 2, -1}, {250, 2, 0}, {250, 2, idx(250, 4)}}
%!   other = idx;
%!   other(c{1}{1}, c{1}{2}) = c{1}{3};
%!   assert (! f (other));
%! end
%! assert (! (f (X) || f (idx(:, 1)) || f (sparse (idx)) || f ('a') || f ({}) || f (zeros (9, 2)) || f ([]) || f (idx(1:4, 1:2))));
%! [~, ranks] = sort (X, 2);
%! assert (! (f (ranks) || f (round (9 * X))));
%!test  # twenty points of a line, and of the plane
%! [idx, dist] = knngraph ((1:20)', 2);
%! assert (knng.internal.like_lists (idx));
%! [idx, dist] = knngraph (reshape (knng.internal.random (2, 40), 20, 2), 5);
%! assert (knng.internal.like_lists (idx));
%!test  # points of whole numbers, none of which is that of its row: pressures, heights and weights, answers and scores, years and months,
%! # numbers of rows drawn at random, and some that are those of rows back to front
%! u = @(n, seed) reshape (knng.internal.random (seed, 2 * n), n, 2);
%! low = @(u, from, to) from + floor (u * (to - from + 1));
%! n = 300;
%! v = u (n, 3);
%! tables = {[low(v(:, 1), 60, 90), low(v(:, 2), 100, 160)], [low(v(:, 1), 160, 195), low(v(:, 2), 50, 110)], ...
%!           [low(v(:, 1), 1, 5), low(v(:, 2), 61, 100)], low(v, 1, n), [low(v(:, 1), 1, n), (n:-1:1)']};
%! for i = 1:numel (tables)
%!   X = tables{i};
%!   X(any (X == (1:n)', 2) | X(:, 1) == X(:, 2), :) = 0;   # so that only what rows say of each other tells
%!   assert (! knng.internal.like_lists (X), sprintf ('%d', i));
%! end
