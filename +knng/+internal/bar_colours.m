function shade = bar_colours (number)
%BAR_COLOURS  Colours, a row each, for the numbers of groups that bars beside a heat map show: neither blue nor orange, which are
%   values there, nor grey, which is no group, or many, nor nearly black. The first 10 differ in hue, the next 12 are as far from all before them as
%   those that are not too bright can be, those from 23 on as any can be; number 151 is like the first. 0, a missing one, is light grey.

  persistent colours
  if (isempty (colours))
    colours = [0 0.62 0.45; 0.58 0.30 0.65; 0.95 0.88 0.25; 0.93 0.55 0.75; 0.65 0.85 0.45; 0.75 0.10 0.30; 0.55 0.85 0.82; ...
               0.50 0.50 0.10; 0.80 0.72 0.92; 0 0.35 0.25];
    others = [knng.internal.heat_colours(); 0.2 0.2 0.2];
    bright = [0 0 1; 0 0.25 1; 0 0.5 1; 1 0.5 0];            % blue and orange as well
    colours = [colours; knng.internal.more_colours([colours; others; bright], 12, [30 90], [20 70])];
    more = knng.internal.more_colours ([colours; others], 150 - size (colours, 1), [26 92], [20 Inf]);
    colours = [0.85 0.85 0.85; colours; more];
  end
  shade = colours(1 + (number(:) > 0) .* (1 + mod (number(:) - 1, 150)), :);
end

%!assert (size (unique (knng.internal.bar_colours (0:150), 'rows')), [151 3])
%!assert (knng.internal.bar_colours (1), knng.internal.bar_colours (151))
%!test  # any two can be told apart, also from the colours of values and from the greys: CIE L*a*b*, in which 2.3 are just seen
%! c = [knng.internal.bar_colours(1:150); knng.internal.heat_colours(); 0.85 0.85 0.85; 0.6 0.6 0.6; knng.internal.missing_grey(); 0 0 0; 1 1 1];
%! lab = knng.internal.as_seen (c);
%! apart = sqrt (sumsq (permute (lab, [1 3 2]) - permute (lab, [3 1 2]), 3)) + 1e3 * eye (rows (c));
%! for least = [22 40 150; 24 22 13]
%!   some = 1:least(1);
%!   assert (min (min (apart(some, [some, 151:end]))) > min (least(2), 22));
%!   assert (min (min (apart(some, some))) > least(2));
%! end
%! assert (min (hypot (lab(1:150, 2), lab(1:150, 3))) > 19);   # no grey
%! assert (min (lab(1:150, 1)) > 25);                         # nor black
