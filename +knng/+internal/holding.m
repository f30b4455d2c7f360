function [share, where] = holding (X, odd)
%HOLDING  What warnings say of rows that hold NaN or Inf, as those of knngraph do.
%   ODD, n-by-1 logical or the number of them: the rows of X that are meant. SHARE: '3 of 8 rows (37.5 %)'. WHERE: in which columns most of it
%   is, '; they are in column 2 (2 rows), 7 (1 row)', the three worst and how many more; '' where X has nothing of it.

  n = size (X, 1);
  share = sprintf ('%d of %d rows (%.3g %%)', full (sum (odd)), n, 100 * full (sum (odd)) / max (n, 1));
  lack = full (sum (~isfinite (X), 1));
  [count, column] = sort (lack, 'descend');                  % of equal ones the first
  some = sum (count > 0);
  named = cell (1, min (some, 3));
  for c = 1:numel (named)
    named{c} = sprintf ('%d (%d row%s)', column(c), count(c), repmat ('s', 1, count(c) ~= 1));
  end
  where = '';
  if (some > 0)
    where = ['; they are in column ', strjoin(named, ', ')];
  end
  if (some > 3)
    where = sprintf ('%s and %d more', where, some - 3);
  end
end

%!test
%! X = ones (8, 5);
%! X([1 9 10 24 33]) = [NaN Inf NaN NaN -Inf];               % of columns 1, 2, 2, 3, 5
%! [share, where] = knng.internal.holding (X, any (~isfinite (X), 2));
%! assert (share, '3 of 8 rows (37.5 %)');
%! assert (where, '; they are in column 2 (2 rows), 1 (1 row), 3 (1 row) and 1 more');
%! [share, where] = knng.internal.holding (X(:, [4 5]), 1);
%! assert ({share, where}, {'1 of 8 rows (12.5 %)', '; they are in column 2 (1 row)'});
%! [share, where] = knng.internal.holding (single (X(3:7, [2 4])), 0);
%! assert ({share, where}, {'0 of 5 rows (0 %)', ''});
%!test  # the columns are those that knngraph names
%! X = reshape (knng.internal.random (2, 200), 20, 10);
%! X(X < 0.1) = NaN;
%! lastwarn ('', '');
%! evalc ('knngraph (X, 2);');
%! [share, where] = knng.internal.holding (X, any (isnan (X), 2));
%! assert (strncmp (lastwarn (), [share ' hold'], numel (share) + 5));
%! assert (~isempty (strfind (lastwarn (), [where '; ''Rows''']))), where;
