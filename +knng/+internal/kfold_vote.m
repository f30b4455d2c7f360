function [pick, score, cost] = kfold_vote (Mdl, fold, ks, how)
%KFOLD_VOTE  What models without a row's fold say of it, for each k of the ascending vector KS; results as of knng.internal.vote.
%   Rows of fold 0 are in all models, and nothing is asked of them. HOW: options of searches, as of knng.internal.engine.

  [code, ~, mass, rows] = knng.internal.knn_check (Mdl);
  C = numel (mass);
  n = numel (code);
  within = accumarray ([fold + 1, code], 1, [max(fold) + 1, C]);
  train = bsxfun (@minus, accumarray (code, 1, [C, 1])', within);          % rows of each class that a fold leaves
  if (ischar (Mdl.ModelParameters.Prior) && strcmpi (Mdl.ModelParameters.Prior, 'empirical'))
    weight = ones (size (train));
  else
    weight = bsxfun (@rdivide, mass, max (train, 1));
  end
  if (~isfield (Mdl, 'IncludeTies'))
    Mdl.IncludeTies = false;
  end
  rule = struct ('DistanceWeight', Mdl.DistanceWeight, 'IncludeTies', Mdl.IncludeTies, 'BreakTies', Mdl.BreakTies, 'Cost', Mdl.Cost);
  rule.weight = weight(fold + 1, :);
  rule.chance = zeros (n, 1);
  if (strcmpi (Mdl.BreakTies, 'random'))   % as if each fold were asked by itself
    u = knng.internal.random (Mdl.ModelParameters.Seed, max (accumarray (fold + 1, 1)));
    [sorted, order] = sort (fold);
    start = find ([true; diff(sorted) > 0]);
    rank = (1:n)' - start(cumsum ([true; diff(sorted) > 0])) + 1;
    rule.chance(order, 1) = u(rank);
  end
  tell = @(r, near, dist) knng.internal.votes_of (code, r, near, dist, rule, ks);
  p = numel (ks);
  out = knng.internal.asked_folds (Mdl, fold, min (ks(end), n), [rows, how], tell, [zeros(n, p), NaN(n, 2 * C), zeros(n, 1)]);
  pick = out(:, 1:p);
  score = out(:, p + 1:p + C);
  cost = out(:, p + C + 1:p + 2 * C);
  knng.internal.warn_nought (out(:, end), Mdl);
end
