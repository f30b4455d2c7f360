function p = correlation_p (d, samples, ranked)
%CORRELATION_P  Two-sided p-values of the correlations 1 - d, or d - 1, of SAMPLES samples: one number, or one for each d, a column.
%   Student's t. RANKED: of ranks, exact to 13 samples (knng.internal.rank_p), and from 14 on no less than 2/n!, of which there is nothing less.
%   Fewer than 3 samples say nothing: 1. The pages of knng.explore compute the same (numbers.js, by these tables).

  samples = samples + zeros (size (d));
  p = ones (size (d));
  some = samples > 2;
  x = min (max (d .* (2 - d), 0), 1);                        % 1 - r^2, of which no digit is lost where r is near 1 or -1
  p(some) = betainc (x(some), (samples(some) - 2) / 2, 1/2);
  if (~ranked)
    return
  end
  p(some) = max (p(some), exp (log (2) - gammaln (samples(some) + 1)));
  for n = 3:13
    at = find (samples == n);
    if (~isempty (at))
      exact = knng.internal.rank_p (n);
      p(at) = exact(1 + step_of (d(at), n));
    end
  end
end

function s = step_of (d, n)
% Half the sum of squared differences of ranks that has the distance d: without ties a whole number, up to the rounding of d, which may be
% one of single. So a hair is given. Ties have others between: those orders count whose |r| is as large, the next step away from r = 0.
  most = (n ^ 3 - n) / 6;
  s = d * most / 2;
  hair = 0.01;
  upper = d > 1;
  s(~upper) = floor (s(~upper) + hair);
  s(upper) = ceil (s(upper) - hair);
  s = min (max (s, 0), most);
end

%!shared f
%! f = @knng.internal.correlation_p;

%!test  # a hair less or more than the exact distance counts as that, of double and single; from both ends; between two steps
%! for n = 3:13
%!   most = (n ^ 3 - n) / 6;
%!   d = (0:most)' * 2 / most;
%!   p = knng.internal.rank_p (n);
%!   assert (f (d, n, true), p);
%!   for by = [-1e-15, 1e-15, -1e-6, 1e-6]
%!     assert (f (d + by, n, true), p);
%!   end
%!   assert (f (d(2:end) - 0.5 / most, n, true), [p(1:floor(end / 2)); p(floor(end / 2) + 2:end)](1:numel (d) - 1), 1e-15);
%! end

%!test  # each its own number; t from 14 samples on, not below 2/n!; pearson is t
%! d = [0; 0; 0; 0; 1e-3; 0.4; 2; 0];
%! n = [2; 3; 13; 14; 14; 20; 15; 200];
%! t = betainc (d .* (2 - d), max (n - 2, 1) / 2, 1/2);
%! assert (f (d, n, true), [1; 1/3; 2 / factorial(13); 2 / factorial(14); 2 / factorial(14); t(6); 2 / factorial(15); 0], -1e-12);
%! assert (f (d, n, false), [1; t(2:end)]);
%! assert (f (zeros (0, 1), 5, true), zeros (0, 1));
