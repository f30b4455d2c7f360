function Mdl = knn_fit (X, Y, opt)
%KNN_FIT  The model of knng.fitcknn out of the options OPT, a struct as knn_defaults makes it.

  knng.internal.check_matrix (X, 'X');
  own = isempty (opt.ClassNames) && isnumeric (opt.ClassNames);
  if (own)
    code = knng.internal.label_codes (Y);
  else
    names = knng.internal.classes_in_order ('ClassNames', opt.ClassNames);
    code = knng.internal.label_codes (Y, names);
  end
  metric = knng.internal.metric (opt.Distance);              % by its first name, whatever metrics there will be
  rows = knng.internal.knn_rows (opt, size (X, 2), metric);
  used = rows_used (X, code, ~isempty (rows));
  Mdl.X = X(used, :);
  if (ischar (Y))
    Mdl.Y = Y(used, :);
  else
    Mdl.Y = reshape (Y(used), [], 1);
  end
  if (own)
    [~, names] = knng.internal.label_codes (Mdl.Y);
  end
  if (size (names, 1) > 5000)
    error ('knng:args:labels', ['there are %d different labels: a model has at most 5000 classes, since it compares each with ' ...
           'each; of numbers that are measured make a model by knng.fitrknn (X, Y)'], size (names, 1));
  end
  Mdl.NumObservations = size (Mdl.X, 1);
  Mdl.RowsUsed = [];                       % all
  if (~all (used))
    Mdl.RowsUsed = used;
  end
  Mdl.ClassNames = names;
  Mdl.Prior = [];
  Mdl.Cost = cost_of (opt.Cost, size (names, 1));
  Mdl.NumNeighbors = opt.NumNeighbors;
  Mdl.Distance = metric;
  Mdl.DistanceWeight = opt.DistanceWeight;
  Mdl.IncludeTies = opt.IncludeTies;
  Mdl.BreakTies = opt.BreakTies;
  Mdl.Mu = [];
  Mdl.Sigma = [];
  knng.internal.check_flag ('Standardize', opt.Standardize);
  Mdl.ModelParameters = struct ('Prior', [], 'Seed', {opt.Seed}, 'Rows', {opt.Rows}, 'MinValid', {opt.MinValid});
  Mdl.ModelParameters.Prior = opt.Prior;
  if (opt.Standardize)
    [Mdl.Mu, Mdl.Sigma] = knng.internal.mean_spread (Mdl.X);
  end
  [~, ~, mass] = knng.internal.knn_check (Mdl);
  Mdl.Prior = mass / sum (mass);
end

function used = rows_used (X, code, gaps)
% Those with a label of a class and finite values; where there may be gaps, with any, and no Inf.
  knng.internal.check_labels (numel (code), X);
  if (gaps)
    fine = ~any (isinf (X), 2) & ~all (isnan (X), 2);
  else
    fine = all (isfinite (X), 2);
  end
  if (~any (code > 0))
    error ('knng:args:labels', 'no row of X has a label of a class: look at the labels and ''ClassNames''');
  end
  used = code > 0 & fine;
  if (~any (used))
    remedies = {'fill in what is missing, give ''Rows'', ''pairwise'',', 'fill in what is missing'};
    error ('knng:args:labels', 'no row of X has both a label of a class and finite values: %s or look at the labels and ''ClassNames''', ...
           remedies{1 + gaps});
  end
end

function Cost = cost_of (Cost, classes)
% By default 1 for each wrong class. What is no matrix of numbers knn_check refuses.
  if (isempty (Cost) && isnumeric (Cost))
    Cost = 1 - eye (classes);
  elseif (isnumeric (Cost))
    Cost = double (full (Cost));
  end
end
