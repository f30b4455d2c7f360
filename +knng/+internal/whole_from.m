function value = whole_from (opt, name, low, high)
%WHOLE_FROM  The option NAME of the struct OPT, which must be one whole number from LOW to HIGH, as a double.

  value = opt.(name);
  if (numel (value) ~= 1 || ~knng.internal.whole (value, low, high))
    error ('knng:args:option', '''%s'' is %s: it must be one whole number from %d to %d', name, knng.internal.given (value), low, high);
  end
  value = full (double (value));
end

%!assert (knng.internal.whole_from (struct ('A', int8 (3)), 'A', 1, 3), 3)
%!error <'A' is 4: it must be one whole number from 1 to 3> knng.internal.whole_from (struct ('A', 4), 'A', 1, 3)
