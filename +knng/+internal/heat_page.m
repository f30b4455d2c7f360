function page = heat_page (what)
%HEAT_PAGE  Where all of a heat map stands, in inches from the left and the top; a struct for the functions that draw it. X and Y turn
%   inches into units of the axes, where the cells of the matrix are 1 to d and 1 to n. WHAT has the fields
%     shape       [n, d]
%     high        how high the cells are at least, together
%     trees       how wide the tree of the rows is, and how high those of the columns; 0 for none
%     beside      whether a bar stands beside the rows
%     clusters    names to the left of that bar, {} for none
%     kind, classes  the class of each column and their names, which stand above the bars if there is room; {} for none
%     keys        what else the key explains, as bars
%     bars        those of KNNG.INTERNAL.SAMPLE_BARS
%     row_names, column_names  {} for none
%     marks       of KNNG.INTERNAL.MARKED_ROWS, with their places

  [n, d] = deal (what.shape(1), what.shape(2));
  widest = @(texts, points) max ([0; knng.internal.text_inches(texts, points)]);
  page.row_points = 6 + 2 * (n <= 40);
  page.column_points = 6 + (d <= 40);
  page.cluster_points = 9 - 2 * (numel (what.clusters) > 30);
  page.cluster_gap = 1.2 * page.cluster_points / 72;
  left = 0.15;
  page.tree = left + [0, what.trees(1)];
  left = left + (what.trees(1) + 0.05) * (what.trees(1) > 0);
  if (what.beside)
    page.names_right = left + widest (what.clusters, page.cluster_points);
    page.bar = page.names_right + 0.25 * ~isempty (what.clusters) + [0, 0.16];
    left = page.bar(2) + 0.05;
  end
  right = 0.15 + max ([widest(what.row_names, page.row_points) + 0.05, (widest (what.marks.texts, 8) + 0.4) * ~isempty(what.marks.at), ...
                       widest({what.bars.name}, 8) + 0.05]);
  page.left = left;
  page.wide = max ([7 - left - right, 3.2, 0.092 * numel(what.column_names)]);
  page.right = left + page.wide;
  page.size = [page.right + right, 0];

  page.trees = 0.7 + [0, what.trees(2)];                     % below the title and the scale
  top = page.trees(2) + 0.03;
  keys = what.bars;
  page.class_texts = {};
  if (~isempty (what.classes))
    [page.class_texts, page.class_points] = knng.internal.class_texts (what.kind, what.classes, page.wide);
  end
  if (~isempty (page.class_texts))
    keys(1) = [];
    page.class_y = top + 0.1;
    top = top + 0.2;
  end
  page.bars = top + 0.2 * (0:numel (what.bars) - 1);
  page.top = top + 0.2 * numel (what.bars) + 0.02;
  page.high = max ([what.high, 0.105 * numel(what.row_names), 0.125 * numel(what.marks.at), page.cluster_gap * numel(what.clusters)]);
  page.bottom = page.top + page.high;
  page.key_left = 0.15;
  page.key_top = page.bottom + widest (what.column_names, page.column_points) + 0.15;
  [page.key, lines] = knng.internal.key_items ([what.keys, keys], page.size(1) - 0.3);
  page.size(2) = page.key_top + 0.18 * lines + 0.05;
  page.X = @(x) 0.5 + (x - page.left) * d / page.wide;
  page.Y = @(y) 0.5 + (y - page.top) * n / page.high;
end

%!test  # all in its place, from the left to the right and from the top to the bottom; names widen the page
%! bars = struct ('name', {'age'}, 'texts', {{'1 to 2'}}, 'shades', {{[0 0 0; 1 1 1]}}, 'of', {zeros(4, 3)});
%! what = struct ('shape', [10 4], 'high', 6, 'trees', [0.5 0.4], 'beside', true, 'clusters', {{}}, 'kind', ones (4, 1), 'classes', {{}}, ...
%!                'keys', bars([]), 'bars', bars, 'row_names', {{}}, 'column_names', {{}}, 'marks', struct ('texts', {{}}, 'at', []));
%! page = knng.internal.heat_page (what);
%! assert (issorted ([0, page.tree, page.bar, page.left, page.right, page.size(1)]));
%! assert (issorted ([0, page.trees, page.bars, page.top, page.bottom, page.key_top, page.size(2)]));
%! assert ([page.X([page.left, page.right]); page.Y([page.top, page.bottom])], [0.5 4.5; 0.5 10.5], 1e-12);
%! assert (page.size(1), 7, 1e-12);
%! what.row_names = {repmat('m', 1, 200)};
%! page = knng.internal.heat_page (what);
%! assert (page.wide, 3.2);
%! what.trees = [0 0];
%! what.beside = false;
%! page = knng.internal.heat_page (what);
%! assert (page.left, 0.15);
