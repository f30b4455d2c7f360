function split = parts_given (opt)
%PARTS_GIVEN  Which of KFold, Leaveout, Holdout and CVPartition the struct OPT gives, 1-by-4: [], 'off' and false give none.
%   OPT may lack some of these fields.

  split = false (1, 4);
  names = {'KFold', 'Leaveout', 'Holdout', 'CVPartition'};
  for i = find (isfield (opt, names))
    v = opt.(names{i});
    off = isempty (v);
    if (i == 2)
      off = knng.internal.is_one_of (v, {'off'}) || ((islogical (v) || isnumeric (v)) && isequal (v, 0)) || (isempty (v) && isnumeric (v));
    end
    split(i) = ~off;
  end
end

%!assert (knng.internal.parts_given (struct ('KFold', [], 'Leaveout', false, 'Holdout', 0.5)), [false false true false])
%!assert (knng.internal.parts_given (struct ('KFold', 2, 'Leaveout', 'yes', 'CVPartition', [])), [true true false false])
%!assert (knng.internal.parts_given (struct ('Leaveout', 'OFF', 'K', 3)), false (1, 4))
