function how = engine (opt)
%ENGINE  The options of a search that a function hands on: without OPT their names with empty values, for knng.internal.options; with it,
%   as {'Name', value, ...} those of them that are given.

  names = {'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'};
  if (nargin < 1)
    how = cell2struct (cell (numel (names), 1), names, 1);
    return
  end
  how = {};
  for name = names
    if (~isequal (opt.(name{1}), []))
      how = [how, name, {opt.(name{1})}]; %#ok<AGROW>
    end
  end
end
