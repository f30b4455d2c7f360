function [idx, D, info] = knnsearch (X, Y, varargin)
%KNNG.KNNSEARCH  Exact nearest neighbours of query rows among reference rows.
%   idx = knng.knnsearch (X, Y) finds, for every row of the m-by-d matrix Y, the row of
%   the n-by-d matrix X that is nearest to it, and returns its number, m-by-1.
%   [idx, D] = knng.knnsearch (X, Y) returns the distance too.
%
%   [idx, D] = knng.knnsearch (X, Y, 'K', k) returns the k nearest, m-by-k, nearest first; equal
%   distances are in order of idx. If k is larger than n, there are n columns.
%
%   Options, as 'Name', value pairs:
%
%     'K'                 how many neighbours, default 1
%     'Distance'          'euclidean' (default) or any metric of knngraph
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress',
%     'TileSize', 'Target'   as in knngraph
%
%   [idx, D, info] = ... also tells how it went, as in knngraph.
%
%   The order of X and Y, 'K', 'Distance' and their defaults are those of MATLAB's knnsearch;
%   the result is exact, and no pair is left out: a row of Y that also stands in X finds itself
%   at distance 0. Rows of X that hold NaN or
%   Inf (or are constant, with the correlations) are nobody's neighbour; such rows of Y
%   get idx 0 and distance NaN. One warning counts them: knng:data:nonFinite, knng:data:constant.
%   D is single if X or Y is.
%
%   Cost: 2*m*n*d operations; memory beside input and result about
%   12*(n + m)*d + 8*m*max (2*k, k+64) + 110*(n + m) bytes.
%
%   Errors: as knngraph, and knng:args:columns if X and Y differ in columns.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     [idx, D] = knng.knnsearch (X, [0.9 0.2; 4 4], 'K', 2)
%
%   See also knngraph, knng.read.

  if (nargin < 2 || ischar (Y)) % an option where Y belongs
    error ('knng:args:count', ...
           'knng.knnsearch needs references and queries, as in knng.knnsearch (X, Y): see help knng.knnsearch');
  end
  knng.internal.built ();
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
%! [idx, D] = knng.knnsearch (X, single (X(2, :)), 'K', 9, 'Distance', 'pearson');
%! assert (size (idx), [1 4]);
%! assert (class (D), 'single');
%! assert (idx(1), 2);
%!error id=knng:args:columns knng.knnsearch (eye (3), eye (2))
%!error id=knng:args:count knng.knnsearch (eye (3))
%!error id=knng:args:count knng.knnsearch (eye (3), 'K', 2)
%!error id=knng:args:k knng.knnsearch (eye (3), eye (3), 'K', 1.5)
