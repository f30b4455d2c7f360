function L = number_loss (Y, yfit, kind)
%NUMBER_LOSS  How far predictions are off, 1-by-p: the mean over the rows of squares ('mse') or sizes ('mae') of Y - YFIT.
%   Rows where one of the two is NaN are left out, column by column; where none remains L is NaN.

  off = double (Y) - yfit;
  if (strcmpi (kind, 'mse'))
    off = off .* off;
  else
    off = abs (off);
  end
  on = ~isnan (off);
  off(~on) = 0;
  L = sum (off, 1) ./ sum (on, 1);
end

%!assert (knng.internal.number_loss ([1 2; 3 NaN; 5 6], [1 4; 5 1; NaN 6], 'mse'), [2 2])
%!assert (knng.internal.number_loss ([1 2; 3 NaN], [2 NaN; 5 1], 'mae'), [1.5 NaN])
