function [c, quality] = louvain (varargin)
%KNNG.LOUVAIN  Clusters of a graph by the method of Louvain.
%   c = knng.louvain (A) gives each of the n points of the graph A = knngraph
%   (X, k, ...) the number of its cluster, an n-by-1 column. Cluster 1 is the
%   largest; of equal ones that with the first row comes first.
%   c = knng.louvain (idx, dist) does the same with the n-by-k tables of [idx,
%   dist] = knngraph (X, k, ...).
%   [c, quality] = knng.louvain (...) also returns the modularity of the
%   partition, as knng.leiden defines it.
%   [...] = knng.louvain (..., 'Name', value, ...) takes options.
%
%   Points move to the cluster of a neighbour where modularity grows most, until
%   none moves; then clusters do the same, and so on; and all of it again from
%   the points, until none of them moves, so that no move of a point can make
%   modularity larger. In knng.leiden every cluster is connected, and there are
%   other objectives. This method is here because much was published with it.
%
%   Options, as in knng.leiden:
%
%     'Weight'      what an edge weighs, default 'auto'
%     'Metric'      the metric of the graph, which says that it holds distances;
%                   only the weight 'similarity' asks for it
%     'Resolution'  a number from 0 on; the larger, the smaller the clusters;
%                   default 1
%     'Seed'        of the random numbers, from 0 to 2147483645; default 1
%     'Threads'     processor threads that make weights of distances, default:
%                   all
%
%   All that knng.leiden says of weights and of points without edges holds here
%   too. igraph is not needed: the same graph and options give the same clusters
%   on every machine.
%
%   Cost: some 15 seconds of one processor for the hard graph of 1e6 points of
%   10 normal dimensions, k = 20, a sixth of knng.leiden's. Memory 64 bytes an
%   edge of the symmetric graph and 101 a point at most; 1.4 GB there, weights
%   included.
%
%   Errors: knng:args:weight (negative, NaN or infinite; or A may hold weights
%   or distances); knng:args:class, :idx, :dist, :empty, :metric as
%   knng.adjacency; :rows (too many); :option, :unknownOption, :count;
%   knng:interrupted; knng:memory:host. Warnings: knng:args:weight (a symmetric
%   A that may hold distances); knng:graph:disconnected (points without edges,
%   or with those of weight 0 alone).
%
%   Sources: V. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre, J. Stat.
%   Mech. (2008) P10008; V. Traag, L. Waltman, N. J. van Eck, Scientific Reports
%   9 (2019) 5233, which points are looked at again.
%
%   Example:
%     square = @(n) mod ((1:n)' * [0.37 0.71], 1);
%     X = [square(60); 2 + square(40)];    % two squares full of points
%     [idx, dist] = knngraph (X, 12);
%     c = knng.louvain (idx, dist, 'Resolution', 0.2);
%     [sum(c == 1), sum(c == 2)]           % 60 40
%
%   See also knng.leiden, knng.plot, knngraph, knng.adjacency.

  [graph, pairs] = knng.internal.graph_arguments ('knng.louvain (GRAPH)', varargin);
  [opt, given] = knng.internal.options (struct ('Weight', 'auto', 'Metric', '', 'Resolution', 1, 'Seed', 1, 'Threads', []), pairs);
  opt.Threads = knng.internal.engine (given, {'Threads'});
  [c, quality] = knng.internal.communities (@knng.internal.louvain, graph, opt, opt.Resolution);
end

%!test   # weights that rounding has made differ across the diagonal are weights
%! X = [mod((1:60)' * [0.37 0.71], 1); 2 + mod((1:40)' * [0.37 0.71], 1)];
%! [i, j, w] = find (knng.adjacency (knngraph (X, 12), 'Weight', 'gaussian', 'Symmetrize', 'union'));
%! s = accumarray (j, w);
%! W = sparse (i, j, w ./ sqrt (s(i)) ./ sqrt (s(j)));
%! assert (~isequal (W, W'));
%! [c, q] = knng.louvain (W);
%! assert ({c, q}, nthargout (1:2, @knng.louvain, W, 'Weight', 'given'));
%!test  # ten cliques in a ring, whose best partition is known; and of a larger resolution
%! A = kron (eye (10), ones (6)) - eye (60);
%! A(sub2ind ([60 60], 1:6:60, [8:6:60, 2])) = 1;
%! [c, q] = knng.louvain (sparse (max (A, A')), 'Weight', 'given');
%! assert (c, kron ((1:10)', ones (6, 1)));
%! assert (q, 150 / 160 - 0.1, 1e-12);
%! [c, q] = knng.louvain (sparse (max (A, A')), 'Weight', 'given', 'Resolution', 100);
%! assert (c, (1:60)');

%!test  # golub: the mean over ten seeds of community_multilevel of igraph 0.10.2 is 0.5985, its best 0.6041
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! A = knngraph (ds.X, 10, 'pearson');
%! for seed = 1:3
%!   [c, q(seed)] = knng.louvain (A, 'Seed', seed);
%! end
%! assert (mean (q) > 0.6041);
%! assert (issorted (-accumarray (c, 1)));

%!test  # distances are not taken for weights
%! X = [mod((1:60)' * [0.37 0.71], 1); 2 + mod((1:40)' * [0.37 0.71], 1)];
%! [idx, dist] = knngraph (X, 12);
%! c = [ones(60, 1); 2 * ones(40, 1)];
%! assert (knng.louvain (idx, dist, 'Resolution', 0.2), c);
%! assert (knng.louvain (idx(:, [2 1 3:12]), single (dist(:, [2 1 3:12])), 'Resolution', 0.2), c);
%! A = knng.adjacency (knngraph (X, 12), 'Symmetrize', 'union');
%! assert (knng.louvain (A, 'Metric', 'euclidean', 'Resolution', 0.2), c);

%!# Distances that are symmetric; weights are told from them in like_distances.m
%!warning <look as distances do: the smaller .* 'Metric', 'euclidean'; .* 'Weight', 'given'> knng.louvain (knng.mutual (knngraph (mod ((1:60)' .^ 2 * sqrt ([2 3]), 1), 8)));
%!warning <look as distances do: it is a tree> knng.louvain (knng.minspantree (mod ((1:60)' .^ 2 * sqrt ([2 3]), 1)));

%!# More tests stand with knng.leiden's.
%!error id=knng:args:weight knng.louvain (knngraph ((1:5)' .^ 2, 4))
%!error id=knng:args:count knng.louvain ()
%!error id=knng:args:count knng.louvain (ones (3))
%!error <there is no option 'Objective': knng.leiden has it> knng.louvain (sparse (3, 3), 'Objective', 'CPM')
%!error <'iterations': knng.leiden has it> knng.louvain (sparse (3, 3), 'iterations', 2)
%!error <give it as sparse \(A\)> knng.louvain (ones (3))
