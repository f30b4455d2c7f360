function rows = knr_check (Mdl)
%KNR_CHECK  An error where MDL is no model as knng.fitrknn makes them; fields that a user may set are checked anew. ROWS as of knn_rows.

  fields = {'X', 'Y', 'NumObservations', 'RowsUsed', 'NumNeighbors', 'Distance', 'DistanceWeight', 'IncludeTies', 'Mu', 'Sigma', ...
            'ModelParameters'};
  if (~all (isfield (Mdl, fields)) || ~isstruct (Mdl.ModelParameters) || numel (Mdl.ModelParameters) ~= 1 || ...
      ~all (isfield (Mdl.ModelParameters, {'Rows', 'MinValid'})))
    knng.internal.refuse_model (Mdl, 'knng.fitrknn or knng.fitcknn');
  end
  knng.internal.check_fields (Mdl, [fields, {'HyperparameterOptimizationResults'}], 'NumNeighbors, Distance, DistanceWeight and IncludeTies', 'knng.fitrknn');
  knng.internal.check_fields (Mdl.ModelParameters, {'Rows', 'MinValid'}, '', 'knng.fitrknn');
  knng.internal.check_matrix (Mdl.X, 'Mdl.X');
  knng.internal.metric (Mdl.Distance);
  rows = knng.internal.knn_rows (Mdl.ModelParameters, size (Mdl.X, 2), Mdl.Distance);
  bad = '';
  if (~isfloat (Mdl.Y) || ~isreal (Mdl.Y) || issparse (Mdl.Y) || ndims (Mdl.Y) ~= 2 || size (Mdl.Y, 1) ~= size (Mdl.X, 1) || ...
      isempty (Mdl.Y) || ~all (isfinite (Mdl.Y(:))))
    bad = 'X and Y do not belong together';
  end
  knng.internal.check_asked (Mdl, bad, ~isempty (rows), 'knng.fitrknn');
end
