function how = work (given)
%WORK  How a gateway that is no search is to work: its last argument, a struct of the options 'Threads' and 'Progress' in
%   GIVEN, a cell {'Name', value, ...} with names in full, as of knng.internal.options or knng.internal.engine.

  how = struct ('Threads', [], 'Progress', 'auto');
  for i = 1:2:numel (given)
    if (isfield (how, given{i}))
      how.(given{i}) = given{i+1};
    end
  end
end

%!assert (knng.internal.work ({}), struct ('Threads', [], 'Progress', 'auto'))
%!assert (knng.internal.work ({'K', 3, 'Threads', 1, 'Progress', 'off', 'Threads', 2}), struct ('Threads', 2, 'Progress', 'off'))
