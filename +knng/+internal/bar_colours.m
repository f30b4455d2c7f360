function shade = bar_colours (number)
%BAR_COLOURS  Colours, a row each, for the numbers of groups that bars beside a heat map show: neither blue nor orange, which are
%   values there. The first 11 differ in hue, the next are paler; number 23 is like the first. 0, a missing one, is light grey.

  colours = [0 0.62 0.45; 0.58 0.30 0.65; 0.95 0.88 0.25; 0.2 0.2 0.2; 0.93 0.55 0.75; 0.65 0.85 0.45; 0.75 0.10 0.30; ...
             0.55 0.85 0.82; 0.50 0.50 0.10; 0.80 0.72 0.92; 0 0.35 0.25];
  colours = [0.85 0.85 0.85; colours; 0.45 * colours + 0.55];
  shade = colours(1 + (number(:) > 0) .* (1 + mod (number(:) - 1, 22)), :);
end

%!assert (size (unique (knng.internal.bar_colours (0:22), 'rows')), [23 3])
%!assert (knng.internal.bar_colours (1), knng.internal.bar_colours (23))
