function p = pagerank (varargin)
%KNNG.PAGERANK  How often a walk along the edges of a graph comes to each row.
%   p = knng.pagerank (A) gives each of the n rows of the graph A = knngraph (X,
%   k, ...) the share of its visits by a walk that steps from a row to one of
%   its neighbours, at random, and now and then begins anew anywhere: n-by-1, of
%   sum 1. Large are rows that many have as a neighbour, most of all those that
%   are large themselves.
%   p = knng.pagerank (idx, dist) does the same with the n-by-k tables of [idx,
%   dist] = knngraph (X, k, ...).
%   p = knng.pagerank (..., 'Restart', rows) begins anew at these rows alone: p
%   is then large near them, over all ways. So rows are ranked by what they have
%   to do with a list of some, such as genes that are known of a disease.
%   p = knng.pagerank (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Damping'     how likely the walk goes on rather than begins anew, from 0
%                   to 1; default 0.85
%     'Restart'     the numbers of the rows where it begins anew; default: all
%                   rows
%     'Weight'      how likely a step is, relative to the others of its row;
%                   default 'binary'
%         'binary'   all alike
%         'given'    the entry of A itself. Not for distances
%         any other  as the 'Weight' of knng.adjacency says, from distances
%     'Metric'      the metric of the graph; only the weight 'similarity' asks
%                   for it
%     'Threads'     processor threads that make weights, default: all
%
%   A step leads from a row to its neighbours, never back. For edges that lead
%   both ways give the weights: knng.pagerank (knng.adjacency (A, 'Weight',
%   'binary', 'Symmetrize', 'union'), 'Weight', 'given'). From a row without
%   neighbours the walk begins anew. A row's edge to itself is left out.
%
%   igraph does the work: see knng.leiden for what that means. p is exact to
%   about 1e-10.
%
%   Cost: O(n*k) a step of the iteration, some tens of them; memory 150 bytes an
%   edge. Ctrl-C stops it at any time.
%
%   Errors: knng:args:row (a 'Restart' is no row); knng:args:weight (negative,
%   NaN or infinite); knng:args:idx, :dist, :class, :empty, :metric as
%   knng.adjacency; :option, :unknownOption, :count; knng:toolbox:noIgraph (what
%   to install); knng:toolbox:igraph; knng:interrupted; knng:memory:host.
%
%   Sources: S. Brin, L. Page, Computer Networks and ISDN Systems 30 (1998)
%   107-117; T. Haveliwala, IEEE Trans. Knowledge and Data Engineering 15 (2003)
%   784-796, 'Restart'.
%
%   Example:
%     X = [0 1 2 10 11 13]';               % two groups
%     p = knng.pagerank (knngraph (X, 2));
%     q = knng.pagerank (knngraph (X, 2), 'Restart', 1);
%     [sum(p), sum(q(1:3))]                % 1 1
%
%   See also knng.hubness, knng.betweenness, knng.shortestpath,
%   knng.labelspread, knngraph.

  [graph, pairs] = knng.internal.graph_arguments ('knng.pagerank (GRAPH)', varargin);
  [opt, given] = knng.internal.options (struct ('Damping', 0.85, 'Restart', [], 'Weight', 'binary', 'Metric', '', 'Threads', []), pairs);
  how = knng.internal.engine (given, {'Threads'});
  knng.internal.built ();
  knng.internal.with_igraph ();
  n = size (graph{1}, 1);
  if (~knng.internal.whole (opt.Restart, 1, n))
    error ('knng:args:row', '''Restart'' is %s: it must be the numbers of rows, from 1 to %d, or [] for all', ...
           knng.internal.given (opt.Restart), n);
  end
  knng.internal.igraph ('pagerank', sparse (0, 0), 0, opt.Damping, zeros (0, 1));   % a wrong option ends here, before the work
  reset = ones (n, 1);
  if (~isempty (opt.Restart))
    reset(:) = 0;
    reset(double (full (opt.Restart(:)))) = 1;
  end
  if (~knng.internal.is_one_of (opt.Weight, {'given'}))
    graph = {knng.adjacency(graph{:}, 'Weight', opt.Weight, 'Metric', opt.Metric, how{:})};
  elseif (numel (graph) == 2)
    graph = {knng.adjacency(graph{:}, how{:})};
  end
  p = knng.internal.igraph ('pagerank', double (graph{1}), 0, opt.Damping, reset);
end

%!testif ; knng.internal.with_igraph ()  <*1>
%! X = [0 1 2 10 11 13]';
%! assert (sum (knng.pagerank (knngraph (X, 2))), 1, 1e-9);
%! q = knng.pagerank (knngraph (X, 2), 'Restart', 1);
%! assert (q, [q(1:3); 0; 0; 0]);
%! assert (sum (q), 1, 1e-9);

%!testif ; knng.internal.with_igraph ()  # against the equations that define it
%! warning ('off', 'knng:data:nonFinite', 'local');
%! X = [mod((1:60)' * [0.137 0.713], 1); NaN 1];
%! [idx, dist] = knngraph (X, 4);
%! A = knngraph (X, 4);
%! n = 61;
%! for weight = {'binary', 'given', 'gaussian'}
%!   W = full (A);
%!   if (! strcmp (weight{1}, 'given')), W = full (knng.adjacency (A, 'Weight', weight{1})); end
%!   for damping = [0 0.5 0.85 0.99]
%!     for from = {[], 7, [3; 61]}
%!       r = zeros (n, 1);
%!       r(from{1}) = 1;
%!       if (isempty (from{1})) r(:) = 1; end
%!       r = r / sum (r);
%!       P = W ./ max (sum (W, 2), realmin);
%!       P(61, :) = r';
%!       want = (eye (n) - damping * P') \ ((1 - damping) * r);
%!       options = {'Weight', weight{1}, 'Damping', damping, 'Restart', from{1}};
%!       assert (knng.pagerank (A, options{:}), want, 1e-8);
%!       assert (knng.pagerank (idx, dist, options{:}), want, 1e-8);
%!     end
%!   end
%! end

%!testif ; knng.internal.with_igraph ()
%! assert (knng.pagerank (sparse (2, 2)), [0.5 0.5]', 1e-9);
%! try, knng.pagerank (sparse (2, 2), 'Damping', 2); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:option');
%! try, knng.pagerank (sparse (-eye (2)(:, [2 1])), 'Weight', 'given'); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:weight');
%! try, knng.pagerank (sparse (2, 2), 'Restart', 3); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:row');
%!error id=knng:args:count knng.pagerank ()
%!error id=knng:args:unknownOption knng.pagerank (sparse (2, 2), 'Directed', 1)
