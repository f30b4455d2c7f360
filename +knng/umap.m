function [Y, W] = umap (varargin)
%KNNG.UMAP  A map of points on which neighbours stay neighbours (UMAP).
%   Y = knng.umap (X) gives each row of the n-by-d matrix X a place on a map:
%   the rows of Y, n-by-2. Rows that are near each other in X come to lie
%   together; groups come apart.
%   Y = knng.umap (A) makes the map of a graph that is there already, A =
%   knngraph (X, k, ...).
%   Y = knng.umap (idx, dist) takes its n-by-k tables.
%   [Y, W] = knng.umap (...) also returns the memberships of the edges, n-by-n,
%   sparse and symmetric, from 0 to 1.
%   [...] = knng.umap (..., 'Name', value, ...) takes options.
%
%   The method: an edge of distance d from i to one of its k neighbours belongs
%   to the graph by exp (-(d - rho)/sigma), and by 1 up to the distance rho of
%   the nearest one that is not 0; sigma is such that those of i add up to log2
%   (k + 1). W(i,j) is p + q - p*q of the edges from i to j and back. On the map
%   places at distance r are as alike as 1/(1 + a*r^(2*b)); a and b are those
%   that come nearest to 1 up to MinDist, and exp (-(r - MinDist)/Spread) beyond
%   it. In every epoch edges are drawn, the more often the larger W(i,j): their
%   ends move towards each other, and away from points that are drawn from the
%   blocks in which the two ends are. At first all points are dealt into two
%   blocks, from 1600 points on into more, up to 64.
%
%   Options:
%
%     'K'                with X: how many neighbours, default 'auto': 15 or n-1;
%                        'NumNeighbors' is the same. Few show details, many the
%                        whole
%     'Distance'         with X: a metric of knngraph; default 'euclidean'
%     'NumDimensions'    columns of Y, 1 to 1000; default 2, or as many as a
%                        given 'Start' has
%     'MinDist'          how near points of a group may come, from 0 to Spread;
%                        default 0.1
%     'Spread'           the scale of the map, 0.01 to 100; default 1
%     'NumEpochs'        default 500 up to 10 000 points, else 200. 0: the start
%     'NegativeSamples'  how many points are drawn to move away from, 0 to 64;
%                        default 5
%     'LearnRate'        how far points move in the first epoch, from then on
%                        less and less; above 0, default 1
%     'Start'            where the points are at first; default 'spectral'
%         'spectral'     eigenvectors of the normalised Laplacian of W, which
%                        show the large shape. Each connected component by
%                        itself, and one beside the other, large ones in the
%                        middle. Where eigenvalues are too close for eigs, what
%                        200 steps of a walk over W leave of columns that are
%                        drawn stands for them. Components of fewer than
%                        NumDimensions + 2 points stand anywhere in their area
%         'random'       anywhere
%         a matrix       n-by-NumDimensions, as of knng.pca, numbers up to 1e70.
%                        Of equal rows the first stays, the others are moved by
%                        up to 1e-3 of the largest range of a column; by up to
%                        1e-3 if that is 0
%     'Seed'             for all that is drawn, a whole number from 0 on;
%                        default 0
%     'Threads', 'Progress'
%                        as in knngraph
%     'Device', 'MaxMemory', 'MaxDeviceMemory'
%                        with X: as in knngraph
%
%   The same graph and options give the same bits with any number of threads:
%   every two blocks of points meet once an epoch, beside others that are apart
%   from them. From 'random' or a given start they are the same on every
%   machine. 'spectral' is by eigs and Octave's libraries, whose roundings may
%   differ between machines, or if OpenBLAS takes other threads; it is rounded
%   so that this rarely shows, but where it does, epochs make another map of it,
%   as another 'Seed' would. rand keeps its state.
%
%   How far apart groups lie, and how large they are, means little; which points
%   are near each other means much, but for a map of two dimensions some always
%   are torn apart. Look at several seeds before you believe a shape.
%
%   The package umap-learn counts the point itself among its n_neighbors: its 15
%   are 'K', 14 here. An infinite distance joins nothing. A point without edges
%   (its data hold NaN) has no place: its row in Y is NaN.
%
%   Cost: O(epochs*n*k*NegativeSamples) after the search: 70 000 points, k = 15,
%   23 seconds of processor, 28 with two threads, which share them; of these 4
%   are for the start. Memory some 130 bytes an entry of the tables.
%
%   Errors: knng:args:k ('K'); knng:args:start (it is not n-by-NumDimensions,
%   holds Inf or numbers beyond 1e70, or NaN where a point has edges);
%   knng:args:option (also 'K', 'Distance' with a graph), :unknownOption, :idx,
%   :dist, :class, :empty as knng.adjacency; :sparse, :complex, :dims, :metric,
%   :maxMemory as knngraph; :count; knng:memory:host, knng:interrupted.
%   Warnings: as knng.tsne.
%
%   Source: L. McInnes, J. Healy, J. Melville, arXiv:1802.03426 (2018).
%
%   Example:
%     t = (1:300)';
%     X = [cos(t/48), sin(t/48), 5*mod(t, 3)];     % three rings
%     Y = knng.umap (X);
%     [i, j] = find (knngraph (Y, 5));
%     all (mod (i, 3) == mod (j, 3))               % 1: they stay apart
%     knng.scatter (Y, mod (t, 3));
%
%   See also knng.scatter, knng.plot, knng.explore, knng.pca,
%   knng.diffusionmap, knngraph, knng.tsne, knng.isomap.

  if (nargin < 1)
    error ('knng:args:count', ['knng.umap needs points or a graph, as in knng.umap (X), knng.umap (A) or ' ...
           'knng.umap (idx, dist): see help knng.umap']);
  end
  own = struct ('K', 'auto', 'NumDimensions', [], 'MinDist', 0.1, 'Spread', 1, 'NumEpochs', [], 'NegativeSamples', 5, 'LearnRate', 1, ...
                'Start', 'spectral', 'Seed', 0);
  [graph, opt, how] = knng.internal.points_or_graph ('knng.umap (GRAPH)', own, varargin, {'Progress'});
  n = size (varargin{1}, 1);
  opt = checked (opt, ~isempty (graph));
  if (isempty (graph))
    knng.internal.check_matrix (varargin{1}, 'X');
  end
  opt = check_start (opt, n);
  [a, b] = knng.internal.umap_curve (opt.MinDist, opt.Spread);
  if (isempty (graph))
    if (ischar (opt.K))
      opt.K = min (15, n - 1);
    end
    if (opt.K == 0)
      graph = {sparse(1, 1)};                                % there is no other row
    else
      [idx, dist] = knng.internal.searched (varargin{1}, opt.K, opt.Distance, how);
      graph = {idx, dist};
    end
  end
  A = knng.internal.finite_edges (knng.internal.graph ('knng.umap (GRAPH)', graph, how));
  run = knng.internal.how_to_run (how);
  P = knng.internal.umap ('weigh', A', run);
  W = P + P' - P .* P';
  [A, P] = deal ([]);

  % The points that have edges.
  on = full (any (W, 1))';
  joined = W;
  if (~all (on))
    joined = W(on, on);
  end
  if (isempty (opt.NumEpochs))
    opt.NumEpochs = 500 - 300 * (sum (on) > 10000);
  end
  if (isnumeric (opt.Start))
    start = knng.internal.given_places ('Start', opt.Start, on, opt.Seed);
  elseif (strcmp (opt.Start, 'random'))
    start = 10 * knng.internal.noise (opt.Seed, sum (on), opt.NumDimensions);
  else
    start = knng.internal.spectral_start (joined, opt.NumDimensions, opt.Seed, run);
  end
  Y = NaN (n, opt.NumDimensions);
  Y(on, :) = knng.internal.umap ('layout', joined, start', a, b, opt.NumEpochs, opt.NegativeSamples, opt.LearnRate, opt.Seed, run)';
end

function opt = checked (opt, with_graph)
% The options as doubles. NumDimensions stays [] where it was not given.
  if (~knng.internal.is_one_of (opt.K, {'auto'}))
    opt.K = knng.internal.check_neighbours ('''K''', opt.K);
    if (with_graph)
      error ('knng:args:option', '''K'' is for points: a graph has its neighbours; leave it out, or make another graph');
    end
  end
  if (~isequal (opt.NumDimensions, []))
    opt.NumDimensions = knng.internal.whole_from (opt, 'NumDimensions', 1, 1000);
  end
  if (~isequal (opt.NumEpochs, []))
    opt.NumEpochs = knng.internal.whole_from (opt, 'NumEpochs', 0, 1e6);
  end
  opt.NegativeSamples = knng.internal.whole_from (opt, 'NegativeSamples', 0, 64);
  opt.Spread = knng.internal.number_from (opt, 'Spread', 0.01, 100, '0.01 to 100');
  opt.MinDist = knng.internal.number_from (opt, 'MinDist', 0, opt.Spread, sprintf ('from 0 to ''Spread'', %g', opt.Spread));
  opt.LearnRate = knng.internal.number_from (opt, 'LearnRate', realmin, 1e3, 'above 0, up to 1000');
  knng.internal.check_seed (opt.Seed);
  opt.Seed = full (double (opt.Seed));
end

function opt = check_start (opt, n)
  start = opt.Start;
  if (~isnumeric (start) && ~knng.internal.is_one_of (start, {'spectral', 'random'}))
    error ('knng:args:option', '''Start'' is %s: it must be ''spectral'', ''random'' or a matrix of places', knng.internal.given (start));
  elseif (~isnumeric (start))
    opt.Start = lower (start);
    if (isempty (opt.NumDimensions))
      opt.NumDimensions = 2;
    end
    return
  end
  if (isempty (opt.NumDimensions))
    opt.NumDimensions = size (start, 2);
  end
  opt.Start = knng.internal.check_places ('Start', start, n, opt.NumDimensions, 1000);
end

%!function t = trustworthiness (X, Y, k)
%!  # 1 where the k nearest on the map are the k nearest, less the farther those are that are not
%!  n = rows (X);
%!  total = 0;
%!  for i = 1:n
%!    [~, order] = sort (sumsq (X - X(i, :), 2));
%!    rank(order) = 0:n-1;
%!    d = sumsq (Y - Y(i, :), 2);
%!    d(i) = Inf;
%!    [~, near] = sort (d);
%!    total += sum (max (rank(near(1:k)) - k, 0));
%!  end
%!  t = 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * total;
%!endfunction

%!test <*1>
%! t = (1:300)';
%! X = [cos(t/48), sin(t/48), 5*mod(t, 3)];
%! [Y, W] = knng.umap (X);
%! [i, j] = find (knngraph (Y, 5));
%! assert (mod (i, 3), mod (j, 3));
%! assert (size (Y), [300 2]);
%! assert (issparse (W) && isequal (W, W') && all (nonzeros (W) > 0 & nonzeros (W) <= 1));

%!test  # what umap-learn 0.5.12 gives of these numbers: memberships (fuzzy_simplicial_set, 5 neighbours and the row itself), curves
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! [~, W] = knng.umap (X, 'K', 5, 'NumEpochs', 0);
%! assert (full (W([1 7 12], :)), [0 0.7452 0.18154 0 0 0 0.45793 1 0.2618 0 0 0; ...
%!                                 0.45793 0.93802 0.9919 1 0.39748 0.47813 0 1 0.17576 0.266 0.41524 0.15904; ...
%!                                 0 0 0.27311 0 0.92566 0 0.15904 0.25 1 0.31064 0 0], 1e-4);
%! for c = {[0.1 1], [1.576943 0.895061]; [0.5 1], [0.583030 1.334167]; [0.01 2], [0.635344 0.795553]}'
%!   [a, b] = knng.internal.umap_curve (c{1}(1), c{1}(2));
%!   assert ([a, b], c{2}, -1e-3);
%! end

%!test  # genes: four seeds had 0.873 to 0.883, umap-learn 0.5.12 0.877 to 0.881; the start 0.77, principal components too, no repulsion 0.65
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! X = ds.X(1:5:end, :) - mean (ds.X(1:5:end, :), 2);
%! X = X ./ sqrt (sumsq (X, 2));
%! t = trustworthiness (X, knng.umap (X), 15);
%! assert (t > 0.99 * 0.8789, 'trustworthiness %g', t);

%!test  # from a graph of either form and from points, by threads, by seeds; a seed is not that of rand
%! X = reshape (knng.internal.random (1, 4000), 1000, 4);
%! [idx, dist] = knngraph (X, 15, 'cityblock');
%! short = {'NumEpochs', 20, 'Seed', 3};
%! rand ('twister', 5);
%! state = rand ('twister');
%! [Y, W] = knng.umap (idx, dist, short{:});
%! assert (rand ('twister'), state);
%! assert (knng.umap (int32 (idx), dist, short{:}, 'Threads', 3, 'Progress', 'off'), Y);
%! assert (knng.umap (knngraph (X, 15, 'cityblock'), short{:}, 'Threads', 1), Y);
%! assert (knng.umap (X, 'Distance', 'cityblock', 'K', 15, short{:}), Y);
%! assert (~isequal (knng.umap (idx, dist, 'NumEpochs', 20, 'Seed', 4), Y));
%! assert (knng.umap (idx, dist, short{:}, 'Start', knng.umap (idx, dist, 'NumEpochs', 0, 'Seed', 3)), Y);

%!test  # memberships: those of a row add up to log2 (k + 1), the nearest counts whole; a union of the two directions
%! X = reshape (knng.internal.random (2, 120), 60, 2);
%! [idx, dist] = knngraph (X, 7);
%! [~, W] = knng.umap (idx, dist, 'NumEpochs', 0);
%! P = zeros (60);
%! for i = 1:60
%!   sigma = fzero (@(s) sum (exp (-(dist(i, :) - dist(i, 1)) / s)) - 3, [1e-6 1e3]);
%!   P(i, idx(i, :)) = exp (-(dist(i, :) - dist(i, 1)) / sigma);
%! end
%! assert (full (W), P + P' - P .* P', 1e-6);

%!test  # a graph in parts, the largest in the middle, points without edges, infinite distances, next to no points
%! X = [reshape(knng.internal.random (1, 120), 60, 2); 100 + reshape(knng.internal.random (2, 60), 30, 2); 300 300; 301 301];
%! [idx, dist] = knngraph (X, 3);
%! idx(91, :) = [92 0 0];
%! idx(92, :) = [91 0 0];
%! for nd = 1:3
%!   Y = knng.umap (idx, dist, 'NumDimensions', nd);
%!   assert (size (Y), [92 nd]);
%!   assert (all (isfinite (Y(:))));
%!   [i, j] = find (knngraph (Y, 1));
%!   assert (1 + (i > 60) + (i > 90), 1 + (j > 60) + (j > 90));
%! end
%! Y = knng.umap (idx, dist, 'NumEpochs', 0);
%! part = {1:60, 61:90, 91:92};
%! for p = 1:3
%!   radius(p) = norm (mean (Y(part{p}, :)));
%! end
%! assert (issorted (radius));
%! warning ('off', 'knng:data:nonFinite', 'local');
%! Y = knng.umap ([1 2; NaN 1; 3 4; 5 5; 9 8], 'K', 2);
%! assert (isnan (Y(:, 1))', logical ([0 1 0 0 0]));
%! assert (isnan (knng.umap (sparse ([0 Inf 0; 1 0 0; 0 0 5]))), logical ([0 0; 0 0; 1 1]));
%! assert (knng.umap ([1 2 3]), NaN (1, 2));
%! assert (isfinite (knng.umap ([1; 1])), true (2));
%! Y = knng.umap (zeros (40, 2), 'NumEpochs', 50);
%! assert (rows (unique (Y, 'rows')), 40);
%! assert (size (knng.umap (sparse (0, 0))), [0 2]);
%! Y = knng.umap (1e150 * magic (12), 'K', 3);
%! assert (all (isfinite (Y(:))));

%!test  # starts, and what may be left out
%! X = reshape (knng.internal.random (5, 600), 200, 3);
%! assert (size (knng.umap (X, 'Start', X)), [200 3]);
%! assert (knng.umap (X, 'Start', X(:, 1:2), 'NumEpochs', 0), X(:, 1:2));
%! Y = knng.umap (X, 'Start', zeros (200, 2));
%! assert (rows (unique (Y, 'rows')), 200);
%! Y = knng.umap (X, 'Start', 'Random', 'NumEpochs', 0);
%! assert (min (Y(:)) < -9 && max (Y(:)) > 9);
%! close_by = knng.umap (X, 'MinDist', 0);
%! far = knng.umap (X, 'MinDist', 1);
%! near = @(Y) median (knngraph (Y, 1)(knngraph (Y, 1) > 0));
%! assert (near (far) > 2 * near (close_by));
%! warning ('off', 'knng:data:nonFinite', 'local');
%! Y = knng.umap ([X(1:20, :); NaN(1, 3)], 'Start', [X(1:20, 1:2); NaN(1, 2)]);
%! assert (isnan (Y(:, 1))', [false(1, 20), true]);

%!test  # of places in a start that are equal, the first stays, the others move by a thousandth of the range
%! X = reshape (knng.internal.random (6, 90), 30, 3);
%! for scale = [1e-9 1 1e60]
%!   S = scale * X(:, 1:2);
%!   S([12 20], :) = S([5 5], :);
%!   Y = knng.umap (X, 'Start', S, 'NumEpochs', 0);
%!   kept = setdiff (1:30, [12 20]);
%!   assert (Y(kept, :), S(kept, :));
%!   assert (rows (unique (Y, 'rows')), 30);
%!   off = max (abs (Y([12 20], :) - S([12 20], :))(:)) / max (range (S));
%!   assert (off > 1e-5 && off <= 1.001e-3, 'by %g of the range', off);
%! end
%! Y = knng.umap (X, 'Start', 7 * ones (30, 2), 'NumEpochs', 0);
%! assert (Y(1, :), [7 7]);
%! off = abs (Y(:) - 7);
%! assert (max (off) > 1e-4 && max (off) < 1.001e-3);

%!test  # the smallest and the largest scale, and the largest start
%! X = reshape (knng.internal.random (7, 90), 30, 3);
%! for spread = [0.01 1 100]
%!   for least = spread * [0 0.5 1]
%!     for most = [1 1e70]
%!       Y = knng.umap (X, 'Spread', spread, 'MinDist', least, 'Start', most * (2 * X(:, 1:2) - 1), 'NumEpochs', 50);
%!       assert (all (isfinite (Y(:))), 'from %g, spread %g, %g', most, spread, least);
%!     end
%!   end
%! end

%!test  # a long line, whose eigenvalues are too close to be found
%! lastwarn ('', '');
%! Y = knng.umap (knngraph ((1:5000)', 2), 'NumEpochs', 0);
%! assert (lastwarn (), '');
%! steps = sqrt (sumsq (diff (Y), 2));
%! assert (mean (steps) < 0.02 * norm (max (Y) - min (Y)), 'steps of %g', mean (steps));

%!error id=knng:args:count knng.umap ()
%!error id=knng:args:class knng.umap ('a')
%!error id=knng:args:k knng.umap (magic (4), 'K', 0)
%!error <'K' is for points: a graph has its neighbours> knng.umap (sparse ([0 1; 1 0]), 'K', 3)
%!error <'Distance' is for points> knng.umap (sparse ([0 1; 1 0]), 'Distance', 'cosine')
%!error id=knng:args:dist knng.umap (sparse ([0 -1; 1 0]))
%!error id=knng:args:option knng.umap (magic (4), 'NumDimensions', 0)
%!error id=knng:args:option knng.umap (magic (4), 'MinDist', 2)
%!error id=knng:args:option knng.umap (magic (4), 'MinDist', -1)
%!error id=knng:args:option knng.umap (magic (4), 'Spread', 0)
%!error <'Spread' is 0.009: it must be one number, 0.01 to 100> knng.umap (magic (4), 'Spread', 0.009, 'MinDist', 0)
%!error <'Spread' is 1000: it must be one number, 0.01 to 100> knng.umap (magic (4), 'Spread', 1000, 'MinDist', 1000)
%!error id=knng:args:option knng.umap (magic (4), 'NumEpochs', 1.5)
%!error id=knng:args:option knng.umap (magic (4), 'NegativeSamples', 65)
%!error id=knng:args:option knng.umap (magic (4), 'LearnRate', 0)
%!error id=knng:args:option knng.umap (magic (4), 'Start', 'pca')
%!error id=knng:args:option knng.umap (magic (4), 'Seed', -1)
%!error id=knng:args:start knng.umap (magic (4), 'Start', ones (3, 2))
%!error id=knng:args:start knng.umap (magic (4), 'Start', ones (4, 2), 'NumDimensions', 3)
%!error <row 3 of 'Start' has -2e\+70: give numbers up to 1e70> knng.umap (magic (4), 'Start', [1 2; 2 1; 1 -2e70; 2 2])
%!error <row 1 of 'Start' has Inf> knng.umap (magic (4), 'Start', [Inf 2; 2 1; 1 1; 2 2])
%!error <row 2 of 'Start' has NaN> knng.umap (magic (4), 'Start', [1 2; NaN 1; 1 1; 2 2])
%!error id=knng:args:unknownOption knng.umap (magic (4), 'Epochs', 5)
