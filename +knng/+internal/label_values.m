function Y = label_values (code, names, like)
%LABEL_VALUES  The labels NAMES(CODE), a column of the kind of NAMES (or of LIKE): where CODE is 0 a missing one.
%   Missing are NaN, '', a row of blanks, <undefined>. Logicals and whole-number classes have no such value: there
%   it is the first name.

  if (nargin < 3)
    like = names;
  end
  if (ischar (names))
    names = cellstr (names);
  elseif (isa (names, 'categorical'))
    names = cellstr (names);
  end
  at = max (code, 1);
  none = code < 1;
  if (iscell (names))
    Y = reshape (names(at), [], 1);
    Y(none) = {''};
    if (ischar (like))
      Y = char ([Y; names(:)]);            % as wide as the widest name
      Y = Y(1:numel (code), :);
    elseif (isa (like, 'categorical'))
      Y = categorical (Y, names);
    end
  else
    Y = reshape (names(at), [], 1);
    if (isfloat (Y))
      Y(none) = NaN;
    end
  end
end

%!assert (knng.internal.label_values ([2; 0; 1], [5; 6]), [6; NaN; 5])
%!assert (knng.internal.label_values ([2; 0; 1], {'a'; 'bc'}), {'bc'; ''; 'a'})
%!assert (knng.internal.label_values ([1; 0], ['a '; 'bc']), ['a '; '  '])
%!assert (knng.internal.label_values ([2; 0; 1], [false; true]), [true; false; false])
%!assert (knng.internal.label_values (zeros (0, 1), {'a'}), cell (0, 1))
