function [ax, back] = axes_ready ()
%AXES_READY  The current axes, emptied, to draw into; without a screen those of an invisible figure. Keep BACK until the
%   drawing is done: it takes back what KNNG.INTERNAL.HEADLESS did.

  back = [];
  if (exist ('OCTAVE_VERSION', 'builtin') && ~have_window_system ())
    back = knng.internal.headless ();
    if (isempty (get (0, 'currentfigure')))
      figure ('visible', 'off');
    end
  end
  ax = newplot ();
end
