function [dim, of_row] = intrinsicdim (varargin)
%KNNG.INTRINSICDIM  Of how many dimensions points are: the intrinsic dimension.
%   dim = knng.intrinsicdim (X) estimates the dimension of the surface that the
%   rows of the n-by-d matrix X lie on, from how the distances to their
%   neighbours grow: about 2 for a rolled-up sheet, however many columns X has.
%   dim = knng.intrinsicdim (A) and knng.intrinsicdim (idx, dist) do the same
%   with a graph, as [idx, dist] = knngraph (X, k, ...) returns it. Of a
%   correlation, 'cosine' or 'sqeuclidean' say so by 'Distance': by these dim
%   would be half of what it is.
%   [dim, of_row] = knng.intrinsicdim (...) also returns the estimates around
%   each row, n-by-1. They vary by chance: for k neighbours with a standard
%   deviation of more than dim / sqrt (k).
%   [...] = knng.intrinsicdim (..., 'Name', value, ...) takes options.
%
%   The methods: with t(1) <= ... <= t(k) the distances of a row to its
%   neighbours, the dimension around it is 1 over the mean of log (t(k) / t(j)),
%   j < k, the most likely one (Levina and Bickel). The dimension of all is not
%   the mean of these, which is too large, but 1 over the mean of their inverses
%   (MacKay and Ghahramani): of lists of several lengths, 1 over the mean of all
%   these logarithms.
%
%   Options:
%
%     'K'         how many neighbours, a whole number from 2 on; default 'auto',
%                 20, or all where there are fewer other rows; 'NumNeighbors' is
%                 the same. For points
%     'Method'    'mle' (default): as above; 'twonn': by the two nearest alone
%                 (Facco et al.), which suffers less where the density changes,
%                 and more from noise: the slope of -log (1 - F) on log (mu)
%                 through the origin, where mu = t(2) / t(1), and F is the share
%                 of rows with this mu or less, without the tenth of the rows
%                 with the largest mu; of_row is then 1 / log (mu)
%     'Distance'  'euclidean' (default) or any metric of knngraph; 'Metric' is
%                 the same. Of a graph: which it was made with. Of
%                 'sqeuclidean', 'cosine' and the correlations, which are
%                 squares of lengths, roots are taken
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                 as in knngraph; of a graph 'Threads' alone
%
%   Copies of a row, at distance 0, say nothing of the dimension: they are left
%   out of the lists. If there are many, give unique (X, 'rows'). A row with
%   fewer than two neighbours at other places, or without distances (see
%   knngraph), counts for nothing, and has NaN. Where all neighbours of a row
%   are equally near, as on a lattice, of_row is Inf: data that were rounded to
%   few digits have too many dimensions. Infinite distances are no neighbours.
%
%   The estimate is of the scale of the neighbours. Noise adds dimensions at
%   small scales, so look at several K: a plateau tells. Many rows are needed
%   for high dimensions, which come out too low, since rows near the border of a
%   cloud have neighbours on one side: 2000 rows that fill a cube of 10
%   dimensions give 8.1 with K = 20.
%
%   A single X counts as double (X). Values are those of MLE and TwoNN of the
%   Python package scikit-dimension, up to rounding and copies.
%
%   Cost: a graph of K neighbours; beside it 0.3 s for n = 1e5, K = 20. Memory
%   as knngraph, and 40 bytes for each entry of idx.
%
%   Errors: knng:args:idx, :dist, :class if the graph is none; knng:args:k,
%   :option, :unknownOption, :metric, :sparse, :complex, :dims, :empty, :count;
%   and others as knngraph. Warnings: as knng.lof.
%
%   Sources: E. Levina, P. Bickel, NIPS 17 (2004) 777-784; D. MacKay, Z.
%   Ghahramani, Comments on it (2005); E. Facco, M. d'Errico, A. Rodriguez, A.
%   Laio, Scientific Reports 7 (2017) 12140.
%
%   Example:
%     t = mod ((1:2000)' * [0.7548776662 0.5698402910], 1);
%     t(:, 1) = 2 + 9 * t(:, 1);
%     X = [t(:, 1).*cos(t(:, 1)), 20*t(:, 2), t(:, 1).*sin(t(:, 1))];  % a roll
%     round (knng.intrinsicdim (X))                    % 2
%
%   See also knng.pca, knng.isomap, knng.umap, knng.lof, knngraph.

  if (nargin < 1)
    error ('knng:args:count', ['knng.intrinsicdim needs points or a graph, as in knng.intrinsicdim (X), knng.intrinsicdim (A) or ' ...
           'knng.intrinsicdim (idx, dist): see help knng.intrinsicdim']);
  end
  form = 'knng.intrinsicdim (GRAPH)';
  [graph, opt, how] = knng.internal.points_or_graph (form, struct ('K', 'auto', 'Method', 'mle'), varargin, {'Distance'});
  method = knng.internal.check_choice ('Method', opt.Method, {'mle', 'twonn'});
  if (isempty (graph) && isequal (opt.K, 1))
    error ('knng:args:k', '''K'' is 1: one neighbour tells nothing of a dimension; give 2 or more');
  end
  [~, t] = knng.internal.near_lists (form, graph, varargin{1}, opt, how, 20);
  n = size (t, 1);
  t(~(t > 0)) = NaN;                                         % copies
  if (squared (opt.Distance))
    t = sqrt (t);
  end
  if (strcmp (method, 'twonn'))
    t = sort (t, 2);                                         % NaN last
    t = t(:, 1:min (2, size (t, 2)));
  end
  count = sum (t > 0, 2);
  grow = zeros (n, 1);                                       % the sum of the logarithms
  last = max (t, [], 2);
  for c = 1:size (t, 2)
    l = log (last ./ t(:, c));
    far = l == Inf;                                          % a ratio that overflows
    l(far) = log (last(far)) - log (t(far, c));
    l(isnan (l)) = 0;
    grow = grow + l;
  end
  of_row = NaN (n, 1);
  some = count > 1;
  of_row(some) = (count(some) - 1) ./ grow(some);
  if (~any (some))
    dim = NaN;
  elseif (strcmp (method, 'mle'))
    dim = sum (count(some) - 1) / sum (grow(some));
  else
    dim = slope (grow(some));
  end
end

function yes = squared (name)
% Whether the distances of a metric are squares of lengths, or half of them.
  t = knng.internal.search ('metrics');
  t = t(strcmp ({t.name}, name));
  yes = strcmp (t.map, 'half') || (strcmp (t.map, 'none') && any (strcmp (t.sum, {'minus', 'plus', 'either'})));
end

function dim = slope (x)
% That of -log (1 - F) on x through the origin, F = i/n for the i-th smallest, without the largest tenth.
  n = numel (x);
  keep = floor (9 * n / 10);
  if (keep < 1)
    dim = NaN;
    return
  end
  x = sort (x);
  x = x(1:keep);
  dim = (-log (1 - (1:keep) / n) * x) / (x' * x);
end

%!test <*1>
%! t = mod ((1:2000)' * [0.7548776662 0.5698402910], 1);
%! t(:, 1) = 2 + 9 * t(:, 1);
%! X = [t(:, 1).*cos(t(:, 1)), 20*t(:, 2), t(:, 1).*sin(t(:, 1))];
%! assert (round (knng.intrinsicdim (X)), 2);

%!test  # the definition in plain loops; copies, a row without distances, metrics and their roots; graphs
%! warning ('off', 'knng:data:nonFinite', 'local');
%! X = reshape (knng.internal.random (1, 400), 100, 4);
%! X(41:43, :) = X([1 1 2], :);
%! X(50, 2) = NaN;
%! for c = {{'euclidean', 1}, {'sqeuclidean', 2}, {'cityblock', 1}, {'cosine', 2}, {'antipearson', 2}, {'chebychev', 1}}
%!   [metric, power] = c{1}{:};
%!   for k = [2 9 98]
%!     [idx, dist] = knngraph (X, k, metric);
%!     m = NaN (100, 1);
%!     [logs, terms] = deal (0);
%!     for i = 1:100
%!       t = dist(i, dist(i, :) > 0) .^ (1 / power);
%!       if (numel (t) > 1)
%!         l = log (t(end) ./ t(1:end-1));
%!         m(i) = 1 / mean (l);
%!         logs += sum (l);
%!         terms += numel (l);
%!       end
%!     end
%!     [dim, of_row] = knng.intrinsicdim (X, 'K', k, 'Distance', metric);
%!     assert (dim, terms / logs, -1e-12);
%!     assert (of_row, m, -1e-12);
%!     [d, o] = knng.intrinsicdim (idx, dist, 'Metric', metric);
%!     assert (isequaln (d, dim) && isequaln (o, of_row));
%!     [d, o] = knng.intrinsicdim (knngraph (X, k, metric), 'Distance', metric);
%!     assert (isequaln (d, dim) && isequaln (o, of_row));
%!   end
%! end
%! [dim, of_row] = knng.intrinsicdim (X(3:40, :), 'K', 7);
%! assert (dim, 1 / mean (1 ./ of_row), -1e-12);

%!test  # scikit-dimension 0.5.0, of these numbers
%! X = mod ((1:60)' * [0.7548776662 0.5698402910 0.4142135624], 1);
%! [dim, of_row] = knng.intrinsicdim (X, 'K', 8);
%! assert (dim, 3.4982477640751197, 1e-12);
%! assert (of_row(1:10)', [3.46814 3.56045 3.92012 2.89049 2.51127 3.94079 3.51566 3.13373 5.51931 4.57385], 1e-5);
%! assert (knng.intrinsicdim (single (X)), 2.730957553465575, 1e-5);
%! assert (knng.intrinsicdim (X, 'Method', 'twonn'), 3.3136509367129947, 1e-12);
%! assert (knng.intrinsicdim (knngraph (X, 2), 'Method', 'TwoNN'), 3.3136509367129947, 1e-12);

%!test  # surfaces without border of known dimension, by either method; other scales change nothing
%! for d = [1 2 3 5]
%!   X = 2 * pi * reshape (knng.internal.random (d, 3000 * d), 3000, d);
%!   X = [cos(X), sin(X), zeros(3000, 4)];
%!   assert (knng.intrinsicdim (X), d, 0.1 * d);
%!   assert (knng.intrinsicdim (X, 'Method', 'twonn'), d, 0.1 * d);
%! end
%! X = reshape (knng.internal.random (9, 300), 100, 3);
%! dim = knng.intrinsicdim (X);
%! assert (knng.intrinsicdim (1e200 * X, 'Distance', 'cityblock'), knng.intrinsicdim (X, 'Distance', 'cityblock'), 1e-12);
%! [idx, dist] = knngraph (X, 5);
%! assert (isfinite (knng.intrinsicdim (idx, [1e-300 * dist(:, 1:2), 1e300 * dist(:, 3:5)])));

%!test  # few rows, equal ones, a lattice, rows without distances or neighbours
%! warning ('off', 'knng:data:nonFinite', 'local');
%! for call = {{7}, {[1; 2]}, {[3; 3; 3; 3]}, {[NaN; 1; 2]}, {sparse(2, 2)}, {7, 'Method', 'twonn'}}
%!   [dim, of_row] = knng.intrinsicdim (call{1}{:});
%!   assert (isnan (dim) && all (isnan (of_row)) && rows (of_row) == rows (call{1}{1}));
%! end
%! [x, y] = meshgrid (1:5);
%! [dim, of_row] = knng.intrinsicdim ([x(:), y(:)], 'K', 2);
%! assert ({dim, of_row}, {Inf, Inf(25, 1)});
%! [dim, of_row] = knng.intrinsicdim (sparse ([0 1 2; 1 0 0; Inf 2 0]));
%! assert ({dim, of_row}, {1 / log(2), [1 / log(2); NaN; NaN]});
%! assert (isnan (knng.intrinsicdim ([1; 2; 4], 'Method', 'twonn')), false);
%! assert (size (knng.intrinsicdim (sparse (0, 0))), [1 1]);
%!error id=knng:args:count knng.intrinsicdim ()
%!error id=knng:args:k knng.intrinsicdim (magic (4), 'K', 0)
%!error <'K' is 1: .*give 2 or more> knng.intrinsicdim (magic (4), 'K', 1)
%!error <'K' is for points> knng.intrinsicdim (sparse ([0 1; 1 0]), 'K', 1)
%!error <'Device' is for points> knng.intrinsicdim (sparse ([0 1; 1 0]), 'Device', 'cpu')
%!error <'Method' is 'pca': it must be 'mle' or 'twonn'> knng.intrinsicdim (magic (4), 'Method', 'pca')
%!error id=knng:args:metric knng.intrinsicdim (magic (4), 'Metric', 'euclidian')
%!error id=knng:args:class knng.intrinsicdim ('a')
%!error id=knng:args:dist knng.intrinsicdim ([2; 1], [1; -1])
