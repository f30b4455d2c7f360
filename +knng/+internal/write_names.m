function write_names (ax, page, row_names, column_names, marks, bold)
%WRITE_NAMES  Names right of the rows of a heat map, and below its columns; or the names of the MARKS of KNNG.INTERNAL.MARKED_ROWS, apart
%   from each other, each with a line to its row, marks.at. PAGE is that of KNNG.INTERNAL.HEAT_PAGE. Rows that are BOLD, if given, have bold names.

  if (nargin < 6)
    bold = false (size (row_names));
  end
  weight = {'normal', 'bold'};
  for w = 1:2
    some = find (bold == w - 1);
    knng.internal.write_texts (ax, page.X (page.right + 0.05), some, row_names(some), 'fontsize', page.row_points, 'fontweight', weight{w});
  end
  knng.internal.write_texts (ax, 1:numel (column_names), page.Y (page.bottom + 0.05), column_names, 'fontsize', page.column_points, ...
                             'rotation', 90, 'horizontalalignment', 'right');
  ends = page.Y ([page.top, page.bottom]);
  at = knng.internal.apart (marks.at, 0.125 * diff (ends) / page.high, ends(1), ends(2));
  bend = page.X (page.right + [0.03, 0.1, 0.25, 0.32]);
  for i = 1:numel (at)
    line (bend, [marks.at([i i]), at([i i])], 'parent', ax, 'color', [0.4 0.4 0.4], 'linewidth', 0.5);
  end
  knng.internal.write_texts (ax, page.X (page.right + 0.35), at, marks.texts, 'fontsize', 8);
end
