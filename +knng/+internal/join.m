function s = join (varargin)
%JOIN  One struct with the fields of several.

  values = cellfun (@struct2cell, varargin, 'UniformOutput', false);
  names = cellfun (@fieldnames, varargin, 'UniformOutput', false);
  s = cell2struct (vertcat (values{:}), vertcat (names{:}), 1);
end

%!assert (knng.internal.join (struct ('a', 1), struct ('b', {{2}})), struct ('a', 1, 'b', {{2}}))
