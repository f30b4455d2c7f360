function [c, quality] = leiden (varargin)
%KNNG.LEIDEN  Clusters of a graph by the method of Leiden.
%   c = knng.leiden (A) gives each of the n points of the graph A = knngraph (X,
%   k, ...) the number of its cluster, an n-by-1 column. In a cluster there are
%   more edges than chance would give it. Cluster 1 is the largest; of equal
%   ones that with the first row comes first. How many there are follows from
%   the graph; 'Resolution' makes them more or fewer.
%   c = knng.leiden (idx, dist) does the same with the n-by-k tables of [idx,
%   dist] = knngraph (X, k, ...).
%   [c, quality] = knng.leiden (...) also returns the quality of the partition,
%   which the method tries to make as large as it can; NaN without any edge.
%   [...] = knng.leiden (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Weight'      what an edge weighs, from 0 on: more for points that are
%                   more alike; default 'auto'
%         'auto'     a symmetric A holds weights, as with 'given'; any other A,
%                    and tables, hold distances as knngraph makes them, and
%                    'binary' makes weights of them. A matrix with entries on
%                    one side of the diagonal alone, half of a symmetric one, is
%                    refused
%         'given'    the entry of A itself, the mean of A(i,j) and A(j,i). Not
%                    for distances
%         any other  as the 'Weight' of knng.adjacency says, from distances; i
%                    and j are joined if one of them is a neighbour of the other
%     'Metric'      the metric of the graph; only the weight 'similarity' asks
%                   for it
%     'Objective'   what quality is; default 'modularity'. With w(i,j) the
%                   weight of an edge, s(i) the sum of those of point i, S the
%                   sum of all s, and g 'Resolution', it is the sum over all
%                   ordered pairs i, j of one cluster, i = j included, of
%         'modularity'  (w(i,j) - g*s(i)*s(j)/S)/S
%         'CPM'         (w(i,j) - g)/S, the constant Potts model: points of a
%                       cluster are joined by g on average at least. It has no
%                       scale of its own: with weights of 1 try g = k/n and up
%     'Resolution'  g, a number from 0 on; the larger, the smaller the clusters;
%                   default 1. Modularity at 1 joins groups that are small for
%                   the graph, of some sqrt (number of edges) edges or fewer:
%                   raise it there
%     'Iterations'  how often at most the whole method runs on what it has
%                   found, from 1 on; it ends when quality does not grow, and
%                   Inf waits for that; default 2
%     'Beta'        how much chance there is in the splitting of clusters, from
%                   0 on; default 0.01
%     'Seed'        of the random numbers, from 0 to 2147483645; default 1
%     'Threads'     processor threads that make weights of distances, default:
%                   all
%
%   A symmetric matrix of distances would be taken for weights, which puts
%   together what is apart. That of knngraph is symmetric where all neighbours
%   are mutual, as with k = n-1: give its tables.
%
%   The graph is taken as undirected; its diagonal, and weights up to realmin,
%   are left out. A point without edges (its data hold NaN) is a cluster of its
%   own. The same graph, options and version of igraph give the same clusters.
%
%   igraph does the work: a library under the GPL, version 0.10 or 1, which knng
%   does not hold. make builds the gateway to it where it is installed (Debian:
%   libigraph-dev, pkg-config). Using it asks nothing of you; who passes on that
%   gateway, igraph.mex, passes it on under the GPL. knng itself stays
%   BSD-3-Clause.
%
%   Cost: about a minute of one processor for the hard graph of 1e6 points of 10
%   normal dimensions, k = 20; far less where there are groups. Memory 2.2 GB
%   there, 150 bytes an edge. igraph runs in a process of its own, so that
%   Ctrl-C stops it at any time.
%
%   Errors: knng:toolbox:noIgraph (what to install); knng:args:weight (negative,
%   NaN or infinite; or A is half of a symmetric matrix); knng:args:class, :idx,
%   :dist, :empty, :metric as knng.adjacency; :option, :unknownOption, :count;
%   knng:toolbox:igraph; knng:interrupted; knng:memory:host.
%
%   Sources: V. Traag, L. Waltman, N. J. van Eck, Scientific Reports 9 (2019)
%   5233, the method; J. Reichardt, S. Bornholdt, Phys. Rev. E 74 (2006) 016110,
%   modularity with a resolution; V. Traag, P. Van Dooren, Y. Nesterov, Phys.
%   Rev. E 84 (2011) 016114, 'CPM'.
%
%   Example:
%     square = @(n) mod ((1:n)' * [0.37 0.71], 1);
%     X = [square(60); 2 + square(40)];    % two squares full of points
%     [idx, dist] = knngraph (X, 12);
%     c = knng.leiden (idx, dist, 'Resolution', 0.2);
%     [sum(c == 1), sum(c == 2)]           % 60 40
%
%   See also knng.louvain, knng.plot, knngraph, knng.adjacency.

  [graph, pairs] = knng.internal.graph_arguments ('knng.leiden (GRAPH)', varargin);
  [opt, given] = knng.internal.options (struct ('Weight', 'auto', 'Metric', '', 'Objective', 'modularity', 'Resolution', 1, 'Iterations', 2, ...
                                      'Beta', 0.01, 'Seed', 1, 'Threads', []), pairs);
  opt.Threads = knng.internal.engine (given, {'Threads'});
  [c, quality] = knng.internal.communities ('leiden', graph, opt, opt.Resolution, opt.Objective, opt.Beta, opt.Iterations);
end

%!function K = karate ()  # who met whom: W. Zachary, J. Anthropol. Res. 33 (1977) 452-473
%!  e = {[2:9, 11:14, 18, 20, 22, 32], [3 4 8 14 18 20 22 31], [4 8:10 14 28 29 33], [8 13 14], [7 11], [7 11 17], 17, [], ...
%!       [31 33 34], 34, [], [], [], 34, [33 34], [33 34], [], [], [33 34], 34, [33 34], [], [33 34], [26 28 30 33 34], ...
%!       [26 28 32], 32, [30 34], 34, [32 34], [33 34], [33 34], [33 34], 34, []};
%!  i = repelem (1:34, cellfun ('numel', e));
%!  K = sparse (i, [e{:}], 1, 34, 34);
%!  K = K + K';
%!endfunction

%!function Q = plain_quality (W, c, g, modularity)  # pair by pair
%!  W = full (W);
%!  S = sum (W(:));
%!  Q = 0;
%!  for i = 1:rows (W)
%!    for j = 1:rows (W)
%!      if (c(i) == c(j))
%!        if (modularity)
%!          Q += (W(i, j) - g * sum (W(i, :)) * sum (W(j, :)) / S) / S;
%!        else
%!          Q += (W(i, j) - g) / S;
%!        end
%!      end
%!    end
%!  end
%!endfunction

%!function [W, truth] = planted (n, groups, within, between, seed)  # about so many neighbours of each point
%!  m = n * [within, between] / 2;
%!  u = knng.internal.random (seed, 2 * sum (m));
%!  i = ceil (n * u(1:sum (m)));
%!  j = ceil (n * u(sum (m) + 1:end));
%!  truth = mod ((1:n)', groups) + 1;
%!  own = 1:m(1);
%!  j(own) = mod (j(own) - mod (j(own), groups) + mod (i(own), groups) - 1, n) + 1;
%!  W = sparse ([i; j], [j; i], 1, n, n);
%!endfunction

%!testif ; knng.internal.with_igraph ()
%! X = [mod((1:60)' * [0.37 0.71], 1); 2 + mod((1:40)' * [0.37 0.71], 1)];
%! [idx, dist] = knngraph (X, 12);
%! for f = {@knng.leiden, @knng.louvain}
%!   c = f{1} (idx, dist, 'Resolution', 0.2);
%!   assert (c, [ones(60, 1); 2 * ones(40, 1)]);
%!   assert (f{1} (knngraph (X, 12), 'resolution', 0.2), c);
%!   assert (f{1} (idx(:, [2 1 3:12]), single (dist(:, [2 1 3:12])), 'Resolution', 0.2), c);
%! end

%!testif ; knng.internal.with_igraph ()  # the best partition that is known, and what quality is
%! K = karate ();
%! [~, once] = knng.leiden (K, 'Seed', 4, 'Iterations', 1);
%! [~, q] = knng.leiden (K, 'Seed', 4, 'Iterations', Inf);
%! assert (q > once);
%! [c, q] = knng.leiden (K);
%! assert (q, 0.4197896, 1e-7);
%! assert (accumarray (c, 1)', [12 11 6 5]);
%! assert (c([1 34 7 25])', [2 1 4 3]);
%! assert (isequal (knng.leiden (logical (K)), c) && isequal (knng.leiden (2 * K + 5 * speye (34)), c));
%! assert (isequal (knng.leiden (triu (K), 'Weight', 'given'), c));
%! W = K .* (1 + sparse (mod ((1:34)' + (1:34), 5)));
%! for g = [0.3 1 2.5]
%!   for objective = {'modularity', 'cpm'}
%!     [c, q] = knng.leiden (W, 'Resolution', g, 'Objective', objective{1}, 'Seed', 7, 'Iterations', Inf, 'Beta', 0.05);
%!     assert (q, plain_quality (W, c, g, strcmp (objective{1}, 'modularity')), 1e-12);
%!   end
%!   [c, q] = knng.louvain (W, 'Resolution', g, 'Seed', 7);
%!   assert (q, plain_quality (W, c, g, true), 1e-12);
%! end

%!testif ; knng.internal.with_igraph ()  # planted groups are found, by every seed; the same seed gives the same
%! [W, truth] = planted (3000, 12, 16, 4, 1);
%! before = rand ('twister');
%! for seed = 1:3
%!   [c, q] = knng.leiden (W, 'Seed', seed);
%!   assert (knng.internal.adjusted_rand (c, truth) > 0.99);
%!   assert (issorted (-accumarray (c, 1)));
%!   assert (knng.internal.adjusted_rand (knng.louvain (W, 'Seed', seed), truth) > 0.99);
%!   [again, r] = knng.leiden (W, 'Seed', seed);
%!   assert (isequal (again, c) && isequal (r, q));
%! end
%! assert (rand ('twister'), before);

%!testif ; knng.internal.with_igraph ()  # golub: both find much the same clusters of genes, far better than chance
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! A = knngraph (ds.X, 10, 'pearson');
%! [c, q] = knng.leiden (A);
%! [l, r] = knng.louvain (A);
%! assert (q > 0.55 && r > 0.55);
%! assert (knng.internal.adjusted_rand (c, l) > 0.4);

%!testif ; knng.internal.with_igraph ()  # points without edges; nothing at all; weights of 0
%! A = sparse ([2 3 1 5 6 4], [1 2 3 4 5 6], 1, 8, 8);
%! assert (knng.leiden (A + A'), [1 1 1 2 2 2 3 4]');
%! assert (knng.louvain (A + A'), [1 1 1 2 2 2 3 4]');
%! [c, q] = knng.leiden (sparse (3, 3));
%! assert (c, (1:3)');
%! [c, q] = knng.leiden (sparse (0, 0));
%! assert (size (c), [0 1]);
%! A = A + A';
%! A(1, 4) = A(4, 1) = realmin;
%! assert (knng.leiden (A, 'Resolution', 0), [1 1 1 2 2 2 3 4]');

%!testif ; knng.internal.with_igraph ()  # igraph's connected parts are the parts that resolution 0 leaves
%! [W, ~] = planted (500, 1, 2, 0, 3);
%! c = knng.internal.igraph ('components', W, 1);
%! assert (max (c) > 20);
%! assert (knng.internal.adjusted_rand (c, knng.leiden (W, 'Resolution', 0, 'Iterations', Inf)), 1);

%!testif ; knng.internal.with_igraph ()  # weights of any size
%! A = kron (eye (3), ones (5));
%! A(1, 6) = A(6, 11) = A(11, 1) = 0.1;
%! A = sparse (max (A, A') - eye (15));
%! want = kron ([1 2 3]', ones (5, 1));
%! for s = [1e-300 1e-200 1e-100 1 1e100 1e200 1e300]
%!   [c, q(1)] = knng.leiden (s * A, 'Weight', 'given');
%!   assert (c, want);
%!   [c, q(2)] = knng.leiden (s * A, 'Weight', 'given', 'Objective', 'CPM', 'Resolution', 0.3 * s);
%!   assert (c, want);
%!   [c, q(3)] = knng.louvain (s * A, 'Weight', 'given');
%!   assert (c, want);
%!   assert (q, [3 * (20 / 60.6 - (20.2 / 60.6) ^ 2), (60 - 0.3 * 75) / 60.6, q(1)], 1e-9);
%! end

%!testif ; knng.internal.with_igraph ()  # wrong options, before anything is computed
%! A = sparse ([2 1], [1 2], 1);
%! bad = {'Resolution', {-1, NaN, Inf, 'x', [1 2], {1}}; 'Iterations', {0, 1.5, NaN, 'x'}; 'Beta', {-1, Inf, 'x', []}; ...
%!        'Seed', {-1, 0.5, 2 ^ 31, 'x', @sin}; 'Objective', {'x', 5, '', {'CPM'}}; 'Weight', {'x', 5}};
%! for i = 1:rows (bad)
%!   for v = bad{i, 2}
%!     try, knng.leiden (A, bad{i, 1}, v{1}); id = 'none'; catch e, id = e.identifier; end
%!     assert (id, 'knng:args:option');
%!     assert (! isempty (strfind (e.message, bad{i, 1})));
%!   end
%! end
%! for v = {-A, NaN * A, Inf * A}
%!   try, knng.leiden (v{1}, 'Weight', 'given'); id = 'none'; catch e, id = e.identifier; end
%!   assert (id, 'knng:args:weight');
%! end
%! try, [~, ~] = knng.internal.igraph ('components', A, 1); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:args:count');
%! for v = {sparse([1 2 3]), 1i * A}
%!   try, knng.leiden (v{1}); id = 'none'; catch e, id = e.identifier; end
%!   assert (id, 'knng:args:class');
%! end

%!testif ; knng.internal.with_igraph ()  # half of a symmetric matrix is no graph of neighbours
%! K = karate ();
%! for f = {@knng.leiden, @knng.louvain}
%!   for A = {triu(K), tril(K), triu(K) + speye(34), logical(tril(K))}
%!     try, f{1} (A{1}); id = 'none'; catch e, id = e.identifier; end
%!     assert (id, 'knng:args:weight');
%!     assert (! isempty (strfind (e.message, 'one side of its diagonal')));
%!     assert (isequal (f{1} (A{1}, 'Weight', 'given'), f{1} (K)));
%!     assert (isequal (f{1} (double (A{1}), 'Weight', 'binary'), f{1} (K)));
%!   end
%!   assert (f{1} (knngraph ([0; 1; 5; 6; NaN], 1)), [1 1 2 2 3]');
%!   assert (numel (f{1} (speye (3))), 3);
%! end
%!error id=knng:args:count knng.leiden ()
%!error id=knng:args:count knng.leiden (ones (3))
%!error id=knng:args:unknownOption knng.leiden (sparse (3, 3), 'Weigth', 'given')
%!test  # the remedy
%! if (! knng.internal.with_igraph ())
%!   try, knng.leiden (sparse (3, 3)); id = 'none'; catch e, id = e.identifier; end
%!   assert (id, 'knng:toolbox:noIgraph');
%!   assert (! isempty (strfind (e.message, 'libigraph-dev')));
%! end
