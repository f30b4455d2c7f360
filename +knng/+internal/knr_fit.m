function Mdl = knr_fit (X, Y, opt)
%KNR_FIT  The model of knng.fitrknn out of the options OPT, a struct as knng.internal.knr_defaults makes it.

  knng.internal.check_matrix (X, 'X');
  Y = knng.internal.targets (Y, X);
  metric = knng.internal.metric (opt.Distance);              % by its first name, whatever metrics there will be
  gaps = ~isempty (knng.internal.knn_rows (opt, size (X, 2), metric));
  used = all (isfinite (Y), 2);
  if (~any (used))
    error ('knng:args:targets', 'no row of Y has finite numbers: give those that are known');
  end
  if (gaps)
    used = used & ~any (isinf (X), 2) & ~all (isnan (X), 2);
  else
    used = used & all (isfinite (X), 2);
  end
  if (~any (used))
    remedies = {'fill in what is missing, or give ''Rows'', ''pairwise''', 'fill in what is missing'};
    error ('knng:args:targets', 'no row of X has both numbers in Y and finite values: %s', remedies{1 + gaps});
  end
  Mdl.X = X(used, :);
  Mdl.Y = Y(used, :);
  Mdl.NumObservations = size (Mdl.X, 1);
  Mdl.RowsUsed = [];                       % all
  if (~all (used))
    Mdl.RowsUsed = used;
  end
  Mdl.NumNeighbors = opt.NumNeighbors;
  Mdl.Distance = metric;
  Mdl.DistanceWeight = opt.DistanceWeight;
  Mdl.IncludeTies = opt.IncludeTies;
  Mdl.Mu = [];
  Mdl.Sigma = [];
  Mdl.ModelParameters = struct ('Rows', {opt.Rows}, 'MinValid', {opt.MinValid});
  knng.internal.check_flag ('Standardize', opt.Standardize);
  if (opt.Standardize)
    [Mdl.Mu, Mdl.Sigma] = knng.internal.mean_spread (Mdl.X);
  end
  knng.internal.knr_check (Mdl);
end
