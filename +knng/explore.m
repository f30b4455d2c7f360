function info = explore (file, varargin)
%KNNG.EXPLORE  Write a page to explore a graph in, with any browser.
%   knng.explore (file, ds, idx, dist) writes an HTML file that shows the n-by-k
%   tables of [idx, dist] = knngraph (ds.X, k, ...), and the data set: search a
%   gene by its name, go to its neighbours and on, see profiles over the
%   samples, a map of all genes, and groups. It needs no network, program or
%   server, asks for nothing and sends nothing: it can be opened anywhere,
%   mailed, and put beside a paper.
%   knng.explore (file, ds, A) does the same with the sparse matrix A = knngraph
%   (ds.X, k, ...).
%   knng.explore (file, X, idx, dist), or with A, takes a matrix, n-by-d, whose
%   rows have their numbers for names.
%   knng.explore (file, idx, dist), or with A, shows a graph alone.
%   info = knng.explore (..., 'Name', value, ...) takes options, and says what
%   was written.
%
%     file  its name, which ends in .html or .htm
%     ds    as knng.read returns it: ds.X, n-by-d; ds.names, ds.samples,
%           ds.classes and ds.symbols, where it has them
%
%   Options:
%
%     'Metric'      the metric of the graph; 'Distance' is the same. Of a
%                   correlation the page shows r (of abspearson |r|), p and the
%                   false discovery rate, as knng.edges does. Where rows of ds.X
%                   miss values, p is of the samples that both rows have, as
%                   with info.nvalid of 'Rows', 'pairwise'; it shows how many.
%                   Distances of 20 rows are computed anew: it is an error if
%                   they are those of another metric, and a warning says if they
%                   are of other data
%     'Groups'      what the points are coloured by: n labels, numbers or texts;
%                   NaN and '' are in no group, nor is noise, -1 beside
%                   numbers from 1 on; default 'auto'
%         'auto'       knng.leiden (GRAPH); without igraph knng.mstknn (GRAPH),
%                      which may warn that lists are short; rows without any
%                      edge are in no group
%         'none'       no groups
%                   The page has a table of them: how many rows, how tight, and
%                   which are nearest to the centre (below)
%     'XY'          the places on the map, n-by-2; NaN is nowhere; default []
%     'Layout'      how they are found, where 'XY' is []; default 'auto'
%         'auto', 'kk', 'fr', 'drl'  as in knng.plot; 'auto' without igraph: no
%                                    map, and a warning; rows without any edge
%                                    are nowhere
%         'none'       no map
%     'Labels'      n more names, such as the symbols of genes, which are shown
%                   and searched too; '' is none; {} for no such names; default
%                   ds.symbols, where ds has them and they are not the names
%     'Values'      what the page keeps of X; default 'byte'
%         'byte'       each row in 255 steps from its least to its largest value
%         'fine'       in 65535 steps
%         'none'       nothing: no profiles
%     'Phenotypes'  what is known of the samples: a struct, of which each field
%                   has d numbers, or d labels (texts; whole numbers are values,
%                   not labels); or a cell with a row {name, values} for each;
%                   {} for none; or a table of the samples, whose rows are found
%                   by the names of ds.samples, in any order: what knng.read
%                   returns, or the name of a file, such as 'samples.csv', whose
%                   columns may all be texts (below). ds.classes is always the
%                   first, called class, or as the one that has the same labels;
%                   default 'auto'
%         'auto'       what ds.meta says of the samples, as files of GEO and
%                      AnnData have it; not what is the same for all of them, or
%                      differs in most
%         'sex', ...   one of these alone, by its name, where no file has it
%     'Clustergram'
%                   a heat map of the whole data set, its rows and samples
%                   ordered by trees, which stand beside it and above (below);
%                   default 'auto'
%         'rows'       each row is a line of it; up to 10 000 rows
%         'groups'     each of the groups is one, the mean of its rows; up to
%                      10 000 groups
%         'auto'       'rows' up to 5 000 rows; beyond, 'groups', where there
%                      are 2 to 5 000; none of more than 5 000 samples
%         'none'       nothing; nor is there one without values
%     'Title'       of the page; default ''
%     'Info'        the struct info of [idx, dist, info] = knngraph (...), for
%                   the foot of the page: which step certified how many rows.
%                   Default []
%     'Seed'        of the layout and of 'auto', from 0 to 2147483645; default 1
%     'MaxSize'     the most bytes that the file may have; default 40e6
%
%   Fields of info, where there is an output:
%
%     info.file      its name
%     info.bytes     its size
%     info.blocks    a struct: bytes of each part of it, such as info.blocks.idx
%     info.rounding  the largest error of a value that is shown, as a part of
%                    the range of its row; NaN without values
%     info.error     the same as it is
%     info.checksum  of the graph, as knng.checksum has it; the page shows it,
%                    and computes it again from what it holds
%     info.groups    the labels, n-by-1; [] for none
%     info.XY        the places, n-by-2; [] for no map
%
%   Without a semicolon Octave shows groups and places of all rows; after
%   struct_levels_to_print (0) it shows the sizes of fields.
%
%   The tightness of a group is the mean distance (of the correlations r) of its
%   rows from its centre, by 'Metric'; for |r| with 'abspearson' and
%   'antipearson', whose groups hold mirror images. The centre is the mean of
%   the rows; for the correlations they are standardized before (with 'spearman'
%   their ranks), with 'cosine' they get length 1. Rows that the metric has no
%   distance for are left out. knng.clustertable (ds, info.groups, 'Metric',
%   METRIC) has the same numbers. Without data or 'Metric' the table has the
%   mean distance of the edges inside the group in its place, and in that of the
%   nearest rows those that most rows of the group list.
%
%   Rows and trees of the clustergram are those of knng.clustergram (ds): rows
%   are standardized, trees by average linkage of euclidean distances, in the
%   optimal order of their leaves up to 2 000. On top there is a bar for each
%   phenotype, up to eight, on the left one for the groups. A click on a row
%   opens it, one on a branch selects its rows, and what is selected or open
%   elsewhere is marked there. Up to 1 000 selected rows have a heat map of
%   their own, in a page of any size.
%
%   A class has the colour that it has in knng.heatmap. The 40 largest groups
%   have a colour each, on the map, in lists and beside the clustergram; none is
%   that of a class or of values. All others are grey. From the ninth group on
%   points have other shapes.
%
%   Rows that go with a phenotype of labels are ranked by the analysis of
%   variance of classes that vary alike; knng.compare, which by 'welch' does not
%   ask for that, has another order.
%
%   The page says how many rows have no neighbours, and of each why, as far as
%   its values show it. A row that lists itself is marked; it counts nowhere.
%
%   A file of samples has a line of names, and one for each sample (there may be
%   others), separated by tabs, semicolons or commas, with or without quotes.
%   The samples are found in the column that has most of their names, the first
%   of several; blanks around names do not count. What it says is missing for
%   samples without a line, which a warning counts. It is an error if another
%   column has all their names, too, but in other rows. A column is numbers if
%   all in it are, with a decimal point or comma, or missing (nothing, NA and
%   the like, as for knng.read); else it is labels. Labels are also codes, of
%   which one begins with 0 as 035 does; 0 and 1; and no more than two different
%   numbers, where one comes again. 'auto' takes texts of ds.meta so, too; of
%   those like 'sex: f', as files of GEO have them, the name is the word before
%   the colon, also where samples lack some, so that the rows mix them.
%
%   Values that knng.impute filled in count as measured ones, and p is too small
%   then: where it matters keep the gaps, and search with 'Rows', 'pairwise'.
%
%   Neighbours and distances are stored to the last bit, and r and p are
%   computed from them; values are rounded as 'Values' says; places are single.
%   The same arguments give the same bytes, with the same versions of igraph and
%   zlib. Names, titles and classes are shown as they are, whatever they hold:
%   nothing in them is taken for code. What is no UTF-8 is shown as such.
%
%   A damaged file says so. The file appears when it is whole, as with
%   knng.write.
%
%   Cost: for n = 50 000, d = 300, k = 20 some 30 MB, and 10 seconds beside
%   groups and layout, which take minutes there: give 'Groups' and 'XY' where
%   they are known. Memory some 10 times the file. The clustergram takes what
%   knng.linkage does: 3 000 rows of 38 samples half a second more, 10 000 of
%   300, with 'rows', some 6, and 8*n^2 bytes of memory; the page grows by some
%   8 bytes a row.
%
%   Errors: knng:args:file (no name, or it ends otherwise); knng:args:maxSize
%   (the file would be larger; what to leave out); knng:args:positions ('XY' is
%   no n-by-2 matrix); knng:args:labels ('Groups' or a phenotype: not one for
%   each, or the table of the samples lacks half of them, or has one twice, or
%   two columns name them differently); knng:args:dist (among others idx without
%   dist), :idx (among others a row that is listed twice), :ds, :class, :metric,
%   :option, :unknownOption, :count; knng:io:open, :write, of a file of samples
%   also :format, :truncated; knng:toolbox:noIgraph ('Layout' asks for it; a
%   warning where there is no map), knng:toolbox:igraph; knng:interrupted;
%   knng:memory:host. Warnings: these, knng:data:distances (ds.X is not what the
%   graph was made of), knng:data:metadata (the table lacks samples, or one text
%   among numbers makes labels of them), and knng:graph:shortLists.
%
%   Sources: Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57 (1995) 289-300,
%   for the false discovery rate; G. Machado, M. Oliveira, L. Fernandes, IEEE
%   Trans. Vis. Comput. Graph. 15 (2009) 1291-1298, for the colours.
%
%   Example:
%     root = fileparts (which ('knngraph'));
%     ds = knng.read (fullfile (root, 'examples', 'data', 'sample.nbi'));
%     [idx, dist] = knngraph (ds.X, 3, 'pearson');
%     file = [tempname() '.html'];
%     info = knng.explore (file, ds, idx, dist, 'Metric', 'pearson', ...
%                          'XY', ds.X(:, 1:2), 'Groups', 'none');
%     info.bytes < 200000                 % 1
%     delete (file)
%
%   See also knng.neighbors, knng.clustergram, knng.plot, knng.profile,
%   knng.leiden, knng.write.

  if (nargin < 2)
    error ('knng:args:count', ['knng.explore needs a file, a data set and a graph, as in knng.explore (''genes.html'', ds, idx, dist): ' ...
           'see help knng.explore']);
  end
  check_file (file);
  [ds, graph, pairs] = what_is_given (varargin);
  [opt, named] = knng.internal.options (struct ('Metric', '', 'Groups', 'auto', 'XY', [], 'Layout', 'auto', 'Labels', {{}}, 'Values', 'byte', ...
                                       'Phenotypes', 'auto', 'Clustergram', 'auto', 'Title', '', 'Info', [], 'Seed', 1, 'MaxSize', 40e6), pairs);
  t = rows_of (graph);
  if (isfield (ds, 'X') && ~any (strcmpi (named(1:2:end), 'Labels')))
    opt.Labels = knng.internal.symbols_beside (ds);
  end
  opt = check (opt, t.n, ds);
  check_distances (t, opt.Metric);
  if (knng.internal.is_one_of (opt.Phenotypes, {'auto'}))
    opt.Phenotypes = knng.internal.known_of_samples (ds);
  end
  phenotypes = knng.internal.phenotypes (ds, opt.Phenotypes);
  knng.internal.built ();
  map_needs_igraph (opt);
  if (~isempty (opt.Metric) && isfield (ds, 'X'))
    knng.internal.doubt_metric (ds.X, t, opt.Metric);
  end

  page = knng.internal.page_blocks (t, ds, opt.Labels, lower (opt.Values), phenotypes);
  limit (page.blocks, full (double (opt.MaxSize)));          % before what takes long
  [XY, groups, noise] = places_and_groups (graph, opt);
  page = add_places (page, XY, groups, noise);
  page = add_centres (page, ds, groups, opt.Metric);
  page = add_clustergram (page, ds, groups, opt);
  page = add_colours (page, phenotypes, isfield (ds, 'classes') && ~isempty (ds.classes));
  page.meta.title = opt.Title;
  page.meta.metric = opt.Metric;
  page.meta.correlation = knng.internal.correlation_sign (opt.Metric);
  if (strcmp (opt.Metric, 'spearman'))
    page.meta.ranks = rank_tables (page.shared);
  end
  page.meta.checksum = knng.checksum (graph{:});
  page.meta.version = knng.internal.explore ('version', zeros (1, 0, 'uint8'));
  page.meta.call = call_of (varargin, named);
  page.meta.search = search_facts (opt.Info);
  [text, blocks] = knng.internal.page_text (page);
  limit (blocks, full (double (opt.MaxSize)));
  bytes = knng.internal.explore ('write', text, file);
  if (nargout > 0)
    info = struct ('file', file, 'bytes', bytes, 'blocks', blocks_of (blocks), 'rounding', page.worst(1), 'error', page.worst(2), ...
                   'checksum', page.meta.checksum, 'groups', {groups}, 'XY', XY);
  end
end

function check_file (file)
  if (~ischar (file) || size (file, 1) ~= 1 || ndims (file) ~= 2)
    error ('knng:args:file', 'FILE is %s: it must be the name of a file, in quotes', knng.internal.given (file));
  elseif (~strcmpi (file(max (1, end - 4):end), '.html') && ~strcmpi (file(max (1, end - 3):end), '.htm'))
    error ('knng:args:file', 'FILE is %s: its name must end in .html, by which browsers know what it is', knng.internal.given (file));
  end
end

function [ds, graph, pairs] = what_is_given (args)
% The data set, a struct without the field X where there is none; the graph, {A} or {idx, dist}; the options.
  form = 'knng.explore (file, ds, GRAPH)';
  n = numel (args);
  of_data = n > 0 && isstruct (args{1});
  is_table = @(i) n >= i && isnumeric (args{i}) && ~issparse (args{i});
  of_points = n > 1 && is_table (1) && (issparse (args{2}) || (is_table (2) && is_table (3)));
  if (~of_points)
    has_distances (args, of_data, is_table);
  end
  ds = struct ();
  if (of_points)
    args{1} = struct ('X', args{1});
    if (isinteger (args{1}.X))
      error ('knng:args:ds', 'X is %s: it must be a matrix of class double or single', knng.internal.given (args{1}.X));
    end
  end
  if (of_data || of_points)
    ds = args{1};
    named = numel (ds) == 1 && isfield (ds, 'names') && ~isempty (ds.names);
    ds = knng.internal.check_ds (ds);
    ds.named = named;
    args(1) = [];
  end
  [graph, pairs] = knng.internal.graph_arguments (form, args);
  if (islogical (graph{1}))
    graph{1} = double (graph{1});
  end
  if (isfield (ds, 'X') && size (graph{1}, 1) ~= size (ds.X, 1))
    error ('knng:args:idx', 'the graph has %d rows: it must have %d, one for each row of DS.X%s%s', size (graph{1}, 1), size (ds.X, 1), ...
           knng.internal.of_pairs (size (graph{1}, 1), size (ds.X, 1), ...
                                   ['knng.explore (file, idx, dist, ''Labels'', knng.metanames (ds, ops, 1:size (idx, 1))) shows it ' ...
                                    'with names and without values']), knng.internal.of_columns (size (graph{1}, 1), ds));
  elseif (isempty (graph{1}))
    error ('knng:args:idx', 'the graph has no rows: it must have one at least, as knngraph returns it');
  end
end

function has_distances (args, of_data, is_table)
% An error where idx stands without dist: behind a data set, behind a matrix, alone.
  at = 1 + of_data;
  if (~is_table (at))
    return
  end
  n = size (args{at}, 1);
  lists = @(v) knng.internal.whole (v, 0, n);
  if (is_table (at + 1))
    [X, idx] = deal (args{at:at + 1});
    missing = ~of_data && size (idx, 1) == n && lists (idx) && (~isequal (size (X), size (idx)) || ~knng.internal.whole (X, 0, 2 ^ 53));
  else
    missing = of_data || lists (args{at});
  end
  if (missing)
    error ('knng:args:dist', ['dist is missing: the page shows how near neighbours are, so give both tables, [idx, dist] = knngraph (X, k, metric), ' ...
           'and knng.explore (file, ds, idx, dist)']);
  end
end

function t = rows_of (graph)
% The graph row by row: t.n rows, t.count neighbours each, of which all together are t.idx, nearest first, at t.dist.
  if (numel (graph) == 1)
    [j, i, d] = find (double (graph{1})');
    [d, order] = sort (d(:));
    [i, j] = deal (i(order), j(order));
    [i, order] = sort (i(:));
    t = struct ('n', size (graph{1}, 1), 'count', [], 'idx', reshape (j(order), [], 1), 'dist', d(order));
    t.dist(t.dist >= 0 & t.dist <= realmin) = 0;
    t.count = accumarray (i, 1, [t.n, 1]);
    return
  end
  [idx, dist] = graph{:};
  [n, k] = size (idx);
  if (~knng.internal.whole (idx, 0, n))
    error ('knng:args:idx', 'idx holds what is no row: it must hold whole numbers from 0 to %d', n);
  end
  there = idx > 0;
  bad = find (any (diff ([there, false(n, 1)], 1, 2) > 0, 2), 1);
  if (~isempty (bad) && k > 1)
    error ('knng:args:idx', 'row %d of idx has a 0 before a neighbour: 0 stands behind the last one', bad);
  end
  [sorted, order] = sort (idx, 2);
  [bad, at] = find (sorted(:, 1:end-1) == sorted(:, 2:end) & sorted(:, 1:end-1) > 0, 1);
  if (~isempty (bad))
    error ('knng:args:idx', 'row %d of idx lists row %d twice, in columns %d and %d: a neighbour stands once in each row', bad, ...
           sorted(bad, at), min (order(bad, at:at + 1)), max (order(bad, at:at + 1)));
  end
  far = double (dist);
  far(~there) = Inf;
  bad = find (any (far(:, 1:end-1) > far(:, 2:end), 2), 1);
  if (~isempty (bad))
    error ('knng:args:dist', 'row %d of dist falls: it must rise in each row, the nearest neighbour first, as knngraph returns it', bad);
  end
  [there, idx, dist] = deal (there', idx', double (dist'));
  t = struct ('n', n, 'count', sum (there, 1)', 'idx', reshape (idx(there), [], 1), 'dist', reshape (dist(there), [], 1));
end

function check_distances (t, metric)
  bad = find (~(t.dist >= 0), 1);
  if (~isempty (bad))
    error ('knng:args:dist', 'a distance is %g: the graph must have distances, 0 or more, as knngraph makes them', t.dist(bad));
  elseif (knng.internal.correlation_sign (metric) ~= 0 && any (t.dist > 2.00001))
    error ('knng:args:dist', 'a distance is %g: of %s there is none above 2; is ''Metric'' that of the graph?', max (t.dist), metric);
  end
end

function opt = check (opt, n, ds)
  if (isempty (opt.Metric))
    opt.Metric = '';
  else
    opt.Metric = knng.internal.metric (opt.Metric);
  end
  XY = opt.XY;
  if (~isnumeric (XY) || ~isreal (XY) || ~(isequal (size (XY), [n 2]) || isequal (XY, [])))
    error ('knng:args:positions', '''XY'' is %s: it must be a real %d-by-2 matrix, a place for each point', knng.internal.given (XY), n);
  end
  groups = opt.Groups;
  if (knng.internal.is_one_of (groups, {'auto', 'none'}) && ischar (groups))
    opt.Groups = lower (groups);
  else
    check_groups (groups, n, ds);
  end
  opt.Layout = knng.internal.check_choice ('Layout', opt.Layout, {'auto', 'kk', 'fr', 'drl', 'none'});
  opt.Values = knng.internal.check_choice ('Values', opt.Values, {'byte', 'fine', 'none'});
  opt.Clustergram = knng.internal.check_choice ('Clustergram', opt.Clustergram, {'auto', 'rows', 'groups', 'none'});
  knng.internal.check_texts (opt.Labels, n);
  knng.internal.check_seed (opt.Seed);
  if (~isfield (ds, 'X'))
    opt.Values = 'none';
  end
  check_clustergram (opt, n, ds);
  if (~ischar (opt.Title) || size (opt.Title, 1) > 1 || ndims (opt.Title) ~= 2)
    error ('knng:args:option', '''Title'' is %s: it must be a text in one row', knng.internal.given (opt.Title));
  elseif (~is_info (opt.Info))
    error ('knng:args:option', '''Info'' is %s: it must be the struct that knngraph returns as its third result, or []', ...
           knng.internal.given (opt.Info));
  end
  most = opt.MaxSize;
  if (~isnumeric (most) || ~isreal (most) || numel (most) ~= 1 || ~(most > 0))
    error ('knng:args:option', '''MaxSize'' is %s: it must be a number of bytes, above 0; Inf for any', knng.internal.given (most));
  end
end

function check_groups (groups, n, ds)
% One label for each point.
  count = -1;
  try
    count = numel (knng.internal.label_codes (groups));
  catch                                                      % no labels: the error is below
  end
  if (count == n)
    return
  end
  remedy = '';
  if (count > 1 && isfield (ds, 'X') && count == size (ds.X, 2))
    remedy = sprintf ('; there are %d samples: what is known of these goes into ''Phenotypes''', count);
  end
  error ('knng:args:labels', ['''Groups'' is %s: it must be ''auto'', ''none'', or a vector of %d numbers or texts, a label for each ' ...
         'point%s'], knng.internal.given (groups), n, remedy);
end

function check_clustergram (opt, n, ds)
% What is asked for can be had, as far as is known before groups are.
  asked = opt.Clustergram;
  if (~any (strcmp (asked, {'rows', 'groups'})))
    return
  elseif (strcmp (opt.Values, 'none'))
    error ('knng:args:option', '''Clustergram'' is ''%s'', but the page has no values: give the data set, and ''Values'', ''byte''', asked);
  elseif (size (ds.X, 2) > 10000)
    error ('knng:args:option', '''Clustergram'' is ''%s'', but there are %d samples: up to 10000 there is one; leave it at ''auto''', asked, ...
           size (ds.X, 2));
  elseif (strcmp (asked, 'rows') && n > 10000)
    error ('knng:args:option', ['''Clustergram'' is ''rows'', but there are %d: up to 10000 there is one; take ''groups'', or leave rows out before ' ...
           '(knng.filterrows)'], n);
  elseif (strcmp (asked, 'groups') && isequal (opt.Groups, 'none'))
    error ('knng:args:option', '''Clustergram'' is ''groups'', but ''Groups'' is ''none'': give groups, or take ''rows''');
  end
end

function map_needs_igraph (opt)
% An error or a warning before anything takes time.
  if (~isempty (opt.XY) || strcmp (opt.Layout, 'none'))
    return
  elseif (~strcmp (opt.Layout, 'auto'))
    knng.internal.with_igraph ('; or give ''XY'', the places, such as Y of knng.diffusionmap (A, 2)');
  elseif (~knng.internal.with_igraph ())
    warning ('knng:toolbox:noIgraph', ['the page gets no map, which needs igraph''s C library: install it and build knng again, or give ' ...
             '''XY'', the places, such as Y of knng.diffusionmap (A, 2)']);
  end
end

function [XY, groups, noise] = places_and_groups (graph, opt)
% [] where the page has none; how many rows are noise.
  XY = full (double (opt.XY));
  A = knng.internal.graph ('knng.explore (file, ds, GRAPH)', graph);
  joined = full (any (A, 2) | any (A, 1)');
  if (isempty (XY) && ~strcmp (opt.Layout, 'none') && knng.internal.with_igraph ())
    placed = joined | ~any (joined);                         % the rest would take the map away from the graph
    XY = NaN (numel (joined), 2);
    XY(placed, :) = knng.internal.layout (A(placed, placed), opt.Layout, opt.Seed);
  end
  [groups, noise] = knng.internal.without_noise (opt.Groups, 'groups');
  noise = sum (noise);
  if (isequal (groups, 'none'))
    groups = [];
  elseif (isequal (groups, 'auto') && knng.internal.with_igraph ())
    quiet = knng.internal.quiet_alone ();
    groups = without_single (knng.leiden (graph{:}, 'Weight', 'binary', 'Seed', opt.Seed), joined);
    quiet = [];                                              %#ok<NASGU>
  elseif (isequal (groups, 'auto'))
    quiet = knng.internal.quiet_alone ();
    groups = without_single (parts_of (graph), joined);
    quiet = [];                                              %#ok<NASGU>
  end
end

function groups = without_single (groups, joined)
% Rows without edges would be as many groups of one row each.
  groups = double (groups(:));
  groups(~joined) = NaN;
end

function groups = parts_of (graph)
% By knng.mstknn, with the k of its default, or with so many neighbours as there are.
  A = knng.internal.graph ('knng.explore (file, ds, GRAPH)', graph);
  listed = full (sum (A ~= 0, 2));
  k = min (floor (log (max (sum (listed > 0), 1))), max (listed));
  groups = knng.mstknn (A, 'K', max (1, k));
end

function page = add_places (page, XY, groups, noise)
  if (~isempty (XY))
    XY(any (abs (XY) > 1e30, 2), :) = NaN;
    page.blocks(end + 1) = knng.internal.page_block ('xy', single (XY'));
  end
  if (~isempty (groups))
    [code, kinds] = knng.internal.label_codes (groups);
    page.meta.groups = knng.internal.label_texts (kinds);
    page.meta.noise = noise;
    page.blocks(end + 1) = knng.internal.page_block ('groups', uint32 (code));
  end
end

function page = add_centres (page, ds, groups, metric)
% What the table of groups says, where the page knows of what metric.
  if (isempty (groups) || isempty (metric) || ~isfield (ds, 'X'))
    return
  end
  [code, kinds] = knng.internal.label_codes (groups);
  [far, near] = knng.internal.group_centres (ds.X, code, numel (kinds), metric);
  page.blocks = [page.blocks, knng.internal.page_block('tight', far), knng.internal.page_block('nearest', uint32 (near'))];
end

function page = add_clustergram (page, ds, groups, opt)
% Of rows or of groups, where there can be one.
  how = opt.Clustergram;
  if (strcmp (how, 'none') || strcmp (opt.Values, 'none'))
    return
  end
  [code, kinds] = deal ([]);
  if (~isempty (groups))
    [code, kinds] = knng.internal.label_codes (groups);
  end
  [n, d] = size (ds.X);
  count = numel (kinds);
  if (strcmp (how, 'auto') && n <= 5000 && d <= 5000)
    how = 'rows';
  elseif (strcmp (how, 'auto') && count >= 2 && count <= 5000 && d <= 5000)
    how = 'groups';
  elseif (strcmp (how, 'groups') && (count < 1 || count > 10000))
    error ('knng:args:option', '''Clustergram'' is ''groups'', of which there are %d: it is of 1 to 10000; leave it at ''auto''', count);
  end
  if (~strcmp (how, 'auto'))
    page = knng.internal.page_trees (page, ds.X, code, count, how);
  end
end

function page = add_colours (page, phenotypes, classes)
% Of kinds of phenotypes and of groups, each as a text, '#rrggbb'; the shapes of groups change as in pictures of points.
  [bars, groups, scale] = knng.internal.page_colours (phenotypes, classes);
  texts = @(colours) cellfun (@(c) sprintf ('#%02x%02x%02x', round (255 * c)), num2cell (colours, 2), 'UniformOutput', false);
  for i = 1:numel (bars)
    page.meta.phenotypes{i}.colours = texts (reshape (bars{i}, [], 3));
  end
  page.meta.scale = num2cell (round (255 * scale), 2);       % numbers, since the page mixes them
  page.meta.colours = texts (groups);
  [first, shapes] = knng.internal.palette ();
  each = size (first, 1);
  page.meta.shapes = shapes(1 + floor ((0:size (groups, 1) - 1) / each));
end

function limit (blocks, most)
  bytes = sum (cellfun (@numel, {blocks.text}));
  if (bytes <= most)
    return
  end
  of_values = sum (cellfun (@numel, {blocks(strncmp ('values', {blocks.name}, 6)).text}));
  remedy = 'raise ''MaxSize'', or give a graph of fewer neighbours, knng.trim (GRAPH, k)';
  if (of_values > 0)
    remedy = sprintf (['%.3g MB of it are values: leave them out with ''Values'', ''none'' (''byte'' takes half of ''fine''), give ' ...
                       'fewer rows or samples, or raise ''MaxSize'''], of_values / 1e6);
  end
  error ('knng:args:maxSize', 'the page would take %.3g MB, and ''MaxSize'' is %.3g MB; %s', bytes / 1e6, most / 1e6, remedy);
end

function t = call_of (args, pairs)
% The call as the foot of the page shows it: no names of variables, since the same arguments give the same bytes, nor of files, which may lie in
% folders that are nobody's business.
  t = 'knng.explore (file';
  for i = 1:numel (args) - numel (pairs)
    t = sprintf ('%s, %s', t, bracketed (args{i}));
  end
  for i = 1:2:numel (pairs)
    value = bracketed (pairs{i + 1});
    if (strcmp (pairs{i}, 'Phenotypes') && ischar (pairs{i + 1}) && ~strcmpi (pairs{i + 1}, 'auto'))
      value = '[file]';
    end
    t = sprintf ('%s, ''%s'', %s', t, pairs{i}, value);
  end
  t = [t, ')'];
end

function t = bracketed (v)
  t = knng.internal.given (v);
  if (strncmp (t, 'a ', 2))
    t = ['[', t(3:end), ']'];
  end
end

function tables = rank_tables (shared)
% The p-values of ranks, by how many samples two rows SHARE, as far as that occurs and there are so few that p is exact.
  tables = cell (1, 0);
  for n = reshape (unique (shared), 1, [])
    p = knng.internal.rank_p (n);
    if (~isempty (p))
      tables{end + 1} = struct ('samples', n, 'p', p);       %#ok<AGROW>
    end
  end
end

function s = search_facts (info)
% What the foot says of the search, a cell of lines.
  s = {};
  if (isempty (info))
    return
  end
  if (isfield (info, 'certified'))
    parts = {};
    for level = {'boxes', 'f16', 'f32', 'f64', 'scan'; 'boxes', 'half precision', 'single precision', 'double precision', 'a scan of all pairs'}
      if (isfield (info.certified, level{1}) && info.certified.(level{1}) > 0)
        parts{end + 1} = sprintf ('by %s %d', level{2}, info.certified.(level{1})); %#ok<AGROW>
      end
    end
    s{end + 1} = ['rows whose neighbours are certified: ', strjoin(parts, ', ')];
  end
  if (isfield (info, 'device'))
    s{end + 1} = ['searched on: ', info.device];
  end
end

function yes = is_info (info)
% [], or a struct as knngraph returns it, as far as the page shows it.
  yes = isequal (info, []);
  if (yes || ~(isstruct (info) && numel (info) == 1))
    return
  end
  yes = ~isfield (info, 'device') || (ischar (info.device) && size (info.device, 1) <= 1 && ndims (info.device) == 2);
  if (isfield (info, 'certified'))
    counts = info.certified;
    yes = yes && isstruct (counts) && numel (counts) == 1 && ...
          all (structfun (@(v) isnumeric (v) && isreal (v) && numel (v) == 1, counts));
  end
end

function s = blocks_of (blocks)
% Bytes by name; the many of values as one.
  s = struct ();
  for b = blocks(:)'
    name = regexprep (b.name, '^values\d+$', 'values');
    if (~isfield (s, name))
      s.(name) = 0;
    end
    s.(name) = s.(name) + numel (b.text);
  end
end

%!test <*1>  # sizes, the same bytes again, the foot
%! X = mod ((1:40)' * [0.37 0.71 0.13 0.93], 1);
%! [idx, dist] = knngraph (X, 3, 'pearson');
%! ds = struct ('X', X, 'classes', {{'a', 'a', 'b', 'b'}});
%! files = {[tempname() '.html'], [tempname() '.html']};
%! unwind_protect
%!   info = knng.explore (files{1}, ds, idx, dist, 'Metric', 'pearson', 'XY', X(:, 1:2), 'Groups', X(:, 1) > 0.5);
%!   again = knng.explore (files{2}, ds, idx, dist, 'Metric', 'pearson', 'XY', X(:, 1:2), 'Groups', X(:, 1) > 0.5);
%!   text = fileread (files{1});
%!   assert (text, fileread (files{2}));
%! unwind_protect_cleanup
%!   delete (files{1});
%!   delete (files{2});
%! end_unwind_protect
%! assert (numel (text), info.bytes);
%! assert (sum (cell2mat (struct2cell (info.blocks))), info.bytes);
%! assert (info.checksum, knng.checksum (idx, dist));
%! assert (info.rounding > 0 && info.rounding <= 1 / 508 * (1 + 1e-12));
%! assert (info.XY, X(:, 1:2));

%!error id=knng:args:count knng.explore ('a.html')
%!error id=knng:args:file knng.explore (5, [2; 1], [1; 1])
%!error id=knng:args:file knng.explore ('a.txt', [2; 1], [1; 1])
%!error id=knng:args:ds knng.explore ('a.html', struct ('Y', 1), [2; 1], [1; 1])
%!error id=knng:args:ds knng.explore ('a.html', int8 ([1; 2]), [2; 1], [1; 1])
%!error id=knng:args:idx knng.explore ('a.html', [1; 2; 3], [2; 1], [1; 1])
%!error id=knng:args:idx knng.explore ('a.html', [3; 1], [1; 1])
%!error <DS.X has so many columns: to look at these give X'$> knng.explore ('a.html', rand (3, 2), [2; 1], [1; 1])
%!error id=knng:args:idx knng.explore ('a.html', [0 2; 1 0], [0 1; 1 0])
%!error id=knng:args:idx knng.explore ('a.html', zeros (0, 2), zeros (0, 2))
%!error <row 2 of idx lists row 3 twice, in columns 1 and 3> knng.explore ('a.html', [2 3 0; 3 1 3; 1 2 0], [1 2 0; 1 1 1; 1 2 0])
%!error <^dist is missing: the page shows how near neighbours are, so give both> knng.explore ('a.html', [2; 1], 'Layout', 'none')
%!error <^dist is missing> knng.explore ('a.html', struct ('X', magic (3)), [2; 1; 1])
%!error <^dist is missing> knng.explore ('a.html', magic (3), [2; 1; 1])
%!error <^dist is missing> knng.explore ('a.html', [0.5; 7; 9], [2; 1; 1], 'Groups', 'none')
%!error <knng.explore needs a graph> knng.explore ('a.html', magic (3), 'Groups', 'none')
%!error id=knng:args:dist knng.explore ('a.html', [2; 1], [1; NaN])
%!error id=knng:args:dist knng.explore ('a.html', [2; 1], [1; 3], 'Metric', 'pearson')
%!error <row 2 of dist falls> knng.explore ('a.html', [2 3; 1 3; 1 2], [1 2; 2 1; 1 1])
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Info', struct ('device', ['a'; 'b']))
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Info', struct ('certified', struct ('f32', 'x')))
%!error id=knng:args:metric knng.explore ('a.html', [2; 1], [1; 3], 'Metric', 'pearsn')
%!error id=knng:args:class knng.explore ('a.html', sparse (2, 3))
%!error id=knng:args:labels knng.explore ('a.html', [2; 1], [1; 1], 'Groups', 1:3)
%!error id=knng:args:labels knng.explore ('a.html', [2; 1], [1; 1], 'Groups', 'no')
%!error <^'Groups' is a 2-by-2 double: it must be 'auto', 'none', or a vector of 2 numbers or texts, a label> knng.explore ('a.html', [2; 1], [1; 1], 'Groups', eye (2))
%!error <^'Groups' is a 1-by-1 struct: it must> knng.explore ('a.html', [2; 1], [1; 1], 'Groups', struct ())
%!error <there are 3 samples: what is known of these goes into 'Phenotypes'> knng.explore ('a.html', [1 2 3; 4 5 6], [2; 1], [1; 1], 'Groups', {'a', 'b', 'b'})
%!error id=knng:args:positions knng.explore ('a.html', [2; 1], [1; 1], 'XY', 1:3)
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Layout', 'round')
%!test  # a matrix of logicals is a graph of distances 1
%! file = [tempname() '.html'];
%! gone = onCleanup (@() delete (file));
%! info = knng.explore (file, sparse ([0 1; 1 0]) > 0, 'Layout', 'none', 'Groups', 'none');
%! assert (info.checksum, knng.checksum (sparse ([0 1; 1 0])));
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Labels', {'a'})
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Phenotypes', struct ('a', 1))
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Phenotypes', 'all')
%!error id=knng:args:labels knng.explore ('a.html', [5; 6], [2; 1], [1; 1], 'Phenotypes', struct ('a', [1 2]))
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'MaxSize', 0)
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Info', 5)
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Title', {'a'})
%!error id=knng:args:unknownOption knng.explore ('a.html', [2; 1], [1; 1], 'Value', 'x', 'Grups', 1)
%!error <of it are values: leave them out with 'Values', 'none'> knng.explore ('a.html', magic (4), [2; 1; 1; 1], [1; 1; 1; 1], 'MaxSize', 200, 'Layout', 'none')
%!error id=knng:args:maxSize knng.explore ('a.html', [2; 1], [1; 1], 'MaxSize', 9e3, 'Layout', 'none', 'Groups', 'none')
%!error <is 'rows', but the page has no values> knng.explore ('a.html', [2; 1], [1; 1], 'Clustergram', 'rows')
%!error <there are 10001: up to 10000 there is one; take 'groups'> knng.explore ('a.html', (1:10001)', [2:10001, 1]', ones (10001, 1), 'Clustergram', 'rows')
%!error <but 'Groups' is 'none': give groups> knng.explore ('a.html', [5; 6], [2; 1], [1; 1], 'Clustergram', 'groups', 'Groups', 'none')
%!error <of which there are 0: it is of 1 to 10000> knng.explore ('a.html', [5; 6], [2; 1], [1; 1], 'Clustergram', 'groups', 'Groups', [NaN NaN], 'Layout', 'none')
%!error id=knng:args:option knng.explore ('a.html', [2; 1], [1; 1], 'Clustergram', true)
%!error id=knng:io:open knng.explore ('/nonexistent/a.html', [2; 1], [1; 1], 'Layout', 'none', 'Groups', 'none')
