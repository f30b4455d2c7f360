function draw_scale (ax, page, range, colours, what, whole)
%DRAW_SCALE  The COLOURS of the values from RANGE(1) to RANGE(2), in the corner at the top of a heat map, and above them WHAT the values are.
%   PAGE is that of KNNG.INTERNAL.HEAT_PAGE. WHOLE, true: the values are whole numbers, such as counts, and so are those beside the colours.

  if (nargin < 6)
    whole = false;
  end
  centre = page.size(1) - 1.4;
  style = {'fontsize', 8, 'horizontalalignment', 'center'};
  knng.internal.write_texts (ax, page.X (centre), page.Y (0.14), {what}, style{:});
  knng.internal.class_bar (ax, colours, page.X (centre + [-1.1, 1.1]), page.Y ([0.23, 0.36]));
  half = diff (range) / 2;
  whole = whole && floor (range(2)) > ceil (range(1));
  form = '%.4g';
  if (whole)
    form = '%.10g';
  end
  values = knng.internal.round_values (range, whole);
  x = page.X (centre + 1.1 * (values - mean (range)) / half);
  y = page.Y ([0.36; 0.4]);
  line (reshape ([x; x; NaN(size (x))], [], 1), repmat ([y; NaN], numel (x), 1), 'parent', ax, 'color', 'k', 'linewidth', 0.5);
  knng.internal.write_texts (ax, x, page.Y (0.49), arrayfun (@(v) sprintf (form, v), values, 'UniformOutput', false), style{:});
end

%!function texts = beside (range, varargin)
%!  lent = knng.internal.headless ();
%!  fig = figure ('visible', 'off');
%!  back = onCleanup (@() close (fig));
%!  hold ('on');
%!  page = struct ('size', [7 5], 'X', @(x) x, 'Y', @(y) y);
%!  knng.internal.draw_scale (gca (), page, range, [0 0 0; 1 1 1], 'what', varargin{:});
%!  texts = flipud (get (findobj (gca (), 'type', 'text'), 'string'))(2:end)';
%!endfunction
%!assert (beside ([0 1], true), {'0', '1'})
%!assert (beside ([0 1]), {'0', '0.2', '0.4', '0.6', '0.8', '1'})
%!assert (beside ([-0.5 0.5], true), beside ([-0.5 0.5]))   # not 0 alone
%!assert (beside ([0 27], true), beside ([0 27]))
%!assert (beside ([-3 30000], true)([1 end]), {'0', '30000'})
%!assert (beside ([-1e-3 1]){1}, '0')   # not -0
