function [idx, C, sumd, D, info] = kmeans (X, k, varargin)
%KNNG.KMEANS  Clusters of rows around k centres.
%   idx = knng.kmeans (X, k) divides the rows of the n-by-d matrix X among k
%   centres, so that the squared distances of the rows to their centres are
%   small together. idx, n-by-1, is the number of each row's cluster, from 1 to
%   k. NaN: the row has no distances, as one that holds NaN or Inf.
%   [idx, C, sumd, D] = knng.kmeans (...) also returns the centres, k-by-d; for
%   each cluster the sum of the distances of its rows to its centre, k-by-1; and
%   the distance of each row to each centre, n-by-k.
%   [..., info] = knng.kmeans (...) also says how it went (below).
%   [...] = knng.kmeans (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Distance'     default 'sqeuclidean'
%         'sqeuclidean'  squared; centres are means
%         'cityblock'    centres are medians, column by column
%         'cosine'       centres are means of rows scaled to length 1
%         'correlation'  (or 'pearson') likewise of rows that are centred before
%         'hamming'      the share of columns that differ; X is 0 and 1, centres
%                        are medians (0.5 where as many rows have 0 as 1)
%     'Start'        where centres are at first; default 'plus'
%         'plus'     k rows, one after the other: of several that are drawn,
%                    those far from the ones before the more likely, the one
%                    that lowers the sum most (greedy k-means++)
%         'sample'   k rows, all alike
%         'uniform'  points within the range of the columns of X
%         'cluster'  the centres of a tenth of the rows, from a 'sample' of it
%         a matrix   k-by-d, or k-by-d-by-r for r replicates; k may then be []
%     'Replicates'   how often it starts anew; the run with the least sum of
%                    distances counts; default 1, with an array those in it
%     'MaxIter'      at most so many iterations; default 100
%     'EmptyAction'  what becomes of a cluster that has lost its rows; default
%                    'singleton'
%         'singleton'  it gets the row that is farthest from its centre
%         'drop'       it is left out: its rows of C, sumd, D are NaN
%         'error'      an error
%     'OnlinePhase'  what follows once a replicate has converged
%         'off'  nothing (default)
%         'on'   rows are tried one by one, in passes over all of them: a row
%                moves to another cluster if that lowers the sum of all
%                distances, and both centres are made anew. In the end no row
%                that moves lowers the sum. 'MaxIter' counts passes, too.
%                It gains most where clusters are many: with 400 clusters of
%                1500 rows the sum falls by a twelfth
%     'Display'      'off' (default); 'final' prints a line for each replicate,
%                    at the end, and 'iter' the same: there is no line for each
%                    iteration, and no phase or number of rows moved, as MATLAB
%                    prints
%     'Options'      a struct as statset makes it: of its fields MaxIter and
%                    Display count, where they are not given as options
%     'Seed'         for all that is drawn, a whole number from 0 on; default 0
%     'MaxMemory', 'Threads', 'Progress'  as in knngraph
%
%   Names and defaults are those of MATLAB's kmeans, but for 'Seed'; rand keeps
%   its state. The result is defined to the last bit
%   (docs/centres.md): the same X, options and seed give the same bits on every
%   machine, with any number of threads. At the end idx(i) is the centre that is
%   nearest to row i, of equally near ones the first (a row that fills an empty
%   cluster, or 'OnlinePhase' has moved, may stand before a centre that is as
%   near). If iterations run out
%   first there is a warning, knng:data:notConverged, and C may be a little off
%   the means. C, sumd and D are single if X is.
%
%   Distances are not computed where bounds prove that a row stays where it is,
%   and in single precision first where an error bound decides.
%
%   info is a struct:
%     iterations, converged, total  for each replicate: how many iterations;
%                  whether the last changed nothing; the sum of all distances
%     replicate    the one that was returned
%     computed     the share of the n*k distances an iteration that was
%                  computed; 'OnlinePhase' may make it more than 1
%     planned      the most memory that it took beside X, starts and results, in
%                  bytes
%
%   Columns of large numbers count for more than others, and one of thousands
%   may decide alone: bring columns of different units to one scale before, as
%   in X = knng.normalize (X, 'zscore', 'By', 'columns').
%
%   Cost: O(n*k*d) an iteration at most, on the CPU; with 'OnlinePhase' also
%   O(k*d) for each row that moves, by 'cityblock' and 'hamming' O(n) and the
%   numbers in both of its clusters. Memory up to 12*n*d + 80*n
%   bytes, d rounded up to a multiple of 16, or 8*n*d + 80*n where 'MaxMemory'
%   allows no more, which is slower; beside it 16*k*d for each replicate that
%   starts by 'sample', 'uniform', 'cluster' or given centres, which 'MaxMemory'
%   and info.planned do not count. Ctrl-C stops it.
%
%   Errors: knng:args:k (no whole number from 1 on, or more than there are rows
%   with distances); knng:args:start (it does not fit X and k, holds NaN or Inf,
%   or has no distances); knng:args:values ('hamming' of other than 0 and 1);
%   knng:data:emptyCluster ('EmptyAction', 'error'); knng:args:maxMemory,
%   knng:memory:host, knng:interrupted; knng:args:class, :sparse, :complex,
%   :dims, :empty, :rows, :metric, :option, :unknownOption, :count. Warnings:
%   knng:data:notConverged; knng:data:range: a few numbers of a column are so
%   large that means of the others lose digits, or become 0, since centres have
%   what is 2^-66 of the largest: take such rows out; knng:data:lists: X looks
%   like lists of neighbours; knng:data:fill: it has numbers that may stand for
%   missing values, such as -9999; and, for rows in no cluster,
%   knng:data:nonFinite and knng:data:constant.
%
%   Sources: S. Lloyd, IEEE Transactions on Information Theory 28 (1982)
%   129-137; D. Arthur, S. Vassilvitskii, SODA 2007, 1027-1035, k-means++; C.
%   Grunau et al., SODA 2023, 1012-1070, greedy; G. Hamerly, SDM 2010, 130-140,
%   bounds.
%
%   Example:
%     X = [1 1; 1 2; 2 1; 8 8; 8 9; 9 8];
%     [idx, C] = knng.kmeans (X, 2, 'Start', X([1 4], :));
%     idx'                                % 1 1 1 2 2 2
%     C                                   % [4/3 4/3; 25/3 25/3]
%
%   See also knng.evalclusters, knng.silhouette, knng.spectralcluster,
%   knng.dbscan, knng.scatter, knngraph, knng.kmedoids, knng.linkage.

  if (nargin < 2)
    error ('knng:args:count', ['knng.kmeans needs a matrix and a number of clusters, as in knng.kmeans (X, 3): see help ' ...
           'knng.kmeans']);
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  if (ischar (k))                                            % an option: [] may stand where centres are given
    knng.internal.check_clusters (k, Inf);
  end
  knng.internal.doubt_filled (X);
  knng.internal.doubt_lists (X, 'clusters of a graph are made by knng.leiden and knng.mstknn');
  opt = struct ('Distance', 'sqeuclidean', 'Start', 'plus', 'Replicates', [], 'MaxIter', [], 'EmptyAction', 'singleton', ...
                'OnlinePhase', 'off', 'Display', [], 'Options', [], 'Seed', 0, 'MaxMemory', [], 'Threads', [], 'Progress', 'auto');
  [opt, given] = knng.internal.options (opt, varargin);
  knng.internal.engine (given, {'MaxMemory', 'Threads', 'Progress'});
  opt = checked (opt);
  [metric, hamming] = metric_of (X, opt.Distance);
  [start, draws, k] = starts (X, k, metric, opt);

  memory = 0;
  if (~isempty (opt.MaxMemory))
    memory = opt.MaxMemory;
  end
  empty = find (strcmp (opt.EmptyAction, {'singleton', 'error', 'drop'})) - 1;
  args = {X, metric, k, start, draws, opt.MaxIter, empty, memory, double(strcmp (opt.OnlinePhase, 'on')), ...
          struct('Threads', opt.Threads, 'Progress', opt.Progress)};
  wanted = nargout > 3;
  if (wanted && exist ('isargout', 'builtin'))
    wanted = isargout (4); % in [idx, C, sumd, ~, info] it is not
  end
  if (wanted)
    [idx, C, sumd, runs, found, D] = knng.internal.kmeans (args{:});
  else
    [idx, C, sumd, runs, found] = knng.internal.kmeans (args{:});
    D = [];
  end
  idx(idx == 0) = NaN;
  if (hamming)
    [sumd, D, runs(:, 2)] = deal (sumd / size (X, 2), D / size (X, 2), runs(:, 2) / size (X, 2));
  end
  if (isa (X, 'single'))
    [C, sumd, D] = deal (single (C), single (sumd), single (D));
  end
  info = struct ('iterations', abs (runs(:, 1)), 'converged', ~(runs(:, 1) < 0 | (runs(:, 1) == 0)), 'total', runs(:, 2), ...
                 'replicate', found.replicate, 'computed', found.computed, 'planned', found.planned);
  if (~strcmp (opt.Display, 'off'))
    for i = 1:size (runs, 1)
      fprintf ('Replicate %d, %s, total sum of distances = %g.\n', i, knng.internal.count_of (info.iterations(i), 'iteration'), info.total(i));
    end
  end
  warn (info, found, X, metric, opt.MaxIter, k, idx);
end

function warn (info, found, X, metric, most, k, idx)
  knng.internal.warn_left_out (found, X, metric);
  held = ~isnan (idx);
  if (~info.converged(info.replicate) && numel (unique (idx(held))) < k && size (unique (X(held, :), 'rows'), 1) < k)
    warning ('knng:data:notConverged', 'equal rows changed clusters after %s: X has only %s, so ask for no more clusters', ...
             knng.internal.count_of (most, 'iteration'), knng.internal.count_of (size (unique (X(held, :), 'rows'), 1), 'different row'));
  elseif (~info.converged(info.replicate))
    warning ('knng:data:notConverged', ['rows still changed clusters after %s: give a larger ''MaxIter'', or take the ' ...
             'clusters as they are'], knng.internal.count_of (most, 'iteration'));
  end
  if (strcmp (metric, 'sqeuclidean'))
    warn_of_range (X);
  end
end

function warn_of_range (X)
% Of a column in which a few numbers are so large that the means of the others have fewer than eight digits left, or none.
  for l = 1:size (X, 2)
    x = double (X(:, l));
    top = max (max (x), -min (x));
    if (top < Inf && nnz (x < top * 2 ^ -30) == nnz (x <= top * -2 ^ -30))
      continue % none is as small as that, as mostly
    end
    x = abs (x);
    x = x(x > 0 & x < Inf);
    top = max (x);
    most = x(x < top * 2 ^ -30);
    if (2 * numel (most) > numel (x) && top > 2 ^ 40 * mean (most))
      warning ('knng:data:range', ['column %d holds %g, and most of its numbers are around %g: their means may lose digits, or become ' ...
               '0; if so large a number stands for a missing one, make it NaN, or leave out its row'], l, top, mean (most));
      return
    end
  end
end

function opt = checked (opt)
% The options with values as the rest has them.
  if (isstruct (opt.Options) && isscalar (opt.Options))
    for name = {'MaxIter', 'Display'}
      if (isfield (opt.Options, name{1}) && isequal (opt.(name{1}), []))
        opt.(name{1}) = opt.Options.(name{1});
      end
    end
  elseif (~isequal (opt.Options, []))
    error ('knng:args:option', '''Options'' is %s: it must be a struct, as statset makes it', knng.internal.given (opt.Options));
  end
  if (isequal (opt.MaxIter, []))
    opt.MaxIter = 100;
  end
  if (isequal (opt.Display, []))
    opt.Display = 'off';
  end
  if (numel (opt.MaxIter) ~= 1 || ~knng.internal.whole (opt.MaxIter, 1, 1e9))
    error ('knng:args:option', '''MaxIter'' is %s: it must be a whole number, 1 to 1e9', knng.internal.given (opt.MaxIter));
  end
  opt.MaxIter = full (double (opt.MaxIter));
  if (~isequal (opt.Replicates, []) && (numel (opt.Replicates) ~= 1 || ~knng.internal.whole (opt.Replicates, 1, 1e6)))
    error ('knng:args:option', '''Replicates'' is %s: it must be a whole number, 1 to 1e6', knng.internal.given (opt.Replicates));
  end
  opt.Replicates = full (double (opt.Replicates));
  opt.EmptyAction = knng.internal.check_choice ('EmptyAction', opt.EmptyAction, {'singleton', 'error', 'drop'});
  opt.Display = knng.internal.check_choice ('Display', opt.Display, {'off', 'final', 'iter'});
  opt.OnlinePhase = knng.internal.check_choice ('OnlinePhase', opt.OnlinePhase, {'off', 'on'});
  knng.internal.check_seed (opt.Seed);
end

function [metric, hamming] = metric_of (X, name)
  hamming = knng.internal.is_one_of (name, {'hamming'});
  if (hamming)
    if (~all (X(:) == 0 | X(:) == 1 | isnan (X(:))))
      bad = X(find (~(X(:) == 0 | X(:) == 1 | isnan (X(:))), 1));
      error ('knng:args:values', 'X holds %g: ''hamming'' is for 0 and 1; give +(X > 0.5), or another ''Distance''', bad);
    end
    metric = 'cityblock';
    return
  elseif (isa (name, 'function_handle'))
    knng.internal.metric_by_name (name, ['centres are of ''sqeuclidean'', ''cityblock'', ''cosine'', ''correlation'' and ''hamming'' alone, ' ...
                                         'medoids, by knng.kmedoids, of all metrics by name']);
  end
  metric = knng.internal.metric_among (name, {'sqeuclidean', 'cityblock', 'cosine', 'correlation', 'hamming'}, {'hamming'});
  if (~any (strcmp (metric, {'sqeuclidean', 'cityblock', 'cosine', 'pearson'})))
    more = '';
    if (strcmp (metric, 'euclidean'))
      more = ' (''sqeuclidean'' clusters by the euclidean distance, and adds up squares)';
    end
    error ('knng:args:metric', ['%s has no centres here: give ''sqeuclidean'', ''cityblock'', ''cosine'', ''correlation'' or ' ...
           '''hamming''%s'], knng.internal.given (name), more);
  end
end

function [start, draws, k] = starts (X, k, metric, opt)
% The centres to start from, k-by-d-by-r, or [] and the random numbers that draw them.
  [n, d] = size (X);
  runs = max ([1, opt.Replicates]);
  draws = [];
  if (isnumeric (opt.Start))
    [start, k] = given_start (opt.Start, k, d, opt.Replicates);
    knng.internal.check_clusters (k, n);
    return
  end
  kind = check_start (opt.Start);
  k = knng.internal.check_clusters (k, n);
  start = [];
  if (strcmp (kind, 'plus'))
    draws = reshape (knng.internal.random (opt.Seed, k * runs), k, runs);
    return
  end
  good = find (all (isfinite (X), 2));
  if (strcmp (metric, 'pearson'))
    good = good(max (X(good, :), [], 2) > min (X(good, :), [], 2));
  elseif (strcmp (metric, 'cosine'))
    good = good(any (X(good, :), 2));
  end
  if (k > numel (good))
    error ('knng:args:k', 'k is %d: there are no more clusters than rows with distances, %d of %d here', k, numel (good), n);
  end
  start = zeros (k, d, runs);
  if (strcmp (kind, 'uniform'))
    [low, high] = deal (double (min (X(good, :), [], 1)), double (max (X(good, :), [], 1)));
    u = reshape (knng.internal.random (opt.Seed, k * d * runs), k, d, runs);
    for r = 1:runs
      start(:, :, r) = bsxfun (@plus, bsxfun (@times, u(:, :, r), high), bsxfun (@times, 1 - u(:, :, r), low));
    end
    return
  end
  u = reshape (knng.internal.random (opt.Seed, numel (good) * runs), [], runs);
  some = floor (numel (good) / 10);
  threads = {};
  if (~isempty (opt.Threads))
    threads = {'Threads', opt.Threads};
  end
  for r = 1:runs
    [~, order] = sort (u(:, r));
    if (strcmp (kind, 'cluster') && some > k)
      part = X(sort (good(order(1:some))), :);
      state = warning ('off', 'knng:data:notConverged');
      state(2) = warning ('off', 'knng:data:fill');          % which was said of all rows
      back = onCleanup (@() warning (state));
      [~, C] = knng.kmeans (part, k, 'Distance', metric, 'Start', 'sample', 'Seed', opt.Seed, 'MaxIter', opt.MaxIter, ...
                            threads{:});
      back = [];
      start(:, :, r) = C;
    else
      start(:, :, r) = X(good(order(1:k)), :);
    end
  end
end

function kind = check_start (start)
  kinds = {'plus', 'sample', 'cluster', 'uniform'};
  if (~knng.internal.is_one_of (start, kinds))
    error ('knng:args:option', ['''Start'' is %s: it must be ''plus'', ''sample'', ''cluster'', ''uniform'' or a matrix of ' ...
           'centres'], knng.internal.given (start));
  end
  kind = lower (start);
end

function [start, k] = given_start (start, k, d, replicates)
  if (isequal (k, []))
    k = size (start, 1);
  end
  fits = isreal (start) && ndims (start) <= 3 && size (start, 2) == d && size (start, 1) > 0 && size (start, 3) > 0;
  if (numel (k) ~= 1 || ~knng.internal.whole (k, 1, 2 ^ 53))
    error ('knng:args:k', 'k is %s: it must be the number of clusters, one whole number from 1 on', knng.internal.given (k));
  end
  k = full (double (k));
  if (~fits || size (start, 1) ~= k)
    error ('knng:args:start', '''Start'' is %s: it must have a row for each of %d centres, and %d columns as X', ...
           knng.internal.given (start), k, d);
  elseif (~isempty (replicates) && replicates ~= size (start, 3))
    error ('knng:args:start', '''Start'' has %s of centres, and ''Replicates'' is %d: leave ''Replicates'' out', ...
           knng.internal.count_of (size (start, 3), 'set'), replicates);
  elseif (~all (isfinite (start(:))))
    error ('knng:args:start', '''Start'' holds NaN or Inf: give finite centres');
  end
  start = full (double (start));
end

%!function [idx, C, rounds] = plainly (X, C)
%!  # the definition of docs/centres.md for whole numbers, of which every sum is exact
%!  idx = [];
%!  for rounds = 1:100
%!    D = zeros (rows (X), rows (C));
%!    for j = 1:rows (C)
%!      D(:, j) = sum ((X - C(j, :)) .^ 2, 2);
%!    end
%!    [~, next] = min (D, [], 2);
%!    if (isequal (next, idx))
%!      return
%!    end
%!    idx = next;
%!    for j = 1:rows (C)
%!      C(j, :) = sum (X(idx == j, :), 1) / sum (idx == j);
%!    end
%!  end
%!endfunction

%!test <*1>
%! X = [1 1; 1 2; 2 1; 8 8; 8 9; 9 8];
%! [idx, C, sumd, D, info] = knng.kmeans (X, 2, 'Start', X([1 4], :));
%! assert (idx, [1; 1; 1; 2; 2; 2]);
%! assert (C, [4/3 4/3; 25/3 25/3]);
%! assert (sumd, [4/3; 4/3], 1e-14);
%! assert (size (D), [6 2]);
%! assert (info.iterations, 2);
%! assert (info.converged);

%!test  # what KMeans of scikit-learn 1.9.1 gives from the same start
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! [idx, C, sumd] = knng.kmeans (X, 3, 'Start', X([1 4 10], :));
%! assert (idx', [1 1 2 2 1 3 2 1 1 3 2 3]);
%! assert (C, [43 30.8 13.4; 38.25 27.75 67; 81 206/3 188/3], 1e-13);
%! assert (sum (sumd), 15398.833333333334, 1e-9);

%!test  # the example of MATLAB's signature: all outputs, replicates, a tie goes to the first centre
%! [idx, C] = knng.kmeans ([0; 2; 1], [], 'Start', [0; 2]);
%! assert ({idx, C}, {[1; 2; 1], [0.5; 2]});
%! X = reshape (knng.internal.random (2, 600), 200, 3);
%! [idx, C, sumd, D, info] = knng.kmeans (X, 7, 'Replicates', 4, 'Seed', 5);
%! assert (numel (info.total), 4);
%! assert (sum (sumd), min (info.total));
%! [least, at] = min (D, [], 2);
%! assert (idx, at);
%! assert (accumarray (idx, least), sumd, 1e-12);
%! assert (knng.kmeans (X, 7, 'Replicates', 4, 'Seed', 5, 'Threads', 3), idx);
%! again = knng.kmeans (X, 7, 'Start', C);
%! assert (again, idx);

%!test  # plain loops, for whole numbers to the last bit
%! X = floor (100 * reshape (knng.internal.random (7, 1500), 500, 3));
%! X(:, 3) += 1000;
%! [idx, C, rounds] = plainly (X, X(1:50:500, :));
%! [got, centres, ~, ~, info] = knng.kmeans (X, 10, 'Start', X(1:50:500, :));
%! assert (got, idx);
%! assert (info.iterations, rounds);
%! assert (centres, C, 1e-12);

%!test  # metrics
%! X = reshape (knng.internal.random (3, 1200), 300, 4);
%! [idx, C, ~, D] = knng.kmeans (X, 5, 'Distance', 'cityblock');
%! for j = 1:5
%!   assert (C(j, :), median (X(idx == j, :), 1), 1e-15);
%! end
%! assert (D(:, 2), sum (abs (X - C(2, :)), 2), 1e-14);
%! U = X ./ sqrt (sum (X .^ 2, 2));
%! [idx, C, ~, D] = knng.kmeans (X, 5, 'Distance', 'cosine');
%! assert (C(3, :), mean (U(idx == 3, :), 1), 1e-14);
%! assert (D(:, 3), 1 - U * (C(3, :) / norm (C(3, :)))', 1e-14);
%! U = X - mean (X, 2);
%! U = U ./ sqrt (sum (U .^ 2, 2));
%! [idx, C, ~, D] = knng.kmeans (X, 5, 'Distance', 'correlation');
%! assert (C(3, :), mean (U(idx == 3, :), 1), 1e-14);
%! assert (D(:, 3), 1 - U * (C(3, :) / norm (C(3, :)))', 1e-14);
%! B = double (X > 0.5);
%! [idx, C, sumd, D] = knng.kmeans (B, 3, 'Distance', 'hamming');
%! assert (D(:, 1), mean (abs (B - C(1, :)), 2), 1e-15);
%! [~, ~, sumd, ~, info] = knng.kmeans (B, 3, 'Distance', 'hamming');
%! assert (info.total, sum (sumd), 1e-12);

%!test  # few rows, as many clusters as rows, equal rows, rows without distances
%! assert (knng.kmeans (5, 1), 1);
%! assert (knng.kmeans ([1 2 3], 1, 'Distance', 'correlation'), 1);
%! assert (sort (knng.kmeans ((1:4)', 4)), (1:4)');
%! warning ('off', 'knng:data:nonFinite', 'local');
%! warning ('off', 'knng:data:constant', 'local');
%! [idx, C, sumd, D] = knng.kmeans ([1; NaN; 2; Inf; 9], 2, 'Start', [1; 9]);
%! assert (idx, [1; NaN; 1; NaN; 2]);
%! assert (C, [1.5; 9]);
%! assert (D(2, :), [NaN NaN]);
%! [idx, C, sumd] = knng.kmeans ([3; 3; 3; 3], 3);
%! assert (sort (unique (idx))', 1:3);
%! assert (sumd, [0; 0; 0]);
%! assert (isnan (knng.kmeans ([1 2 3; 5 5 5; 3 2 1], 2, 'Distance', 'correlation'))', logical ([0 1 0]));
%! X = [1; 2; 8; 9];                                       # squares that underflow or overflow
%! assert (knng.kmeans (1e-160 * X, 2, 'Start', 1e-160 * [1; 9])', [1 1 2 2]);
%! assert (knng.kmeans (1e160 * X, 2, 'Start', 1e160 * [1; 9])', [1 1 1 2]);
%! assert (knng.kmeans (1e-300 * X, 2, 'Start', 1e-300 * [1; 9])', [2 1 1 1]);

%!test  # a cluster that loses its rows
%! X = [0; 1; 2; 10];
%! assert (knng.kmeans (X, 3, 'Start', [0; 10; 50]), [1; 1; 3; 2]);
%! [idx, C, sumd, D] = knng.kmeans (X, 3, 'Start', [0; 10; 50], 'EmptyAction', 'drop');
%! assert ({idx, C, sumd}, {[1; 1; 1; 2], [1; 10; NaN], [2; 0; NaN]});
%! assert (isnan (D(:, 3)), true (4, 1));

%!test  # singles, starts of every kind, what statset makes
%! X = single (reshape (knng.internal.random (4, 900), 300, 3));
%! [idx, C, sumd, D] = knng.kmeans (X, 4);
%! assert ({class(idx), class(C), class(sumd), class(D)}, {'double', 'single', 'single', 'single'});
%! assert (idx, knng.kmeans (double (X), 4));
%! for start = {'plus', 'sample', 'uniform', 'cluster'}
%!   [idx, ~, ~, ~, info] = knng.kmeans (X, 4, 'Start', start{1}, 'Replicates', 2, 'Seed', 1);
%!   assert (knng.kmeans (X, 4, 'start', start{1}, 'rep', 2, 'seed', 1), idx);
%! end
%! warning ('off', 'knng:data:notConverged', 'local');
%! [~, ~, ~, ~, info] = knng.kmeans (X, 4, 'Options', struct ('MaxIter', 2, 'UseParallel', false));
%! assert (info.iterations, 2);
%! assert (info.converged, false);

%!function total = cost_of (X, idx, metric)
%!  # the least sum of distances that these clusters can have, from nothing but them
%!  total = 0;
%!  if (strcmp (metric, 'correlation'))
%!    X = X - mean (X, 2);
%!  end
%!  if (any (strcmp (metric, {'cosine', 'correlation'})))
%!    X = X ./ sqrt (sum (X .^ 2, 2));
%!  end
%!  for j = unique (idx(:))'
%!    x = X(idx == j, :);
%!    switch (metric)
%!      case 'sqeuclidean'
%!        total += sum (sum ((x - mean (x, 1)) .^ 2));
%!      case 'cityblock'
%!        total += sum (sum (abs (x - median (x, 1))));
%!      case 'hamming'
%!        total += sum (sum (abs (x - median (x, 1)))) / columns (x);
%!      otherwise
%!        total += rows (x) - norm (sum (x, 1));
%!    end
%!  end
%!endfunction

%!test  # 'OnlinePhase': no single row can lower the sum, and it lowers what Lloyd's iterations leave
%! data = reshape (knng.internal.random (8, 600), 60, 10);
%! for metric = {'sqeuclidean', 'cityblock', 'cosine', 'correlation', 'hamming'}
%!   X = data(:, 1:4);
%!   if (strcmp (metric{1}, 'hamming'))
%!     X = double (data > 0.6);
%!   end
%!   lower = 0;
%!   for seed = 0:9
%!     given = {X, 7, 'Distance', metric{1}, 'Start', 'sample', 'Seed', seed};
%!     [~, ~, before] = knng.kmeans (given{:});
%!     [idx, C, sumd, D, info] = knng.kmeans (given{:}, 'OnlinePhase', 'on', 'Threads', 1);
%!     assert (knng.kmeans (given{:}, 'onlinephase', 'ON', 'Threads', 3), idx);
%!     assert (info.converged);
%!     assert (sum (sumd) <= sum (before));
%!     lower += sum (sumd) < sum (before) - 1e-9;
%!     total = cost_of (X, idx, metric{1});
%!     assert (sum (sumd), total, 1e-11);
%!     assert (D(sub2ind (size (D), (1:60)', idx)), min (D, [], 2), 1e-14);
%!     tried = 1 + seed:10:60;                               # each row with one seed
%!     if (! isempty (getenv ('KNNG_ALL')))
%!       tried = 1:60;
%!     end
%!     for i = tried
%!       for j = setdiff (1:7, idx(i))
%!         if (sum (idx == idx(i)) > 1)
%!           other = idx;
%!           other(i) = j;
%!           assert (cost_of (X, other, metric{1}) > total - 1e-11);
%!         end
%!       end
%!     end
%!   end
%!   assert (lower > 0);
%! end

%!test  # by hand: 4 is as near to both centres, and leaves the larger cluster; passes count as iterations
%! X = [0; 2; 4; 6];                        # {0, 2, 4}, {6}: 8; {0, 2}, {4, 6}: 4
%! [idx, C, sumd, ~, info] = knng.kmeans (X, 2, 'Start', [2; 6]);
%! assert ({idx', sum(sumd), info.iterations}, {[1 1 1 2], 8, 2});
%! [idx, C, sumd, ~, info] = knng.kmeans (X, 2, 'Start', [2; 6], 'OnlinePhase', 'on');
%! assert ({idx', C', sumd', info.iterations}, {[1 1 2 2], [1 5], [2 2], 4});
%! warning ('off', 'knng:data:notConverged', 'local');
%! [idx, ~, ~, ~, info] = knng.kmeans (X, 2, 'Start', [2; 6], 'OnlinePhase', 'on', 'MaxIter', 3);
%! assert ({idx', info.iterations, info.converged}, {[1 1 2 2], 3, false});

%!test  # 'iter' prints what 'final' does, as the help says
%! X = [1; 2; 8; 9; 20];
%! said = evalc ('knng.kmeans (X, 2, ''Display'', ''iter'', ''Replicates'', 2);');
%! assert (said, evalc ('knng.kmeans (X, 2, ''Display'', ''final'', ''Replicates'', 2);'));
%! assert (numel (regexp (said, '^Replicate \d, \d iterations?, total', 'lineanchors')), 2);
%! assert (! isempty (strfind (get_help_text ('knng.kmeans'), 'no line for each')));
%!error id=knng:args:count knng.kmeans (1)
%!error id=knng:args:class knng.kmeans ('a', 1)
%!error id=knng:args:k knng.kmeans ([1; 2], 3)
%!error id=knng:args:k knng.kmeans ([1; NaN], 2)
%!error id=knng:args:k knng.kmeans ([1; 2], 1.5)
%!error <^k is 'Distance': it must be the number of clusters> knng.kmeans (magic (4), 'Distance', 'pearson')
%!error id=knng:args:k knng.kmeans ([1; 2], [])
%!error id=knng:args:metric knng.kmeans ([1; 2], 1, 'Distance', 'chebychev')
%!error <^'Distance' is 'hammming' .did you mean 'hamming'..: it must be 'sqeuclidean', .* or 'hamming'$> knng.kmeans ([1; 2], 1, 'Distance', 'hammming')
%!error <^the metric is a 1-by-1 function_handle: it must be the name of one, such as 'cosine'; .*; centres are .* 'hamming' alone, medoids, by> knng.kmeans ([1; 2], 1, 'Distance', @(x, Y) abs (x - Y))
%!error <^'antip' has no centres here> knng.kmeans ([1 2; 2 5], 1, 'Distance', 'antip')
%!error <'sqeuclidean' clusters by the euclidean> knng.kmeans ([1; 2], 1, 'Distance', 'euclidean')
%!error <give \+\(X > knng.kmeans ([1; 2], 1, 'Distance', 'hamming')
%!error id=knng:args:values knng.kmeans ([1; 2], 1, 'Distance', 'hamming')
%!warning <^equal rows changed clusters after 100 iterations: X has only 5 different rows, so> knng.kmeans (repmat ([.1 .2; .3 .4; .5 .6; .7 .8; .9 .1], 3, 1), 8);
%!warning <^equal rows .* X has only 5 different rows, so> knng.kmeans ([repmat([.1 .2; .3 .4; .5 .6; .7 .8; .9 .1], 3, 1); NaN(3, 2)], 8);
%!error id=knng:args:start knng.kmeans ([1; 2], 2, 'Start', 1)
%!error id=knng:args:start knng.kmeans ([1; 2], 2, 'Start', [1; NaN])
%!error id=knng:args:start knng.kmeans ([1 2; 2 1], 2, 'Start', [1 2; 1 1], 'Distance', 'correlation')
%!error id=knng:args:start knng.kmeans ([1; 2], 2, 'Start', [1; 2], 'Replicates', 2)
%!error id=knng:args:option knng.kmeans ([1; 2], 2, 'Start', 'best')
%!error id=knng:args:option knng.kmeans ([1; 2], 2, 'MaxIter', 0)
%!error id=knng:args:option knng.kmeans ([1; 2], 2, 'Replicates', 0)
%!error id=knng:args:option knng.kmeans ([1; 2], 2, 'EmptyAction', 'no')
%!error <'off' or 'on'> knng.kmeans ([1; 2], 2, 'OnlinePhase', 'yes')
%!error id=knng:args:option knng.kmeans ([1; 2], 2, 'Options', 5)
%!error id=knng:data:emptyCluster knng.kmeans ([0; 1], 2, 'Start', [0; 9], 'EmptyAction', 'error', 'MaxIter', 1)
%!error id=knng:args:maxMemory knng.kmeans (ones (1000, 5), 2, 'MaxMemory', 1000)

%!warning id=knng:data:range knng.kmeans ([1; 2; 11; 12; 1e30], 3);   # what stands for a missing value is no number
%!test
%! warning ('error', 'knng:data:range', 'local');
%! knng.kmeans ([1e-20; 2; 11; 12; 1e3], 3);
