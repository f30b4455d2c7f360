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
%                    tables, and every A whose 'Metric' is given, hold distances
%                    as knngraph makes them, and 'binary' makes weights of them.
%                    What may be either is refused: half of a symmetric matrix,
%                    with entries on one side of the diagonal alone, and a
%                    symmetric one with as many entries in each row. Of one
%                    whose entries look as distances do there is a warning
%         'given'    the entry of A itself, the mean of A(i,j) and A(j,i). Not
%                    for distances
%         any other  as the 'Weight' of knng.adjacency says, from distances; i
%                    and j are joined if one of them is a neighbour of the other
%     'Metric'      the metric of the graph, which says that it holds distances;
%                   only the weight 'similarity' asks for it
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
%   together what is apart. So give the 'Metric' of what knng.mutual (A),
%   knng.minspantree, knng.rangegraph, max (A, A') or knng.adjacency (A,
%   'Symmetrize', 'union') made. Such a matrix is told from weights, with a
%   warning, if rows share more neighbours the smaller their entry is, or if it
%   is a tree; not always, above all where there are few rows or edges. That of
%   knngraph is symmetric where all neighbours are mutual, as with k = n-1: give
%   its 'Metric', or its tables. Similarities of all pairs look the same as k =
%   n-1: give 'Weight', 'given'; with ones on the diagonal they are known to be
%   weights. Symmetric is what differs by rounding alone, by 1e-12 of the
%   largest entry. A matrix of weights that holds each edge once, in either
%   direction, is taken as directed, so that an edge weighs 1 with 'auto' and
%   half its entry with 'given': give max (A, A').
%
%   The graph is taken as undirected; its diagonal, and weights up to realmin,
%   are left out. A point without edges (its data hold NaN) is a cluster of its
%   own, and a warning counts these. The same graph, options and version of
%   igraph give the same clusters.
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
%   NaN or infinite; or A may hold weights or distances); knng:args:class, :idx,
%   :dist, :empty, :metric as knng.adjacency; :option, :unknownOption, :count;
%   knng:toolbox:igraph; knng:interrupted; knng:memory:host. Warnings:
%   knng:args:weight (a symmetric A that may hold distances, or another one that
%   may hold weights); knng:args:option ('CPM' without a 'Resolution' joins no
%   two points); knng:graph:disconnected (points without edges, or with those of
%   weight 0 alone).
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
%   See also knng.louvain, knng.plot, knngraph, knng.adjacency, knng.mstknn,
%   knng.hdbscan, knng.kmeans, knng.clustertable, knng.heatmap.

  [graph, pairs] = knng.internal.graph_arguments ('knng.leiden (GRAPH)', varargin);
  [opt, given] = knng.internal.options (struct ('Weight', 'auto', 'Metric', '', 'Objective', 'modularity', 'Resolution', 1, 'Iterations', 2, ...
                                      'Beta', 0.01, 'Seed', 1, 'Threads', []), pairs);
  opt.Threads = knng.internal.engine (given, {'Threads'});
  knng.internal.built ();
  knng.internal.with_igraph ();
  [c, quality, density] = knng.internal.communities (@(varargin) knng.internal.igraph ('leiden', varargin{:}), graph, opt, opt.Resolution, opt.Objective, opt.Beta, opt.Iterations);
  if (strcmpi (opt.Objective, 'CPM') && ~any (strcmp (given(1:2:end), 'Resolution')) && density > 0 && max (c) == numel (c))
    warning ('knng:args:option', ['no two points are in one cluster: with ''CPM'' no pair of points is joined by more than the default ''Resolution'', ' ...
             '1; give k/n times the weight of an edge, here %.2g, or more'], density);
  end
end

%!testif ; knng.internal.with_igraph ()
%! X = [mod((1:60)' * [0.37 0.71], 1); 2 + mod((1:40)' * [0.37 0.71], 1)];
%! [idx, dist] = knngraph (X, 12);
%! for f = {@knng.leiden, @knng.louvain}
%!   c = f{1} (idx, dist, 'Resolution', 0.2);
%!   assert (c, [ones(60, 1); 2 * ones(40, 1)]);
%!   assert (f{1} (knngraph (X, 12), 'resolution', 0.2), c);
%!   assert (f{1} (idx(:, [2 1 3:12]), single (dist(:, [2 1 3:12])), 'Resolution', 0.2), c);
%! end

%!testif ; knng.internal.with_igraph ()  # golub: both find much the same clusters of genes, far better than chance
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! A = knngraph (ds.X, 10, 'pearson');
%! [c, q] = knng.leiden (A);
%! [l, r] = knng.louvain (A);
%! assert (q > 0.55 && r > 0.55);
%! assert (knng.internal.adjusted_rand (c, l) > 0.4);

%!testif ; knng.internal.with_igraph ()  # distances are not taken for weights
%! X = [mod((1:60)' * [0.37 0.71], 1); 2 + mod((1:40)' * [0.37 0.71], 1)];
%! A = knng.adjacency (knngraph (X, 12), 'Symmetrize', 'union');
%! for f = {@knng.leiden, @knng.louvain}
%!   assert (f{1} (A, 'Metric', 'euclidean', 'Resolution', 0.2), [ones(60, 1); 2 * ones(40, 1)]);
%!   for Y = {X, [NaN, 1; X]}                    # a row without neighbours hides nothing
%!     try, f{1} (knngraph (Y{1}, 99)); id = 'none'; catch e, id = e.identifier; end
%!     assert (id, 'knng:args:weight');
%!   end
%!   assert (numel (f{1} (knngraph (X, 99), 'Weight', 'gaussian')), 100);
%!   assert (max (f{1} (sparse (ones (5) - eye (5)))), 1);   # where all are the same it makes no difference
%! end

%!testif ; knng.internal.with_igraph ()  # nor weights for distances without a word
%! A = knngraph (mod ((1:60)' * [0.37 0.71], 1), 6);
%! warning ('error', 'knng:args:weight', 'local');
%! J = knng.adjacency (A, 'Weight', 'jaccard');
%! for f = {@knng.leiden, @knng.louvain}
%!   fail ('f{1} (J)', '''Weight'', ''given''');
%!   assert ({numel(f{1} (J, 'Weight', 'given')), numel(f{1} (J, 'Weight', 'binary')), numel(f{1} (A))}, {60, 60, 60});
%! end

%!testif ; knng.internal.with_igraph ()  # nor those of knng.rangegraph, whatever the metric
%! X = [mod((1:60)' .^ 2 * sqrt ([2 3 5]), 1); 2 + mod((1:40)' .^ 2 * sqrt ([2 3 5]), 1)];
%! warning ('off', 'knng:graph:disconnected', 'local');      # of points that are far from all others, which is right
%! for m = {'euclidean', 0.5; 'sqeuclidean', 0.25; 'pearson', 0.1; 'spearman', 0.5; 'cosine', 0.01; 'abspearson', 0.1; 'cityblock', 0.8; 'chebychev', 0.4}'
%!   A = knng.rangegraph (X, m{2}, m{1});
%!   for f = {@knng.leiden, @knng.louvain}
%!     lastwarn ('', '');
%!     evalc ('f{1} (A);');
%!     [~, id] = lastwarn ();
%!     assert (id, 'knng:args:weight');
%!     lastwarn ('', '');
%!     assert (numel (f{1} (A, 'Metric', m{1})), 100);
%!     assert (numel (f{1} (A, 'Weight', 'given')), 100);
%!     [~, id] = lastwarn ();
%!     assert (id, '');
%!   end
%! end
%! [idx, dist] = knngraph (X, 12);
%! for w = {'gaussian', 'jaccard', 'snn', 'similarity'}      # weights pass
%!   c = knng.leiden (knng.adjacency (idx, dist, 'Weight', w{1}, 'Symmetrize', 'union', 'Metric', 'euclidean'));
%!   assert (numel (c), 100);
%! end

%!testif ; knng.internal.with_igraph ()  # points without edges are no clusters that anybody asked for
%! X = [mod((1:60)' * [0.37 0.71], 1); NaN(7, 2); 2 + mod((1:40)' * [0.37 0.71], 1)];
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, dist] = knngraph (X, 12);
%! W = knng.adjacency (idx, dist, 'Weight', 'jaccard', 'Symmetrize', 'union');
%! warning ('error', 'knng:graph:disconnected', 'local');
%! for f = {@knng.leiden, @knng.louvain}
%!   fail ('f{1} (idx, dist)', '^7 of 107 points have no edges, and each .*, ''pairwise'' of knngraph .* knng.impute');
%!   fail ('f{1} (sparse ([1 2], [2 1], 1, 3, 3), ''Weight'', ''given'')', '^1 of 3 points has no edges, and is a cluster .* leave it out; if its row misses');
%!   fail ('f{1} (W + speye (107), ''Weight'', ''given'')', '^7 of 107 points');
%!   assert (numel (f{1} (idx([1:60, 68:107], :) - 7 * (idx([1:60, 68:107], :) > 60), dist([1:60, 68:107], :))), 100);
%!   assert (f{1} (sparse ([1 3], [2 4], 1, 4, 4), 'Weight', 'given'), [1; 1; 2; 2]);
%!   fail ('f{1} (sparse ([1 3], [2 4], [1 realmin], 4, 4), ''Weight'', ''given'')', '^2 of 4 points have edges of weight 0 alone, and each of them is');
%!   fail ('f{1} (sparse ([1 3 4], [2 1 4], [1 realmin 1], 4, 4), ''Weight'', ''given'')', '^1 of 4 points has edges of weight 0 alone, and is a cl.* larger k');
%!   assert (max (f{1} (knngraph (X([1:60, 68:107], :), 12), 'Resolution', 1000)), 100);   # single, but not alone
%! end

%!error id=knng:args:count knng.leiden ()
%!error id=knng:args:count knng.leiden (ones (3))
%!error id=knng:args:unknownOption knng.leiden (sparse (3, 3), 'Weigth', 'given')

%!testif ; knng.internal.with_igraph ()  # 'CPM' has no scale of its own
%! A = knngraph (mod ((1:60)' * [0.37 0.71], 1), 6);
%! warning ('error', 'knng:args:option', 'local');
%! fail ('knng.leiden (A, ''Objective'', ''cpm'')', '^no two points are in one cluster: .* default ''Resolution'', 1; give .* here 0\.1\d, or');
%! assert (max (knng.leiden (A, 'Objective', 'CPM', 'Resolution', 1)) <= 60);
%! assert (max (knng.leiden (A, 'Objective', 'CPM', 'Resolution', 0.12)) < 20);
%! assert (knng.leiden (sparse (3, 3), 'Objective', 'CPM'), (1:3)');

%!testif ; knng.internal.with_igraph ()  # a quality without a number ends it, however many rounds are asked for
%! A = sparse ([1 2 3 4], [2 3 4 1], 1, 4, 4);
%! c = knng.leiden (A + A', 'Objective', 'CPM', 'Resolution', realmax, 'Iterations', Inf);
%! assert (sort (c), (1:4)');
%!test  # the remedy
%! if (! knng.internal.with_igraph ())
%!   try, knng.leiden (sparse (3, 3)); id = 'none'; catch e, id = e.identifier; end
%!   assert (id, 'knng:toolbox:noIgraph');
%!   assert (! isempty (strfind (e.message, 'libigraph-dev')));
%! end
