function [idx, corepts] = dbscan (X, epsilon, minpts, varargin)
%KNNG.DBSCAN  Clusters where points lie densely, and noise (DBSCAN).
%   idx = knng.dbscan (X, epsilon, minpts) clusters the rows of the n-by-d
%   matrix X. idx, n-by-1, has the number of each row's cluster, -1 for noise.
%   [idx, corepts] = knng.dbscan (...) also tells which rows are core points,
%   n-by-1 logical.
%   [...] = knng.dbscan (..., 'Name', value, ...) takes options.
%
%   A row is a core point if at least minpts rows, itself among them, lie within
%   epsilon of it, at a distance <= epsilon. Core points within epsilon of each
%   other are in one cluster, and so on along chains of them. A row that is no
%   core point but has one within epsilon lies at the border of a cluster; of
%   several it joins the one with the smallest number. All other rows are noise.
%   Clusters are numbered from 1 in the order of their first core points.
%
%   Options:
%
%     'Distance'  'euclidean' (default) or any metric of knngraph; epsilon is
%                 measured in it; 'Metric' is the same
%     'Rows', 'MinValid'
%                 'all' (default); 'pairwise': NaN is a missing value, and two
%                 rows are compared over the columns that both have, as in
%                 knngraph
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                 as in knngraph
%
%   Names, defaults and rules are those of MATLAB's dbscan, but that it takes no
%   matrix of distances ('precomputed') and no metrics that knngraph lacks. The
%   result is exact: distances are those of knngraph to the last bit, and no
%   pair within epsilon is overlooked. A single X counts as double (X). Copies
%   of a row count as rows: minpts copies make a core point of each, even with
%   epsilon = 0. A row without distances (see knngraph) is noise, and a warning
%   counts such rows.
%
%   For minpts take more than the number of columns, or more than you would call
%   chance. For epsilon look at the distances to the (minpts - 1)-th neighbour,
%   plot (sort (dist(:,end))) with [~, dist] = knngraph (X, minpts - 1), and
%   take the value at the bend.
%
%   Columns of large numbers count for more than others, and one of thousands
%   may decide alone: bring columns of different units to one scale before, as
%   in X = knng.normalize (X, 'zscore', 'By', 'columns').
%
%   Cost: on the CPU, where rows have no more than 15 others within epsilon on
%   average, a search for these, as by knng.rangesearch: about as long as a
%   graph of 15 neighbours, or less, and some 150 bytes for each pair. Otherwise
%   a graph of max (minpts - 1, 15) neighbours. Where core points are connected
%   in it, that is all. If not, searches among those core points that have still
%   more neighbours within epsilon have to prove that components are apart: half
%   as long to twice as long as the graph again, more where many come together.
%   Memory then as knngraph, and some 60 bytes an entry of its tables; distances
%   of all pairs are never stored.
%
%   Errors: knng:args:epsilon (no number from 0 on), :minpts (no whole number
%   from 1 on); knng:args:class, :sparse, :complex, :empty, :dims, :metric,
%   :option, :unknownOption, :maxMemory, :count; knng:memory:host;
%   knng:device:none, :memory; and others as knngraph. Warnings:
%   knng:args:minpts (more than there are rows); knng:data:nonFinite,
%   knng:data:fewer ('pairwise': rows without distances); knng:data:fill (X has
%   numbers that may stand for missing values, as -9999).
%
%   Source: M. Ester, H.-P. Kriegel, J. Sander, X. Xu, A density-based algorithm
%   for discovering clusters in large spatial databases with noise, KDD-96
%   (1996) 226-231.
%
%   Example:
%     t = (1:60)' * pi / 30;
%     X = [cos(t), sin(t); 3*cos(t), 3*sin(t); 0 0];  % two rings, and a point
%     [idx, corepts] = knng.dbscan (X, 0.4, 3);
%     accumarray (idx(idx > 0), 1)'                   % 60 60
%     idx(end)                                        % -1
%
%   See also knng.hdbscan, knng.rangesearch, knng.spectralcluster,
%   knng.silhouette, knng.scatter.

  if (nargin < 3)
    error ('knng:args:count', ['knng.dbscan needs a matrix, a distance and a number of points, as in ' ...
           'knng.dbscan (X, 0.5, 5): see help knng.dbscan']);
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  if (~isnumeric (epsilon) || ~isreal (epsilon) || numel (epsilon) ~= 1 || ~(epsilon >= 0))
    error ('knng:args:epsilon', 'epsilon is %s: it must be one distance, a number from 0 on', knng.internal.given (epsilon));
  elseif (numel (minpts) ~= 1 || ~knng.internal.whole (minpts, 1, 2 ^ 53))
    error ('knng:args:minpts', 'minpts is %s: it must be one whole number from 1 on', knng.internal.given (minpts));
  end
  opt = struct ('Distance', 'euclidean', 'Rows', 'all', 'MinValid', []);
  for name = fieldnames (knng.internal.engine ())'
    opt.(name{1}) = [];
  end
  [opt, given] = knng.internal.options (opt, varargin);
  opt.Distance = knng.internal.metric (opt.Distance);
  knng.internal.warn_few ('knng:args:minpts', 'minpts', minpts, size (X, 1), 'so many lie around none, and all are noise');
  how = [knng.internal.engine(given), knng.internal.knn_rows(opt, size (X, 2), opt.Distance)];
  epsilon = full (double (epsilon));
  minpts = full (double (minpts));
  X = double (X);
  n = size (X, 1);
  nearest = @(refs, queries, k) knng.knnsearch (X(refs, :), X(queries, :), 'K', k, 'Distance', opt.Distance, how{:});
  graph = @(k) knng.internal.searched (X, k, opt.Distance, how, 'pairwise');

  knng.internal.doubt_filled (X);                            % once, not for each search
  state = warning ('off', 'knng:data:fill');
  unsaid = onCleanup (@() warning (state)); %#ok<NASGU>

  % Of few columns in common a graph warns by its k, and a radius not at all: both are quiet, and the count of step 5 is the warning.
  pairwise = strcmpi (opt.Rows, 'pairwise');
  id = 'knng:data:fewer';
  former = warning ('query', id);
  back = onCleanup (@() warning (former.state, id));
  if (pairwise)
    warning ('off', id);
  end

  % 1. All rows within epsilon, if they are few; otherwise, and on GPUs, a graph of k neighbours, which says what is a core
  % point, and which rows within epsilon a row has that is none.
  [i, j, corepts] = all_within (X, epsilon, minpts, opt.Distance, how);
  open = [];
  if (isempty (corepts))
    [corepts, i, j, open] = within_epsilon (n, epsilon, minpts, graph, nearest, pairwise);
  end

  near = false (n, 1);
  near(i) = true;

  % 2. The parts that core points form in the graph.
  [part, row, other] = parts_of (corepts, i, j);
  [i, j] = deal ([]);

  % 3. A pair of core points within epsilon that the graph does not have is missing in the lists of both, so both lists
  % are full of rows within epsilon. Among such points all pairs between different parts are looked at.
  if (~isempty (open))
    part = join_parts (part, open, epsilon, nearest);
  end

  % 4. Numbers in the order of the first core points. Fewer than minpts - 1 rows lie within epsilon of a border point: all in its list.
  idx = -ones (n, 1);
  [~, ~, idx(corepts)] = unique (part(corepts));
  least = accumarray (row, idx(other), [n, 1], @min);
  idx(least > 0) = least(least > 0);

  % 5. A row within epsilon of which lies none may have no distance to any.
  if (pairwise)
    none = without_distances (X, find (idx < 0 & ~near), nearest);
    back = [];                                               %#ok<NASGU>
    if (none > 0)
      words = {'they are', 'they have', 'are'; 'it is', 'it has', 'is'};
      warning (id, ['%s no distance to any other row, so that %s noise: %s fewer columns in common with the rest than ''MinValid'', or ' ...
               '%s constant over these; give a smaller ''MinValid'', or fill in with knng.impute'], ...
               knng.internal.share_of (none, n, 'row', 'has', 'have'), words{1 + (none == 1), :});
    end
  end
end

function count = without_distances (X, rows, nearest)
% How many of these rows have a distance to no other. Those with Inf do not count, they have a warning of their own.
  whole = all (isfinite (X), 2) & any (diff (X, 1, 2) ~= 0, 2);
  if (sum (whole) > 1)                                       % of two such rows there is a distance
    rows = rows(~whole(rows));
  end
  rows = rows(~any (isinf (X(rows, :)), 2));
  count = 0;
  if (~isempty (rows))
    at = nearest (1:size (X, 1), rows, min (2, size (X, 1)));
    count = sum (~any (at > 0 & bsxfun (@ne, at, rows), 2));
  end
end

function [i, j, corepts] = all_within (X, epsilon, minpts, metric, how)
% The core points, and all pairs of rows within epsilon; or [] where a graph is likely to take less.
  [i, j, corepts] = deal ([]);
  n = size (X, 1);
  plan = knng.internal.search ('plan', n, size (X, 2), minpts, metric, how{:}, 'Calibrate', false);
  if (minpts < 2 || n < 2 || ~isempty (plan.problem))
    return
  end
  try
    [count, j] = knng.internal.range ('graph', X, [], epsilon, [{'Distance', metric, 'MaxPairs', 15 * n}, how]);
  catch err
    if (any (strcmp (err.identifier, {'knng:memory:host', 'knng:args:maxMemory', 'knng:device:memory'})))
      return                                                 % a graph needs less
    end
    rethrow (err);
  end
  if (~isempty (count))
    i = repelem (1:n, count)';
    j = j';
    corepts = (count >= minpts - 1)';
  end
end

function [corepts, i, j, open] = within_epsilon (n, epsilon, minpts, graph, nearest, gaps)
% The core points; the pairs of rows i and neighbours j within epsilon that the graph has; and the core points that may have
% more within epsilon than it lists.
  k = min (max (minpts - 1, 15), n - 1);
  if (k > 0)
    [list, dist] = graph (k);
  else
    [list, dist] = nearest (1, 1, 1);
  end
  if (minpts > n)
    corepts = false (n, 1);
  elseif (minpts > 1)
    corepts = dist(:, minpts - 1) <= epsilon;
  else                                                       % all that have distances: to another row, or to themselves
    corepts = any (dist >= 0, 2);
    if (~any (corepts))
      corepts = nearest (1:n, 1:n, 1) == (1:n)';
    elseif (gaps && ~all (corepts))                          % they share too few columns with others
      alone = find (~corepts);
      corepts(alone) = nearest (1:n, alone, 1) > 0;
    end
  end
  near = dist <= epsilon;
  [i, ~] = find (near);
  j = list(near);
  open = [];
  if (k < n - 1)
    open = find (near(:, k) & corepts);
  end
  i = i(:);
  j = j(:);
end

function [part, row, other] = parts_of (corepts, i, j)
% The part of each row, numbered in the order of their first rows, and the pairs of border points and their core points.
  n = numel (corepts);
  to_core = corepts(j);
  border = ~corepts(i) & to_core;
  [row, other] = deal (i(border), j(border));
  core = to_core & corepts(i);
  part = knng.conncomp (sparse (i(core), j(core), 1, n, n))';
end

function part = join_parts (part, open, epsilon, nearest)
% The parts when all are joined between which there is a pair of rows OPEN within epsilon.
  n = numel (part);
  [parts, ~, number] = unique (part(open));
  [~, order] = sort (number);
  open = open(order);
  of_row = zeros (n, 1);
  of_row(open) = number(order);
  joined = (1:numel (parts))';
  if (numel (open) > 4096)                                   % a look at some joins most of what is to be joined
    joined = join (open(1:16:end), of_row, joined, epsilon, nearest);
  end
  joined = join (open, of_row, joined, epsilon, nearest);
  [~, first, which] = unique (joined, 'first');
  same = knng.conncomp (sparse (parts, parts(first(which)), 1, n, n))';
  part = same(part);
end

function joined = join (rows, of_row, joined, epsilon, nearest)
% Joins the parts of the rows between which there is a pair within epsilon. of_row(r) is the part of row r, and
% joined(p) the same number for all parts p that are known to be one.
%
% If all parts are small, each row lists so many neighbours that one at least lies in another part. Otherwise the parts are divided
% into two halves, and each row of the smaller half looks for the nearest of the larger. If none lies within epsilon, no pair between
% the halves does; else the larger half looks back at the rows that found something. Either way, rows that found
% nothing have no pair across, and each part of those that did is now joined to another, so that these form at most half as many parts
% as before. The pairs that are still to be looked at are pairs of such rows, for which all is done again, and
% pairs within a half. So, by induction over the number of parts and of rows, in the end every pair within epsilon lies within
% one part. Between halves without joins each pair is looked at once.
  group = joined(of_row(rows));
  [~, ~, part] = unique (group);
  m = numel (rows);
  if (max (part) < 2)
    return
  end
  sizes = accumarray (part, 1);
  k = max (sizes) + 1;
  if (k <= 512 && m * k <= 2e7)
    [at, dist] = nearest (rows, rows, k);
    across = dist <= epsilon & bsxfun (@ne, reshape (group(max (at, 1)), m, k), group);   % 0: no row that shares enough columns
    found = any (across, 2);
    if (any (found))
      [i, ~] = find (across);
      joined = merged (joined, of_row(rows(i)), of_row(rows(at(across))));
      joined = join (rows(found), of_row, joined, epsilon, nearest);
    end
    return
  end
  [~, order] = sort (sizes, 'descend');
  before = cumsum (sizes(order)) - sizes(order);
  large(order) = before < m / 2;                             % the first always, the last never
  [large, small] = deal (rows(large(part)), rows(~large(part)));
  [at, dist] = nearest (large, small, 1);
  found = dist <= epsilon;
  if (any (found))
    joined = merged (joined, of_row(small(found)), of_row(large(at(found))));
    again = small(found);
    [at, dist] = nearest (again, large, 1);
    found = dist <= epsilon;
    joined = merged (joined, of_row(large(found)), of_row(again(at(found))));
    joined = join ([again; large(found)], of_row, joined, epsilon, nearest);
  end
  joined = join (large, of_row, joined, epsilon, nearest);
  joined = join (small, of_row, joined, epsilon, nearest);
end

function joined = merged (joined, a, b)
% What is joined when the parts a(e) and b(e) are one, for all e.
  [a, b] = deal (joined(a), joined(b));
  same = knng.conncomp (sparse (a, b, 1, numel (joined), numel (joined)));
  joined = reshape (same(joined), [], 1);
end

%!test <*1>
%! t = (1:60)' * pi / 30;
%! X = [cos(t), sin(t); 3*cos(t), 3*sin(t); 0 0];
%! [idx, corepts] = knng.dbscan (X, 0.4, 3);
%! assert (idx, [ones(60, 1); 2 * ones(60, 1); -1]);
%! assert (corepts, idx > 0);

%!test  # few points, and points without distances
%! assert (knng.dbscan (7, 0, 1), 1);
%! assert (knng.dbscan (7, 1, 2), -1);
%! [idx, corepts] = knng.dbscan ([1; 1], 0, 2);
%! assert ({idx, corepts}, {[1; 1], [true; true]});
%! warning ('off', 'knng:data:nonFinite', 'local');
%! assert (knng.dbscan (NaN, 1, 1), -1);
%! assert (knng.dbscan ([NaN; 1; Inf], 1, 1), [-1; 1; -1]);
%! assert (knng.dbscan ([NaN; 1; 3; 2], int8 (1), uint16 (2)), [-1; 1; 1; 1]);

%!test  # rows without distances are counted, by a radius and by a graph; those that have but few are not
%! Q = [mod((1:40)' * [0.37 0.71], 1); 6 + mod((1:40)' * [0.37 0.71], 1)];
%! R = [Q, Q];
%! R(1:4, 1:2) = NaN;
%! [Q(1:3, 1), Q(4, :)] = deal (NaN);
%! Q(5, 1) = Inf;
%! warning ('off', 'knng:data:nonFinite', 'local');
%! warning ('error', 'knng:data:fewer', 'local');
%! for epsilon = [0.1 9]
%!   fail ('knng.dbscan (Q, epsilon, 5, ''Rows'', ''pairwise'')', '^4 of 80 rows have no distance to any other row, .* ''MinValid''');
%!   fail ('knng.dbscan (R, epsilon, 5, ''Rows'', ''pairwise'', ''MinValid'', 3)', '^4 of 80 rows have no');
%!   fail ('knng.dbscan (Q(4:end, :), epsilon, 5, ''Rows'', ''pairwise'')', '^1 of 77 rows has no .* it is noise: it has fewer .* or is constant');
%!   assert (all (knng.dbscan (R, 30, 5, 'Rows', 'pairwise', 'MinValid', 2) == 1));
%! end
%! assert (knng.dbscan ([1 NaN; 1 NaN; NaN 1; NaN 1], 1, 2, 'Rows', 'pairwise', 'MinValid', 1), [1; 1; 2; 2]);
%! fail ('knng.dbscan ([1 NaN; NaN 2], 1, 2, ''Rows'', ''pairwise'', ''MinValid'', 1)', '^2 of 2 rows');
%! assert (knng.dbscan ([1 NaN; NaN 2], 1, 1, 'Rows', 'pairwise', 'MinValid', 1), [1; 2]);
%! assert (warning ('query', 'knng:data:fewer').state, 'error');

%!error id=knng:args:count knng.dbscan (1, 2)
%!error id=knng:args:class knng.dbscan ('a', 1, 1)
%!error id=knng:args:sparse knng.dbscan (sparse (1), 1, 1)
%!error id=knng:args:epsilon knng.dbscan (1, -1, 1)
%!error id=knng:args:epsilon knng.dbscan (1, NaN, 1)
%!error id=knng:args:epsilon knng.dbscan (1, [1 2], 1)
%!error id=knng:args:epsilon knng.dbscan (1, 'a', 1)
%!warning <minpts is 3, but there are 2 rows: .*all are noise; give 2 or less> knng.dbscan ([1; 2], 1, 3);
%!error id=knng:args:minpts knng.dbscan (1, 1, 0)
%!error id=knng:args:minpts knng.dbscan (1, 1, 1.5)
%!error id=knng:args:minpts knng.dbscan (1, 1, {})
%!error id=knng:args:metric knng.dbscan ([1; 2], 1, 1, 'Distance', 'euclidian')
%!error id=knng:args:option knng.dbscan ([1; 2], 1, 1, 'Threads', 0)
%!assert (knng.dbscan ([1; 2; 9], 1, 1, 'Metric', 'eucl'), [1; 1; 2])
