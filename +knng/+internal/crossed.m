function CVMdl = crossed (Mdl, opt)
%CROSSED  What knng.crossval returns, from the options OPT of knng.internal.partition.

  code = knng.internal.row_classes (Mdl);
  part = knng.internal.partition (opt, code, Mdl.RowsUsed);
  part.fold = knng.internal.all_rows (part.fold, Mdl.RowsUsed, 0);         % row i of each is that of the user's data
  part.NumObservations = numel (part.fold);
  CVMdl = struct ('CrossValidatedModel', 'KNN', 'NumObservations', numel (code), 'KFold', part.NumTestSets, 'Partition', part);
  CVMdl.X = knng.internal.all_rows (Mdl.X, Mdl.RowsUsed, NaN);
  if (isfield (Mdl, 'ClassNames'))
    CVMdl.Y = knng.internal.label_values (knng.internal.all_rows (code, Mdl.RowsUsed, 0), Mdl.ClassNames, Mdl.Y);
    CVMdl.ClassNames = Mdl.ClassNames;
  else
    CVMdl.Y = knng.internal.all_rows (Mdl.Y, Mdl.RowsUsed, NaN);
  end
  CVMdl.Mdl = Mdl;
end
