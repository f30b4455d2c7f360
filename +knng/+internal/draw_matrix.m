function h = draw_matrix (ax, Z, range, colours)
%DRAW_MATRIX  The values of Z in COLOURS, missing ones in the grey of KNNG.INTERNAL.MISSING_KEY, one cell of the axes for each; h is the image. RANGE is a row of the values
%   that have the first and the last colour; what is beyond has these too. Of more than 2 000 rows (columns) some share a line: their mean.

  [n, d] = size (Z);
  levels = size (colours, 1);
  small = shrink (shrink (Z, 2000)', 2000)';
  level = round ((max (min ((small - mean (range)) / (diff (range) / 2), 1), -1) + 1) / 2 * (levels - 1)) + 1;
  level(isnan (small)) = levels + 1;
  shade = [colours; knng.internal.missing_grey()];
  h = image ([1 + (d / size (small, 2) - 1) / 2, d - (d / size (small, 2) - 1) / 2], ...
             [1 + (n / size (small, 1) - 1) / 2, n - (n / size (small, 1) - 1) / 2], ...
             cat (3, reshape (shade(level, 1), size (level)), reshape (shade(level, 2), size (level)), ...
                  reshape (shade(level, 3), size (level))), 'parent', ax);
end

function Z = shrink (Z, most)
% The means of so many rows each that at most MOST are left.
  n = size (Z, 1);
  if (n <= most)
    return
  end
  at = ceil ((1:n)' * most / n);
  S = sparse (at, 1:n, 1, most, n);
  known = ~isnan (Z);
  Z(~known) = 0;
  Z = full (S * Z) ./ full (S * known);
end
