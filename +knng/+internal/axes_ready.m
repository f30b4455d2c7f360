function [ax, back] = axes_ready ()
%AXES_READY  The current axes, emptied, to draw into; as for BACK, and without a screen, see KNNG.INTERNAL.FIGURE_READY.

  [~, back] = knng.internal.figure_ready ();
  ax = newplot ();
end
