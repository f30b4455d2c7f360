function [coeff, score, latent, tsquared, explained, mu] = pca (X, varargin)
%KNNG.PCA  Principal components.
%   [coeff, score] = knng.pca (X) turns the n-by-d matrix X so that its first
%   column has the largest variance that a column can have, the second the
%   largest of those at right angles to it, and so on. The columns of coeff,
%   d-by-p, are these directions, of length 1; the rows of score, n-by-p, are
%   the rows of X in them: score = (X - mu) * coeff. p is the smaller of n-1
%   and d.
%   [coeff, score, latent] = knng.pca (X) also returns the variances of the
%   columns of score, p-by-1, descending.
%   [..., latent, tsquared, explained, mu] = knng.pca (X) also returns for each
%   row of X the sum of its squared scores over their variances (Hotelling's
%   T-squared), n-by-1; what share of the whole variance each of latent is, in
%   percent, p-by-1; and the means of the columns of X, 1-by-d. T-squared is of
%   variances above max (f, d) * eps (latent(1)) alone, as smaller ones may be
%   roundings; f is n-1, or n if 'Centered' is false; if f is 1 all are 0.
%   [...] = knng.pca (X, 'Name', value, ...) takes options.
%
%   Options:
%
%     'NumComponents'  return the first so many columns of coeff and score; the
%                      other results are of all. More than there are: all
%     'Algorithm'      default 'svd', of 'pairwise' 'eig'
%         'svd'         the singular values of X - mu: the most exact
%         'eig'         the eigenvalues of (X - mu)'*(X - mu), or of (X -
%                       mu)*(X - mu)', whichever is smaller: faster, and
%                       variances below 1e-16 of the largest are lost
%         'randomized'  the first NumComponents only, as near as drawn
%                       directions come in so many Iterations: far faster where
%                       both n and d are in the thousands. All results are of
%                       these components; explained is still of the whole
%                       variance
%     'Iterations'     of 'randomized', default 7. Where a variance is hardly
%                      larger than the next, more find it better
%     'Centered'       false: mu is 0, and nothing is subtracted; p is then up
%                      to n; default true
%     'Economy'        false: coeff is d-by-d, and latent has zeros for what has
%                      no variance; default true. Not with 'randomized'
%     'Rows'           of rows with NaN or Inf; default 'complete'
%         'complete'    leave them out, and warn; in score and tsquared they are
%                       NaN
%         'all'         raise an error
%         'pairwise'    by 'eig' alone: the covariance of two columns is that of
%                       the rows that have both. It need not be one of any
%                       rows, with variances below 0: that is an error. Rows
%                       with missing values have no scores here either; mu are
%                       the means of what each column has
%     'Seed'           for 'randomized', a whole number from 0 on; default 0.
%                      With the others it does nothing, nor does 'Iterations'
%
%   Names and results are those of MATLAB's pca, but for 'randomized' and its
%   options; it also has 'als', which fits components and missing values
%   together, for which there is knng.impute here, and weights: for columns of
%   different scale take knng.pca (knng.normalize (X, 'zscore')). The sign of
%   a column is MATLAB's, too: its entry of the largest size is positive (of
%   those within 1e-6 of it the first). If X is single, so are the results,
%   from sums in double.
%
%   The same X gives the same results up to rounding on every machine: to some
%   1e-12 of the largest where variances differ. They are products and
%   decompositions of Octave's libraries (BLAS, LAPACK), whose last bits depend
%   on the processor and on how many threads they take. The numbers that
%   'randomized' draws are the same everywhere. Directions of equal variance are
%   as good in any rotation.
%
%   Cost: 'svd' and 'eig' O(n*d*min (n, d)); 'randomized' O(n*d*NumComponents)
%   an iteration. 20 000 rows of 1 000 columns took 20, 7 and, for ten
%   components, 2 seconds of processor. They were drawn, column by column, so
%   that no direction stood out, the worst case: there the ten variances of
%   'randomized' were 5 % too small. Memory some four times that of X as
%   doubles with 'svd', three times else. Ctrl-C waits until a decomposition is
%   through.
%
%   Errors: knng:args:class, :sparse, :complex, :dims, :empty, :option,
%   :unknownOption, :count; knng:data:infinite with 'Rows', 'all', or if no row
%   is without NaN; knng:data:covariance with 'Rows', 'pairwise' (two columns
%   share too few rows, or a variance would be below 0). Warnings:
%   knng:data:nonFinite; knng:data:fill (X has numbers that may stand for
%   missing values, as -9999).
%
%   Sources: H. Hotelling, J. Educational Psychology 24 (1933) 417-441; N.
%   Halko, P. Martinsson, J. Tropp, SIAM Review 53 (2011) 217-288, 'randomized'.
%
%   Example:
%     t = (-2:2)';
%     X = [t, 2*t, [1; -1; 0; -1; 1]];
%     [coeff, score, latent, ~, explained, mu] = knng.pca (X);
%     latent'                                  % 12.5 1 0
%     coeff(:, 1)'                             % 0.4472 0.8944 0
%     explained(1)                             % 92.593
%
%   See also knng.umap, knng.diffusionmap, knng.normalize, knng.impute,
%   knng.scatter, knng.intrinsicdim.

  if (nargin < 1)
    error ('knng:args:count', 'knng.pca needs a matrix, as in knng.pca (X): see help knng.pca');
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  knng.internal.doubt_filled (X);
  opt = struct ('NumComponents', [], 'Algorithm', [], 'Iterations', [], 'Centered', true, 'Economy', true, 'Rows', 'complete', 'Seed', 0);
  opt = checked (knng.internal.options (opt, varargin));

  % The rows that count, their means, and what they are over a power of two, so that squares stay in range.
  kind = class (X);
  [n, d] = size (X);
  good = all (isfinite (X), 2);
  X = double (X);
  pairs = strcmp (opt.Rows, 'pairwise') && ~all (good);
  if (pairs)
    X(~isfinite (X)) = NaN;
  elseif (~all (good))
    refuse (good, X, opt.Rows);
    X = X(good, :);
  end
  m = size (X, 1);
  [~, e] = log2 (max ([max(abs (X(:))), 0]));
  unit = 2 ^ max (min (e, 1000), -1000);
  X = X / unit;
  mu = zeros (1, d);
  if (opt.Centered && pairs)
    count = max (sum (~isnan (X), 1), 1);
    for again = 1:2                                          % the second for what rounding has left
      Y = bsxfun (@minus, X, mu);
      Y(isnan (Y)) = 0;
      mu = mu + sum (Y, 1) ./ count;
    end
    X = bsxfun (@minus, X, mu);
  elseif (opt.Centered && m > 0)
    mu = sum (X, 1) / m;
    X = bsxfun (@minus, X, mu);
    again = sum (X, 1) / m;                                  % what rounding has left
    mu = mu + again;
    X = bsxfun (@minus, X, again);
  end
  free = max (m - opt.Centered, 0);

  whole = sum (X(:) .^ 2);
  p = min (free, d);
  if (pairs)
    [V, s, whole] = by_pairs (X, p, free, opt);
  elseif (strcmp (opt.Algorithm, 'randomized'))
    p = min (p, opt.NumComponents);
    [V, s] = by_drawing (X, p, opt);
  elseif (strcmp (opt.Algorithm, 'eig'))
    [V, s] = by_products (X, p, opt.Economy);
  else
    [V, s] = by_values (X, p, opt.Economy);
  end
  V = knng.internal.upright (V);
  score = NaN (n, size (V, 2));
  if (pairs)
    X = X(good, :);
  end
  score(good, :) = X * V;
  latent = s .^ 2 / max (free, 1);
  explained = 100 * s .^ 2 / whole;

  tsquared = NaN (n, 1);
  some = free > 1 & latent > max (free, d) * eps (max ([latent; 0]));   % the others have no variance, but for roundings
  tsquared(good) = sum (bsxfun (@rdivide, score(good, some), sqrt (latent(some, 1))') .^ 2, 2);
  keep = min (size (V, 2), opt.NumComponents);
  coeff = V(:, 1:keep);
  score = unit * score(:, 1:keep);
  latent = latent * unit * unit;
  mu = mu * unit;
  if (strcmp (kind, 'single'))
    [coeff, score, latent, tsquared, explained, mu] = ...
      deal (single (coeff), single (score), single (latent), single (tsquared), single (explained), single (mu));
  end
end

function opt = checked (opt)
  opt.Rows = knng.internal.check_choice ('Rows', opt.Rows, {'complete', 'all', 'pairwise'});
  if (knng.internal.is_one_of (opt.Algorithm, {'als'}))
    error ('knng:args:option', ['''Algorithm'' is ''als'', which is none here: fill missing values in before, as in knng.pca (knng.impute (X)), or ' ...
           'give ''Rows'', ''pairwise''']);
  elseif (isequal (opt.Algorithm, []))
    kinds = {'svd', 'eig'};
    opt.Algorithm = kinds{1 + strcmp(opt.Rows, 'pairwise')};
  end
  opt.Algorithm = knng.internal.check_choice ('Algorithm', opt.Algorithm, {'svd', 'eig', 'randomized'});
  if (strcmp (opt.Rows, 'pairwise') && ~strcmp (opt.Algorithm, 'eig'))
    error ('knng:args:option', '''Rows'', ''pairwise'' is by ''eig'', and ''Algorithm'' is ''%s'': leave that out', opt.Algorithm);
  end
  knng.internal.check_flag ('Centered', opt.Centered);
  knng.internal.check_flag ('Economy', opt.Economy);
  knng.internal.check_seed (opt.Seed);
  drawn = strcmp (opt.Algorithm, 'randomized');
  if (isequal (opt.NumComponents, []))
    if (drawn)
      error ('knng:args:option', '''NumComponents'' is not given: ''randomized'' has to know how many components to look for');
    end
    opt.NumComponents = Inf;
  elseif (numel (opt.NumComponents) ~= 1 || ~knng.internal.whole (opt.NumComponents, 1, 2 ^ 53))
    error ('knng:args:option', '''NumComponents'' is %s: it must be one whole number from 1 on', knng.internal.given (opt.NumComponents));
  end
  opt.NumComponents = full (double (opt.NumComponents));
  if (isequal (opt.Iterations, []))
    opt.Iterations = 7;
  elseif (numel (opt.Iterations) ~= 1 || ~knng.internal.whole (opt.Iterations, 0, 1e6))
    error ('knng:args:option', '''Iterations'' is %s: it must be one whole number, 0 to 1e6', knng.internal.given (opt.Iterations));
  end
  opt.Iterations = full (double (opt.Iterations));
  opt.Centered = full (double (opt.Centered));
  if (drawn && ~opt.Economy)
    error ('knng:args:option', '''Economy'' is false: it must be true with ''randomized'', which looks for some components alone');
  end
end

function refuse (good, X, rows)
  if (strcmp (rows, 'all'))
    i = find (~good, 1);
    error ('knng:data:infinite', 'row %d of X has %g: leave such rows out, fill them in with knng.impute, or give ''Rows'', ''complete''', ...
           i, X(i, find (~isfinite (X(i, :)), 1)));
  end
  if (~any (good))
    [~, worst] = max (sum (~isfinite (X), 1));
    error ('knng:data:infinite', ['every row of X holds NaN or Inf, most of them in column %d: fill them in with knng.impute, or leave ' ...
           'such columns out'], worst);
  end
  [share, where] = knng.internal.holding (X, ~good);
  warning ('knng:data:nonFinite', '%s hold NaN or Inf and were left out%s; knng.impute fills in missing values', share, where);
end

function [V, s] = by_values (X, p, economy)
% The first p right singular vectors, or all, and their singular values.
  if (economy)
    [~, S, V] = svd (X, 'econ');
    V = V(:, 1:p);
  elseif (size (X, 1) < size (X, 2))
    [~, S, V] = svd (X);
  else
    [~, S, V] = svd (X, 'econ');
  end
  S = diag (S(:, 1:min (end, size (S, 1))));
  s = zeros (size (V, 2), 1);
  s(1:p) = S(1:p);
end

function [V, s] = by_products (X, p, economy)
  [n, d] = size (X);
  if (d <= n || ~economy)
    [V, L] = eig (X' * X);
    [s, order] = sort (sqrt (max (diag (L), 0)), 'descend');
    V = V(:, order);
    if (economy)
      V = V(:, 1:p);
    end
  else
    [U, L] = eig (X * X');
    [s, order] = sort (sqrt (max (diag (L), 0)), 'descend');
    [V, ~] = qr (X' * U(:, order(1:p)), 0);                  % columns at right angles already, but for roundings
  end
  s = s(1:size (V, 2), 1);
  s(p+1:end) = 0;
end

function [V, s, whole] = by_pairs (X, p, free, opt)
% The covariance of two columns is that of the rows that have both, less their means there. s is as of rows that had it.
  has = double (~isnan (X));
  X(isnan (X)) = 0;
  count = has' * has;
  if (any (count(:) <= opt.Centered))
    [i, j] = find (count <= opt.Centered, 1);
    error ('knng:data:covariance', ['columns %d and %d of X have values together in %s, too few for a covariance: leave one of them out, or ' ...
           'fill missing values in with knng.impute'], j, i, knng.internal.count_of (count(i, j), 'row'));
  end
  C = X' * X;
  if (opt.Centered)
    sums = X' * has;                                         % of column i over the rows that have column j
    C = C - sums .* sums' ./ count;
  end
  C = C ./ (count - opt.Centered);
  [V, L] = eig ((C + C') / 2);
  [L, order] = sort (diag (L), 'descend');
  if (L(end) < -1e-12 * max (abs (L)))
    error ('knng:data:covariance', ['the covariances of pairs of columns are none of any rows: a variance would be %.3g of the largest; give ' ...
           '''Rows'', ''complete'', or fill missing values in with knng.impute'], L(end) / L(1));
  end
  whole = sum (L) * max (free, 1);
  V = V(:, order);
  if (opt.Economy)
    V = V(:, 1:p);
  end
  s = sqrt (max (L(1:size (V, 2), 1), 0) * max (free, 1));
  s(p+1:end) = 0;
end

function [V, s] = by_drawing (X, p, opt)
% The range of X' is looked for from drawn directions, some more than are wanted; products with X'*X turn them to those of large variance.
  [n, d] = size (X);
  l = min ([p + 10, n, d]);
  u = reshape (knng.internal.random (opt.Seed, 2 * d * l), d, l, 2);
  Q = sqrt (-2 * log (u(:, :, 1))) .* cos (2 * pi * u(:, :, 2));   % normal numbers (Box and Muller)
  [Q, ~] = qr (X * Q, 0);
  for i = 1:opt.Iterations
    [P, ~] = qr (X' * Q, 0);
    [Q, ~] = qr (X * P, 0);
  end
  [~, S, V] = svd (Q' * X, 'econ');
  V = V(:, 1:p);
  s = diag (S);
  s = s(1:p, 1);
end

%!test <*1>
%! t = (-2:2)';
%! X = [t, 2*t, [1; -1; 0; -1; 1]];
%! [coeff, score, latent, tsquared, explained, mu] = knng.pca (X + 7);
%! assert (coeff, [1 0 2; 2 0 -1; 0 sqrt(5) 0] / sqrt (5), 1e-14);
%! assert (score, X * coeff, 1e-13);
%! assert (latent, [12.5; 1; 0], 1e-13);
%! assert (tsquared, [2.6; 1.4; 0; 1.4; 2.6], 1e-12);
%! assert (explained, latent / 0.135, 1e-12);
%! assert (mu, [7 7 7]);

%!test  # what PCA of scikit-learn 1.9.1 gives, whose signs are others
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! known = [0.287535076 0.464552282 0.837564778; 0.809098239 0.350147932 -0.471970831; -0.512526701 0.813380356 -0.275188621]';
%! for algorithm = {'svd', 'eig', 'randomized'}
%!   [coeff, score, latent, ~, explained] = knng.pca (X, 'Algorithm', algorithm{1}, 'NumComponents', 3);
%!   assert (coeff, known, 1e-8);
%!   assert (latent', [1519.908863467 1009.610156413 233.397646787], 1e-6);
%!   assert (explained', [55.0110281 36.5414625 8.4475095], 1e-6);
%!   assert (score(1:2, :), [-57.1381205 -26.514073 11.774924244; -20.418873248 -2.946803098 28.605868087], 1e-6);
%! end

%!test  # the definition, by every algorithm: tall and wide, means far away, a rank that is lower, any scale
%! for shape = {[60 7 7], [7 60 7], [40 12 3], [12 40 3], [2 5 2], [5 1 1]}
%!   [n, d, r] = num2cell (shape{1}){:};
%!   X = reshape (knng.internal.random (n, n * r), n, r) * diag (2 .^ -(1:r)) * reshape (knng.internal.random (d, r * d), r, d) + 1000;
%!   [V, L] = eig (cov (X));
%!   L = sort (diag (L), 'descend');
%!   p = min (n - 1, d);
%!   for a = {'svd', 'eig', 'randomized'}
%!     for scale = [1, 2^-400, 2^500]
%!       [coeff, score, latent, ~, explained, mu] = knng.pca (scale * X, 'Algorithm', a{1}, 'NumComponents', p);
%!       assert (size (score), [n p]);
%!       assert (latent / scale / scale, L(1:p), 1e-11 * L(1));
%!       assert (coeff' * coeff, eye (p), 1e-10);
%!       assert (score / scale, (X - mean (X)) * coeff, 1e-9);
%!       assert (cov (score(:, 1:min (p, r)) / scale), diag (L(1:min (p, r))), 1e-10 * L(1));
%!       assert (sum (explained), 100, 1e-8);
%!       assert (mu / scale, mean (X), 1e-11);
%!       [~, top] = max (abs (coeff(:, 1)));
%!       assert (coeff(top, 1) > 0);
%!     end
%!   end
%! end

%!test  # some components of many: variances that fall are found, of all algorithms alike; the same with the same seed
%! X = reshape (knng.internal.random (1, 6e4), 300, 200) - 0.5;
%! X = X * diag (2 .^ -(0:199));
%! [coeff, score, latent, tsquared, explained] = knng.pca (X);
%! [C, S, L, T, E] = knng.pca (X, 'Algorithm', 'randomized', 'NumComponents', 5, 'Seed', 3);
%! assert ({size(C), size(S), size(L)}, {[200 5], [300 5], [5 1]});
%! assert (C, coeff(:, 1:5), 1e-9);
%! assert (S, score(:, 1:5), 1e-9);
%! assert (E, explained(1:5), 1e-10);
%! assert (T, sum (S .^ 2 ./ L', 2), 1e-10);
%! assert (knng.pca (X, 'Algorithm', 'randomized', 'NumComponents', 5, 'Seed', 3), C);
%! assert (~isequal (knng.pca (X, 'Algorithm', 'randomized', 'NumComponents', 5, 'Seed', 4), C));
%! far = knng.pca (X, 'Algorithm', 'randomized', 'NumComponents', 1, 'Iterations', 0);
%! assert (abs (far' * coeff(:, 1)) > 0.9);
%! [C, S, L] = knng.pca (X, 'NumComponents', 5);
%! assert ({size(C), size(S), L}, {[200 5], [300 5], latent});

%!test  # T-squared counts directions that have variance, not roundings: of n rows its sum is n-1 times the rank, by all algorithms
%! A = reshape (knng.internal.random (5, 300), 100, 3);
%! Z = [A, sum(A, 2)] + 1e5;
%! [~, ~, ~, known] = knng.pca (A);
%! for a = {'svd', 'eig', 'randomized'}
%!   [~, ~, ~, tsquared] = knng.pca (Z, 'Algorithm', a{1}, 'NumComponents', 4);
%!   assert (sum (tsquared), 3 * 99, 1e-7);
%!   assert (tsquared, known, 1e-7);
%!   [~, ~, ~, tsquared] = knng.pca (Z(1:2, :), 'Algorithm', a{1}, 'NumComponents', 1);
%!   assert (tsquared, [0; 0]);
%!   [~, ~, ~, tsquared] = knng.pca ([A(:, 1), 1e-6 * A(:, 2)], 'Algorithm', a{1}, 'NumComponents', 2);
%!   assert (sum (tsquared), 2 * 99, 1);
%! end

%!test  # means that are kept, all directions, rows without values, singles, next to nothing
%! X = [1 2; 3 4; 5 7];
%! [coeff, score, latent, ~, ~, mu] = knng.pca (X, 'Centered', false);
%! assert (score * coeff', X, 1e-14);
%! assert (sum (latent), sum (X(:) .^ 2) / 3, 1e-13);
%! assert (mu, [0 0]);
%! for a = {'svd', 'eig'}
%!   [coeff, score, latent] = knng.pca ([1 2 3 5; 4 0 1 1], 'Economy', false, 'Algorithm', a{1});
%!   assert (coeff' * coeff, eye (4), 1e-12);
%!   assert (size (score), [2 4]);
%!   assert (latent(2:4), [0; 0; 0]);
%! end
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [coeff, score, ~, tsquared, ~, mu] = knng.pca ([1 2; NaN 3; 3 4; 5 7; 0 Inf]);
%! assert (isnan (score(:, 1))', logical ([0 1 0 0 1]));
%! assert (isnan (tsquared)', logical ([0 1 0 0 1]));
%! assert (coeff, knng.pca (X), 1e-15);
%! assert (mu, mean (X), 1e-15);
%! [coeff, score, latent, tsquared, explained, mu] = knng.pca (single (X));
%! assert ({class(coeff), class(score), class(latent), class(tsquared), class(explained), class(mu)}, repmat ({'single'}, 1, 6));
%! assert (coeff, single (knng.pca (X)));
%! [coeff, score, latent] = knng.pca ([1 2 3]);
%! assert ({size(coeff), size(score), size(latent)}, {[3 0], [1 0], [0 1]});
%! for a = {{}, {'Algorithm', 'eig'}, {'Algorithm', 'randomized', 'NumComponents', 1}, {'Economy', false}}
%!   [~, ~, ~, tsquared] = knng.pca (7, a{1}{:});
%!   assert (tsquared, 0);
%! end
%! [coeff, score, latent, tsquared] = knng.pca (ones (3, 2));
%! assert ({score, latent, tsquared}, {zeros(3, 2), [0; 0], [0; 0; 0]});

%!test  # 'pairwise': the covariance by its definition, scores of rows without gaps; as 'eig' where nothing is missing
%! for scale = [1, 2^400]
%!   X = reshape (knng.internal.random (4, 600), 120, 5) * [3 1 0 0 0; 0 2 1 0 0; 0 0 1 0 0; 0 0 0 1 1; 0 0 0 0 1] + 50;
%!   X(1:11:600) = NaN;
%!   X(7) = Inf;
%!   gone = ~isfinite (X);
%!   C = zeros (5);
%!   for i = 1:5
%!     for j = 1:5
%!       both = ~gone(:, i) & ~gone(:, j);
%!       pair = cov (X(both, [i j]));
%!       C(i, j) = pair(1, 2);
%!     end
%!     mean_of(i) = mean (X(~gone(:, i), i));
%!   end
%!   [V, L] = eig ((C + C') / 2);
%!   [L, order] = sort (diag (L), 'descend');
%!   lastwarn ('');
%!   [coeff, score, latent, tsquared, explained, mu] = knng.pca (scale * X, 'Rows', 'Pairwise');
%!   assert (lastwarn (), '');
%!   assert (latent / scale / scale, L, 1e-11 * L(1));
%!   assert (abs (sum (coeff .* V(:, order)))', ones (5, 1), 1e-9);
%!   assert (explained, 100 * L / sum (L), 1e-9);
%!   assert (mu / scale, mean_of, 1e-12);
%!   good = ~any (gone, 2);
%!   assert (score(good, :) / scale, (X(good, :) - mean_of) * coeff, 1e-10);
%!   assert (isnan (score), repmat (~good, 1, 5));
%!   assert (tsquared(good), sum ((score(good, :) / scale) .^ 2 ./ L', 2), 1e-9);
%!   assert (isnan (tsquared), ~good);
%! end
%! [coeff, score, latent] = knng.pca (X, 'Rows', 'pairwise', 'Algorithm', 'EIG', 'NumComponents', 2);
%! assert ({size(coeff), size(score), size(latent)}, {[5 2], [120 2], [5 1]});
%! X(gone) = 51;
%! [coeff, score, latent] = knng.pca (X, 'Rows', 'pairwise');
%! [C, S, L] = knng.pca (X, 'Algorithm', 'eig');
%! assert ({coeff, score, latent}, {C, S, L});
%! X(3, 2) = NaN;
%! X = X - 51;
%! [~, ~, latent, ~, ~, mu] = knng.pca (X, 'Rows', 'pairwise', 'Centered', false);
%! assert (mu, zeros (1, 5));
%! Z = X;
%! Z(3, 2) = 0;
%! count = 120 * ones (5);
%! count(2, :) = 119;
%! count(:, 2) = 119;
%! Z = Z' * Z;
%! w = X([1:2 4:120], :);
%! Z(2, :) = w(:, 2)' * w;
%! Z(:, 2) = Z(2, :)';
%! assert (latent, sort (eig (Z ./ count), 'descend'), 1e-11 * latent(1));

%!warning id=knng:data:nonFinite knng.pca ([1 2; NaN 3; 3 4]);
%!error id=knng:args:count knng.pca ()
%!error id=knng:args:class knng.pca ('a')
%!error <row 2 of X has NaN> knng.pca ([1 2; 0 NaN], 'Rows', 'all')
%!error id=knng:data:infinite knng.pca ([1 2; 0 Inf], 'Rows', 'all')
%!error <most of them in column 2> knng.pca ([1 NaN; 3 NaN; NaN NaN])
%!error id=knng:args:option knng.pca ([1 2; 3 4], 'NumComponents', 0)
%!error <'Algorithm' is 'als', which is none here: .*knng.impute .* 'pairwise'> knng.pca ([1 2; 3 4], 'Algorithm', 'ALS')
%!error id=knng:args:option knng.pca ([1 2; 3 4], 'Algorithm', 'nipals')
%!error <'pairwise' is by 'eig', and 'Algorithm' is 'svd'> knng.pca ([1 2; 3 4], 'Algorithm', 'svd', 'Rows', 'pairwise')
%!error <columns 1 and 3 of X have values together in 1 row, too> knng.pca ([1 2 NaN; 3 4 1; NaN 2 5; 6 NaN NaN], 'Rows', 'pairwise')
%!error <a variance would be -0.\d+ of the largest> knng.pca ([1 1 NaN; 2 2 NaN; 3 3 NaN; NaN 1 1; NaN 2 2; NaN 3 3; 1 NaN 3; 2 NaN 2; 3 NaN 1], 'Rows', 'pairwise')
%!error id=knng:data:covariance knng.pca ([NaN 1; NaN 2], 'Rows', 'pairwise')
%!error id=knng:args:option knng.pca ([1 2; 3 4], 'Algorithm', 'randomized')
%!error id=knng:args:option knng.pca ([1 2; 3 4], 'Algorithm', 'randomized', 'NumComponents', 1, 'Economy', false)
%!error id=knng:args:option knng.pca ([1 2; 3 4], 'Rows', 'pairs')
%!error id=knng:args:option knng.pca ([1 2; 3 4], 'Centered', 2)
%!error id=knng:args:option knng.pca ([1 2; 3 4], 'Iterations', -1)
%!error id=knng:args:option knng.pca ([1 2; 3 4], 'Seed', -1)
%!error id=knng:args:unknownOption knng.pca ([1 2; 3 4], 'Weights', [1 2])
