function [inches, fig] = axes_inches (ax)
%AXES_INCHES  [left, bottom, wide, high] of axes on the paper of their figure, FIG, whatever their units are, in panels too.

  fig = ancestor (ax, 'figure');
  place = [0 0 1 1];
  while (~isequal (ax, fig))
    at = shares (ax);
    place = [at(1:2) + place(1:2) .* at(3:4), place(3:4) .* at(3:4)];
    ax = get (ax, 'parent');
  end
  paper = get (fig, 'paperposition');
  inches = place .* paper([3 4 3 4]);
end

function at = shares (h)
% Its position, in parts of what it stands in.
  units = get (h, 'units');
  if (strcmp (units, 'normalized'))
    at = get (h, 'position');
    return
  end
  set (h, 'units', 'normalized');
  at = get (h, 'position');
  set (h, 'units', units);
end

%!test
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off', 'paperposition', [0 0 8 6]);
%! ax = axes ('parent', fig, 'position', [0.25 0.5 0.5 0.25]);
%! [inches, of] = knng.internal.axes_inches (ax);
%! assert ({inches, of}, {[2 3 4 1.5], fig});
%! set (ax, 'units', 'pixels');
%! assert (knng.internal.axes_inches (ax), [2 3 4 1.5], 0.05);
%! assert (get (ax, 'units'), 'pixels');
%! p = uipanel (fig, 'position', [0.5 0 0.5 0.5]);
%! ax = axes ('parent', p, 'position', [0.25 0.5 0.5 0.25]);
%! [inches, of] = knng.internal.axes_inches (ax);
%! assert ({inches, of}, {[5 1.5 2 0.75], fig});
%! close (fig);
