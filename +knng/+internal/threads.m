function n = threads (given)
%THREADS  The value of 'Threads' in GIVEN, which knng.internal.options returned, checked; 0 where it is not there.

  n = 0;
  how = knng.internal.engine (given, {'Threads'});
  if (~isempty (how))
    n = double (how{end});
  end
end

%!assert (knng.internal.threads ({'K', 2}), 0)
%!assert (knng.internal.threads ({'Threads', 1, 'Threads', int8(2)}), 2)
%!error id=knng:args:option knng.internal.threads ({'Threads', 1.5})
