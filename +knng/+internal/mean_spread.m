function [mu, sigma] = mean_spread (X)
%MEAN_SPREAD  The means and standard deviations of the columns of X, in double; 1 in place of a deviation of 0.

  X = double (X);
  mu = mean (X, 1);
  sigma = std (X, 0, 1);
  sigma(~(sigma > 0)) = 1;
end
