function Mdl = crossed_or_not (Mdl, opt, given)
%CROSSED_OR_NOT  The model, or where options ask for cross-validation, what knng.crossval makes of it.
%   OPT: the values of 'CrossVal' and of the options of knng.internal.partition, GIVEN as knng.internal.options returned it.

  on = knng.internal.check_choice ('CrossVal', opt.CrossVal, {'on', 'off'});
  split = knng.internal.parts_given (opt);
  if (any (strcmp (given(1:2:end), 'CrossVal')) && strcmp (on, 'off') && any (split))
    error ('knng:args:partition', '''CrossVal'' is ''off'', and parts are given: leave one of the two out');
  end
  if (strcmp (on, 'on') || any (split))
    Mdl = knng.internal.crossed (Mdl, opt);
  end
end
