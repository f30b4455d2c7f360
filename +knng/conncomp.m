function [bins, binsizes] = conncomp (varargin)
%KNNG.CONNCOMP  The connected components of a graph.
%   bins = knng.conncomp (A) numbers the connected components of the n-by-n
%   sparse graph A = knngraph (X, k, ...): bins is 1-by-n, and bins(i) ==
%   bins(j) if a way leads from i to j, whatever the directions of its edges.
%   Components are numbered in the order of their first rows.
%   bins = knng.conncomp (idx, dist) does the same with the n-by-k tables of
%   [idx, dist] = knngraph (...).
%   [bins, binsizes] = knng.conncomp (...) also returns how many rows each
%   component has, a row.
%
%   Names and results are those of MATLAB's conncomp for a graph, and for a
%   directed one with 'Type', 'weak'. A may be any square sparse matrix, such as
%   knng.adjacency makes: what is stored is an edge, whatever its value. A row
%   without edges, such as one with NaN in the data, is a component by itself.
%
%   Options:
%
%     'Threads'  processor threads, default: all
%
%   Cost: O(n*k), a second for n = 1e6, k = 20, and 3 more for tables; memory 4
%   bytes a row (tables: 16 an edge) beside the result.
%
%   Errors: knng:args:class if A is not square, sparse and real; knng:args:idx,
%   :dist, :empty as knng.adjacency; knng:args:rows; knng:args:option,
%   :unknownOption, :count; knng:memory:host.
%
%   Example:
%     X = [0; 10; 1; 11; 2; 50];
%     [bins, binsizes] = knng.conncomp (knngraph (X, 1))  % 1 2 1 2 1 2, and 3 3
%
%   See also knng.minspantree, knng.mstknn, knng.adjacency, knngraph.

  [graph, pairs] = knng.internal.graph_arguments ('knng.conncomp (GRAPH)', varargin);
  knng.internal.built ();
  [~, given] = knng.internal.options (struct ('Threads', []), pairs);
  knng.internal.threads (given);
  A = graph{1};
  if (numel (graph) == 2)
    A = knng.internal.graph ('knng.conncomp (GRAPH)', graph, given);
  end
  [bins, binsizes] = knng.internal.forest ('components', A, knng.internal.how_to_run (given));
end

%!test <*1>
%! X = [0; 10; 1; 11; 2; 50];
%! [bins, binsizes] = knng.conncomp (knngraph (X, 1));
%! assert (bins, [1 2 1 2 1 2]);
%! assert (binsizes, [3 3]);

%!test  # against dmperm, on graphs that fall into few parts and many
%! for n = [1 2 3 50 400]
%!   for k = [0 1 2 3 40]
%!     E = mod ((1:k*n)' * [0.618033988749895, 0.41421356237309505], 1);
%!     A = sparse (floor (n * E(:, 1)) + 1, floor (n * E(:, 2) .^ 3) + 1, 1, n, n);
%!     [bins, sizes] = knng.conncomp (A);
%!     [p, ~, r] = dmperm ((A | A') + speye (n));
%!     assert (numel (sizes), numel (r) - 1);
%!     for c = 1:numel (r) - 1
%!       assert (all (bins(p(r(c):r(c+1)-1)) == bins(p(r(c)))));
%!     end
%!     [~, first] = unique (bins, 'first');
%!     assert (issorted (first) && isequal (bins(sort (first)), 1:numel (sizes)));
%!     assert (sizes, accumarray (bins', 1)');
%!     assert (knng.conncomp (A'), bins);
%!     assert (knng.conncomp (logical (A)), bins);
%!   end
%! end

%!test  # tables, rows without neighbours, any value, the longest way
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, dist] = knngraph ([1 2; NaN 1; 1 2; 3 4; 3 5], 1);
%! assert (knng.conncomp (idx, dist), [1 2 1 3 3]);
%! assert (knng.conncomp (sparse ([0 NaN 0; 0 0 0; 0 0 -1])), [1 1 2]);
%! assert (knng.conncomp (sparse (0, 0)), zeros (1, 0));
%! n = 1e5;
%! p = mod ((0:n-1) * 38197, n) + 1;
%! assert (all (knng.conncomp (sparse (p(1:n-1), p(2:n), 1, n, n)) == 1));

%!test  # the examples of MATLAB's documentation
%! assert (knng.conncomp (sparse ([1 1 4], [2 3 5], 1, 6, 6)), [1 1 1 2 2 3]);
%! [bins, sizes] = knng.conncomp (sparse ([1 2 2 3 3 3 4 5 5 5 8 8], [2 3 4 1 4 5 5 3 6 7 9 10], 1, 20, 20));
%! assert (bins, [1 1 1 1 1 1 1 2 2 2 3:12]);
%! assert (sizes, [7 3 ones(1, 10)]);

%!test  # golub: every gene with its neighbour, in as many parts as there are blocks
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! A = knngraph (ds.X, 1, 'pearson');
%! [bins, sizes] = knng.conncomp (A);
%! [i, j] = find (A);
%! [~, ~, r] = dmperm ((A | A') + speye (3051));
%! assert (bins(i), bins(j));
%! assert (sort (sizes), sort (diff (r)));

%!error id=knng:args:count knng.conncomp ()
%!error id=knng:args:count knng.conncomp (1)
%!error id=knng:args:unknownOption knng.conncomp (sparse (1), 1)
%!error id=knng:args:class knng.conncomp (sparse (1, 2))
%!error id=knng:args:class knng.conncomp (sparse (1i))
%!error id=knng:args:idx knng.conncomp ([1; 3], [1; 1])
%!error id=knng:args:rows knng.internal.forest ('components', sparse (2^31, 1))   # a square one would take 16 GB
