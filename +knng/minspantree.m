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
%   From X a search of knngraph for floor (log (n)) neighbours comes before.
%   Where the rows lie in groups far apart they are searched again, which for
%   many groups takes ten times as long (60 000 rows in 300 groups of 10
%   columns).
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
    [i, j, d] = knng.internal.forest ('tree', A, [], [], knng.internal.work (how));
  end
  if (nargout > 1)
    varargout = {i, j, d};
  else
    d = max (d, realmin);
    varargout = {sparse([i; j], [j; i], [d; d], n, n)};
  end
end

%!function [i, j, d] = kruskal (A)  # by a sorted list of all edges
%!  [i, j, d] = find (A);
%!  E = sortrows ([d(:) .* (d(:) > realmin), min(i(:), j(:)), max(i(:), j(:))]);
%!  part = 1:rows (A);
%!  keep = false (rows (E), 1);
%!  for e = 1:rows (E)
%!    keep(e) = part(E(e, 2)) ~= part(E(e, 3));
%!    part(part == part(E(e, 3))) = part(E(e, 2));
%!  end
%!  [i, j, d] = deal (E(keep, 2), E(keep, 3), E(keep, 1));
%!endfunction

%!test <*1>
%! X = [0; 1; 3; 6; 20; 22];
%! [i, j, d] = knng.minspantree (knngraph (X, 1));
%! assert ([i, j, d], [1 2 1; 2 3 2; 5 6 2; 3 4 3]);
%! [i, j, d] = knng.minspantree (X);
%! assert ([i, j, d], [1 2 1; 2 3 2; 5 6 2; 3 4 3; 4 5 14]);

%!test  # from points: the tree of all pairs
%! warning ('off', 'knng:args:kClipped', 'local');
%! warning ('off', 'knng:data:nonFinite', 'local');
%! for n = [1 2 3 10 60 400]
%!   u = mod ((1:n)' * [0.754877666246693, 0.569840290998053], 1);
%!   for c = 1:4
%!     X = {u, floor(4 * u), u + 9 * mod((1:n)', 3) .^ 2, single(u .^ 5)}{c};
%!     X(5:9:end, 1) = NaN;
%!     T = knng.minspantree (X, 'distance', 'CITYBLOCK');
%!     if n == 1
%!       assert (T, sparse (1, 1));
%!     else
%!       assert (isequal (T, knng.minspantree (knngraph (double (X), n - 1, 'cityblock'))));
%!     end
%!   end
%! end

%!test  # against Kruskal: ties, copies, parts, both directions and one
%! for n = [1 2 3 30 200]
%!   for k = [1 3 8]
%!     for m = [3 50 1e6]
%!       X = floor (m * mod ((1:n)' * [0.618033988749895, 0.41421356237309505], 1));
%!       if (n > 1)
%!         [idx, dist] = knngraph (X, min (k, n - 1));
%!       else
%!         [idx, dist] = deal (zeros (1, 0));
%!       end
%!       A = knng.adjacency (idx, dist);
%!       [i, j, d] = knng.minspantree (A);
%!       [i2, j2, d2] = kruskal (A);
%!       assert ([i, j, d], [i2, j2, d2]);
%!       [i2, j2, d2] = knng.minspantree (idx, dist);
%!       assert ({i, j, d}, {i2, j2, d2});
%!       T = knng.minspantree (A);
%!       assert (T, T');
%!       assert ([nnz(T), full(sum (sum (T)))], [2 * numel(d), 2 * sum(max (d, realmin))], -1e-14);
%!       assert (numel (d), n - max (knng.conncomp (A)));
%!       assert (knng.conncomp (T), knng.conncomp (A));
%!     end
%!   end
%! end

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

%!test  # golub, every pair: the sum is that of Prim's algorithm
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! X = ds.X(1:300, :);
%! [i, j, d] = knng.minspantree (knngraph (X, 299, 'pearson'));
%! A = full (knngraph (X, 299, 'pearson'));
%! A(:, 1) = Inf;
%! near = A(1, :);
%! total = 0;
%! for s = 2:300
%!   [least, at] = min (near);
%!   total = total + least;
%!   A(:, at) = Inf;
%!   near = min (near, A(at, :));
%!   near(at) = Inf;
%! end
%! assert (sum (d), total, 1e-12);

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

%!testif ; knng.internal.with_igraph ()  # igraph's tree and parts, of graphs with one part and with many
%! X = mod ((1:2000)' * [0.618033988749895 0.41421356237309505 0.7320508075688772], 1) .^ 3;
%! for k = [1 2 10]
%!   A = knngraph (X, k);
%!   [i, j, d] = knng.minspantree (A);
%!   G = knng.adjacency (A, 'Symmetrize', 'union');
%!   [a, b] = knng.internal.igraph ('tree', G, 1);
%!   a(a == 0) = b(b == 0) = [];
%!   assert (sortrows ([i, j]), sortrows ([min(a, b), max(a, b)]));
%!   part = knng.internal.igraph ('components', G, 1);
%!   assert (knng.internal.adjusted_rand (part, knng.conncomp (A)'), 1);
%!   assert (max (part), 2000 - numel (i));
%! end
