function [s, h] = clustergram (ds, varargin)
%KNNG.CLUSTERGRAM  Draw a matrix in colours, and trees of its rows and columns.
%   knng.clustergram (ds) draws into the current figure, in place of what is
%   there: a line for each of the n rows of the data set (genes), a column for
%   each of the d samples; high values orange, low ones blue, missing ones grey,
%   which the key below counts ('value  none, 13'). On the left stands the tree
%   of the rows, on top that of the columns, both by knng.linkage, and each leaf
%   beside its cells.
%   s = knng.clustergram (...) returns a struct, see below.
%   [s, h] = knng.clustergram (...) also returns the handle of the image.
%   [...] = knng.clustergram (..., 'Name', value, ...) takes options.
%
%     ds  as knng.read returns it; or a matrix, n-by-d
%
%   Options:
%
%     'Standardize'       'row': each row less its mean, in units of its
%                         standard deviation (one value alone has none and is
%                         grey); 'column': each column; 'none': the values
%                         themselves. Trees are of what is drawn; default
%                         'row', but 'none' of one sample
%     'Cluster'           'all': both trees; 'column': that of the rows alone;
%                         'row': that of the columns alone. (MATLAB's words:
%                         along the columns rows are joined.) What has no tree
%                         stays in its order; default 'all'
%     'RowPDist'          the metric of knngraph between rows, default
%                         'euclidean'
%     'ColumnPDist'       that between columns, default 'euclidean'
%     'Linkage'           the method of knng.linkage, or a cell of two, for rows
%                         and columns; default 'average'
%     'OptimalLeafOrder'  true: neighbours are as alike as the tree allows
%                         (knng.optimalleaforder); false: as knng.linkage has
%                         them; default: true up to 2 000 rows (columns)
%     'MaxClust'          the number of clusters of rows, or [rows, columns]:
%                         each has a colour in its tree and in a bar, and lines
%                         stand between them; default [], none
%     'Dendrogram'        a height: what hangs together below it in a tree gets
%                         a colour of its own, of 20 that come again, those that
%                         no bar has; 'default' is 0.7 of the largest; or two,
%                         of rows and columns, in a row or, as {'default', []},
%                         in a cell; default [], no colours but those of
%                         'MaxClust'. s.RowTree(:,3) has the heights
%     'Colormap'          colours of the values, a row [red, green, blue] each,
%                         from 0 to 1, of the lowest first; or a function that
%                         makes so many, such as @jet; or the name of a colour
%                         map that there is, such as 'jet'; default: from blue
%                         to orange, which the colour-blind can tell apart
%     'DisplayRange'      the value that has the last colour, and everything
%                         beyond it; the first is at its negative; between 1e-30
%                         and 1e30. 0: chosen so that 98 of 100 values lie
%                         within; default 0
%     'SymmetricRange'    false: the colours go from the lowest to the highest
%                         value, but for 1 of 100 at either end, and not beyond
%                         'DisplayRange' or its negative, where that is given:
%                         of values from 1 to 9, 5 gives 1 to 5. Default: true,
%                         but false where no value is below 0
%     'RowLabels'         n texts or numbers for the rows, in place of ds.names
%                         and, where there are any, ds.symbols before them;
%                         'Labels' is the same; default {}
%     'ColumnLabels'      d for the columns, in place of ds.samples; default {}
%     'CallOut'           names, symbols or labels of rows, or their numbers:
%                         they have their names on the right, each with a line
%                         to its row; in bold, where there is room for the names
%                         of all rows. Of a symbol all rows; at most 200;
%                         default {}
%     'Phenotypes'        what is known of the samples, a bar on top for each,
%                         as in knng.heatmap; that of ds.classes is the first;
%                         default {}
%     'Subset'            the rows that are drawn: their names, symbols or
%                         labels, or numbers, or a mark (true) for each; default
%                         {}, all
%     'MaxMemory', 'Threads', 'Progress'  as in knng.linkage
%
%   1, 2 and 3 stand for 'column', 'row' and 'none' or 'all', as in MATLAB; true
%   and false for 'row' and 'none' of 'Standardize', as in knng.heatmap.
%
%   Fields of s. Rows and columns have their numbers in ds, whatever is drawn:
%
%     RowOrder, ColumnOrder    columns of numbers: the picture shows
%                              ds.X(s.RowOrder,s.ColumnOrder)
%     RowTree, ColumnTree      the trees, as knng.linkage returns them, [] for
%                              none. Leaf i of RowTree is the i-th of the rows
%                              drawn, by their numbers
%     RowClusters, ColumnClusters  n-by-1, d-by-1: the cluster of each, counted
%                              as by knng.cluster, 1 without 'MaxClust'; NaN for
%                              a row that is not drawn, and for all that has no
%                              value, which is grey in the bar, too
%     RowLabels, ColumnLabels  the names, from the top and from the left;
%                              numbers in ds where it has none
%
%   For the trees, and for them alone, missing and infinite values are filled
%   in: by knng.impute from the 10 nearest rows, and where that cannot, by the
%   mean of the row. A warning counts rows (columns) without any value, which
%   stand somewhere in the tree, and says how to leave them out. By a
%   correlation constant rows have no distances: an error names one, and
%   knng.filterrows leaves them out.
%
%   Up to 60 rows (columns) have their names, or numbers, beside them. Of more
%   than 2 000 some share a line of the picture, whose mean is drawn; the tree
%   has a leaf for each. Of more than 400 the branches of few leaves are pale. A
%   key below says how many are in each cluster and class. A class has the
%   colour that it has in knng.heatmap; no colour is one of the default colours
%   of values, grey or nearly black, and no two are alike up to 150 in all. Of
%   more than 40 clusters or labels the 39 largest have colours, and the others
%   are grey.
%   knng.heatmap draws clusters from elsewhere, and samples class by class. The
%   page of knng.explore has a clustergram of the same order, to zoom and select
%   in.
%
%   No screen is needed: without one the figure is invisible, in Octave drawn by
%   gnuplot where that is installed, and print makes a file of it, of the size
%   that the picture needs.
%
%   As clustergram of MATLAB's Bioinformatics Toolbox. That returns an object to
%   click on, and its defaults of 'Standardize' and 'DisplayRange' are others.
%
%   Cost: that of knng.linkage for both trees, O(n^2*d), and up to O(n^3) for
%   the order: 5 000 rows of 38 columns take 2 seconds of one core, with it 17.
%   Memory: 8*n^2 bytes for the table of knng.linkage, which 'MaxMemory' limits,
%   and 40*n^2 in all where the order is sought.
%
%   Errors: knng:args:ds; knng:args:labels (not one for each sample);
%   knng:args:name (no such row); knng:data:rows (a row without distances);
%   knng:args:metric, :option, :maxMemory, :unknownOption, :count; knng:io:open,
%   knng:io:format, knng:io:truncated (the file of 'Phenotypes');
%   knng:memory:host; knng:toolbox:noGraphics (no gnuplot); knng:interrupted.
%   Warnings: knng:args:euclidean, as knng.linkage; knng:toolbox:letters, as
%   knng.scatter; knng:data:nonFinite (rows or columns without any value);
%   knng:data:metadata, as knng.explore;
%   knng:args:option ('MaxClust' or 'Dendrogram' of rows or columns that have no
%   tree). That of tables of distances is not given: knng:data:distances.
%
%   Source: M. Eisen, P. Spellman, P. Brown, D. Botstein, Cluster analysis and
%   display of genome-wide expression patterns, PNAS 95 (1998) 14863-14868.
%
%   Example:
%     X = [repmat([1 1 5 5], 20, 1); repmat([4 3 1 1], 30, 1)];
%     X = X + mod ((1:50)' * [0.37 0.71 0.13 0.93], 1);
%     s = knng.clustergram (X, 'MaxClust', [2 2], 'Linkage', 'ward');
%     isequal (s.RowClusters, [ones(20, 1); 2 * ones(30, 1)])   % 1
%     s.ColumnClusters'                                         % 1 1 2 2
%
%   See also knng.heatmap, knng.explore, knng.dendrogram, knng.linkage,
%   knng.cluster, knng.optimalleaforder, knng.read.

  if (nargin < 1)
    error ('knng:args:count', 'knng.clustergram needs a data set or a matrix, as in knng.clustergram (ds): see help knng.clustergram');
  end
  name = 'ds.X';
  if (isnumeric (ds))
    name = 'X';
    ds = struct ('X', ds);
  end
  ds = knng.internal.check_ds (ds);
  [n, d] = size (ds.X);
  opt = struct ('Standardize', 'row', 'Cluster', 'all', 'RowPDist', 'euclidean', 'ColumnPDist', 'euclidean', 'Linkage', 'average', ...
                'OptimalLeafOrder', [], 'MaxClust', [], 'Dendrogram', [], 'Colormap', [], 'DisplayRange', 0, 'SymmetricRange', [], 'RowLabels', {{}}, ...
                'ColumnLabels', {{}}, 'CallOut', {{}}, 'Phenotypes', {{}}, 'Subset', {{}}, 'MaxMemory', [], 'Threads', [], ...
                'Progress', 'auto');
  [opt, given] = knng.internal.options (opt, varargin);
  how = knng.internal.engine (given, {'MaxMemory', 'Threads', 'Progress'});
  limit = reshape (repmat (strcmp (how(1:2:end), 'MaxMemory'), 2, 1), 1, []);
  how = struct ('tree', {how}, 'rest', {how(~limit)});
  opt = check (opt, n, d, any (strcmp (given(1:2:end), 'Standardize')));
  part = rows_of (ds, opt);
  marks = marks_of (ds, opt, part);
  phenotypes = knng.internal.phenotypes (ds, opt.Phenotypes);
  knng.internal.built ();

  [Z, F] = knng.internal.heat_values (ds.X(part, :), opt.Standardize, how.rest);
  known = ~isnan (Z);
  if (opt.trees(1))
    check_distances (F, opt, 'RowPDist', 'row', part);
  end
  if (opt.trees(2))
    check_distances (F', opt, 'ColumnPDist', 'column', 1:d);
  end
  knng.internal.warn_empty (known, opt.trees, part, ds, name);
  side = struct ('metric', {opt.RowPDist, opt.ColumnPDist}, 'method', opt.Linkage, 'clusters', num2cell (opt.MaxClust));
  side(1).known = any (known, 2);                            % rows and columns without any value are in no cluster
  side(2).known = any (known, 1)';
  side = [tree_of(F, opt.trees(1), side(1), opt, how), tree_of(F', opt.trees(2), side(2), opt, how)];
  rows = part(side(1).order);
  columns = side(2).order;
  Z = Z(side(1).order, columns);

  texts = {knng.internal.row_texts(ds, opt.RowLabels, rows), column_texts(ds, opt.ColumnLabels, columns)};
  names = cell (1, 2);                                       % those that have room
  for i = 1:2
    if (numel (texts{i}) <= 60)
      names{i} = knng.internal.short_texts (texts{i});
    end
  end
  bold = false (size (names{1}));
  [~, place] = ismember (marks.rows(:)', rows);
  if (numel (rows) <= 60)
    bold(place) = true;
    marks = struct ('rows', [], 'texts', {{}}, 'at', []);
  else
    [marks.at, order] = sort (place);
    marks.texts = marks.texts(order);
  end
  [beside, bars, shades] = bars_of (side, phenotypes, ~isempty (ds.classes));
  range = range_of (Z, opt);

  [fig, back] = knng.internal.blank_figure ();               %#ok<ASGLU>
  page = knng.internal.heat_page (struct ('shape', size (Z), 'high', min (6, max (1.2, 0.3 * size (Z, 1))), ...
                                          'trees', [1.1, 0.75] .* [~isempty(side(1).Z), ~isempty(side(2).Z)], ...
                                          'beside', ~isempty (beside), 'clusters', {{}}, 'kind', [], 'classes', {{}}, 'keys', [beside, knng.internal.missing_key(Z)], ...
                                          'bars', bars, 'row_names', {names{1}}, 'column_names', {names{2}}, 'marks', marks));
  knng.internal.paper (fig, page.size);
  ax = knng.internal.fixed_axes (fig, [0 0 1 1], page.X ([0, page.size(1)]), page.Y ([0, page.size(2)]), 'ydir', 'reverse');
  drawn = knng.internal.draw_matrix (ax, Z, range, opt.Colormap);
  knng.internal.draw_bars (ax, page, bars, ones (d, 1));
  if (~isempty (beside))
    knng.internal.class_bar (ax, permute (beside.of, [1 3 2]), page.X (page.bar), [0.5, size(Z, 1) + 0.5]);
  end
  draw_trees (ax, page, side, shades, opt.Dendrogram, vertcat (beside.colours, bars.colours, zeros (0, 3)));
  draw_edges (ax, page, side, ~isempty (beside));
  knng.internal.write_names (ax, page, names{1}, names{2}, marks, bold);
  knng.internal.heat_title (ax, page, size (Z, 1), max (side(1).T), d);
  what = struct ('row', 'standard deviations from the row''s mean', 'column', 'standard deviations from the column''s mean', 'none', 'value');
  knng.internal.draw_scale (ax, page, range, opt.Colormap, what.(opt.Standardize), all (isnan (Z(:)) | Z(:) == fix (Z(:))));
  knng.internal.draw_key (ax, page.key, @(x) page.X (page.key_left + x), @(y) page.Y (page.key_top + y));
  knng.internal.whole_figure (fig, ax);
  if (nargout > 0)                                           % else it would print ans
    T = NaN (n, 1);
    T(part) = side(1).T;
    T(part(~side(1).known)) = NaN;
    side(2).T(~side(2).known) = NaN;
    [row_labels, column_labels] = texts{:};
    s = struct ('RowOrder', rows, 'ColumnOrder', columns, 'RowTree', side(1).Z, 'ColumnTree', side(2).Z, 'RowClusters', T, ...
                'ColumnClusters', side(2).T, 'RowLabels', {row_labels(:)}, 'ColumnLabels', {column_labels(:)});
    h = drawn;
  end
end

function opt = check (opt, n, d, standardize)
% The options as they are used from here on; trees says which of both there are.
  if (islogical (opt.Standardize) && numel (opt.Standardize) == 1)
    ways = {'none', 'row'};
    opt.Standardize = ways{1 + opt.Standardize};
  end
  opt.Standardize = choice ('Standardize', opt.Standardize, {'column', 'row', 'none'});
  if (d == 1 && ~standardize)
    opt.Standardize = 'none';
  end
  opt.Cluster = choice ('Cluster', opt.Cluster, {'column', 'row', 'all'});
  opt.trees = [~strcmp(opt.Cluster, 'row'), ~strcmp(opt.Cluster, 'column')];
  for name = {'RowPDist', 'ColumnPDist'}
    if (~ischar (opt.(name{1})) || size (opt.(name{1}), 1) ~= 1 || ndims (opt.(name{1})) > 2)
      error ('knng:args:metric', '''%s'' is %s: it must be a metric of knngraph, such as ''euclidean'' or ''pearson''', name{1}, ...
             knng.internal.given (opt.(name{1})));
    end
    opt.asked.(name{1}) = opt.(name{1});
    opt.(name{1}) = knng.internal.metric (opt.(name{1}));
  end
  if (~iscell (opt.Linkage))
    opt.Linkage = {opt.Linkage};
  end
  if (~any (numel (opt.Linkage) == [1 2]))
    error ('knng:args:option', '''Linkage'' is %s: it must be one method, or a cell of two, of the rows and of the columns', ...
           knng.internal.given (opt.Linkage));
  end
  opt.Linkage = reshape (opt.Linkage([1 end]), 1, 2);
  for i = 1:2
    opt.Linkage{i} = knng.internal.check_choice ('Linkage', opt.Linkage{i}, knng.internal.linkage_methods ());
  end
  for name = {'OptimalLeafOrder', 'SymmetricRange'}
    if (~(isnumeric (opt.(name{1})) && isempty (opt.(name{1}))))
      knng.internal.check_flag (name{1}, opt.(name{1}));
    end
  end
  c = opt.MaxClust;
  if (~isnumeric (c) || numel (c) > 2 || ~knng.internal.whole (c, 1, 2 ^ 53))
    error ('knng:args:option', '''MaxClust'' is %s: it must be a whole number, 1 or more, or two, of the rows and of the columns', ...
           knng.internal.given (c));
  end
  opt.MaxClust = [double(full (c(:)')), ones(1, 2 - numel (c))];
  [opt.Dendrogram, two] = thresholds (opt.Dendrogram);
  sides = {'rows', 'columns'};
  warn_without_tree (opt, numel (c), two, sides);
  for i = find (opt.MaxClust > 1 & ~isnan (opt.Dendrogram))
    error ('knng:args:option', ['''MaxClust'' and ''Dendrogram'' both colour the tree of the %s: leave out one of them, as [] in ''Dendrogram'', ' ...
           '{[], 1}'], sides{i});
  end
  opt.Colormap = knng.internal.colour_map (opt.Colormap, knng.internal.heat_colours (), 'from blue to orange');
  c = opt.DisplayRange;
  if (~isnumeric (c) || ~isreal (c) || numel (c) ~= 1 || ~(c == 0 || (c > 1e-30 && c < 1e30)))
    error ('knng:args:option', '''DisplayRange'' is %s: it must be a number between 1e-30 and 1e30, or 0', knng.internal.given (c));
  end
  opt.DisplayRange = double (full (c));
  opt.RowLabels = labels ('RowLabels', opt.RowLabels, n, 'row');
  opt.ColumnLabels = labels ('ColumnLabels', opt.ColumnLabels, d, 'column');
end

function warn_without_tree (opt, numbers, two, sides)
% Of what is given for the rows, or for the columns, where these have no tree.
  for i = find (~opt.trees)
    start = sprintf ('''Cluster'' is ''%s'', so that the %s have no tree', opt.Cluster, sides{i});
    if (opt.MaxClust(i) > 1)
      more = '';
      if (numbers == 1)
        more = sprintf ('; for the %s it is [1 %d]', sides{3 - i}, opt.MaxClust(i));
      end
      warning ('knng:args:option', '%s, and ''MaxClust'', %d for them, changes nothing%s', start, opt.MaxClust(i), more);
    end
    if (two && ~isnan (opt.Dendrogram(i)))
      warning ('knng:args:option', '%s, and the height for them in ''Dendrogram'' changes nothing: give [] in its place, as in {[], 5}', start);
    end
  end
end

function [heights, two] = thresholds (given)
% [rows, columns], NaN for none, -1 for the default; whether two are given.
  if (iscell (given))
    parts = given(:)';
  elseif (isnumeric (given) && isempty (given))
    parts = {[]};
  elseif (isnumeric (given) && isreal (given))
    parts = num2cell (given(:)');
  else
    parts = {given};
  end
  heights = NaN (1, numel (parts));
  fine = any (numel (parts) == [1 2]);
  for i = 1:numel (parts) * fine
    v = parts{i};
    if (knng.internal.is_one_of (v, {'default'}))
      heights(i) = -1;
    elseif (isnumeric (v) && isreal (v) && numel (v) == 1 && v >= 0)
      heights(i) = full (double (v));
    else
      fine = fine && isnumeric (v) && isempty (v);
    end
  end
  if (~fine)
    error ('knng:args:option', ['''Dendrogram'' is %s: it must be a height, ''default'' or [], or two of these, of the rows and of the columns, as ' ...
           'in [5 2] or {''default'', 2}'], knng.internal.given (given));
  end
  two = numel (heights) == 2;
  heights = heights([1 end]);
end

function value = choice (name, value, values)
% A text, or its number.
  if (isnumeric (value) && numel (value) == 1 && any (value == 1:3))
    value = values{value};
  end
  value = knng.internal.check_choice (name, value, values);
end

function texts = labels (name, texts, n, each)
  if (isnumeric (texts) && isreal (texts) && ~isempty (texts) && numel (texts) == n)
    texts = arrayfun (@(v) sprintf ('%.15g', v), double (full (texts(:))), 'UniformOutput', false);
  end
  knng.internal.check_texts (texts, n, name, each);
end

function part = rows_of (ds, opt)
% The numbers of the rows of 'Subset', ascending, a column.
  n = size (ds.X, 1);
  part = opt.Subset;
  if (iscell (part) && isempty (part))
    part = (1:n)';
    return
  elseif (islogical (part) && numel (part) == n)
    part = find (part(:));
  elseif (isnumeric (part) && (isempty (part) || knng.internal.whole (part, 1, n)))
    part = double (full (part(:)));
  elseif (ischar (part) || iscell (part))
    part = found (ds, opt.RowLabels, part);
  else
    error ('knng:args:option', ['''Subset'' is %s: it must be names, symbols or labels of rows, their numbers, from 1 to %d, or true ' ...
           'or false for each'], knng.internal.given (part), n);
  end
  part = unique (part);
  if (isempty (part))
    error ('knng:args:option', '''Subset'' has no row: give one or more');
  end
end

function rows = found (ds, labels, names)
  if (ischar (names))
    names = {names};
  end
  rows = cell (numel (names), 1);
  for i = 1:numel (names)
    if (ischar (names{i}))
      rows{i} = find (strcmp (labels(:), names{i}));
    end
    if (isempty (rows{i}))
      rows{i} = knng.internal.find_row (ds, names{i}, true);
    end
    rows{i} = reshape (rows{i}, [], 1);
  end
  rows = vertcat (rows{:});
end

function marks = marks_of (ds, opt, part)
  marks = knng.internal.marked_rows (ds, opt.RowLabels, opt.CallOut, 'CallOut');
  drawn = ismember (marks.rows, part);
  out = find (~drawn & ~ismember (marks.texts, marks.texts(drawn)), 1);       % of a symbol one row is enough
  if (~isempty (out))
    error ('knng:args:name', '''CallOut'' names the row ''%s'', which is not among those of ''Subset''', marks.texts{out});
  end
  marks.rows = marks.rows(drawn);
  marks.texts = marks.texts(drawn);
end

function check_distances (F, opt, name, each, number)
% An error that names the first row (column) that has none; it is constant, or zero by cosine.
  try
    knng.internal.linkage ('check', F, opt.(name), struct ('Threads', opt.Threads, 'Progress', 'off'));
  catch err
    row = regexp (err.message, 'row (\d+) of X has no', 'tokens', 'once');
    kind = regexp (err.message, ': it is (\w+), and', 'tokens', 'once');
    if (~strcmp (err.identifier, 'knng:data:rows') || isempty (row) || isempty (kind))
      rethrow (err);
    end
    error ('knng:data:rows', ['''%s'' is ''%s'', by which %s %d has no distances: it is %s, or has no values; leave it out, or take ' ...
           '''euclidean'''], name, knng.internal.shown (opt.asked.(name)), each, number(str2double (row{1})), kind{1});
  end
end

function side = tree_of (F, wanted, side, opt, how)
% Of the rows of F: the tree Z, their order, and the cluster T of each.
  n = size (F, 1);
  side.Z = [];
  side.order = (1:n)';
  side.T = ones (n, 1);
  if (~wanted)
    return
  end
  [side.Z, side.order] = knng.internal.ordered_tree (F, side.method, side.metric, opt.OptimalLeafOrder, how.tree, how.rest);
  side.T = clusters_of (side.Z, side.clusters, side.known);
end

function T = clusters_of (Z, wanted, known)
% So many clusters of those that are known: the tree is cut as deep as it takes. A cluster of the others alone is 0.
  if (~any (known))
    T = ones (size (known));
    return
  end
  wanted = min (wanted, sum (known));
  [low, high] = deal (wanted, wanted + sum (~known));        % the others alone are no more clusters than there are of them
  while (low < high)
    middle = floor ((low + high) / 2);
    T = knng.cluster (Z, 'MaxClust', middle);
    if (numel (unique (T(known))) >= wanted)
      high = middle;
    else
      low = middle + 1;
    end
  end
  T = knng.cluster (Z, 'MaxClust', low);
  if (~all (known))
    [~, T] = ismember (T, unique (T(known)));
  end
end

function texts = column_texts (ds, labels, columns)
% Without any their numbers, as of rows.
  if (~isempty (labels))
    texts = labels(columns);
  elseif (iscellstr (ds.samples) && ~isempty (ds.samples))
    texts = ds.samples(columns);
  else
    texts = arrayfun (@(j) sprintf ('%d', j), columns(:), 'UniformOutput', false);
  end
end

function [beside, bars, shades] = bars_of (side, phenotypes, classes)
% The bar of the clusters of rows, none if they are one, and those on top. No two have the same colours. SHADES: those of the clusters of rows and of
% columns, a cell of both. CLASSES: the first phenotype has the colours that classes have in all heat maps.
  clusters = @(name, T) struct ('name', name, 'kinds', {arrayfun(@(i) sprintf ('%d', i), (1:max (T))', 'UniformOutput', false)}, ...
                                'of', reshape (T, 1, []));
  shades = cell (1, 2);
  beside = knng.internal.sample_bars (phenotypes([]), []);
  taken = zeros (0, 3);
  if (classes)
    own = knng.internal.sample_bars (phenotypes(1), side(2).order, taken, 1);
    taken = own.colours;
  end
  if (max (side(1).T) > 1)
    beside = knng.internal.sample_bars (clusters ('row cluster', side(1).T .* side(1).known), side(1).order, taken);
    shades{1} = beside.colours;
    taken = [taken; beside.colours];
  end
  own = double (classes);
  if (max (side(2).T) > 1)
    phenotypes = [clusters('column cluster', side(2).T .* side(2).known), phenotypes];
    own = 2 * own;
  end
  bars = knng.internal.sample_bars (phenotypes, side(2).order, taken, own);
  if (max (side(2).T) > 1)
    shades{2} = bars(1).colours;
  end
end

function range = range_of (Z, opt)
% The values of the first and the last colour.
  values = sort (Z(~isnan (Z)));
  symmetric = opt.SymmetricRange;
  if (isempty (symmetric))
    symmetric = isempty (values) || values(1) < 0;
  end
  limit = opt.DisplayRange;
  if (limit == 0)
    limit = knng.internal.heat_limit (Z);
  end
  range = [-limit, limit];
  if (~symmetric && ~isempty (values))
    ends = values([max(1, ceil(0.01 * end)), ceil(0.99 * end)])';
    if (opt.DisplayRange > 0)
      ends = max (min (ends, limit), -limit);
    end
    if (diff (ends) > 1e-30 && diff (ends) > 1e-9 * max (abs (ends)) && max (abs (ends)) < 1e30)
      range = ends;
    end
  end
end

function draw_trees (ax, page, side, shades, threshold, taken)
% Clusters have the colours of their bars, SHADES, and what is below a threshold others, unlike those that bars have TAKEN.
  free = knng.internal.unlike_colours (taken, 20);
  done = 0;
  for i = 1:2
    tree = side(i).Z;
    if (isempty (tree))
      continue
    end
    [place, height] = knng.internal.tree_lines (tree, side(i).order);
    height = height / max ([height(:); realmin]);
    colour = of_steps (tree, side(i).T);
    if (threshold(i) < 0)
      threshold(i) = 0.7 * max ([0; tree(:, 3)]);
    end
    if (isnan (threshold(i)))
      colours = shades{i};
    else
      colours = free;
      group = knng.internal.step_groups (tree, threshold(i));
      colour = (1 + mod (done + group - 1, 20)) .* (group > 0);
      done = done + max (group);
    end
    if (i == 1)                                              % to the left, or on top
      far = {'x', page.X(page.tree(2) - diff (page.tree) * height)};
    else
      far = {'y', page.Y(page.trees(2) - diff (page.trees) * height)};
    end
    knng.internal.draw_branches (ax, place, far, tree, colour, colours);
  end
end

function colour = of_steps (tree, T)
% The cluster that a step lies in, 0 where it joins several, or there is one.
  n = size (tree, 1) + 1;
  node = [T; zeros(n - 1, 1)];
  for s = 1:n - 1
    [a, b] = deal (tree(s, 1), tree(s, 2));
    if (node(a) == node(b))
      node(n + s) = node(a);
    end
  end
  colour = node(n + 1:end) * (max (T) > 1);
end

function draw_edges (ax, page, side, beside)
% Lines between clusters, but for tiny ones, which they would hide.
  [n, d] = deal (numel (side(1).order), numel (side(2).order));
  left = 0.5;
  if (beside)
    left = page.X (page.bar(1));
  end
  for at = edges_of (side(1))'
    line ([left, d + 0.5], [at, at], 'parent', ax, 'color', 'k', 'linewidth', 0.5);
  end
  for at = edges_of (side(2))'
    line ([at, at], [0.5, n + 0.5], 'parent', ax, 'color', 'k', 'linewidth', 0.5);
  end
end

function at = edges_of (side)
  T = side.T(side.order);
  first = [1; find(diff (T)) + 1; numel(T) + 1];
  long = diff (first);
  at = first(2:end-1) - 0.5;
  at = at(max (long(1:end-1), long(2:end)) >= 0.02 * numel (T));
end
%!function [lent, fig, back] = blank ()
%!  lent = knng.internal.headless ();
%!  fig = figure ('visible', 'off');
%!  back = onCleanup (@() close (fig));
%!endfunction
%!function lines = coloured (fig)
%!  # those of trees, five numbers a step, that are no grey
%!  lines = findobj (fig, 'type', 'line');
%!  lines = lines(arrayfun (@(h) mod (numel (get (h, 'xdata')), 5) == 0 && any (diff (get (h, 'color'))), lines));
%!endfunction
%!function v = texts_of (fig)
%!  v = get (findobj (fig, 'type', 'text'), 'string');
%!endfunction

%!test <*1>
%! [lent, fig, back] = blank ();
%! X = [repmat([1 1 5 5], 20, 1); repmat([4 3 1 1], 30, 1)];
%! X = X + mod ((1:50)' * [0.37 0.71 0.13 0.93], 1);
%! s = knng.clustergram (X, 'MaxClust', [2 2], 'ColumnLabels', {'a', 'b', 'c', 'd'});
%! assert (s.RowClusters, [ones(20, 1); 2 * ones(30, 1)]);
%! assert (s.ColumnClusters, [1 1 2 2]');
%! assert (sort (s.ColumnLabels), {'a'; 'b'; 'c'; 'd'});

%!test  # the orders, clusters and heights that SciPy 1.17.1 gives for rows less their mean, in units of their deviation
%! [lent, fig, back] = blank ();
%! X = mod ((1:14)' .^ 2 * sqrt ([2 3 5 7]), 1);
%! s = knng.clustergram (X, 'OptimalLeafOrder', false, 'MaxClust', [3 1]);
%! assert (s.RowOrder', [8 7 1 14 6 3 9 10 12 5 4 13 2 11]);
%! assert (s.ColumnOrder', [3 2 1 4]);
%! theirs = [1 3 1 3 3 1 1 1 1 2 3 2 3 1]';
%! assert ([rows(unique ([s.RowClusters, theirs], 'rows')), max(s.RowClusters)], [3 3]);
%! assert (s.RowTree([1 7 13], 3)', [0.29922895288 1.30860968138 2.758808653639], 1e-10);
%! assert (s.ColumnTree(:, 3)', [4.515915889367 5.15879644058 5.605792575821], 1e-10);
%! s = knng.clustergram (X);                                  # and in the best order, from either end
%! assert (any (ismember ([s.RowOrder, flipud(s.RowOrder)]', [6 9 3 8 1 14 7 13 11 2 4 5 10 12], 'rows')));
%! assert (any (ismember ([s.ColumnOrder, flipud(s.ColumnOrder)]', [3 2 4 1], 'rows')));

%!test  # the trees are those of the functions, of what is drawn; each leaf stands beside its cells, and each step spans its two parts
%! [lent, fig, back] = blank ();
%! X = mod ((1:40)' .^ 2 * (1:9) .^ 1.5 * 0.618, 1);
%! Z = bsxfun (@rdivide, bsxfun (@minus, X, mean (X, 2)), std (X, 0, 2));
%! [s, h] = knng.clustergram (X, 'RowPDist', 'pearson', 'ColumnPDist', 'city', 'Linkage', {'complete'; 'average'}, 'DisplayRange', 2);
%! T = {knng.linkage(Z, 'complete', 'pearson'), knng.linkage(Z', 'average', 'cityblock')};
%! assert ([s.RowTree(:, 1:2); s.ColumnTree(:, 1:2)], [T{1}(:, 1:2); T{2}(:, 1:2)]);
%! assert ([s.RowTree(:, 3); s.ColumnTree(:, 3)], [T{1}(:, 3); T{2}(:, 3)], 1e-9);
%! assert (s.RowOrder', knng.optimalleaforder (T{1}, Z, 'pearson'));
%! assert (s.ColumnOrder', knng.optimalleaforder (T{2}, Z', 'cityblock'));
%! c = get (h, 'cdata');
%! shade = knng.internal.heat_colours ();
%! at = round ((min (max (Z(s.RowOrder, s.ColumnOrder) / 2, -1), 1) + 1) * 32) + 1;
%! assert (reshape (c, [], 3), shade(at(:), :));
%! drawn = findobj (fig, 'type', 'line');
%! drawn = drawn(cellfun (@(x) numel (x) > 5 && mod (numel (x), 5) == 0, get (drawn, 'xdata')));
%! order = {s.RowOrder, s.ColumnOrder};
%! for i = 1:2
%!   if (i == 1)
%!     one = drawn(cellfun (@numel, get (drawn, 'xdata')) == 5 * 39);
%!     [across, up] = deal (reshape (get (one, 'ydata'), 5, []), -reshape (get (one, 'xdata'), 5, []));
%!   else
%!     one = drawn(cellfun (@numel, get (drawn, 'xdata')) == 5 * 8);
%!     [across, up] = deal (reshape (get (one, 'xdata'), 5, []), -reshape (get (one, 'ydata'), 5, []));
%!   end
%!   n = numel (order{i});
%!   place(order{i}) = 1:n;
%!   [~, up] = ismember (round (up * 1e9), round (unique ([up(1:4, :)(:)]) * 1e9));
%!   for k = 1:n - 1
%!     pair = T{i}(k, 1:2);
%!     assert (across(1:4, k)', place(pair([1 1 2 2])), 1e-9);
%!     assert (all (up([2 3], k) > up([1 4], k)));
%!     assert (all (up([1 4], k)(pair <= n) == min (up(:)(up(:) > 0))));          # leaves at the edge of the cells
%!     place(n + k) = mean (place(pair));
%!   end
%!   assert (up(2, end), max (up(:)));
%!   place = [];
%! end

%!test  # branches below a height have the colour of no bar, whatever bars there are
%! [lent, fig, back] = blank ();
%! X = mod ((1:30)' .^ 2 * (1:22) .^ 1.5 * 0.618, 1);
%! for kinds = [6 10 11 16]
%!   texts = arrayfun (@(k) sprintf ('k%02d', k), 1 + mod (1:22, kinds), 'UniformOutput', false);
%!   clf (fig);
%!   knng.clustergram (struct ('X', X, 'classes', {texts}), 'Dendrogram', [Inf 1e-9], 'Phenotypes', {'sex', repmat({'f', 'm'}, 1, 11)}, 'Standardize', 'none');
%!   lines = get (findobj (fig, 'type', 'line'), 'color');
%!   lines = unique (cell2mat (lines), 'rows');
%!   lines = lines(max (lines, [], 2) - min (lines, [], 2) > 0.05, :) / 0.85;
%!   bars = knng.internal.bar_colours (1:kinds + 2);
%!   assert (size (lines, 1), 1);
%!   assert (all (sqrt (sum ((lines - bars) .^ 2, 2)) > 0.09));
%! end

%!test  # 'Dendrogram': colours of what hangs together below a height, in either tree
%! [lent, fig, back] = blank ();
%! X = [repmat([1 1 5 5], 5, 1); repmat([4 3 1 1], 6, 1)] + mod ((1:11)' .^ 2 * [0.37 0.71 0.13 0.93], 1);
%! s = knng.clustergram (X, 'Standardize', 'none');
%! assert (isempty (coloured (fig)));
%! top = s.RowTree(end, 3);
%! for given = {{top, 0}, {top, []}, [top 0], {'DEFAULT', []}, single([top 0])}
%!   again = knng.clustergram (X, 'Standardize', 'none', 'Dendrogram', given{1});
%!   assert (again.RowTree, s.RowTree);
%!   lines = coloured (fig);                               # two parts, of 4 and 5 steps
%!   assert (sort (cellfun (@numel, get (lines, 'xdata')))', 5 * [4 5]);
%!   assert (sortrows (cell2mat (get (lines, 'color'))), sortrows (0.85 * knng.internal.bar_colours (1:2)), 1e-12);
%! end
%! knng.clustergram (X, 'Standardize', 'none', 'Dendrogram', Inf);
%! assert (sort (cellfun (@numel, get (coloured (fig), 'xdata')))', 5 * [3 10]);
%! shades = @() sortrows (cell2mat (get (coloured (fig), 'color')));
%! assert (shades (), sortrows (0.85 * knng.internal.bar_colours (1:2)), 1e-12);
%! knng.clustergram (X, 'Standardize', 'none', 'Dendrogram', {[], Inf}, 'MaxClust', 2, 'Phenotypes', {'p', {'a', 'b', 'a', 'b'}});
%! assert (shades (), sortrows (0.85 * knng.internal.bar_colours ([1 2 5])), 1e-12);    # clusters; p has 3 and 4
%! knng.clustergram (mod ((1:60)' .^ 2 * [0.618 0.37 0.11], 1), 'Dendrogram', [1e-9 0], 'Standardize', 'none');

%!test  # one tree alone, MATLAB's words and numbers; standardization
%! [lent, fig, back] = blank ();
%! X = mod ((1:12)' .^ 2 * (1:7) .^ 1.5 * 0.618, 1);
%! for c = {'column', 1}
%!   s = knng.clustergram (X, 'Cluster', c{1}, 'MaxClust', [2 1]);
%!   assert ({size(s.RowTree), s.ColumnTree, s.ColumnOrder}, {[11 3], [], (1:7)'});
%!   assert ({max(s.RowClusters), s.ColumnClusters}, {2, ones(7, 1)});
%! end
%! for c = {'ROW', 2}
%!   s = knng.clustergram (X, 'Cluster', c{1});
%!   assert ({s.RowTree, size(s.ColumnTree), s.RowOrder}, {[], [6 3], (1:12)'});
%! end
%! lastwarn ('', '');
%! evalc ("s = knng.clustergram (X, 'Cluster', 1, 'MaxClust', [2 3]);");
%! assert (strncmp (lastwarn (), "'Cluster' is 'column', so that the columns have no tree, and 'MaxClust', 3 for them, changes nothing", 200));
%! assert ({max(s.RowClusters), s.ColumnClusters}, {2, ones(7, 1)});
%! evalc ("s = knng.clustergram (X, 'Cluster', 'row', 'MaxClust', 5);");
%! [said, id] = lastwarn ();
%! assert (id, 'knng:args:option');
%! assert (strncmp (said, "'Cluster' is 'row', so that the rows have no tree, and 'MaxClust', 5 for them, changes nothing; for the columns it is [1 5]", 200));
%! evalc ("knng.clustergram (X, 'Cluster', 'row', 'Dendrogram', [2 1]);");
%! assert (strncmp (lastwarn (), "'Cluster' is 'row', so that the rows have no tree, and the height for them in 'Dendrogram' changes", 95));
%! lastwarn ('', '');
%! knng.clustergram (X, 'Cluster', 'row', 'Dendrogram', 2);       # of what tree there is
%! knng.clustergram (X, 'Cluster', 'row', 'Dendrogram', {[], 2});
%! knng.clustergram (X, 'Cluster', 'row', 'MaxClust', [1 5]);
%! assert (lastwarn (), '');
%! s = knng.clustergram (X, 'Standardize', 'column', 'OptimalLeafOrder', false);
%! Z = knng.linkage (bsxfun (@rdivide, bsxfun (@minus, X, mean (X)), std (X)), 'average');
%! assert (s.RowTree, Z, 1e-9);
%! assert (s.RowOrder', knng.internal.tree_order (Z));
%! assert (any (strcmp (texts_of (fig), 'standard deviations from the column''s mean')));
%! s = knng.clustergram (X, 'Standardize', 3, 'Linkage', 'WARD', 'Threads', 2, 'MaxMemory', 1e9);
%! assert (s.RowTree, knng.linkage (X, 'ward'));
%! assert (any (strcmp (texts_of (fig), 'value')));
%! assert (knng.clustergram (X, 'Standardize', false, 'Linkage', 'ward'), s);
%! assert (knng.clustergram (X, 'Standardize', true), knng.clustergram (X));

%!test  # a part of the rows keeps its numbers; call-outs; labels
%! [lent, fig, back] = blank ();
%! X = mod ((1:90)' .^ 2 * (1:6) .^ 1.5 * 0.618, 1);
%! ds = struct ('X', X, 'names', {arrayfun(@(i) sprintf ('g%d', i), 1:90, 'UniformOutput', false)});
%! ds.symbols = upper (ds.names);
%! ds.symbols([7 9 70]) = {'TWICE'};
%! s = knng.clustergram (ds, 'Subset', [5:70 5], 'CallOut', {'TWICE', 'g8', 12}, 'MaxClust', 3);
%! assert (sort (s.RowOrder), (5:70)');
%! assert (isnan (s.RowClusters), ~ismember ((1:90)', 5:70));
%! assert (size (s.RowTree), [65 3]);
%! assert (s.RowLabels, cellfun (@(s, t) [s ' ' t], ds.symbols(s.RowOrder)', ds.names(s.RowOrder)', 'UniformOutput', false));
%! texts = texts_of (fig);
%! assert (sum (strcmp (texts, 'TWICE')), 3);
%! assert (all (ismember ({'g8', 'G12 g12', 'row cluster'}, texts)));
%! assert (~any (strcmp (texts, 'G6 g6')));
%! lines = findobj (fig, 'type', 'line');
%! y = cellfun (@(x, y) [y(1), numel(x)], get (lines, 'xdata'), get (lines, 'ydata'), 'UniformOutput', false);
%! y = vertcat (y{:});
%! assert (all (ismember (find (ismember (s.RowOrder, [7 8 9 12 70])), y(y(:, 2) == 4, 1))));  # a line to each row
%! want = knng.clustergram (X(20:40, :));
%! for part = {(20:40)', int8(40:-1:20), ismember(1:90, 20:40), ds.names(20:40)}
%!   s = knng.clustergram (ds, 'Subset', part{1}, 'CallOut', 'g33');
%!   assert (s.RowOrder, want.RowOrder + 19);
%! end
%! t = findobj (fig, 'type', 'text', 'fontweight', 'bold');
%! assert (any (strcmp (get (t, 'string'), 'G33 g33')));
%! assert (~any (strcmp (get (t, 'string'), 'G34 g34')));
%! s = knng.clustergram (ds, 'Subset', {'TWICE'}, 'RowLabels', 1:90, 'ColumnLabels', 11:16);
%! assert (s.RowLabels, arrayfun (@(i) sprintf ('%d', i), s.RowOrder, 'UniformOutput', false));
%! assert (all (ismember ({'7', '9', '70', '11', '16'}, texts_of (fig))));

%!test  # gaps, infinite values, one row, one sample, equal rows, a table of distances
%! [lent, fig, back] = blank ();
%! X = mod ((1:20)' .^ 2 * (1:6) .^ 1.5 * 0.618, 1);
%! X(3, 2) = NaN;
%! X(5, 1) = Inf;
%! assert (evalc ('knng.clustergram (X, ''MaxClust'', 2);'), '');      # no warning either
%! X(8, :) = NaN;
%! lastwarn ('', '');
%! evalc ('[s, h] = knng.clustergram (X, ''MaxClust'', 2);');                 # but of this
%! [text, id] = lastwarn ();
%! assert (id, 'knng:data:nonFinite');
%! assert (! isempty (strfind (text, 'the first of them 8,')));
%! warning ('off', 'knng:data:nonFinite', 'local');
%! c = get (h, 'cdata');
%! grey = all (abs (c - 0.5) < 1e-12, 3);
%! assert (grey, ~isfinite (X(s.RowOrder, s.ColumnOrder)));
%! page = knng.internal.page_trees (struct ('meta', struct (), 'blocks', []), X, [], 0, 'rows');      # knng.explore shows the same
%! for part = {'gramrows', 'gramcolumns'; s.RowOrder, s.ColumnOrder}
%!   assert (page.blocks(strcmp ({page.blocks.name}, part{1})).text, getfield (knng.internal.page_block ('x', uint32 (part{2})), 'text'));
%! end
%! F = knng.internal.standard_rows (X);
%! state = warning ('off', 'knng:data:nonFinite');
%! F = knng.impute (F, 10);
%! warning (state);
%! F(8, :) = 0;
%! assert (s.RowTree, knng.linkage (F, 'average'));
%! knng.clustergram (NaN (3, 4));
%! [s, h] = knng.clustergram ([3; 1; 1.5]);                      # of one sample the values themselves
%! assert ({s.RowTree, s.ColumnTree, s.ColumnClusters}, {[2 3 0.5; 1 4 1.75], zeros(0, 3), 1});
%! assert (size (unique (reshape (get (h, 'cdata'), 3, 3), 'rows')), [3 3]);
%! [s, h] = knng.clustergram ([1 2 3], 'MaxClust', 3);
%! assert ({s.RowOrder, s.RowClusters}, {1, 1});
%! Y = mod ((1:12)' * [0.37 0.71 0.13 0.93 0.57], 1);         # without a value: in no cluster; with one: no deviation
%! Y(2, :) = NaN;
%! Y(5, [1 2 3 5]) = Inf;
%! Y(:, 4) = NaN;
%! Y(9, 4) = 0.5;
%! [s, h] = knng.clustergram (Y, 'MaxClust', [2 2]);
%! assert (find (isnan (s.RowClusters))', [2 5]);
%! assert (isempty (find (isnan (s.ColumnClusters))));
%! grey = all (get (h, 'cdata') == 0.5, 3);
%! assert (all (grey(ismember (s.RowOrder, [2 5]), :)(:)));
%! assert (any (strcmp (texts_of (fig), 'none (2)')));
%! Y(9, 4) = NaN;
%! s = knng.clustergram (Y, 'MaxClust', [2 2], 'Standardize', 'none');
%! assert ({find(isnan (s.RowClusters))', find(isnan (s.ColumnClusters))'}, {[2 5], 4});
%! s = knng.clustergram (Y(:, 1), 'Standardize', 'row', 'Cluster', 'column');
%! assert (find (isnan (s.RowClusters))', [2 5]);
%! [s, h] = knng.clustergram (ones (5, 3), 'MaxClust', [2 2], 'Standardize', 'none');
%! assert (max (s.RowClusters), 2);
%! knng.clustergram (single (7), 'Linkage', 'ward');
%! s = knng.clustergram (1e300 * magic (4), 'Standardize', 'none', 'ColumnPDist', 'sqeuclidean');
%! assert (sort (s.ColumnOrder), (1:4)');
%! assert (evalc ('knng.clustergram (abs ((1:5)'' - (1:5)), ''Standardize'', ''none'')'), '');

%!test  # the colours: of values that are all positive from the least on; a colour map; clusters and phenotypes differ from each other
%! [lent, fig, back] = blank ();
%! X = 8 + mod ((1:30)' .^ 2 * (1:12) .^ 1.5 * 0.618, 1);
%! [s, h] = knng.clustergram (X, 'Standardize', 'none', 'Colormap', [0 0 1; 1 0 0]);
%! c = get (h, 'cdata');
%! v = X(s.RowOrder, s.ColumnOrder);
%! assert (abs (mean (mean (c(:, :, 1))) - 0.5) < 0.1);
%! assert (all (all (c(:, :, 1) == 1 | v < 8.6)) && all (all (c(:, :, 3) == 1 | v > 8.4)));
%! [s, h] = knng.clustergram (X, 'Standardize', 'none', 'SymmetricRange', true, 'Colormap', [0 0 1; 1 0 0]);
%! assert (all (get (h, 'cdata')(:, :, 1)(:) == 1));
%! [s, h] = knng.clustergram (X, 'Standardize', 'none', 'SymmetricRange', false, 'DisplayRange', 8.5, 'Colormap', gray (3));
%! assert (all (get (h, 'cdata')(:, :, 1)(X(s.RowOrder, s.ColumnOrder) > 8.5) == 1));
%! painted = @(map) get (nthargout (2, @() knng.clustergram (X(1:5, 1:4), 'Colormap', map)), 'cdata');
%! for same = {{gray(64), 'gray', 'GRAY', @gray, @(n) gray(n)}, {lines(64), 'lines', @lines}, {'flag', @flag}, {'prism', @prism}, {'white', @white}}
%!   want = painted (same{1}{1});
%!   for map = same{1}(2:end)
%!     assert (painted (map{1}), want);
%!   end
%! end
%! [s, h] = knng.clustergram (struct ('X', X, 'classes', {repmat({'a', 'b'}, 1, 6)}), 'MaxClust', [4 3], 'Phenotypes', {'age', 1:12});
%! assert (all (ismember ({'row cluster', 'column cluster', 'class', 'age', 'a, 6', '1 to 12'}, texts_of (fig))));
%! images = get (findobj (fig, 'type', 'image'), 'cdata');
%! bars = images(cellfun (@(c) isequal (size (c), [2 12 3]), images));
%! side = images(cellfun (@(c) isequal (size (c), [30 2 3]), images));
%! assert ({numel(bars), numel(side)}, {3, 1});
%! few = cellfun (@(c) unique (reshape (c(1, :, :), 12, 3), 'rows'), bars, 'UniformOutput', false);
%! few = vertcat (unique (squeeze (side{1}(:, 1, :)), 'rows'), few{cellfun (@rows, few) < 12});
%! assert (size (unique (few, 'rows')), [4 + 3 + 2, 3]);
%! [~, first] = unique (s.RowClusters(s.RowOrder), 'first');
%! shades = squeeze (side{1}(:, 1, :));
%! for g = 1:4                                              # steps of a cluster have its colour
%!   of = s.RowClusters(s.RowOrder) == g;
%!   assert (size (unique (shades(of, :), 'rows'), 1), 1);
%!   lines = findobj (fig, 'type', 'line', 'color', 0.85 * shades(first(g), :));
%!   assert (sum (cellfun (@numel, {get(lines, 'xdata')})), 5 * (sum (of) - 1) * (sum (of) > 1));
%! end

%!error id=knng:args:count knng.clustergram ()
%!error id=knng:args:ds knng.clustergram ('text')
%!error id=knng:args:metric knng.clustergram (magic (3), 'RowPDist', 'l2')
%!error id=knng:args:metric knng.clustergram (magic (3), 'ColumnPDist', {'minkowski', 3})
%!error id=knng:args:option knng.clustergram (magic (3), 'Linkage', {'single', 'ward', 'ward'})
%!error id=knng:args:option knng.clustergram (magic (3), 'Linkage', 'wart')
%!error id=knng:args:option knng.clustergram (magic (3), 'Cluster', 4)
%!error id=knng:args:option knng.clustergram (magic (3), 'Standardize', [true true])
%!error id=knng:args:option knng.clustergram (magic (3), 'MaxClust', [1 2 3])
%!error id=knng:args:option knng.clustergram (magic (3), 'MaxClust', 0)
%!error <'Dendrogram' is .*two of these, of the rows> knng.clustergram (magic (3), 'Dendrogram', -1)
%!error id=knng:args:option knng.clustergram (magic (3), 'Dendrogram', [1 2 3])
%!error id=knng:args:option knng.clustergram (magic (3), 'Dendrogram', {'default', 'none'})
%!error id=knng:args:option knng.clustergram (magic (3), 'Dendrogram', {})
%!error <'MaxClust' and 'Dendrogram' both colour the tree of the columns> knng.clustergram (magic (3), 'Dendrogram', 1, 'MaxClust', [1 2])
%!test  # rows and columns without a value stand in the tree, which is said; not where there is no tree
%! [lent, fig, back] = blank ();
%! X = magic (6);
%! X(3, :) = NaN;
%! warning ('error', 'knng:data:nonFinite', 'local');
%! fail ('knng.clustergram (X)', '^1 of 6 rows \(16.7 %\), the first of them 3, show no value: it has .* knng.filterrows');
%! fail ('knng.clustergram (X, ''Subset'', 2:4)', '^1 of 3 rows .* the first of them 3,');
%! knng.clustergram (X, 'Cluster', 'row', 'ColumnPDist', 'cityblock');
%! knng.clustergram (magic (6));
%! fail ('knng.clustergram (NaN (5, 4))', '^no value of the 5 rows and 4 columns is shown');
%! fail ('knng.clustergram (X(:, [1 1 2 3]) .* [NaN NaN 1 2], ''Cluster'', ''row'')', ...
%!       '^2 of 4 columns \(50 %\), the first of them 1, .* they have .* X\(:, \[1 2\]\) = \[\] does$');
%! ds = struct ('X', magic (6), 'samples', {{'a', 'b', 'c', 'd', 'e', 'f'}});
%! ds.X(:, 3) = NaN;
%! fail ('knng.clustergram (ds)', 'as ds.samples\(3\) = \[\]; ds.X\(:, 3\) = \[\] does$');
%! fail ('knng.clustergram ([1 NaN NaN; magic(3)])', '^1 of 4 rows .* or one alone');

%!test  # the greatest of the range that is not symmetric
%! [lent, fig, back] = blank ();
%! knng.clustergram (reshape (1:9, 3, 3), 'Standardize', 'none', 'DisplayRange', 5);
%! t = texts_of (fig);
%! assert (all (ismember ({'2', '5'}, t)));
%! [~, h] = knng.clustergram (reshape (1:9, 3, 3), 'Standardize', 'none', 'DisplayRange', 5, 'SymmetricRange', false, 'Cluster', 'row');
%! c = get (h, 'cdata');
%! shade = knng.internal.heat_colours ();
%! assert ({squeeze(c(1, 1, :))', squeeze(c(3, 3, :))', squeeze(c(2, 2, :))'}, {shade(1, :), shade(end, :), shade(end, :)});

%!error id=knng:args:option knng.clustergram (magic (3), 'Colormap', 2 * ones (4, 3))
%!error id=knng:args:option knng.clustergram (magic (3), 'DisplayRange', [1 2])
%!error id=knng:args:option knng.clustergram (magic (3), 'OptimalLeafOrder', 'yes')
%!error <'RowLabels' is a 1-by-1 cell: it must be a cell of 3 texts> knng.clustergram (magic (3), 'RowLabels', {'a'})
%!error <'ColumnLabels' is .*one for each column> knng.clustergram (magic (3), 'ColumnLabels', [1 2])
%!error <'Subset' is .* from 1 to 3> knng.clustergram (magic (3), 'Subset', 4)
%!error <'Subset' has no row> knng.clustergram (magic (3), 'Subset', false (3, 1))
%!error <'Subset' has no row> knng.clustergram (magic (3), 'Subset', find (magic (3)(:, 1) > 99))
%!error id=knng:args:name knng.clustergram (magic (3), 'Subset', {'nobody'})
%!error id=knng:args:name knng.clustergram (magic (3), 'CallOut', 4)
%!error <no row is named 'zy'; did you mean 'zyx'> knng.clustergram (magic (3), 'CallOut', 'zy', 'RowLabels', {'abc', 'zyx', 'cd4'})
%!error id=knng:args:option knng.clustergram (magic (3), 'CallOut', repmat ('a', [1 1 2]))
%!error <'CallOut' names the row '3', which is not among> knng.clustergram (magic (3), 'CallOut', 3, 'Subset', 1:2)
%!error id=knng:args:labels knng.clustergram (magic (3), 'Phenotypes', {'a', 1:2})
%!error id=knng:args:unknownOption knng.clustergram (magic (3), 'RowLabel', {}, 'Treads', 1)
%!error id=knng:args:maxMemory knng.clustergram (mod ((1:999)' * (1:3) * 0.618, 1), 'MaxMemory', 5e6)
%!error <'RowPDist' is 'correlation', by which row 7 has no distances: it is constant> knng.clustergram ([magic(6); ones(1, 6)], 'RowPDist', 'correlation')
%!error <'RowPDist' is 'pearson', by which row 7 has no distances: it is constant> knng.clustergram ([magic(6); ones(1, 6)], 'RowPDist', 'pearson')
%!error <'ColumnPDist' is 'cosine', by which column 2 has no distances: it is zero> knng.clustergram ([1 0 2; 3 0 5], 'ColumnPDist', 'cosine', 'Standardize', 'none')

%!test  # a row or column without values uses up no cluster
%! [lent, fig, back] = blank ();
%! X = 1000 + [1 2 3; 1.1 2 3; 1 2.1 3; 9 8 7; 9.1 8 7; 9 8.1 7];
%! X(7, :) = NaN;
%! s = knng.clustergram (X, 'MaxClust', [2 1], 'Standardize', 'none');
%! assert (s.RowClusters', [1 1 1 2 2 2 NaN]);
%! s = knng.clustergram (X', 'MaxClust', [1 2], 'Standardize', 'none');
%! assert (s.ColumnClusters', [1 1 1 2 2 2 NaN]);
%! X = [NaN(2, 3); X];
%! s = knng.clustergram (X, 'MaxClust', [9 1], 'Standardize', 'none');
%! assert (s.RowClusters', [NaN NaN 1:6 NaN]);
