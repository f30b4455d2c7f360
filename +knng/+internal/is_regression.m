function yes = is_regression (Mdl)
%IS_REGRESSION  Whether MDL looks as a model of knng.fitrknn does, or what knng.crossval makes of one: of numbers in place of classes.

  if (isstruct (Mdl) && numel (Mdl) == 1 && isfield (Mdl, 'Mdl'))
    Mdl = Mdl.Mdl;
  end
  yes = isstruct (Mdl) && numel (Mdl) == 1 && all (isfield (Mdl, {'X', 'Y', 'NumNeighbors'})) && ~isfield (Mdl, 'ClassNames');
end
