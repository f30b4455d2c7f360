function [fig, back] = figure_ready ()
%FIGURE_READY  The current figure; without a screen, an invisible one. Keep BACK until the drawing
%   is done: it takes back what KNNG.INTERNAL.HEADLESS did.

  back = [];
  octave = exist ('OCTAVE_VERSION', 'builtin') ~= 0;
  if (octave && have_window_system () && ~isempty (available_graphics_toolkits ()))
    knng.internal.lend_font ();
    former = warning ('off', 'Octave:gnuplot-graphics');     % eight lines, where the first figure loads gnuplot
    back = onCleanup (@() warning (former));
  elseif (octave)
    back = knng.internal.headless ();
    if (isempty (get (0, 'currentfigure')))
      figure ('visible', 'off');
    else
      set (gcf (), 'visible', 'off');                        % gnuplot would draw it in letters on the terminal
    end
  end
  fig = gcf ();
end
