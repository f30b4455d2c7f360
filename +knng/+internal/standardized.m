function X = standardized (X, mu, sigma)
%STANDARDIZED  The columns of X less MU, over SIGMA, in double.

  X = bsxfun (@rdivide, bsxfun (@minus, double (X), mu), sigma);
end
