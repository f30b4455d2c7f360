function refuse_model (Mdl, makers)
%REFUSE_MODEL  The error where MDL is no model as MAKERS, a text, return it; it says how what knng.crossval returns is used.

  if (isstruct (Mdl) && numel (Mdl) == 1 && all (isfield (Mdl, {'Mdl', 'Partition'})))
    error ('knng:args:model', ['the model is one of knng.crossval, whose own rows knng.kfoldPredict (CVMdl) predicts: for other samples ' ...
           'give the model of all rows, CVMdl.Mdl, as in knng.predict (CVMdl.Mdl, X)']);
  end
  error ('knng:args:model', 'the model is %s: it must be the struct that %s returns', knng.internal.given (Mdl), makers);
end

%!error <^the model is 1: it must be the struct that knng.fitcknn returns$> knng.internal.refuse_model (1, 'knng.fitcknn')
%!error <one of knng.crossval.* knng.predict \(CVMdl.Mdl, X\)$> knng.predict (knng.crossval (knng.fitcknn ([1; 2; 3; 4], [1 1 2 2]), 'KFold', 2), 1)
%!error <one of knng.crossval.* knng.predict \(CVMdl.Mdl, X\)$> knng.predict (knng.crossval (knng.fitrknn ([1; 2; 3; 4], [1 1 2 2]), 'KFold', 2), 1)
