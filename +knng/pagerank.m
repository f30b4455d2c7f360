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
%                   on and below 1; default 0.85
%     'Restart'     the numbers of the rows where it begins anew, or n logicals
%                   that are true for them; default: all rows
%     'Weight'      how likely a step is, relative to the others of its row;
%                   default 'binary'
%         'binary'   all alike
%         'given'    the entry of A itself. Not for distances
%         'similarity', 'gaussian', 'jaccard', 'snn'  as the 'Weight' of
%                    knng.adjacency says, from distances; there is no step where
%                    a similarity is not above 0
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
%   Cost: O(n*k) for each of some 20/(1-Damping) steps; memory 150 bytes an
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
  restart = opt.Restart;
  if (islogical (restart) && numel (restart) == n)
    restart = find (restart);
  end
  if (islogical (restart) || ~knng.internal.whole (restart, 1, n) || (isempty (restart) && ~isempty (opt.Restart)))
    error ('knng:args:row', '''Restart'' is %s: it must be the numbers of rows, from 1 to %d, or [] for all', ...
           knng.internal.given (opt.Restart), n);
  end
  damping = opt.Damping;
  if (~isnumeric (damping) || ~isreal (damping) || numel (damping) ~= 1 || ~(damping >= 0 && damping < 1))
    error ('knng:args:option', '''Damping'' is %s: it must be a number from 0 on and below 1', knng.internal.given (damping));
  end
  weight = knng.internal.check_choice ('Weight', opt.Weight, {'binary', 'similarity', 'gaussian', 'jaccard', 'snn', 'given'});
  A = knng.internal.edge_weights (graph, weight, opt.Metric, how);
  reset = ones (n, 1);
  if (~isempty (restart))
    reset(:) = 0;
    reset(double (full (restart(:)))) = 1;
  end
  p = knng.internal.igraph ('pagerank', A, 0, full (double (damping)), reset);
end

%!testif ; knng.internal.with_igraph ()  <*1>
%! X = [0 1 2 10 11 13]';
%! assert (sum (knng.pagerank (knngraph (X, 2))), 1, 1e-9);
%! q = knng.pagerank (knngraph (X, 2), 'Restart', 1);
%! assert (q, [q(1:3); 0; 0; 0]);
%! assert (sum (q), 1, 1e-9);

%!testif ; knng.internal.with_igraph ()  # what networkx 3.6.1 gives
%! A = knngraph (mod ((1:12)' .^ 2 * [7 13 5], 101), 3);
%! assert (knng.pagerank (A)', [0.0125 0.098321468 0.108045967 0.023058602 0.146221554 0.032174793 0.146324711 0.198221681 0.144074587 ...
%!                              0.032174793 0.037265653 0.021616191], 1e-8);
%! assert (knng.pagerank (A, 'Damping', 0.7, 'Restart', [1 5])', [0.15 0.091536541 0.084609114 0 0.242365693 0 0.120244797 0.189189189 ...
%!                                                                0.122054665 0 0 0], 1e-8);

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
%!       if (! strcmp (weight{1}, 'given')), assert (knng.pagerank (idx, dist, options{:}), want, 1e-8); end
%!     end
%!   end
%! end

%!testif ; knng.internal.with_igraph ()
%! assert (knng.pagerank (sparse (2, 2)), [0.5 0.5]', 1e-9);
%! n = 300;                                       # where igraph has another method
%! A = knngraph ((1:n)' .^ 2 * sqrt ([2 3]) - fix ((1:n)' .^ 2 * sqrt ([2 3])), 3);
%! P = full (A > 0) / 3;
%! for damping = [0.5 0.99]
%!   assert (knng.pagerank (A, 'Damping', damping), (eye (n) - damping * P') \ ((1 - damping) * ones (n, 1) / n), 1e-9);
%! end
%! assert (knng.pagerank (A, 'Restart', (1:n)' < 3), knng.pagerank (A, 'Restart', [1 2]));
%! assert (knng.pagerank (A > 0), knng.pagerank (A));
%! for bad = {2, 1, NaN, 'a'}
%!   try, knng.pagerank (sparse (2, 2), 'Damping', bad{1}); id = 'none'; catch e, id = e.identifier; end
%!   assert (id, 'knng:args:option');
%! end
%! try, knng.pagerank ([2; 1], [1; 1], 'Weight', 'given'); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:weight');
%! try, knng.pagerank (sparse (2, 2), 'Restart', [true; false; true]); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:row');
%! try, knng.pagerank (sparse (-eye (2)(:, [2 1])), 'Weight', 'given'); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:weight');
%! try, knng.pagerank (sparse (2, 2), 'Restart', 3); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:row');
%!error id=knng:args:count knng.pagerank ()
%!error id=knng:args:unknownOption knng.pagerank (sparse (2, 2), 'Directed', 1)
