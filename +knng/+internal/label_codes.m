function [code, names] = label_codes (Y, names)
%LABEL_CODES  Which class each label names: CODE is a column, 0 for a missing label, -1 for one that is not among NAMES.
%   Without NAMES these are the labels of Y, sorted. Labels are numbers, logicals, rows of a char matrix, cells of texts,
%   or categorical or string arrays where they exist; NAMES come back in the same kind (strings as cells).

  [values, missing] = plain (Y);
  if (nargin < 2)
    known = unique (values(~missing));
    if (nargout > 1)
      names = knng.internal.label_values ((1:numel (known))', known, Y);
    end
  else
    known = plain (names);
    if (iscell (known) ~= iscell (values))
      error ('knng:args:labels', 'labels are of class %s, the names of the classes of class %s: give both the same kind', ...
             class (Y), class (names));
    end
  end
  [~, code] = ismember (values, known);
  code = reshape (double (code), [], 1);
  code(code == 0) = -1;
  code(missing) = 0;
end

function [values, missing] = plain (Y)
% Labels as a column of numbers or of texts.
if isa (Y, 'categorical')
  missing = reshape (isundefined (Y), [], 1);
  values = reshape (cellstr (Y), [], 1);
  return
end
if (isa (Y, 'string'))
  Y = cellstr (Y);
end
if ischar (Y) && ndims (Y) == 2
  values = cellstr (Y);
  if isempty (Y)
    values = cell (size (Y, 1), 1);
    values(:) = {''};
  end
elseif iscellstr (Y) && (isempty (Y) || numel (Y) == max (size (Y))) && all (cellfun ('ndims', Y(:)) == 2) && all (cellfun ('size', Y(:), 1) <= 1)
  values = Y(:);
elseif (isnumeric (Y) || islogical (Y)) && isreal (Y) && (isempty (Y) || numel (Y) == max (size (Y)))
  values = full (Y(:));
else
  error ('knng:args:labels', ['labels are %s: they must be a vector of numbers or logicals, a cell of texts, ' ...
         'or a char matrix, a label for each'], knng.internal.given (Y));
end
if iscell (values)
  missing = cellfun ('isempty', values);
else
  missing = isnan (values);
end
end

%!test
%! [c, names] = knng.internal.label_codes ([3 NaN 1 3]);
%! assert (c, [2; 0; 1; 2]);
%! assert (names, [1; 3]);
%! [c, names] = knng.internal.label_codes ({'b', '', 'a'});
%! assert (c, [2; 0; 1]);
%! assert (names, {'a'; 'b'});
%! [c, names] = knng.internal.label_codes (['bc '; '   '; 'a  ']);
%! assert (c, [2; 0; 1]);
%! assert (names, ['a '; 'bc']);
%! [c, names] = knng.internal.label_codes ([true false]);
%! assert (c, [2; 1]);
%! assert (names, [false; true]);
%! assert (knng.internal.label_codes (int8 ([7 9]), [9 8]), [-1; 1]);
%!error id=knng:args:labels knng.internal.label_codes (eye (2))
%!error id=knng:args:labels knng.internal.label_codes ({1})
%!error id=knng:args:labels knng.internal.label_codes (1, {'a'})
