function colours = heat_colours ()
%HEAT_COLOURS  The 65 colours of values, a row each: the darkest blue the lowest, white in the middle, the darkest orange the highest.

  colours = interp1 ([-1 -0.5 0 0.5 1], [0.03 0.19 0.42; 0.25 0.56 0.80; 0.97 0.97 0.97; 0.93 0.55 0.23; 0.45 0.18 0], ...
                     linspace (-1, 1, 65));
end
