function p = hypergeometric_p (x, total, marked, drawn)
%HYPERGEOMETRIC_P  How often X or more are MARKED, of DRAWN that are taken at random of TOTAL. All are whole, of one size, or scalars.
%   The probability of X itself is that of three binomial distributions, by C. Loader's way, which takes no difference of large logarithms; its neighbours
%   follow by their ratios, from X away from the mean, so that the sum is short and all its terms are positive.
%   Source: C. Loader, Fast and Accurate Computation of Binomial Probabilities (2000).

  zero = zeros (size (x + total + marked + drawn));
  [x, total, marked, drawn] = deal (x + zero, total + zero, marked + zero, drawn + zero);
  shape = size (zero);
  [x, total, marked, drawn] = deal (x(:), total(:), marked(:), drawn(:));
  p = ones (shape);                                          % where X is the least that there can be
  above = x > marked .* drawn ./ total;
  least = max (0, marked + drawn - total);
  at = find (x > least & x <= min (marked, drawn));
  up = at(above(at));
  p(up) = sum_of (x(up), total(up), marked(up), drawn(up), 1);
  down = at(~above(at));
  p(down) = 1 - sum_of (x(down) - 1, total(down), marked(down), drawn(down), -1);
  p(x > min (marked, drawn)) = 0;
  p = min (max (p, 0), 1);
end

function s = sum_of (x, total, marked, drawn, step)
% The probability of X, and of all beyond it on one side.
  term = density (x, total, marked, drawn);
  s = term;
  left = total - marked - drawn;
  some = find (term > 0);
  while (~isempty (some))
    [i, m, d, r] = deal (x(some), marked(some), drawn(some), left(some));
    if (step > 0)
      term(some) = term(some) .* ((m - i) .* (d - i)) ./ ((i + 1) .* (r + i + 1));
    else
      term(some) = term(some) .* (i .* (r + i)) ./ ((m - i + 1) .* (d - i + 1));
    end
    s(some) = s(some) + term(some);
    x(some) = i + step;
    some = some(term(some) > 1e-18 * s(some));
  end
end

function p = density (x, total, marked, drawn)
  share = drawn ./ total;
  p = exp (log_binomial (x, marked, share) + log_binomial (drawn - x, total - marked, share) - log_binomial (drawn, total, share));
end

function l = log_binomial (x, n, p)
% The logarithm of the probability of x of n, each with probability p.
  l = zeros (size (x));
  none = x == 0;
  l(none) = n(none) .* log1p (-p(none));
  l(x == n) = n(x == n) .* log (p(x == n));
  l(n == 0) = 0;
  at = x > 0 & x < n;
  [x, n, p] = deal (x(at), n(at), p(at));
  l(at) = stirling_error (n) - stirling_error (x) - stirling_error (n - x) - deviance (x, n .* p) - deviance (n - x, n .* (1 - p)) ...
          - log (2 * pi * x .* (n - x) ./ n) / 2;
end

function e = stirling_error (n)
% log (n!) less Stirling's formula.
  e = zeros (size (n));
  few = n < 16;
  m = n(few);
  e(few) = gammaln (m + 1) - (m + 0.5) .* log (m) + m - log (2 * pi) / 2;
  m = n(~few);
  v = m .^ 2;
  e(~few) = (1/12 - (1/360 - (1/1260 - (1/1680 - 1/1188 ./ v) ./ v) ./ v) ./ v) ./ m;
end

function d = deviance (x, m)
% x*log (x/m) + m - x, without the difference where x is near m.
  d = x .* log (x ./ m) + m - x;
  near = abs (x - m) < 0.1 * (x + m);
  [x, m] = deal (x(near), m(near));
  v = (x - m) ./ (x + m);
  s = (x - m) .* v;
  power = 2 * x .* v;
  for j = 1:9
    power = power .* v .^ 2;
    s = s + power / (2 * j + 1);
  end
  d(near) = s;
end

%!test  # all that there is, by whole numbers that are exact as doubles
%! for total = [1 2 5 12 30]
%!   [x, marked, drawn] = ndgrid (0:total, 0:total, 0:total);
%!   p = knng.internal.hypergeometric_p (x, total, marked, drawn);
%!   want = zeros (size (p));
%!   choose = @(n, k) round (prod ((n - k + 1:n) ./ (1:k)));
%!   C = zeros (total + 1);
%!   for n = 0:total
%!     for k = 0:n
%!       C(n + 1, k + 1) = choose (n, k);
%!     end
%!   end
%!   for m = 0:total
%!     for d = 0:total
%!       ways = zeros (1, total + 1);
%!       for i = max (0, m + d - total):min (m, d)
%!         ways(i + 1) = C(m + 1, i + 1) * C(total - m + 1, d - i + 1);
%!       end
%!       want(:, m + 1, d + 1) = flipud (cumsum (flipud (ways(:)))) / C(total + 1, d + 1);
%!     end
%!   end
%!   assert (all (abs (p(:) - want(:)) <= 2e-14 * want(:)));
%! end

%!test  # large ones, computed as fractions of whole numbers of any length
%! p = knng.internal.hypergeometric_p ([30 5 120 1 0 400], 20000, [200 200 500 7 3 500], [400 600 1500 3 9 2000]);
%! want = [6.752117589431659e-18, 0.7203589599140153, 2.8227748326481226e-31, 0.0010496850105031505, 1.0, 5.531012821e-314];
%! assert (all (abs (p - want) <= 1e-13 * want));
