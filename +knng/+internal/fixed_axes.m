function ax = fixed_axes (in, place, across, up, varargin)
%FIXED_AXES  Invisible axes of the figure or panel IN, with the limits ACROSS and UP, to which all that is drawn is added.
%   Without it Octave works out limits and ticks anew, and the size of each number beside these, whenever a text or a line
%   comes or goes, which takes several times as long as the text. VARARGIN: more properties.

  ax = axes ('parent', in, 'position', place, 'visible', 'off', 'xlim', across, 'ylim', up, 'xtick', [], 'ytick', [], 'ztick', [], ...
             'zlimmode', 'manual', 'climmode', 'manual', 'alimmode', 'manual', varargin{:});
  hold (ax, 'on');
end

%!test
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! ax = knng.internal.fixed_axes (fig, [0 0 1 1], [0 7], [0 5], 'ydir', 'reverse');
%! text (3, 9, 'outside', 'parent', ax);
%! line ([-5 8], [0 99], [1 2], 'parent', ax);
%! image ([1 20], [1 30], zeros (2, 2, 3), 'parent', ax);
%! assert (numel (get (ax, 'children')), 3);
%! assert (get (ax, {'xlim', 'ylim', 'ydir', 'visible'}), {[0 7], [0 5], 'reverse', 'off'});
%! assert (all (strcmp (get (ax, {'xlimmode', 'ylimmode', 'zlimmode', 'climmode', 'alimmode', 'xtickmode', 'ytickmode', 'ztickmode'}), 'manual')));
