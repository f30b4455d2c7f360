function [idx, D, info] = rangesearch (X, Y, r, varargin)
%KNNG.RANGESEARCH  All reference rows within a radius of query rows, exactly.
%   idx = knng.rangesearch (X, Y, r) finds, for every row of the m-by-d matrix
%   Y, all rows of the n-by-d matrix X at a distance of at most r. idx is an
%   m-by-1 cell: idx{i} is a row of the numbers of those that are within r of
%   row i of Y, nearest first, equal distances in order of their numbers; where
%   there are none it is 1-by-0.
%   [idx, D] = knng.rangesearch (X, Y, r) returns the distances too, D{i} for
%   idx{i}; single if X or Y is.
%   [idx, D, info] = knng.rangesearch (..., 'Name', value, ...) takes options,
%   and also tells how it went, as in knngraph.
%   [...] = knng.rangesearch (ns, Y, r, ...) searches the rows that the searcher
%   ns, made by knng.createns (X), has prepared, with the same result. That is
%   for few rows of Y at a time, and many times.
%
%     r   one distance, a number from 0 on; Inf: all rows that have a distance
%
%   Options:
%
%     'Distance'  'euclidean' (default) or any metric of knngraph; 'Metric' is
%                 the same
%     'MaxMemory'
%                 bytes of memory to use at most, beside X, Y and the result,
%                 with the pairs that are found. Default: nine tenths of what
%                 the machine or its container has available
%     'Rows', 'MinValid'
%                 'all' (default); 'pairwise': NaN is a missing value, and two
%                 rows are compared over the columns that both have, as in
%                 knngraph
%     'Device', 'MaxDeviceMemory', 'Threads', 'Progress', 'Prune', 'TileSize',
%     'Target'
%                 as in knngraph; 'auto' takes GPUs where rows have 8 columns
%                 or more, since with fewer the CPU is as soon done
%     'NSMethod', 'BucketSize', 'SortIndices'
%                 of MATLAB's: 'exhaustive' or 'kdtree', a whole number, true or
%                 false. They change nothing: what is found is always sorted
%
%   A search of ns takes 'MaxMemory' (for the search alone), 'Threads',
%   'Progress' and 'SortIndices'; the others are for knng.createns, and an error
%   here. Its info.nonfinite and info.constant count the rows of X and Y, its
%   warnings those of Y.
%
%   The order of X, Y and r, 'Distance' and both results are those of MATLAB's
%   rangesearch. The result is exact: a row is in idx{i} if, and only if, its
%   distance, as docs/canonical.md defines it, is at most double (r), before it
%   is rounded for a single D. No pair is left out: a row of Y that also stands
%   in X finds itself at distance 0. For the rows of one matrix, without
%   themselves, see knng.rangegraph.
%
%   A row of X without distances (see knngraph) is in no list; such a row of Y
%   has an empty one. A warning counts the rows of both, knng:data:nonFinite or
%   knng:data:constant; knng:data:twoColumns says that a correlation of two
%   columns tells nothing.
%
%   How many pairs will be found is not known beforehand. Their memory is
%   counted as they come, and the search ends with an error before there is no
%   room for them, or for the result. To get an idea of the number search some
%   rows of Y first; knng.estimate (..., 'Radius', true) says what it takes.
%
%   Cost: 2*m*n*d operations, far less with few columns or clusters, and an
%   exact distance for each pair found. A GPU searches for so many nearest of
%   each row as most have within r, then for more of those that have more, so
%   that it gains less the more there are; with 'auto' the CPU does it where
%   that is sooner. Memory beside X and Y about 12*(n + m)*d + 115*(n + m)
%   bytes, and 32 for each pair found: 16 of them for the result, which has
%   some 500 for each row of Y as well (docs/memory.md).
%
%   Errors: knng:args:radius (r is no number from 0 on), :columns, :class,
%   :sparse, :complex, :empty, :dims, :rows, :metric, :unknownOption, :option,
%   :device, :target, :maxMemory, :count; knng:memory:host (also: too many pairs
%   are within r: take a smaller one, or fewer rows of Y at once);
%   knng:device:none, :memory; knng:interrupted; for ns knng:searcher:gone if it
%   was released, knng:args:searcher if ns is none, or was changed.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     [idx, D] = knng.rangesearch (X, [0.9 0.2; 4 4], 2)
%     numel (idx{2})                                  % 1: row 4
%
%   See also knng.rangegraph, knng.knnsearch, knng.createns, knng.dbscan,
%   knngraph.

  if (nargin < 3 || (ischar (Y) && ischar (r)))              % options where Y and r belong
    error ('knng:args:count', ...
           'knng.rangesearch needs references, queries and a radius, as in knng.rangesearch (X, Y, 0.5): see help knng.rangesearch');
  end
  knng.internal.built ();
  opt = struct ('NSMethod', [], 'BucketSize', [], 'SortIndices', [], 'Rows', 'all', 'MinValid', []);
  given = knng.internal.search_arguments (opt, varargin, false);
  if (isstruct (X) && any (isfield (X, {'id', 'hold'})))
    id = knng.internal.searcher (X, true);
    given = knng.internal.of_searcher (given, 'knng.rangesearch (X, Y, r, ''Rows'', ''pairwise'')', {});
    [count, idx, D, info] = knng.internal.search ('within', id, Y, r, given{:});
  else
    [count, idx, D, info] = knng.internal.range ('search', X, Y, r, given);
  end
  idx = mat2cell (idx, 1, count)';
  if (nargout > 1)
    D = mat2cell (D, 1, count)';
  end
end

%!test
%! X = [0 0; 1 0; 0 2; 5 5];
%! [idx, D] = knng.rangesearch (X, [0.9 0.2; 4 4; 9 0], 2);
%! assert (idx, {[2 1]; 4; zeros(1, 0)});
%! assert (D(2:3), {sqrt(2); zeros(1, 0)});
%!test   # inclusive, ties in order, a row finds itself, classes
%! [idx, D] = knng.rangesearch ([0; 3; 1; 2; 1], single ([1; 7]), int8 (1), 'SortIndices', false, 'NSMethod', 'kdtree');
%! assert (idx, {[3 5 1 4]; zeros(1, 0)});
%! assert (D, {single([0 0 1 1]); single(zeros (1, 0))});
%! assert (size (knng.rangesearch (1, (1:5)', Inf)), [5 1]);
%! assert (knng.rangesearch (1, [1; 1 + eps], 0), {1; zeros(1, 0)});
%!test   # rows without distances
%! warning ('off', 'knng:data:nonFinite', 'local');
%! assert (knng.rangesearch ([1; NaN; 3; Inf], [2; NaN], 1), {[1 3]; zeros(1, 0)});
%! warning ('error', 'knng:data:nonFinite', 'local');
%! try, knng.rangesearch ([1; NaN], 1, 1); text = ''; catch e, text = e.message; end
%! assert (~isempty (strfind (text, '(an empty list)')), text);
%!test   # info; more pairs than there is room for
%! X = mod ((1:3000)' * sqrt (2:4), 1);
%! [idx, D, info] = knng.rangesearch (X, X, 0.1, 'Threads', 1);
%! assert (info.memory.peak > 0 && info.memory.peak <= info.memory.planned);
%! assert (info.certified.f32, 3000);
%! assert (info.note, 'with so few columns its tree finds all within a radius sooner than a GPU');
%! limit = info.memory.planned;
%! assert (isequal (knng.rangesearch (X, X, 0.1, 'Threads', 1, 'MaxMemory', 2 * limit), idx));
%! try, knng.rangesearch (X, X, 9, 'Threads', 1, 'MaxMemory', 2 * limit); id = ''; catch e, id = e.identifier; text = e.message; end
%! assert (id, 'knng:args:maxMemory');
%! assert (~isempty (regexp (text, 'and the [0-9]+ pairs', 'once')), text);
%!test  # of a searcher: the same, time after time, also after an error; its options
%! X = mod ((1:300)' * sqrt (2:4), 1);
%! ns = knng.createns (X, 'Distance', 'cityblock', 'Device', 'cpu');
%! for r = [0.1 0 Inf]
%!   [idx, D] = knng.rangesearch (X, X(5:9, :), r, 'Distance', 'cityblock');
%!   [i, d, info] = knng.rangesearch (ns, X(5:9, :), r, 'Threads', 1, 'SortIndices', true);
%!   assert ({i, d, info.nonfinite}, {idx, D, 0});
%!   assert (knng.knnsearch (ns, X(7, :)), 7);
%!   try, knng.rangesearch (ns, X, Inf, 'MaxMemory', 1e6); id = 'none'; catch e, id = e.identifier; end
%!   assert (id, 'knng:args:maxMemory');
%! end
%! knng.release (ns);
%! try, knng.rangesearch (ns, X, 1); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:searcher:gone');
%!error <'Prune' is given to knng.createns> knng.rangesearch (knng.createns (eye (3)), eye (3), 1, 'Prune', 'off')
%!error <r is 'a'> knng.rangesearch (knng.createns (eye (3)), eye (3), 'a')
%!error id=knng:args:columns knng.rangesearch (knng.createns (eye (3)), eye (2), 1)
%!error id=knng:args:searcher knng.rangesearch (rmfield (knng.createns (eye (3)), 'hold'), eye (3), 1)
%!error id=knng:args:count knng.rangesearch (1, 2)
%!error id=knng:args:count knng.rangesearch (1, 'Distance', 'cosine')
%!error id=knng:args:radius knng.rangesearch (1, 2, -1)
%!error id=knng:args:radius knng.rangesearch (1, 2, NaN)
%!error id=knng:args:radius knng.rangesearch (1, 2, [1 2])
%!error <^r is 'a': it must be one distance, a number from 0 on> knng.rangesearch (1, 2, 'a')
%!error id=knng:args:columns knng.rangesearch (1, [1 2], 1)
%!error id=knng:args:empty knng.rangesearch (eye (3), zeros (0, 3), 1)
%!error id=knng:args:empty knng.rangesearch (eye (3), [], 1)
%!error id=knng:args:metric knng.rangesearch (1, 2, 1, 'Distance', 'euclidian')
%!error id=knng:args:unknownOption knng.rangesearch (1, 2, 1, 'K', 2)
%!error id=knng:args:unknownOption knng.rangesearch (1, 2, 1, 'IncludeTies', false)
%!error id=knng:args:option knng.rangesearch (1, 2, 1, 'SortIndices', 2)
%!error id=knng:args:class knng.rangesearch (1, 'a', 1)
