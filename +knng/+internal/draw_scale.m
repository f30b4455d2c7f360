function draw_scale (ax, page, range, colours, what)
%DRAW_SCALE  The COLOURS of the values from RANGE(1) to RANGE(2), in the corner at the top of a heat map, and above them WHAT the values are.
%   PAGE is that of KNNG.INTERNAL.HEAT_PAGE.

  centre = page.size(1) - 1.4;
  style = {'parent', ax, 'fontsize', 8, 'horizontalalignment', 'center', 'interpreter', 'none'};
  text (page.X (centre), page.Y (0.14), what, style{:});
  knng.internal.class_bar (ax, colours, page.X (centre + [-1.1, 1.1]), page.Y ([0.23, 0.36]));
  half = diff (range) / 2;
  unit = 10 ^ floor (log10 (half));
  step = unit * max (1, floor (half / unit / 2));
  for v = step * (ceil (range(1) / step - 1e-9):floor (range(2) / step + 1e-9))
    x = page.X (centre + 1.1 * (v - mean (range)) / half);
    line ([x x], page.Y ([0.36, 0.4]), 'parent', ax, 'color', 'k', 'linewidth', 0.5);
    text (x, page.Y (0.49), sprintf ('%.4g', v), style{:});
  end
end
