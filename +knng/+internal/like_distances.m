function [yes, why] = like_distances (A)
%LIKE_DISTANCES  Whether the entries of a symmetric matrix look as distances of neighbours do, and not as weights.
%   [YES, WHY] = knng.internal.like_distances (A): A is sparse and symmetric. WHY says by what, for a message.
%
%   Of two rows that are near more neighbours are near to both, so that where entries are distances a row shares more
%   neighbours with those at small entries, and where they are weights with those at large ones. What knng.adjacency makes
%   of distances but these themselves never looked so in some thousand graphs, of random weights one in 250. A forest has
%   nothing to share: it looks as a tree of knng.minspantree if its parts are large. Entries that are neither whole nor half
%   and above 1 are of no weight of knng.adjacency, so that less has to tell. Where all entries are equal it makes no difference.
%   Cost: that of 2000 rows, and some passes over the entries.

  [yes, why] = deal (false, '');
  entries = nonzeros (A);
  if (numel (entries) < 6 || any (diag (A)) || ~all (entries > 0) || ~isfinite (max (entries)) || min (entries) == max (entries))
    return
  end
  n = size (A, 1);
  joined = sum (any (A, 1));
  edges = numel (entries) / 2;
  if (edges < joined)
    [~, sizes] = knng.conncomp (A);
    parts = sum (sizes > 1);
    yes = edges == joined - parts && edges >= 11 * parts;
    why = 'it is a tree or a few, as of knng.minspantree';
    return
  end
  if (numel (entries) == n * (n - 1))
    yes = near_are_closed (full (A), sort (entries));
    why = 'rows that are near a third at small entries are near one another';
    return
  end
  odd = any (entries > 1 & 2 * entries ~= fix (2 * entries));
  yes = knng.internal.shared_more (A) <= -3 + 2 * odd;
  why = 'the smaller an entry, the more neighbours its two rows share';
end

function yes = near_are_closed (A, entries)
% Where all are joined: are two rows more often near each other if both are near a third, than far if both are far?
  n = size (A, 1);
  half = entries(ceil (end / 2));
  rows = unique (round (linspace (1, n, min (n, 300))));
  share = [0 0];
  for far = 0:1
    B = double (A > 0 & (A > half) == far);
    pairs = B * B(:, rows);
    pairs(sub2ind (size (pairs), rows, 1:numel (rows))) = 0;
    share(far + 1) = sum (sum (pairs .* B(:, rows))) / max (sum (pairs(:)), 1);
  end
  yes = n >= 20 && share(1) > share(2) + 0.1;
end

%!test  # graphs of distances, and of all weights that knng.adjacency makes of them
%! f = @knng.internal.like_distances;
%! X = [mod((1:60)' .^ 2 * sqrt ([2 3 5]), 1); 2 + mod((1:40)' .^ 2 * sqrt ([2 3 5]), 1)];
%! X(7, :) = X(3, :);
%! for m = {'euclidean', 'sqeuclidean', 'cosine'}
%!   A = knngraph (X, 8, m{1});
%!   assert (f (knng.mutual (A)) && f (max (A, A')) && f (A + A') && f (knng.minspantree (A)) && f (knng.minspantree (X)));
%!   for s = {'union', 'mutual', 'mean'}
%!     for w = {'similarity', 'gaussian', 'jaccard', 'snn', 'binary'}
%!       assert (! f (knng.adjacency (A, 'Weight', w{1}, 'Symmetrize', s{1}, 'Metric', m{1})));
%!     end
%!   end
%!   assert (! f (knng.adjacency (knngraph (X, 1, m{1}), 'Weight', 'similarity', 'Symmetrize', 'union', 'Metric', m{1})));
%! end
%! D = sqrt (max (0, sum (X .^ 2, 2) + sum (X .^ 2, 2)' - 2 * X * X')) + eps;   # all pairs
%! D(1:101:end) = 0;
%! assert (f (sparse (D)) && ! f (sparse (exp (-D) .* (D > 0))));
%! B = double (full (max (A, A') > 0));                     # of weights that fall with the number of neighbours
%! W = B ./ sqrt (sum (B, 1) .* sum (B, 2));
%! assert (! f (sparse (W + W')) && ! f (sparse (B ./ (sum (B, 1) .* sum (B, 2)))));
%! assert (! f (sparse (100, 100)) && ! f (sparse (D > 0) * 3) && ! f (sparse (D + eye (100))));
