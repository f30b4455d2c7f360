function draw_bars (ax, page, bars, kind)
%DRAW_BARS  The BARS of KNNG.INTERNAL.SAMPLE_BARS above a heat map, their names on the right; above the first, the classes, the names of
%   these where PAGE, of KNNG.INTERNAL.HEAT_PAGE, has them. KIND has the class of each column.

  d = numel (kind);
  for b = 1:numel (bars)
    y = page.Y (page.bars(b) + [0, 0.16]);
    knng.internal.class_bar (ax, bars(b).of, [0.5, d + 0.5], y);
  end
  knng.internal.write_texts (ax, page.X (page.right + 0.05), page.Y (page.bars + 0.08), {bars.name}, 'fontsize', 8);
  first = [1; find(diff (kind(:))) + 1; d + 1];
  if (~isempty (page.class_texts))
    knng.internal.write_texts (ax, (first(1:end - 1) + first(2:end)) / 2 - 0.5, page.Y (page.class_y), page.class_texts, ...
                               'horizontalalignment', 'center', 'fontsize', page.class_points, 'fontweight', 'bold');
  end
end
