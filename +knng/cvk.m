function [L, ks] = cvk (X, Y, varargin)
%KNNG.CVK  Which k to take: how well a classifier does with each.
%   [L, ks] = knng.cvk (X, Y) cross-validates the classifier of the n-by-d
%   matrix X and the n labels Y for each k in ks = 1:50, in ten parts: L(i),
%   1-by-50, is the share of the rows that ks(i) neighbours classify wrongly.
%   plot (ks, L) shows the curve.
%   [L, ks] = knng.cvk (X, Y, 'Name', value, ...) takes options.
%
%   Options:
%
%     'Ks'       the numbers of neighbours, a vector, in any order; default 1:50
%     'LossFun'  as in knng.loss, default 'mincost'
%     'KFold', 'Leaveout', 'Holdout', 'CVPartition'  as in knng.crossval
%     'Distance', 'DistanceWeight', 'BreakTies', 'Standardize', 'Prior', 'Cost',
%     'ClassNames', 'IncludeTies', 'Rows', 'MinValid'
%                as in knng.fitcknn
%     'Seed'     for the parts, and for 'BreakTies', 'random'; default 0
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                as in knngraph
%     'NSMethod', 'BucketSize', 'SortIndices'
%                as in knng.knnsearch: they change nothing
%
%   L(i) is exactly what knng.kfoldLoss (knng.crossval (knng.fitcknn (...,
%   'NumNeighbors', ks(i)))) is: a model for each part and each k. But all come
%   out of one graph of X with some neighbours more than the largest k: each row
%   leaves out those of its own part, and rows that then have too few are
%   searched again. With 'Standardize' each part takes a search of its own, for
%   all k. A k that is larger than what a model has takes all there are.
%
%   The least L is found with the labels in sight, so it is a little too good:
%   hold some samples out to learn how good the chosen k is.
%
%   Cost: about that of knngraph for 1.3*k + 20 neighbours with five parts, k
%   the largest of ks, and O(n*k + n*C*numel (ks)) for votes; memory beside that
%   of the graph about 90*n*(k + C) bytes. 20 000 rows of 50 columns, ks = 1:50,
%   five parts take 1.2 s on 2 cores, where the graph with k = 50 takes 0.7 s.
%
%   Errors: knng:args:k for Ks; those of knng.fitcknn (knng:args:labels,
%   :classNames, :option) and knng.crossval (knng:args:partition);
%   knng:args:unknownOption, :count; as knngraph. Warnings: knng:data:classes,
%   :nonFinite; :constant, :fewer, :nought as knng.kfoldPredict.
%
%   Source: as knng.fitcknn; M. Stone, Journal of the Royal Statistical Society
%   B 36 (1974) 111-147, for cross-validation as the way to choose.
%
%   Example:
%     X = [1; 2; 3; 4; 10; 11; 12; 13];
%     [L, ks] = knng.cvk (X, [1 1 2 1 2 2 1 2], 'Ks', 1:5, 'Leaveout', 'on')
%
%   See also knng.fitcknn, knng.crossval, knng.kfoldLoss, knng.trim.

  if (nargin < 2)
    error ('knng:args:count', 'knng.cvk needs samples and labels, as in knng.cvk (X, Y): see help knng.cvk');
  end
  knng.internal.built ();
  own = struct ('Ks', 1:50, 'LossFun', 'mincost');
  model = rmfield (knng.internal.knn_defaults (), 'NumNeighbors');
  parts = rmfield (knng.internal.partition_defaults (), 'Seed');
  [opt, given] = knng.internal.options (knng.internal.join (own, model, parts, rmfield (knng.internal.needless (), 'IncludeTies'), knng.internal.engine ()), varargin);
  knng.internal.needless (given, {'IncludeTies'});
  how = knng.internal.engine (given);
  ks = opt.Ks;
  if (isempty (ks) || numel (ks) ~= max (size (ks)) || ~isnumeric (ks) || ~knng.internal.whole (ks, 1, 2 ^ 53))
    error ('knng:args:k', '''Ks'' is %s: it must be a vector of whole numbers from 1 on', knng.internal.given (ks));
  end
  ks = reshape (double (full (ks)), 1, []);
  knng.internal.check_choice ('LossFun', opt.LossFun, knng.internal.kinds_of_loss ([]));
  opt.NumNeighbors = max (ks);
  knng.internal.doubt_classes (Y, opt.ClassNames);
  Mdl = knng.internal.knn_fit (X, Y, opt);
  knng.internal.warn_unused (Mdl, X, opt.Rows);
  [code, ~, mass] = knng.internal.knn_check (Mdl);
  part = knng.internal.partition (opt, code, Mdl.RowsUsed);
  [rising, ~, which] = unique (ks);
  pick = knng.internal.kfold_vote (Mdl, part.fold, rising, how);
  L = knng.internal.class_loss (code, pick, mass, Mdl.Cost, opt.LossFun);
  L = reshape (L(which), 1, []);
end

%!test <*1>
%! X = [1; 2; 3; 4; 10; 11; 12; 13];
%! [L, ks] = knng.cvk (X, [1 1 2 1 2 2 1 2], 'Ks', 1:5, 'Leaveout', 'on');
%! assert (ks, 1:5);
%! for k = ks
%!   CVMdl = knng.crossval (knng.fitcknn (X, [1 1 2 1 2 2 1 2], 'NumNeighbors', k), 'Leaveout', 'on');
%!   assert (L(k), knng.kfoldLoss (CVMdl));
%! end
%!test  # what GridSearchCV of scikit-learn 1.9.1 gives, each row left out once
%! X = mod ((1:14)' .^ 2 * sqrt ([2 3 5 7]), 1);
%! L = knng.cvk (X, [1 1 2 2 1 2 1 1 2 2 1 2 3 3], 'Ks', 1:9, 'Leaveout', 'on');
%! assert (14 * L, [9 6 9 8 7 7 8 9 9], 1e-12);

%!test  # defaults; one k; rows that are left out
%! [L, ks] = knng.cvk ([1; 2; 3; NaN], {'a', 'a', 'b', 'b'});
%! assert (ks, 1:50);
%! assert (L([1 2 50]), [1/3 1/3 1/3]);
%! assert (knng.cvk ([1; 2; 3; 4], [1 1 2 2], 'Ks', int8 (1), 'KFold', 4), 0.25);  # row 3 asks row 2: the first of two
%! assert (knng.cvk ([1; 2; 4; 8], [1 1 2 2], 'Ks', [2 1 2], 'CVPartition', [1 2 1 2]), [0.5 0.25 0.5]);

%!error id=knng:args:count knng.cvk (1)
%!error id=knng:args:k knng.cvk ([1; 2], [1 2], 'Ks', 0)
%!error id=knng:args:k knng.cvk ([1; 2], [1 2], 'Ks', [])
%!error id=knng:args:k knng.cvk ([1; 2], [1 2], 'Ks', eye (2))
%!error id=knng:args:labels knng.cvk ([1; 2], 1)
%!error id=knng:args:partition knng.cvk ([1; 2], [1 2], 'KFold', 3)
%!error id=knng:args:option knng.cvk ([1; 2], [1 2], 'LossFun', 'x')
%!error id=knng:args:unknownOption knng.cvk ([1; 2], [1 2], 'NumNeighbors', 3)
