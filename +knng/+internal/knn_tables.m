function [T, X, ask] = knn_tables (Mdl, X)
%KNN_TABLES  The rows of a model and those that it is asked of, as they are compared, and the rule ASK of knng.internal.asked.

  knng.internal.check_matrix (X, 'X');
  if (size (X, 2) ~= size (Mdl.X, 2))
    error ('knng:args:columns', 'X has %d columns, the model %d: give both the same features', size (X, 2), size (Mdl.X, 2));
  end
  T = Mdl.X;
  if (~isempty (Mdl.Mu))
    T = knng.internal.standardized (T, Mdl.Mu, Mdl.Sigma);
    X = knng.internal.standardized (X, Mdl.Mu, Mdl.Sigma);
  end
  ask = struct ('k', min (double (Mdl.NumNeighbors), size (T, 1)), 'IncludeTies', isfield (Mdl, 'IncludeTies') && Mdl.IncludeTies, ...
                'Distance', Mdl.Distance);
end
