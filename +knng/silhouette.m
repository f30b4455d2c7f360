function [s, h] = silhouette (X, clust, varargin)
%KNNG.SILHOUETTE  How well each row of a matrix fits its cluster.
%   s = knng.silhouette (X, clust) compares, for every row of the n-by-d matrix
%   X, the mean a of its distances to the other rows of its cluster with b, the
%   mean of its distances to the rows of the nearest other cluster, that of the
%   smallest mean. s is n-by-1, from -1 to 1:
%
%       s(i) = (b - a) / max (a, b)
%
%   s = knng.silhouette (X, clust, metric) measures with another metric of
%   knngraph than 'sqeuclidean', the default here, as in MATLAB.
%   s = knng.silhouette (..., 'Name', value, ...) takes options.
%   knng.silhouette (...) without results draws, into the current axes: a bar
%   for each row, cluster by cluster from the top, in the colours of these, the
%   largest values of each first; a dashed line at the mean.
%   [s, h] = knng.silhouette (...) draws, too; h is the figure, as in MATLAB.
%
%   Near 1 the row lies well within its cluster, near 0 between two, below 0 it
%   is nearer to another cluster than to its own. mean (s) says how good a
%   clustering is, and so which of several is best. clust are n labels: numbers,
%   logicals, a cell of texts or a char matrix.
%
%   Options:
%
%     'Distance'  the metric, if it is not the third argument, default
%                 'sqeuclidean'
%     'Threads', 'Progress'  as in knngraph
%
%   A row that is alone in its cluster has the value 1, as in MATLAB and
%   Octave's statistics package (in the source and in scikit-learn 0); where a
%   and b are equal it is 0. Rows without a label (NaN, ''), noise, -1 beside
%   numbers from 1 on, as of knng.dbscan, and rows without distances (see
%   knngraph) have NaN and take no part; all have NaN if there is but one
%   cluster. So of two classes, -1 and 1, give y > 0.
%
%   Distances are those of knngraph to the last bit, all of them, summed in the
%   order of the rows of a cluster: every machine and every number of threads
%   gives the same values. In the picture rows that have NaN are left out, and
%   up to 30 clusters have names, where there is room for letters of 5 points or
%   more; long names are cut in the middle. knng.scatter draws points in the
%   colours of s.
%
%   Cost: n*n*d operations on the CPU; 10 000 rows of 300 columns take 5.5
%   seconds on 2 cores. Memory 8*n*d bytes, and 512 bytes a cluster for each
%   thread. Ctrl-C stops it.
%
%   Errors: knng:args:labels (no labels, or not one for each row);
%   knng:args:class, :sparse, :complex, :dims, :empty, :rows, :metric, :option,
%   :unknownOption, :count; knng:memory:host; knng:interrupted. Warnings:
%   knng:data:nonFinite (rows with a label that hold NaN or Inf);
%   knng:data:clusters (one cluster and noise); knng:data:fill (X has numbers
%   that may stand for missing values, as -9999); where it draws
%   knng:toolbox:letters, as knng.scatter.
%
%   Source: P. Rousseeuw, Silhouettes: a graphical aid to the interpretation and
%   validation of cluster analysis, Journal of Computational and Applied
%   Mathematics 20 (1987) 53-65.
%
%   Example:
%     X = [0; 1; 2; 10; 11; 12; 5];
%     s = knng.silhouette (X, [1 1 1 2 2 2 2], 'cityblock');
%     round (100 * s')                    % 84 88 80 70 73 70 -33
%     knng.silhouette (X, [1 1 1 2 2 2 2]);        % draws
%
%   See also knng.evalclusters, knng.kmeans, knng.dbscan, knng.spectralcluster,
%   knng.scatter, knngraph.

  if (nargin < 2)
    error ('knng:args:count', ['knng.silhouette needs a matrix and the cluster of each row, as in ' ...
           'knng.silhouette (X, clust): see help knng.silhouette']);
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  opt = struct ('Distance', 'sqeuclidean', 'Threads', [], 'Progress', 'auto');
  [opt, given] = knng.internal.options (opt, knng.internal.metric_first (opt, varargin));
  metric = knng.internal.metric (opt.Distance);
  knng.internal.engine (given, {'Threads', 'Progress'});
  [clust, noise] = knng.internal.without_noise (clust);
  [code, names] = knng.internal.label_codes (clust);
  knng.internal.check_labels (numel (code), X);
  knng.internal.doubt_filled (X);
  if (numel (names) < 2 && any (noise))
    warning ('knng:data:clusters', ['the label -1 counts as noise, and without it there is but one cluster: all values are ' ...
             'NaN; of two classes, -1 and 1, give y > 0']);
  end
  values = knng.internal.silhouette (X, metric, code, opt);
  lost = code(:) > 0 & any (~isfinite (X), 2);
  if (any (lost))
    [share, where] = knng.internal.holding (X, lost);
    warning ('knng:data:nonFinite', ['%s hold NaN or Inf: they have no silhouette, and count for none%s; knng.impute fills them ' ...
             'in'], share, where);
  end
  if (nargout ~= 1)
    fig = draw (values, code(:), knng.internal.label_texts (names));
  end
  if (nargout > 0)                                           % else it would print ans
    s = values;
  end
  if (nargout > 1)
    h = fig;
  end
end

function fig = draw (s, code, names)
% Bars from the top to the bottom, with a gap between clusters.
  [ax, back] = knng.internal.axes_ready ();                  %#ok<ASGLU>
  [inches, fig] = knng.internal.axes_inches (ax);
  known = find (~isnan (s));
  in_order = knng.internal.legend_order (names);
  place(in_order) = 1:numel (names);
  place = reshape (place(code(known)), [], 1);
  [~, order] = sortrows ([place, -s(known)]);
  rows = known(order);
  n = numel (rows);
  [found, ~, part] = unique (place(order));
  found = in_order(found);
  gap = max (1, n / 100);
  y = (1:n)' + gap * (part(:) - 1);
  height = max ([1; y]) + 1;
  width = max (0.5, min (12, (0.8 + 0.4 * (n > 100)) * 72 * inches(4) / height));
  middle = zeros (numel (found), 1);
  for c = 1:numel (found)
    at = y(part == c)';
    x = [zeros(1, numel (at)); s(rows(part == c))'; NaN(1, numel (at))];
    line (x(:), reshape ([at; at; at], [], 1), 'parent', ax, 'color', knng.internal.group_colours (found(c), 0), ...
          'linewidth', width);
    middle(c) = mean (at([1 end]));
  end
  low = min ([0; s(rows)]) - 0.01;
  names = names(found(1:end * (numel (found) <= 30)));
  slot = 72 * inches(4) / max (1, numel (names));
  points = max (5, min (10, floor (2 * slot / 1.17) / 2));
  if (slot < points * 1.17)                                  % they would lie over each other
    names = {};
  end
  tall = points * 1.17 / 72 / inches(4) * height;            % a line of text
  at = knng.internal.apart (middle(1:numel (names)), tall, tall / 2, height - tall / 2);
  moved = any (abs (at - middle(1:numel (names))) > 0.6 * tall);
  beside = 0.08 + 0.2 * moved;                               % inches between names and bars
  most = 0.5 * inches(3) - beside;
  names = knng.internal.narrow_texts (names, points, most);
  share = min (0.5, (max ([0; knng.internal.text_inches(names, points)]) + beside) / inches(3));   % of the axes, for names
  first = (low - share) / (1 - share);
  line ([0 0], [0, height], 'parent', ax, 'color', [0.25 0.25 0.25]);
  if (n > 0)
    line (mean (s(rows)) * [1 1], [0, height], 'parent', ax, 'color', [0 0 0], 'linestyle', '--');
  end
  set (ax, 'xlim', [first, 1], 'ylim', [0, height], 'ydir', 'reverse', 'ytick', [], 'ycolor', [1 1 1], 'box', 'off');
  ticks = get (ax, 'xtick');
  set (ax, 'xtick', ticks(ticks >= low));
  inch = (1 - first) / inches(3);
  for c = 1:numel (names)
    if (moved)
      line (low - inch * [0.22 0.15 0.05 0], [at([c c])', middle([c c])'], 'parent', ax, 'color', [0.4 0.4 0.4], 'linewidth', 0.5);
    end
    text (low - inch * (beside - 0.03), at(c), names{c}, 'parent', ax, 'horizontalalignment', 'right', 'verticalalignment', 'middle', ...
          'fontsize', points, 'interpreter', 'none');
  end
  xlabel (ax, 'silhouette');
end

%!function s = plainly (D, clust)
%!  for i = 1:rows (D)
%!    a = mean (D(i, clust == clust(i) & (1:rows (D))' ~= i));
%!    b = Inf;
%!    for c = setdiff (clust, clust(i))'
%!      b = min (b, mean (D(i, clust == c)));
%!    end
%!    s(i, 1) = (b - a) / max (a, b);
%!  end
%!endfunction

%!test <*1>
%! X = [0; 1; 2; 10; 11; 12; 5];
%! s = knng.silhouette (X, [1 1 1 2 2 2 2], 'cityblock');
%! assert (round (100 * s'), [84 88 80 70 73 70 -33]);

%!test  # what silhouette_samples of scikit-learn 1.9.1 gives
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! clust = [1 1 2 2 1 3 2 1 1 3 2 3];
%! assert (knng.silhouette (X, clust, 'euclidean')', [0.284292148 0.297422418 -0.138528516 0.277579588 0.214580725 -0.246877273 ...
%!         -0.153602892 0.403352389 0.451892343 0.225816421 -0.028632681 -0.263941055], 1e-9);
%! assert (knng.silhouette (X, clust, 'cityblock')', [0.284753363 0.290322581 -0.162790698 0.232 0.293193717 -0.261904762 ...
%!         -0.111111111 0.393292683 0.424778761 0.295918367 -0.091503268 -0.290688259], 1e-9);

%!test  # against all distances
%! X = reshape (knng.internal.random (1, 900), 300, 3);
%! clust = floor (mod ((1:300)' .^ 2 / 7, 5));
%! D = sqrt (sum ((permute (X, [1 3 2]) - permute (X, [3 1 2])) .^ 2, 3));
%! assert (knng.silhouette (X, clust), plainly (D .^ 2, clust), 1e-13);
%! assert (knng.silhouette (X, clust, 'Euclidean', 'Threads', 1), plainly (D, clust), 1e-13);
%! assert (knng.silhouette (X, clust, 'chebychev'), plainly (max (abs (permute (X, [1 3 2]) - permute (X, [3 1 2])), [], 3), clust), 1e-13);
%! assert (knng.silhouette (X, clust, 'antipearson'), plainly (1 + corr (X'), clust), 1e-12);
%! assert (knng.silhouette (X, clust, 'Threads', 3), knng.silhouette (X, clust, 'Threads', 1));
%! assert (knng.silhouette (single (X), clust), knng.silhouette (double (single (X)), clust));

%!test  # golub: its samples in their classes
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! s = knng.silhouette (ds.X', ds.classes, 'pearson');
%! assert (s, plainly (1 - corr (ds.X), ds.classes(:)), 1e-12);
%! assert (mean (s), 0.2011, 1e-4);

%!test  # the picture: all values but NaN, from the largest of each cluster on; names; the mean; nothing to draw; what is returned
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! X = [mod((1:60)' .^ 2 * sqrt ([2 3]), 1); NaN 1];
%! clust = repmat ({'a_1', '%s', ''}, 1, 21)(1:61)';
%! assert (isempty (strfind (evalc ('knng.silhouette (X, clust)'), 'ans')));
%! [s, h] = knng.silhouette (X, clust);
%! assert (h, fig);
%! assert (sum (isnan (s)), 21);
%! ax = findobj (fig, 'type', 'axes');
%! lines = findobj (ax, 'type', 'line');
%! x = get (lines, 'xdata');
%! found = x(cellfun (@numel, x) > 2);
%! for c = {'a_1', '%s'}
%!   want = sort (s(strcmp (clust, c{1}) & ! isnan (s)), 'descend')';
%!   is = cellfun (@(x) isequal (x(2:3:end), want), found);
%!   assert (sum (is), 1);
%!   assert (found{is}(1:3:end), zeros (size (want)));
%! end
%! dashed = lines(strcmp (get (lines, 'linestyle'), '--'));
%! assert (get (dashed, 'xdata'), [1 1] * mean (s(! isnan (s))), 1e-15);
%! t = findobj (ax, 'type', 'text', '-depth', 1);
%! assert (sort (get (t, 'string')), sort ({'a_1'; '%s'}));
%! assert (all (strcmp (get (t, 'interpreter'), 'none')));
%! before = numel (findobj (fig));
%! assert (knng.silhouette (X, clust), s);
%! assert (numel (findobj (fig)), before);               % one result: nothing new is drawn
%! knng.silhouette (X, ones (61, 1));
%! assert (numel (findobj (gca (), 'type', 'line')), 1);
%! knng.silhouette (mod ((1:80)' .^ 2 * sqrt ([2 3]), 1), ceil ((1:80)' / 2));
%! assert (numel (findobj (gca (), 'type', 'text', '-depth', 1)), 0);
%! close (fig);

%!test  # names lie neither over each other nor left of the axes: of small clusters, long, in a panel, in pixels; of a size to read
%! back = knng.internal.headless ();
%! X = mod ((1:200)' * [.37 .71], 1);
%! small = [ones(197, 1); 2; 3; 4];
%! long = repmat ({[repmat('W', 1, 55) 'a'], [repmat('W', 1, 55) 'b']}, 1, 100)';
%! many = mod (1:200, 30)';
%! for way = {'axes', 'panel', 'pixels', 'small'}
%!   fig = figure ('visible', 'off');
%!   switch (way{1})
%!     case 'panel'
%!       axes ('parent', uipanel (fig, 'position', [0 0 0.5 1]));
%!     case 'pixels'
%!       axes ('parent', fig, 'units', 'pixels', 'position', [60 60 300 300]);
%!     case 'small'
%!       subplot (3, 3, 2);
%!   end
%!   for clust = {small, long, many}
%!     [~, h] = knng.silhouette (X, clust{1});
%!     assert (h, fig);
%!     ax = findobj (fig, 'type', 'axes');
%!     t = findobj (ax, 'type', 'text', '-depth', 1);
%!     if (strcmp (way{1}, 'small') && isequal (clust{1}, many))
%!       assert (isempty (t));
%!       continue
%!     end
%!     assert (numel (unique (get (t, 'string'))), numel (unique (clust{1})));
%!     points = unique (cell2mat (get (t, 'fontsize')));
%!     assert (numel (points) == 1 && points >= 5);
%!     inches = knng.internal.axes_inches (ax);
%!     inch = inches(3:4) ./ [diff(get (ax, 'xlim')), diff(get (ax, 'ylim'))];
%!     place = cell2mat (get (t, 'position'));
%!     assert (min (diff (sort (place(:, 2)))) * inch(2) * 72 > 1.15 * points);
%!     assert (max (place(:, 2)) < max (get (ax, 'ylim')) - points / 144 / inch(2));
%!     left = place(:, 1) * inch(1) - knng.internal.text_inches (get (t, 'string'), points);
%!     assert (all (left > get (ax, 'xlim')(1) * inch(1)));
%!     assert (max (place(:, 1)) < min (0, min (knng.silhouette (X, clust{1}))));
%!     assert (min (knng.internal.text_inches (get (t, 'string'), points)) > 0.05);
%!     if (isequal (clust{1}, long))
%!       assert (0.5 * inches(3) - max (knng.internal.text_inches (get (t, 'string'), points)) < 0.3);
%!     end
%!   end
%!   close (fig);
%! end

%!test  # noise takes no part, and clusters have the colours of knng.scatter
%! back = knng.internal.headless ();
%! X = [0; 1; 2; 10; 11; 12; 50];
%! some = knng.silhouette (X(1:6), [1 1 1 2 2 2]);
%! for noise = {int8([1 1 1 2 2 2 -1]), [1 1 1 2 2 2 -1], [7 7 7 9 9 9 -1]}
%!   assert (knng.silhouette (X, noise{1}), [some; NaN]);
%! end
%! assert (knng.silhouette (X([1:6, 7, 7]), [1 1 1 2 2 2 -1 NaN]), [some; NaN; NaN]);
%! assert (knng.silhouette (X, [1 1 1 1 1 1 -1]), NaN (7, 1));
%! assert (knng.silhouette (X(1:6), [0 0 0 -1 -1 -1]), some);    # 0 is no number of a cluster, so that -1 is a class
%! assert (knng.silhouette (X(1:6), {'1', '1', '1', '-1', '-1', '-1'}), some);
%! assert (knng.silhouette (X(1:6), [1 1 1 -1 -1 -1] > 0), some);
%! fig = figure ('visible', 'off');
%! closed = onCleanup (@() close (fig));
%! clust = [1 1 1 2 2 2 -1];
%! [s, h] = knng.silhouette (X, clust);
%! t = findobj (fig, 'type', 'text', '-depth', 2);
%! assert (sort (get (t, 'string')), {'1'; '2'});
%! lines = findobj (fig, 'type', 'line');
%! lines = lines(cellfun (@numel, get (lines, 'xdata')) == 9);
%! bars = flipud (cell2mat (get (lines, 'color')));
%! other = figure ('visible', 'off');
%! too = onCleanup (@() close (other));
%! points = knng.scatter ([X, X], clust);
%! assert (bars, cell2mat (get (points(1:2), 'color')));

%!test  # labels of every kind; alone; without a label; without distances; equal rows; one cluster
%! X = [0; 1; 2; 10; 11; 12; 50];
%! s = knng.silhouette (X, [1 1 1 2 2 2 7]);
%! assert (s(7), 1);
%! assert (knng.silhouette (X, {'b', 'b', 'b', 'a', 'a', 'a', 'z'}), s);
%! assert (knng.silhouette (X, ['bb'; 'bb'; 'bb'; 'a '; 'a '; 'a '; 'z ']), s);
%! some = knng.silhouette (X(1:6), logical ([0 0 0 1 1 1]));
%! assert (knng.silhouette (X, [1 1 1 2 2 2 NaN]), [some; NaN]);
%! assert (knng.silhouette ([X(1:6); NaN], [1 1 1 2 2 2 2]), [some; NaN]);
%! assert (knng.silhouette (X([1 1 1 1]), [1 1 2 2]), zeros (4, 1));
%! assert (knng.silhouette (X, ones (7, 1)), NaN (7, 1));
%! assert (knng.silhouette (X, NaN (7, 1)), NaN (7, 1));
%! lastwarn ('');
%! s = knng.silhouette ([1 2 3 NaN]', [1 1 2 NaN]);              # that row has no label
%! assert (lastwarn (), '');
%! assert (knng.silhouette (1e300 * X(1:6), [1 1 1 2 2 2]), zeros (6, 1));   # every distance is Inf
%!warning <^1 of 4 rows \(25 %\) hold NaN or Inf: they have no silhouette, and count for none; they are in column 1 \(1 row\); knng.impute> s = knng.silhouette ([1 2 3 NaN]', [1 1 2 2]);

%!warning <^the label -1 counts as noise, and without it there is but one cluster> s = knng.silhouette ([1; 2; 5], [-1 1 1]); assert (isnan (s), true (3, 1));
%!warning <holds -9999 in 2 of 4 rows> s = knng.silhouette ([1 2; 3 -9999; 5 1; 6 -9999], [1 1 2 2]);
%!error id=knng:args:count knng.silhouette (1)
%!error id=knng:args:class knng.silhouette ('a', 1)
%!error id=knng:args:labels knng.silhouette ([1; 2], 1)
%!error id=knng:args:labels knng.silhouette ([1; 2], {1, 2})
%!error id=knng:args:metric knng.silhouette ([1; 2], [1 2], 'euclidian')
%!error id=knng:args:metric knng.silhouette ([1; 2], [1 2], 5)
%!error id=knng:args:option knng.silhouette ([1; 2], [1 2], 'Threads', 0)
%!error id=knng:args:option knng.silhouette ([1; 2], [1 2], 'Threads', 1.5)
%!error id=knng:args:option knng.silhouette ([1; 2], [1 2], 'Progress', 3)
%!assert (knng.silhouette ([1; 2; 5], [1 1 2], 'Metric', 'city'), knng.silhouette ([1; 2; 5], [1 1 2], 'cityblock'))
