function Mdl = best_model (fit, opt)
%BEST_MODEL  The model FIT (OPT), or where 'OptimizeHyperparameters' asks for it the one of least loss, all candidates tried.
%   OPT: the values of all options of knng.fitcknn or knng.fitrknn.

  wanted = names_wanted (opt.OptimizeHyperparameters);
  how = opt.HyperparameterOptimizationOptions;
  how = checked (how, isempty (wanted));
  if (isempty (wanted))
    Mdl = fit (opt);
    return
  end
  if (strcmp (knng.internal.check_choice ('CrossVal', opt.CrossVal, {'on', 'off'}), 'on') || any (knng.internal.parts_given (opt)))
    error ('knng:args:partition', ['''OptimizeHyperparameters'' makes one model, and ''CrossVal'' or parts are given: give those in ' ...
           '''HyperparameterOptimizationOptions'', or make the model and then knng.crossval (Mdl)']);
  end
  Mdl = fit (opt);                                           % raises what is wrong
  numbers = knng.internal.is_regression (Mdl);
  if (numbers && size (Mdl.Y, 2) > 1)
    error ('knng:args:targets', 'Y has %d columns: ''OptimizeHyperparameters'' has one loss to make small, so give one column', size (Mdl.Y, 2));
  end
  fold = folds (Mdl, opt, how);
  t = candidates (wanted, opt, Mdl);
  ks = double (opt.NumNeighbors);
  if (any (strcmp (wanted, 'NumNeighbors')))
    ks = 1:min (50, max (1, size (Mdl.X, 1) - 1));
  end
  quiet = knng.internal.quiet_rows ();                       % a metric that has no distances for some rows is not taken
  c = size (t, 1);
  loss = zeros (c, numel (ks));
  without = zeros (c, numel (ks));
  for i = 1:c
    [opt.Distance, opt.DistanceWeight, opt.Standardize] = t{i, :};
    one = fit (opt);
    if (numbers)
      yfit = knng.internal.kfold_mean (one, fold, ks, {});
      loss(i, :) = knng.internal.number_loss (repmat (one.Y, 1, numel (ks)), yfit, 'mse');
      without(i, :) = sum (isnan (yfit(fold > 0, :)), 1);
    else
      [code, ~, mass] = knng.internal.knn_check (one);
      pick = knng.internal.kfold_vote (one, fold, ks, {});
      loss(i, :) = knng.internal.class_loss (code, pick, mass, one.Cost, 'mincost');
      without(i, :) = sum (pick(fold > 0, :) == 0, 1);
    end
  end
  quiet = []; %#ok<NASGU>
  [candidate, k] = ndgrid (1:c, ks);
  loss(isnan (loss)) = Inf;
  [~, order] = sortrows ([without(:), loss(:), k(:), candidate(:)]);
  best = candidate(order(1));
  [opt.Distance, opt.DistanceWeight, opt.Standardize] = t{best, :};
  opt.NumNeighbors = k(order(1));
  Mdl = fit (opt);
  r = candidate(order);
  text = t(:, 2);
  own = cellfun (@(w) isa (w, 'function_handle'), text);
  text(own) = cellfun (@func2str, text(own), 'UniformOutput', false);
  Mdl.HyperparameterOptimizationResults = struct ('Distance', {t(r, 1)}, 'DistanceWeight', {text(r)}, ...
    'Standardize', double (vertcat (t{r, 3})), 'NumNeighbors', k(order), 'Loss', loss(order), 'Unpredicted', without(order));
end

function wanted = names_wanted (value)
  all = {'Distance', 'NumNeighbors', 'DistanceWeight', 'Standardize'};
  if (ischar (value))
    value = {value};
  end
  if (~iscellstr (value) || isempty (value))
    refuse (value);
  end
  wanted = {};
  for i = 1:numel (value)
    if (numel (value) == 1 && knng.internal.is_one_of (value{1}, {'none'}))
      return
    elseif (numel (value) == 1 && knng.internal.is_one_of (value{1}, {'auto'}))
      wanted = all(1:2);
    elseif (numel (value) == 1 && knng.internal.is_one_of (value{1}, {'all'}))
      wanted = all;
    elseif (knng.internal.is_one_of (value{i}, all))
      wanted(end+1) = all(strcmpi (value{i}, all)); %#ok<AGROW>
    elseif (knng.internal.is_one_of (value{i}, {'Exponent'}))
      error ('knng:args:option', ['''OptimizeHyperparameters'' names ''Exponent'', of Minkowski''s distance: it must be ''Distance'', which tries ' ...
             'its exponents 1, 2 and Inf']);
    else
      refuse (value{i});
    end
  end
end

function refuse (value)
  error ('knng:args:option', ['''OptimizeHyperparameters'' is %s: it must be ''none'', ''auto'', ''all'', or of ''NumNeighbors'', ''Distance'', ' ...
         '''DistanceWeight'' and ''Standardize'' one or several in a cell'], knng.internal.given (value));
end

function how = checked (how, alone)
% The fields that say how to judge, of those that are not off.
  if (isempty (how) && isnumeric (how))
    how = struct ();
    return
  end
  parts = {'KFold', 'Leaveout', 'Holdout', 'CVPartition'};
  if (~isstruct (how) || numel (how) ~= 1)
    error ('knng:args:option', '''HyperparameterOptimizationOptions'' is %s: it must be a struct, as struct (''KFold'', 10)', knng.internal.given (how));
  end
  shows = {'ShowPlots', 'Verbose', 'SaveIntermediateResults', 'UseParallel'};      % of MATLAB, which change no result
  search = {'AcquisitionFunctionName', 'Optimizer', 'MaxObjectiveEvaluations', 'NumGridDivisions', 'Repartition'};  % nor these, where all is tried
  given = how;
  how = struct ();
  other = {};
  for name = fieldnames (given)'
    part = parts(strcmpi (name{1}, parts));                  % older versions of MATLAB write Kfold
    if (numel (part) == 1 && ~isfield (how, part{1}))
      how.(part{1}) = given.(name{1});
    elseif (~any (strcmpi (name{1}, [shows, search])))
      other = [other, name]; %#ok<AGROW>
    end
  end
  if (~isempty (other))
    error ('knng:args:option', ['''HyperparameterOptimizationOptions'' is a struct with the field ''%s'': it must have one of KFold, Leaveout, Holdout ' ...
           'and CVPartition alone; every candidate is tried, so that there is nothing else to choose'], knng.internal.shown (other{1}));
  elseif (alone)
    error ('knng:args:option', ['''HyperparameterOptimizationOptions'' is given without ''OptimizeHyperparameters'': it must go with that, ' ...
           'as ''OptimizeHyperparameters'', ''auto''']);
  end
  how = rmfield (how, intersect (fieldnames (how), parts(~knng.internal.parts_given (how))));
end

function fold = folds (Mdl, opt, how)
  split = knng.internal.partition_defaults ();
  split.Seed = opt.Seed;
  if (isempty (fieldnames (how)))
    how = struct ('Leaveout', 'on');
  end
  for name = fieldnames (how)'
    split.(name{1}) = how.(name{1});
  end
  part = knng.internal.partition (split, knng.internal.row_classes (Mdl), Mdl.RowsUsed);
  fold = part.fold;
end

function t = candidates (wanted, opt, Mdl)
% In a row: metric, weight, whether to standardize; what is not wanted is as it was given.
  metrics = {Mdl.Distance};
  if (any (strcmp (wanted, 'Distance')))
    metrics = {'euclidean', 'cityblock', 'chebychev', 'cosine', 'pearson', 'spearman'};
    least = [1 1 1 2 3 3];                                   % over two values a correlation is 1 or -1
    metrics = metrics(least <= size (Mdl.X, 2));
    if (knng.internal.is_one_of (opt.Rows, {'pairwise'}))
      metrics(strcmp (metrics, 'chebychev')) = [];           % which is not defined where values are missing
    end
  end
  weights = {opt.DistanceWeight};
  if (any (strcmp (wanted, 'DistanceWeight')))
    weights = {'equal', 'inverse', 'squaredinverse'};
  end
  scaled = {opt.Standardize};
  if (any (strcmp (wanted, 'Standardize')))
    scaled = {false, true};
  end
  [w, m, s] = ndgrid (1:numel (weights), 1:numel (metrics), 1:numel (scaled));
  t = [reshape(metrics(m(:)), [], 1), reshape(weights(w(:)), [], 1), reshape(scaled(s(:)), [], 1)];
end
