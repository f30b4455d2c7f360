function values = round_values (range, whole)
%ROUND_VALUES  Some three to seven round values from RANGE(1) to RANGE(2), a row, to stand beside a scale. WHOLE, true: whole numbers.

  half = diff (range) / 2;
  unit = 10 ^ floor (log10 (half));
  step = unit * max (1, floor (half / unit / 2));
  if (nargin > 1 && whole)
    step = max (1, step);
  end
  values = step * (ceil (range(1) / step - 1e-9):floor (range(2) / step + 1e-9)) + 0;
end

%!assert (knng.internal.round_values ([-2.3, 2.3]), -2:2)
%!assert (knng.internal.round_values ([0, 116]), 0:20:100)
%!assert (knng.internal.round_values ([0.2, 0.9], true), zeros (1, 0))
