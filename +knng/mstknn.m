function [labels, T] = mstknn (varargin)
%KNNG.MSTKNN  Clusters by MST-kNN: tree edges that join near neighbours.
%   labels = knng.mstknn (X) clusters the rows of the n-by-d matrix X: labels is
%   n-by-1, clusters are numbered from 1 on, in the order of their first rows.
%   Neither a number of clusters nor a threshold has to be given.
%   labels = knng.mstknn (A) takes a graph that is there already, A = knngraph
%   (X, k, ...), of at least floor (log (n)) neighbours a row.
%   labels = knng.mstknn (idx, dist) takes its n-by-k tables.
%   [labels, T] = knng.mstknn (...) also returns the edges within the clusters,
%   n-by-n, sparse and symmetric: their distances, as from knng.minspantree.
%   [...] = knng.mstknn (..., 'Name', value, ...) takes options.
%
%   The method: an edge of the minimum spanning tree stays if one of its ends is
%   among the k nearest neighbours of the other. What is still connected is a
%   part. Each part is treated again as if it were all there is: its own tree,
%   neighbours among its rows, k for its size; until no edge goes. Of equal
%   distances the one to the smaller row is nearer, and edges are compared by
%   (distance, i, j), i < j: so there is one answer, the same everywhere.
%
%   Rows without distances (see knngraph), and rows of a graph without a single
%   edge, are in no cluster: their label is NaN, and a warning counts them. One
%   row that is all there is, is a cluster.
%
%   Options:
%
%     'K'         how many nearest neighbours count; 'NumNeighbors' is the same;
%                 default 'auto'
%         'auto'       floor (log (m)) in a part of m rows, and 1 at least
%         'connected'  the least with which the graph of the k nearest
%                      neighbours of the part is connected, if that is smaller
%                      (as the authors have it in 2011): more and smaller
%                      clusters
%         a number     for parts of any size
%     'Distance'  with X: a metric of knngraph; default 'euclidean'
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Progress'
%                 with X: as in knngraph
%     'Threads'   processor threads, default: all
%
%   The default joins much: the genes of examples/data/golub.nbi.gz (pearson)
%   stay one cluster with it, and become 46 with 'connected'. A smaller number
%   makes more clusters: of these genes 13 with 3, and 60 with 2.
%
%   From X the answer is that of all pairs of rows, though few of them are
%   computed. The tree is that of knng.minspantree (X); the tree of a part is
%   what the whole tree leaves inside it. The neighbours of a row within its
%   part are those of its list that are in the part; where a list is too short
%   to tell, it is made longer.
%
%   From a graph there are only the edges that it has: its tree is that of the
%   graph, or a forest, whose components are clusters apart. Where a list is too
%   short to tell whether an edge stays, it goes, and the warning
%   knng:graph:shortLists counts such rows; with 'auto' k = 2*log (n) leaves
%   few.
%
%   Cost: from a graph O(n*k) for each time that parts are split, some 10
%   seconds for n = 1e6, k = 20; memory 50 bytes a row and 16 an edge (tables:
%   32). From X as knng.minspantree (X) before it.
%
%   Errors: knng:args:k ('K' is no whole number from 1 on, or the graph has
%   fewer neighbours); knng:args:option ('Distance' with a graph),
%   :unknownOption, :idx, :dist, :class, :empty as knng.adjacency; :sparse,
%   :complex, :dims, :metric as knngraph; :rows, :count; knng:memory:host.
%   Warnings: knng:graph:shortLists; knng:data:nonFinite, :constant (rows of X
%   that are in no cluster), knng:graph:disconnected (those of a graph); and
%   those of knngraph.
%
%   Sources: M. Inostroza-Ponta, A. Mendes, R. Berretta, P. Moscato, ACAL 2007,
%   LNCS 4828, 156-167; M. Inostroza-Ponta, R. Berretta, P. Moscato, PLoS ONE 6
%   (2011) e14468; for large graphs A. Arefin et al., ICA3PP 2011, LNCS 7017,
%   375-386.
%
%   Example:
%     X = [0 1 2 3 10 11 12 13, 30 31 33]';
%     labels = knng.mstknn (X);
%     labels'                             % 1 1 1 1 2 2 2 2 3 3 3
%
%   See also knng.minspantree, knng.conncomp, knngraph, knng.trim.

  if (nargin < 1)
    error ('knng:args:count', ['knng.mstknn needs points or a graph, as in knng.mstknn (X), knng.mstknn (A) or ' ...
           'knng.mstknn (idx, dist): see help knng.mstknn']);
  end
  [graph, opt, how] = knng.internal.points_or_graph ('knng.mstknn (GRAPH)', struct ('K', 'auto'), varargin);
  from_points = isempty (graph);
  k = opt.K;
  if (ischar (k) && strcmpi (k, 'auto'))
    k = 0;
  elseif (ischar (k) && strcmpi (k, 'connected'))
    k = -1;
  elseif (~isnumeric (k) || numel (k) ~= 1 || ~knng.internal.whole (k, 1, 2 ^ 53))
    error ('knng:args:k', '''K'' is %s: it must be one whole number from 1 to 2^53, ''auto'' or ''connected''', knng.internal.given (k));
  end
  k = min (full (double (k)), 2 ^ 31 - 1);                   % more than there can be
  if (from_points)
    quiet = knng.internal.quiet_rows ({'knng:data:constant', 'knng:data:nonFinite'});   % it is said below
    [i, j, d, ~, lists] = knng.internal.all_pairs (varargin{1}, opt.Distance, k, how);
    n = size (varargin{1}, 1);
  else
    A = knng.internal.graph ('knng.mstknn (GRAPH)', graph, how);
    listed = full (sum (A ~= 0, 2));
    need = k;
    if (k <= 0)
      need = floor (log (sum (listed > 0)));
    end
    if (any (listed > 0) && max (listed) < min (need, sum (listed > 0) - 1))
      error ('knng:args:k', ['the graph has %s a row, and %d are needed for n = %d: make it with k = %d or more, ' ...
             'or give a smaller ''K'''], knng.internal.count_of (max (listed), 'neighbour'), need, sum (listed > 0), need);
    end
    lists = A;
    n = size (A, 1);
    [i, j, d] = knng.internal.forest ('tree', A, [], [], knng.internal.how_to_run (how));
  end
  [labels, kept, wanting] = knng.internal.forest ('clusters', lists, i, j, d, k, knng.internal.how_to_run (how));
  if (from_points)
    while (any (wanting))
      lists = deeper (varargin{1}, opt.Distance, lists, find (wanting), how);
      [labels, kept, wanting] = knng.internal.forest ('clusters', lists, i, j, d, k, knng.internal.how_to_run (how));
    end
    quiet = [];                                              %#ok<NASGU>
    labels = without_alone (labels, lists, varargin{1}, opt.Distance);
  elseif (any (wanting))
    warning ('knng:graph:shortLists', ['knng.mstknn: %s too short to tell whether an edge of theirs stays, so it ' ...
             'went; a graph with a larger k, or X in its place, tells'], knng.internal.count_of (sum (wanting), 'row has a list', 'rows have lists'));
  end
  if (~from_points)
    labels = without_alone (labels, lists);
  end
  if (nargout > 1)
    kept = kept ~= 0;
    [i, j, d] = deal (i(kept), j(kept), max (d(kept), realmin));
    T = sparse ([i; j], [j; i], [d; d], n, n);
  end
end

function labels = without_alone (labels, lists, X, metric)
% Rows without distances are in no cluster, and are counted in a warning; the clusters of the others keep their order.
  n = numel (labels);
  if (n == 0)
    return
  end
  alone = full (~any (lists, 2) & ~any (lists, 1)');
  if (nargin > 2)                                            % one that has distances, and no other is there for them, is a cluster
    flat = knng.internal.flat_rows (X, metric);
    alone = alone & (flat & n > 1 | ~all (isfinite (X), 2));
  elseif (n == 1)
    alone = false;
  end
  if (~any (alone))
    return
  end
  labels(alone) = NaN;
  [~, ~, labels(~alone)] = unique (labels(~alone));
  if (nargin > 2)
    constant = sum (alone & flat & all (isfinite (X), 2));
    knng.internal.warn_left_out (struct ('left_out', sum (alone), 'constant', constant), X, metric);
  else
    words = {'have', 'they are', 'they miss', 'them'; 'has', 'it is', 'it misses', 'it'};
    words = words(1 + (sum (alone) == 1), :);
    warning ('knng:graph:disconnected', ['%d of %s (%.3g %%) %s no edges in the graph: %s in no cluster (NaN); if %s values, ''Rows'', ' ...
             '''pairwise'' of knngraph joins %s, or knng.impute fills in what is missing'], sum (alone), knng.internal.count_of (n, 'row'), ...
             100 * sum (alone) / n, words{:});
  end
end

function lists = deeper (X, metric, lists, rows, how)
% The lists of some rows, twice as long as the longest of them.
  X = double (X);
  n = size (X, 1);
  there = find (any (lists, 2) | any (lists, 1)');
  k = min (numel (there) - 1, 2 * full (max (sum (lists(rows, :) ~= 0, 2))));
  [near, dist] = knng.knnsearch (X(there, :), X(rows, :), 'K', k + 1, 'Distance', metric, how{:});
  near = reshape (there(near), size (near));
  from = rows * ones (1, size (near, 2));
  other = near ~= from;
  lists = max (lists, sparse (from(other), near(other), max (dist(other), realmin), n, n));
end

%!test <*1>
%! X = [0 1 2 3 10 11 12 13, 30 31 33]';
%! labels = knng.mstknn (X);
%! assert (labels', [1 1 1 1 2 2 2 2 3 3 3]);

%!test  # one row, and the default k of few rows: no warning of a k that nobody gave
%! lastwarn ('');
%! assert (knng.mstknn (5), 1);
%! assert (knng.mstknn (5, 'K', 3, 'Distance', 'pearson'), 1);
%! assert (knng.minspantree (5), sparse (1, 1));
%! assert (knng.mstknn ([5; 6]), [1; 1]);
%! assert (lastwarn (), '');

%!test  # the only row that has distances is a cluster, and is not called constant
%! warning ('off', 'knng:data:nonFinite', 'local');
%! warning ('error', 'knng:data:constant', 'local');
%! assert (knng.mstknn ([1 2; NaN 1; NaN 3])', [1 NaN NaN]);
%! assert (knng.mstknn ([NaN 1; 2 2], 'Distance', 'cityblock')', [NaN 1]);
%! warning ('off', 'knng:data:constant', 'local');
%! assert (knng.mstknn ([1 2; 3 3; 0 0], 'Distance', 'pearson')', [1 NaN NaN]);
%! assert (knng.mstknn ([0 0; 3 3; 0 0], 'Distance', 'cosine')', [NaN 1 NaN]);

%!test  # rows without distances are in no cluster, and one warning says so; the others are what they are without them
%! X = [0 1 2 3 10 11 12 13, 30 31 33]' * [1 2 4];
%! at = [2:4, 6:13];
%! P(at, :) = X;
%! P([1 5], :) = [NaN 1 2; 1 2 Inf];
%! want = NaN (13, 1);
%! want(at) = [1 1 1 1 2 2 2 2 3 3 3];
%! warning ('error', 'knng:data:nonFinite', 'local');
%! warning ('error', 'knng:data:constant', 'local');
%! warning ('error', 'knng:graph:disconnected', 'local');
%! fail ('knng.mstknn (P)', '^2 of 13 rows \(15.4 %\) hold NaN or Inf: they are in no cluster; .* in column 1 \(1 row\), 3 \(1 row\); knng.impute');
%! fail ('knng.mstknn (NaN)', '^1 of 1 rows? \(100 %\) hold NaN');
%! fail ('knng.mstknn ([1 2 3; 5 5 5; 3 1 2], ''Distance'', ''pearson'')', '^1 of 3 rows \(33.3 %\) is constant: .* in no cluster; knng.filterrows');
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, dist] = knngraph (P, 3);
%! fail ('knng.mstknn (idx, dist)', '^2 of 13 rows \(15.4 %\) have no edges in the graph: .* knng.impute');
%! fail ('knng.mstknn (idx(2:end, :) - (idx(2:end, :) > 0), dist(2:end, :))', '^1 of 12 rows \(8.33 %\) has no edges in the graph: it is in no cluster .* joins it,');
%! warning ('off', 'knng:graph:disconnected', 'local');
%! [labels, T] = knng.mstknn (P);
%! assert (labels, want);
%! assert ({knng.mstknn(idx, dist), T(at, at), nnz(T(:, [1 5]))}, {want, nthargout(2, @knng.mstknn, X), 0});
%! P(5, 3) = NaN;
%! t = knng.clustertable (P, labels);
%! assert ({t.cluster, t.size}, {[1; 2; 3], [4; 4; 3]});
%! assert (isnan (knng.mstknn (sparse (3, 3))), true (3, 1));
%! assert (knng.mstknn (sparse (1, 1)), 1);

%!assert (size (knng.mstknn (sparse (0, 0))), [0 1])
%!error id=knng:args:count knng.mstknn ()
%!error id=knng:args:unknownOption knng.mstknn (1, {})

%!test  # a fixed K needs no more neighbours than that
%! A = knngraph ([0 1 10 11 12 20 21 30 31 40 41 50 51 60 61 70 71 80 81 90 91]', 1);
%! assert (knng.mstknn (A, 'K', 1), knng.conncomp (A)');

%!error id=knng:args:k knng.mstknn (magic (4), 'K', 0)
%!error id=knng:args:k knng.mstknn (magic (4), 'K', {})
%!error id=knng:args:k knng.mstknn (knngraph ((1:30)', 2))
%!error id=knng:args:k knng.mstknn (knngraph ((1:30)', 3), 'K', 4)
%!error id=knng:args:option knng.mstknn (knngraph ((1:30)', 3), 'Distance', 'pearson')
%!error id=knng:args:metric knng.mstknn (magic (4), 'Distance', 'pearsn')
%!error id=knng:args:class knng.mstknn ({})
%!error id=knng:args:class knng.mstknn (sparse (1, 2))
%!assert (knng.mstknn (magic (4), 'Metric', 'pears'), knng.mstknn (magic (4), 'Distance', 'pearson'))
