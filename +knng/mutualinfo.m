function [mi, used] = mutualinfo (X, y, varargin)
%KNNG.MUTUALINFO  How much each column tells of a target: mutual information.
%   mi = knng.mutualinfo (X, y) estimates, for each column of the n-by-d matrix
%   X, the mutual information with y, which has a number or a label for each
%   row. mi, d-by-1, is in nats (log (2) is a bit): 0 where the column says
%   nothing of y; more, the more of it follows from the column, by any curve,
%   where a correlation sees lines alone. For genes in rows, give X'.
%   [mi, used] = knng.mutualinfo (...) also returns how many rows each column
%   was judged by, d-by-1: those with a number there and in y. NaN and Inf are
%   missing; mi is NaN where fewer than two rows are left.
%   [...] = knng.mutualinfo (..., 'Name', value, ...) takes options.
%
%   The methods, by neighbours: of each row the distance r to its k-th neighbour
%   in the plane of the column and y, the larger of both differences; nx others
%   are nearer than r in the column, and ny in y. mi is psi (k) + psi (n) less
%   the mean of psi (nx + 1) + psi (ny + 1) (Kraskov et al., estimator 1). Where
%   y are classes: r is the distance in the column to the k-th neighbour of the
%   same class, in a class of c rows (k at most c - 1), and m rows, itself among
%   them, are nearer. mi is psi (n) less the mean of psi (c) - psi (k) + psi (m)
%   (Ross). Rows alone in their class are left out.
%
%   Options:
%
%     'K'            how many neighbours, a whole number from 1 on; default 3;
%                    'NumNeighbors' is the same. More vary less by chance, and
%                    see less; at most all other rows are taken
%     'Target'       'auto' (default): numbers are numbers, logicals and texts
%                    classes; 'continuous' or 'discrete', for classes that are
%                    called by numbers
%     'Standardize'  true (default): columns and a y of numbers are divided by
%                    their standard deviation, so that no unit counts; false: as
%                    they are
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                    as in knngraph
%
%   Nearer means less than r, exactly. Estimates vary by chance, also below 0,
%   which says that there is next to no information: max (mi, 0) is what
%   scikit-learn returns. To know what chance does, shuffle y some times.
%
%   Equal values: nothing is drawn, and no noise added to tell them apart, so
%   the answer is always the same. Where a row has k copies or more in the plane
%   (of classes: in its class), r is 0. There k is the number of these copies,
%   and others as near are those with an equal value (Gao et al.). So columns of
%   few values are judged by how often these occur together. If y has few
%   different numbers, they may be classes: a warning, knng:data:ties, says so.
%
%   Columns are numbers. Values are those that mutual_info_regression and
%   mutual_info_classif of scikit-learn come to, but for the noise that they
%   add, rows with k copies, and classes in which rounding makes a neighbour at
%   r count as nearer there.
%
%   Cost: for each column a search of n rows of two columns (of classes none);
%   of 1e5 rows 0.3 s, of 38 rows two milliseconds. Memory as knngraph, and
%   200*n bytes. Ctrl-C stops it.
%
%   Errors: knng:args:labels (y is no vector of numbers or labels, or has not
%   one for each row); knng:args:k, :class, :sparse, :complex, :dims, :empty,
%   :option, :unknownOption, :count; and others as knngraph. Warnings:
%   knng:data:ties; knng:data:nonFinite (y has next to no values);
%   knng:args:kClipped ('K' is larger than the number of other rows);
%   knng:data:fill (X has numbers that may stand for missing values, as -9999).
%
%   Sources: A. Kraskov, H. Stoegbauer, P. Grassberger, Physical Review E 69
%   (2004) 066138; B. Ross, PLoS ONE 9(2) (2014) e87357; W. Gao, S. Kannan, S.
%   Oh, P. Viswanath, NIPS 30 (2017) 5986-5997, copies.
%
%   Example:
%     t = mod ((1:500)' * [0.7548776662 0.5698402910], 1);
%     X = [t(:, 1), t(:, 2)];
%     y = sin (9 * t(:, 1));
%     mi = knng.mutualinfo (X, y);
%     mi(1) > 1                                        % 1
%     abs (mi(2)) < 0.3                                % 1
%     abs (corr (X(:, 1), y)) < 0.3                    % 1: no line
%
%   See also knng.compare, knng.edges, knng.pca, knng.knnsearch, knngraph.

  if (nargin < 2)
    error ('knng:args:count', ['knng.mutualinfo needs a matrix and a target, as in knng.mutualinfo (X, y): see help ' ...
           'knng.mutualinfo']);
  end
  knng.internal.built ();
  knng.internal.check_matrix (X, 'X');
  knng.internal.doubt_filled (X);
  opt = struct ('K', 3, 'Target', 'auto', 'Standardize', true);
  [opt, given] = knng.internal.options (knng.internal.join (opt, knng.internal.engine ()), varargin);
  how = knng.internal.engine (given);
  k = knng.internal.check_neighbours ('''K''', opt.K);
  target = knng.internal.check_choice ('Target', opt.Target, {'auto', 'continuous', 'discrete'});
  knng.internal.check_flag ('Standardize', opt.Standardize);
  [y, classes] = target_of (y, target);
  knng.internal.check_labels (numel (y), X);

  scaled = @(v) v;
  if (opt.Standardize)
    scaled = @standard;
  end
  [n, d] = size (X);
  has_y = isfinite (y);
  if (~classes)
    look_for_classes (y(has_y));
  end
  rows = sum (has_y);
  if (rows < 2)
    warning ('knng:data:nonFinite', 'y has a number or a label in %d of %d rows: it needs two or more to tell anything, and mi is NaN', rows, n);
  elseif (k > rows - 1 && any (strcmp (given(1:2:end), 'K')))
    warning ('knng:args:kClipped', '''K'' is %g, but other rows that have a value of y are only %d: these are taken', k, rows - 1);
  end
  mi = NaN (d, 1);
  used = zeros (d, 1);
  for c = 1:d
    x = double (X(:, c));
    on = has_y & isfinite (x);
    if (classes)
      count = accumarray (y(on), 1, [max([y(has_y); 1]), 1]);
      on(on) = count(y(on)) > 1;
      used(c) = sum (on);
      if (used(c) > 1)
        mi(c) = of_classes (scaled (x(on)), y(on), k);
      end
    else
      used(c) = sum (on);
      if (used(c) > 1)
        mi(c) = of_numbers (scaled (x(on)), scaled (y(on)), min (k, used(c) - 1), how);
      end
    end
  end
end

function [y, classes] = target_of (y, target)
% The target as a column of doubles, classes from 1 on; NaN where it is missing.
  numbers = isnumeric (y) && isreal (y) && (isempty (y) || numel (y) == max (size (y)));
  classes = strcmp (target, 'discrete') || (strcmp (target, 'auto') && ~numbers);
  if (classes)
    y = knng.internal.label_codes (y);
    y(y == 0) = NaN;
  elseif (numbers)
    y = full (double (y(:)));
  elseif (islogical (y) && isvector (y))
    y = double (y(:));
  else
    error ('knng:args:labels', 'y is %s: with ''Target'', ''continuous'' it must be a vector of numbers, one for each row of X', ...
           knng.internal.given (y));
  end
end

function look_for_classes (y)
  [values, ~, which] = unique (y);
  if (numel (y) > 9 && numel (values) <= sqrt (numel (y)))
    warning ('knng:data:ties', ['y has %d different numbers in %d rows, and is taken for a quantity: if they are classes, give ' ...
             '''Target'', ''discrete'''], numel (values), numel (which));
  end
end

function r = in_plane (x, y, k, how)
% From each point to its k-th neighbour, by the larger of both differences.
  if (numel (x) > 256)
    [~, r] = knngraph ([x, y], k, 'chebychev', how{:});
    r = r(:, k);
  else                                                       % a call would take longer
    r = sort (max (abs (bsxfun (@minus, x, x')), abs (bsxfun (@minus, y, y'))));
    r = r(k + 1, :)';                                        % the first is the point itself
  end
end

function r = on_line (x, k)
% From each x to its k-th neighbour: j of these are above it, and the others below, for the best j.
  n = numel (x);
  [x, order] = sort (x);
  best = Inf (n, 1);
  for j = 0:k
    i = (1 + k - j:n - j)';
    best(i) = min (best(i), max (x(i) - x(i - k + j), x(i + j) - x(i)));
  end
  r = zeros (n, 1);
  r(order) = best;
end

function v = standard (v)
% Divided by its standard deviation, if it has one.
  most = max (abs (v));
  if (most > 0)
    v = v / most;                                            % so that no square overflows
  end
  s = std (v, 1);
  if (s > 0)
    v = v / s;
  end
end

function mi = of_numbers (x, y, k, how)
  n = numel (x);
  r = in_plane (x, y, k, how);
  nx = nearer (x, r) - 1;
  ny = nearer (y, r) - 1;
  k = repmat (k, n, 1);
  zero = r == 0;
  if (any (zero))
    k(zero) = at (copies ([x, y]), zero) - 1;
    nx(zero) = at (copies (x), zero) - 1;
    ny(zero) = at (copies (y), zero) - 1;
  end
  mi = digamma (n) + mean (digamma (k) - digamma (nx + 1) - digamma (ny + 1));
end

function mi = of_classes (x, y, k)
  n = numel (x);
  [r, c] = deal (zeros (n, 1));
  for class = unique (y)'
    in = y == class;
    c(in) = sum (in);
    r(in) = on_line (x(in), min (k, sum (in) - 1));
  end
  m = nearer (x, r);
  k = min (k, c - 1);
  zero = r == 0;
  if (any (zero))
    k(zero) = at (copies ([x, y]), zero) - 1;
    m(zero) = at (copies (x), zero) - 1;
  end
  mi = digamma (n) + mean (digamma (k) - digamma (c) - digamma (m));
end

function p = digamma (z)
% psi of whole numbers, for which psi itself adds up as many terms as they say: by its series beyond 20.
  first = cumsum ([-0.57721566490153286, 1 ./ (1:19)]);
  low = z <= 20;
  p = zeros (size (z));
  p(low) = first(z(low));
  z = z(~low);
  w = 1 ./ z .^ 2;
  p(~low) = log (z) - 0.5 ./ z - w .* (1/12 - w .* (1/120 - w .* (1/252 - w .* (1/240 - w / 132))));
end

function v = at (v, which)
  v = v(which);
end

function count = copies (Z)
% How many rows are equal to each, itself among them.
  [~, ~, which] = unique (Z, 'rows');
  count = accumarray (which(:), 1);
  count = reshape (count(which), [], 1);
end

function count = nearer (v, r)
% How many of v are at a distance less than r from each, itself among them; where r is 0, none.
  if (numel (v) <= 256)
    count = sum (bsxfun (@lt, abs (bsxfun (@minus, v, v')), r'), 1)';
    return
  end
  [u, ~, which] = unique (v);
  before = [0; cumsum(accumarray (which(:), 1))];
  m = numel (u);
  high = between (u, v + r);                                 % where these end, but for rounding
  low = between (u, v - r);
  more = true;
  while (any (more))
    more = high < m & u(min (high + 1, m)) - v < r;
    high = high + more;
  end
  more = true;
  while (any (more))
    more = high > 0 & ~(u(max (high, 1)) - v < r);
    high = high - more;
  end
  more = true;
  while (any (more))
    more = low < m & ~(v - u(min (low + 1, m)) < r);
    low = low + more;
  end
  more = true;
  while (any (more))
    more = low > 0 & v - u(max (low, 1)) < r;
    low = low - more;
  end
  count = max (before(high + 1) - before(low + 1), 0);
end

function place = between (u, v)
% How many of u, which ascend, are at most each of v.
  m = numel (u);
  [~, order] = sort ([u; v]);
  sum_so_far = cumsum (order <= m);
  place = zeros (numel (v), 1);
  place(order(order > m) - m) = sum_so_far(order > m);
end

%!function mi = plainly (x, y, k)
%!  n = numel (x);
%!  k = min (k, n - 1);
%!  [dx, dy] = deal (abs (x - x'), abs (y - y'));
%!  z = max (dx, dy);
%!  t = 0;
%!  for i = 1:n
%!    others = [1:i-1, i+1:n];
%!    s = sort (z(i, others));
%!    r = s(k);
%!    if (r > 0)
%!      t += psi (k) - psi (sum (dx(i, others) < r) + 1) - psi (sum (dy(i, others) < r) + 1);
%!    else
%!      t += psi (sum (s == 0)) - psi (sum (dx(i, others) == 0) + 1) - psi (sum (dy(i, others) == 0) + 1);
%!    end
%!  end
%!  mi = psi (n) + t / n;
%!endfunction
%!function mi = of_labels (x, y, k)
%!  keep = sum (y == y', 2) > 1;
%!  [x, y] = deal (x(keep), y(keep));
%!  n = numel (x);
%!  d = abs (x - x');
%!  t = 0;
%!  for i = 1:n
%!    same = find (y == y(i) & (1:n)' != i);
%!    s = sort (d(i, same));
%!    ki = min (k, numel (s));
%!    m = sum (d(i, :) < s(ki));
%!    if (s(ki) == 0)
%!      ki = sum (s == 0);
%!      m = sum (d(i, :) == 0) - 1;
%!    end
%!    t += psi (ki) - psi (numel (same) + 1) - psi (m);
%!  end
%!  mi = psi (n) + t / n;
%!endfunction

%!test <*1>
%! t = mod ((1:500)' * [0.7548776662 0.5698402910], 1);
%! y = sin (9 * t(:, 1));
%! mi = knng.mutualinfo (t, y);
%! assert ([mi(1) > 1, abs(mi(2)) < 0.3, abs(corr (t(:, 1), y)) < 0.3]);

%!test  # the definitions in plain loops: ties, copies, gaps, few rows
%! warning ('off', 'knng:data:ties', 'local');
%! warning ('off', 'knng:args:kClipped', 'local');
%! X = reshape (knng.internal.random (1, 400), 100, 4);
%! X(:, 2) = round (10 * X(:, 2));
%! X(:, 3) = round (2 * X(:, 3)) / 8;
%! X(:, 4) = 5;
%! X([3 9], 1) = [NaN; Inf];
%! ys = {X(:, 1) .^ 2, X(:, 2) + X(:, 3), round(3 * X(:, 1)), 0.1 * (1:100)'};
%! for y = ys
%!   y{1}(3) = NaN;
%!   for k = [1 3 150]
%!     [mi, used] = knng.mutualinfo (X, y{1}, 'K', k, 'Standardize', false);
%!     [of, n] = knng.mutualinfo (X, y{1}', 'K', k, 'Standardize', 0, 'Target', 'discrete');
%!     for c = 1:4
%!       on = isfinite (X(:, c)) & isfinite (y{1});
%!       assert (used(c), sum (on));
%!       assert (mi(c), plainly (X(on, c), y{1}(on), k), 1e-12);
%!       on &= sum (y{1}(on)' == y{1}, 2) > 1;
%!       assert (n(c), sum (on));
%!       if (any (on))
%!         assert (of(c), of_labels (X(on, c), y{1}(on), k), 1e-12);
%!       else
%!         assert (of(c), NaN);
%!       end
%!     end
%!   end
%! end
%! assert (of(1:3), NaN (3, 1));
%! for levels = [7 500]                                     # of more rows, by a search
%!   X = round (levels * reshape (knng.internal.random (8, 600), 300, 2)) / 7;
%!   mi = knng.mutualinfo (X(:, 1), X(:, 2), 'Standardize', false);
%!   assert (mi, plainly (X(:, 1), X(:, 2), 3), 1e-12);
%!   mi = knng.mutualinfo (X(:, 1), round (X(:, 2)), 'Standardize', false, 'Target', 'discrete');
%!   assert (mi, of_labels (X(:, 1), round (X(:, 2)), 3), 1e-12);
%! end

%!test  # scikit-learn 1.9.1, _compute_mi_cc and _compute_mi_cd of these numbers, whose squares are exact
%! i = (1:150)';
%! X = mod (i .^ 3 * [0.7548776662 0.5698402910 0.4142135624] / 7 + i * 0.3141592653589793, 1);
%! X = floor (2 ^ 20 * X) / 2 ^ 20;
%! X(:, 3) = round (20 * X(:, 3));
%! y = cos (7 * X(:, 1)) + X(:, 2);
%! c = floor (3 * X(:, 1)) + (X(:, 2) > 0.9);
%! plain = {'Standardize', false};
%! mi = knng.mutualinfo (X, y, plain{:});
%! assert (max (mi, 0)', [0.7699295852022048 0.35378355052411026 0.0], 1e-12);
%! mi = knng.mutualinfo (X, y, 'K', 7, plain{:});
%! assert (max (mi, 0)', [0.6431034624474323 0.33801536012909095 0.29872045983256257], 1e-12);
%! for k = [3 7; 0.9373054847889122 0.9440290921184227; 0.08361188435785127 0.01990378231856882]
%!   mi = knng.mutualinfo (X(:, 1:2), c, 'K', k(1), 'Target', 'discrete', plain{:});
%!   assert (max (mi, 0), k(2:3), 1e-12);
%! end

%!test  # what is known: of normal numbers with a correlation r it is -log (1 - r^2) / 2; of classes apart their entropy
%! n = 4000;
%! z = sqrt (2) * erfinv (2 * reshape (knng.internal.random (2, 2 * n), n, 2) - 1);
%! for r = [0 0.6 0.9]
%!   y = r * z(:, 1) + sqrt (1 - r ^ 2) * z(:, 2);
%!   assert (knng.mutualinfo (z(:, 1), y), -log (1 - r ^ 2) / 2, 0.05);
%! end
%! y = 1 + mod ((1:n)', 4);
%! assert (knng.mutualinfo (z(:, 1) / 9 + 9 * y, y, 'Target', 'discrete'), log (4), 0.01);
%! warning ('off', 'knng:data:ties', 'local');
%! assert (knng.mutualinfo (y, y), log (4), 0.01);
%! assert (knng.mutualinfo (y, y, 'Target', 'discrete'), log (4), 0.01);
%! mi = knng.mutualinfo ([z(1:99, 1), y(1:99)], z(1:99, 2));
%! assert (knng.mutualinfo (1e200 * [z(1:99, 1), y(1:99)], 1e-200 * z(1:99, 2)), mi, 1e-12);

%!test  # labels of every kind, rows in another order, few rows, the warning
%! X = reshape (knng.internal.random (3, 120), 40, 3);
%! y = 1 + (X(:, 1) > 0.4);
%! mi = knng.mutualinfo (X, y, 'Target', 'discrete');
%! names = {'a', 'b'};
%! assert (knng.mutualinfo (single (X), names(y)), mi, 1e-6);
%! assert (knng.mutualinfo (X, ['a'; 'b'](y)), mi);
%! assert (knng.mutualinfo (X, y == 2), mi);
%! [~, order] = sort (X(:, 3));
%! assert (knng.mutualinfo (X(order, :), y(order), 'Target', 'DISCRETE'), mi, 1e-13);
%! [mi, used] = knng.mutualinfo ([1; 2], [3; 4]);
%! assert ({isnan(mi), used}, {false, 2});
%! [mi, used] = knng.mutualinfo ([1 NaN; 2 NaN], [3; NaN]);
%! assert ({mi, used}, {[NaN; NaN], [1; 0]});
%! lastwarn ('', '');
%! warning ('off', 'knng:data:ties', 'local');
%! knng.mutualinfo (X, y);
%! state = warning ('query', 'knng:data:ties');
%! warning ('error', 'knng:data:ties', 'local');
%! try, knng.mutualinfo (X, y); id = ''; catch e, id = e.identifier; end
%! assert (id, 'knng:data:ties');
%! knng.mutualinfo (X, X(:, 2));
%!warning <y has a number or a label in 0 of 3 rows> knng.mutualinfo ([1; 2; 3], NaN (3, 1));
%!warning <y has a number or a label in 1 of 3 rows> knng.mutualinfo ([1; 2; 3], {''; 'a'; ''});
%!warning <'K' is 3, but other rows that have a value of y are only 2> knng.mutualinfo ([1; 2; 3; 4], [1; 2; NaN; 4], 'NumN', 3);
%!test
%! lastwarn ('', '');
%! knng.mutualinfo ([1; 2; 3; 4], [1; 2; NaN; 4]);
%! assert (lastwarn (), '');
%!error id=knng:args:count knng.mutualinfo (1)
%!error id=knng:args:class knng.mutualinfo ('a', 1)
%!error id=knng:args:labels knng.mutualinfo ([1; 2], [1 2 3])
%!error id=knng:args:labels knng.mutualinfo ([1; 2], eye (2))
%!error <y is a 2-by-1 cell: with 'Target', 'continuous' it must be> knng.mutualinfo ([1; 2], {'a'; 'b'}, 'Target', 'continuous')
%!error id=knng:args:k knng.mutualinfo ([1; 2], [1; 2], 'K', 0)
%!error id=knng:args:option knng.mutualinfo ([1; 2], [1; 2], 'Target', 'class')
%!error id=knng:args:option knng.mutualinfo ([1; 2], [1; 2], 'Standardize', 2)
%!error id=knng:args:unknownOption knng.mutualinfo ([1; 2], [1; 2], 'Distance', 'euclidean')
