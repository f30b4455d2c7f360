function v = picked (v, row)
%PICKED  V(ROW), as a row, of a vector V of numbers, logicals, texts or characters; where ROW is 0 a value is missing: NaN, '' or a blank.

  v = reshape (v(max (row, 1)), 1, []);
  none = row == 0;
  if (~any (none))
    return
  elseif (iscell (v))
    v(none) = {''};
  elseif (ischar (v))
    v(none) = ' ';
  else
    v = double (v);
    v(none) = NaN;
  end
end

%!assert (knng.internal.picked ([5; 6], [2; 0; 1]), [6 NaN 5])
%!assert (knng.internal.picked ({'a'; 'b'}, [2; 0; 1]), {'b', '', 'a'})
%!assert (knng.internal.picked (['a'; 'b'], [2; 0; 1]), 'b a')
%!assert (knng.internal.picked (int8 ([5 6]), [0 1]), [NaN 5])
%!assert (knng.internal.picked ([true false], [2 1]), [false true])
