function [R, ties] = ranks (X)
%RANKS  The ranks of the values of each row of X among those of the row, from 1; equal ones share the mean of theirs. NaN has none, and rank NaN.
%   TIES is a column, the sum of t^3 - t over groups of t equal values.

  [n, d] = size (X);
  [S, order] = sort (X', 1);                                 % NaN last
  new = [true(1, n); S(2:end, :) ~= S(1:end-1, :)];
  run = cumsum (new(:));
  first = find (new(:));
  long = diff ([first; n * d + 1]);
  place = mod (first - 1, d) + (long + 1) / 2;               % within its row
  R = NaN (d, n);
  R(bsxfun (@plus, order, d * (0:n-1))) = reshape (place(run), d, n);
  R = R';
  R(isnan (X)) = NaN;
  row = ceil (first / d);
  ties = accumarray (row(:), long(:) .^ 3 - long(:), [n 1]);
end

%!test
%! X = [3 1 2 2 NaN 5; 7 7 7 7 7 7; -Inf NaN NaN 4 Inf 4; NaN(1, 6)];
%! [R, ties] = knng.internal.ranks (X);
%! assert (R, [4 1 2.5 2.5 NaN 5; 3.5 * ones(1, 6); 1 NaN NaN 2.5 4 2.5; NaN(1, 6)]);
%! assert (ties, [6; 210; 6; 0]);
%! [R, ties] = knng.internal.ranks (single ([2; 1]));
%! assert ({double(R), ties}, {[1; 1], [0; 0]});
