function [code, count, mass, rows] = knn_check (Mdl)
%KNN_CHECK  An error where MDL is no model as knng.fitcknn makes them; fields that a user may set are checked anew.
%   CODE is the class of each row, COUNT, 1-by-C, the rows of each class, MASS, 1-by-C, the priors, of any sum: with
%   'empirical' they are COUNT itself, so that what a row of any class weighs, MASS ./ COUNT, is 1 without rounding. ROWS as of knn_rows.

  fields = {'X', 'Y', 'NumObservations', 'RowsUsed', 'ClassNames', 'Prior', 'Cost', 'NumNeighbors', 'Distance', ...
            'DistanceWeight', 'BreakTies', 'Mu', 'Sigma', 'ModelParameters'};
  if (~isstruct (Mdl) || numel (Mdl) ~= 1 || ~all (isfield (Mdl, fields)) || ~isstruct (Mdl.ModelParameters) || ...
      numel (Mdl.ModelParameters) ~= 1 || ~all (isfield (Mdl.ModelParameters, {'Prior', 'Seed'})))
    knng.internal.refuse_model (Mdl, 'knng.fitcknn');
  end
  knng.internal.check_fields (Mdl, [fields, {'IncludeTies', 'HyperparameterOptimizationResults'}], 'Cost, NumNeighbors, Distance, DistanceWeight, IncludeTies and BreakTies');
  knng.internal.check_fields (Mdl.ModelParameters, {'Prior', 'Seed', 'Rows', 'MinValid'}, '');
  knng.internal.check_matrix (Mdl.X, 'Mdl.X');
  code = knng.internal.label_codes (Mdl.Y, Mdl.ClassNames);
  C = numel (knng.internal.label_codes (Mdl.ClassNames));
  knng.internal.metric (Mdl.Distance);
  rows = knng.internal.knn_rows (Mdl.ModelParameters, size (Mdl.X, 2), Mdl.Distance);
  bad = '';
  if (numel (code) ~= size (Mdl.X, 1) || any (code < 1))
    bad = 'X and Y do not belong together';
  end
  knng.internal.check_asked (Mdl, bad, ~isempty (rows), 'knng.fitcknn');
  count = accumarray (code, 1, [C, 1])';

  knng.internal.check_choice ('BreakTies', Mdl.BreakTies, {'smallest', 'nearest', 'random'});
  knng.internal.check_seed (Mdl.ModelParameters.Seed);
  check_cost (Mdl.Cost, C);
  mass = mass_of (Mdl.ModelParameters.Prior, count);
  if (~isempty (Mdl.Prior) && ~isequal (reshape (Mdl.Prior, 1, []), mass / sum (mass)))
    error ('knng:args:model', 'Prior of the model was set anew: make the model anew, as in knng.fitcknn (X, Y, ''Prior'', ''uniform'')');
  end
end

function check_cost (Cost, C)
  if (~isa (Cost, 'double') || ~isreal (Cost) || issparse (Cost) || ~isequal (size (Cost), [C, C]) || ...
      ~all (Cost(:) >= 0 & Cost(:) < Inf) || any (diag (Cost)))
    error ('knng:args:option', ['''Cost'' is %s: it must be a full %d-by-%d matrix of doubles from 0 on, 0 on the diagonal; ' ...
           'Cost(i,j) is what it costs to call j what is i'], knng.internal.given (Cost), C, C);
  end
end

function mass = mass_of (prior, count)
  C = numel (count);
  if (knng.internal.is_one_of (prior, {'empirical'}))
    mass = count;
  elseif (knng.internal.is_one_of (prior, {'uniform'}))
    mass = ones (1, C);
  elseif (isnumeric (prior) && isreal (prior) && numel (prior) == C && all (prior(:) >= 0 & prior(:) < Inf) && any (prior(:)) && ...
          sum (double (prior(:))) < Inf)
    mass = reshape (double (full (prior)), 1, []);
  else
    error ('knng:args:option', ['''Prior'' is %s: it must be ''empirical'', ''uniform'' or %d numbers from 0 on, ' ...
           'not all 0, in the order of ClassNames'], knng.internal.given (prior), C);
  end
end
