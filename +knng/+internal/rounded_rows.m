function [code, low, step, worst] = rounded_rows (X, levels)
%ROUNDED_ROWS  The rows of X as whole numbers: CODE(i,j) from 0 to LEVELS - 2 stands for LOW(i) + CODE(i,j)*STEP(i), and
%   LEVELS - 1 for a missing value (NaN, Inf). WORST is the largest error of a value, [of the range of its row, itself].

  X = double (X);
  X(isinf (X)) = NaN;
  low = min (X, [], 2);
  high = max (X, [], 2);
  low(isnan (low)) = 0;
  high(isnan (high)) = 0;
  step = high / (levels - 2) - low / (levels - 2);           % so that a range beyond the doubles stays finite
  half = step / 2;
  half(half == 0) = Inf;
  code = round (bsxfun (@rdivide, bsxfun (@minus, X / 2, low / 2), half));
  code = min (max (code, 0), levels - 2);
  off = abs (bsxfun (@plus, bsxfun (@times, code, step), low) - X);
  span = high - low;
  span(span == 0) = Inf;
  worst = [max([0; max(off, [], 2) ./ span]), max([0; off(:)])];
  code(isnan (X)) = levels - 1;
end

%!test
%! [code, low, step, worst] = knng.internal.rounded_rows ([0 254 127 NaN; 5 5 5 5; NaN NaN NaN Inf; -1e308 1.7e308 0 0], 256);
%! assert (code, [0 254 127 255; 0 0 0 0; 255 255 255 255; 0 254 94 94]);
%! assert (low, [0; 5; 0; -1e308]);
%! assert (step(1:3), [1; 0; 0]);
%! assert (worst(1) <= 1 / 508);
%! [code, low, step, worst] = knng.internal.rounded_rows (magic (5) / 7, 65536);
%! assert (bsxfun (@plus, bsxfun (@times, code, step), low), magic (5) / 7, 24 / 7 / 131068 * 1.01);
%! assert (worst(1) > 0 && worst(1) <= 1 / 131067);
%! assert (worst(2) <= 24 / 7 / 131067);
