function yes = like_shares (A)
%LIKE_SHARES  Whether the entries of a matrix are the weights 'jaccard' or 'snn' of knng.adjacency, made of its own lists.
%   YES = knng.internal.like_shares (A): A is sparse and square, row i holds the neighbours of i. Those of up to 200 rows are
%   counted anew, and every entry has to be the same number, of three at least, which distances are not but by a miracle. Other
%   weights of a matrix that is not symmetric cannot be told: distances of 'antipearson' are larger, too, where more is shared.
%   Cost: that of these rows, and two passes over the entries.

  yes = false;
  n = size (A, 1);
  rows = find (any (A, 2));
  if (numel (rows) < 4 || size (A, 2) ~= n)
    return
  end
  some = min ([numel(rows), 200, max(4, fix (1e7 / (nnz (A) / numel (rows)) ^ 2))]);   % long lists take long
  rows = rows(unique (round (linspace (1, numel (rows), some))));
  lists = double (A' ~= 0);
  own = A(rows, :)';
  [j, i, w] = find (own);
  if (numel (unique (w)) < 3 || any (w < 0))
    return
  end
  joins = double (own ~= 0);
  shared = full (nonzeros ((lists' * lists(:, rows)) .* joins + joins)) - 1;   % 0 too, in the order of w
  sizes = full (sum (lists, 1))';
  either = sizes(j) + sizes(rows(i)) - shared;
  yes = all (max (shared, realmin) == w) || all (max (shared ./ either, realmin) == w);
end

%!test  # weights of all kinds of lists, and distances of all metrics
%! f = @knng.internal.like_shares;
%! X = round (9 * [mod((1:60)' .^ 2 * sqrt ([2 3 5 7]), 1); 2 + mod((1:40)' .^ 2 * sqrt ([2 3 5 7]), 1)]);
%! X(7, 2) = NaN;
%! warning ('off', 'knng:data:nonFinite', 'local');
%! for m = {'euclidean', 'sqeuclidean', 'cityblock', 'chebychev', 'cosine', 'pearson', 'abspearson', 'antipearson', 'spearman'}
%!   for k = [1 3 20]
%!     A = knngraph (X, k, m{1});
%!     assert ([f(A), f(max (A, A')), f(knng.mutual (A)), f(A ~= 0), f(knng.adjacency (A, 'Weight', 'gaussian'))], false (1, 5));
%!     assert ([f(knng.adjacency (A, 'Weight', 'jaccard')), f(knng.adjacency (A, 'Weight', 'snn'))], [k k] > 1 & ! strcmp (m{1}, 'antipearson'));   # opposites share none
%!   end
%! end
%! assert ([f(sparse (0, 0)), f(sparse (5, 5)), f(speye (5)), f(A(:, 1:99))], false (1, 4));
