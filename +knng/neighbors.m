function t = neighbors (ds, varargin)
%KNNG.NEIGHBORS  The neighbours of one row, by name.
%   t = knng.neighbors (ds, idx, dist, name) looks up the neighbours of a row in
%   a graph and returns a struct.
%   t = knng.neighbors (ds, idx, dist, name, k) takes the k nearest.
%   t = knng.neighbors (ds, A, name, k) does the same with the sparse matrix A =
%   knngraph (ds.X, k, ...).
%   knng.neighbors (...) without an output prints the same as a table.
%
%     ds         struct with X, n-by-d, and names, a cell of n names: what
%                knng.read returns. Without names, or where the matrix X is
%                given in its place, the rows have their numbers
%     idx, dist  n-by-k, from [idx, dist] = knngraph (ds.X, k, ...)
%     name       the name of a row, exactly as in ds.names, or its number. If
%                several rows have the name, the first is used, and a warning,
%                knng:args:name, lists them all: give the number of the row to
%                choose another. What is no name may be a gene symbol, of
%                ds.symbols, or a text of ds.annotation, a struct of columns:
%                all rows that have it, such as the probes of a gene, up to 20,
%                are shown one after the other
%     k          how many, default all columns of idx; more than there are gives
%                what there is
%
%   Fields of t, each a column of at most k:
%
%     t.rank      1, 2, 3, ...
%     t.name      a cell, the names of the neighbours
%     t.symbol    their gene symbols, where there is ds.symbols
%     t.index     their rows in ds.X
%     t.distance  their distances, as in dist
%     t.r         Pearson's correlation of their rows with this row, whatever
%                 the metric of the graph, over the columns in which neither has
%                 a NaN; NaN where a row is constant there, or holds Inf. It is
%                 right to rounding, not to the last bit
%     t.of        where several rows have the symbol: the one whose neighbour it
%                 is. The lists follow each other
%
%   A row may have no neighbours, because it has missing values, is constant, or
%   has too few columns in common with others ('MinValid'): the printed text
%   says which.
%
%   Cost: O(n) to find the name, O(k*d) for the correlations.
%
%   Errors: knng:args:name: no row has this name or symbol (the message lists
%   the most similar ones), too many have it, or no such row; knng:args:ds,
%   :idx, :dist, :class, :k, :count: the argument is not what is described
%   above.
%
%   Example:
%     ds.X = [1 2 3 4; 2 4 6 9; 4 3 2 1; 1 3 2 4];
%     ds.names = {'ZYX', 'CD33', 'MYB', 'LYN'};
%     [idx, dist] = knngraph (ds.X, 3, 'pearson');
%     knng.neighbors (ds, idx, dist, 'ZYX')
%     t = knng.neighbors (ds, idx, dist, 1, 2);
%     t.name                              % {'CD33'; 'LYN'}
%     ds.symbols = {'zyxin', 'SIGLEC3', 'c-Myb', 'Lyn'};
%     knng.neighbors (ds, idx, dist, 'SIGLEC3')
%
%   See also knng.read, knngraph, knng.edges, knng.profile, knng.explore.
if nargin < 1
    error ('knng:args:count', ['knng.neighbors needs a data set, a graph and a name, as in knng.neighbors (ds, idx, dist, ' ...
           '''X95735_at''): see help knng.neighbors']);
end
if isfloat (ds)                                              % rows without names
    ds = struct ('X', ds);
end
ds = knng.internal.check_ds (ds);
n = size (ds.X, 1);
[graph, rest] = knng.internal.graph_arguments ('knng.neighbors (ds, GRAPH, ''X95735_at'')', varargin);
if issparse (varargin{1}) && numel (rest) > 1 && isfloat (rest{1}) && isequal (size (rest{1}, 1), n) && n > 1
    error ('knng:args:dist', ['the graph is a sparse matrix, which has the distances: leave DIST out, as in ' ...
           'knng.neighbors (ds, A, ''X95735_at'')']);
end
if isempty (rest) || numel (rest) > 2
    error ('knng:args:count', ['knng.neighbors needs a data set, a graph and a name, and perhaps k, as in knng.neighbors (ds, idx, dist, ' ...
           '''X95735_at'', 5): see help knng.neighbors']);
end
[idx, dist] = knng.internal.tables (graph);
if size (idx, 1) ~= n
    error ('knng:args:idx', 'the graph has %d rows: it must have %d, one for each row of DS.X%s%s', size (idx, 1), n, ...
           knng.internal.of_pairs (size (idx, 1), n, 'knng.metanames (ds, ops, idx(i, :)) names the neighbours of its row i'), ...
           knng.internal.of_columns (size (idx, 1), ds));
end
k = size (idx, 2);
if numel (rest) == 2
    k = knng.internal.check_neighbours ('k', rest{2});
end
name = rest{1};
rows = knng.internal.find_row (ds, rest{1}, true);
symbols = knng.internal.symbols_of (ds);
beside = knng.internal.symbols_beside (ds);
s = list_of (ds, symbols, idx, dist, rows(1), double (k));
if numel (rows) > 1
    s.of = rows(1) * ones (numel (s.rank), 1);
end
for row = reshape (rows(2:end), 1, [])
    more = list_of (ds, symbols, idx, dist, row, double (k));
    more.of = row * ones (numel (more.rank), 1);
    for field = fieldnames (s)'
        s.(field{1}) = [s.(field{1}); more.(field{1})];
    end
end
if nargout > 0
    t = s;
    return
end
for row = rows'
    one = s;
    if numel (rows) > 1
        one = structfun (@(v) v(s.of == row), s, 'UniformOutput', false);
    end
    print_table (one, ds, beside, row, idx);
end
end

function s = list_of (ds, symbols, idx, dist, row, k)
% The neighbours of one row.
n = size (ds.X, 1);
index = double (idx(row, 1:min (k, size (idx, 2))))';
index = reshape (index(1:find ([index == 0; true], 1) - 1), [], 1);
if ~all (index >= 1 & index <= n & index == fix (index))
    error ('knng:args:idx', 'idx has %g in row %d: it must hold whole numbers from 0 to %d', ...
           index(find (~(index >= 1 & index <= n & index == fix (index)), 1)), row, n);
end
c = numel (index);
s = struct ('rank', (1:c)', 'name', {reshape(ds.names(index), c, 1)});
if ~isempty (symbols)
    s.symbol = reshape (symbols(index), c, 1);
end
s.index = index;
s.distance = double (dist(row, 1:c))';
s.r = knng.internal.correlate (ds.X(index, :), ds.X(row, :));
end

function print_table (s, ds, symbols, row, idx)
% Columns as wide as their longest entry.
name = ds.names{row};
if ~isempty (symbols) && ~isempty (symbols{row})
    name = [name, ' ', symbols{row}];
end
if isempty (s.rank)
    fprintf ('%s (row %d) has no neighbours: %s\n', name, row, knng.internal.why_none (ds.X, row, idx));
    return
end
fprintf ('%s (row %d) has %s\n', name, row, knng.internal.count_of (numel (s.rank), 'neighbour'));
texts = padded ([{'name'}; s.name]);
if ~isempty (symbols)
    texts = strcat (texts, {'  '}, padded ([{'symbol'}; reshape(symbols(s.index), [], 1)]));
end
fprintf ('%4s  %s  %7s  %12s  %8s\n', 'rank', texts{1}, 'index', 'distance', 'r');
for i = 1:numel (s.rank)
    fprintf ('%4d  %s  %7d  %12.6g  %8.5f\n', s.rank(i), texts{i + 1}, s.index(i), s.distance(i), s.r(i));
end
end

function texts = padded (texts)
% With blanks behind them, as wide as the widest.
wide = knng.internal.screen_width (texts);
texts = cellfun (@(t, w) [t, repmat(' ', 1, max (wide) - w)], texts, num2cell (wide), 'UniformOutput', false);
end

%!shared ds, idx, dist
%! ds.X = [1 2 3 4; 2 4 6 9; 4 3 2 1; 1 3 2 4; 5 5 5 5];
%! ds.names = {'ZYX', 'CD33', 'MYB', 'LYN', 'ZYX'};
%! idx = [2 4 3; 1 4 3; 4 2 1; 1 2 3; 0 0 0];
%! dist = [.1 .2 1.9; .1 .3 1.8; 1.7 1.8 1.9; .2 .3 1.7; NaN NaN NaN];

%!test
%! t = knng.neighbors (ds, idx, dist, 'CD33');
%! assert (fieldnames (t), {'rank'; 'name'; 'index'; 'distance'; 'r'});
%! assert (t.rank, [1; 2; 3]);
%! assert (t.name, {'ZYX'; 'LYN'; 'MYB'});
%! assert (t.index, [1; 4; 3]);
%! assert (t.distance, [.1; .3; 1.8]);
%! assert (t.r, corr (ds.X([1 4 3], :)', ds.X(2, :)'), 1e-14);
%!test  # by number, k, more than there are, integers
%! t = knng.neighbors (ds, int64 (idx), single (dist), 1, 2);
%! assert (t.name, {'CD33'; 'LYN'});
%! assert (knng.neighbors (ds, idx, dist, 4, 99), knng.neighbors (ds, idx, dist, 'LYN'));
%!test  # a row without neighbours, a row with some
%! t = knng.neighbors (ds, idx, dist, 5);
%! assert (size (t.name), [0 1]);
%! assert (size (t.r), [0 1]);
%! cut = idx;
%! cut(2, 2:3) = 0;
%! assert (size (getfield (knng.neighbors (ds, zeros (5, 1), zeros (5, 1), 2), 'index')), [0 1]);
%! t = knng.neighbors (ds, cut, dist, 'CD33');
%! assert (t.name, {'ZYX'});
%!test  # constant rows, missing values, huge values
%! x.X = [1 2 3; 7 7 7; 1 NaN 3; 1e300 2e300 3e300; .1 .1 .1];
%! x.names = {'a'; 'b'; 'c'; 'd'; 'e'};
%! t = knng.neighbors (x, [2 3 4 5; zeros(4)], [1 2 3 4; zeros(4)], 'a');
%! assert (t.r, [NaN; 1; 1; NaN], 1e-15);
%!test  # over the columns that both have
%! x.X = [1 2 3 NaN 9; 2 NaN 5 1 3; NaN NaN 4 4 1; 3 Inf 1 2 2; 7 NaN NaN NaN NaN];
%! [known, row] = deal ([1 3 5], x.X(1, :));
%! t = knng.neighbors (x, [2 3 4 5; zeros(4)], [1 2 3 4; zeros(4)], 1);
%! assert (t.r, [corr(x.X(2, known)', row(known)'); -1; NaN; NaN], 1e-14);
%!test  # the table
%! text = evalc ("knng.neighbors (ds, idx, dist, 'CD33', 2)");
%! lines = strsplit (strtrim (text), "\n");
%! assert (numel (lines), 4);
%! assert (~isempty (strfind (lines{1}, 'CD33 (row 2)')));
%! assert (numel (lines{3}), numel (lines{2}));
%! assert (strtok (lines{4}), '2');
%!test  # columns of names in UTF-8 are as wide as their characters
%! other = ds;
%! other.names{1} = ['Z', char([195 164 206 178]), 'X'];
%! for with = {{}, {'zyxin'; 'SIGLEC3'; char([195 164]); 'Lyn'; ''}}
%!   other.symbols = with{1};
%!   lines = strsplit (strtrim (evalc ("knng.neighbors (other, idx, dist, 'CD33')")), "\n");
%!   assert (knng.internal.screen_width (lines(2:end)), [1 1 1 1] * knng.internal.screen_width (lines{2}));
%! end
%!warning id=knng:args:name
%! t = knng.neighbors (ds, idx, dist, 'ZYX');
%!error id=knng:args:name knng.neighbors (ds, idx, dist, 'nothing like it')
%!error <did you mean 'CD33'\?> knng.neighbors (ds, idx, dist, 'cd33')
%!error <did you mean 'CD33'\?> knng.neighbors (ds, idx, dist, 'D3')
%!error <did you mean 'CD33'\?> knng.neighbors (ds, idx, dist, 'CD333')
%!error <did you mean 'MYB', 'ZYX', 'LYN'\?> knng.neighbors (ds, idx, dist, 'YB')
%!error id=knng:args:name knng.neighbors (ds, idx, dist, '')
%!error id=knng:args:name knng.neighbors (ds, idx, dist, 6)
%!error id=knng:args:name knng.neighbors (ds, idx, dist, 1.5)
%!error id=knng:args:name knng.neighbors (ds, idx, dist, NaN)
%!error id=knng:args:name knng.neighbors (ds, idx, dist, {'ZYX'})
%!error id=knng:args:k knng.neighbors (ds, idx, dist, 1, 0)
%!error id=knng:args:k knng.neighbors (ds, idx, dist, 1, 1.5)
%!error id=knng:args:k knng.neighbors (ds, idx, dist, 1, 'two')
%!error id=knng:args:k knng.neighbors (ds, idx, dist, 1, [1 2])
%!error id=knng:args:dist knng.neighbors (ds, idx(1:4, :), dist, 1)
%!error id=knng:args:idx knng.neighbors (ds, idx(1:4, :), dist(1:4, :), 1)
%!test  # a matrix holds the same graph
%! A = knng.adjacency (idx(1:4, :), dist(1:4, :));
%! x = struct ('X', ds.X(1:4, :), 'names', {ds.names(1:4)});
%! assert (knng.neighbors (x, A, 'CD33', 2), knng.neighbors (x, idx(1:4, :), dist(1:4, :), 'CD33', 2));
%!error <; DS.X has so many columns: to look at these give X'$> knng.neighbors (struct ('X', ones (3, 2)), [2; 1], [1; 1], 1)
%!error id=knng:args:idx knng.neighbors (ds, idx + 3, dist, 1)
%!error id=knng:args:idx knng.neighbors (ds, {1}, dist, 1)
%!error id=knng:args:dist knng.neighbors (ds, idx, dist(:, 1), 1)
%!error id=knng:args:dist knng.neighbors (ds, idx, @sin, 1)
%!test  # a matrix: rows have their numbers
%! t = knng.neighbors ([1 2; 3 4; 1 3], [3 2; 1 3; 1 2], [1 2; 2 3; 1 3], 1);
%! assert (t.name, {'3'; '2'});
%! t = knng.neighbors ([1 2; 3 4; 1 3], [3 2; 1 3; 1 2], [1 2; 2 3; 1 3], '3');
%! assert (t.name, {'1'; '2'});
%!error id=knng:args:ds knng.neighbors ('text', idx, dist, 1)
%!error id=knng:args:ds knng.neighbors (struct ('X', 1, 'names', {{'a', 'b'}}), 0, 0, 1)
%!assert (getfield (knng.neighbors (struct ('X', [1 2; 3 4; 5 9], 'names', {{}}), [2; 1; 2], [1; 1; 3], 3), 'name'), {'2'})
%!error id=knng:args:count knng.neighbors (ds, idx, dist)
%!error id=knng:args:class knng.neighbors (ds, sparse (ones (size (ds.X, 1), 2)), 1)
%!error id=knng:args:dist knng.neighbors (ds, sparse (size (ds.X, 1), size (ds.X, 1)), dist, 1)

%!test  # by symbol: one probe, several, with the symbols beside the names
%! ds.symbols = {'zyxin'; 'SIGLEC3'; 'Myb'; 'Lyn'; 'zyxin'};
%! t = knng.neighbors (ds, idx, dist, 'SIGLEC3');
%! assert (fieldnames (t), {'rank'; 'name'; 'symbol'; 'index'; 'distance'; 'r'});
%! assert (t.symbol, {'zyxin'; 'Lyn'; 'Myb'});
%! ds.symbols{4} = 'zyxin';
%! t = knng.neighbors (ds, idx, dist, 'zyxin', 2);
%! assert ({t.of, t.rank, t.index}, {[1; 1; 4; 4], [1; 2; 1; 2], [2; 4; 1; 2]});
%! text = evalc ("knng.neighbors (ds, idx, dist, 'zyxin', 2)");
%! lines = strsplit (strtrim (text), "\n");
%! assert (lines([1 5]), {'ZYX zyxin (row 1) has 2 neighbours', 'LYN zyxin (row 4) has 2 neighbours'});
%! assert (lines{9}, 'ZYX zyxin (row 5) has no neighbours: it is constant, which leaves no distance with the correlations');
%! assert (strsplit (strtrim (lines{2}), ' '), {'rank', 'name', 'symbol', 'index', 'distance', 'r'});
%! assert (numel (lines{3}), numel (lines{2}));
%!test  # a row without a symbol is never what was meant
%! ds.symbols = {''; ''; 'Myb'; 'Lyn'; ''};
%! for name = {'ab', 'q', 'Lyx'}
%!   try
%!     knng.neighbors (ds, idx, dist, name{1});
%!     text = '';
%!   catch err
%!     text = err.message;
%!   end
%!   assert (~isempty (text) && isempty (strfind (text, "''")));
%! end
%! assert (~isempty (strfind (text, '''LYN''')));
%!test  # a symbol that is the name is printed once
%! ds.symbols = ds.names;
%! lines = strsplit (strtrim (evalc ("knng.neighbors (ds, idx, dist, 'CD33')")), "\n");
%! assert (lines{1}, 'CD33 (row 2) has 3 neighbours');
%! assert (strsplit (strtrim (lines{2}), ' '), {'rank', 'name', 'index', 'distance', 'r'});
%! assert (getfield (knng.neighbors (ds, idx, dist, 'CD33', 1), 'symbol'), {'ZYX'});
%! ds.symbols{4} = 'Lyn';
%! lines = strsplit (strtrim (evalc ("knng.neighbors (ds, idx, dist, 'CD33')")), "\n");
%! assert (strsplit (strtrim (lines{3}), ' ')(1:3), {'1', 'ZYX', '1'});
%! assert (strsplit (strtrim (lines{4}), ' ')(1:3), {'2', 'LYN', 'Lyn'});
%!test  # rows compared over what both have: too little in common, constant there
%! X = [mod((1:6)' * (1:12) .^ 2 * 0.618, 1); NaN(3, 12)];
%! X(1, 2) = NaN;
%! X(7, 1:2) = [1 2];
%! X(8, 1:5) = 3;
%! X(10:11, :) = NaN;
%! X(10, 1) = 4;                                              # one value is no constant row, nor a row of zeros
%! X(11, 3:4) = 0;
%! warning ('off', 'knng:data:fewer', 'local');
%! warning ('off', 'knng:data:constant', 'local');
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [i, d] = knngraph (X, 3, 'pearson', 'Rows', 'pairwise', 'MinValid', 4);
%! none = {'with no other row it has more than 2 of the 12 columns in common, fewer than ''MinValid''', 'it is constant', 'all its values are missing', ...
%!         'no other row it has more than 1 of', 'no other row it has more than 2 of'};
%! for row = 7:11
%!   text = evalc ("knng.neighbors (struct ('X', X), i, d, row)");
%!   assert (~isempty (strfind (text, none{row - 6})), text);
%! end
%!test  # why there are none
%! x.X = [1 NaN 3; NaN NaN NaN; 0 0 0; 1 Inf 2; 1 2 3];
%! none = {'1 of its 3 values are missing', 'all its values are missing', 'all its values are 0', '1 of its 3 values are Inf', 'the graph has none'};
%! for i = 1:5
%!   text = evalc ("knng.neighbors (x, zeros (5, 1), NaN (5, 1), i)");
%!   assert (~isempty (strfind (text, none{i})));
%! end
