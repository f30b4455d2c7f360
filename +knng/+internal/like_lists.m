function yes = like_lists (X)
%LIKE_LISTS  Whether the full matrix X looks like the table idx of knngraph: of other rows, none twice in a row, 0 only at its end.
%   Of a column, or of fewer than five rows, it does not.

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
  yes = any (X(:, 1));
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
%! for c = {{250, 1, 250}, {250, 2, 251.5}, {250, 2, NaN}, {250, 2, 301}, {250, 2, -1}, {250, 2, 0}, {250, 2, idx(250, 4)}}
%!   other = idx;
%!   other(c{1}{1}, c{1}{2}) = c{1}{3};
%!   assert (! f (other));
%! end
%! assert (! (f (X) || f (idx(:, 1)) || f (sparse (idx)) || f ('a') || f ({}) || f (zeros (9, 2)) || f ([]) || f (idx(1:4, 1:2))));
%! [~, ranks] = sort (X, 2);
%! assert (! (f (ranks) || f (round (9 * X))));
