function varargout = minspantree (varargin)
%KNNG.MINSPANTREE  The minimum spanning tree of points or of a graph.
%   T = knng.minspantree (X) gives the tree of all pairs of rows of the n-by-d
%   matrix X, by their euclidean distances. T is n-by-n, sparse and symmetric,
%   with the distances of the n-1 edges that connect all rows with the least
%   sum. (It is what single linkage cuts.) Rows without distances, such as those
%   with NaN, have no edge.
%   T = knng.minspantree (X, 'Distance', metric) measures with another metric of
%   knngraph.
%   T = knng.minspantree (A) takes the n-by-n graph A = knngraph (X, k, ...) and
%   returns the edges that keep each of its components connected with the least
%   sum of distances: in each one edge fewer than rows.
%   T = knng.minspantree (idx, dist) does the same with the n-by-k tables of
%   [idx, dist] = knngraph (...).
%   [i, j, d] = knng.minspantree (...) returns the edges as columns: i < j and
%   the distance d, shortest first.
%
%   Options:
%
%     'Distance'  with X: a metric of knngraph; default 'euclidean'
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Progress'
%                 with X: as in knngraph
%     'Threads'   processor threads, default: all
%
%   Edges have no direction. If the matrix has two distances for a pair, the
%   smaller one counts; what is on the diagonal does not. Of edges of equal
%   distance the one with the smaller i is first, then that with the smaller j
%   (i < j): so there is one tree, the same everywhere. A distance up to realmin
%   is 0, and in T a distance of 0 is stored as realmin, as in A. Copies of a
%   row are joined at distance 0 like any others.
%
%   From a graph it is the tree of the edges that the graph has, which may
%   differ from that of all pairs. knng.conncomp counts its components, and a
%   larger k joins them. From X it is exact, for all pairs, though few of these
%   are computed: an edge is taken when no row on one of its sides can have a
%   shorter one that the lists of its neighbours lack; else rows are searched
%   again, outside of their component.
%
%   Cost: O(n*k*log (n)) at most; 5 seconds for n = 1e6, k = 20 (and 3 more for
%   tables); memory 36 bytes a row (tables: and 16 an edge) beside the result.
%   From X a search of knngraph for max (5, floor (log (n))) neighbours comes
%   before.
%   Where the rows lie in groups far apart they are searched again: in few
%   columns, or in groups, among boxes that leave out most of the rows and all
%   of the same component, else among all (docs/memory.md, docs/performance.md).
%
%   Errors: knng:args:idx, :dist, :class, :empty as knng.adjacency; :sparse,
%   :complex, :dims, :metric as knngraph; knng:args:rows; :option ('Distance'
%   with a graph), :unknownOption, :count; knng:memory:host. Warnings as
%   knngraph.
%
%   Source: O. Boruvka (1926); see J. Nesetril, E. Milkova, H. Nesetrilova,
%   Discrete Mathematics 233 (2001) 3-36.
%
%   Example:
%     X = [0; 1; 3; 6; 20; 22];
%     [i, j, d] = knng.minspantree (knngraph (X, 1));
%     [i, j, d]                         % 1 2 1; 2 3 2; 5 6 2; 3 4 3: two trees
%     [i, j, d] = knng.minspantree (X);
%     [i, j, d]                         % and 4 5 14: one
%
%   See also knng.conncomp, knng.mstknn, knng.edges, knng.adjacency, knngraph.

  if (nargin < 1 || nargout > 3)
    error ('knng:args:count', ['knng.minspantree needs points or a graph, as in knng.minspantree (X), knng.minspantree (A) ' ...
           'or knng.minspantree (idx, dist), and returns T or [i, j, d]: see help knng.minspantree']);
  end
  [graph, opt, how] = knng.internal.points_or_graph ('knng.minspantree (GRAPH)', struct (), varargin);
  n = size (varargin{1}, 1);
  if (isempty (graph))
    [i, j, d] = knng.internal.all_pairs (varargin{1}, opt.Distance, 1, how);
    [~, order] = sortrows ([d, i, j]);
    [i, j, d] = deal (i(order), j(order), d(order));
  else
    A = knng.internal.graph ('knng.minspantree (GRAPH)', graph, how);
    [i, j, d] = knng.internal.forest ('tree', A, [], [], knng.internal.how_to_run (how));
  end
  if (nargout > 1)
    varargout = {i, j, d};
  else
    d = max (d, realmin);
    varargout = {sparse([i; j], [j; i], [d; d], n, n)};
  end
end

%!test <*1>
%! X = [0; 1; 3; 6; 20; 22];
%! [i, j, d] = knng.minspantree (knngraph (X, 1));
%! assert ([i, j, d], [1 2 1; 2 3 2; 5 6 2; 3 4 3]);
%! [i, j, d] = knng.minspantree (X);
%! assert ([i, j, d], [1 2 1; 2 3 2; 5 6 2; 3 4 3; 4 5 14]);

%!test  # the rules: smaller of two directions, diagonal, zero, Inf, ties
%! assert (knng.minspantree (sparse ([9 3 0; 1 0 Inf; 0 0 0])), sparse ([0 1 0; 1 0 Inf; 0 Inf 0]));
%! assert (knng.minspantree (sparse ([0 realmin; 1 0])), sparse ([0 realmin; realmin 0]));
%! [i, j, ~] = knng.minspantree (sparse (ones (5)));
%! assert ([i, j], [1 2; 1 3; 1 4; 1 5]);
%! [i, j, ~] = knng.minspantree (sparse (toeplitz ([0 2 1 2 2])));
%! assert ([i, j], [1 3; 2 4; 3 5; 1 2]);

%!test  # the example of MATLAB's documentation
%! G = sparse ([1 1 1 2 5 3 6 4 7 8 8 8], [2 3 4 5 3 6 4 7 2 6 7 5], [100 10 10 10 10 20 10 30 50 10 70 10], 8, 8);
%! [i, j, d] = knng.minspantree (G);
%! assert ([i, j, d], [1 3 10; 1 4 10; 2 5 10; 3 5 10; 4 6 10; 5 8 10; 4 7 30]);

%!error id=knng:args:count knng.minspantree ()
%!error id=knng:args:option knng.minspantree (sparse (1), 'Distance', 'pearson')
%!error id=knng:args:unknownOption knng.minspantree (sparse (1), {})
%!error id=knng:args:metric knng.minspantree (magic (4), 'Distance', 'pearsn')
%!error id=knng:args:class knng.minspantree ({})

%!test  # the ends alone
%! [i, j] = knng.minspantree ([0; 3; 1]);
%! assert ([i, j], [1 3; 2 3]);

%!error id=knng:args:class knng.minspantree (sparse (1, 2))
%!error id=knng:args:dist knng.minspantree (sparse (-1))
%!error id=knng:args:idx knng.minspantree ([1; 3], [1; 1])
