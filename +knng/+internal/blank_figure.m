function [fig, back] = blank_figure (inches)
%BLANK_FIGURE  The current figure, emptied, white, [width, height] INCHES on paper; as for BACK, and without a screen, see
%   KNNG.INTERNAL.FIGURE_READY.

  [fig, back] = knng.internal.figure_ready ();
  clf (fig);
  set (fig, 'color', 'w', 'paperunits', 'inches', 'paperposition', [0 0 inches]);
end
