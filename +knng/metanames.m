function [names, pairs] = metanames (names, ops, rows)
%KNNG.METANAMES  Names of metafeatures, of those rows that are asked for.
%   [names, pairs] = knng.metanames (names, ops, rows) names some of the rows
%   that pairs of rows make, without making the others: names{c} and pairs(c, :)
%   are those of row rows(c) of Z of [Z, names, pairs] = knng.metafeatures (X,
%   names, ops). Its graph knngraph (X, k, metric, 'Metafeatures', ops) has
%   their numbers, and nobody needs the names of them all.
%   [names, pairs] = knng.metanames (ds, ops, rows) takes the names of a data
%   set, and knng.metanames (n, ops, rows) those of n rows without any, '1',
%   '2', ....
%
%     names  a cell of n texts, the names of the rows of X
%     ops    the operations of the graph, in their order, as knng.metafeatures
%            takes them: 'difference', 'sum', 'product', 'ratio', their signs,
%            or a cell of some; default: all four
%     rows   numbers of metafeatures, from 0 to n + p*n*(n-1)/2 with p
%            operations, a vector or a matrix, such as idx(7, :) or all of idx;
%            default: all, a row. 0 is none, as knngraph has it
%
%   Results:
%
%     names  a cell of the size of rows, 'A', 'A-B', 'A+B', 'A*B', 'A/B', and ''
%            of 0
%     pairs  q-by-3, a row [i j p] for each of the q numbers rows(:): it is row
%            i ops{p} row j of X; of a row of X itself [i 0 0], of 0 [0 0 0]
%
%   Cost: a few microseconds a name. Memory: some 500 bytes a name.
%
%   Errors: knng:args:names, knng:args:ds, knng:args:option (ops),
%   knng:args:row, knng:args:count.
%
%   Example:
%     X = [1 2 4; 2 2 5; 8 4 2];
%     [idx, dist] = knngraph (X, 2, 'pearson', 'Metafeatures', '-');
%     knng.metanames ({'A', 'B', 'C'}, '-', idx(1, :))
%
%   See also knng.metafeatures, knngraph, knng.neighbors.

  if (nargin < 1)
    error ('knng:args:count', 'knng.metanames needs the names of the rows, as in knng.metanames (names, ''difference'', idx(1, :)): see help knng.metanames');
  end
  if (nargin < 2)
    ops = {'difference', 'sum', 'product', 'ratio'};
  end
  if (isstruct (names))
    ds = knng.internal.check_ds (names);
    names = ds.names;
  end
  [names, n] = check_names (names);
  code = knng.internal.operations (ops);
  each = n * (n - 1) / 2;
  if (nargin < 3)
    rows = 1:n + numel (code) * each;
  end
  check_rows (rows, n + numel (code) * each);
  rows = full (rows);
  pairs = pairs_of (double (rows(:)), n, each);
  signs = {'-', '+', '*', '/'};
  made = repmat ({''}, size (rows));
  alone = pairs(:, 1) > 0 & pairs(:, 3) == 0;
  joined = pairs(:, 3) > 0;
  made(alone) = texts_of (names, pairs(alone, 1));
  made(joined) = strcat (texts_of (names, pairs(joined, 1)), reshape (signs(code(pairs(joined, 3))), [], 1), ...
                         texts_of (names, pairs(joined, 2)));
  names = made;
end

function [names, n] = check_names (names)
% [] of n rows without names.
  n = numel (names);
  if (iscellstr (names) && n > 0)
    names = names(:);
  elseif (isnumeric (names) && n == 1 && isreal (names) && names >= 1 && names <= 2 ^ 25 && names == floor (names))
    n = double (full (names));
    names = [];
  else
    error ('knng:args:names', ['the names are %s: they must be a cell of texts, one for each row of X, a data set, or the number of ' ...
           'rows'], knng.internal.given (names));
  end
end

function check_rows (rows, most)
  if (~isnumeric (rows) || ~isreal (rows) || ~all (rows(:) >= 0 & rows(:) <= most & rows(:) == floor (rows(:))))
    error ('knng:args:row', 'rows is %s: it must be numbers of metafeatures, from 1 to %.0f, or 0 for none', ...
           knng.internal.given (rows), most);
  end
end

function pairs = pairs_of (rows, n, each)
% [i j p] of each of rows, a column.
  pairs = [rows, zeros(numel (rows), 2)];
  made = find (rows > n);
  rest = mod (rows(made) - n - 1, max (each, 1));            % how many pairs of the operation come before
  before = @(i) i .* (2 * n - 1 - i) / 2;                    % and of those before row i, counted from 0
  i = floor (n - 0.5 - sqrt (max (0, (n - 0.5) ^ 2 - 2 * rest)));
  i = i - (before (i) > rest);                               % what the root has rounded
  i = i + (before (i + 1) <= rest);
  pairs(made, :) = [i + 1, i + 2 + rest - before(i), 1 + floor((rows(made) - n - 1) / max (each, 1))];
end

function texts = texts_of (names, i)
% Those of rows i, a column.
  if (isempty (names))
    [rows, ~, at] = unique (i);
    texts = arrayfun (@(r) sprintf ('%d', r), rows(:), 'UniformOutput', false);
    texts = reshape (texts(at), [], 1);
  else
    texts = reshape (names(i), [], 1);
  end
end

%!test <*1>
%! X = [1 2 4; 2 2 5; 8 4 2];
%! [idx, dist] = knngraph (X, 2, 'pearson', 'Metafeatures', '-');
%! [Z, all, from] = knng.metafeatures (X, {'A', 'B', 'C'}, '-');
%! [right, far] = knngraph (Z, 2, 'pearson');
%! assert ({idx, dist}, {right, far});
%! [names, pairs] = knng.metanames ({'A', 'B', 'C'}, '-', idx);
%! assert (names, reshape (all(idx), size (idx)));
%! assert (pairs, from(idx, :));
%!test   # every row, of few rows and of many
%! for n = [1 2 3 46 90]
%!   [~, all, from] = knng.metafeatures ((1:n)', [], {'*', '-', '/'});
%!   [names, pairs] = knng.metanames (n, {'*', '-', '/'});
%!   assert (isequal (names(:), all) && isequal (pairs, from));
%! end
%! [names, pairs] = knng.metanames (2 ^ 25, '-', [2^25 + 1, 2^25 + 2^24 * (2^25 - 1), 2^25 + 2^24 * (2^25 - 1) - [1 2 3]]);
%! assert (names, {'1-2', '33554431-33554432', '33554430-33554432', '33554430-33554431', '33554429-33554432'});
%!assert (knng.metanames ({'A', 'B'}, 'ratio', [3 0; 1 2]), {'A/B', ''; 'A', 'B'})
%!assert (knng.metanames (struct ('X', [1; 2], 'names', {{'x', 'y'}}), '+', int32 (3)), {'x+y'})
%!error id=knng:args:count knng.metanames ()
%!error id=knng:args:names knng.metanames (0, '-', 1)
%!error id=knng:args:names knng.metanames ({1}, '-', 1)
%!error id=knng:args:ds knng.metanames (struct ('Y', 1), '-', 1)
%!error id=knng:args:option knng.metanames (3, 'add', 1)
%!error <from 1 to 6, or 0 for none> knng.metanames (3, '-', 7)
%!error id=knng:args:row knng.metanames (3, '-', 1.5)
%!error id=knng:args:row knng.metanames (3, '-', 'a')

%!test  # who gives names or data of the rows to a graph of metafeatures is led here
%! ds = struct ('X', mod ((1:5)' * (1:6) .^ 2 * 0.618, 1), 'names', {{'a'; 'b'; 'c'; 'd'; 'e'}});
%! [idx, dist] = knngraph (ds.X, 2, 'euclidean', 'Metafeatures', {'-', '+'});
%! calls = {@() knng.neighbors(ds, idx, dist, 'a'), @() knng.edges(idx, dist, 'Names', ds.names), @() knng.write([tempname() '.gml'], idx, dist, 'Names', ds.names), ...
%!          @() knng.write([tempname() '.gml'], knng.adjacency(idx, dist), 'Names', ds.names), @() knng.explore([tempname() '.html'], ds, idx, dist), ...
%!          @() knng.explore([tempname() '.html'], idx, dist, 'Labels', ds.names)};
%! for f = calls
%!   try, f{1} (); text = ''; catch e, text = e.message; end
%!   assert (! isempty (regexp (text, 'a graph of ''Metafeatures'' has so many: .*knng.metanames')), text);
%! end
%! E = knng.edges (idx, dist);
%! all = knng.metanames (ds, {'-', '+'}, 1:25);
%! assert (knng.metanames (ds.names, {'-', '+'}, E.i(1:3)), reshape (all(E.i(1:3)), [], 1));
%! file = [tempname() '.html'];
%! gone = onCleanup (@() delete (file));
%! knng.explore (file, idx, dist, 'Labels', all, 'Layout', 'none', 'Groups', 'none');
