function how = engine (varargin)
%ENGINE  The options of a search that a function hands on.
%   opt = knng.internal.engine () is a struct of their names, for knng.internal.options.
%   how = knng.internal.engine (GIVEN, ...) takes those of them out of GIVEN, which knng.internal.options returned, as
%   {'Name', value, ...}. A wrong value is an error here, before any work: core/ says which are.
%   how = knng.internal.engine (GIVEN, NAMES) takes only the cell NAMES of them.

  names = {'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'};
  if (nargin < 1)
    how = cell2struct (cell (numel (names), 1), names, 1);
    return
  elseif (nargin > 1)
    names = varargin{2};
  end
  how = {};
  given = varargin{1};
  for i = 1:2:numel (given)
    if (any (strcmp (given{i}, names)))
      how = [how, given(i:i+1)]; %#ok<AGROW>
    end
  end
  if (~isempty (how))
    knng.internal.search ('plan', 1, 1, 1, 'Device', 'cpu', how{:}, 'Calibrate', false);
  end
end

%!assert (knng.internal.engine ({'K', 3, 'Threads', 2, 'Device', 'cpu'}), {'Threads', 2, 'Device', 'cpu'})
%!assert (knng.internal.engine ({'K', 3, 'Threads', 2, 'Device', 'cpu'}, {'Threads'}), {'Threads', 2})
%!assert (knng.internal.engine ({'MaxMemory', 1}), {'MaxMemory', 1})   # whether it fits, the search says
%!error <^'Threads' is 0: it must be> knng.internal.engine ({'Threads', 0})
%!error id=knng:args:device knng.internal.engine ({'Device', 'tpu'})
