function L = loss (Mdl, X, Y, varargin)
%KNNG.LOSS  How often, or how dearly, a classifier is wrong.
%   L = knng.loss (Mdl, X, Y) has the model Mdl = knng.fitcknn (...) predict the
%   rows of the m-by-d matrix X, and compares with their m labels Y. L is a
%   number: without costs and priors of your own, and with classes as frequent
%   as in the model, the share of the rows that are wrong.
%   L = knng.loss (Mdl, X, Y, 'Name', value, ...) takes options.
%
%   Options:
%
%     'LossFun'  'mincost' (default): the mean of Mdl.Cost(true,predicted);
%                'classiferror': of 1 for each wrong label, whatever it costs
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                as in knngraph
%
%   In the mean each class weighs its Mdl.Prior, however many of the rows it
%   has, as MATLAB's loss does. Rows without a label, and rows without
%   distances, which have no prediction, are left out; L is NaN where none
%   remains.
%
%   Cost: that of knng.predict.
%
%   Errors: as knng.predict; knng:args:labels if Y is not one label of the model
%   for each row; knng:args:option, :unknownOption, :count.
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
  [opt, given] = knng.internal.options (knng.internal.join (struct ('LossFun', 'mincost'), knng.internal.engine ()), varargin);
  how = knng.internal.engine (given);
  knng.internal.check_kind (opt.LossFun);
  knng.internal.knn_check (Mdl);
  code = knng.internal.label_codes (Y, Mdl.ClassNames);
  knng.internal.check_matrix (X, 'X');
  knng.internal.check_labels (numel (code), X);
  if (any (code < 0))
    error ('knng:args:labels', 'the label of row %d is no class of the model: leave such rows out, or make the model with them', ...
           find (code < 0, 1));
  end
  [pick, ~, ~, mass] = knng.internal.knn_predict (Mdl, X, how);
  L = knng.internal.class_loss (code, pick, mass, Mdl.Cost, opt.LossFun);
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

%!error id=knng:args:count knng.loss (1, 2)
%!error id=knng:args:model knng.loss (1, 2, 3)
%!error id=knng:args:labels knng.loss (knng.fitcknn (1, 1), 1, 2)
%!error id=knng:args:labels knng.loss (knng.fitcknn (1, 1), 1, {'a'})
%!error id=knng:args:labels knng.loss (knng.fitcknn (1, 1), [1; 2], 1)
%!error id=knng:args:columns knng.loss (knng.fitcknn (1, 1), [1 2], 1)
%!error id=knng:args:option knng.loss (knng.fitcknn (1, 1), 1, 1, 'LossFun', 'hinge')
%!error id=knng:args:unknownOption knng.loss (knng.fitcknn (1, 1), 1, 1, 'Lossy', 'mincost')
