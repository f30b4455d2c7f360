function [mu, sigma] = mean_spread (X)
%MEAN_SPREAD  The means and standard deviations of the columns of X, in double; 1 in place of a deviation of 0.
%   Of a column with NaN those of its other values; 0 and 1 where there are none.

  X = double (X);
  mu = mean (X, 1);
  sigma = std (X, 0, 1);
  for c = find (any (isnan (X), 1))
    v = X(~isnan (X(:, c)), c);
    mu(c) = 0;
    sigma(c) = 0;
    if (~isempty (v))
      mu(c) = mean (v);
      sigma(c) = std (v);
    end
  end
  sigma(~(sigma > 0)) = 1;
end
