function check_flag (name, value)
%CHECK_FLAG  An error where VALUE, of the option NAME, is neither true nor false (nor 1, nor 0).

  if (numel (value) ~= 1 || ~knng.internal.whole (value, 0, 1))
    error ('knng:args:option', '''%s'' is %s: it must be true or false', name, knng.internal.given (value));
  end
end

%!error <'Directed' is 'x': it must be true or false> knng.internal.check_flag ('Directed', 'x')
%!error <is a 1-by-2 logical: it must> knng.internal.check_flag ('Directed', [true false])
%!test knng.internal.check_flag ('Directed', single (1));
