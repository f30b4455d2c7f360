function [pick, score, cost, mass] = knn_predict (Mdl, X, how)
%KNN_PREDICT  knng.predict with the number of the class, m-by-1, 0 for none; MASS as of knn_check, HOW as of engine.

  [code, count, mass, rows] = knng.internal.knn_check (Mdl);
  [T, X, ask] = knng.internal.knn_tables (Mdl, X);
  rule = struct ('DistanceWeight', Mdl.DistanceWeight, 'IncludeTies', ask.IncludeTies, 'BreakTies', Mdl.BreakTies, 'Cost', Mdl.Cost);
  rule.weight = mass ./ max (count, 1);
  if (ischar (Mdl.ModelParameters.Prior) && strcmpi (Mdl.ModelParameters.Prior, 'empirical'))
    rule.weight = ones (size (mass));
  end
  rule.weight = repmat (rule.weight, size (X, 1), 1);
  rule.chance = zeros (size (X, 1), 1);
  if (strcmpi (Mdl.BreakTies, 'random'))
    rule.chance = knng.internal.random (Mdl.ModelParameters.Seed, size (X, 1));
  end
  C = numel (mass);
  tell = @(r, near, dist) knng.internal.votes_of (code, r, near, dist, rule, ask.k);
  out = knng.internal.asked (T, X, ask, [rows, how], tell, zeros (size (X, 1), 2 + 2 * C));
  pick = out(:, 1);
  score = out(:, 2:C + 1);
  cost = out(:, C + 2:2 * C + 1);
  knng.internal.warn_nought (out(:, end), Mdl);
end
