function draw_bars (ax, page, bars, kind)
%DRAW_BARS  The BARS of KNNG.INTERNAL.SAMPLE_BARS above a heat map, their names on the right; above the first, the classes, the names of
%   these where PAGE, of KNNG.INTERNAL.HEAT_PAGE, has them. KIND has the class of each column.

  d = numel (kind);
  for b = 1:numel (bars)
    y = page.Y (page.bars(b) + [0, 0.08, 0.16]);
    knng.internal.class_bar (ax, bars(b).of, [0.5, d + 0.5], y([1 3]));
    text (page.X (page.right + 0.05), y(2), bars(b).name, 'parent', ax, 'fontsize', 8, 'interpreter', 'none');
  end
  first = [1; find(diff (kind(:))) + 1; d + 1];
  for r = 1:numel (page.class_texts)
    text ((first(r) + first(r + 1)) / 2 - 0.5, page.Y (page.class_y), page.class_texts{r}, 'parent', ax, 'horizontalalignment', ...
          'center', 'fontsize', page.class_points, 'fontweight', 'bold', 'interpreter', 'none');
  end
end
