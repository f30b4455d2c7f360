function b = betweenness (varargin)
%KNNG.BETWEENNESS  How many shortest ways of a graph lead over each row.
%   b = knng.betweenness (A) gives each of the n rows of the graph A = knngraph
%   (X, k, ...) a number, n-by-1: of how many pairs of other rows the shortest
%   way leads over it. Where a pair has several shortest ways, those over the
%   row count with their share. Large are bridges: rows between what hangs
%   together, such as cells between two states.
%   b = knng.betweenness (idx, dist) does the same with the n-by-k tables of
%   [idx, dist] = knngraph (X, k, ...).
%   b = knng.betweenness (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Length'    how long an edge is; default 'hops'
%         'hops'      1: ways with the fewest steps, as MATLAB's centrality
%                     (G, 'betweenness') counts them
%         'distance'  what the graph holds; equal rows, at a distance of 0, and
%                     nearly equal ones, nearer than 1e-10*n of the largest
%                     distance, are an error
%     'Directed'  true: a step leads from a row to its neighbours alone, and the
%                 two directions of a pair count as two; default false
%     'Cutoff'    only ways up to this length count, from 0 on; default Inf.
%                 Far less work in large graphs
%     'Threads'   processor threads that prepare the graph, default: all
%
%   b/((n-1)*(n-2)/2) is the share of all pairs (directed: without the 2), as
%   networkx counts it.
%
%   igraph does the work: see knng.leiden for what that means. Two ways whose
%   lengths differ by less than 1e-10 of them are both shortest to it.
%
%   Cost: O(n^2*k), with 'distance' log (n) times more: some seconds for 3 000
%   rows, k = 10, on one processor thread. Memory 150 bytes an edge. Ctrl-C
%   stops it at any time.
%
%   Errors: knng:args:idx, :dist, :class, :empty as knng.adjacency;
%   knng:args:dist (an edge has the length 0, or nearly); :option,
%   :unknownOption, :count; knng:toolbox:noIgraph (what to install);
%   knng:toolbox:igraph; knng:interrupted; knng:memory:host. Warnings:
%   knng:args:weight (A may hold weights).
%
%   Source: U. Brandes, Journal of Mathematical Sociology 25 (2001) 163-177.
%
%   Example:
%     X = [1 2 3 9 15 16 17]' .^ 1.01;     % two groups, and one point between
%     b = knng.betweenness (knngraph (X, 2));
%     b'                                   % 0 0 8 9 8 0 0
%
%   See also knng.shortestpath, knng.pagerank, knng.hubness, knngraph.

  form = 'knng.betweenness (GRAPH)';
  [graph, pairs] = knng.internal.graph_arguments (form, varargin);
  [opt, given] = knng.internal.options (struct ('Length', 'hops', 'Directed', false, 'Cutoff', Inf, 'Threads', []), pairs);
  how = knng.internal.engine (given, {'Threads'});
  knng.internal.built ();
  knng.internal.with_igraph ();
  knng.internal.igraph ('betweenness', sparse (0, 0), 0, 0, opt.Cutoff);   % a wrong option ends here, before the work
  D = knng.internal.lengths (form, graph, opt, how);
  [least, most] = deal (min ([nonzeros(D); Inf]), max ([nonzeros(D); 0]));
  if (least <= realmin || least < 1e-10 * size (D, 1) * most)
    [i, j] = find (D == least, 1);
    error ('knng:args:dist', ['rows %d and %d are equal, or nearly so: the edge between them has the length %g, which beside that of ' ...
           'other ways, up to %g, is lost in rounding; give ''Length'', ''hops'', or leave such rows out (knng.duplicates finds equal ones)'], ...
           i, j, least * (least > realmin), size (D, 1) * most);
  end
  b = knng.internal.igraph ('betweenness', D, 0, double (opt.Directed), opt.Cutoff);
end

%!testif ; knng.internal.with_igraph ()  <*1>
%! X = [1 2 3 9 15 16 17]' .^ 1.01;
%! assert (knng.betweenness (knngraph (X, 2)), [0 0 8 9 8 0 0]');

%!testif ; knng.internal.with_igraph ()  # what betweenness_centrality (normalized=False) of networkx 3.6.1 gives
%! A = knngraph (mod ((1:12)' .^ 2 * [7 13 5], 101), 3);
%! assert (knng.betweenness (A)', [0 26/15 27/4 11/3 79/60 55/12 14.35 6 179/60 25/6 1.5 6.95], 1e-9);
%! assert (knng.betweenness (A, 'Directed', true)', [0 25/12 5.75 19/6 17/6 37/12 12.75 17/3 49/12 31/6 5 77/12], 1e-9);
%! assert (knng.betweenness (A, 'Length', 'distance')', [0 0 7 0 1 12 22 9 3 1 2 2], 1e-9);

%!testif ; knng.internal.with_igraph ()  # against all shortest ways, counted
%! A = knngraph (mod ((1:40)' * [0.137 0.713], 1), 3);
%! n = rows (A);
%! [idx, dist] = knngraph (mod ((1:40)' * [0.137 0.713], 1), 3);
%! for directed = [false true]
%!   for hops = [false true]
%!     L = Inf (n);
%!     L(A > 0) = A(A > 0);
%!     if (! directed) L = min (L, L'); end
%!     if (hops) L(L < Inf) = 1; end
%!     [d, ways] = deal (Inf (n), zeros (n));
%!     for s = 1:n                                  # in the order of their distances
%!       [d(s, s), ways(s, s), open] = deal (0, 1, true (1, n));
%!       while (any (open & d(s, :) < Inf))
%!         [~, i] = min (d(s, :) + 0 ./ open);
%!         open(i) = false;
%!         nearer = d(s, i) + L(i, :) < d(s, :) - 1e-12;
%!         same = abs (d(s, i) + L(i, :) - d(s, :)) <= 1e-12;
%!         ways(s, nearer) = ways(s, i);
%!         ways(s, same) = ways(s, same) + ways(s, i);
%!         d(s, nearer) = d(s, i) + L(i, nearer);
%!       end
%!     end
%!     for cutoff = [Inf, 2.5 * hops + 0.3 * !hops]
%!       want = zeros (n, 1);
%!       for v = 1:n
%!         over = (d(:, v) + d(v, :) <= d + 1e-12 & d < Inf & d <= cutoff) .* (ways(:, v) * ways(v, :)) ./ max (ways, 1);
%!         over([v, n * (v - 1) + (1:n)]) = 0;
%!         over(v, :) = 0;
%!         over(1:n+1:end) = 0;
%!         want(v) = sum (over(:)) / (2 - directed);
%!       end
%!       options = {'Directed', directed, 'Length', {'distance', 'hops'}{1 + hops}, 'Cutoff', cutoff};
%!       assert (knng.betweenness (A, options{:}), want, 1e-9);
%!       assert (knng.betweenness (idx, dist, options{:}), want, 1e-9);
%!     end
%!   end
%! end

%!testif ; knng.internal.with_igraph ()
%! assert (knng.betweenness (sparse (2, 2)), [0 0]');
%! assert (knng.betweenness (sparse ([1 2], [2 3], [realmin 1], 3, 3)), [0 1 0]');
%!assert (! knng.internal.with_igraph () || isequal (knng.betweenness (sparse ([1 2 3 4], [2 3 4 5], [1 1e-8 1 1], 5, 5), 'Length', 'distance'), [0 3 4 3 0]'))
%!error id=knng:args:count knng.betweenness ()
%!error id=knng:args:unknownOption knng.betweenness (sparse (2, 2), 'Weight', 1)
%!testif ; knng.internal.with_igraph ()
%! try, knng.betweenness (sparse (2, 2), 'Cutoff', -1); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:option');

%!testif ; knng.internal.with_igraph ()
%! try, knng.betweenness (sparse ([1 2], [2 3], [realmin 1], 3, 3), 'Length', 'distance'); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:dist');
%! try, knng.betweenness (sparse ([1 2 3 4], [2 3 4 5], [1 1e-11 1 1], 5, 5), 'Length', 'distance'); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:dist');
%! try, knng.betweenness (sparse ([1 2 4], [2 3 5], [1 1e-230 1e100], 5, 5), 'Length', 'distance'); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:dist');
%! try, knng.betweenness (sparse (2, 2), 'Length', 3); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:option');
