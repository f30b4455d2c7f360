function shade = bar_colours (number)
%BAR_COLOURS  Colours, a row each, for the numbers of groups that bars beside a heat map show: neither blue nor orange, which are
%   values there. The first 11 differ in hue, the next are paler, those from 23 on far from all before; number 151 is like the first. 0, a missing
%   one, is light grey.

  persistent colours
  if (isempty (colours))
    colours = [0 0.62 0.45; 0.58 0.30 0.65; 0.95 0.88 0.25; 0.2 0.2 0.2; 0.93 0.55 0.75; 0.65 0.85 0.45; 0.75 0.10 0.30; ...
               0.55 0.85 0.82; 0.50 0.50 0.10; 0.80 0.72 0.92; 0 0.35 0.25];
    colours = [colours; 0.45 * colours + 0.55];
    more = knng.internal.more_colours ([colours; knng.internal.heat_colours()], 150 - size (colours, 1), [12 92]);
    colours = [0.85 0.85 0.85; colours; more];
  end
  shade = colours(1 + (number(:) > 0) .* (1 + mod (number(:) - 1, 150)), :);
end

%!assert (size (unique (knng.internal.bar_colours (0:150), 'rows')), [151 3])
%!assert (knng.internal.bar_colours (1), knng.internal.bar_colours (151))
%!test  # any two differ, also from the colours of values
%! c = [knng.internal.bar_colours(23:80); knng.internal.heat_colours()];
%! apart = sqrt (sum ((permute (c, [1 3 2]) - permute (c, [3 1 2])) .^ 2, 3));
%! assert (all (all (apart(1:58, :) + 9 * eye (58, rows (c)) > 0.07)));
