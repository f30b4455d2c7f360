function [T, X, ask] = knn_tables (Mdl, X)
%KNN_TABLES  The rows of a model and those that it is asked of, as they are compared, and the rule ASK of knng.internal.asked.

  knng.internal.check_matrix (X, 'X');
  if (size (X, 2) ~= size (Mdl.X, 2) && size (X, 1) == size (Mdl.X, 2))
    error ('knng:args:columns', ['X is %d-by-%d, and the model has %d columns: a row of X is what gets a class or number. If the columns are ' ...
           'the samples, as in what knng.read returns, give X'''], size (X, 1), size (X, 2), size (Mdl.X, 2));
  elseif (size (X, 2) ~= size (Mdl.X, 2))
    error ('knng:args:columns', 'X has %s, the model %d: give both the same features', knng.internal.count_of (size (X, 2), 'column'), size (Mdl.X, 2));
  end
  T = Mdl.X;
  if (~isempty (Mdl.Mu))
    T = knng.internal.standardized (T, Mdl.Mu, Mdl.Sigma);
    X = knng.internal.standardized (X, Mdl.Mu, Mdl.Sigma);
  end
  ask = struct ('k', min (double (Mdl.NumNeighbors), size (T, 1)), 'IncludeTies', isfield (Mdl, 'IncludeTies') && Mdl.IncludeTies, ...
                'Distance', Mdl.Distance);
end

%!error <^X is 2-by-3, and the model has 2 columns: .* give X'$> knng.internal.knn_tables (knng.fitcknn (eye (2), [1 2]), ones (2, 3))
%!error <^X has 3 columns, the model 2: give both> knng.internal.knn_tables (knng.fitcknn (eye (2), [1 2]), ones (4, 3))
