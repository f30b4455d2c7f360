function [idx, D, info] = knnsearch (X, Y, varargin)
%KNNG.KNNSEARCH  Exact nearest neighbours of query rows among reference rows.
%   idx = knng.knnsearch (X, Y) finds, for every row of the m-by-d matrix Y, the
%   row of the n-by-d matrix X that is nearest to it, and returns its number,
%   m-by-1.
%   [idx, D] = knng.knnsearch (X, Y) returns the distance too; single if X or Y
%   is.
%   [idx, D] = knng.knnsearch (X, Y, 'K', k) returns the k nearest, m-by-k,
%   nearest first; equal distances are in order of idx. If k is larger than n,
%   there are n columns and a warning, knng:args:kClipped.
%   [idx, D, info] = knng.knnsearch (..., 'Name', value, ...) takes options, and
%   also tells how it went, as in knngraph.
%
%   Options:
%
%     'K'         how many neighbours, a whole number from 1 on, default 1;
%                 'NumNeighbors' is the same
%     'Distance'  'euclidean' (default) or any metric of knngraph; 'Metric' is
%                 the same
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress',
%     'Prune', 'TileSize', 'Target'
%                 as in knngraph
%     'NSMethod', 'BucketSize', 'SortIndices', 'IncludeTies'
%                 of MATLAB's: 'exhaustive' or 'kdtree', a whole number, true or
%                 false, and false. They change nothing; 'IncludeTies', true is
%                 refused: to see what else is at the k-th distance, ask for a
%                 larger k
%
%   The order of X and Y, 'K', 'Distance' and their defaults are those of
%   MATLAB's knnsearch. The result is exact, and no pair is left out: a row of Y
%   that also stands in X finds itself at distance 0. X and Y are matrices; file
%   names are for knngraph alone.
%
%   A row of X without distances (see knngraph) is nobody's neighbour; such a
%   row of Y gets idx 0 and distance NaN. A warning counts the rows of both,
%   knng:data:nonFinite or knng:data:constant.
%
%   Cost: 2*m*n*d operations; memory beside input and result about 12*(n + m)*d
%   + 8*m*max (2*k, k+64) + 115*(n + m) bytes (docs/memory.md).
%
%   Errors: as knngraph, and knng:args:columns if X and Y differ in columns.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     [idx, D] = knng.knnsearch (X, [0.9 0.2; 4 4], 'K', 2)
%
%   See also knngraph, knng.read.

  if (nargin < 2 || (ischar (Y) && mod (nargin, 2))) % an option where Y belongs
    error ('knng:args:count', ...
           'knng.knnsearch needs references and queries, as in knng.knnsearch (X, Y): see help knng.knnsearch');
  end
  knng.internal.built ();
  if (~isempty (varargin))
    opt = knng.internal.needless ();
    opt.K = 1;
    varargin = knng.internal.needless (knng.internal.search_arguments (opt, varargin, false));
  end
  [idx, D, info] = knng.internal.search ('search', X, Y, varargin{:});
end

%!test
%! X = [0 0; 1 0; 0 2; 5 5];
%! [idx, D] = knng.knnsearch (X, [0.9 0.2; 4 4], 'K', 2);
%! assert (idx, [2 1; 4 3]);
%! assert (D(2, :), [sqrt(2) sqrt(20)]);
%!test
%! X = magic (4);
%! assert (knng.knnsearch (X, X), (1:4)');
%! warning ('error', 'knng:args:kClipped', 'local');
%! try, knng.knnsearch (X, X, 'K', 5); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:kClipped');
%! knng.knnsearch (X, X, 'K', 4);
%! warning ('off', 'knng:args:kClipped', 'local');
%! [idx, D] = knng.knnsearch (X, single (X(2, :)), 'K', 9, 'Distance', 'pearson');
%! assert (size (idx), [1 4]);
%! assert (class (D), 'single');
%! assert (idx(1), 2);
%!test  # MATLAB's names, and what changes nothing
%! X = magic (6);
%! [idx, D] = knng.knnsearch (X, X, 'K', 3, 'Distance', 'sqeuclidean');
%! for call = {{'NumNeighbors', 3, 'Metric', 'squaredeuclidean'}, {'numn', 3, 'DIST', 'sq'}, ...
%!             {'K', 3, 'Dist', 'sqeucl', 'NSMethod', 'exhaustive', 'BucketSize', 20, 'IncludeTies', false, 'SortIndices', true}}
%!   [i, d] = knng.knnsearch (X, X, call{1}{:});
%!   assert (i, idx);
%!   assert (d, D);
%! end
%!error <'IncludeTies' is true: it must be false.*larger k> knng.knnsearch (eye (3), eye (3), 'IncludeTies', true)
%!error id=knng:args:unknownOption knng.knnsearch (eye (3), eye (3), 'cosine')
%!error <'NSMethod' is 'hnsw'> knng.knnsearch (eye (3), eye (3), 'NSMethod', 'hnsw')
%!error <did you mean 'euclidean'\?> knng.knnsearch (eye (3), eye (3), 'Distance', 'l2')
%!error id=knng:args:columns knng.knnsearch (eye (3), eye (2))
%!error id=knng:args:count knng.knnsearch (eye (3))
%!error id=knng:args:count knng.knnsearch (eye (3), 'K', 2)
%!error id=knng:args:k knng.knnsearch (eye (3), eye (3), 'K', 1.5)
