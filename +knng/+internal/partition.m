function part = partition (opt, code, used)
%PARTITION  Which rows are left out together, from the options KFold, Leaveout, Holdout, CVPartition and Seed.
%   CODE, n-by-1, is the class of each row; USED as in a model. PART is a struct: Type, NumObservations, NumTestSets,
%   fold (n-by-1: the number of the part that a row is left out with, 0 if it never is).

  n = numel (code);
  on = ~cellfun (@isempty, {opt.KFold, opt.Holdout, opt.CVPartition});
  if (isempty (opt.Leaveout) && isnumeric (opt.Leaveout))
    opt.Leaveout = 'off';
  end
  if (~((islogical (opt.Leaveout) || isnumeric (opt.Leaveout)) && (isequal (opt.Leaveout, 0) || isequal (opt.Leaveout, 1))) && ~knng.internal.is_one_of (opt.Leaveout, {'on', 'off'}))
    error ('knng:args:partition', '''Leaveout'' is %s: it must be ''on'' or ''off''', knng.internal.given (opt.Leaveout));
  end
  if (ischar (opt.Leaveout))
    leaveout = strcmpi (opt.Leaveout, 'on');
  else
    leaveout = opt.Leaveout == 1;
  end
  if (sum (on) + leaveout > 1)
    error ('knng:args:partition', 'more than one of ''KFold'', ''Leaveout'', ''Holdout'' and ''CVPartition'' is given: give one');
  end
  if (n < 2)
    error ('knng:args:partition', 'the model has %d row: cross-validation needs at least 2', n);
  end
  knng.internal.check_seed (opt.Seed);
  if (leaveout)
    type = 'leaveout';
    fold = (1:n)';
  elseif (on(3))
    type = 'given';
    fold = from_user (opt.CVPartition, n, used);
  elseif (on(2))
    type = 'holdout';
    p = opt.Holdout;
    if (~isfloat (p) || ~isreal (p) || numel (p) ~= 1 || ~(p > 0 && p < 1))
      error ('knng:args:partition', '''Holdout'' is %s: it must be the part of the rows to hold out, between 0 and 1', knng.internal.given (p));
    end
    place = dealt (code, opt.Seed);
    fold = double (floor (double (p) * place + 0.5) > floor (double (p) * (place - 1) + 0.5));
  else
    type = 'kfold';
    k = opt.KFold;
    if (isempty (k))
      k = min (10, n);
    end
    if (numel (k) ~= 1 || ~knng.internal.whole (k, 2, n))
      error ('knng:args:partition', '''KFold'' is %s: it must be one whole number from 2 to %d, the rows of the model', ...
             knng.internal.given (k), n);
    end
    fold = mod (dealt (code, opt.Seed) - 1, double (k)) + 1;
  end
  if (~any (fold) || all (fold == fold(1)) && fold(1) > 0)
    error ('knng:args:partition', ['of %d rows none is left to learn from, or none held out: ''Holdout'' and ' ...
           '''CVPartition'' must leave some rows on either side'], n);
  end
  part = struct ('Type', type, 'NumObservations', n, 'NumTestSets', max (fold), 'fold', fold);
end

function place = dealt (code, seed)
% The place of each row when they are laid out class by class, shuffled within each.
[~, order] = sortrows ([code, knng.internal.random(seed, numel (code))]);
place = zeros (numel (code), 1);
place(order) = 1:numel (code);
end

function fold = from_user (v, n, used)
if (isstruct (v) && numel (v) == 1 && isfield (v, 'fold'))
  v = v.fold;
end
if (numel (v) == numel (used) && ~isempty (used) && (isnumeric (v) || islogical (v)))
  v = v(used);
end
if (numel (v) ~= n || ~knng.internal.whole (v, 0, n))
  error ('knng:args:partition', ['''CVPartition'' is %s: it must be a vector with a whole number for each of the %d rows, the ' ...
         'part that the row is left out with (from 1 to %d; 0: never), or a struct with the field fold'], knng.internal.given (v), n, n);
end
fold = reshape (double (full (v)), [], 1);
end
