function back = quiet_rows (ids)
%QUIET_ROWS  While BACK is there no warning of constant rows, of rows with NaN or of short lists: one is enough for several searches.
%   IDS, if given: of these warnings alone.

  if (nargin < 1)
    ids = {'knng:data:constant', 'knng:data:fewer', 'knng:data:nonFinite', 'knng:data:nought', 'knng:data:twoColumns'};
  end
  former = cellfun (@(id) warning ('query', id), ids);
  for i = 1:numel (ids)
    warning ('off', ids{i});
  end
  back = onCleanup (@() warning (former));
end
