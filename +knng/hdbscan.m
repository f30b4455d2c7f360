function [idx, probability, score, tree] = hdbscan (X, minsize, varargin)
%KNNG.HDBSCAN  Clusters of any density, and noise (HDBSCAN*).
%   idx = knng.hdbscan (X, minsize) clusters the rows of the n-by-d matrix X.
%   idx, n-by-1, has the number of each row's cluster, -1 for noise. Clusters
%   have minsize rows or more, and are numbered from 1 in the order of their
%   first rows. Neither their number nor a radius has to be given.
%   [idx, probability] = knng.hdbscan (...) also tells how deep in its cluster
%   each row lies: from 1, in its densest part, down to 0, noise. n-by-1.
%   [idx, probability, score] = knng.hdbscan (...) also tells how much of an
%   outlier each row is (GLOSH): 0 as dense as the densest around, near 1 far
%   less dense. n-by-1, NaN for rows without distances.
%   [..., tree] = knng.hdbscan (...) also returns what the clusters were chosen
%   from; see below.
%   [...] = knng.hdbscan (..., 'Name', value, ...) takes options.
%
%   The method: the core distance of a row is that to its MinSamples-th nearest
%   other row. Two rows reach each other at the largest of their distance and
%   their two core distances, so rows where there are few are far from all. Of
%   the minimum spanning tree of these lengths the edges are taken away, longest
%   first, those of equal length together. What falls apart into two parts or
%   more of at least minsize rows are new clusters; smaller parts fall out of
%   the cluster that they were in. Of the clusters that this makes, clusters
%   within clusters, those are the answer that last longest.
%
%   Options:
%
%     'MinSamples'  which neighbour gives the core distance, default minsize;
%                   with more, more rows are noise
%     'ClusterSelectionMethod'
%                   'eom' (default): of all ways to choose clusters without
%                   overlap that of the largest stability, the sum over their
%                   rows of how much 1/length grows while they are in it;
%                   'leaf': the clusters that do not fall apart any further,
%                   smaller and more of them
%     'ClusterSelectionEpsilon'
%                   clusters that fall apart at this length or less stay
%                   together, as in DBSCAN; default 0
%     'MaxClusterSize'
%                   with 'eom': no cluster of more rows is chosen, default Inf
%     'AllowSingleCluster'
%                   true: all rows together may be one cluster; default false
%     'Distance'    'euclidean' (default) or any metric of knngraph; 'Metric' is
%                   the same
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                   as in knngraph
%
%   Names and rules are those of the Python package hdbscan, whose results these
%   are, but where lengths are equal: there edges of one length are taken away
%   one after the other, in some order, and rows between two clusters go to one
%   of them. Here they go together, as the authors have it, so the answer does
%   not depend on the order of the rows; such rows are noise. Also, all rows
%   belong to a single cluster that is allowed. The lengths are exact: the
%   distances are those of knngraph to the last bit (0 up to realmin), and the
%   tree is that of all pairs of rows: of edges of equal length the one with the
%   smaller i comes first, then that with the smaller j (i < j).
%
%   A single X counts as double (X). Rows without distances (see knngraph) are
%   noise, and a warning counts them.
%
%   tree is a struct. Of the c clusters that there were to choose from, c-by-1:
%   tree.parent, the cluster that one was a part of (0: it is all rows), which
%   comes after it; tree.birth and tree.death, the length where it began (Inf:
%   all rows) and the least at which something fell out; tree.size, its rows at
%   the beginning; tree.stability. Of the rows, n-by-1: tree.cluster, the one
%   that a row fell out of (0: it has no distances), tree.length, where it did,
%   and tree.core, the core distances. Of the spanning tree, shortest edges
%   first: tree.edges, [i, j, length].
%
%   Columns of large numbers count for more than others, and one of thousands
%   may decide alone: bring columns of different units to one scale before, as
%   in X = knng.normalize (X, 'zscore', 'By', 'columns').
%
%   Cost: a graph of MinSamples + log (n) neighbours, and the tree, as
%   knng.minspantree (X); rows in groups far apart are searched again. The
%   clusters take O(n) then. Memory as knngraph; beside it some 30 bytes for
%   each entry of its tables, and 250 bytes a row; distances of all pairs are
%   never stored.
%
%   Errors: knng:args:minsize (no whole number from 2 on); knng:args:class,
%   :sparse, :complex, :empty, :dims, :metric, :option, :unknownOption,
%   :maxMemory, :count; knng:memory:host; and others as knngraph. Warnings:
%   knng:args:minsize (more than there are rows, or than 'MaxClusterSize', so
%   that all are noise; or 'MinSamples', more than there are other rows);
%   knng:args:option ('MaxClusterSize' with 'leaf').
%
%   Sources: R. Campello, D. Moulavi, J. Sander, PAKDD 2013, LNCS 7819, 160-172;
%   with A. Zimek, ACM Transactions on Knowledge Discovery from Data 10 (2015)
%   5:1-51 (stability, GLOSH); C. Malzer, M. Baum, IEEE MFI 2020, 223-228
%   ('ClusterSelectionEpsilon').
%
%   Example:
%     t = (1:60)' * pi / 30;
%     X = [cos(t), sin(t); 3*cos(t), 3*sin(t); 9 9];       % two rings, a point
%     [idx, probability, score] = knng.hdbscan (X, 5);
%     accumarray (idx(idx > 0), 1)'                        % 60 60
%     idx(end)                                             % -1
%     score(end) > 0.8                                     % 1
%
%   See also knng.dbscan, knng.minspantree, knng.silhouette, knng.scatter,
%   knngraph, knng.optics.

  if (nargin < 2)
    error ('knng:args:count', ['knng.hdbscan needs a matrix and how many rows a cluster has at least, as in ' ...
           'knng.hdbscan (X, 5): see help knng.hdbscan']);
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  if (numel (minsize) ~= 1 || ~knng.internal.whole (minsize, 2, 2 ^ 53))
    error ('knng:args:minsize', 'minsize is %s: it must be one whole number from 2 on', knng.internal.given (minsize));
  end
  opt = struct ('MinSamples', [], 'ClusterSelectionMethod', 'eom', 'ClusterSelectionEpsilon', 0, 'MaxClusterSize', Inf, ...
                'AllowSingleCluster', false, 'Distance', 'euclidean');
  [opt, given] = knng.internal.options (knng.internal.join (opt, knng.internal.engine ()), varargin);
  opt.Distance = knng.internal.metric (opt.Distance);
  how = knng.internal.engine (given);
  if (isempty (opt.MinSamples))
    opt.MinSamples = minsize;
  end
  least = min (full (double (minsize)), 2 ^ 31 - 1);         % more rows there cannot be
  m = whole_from ('MinSamples', opt.MinSamples, 1);
  most = 0;
  if (~isequal (opt.MaxClusterSize, Inf))
    most = whole_from ('MaxClusterSize', opt.MaxClusterSize, 2);
  end
  leaves = strcmp (knng.internal.check_choice ('ClusterSelectionMethod', opt.ClusterSelectionMethod, {'eom', 'leaf'}), 'leaf');
  knng.internal.check_flag ('AllowSingleCluster', opt.AllowSingleCluster);
  near = opt.ClusterSelectionEpsilon;
  if (~isnumeric (near) || ~isreal (near) || numel (near) ~= 1 || ~(near >= 0))
    error ('knng:args:option', '''ClusterSelectionEpsilon'' is %s: it must be one distance, a number from 0 on', ...
           knng.internal.given (near));
  end

  n = size (X, 1);
  if (~opt.AllowSingleCluster)
    knng.internal.warn_few ('knng:args:minsize', 'minsize', least, n, 'no cluster has so many, and all are noise');
  end
  if (m > n - 1 && n > 1 && any (strcmp (given(1:2:end), 'MinSamples')))
    warning ('knng:args:minsize', '''MinSamples'' is %d, but each row has %s: the core distance is that to the farthest; give %d or less', ...
             m, knng.internal.count_of (n - 1, 'other'), n - 1);
  end
  if (leaves && most > 0)
    warning ('knng:args:option', '''MaxClusterSize'' is for ''eom'': with ''leaf'' it changes nothing; leave one of them out');
  elseif (most > 0 && most < least && n > 1 && ~(opt.AllowSingleCluster && n <= most))
    warning ('knng:args:minsize', '''MaxClusterSize'' is %d, but minsize is %d: no cluster has so few, and all are noise; give %d or more', ...
             most, least, least);
  end
  [i, j, d, core] = knng.internal.all_pairs (X, opt.Distance, 1, how, min (m, max (n - 1, 1)));
  edges = sortrows ([d, i, j]);
  [idx, probability, score, of, fell, into, born, died, mass, rows] = ...
    knng.internal.condense (n, edges(:, 2), edges(:, 3), edges(:, 1), least, double (leaves), double (opt.AllowSingleCluster), ...
                            full (double (near)), most, knng.internal.how_to_run (how));
  tree = struct ('parent', into, 'birth', born, 'death', died, 'size', rows, 'stability', mass, 'cluster', of, 'length', fell, ...
                 'core', core, 'edges', edges(:, [2 3 1]));
end

function value = whole_from (name, value, low)
% A whole number, no larger than there can be rows.
  if (numel (value) ~= 1 || ~knng.internal.whole (value, low, 2 ^ 53))
    error ('knng:args:option', '''%s'' is %s: it must be one whole number from %d on', name, knng.internal.given (value), low);
  end
  value = min (full (double (value)), 2 ^ 31 - 1);
end

%!test <*1>
%! t = (1:60)' * pi / 30;
%! X = [cos(t), sin(t); 3*cos(t), 3*sin(t); 0 0; 9 9];
%! [idx, probability, score, tree] = knng.hdbscan (X, 5);
%! assert (idx, [ones(60, 1); 2 * ones(60, 1); 1; -1]);      # the middle is as far from its ring as its core distance
%! assert (probability(121:122) > 0, [true; false]);
%! assert (all (probability(1:120) > 0.99));
%! assert (all (score(121:122) > 0.6) && all (score(1:120) < 0.01));
%! assert (tree.parent(end), 0);
%! assert (tree.birth(end), Inf);
%! assert (size (tree.edges), [121 3]);

%!test  # few rows, and rows without distances
%! [idx, probability, score] = knng.hdbscan (7, 2);
%! assert ({idx, probability, score}, {-1, 0, NaN});
%! assert (knng.hdbscan ([1; 2], 2), [-1; -1]);
%! assert (knng.hdbscan ([1; 2], 2, 'AllowSingleCluster', true), [1; 1]);
%! assert (knng.hdbscan ([1; 2; 3], 5, 'AllowSingleCluster', true), [1; 1; 1]);
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, ~, score] = knng.hdbscan ([NaN; 0; 0; 0; 9; 9; 9; Inf], int8 (3), 'MinSamples', uint8 (2));
%! assert (idx, [-1; 1; 1; 1; 2; 2; 2; -1]);
%! assert (score, [NaN; 0; 0; 0; 0; 0; 0; NaN]);

%!test  # one density within another: 'leaf' tells them apart, a radius joins them
%! X = [(1:20)'; 100 + (1:20)' / 10; 103 + (1:20)' / 10];
%! assert (numel (unique (knng.hdbscan (X, 5, 'MinSamples', 2))), 3);
%! assert (max (knng.hdbscan (X, 5, 'MinSamples', 2, 'ClusterSelectionMethod', 'LEAF')), 3);
%! assert (max (knng.hdbscan (X, 5, 'MinSamples', 2, 'ClusterSelectionMethod', 'leaf', 'ClusterSelectionEpsilon', 1.2)), 2);

%!error id=knng:args:count knng.hdbscan (1)
%!error id=knng:args:minsize knng.hdbscan ([1; 2], 1)
%!error id=knng:args:minsize knng.hdbscan ([1; 2], 2.5)
%!error <^minsize is 'Distance': it must be one whole number> knng.hdbscan (magic (4), 'Distance', 'pearson')
%!warning <'MinSamples' is 9, but each row has 2 others: .*give 2 or less> knng.hdbscan ([1; 2; 4], 2, 'MinSamples', 9);
%!warning <minsize is 3, but there are 2 rows: no cluster has so many, and all are noise; give 2 or less> knng.hdbscan ([1; 2], 3);
%!test  # a largest size that does nothing, and one that leaves nothing
%! warning ('error', 'knng:args:option', 'local');
%! warning ('error', 'knng:args:minsize', 'local');
%! X = [1 2 3 11 12 13]';
%! fail ('knng.hdbscan (X, 3, ''MaxClusterSize'', 4, ''ClusterSelectionMethod'', ''leaf'')', '^''MaxClusterSize'' is for ''eom''');
%! fail ('knng.hdbscan (X, 3, ''MaxClusterSize'', 2)', '^''MaxClusterSize'' is 2, but minsize is 3: .* give 3 or more$');
%! assert (knng.hdbscan (X, 3, 'MaxClusterSize', 3, 'MinSamples', 1), [1 1 1 2 2 2]');
%! assert (knng.hdbscan (X, 3, 'MaxClusterSize', Inf, 'MinSamples', 1, 'ClusterSelectionMethod', 'leaf'), [1 1 1 2 2 2]');
%! assert (knng.hdbscan (X, 9, 'MaxClusterSize', 6, 'AllowSingleCluster', true), ones (6, 1));
%!error id=knng:args:option knng.hdbscan ([1; 2], 2, 'MinSamples', 0)
%!error id=knng:args:option knng.hdbscan ([1; 2], 2, 'ClusterSelectionEpsilon', -1)
%!error id=knng:args:option knng.hdbscan ([1; 2], 2, 'MaxClusterSize', 1)
%!error id=knng:args:option knng.hdbscan ([1; 2], 2, 'ClusterSelectionMethod', 'most')
%!error id=knng:args:option knng.hdbscan ([1; 2], 2, 'AllowSingleCluster', 2)
%!error id=knng:args:class knng.hdbscan ('a', 2)
%!error id=knng:args:metric knng.hdbscan ([1; 2], 2, 'Distance', 'euclidian')
