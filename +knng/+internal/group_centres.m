function [far, nearest] = group_centres (X, code, kinds, metric)
%GROUP_CENTRES  How far the rows of each group of X are from its centre.
%   [FAR, NEAREST] = knng.internal.group_centres (X, CODE, KINDS, METRIC): CODE(i) is the group of row i, from 1 to KINDS, 0 for
%   none. The centre is the mean of the rows; of the correlations that of the standardized rows (of 'spearman' ranks), of
%   'cosine' that of the rows of length 1. 'abspearson' and 'antipearson' do not tell a row from its mirror image: there
%   rows whose r with the centre is negative are turned over (beginning with the first row, at most five times), and the
%   distance is that of 'abspearson'. FAR, KINDS-by-1, is the mean of the distances of the rows to the centre by METRIC, and
%   NEAREST, KINDS-by-3, has the nearest rows, 0 behind the last. Rows without such a distance take no part; where a metric
%   can, those with missing values do, over the columns that they have. FAR is NaN for a group of which fewer than two rows
%   are left. Of 'pearson' distances are right to rounding, of others as those of knng.knnsearch.

  t = knng.internal.search ('metrics');
  t = t(strcmp ({t.name}, metric));
  turned = any (strcmp (t.sum, {'either', 'plus'}));
  if (turned)
    metric = 'abspearson';
  end
  gaps = ~strcmp (metric, 'chebychev') && any (isnan (X(:)));
  prepare = @(rows) prepared (double (X(rows, :)), t.prepared);
  C = centres (prepare, size (X), code(:), kinds, turned, gaps);

  back = knng.internal.quiet_rows (); %#ok<NASGU>
  pairs = {'Distance', metric, 'Device', 'cpu', 'Progress', 'off'};
  if (gaps)
    pairs = [pairs, {'Rows', 'pairwise'}];
  end
  far = NaN (kinds, 1);
  nearest = zeros (kinds, 3);
  all_at_once = strcmp (metric, 'pearson') && size (X, 1) < 100 * kinds;    % a search for each of many small groups would take long
  if (all_at_once)
    away = from_centres (prepare, C, code(:), gaps);
  end
  [sorted, rows] = sort (code(:));
  ends = cumsum (accumarray (sorted + 1, 1, [kinds + 1, 1]));
  for g = 1:kinds
    of = rows(ends(g) + 1:ends(g + 1));
    if (all_at_once)
      d = away(of);
    else
      d = distances (X, of, C(g, :), pairs);
    end
    if (strcmp (t.map, 'half'))
      d = round (d * 1e12) / 1e12;                           % of two rows both are equally near to their centre, but for roundings
    end
    known = find (~isnan (d));
    [~, order] = sort (d(known));
    order = known(order(1:min (3, end)));
    nearest(g, 1:numel (order)) = of(order);
    if (numel (known) > 1)
      far(g) = mean (d(known));
    end
  end
end

function C = centres (prepare, size_of, code, kinds, turned, gaps)
% The means, KINDS-by-d; NaN in a column that no row of a group has.
  sign_of = ones (numel (code), 1);
  if (~turned)
    C = means (prepare, size_of, code, kinds, sign_of, gaps);
    return
  end
  C = first_rows (prepare, size_of(2), code, kinds);
  for step = 1:5                                             % no step makes the sum of |r| smaller, and few matter
    former = sign_of;
    sign_of = signs (prepare, code, C);
    if (step > 1 && isequal (sign_of, former))
      break
    end
    C = means (prepare, size_of, code, kinds, sign_of, gaps);
  end
end

function C = first_rows (prepare, d, code, kinds)
% Of each group the first row that is not constant.
  C = NaN (kinds, d);
  left = true (kinds, 1);
  for i = find (code > 0)'
    if (left(code(i)))
      row = prepare (i);
      if (any (row > 0))
        C(code(i), :) = row;
        left(code(i)) = false;
      end
    end
  end
end

function s = signs (prepare, code, C)
% -1 for a row that is to be turned over.
  s = ones (numel (code), 1);
  for at = pieces (numel (code), size (C, 2))
    rows = find (code(at(1):at(2)) > 0) + at(1) - 1;
    if (~isempty (rows))
      r = prepare (rows) .* C(code(rows), :);
      r(isnan (r)) = 0;
      s(rows) = 1 - 2 * (sum (r, 2) < 0);
    end
  end
end

function C = means (prepare, size_of, code, kinds, sign_of, gaps)
  [C, count] = deal (zeros (kinds, size_of(2)));
  for at = pieces (size_of(1), size_of(2))
    rows = find (code(at(1):at(2)) > 0) + at(1) - 1;
    if (isempty (rows))
      continue
    end
    P = bsxfun (@times, prepare (rows), sign_of(rows));
    if (~gaps)
      P(any (isnan (P), 2), :) = NaN;
    end
    known = ~isnan (P);
    P(~known) = 0;
    of = sparse (code(rows), 1:numel (rows), 1, kinds, numel (rows));
    count = count + of * known;
    C = C + of * P;
  end
  C(count == 0) = NaN;
  C = C ./ max (count, 1);
end

function d = distances (X, rows, centre, pairs)
% NaN for a row that has none.
  d = NaN (numel (rows), 1);
  if (any (isinf (centre)) || (any (isnan (centre)) && ~any (strcmp (pairs, 'pairwise'))))
    return
  end
  for at = pieces (numel (rows), size (X, 2))
    of = rows(at(1):at(2));
    [idx, dist] = knng.knnsearch (double (X(of, :)), centre, 'K', numel (of), pairs{:});
    there = idx > 0;
    d(idx(there) + at(1) - 1) = dist(there);
  end
end

function away = from_centres (prepare, C, code, gaps)
% 1 - r of each row and the centre of its group, over the columns that it has; NaN for none.
  away = NaN (numel (code), 1);
  level = bsxfun (@minus, C, mean (C, 2));
  long = sqrt (sum (level .^ 2, 2));
  for at = pieces (numel (code), size (C, 2))
    rows = find (code(at(1):at(2)) > 0) + at(1) - 1;
    P = prepare (rows);
    if (gaps)
      known = ~isnan (P);
      P(~known) = 0;
      m = sum (known, 2);
      c = C(code(rows), :);
      c(~known) = 0;
      c = bsxfun (@minus, c, sum (c, 2) ./ m);
      c(~known) = 0;
      r = sum (P .* c, 2) ./ sqrt (sum (P .^ 2, 2) .* sum (c .^ 2, 2));
      r(m < min (3, size (C, 2))) = NaN;                     % as 'MinValid' has it
    else
      r = sum (P .* level(code(rows), :), 2) ./ (sqrt (sum (P .^ 2, 2)) .* long(code(rows)));
    end
    away(rows) = 1 - max (min (r, 1), -1);
    away(rows(isnan (r))) = NaN;
  end
end

function at = pieces (n, d)
% The first and last rows of pieces of some 2 million values, a column each.
  step = max (1, floor (2e6 / d));
  first = 1:step:n;
  at = [first; min(first + step - 1, n)];
end

function X = prepared (X, how)
% A row with Inf is out.
  X(any (isinf (X), 2), :) = NaN;
  switch (how)
    case 'centred'
      X = knng.internal.standard_rows (X);
    case 'ranked'
      X = knng.internal.standard_rows (knng.internal.ranks (X));
    case 'unit'
      X = bsxfun (@rdivide, X, max (max (abs (X), [], 2), realmin));
      known = X;
      known(isnan (X)) = 0;
      X = bsxfun (@rdivide, X, max (sqrt (sum (known .^ 2, 2)), realmin));
  end
end

%!test  # against plain loops
%! X = mod ((1:40)' .^ 2 * (1:7) .^ 1.5 * 0.618, 1);
%! X(9, :) = 3;
%! X(10, :) = -2 * X(2, :);
%! X(11, 2) = Inf;
%! code = 1 + mod ((1:40)', 4);
%! code(8) = 0;
%! code(code == 4) = [4; zeros(sum (code == 4) - 1, 1)];
%! for metric = {'euclidean', 'sqeuclidean', 'cityblock', 'chebychev', 'cosine', 'pearson', 'spearman', 'abspearson', 'antipearson'}
%!   [far, near] = knng.internal.group_centres (X, code, 4, metric{1});
%!   own = strrep (metric{1}, 'anti', 'abs');
%!   for g = 1:3
%!     rows = find (code == g & (1:40)' ~= 11);
%!     Z = X(rows, :);
%!     if (any (strcmp (own, {'pearson', 'abspearson', 'spearman'})))
%!       rows(rows == 9) = [];
%!       Z = X(rows, :);
%!       if (strcmp (own, 'spearman'))
%!         for i = 1:numel (rows), [~, o] = sort (Z(i, :)); Z(i, o) = 1:7; end
%!       end
%!       Z = (Z - mean (Z, 2)) ./ std (Z, 0, 2);
%!     elseif (strcmp (own, 'cosine'))
%!       Z = Z ./ sqrt (sum (Z .^ 2, 2));
%!     end
%!     c = mean (Z, 1);
%!     if (strcmp (own, 'abspearson'))
%!       s = 0 * rows;
%!       c = Z(1, :);
%!       while (~isequal (s, sign (Z * c'))), s = sign (Z * c'); c = mean (s .* Z, 1); end
%!     end
%!     [i, d] = knng.knnsearch (X(rows, :), c, 'K', numel (rows), 'Distance', own);
%!     assert (far(g), mean (d), 1e-12);
%!     assert (near(g, :), rows(i(1:3))');
%!   end
%!   assert (far(4), NaN);
%!   assert (near(4, 2:3), [0 0]);
%! end
%!test  # of pearson the distances are those of a search, also with missing values
%! X = mod ((1:40)' .^ 2 * (1:9) .^ 1.5 * 0.618, 1);
%! X(mod ((1:40)' .^ 2 * (1:9), 11) == 3) = NaN;
%! X(7, 1:7) = NaN;
%! X(8, 1:6) = NaN;
%! X(9, 2:9) = 4;
%! code = 1 + (mod ((1:40)', 3) > 0);
%! [far, near] = knng.internal.group_centres (X, code, 2, 'pearson');
%! [whole, alike] = knng.internal.group_centres (repmat (X, 6, 1), repmat (code, 6, 1), 2, 'pearson');   % by a search for each group
%! assert (whole, far, 2e-12);
%! assert (alike, near(:, 1) + [0 40 80]);
%! for g = 1:2
%!   rows = find (code == g);
%!   Z = knng.internal.standard_rows (X(rows, :));
%!   known = ~isnan (Z);
%!   Z(~known) = 0;
%!   warning ('off', 'all', 'local');
%!   [i, d] = knng.knnsearch (X(rows, :), sum (Z) ./ sum (known), 'K', numel (rows), 'Distance', 'pearson', 'Rows', 'pairwise');
%!   assert (far(g), mean (d(i > 0)), 1e-12);
%!   assert (near(g, :), rows(i(1:3))');
%! end
%!test  # missing values: pairs of columns; chebychev leaves such rows out
%! X = mod ((1:30)' .^ 2 * (1:8) .^ 1.5 * 0.618, 1);
%! X(4, 2) = NaN;
%! X(5, :) = NaN;
%! [far, near] = knng.internal.group_centres (X, ones (30, 1), 1, 'cityblock');
%! c = (sum (X([1:3 6:30], :)) + [X(4, 1), 0, X(4, 3:8)]) ./ (29 - ((1:8) == 2));
%! d = 0;
%! for i = [1:3 6:30], d = d + sum (abs (X(i, :) - c)); end
%! d = d + sum (abs (X(4, [1 3:8]) - c([1 3:8]))) * 8 / 7;
%! assert (far, d / 29, 1e-12);
%! assert (any (near == 5), false);
%! far = knng.internal.group_centres (X, ones (30, 1), 1, 'chebychev');
%! c = mean (X([1:3 6:30], :));
%! assert (far, mean (max (abs (X([1:3 6:30], :) - c), [], 2)), 1e-12);
%! assert (knng.internal.group_centres (NaN (3, 2), [1; 1; 1], 1, 'pearson'), NaN);
%! assert (knng.internal.group_centres ([1 2; 2 1; 3 3], [1; 1; 1], 1, 'pearson'), NaN);
