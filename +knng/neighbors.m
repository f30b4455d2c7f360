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
%                knng.read returns. Without names the rows have their numbers
%     idx, dist  n-by-k, from [idx, dist] = knngraph (ds.X, k, ...)
%     name       the name of a row, exactly as in ds.names, or its number. If
%                several rows have the name, the first is used, and a warning,
%                knng:args:name, lists them all: give the number of the row to
%                choose another
%     k          how many, default all columns of idx; more than there are gives
%                what there is
%
%   Fields of t, each a column of at most k:
%
%     t.rank      1, 2, 3, ...
%     t.name      a cell, the names of the neighbours
%     t.index     their rows in ds.X
%     t.distance  their distances, as in dist
%     t.r         Pearson's correlation of their rows with this row, whatever
%                 the metric of the graph; NaN where a row is constant, or has a
%                 missing value. It is right to rounding, not to the last bit
%
%   Cost: O(n) to find the name, O(k*d) for the correlations.
%
%   Errors: knng:args:name: no row has this name (the message lists the most
%   similar ones), or no such row; knng:args:ds, :idx, :dist, :class, :k,
%   :count: the argument is not what is described above.
%
%   Example:
%     ds.X = [1 2 3 4; 2 4 6 9; 4 3 2 1; 1 3 2 4];
%     ds.names = {'ZYX', 'CD33', 'MYB', 'LYN'};
%     [idx, dist] = knngraph (ds.X, 3, 'pearson');
%     knng.neighbors (ds, idx, dist, 'ZYX')
%     t = knng.neighbors (ds, idx, dist, 1, 2);
%     t.name                              % {'CD33'; 'LYN'}
%
%   See also knng.read, knngraph.
if nargin < 1
    error ('knng:args:count', ['knng.neighbors needs a data set, a graph and a name, as in knng.neighbors (ds, idx, dist, ' ...
           '''X95735_at''): see help knng.neighbors']);
end
ds = knng.internal.check_ds (ds);
n = size (ds.X, 1);
[graph, rest] = knng.internal.graph_arguments ('knng.neighbors (ds, GRAPH, ''X95735_at'')', varargin, 'any');
if isempty (rest) || numel (rest) > 2
    error ('knng:args:count', ['knng.neighbors needs a data set, a graph and a name, and perhaps k, as in knng.neighbors (ds, idx, dist, ' ...
           '''X95735_at'', 5): see help knng.neighbors']);
end
[idx, dist] = knng.internal.tables (graph);
if size (idx, 1) ~= n
    error ('knng:args:idx', 'the graph has %d rows: it must have %d, one for each row of DS.X', size (idx, 1), n);
end
k = size (idx, 2);
if numel (rest) == 2
    k = knng.internal.check_neighbours ('k', rest{2});
end
name = rest{1};
row = knng.internal.find_row (ds.names, name);

index = double (idx(row, 1:min (double (k), size (idx, 2))))';
index = reshape (index(1:find ([index == 0; true], 1) - 1), [], 1);
if ~all (index >= 1 & index <= n & index == fix (index))
    error ('knng:args:idx', 'idx has %g in row %d: it must hold whole numbers from 0 to %d', ...
           index(find (~(index >= 1 & index <= n & index == fix (index)), 1)), row, n);
end
c = numel (index);
names = reshape (ds.names(index), c, 1);
s = struct ('rank', (1:c)', 'name', {names}, 'index', index, ...
            'distance', double (dist(row, 1:c))', 'r', correlate (ds.X(index, :), ds.X(row, :)));
if nargout > 0
    t = s;
else
    print_table (s, ds.names{row}, row);
end
end

function print_table (s, name, row)
% Columns as wide as their longest entry.
if isempty (s.rank)
    fprintf (['%s (row %d) has no neighbours: rows with missing values (NaN or Inf) have none, nor have constant rows ' ...
              'with the correlations, or rows of zeros with cosine\n'], name, row);
    return
end
fprintf ('%s (row %d) has %d neighbours\n', name, row, numel (s.rank));
wide = max (cellfun ('length', [s.name; {'name'}]));
fprintf (sprintf ('%%4s  %%-%ds  %%7s  %%12s  %%8s\n', wide), 'rank', 'name', 'index', 'distance', 'r');
line = sprintf ('%%4d  %%-%ds  %%7d  %%12.6g  %%8.5f\n', wide);
for i = 1:numel (s.rank)
    fprintf (line, s.rank(i), s.name{i}, s.index(i), s.distance(i), s.r(i));
end
end

function r = correlate (Y, x)
% Pearson's correlation of each row of Y with the row x.
r = unit_rows (Y) * unit_rows (x)';
r(abs (r) > 1) = sign (r(abs (r) > 1));
end

function u = unit_rows (x)
x = double (full (x));
big = max (abs (x), [], 2);
x(max (x, [], 2) == min (x, [], 2), :) = NaN;
x = bsxfun (@rdivide, x, big);
x = bsxfun (@minus, x, mean (x, 2));
u = bsxfun (@rdivide, x, sqrt (sum (x .^ 2, 2)));
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
%! assert (t.r, [NaN; NaN; 1; NaN], 1e-15);
%!test  # the table
%! text = evalc ("knng.neighbors (ds, idx, dist, 'CD33', 2)");
%! lines = strsplit (strtrim (text), "\n");
%! assert (numel (lines), 4);
%! assert (~isempty (strfind (lines{1}, 'CD33 (row 2)')));
%! assert (numel (lines{3}), numel (lines{2}));
%! assert (strtok (lines{4}), '2');
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
%!error id=knng:args:idx knng.neighbors (ds, idx + 3, dist, 1)
%!error id=knng:args:idx knng.neighbors (ds, {1}, dist, 1)
%!error id=knng:args:dist knng.neighbors (ds, idx, dist(:, 1), 1)
%!error id=knng:args:dist knng.neighbors (ds, idx, @sin, 1)
%!error id=knng:args:ds knng.neighbors (ds.X, idx, dist, 1)
%!error id=knng:args:ds knng.neighbors (struct ('X', 1, 'names', {{'a', 'b'}}), 0, 0, 1)
%!assert (getfield (knng.neighbors (struct ('X', [1 2; 3 4; 5 9], 'names', {{}}), [2; 1; 2], [1; 1; 3], 3), 'name'), {'2'})
%!error id=knng:args:count knng.neighbors (ds, idx, dist)
