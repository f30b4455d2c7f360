function moves = still (ax)
%STILL  Axes that stay as they are, limits and ticks, while much is drawn into them. What of it was automatic is so again when MOVES, an
%   onCleanup object, goes. Octave works it out anew for each line and each text, which takes several times as long as these.

  modes = {'xlimmode', 'ylimmode', 'zlimmode', 'climmode', 'alimmode', 'xtickmode', 'ytickmode', 'ztickmode'};
  auto = modes(strcmp (get (ax, modes), 'auto'));
  set_all (ax, auto, 'manual');
  moves = onCleanup (@() set_all (ax, auto, 'auto'));
end

function set_all (ax, modes, value)
  if (ishandle (ax) && ~isempty (modes))
    set (ax, modes, repmat ({value}, size (modes)));
  end
end

%!test
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! other = axes ('parent', fig);
%! ax = axes ('parent', fig, 'ylim', [0 5], 'xscale', 'log');
%! moves = knng.internal.still (ax);
%! former = get (ax, {'xlim', 'xtick', 'xticklabel'});
%! for a = [ax, other]
%!   line ([3 70], [1 2], 'parent', a);
%!   set (a, 'xscale', 'log', 'ylim', [0 5]);
%! end
%! assert (get (ax, {'xlim', 'xtick', 'xticklabel'}), former);
%! clear moves                                               # as if it had never been
%! same = {'xlim', 'ylim', 'zlim', 'clim', 'alim', 'xtick', 'ytick', 'xticklabel', 'xlimmode', 'ylimmode', 'zlimmode', 'climmode', 'alimmode', ...
%!         'xtickmode', 'ytickmode', 'ztickmode'};
%! assert (get (ax, same), get (other, same));
%! assert (get (ax, {'xlimmode', 'ylimmode'}), {'auto', 'manual'});
%! moves = knng.internal.still (ax);
%! delete (ax);
%! clear moves
