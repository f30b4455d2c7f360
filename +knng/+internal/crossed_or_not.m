function Mdl = crossed_or_not (Mdl, opt, given)
%CROSSED_OR_NOT  The model, or where options ask for cross-validation, what knng.crossval makes of it.
%   OPT: the values of 'CrossVal' and of the options of knng.internal.partition, GIVEN as knng.internal.options returned it.

  on = knng.internal.check_choice ('CrossVal', opt.CrossVal, {'on', 'off'});
  names = given(1:2:end);
  split = ismember ({'KFold', 'Leaveout', 'Holdout', 'CVPartition'}, names);
  if (knng.internal.is_one_of (opt.Leaveout, {'off'}))
    split(2) = false;
  end
  if (any (strcmp (names, 'CrossVal')) && strcmp (on, 'off') && any (split))
    error ('knng:args:partition', '''CrossVal'' is ''off'', and parts are given: leave one of the two out');
  end
  if (strcmp (on, 'on') || any (split))
    Mdl = knng.internal.crossed (Mdl, opt);
  end
end
