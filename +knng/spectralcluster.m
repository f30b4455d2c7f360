function [idx, V, D] = spectralcluster (X, k, varargin)
%KNNG.SPECTRALCLUSTER  Spectral clustering of the graph of neighbours.
%   idx = knng.spectralcluster (X, k) makes k clusters of the rows of the n-by-d
%   matrix X: so that in a graph of near rows few edges, of small weight, lead
%   from one to another. Clusters may have any shape. idx, n-by-1, is the number
%   of each row's cluster, from 1 to k, in the order of their first rows.
%   idx = knng.spectralcluster (S, k, 'Distance', 'precomputed') does so with a
%   graph that is there already: the n-by-n matrix S of similarities from 0 on,
%   full or sparse, symmetric, 0 (or up to realmin) where there is no edge, such
%   as knng.adjacency (A, 'Weight', 'similarity', 'Symmetrize', 'union').
%   [idx, V, D] = knng.spectralcluster (...) also returns the eigenvectors of
%   the k smallest eigenvalues of the Laplacian, n-by-k, and these eigenvalues,
%   k-by-1, ascending. The rows of V are what k-means clusters; a leap between
%   D(k) and the next speaks for k clusters.
%   [...] = knng.spectralcluster (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Distance'         'euclidean' (default), any metric of knngraph, or
%                        'precomputed'
%     'SimilarityGraph'  which rows of X are joined; default 'knn'
%         'knn'      rows and their nearest neighbours
%         'epsilon'  rows at a distance of at most 'Radius'
%     'NumNeighbors'     how many neighbours, with 'knn'; default: the natural
%                        logarithm of n, rounded up
%     'KNNGraphType'     with 'knn'; default 'complete'
%         'complete'  i and j are joined if one of them is a neighbour of the
%                     other
%         'mutual'    if each is a neighbour of the other
%     'Radius'           with 'epsilon': a number from 0 on
%     'KernelScale'      s: the similarity of rows at a distance d is exp
%                        (-(d/s)^2); default 1; 'auto': the median distance over
%                        the edges. 1 is seldom right unless columns have been
%                        scaled
%     'LaplacianNormalization'
%                        with W the similarities, G the diagonal matrix of their
%                        sums; default 'randomwalk'
%         'randomwalk'  I - inv(G)*W
%         'symmetric'   I - G^(-1/2)*W*G^(-1/2), rows of V scaled to length 1
%                       for k-means
%         'none'        G - W
%     'ClusterMethod'    'kmeans' (default); there is no other here
%     'Seed'             for the starts of k-means, a whole number from 0 on;
%                        default 0
%     'Rows', 'MinValid'
%                        'all' (default), or 'pairwise': NaN is a missing value,
%                        and two rows are compared over the columns that both
%                        have, as in knngraph
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                        as in knngraph
%
%   Names and defaults are those of MATLAB's spectralcluster, but for 'Seed' and
%   what 'auto' does; from 'SimilarityGraph' to 'KernelScale' they say nothing
%   of a given S. The same graph and seed give the same clusters: eigenvectors
%   come from fixed starts, and the best of five runs of k-means from starts
%   (k-means++) drawn by 'Seed' counts; rand keeps its state.
%
%   A row without edges is in no cluster: idx and V are NaN. (It holds NaN;
%   'mutual' or 'epsilon' left it alone; its neighbours are so far, above
%   27*KernelScale, that their similarity is 0 in double.) A graph of c
%   components has the eigenvalue 0 c times. Its vectors are constant on a
%   component (with 'symmetric' in proportion to the root of G) and 0 elsewhere,
%   the largest component first; so k components are the k clusters. If there
%   are more, the k largest alone tell clusters apart, with a warning,
%   knng:graph:disconnected.
%
%   The columns of V have length 1, and their largest entry is positive (of
%   those within 1e-6 of it the one in the lowest row). Of columns of equal
%   eigenvalues above 0 any rotation is as good.
%
%   Columns of large numbers count for more than others, and one of thousands
%   may decide alone: bring columns of different units to one scale before, as
%   in X = knng.normalize (X, 'zscore', 'By', 'columns').
%
%   Cost: the graph, and eigenvectors by eigs: O(n*(NumNeighbors + k)) for each
%   of its some hundred steps, more where eigenvalues are close. 1e5 rows of 10
%   columns in 10 clusters take some 20 seconds on 2 cores. Memory some 150
%   bytes an edge, and 8*n*max (40, 2*k+1). A large graph has its eigenvectors
%   found on a GPU, if there is one, as 'Device' says: the same, but where
%   eigenvalues are equal, and so k-means may start otherwise.
%
%   Errors: knng:args:k (no whole number from 1 on, or more than there are rows
%   with edges); knng:args:similarity (S is not as above); knng:args:option,
%   :unknownOption, :count, :sparse, and others as knngraph;
%   knng:graph:convergence. Warnings: knng:args:similarity (S looks as distances
%   do, which are none); knng:device:fallback (the GPU failed, eigs did it).
%
%   Sources: U. von Luxburg, A tutorial on spectral clustering, Statistics and
%   Computing 17 (2007) 395-416; J. Shi, J. Malik, IEEE Transactions on Pattern
%   Analysis and Machine Intelligence 22 (2000) 888-905, 'randomwalk'; A. Ng, M.
%   Jordan, Y. Weiss, NIPS 14 (2001) 849-856, 'symmetric'; D. Arthur, S.
%   Vassilvitskii, SODA 2007, 1027-1035, k-means++.
%
%   Example:
%     t = (1:100)' * pi / 50;
%     X = [cos(t), sin(t); 2*cos(t), 2*sin(t)];              % two rings
%     idx = knng.spectralcluster (X, 2);
%     all (idx == [ones(100, 1); 2 * ones(100, 1)])          % 1
%
%   See also knng.dbscan, knng.diffusionmap, knng.adjacency, knng.silhouette,
%   knngraph.

  if (nargin < 2)
    error ('knng:args:count', ['knng.spectralcluster needs a matrix and a number of clusters, as in ' ...
           'knng.spectralcluster (X, 3): see help knng.spectralcluster']);
  end
  knng.internal.built ();
  if (isnumeric (X) && isnumeric (k) && isequal (size (k), size (X)) && numel (k) > 1)
    error ('knng:args:k', ['k is as large as X: if these are idx and dist of a graph, cluster its similarities, S = knng.adjacency ' ...
           '(idx, dist, ''Weight'', ''gaussian'', ''Symmetrize'', ''union''), knng.spectralcluster (S, k, ''Distance'', ''precomputed'')']);
  end
  k = knng.internal.check_clusters (k, Inf);
  opt = struct ('Distance', 'euclidean', 'SimilarityGraph', 'knn', 'NumNeighbors', [], 'KNNGraphType', 'complete', 'Radius', [], ...
                'KernelScale', 1, 'LaplacianNormalization', 'randomwalk', 'ClusterMethod', 'kmeans', 'Seed', 0, ...
                'Rows', 'all', 'MinValid', []);
  [opt, given] = knng.internal.options (knng.internal.join (opt, knng.internal.engine ()), varargin);
  how = knng.internal.engine (given);
  one_of (opt, 'SimilarityGraph', {'knn', 'epsilon'});
  one_of (opt, 'KNNGraphType', {'complete', 'mutual'});
  one_of (opt, 'LaplacianNormalization', {'randomwalk', 'symmetric', 'none'});
  one_of (opt, 'ClusterMethod', {'kmeans'});
  knng.internal.check_seed (opt.Seed);
  precomputed = knng.internal.is_one_of (opt.Distance, {'precomputed'});
  if (precomputed && (~knng.internal.is_one_of (opt.Rows, {'all'}) || ~isempty (opt.MinValid)))
    error ('knng:args:option', '''Rows'' and ''MinValid'' are of the rows of X: with ''precomputed'' give them to knngraph');
  elseif (precomputed)
    W = given_graph (X);
  else
    opt.Distance = knng.internal.metric (opt.Distance);
    how = [how, knng.internal.knn_rows(opt, max (size (X, 2), 1), opt.Distance)];
    W = graph_of (X, opt, how);
  end

  n = size (W, 1);
  on = full (any (W, 2));                                    % the rows that have edges
  m = sum (on);
  if (k > m)
    refuse_count (k, m, n, precomputed);
  elseif (m < n)
    W = W(on, on);
  end
  [U, D] = smallest (W, k, opt);
  V = NaN (n, k);
  V(on, :) = U;
  if (strcmpi (opt.LaplacianNormalization, 'symmetric'))
    U = bsxfun (@rdivide, U, max (sqrt (sum (U .^ 2, 2)), realmin));
  end
  idx = NaN (n, 1);
  idx(on) = by_first_rows (best_of (U, k, opt.Seed));
end

function refuse_count (k, m, n, precomputed)
  why = 'a row has none if S is 0 but on the diagonal';
  if (~precomputed)
    why = ['a row has none if it holds NaN, or if all similarities are 0 in double, as of distances above 27 times ' ...
           '''KernelScale'': try ''auto'''];
  end
  error ('knng:args:k', 'k is %d: of %d rows %d have edges, and there are no more clusters than these; %s', k, n, m, why);
end

function W = given_graph (S)
% The similarities of S but those of a row with itself.
  [n, m] = size (S);
  if (~(isfloat (S) || islogical (S)) || ~isreal (S) || ndims (S) ~= 2 || n ~= m || n < 1)
    error ('knng:args:similarity', ['S is %s: it must be a matrix of real similarities, a row and a column for each point'], ...
           knng.internal.given (S));
  end
  [i, j, w] = find (S);
  w = double (w(:));
  W = sparse (i(:), j(:), w .* (w > realmin & i(:) ~= j(:)), n, n);
  if (~all (w >= 0 & w < Inf))
    error ('knng:args:similarity', 'S holds %g: similarities are numbers from 0 on, and finite', w(find (~(w >= 0 & w < Inf), 1)));
  elseif (~(sum (w) < Inf))
    error ('knng:args:similarity', 'the similarities in S add up to Inf: divide S by its largest');
  elseif (~isequal (W, W'))
    error ('knng:args:similarity', 'S is not symmetric: take max (S, S'') or, of a graph of distances, knng.adjacency (A, ''Weight'', ''similarity'', ''Symmetrize'', ''union'')');
  elseif (nnz (W) == nnz (S))                                % similarities may stand on the diagonal, distances do not
    [yes, why] = knng.internal.like_distances (W);
    if (yes)
      warning ('knng:args:similarity', ['the entries of S are taken for similarities, where more is nearer, but look as distances do: %s. ' ...
               'Of distances give knng.adjacency (sparse (S), ''Weight'', ''gaussian''); if they are similarities, ' ...
               'warning (''off'', ''knng:args:similarity'')'], why);
    end
  end
end

function W = graph_of (X, opt, how)
% The similarities of the rows of X.
  if (issparse (X))
    error ('knng:args:sparse', 'X is sparse: give full (X), or, if it holds the similarities of a graph, ''Distance'', ''precomputed''');
  end
  knng.internal.check_matrix (X, 'X');
  scale = opt.KernelScale;
  auto = knng.internal.is_one_of (scale, {'auto'});
  if (~auto && ~(isnumeric (scale) && isreal (scale) && numel (scale) == 1 && all (scale > 0 & scale < Inf)))
    error ('knng:args:option', '''KernelScale'' is %s: it must be ''auto'' or a number above 0', knng.internal.given (scale));
  end
  check_radius (opt);
  if (strcmpi (opt.SimilarityGraph, 'epsilon'))
    [i, j, d] = knng.internal.within (double (X), full (double (opt.Radius)), opt.Distance, how);
  else
    [i, j, d] = near_pairs (X, opt, how);
  end
  if (auto)
    scale = median_scale (d);
  end
  W = sparse (i, j, exp (-(d / full (double (scale))) .^ 2), size (X, 1), size (X, 1));
end

function check_radius (opt)
  radius = opt.Radius;
  none = isequal (radius, []);
  if (none && strcmpi (opt.SimilarityGraph, 'epsilon'))
    error ('knng:args:option', '''Radius'' is missing: it must be given with ''SimilarityGraph'', ''epsilon'', a distance');
  elseif (~none && (~isnumeric (radius) || ~isreal (radius) || numel (radius) ~= 1 || ~(radius >= 0)))
    error ('knng:args:option', '''Radius'' is %s: it must be a distance, a number from 0 on', knng.internal.given (radius));
  end
end

function [i, j, d] = near_pairs (X, opt, how)
% The pairs of rows of which one is among the nearest neighbours of the other, or each, both ways around, and their distances.
  n = size (X, 1);
  near = opt.NumNeighbors;
  if (isequal (near, []))
    near = max (1, ceil (log (n)));
  else
    near = knng.internal.check_neighbours ('''NumNeighbors''', near);
  end
  rule = {'union', 'mutual'};
  threads = knng.internal.engine (how, {'Threads'});
  [list, dist] = knng.internal.searched (double (X), min (double (near), max (n - 1, 1)), opt.Distance, how, 'pairwise');
  [i, j, d] = find (knng.adjacency (list, dist, 'Symmetrize', rule{1 + strcmpi(opt.KNNGraphType, 'mutual')}, threads{:}));
  d(d <= realmin) = 0;
end

function scale = median_scale (d)
  scale = 0;
  if (~isempty (d))
    scale = median (d);
  end
  if (~(scale > 0 && scale < Inf))                           % most pairs are equal, or nothing is joined
    scale = max ([min(d(d > 0)); realmin]);
  end
end

function [U, D] = smallest (W, k, opt)
% The eigenvectors of the k smallest eigenvalues of the Laplacian, of length 1 and upright, and these eigenvalues. Those of
% 0 are known: each is constant on a component, or in proportion to the root of its degrees. T = I - L / most is what eigs
% sees, since it finds the largest eigenvalues.
  [part, sizes] = knng.conncomp (W);
  [m, c] = deal (size (W, 1), numel (sizes));
  if (c > k)
    warning ('knng:graph:disconnected', ['the graph falls into %d parts, more than %d clusters: the %d largest alone tell ' ...
             'clusters apart; take more neighbours, or more clusters'], c, k, k);
  end
  degree = full (sum (W, 2));
  if (strcmpi (opt.LaplacianNormalization, 'none'))
    root = ones (m, 1);
    most = 2 * max (degree);                                 % no eigenvalue is larger
    T = spdiags (1 - degree / most, 0, m, m) + W / most;
  else
    root = sqrt (degree);
    most = 1;
    T = spdiags (1 ./ root, 0, m, m) * W * spdiags (1 ./ root, 0, m, m);
  end
  zero = of_parts (part, sizes, root);
  D = zeros (k, 1);
  U = full (zero(:, 1:min (c, k)));
  if (c < k)
    gpu = struct ('W', T, 'scale', ones (m, 1), 'self', 0, 'Device', 'auto', 'run', opt);
    if (isnumeric (opt.Device) && ~isempty (opt.Device))     % one of those that search
      gpu.Device = opt.Device(1);
    elseif (ischar (opt.Device))
      gpu.Device = opt.Device;
    end
    [V, lambda] = knng.internal.top_vectors (@(x) knng.internal.spmv (T, x, opt), zero, 3, k - c, 1e-10, ...
                                             ['ask for fewer clusters, take more neighbours, or, of points, a larger ' ...
                                             '''KernelScale'', as ''auto'' finds one'], [], gpu);
    D(c+1:k) = max (most * (1 - lambda), 0);
    U = [U, V];
  end
  if (strcmpi (opt.LaplacianNormalization, 'randomwalk'))
    U = bsxfun (@rdivide, U, root);
  end
  for col = 1:k
    U(:, col) = U(:, col) / norm (U(:, col));
  end
  U = knng.internal.upright (U);
end

function zero = of_parts (part, sizes, root)
% A column for each component, the largest first: ROOT on its rows, made of length 1, and 0 elsewhere.
  [m, c] = deal (numel (part), numel (sizes));
  [~, order] = sort (sizes, 'descend');
  place(order) = 1:c;
  norms = sqrt (accumarray (part(:), root .^ 2));
  zero = sparse (1:m, place(part), root ./ norms(part(:)), m, c);
end

function best = best_of (U, k, seed)
% The best of five runs of k-means over the rows of U, numbers from 1 to k: those with the least sum of squares.
  least = Inf;
  u = reshape (knng.internal.random (seed, 5 * k), k, 5);
  for run = 1:5
    [number, total] = kmeans (U, starts (U, u(:, run)));
    if (total < least)
      least = total;
      best = number;
    end
  end
end

function centre = starts (U, u)
% k-means++: rows of U that the random numbers u choose, those far from the centres so far the more likely.
  m = size (U, 1);
  centre = zeros (numel (u), size (U, 2));
  far = ones (m, 1);
  for c = 1:numel (u)
    centre(c, :) = U(min (m, sum (cumsum (far) < u(c) * sum (far)) + 1), :);
    d = sum (bsxfun (@minus, U, centre(c, :)) .^ 2, 2);
    if (c == 1)
      far = d;
    end
    far = min (far, d);
  end
end

function [number, total] = kmeans (U, centre)
% The number of the centre that each row of U comes to belong to, and the sum of the squares.
  [k, m] = deal (size (centre, 1), size (U, 1));
  number = [];
  for round = 1:1000
    [~, next] = min (bsxfun (@minus, sum (centre .^ 2, 2)' / 2, U * centre'), [], 2);
    if (isequal (next, number))
      break
    end
    number = next;
    member = sparse (number, 1:m, 1, k, m);
    count = full (sum (member, 2));
    centre = bsxfun (@rdivide, member * U, max (count, 1));
    d = sum ((U - centre(number, :)) .^ 2, 2);
    for c = find (count == 0)'                               % a cluster that has lost its rows takes the row farthest from its centre
      [~, at] = max (d);
      centre(c, :) = U(at, :);
      d(at) = 0;
    end
  end
  total = sum (d);
end

function idx = by_first_rows (number)
% The same clusters, numbered in the order of their first rows.
  [~, first, number] = unique (number, 'first');
  [~, order] = sort (first(:));
  new(order) = 1:numel (order);
  idx = new(number);
end

function one_of (opt, name, values)
  if (~knng.internal.is_one_of (opt.(name), values))
    list = sprintf (' or ''%s''', values{:});
    error ('knng:args:option', '''%s'' is %s: it must be%s', name, knng.internal.given (opt.(name)), list(4:end));
  end
end

%!test <*1>
%! t = (1:100)' * pi / 50;
%! X = [cos(t), sin(t); 2*cos(t), 2*sin(t)];
%! idx = knng.spectralcluster (X, 2);
%! assert (idx, [ones(100, 1); 2 * ones(100, 1)]);

%!test  # planted partitions: five groups of 100, edges within at random 1/4, between 1/50
%! n = 500;
%! w = mod ((1:n)', 5) + 1;
%! U = reshape (knng.internal.random (1, n * n), n, n);
%! S = triu (U < 0.02 + 0.23 * (w == w'), 1);
%! S = S | S';
%! idx = knng.spectralcluster (S, 5, 'Distance', 'precomputed');
%! assert (knng.internal.adjusted_rand (idx, w), 1);
%! assert (idx(1:5), (1:5)');

%!test  # golub, the 50 genes of most variance: 19 and 8 samples of one leukaemia (its B and T cells), 11 of the other
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! [~, order] = sort (var (ds.X, 0, 2), 'descend');
%! idx = knng.spectralcluster (ds.X(order(1:50), :)', 3, 'NumNeighbors', 6, 'KernelScale', 'auto');
%! assert (sortrows (accumarray ([idx, ds.classes(:) + 1], 1)), [0 11; 8 0; 19 0]);

%!warning id=knng:graph:disconnected knng.spectralcluster (sparse ([0 1 0 0; 1 0 0 0; 0 0 0 1; 0 0 1 0]), 1, 'Distance', 'precomputed');
%!error <k is as large as X: if these are idx and dist> knng.spectralcluster ([2 3; 1 3; 1 2], [1 2; 1 2; 1 2], 2)
%!error id=knng:args:count knng.spectralcluster (1)
%!error <0 have edges.*; a row has none if S is 0> knng.spectralcluster (eye (3), 1, 'Distance', 'precomputed')
%!error <0 have edges.*'KernelScale': try 'auto'> knng.spectralcluster (1e3 * (1:30)', 2)
%!error id=knng:args:k knng.spectralcluster (1, 1)
%!error id=knng:args:k knng.spectralcluster (1, 1, 'KernelScale', 'auto')
%!error id=knng:args:k knng.spectralcluster ([1; 2], 3)
%!error id=knng:args:k knng.spectralcluster ([1; 2], 0)
%!error id=knng:args:k knng.spectralcluster ([1; 2], 'a')
%!error <^k is 'Distance': it must be the number of clusters> knng.spectralcluster (magic (4), 'Distance', 'pearson')
%!error id=knng:args:sparse knng.spectralcluster (speye (3), 1)
%!error id=knng:args:class knng.spectralcluster ({}, 1)
%!error id=knng:args:metric knng.spectralcluster ([1; 2], 1, 'Distance', 'euclidian')
%!error id=knng:args:similarity knng.spectralcluster ([1; 2], 1, 'Distance', 'precomputed')
%!warning <look as distances do: .* knng.adjacency \(sparse \(S\), 'Weight', 'gaussian'\)> knng.spectralcluster (abs ((1:30)'.^2 - (1:30).^2), 2, 'Distance', 'precomputed');
%!warning id=knng:args:similarity knng.spectralcluster (knng.minspantree ((1:20)' .^ 2), 2, 'Distance', 'precomputed');
%!error id=knng:args:similarity knng.spectralcluster ([0 1; 2 0], 1, 'Distance', 'precomputed')
%!error id=knng:args:similarity knng.spectralcluster ([0 -1; -1 0], 1, 'Distance', 'precomputed')
%!error id=knng:args:similarity knng.spectralcluster ([0 NaN; NaN 0], 1, 'Distance', 'precomputed')
%!error id=knng:args:similarity knng.spectralcluster (1e308 * ones (3), 1, 'Distance', 'precomputed')
%!error id=knng:args:similarity knng.spectralcluster ({}, 1, 'Distance', 'precomputed')
%!error id=knng:args:option knng.spectralcluster ([1; 2], 1, 'SimilarityGraph', 'all')
%!error id=knng:args:option knng.spectralcluster ([1; 2], 1, 'SimilarityGraph', 'epsilon')
%!error id=knng:args:option knng.spectralcluster ([1; 2], 1, 'KNNGraphType', 1)
%!error id=knng:args:k knng.spectralcluster ([1; 2], 1, 'NumNeighbors', 0)
%!error id=knng:args:option knng.spectralcluster ([1; 2], 1, 'KernelScale', 0)
%!error id=knng:args:option knng.spectralcluster ([1; 2], 1, 'KernelScale', 'big')
%!error id=knng:args:option knng.spectralcluster ([1; 2], 1, 'LaplacianNormalization', 'half')
%!error <it must be 'kmeans'> knng.spectralcluster ([1; 2], 1, 'ClusterMethod', 'kmedoids')
%!error id=knng:args:option knng.spectralcluster (sparse (ones (3)), 2, 'Distance', 'precomputed', 'Rows', 'pairwise')
%!error id=knng:args:option knng.spectralcluster ([1; 2], 1, 'Seed', -1)
%!assert (knng.spectralcluster ([1; 2; 9; 10], 2, 'Metric', 'eucl', 'K', 1), [1; 1; 2; 2])
