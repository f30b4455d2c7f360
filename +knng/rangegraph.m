function [varargout] = rangegraph (X, r, varargin)
%KNNG.RANGEGRAPH  The graph of all rows of a matrix within a radius, exactly.
%   A = knng.rangegraph (X, r) joins every two rows of the n-by-d matrix X at a
%   distance of at most r. A is sparse, n-by-n and symmetric: A(i,j) is the
%   distance of rows i and j.
%   A = knng.rangegraph (X, r, metric) measures with another metric of knngraph
%   than 'euclidean'.
%   A = knng.rangegraph (..., 'Name', value, ...) takes options.
%   [idx, D] = knng.rangegraph (...) returns n-by-1 cells instead: idx{i} is a
%   row of the numbers of the others within r of row i, nearest first, equal
%   distances in order of their numbers, and D{i} their distances; single if X
%   is.
%   [idx, D, info] = knng.rangegraph (...) also tells how it went, as in
%   knngraph.
%
%   A row is not joined to itself; a copy of it is, at distance 0, which is
%   stored as realmin in A, as is any distance below realmin. All else is as in
%   knng.rangesearch, of which [idx, D] have the numbers less each row's own: r,
%   options, rows without distances, what is done about memory. Functions of
%   graphs, such as knng.conncomp and knng.adjacency, take A.
%
%   Options:
%
%     'Distance'  the metric, if it is not the third argument, default
%                 'euclidean'; 'Metric' is the same
%     'Rows', 'MinValid', 'MaxMemory', 'Threads', 'Progress', 'Prune',
%     'TileSize', 'Target', 'Device', 'MaxDeviceMemory', 'NSMethod',
%     'BucketSize', 'SortIndices'
%                 as in knng.rangesearch
%
%   Cost: n*n*d operations, far less with few columns or clusters, and an exact
%   distance for each edge; memory beside X about 12*n*d + 115*n bytes, and 32
%   for each pair in idx and D, or 64 for each entry of A, 16 of them for the
%   result (docs/memory.md).
%
%   Errors: as knng.rangesearch.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     A = knng.rangegraph (X, 2)
%     bins = knng.conncomp (A)                        % 1 1 1 2
%
%   See also knng.rangesearch, knng.conncomp, knng.dbscan, knngraph.

  if (nargin < 2)
    error ('knng:args:count', ...
           'knng.rangegraph needs a matrix and a radius, as in knng.rangegraph (X, 0.5): see help knng.rangegraph');
  elseif (nargout > 3)
    error ('knng:args:count', 'knng.rangegraph has three results, [idx, D, info]');
  end
  knng.internal.built ();
  opt = struct ('NSMethod', [], 'BucketSize', [], 'SortIndices', [], 'Rows', 'all', 'MinValid', []);
  given = knng.internal.search_arguments (opt, varargin, true);
  if (nargout < 2)
    varargout{1} = knng.internal.range ('adjacency', X, [], r, given);
    return
  end
  [count, idx, D, info] = knng.internal.range ('graph', X, [], r, given);
  varargout = {mat2cell(idx, 1, count)', mat2cell(D, 1, count)', info};
end

%!test
%! X = [0 0; 1 0; 0 2; 5 5; 1 0];
%! A = knng.rangegraph (X, 2);
%! assert (A, sparse ([1 1 1 2 2 3 5 5], [2 3 5 1 5 1 1 2], [1 2 1 1 realmin 2 1 realmin], 5, 5));
%! [idx, D] = knng.rangegraph (X, 2, 'euclidean', 'Threads', 2);
%! assert (idx, {[2 5 3]; [5 1]; 1; zeros(1, 0); [2 1]});
%! assert (D, {[1 1 2]; [0 1]; 2; zeros(1, 0); [0 1]});
%!test   # one row; rows without distances; single; nothing within
%! assert (knng.rangegraph (5, Inf), sparse (1, 1));
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, D, info] = knng.rangegraph (single ([1; NaN; 2]), 1, 'cityblock');
%! assert (idx, {3; zeros(1, 0); 1});
%! assert (class (D{1}), 'single');
%! assert (info.nonfinite, 1);
%! assert (knng.rangegraph ([1; 2; 4], 0.5), sparse (3, 3));
%! assert (knng.rangegraph ([1 2; 2 1; 1 2; 4 3], 0, 'antipearson'), sparse ([1 1 2 2 3 3 4 4], [2 4 1 3 2 4 1 3], realmin, 4, 4));
%!test   # distances below realmin, as in knng.adjacency
%! A = knng.rangegraph (4.9e-324 * magic (4), Inf, 'cityblock');
%! assert (A, sparse (realmin * (1 - eye (4))));
%! [idx, dist] = knngraph (4.9e-324 * magic (4), 3, 'cityblock');
%! assert (A, knng.adjacency (idx, dist));
%! assert (knng.rangegraph (single (1e-45) * single ([0; 1; 5]), Inf), sparse (double (single (1e-45)) * [0 1 5; 1 0 4; 5 4 0]));
%!error id=knng:args:count knng.rangegraph (1)
%!error id=knng:args:radius knng.rangegraph (1, -1)
%!error id=knng:args:metric knng.rangegraph (1, 1, 'euclidian')
%!error id=knng:args:class knng.rangegraph ('a', 1)
