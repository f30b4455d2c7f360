function CVMdl = crossed (Mdl, opt)
%CROSSED  What knng.crossval returns, from the options OPT of knng.internal.partition.

  code = knng.internal.row_classes (Mdl);
  part = knng.internal.partition (opt, code, Mdl.RowsUsed);
  CVMdl = struct ('CrossValidatedModel', 'KNN', 'NumObservations', numel (code), 'KFold', part.NumTestSets, 'Partition', part);
  CVMdl.X = Mdl.X;
  CVMdl.Y = Mdl.Y;
  if (isfield (Mdl, 'ClassNames'))
    CVMdl.ClassNames = Mdl.ClassNames;
  end
  CVMdl.Mdl = Mdl;
end
