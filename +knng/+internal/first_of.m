function [upto, asked] = first_of (here, dist, k, ties)
%FIRST_OF  How many of the neighbours in each row of a table are the first K, m-by-1; with TIES also those as near as the K-th.
%   HERE, m-by-w: where there is a neighbour, in the first columns. ASKED, m-by-w: which they are.

  w = size (here, 2);
  if (k >= w)
    asked = here;
  elseif (ties)
    kth = dist(:, k);
    kth(~here(:, k)) = Inf;
    asked = here & dist <= repmat (kth, 1, w);
  else
    asked = here;
    asked(:, k + 1:end) = false;
  end
  upto = sum (asked, 2);
end

%!assert (nthargout (1:2, @knng.internal.first_of, [1 1 1; 1 1 0] > 0, [1 1 2; 3 4 NaN], 1, true), {[2; 1], [1 1 0; 1 0 0] > 0})
%!assert (knng.internal.first_of ([1 1 1; 1 1 0] > 0, [1 1 2; 3 4 NaN], 2, false), [2; 2])
%!assert (knng.internal.first_of ([1 1 1; 1 1 0] > 0, [1 1 2; 3 4 NaN], 9, true), [3; 2])
