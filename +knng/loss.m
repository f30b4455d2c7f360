function L = loss (Mdl, X, Y, varargin)
%KNNG.LOSS  How often, how dearly or how far a model is wrong.
%   L = knng.loss (Mdl, X, Y) has the model Mdl = knng.fitcknn (...) predict the
%   rows of the m-by-d matrix X, and compares with their m labels Y. L is a
%   number: without costs and priors of your own, and with classes as frequent
%   as in the model, the share of the rows that are wrong.
%   L = knng.loss (Mdl, X, Y) of Mdl = knng.fitrknn (...) and numbers Y, m-by-p,
%   is 1-by-p, the mean squared error of each column.
%   L = knng.loss (Mdl, X, Y, 'Name', value, ...) takes options.
%
%   Options:
%
%     'LossFun'  'mincost' (default): the mean of Mdl.Cost(true,predicted);
%                'classiferror': of 1 for each wrong label, whatever it costs.
%                Of numbers: 'mse' (default), the mean of squared differences
%                from Y; 'mae', of their sizes
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                as in knngraph
%
%   In the mean each class weighs its Mdl.Prior, however many of the rows it
%   has, as MATLAB's loss does. Rows without a label, or with NaN or Inf for a
%   number, and rows that have no prediction are left out; L is NaN where none
%   remains. Errors of numbers are added from the first row to the last.
%
%   Cost: that of knng.predict.
%
%   Errors: as knng.predict; knng:args:labels if Y is not one label of the model
%   for each row, knng:args:targets if it is not p numbers; knng:args:option,
%   :unknownOption, :count.
%
%   Example:
%     Mdl = knng.fitcknn ([1; 2; 3; 10; 11; 12], [0 0 0 1 1 1]);
%     knng.loss (Mdl, [2; 4; 8; 11], [0 1 1 1])   % 1/6: a third of class 1
%
%   See also knng.predict, knng.resubLoss, knng.kfoldLoss.

  if (nargin < 3)
    error ('knng:args:count', 'knng.loss needs a model, samples and labels, as in knng.loss (Mdl, X, Y): see help knng.loss');
  end
  knng.internal.built ();
  kinds = knng.internal.kinds_of_loss (Mdl);
  [opt, given] = knng.internal.options (knng.internal.join (struct ('LossFun', kinds{1}), knng.internal.engine ()), varargin);
  how = knng.internal.engine (given);
  kind = knng.internal.check_choice ('LossFun', opt.LossFun, kinds);
  if (knng.internal.is_regression (Mdl))
    knng.internal.knr_check (Mdl);
    knng.internal.check_matrix (X, 'X');
    Y = knng.internal.targets (Y, X, size (Mdl.Y, 2));
    Y(~isfinite (Y)) = NaN;                                  % as in fitting
    L = knng.internal.number_loss (Y, knng.internal.knr_predict (Mdl, X, how), kind);
    return
  end
  knng.internal.knn_check (Mdl);
  code = knng.internal.label_codes (Y, Mdl.ClassNames);
  knng.internal.check_matrix (X, 'X');
  knng.internal.check_labels (numel (code), X);
  if (any (code < 0))
    error ('knng:args:labels', 'the label of row %d is no class of the model: leave such rows out, or make the model with them', ...
           find (code < 0, 1));
  end
  [pick, ~, ~, mass] = knng.internal.knn_predict (Mdl, X, how);
  L = knng.internal.class_loss (code, pick, mass, Mdl.Cost, kind);
end

%!test <*1>
%! Mdl = knng.fitcknn ([1; 2; 3; 10; 11; 12], [0 0 0 1 1 1]);
%! assert (knng.loss (Mdl, [2; 4; 8; 11], [0 1 1 1]), 1/6, eps);
%!test  # costs count, or do not; rows without label or prediction are left out
%! warning ('off', 'knng:data:nonFinite', 'local');
%! Mdl = knng.fitcknn ([1; 2; 9; 10], {'a', 'a', 'b', 'b'}, 'Cost', [0 7; 1 0]);
%! X = [1; 8; 2; NaN; 9];
%! Y = {'a', 'a', 'b', 'a', ''};
%! assert (knng.loss (Mdl, X, Y), (7 / 2 + 1) / 2);
%! assert (knng.loss (Mdl, X, Y, 'LossFun', 'ClassifError'), (1 / 2 + 1) / 2);
%! assert (knng.loss (Mdl, NaN, {'a'}), NaN);

%!assert (knng.loss (knng.fitrknn ([1; 2; 3], [1 2 4], 'K', 1), [1; 2; 3; 3], [2 Inf NaN -Inf]), 1)
%!test  # what scikit-learn 1.9.1 gives: KNeighborsClassifier (which is right once of four times), and mean_squared_error
%! X = mod ((1:14)' .^ 2 * sqrt ([2 3 5 7]), 1);
%! Mdl = knng.fitcknn (X(1:10, :), [1 1 2 2 1 2 1 1 2 2], 'K', 3);
%! assert (knng.predict (Mdl, X(11:14, :))', [1 2 1 1]);
%! assert (knng.loss (Mdl, X(11:14, :), [1 1 2 2], 'LossFun', 'classiferror'), 0.75);
%! Mdl = knng.fitrknn (X(1:10, :), X(1:10, :) * [3; 1; 2; -1], 'K', 3);
%! assert (knng.loss (Mdl, X(11:14, :), X(11:14, :) * [3; 1; 2; -1]), 0.6814171000980547, 1e-14);

%!error id=knng:args:count knng.loss (1, 2)
%!error id=knng:args:model knng.loss (1, 2, 3)
%!error id=knng:args:labels knng.loss (knng.fitcknn (1, 1), 1, 2)
%!error id=knng:args:labels knng.loss (knng.fitcknn (1, 1), 1, {'a'})
%!error id=knng:args:labels knng.loss (knng.fitcknn (1, 1), [1; 2], 1)
%!error id=knng:args:columns knng.loss (knng.fitcknn (1, 1), [1 2], 1)
%!error id=knng:args:option knng.loss (knng.fitcknn (1, 1), 1, 1, 'LossFun', 'hinge')
%!error id=knng:args:unknownOption knng.loss (knng.fitcknn (1, 1), 1, 1, 'Lossy', 'mincost')
