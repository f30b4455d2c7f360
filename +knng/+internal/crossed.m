function CVMdl = crossed (Mdl, opt)
%CROSSED  What knng.crossval returns, from the options OPT of knng.internal.partition.

  if (knng.internal.is_regression (Mdl))
    knng.internal.knr_check (Mdl);
    code = ones (size (Mdl.X, 1), 1);
  else
    code = knng.internal.knn_check (Mdl);
  end
  part = knng.internal.partition (opt, code, Mdl.RowsUsed);
  CVMdl = struct ('CrossValidatedModel', 'KNN', 'NumObservations', numel (code), 'KFold', part.NumTestSets, 'Partition', part);
  CVMdl.X = Mdl.X;
  CVMdl.Y = Mdl.Y;
  if (isfield (Mdl, 'ClassNames'))
    CVMdl.ClassNames = Mdl.ClassNames;
  end
  CVMdl.Mdl = Mdl;
end
