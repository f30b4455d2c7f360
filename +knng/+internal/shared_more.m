function z = shared_more (A, most)
%SHARED_MORE  How much more neighbours a row shares with those of its neighbours at larger entries.
%   z = knng.internal.shared_more (A), of a symmetric sparse A, is in standard deviations over the rows: below 0 where entries are
%   distances, above it where they are weights. NaN where none shares any. ... = knng.internal.shared_more (A, MOST) looks at so many
%   rows, default 2000, or fewer where lists are so long that they would take long. Cost: that of these, and some passes over the
%   entries.

  if (nargin < 2)
    most = 2000;
  end
  n = size (A, 1);
  joins = double (A ~= 0);
  degree = full (sum (joins, 1));
  kept = degree <= 16 * max (mean (degree(degree > 0)), 4);  % all share what is joined to very many, which would take long
  rows = find (degree > 1 & kept);
  most = min (most, max (100, fix (1e8 * numel (rows) / max (sum (degree(rows) .^ 2), 1))));
  rows = rows(unique (round (linspace (1, numel (rows), min (numel (rows), most)))));
  few = joins(:, kept);
  [sums, from] = deal (zeros (1, numel (rows)), 1);
  while (from <= numel (rows))
    some = from:min (from + 199, numel (rows));
    own = A(:, rows(some));
    [i, j, w] = find (own);
    both = few * joins(kept, rows(some));
    own = double (own ~= 0);
    both = full (nonzeros (both .* own + own)) - 1;          % 0 too, in the order of w
    both = both ./ (reshape (degree(i), [], 1) + reshape (degree(rows(some(j))), [], 1) - both);   % those of many share more by chance
    count = accumarray (j(:), 1);
    [~, order] = sortrows ([j(:), w(:)]);
    rank = zeros (numel (w), 1);
    rank(order) = (1:numel (w))';
    [~, ~, value] = unique ([j(:), w(:)], 'rows');           % equal entries have one rank, the mean
    rank = accumarray (value(:), rank) ./ accumarray (value(:), 1);
    rank = rank(value);
    mean_of = @(x) accumarray (j(:), x) ./ count;
    [shares, ranks] = deal (mean_of (both), mean_of (rank));
    sums(some) = accumarray (j(:), (both - shares(j)) .* (rank - ranks(j))) ./ count;
    from = from + 200;
  end
  z = sum (sums) / sqrt (sum (sums .^ 2));
end

%!test
%! X = mod ((1:90)' .^ 2 * sqrt ([2 3 5]), 1);
%! A = knngraph (X, 8);
%! D = max (A, A');
%! assert (knng.internal.shared_more (D) < -5);
%! assert (knng.internal.shared_more (spfun (@(d) exp (-d), D)), -knng.internal.shared_more (D), 1e-12);
%! assert (knng.internal.shared_more (D, 90) == knng.internal.shared_more (D) && knng.internal.shared_more (D, 9) < 0);
%! assert (isnan (knng.internal.shared_more (sparse ([0 1; 1 0]))));

%!test  # of long lists fewer rows are enough
%! x = mod ((1:600)' .^ 2 * sqrt (2), 1);
%! D = abs (x - x');
%! D = sparse (D .* (D < 0.9));
%! most = full (fix (1e8 / mean (sum (D > 0) .^ 2)));
%! assert (most < 400 && knng.internal.shared_more (D) == knng.internal.shared_more (D, most) && knng.internal.shared_more (D) < -5);
