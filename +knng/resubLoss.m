function L = resubLoss (Mdl, varargin)
%KNNG.RESUBLOSS  How often, or how far, a model is wrong on its own samples.
%   L = knng.resubLoss (Mdl) is knng.loss (Mdl, Mdl.X, Mdl.Y), a number, for the
%   n-by-d matrix Mdl.X of Mdl = knng.fitcknn (...), or 1-by-p of Mdl =
%   knng.fitrknn (...).
%   L = knng.resubLoss (Mdl, 'Name', value, ...) takes options.
%
%   Each row is among its own neighbours, so this is too good to be true, and 0
%   for one neighbour if no rows are equal: knng.kfoldLoss and knng.cvk tell
%   what to expect of new samples.
%
%   Options:
%
%     'LossFun'  as in knng.loss, default 'mincost', or 'mse'
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                as in knngraph
%
%   Cost: that of knng.predict for n rows.
%
%   Errors: as knng.predict; knng:args:option, :unknownOption, :count.
%
%   Example:
%     Y = {'a', 'a', 'b', 'a', 'b'};
%     Mdl = knng.fitcknn ((1:5)', Y, 'NumNeighbors', 3);
%     knng.resubLoss (Mdl)                % 0.4: two of five are wrong
%
%   See also knng.loss, knng.kfoldLoss, knng.cvk.

  if (nargin < 1)
    error ('knng:args:count', 'knng.resubLoss needs a model, as in knng.resubLoss (Mdl): see help knng.resubLoss');
  end
  if (~knng.internal.is_regression (Mdl))
    knng.internal.knn_check (Mdl);
  end
  L = knng.loss (Mdl, Mdl.X, Mdl.Y, varargin{:});
end

%!test <*1>
%! Mdl = knng.fitcknn ([1; 2; 3; 4; 5], {'a', 'a', 'b', 'a', 'b'}, 'NumNeighbors', 3);
%! assert (knng.resubLoss (Mdl), 0.4);
%!test
%! Mdl = knng.fitcknn ([1; 2; 3; 4; 5], [1 1 2 1 2], 'NumNeighbors', 3, 'Cost', [0 3; 4 0]);
%! assert (knng.resubLoss (Mdl), 1.4);  # rows 3 and 4 are wrong
%! assert (knng.resubLoss (Mdl, 'LossFun', 'classiferror'), 0.4);
%! Mdl.NumNeighbors = 1;
%! assert (knng.resubLoss (Mdl), 0);
%!test  # what scikit-learn 1.9.1 gives: score of KNeighborsClassifier, and mean_squared_error of KNeighborsRegressor
%! X = mod ((1:14)' .^ 2 * sqrt ([2 3 5 7]), 1);
%! assert (14 * knng.resubLoss (knng.fitcknn (X, [1 1 2 2 1 2 1 1 2 2 1 2 3 3], 'K', 3)), 5, 1e-12);
%! assert (knng.resubLoss (knng.fitrknn (X, X * [3; 1; 2; -1], 'K', 3)), 0.206107411963001, 1e-14);

%!error id=knng:args:count knng.resubLoss ()
%!error id=knng:args:model knng.resubLoss (struct ())
%!error id=knng:args:option knng.resubLoss (knng.fitcknn (1, 1), 'LossFun', 3)
