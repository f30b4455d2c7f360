function y = apart (y, gap, low, high)
%APART  Places as near to Y, ascending, as they can be GAP or more from each other and between LOW and HIGH (least squares).
%   Where there is no room for so many they are as far apart as they can be.

  m = numel (y);
  gap = min (gap, (high - low) / max (m - 1, 1));
  steps = gap * (0:m-1);
  shifted = reshape (y, 1, []) - steps;                      % ascending values, as near as can be: pools of equal ones
  pool = zeros (0, 2);                                       % their mean and their number
  for i = 1:m
    pool(end + 1, :) = [shifted(i), 1]; %#ok<AGROW>
    while (size (pool, 1) > 1 && pool(end - 1, 1) > pool(end, 1))
      both = pool(end - 1, 2) + pool(end, 2);
      pool(end - 1, :) = [(prod (pool(end - 1, :)) + prod (pool(end, :))) / both, both];
      pool(end, :) = [];
    end
  end
  level = zeros (1, 0);
  for p = pool'
    level = [level, repmat(p(1), 1, p(2))]; %#ok<AGROW>
  end
  y = reshape (max (min (level, high - gap * (m - 1)), low) + steps, size (y));
end

%!assert (knng.internal.apart ([1 5 9], 2, 0, 10), [1 5 9])
%!assert (knng.internal.apart ([5; 5; 5], 1, 0, 10), [4; 5; 6])
%!assert (knng.internal.apart ([0 0 10], 2, 0, 10), [0 2 10])
%!assert (knng.internal.apart ([9 10], 4, 0, 10), [6 10])
%!assert (knng.internal.apart ([1 2 3], 100, 0, 10), [0 5 10])
%!assert (knng.internal.apart (zeros (1, 0), 1, 0, 10), zeros (1, 0))
