function [near, ended] = cut_ties (near, dist, k, ties, all_there)
%CUT_TIES  Tables of neighbours, m-by-w, without those farther than the k-th, and whether each row has all others, m-by-1.
%   Without TIES near(:, k + 1:end) goes. ALL_THERE, m-by-1: rows that have no neighbours besides those in their table.

  [m, w] = size (near);
  ended = all_there;
  if (w >= k && ~ties)
    near(:, k + 1:end) = 0;
    ended = all_there | near(:, k) > 0;
  elseif (w >= k)
    kth = dist(:, k);
    kth(near(:, k) == 0) = Inf;
    beyond = near > 0 & dist > repmat (kth, 1, w);
    ended = all_there | any (beyond, 2);
    near(beyond) = 0;
  end
end

%!assert (nthargout (1:2, @knng.internal.cut_ties, [3 1 2; 1 2 3; 1 0 0], [1 1 2; 0 1 1; 1 NaN NaN], 2, true, [false; false; true]), {[3 1 0; 1 2 3; 1 0 0], [true; false; true]})
%!assert (nthargout (1:2, @knng.internal.cut_ties, [3 1 2; 1 0 0], [1 1 1; 1 NaN NaN], 2, false, [false; false]), {[3 1 0; 1 0 0], [true; false]})
%!assert (nthargout (2, @knng.internal.cut_ties, [1 2; 1 0], [0 1; 0 NaN], 3, true, [false; true]), [false; true])
