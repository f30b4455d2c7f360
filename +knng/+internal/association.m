function [effect, p, top] = association (X, y, kinds)
%ASSOCIATION  How far each row of X goes with a property of its columns.
%   [effect, p, top] = knng.internal.association (X, y, KINDS): y has a number for each column of X; where KINDS is not 0
%   these are classes, 1, ..., KINDS, and 0 is a missing one. EFFECT is Pearson's correlation of the row with y; of
%   classes the share of the variance that their means explain (eta squared), and TOP the class with the largest mean.
%   P is the p-value of a correlation, two-sided, or of one-way analysis of variance. Missing values are left out, row
%   by row; NaN where nothing can be said.

  n = size (X, 1);
  [effect, p, top] = deal (NaN (n, 1), NaN (n, 1), zeros (n, 1));
  rows = max (1, floor (2e6 / size (X, 2)));
  for first = 1:rows:n
    at = first:min (first + rows - 1, n);
    if (kinds > 0)
      [effect(at), p(at), top(at)] = by_class (double (X(at, :)), y(:)', kinds);
    else
      [effect(at), p(at)] = by_value (double (X(at, :)), double (y(:)'));
    end
  end
end

function [r, p] = by_value (X, y)
  known = bsxfun (@and, isfinite (X), isfinite (y));
  y(~isfinite (y)) = 0;
  Y = unit (bsxfun (@times, known, y), known);
  X = unit (X, known);
  count = sum (known, 2);
  r = sum (X .* Y, 2);
  rest = sum ((X - bsxfun (@times, Y, r)) .^ 2, 2);          % 1 - r^2, without a difference
  r(abs (r) > 1) = sign (r(abs (r) > 1));
  p = tail (rest, (count - 2) / 2, 0.5 * ones (size (r)));
end

function [effect, p, top] = by_class (X, code, kinds)
  known = bsxfun (@and, isfinite (X), code > 0);
  X = unit (X, known);
  X(~known) = 0;
  of = sparse (find (code > 0), code(code > 0), 1, numel (code), kinds);
  count = known * of;
  means = (X * of) ./ max (count, 1);
  rest = sum (known .* (X - means * of') .^ 2, 2);           % of a sum of squares of 1
  effect = min (max (1 - rest, 0), 1);
  means(count == 0) = -Inf;
  [~, top] = max (means, [], 2);
  classes = sum (count > 0, 2);
  p = tail (rest, (sum (count, 2) - classes) / 2, (classes - 1) / 2);
  effect(isnan (p)) = NaN;
  top(isnan (p)) = 0;
end

function p = tail (rest, a, b)
  p = NaN (size (rest));
  fine = a > 0 & b > 0 & ~isnan (rest);
  p(fine) = betainc (min (max (rest(fine), 0), 1), a(fine), b(fine));
end

function X = unit (X, known)
% Rows of mean 0 and length 1 among what is known; 0 elsewhere, NaN where all is the same.
  X(~known) = 0;
  X = bsxfun (@rdivide, X, max (max (abs (X), [], 2), realmin));
  other = X;
  other(~known) = NaN;
  flat = ~(max (other, [], 2) > min (other, [], 2));
  X = bsxfun (@minus, X, sum (X, 2) ./ max (sum (known, 2), 1));
  X(~known) = 0;
  X = bsxfun (@rdivide, X, sqrt (sum (X .^ 2, 2)));
  X(flat, :) = NaN;
end

%!test  # against a t-test in closed form, and analysis of variance in loops
%! X = mod ((1:7)' * (1:12) .^ 2 * 0.618, 1);
%! X(2, 3) = NaN;
%! X(3, :) = 0.1;
%! X(4, :) = X(4, :) * 1e300;
%! y = sin (1:12);
%! [r, p, top] = knng.internal.association (X, y, 0);
%! for i = [1 2 4 5 6 7]
%!   on = isfinite (X(i, :));
%!   c = corr (X(i, on)' / max (X(i, on)), y(on)');
%!   t2 = c ^ 2 * (sum (on) - 2) / (1 - c ^ 2);
%!   assert ([r(i), p(i)], [c, betainc((sum (on) - 2) / (sum (on) - 2 + t2), (sum (on) - 2) / 2, 0.5)], 1e-12);
%! end
%! assert ([r(3), p(3)], [NaN NaN]);
%! code = [1 2 3 0 1 2 3 1 2 3 1 2];
%! [e, p, top] = knng.internal.association (X, code, 3);
%! for i = [1 2 5 6 7]
%!   on = isfinite (X(i, :)) & code > 0;
%!   x = X(i, on);
%!   g = code(on);
%!   m = [mean(x(g == 1)), mean(x(g == 2)), mean(x(g == 3))];
%!   within = sum ((x - m(g)) .^ 2);
%!   total = sum ((x - mean (x)) .^ 2);
%!   assert (e(i), 1 - within / total, 1e-12);
%!   f = ((total - within) / 2) / (within / (numel (x) - 3));
%!   assert (p(i), betainc ((numel (x) - 3) / (numel (x) - 3 + 2 * f), (numel (x) - 3) / 2, 1), 1e-12);
%!   assert (top(i), find (m == max (m)));
%! end
%! [e, p, top] = knng.internal.association ([1 2; 1 1], [1 1], 1);
%! assert ([e, p, top], [NaN NaN 0; NaN NaN 0]);
