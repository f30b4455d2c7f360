function [Z, names, pairs] = metafeatures (X, varargin)
%KNNG.METAFEATURES  Differences, sums, products and ratios of all pairs of rows.
%   [Z, names, pairs] = knng.metafeatures (X, names, ops) combines every row of
%   the n-by-d matrix X with every later one, sample by sample. Two genes that
%   tell nothing alone may do so together: their difference or ratio may follow
%   the survival of patients, say.
%   [ds, names, pairs] = knng.metafeatures (ds, ops) does so with a data set as
%   knng.read returns it: ds.X and ds.names grow, symbols and annotation are ''
%   or NaN for the new rows, samples, classes and the rest stay as they are.
%   [...] = knng.metafeatures (..., ops, 'Threads', count) takes an option.
%
%     X      n-by-d, double or single: a row for each feature (gene, probe), a
%            column for each sample
%     names  a cell of n texts, the names of the rows; [] or left out: '1', '2',
%            ...
%     ops    a text, or a cell of texts: 'difference' (row i less row j), 'sum',
%            'product', 'ratio' (row i over row j), each always with i < j; or
%            their signs '-', '+', '*', '/'. Default: all four, in this order
%
%   Results:
%
%     Z      (n + p*n*(n-1)/2)-by-d with p operations, of the class of X. First
%            the rows of X, then for the first operation the pairs (1,2), (1,3),
%            ..., (1,n), (2,3), ..., then for the next. Each element is one
%            operation of that class
%     names  a cell, a column: 'A', 'B', ..., 'A-B', ..., 'A+B', ..., 'A*B',
%            ..., 'A/B', ...
%     pairs  a row [i j p] for each row of Z: it is row i ops{p} row j of X; for
%            the rows of X themselves [i 0 0]
%
%   Options:
%
%     'Threads'  processor threads, default: all
%
%   876 rows give 384 126 with one operation and 1 533 876 with all four. Their
%   graph needs no Z: knngraph (X, k, metric, 'Metafeatures', ops) forms rows
%   where it reads them, and knng.metanames names those that are asked for. With
%   the correlations the order of the two rows in a difference only changes the
%   sign: 'abspearson' finds either.
%
%   Pairs that share a row resemble each other for that alone: A-C and B-C both
%   have C. So neighbours often share one, and the p-values and false discovery
%   rates of knng.edges, for which rows are independent, do not hold for them.
%
%   Ratios want values away from 0, such as intensities. Logarithms of ratios
%   lie around 0; there the difference is the logarithm of the ratio. A row with
%   NaN or Inf has no neighbours; where X has such values, or a division by 0 or
%   an overflow makes some, a warning, knng:data:nonFinite, counts the rows.
%
%   Cost: what writing Z takes, about a second a GB. Memory: Z, 8 bytes an
%   element (4 if X is single), and some 500 bytes for each of the names, which
%   are made only when they are asked for. Whether it fits is checked before
%   anything is done. Ctrl-C stops it.
%
%   Errors: as knngraph for X (knng:args:class, :sparse, :complex, :dims,
%   :empty, :rows); knng:args:names; knng:args:ds; knng:args:option (ops);
%   knng:args:unknownOption, :count; knng:memory:host (Z does not fit; the
%   message has its size); knng:interrupted.
%
%   Sources: M. Rocha de Paula et al., who call them metafeatures; A. S. Arefin
%   et al., PLoS ONE 7(8):e44000 (2012), who search their neighbours.
%
%   Example:
%     X = [1 2 4; 2 2 5; 8 4 2];
%     [Z, names, pairs] = knng.metafeatures (X, {'A', 'B', 'C'}, 'difference');
%     Z(4:6, :)                           % [-1 0 -1; -7 -2 2; -6 -2 3]
%     names'                              % A B C A-B A-C B-C
%     pairs(5, :)                         % 1 3 1
%
%   See also knng.metanames, knng.addphenotype, knngraph, knng.knnsearch,
%   knng.read.

  if (nargin < 1)
    error ('knng:args:count', 'knng.metafeatures needs a matrix or a data set, as in knng.metafeatures (X, names, ''difference''): see help knng.metafeatures');
  end
  is_ds = isstruct (X);
  [~, given] = knng.internal.options (struct ('Threads', []), varargin(3-is_ds:end));
  knng.internal.threads (given);
  varargin = varargin(1:min (end, 2 - is_ds));
  names = [];
  if (is_ds)
    ds = knng.internal.check_ds (X);
    X = ds.X;
    names = ds.names;
  elseif (~isempty (varargin))
    names = varargin{1};
    check_names (names, size (X, 1));
  end
  ops = {'difference', 'sum', 'product', 'ratio'};
  if (numel (varargin) > 1 - is_ds)
    ops = varargin{end};
  end
  code = knng.internal.operations (ops);
  knng.internal.built ();
  out = cell (1, max ([1, nargout, 2 * is_ds]) + 1);
  [out{:}] = knng.internal.metafeatures (X, code, names, knng.internal.how_to_run (given));
  [Z, bad] = out{1:2};
  if (bad > 0)
    warning ('knng:data:nonFinite', ['%d of %d metafeatures hold NaN or Inf, from X itself, a division by 0 or an overflow: ' ...
             'they have no neighbours'], bad, size (Z, 1));
  end
  if (is_ds)
    Z = knng.internal.more_rows (ds, Z, out{3});
  end
  if (nargout > 1)
    names = out{3};
  end
  if (nargout > 2)
    pairs = out{4};
  end
end

function check_names (names, n)
  if (~(iscellstr (names) || isempty (names)) || (~isempty (names) && numel (names) ~= n))
    error ('knng:args:names', ['the names are %s: they must be a cell of %d texts, one for each row of X, or []; ' ...
           'operations come after them, as in knng.metafeatures (X, [], ''sum'')'], knng.internal.given (names), n);
  end
end

%!test <*1>
%! X = [1 2 4; 2 2 5; 8 4 2];
%! [Z, names, pairs] = knng.metafeatures (X, {'A', 'B', 'C'}, 'difference');
%! assert (Z, [X; -1 0 -1; -7 -2 2; -6 -2 3]);
%! assert (names, {'A'; 'B'; 'C'; 'A-B'; 'A-C'; 'B-C'});
%! assert (pairs, [1 0 0; 2 0 0; 3 0 0; 1 2 1; 1 3 1; 2 3 1]);

%!test  # what NumPy 2.4.6 gives of the pairs of itertools.combinations
%! [Z, names, pairs] = knng.metafeatures ([4 7 3; 6 8 9; 7 6 2; 6 7 7], [], {'/', '-'});
%! assert (Z(5:10, :), [0.6666666666666666 0.875 0.3333333333333333; 0.5714285714285714 1.1666666666666667 1.5
%!                      0.6666666666666666 1 0.42857142857142855; 0.8571428571428571 1.3333333333333333 4.5
%!                      1 1.1428571428571428 1.2857142857142858; 1.1666666666666667 0.8571428571428571 0.2857142857142857]);
%! assert (pairs(5:10, 1:2), [1 2; 1 3; 1 4; 2 3; 2 4; 3 4]);
%! assert (pairs(11:16, :), [pairs(5:10, 1:2), 2 * ones(6, 1)]);

%!test  # the numbers of the paper, from 876 rows
%! assert (size (knng.metafeatures (single ((1:876)'), [], 'difference')), [384126 1]);
%! assert (rows (knng.metafeatures (single ((1:876)'))), 1533876);

%!test  # a data set
%! ds = struct ('X', single ([1 2; 3 5]), 'names', {{'A', 'B'}}, 'samples', {{'s', 't'}}, 'classes', [0 1], ...
%!              'annotation', struct ('descriptions', {{'x'; 'y'}}));
%! [es, names, pairs] = knng.metafeatures (ds, '/');
%! assert (names, es.names);
%! assert (es.X, single ([1 2; 3 5; 1/3 2/5]));
%! assert (es.names, {'A'; 'B'; 'A/B'});
%! assert (es.classes, [0 1]);
%! assert (es.annotation.descriptions, {'x'; 'y'; ''});
%! assert (pairs, [1 0 0; 2 0 0; 1 2 1]);
%! es = knng.metafeatures (rmfield (ds, {'names', 'classes', 'samples'}), 'SUM');
%! assert (es.names, {'1'; '2'; '1+2'});

%!error id=knng:args:count knng.metafeatures ()
%!error id=knng:args:unknownOption knng.metafeatures (struct ('X', 1), 'sum', 1)
%!assert (knng.metafeatures ([1; 2], [], 'sum', 'Threads', 1), [1; 2; 3])
%!error id=knng:args:class knng.metafeatures ('text')
%!error id=knng:args:class knng.metafeatures (int8 (magic (3)))
%!error id=knng:args:sparse knng.metafeatures (speye (3))
%!error id=knng:args:complex knng.metafeatures (1i * magic (3))
%!error id=knng:args:dims knng.metafeatures (ones (2, 2, 2))
%!error id=knng:args:empty knng.metafeatures ([])
%!error id=knng:args:ds knng.metafeatures (struct ('Y', 1))
%!error id=knng:args:names knng.metafeatures (magic (3), {'a', 'b'})
%!error id=knng:args:names knng.metafeatures (magic (3), 'sum')
%!error id=knng:args:names knng.metafeatures (magic (3), {1, 2, 3})
%!error id=knng:args:option knng.metafeatures (magic (3), [], 'quotient')
%!error id=knng:args:option knng.metafeatures (magic (3), [], {'sum', '+'})
%!error <'sum' \(or its sign, '\+'\) is given more than once> knng.metafeatures (magic (3), [], {'ratio', 'sum', '+'})
%!error <an operation is 'add'> knng.metafeatures (magic (3), [], {'sum', 'add', 'sum'})
%!error <an operation is a 1-by-1 cell> knng.metafeatures (magic (3), [], {{'sum'}})
%!error id=knng:args:option knng.metafeatures (magic (3), [], {})
%!error id=knng:args:option knng.metafeatures (magic (3), [], 4)
%!error id=knng:memory:host knng.metafeatures ((1:3e6)')
%!error <GB> knng.metafeatures ((1:3e6)')
