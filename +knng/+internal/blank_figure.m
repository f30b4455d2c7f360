function [fig, back] = blank_figure ()
%BLANK_FIGURE  The current figure, emptied and white; as for BACK, and without a screen, see KNNG.INTERNAL.FIGURE_READY.

  [fig, back] = knng.internal.figure_ready ();
  clf (fig);
  set (fig, 'color', 'w');
end
