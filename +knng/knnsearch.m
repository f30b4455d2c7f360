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
%   [...] = knng.knnsearch (ns, Y, ...) searches the rows that the searcher ns,
%   made by knng.createns (X), has prepared, with the same result. That is for
%   searches that follow each other: where few rows are sought among many,
%   nearly all of the time goes into preparing the many.
%   [...] = knng.knnsearch (file, Y, ...) searches the rows of a file that
%   knng.read understands. One of numbers ('images.h5') may be larger than the
%   memory: as many of its rows as fit are read and searched at a time. (What is
%   packed and stored by column is unpacked anew for each part.)
%
%   Options:
%
%     'K'         how many neighbours, a whole number from 1 on, default 1;
%                 'NumNeighbors' is the same
%     'Distance'  'euclidean' (default) or any metric of knngraph; 'Metric' is
%                 the same
%     'Rows', 'MinValid'
%                 what becomes of missing values, as in knngraph; 'complete'
%                 leaves out columns that hold NaN in X or Y. Not for ns, nor
%                 for files of numbers
%     'Dataset', 'Transposed'
%                 of a file of HDF5 or .npz, as in knngraph: which of its
%                 matrices, and whether points are its columns
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress',
%     'Prune', 'TileSize', 'Target'
%                 as in knngraph
%     'NSMethod', 'BucketSize', 'SortIndices', 'IncludeTies'
%                 of MATLAB's: 'exhaustive' or 'kdtree', a whole number, true or
%                 false, and false. They change nothing; 'IncludeTies', true is
%                 refused: to see what else is at the k-th distance, ask for a
%                 larger k
%
%   A search of ns takes 'K', 'MaxMemory' (for the search alone), 'Threads',
%   'Progress', 'IncludeTies' and 'SortIndices'; the others are for
%   knng.createns, and an error here. Its info.nonfinite and info.constant count
%   the rows of X and Y, its warnings those of Y. It runs where the rows are, on
%   the CPU or on one GPU; info.memory.device is what it takes beside them.
%
%   The order of X and Y, 'K', 'Distance' and their defaults are those of
%   MATLAB's knnsearch. The result is exact, and no pair is left out: a row of Y
%   that also stands in X finds itself at distance 0. Of a file info.blocks says
%   in how many parts its rows were searched, and info.certified counts a row of
%   Y once for each of them. Y is a matrix.
%
%   A row of X without distances (see knngraph) is nobody's neighbour; such a
%   row of Y gets idx 0 and distance NaN. A warning counts the rows of both,
%   knng:data:nonFinite or knng:data:constant; knng:data:twoColumns says that a
%   correlation of two columns tells nothing, knng:data:fill that X or Y holds
%   numbers that may stand for missing values, such as -9999.
%   Queries that lie far from all rows take several times as long as others.
%
%   Cost: 2*m*n*d operations; memory beside input and result about 12*(n + m)*d
%   + 8*m*max (2*k, k+64) + 115*(n + m) bytes (docs/memory.md). Of a file that
%   is read in parts n is the rows of one, of which two are held as they are in
%   the file, and 32*m*k bytes more.
%
%   Errors: as knngraph, and knng:args:columns if X and Y differ in columns; for
%   a searcher knng:searcher:gone if it was released or is of another session,
%   or its GPU has lost its rows, knng:args:searcher if ns is none or was
%   changed. Where a GPU that has the rows does not finish, no CPU stands in:
%   knng:device:failed, knng:device:memory or knng:device:hash, and the searcher
%   stays.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     [idx, D] = knng.knnsearch (X, [0.9 0.2; 4 4], 'K', 2)
%
%   See also knngraph, knng.createns, knng.read, knng.rangesearch, knng.mink.

  if (nargin < 2 || (ischar (Y) && mod (nargin, 2))) % an option where Y belongs
    error ('knng:args:count', ...
           'knng.knnsearch needs references and queries, as in knng.knnsearch (X, Y): see help knng.knnsearch');
  end
  knng.internal.built ();
  if (ischar (X) && (isrow (X) || isempty (X)) && ~knng.internal.search ('stored', X))
    X = knng.internal.read_points (X);
    knng.internal.doubt_filled (Y);
    state = warning ('off', 'knng:data:fill');               % which was said when it was read
    back = onCleanup (@() warning (state)); %#ok<NASGU>
  end
  if (~isempty (varargin))
    own = struct ('K', 1, 'Rows', 'all', 'MinValid', [], 'Dataset', [], 'Transposed', []);
    opt = knng.internal.join (own, knng.internal.needless ());
    varargin = knng.internal.search_arguments (opt, varargin, false);
  end
  if (isstruct (X) && any (isfield (X, {'id', 'hold'})))
    id = knng.internal.searcher (X, true);
    varargin = knng.internal.of_searcher (varargin, 'knng.knnsearch (X, Y, ''Rows'', ''pairwise'')', {'K', 'IncludeTies'});
    [idx, D, info] = knng.internal.search ('query', id, Y, varargin{:});
    return
  end
  varargin = knng.internal.needless (varargin);
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
%!test  # of a searcher
%! X = magic (6);
%! ns = knng.createns (X, 'Metric', 'pearson');
%! [idx, D] = knng.knnsearch (X, X + 1 ./ X, 'K', 3, 'Distance', 'pearson');
%! [i, d, info] = knng.knnsearch (ns, X + 1 ./ X, 'numn', 3, 'thr', 1, 'SortIndices', true);
%! assert (i, idx);
%! assert (d, D);
%! assert (info.memory.peak <= info.memory.planned);
%!test  # the rows of a file: of numbers, all at once or some at a time, and of a table
%! X = mod ((1:3000)' * sqrt (2:9), 1);
%! X(7, :) = NaN;
%! Y = X([7 99 2999], :) + 1e-3;
%! file = {[tempname() '.fbin'], [tempname() '.tsv']};
%! back = onCleanup (@() delete (file{1}));
%! warning ('off', 'knng:data:nonFinite', 'local');
%! f = fopen (file{1}, 'w');
%! fwrite (f, [3000, 8], 'int32');
%! fwrite (f, X', 'single');
%! fclose (f);
%! [idx, D, was] = knng.knnsearch (single (X), Y, 'K', 5, 'Device', 'cpu');
%! for limit = {'1G', 8e5}
%!   [i, d, info] = knng.knnsearch (file{1}, Y, 'K', 5, 'MaxMemory', limit{1}, 'Threads', 1, 'Device', 'cpu');
%!   assert (i, idx);
%!   assert (d, D);
%!   assert ({info.nonfinite, info.memory.peak <= info.memory.planned}, {was.nonfinite, true});
%! end
%! assert (info.blocks > 1);
%! try, knng.knnsearch (file{1}, Y, 'Rows', 'pairwise'); text = ''; catch e, text = e.message; end
%! assert (strncmp (text, '''Rows'' is ''pairwise'', which is for matrices here', 48), text);
%! knng.write (file{2}, struct ('X', X(8:20, :)));
%! back2 = onCleanup (@() delete (file{2}));
%! assert (knng.knnsearch (file{2}, Y(2:3, :), 'K', 2), knng.knnsearch (X(8:20, :), Y(2:3, :), 'K', 2));
%!error <'Distance' is given to knng.createns, and stays> knng.knnsearch (knng.createns (eye (3)), eye (3), 'metric', 'cosine')
%!error <'NSMethod' is given to knng.createns> knng.knnsearch (knng.createns (eye (3)), eye (3), 'NSMethod', 'kdtree')
%!error id=knng:args:columns knng.knnsearch (knng.createns (eye (3)), eye (2))
%!error id=knng:args:searcher knng.knnsearch (rmfield (knng.createns (eye (3)), 'hold'), eye (3))
%!error id=knng:args:class knng.knnsearch (struct ('X', eye (3)), eye (3))
