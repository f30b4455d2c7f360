function [a, b] = umap_curve (least, spread)
%UMAP_CURVE  The curve by which knng.umap says how alike places are.
%   [a, b] = knng.internal.umap_curve (LEAST, SPREAD): 1 / (1 + a * x^(2*b)) comes nearest to 1 up to LEAST, and to exp (-(x - LEAST) /
%   SPREAD) beyond it, in the squares over 300 points up to 3 * SPREAD. By Levenberg and Marquardt's method for the logarithms, in
%   units of SPREAD.

  x = (1:299)' / 299 * 3;
  y = min (exp (-(x - least / spread)), 1);
  p = [0; 0];
  damping = 1;
  off = 1 ./ (1 + x .^ 2) - y;
  for i = 1:200
    s = off + y;
    J = bsxfun (@times, -s .* (1 - s), [ones(size (x)), 2 * exp(p(2)) * log(x)]);
    step = -(J' * J + damping * eye (2)) \ (J' * off);
    next = 1 ./ (1 + exp (p(1) + step(1)) * x .^ (2 * exp (p(2) + step(2)))) - y;
    if (sum (next .^ 2) <= sum (off .^ 2))
      [p, off, damping] = deal (p + step, next, damping / 4);
    else
      damping = damping * 4;
    end
    if (norm (step) < 1e-12)
      break
    end
  end
  b = eight_digits (exp (p(2)));                             % so that roundings of libraries do not show
  a = eight_digits (exp (p(1)) / spread ^ (2 * b));
end

function x = eight_digits (x)
  unit = 10 ^ (7 - floor (log10 (x)));
  x = round (x * unit) / unit;
end

%!test  # by other means
%! for c = {[0.1 1], [0.5 1], [0 1], [1 1], [0.01 2], [5 50]}
%!   [least, spread] = deal (c{1}(1), c{1}(2));
%!   x = linspace (0, 3 * spread, 300)';
%!   y = min (exp (-(x - least) / spread), 1);
%!   off = @(p) sumsq (1 ./ (1 + exp (p(1)) * (x / spread) .^ (2 * exp (p(2)))) - y);
%!   p = fminsearch (off, [0 0], optimset ('TolX', 1e-10, 'TolFun', 1e-14));
%!   [a, b] = knng.internal.umap_curve (least, spread);
%!   assert ([a * spread ^ (2 * b), b], exp (p), 1e-5);
%! end
%!test  # what is known of the defaults
%! [a, b] = knng.internal.umap_curve (0.1, 1);
%! assert ([a b], [1.5769 0.8951], 1e-4);
