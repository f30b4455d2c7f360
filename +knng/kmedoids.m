function [idx, C, sumd, D, midx, info] = kmedoids (X, k, varargin)
%KNNG.KMEDOIDS  Clusters of rows around k of them, the medoids.
%   idx = knng.kmedoids (X, k) chooses k rows of the n-by-d matrix X, so that
%   the distances of all rows to the nearest of them are small together. idx,
%   n-by-1, is the number of each row's cluster, from 1 to k. NaN: the row has
%   no distances, as one that holds NaN or Inf.
%   [idx, C, sumd, D, midx] = knng.kmedoids (...) also returns the medoids,
%   k-by-d, C = X(midx, :); for each cluster the sum of the distances of its
%   rows to its medoid, k-by-1; the distance of each row to each medoid, n-by-k;
%   and the rows that are medoids, k-by-1.
%   [..., info] = knng.kmedoids (...) also says how it went (below).
%   [...] = knng.kmedoids (..., 'Name', value, ...) takes options.
%
%   Other than the centres of knng.kmeans, medoids are rows that there are, such
%   as a gene or a patient, any metric will do, and a few rows far away do not
%   draw them to themselves.
%
%   The method is FasterPAM: from k rows to start with, every row is tried in
%   the place of each medoid at once; a swap that makes the sum of all distances
%   smaller is made, until no single swap does. No cluster is empty: a medoid is
%   in its own.
%
%   Options:
%
%     'Distance'     'sqeuclidean' (default), as in MATLAB, or any metric of
%                    knngraph, by its name and not as a function; 'Metric' is
%                    the same
%     'Start'        which rows are medoids at first; default 'plus'
%         'plus'     k rows, drawn one after the other, those far from the ones
%                    before the more likely, by their distance
%         'sample'   k rows, all alike
%         a matrix   k-by-d, or k-by-d-by-r for r replicates: the rows of X that
%                    are nearest to these; k may then be []
%     'Replicates'   how often it starts anew; the run with the least sum of
%                    distances counts; default 1, with an array those in it
%     'MaxIter'      at most so many rounds over all rows; default 100
%     'Algorithm'    'pam' (default): the others of MATLAB find worse medoids,
%                    to save time that this one does not need
%     'Options'      a struct as statset makes it: of its fields MaxIter counts,
%                    where it is not given as an option
%     'Seed'         for all that is drawn, a whole number from 0 on; default 0
%     'MaxMemory', 'Threads', 'Progress'  as in knngraph
%
%   Names, defaults and results are those of MATLAB's kmedoids, but for the
%   fields of info, 'Seed', and 'Start', 'cluster', which there is not; rand
%   keeps its state. The result is defined to the last bit (docs/centres.md):
%   the same X, options and seed give the same bits on every machine, with any
%   number of threads. From the same start the sum of distances is that of
%   fasterpam of the Python package kmedoids, up to rounding. A row is at
%   distance 0 from itself; of equally near medoids the first counts. If the
%   rounds run out there is a warning, knng:data:notConverged. C, sumd and D are
%   single if X is.
%
%   info is a struct:
%     iterations, converged, total, swaps  for each replicate: how many rounds;
%                  whether no swap was left; the sum of all distances; how many
%                  swaps were made
%     replicate    the one that was returned
%     stored       true: all distances were in memory
%     planned      the most memory that it took beside X and results, in bytes
%
%   Columns of large numbers count for more than others, and one of thousands
%   may decide alone: bring columns of different units to one scale before, as
%   in X = knng.normalize (X, 'zscore', 'By', 'columns').
%
%   Cost: on the CPU, all distances once, n*n*d operations, and n*n a round; two
%   to ten rounds mostly. The distances take 8*n*n bytes, 800 MB for n = 10 000.
%   Where there is no room for them, or 'MaxMemory' allows less, they are
%   computed anew in each round, with the same result, which takes longer, in
%   8*n*(d + k + 8) bytes and 64*n more a thread. Ctrl-C stops it. For very many
%   rows see knng.kmeans, or take medoids of a sample.
%
%   Errors: knng:args:k (no whole number from 1 on, or more than there are rows
%   with distances); knng:args:start (it does not fit X and k, has no distances,
%   or two of its rows are nearest to the same row of X); knng:args:maxMemory,
%   knng:memory:host, knng:interrupted; knng:args:class, :sparse, :complex,
%   :dims, :empty, :rows, :metric, :option, :unknownOption, :count. Warnings:
%   knng:data:notConverged; knng:data:lists (X looks like idx of knngraph);
%   knng:data:fill (X has numbers that may stand for missing values, as -9999);
%   and, for rows in no cluster, knng:data:nonFinite and knng:data:constant.
%
%   Sources: L. Kaufman, P. Rousseeuw, Finding Groups in Data, Wiley (1990); E.
%   Schubert, P. Rousseeuw, Information Systems 101 (2021) 101804, FasterPAM.
%
%   Example:
%     X = [1 1; 1 2; 2 1; 8 8; 8 9; 9 8; 15 15];
%     [idx, C, sumd, D, midx] = knng.kmedoids (X, 2, 'Distance', 'cityblock');
%     sort (midx)'                        % 1 4
%     [idx, C] = knng.kmedoids (X, 3, 'Distance', 'cityblock');
%     sortrows (C)                        % [1 1; 8 8; 15 15]
%
%   See also knng.kmeans, knng.evalclusters, knng.silhouette, knng.scatter,
%   knngraph.

  if (nargin < 2)
    error ('knng:args:count', ['knng.kmedoids needs a matrix and a number of clusters, as in knng.kmedoids (X, 3): see help ' ...
           'knng.kmedoids']);
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  if (ischar (k))                                            % an option: [] may stand where centres are given
    knng.internal.check_clusters (k, Inf);
  end
  knng.internal.doubt_filled (X);
  knng.internal.doubt_lists (X, 'clusters of a graph are made by knng.leiden and knng.mstknn');
  opt = struct ('Distance', 'sqeuclidean', 'Start', 'plus', 'Replicates', [], 'MaxIter', [], 'Algorithm', 'pam', 'Options', [], ...
                'Seed', 0, 'MaxMemory', [], 'Threads', [], 'Progress', 'auto');
  [opt, given] = knng.internal.options (opt, varargin);
  how = knng.internal.engine (given, {'MaxMemory', 'Threads', 'Progress'});
  opt = checked (opt);
  metric = knng.internal.metric_by_name (opt.Distance, ['in the place of medoids cut the tree of these: ' ...
                                         'knng.cluster (knng.linkage (y, ''average''), ''MaxClust'', k)']);
  [kind, start, k] = starts (X, k, metric, opt, how);

  memory = 0;
  if (~isempty (opt.MaxMemory))
    memory = opt.MaxMemory;
  end
  args = {X, metric, k, kind, start, opt.MaxIter, memory, struct('Threads', opt.Threads, 'Progress', opt.Progress)};
  if (nargout > 3)
    [idx, midx, sumd, runs, found, D] = knng.internal.kmedoids (args{:});
  else
    [idx, midx, sumd, runs, found] = knng.internal.kmedoids (args{:});
    D = [];
  end
  idx(idx == 0) = NaN;
  C = X(midx, :);
  if (isa (X, 'single'))
    [sumd, D] = deal (single (sumd), single (D));
  end
  info = struct ('iterations', abs (runs(:, 1)), 'converged', runs(:, 1) > 0, 'total', runs(:, 2), 'swaps', runs(:, 3), ...
                 'replicate', found.replicate, 'stored', found.stored > 0, 'planned', found.planned);
  warn (info, found, X, metric, opt.MaxIter);
end

function warn (info, found, X, metric, most)
  knng.internal.warn_left_out (found, X, metric);
  if (~info.converged(info.replicate))
    warning ('knng:data:notConverged', ['after %s there were still swaps to make: give a larger ''MaxIter'', or take the ' ...
             'clusters as they are'], knng.internal.count_of (most, 'round'));
  end
end

function opt = checked (opt)
% The options with values as the rest has them.
  if (isstruct (opt.Options) && isscalar (opt.Options))
    if (isfield (opt.Options, 'MaxIter') && isequal (opt.MaxIter, []))
      opt.MaxIter = opt.Options.MaxIter;
    end
  elseif (~isequal (opt.Options, []))
    error ('knng:args:option', '''Options'' is %s: it must be a struct, as statset makes it', knng.internal.given (opt.Options));
  end
  if (isequal (opt.MaxIter, []))
    opt.MaxIter = 100;
  end
  if (numel (opt.MaxIter) ~= 1 || ~knng.internal.whole (opt.MaxIter, 1, 1e9))
    error ('knng:args:option', '''MaxIter'' is %s: it must be a whole number, 1 to 1e9', knng.internal.given (opt.MaxIter));
  end
  opt.MaxIter = full (double (opt.MaxIter));
  if (~isequal (opt.Replicates, []) && (numel (opt.Replicates) ~= 1 || ~knng.internal.whole (opt.Replicates, 1, 1e6)))
    error ('knng:args:option', '''Replicates'' is %s: it must be a whole number, 1 to 1e6', knng.internal.given (opt.Replicates));
  end
  opt.Replicates = full (double (opt.Replicates));
  if (~knng.internal.is_one_of (opt.Algorithm, {'pam'}))
    error ('knng:args:option', '''Algorithm'' is %s: it must be ''pam'', the only one here', knng.internal.given (opt.Algorithm));
  end
  knng.internal.check_seed (opt.Seed);
end

function [kind, start, k] = starts (X, k, metric, opt, how)
% What knng.internal.kmedoids takes: random numbers that draw the first medoids, or their rows, k-by-r.
  [n, d] = size (X);
  start = opt.Start;
  if (~isnumeric (start))
    if (~knng.internal.is_one_of (start, {'plus', 'sample'}))
      some = '';
      if (knng.internal.is_one_of (start, {'cluster'}))
        some = ', as of some of the rows, [~, C] = knng.kmedoids (X(1:10:end, :), k)';
      end
      error ('knng:args:option', '''Start'' is %s: it must be ''plus'', ''sample'' or a matrix of places%s', knng.internal.given (start), some);
    end
    kind = find (strcmpi (start, {'plus', 'sample'})) - 1;
    k = knng.internal.check_clusters (k, n);
    runs = max ([1, opt.Replicates]);
    start = reshape (knng.internal.random (opt.Seed, k * runs), k, runs);
    return
  end
  if (isequal (k, []))
    k = size (start, 1);
  end
  k = knng.internal.check_clusters (k, n);
  kind = 2;
  runs = size (start, 3);
  if (~isreal (start) || ndims (start) > 3 || size (start, 2) ~= d || size (start, 1) ~= k || runs < 1)
    error ('knng:args:start', '''Start'' is %s: it must have a row for each of %d medoids, and %d columns as X', ...
           knng.internal.given (start), k, d);
  elseif (~isempty (opt.Replicates) && opt.Replicates ~= runs)
    error ('knng:args:start', '''Start'' has %d sets of medoids, and ''Replicates'' is %d: leave ''Replicates'' out', ...
           runs, opt.Replicates);
  elseif (~all (isfinite (start(:))))
    error ('knng:args:start', '''Start'' holds NaN or Inf: give finite places');
  end
  places = reshape (permute (full (double (start)), [1 3 2]), k * runs, d);
  state = warning ('off', 'knng:data:nonFinite');            % it is said below
  state(2) = warning ('off', 'knng:data:constant');
  back = onCleanup (@() warning (state));
  start = reshape (knng.knnsearch (double (X), places, 'Distance', metric, how{:}), k, runs);
  bad = find (start(:) == 0, 1);
  if (~isempty (bad))
    error ('knng:args:start', 'row %d of ''Start'' has no ''%s'' distances: it is constant or 0, or all rows of X are', ...
           mod (bad - 1, k) + 1, metric);
  end
  for r = 1:runs
    [sorted, order] = sort (start(:, r));
    same = find (diff (sorted) == 0, 1);
    if (~isempty (same))
      error ('knng:args:start', 'rows %d and %d of ''Start'' are both nearest to row %d of X: give places near different rows', ...
             order(same), order(same + 1), sorted(same));
    end
  end
end

%!function [m, total, rounds, swaps] = plainly (W, m, most)
%!  # docs/centres.md, 7
%!  n = rows (W);
%!  near = @(m) sort (W(:, m), 2);
%!  [since, at, rounds, swaps] = deal (0);
%!  total = sum (min (W(:, m), [], 2));
%!  while (since < n && rounds < most)
%!    at = mod (at, n) + 1;
%!    since += 1;
%!    if (! any (m == at))
%!      for b = 1:numel (m)
%!        t(b) = sum (min (W(:, [m([1:b-1, b+1:end]), at]), [], 2));
%!      end
%!      [least, b] = min (t);
%!      if (least < total - 1e-9 * total)
%!        [m(b), total, since] = deal (at, least, 1);
%!        swaps += 1;
%!      end
%!    end
%!    rounds += at == n;
%!  end
%!  rounds += at < n;
%!endfunction

%!test <*1>
%! X = [1 1; 1 2; 2 1; 8 8; 8 9; 9 8; 15 15];
%! [idx, C, sumd, D, midx] = knng.kmedoids (X, 2, 'Distance', 'cityblock');
%! assert (sort (midx)', [1 4]);
%! [idx, C, sumd, D, midx, info] = knng.kmedoids (X, 3, 'Distance', 'cityblock');
%! assert (sortrows (C), [1 1; 8 8; 15 15]);
%! assert (sort (sumd), [0; 2; 2]);
%! assert (size (D), [7 3]);
%! assert (info.converged && info.stored && info.total == 4);

%!test  # the method in plain loops, of all metrics; what belongs together
%! X = reshape (knng.internal.random (1, 240), 60, 4);
%! for metric = {'sqeuclidean', 'euclidean', 'cityblock', 'pearson', 'antipearson'}
%!   W = zeros (60);
%!   [i, d] = knngraph (X, 59, metric{1});
%!   W(sub2ind ([60 60], repmat ((1:60)', 1, 59), i)) = d;
%!   for k = [2 5 11]
%!     if (strcmp (metric{1}, 'antipearson'))                # a row is not the nearest to itself
%!       [idx, C, sumd, D, midx] = knng.kmedoids (X, k, 'Distance', metric{1}, 'Start', 'sample');
%!     else
%!       [idx, C, sumd, D, midx, info] = knng.kmedoids (X, k, 'Distance', metric{1}, 'Start', X(1:k, :));
%!       [m, total, rounds, swaps] = plainly (W, 1:k, 100);
%!       assert (midx, m');
%!       assert (info.total, total, 1e-13 * total);
%!       assert ([info.iterations, info.swaps], [rounds, swaps]);
%!     end
%!     assert (D, W(:, midx));
%!     [least, at] = min (D, [], 2);
%!     assert (idx, at);
%!     assert (sumd, accumarray (idx, least), 1e-13);
%!     assert (C, X(midx, :));
%!   end
%! end

%!test  # fasterpam of the package kmedoids 0.5.5, of these numbers, from the first rows
%! X = mod ((1:200)' * [0.7548776662 0.5698402910 0.4142135624], 1);
%! for k = [1 3 10 40; 97.07897982735558 73.69549175940014 45.267866719739935 24.135621443493303]
%!   [~, ~, ~, ~, ~, info] = knng.kmedoids (X, k(1), 'Distance', 'euclidean', 'Start', X(1:k(1), :));
%!   assert (info.total, k(2), 1e-12 * k(2));
%! end

%!test  # starts, replicates, threads and memory; the order of the results
%! X = reshape (knng.internal.random (2, 1500), 500, 3);
%! [idx, C, sumd, D, midx, info] = knng.kmedoids (X, 7, 'Replicates', 4, 'Seed', 5);
%! assert (size (info.total), [4 1]);
%! assert (sum (sumd), min (info.total), 1e-12);
%! assert (numel (unique (info.total)) > 1 && info.total(info.replicate) == min (info.total));
%! [i, c, s, d, m, few] = knng.kmedoids (X, 7, 'Replicates', 4, 'Seed', 5, 'Threads', 3, 'MaxMemory', 2e5);
%! assert (isequal ({i, c, s, d, m}, {idx, C, sumd, D, midx}));
%! assert (few.stored, false);
%! assert (few.planned <= 2e5 && few.total == info.total);
%! [~, ~, ~, ~, again, info] = knng.kmedoids (X, [], 'Start', C);
%! assert (again, midx);
%! assert (info.swaps, 0);
%! [~, ~, ~, ~, m, info] = knng.kmedoids (X, 7, 'Start', cat (3, C, X(1:7, :)));
%! assert (numel (info.total), 2);
%! a = knng.kmedoids (X, 7, 'Start', 'sample', 'Seed', 1, 'MaxIter', 50);
%! assert (knng.kmedoids (X, 7, 'Start', 'SAMPLE', 'Seed', 1, 'Options', struct ('MaxIter', 50)), a);

%!test  # few rows, as many clusters as rows, equal rows, rows without distances, huge distances
%! assert (knng.kmedoids (5, 1), 1);
%! assert (sort (knng.kmedoids ((1:4)', 4)), (1:4)');
%! [idx, C, sumd, D, midx] = knng.kmedoids ([3; 3; 3; 3], 3);
%! assert (sort (unique (idx))', 1:3);
%! assert (numel (unique (midx)), 3);
%! assert (sumd, [0; 0; 0]);
%! warning ('off', 'knng:data:nonFinite', 'local');
%! warning ('off', 'knng:data:constant', 'local');
%! [idx, C, sumd, D, midx] = knng.kmedoids (single ([1; NaN; 2; Inf; 9]), 2, 'Start', [1; 9]);
%! assert (idx, [1; NaN; 1; NaN; 2]);
%! assert ({C, class(sumd), class(D), midx}, {single([1; 9]), 'single', 'single', [1; 5]});
%! assert (isnan (D(2, :)), [true true]);
%! assert (isnan (knng.kmedoids ([1 2 3; 5 5 5; 3 2 1], 2, 'Distance', 'correlation'))', logical ([0 1 0]));
%! X = [1; 2; 8; 9];
%! for scale = [1e-160 1e160 1e300]
%!   [idx, C, sumd] = knng.kmedoids (scale * X, 2, 'Start', scale * [1; 9], 'Distance', 'cityblock');
%!   assert (idx', [1 1 2 2]);
%! end
%! [idx, C, sumd] = knng.kmedoids (1e160 * X, 2);           # squares overflow: all are as far
%! assert (sumd, [Inf; 0](1 + (accumarray (idx, 1) == 1)));

%!test  # warnings
%! warning ('off', 'knng:data:notConverged', 'local');
%! X = reshape (knng.internal.random (3, 900), 300, 3);
%! lastwarn ('', '');
%! [~, ~, ~, ~, ~, info] = knng.kmedoids (X, 9, 'MaxIter', 1);
%! [~, id] = lastwarn ();
%! assert (info.converged, false);
%! assert (info.iterations, 1);
%!error id=knng:args:option knng.kmedoids ([0 0; 1 0], 1, 'Start', cell (5, 0))
%!error id=knng:args:count knng.kmedoids (1)
%!error id=knng:args:k knng.kmedoids ([1; 2], 3)
%!error id=knng:args:k knng.kmedoids ([1; 2], 1.5)
%!error <^k is 'Distance': it must be the number of clusters> knng.kmedoids (magic (4), 'Distance', 'pearson')
%!error <k is 2: there are no more clusters than rows with distances, 1 of 3 here> knng.kmedoids ([NaN; 2; Inf], 2)
%!error id=knng:args:start knng.kmedoids ([1; 2], 2, 'Start', 1)
%!error <rows 1 and 2 of 'Start' are both nearest to row 2> knng.kmedoids ([1; 2], 2, 'Start', [3; 4])
%!error <'Start' holds NaN> knng.kmedoids ([1; 2], 1, 'Start', NaN)
%!error <'Start' has 1 sets> knng.kmedoids ([1; 2], 1, 'Start', 1, 'Replicates', 2)
%!error <row 1 of 'Start' has no 'pearson'> knng.kmedoids ([1 2; 2 1], 1, 'Start', [1 1], 'Distance', 'pearson')
%!error <'Start' is 'cluster': it must be .* as of some of the rows> knng.kmedoids ([1; 2], 1, 'Start', 'cluster')
%!error <'Algorithm' is 'clara': it must be 'pam'> knng.kmedoids ([1; 2], 1, 'Algorithm', 'clara')
%!error id=knng:args:option knng.kmedoids ([1; 2], 1, 'MaxIter', 0)
%!error id=knng:args:option knng.kmedoids ([1; 2], 1, 'Replicates', 0)
%!error id=knng:args:option knng.kmedoids ([1; 2], 1, 'Options', 3)
%!error id=knng:args:maxMemory knng.kmedoids (magic (9), 2, 'MaxMemory', 10)
%!error id=knng:args:metric knng.kmedoids ([1; 2], 1, 'Distance', 'euclidian')
%!error <^the metric is a 1-by-1 function_handle: .*the row that pdist returns, .*; in the place of medoids .* 'MaxClust', k\)$> knng.kmedoids ([1; 2], 1, 'Distance', @(x, Y) abs (x - Y))
%!error id=knng:args:metric knng.kmedoids ([1; 2], 1, 'Distance', {'minkowski', 3})
%!error id=knng:args:class knng.kmedoids ('a', 1)
