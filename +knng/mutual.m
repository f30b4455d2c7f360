function [idx, dist, share] = mutual (varargin)
%KNNG.MUTUAL  The edges of a graph that lead both ways.
%   [idx, dist] = knng.mutual (idx, dist) takes the n-by-k tables of [idx, dist]
%   = knngraph (X, k, ...) and leaves to each row those of its neighbours that
%   have it as a neighbour themselves, in their order. Behind them, up to k
%   columns, idx is 0 and dist NaN.
%   A = knng.mutual (A) does the same with the n-by-n sparse matrix A = knngraph
%   (X, k, ...): an entry stays where its mirror image is one, too.
%   [idx, dist, share] = knng.mutual (idx, dist) and [A, share] = knng.mutual
%   (A) also return which share of its neighbours each row keeps, n-by-1: 0 for
%   outliers, whom nobody has as a neighbour; NaN for rows without neighbours.
%
%   Mutual neighbours hold groups of different density apart, and have few hubs;
%   but rows, and parts, come to stand alone (knng.conncomp counts them). For
%   other weights see knng.adjacency (..., 'Symmetrize', 'mutual'), whose result
%   is symmetric also where the two distances of a pair differ.
%
%   Cost: O(n*k*log (k)), a second for n = 1e5, k = 20; memory 140 bytes
%   an edge.
%
%   Errors: knng:args:idx, knng:args:dist if the tables are none of a graph, as
%   of knng.adjacency; knng:args:class if A is not square, sparse and real;
%   knng:args:count.
%
%   Source: M. Brito et al., Statistics & Probability Letters 35 (1997) 33-42.
%
%   Example:
%     [idx, dist] = knngraph ([0; 1; 3; 9], 1)   % 2 1 2 3
%     [idx, dist, share] = knng.mutual (idx, dist);
%     idx'                                       % 2 1 0 0
%
%   See also knng.hubness, knng.adjacency, knng.trim, knng.conncomp, knngraph.

  [graph, rest] = knng.internal.graph_arguments ('knng.mutual (GRAPH)', varargin);
  if (~isempty (rest) || nargout > numel (graph) + 1)
    error ('knng:args:count', ['knng.mutual takes a graph and nothing else, as in A = knng.mutual (A) or ' ...
           '[idx, dist] = knng.mutual (idx, dist): see help knng.mutual']);
  end
  if (numel (graph) == 1)
    A = graph{1};
    [i, j] = find (A);
    n = size (A, 1);
    both = sparse (i, j, 1, n, n);
    both = both .* both';
    idx = A .* both;
    if (islogical (A))
      idx = logical (idx);
    end
    before = accumarray (i(:), 1, [n, 1]);
    dist = full (sum (both, 2)) ./ before;                   % 0/0 is NaN
    return
  end
  [idx, dist] = varargin{1:2};                               % idx of the class that it came in
  knng.adjacency (graph{:});                                 % an error where they are no tables of a graph
  [n, k] = size (idx);
  there = find (idx);
  [row, ~] = ind2sub ([n, k], there);
  place = sparse (row, double (idx(there)), there, n, n);    % where in the tables the edge is
  stays = false (n, k);
  stays(nonzeros (place .* spones (place'))) = true;
  share = sum (stays, 2) ./ sum (idx > 0, 2);
  [~, order] = sort (~stays, 2);                             % keeps the order of those that stay
  at = bsxfun (@plus, (order - 1) * n, (1:n)');
  stays = reshape (stays(at), n, k);
  idx = reshape (idx(at), n, k);
  dist = reshape (dist(at), n, k);
  idx(~stays) = 0;
  dist(~stays) = NaN;
end

%!test <*1>
%! [idx, dist] = knngraph ([0; 1; 3; 9], 1);
%! assert (idx', [2 1 2 3]);
%! [idx, dist, share] = knng.mutual (idx, dist);
%! assert (idx', [2 1 0 0]);
%! assert (dist', [1 1 NaN NaN]);
%! assert (share', [1 1 0 0]);

%!test  # the edges of to_undirected (reciprocal=True) of networkx 3.6.1
%! M = knng.mutual (knngraph (mod ((1:14)' .^ 2 * sqrt ([2 3 5 7]), 1), 3));
%! ends = [1 1 1 2 2 4 4 5 5 6 7 8 10 11; 7 8 14 4 12 5 7 10 11 9 14 9 14 13];
%! far = [0.377863391046 0.374892937747 0.34922733025 0.371756936174 0.655576598153 0.542545431307 0.523795000635 0.535386833645 ...
%!        0.496055731962 0.52797217976 0.507501196191 0.557293930299 0.496055731962 0.377863391046];
%! U = full (sparse (ends(1, :), ends(2, :), far, 14, 14));
%! assert (full (M), U + U', 1e-11);

%!test  # against plain loops, as tables and as a matrix
%! warning ('off', 'knng:data:nonFinite', 'local');
%! X = [mod((1:50)' * [0.137 0.713], 1); NaN 1];
%! X(7, :) = X(3, :);
%! for k = [1 2 5 49]
%!   [idx, dist] = knngraph (X, k);
%!   A = knngraph (X, k);
%!   [i, d, share] = knng.mutual (idx, dist);
%!   [B, shares] = knng.mutual (A);
%!   assert (shares, share);
%!   assert (isequal (i(51, :), zeros (1, k)) && isnan (share(51)));
%!   for r = 1:50
%!     keep = arrayfun (@(c) any (idx(c, :) == r), idx(r, :));
%!     assert (i(r, :), [idx(r, keep), zeros(1, sum (! keep))]);
%!     assert (d(r, :), [dist(r, keep), NaN(1, sum (! keep))]);
%!     assert (share(r), mean (keep));
%!     assert (sort (find (B(r, :))), sort (idx(r, keep)));
%!   end
%!   assert (B, A .* (A != 0 & A' != 0));
%!   assert (B, knng.adjacency (A, 'Symmetrize', 'mutual'));
%! end

%!test  # classes, nothing
%! [i, d] = knng.mutual (int32 ([2; 1; 1]), single ([3; 3; 4]));
%! assert (i, int32 ([2; 1; 0]));
%! assert (d, single ([3; 3; NaN]));
%! assert (knng.mutual (sparse (2, 2)), sparse (2, 2));
%! assert (knng.mutual (sparse ([false true; true true])), sparse ([false true; true true]));
%!error id=knng:args:count knng.mutual ()
%!error id=knng:args:count knng.mutual (sparse (2, 2), 1)
%!error id=knng:args:count [a, b, c] = knng.mutual (sparse (2, 2))
%!error id=knng:args:idx knng.mutual ([2; 4], [1; 1])
%!error id=knng:args:dist knng.mutual ([2; 1], [1; -1])
%!error id=knng:args:class knng.mutual (sparse (1, 2))
