function [pick, score, cost, mass] = knn_predict (Mdl, X, how)
%KNN_PREDICT  knng.predict with the number of the class, m-by-1, 0 for none; MASS as of knn_check, HOW as of engine.

  [code, count, mass, rows] = knng.internal.knn_check (Mdl);
  knng.internal.check_matrix (X, 'X');
  if (size (X, 2) ~= size (Mdl.X, 2))
    error ('knng:args:columns', 'X has %d columns, the model %d: give both the same features', size (X, 2), size (Mdl.X, 2));
  end
  T = Mdl.X;
  if (~isempty (Mdl.Mu))
    T = knng.internal.standardized (T, Mdl.Mu, Mdl.Sigma);
    X = knng.internal.standardized (X, Mdl.Mu, Mdl.Sigma);
  end
  k = min (double (Mdl.NumNeighbors), size (T, 1));
  [idx, dist] = knng.knnsearch (T, X, 'K', k, 'Distance', Mdl.Distance, rows{:}, how{:});
  class_of = zeros (size (idx));
  class_of(idx > 0) = code(idx(idx > 0));
  rule = struct ('DistanceWeight', Mdl.DistanceWeight, 'BreakTies', Mdl.BreakTies, 'Cost', Mdl.Cost, 'chance', []);
  rule.weight = mass ./ max (count, 1);
  if (ischar (Mdl.ModelParameters.Prior) && strcmpi (Mdl.ModelParameters.Prior, 'empirical'))
    rule.weight = ones (size (mass));
  end
  if (strcmpi (Mdl.BreakTies, 'random'))
    rule.chance = knng.internal.random (Mdl.ModelParameters.Seed, size (X, 1));
  end
  [pick, score, cost] = knng.internal.vote (class_of, double (dist), rule, k);
end
