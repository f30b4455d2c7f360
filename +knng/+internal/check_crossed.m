function fold = check_crossed (CVMdl)
%CHECK_CROSSED  The parts of a model of knng.crossval, of the rows that are used; an error where it is none.

  if (isstruct (CVMdl) && numel (CVMdl) == 1 && all (isfield (CVMdl, {'X', 'Y', 'NumNeighbors'})))
    error ('knng:args:model', ['the model is not cross-validated: give what knng.crossval makes of it, as in knng.kfoldLoss (knng.crossval ' ...
           '(Mdl)) and knng.kfoldPredict (knng.crossval (Mdl))']);
  end
  if (~isstruct (CVMdl) || numel (CVMdl) ~= 1 || ~all (isfield (CVMdl, {'Mdl', 'Partition'})))
    error ('knng:args:model', 'the model is %s: it must be the struct that knng.crossval returns', knng.internal.given (CVMdl));
  end
  knng.internal.check_fields (CVMdl, {'CrossValidatedModel', 'NumObservations', 'KFold', 'Partition', 'X', 'Y', 'ClassNames', 'Mdl'}, ...
                              'Partition, and what may be set in Mdl');
  code = knng.internal.row_classes (CVMdl.Mdl);
  opt = knng.internal.partition_defaults ();
  opt.CVPartition = CVMdl.Partition;
  part = knng.internal.partition (opt, code, CVMdl.Mdl.RowsUsed);
  fold = part.fold;
end
