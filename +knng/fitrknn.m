function Mdl = fitrknn (X, Y, varargin)
%KNNG.FITRKNN  Predict numbers by the mean of the k nearest rows.
%   Mdl = knng.fitrknn (X, Y) makes a model out of the n-by-d matrix X, a row
%   for each sample, and the numbers Y: n of them, or an n-by-p matrix of p
%   numbers for each row. yfit = knng.predict (Mdl, Z) then gives each row of
%   the m-by-d matrix Z, in yfit, m-by-p, the mean of what its neighbours in X
%   have in Y.
%   Mdl = knng.fitrknn (X, Y, 'Name', value, ...) takes options.
%
%   A row of X with a number that is missing in Y (NaN, or Inf), in any column,
%   is left out, and so is one with NaN or Inf in X; with 'Rows', 'pairwise' NaN
%   in X is a missing value, and rows without any value are left out. Warnings
%   count both.
%
%   Options:
%
%     'NumNeighbors'    how many neighbours are asked, default 5; 'K' is the
%                       same. More than there are rows are as many, with a
%                       warning
%     'Distance'        any metric of knngraph, default 'euclidean'; 'Metric' is
%                       the same
%     'DistanceWeight'  what a neighbour at distance d counts: 'equal'
%                       (default), 1; 'inverse', 1/d; 'squaredinverse', 1/d^2;
%                       of neighbours at distance 0 each counts 1, and others
%                       nothing. Or a function, as in knng.fitcknn
%     'IncludeTies'     true: all rows at the distance of the last neighbour are
%                       asked as well; default false: of neighbours at equal
%                       distances those that come first in X
%     'Standardize'     true: each column of X less its mean, over its standard
%                       deviation (1 in place of 0); default false
%     'Rows'            'all' (default): rows with NaN in X are left out;
%                       'pairwise': two rows are compared over the columns that
%                       both have, as in knngraph
%     'MinValid'        with 'pairwise', how many columns those must be; default
%                       3, or d if that is less: see knng.fitcknn
%     'CrossVal'        'on': the result is knng.crossval (Mdl); default 'off'
%     'KFold', 'Leaveout', 'Holdout', 'CVPartition'
%                       as in knng.crossval, whose result it then is
%     'Seed'            for its parts, a whole number from 0 on, default 0
%     'OptimizeHyperparameters'
%                       'auto': 'Distance' and 'NumNeighbors' are chosen; 'all':
%                       'DistanceWeight', 'Standardize' too; or names of these
%                       four in a cell; default 'none'. What is chosen replaces
%                       the value that you give of it. See below
%     'HyperparameterOptimizationOptions'
%                       a struct with one field KFold, Leaveout, Holdout or
%                       CVPartition, as options of knng.crossval: how candidates
%                       are judged, by default each row by all others.
%                       MATLAB's ShowPlots, Verbose, UseParallel and
%                       SaveIntermediateResults change nothing, nor do, since
%                       all candidates are tried, AcquisitionFunctionName,
%                       Optimizer, MaxObjectiveEvaluations, NumGridDivisions and
%                       Repartition
%     'NSMethod', 'BucketSize', 'SortIndices'
%                       as in knng.knnsearch: they change nothing
%
%   A prediction is sum (w .* y) / sum (w) over the neighbours, w their weights
%   and y their numbers in Y. Both sums run from the nearest neighbour to the
%   farthest, of equal distances the smaller row first, in double precision, and
%   inverse weights are taken as d(1)./d, by the nearest of them: so yfit has
%   the same bits on every machine, whatever its threads or its GPU. With equal
%   weights and whole numbers the sum has no rounding. (Where a function gives
%   the weights, yfit is no more reproducible than that is.)
%   Rows without neighbours, or whose neighbours all count 0, get NaN, and a
%   warning counts them as in knng.predict.
%
%   With 'OptimizeHyperparameters' no search of Bayes' kind is made: every
%   candidate is tried, the k from 1 to 50 of each out of one graph, as in
%   knng.cvk. They are euclidean, cityblock, chebychev (not with 'pairwise'),
%   cosine (from 2 columns on), pearson and spearman (from 3), each weight, and
%   columns as they are or standardized. The best leaves the fewest rows without
%   a prediction, then has the least loss ('mse', of one column), then the
%   smallest k, then comes first: metrics as listed, the weights of each, all
%   before the same of standardized columns. So it is the same on every machine.
%   The least loss of many is too good: hold some samples out to learn how good
%   the model is. Mdl.HyperparameterOptimizationResults lists all candidates,
%   the best first: a struct of columns Distance, DistanceWeight, Standardize,
%   NumNeighbors, Loss and Unpredicted, how many rows got nothing. With
%   'Standardize' true, or chosen, each part takes a search of its own, n of
%   them by default: with many rows give struct ('KFold', 10).
%
%   Mdl is a plain struct, which save and load keep. Without a semicolon Octave
%   shows all numbers of X; after struct_levels_to_print (0) it shows the sizes
%   of fields, as MATLAB does.
%
%     X, Y             the rows that were used, and their numbers, n-by-p
%     RowsUsed         n-by-1 logical; [] if all were
%     NumObservations  how many
%     NumNeighbors, Distance, DistanceWeight, IncludeTies
%                      as the options; they may be set anew, Mdl.NumNeighbors =
%                      9. Any other field that is set is an error
%     Mu, Sigma        1-by-d with 'Standardize', else []
%     ModelParameters  Rows and MinValid as they were given
%
%   knng.loss, knng.resubLoss, knng.crossval, knng.kfoldPredict and
%   knng.kfoldLoss take it as they do a model of knng.fitcknn; a loss is then
%   the mean squared error of each column of Y. MATLAB has no fitrknn: names are
%   those of its fitcknn, and what is predicted is what KNeighborsRegressor of
%   scikit-learn predicts (but for ties, which are not left to chance here).
%
%   Cost: O(n*d), and a copy of X; the work is done by knng.predict: a search,
%   and O(m*k*p) for the means. To optimize: that of knngraph with k = 50 or so
%   for each metric and weight.
%
%   Errors: knng:args:targets if Y is not numbers for each row, or none is left;
%   knng:args:k for NumNeighbors; knng:args:partition for parts;
%   knng:args:metric, :option, :unknownOption, :count; as knngraph for X
%   (knng:args:class, :sparse, :complex, :dims, :empty). Warnings:
%   knng:data:nonFinite (rows that are left out), :constant (rows that are
%   nobody's neighbours, of correlations and cosine); knng:args:kClipped.
%
%   Source: N. Altman, The American Statistician 46 (1992) 175-185.
%
%   Example:
%     x = (0:10)';
%     y = x .^ 2;
%     Mdl = knng.fitrknn (x, y, 'K', 2, 'DistanceWeight', 'inverse');
%     knng.predict (Mdl, [2.5; 3.1])                  % 6.5, 9.7
%     CVMdl = knng.crossval (Mdl, 'Leaveout', 'on');  % each row by the others
%     sqrt (knng.kfoldLoss (CVMdl))                   % how far off, about
%
%   See also knng.fitcknn, knng.predict, knng.crossval, knng.kfoldLoss.

  if (nargin < 2)
    error ('knng:args:count', 'knng.fitrknn needs samples and numbers, as in knng.fitrknn (X, Y): see help knng.fitrknn');
  end
  knng.internal.built ();
  [opt, given] = knng.internal.options (knng.internal.join (knng.internal.knr_defaults (), knng.internal.optimize_defaults (), struct ('CrossVal', 'off'), ...
                                                            knng.internal.partition_defaults (), ...
                                                            rmfield (knng.internal.needless (), 'IncludeTies')), varargin);
  knng.internal.needless (given, {'IncludeTies'});
  knng.internal.check_seed (opt.Seed);
  Mdl = knng.internal.best_model (@(opt) knng.internal.knr_fit (X, Y, opt), opt);
  knng.internal.warn_unused (Mdl, X, opt.Rows, Y);
  knng.internal.warn_flat (Mdl);
  if (any (strcmp (given(1:2:end), 'NumNeighbors')))
    knng.internal.warn_few ('knng:args:kClipped', '''NumNeighbors''', Mdl.NumNeighbors, Mdl.NumObservations, ...
                            'all of them are asked, whatever the row');
  end
  Mdl = knng.internal.crossed_or_not (Mdl, opt, given);
end

%!test <*1>
%! x = (0:10)';
%! Mdl = knng.fitrknn (x, x .^ 2, 'K', 2, 'DistanceWeight', 'inverse');
%! assert (knng.predict (Mdl, [2.5; 3.1]), [6.5; 9 + 7 * 0.1], 1e-13);
%! CVMdl = knng.crossval (Mdl, 'Leaveout', 'on');
%! assert (knng.kfoldLoss (CVMdl), mean ([(0 - (1 + 4/2) / 1.5) ^ 2, ones(1, 9), (100 - (81 + 64/2) / 1.5) ^ 2]), 1e-12);

%!test  # to the last bit what loops say, several numbers, ties, parts, every weight; rows that are left out
%! X = floor (mod ((1:40)' .^ 2 * sqrt ([2 3]), 1) * 5);
%! Y = mod ((1:40)' * [0.37 0.71], 1);
%! Y(7, 2) = NaN;
%! X(9, 1) = Inf;
%! used = setdiff (1:40, [7 9]);
%! for weight = {'equal', 'inverse', @(d) 1 ./ (1 + d)}
%!   for ties = [false true]
%!     Mdl = knng.fitrknn (X, Y, 'K', 3, 'DistanceWeight', weight{1}, 'IncludeTies', ties);
%!     assert (find (Mdl.RowsUsed)', used);
%!     CVMdl = knng.crossval (Mdl, 'KFold', 4);
%!     fold = CVMdl.Partition.fold(Mdl.RowsUsed);
%!     want = zeros (38, 2);
%!     for i = 1:38
%!       d = sqrt (sum ((X(used, :) - X(used(i), :)) .^ 2, 2));
%!       d(fold == fold(i)) = Inf;
%!       [d, order] = sort (d);
%!       k = 3;
%!       while (ties && d(k + 1) == d(3)), k++; end
%!       total = [0 0];
%!       count = 0;
%!       for j = 1:k
%!         w = 1;
%!         if (ischar (weight{1}) && weight{1}(1) == 'i' && d(j) ~= d(1)), w = d(1) / d(j); end
%!         if (! ischar (weight{1})), w = 1 / (1 + d(j)); end
%!         total += w * Y(used(order(j)), :);
%!         count += w;
%!       end
%!       want(i, :) = total / count;
%!     end
%!     yfit = knng.kfoldPredict (CVMdl);
%!     assert (isnan (yfit), repmat (~Mdl.RowsUsed, 1, 2));
%!     assert (yfit(used, :), want);
%!     assert (knng.kfoldLoss (CVMdl), mean ((Mdl.Y - want) .^ 2), 1e-15);
%!     assert (size (knng.kfoldLoss (CVMdl, 'Mode', 'individual', 'LossFun', 'mae')), [4 2]);
%!     one = knng.fitrknn (Mdl.X(fold ~= 2, :), Mdl.Y(fold ~= 2, :), 'K', 3, 'DistanceWeight', weight{1}, 'IncludeTies', ties);
%!     assert (knng.predict (one, Mdl.X(fold == 2, :)), want(fold == 2, :));
%!   end
%! end
%! warning ('off', 'knng:data:nonFinite', 'local');
%! off = (Y - knng.predict (Mdl, X)) .^ 2;
%! assert (knng.loss (Mdl, X, Y), [mean(off([1:8 10:40], 1)), mean(off(used, 2))], 1e-15);   % a row counts where it can
%! assert (knng.resubLoss (Mdl), knng.loss (Mdl, Mdl.X, Mdl.Y));

%!test  # what scikit-learn 1.9.1 says: KNeighborsRegressor (4, weights = 'distance', metric = 'cityblock')
%! Mdl = knng.fitrknn ([0 1; 2 0; 3 5; 1 1; 4 4; 2 2], [1 2 4 8 16 32], 'K', 4, 'DistanceWeight', 'inverse', 'Distance', 'cityblock');
%! assert (knng.predict (Mdl, [0.5 0.25; 3 3.5; 2 2]), [7.336879432624113; 13.590909090909088; 32], 1e-13);

%!test  # missing values, scales, one class for all
%! Mdl = knng.fitrknn (single ([1 NaN; NaN 2; 5 6; 1 3]), int8 ([100 100 100 4]), 'K', 2, 'Rows', 'pairwise', 'Standardize', true);
%! assert (knng.predict (Mdl, [5 1]), 52);
%! assert (class (Mdl.Y), 'double');
%! CVMdl = knng.fitrknn ([1; 2; 3; 9], [1 2 3 4], 'K', 1, 'Holdout', 0.5, 'Standardize', true);
%! yfit = knng.kfoldPredict (CVMdl);
%! assert (isnan (yfit), CVMdl.Partition.fold == 0);
%!assert (knng.predict (knng.fitrknn (single ([1; 2]), [1 5], 'K', 1, 'IncludeTies', true), single (1e8)), 5)   # a tie by rounding alone
%!test  # what is chosen has the least loss, each row left out
%! x = mod ((1:12)' * 0.618, 1) * 6;
%! Mdl = knng.fitrknn (x, sin (x), 'OptimizeHyperparameters', {'NumNeighbors', 'DistanceWeight'});
%! r = Mdl.HyperparameterOptimizationResults;
%! assert (size (r.Loss), [3 * 11, 1]);
%! assert (r.Loss, sort (r.Loss));
%! assert ({Mdl.DistanceWeight, Mdl.NumNeighbors}, {r.DistanceWeight{1}, r.NumNeighbors(1)});
%! for i = [1 2 17 33]
%!   assert (r.Loss(i), knng.kfoldLoss (knng.fitrknn (x, sin (x), 'K', r.NumNeighbors(i), 'DistanceWeight', r.DistanceWeight{i}, 'Leaveout', 'on')));
%! end
%!error id=knng:args:targets knng.fitrknn (eye (3), eye (3), 'Optim', 'auto')
%!error <ask knng.predict for one result> [a, b] = knng.predict (knng.fitrknn (1, 1), 1);
%!error <ask knng.kfoldPredict for one> [a, b] = knng.kfoldPredict (knng.fitrknn ([1; 2], [1 2], 'CrossVal', 'on'));
%!error id=knng:args:count knng.fitrknn (1)
%!error id=knng:args:targets knng.fitrknn ([1; 2], {'a', 'b'})
%!error id=knng:args:targets knng.fitrknn ([1; 2], 1:3)
%!error <no row of X has .* or give 'Rows', 'pairwise'$> knng.fitrknn ([1; NaN], [NaN 1])
%!error <finite values: fill in what is missing$> knng.fitrknn ([1; Inf], [NaN 1], 'Rows', 'pairwise')
%!error <^no row of Y has finite numbers: give .* known$> knng.fitrknn ([1; NaN], [NaN Inf])
%!error id=knng:args:targets knng.loss (knng.fitrknn ([1; 2], [1 2]), 1, [1 2])
%!error id=knng:args:option knng.loss (knng.fitrknn ([1; 2], [1 2]), 1, 1, 'LossFun', 'mincost')
%!error id=knng:args:partition knng.fitrknn ([1; 2], [1 2], 'KFold', 3)
%!error id=knng:args:k knng.fitrknn ([1; 2], [1 2], 'K', 0)
%!error id=knng:args:model knng.predict (setfield (knng.fitrknn ([1; 2], [1 2]), 'BreakTies', 'nearest'), 1)
%!error id=knng:args:model knng.resubLoss (setfield (knng.fitrknn ([1; 2], [1 2]), 'Y', [1; NaN]))
%!error id=knng:args:unknownOption knng.fitrknn ([1; 2], [1 2], 'Prior', 'uniform')
%!warning <^'NumNeighbors' is 7, but there are 4 rows: all of them are asked, whatever the row; give 4 or less> knng.fitrknn (magic (4), [1 2 2.5 3], 'K', 7);
%!test  # no warning of what fits, or of a default that nobody gave
%! lastwarn ('', '');
%! knng.fitrknn (magic (4), [1 2 2.5 3], 'K', 4);
%! knng.fitrknn (magic (4), [1 2 2.5 3]);
%! assert (lastwarn (), '');
