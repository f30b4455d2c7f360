function [fig, back] = figure_ready ()
%FIGURE_READY  The current figure; without a screen, an invisible one. Keep BACK until the drawing is done, or has failed: it then
%   makes the texts of the figure safe (KNNG.INTERNAL.AS_THEY_ARE), and takes back what KNNG.INTERNAL.HEADLESS did.

  former = [];
  octave = exist ('OCTAVE_VERSION', 'builtin') ~= 0;
  if (octave && have_window_system () && ~isempty (available_graphics_toolkits ()))
    knng.internal.lend_font ();
    warned = warning ('off', 'Octave:gnuplot-graphics');     % eight lines, where the first figure loads gnuplot
    former = onCleanup (@() warning (warned));
  elseif (octave)
    former = knng.internal.headless ();
    if (isempty (get (0, 'currentfigure')))
      figure ('visible', 'off');
    else
      set (gcf (), 'visible', 'off');                        % gnuplot would draw it in letters on the terminal
    end
  end
  fig = gcf ();
  back = onCleanup (@() done (fig, former));
end

function done (fig, former)   %#ok<INUSD>
  if (exist ('OCTAVE_VERSION', 'builtin') ~= 0 && ishandle (fig))
    texts = knng.internal.all_texts (fig);
    knng.internal.as_they_are (fig, texts);
    knng.internal.vanishing (fig, texts);
  end
end
