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
%   knng.leiden mostly finds a better partition, in which every cluster is
%   connected, and knows other objectives. This method is here because much was
%   published with it.
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
%   All that knng.leiden says of weights, of points without edges and of igraph,
%   which does the work, holds here too.
%
%   Cost: some five times that of knng.leiden where there are no groups: 5 to 6
%   minutes for 1e6 points of 10 normal dimensions, k = 20. Memory as
%   knng.leiden.
%
%   Errors: knng:toolbox:noIgraph (what to install); knng:args:weight (negative,
%   NaN or infinite; or A may hold weights or distances); knng:args:class, :idx,
%   :dist, :empty, :metric as knng.adjacency; :option, :unknownOption, :count;
%   knng:toolbox:igraph; knng:interrupted; knng:memory:host. Warning:
%   knng:args:weight (a symmetric A that may hold distances).
%
%   Source: V. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre, J. Stat.
%   Mech. (2008) P10008.
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
  [c, quality] = knng.internal.communities ('louvain', graph, opt, opt.Resolution);
end

%!# Its tests stand with knng.leiden's.
%!error id=knng:args:count knng.louvain ()
%!error id=knng:args:count knng.louvain (ones (3))
%!error id=knng:args:unknownOption knng.louvain (sparse (3, 3), 'Objective', 'CPM')
