function k = check_neighbours (name, value)
%CHECK_NEIGHBOURS  The number of neighbours VALUE of the argument NAME (options in quotes) as a double; an error where it is none.

  if (~isnumeric (value) || numel (value) ~= 1 || ~knng.internal.whole (value, 1, 2 ^ 53))
    error ('knng:args:k', '%s is %s: it must be one whole number from 1 to 2^53', name, knng.internal.given (value));
  end
  k = full (double (value));
end

%!assert (knng.internal.check_neighbours ('K', int8 (3)), 3)
%!error <^K is 0: it must be one> knng.internal.check_neighbours ('K', 0)
%!error id=knng:args:k knng.internal.check_neighbours ('K', [])
