function whole_figure (fig, ax)
%WHOLE_FIGURE  Ends a picture that is all of a figure: AX are its axes for TITLE and the like, and what is drawn next, by whatever,
%   takes the place of the whole picture and is not drawn over it. An emptied figure is as any other. A window becomes as large as
%   the paper, if the screen is, since letters do not shrink.

  set (fig, 'currentaxes', ax, 'nextplot', 'replacechildren');
  set (ax, 'deletefcn', @(varargin) free (fig));
  screen = get (0, 'screensize');
  if (strcmp (get (fig, 'visible'), 'on') && strcmp (get (fig, 'windowstyle'), 'normal') && all (screen(3:4) > 300))
    paper = get (fig, 'paperposition');
    units = get (fig, 'units');
    set (fig, 'units', 'pixels');
    place = get (fig, 'position');
    pixels = min (round (paper(3:4) * get (0, 'screenpixelsperinch')), round (0.9 * screen(3:4)));
    set (fig, 'position', [place(1), max(place(2) + place(4) - pixels(2), 1), pixels]);
    set (fig, 'units', units);
  end
end

function free (fig)
  if (ishandle (fig) && strcmp (get (fig, 'beingdeleted'), 'off'))
    set (fig, 'nextplot', 'add');
  end
end

%!test
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! count = @() numel (findobj (fig, 'type', 'axes'));
%! for draw = {@() bar(1:3), @() knng.scatter([1 2; 3 4]), @() knng.heatmap(magic (3))}
%!   knng.profile (struct ('X', magic (4)), [2 3; 1 3; 1 2; 1 2], 1);
%!   draw{1} ();
%!   assert (count (), 1);
%! end
%! clf (fig);
%! for i = 1:2                                               # after clf nothing is taken away
%!   subplot (1, 2, i);
%!   knng.scatter ([1 2; 3 4]);
%! end
%! assert (count (), 2);
%! knng.heatmap (magic (3));
%! hold ('on');
%! bar (1:3);                                                # what is held stays
%! assert (numel (findobj (fig, 'type', 'image')) > 1);
