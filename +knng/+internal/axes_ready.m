function [ax, back] = axes_ready ()
%AXES_READY  The current axes, emptied, to draw into; as for BACK, and without a screen, see KNNG.INTERNAL.FIGURE_READY.
%   The paper becomes as large as the window, unless the user has said what it is. (Octave's own reckoning is of another
%   window the first time.)

  [fig, back] = knng.internal.figure_ready ();
  auto = strcmp (get (fig, 'paperpositionmode'), 'auto');
  if (auto || isequal (get (fig, 'paperposition'), getappdata (fig, 'knng_paper')))
    units = get (fig, 'units');
    set (fig, 'units', 'pixels');
    place = get (fig, 'position');
    set (fig, 'units', units);
    knng.internal.paper (fig, place(3:4) / get (0, 'screenpixelsperinch'));
  end
  ax = newplot ();
  room = getappdata (ax, 'knng_room');                       % that knng.dendrogram has taken for names
  if (~isempty (room))
    if (isequal (get (ax, 'position'), room.is))
      set (ax, 'position', room.was);
    end
    rmappdata (ax, 'knng_room');
  end
end
