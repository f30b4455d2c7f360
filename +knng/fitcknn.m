function Mdl = fitcknn (X, Y, varargin)
%KNNG.FITCKNN  A classifier that asks the k nearest rows.
%   Mdl = knng.fitcknn (X, Y) makes a model out of the n-by-d matrix X, a row
%   for each sample, and the n labels Y. knng.predict (Mdl, Z) then gives each
%   row of Z the class that most of its neighbours in X have.
%   Mdl = knng.fitcknn (X, Y, 'Name', value, ...) takes options.
%
%   Labels are numbers, logicals, a cell of texts, or a char matrix with a row
%   for each label (and categorical or string arrays where they exist). Rows
%   that lack a label (NaN, '', blanks) or hold NaN or Inf in X are left out;
%   with 'Rows', 'pairwise' NaN in X is a missing value, and rows without any
%   value are. A warning counts those with NaN or Inf in X; as a label Inf is a
%   number like others. Of numbers that are measured, most of which differ,
%   knng.fitrknn makes a model, and a warning says so.
%
%   Options:
%
%     'NumNeighbors'    how many neighbours are asked, default 1; 'K' is the
%                       same. More than there are rows are as many, with a
%                       warning
%     'Distance'        any metric of knngraph, default 'euclidean'; 'Metric' is
%                       the same
%     'DistanceWeight'  what a neighbour at distance d counts: 'equal'
%                       (default), 1; 'inverse', 1/d; 'squaredinverse', 1/d^2.
%                       Of neighbours at distance 0 each counts 1, and others
%                       nothing. Or a function of a matrix of distances, a row
%                       for each sample, nearest first, that returns a weight
%                       of 0 or more for each, as @(d) 1 ./ (1 + d). A row has
%                       to depend on that row alone; Inf beats all others.
%                       Where all are 0, as exp (-d.^2) is from d = 28 on, there
%                       is no prediction, and a warning counts such rows: scale
%                       d, as in exp (-(d/s).^2) with s about what distances are
%     'BreakTies'       which class it is where several cost the same:
%                       'smallest' (default), the first of ClassNames;
%                       'nearest', that of the nearest neighbour; 'random'
%     'Standardize'     true: each column of X less its mean, over its standard
%                       deviation (1 in place of 0); default false
%     'Prior'           how frequent the classes are: 'empirical' (default), as
%                       in Y; 'uniform'; or a number for each class. A row
%                       counts its class's prior over the rows of its class
%     'Cost'            C-by-C, from 0 on: Cost(i,j) is the price of calling j
%                       what is i; if not given 1, and 0 where i = j
%     'ClassNames'      the classes, each once, in the order of scores; rows of
%                       other classes are left out. A class without rows gets
%                       the score 0. By default those of Y, sorted
%     'Seed'            for 'random' and for parts, a whole number from 0 on,
%                       default 0
%     'Rows'            'all' (default): rows with NaN are left out; 'pairwise':
%                       two rows are compared over the columns that both have,
%                       in all that is done with the model, as in knngraph.
%                       Means and deviations are those of the values there are
%     'MinValid'        with 'pairwise', how many columns those must be; default
%                       3, or d if that is less. Where X has few columns give 1
%                       or 2, or rows with NaN may share too few with all others
%     'IncludeTies'     true: all rows at the distance of the last neighbour are
%                       asked as well; default false: of neighbours at equal
%                       distances those that come first in X
%     'CrossVal'        'on': the result is knng.crossval (Mdl); default 'off'
%     'KFold', 'Leaveout', 'Holdout', 'CVPartition'
%                       as in knng.crossval, whose result it then is
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
%   Mdl is a plain struct, which save and load keep. Without a semicolon Octave
%   shows all numbers of X; after struct_levels_to_print (0) it shows the sizes
%   of fields, as MATLAB does.
%
%     X, Y             the rows that were used, and their labels
%     RowsUsed         n-by-1 logical; [] if all were
%     NumObservations  how many
%     ClassNames       C labels, of the kind of Y
%     Prior            1-by-C, of sum 1
%     Cost, NumNeighbors, Distance, DistanceWeight, IncludeTies, BreakTies
%                      as the options; they may be set anew, Mdl.NumNeighbors =
%                      5. Any other field that is set is an error in
%                      knng.predict, since it would be ignored
%     Mu, Sigma        1-by-d with 'Standardize', else []
%     ModelParameters  Prior, Seed, Rows and MinValid as they were given
%
%   Names, defaults and rules are those of MATLAB's fitcknn. Of its options
%   there are none that would do something else than exact neighbours
%   ('Exponent', 'Cov', 'Scale' and 'Distance' as a function: scale the columns
%   of X instead), none that names or changes results ('PredictorNames',
%   'ScoreTransform'), none of samples' 'Weights', and none of tables
%   ('CategoricalPredictors'); a message says what to do instead. Its methods
%   are functions here, knng.predict (Mdl, X) in place of Mdl.predict (X), since
%   Mdl is a plain struct. Of them edge, margin, compact, resubPredict and their
%   like are left out: knng.predict has labels, scores and costs.
%
%   With 'OptimizeHyperparameters' no search of Bayes' kind is made: every
%   candidate is tried, the k from 1 to 50 of each out of one graph, as in
%   knng.cvk. They are euclidean, cityblock, chebychev (not with 'pairwise'),
%   cosine (from 2 columns on), pearson and spearman (from 3), each weight, and
%   columns as they are or standardized. The best leaves the fewest rows without
%   a prediction, then has the least loss ('mincost'), then the smallest k, then
%   comes first: metrics as listed, the weights of each, all before the same of
%   standardized columns. So it is the same on every machine. The least loss of
%   many is too good: hold some samples out to learn how good the model is.
%   Mdl.HyperparameterOptimizationResults lists all candidates, the best first:
%   a struct of columns Distance, DistanceWeight, Standardize, NumNeighbors,
%   Loss and Unpredicted, how many rows got nothing. With 'Standardize' true, or
%   chosen, each part takes a search of its own, n of them by default: with many
%   rows give struct ('KFold', 10).
%
%   With 'IncludeTies' distances are compared in double precision, also those of
%   single X. However many rows tie, memory stays bounded.
%
%   Cost: O(n*d), and a copy of X; knng.predict does the work. To optimize:
%   that of knng.cvk for each metric and weight.
%
%   Errors: knng:args:labels if Y is no list of labels, not one for each row, or
%   has over 5000 classes; knng:args:classNames; knng:args:k for NumNeighbors;
%   knng:args:partition for parts;
%   knng:args:metric, :option, :unknownOption, :count; as knngraph for X
%   (knng:args:class, :sparse, :complex, :dims, :empty). Warnings:
%   knng:data:classes, :nonFinite (rows that are left out), :constant (rows that
%   are nobody's neighbours, of correlations and cosine); knng:args:kClipped.
%
%   Sources: T. Cover, P. Hart, IEEE Transactions on Information Theory 13
%   (1967) 21-27; S. Dudani, IEEE Transactions on Systems, Man, and Cybernetics
%   6 (1976) 325-327, for weights of distances; P. Gutierrez et al., GPU-SME-kNN
%   (2015), the classifier on GPUs.
%
%   Example:
%     X = [1 1; 1 2; 2 1; 6 6; 6 7; 7 6];
%     Y = {'ALL'; 'ALL'; 'ALL'; 'AML'; 'AML'; 'AML'};
%     Mdl = knng.fitcknn (X, Y, 'NumNeighbors', 3);
%     [label, score] = knng.predict (Mdl, [2 2; 5 5])     % ALL, AML
%
%   See also knng.predict, knng.crossval, knng.cvk, knng.loss, knng.resubLoss,
%   knng.confusionmat, knng.rocmetrics, knng.fitrknn.

  if (nargin < 2)
    error ('knng:args:count', 'knng.fitcknn needs samples and labels, as in knng.fitcknn (X, Y): see help knng.fitcknn');
  end
  knng.internal.built ();
  parts = rmfield (knng.internal.partition_defaults (), 'Seed');
  [opt, given] = knng.internal.options (knng.internal.join (knng.internal.knn_defaults (), knng.internal.optimize_defaults (), ...
                                                            struct ('CrossVal', 'off'), parts, ...
                                                            rmfield (knng.internal.needless (), 'IncludeTies')), varargin);
  knng.internal.needless (given, {'IncludeTies'});
  knng.internal.doubt_classes (Y, opt.ClassNames);
  Mdl = knng.internal.best_model (@(opt) knng.internal.knn_fit (X, Y, opt), opt);
  knng.internal.warn_unused (Mdl, X, opt.Rows);
  knng.internal.warn_flat (Mdl);
  if (any (strcmp (given(1:2:end), 'NumNeighbors')))
    knng.internal.warn_few ('knng:args:kClipped', '''NumNeighbors''', Mdl.NumNeighbors, Mdl.NumObservations, ...
                            'all of them are asked, whatever the row');
  end
  Mdl = knng.internal.crossed_or_not (Mdl, opt, given);
end

%!test <*1>
%! X = [1 1; 1 2; 2 1; 6 6; 6 7; 7 6];
%! Y = {'ALL'; 'ALL'; 'ALL'; 'AML'; 'AML'; 'AML'};
%! Mdl = knng.fitcknn (X, Y, 'NumNeighbors', 3);
%! [label, score] = knng.predict (Mdl, [2 2; 5 5]);
%! assert (label, {'ALL'; 'AML'});
%! assert (score, eye (2));

%!test  # what KNeighborsClassifier of scikit-learn 1.9.1 gives
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! Mdl = knng.fitcknn (X, [1 1 2 2 1 2 1 1 2 2 1 2], 'NumNeighbors', 4, 'DistanceWeight', 'inverse');
%! [label, score] = knng.predict (Mdl, [50 40 30; 10 20 80; 90 60 20; 33 33 33]);
%! assert (label', [1 2 2 1]);
%! assert (score(:, 1)', [1 0.311025191 0.165801832 0.861255027], 1e-9);

%!test  # defaults, rows that are left out, every kind of labels
%! X = [1 2; NaN 1; 3 4; Inf 0; 5 6; 7 9];
%! kinds = {[3 3 1 1 NaN 3], {'c', 'c', 'a', 'a', '', 'c'}, ['cd'; 'cd'; 'a '; 'a '; '  '; 'cd'], [true true false false true true], ...
%!          int8([3 3 1 1 2 3])};
%! names = {[1; 3], {'a'; 'c'}, ['a '; 'cd'], [false; true], int8([1; 2; 3])};
%! for i = 1:5
%!   Mdl = knng.fitcknn (X, kinds{i});
%!   used = logical ([1 0 1 0 i>3 1]');
%!   assert (Mdl.RowsUsed, used);
%!   assert (Mdl.X, X(used, :));
%!   assert (Mdl.NumObservations, sum (used));
%!   assert (Mdl.ClassNames, names{i});
%!   assert (knng.predict (Mdl, Mdl.X), Mdl.Y);
%! end
%! assert (Mdl.Prior, [1 1 2] / 4);
%! assert (Mdl.Cost, 1 - eye (3));
%! assert ({Mdl.NumNeighbors, Mdl.Distance, Mdl.DistanceWeight, Mdl.BreakTies}, {1, 'euclidean', 'equal', 'smallest'});
%! assert (isempty (Mdl.Mu) && isempty (getfield (knng.fitcknn ([1; 2], [1 2]), 'RowsUsed')));
%!test  # missing values
%! X = [1 1 NaN; 1 NaN 2; NaN NaN NaN; 6 7 7; NaN 6 8; 7 Inf 7];
%! Mdl = knng.fitcknn (X, ('aaabbb')', 'Rows', 'pairwise', 'MinValid', 1, 'Standardize', true);
%! assert (Mdl.RowsUsed, logical ([1 1 0 1 1 0]'));
%! assert (Mdl.Mu, [8/3, 14/3, 17/3], 1e-15);
%! assert (Mdl.Sigma, [std([1 1 6]), std([1 7 6]), std([2 7 8])], 1e-15);
%! assert (knng.predict (Mdl, [2 NaN NaN; NaN NaN 9]), ['a'; 'b']);
%! assert (knng.resubLoss (Mdl), 0);
%! Mdl.ModelParameters = rmfield (Mdl.ModelParameters, {'Rows', 'MinValid'});
%! Mdl = rmfield (Mdl, 'IncludeTies');
%! Mdl.X(isnan (Mdl.X)) = 0;
%! assert (knng.predict (Mdl, [2 2 2]), 'a');                % as an older version has made it
%!error <'complete', which is for knngraph> knng.fitcknn (eye (2), [1 2], 'Rows', 'complete')
%!error <'Rows' is 'some': it must be> knng.fitcknn (eye (2), [1 2], 'Rows', 'some')
%!error <give that, too> knng.fitcknn (eye (2), [1 2], 'MinValid', 2)
%!error <X has 2 columns> knng.fitcknn (eye (2), [1 2], 'MinValid', 3, 'Rows', 'pairwise')
%!error id=knng:args:metric knng.fitcknn (eye (2), [1 2], 'Distance', 'chebychev', 'Rows', 'pairwise')
%!error <Rows.*pairwise> knng.fitcknn ([1 NaN; NaN 1], [1 2])
%!test  # ClassNames order the scores, and leave rows out
%! Mdl = knng.fitcknn ((1:4)', {'a', 'b', 'c', 'b'}, 'ClassNames', {'c', 'b', 'x'}, 'NumNeighbors', 3);
%! assert (Mdl.ClassNames, {'c'; 'b'; 'x'});
%! assert (Mdl.Y, {'b'; 'c'; 'b'});
%! [~, score] = knng.predict (Mdl, 3);
%! assert (score, [1/3 2/3 0], eps);
%!test  # columns of other scales; a constant one does no harm
%! X = [1 1000 7; 2 5000 7; 9 2000 7; 8 6000 7];
%! Mdl = knng.fitcknn (X, [1 1 2 2], 'Standardize', true);
%! assert (Mdl.Mu, mean (X));
%! assert (Mdl.Sigma, [std(X(:, 1:2)), 1]);
%! assert (knng.predict (Mdl, [8 1500 7; 2 5500 7]), [2; 1]);
%!test  # save and load keep it
%! Mdl = knng.fitcknn ([1 2; 2 1; 5 5], {'a', 'b', 'b'}, 'Standardize', true, 'Prior', 'uniform');
%! f = tempname ();
%! save ('-binary', f, 'Mdl');
%! S = load (f);
%! delete (f);
%! assert (isequal (S.Mdl, Mdl));
%! assert (knng.predict (S.Mdl, [5 4]), {'b'});

%!test  # warnings: labels that look measured, rows that are left out
%! warning ('error', 'knng:data:classes', 'local');
%! warning ('error', 'knng:data:nonFinite', 'local');
%! fail ("knng.fitcknn ((1:10)', sqrt (1:10))", 'make a model by knng.fitrknn \(X, Y\)');
%! fail ("knng.cvk ((1:10)', sqrt (1:10))", 'make a model by knng.fitrknn \(X, Y\)');
%! fail ("knng.fitcknn ([1; NaN], [1 2])", '^1 of 2 rows \(50 %\) hold NaN or Inf: the model leaves them out');
%! fail ("knng.fitrknn ([1; NaN], [1 2])", '^1 of 2 rows \(50 %\) hold NaN or Inf: the model leaves them out');
%! fail ("knng.cvk ([1; NaN; 2], [1 2 1])", '^1 of 3 rows \(33.3 %\) hold NaN or Inf: the model leaves them out');
%!error id=knng:args:count knng.fitcknn (1)
%!error id=knng:args:class knng.fitcknn ({}, 1)
%!error id=knng:args:class knng.fitcknn (int8 (1), 1)
%!error id=knng:args:sparse knng.fitcknn (speye (2), [1 2])
%!error id=knng:args:complex knng.fitcknn (1i, 1)
%!error id=knng:args:dims knng.fitcknn (ones (2, 2, 2), [1 2])
%!error id=knng:args:empty knng.fitcknn ([], [])
%!error id=knng:args:labels knng.fitcknn (eye (2), 1:3)
%!error id=knng:args:labels knng.fitcknn ((1:5001)', 1:5001)
%!error id=knng:args:labels knng.fitcknn (eye (2), eye (2))
%!error id=knng:args:labels knng.fitcknn (eye (2), {1, 2})
%!error <^no row of X has a label of a class: look> knng.fitcknn (eye (2), [NaN NaN])
%!error <fill in what is missing or look> knng.fitcknn ([Inf 1; 1 2], [1 NaN], 'Rows', 'pairwise')
%!error id=knng:args:labels knng.fitcknn ([NaN; 1], [1 NaN])
%!error id=knng:args:labels knng.fitcknn (eye (2), [1 2], 'ClassNames', {'a'})
%!error id=knng:args:labels knng.fitcknn (eye (2), [1 2], 'ClassNames', 3)
%!error id=knng:args:classNames knng.fitcknn (eye (2), [1 2], 'ClassNames', [1 1])
%!error id=knng:args:classNames knng.fitcknn (eye (2), [1 2], 'ClassNames', [1 NaN])
%!error id=knng:args:k knng.fitcknn (eye (2), [1 2], 'NumNeighbors', 0)
%!error id=knng:args:k knng.fitcknn (eye (2), [1 2], 'NumNeighbors', [1 2])
%!error id=knng:args:metric knng.fitcknn (eye (2), [1 2], 'Distance', 'euclidian')
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'DistanceWeight', 'square')
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'BreakTies', 1)
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Standardize', 'on')
%!test  # prices and priors of any class; sums of int8 would end at 127
%! X = [1 2; 2 1; 5 5];
%! Mdl = knng.fitcknn (X, [1 2 2], 'Cost', int8 ([0 100; 100 0]), 'Prior', int8 ([100 100]));
%! assert (Mdl.Cost, [0 100; 100 0]);
%! assert (Mdl.Prior, [1 1] / 2);
%! Mdl = knng.fitcknn (X, [1 2 2], 'Cost', sparse ([0 3; 1 0]));
%! assert (Mdl.Cost, [0 3; 1 0]);

%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Cost', {1})
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Cost', 1i * ones (2))
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Prior', [1 2 3])
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Prior', [0 0])
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Prior', 'even')
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Cost', [0 1; 1 1])
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Cost', [0 -1; 1 0])
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Cost', 1 - eye (3))
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Seed', -1)
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Seed', {})
%!error id=knng:args:option knng.fitcknn (eye (2), [1 2], 'Rows', {})
%!assert (knng.fitcknn (eye (2), [1 2], 'K', 2, 'Metric', 'corr'), knng.fitcknn (eye (2), [1 2], 'NumNeighbors', 2, 'Distance', 'corr'))
%!assert (knng.fitcknn (eye (2), [1 2], 'NSMethod', 'kdtree', 'BucketSize', 50, 'IncludeTies', false), knng.fitcknn (eye (2), [1 2]))
%!test  # all at the distance of the last neighbour, however many; with parts, too; the same by a function
%! X = [0; 1; 1; -1; 2; ones(40, 1)];
%! Y = [1; 2; 2; 3; 3; 3 * ones(40, 1)];
%! Mdl = knng.fitcknn (single (X), Y, 'NumNeighbors', 2, 'IncludeTies', true, 'DistanceWeight', @(d) 1 ./ (1 + d));
%! [~, score] = knng.predict (Mdl, [0; 9]);
%! assert (score(1, :), [1, 1, 20.5] / 22.5, 1e-15);          # all 43 at distance 1
%! assert (score(2, :), [0, 16, 329] / 345, 1e-15);
%! CVMdl = knng.fitcknn (X, Y, 'NumNeighbors', 2, 'IncludeTies', true, 'CVPartition', 1 + (Y == 3));
%! [~, score] = knng.kfoldPredict (CVMdl);
%! assert (score([1 5], :), [0 0 1; 0 1 0]);
%! assert (knng.cvk (X, Y, 'Ks', 2, 'IncludeTies', true, 'CVPartition', 1 + (Y == 3)), knng.kfoldLoss (CVMdl));
%!test  # cross-validated at once
%! X = [1; 2; 3; 10; 11; 12];
%! Y = [1 1 1 2 2 2];
%! assert (knng.fitcknn (X, Y, 'CrossVal', 'on', 'Seed', 3), knng.crossval (knng.fitcknn (X, Y, 'Seed', 3), 'Seed', 3));
%! assert (knng.fitcknn (X, Y, 'KFold', 3), knng.crossval (knng.fitcknn (X, Y), 'KFold', 3));
%! for off = {{'CrossVal', 'off', 'Leaveout', 'off'}, {'Leaveout', false}, {'KFold', [], 'Holdout', []}}
%!   assert (knng.fitcknn (X, Y, off{1}{:}), knng.fitcknn (X, Y));
%!   Mdl = knng.fitcknn (X, Y, off{1}{:}, 'Optim', 'DistanceWeight');
%!   assert (knng.fitcknn (X, Y, 'Optim', 'DistanceWeight', 'Hyper', struct ('Leaveout', 'off', 'ShowPlots', false, 'Verbose', 0)), Mdl);
%! end
%! how = struct ('AcquisitionFunctionName', 'expected-improvement-plus', 'MaxObjectiveEvaluations', 9, 'Optimizer', 'gridsearch', 'Kfold', 3);
%! Mdl = knng.fitcknn (X, Y, 'Optim', 'auto', 'Hyper', how, 'Seed', 2);
%! assert (Mdl, knng.fitcknn (X, Y, 'Optim', 'auto', 'Hyper', struct ('KFold', 3), 'Seed', 2));
%! assert (! isequal (Mdl, knng.fitcknn (X, Y, 'Optim', 'auto', 'Seed', 2)));
%!test  # the best of all candidates; ties go to the smallest k, then to the first; rows that a metric lacks are not left out of the loss
%! X = [1 9; 2 8; 3 9; 1 30; 2 31; 3 31; 0 0];
%! Y = [1 1 1 2 2 2 1];
%! Mdl = knng.fitcknn (X, Y, 'OptimizeHyperparameters', {'Distance', 'STANDARDIZE', 'NumNeighbors'}, 'HyperparameterOptimizationOptions', struct ('CVPartition', [1 2 2 1 2 2 1]));
%! warning ('off', 'knng:data:constant', 'local');
%! r = Mdl.HyperparameterOptimizationResults;
%! assert (numel (r.Loss), 4 * 2 * 6);
%! assert ({Mdl.Distance, Mdl.DistanceWeight, Mdl.NumNeighbors}, {r.Distance{1}, r.DistanceWeight{1}, r.NumNeighbors(1)});
%! assert (r.Unpredicted, sort (r.Unpredicted));
%! assert (max (r.Unpredicted), 1);
%! on = r.Unpredicted == 0;
%! assert (r.Loss(on), sort (r.Loss(on)));
%! for i = [1 20 47]
%!   [L, ks] = knng.cvk (X, Y, 'Ks', r.NumNeighbors(i), 'CVPartition', [1 2 2 1 2 2 1], 'Distance', r.Distance{i}, ...
%!                       'DistanceWeight', r.DistanceWeight{i}, 'Standardize', r.Standardize(i) > 0);
%!   assert (L, r.Loss(i));
%! end
%! Mdl = knng.fitcknn (X(:, 1), Y, 'K', 3, 'Optimize', {'DistanceWeight'});
%! assert (Mdl.HyperparameterOptimizationResults.NumNeighbors, [3; 3; 3]);
%! assert (Mdl.HyperparameterOptimizationResults.Loss(1), knng.kfoldLoss (knng.crossval (Mdl, 'Leaveout', 'on')));
%! knng.predict (Mdl, 2);
%!error <names 'Exponent', of Mink> knng.fitcknn (eye (2), [1 2], 'OptimizeHyperparameters', {'Exponent'})
%!error <is 'bayes': it must be 'none', 'auto'> knng.fitcknn (eye (2), [1 2], 'OptimizeHyperparameters', 'bayes')
%!error <with the field 'MaxTime': it must .* every candidate> knng.fitcknn (eye (2), [1 2], 'Optim', 'auto', 'Hyper', struct ('MaxTime', 9))
%!error <with the field 'kfold': it must> knng.fitcknn (eye (2), [1 2], 'Optim', 'auto', 'Hyper', struct ('KFold', 2, 'kfold', 2))
%!error <'Leaveout' is 2: it must> knng.fitcknn (eye (2), [1 2], 'Leaveout', 2)
%!error <is given without 'Opt> knng.fitcknn (eye (2), [1 2], 'Hyper', struct ('KFold', 2))
%!error <makes one model, and> knng.fitcknn (eye (2), [1 2], 'Optim', 'auto', 'KFold', 2)
%!error <'CrossVal' is 'off', and parts> knng.fitcknn (eye (2), [1 2], 'CrossVal', 'off', 'KFold', 2)
%!error <'CrossVal' is 'yes': it must be 'on' or> knng.fitcknn (eye (2), [1 2], 'CrossVal', 'yes')
%!error <'IncludeTies' is 3: it must be true> knng.fitcknn (eye (2), [1 2], 'IncludeTies', 3)
%!error <makes of a 1-by-2 matrix of distances 2: it> knng.predict (knng.fitcknn (eye (2), [1 2], 'K', 2, 'DistanceWeight', @(d) 2), [1 2])
%!test  # of equal losses the smallest k, then the first of the metrics, in all of the list
%! X = [1 9; 1 8; 2 9; 9 1; 8 1; 9 2];
%! Mdl = knng.fitcknn (X, [1 1 1 2 2 2], 'OptimizeHyperparameters', 'auto', 'NumNeighbors', 4);
%! r = Mdl.HyperparameterOptimizationResults;
%! assert (r.Loss(1:12), zeros (12, 1));
%! assert (r.NumNeighbors(1:12), [1 1 1 1 2 2 2 2 3 3 3 3]');
%! assert (r.Distance(1:12), repmat ({'euclidean'; 'cityblock'; 'chebychev'; 'cosine'}, 3, 1));
%! assert (Mdl.NumNeighbors, 1);
%! Mdl = knng.fitcknn (X, [1 1 1 2 2 2], 'OptimizeHyperparameters', 'Distance', 'Rows', 'pairwise', 'MinValid', 1);
%! assert (sort (Mdl.HyperparameterOptimizationResults.Distance), {'cityblock'; 'cosine'; 'euclidean'});
%!test  # how to look at a struct with much in it without thousands of lines
%! Mdl = knng.fitcknn (ones (999, 3), mod (1:999, 2));
%! former = struct_levels_to_print (0);
%! back = onCleanup (@() struct_levels_to_print (former));
%! assert (sum (evalc ('Mdl') == "\n") < 30);
%! clear back
%! assert (sum (evalc ('Mdl') == "\n") > 999);
%! for f = {'knng.fitcknn', 'knng.fitrknn', 'knng.crossval', 'knng.evalclusters', 'knng.read'}
%!   assert (! isempty (strfind (get_help_text (f{1}), 'struct_levels_to_print (0)')), f{1});
%! end
%!warning <^'NumNeighbors' is 7, but there are 4 rows: all of them are asked, whatever the row; give 4 or less> knng.fitcknn (magic (4), [1 1 2 2], 'K', 7);
%!test  # no warning of what fits, or of a default that nobody gave
%! lastwarn ('', '');
%! knng.fitcknn (magic (4), [1 1 2 2], 'K', 4);
%! knng.fitcknn (magic (4), [1 1 2 2]);
%! assert (lastwarn (), '');
