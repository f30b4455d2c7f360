function wide = text_inches (texts, points)
%TEXT_INCHES  About how wide TEXTS, a cell, are in letters of so many POINTS: a column, rather too wide than too narrow.
%   In letters of Helvetica's kind; what is not ASCII counts as one letter m.

  if (isempty (texts))
    wide = zeros (0, 1);
    return
  end
  ems = 0.56 * ones (1, 256);
  ems(double (' !''(),-./:;I[]fijlrt|') + 1) = 0.33;
  ems(double ('ABCDEFGHJKLNOPQRSTUVXYZ&+<=>~w') + 1) = 0.72;
  ems(double ('MW@%m') + 1) = 0.92;
  ems(129:192) = 0;                                          % the bytes of UTF-8 behind the first
  ems(193:256) = 0.92;
  wide = cellfun (@(t) sum (ems(min (double (t(:)), 255) + 1)), texts(:)) * points / 72;
end

%!test
%! wide = knng.internal.text_inches ({'', 'ill', 'WWW', char([195 164])}, 72);
%! assert (wide, [0; 0.99; 2.76; 0.92], 1e-12);
%! assert (knng.internal.text_inches ({}, 8), zeros (0, 1));
