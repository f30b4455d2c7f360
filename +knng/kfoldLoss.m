function L = kfoldLoss (CVMdl, varargin)
%KNNG.KFOLDLOSS  How often, or how far, a model is wrong on unseen samples.
%   L = knng.kfoldLoss (CVMdl) compares what knng.kfoldPredict says of the rows
%   of CVMdl = knng.crossval (...) with their labels: the share that is wrong,
%   of all rows that were left out once. Of a model of knng.fitrknn it is the
%   mean squared error, a number for each of the p columns of its Y.
%   L = knng.kfoldLoss (CVMdl, 'Name', value, ...) takes options.
%
%   Options:
%
%     'LossFun'  as in knng.loss, default 'mincost', or 'mse'
%     'Mode'     'average' (default): one number for all parts together;
%                'individual': a row for each of the q parts, q-by-1 (of numbers
%                q-by-p)
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                as in knngraph
%
%   A class weighs its Prior in the model of all rows. Rows without a
%   prediction, and those that the model does not use, such as rows without a
%   label, are left out, and L is NaN where none remains. Warnings count the
%   rows without a prediction, as in knng.kfoldPredict.
%
%   Cost: that of knng.kfoldPredict.
%
%   Errors: those of knng.kfoldPredict, as knng:args:model, :partition;
%   knng:args:option, :unknownOption, :count.
%
%   Example:
%     X = [1; 2; 3; 4; 10; 11; 12; 13];
%     Mdl = knng.fitcknn (X, [1 1 1 2 2 2 2 1], 'NumNeighbors', 3);
%     knng.kfoldLoss (knng.crossval (Mdl, 'Leaveout', 'on'))   % 0.25: two of 8
%
%   See also knng.crossval, knng.cvk, knng.kfoldPredict, knng.loss.

  if (nargin < 1)
    error ('knng:args:count', 'knng.kfoldLoss needs a model of knng.crossval, as in knng.kfoldLoss (CVMdl): see help knng.kfoldLoss');
  end
  knng.internal.built ();
  kinds = knng.internal.kinds_of_loss (CVMdl);
  [opt, given] = knng.internal.options (knng.internal.join (struct ('LossFun', kinds{1}, 'Mode', 'average'), knng.internal.engine ()), ...
                                        varargin);
  how = knng.internal.engine (given);
  if (~knng.internal.is_one_of (opt.Mode, {'average', 'individual'}))
    error ('knng:args:option', '''Mode'' is %s: it must be ''average'' or ''individual''', knng.internal.given (opt.Mode));
  end
  kind = knng.internal.check_choice ('LossFun', opt.LossFun, kinds);
  fold = knng.internal.check_crossed (CVMdl);
  Mdl = CVMdl.Mdl;
  parts = strcmpi (opt.Mode, 'individual');
  if (knng.internal.is_regression (Mdl))
    yfit = knng.internal.kfold_mean (Mdl, fold, double (Mdl.NumNeighbors), how);
    L = loss_of_parts (@(in) knng.internal.number_loss (Mdl.Y(in, :), yfit(in, :), kind), fold, parts);
    return
  end
  [code, ~, mass] = knng.internal.knn_check (Mdl);
  pick = knng.internal.kfold_vote (Mdl, fold, double (Mdl.NumNeighbors), how);
  L = loss_of_parts (@(in) knng.internal.class_loss (code(in), pick(in), mass, Mdl.Cost, kind), fold, parts);
end

function L = loss_of_parts (loss_of, fold, parts)
% Of all rows together, or a row for each part.
  if (~parts)
    L = loss_of (true (numel (fold), 1));
    return
  end
  L = cell (max (fold), 1);
  for f = 1:max (fold)
    L{f} = loss_of (fold == f);
  end
  L = vertcat (L{:});
end

%!test <*1>
%! X = [1; 2; 3; 4; 10; 11; 12; 13];
%! Mdl = knng.fitcknn (X, [1 1 1 2 2 2 2 1], 'NumNeighbors', 3);
%! assert (knng.kfoldLoss (knng.crossval (Mdl, 'Leaveout', 'on')), 0.25);
%!test  # part by part
%! Mdl = knng.fitcknn ([1; 2; 3; 4; 10; 11; 12; 13], [1 1 1 2 2 2 2 1]);
%! CVMdl = knng.crossval (Mdl, 'CVPartition', [1 2 1 2 1 2 1 2]);
%! [label] = knng.kfoldPredict (CVMdl);
%! L = knng.kfoldLoss (CVMdl, 'Mode', 'individual');
%! assert (size (L), [2 1]);
%! assert (knng.kfoldLoss (CVMdl), mean (label ~= Mdl.Y));
%! for f = 1:2
%!   in = CVMdl.Partition.fold == f;
%!   wrong = accumarray (Mdl.Y(in), label(in) ~= Mdl.Y(in), [2 1], @mean);
%!   assert (L(f), mean (wrong), eps);
%! end
%!test  # what scikit-learn 1.9.1 gives for the same parts: cross_val_predict, and mean_squared_error
%! X = mod ((1:14)' .^ 2 * sqrt ([2 3 5 7]), 1);
%! parts = mod (0:13, 3) + 1;
%! for k = 1:9
%!   L(k) = knng.kfoldLoss (knng.fitcknn (X, [1 1 2 2 1 2 1 1 2 2 1 2 3 3], 'K', k, 'CVPartition', parts), 'LossFun', 'classiferror');
%! end
%! assert (14 * L, [11 9 9 10 9 11 11 12 12], 1e-12);
%! Mdl = knng.fitrknn (X, X * [3; 1; 2; -1], 'K', 3, 'DistanceWeight', 'inverse', 'CVPartition', parts);
%! assert (knng.kfoldLoss (Mdl), 0.28117250168784114, 1e-14);
%! L = knng.kfoldLoss (Mdl, 'Mode', 'individual');
%! assert (L, [0.033675025350275944; 0.5684894887007983; 0.23139811334360105], 1e-14);

%!error id=knng:args:count knng.kfoldLoss ()
%!error id=knng:args:model knng.kfoldLoss (1)
%!error <is not cross-validated: .* knng.kfoldLoss \(knng.crossval \(Mdl\)\)> knng.kfoldLoss (knng.fitcknn (1, 1))
%!error <is not cross-validated> knng.kfoldLoss (knng.fitrknn (1, 1))
%!error id=knng:args:option knng.kfoldLoss (1, 'Mode', 'ensemble')
%!error id=knng:args:option knng.kfoldLoss (1, 'LossFun', 1)
