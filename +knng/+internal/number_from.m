function value = number_from (opt, name, low, high, range)
%NUMBER_FROM  The option NAME of the struct OPT, which must be one number from LOW to HIGH, as a double; RANGE says so in words.

  value = opt.(name);
  if (~isnumeric (value) || ~isreal (value) || numel (value) ~= 1 || ~(value >= low && value <= high))
    error ('knng:args:option', '''%s'' is %s: it must be one number, %s', name, knng.internal.given (value), range);
  end
  value = full (double (value));
end

%!assert (knng.internal.number_from (struct ('A', single (0.5)), 'A', 0, 1, 'up to 1'), 0.5)
%!error <'A' is 2: it must be one number, up to 1> knng.internal.number_from (struct ('A', 2), 'A', 0, 1, 'up to 1')
