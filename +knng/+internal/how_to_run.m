function how = how_to_run (given)
%HOW_TO_RUN  How a gateway that is no search is to run: its last argument, a struct of the options 'Threads' and 'Progress' in
%   GIVEN, a cell {'Name', value, ...} with names in full, as of knng.internal.options or knng.internal.engine.

  how = struct ('Threads', [], 'Progress', 'auto');
  for i = 1:2:numel (given)
    if (isfield (how, given{i}))
      how.(given{i}) = given{i+1};
    end
  end
end

%!assert (knng.internal.how_to_run ({}), struct ('Threads', [], 'Progress', 'auto'))
%!assert (knng.internal.how_to_run ({'K', 3, 'Threads', 1, 'Progress', 'off', 'Threads', 2}), struct ('Threads', 2, 'Progress', 'off'))
