function [idx, dist] = mutualproximity (varargin)
%KNNG.MUTUALPROXIMITY  A graph with fewer hubs: neighbours by mutual proximity.
%   [idx2, dist2] = knng.mutualproximity (idx, dist, k) takes the n-by-K tables
%   of [idx, dist] = knngraph (X, K, ...) and chooses of the K neighbours of
%   each row the k to whom the row is near, too, as they see it. The distance of
%   a pair becomes 1 - p(i,j)*p(j,i), where p(i,j) is how likely another row is
%   farther from i than j is. So a row in the middle, which is near everybody
%   and says nothing, is no longer everybody's neighbour.
%   A = knng.mutualproximity (A, k) does the same with the n-by-n sparse matrix
%   A = knngraph (X, K, ...).
%
%   p(i,j) is that of a normal distribution with the mean and the standard
%   deviation of the distances in the list of row i. Choose K much larger than
%   k: of the whole rest of the data, K = n-1, these are those of the source;
%   some ten times k, at least 100, mostly do. knng.hubness tells what became of
%   the hubs.
%
%   dist2 is from 0 to 1. Neighbours are in the order of p(i,j)*p(j,i), which
%   still differ where dist2 is rounded to 1; of equal ones that with the lower
%   index comes first. Rows with fewer than k neighbours keep theirs (behind
%   them idx 0 and dist NaN). Infinite distances are no neighbours. In a list
%   whose distances are all equal p is 1/2.
%
%   Cost: O(n*K*log (K)), a second for n = 1e5, K = 20; memory 8 numbers of 8
%   bytes an entry of the tables.
%
%   Errors: knng:args:k if k is no whole number from 1 to the columns of idx
%   (for A: to its rows); knng:args:idx, :dist if the tables are none of a
%   graph, as of knng.adjacency; knng:args:class if A is not square, sparse and
%   real; knng:args:count.
%
%   Source: D. Schnitzer, A. Flexer, M. Schedl, G. Widmer, J. Machine Learning
%   Research 13 (2012) 2871-2902.
%
%   Example:
%     X = [0 0; 1 0; -1 0; 0 1; 0 -1.5];   % one in the middle
%     [idx, dist] = knngraph (X, 4);
%     idx2 = knng.mutualproximity (idx, dist, 1);
%     max (knng.hubness (idx(:, 1), dist(:, 1)))      % 4
%     max (knng.hubness (idx2, 0 * idx2))             % 3
%
%   See also knng.hubness, knng.mutual, knng.adjacency, knngraph.

  [graph, rest] = knng.internal.graph_arguments ('knng.mutualproximity (GRAPH, 10)', varargin);
  if (numel (rest) ~= 1 || nargout > numel (graph))
    error ('knng:args:count', ['knng.mutualproximity needs a graph and k, as in A = knng.mutualproximity (A, 10) or ' ...
           '[idx, dist] = knng.mutualproximity (idx, dist, 10): see help knng.mutualproximity']);
  end
  k = rest{1};
  most = size (graph{1}, 2);
  if (~isnumeric (k) || numel (k) ~= 1 || ~knng.internal.whole (k, 1, most))
    error ('knng:args:k', 'k is %s: it must be one whole number from 1 to %d, of the neighbours that the graph has', ...
           knng.internal.given (k), most);
  end
  D = knng.internal.graph ('knng.mutualproximity (GRAPH, 10)', graph);   % an error where it is no graph
  n = size (D, 1);
  clear D
  is_matrix = numel (graph) == 1;
  [j, d] = knng.internal.tables (graph);
  d = double (d);
  d(j == 0 | d == Inf) = NaN;
  d(d <= realmin) = 0;
  j(isnan (d)) = 0;
  some = max (sum (j > 0, 2), 1);
  known = d;
  known(j == 0) = 0;
  scale = max (known, [], 2);                                % so that squares stay in range
  scale(scale == 0) = 1;
  known = bsxfun (@rdivide, known, scale);
  middle = sum (known, 2) ./ some;
  spread = bsxfun (@minus, known, middle);
  spread(j == 0) = 0;
  spread = sqrt (sum (spread .^ 2, 2) ./ some);
  p = farther (bsxfun (@rdivide, d, scale), middle, spread) .* ...
      farther (d ./ reshape (scale(max (j, 1)), size (d)), reshape (middle(max (j, 1)), size (d)), reshape (spread(max (j, 1)), size (d)));
  p(j == 0) = -1;
  at_end = j;
  at_end(j == 0) = Inf;
  [~, order] = sort (at_end, 2);                             % equal ones by index
  at = bsxfun (@plus, (order - 1) * n, (1:n)');
  [p, j] = deal (reshape (p(at), size (p)), reshape (j(at), size (j)));
  [p, order] = sort (-p, 2);
  at = bsxfun (@plus, (order - 1) * n, (1:n)');
  j = reshape (j(at), size (j));
  k = min (full (double (k)), size (j, 2));
  [idx, dist] = deal (j(:, 1:k), 1 + p(:, 1:k));
  dist(idx == 0) = NaN;
  if (is_matrix && k == 0)
    idx = graph{1};
  elseif (is_matrix)
    idx = knng.adjacency (idx, dist);
  elseif (isa (graph{2}, 'single'))
    dist = single (dist);
  end
end

function p = farther (d, middle, spread)
% How likely a number of this normal distribution is larger than D; 1/2 where it has no spread.
  z = bsxfun (@minus, d, middle);
  z = bsxfun (@rdivide, z, spread);
  z(isnan (z) | bsxfun (@plus, zeros (size (d)), spread) == 0) = 0;
  p = erfc (z / sqrt (2)) / 2;
end

%!test <*1>
%! X = [0 0; 1 0; -1 0; 0 1; 0 -1.5];
%! [idx, dist] = knngraph (X, 4);
%! idx2 = knng.mutualproximity (idx, dist, 1);
%! assert ([max(knng.hubness (idx(:, 1), dist(:, 1))), max(knng.hubness (idx2, 0 * idx2))], [4 3]);

%!test  # the definition in plain loops, with all rows, with some, a row without neighbours, equal ones
%! warning ('off', 'knng:data:nonFinite', 'local');
%! X = [mod((1:40)' * [0.137 0.713 0.371], 1); NaN 1 1];
%! X(7, :) = X(3, :);
%! for K = [39 8 1]
%!   for scale = [1 1e150 1e-150]
%!     [idx, dist] = knngraph (scale * X, K);
%!     k = min (5, K);
%!     [i, d] = knng.mutualproximity (idx, dist, k);
%!     B = knng.mutualproximity (knngraph (scale * X, K), k);
%!     phi = @(d, list) erfc ((d - mean (list)) / std (list, 1) / sqrt (2)) / 2;
%!     for r = 1:40
%!       p = zeros (1, K);
%!       for c = 1:K
%!         other = dist(idx(r, c), :);
%!         p(c) = phi (dist(r, c) / scale, dist(r, :) / scale) * phi (dist(r, c) / scale, other / scale);
%!       end
%!       if (K == 1), p(:) = 0.25; end
%!       at = arrayfun (@(t) find (idx(r, :) == t), i(r, :));
%!       assert (d(r, :), 1 - p(at), 1e-13);
%!       assert (sort (d(r, :)), d(r, :));
%!       assert (max ([0, p(setdiff (1:K, at))]) <= min (p(at)) + 1e-13);
%!       assert (isequal (sort (find (B(r, :))), sort (i(r, :))));
%!       assert (full (B(r, i(r, :))), max (d(r, :), realmin), 1e-13);
%!     end
%!     assert (isequal (i(41, :), zeros (1, k)) && all (isnan (d(41, :))));
%!   end
%! end

%!test  # many dimensions: fewer hubs
%! X = mod ((1:300)' * sqrt (2:201) * 997 + (1:300)' .^ 2 * sqrt (3:202), 1);
%! [idx, dist] = knngraph (X, 100);
%! [~, before] = knng.hubness (idx(:, 1:10), dist(:, 1:10));
%! [i, d] = knng.mutualproximity (idx, dist, 10);
%! [~, after] = knng.hubness (i, d);
%! assert (after.robinhood < before.robinhood && after.antihubs <= before.antihubs && after.hubshare < before.hubshare);

%!test  # equal ones, infinite ones, nothing
%! [i, d] = knng.mutualproximity ([3 2; 1 3; 1 2], single ([1 1; 1 1; 1 1]), 1);
%! assert ({i, d, class(d)}, {[2; 1; 1], single([0.75; 0.75; 0.75]), 'single'});
%! [i, d] = knng.mutualproximity ([2 3; 1 3; 1 2], [1 Inf; 1 Inf; Inf Inf], 2);
%! assert (i, [2 0; 1 0; 0 0]);
%! assert (knng.mutualproximity (sparse (2, 2), 1), sparse (2, 2));
%!error id=knng:args:count knng.mutualproximity (sparse (2, 2))
%!error id=knng:args:k knng.mutualproximity ([2; 1], [1; 1], 2)
%!error id=knng:args:k knng.mutualproximity ([2; 1], [1; 1], 0)
%!error id=knng:args:idx knng.mutualproximity ([2; 3], [1; 1], 1)
%!error id=knng:args:class knng.mutualproximity (sparse (1, 2), 1)
