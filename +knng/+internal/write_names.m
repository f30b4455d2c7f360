function write_names (ax, page, row_names, column_names, marks, bold)
%WRITE_NAMES  Names right of the rows of a heat map, and below its columns; or the names of the MARKS of KNNG.INTERNAL.MARKED_ROWS, apart
%   from each other, each with a line to its row, marks.at. PAGE is that of KNNG.INTERNAL.HEAT_PAGE. Rows that are BOLD, if given, have bold names.

  style = {'parent', ax, 'interpreter', 'none', 'fontsize'};
  if (nargin < 6)
    bold = false (size (row_names));
  end
  weight = {'normal', 'bold'};
  for i = 1:numel (row_names)
    text (page.X (page.right + 0.05), i, row_names{i}, style{:}, page.row_points, 'fontweight', weight{1 + bold(i)});
  end
  for j = 1:numel (column_names)
    text (j, page.Y (page.bottom + 0.05), column_names{j}, style{:}, page.column_points, 'rotation', 90, 'horizontalalignment', 'right');
  end
  ends = page.Y ([page.top, page.bottom]);
  at = knng.internal.apart (marks.at, 0.125 * diff (ends) / page.high, ends(1), ends(2));
  bend = page.X (page.right + [0.03, 0.1, 0.25, 0.32]);
  for i = 1:numel (at)
    line (bend, [marks.at([i i]), at([i i])], 'parent', ax, 'color', [0.4 0.4 0.4], 'linewidth', 0.5);
    text (page.X (page.right + 0.35), at(i), marks.texts{i}, style{:}, 8);
  end
end
