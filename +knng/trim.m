function [idx, dist] = trim (varargin)
%KNNG.TRIM  The graph of a smaller k out of a larger one.
%   [idx, dist] = knng.trim (idx, dist, k) takes the n-by-K tables of [idx,
%   dist] = knngraph (X, K, ...) and returns the n-by-k ones of k <= K: exactly
%   what knngraph (X, k, ...) returns.
%   A = knng.trim (A, k) does the same with the n-by-n sparse matrix A =
%   knngraph (X, K, ...): each row keeps its k smallest entries, of equal ones
%   those on the left.
%
%   Make one graph with the largest k that you will want, and trim it as often
%   as you like. It works for the tables of knng.knnsearch too. Rows with fewer
%   than k neighbours keep theirs (in tables, with idx 0 and dist NaN behind
%   them).
%
%   Options:
%
%     'Threads'  processor threads, default: all
%
%   Cost: O(n*k) for tables; for A O(entries), about 2 seconds at 2e7 of them,
%   and up to 20 bytes an entry, or 16 and 8 a row, and 8 a row beside the
%   result.
%
%   Errors: knng:args:k if k is no whole number from 1 to the columns of idx
%   (for A: from 1 on); knng:args:idx, knng:args:dist if the tables are no
%   matrices of one size; knng:args:class if A is complex; knng:args:option,
%   :unknownOption, :count; knng:memory:host.
%
%   Example:
%     X = magic (6);
%     [idx, dist] = knngraph (X, 4);
%     [idx2, dist2] = knng.trim (idx, dist, 2);
%     isequal (idx2, idx(:, 1:2))         % 1
%
%   See also knngraph, knng.adjacency.

  [graph, rest] = knng.internal.graph_arguments ('knng.trim (GRAPH, 10)', varargin, 'any');
  if (isempty (rest) || nargout > numel (graph))
    error ('knng:args:count', ...
           'knng.trim needs a graph and k, as in A = knng.trim (A, 10) or [idx, dist] = knng.trim (idx, dist, 10): see help knng.trim');
  end
  k = rest{1};
  [~, given] = knng.internal.options (struct ('Threads', []), rest(2:end));
  knng.internal.threads (given);
  most = size (graph{1}, 2);
  if (numel (graph) == 1)
    most = Inf;
  end
  if (~isnumeric (k) || numel (k) ~= 1 || ~(knng.internal.whole (k, 1, most) || (isequal (k, Inf) && isinf (most))))
    error ('knng:args:k', ['k is %s: it must be one whole number from 1 to %d, the neighbours that the graph has; ' ...
           'a larger k needs a new graph'], knng.internal.given (k), size (graph{1}, 2));
  end
  k = full (double (k));
  if (numel (graph) == 1)
    knng.internal.built ();
    idx = knng.internal.adjacency (double (graph{1}), k, knng.internal.how_to_run (given));
  else
    [idx, dist] = varargin{1:2};                             % idx of the class that it came in
    idx = idx(:, 1:k);
    dist = dist(:, 1:k);
  end
end

%!shared X
%! X = [mod((1:40)' * 37, 23), mod((1:40)' * 53, 19)];
%! X(9, :) = X(4, :);
%! X(7, 1) = NaN;

%!test <*1>
%! [idx, dist] = knngraph (magic (6), 4);
%! [idx2, dist2] = knng.trim (idx, dist, 2);
%! assert (isequal (idx2, idx(:, 1:2)) && isequal (dist2, dist(:, 1:2)));

%!test  # a trimmed graph is the graph of that k, as tables and as a matrix
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, dist] = knngraph (X, 12);
%! A = knngraph (X, 12);
%! for k = 1:12
%!   [i, d] = knngraph (X, k);
%!   [ti, td] = knng.trim (idx, dist, k);
%!   assert (ti, i);
%!   assert (td, d);
%!   assert (knng.trim (A, k), knngraph (X, k));
%! end
%! assert (knng.trim (A, 99), A);
%!test  # against plain code: ties, all signs, NaN, Inf, rows and columns without entries
%! values = [NaN, -Inf, -2, -realmin, realmin, 1, 1, 1, 1 + eps, 2, Inf];
%! for m = [1 2 9]
%!   n = 150;
%!   for k = [1 2 3 60 149 150 Inf]
%!     B = values(mod ((1:m)' * (1:n) .^ 2 * 7 + min (k, 200), 11) + 1) .* (mod ((1:m)' .^ 2 * (1:n), 5) > 0);
%!     A = sparse (B);
%!     for i = 1:m
%!       j = find (B(i, :));
%!       [~, order] = sort (B(i, j));
%!       B(i, j(order(min (k, end) + 1:end))) = 0;
%!     end
%!     assert (isequaln (knng.trim (A, k), sparse (B)));
%!   end
%! end
%!test  # one row, one column, nothing
%! assert (knng.trim (sparse ([0 3 1 2]), 2), sparse ([0 0 1 2]));
%! assert (knng.trim (sparse ([0; 3; 1]), 1), sparse ([0; 3; 1]));
%! assert (knng.trim (sparse (3, 3), 2), sparse (3, 3));
%! [i, d] = knng.trim (int32 ([2 3]), single ([1 2]), int8 (1));
%! assert (class (i), 'int32');
%! assert (class (d), 'single');

%!error id=knng:args:count knng.trim (1, 2)
%!error id=knng:args:unknownOption knng.trim (sparse (1), 2, 3)
%!error id=knng:args:count [a, b] = knng.trim (sparse (1), 2)
%!error id=knng:args:k knng.trim ([1 2], [1 2], 3)
%!error id=knng:args:k knng.trim ([1 2], [1 2], 0)
%!error id=knng:args:k knng.trim ([1 2], [1 2], 'a')
%!error id=knng:args:k knng.trim ([1 2], [1 2], 1.5)
%!error id=knng:args:k knng.trim (sparse (1), NaN)
%!error id=knng:args:idx knng.trim ({1}, 1, 1)
%!error id=knng:args:dist knng.trim ([1 2], 1, 1)
%!error id=knng:args:dist knng.trim ([1 2], sparse ([1 1]), 1)
%!error id=knng:args:class knng.trim (sparse (1i), 1)
