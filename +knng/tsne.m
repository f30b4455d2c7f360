function [Y, loss] = tsne (varargin)
%KNNG.TSNE  A map of points on which neighbours stay neighbours (t-SNE).
%   Y = knng.tsne (X) gives each row of the n-by-d matrix X a place on a map:
%   the rows of Y, n-by-2. Rows that are near each other in X come to lie
%   together; groups come apart.
%   Y = knng.tsne (A) makes the map of a graph that is there already, A =
%   knngraph (X, k, ...).
%   Y = knng.tsne (idx, dist) takes its n-by-k tables.
%   [Y, loss] = knng.tsne (...) also returns how far the map is from the
%   neighbours: the Kullback-Leibler divergence of P from Q, below.
%   [...] = knng.tsne (..., 'Name', value, ...) takes options.
%
%   The method: i chooses its neighbour j, at distance d, with the probability
%   p(j|i), proportional to exp (-b*d^2); b is such that the perplexity of these
%   choices, 2 to their entropy in bits, is what was asked for. P(i,j) = (p(j|i)
%   + p(i|j))/(2*n). On the map Q(i,j) is 1/(1 + r^2) of the distance r over the
%   sum of that for all pairs. From a start points go down the gradient of the
%   sum of P.*log (P./Q), by steps with momentum 0.5, later 0.8, and gains. In
%   the first quarter of the steps, up to 250, P counts Exaggeration times.
%
%   Options:
%
%     'Perplexity'       how many neighbours of a point count, about; default
%                        'auto': 30, or a third of the neighbours that there are
%                        if that is less. From 1 to that number
%     'NumDimensions'    columns of Y, 1 to 3; default 2, or as many as a given
%                        'InitialY' has
%     'Distance'         with X: a metric of knngraph; default 'euclidean'
%     'Standardize'      with X: true: each column is taken less its mean, over
%                        its standard deviation, so that no unit counts (a
%                        constant one is 0); default false
%     'NumPCAComponents'
%                        with X: distances are those of the first so many
%                        principal components of X; default 0: of X itself
%     'Exaggeration'     at first, 1 to 1000; default 12
%     'LearnRate'        how far a step goes, above 0 to 1e9; default 'auto':
%                        n/(4*Exaggeration), at least 50
%     'MaxIter'          how many steps, up to 1e6; default 1000. 0: the start
%     'Options'          a struct as of statset, whose field MaxIter is that;
%                        its other fields do nothing here, and an OutputFcn is
%                        an error
%     'Verbose'          1: a line is printed every NumPrint steps: their
%                        number, the divergence of P from Q, and the length of
%                        the last gradient (at first with Exaggeration); 2:
%                        before that the variances 1/(2*b) of the choices, too;
%                        default 0, nothing
%     'NumPrint'         a whole number from 1 on; default 20
%     'Algorithm'        default 'barneshut'
%         'barneshut'    neighbours are the 3*Perplexity nearest, from the exact
%                        search. In the gradient all others count by crowds: one
%                        whose extent is less than Theta times its distance is
%                        taken for points in its middle
%         'exact'        all points are neighbours of all, and each counts: for
%                        some thousands of points
%     'Theta'            of 'barneshut', 0 to 1; default 0.5. 0: each counts
%     'InitialY'         where the points are at first; default 'pca' with X,
%                        'spectral' with a graph
%         'pca'          the first principal components of X
%         'spectral'     as of knng.umap
%         'random'       anywhere
%         a matrix       n-by-NumDimensions, numbers up to 1e70. Of equal rows
%                        the first stays, the others are moved by up to 1e-3 of
%                        the largest range of a column. The other starts have a
%                        standard deviation of 1e-4: so should yours
%     'Seed'             for all that is drawn, a whole number from 0 on;
%                        default 0
%     'Threads', 'Progress'
%                        as in knngraph
%     'Device', 'MaxMemory', 'MaxDeviceMemory'
%                        with X: as in knngraph
%
%   Names and results are those of MATLAB's tsne. Its defaults of Exaggeration
%   (4), LearnRate (500) and InitialY (drawn) are others: those here are
%   scikit-learn's. 'CacheSize' is needless. tsne (X, [], nd) of older files
%   is knng.tsne (X, 'NumDimensions', nd).
%
%   The same graph, options and start give the same bits with any number of
%   threads. From 'random' or a given start they are the same on every machine.
%   'pca' and 'spectral' are by Octave's libraries, whose roundings may differ
%   between machines, or if OpenBLAS takes other threads; they are rounded so
%   that this rarely shows, but where it does, the steps make another map of it,
%   as another 'Seed' would. rand keeps its state.
%
%   How far apart groups lie, how large they are and how dense means little;
%   which points are near each other means much. Look at several seeds with
%   'random', and at several perplexities, before you believe a shape.
%
%   An infinite distance joins nothing. A point without edges (its data hold
%   NaN) has no place: its row in Y is NaN.
%
%   Cost: O(n*(Perplexity + log (n))) a step after the search: 70 000 points, 90
%   neighbours each, 1000 steps, 84 seconds of processor by two threads, which
%   share them; a line of 'Verbose' takes as long as a step. Memory some 92
%   bytes an entry of the tables, which have 3*Perplexity columns. Fourier
%   transforms on a grid, which others take in place of crowds, would need one
%   more library.
%
%   Errors: knng:args:start (InitialY is not n-by-NumDimensions, holds Inf or
%   numbers beyond 1e70, or NaN where a point has edges); knng:args:option (also
%   'Distance', 'NumPCAComponents' or 'Standardize' with a graph),
%   :unknownOption, :idx, :dist, :class, :empty as knng.adjacency; :sparse,
%   :complex, :dims, :metric, :maxMemory as knngraph; :count; knng:memory:host,
%   knng:interrupted. Warnings, of points: knng:data:nonFinite, :constant,
%   :twoColumns, :fill, as knngraph; knng:data:range (distances are infinite);
%   knng:data:lists (X looks like idx, without dist).
%
%   Sources: L. van der Maaten, G. Hinton, J. Machine Learning Research 9 (2008)
%   2579-2605; L. van der Maaten, the same 15 (2014) 3221-3245, crowds; A.
%   Belkina et al., Nature Communications 10 (2019) 5415, the rate.
%
%   Example:
%     t = (1:300)';
%     X = [cos(t/48), sin(t/48), 5*mod(t, 3)];     % three rings
%     [Y, loss] = knng.tsne (X);
%     [i, j] = find (knngraph (Y, 5));
%     all (mod (i, 3) == mod (j, 3))               % 1: they stay apart
%     knng.scatter (Y, mod (t, 3));
%
%   See also knng.umap, knng.scatter, knng.plot, knng.explore, knng.pca,
%   knng.laplacianeigenmaps, knngraph.

  if (nargin < 1)
    error ('knng:args:count', ['knng.tsne needs points or a graph, as in knng.tsne (X), knng.tsne (A) or ' ...
           'knng.tsne (idx, dist): see help knng.tsne']);
  end
  if (nargin > 2 && isnumeric (varargin{1}) && ~ischar (varargin{2}) && ~isequal (size (varargin{1}), size (varargin{2})) && ...
      any (numel (varargin{2}) == [0, size(varargin{1}, 1)]) && isnumeric (varargin{3}) && numel (varargin{3}) == 1)
    error ('knng:args:dist', ['%s and %g stand behind X, where only options do, as ''Name'', value: knng.tsne (X, ''NumDimensions'', ' ...
           '%g); labels colour the points of the picture, knng.scatter (Y, labels)'], knng.internal.given (varargin{2}), varargin{3}, varargin{3});
  end
  form = 'knng.tsne (GRAPH)';
  own = struct ('Perplexity', 'auto', 'NumDimensions', [], 'Standardize', false, 'NumPCAComponents', 0, 'Exaggeration', 12, 'LearnRate', 'auto', ...
                'MaxIter', [], 'Options', [], 'Algorithm', 'barneshut', 'Theta', 0.5, 'InitialY', [], 'Verbose', 0, 'NumPrint', 20, 'Seed', 0);
  [graph, opt, how] = knng.internal.points_or_graph (form, own, varargin, {'Progress'});
  n = size (varargin{1}, 1);
  X = [];
  opt = checked (opt, ~isempty (graph));
  if (isempty (graph))
    X = varargin{1};
    knng.internal.check_matrix (X, 'X');
    opt.Perplexity = perplexity_of (opt.Perplexity, n - 1, knng.internal.there_are (n, 'point'));
  end
  opt = check_start (opt, n, ~isempty (graph));
  if (opt.Standardize)
    X = knng.internal.standard_rows (X')';
  end
  if (isempty (graph))
    graph = graph_of (X, opt, how);
  end
  A = knng.internal.finite_edges (knng.internal.graph (form, graph, how));
  graph = [];
  if (isempty (X))
    k = max ([0; full(sum (A ~= 0, 2))]);
    opt.Perplexity = perplexity_of (opt.Perplexity, k, sprintf ('points of this graph have %s', knng.internal.count_of (k, 'neighbour')));
  end
  run = knng.internal.how_to_run (how);
  P = knng.internal.tsne ('weigh', A', opt.Perplexity, run);
  if (opt.Verbose > 1)
    print_variances (A', P);
  end
  P = P + P';
  P = P / sum (nonzeros (P));
  A = [];

  % The points that have edges.
  on = full (any (P, 1))';
  m = sum (on);
  if (m < n)
    P = P(on, on);
  end
  if (ischar (opt.LearnRate))
    opt.LearnRate = max (m / (4 * opt.Exaggeration), 50);
  end
  if (isnumeric (opt.InitialY))
    start = knng.internal.given_places ('InitialY', opt.InitialY, on, opt.Seed);
  else
    start = start_of (opt, X, on, P, run);
  end
  Y = NaN (n, opt.NumDimensions);
  early = min (250, floor (opt.MaxIter / 4));
  theta = opt.Theta * strcmp (opt.Algorithm, 'barneshut');
  args = {opt.MaxIter, early, opt.Exaggeration, opt.LearnRate, theta};
  if (opt.Verbose == 0 || opt.MaxIter == 0)
    [places, loss] = knng.internal.tsne ('layout', P, start', args{:}, run);
  else
    [places, loss] = in_lines (P, start', opt, args, run);
  end
  Y(on, :) = places';
end

function [places, loss] = in_lines (P, places, opt, args, run)
% The same, with a line every NumPrint steps.
  fprintf ('%10s  %14s  %14s\n', 'step', 'divergence', 'gradient');
  state = [];
  first = 0;
  while (first < opt.MaxIter)
    last = min (first + opt.NumPrint, opt.MaxIter);
    [places, loss, state, slope] = knng.internal.tsne ('layout', P, places, args{:}, first, last, state, run);
    first = last;
    fprintf ('%10d  %14.6g  %14.6g\n', last, loss, slope);
    if (exist ('fflush', 'builtin'))
      fflush (stdout);
    end
  end
end

function print_variances (A, P)
% Of the choices of each point: b is in what two of its neighbours weigh.
  [i, j, w] = find (P);
  d = full (A(sub2ind (size (A), i, j)));
  d(d <= realmin) = 0;
  n = size (A, 2);
  [low, high] = deal (accumarray (j, d, [n, 1], @min), accumarray (j, d, [n, 1], @max));
  of_low = accumarray (j(d == low(j)), w(d == low(j)), [n, 1], @max);
  of_high = accumarray (j(d == high(j)), w(d == high(j)), [n, 1], @max);
  v = (high - low) .* (high + low) ./ (2 * (log (of_low) - log (of_high)));
  v = v(high > low & of_low > of_high);
  if (isempty (v))
    fprintf ('variances of the choices: none, all neighbours weigh the same\n');
  else
    fprintf ('variances of the choices: %g to %g, mean %g\n', min (v), max (v), mean (v));
  end
end

function opt = checked (opt, with_graph)
% The options as doubles. NumDimensions stays [] where it was not given, and 'auto' where it is.
  if (~isequal (opt.NumDimensions, []))
    opt.NumDimensions = knng.internal.whole_from (opt, 'NumDimensions', 1, 3);
  end
  opt.NumPCAComponents = knng.internal.whole_from (opt, 'NumPCAComponents', 0, 2 ^ 53);
  knng.internal.check_flag ('Standardize', opt.Standardize);
  for name = {'NumPCAComponents', 'Standardize'}
    if (with_graph && opt.(name{1}) > 0)
      error ('knng:args:option', '''%s'' is for points: a graph has its distances, and nothing is searched; leave it out', name{1});
    end
  end
  if (isstruct (opt.Options) && isscalar (opt.Options))
    if (isfield (opt.Options, 'MaxIter') && isequal (opt.MaxIter, []))
      opt.MaxIter = opt.Options.MaxIter;
    end
    if (isfield (opt.Options, 'OutputFcn') && ~isempty (opt.Options.OutputFcn))
      error ('knng:args:option', ['''Options'' has an OutputFcn, and none is called here: ''Verbose'', 1 prints how it goes; for maps on the way ' ...
             'give each as ''InitialY'' of the next']);
    end
  elseif (~isequal (opt.Options, []))
    error ('knng:args:option', '''Options'' is %s: it must be a struct, as statset makes it', knng.internal.given (opt.Options));
  end
  if (isequal (opt.MaxIter, []))
    opt.MaxIter = 1000;
  end
  opt.MaxIter = knng.internal.whole_from (opt, 'MaxIter', 0, 1e6);
  opt.Verbose = knng.internal.whole_from (opt, 'Verbose', 0, 2);
  opt.NumPrint = knng.internal.whole_from (opt, 'NumPrint', 1, 1e6);
  opt.Exaggeration = knng.internal.number_from (opt, 'Exaggeration', 1, 1000, '1 to 1000');
  opt.Theta = knng.internal.number_from (opt, 'Theta', 0, 1, '0 to 1');
  if (~knng.internal.is_one_of (opt.LearnRate, {'auto'}))
    opt.LearnRate = knng.internal.number_from (opt, 'LearnRate', realmin, 1e9, 'above 0, up to 1e9, or ''auto''');
  end
  if (~knng.internal.is_one_of (opt.Perplexity, {'auto'}))
    opt.Perplexity = knng.internal.number_from (opt, 'Perplexity', 1, 1e9, '1 or more, or ''auto''');
  end
  opt.Algorithm = knng.internal.check_choice ('Algorithm', opt.Algorithm, {'barneshut', 'exact'});
  knng.internal.check_seed (opt.Seed);
  opt.Seed = full (double (opt.Seed));
end

function perplexity = perplexity_of (perplexity, k, why)
% A number, of K neighbours at most.
  if (ischar (perplexity) || k == 0)                         % without neighbours any would do
    perplexity = max (1, min (30, k / 3));
  elseif (perplexity > k)
    error ('knng:args:option', '''Perplexity'' is %g, but %s: it must be a number from 1 to %d, better to a third of that', perplexity, ...
           why, max (k, 1));
  end
end

function opt = check_start (opt, n, with_graph)
  kinds = {'pca', 'spectral', 'random'};
  kinds = kinds(1+with_graph:end);
  if (isequal (opt.InitialY, []))
    opt.InitialY = kinds{1};
  elseif (~isnumeric (opt.InitialY) && ~knng.internal.is_one_of (opt.InitialY, kinds))
    error ('knng:args:option', '''InitialY'' is %s: it must be %s or a matrix of places', knng.internal.given (opt.InitialY), ...
           strjoin (cellfun (@(k) ['''' k ''''], kinds, 'UniformOutput', false), ', '));
  end
  if (isempty (opt.NumDimensions))
    opt.NumDimensions = 2;
    if (isnumeric (opt.InitialY))
      opt.NumDimensions = size (opt.InitialY, 2);
    end
  end
  if (isnumeric (opt.InitialY))
    opt.InitialY = knng.internal.check_places ('InitialY', opt.InitialY, n, opt.NumDimensions, 3);
  else
    opt.InitialY = lower (opt.InitialY);
  end
end

function graph = graph_of (X, opt, how)
% The neighbours of the points.
  n = size (X, 1);
  k = min (n - 1, ceil (3 * opt.Perplexity));
  if (strcmp (opt.Algorithm, 'exact'))
    k = n - 1;
  end
  if (k == 0)
    graph = {sparse(1, 1)};                                  % there is no other row
    return
  end
  if (opt.NumPCAComponents > 0)
    [~, X] = knng.pca (X, 'NumComponents', opt.NumPCAComponents);
  end
  [idx, dist] = knng.internal.searched (X, k, opt.Distance, how);
  graph = {idx, dist};
end

function start = start_of (opt, X, on, P, run)
% With a standard deviation of 1e-4, and no two points in one place.
  m = sum (on);
  nd = opt.NumDimensions;
  start = zeros (m, 0);
  if (strcmp (opt.InitialY, 'pca') && m > 1)
    state = warning ('off', 'knng:data:fill');               % which the search has said
    back = onCleanup (@() warning (state));
    [~, start] = knng.pca (double (X(on, :)), 'Algorithm', 'randomized', 'NumComponents', nd);
  elseif (strcmp (opt.InitialY, 'spectral') && m > 0)
    start = knng.internal.spectral_start (P, nd, opt.Seed, run);
  end
  start(:, end+1:nd) = 0;
  start = start / max ([abs(start(:)); realmin]);
  scale = sqrt (mean (start(:, 1) .^ 2));
  if (m > 0 && scale > 0)
    start = round (2 ^ 20 * start / scale) / 2 ^ 20 + 1e-3 * knng.internal.noise (opt.Seed, m, nd);
  else
    start = sqrt (3) * knng.internal.noise (opt.Seed, m, nd);
  end
  start = 1e-4 * start;
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

%!function [said, Y, loss] = evalc_of (f)
%!  said = evalc ('[Y, loss] = f ();');
%!endfunction

%!test <*1>
%! t = (1:300)';
%! X = [cos(t/48), sin(t/48), 5*mod(t, 3)];
%! [Y, loss] = knng.tsne (X);
%! [i, j] = find (knngraph (Y, 5));
%! assert (mod (i, 3), mod (j, 3));
%! assert (size (Y), [300 2]);
%! assert (loss > 0.1 && loss < 0.2, 'loss %g', loss);

%!test  # genes, of whose map by scikit-learn 1.9.1 (TSNE, random_state 0) trustworthiness is 0.8874, divergence 1.3946
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! X = ds.X(1:5:end, :) - mean (ds.X(1:5:end, :), 2);
%! X = X ./ sqrt (sumsq (X, 2));
%! [Y, loss] = knng.tsne (X);
%! t = trustworthiness (X, Y, 15);
%! assert (t > 0.8874, 'trustworthiness %g', t);
%! assert (loss < 1.41, 'loss %g', loss);

%!test  # from a graph of either form and from points, by threads, by seeds; a seed is not that of rand
%! X = reshape (knng.internal.random (1, 2400), 600, 4);
%! [idx, dist] = knngraph (X, 15, 'cityblock');
%! short = {'MaxIter', 20, 'InitialY', 'random', 'Seed', 3, 'Perplexity', 5};
%! rand ('twister', 5);
%! state = rand ('twister');
%! [Y, loss] = knng.tsne (idx, dist, short{:});
%! assert (rand ('twister'), state);
%! [Z, again] = knng.tsne (int32 (idx), dist, short{:}, 'Threads', 3, 'Progress', 'off');
%! assert (Z, Y);
%! assert (again, loss);
%! assert (knng.tsne (knngraph (X, 15, 'cityblock'), short{:}, 'Threads', 1), Y);
%! assert (knng.tsne (X, 'Distance', 'cityblock', short{:}), Y);
%! assert (knng.tsne (X, 'Distance', 'cityblock', short{:}, 'MaxIter', [], 'Options', struct ('MaxIter', 20, 'TolFun', 1)), Y);
%! assert (~isequal (knng.tsne (idx, dist, short{:}, 'Seed', 4), Y));
%! assert (knng.tsne (idx, dist, short{:}, 'InitialY', knng.tsne (idx, dist, short{:}, 'MaxIter', 0)), Y);

%!test  # 'Verbose': the same map and loss, and lines; variances
%! X = reshape (knng.internal.random (1, 800), 200, 4);
%! short = {'MaxIter', 50, 'InitialY', 'random', 'Perplexity', 5};
%! [Y, loss] = knng.tsne (X, short{:});
%! for algorithm = {'barneshut', 'exact'}
%!   [Y, loss] = knng.tsne (X, short{:}, 'Algorithm', algorithm{1});
%!   [said, Z, again] = evalc_of (@() knng.tsne (X, short{:}, 'Algorithm', algorithm{1}, 'verbose', 1));
%!   assert ({Z, again}, {Y, loss});
%!   lines = sscanf (regexprep (said, '^[^\n]*\n', ''), '%g', [3 Inf])';
%!   assert (lines(:, 1)', [20 40 50]);
%!   assert (lines(end, 2), loss, 1e-5 * loss);
%!   assert (all (diff (lines(:, 2)) < 0) && all (lines(:, 3) > 0));
%! end
%! [~, part] = knng.tsne (X, short{:}, 'Algorithm', 'exact', 'Exaggeration', 12);
%! said = evalc_of (@() knng.tsne (X, short{:}, 'Verbose', 2, 'NumPrint', 50));
%! assert (numel (strfind (said, "\n")), 3);
%! [idx, dist] = knngraph (X, 15);
%! v = zeros (200, 1);
%! for i = 1:200                                             # by bisection from the definition
%!   ends = [1e-6, 1e6];
%!   for s = 1:100
%!     v(i) = sqrt (prod (ends));
%!     p = exp (-(dist(i, :) .^ 2 - dist(i, 1) ^ 2) / (2 * v(i)));
%!     p = p / sum (p);
%!     ends(1 + (2 ^ -sum (p .* log2 (max (p, realmin))) > 5)) = v(i);
%!   end
%! end
%! got = sscanf (said, 'variances of the choices: %g to %g, mean %g');
%! assert (got, [min(v); max(v); mean(v)], 1e-4 * mean (v));
%! said = evalc_of (@() knng.tsne (ones (4, 2), 'MaxIter', 2, 'Verbose', 2));
%! assert (~isempty (strfind (said, 'all neighbours weigh the same')));
%! assert (evalc_of (@() knng.tsne (X, short{:})), '');

%!test  # a far point does not change what the others weigh; points far apart on the map stay where they are, about
%! A = sparse (1:30, 1, [1:29, 1e30], 30, 30);
%! P = knng.internal.tsne ('weigh', A, 5);
%! p = full (P(:, 1));
%! assert (2 ^ -sum (p(p > 0) .* log2 (p(p > 0))), 5, 1e-7);
%! assert (p(30) < 1e-300);
%! X = reshape (knng.internal.random (4, 300), 100, 3);
%! far = 1e11 * reshape (knng.internal.random (5, 200), 100, 2);
%! [Y, loss] = knng.tsne (X, 'InitialY', far, 'MaxIter', 10);
%! assert (loss > 0 && max (abs (Y(:))) < 1e12, 'loss %g, up to %g', loss, max (abs (Y(:))));

%!test  # exactly: all points, and each counts; the loss is that of the definition
%! X = reshape (knng.internal.random (2, 120), 40, 3);
%! D = sqrt (sumsq (permute (X, [1 3 2]) - permute (X, [3 1 2]), 3));
%! P = zeros (40);
%! for i = 1:40
%!   p = @(b) exp (-b * D(i, :) .^ 2) .* ((1:40) ~= i) / sum (exp (-b * D(i, :) .^ 2) .* ((1:40) ~= i));
%!   entropy = @(p) -sum (p(p > 0) .* log2 (p(p > 0)));
%!   P(i, :) = p (fzero (@(b) entropy (p (b)) - log2 (8), [0.01 1e4]));
%! end
%! P = (P + P') / 80;
%! [Y, loss] = knng.tsne (X, 'Algorithm', 'EXACT', 'Perplexity', 8, 'MaxIter', 60);
%! Q = 1 ./ (1 + sumsq (permute (Y, [1 3 2]) - permute (Y, [3 1 2]), 3));
%! Q(1:41:end) = 0;
%! Q /= sum (Q(:));
%! on = P > 0;
%! assert (loss, sum (P(on) .* log (P(on) ./ Q(on))), 1e-6);
%! assert (knng.tsne (knngraph (X, 39), 'Theta', 0, 'Perplexity', 8, 'MaxIter', 60, 'InitialY', knng.tsne (X, 'MaxIter', 0)), Y);

%!test  # starts, components, what may be left out, numbers of dimensions
%! X = reshape (knng.internal.random (5, 600), 200, 3) .* [3 2 1];
%! S = knng.tsne (X, 'MaxIter', 0);
%! [~, score] = knng.pca (X, 'NumComponents', 2);
%! assert (S, 1e-4 * score / std (score(:, 1), 1), 2e-7);
%! assert (std (knng.tsne (X, 'MaxIter', 0, 'InitialY', 'Random'))(1) / 1e-4, 1, 0.1);
%! assert (size (knng.tsne (X, 'InitialY', 1e-4 * X, 'MaxIter', 5)), [200 3]);
%! assert (size (knng.tsne (X, 'NumDimensions', 1, 'MaxIter', 5)), [200 1]);
%! assert (size (knng.tsne (knngraph (X, 9), 'NumDimensions', 3, 'MaxIter', 5)), [200 3]);
%! assert (knng.tsne (X, 'InitialY', X(:, 1:2), 'MaxIter', 0), X(:, 1:2));
%! assert (knng.tsne (X, 'NumPCAComponents', 2, 'MaxIter', 5, 'InitialY', X), knng.tsne (score, 'MaxIter', 5, 'InitialY', X), 1e-9);
%! short = {'MaxIter', 5, 'InitialY', 1e-4 * X(:, 1:2)};
%! far = [100 0 0] + X .* [0.01 1 100];
%! plain = (far - mean (far)) ./ std (far);
%! assert (knng.tsne (far, 'Standardize', true, short{:}), knng.tsne (plain, short{:}), 1e-9);
%! assert (norm (knng.tsne (far, short{:}) - knng.tsne (far, short{:}, 'Standardize', 1)) > 1e-3);
%! assert (knng.tsne (far, 'Standardize', true, 'MaxIter', 0), knng.tsne (plain, 'MaxIter', 0), 1e-6);
%! assert (~isequal (knng.tsne (X, 'Exaggeration', 4, 'MaxIter', 9), knng.tsne (X, 'MaxIter', 9)));
%! assert (~isequal (knng.tsne (X, 'LearnRate', 500, 'MaxIter', 9), knng.tsne (X, 'MaxIter', 9)));
%! assert (knng.tsne (X, 'LearnRate', 50, 'MaxIter', 9), knng.tsne (X, 'MaxIter', 9));

%!test  # points without edges, parts, equal points, next to no points, large numbers
%! warning ('off', 'knng:data:nonFinite', 'local');
%! Y = knng.tsne ([1 2; NaN 1; 3 4; 5 5; 9 8], 'MaxIter', 20);
%! assert (isnan (Y(:, 1))', logical ([0 1 0 0 0]));
%! assert (isnan (knng.tsne (sparse ([0 Inf 0; 1 0 0; 0 0 5]), 'MaxIter', 9)), logical ([0 0; 0 0; 1 1]));
%! [Y, loss] = knng.tsne ([1 2 3]);
%! assert (Y, NaN (1, 2));
%! assert (loss, 0);
%! [Y, loss] = knng.tsne (sparse (0, 0));
%! assert (size (Y), [0 2]);
%! assert (isfinite (knng.tsne ([1; 1])), true (2));
%! Y = knng.tsne (zeros (40, 2), 'MaxIter', 50);
%! assert (rows (unique (Y, 'rows')), 40);
%! Y = knng.tsne (1e150 * magic (12), 'MaxIter', 50);
%! assert (all (isfinite (Y(:))) && std (Y(:)) > 0);
%! Y = knng.tsne (blkdiag (knngraph ((1:60)', 6), knngraph ((1:30)', 6)), 'MaxIter', 300);
%! [i, j] = find (knngraph (Y, 2));
%! assert (i > 60, j > 60);

%!error <has an OutputFcn, and none is called here> knng.tsne (magic (4), 'Options', struct ('OutputFcn', @(v, s) false))
%!error <'Verbose' is 3: it must be> knng.tsne (magic (4), 'Verbose', 3)
%!error id=knng:args:option knng.tsne (magic (4), 'Verbose', 1, 'NumPrint', 0)
%!error id=knng:args:count knng.tsne ()
%!error id=knng:args:class knng.tsne ('a')
%!error id=knng:args:unknownOption knng.tsne (magic (4), 'K', 3)
%!error <^a 0-by-0 double and 2 stand behind X, .* knng.tsne \(X, 'NumDimensions', 2\)> knng.tsne (magic (4), [], 2)
%!error <^a 4-by-1 double and 3 stand behind X, .* knng.tsne \(X, 'NumDimensions', 3\)> knng.tsne (magic (4), [1; 1; 2; 2], 3, 30)
%!error <'Distance' is for points> knng.tsne (sparse ([0 1; 1 0]), 'Distance', 'cosine')
%!error <'Standardize' is for points> knng.tsne (sparse ([0 1; 1 0]), 'Standardize', true)
%!error <'Standardize' is 2: it must be true or false> knng.tsne (magic (4), 'Standardize', 2)
%!error <'NumPCAComponents' is for points> knng.tsne (sparse ([0 1; 1 0]), 'NumPCAComponents', 2)
%!error id=knng:args:dist knng.tsne (sparse ([0 -1; 1 0]))
%!assert (knng.tsne (sparse (5, 5), 'Perplexity', 2), NaN (5, 2))
%!error <'Perplexity' is 30, but there are 4 points: it must be a number from 1 to 3> knng.tsne (magic (4), 'Perplexity', 30)
%!error <'Perplexity' is 3, but points of this graph have 2 neighbours> knng.tsne (knngraph (magic (4), 2), 'Perplexity', 3)
%!error id=knng:args:option knng.tsne (magic (4), 'Perplexity', 0)
%!error id=knng:args:option knng.tsne (magic (4), 'NumDimensions', 4)
%!error id=knng:args:option knng.tsne (magic (4), 'Exaggeration', 0.5)
%!error id=knng:args:option knng.tsne (magic (4), 'LearnRate', 0)
%!error id=knng:args:option knng.tsne (magic (4), 'MaxIter', 1.5)
%!error id=knng:args:option knng.tsne (magic (4), 'Options', 5)
%!error id=knng:args:option knng.tsne (magic (4), 'Algorithm', 'fft')
%!error id=knng:args:option knng.tsne (magic (4), 'Theta', 1.5)
%!error id=knng:args:option knng.tsne (magic (4), 'Seed', -1)
%!error <'InitialY' is 'svd': it must be 'pca', 'spectral', 'random' or a matrix> knng.tsne (magic (4), 'InitialY', 'svd')
%!error <'InitialY' is 'pca': it must be 'spectral', 'random' or a matrix> knng.tsne (sparse ([0 1; 1 0]), 'InitialY', 'pca')
%!error id=knng:args:start knng.tsne (magic (4), 'InitialY', ones (3, 2))
%!error <row 2 of 'InitialY' has NaN> knng.tsne (magic (4), 'InitialY', [1 2; NaN 1; 1 1; 2 2])
