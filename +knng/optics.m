function [idx, o] = optics (X, varargin)
%KNNG.OPTICS  Rows in the order of their density, and clusters in it (OPTICS).
%   idx = knng.optics (X, minpts) clusters the rows of the n-by-d matrix X. idx,
%   n-by-1, has the number of each row's cluster, -1 for noise. minpts is how
%   many rows, itself among them, lie around a core point. Clusters are numbered
%   from 1 in the order of the plot.
%   [idx, o] = knng.optics (X, minpts) also returns the order, a struct:
%
%     o.order     n-by-1, the rows as they are taken; those of a cluster stand
%                 together
%     o.reach     n-by-1, the distance from which each row was reached; Inf: a
%                 new part begins
%     o.core      n-by-1, the core distances; Inf: no core point
%     o.pred      n-by-1, the row that each was reached from; 0: none
%     o.clusters  c-by-2, first and last place of each cluster in o.order
%     o.minpts    as given
%     o.maxepsilon
%                 'MaxEpsilon'
%
%   plot (o.reach(o.order)) is the reachability plot: valleys are clusters, and
%   valleys in valleys clusters in clusters.
%   [idx, o] = knng.optics (o, 'Name', value, ...) finds clusters in such an
%   order again, with other options, and no more distances: in O(n), but where
%   many valleys lie in each other; without any options those of 'xi', however o
%   was made.
%   knng.optics (...) without results draws the plot: a bar for each row in the
%   colour of its cluster (after 40 they come again), noise in grey, and below
%   it a line for each of o.clusters: in its colour and with its number in idx
%   one that has no others in it, dark one of an upper level, which idx does not
%   have. Up to 30 lines are named, those by their row in o.clusters, as in
%   'c = 4'. The rows of X in a cluster of any level are
%   o.order(o.clusters(c,1):o.clusters(c,2)).
%   [...] = knng.optics (X, minpts, 'Name', value, ...) takes options.
%
%   The method: the core distance of a row is that to its (minpts - 1)-th
%   nearest other row. A row is reached from a core point at their distance, or
%   at the core distance of that core point if that is larger. The next row is
%   always the one that is reached from nearest by one taken before. So the
%   order goes through a cluster before it leaves it, and where it does reach is
%   large. No radius has to be given: the plot shows clusters of any density.
%
%   Options:
%
%     'ClusterMethod'   'xi' (default): clusters are valleys of the plot with
%                       steep sides; o.clusters has all, idx those in which
%                       there are no others.
%                       'dbscan' (default where 'Epsilon' is given): cuts the
%                       plot at one height. The clusters are those of DBSCAN
%                       with this radius, but that some rows at their borders
%                       are noise
%     'Xi'              with 'xi': how steep, between 0 and 1: reach changes by
%                       this part from one row to the next; default 0.05. With
%                       more there are fewer clusters
%     'MinClusterSize'  with 'xi': rows of a cluster at least, default minpts
%     'PredecessorCorrection'
%                       with 'xi': true (default): rows at the end of a valley
%                       that were reached from outside of it are left out
%     'Epsilon'         with 'dbscan': the height, at most 'MaxEpsilon', which
%                       is the default if it is given
%     'MaxEpsilon'      two rows farther apart do not reach each other, default
%                       Inf; less makes it faster. Not for an order
%     'Distance'        'euclidean' (default) or any metric of knngraph;
%                       'Metric' is the same. Not for an order
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                       as in knngraph. Not for an order
%
%   Rules: of rows that are reached from equally near the one with the smallest
%   number is next; where nothing is reached, the smallest row left begins a new
%   part. o.pred is the first taken of the rows from which a row is reached so
%   near. The distances are those of knngraph to the last bit. So the result is
%   the same on every machine, with any number of threads. These are the rules
%   of scikit-learn's OPTICS, too: o.order, o.reach, o.core, o.pred and the
%   clusters are what it finds, up to the rounding of its distances. Its numbers
%   are those of idx less 1.
%
%   A single X counts as double (X). Rows without distances (see knngraph) come
%   last in o.order and are noise, and a warning counts them; a remedy is
%   knng.impute, since 'Rows' is not an option here. Copies of a row are rows.
%   Where fewer than minpts rows have distances, all are noise. 'xi' calls much
%   noise where groups have no sharp edge, as the plot shows: a larger minpts
%   makes it smoother, and a cut of 'dbscan' takes all that lies below.
%
%   Cost: a graph of minpts - 1 neighbours, and then at most n*n*d/2 operations,
%   far less with few columns, in clusters, or with a small 'MaxEpsilon': boxes
%   around neighbouring rows leave out what a row cannot reach from nearer. The
%   CPU does it. Memory: as knngraph, and then about 16*n*d + 80*n bytes;
%   distances of all pairs are never stored.
%
%   Errors: knng:args:minpts (no whole number from 2 on); knng:args:order (a
%   struct that is no order); knng:args:class, :sparse, :complex, :empty, :dims,
%   :metric, :option, :unknownOption, :maxMemory, :count; knng:memory:host; and
%   others as knngraph. Warning: knng:args:minpts (more than there are rows).
%
%   Sources: M. Ankerst, M. Breunig, H.-P. Kriegel, J. Sander, OPTICS: ordering
%   points to identify the clustering structure, SIGMOD 1999, 49-60;
%   E. Schubert, M. Gertz, LWDA 2018, 318-329 ('PredecessorCorrection').
%
%   Example:
%     t = (1:60)' * pi / 30;
%     X = [cos(t), sin(t); 9 + 4*cos(t), 4*sin(t)];       % two rings
%     [idx, o] = knng.optics (X, 5);
%     accumarray (idx, 1)'                                % 60 60
%     o.clusters                                          % 1 60; 61 120; 1 120
%     idx = knng.optics (o, 'Epsilon', 0.3);
%     sum (idx == -1)                                     % 60: one is too thin
%     knng.optics (o)                                     % draws the plot
%
%   See also knng.hdbscan, knng.dbscan, knng.lof, knng.scatter, knngraph.

  if (nargin < 1 || (nargin < 2 && ~isstruct (X)))
    error ('knng:args:count', ['knng.optics needs a matrix and a number of points, as in knng.optics (X, 5), or an order, as in ' ...
           'knng.optics (o): see help knng.optics']);
  end
  knng.internal.built ();
  opt = struct ('ClusterMethod', [], 'Xi', [], 'MinClusterSize', [], 'PredecessorCorrection', [], 'Epsilon', [], 'MaxEpsilon', Inf, ...
                'Distance', 'euclidean');
  if (isstruct (X))
    check_order (X);
    o = X;
    opt = rmfield (opt, {'MaxEpsilon', 'Distance'});
    opt = checked (knng.internal.options (opt, varargin), o.minpts, o.maxepsilon);
  else
    knng.internal.check_matrix (X, 'X');
    minpts = varargin{1};
    if (numel (minpts) ~= 1 || ~knng.internal.whole (minpts, 2, 2 ^ 53))
      error ('knng:args:minpts', 'minpts is %s: it must be one whole number from 2 on', knng.internal.given (minpts));
    end
    [opt, given] = knng.internal.options (knng.internal.join (opt, knng.internal.engine ()), varargin(2:end));
    opt.Distance = knng.internal.metric (opt.Distance);
    how = knng.internal.engine (given);
    check_distance ('MaxEpsilon', opt.MaxEpsilon);
    minpts = min (full (double (minpts)), 2 ^ 31 - 1);       % more rows there cannot be
    most = full (double (opt.MaxEpsilon));
    opt = checked (opt, minpts, most);
    knng.internal.warn_few ('knng:args:minpts', 'minpts', minpts, size (X, 1), 'so many lie around none, and all are noise');
    o = ordered (double (X), minpts, most, opt.Distance, how);
  end
  if (strcmp (opt.ClusterMethod, 'dbscan'))
    [label, o.clusters] = cut (o, opt.Epsilon);
  else
    [label, o.clusters] = valleys (o, opt);
  end
  if (nargout == 0)
    draw (o, label, opt.Epsilon);
    return
  end
  idx = zeros (numel (label), 1);
  idx(o.order) = label;
end

function o = ordered (X, minpts, most, metric, how)
  n = size (X, 1);
  core = Inf (n, 1);
  memory = 0;
  where = find (strcmp (how(1:2:end), 'MaxMemory'), 1, 'last');
  if (~isempty (where) && ~isempty (how{2 * where}))
    memory = how{2 * where};
  end
  if (n < 2 ^ 31)                                            % else knngraph refuses the rows
    knng.internal.optics ('memory', n, size (X, 2), memory, knng.internal.how_to_run (how));
  end
  if (n > 1 && minpts <= n)
    [~, dist] = knng.internal.searched (X, minpts - 1, metric, how, 'plain');
    there = dist(:, end) <= most;                            % NaN: it has not so many others
    core(there) = dist(there, end);
    dist = [];                                               %#ok<NASGU>
  elseif (n > 1)
    knng.internal.searched (X, 1, metric, how, 'plain');                         % warns of rows without distances
  end
  [order, reach, pred] = knng.internal.optics ('order', X, metric, core, most, memory, 0, knng.internal.how_to_run (how));
  o = struct ('order', order, 'reach', reach, 'core', core, 'pred', pred, 'clusters', zeros (0, 2), 'minpts', minpts, 'maxepsilon', most);
end

function check_order (o)
  fields = {'order', 'reach', 'core', 'pred', 'minpts', 'maxepsilon'};
  fine = numel (o) == 1 && all (isfield (o, fields));
  for f = 1:6 * fine
    value = o.(fields{f});
    fine = fine && isa (value, 'double') && isreal (value) && ~issparse (value) && size (value, 2) == 1 && ...
           (size (value, 1) == 1 || (f <= 4 && size (value, 1) == size (o.order, 1))) && all (value >= 0);
  end
  n = 0;
  if (fine)
    n = numel (o.order);
  end
  if (~fine || n == 0 || ~all ([numel(o.reach), numel(o.core), numel(o.pred)] == n) || ~isequal (sort (o.order), (1:n)') || ...
      ~knng.internal.whole (o.pred, 0, n) || ~knng.internal.whole (o.minpts, 2, 2 ^ 31 - 1))
    error ('knng:args:order', ['a struct must be an order as knng.optics returns it, with order, reach, core, pred, minpts and maxepsilon: ' ...
           'give the second result of knng.optics (X, minpts), or a matrix']);
  end
end

function check_distance (name, value)
  if (~isnumeric (value) || ~isreal (value) || numel (value) ~= 1 || ~(value >= 0))
    error ('knng:args:option', '''%s'' is %s: it must be one distance, a number from 0 on', name, knng.internal.given (value));
  end
end

function opt = checked (opt, minpts, most)
% The options of clusters, with their defaults.
  of_xi = {'Xi', 'MinClusterSize', 'PredecessorCorrection'};
  if (isempty (opt.ClusterMethod))
    methods = {'xi', 'dbscan'};
    opt.ClusterMethod = methods{1 + ~isempty(opt.Epsilon)};
  end
  opt.ClusterMethod = knng.internal.check_choice ('ClusterMethod', opt.ClusterMethod, {'xi', 'dbscan'});
  by_xi = strcmp (opt.ClusterMethod, 'xi');
  for name = of_xi(repmat (~by_xi, 1, 3))
    if (~isempty (opt.(name{1})))
      error ('knng:args:option', '''%s'' is of ''ClusterMethod'' ''xi'', and this is ''dbscan'': leave one of the two out', name{1});
    end
  end
  if (by_xi)
    if (~isempty (opt.Epsilon))
      error ('knng:args:option', '''Epsilon'' is of ''ClusterMethod'' ''dbscan'', and this is ''xi'': leave one of the two out');
    end
    opt = of_valleys (opt, minpts);
    return
  end
  if (isempty (opt.Epsilon))
    opt.Epsilon = most;
    if (most == Inf)
      error ('knng:args:option', 'with ''dbscan'' give the height of the cut, as in ''Epsilon'', 0.5: the reachability plot shows which');
    end
  end
  check_distance ('Epsilon', opt.Epsilon);
  opt.Epsilon = full (double (opt.Epsilon));
  if (opt.Epsilon > most)
    error ('knng:args:option', '''Epsilon'' is %g, and rows farther apart than ''MaxEpsilon'', %g, do not reach each other: give no more', ...
           opt.Epsilon, most);
  end
end

function opt = of_valleys (opt, minpts)
  if (isempty (opt.Xi))
    opt.Xi = 0.05;
  end
  if (~isnumeric (opt.Xi) || ~isreal (opt.Xi) || numel (opt.Xi) ~= 1 || ~(opt.Xi > 0 && opt.Xi < 1))
    error ('knng:args:option', '''Xi'' is %s: it must be one number between 0 and 1', knng.internal.given (opt.Xi));
  end
  opt.Xi = full (double (opt.Xi));
  if (isempty (opt.MinClusterSize))
    opt.MinClusterSize = minpts;
  end
  if (numel (opt.MinClusterSize) ~= 1 || ~knng.internal.whole (opt.MinClusterSize, 2, 2 ^ 53))
    error ('knng:args:option', '''MinClusterSize'' is %s: it must be one whole number from 2 on', knng.internal.given (opt.MinClusterSize));
  end
  opt.MinClusterSize = min (full (double (opt.MinClusterSize)), 2 ^ 31 - 1);
  if (isempty (opt.PredecessorCorrection))
    opt.PredecessorCorrection = true;
  end
  knng.internal.check_flag ('PredecessorCorrection', opt.PredecessorCorrection);
  opt.PredecessorCorrection = full (double (opt.PredecessorCorrection));
end

function [label, clusters] = cut (o, epsilon)
% A place that is not reached within epsilon begins a cluster if it is a core point, and is noise otherwise.
  [reach, core] = deal (o.reach(o.order), o.core(o.order));
  apart = ~(reach <= epsilon) | reach == Inf;
  begins = apart & core <= epsilon & core < Inf;
  label = cumsum (begins);
  label(apart & ~begins) = -1;
  ends = find (label > 0 & [apart(2:end); true]);
  clusters = [find(begins), ends];
end

function [label, clusters] = valleys (o, opt)
  n = numel (o.order);
  place = zeros (n + 1, 1);
  place(o.order + 1) = 1:n;
  [first, last] = knng.internal.optics ('valleys', o.reach(o.order), place(o.pred(o.order) + 1), opt.Xi, o.minpts, opt.MinClusterSize, ...
                                        opt.PredecessorCorrection);
  clusters = [first, last];
  label = -ones (n, 1);
  [number, before] = deal (0);
  for c = 1:numel (first)                                    % those that end first come first: of clusters in clusters the smallest
    if (first(c) > before)
      number = number + 1;
      label(first(c):last(c)) = number;
      before = last(c);
    end
  end
end

function draw (o, label, epsilon)
% A bar for each place, drawn to the top where nothing was reached; clusters below.
  [ax, back] = knng.internal.axes_ready ();                  %#ok<ASGLU>
  reach = o.reach(o.order);
  reach(reach < Inf) = min (reach(reach < Inf), 1e30);       % gnuplot draws no more
  n = numel (reach);
  top = 1.08 * max ([reach(reach < Inf); epsilon(epsilon < Inf)]);
  if (isempty (top) || ~(top > 0 && top < Inf))
    top = 1;
  end
  colours = knng.internal.group_colours (1:40, 0);
  shade = mod (label - 1, size (colours, 1)) + 1;
  shade(label < 0) = 0;
  for c = unique (shade)'
    colour = [0.6 0.6 0.6];
    if (c > 0)
      colour = colours(c, :);
    end
    x = find (shade == c)';
    bars = [zeros(1, numel (x)); min(reach(x)', top); NaN(1, numel (x))];
    line (reshape ([x; x; x], [], 1), bars(:), 'parent', ax, 'color', colour, 'linewidth', min (4, max (0.5, 300 / n)));
  end
  bottom = draw_clusters (ax, o.clusters, label, colours, top);
  if (~isempty (epsilon))
    line ([0, n + 1], [epsilon, epsilon], 'parent', ax, 'color', [0 0 0], 'linestyle', '--');
  end
  set (ax, 'xlim', [0, n + 1], 'ylim', [bottom, top], 'box', 'off');
  ticks = get (ax, 'ytick');
  set (ax, 'ytick', ticks(ticks >= 0));
  xlabel (ax, 'rows in their order');
  ylabel (ax, 'reachability distance');
end

function bottom = draw_clusters (ax, clusters, label, colours, top)
% Lines below the plot, those of clusters in clusters below each other; of very many the 500 longest, and ten deep. Few have names.
  bottom = 0;
  named = size (clusters, 1) <= 30;
  step = 0.03 * top * (1 + 1.5 * named);
  [~, order] = sort (clusters(:, 1) - clusters(:, 2));
  clusters = clusters(order(1:min (500, end)), :);
  depth = zeros (size (clusters, 1), 1);
  for c = 1:size (clusters, 1)                               % the longer ones come first
    around = clusters(1:c-1, 1) <= clusters(c, 1) & clusters(1:c-1, 2) >= clusters(c, 2);
    depth(c) = 1 + max ([0; depth(around)]);
    if (depth(c) > 10)
      continue
    end
    own = label(clusters(c, 1):clusters(c, 2));
    colour = [0.25 0.25 0.25];
    if (own(1) > 0 && all (own == own(1)))
      colour = colours(mod (own(1) - 1, size (colours, 1)) + 1, :);
    end
    y = -0.03 * top - step * (depth(c) - 1);
    line (clusters(c, :) + [-0.4, 0.4], [y, y], 'parent', ax, 'color', colour, 'linewidth', 3);
    bottom = min (bottom, y - step * (1 + 0.4 * named));
    if (named)
      name = sprintf ('c = %d', order(c));
      if (own(1) > 0 && all (own == own(1)))
        name = sprintf ('%d', own(1));
      end
      text (mean (clusters(c, :)), y - 0.5 * step, name, 'parent', ax, 'horizontalalignment', 'center', 'fontsize', 7, ...
            'interpreter', 'none');
    end
  end
end

%!function [order, reach, core, pred] = plain (X, minpts, metric, most)
%!  # the definition, over the distances of all pairs
%!  n = rows (X);
%!  [idx, dist] = knngraph (X, n - 1, metric);
%!  D = Inf (n);
%!  for i = 1:n
%!    D(i, idx(i, :)) = dist(i, :);
%!  end
%!  core = sort (D, 2)(:, minpts - 1);
%!  core(core > most) = Inf;
%!  [reach, pred, order, left] = deal (Inf (n, 1), zeros (n, 1), zeros (n, 1), true (n, 1));
%!  for t = 1:n
%!    c = find (left);
%!    [~, p] = min (reach(c));
%!    p = order(t) = c(p);
%!    left(p) = false;
%!    v = max (D(:, p), core(p));
%!    better = left & D(:, p) <= most & v < reach;
%!    reach(better) = v(better);
%!    pred(better) = p;
%!  end
%!endfunction

%!test <*1>
%! t = (1:60)' * pi / 30;
%! X = [cos(t), sin(t); 9 + 4*cos(t), 4*sin(t)];
%! [idx, o] = knng.optics (X, 5);
%! assert (idx, [ones(60, 1); 2 * ones(60, 1)]);
%! assert (o.clusters, [1 60; 61 120; 1 120]);
%! assert (knng.optics (o, 'Epsilon', 0.3), [ones(60, 1); -ones(60, 1)]);
%! assert (knng.optics (X, 5, 'MaxEpsilon', 0.3, 'ClusterMethod', 'DBSCAN'), [ones(60, 1); -ones(60, 1)]);

%!test  # the definition in plain loops; ties, copies, metrics, few columns and many
%! U = reshape (knng.internal.random (1, 240), 80, 3);
%! X = [round(4 * U(:, 1:2)); ones(8, 2)];
%! for c = {{X, 'euclidean'}, {X, 'cityblock'}, {1e-200 * U, 'sqeuclidean'}, {U, 'pearson'}, {U * sin((1:3)' * (1:70)), 'chebychev'}}
%!   [Z, metric] = c{1}{:};
%!   [~, dist] = knngraph (Z, 9, metric);
%!   for most = [Inf, median(dist(:, 9))]
%!     [order, reach, core, pred] = plain (Z, 4, metric, most);
%!     [idx, o] = knng.optics (Z, 4, 'Distance', metric, 'MaxEpsilon', most, 'Threads', 2);
%!     assert (isequal ({o.order, o.reach, o.core, o.pred}, {order, reach, core, pred}));
%!     assert (isequal (knng.optics (o), idx));
%!   end
%! end

%!test  # scikit-learn 1.9.1, OPTICS (min_samples=4) and others, of these numbers, which have ties
%! i = (1:30)';
%! X = [mod(i .^ 2 * [7 11] + [i i], 31); 60 + mod(i(1:20) .^ 2 * [5 3] + i(1:20) * [0 1], 13); 150 150; 45 40];
%! [idx, o] = knng.optics (X, 4);
%! assert (o.order', [1 15 16 23 30 3 21 7 22 19 27 13 26 11 24 5 14 17 28 9 29 2 12 20 25 18 10 4 8 6 52 43 34 42 31 33 44 46 32 ...
%!   35 45 48 38 39 47 41 36 37 49 50 40 51]);
%! assert (o.reach(o.order)', sqrt ([Inf 8 8 8 8 9 26 34 36 40 40 40 40 50 41 17 17 17 16 18 36 32 10 10 10 29 50 53 61 89 514 629 ...
%!   29 13 5 1 1 1 5 2 2 2 5 10 13 26 16 1 1 1 16 12482]));
%! assert (o.pred(o.order)', [0 1 1 1 1 30 15 23 23 7 7 27 27 13 11 24 5 24 17 14 24 29 2 2 2 12 25 10 10 26 10 52 43 34 42 31 31 31 ...
%!   42 32 32 32 33 31 34 38 41 36 36 36 41 37]);
%! assert (o.core', sqrt ([8 10 26 64 17 122 40 113 53 53 41 13 50 18 9 17 16 45 80 13 32 52 25 17 10 73 40 20 32 9 1 2 1 13 2 1 1 ...
%!   9 17 25 16 5 29 1 2 1 13 2 1 1 12641 629]));
%! known = [1 3 1 0 2 0 1 0 2 3 0 3 1 2 1 1 2 3 1 3 1 1 1 2 3 1 1 2 3 1 4 5 4 0 5 6 6 0 0 6 6 4 0 4 5 4 0 5 6 6 6 0];
%! assert (max (idx, 0)', known);
%! assert (o.clusters, [1 13; 15 20; 21 27; 14 28; 1 31; 34 38; 39 42; 33 45; 46 52; 32 52; 1 52]);
%! [idx, o] = knng.optics (o, 'Xi', 0.15, 'MinClusterSize', 6);
%! assert (max (idx, 0)', [1 3 1 0 2 0 0 0 2 3 0 3 0 2 1 1 2 3 0 3 0 0 1 2 3 0 0 2 0 1 4 4 4 4 4 5 5 4 4 5 5 4 0 4 4 4 4 4 5 5 5 0]);
%! assert (o.clusters, [1 6; 15 20; 22 27; 1 30; 33 45; 46 52; 32 52; 1 52]);
%! [idx, o] = knng.optics (o, 'PredecessorCorrection', false);
%! known([38 39]) = 5;
%! assert (max (idx, 0)', known);
%! assert (o.clusters, [1 13; 15 20; 21 27; 14 28; 1 31; 34 38; 39 44; 33 45; 46 52; 32 52; 1 52]);
%! [idx, o] = knng.optics (o, 'Epsilon', 5);
%! assert (max (idx, 0)', [1 3 1 0 2 0 0 0 2 0 0 3 0 2 1 1 2 0 0 3 0 0 1 2 3 0 0 2 0 1 4 4 4 4 4 5 5 4 4 5 5 4 0 4 4 4 4 4 5 5 0 0]);
%! assert (o.clusters, [1 6; 15 20; 22 25; 33 45; 46 51]);

%!test  # a plot of many valleys, in valleys: scikit-learn 1.9.1, cluster_optics_xi (min_samples=3, min_cluster_size=4)
%! i = (1:400)';
%! u = reshape (knng.internal.random (7, 800), 400, 2);
%! reach = [Inf; round(64 * (3 + sin (i(2:400) / 9) + 1.5 * sin (i(2:400) / 61) + 1.2 * u(2:400, 1))) / 64];
%! pred = [0; max(1, i(2:400) - 1 - floor (9 * u(2:400, 2) .^ 2))];
%! o = struct ('order', i, 'reach', reach, 'core', reach, 'pred', pred, 'minpts', 3, 'maxepsilon', Inf);
%! known = [0.02 1 103 41 2845420 1122195; 0.02 0 108 43 3178499 1172572; 0.05 1 59 26 969021 426321; 0.05 0 63 29 1135413 538128; ...
%!   0.1 1 16 11 76560 25043; 0.1 0 19 13 113850 58887; 0.2 1 2 1 1335 -77002];
%! for row = known'
%!   [idx, x] = knng.optics (o, 'Xi', row(1), 'PredecessorCorrection', row(2), 'MinClusterSize', 4);
%!   c = x.clusters;
%!   assert ([rows(c), max(idx), sum((1:rows (c)) * c), sum(idx .* i)], row(3:6)');
%! end

%!test  # few rows, rows without distances, a radius of Inf
%! [idx, o] = knng.optics (7, 2);
%! assert ({idx, o.order, o.reach, o.core, o.pred, o.clusters}, {-1, 1, Inf, Inf, 0, zeros(0, 2)});
%! assert (knng.optics ([1; 2], 3), [-1; -1]);
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, o] = knng.optics (single ([NaN; 0; 0; 0; 9; 9; 9; Inf]), int8 (3));
%! assert (idx, [-1; 1; 1; 1; 2; 2; 2; -1]);
%! assert ({o.order', o.reach', o.core', o.pred'}, {[2:7 1 8], [Inf Inf 0 0 9 0 0 Inf], [Inf zeros(1, 6) Inf], [0 0 2 2 2 5 5 0]});
%! assert (knng.optics (o, 'Epsilon', Inf), [-1; 1; 1; 1; 1; 1; 1; -1]);
%! assert (knng.optics (o, 'Epsilon', 0), idx);
%! [idx, o] = knng.optics ([NaN NaN; NaN 1], 2);
%! assert ({idx, o.order}, {[-1; -1], [1; 2]});

%!test  # without results it draws: a bar for each row, by its cluster, and a line for each cluster
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! X = [1 2 3 4, 50 51 52 53, 100]';
%! [idx, o] = knng.optics (X, 2);
%! knng.optics (o);
%! lines = findobj (gca (), 'type', 'line');
%! bars = lines(cellfun (@numel, get (lines, 'xdata')) ~= 2);
%! x = cellfun (@(x) x(:)', get (bars, 'xdata'), 'UniformOutput', false);
%! assert (sort ([x{:}]), kron (1:9, [1 1 1]));
%! assert (numel (bars), numel (unique (idx)));
%! assert (numel (lines) - numel (bars), size (o.clusters, 1));
%! limits = ylim ();
%! assert (limits(1) < 0 && limits(2) > max (o.reach(o.reach < Inf)));
%! names = arrayfun (@(c) sprintf ('%d', c), unique (idx(idx > 0)), 'UniformOutput', false);
%! within = arrayfun (@(c) sum (o.clusters(:, 1) >= o.clusters(c, 1) & o.clusters(:, 2) <= o.clusters(c, 2)), 1:size (o.clusters, 1));
%! upper = arrayfun (@(c) sprintf ('c = %d', c), find (within > 1)(:), 'UniformOutput', false);
%! assert (! isempty (upper));
%! assert (sort (get (findobj (gca (), 'type', 'text'), 'string')), sort ([names; upper]));
%! knng.optics (X, 2, 'Epsilon', 3);
%! assert (numel (findobj (gca (), 'linestyle', '--')), 1);
%! knng.optics (X, 99);
%! close (fig);

%!error id=knng:args:count knng.optics ()
%!error id=knng:args:count knng.optics (1)
%!error id=knng:args:minpts knng.optics ([1; 2], 1)
%!error id=knng:args:minpts knng.optics ([1; 2], 2.5)
%!error <^minpts is 'Distance': it must be one whole number> knng.optics (magic (4), 'Distance', 'pearson')
%!warning <minpts is 3, but there are 2 rows: .*all are noise; give 2 or less> knng.optics ([1; 2], 3);
%!error id=knng:args:order knng.optics (struct ('order', 1))
%!error id=knng:args:order knng.optics (struct ('order', [1; 1], 'reach', [1; 1], 'core', [1; 1], 'pred', [1; 1], 'minpts', 2, 'maxepsilon', Inf))
%!error <'Xi' is 1: it must be one number between 0 and 1> knng.optics ([1; 2], 2, 'Xi', 1)
%!error <'MinClusterSize' is 1> knng.optics ([1; 2], 2, 'MinClusterSize', 1)
%!error <'Xi' is of 'ClusterMethod' 'xi', and this is 'dbscan'> knng.optics ([1; 2], 2, 'Xi', 0.1, 'Epsilon', 1)
%!error <'Epsilon' is of 'ClusterMethod' 'dbscan'> knng.optics ([1; 2], 2, 'ClusterMethod', 'xi', 'Epsilon', 1)
%!error <with 'dbscan' give the height of the cut> knng.optics ([1; 2], 2, 'ClusterMethod', 'dbscan')
%!error <'Epsilon' is 3, and rows farther apart than 'MaxEpsilon', 2> knng.optics ([1; 2], 2, 'Epsilon', 3, 'MaxEpsilon', 2)
%!error <'MaxEpsilon' is -1: it must be one distance> knng.optics ([1; 2], 2, 'MaxEpsilon', -1)
%!error <'PredecessorCorrection' is 2> knng.optics ([1; 2], 2, 'PredecessorCorrection', 2)
%!error id=knng:args:unknownOption knng.optics (struct ('order', 1, 'reach', Inf, 'core', Inf, 'pred', 0, 'minpts', 2, 'maxepsilon', Inf), 'Distance', 'cosine')
%!error id=knng:args:class knng.optics ('a', 2)
%!error id=knng:args:metric knng.optics ([1; 2], 2, 'Distance', 'euclidian')
