function [yes, why] = like_weights (A)
%LIKE_WEIGHTS  Whether the entries of a symmetric matrix look as weights do, where more is nearer, and not as distances.
%   [YES, WHY] = knng.internal.like_weights (A): A is sparse and square. WHY says by what, for a message. Only a symmetric A can look so:
%   of lists knng.internal.like_shares tells.
%
%   The counterpart of knng.internal.like_distances. Where entries are distances a row shares fewer neighbours with those at larger
%   ones, but for two kinds. Neighbours by 'antipearson' share hardly any, fewer than rows that are joined at random would: so what is
%   shared has to be more than that. And of points on a lattice the shape of the lattice decides: so nearly all entries have to
%   differ, or to be the very numbers that 'jaccard' and 'snn' make. Of 4563 graphs of distances, of nine metrics, of points drawn, in
%   groups, measured and on lattices, none looked so. Of weights that were made of such ones by the euclidean metric nine in ten of
%   'jaccard' and 'snn' did, and a third of 'similarity' and 'gaussian': those on lattices, and few edges, do not tell. A + A' of distances
%   may look so, too, since it doubles those of mutual neighbours.
%   Cost: that of 2000 rows, and some passes over the entries.

  [yes, why] = deal (false, '');
  n = size (A, 1);
  if (size (A, 2) ~= n || nnz (A) < 40 || nnz (A) == n * (n - 1) || any (diag (A)))   % where all are joined all share alike
    return
  end
  entries = nonzeros (A);
  if (~all (entries > 0) || ~isfinite (max (entries)) || min (entries) == max (entries))
    return
  elseif (n > 5000 && ~(knng.internal.shared_more (A, 200) > 0))   % as of nearly all distances: no more is looked at
    return
  elseif (~isequal (A, A'))
    return
  end
  z = knng.internal.shared_more (A);
  if (~(z > 3))
    return
  end
  joins = double (A ~= 0);
  degree = full (sum (joins, 1))';
  rows = find (degree);
  some = min ([numel(rows), 200, max(4, fix (1e7 / mean (degree(rows)) ^ 2))]);   % long lists take long
  rows = rows(unique (round (linspace (1, numel (rows), some))));
  own = A(:, rows);
  [~, ~, w] = find (own);
  own = double (own ~= 0);
  shared = full (nonzeros ((joins * joins(:, rows)) .* own + own)) - 1;   % 0 too, in the order of w
  by_chance = sum (degree .* (degree - 1)) ^ 3 / sum (degree) ^ 4;
  c = corrcoef (w, shared);
  least = min (degree(degree > 0));
  if (c(1, end) > 0.4 && (made_of_lists (w, shared, 2:least, 1) || made_of_lists (w, shared, max (degree):min (4 * max (degree), 2000), -1)))
    yes = true;
    why = 'they are such numbers as ''jaccard'' or ''snn'' of knng.adjacency makes';
  elseif (z > 5 && mean (shared) > 1.5 * by_chance && numel (unique (round (1e6 * log (w)))) > numel (w) / 8)
    yes = true;
    why = 'the larger one is, the more neighbours its two rows share';
  end
end

function yes = made_of_lists (w, shared, ks, side)
% Whether w are weights 'jaccard' or 'snn' of lists of one of the lengths KS, some of them halved or doubled, as by W + W' and its half. Of
% edges of either list (SIDE 1) two rows share no fewer in the graph than in the lists, of edges of both (-1) no more.
  yes = false;
  held = w > realmin;                                        % others stand for 0
  [u, ~, which] = unique (w(held));
  which = which(:);
  shared = shared(held);
  if (numel (u) < 3)
    return
  end
  limit = accumarray (which, shared, [], @min);
  if (side < 0)
    limit = accumarray (which, shared, [], @max);
  end
  fits = @(s, k) s <= k - 1 & (side * s <= side * limit);
  for other = [1 0.5 2]
    if (side < 0 && other ~= 1)                              % edges of both lists are neither halved nor doubled
      return
    end
    for k = ks(ks >= numel (u) / 2 & ks > 2)
      [jaccard, snn] = deal (false (size (u)));
      for v = [u, u / other]
        s = round (2 * k * v ./ (1 + v));
        jaccard = jaccard | (s ./ (2 * k - s) == v & fits (s, k));
        snn = snn | (v == fix (v) & fits (v, k));
      end
      if (all (jaccard) || all (snn))
        yes = true;
        return
      end
    end
  end
end

%!test  # weights of all kinds, and distances of all metrics
%! f = @knng.internal.like_weights;
%! X = [mod((1:160)' .^ 2 * sqrt ([2 3 5]), 1); 2 + mod((1:140)' .^ 2 * sqrt ([2 3 5]), 1)];
%! X(7, :) = X(3, :);
%! for m = {'euclidean', 'sqeuclidean', 'cityblock', 'chebychev', 'cosine', 'pearson', 'abspearson', 'antipearson', 'spearman'}
%!   for k = [3 8 20]
%!     A = knngraph (X, k, m{1});
%!     assert (! f (A) && ! f (knng.mutual (A)) && ! f (max (A, A')));
%!   end
%! end
%! A = knngraph (X, 10);
%! for s = {'union', 'mutual', 'mean'}
%!   for w = {'similarity', 'gaussian', 'jaccard', 'snn'}
%!     [yes, why] = f (knng.adjacency (A, 'Weight', w{1}, 'Symmetrize', s{1}, 'Metric', 'euclidean'));
%!     assert (yes, [w{1}, ' ', s{1}]);
%!     assert (isempty (strfind (why, 'jaccard')), any (strcmp (w{1}, {'similarity', 'gaussian'})));
%!   end
%! end
%! W = knng.adjacency (A, 'Weight', 'jaccard');
%! assert (f (max (W, W')) && f (min (W, W')) && f (W + W') && ! f (W));

%!test  # lattices, where the nearest share the fewest
%! f = @knng.internal.like_weights;
%! [a, b] = meshgrid (1:20);
%! for X = {[a(:), b(:)], [a(:) + mod(b(:), 2) / 2, b(:) * sqrt(3) / 2], 2 * [2 * a(:) + mod(b(:), 2), b(:)], mod((1:900)' * [0.37 0.71 0.12], 1), (1:400)'}
%!   for k = [3 4 5 6 8 12]
%!     for m = {'euclidean', 'cityblock', 'chebychev'}
%!       A = knngraph (X{1}, k, m{1});
%!       assert (! f (knng.mutual (A)) && ! f (max (A, A')));
%!     end
%!   end
%! end
%! assert (! f (sparse (9, 9)) && ! f (sparse (3, 9)) && ! f (speye (99)));

%!test  # all pairs, and a row that is joined to most, take no time
%! f = @knng.internal.like_weights;
%! n = 1200;
%! D = mod ((1:n)' + (1:n), 7) + 1;
%! D(1:n+1:end) = 0;
%! D = sparse (D);
%! t = cputime ();
%! assert (! f (D) && cputime () - t < 0.1);
%! X = mod ((1:8000)' .^ 2 * sqrt ([2 3]), 1);
%! J = knng.adjacency (knngraph (X, 12), 'Weight', 'jaccard', 'Symmetrize', 'union');
%! H = sparse (2, 3:6002, 0.01 + 0.01 * mod ((1:6000) * sqrt (5), 1), 8000, 8000);
%! W = max (J, max (H, H'));
%! f (J);
%! t = cputime ();
%! f (W);
%! assert (cputime () - t < 0.8);
