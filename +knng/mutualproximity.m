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
%   Cost: O(n*K*log (K)), a second for n = 1e5, K = 20; memory 120
%   bytes an entry.
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
  if (nargout > numel (graph))
    error ('knng:args:count', 'knng.mutualproximity (A, k) returns one matrix, but %d results are asked for: see help knng.mutualproximity', nargout);
  elseif (numel (rest) ~= 1)
    error ('knng:args:count', ['knng.mutualproximity needs a graph and k, as in A = knng.mutualproximity (A, 10) or ' ...
           '[idx, dist] = knng.mutualproximity (idx, dist, 10): see help knng.mutualproximity']);
  end
  k = rest{1};
  most = size (graph{1}, 2);
  if (~isnumeric (k) || numel (k) ~= 1 || ~knng.internal.whole (k, 1, most))
    error ('knng:args:k', 'k is %s: it must be one whole number from 1 to %d, of the neighbours that the graph has', ...
           knng.internal.given (k), most);
  end
  k = full (double (k));
  A = knng.internal.graph ('knng.mutualproximity (GRAPH, 10)', graph);   % an error where it is no graph
  [i, j, d] = find (A);
  n = size (A, 1);
  A = [];
  some = d < Inf;
  [i, j, d] = deal (reshape (i(some), [], 1), reshape (j(some), [], 1), reshape (d(some), [], 1));
  some = [];
  d(d <= realmin) = 0;

  % The mean and the deviation of the distances in each list, over the largest of them, so that squares stay in range.
  count = max (accumarray (i, 1, [n, 1]), 1);
  scale = accumarray (i, d, [n, 1], @max);
  scale(scale == 0) = 1;
  middle = accumarray (i, d ./ scale(i), [n, 1]) ./ count;
  spread = sqrt (accumarray (i, (d ./ scale(i) - middle(i)) .^ 2, [n, 1]) ./ count);
  p = farther (d ./ scale(i), middle(i), spread(i)) .* farther (d ./ scale(j), middle(j), spread(j));

  % The k best of each row: by p, equal ones by index, which they come in.
  [~, order] = sort (-p);
  [i, again] = sort (i(order));
  order = order(again);
  place = (1:numel (i))' - reshape (sum_before (i, n), [], 1);
  best = place <= k;
  [i, j, p, place] = deal (i(best), j(order(best)), p(order(best)), place(best));
  if (numel (graph) == 1)
    idx = sparse (i, j, max (1 - p, realmin), n, n);
    return
  end
  idx = zeros (n, k, class (varargin{1}));
  dist = NaN (n, k, class (varargin{2}));
  at = i + n * (place - 1);
  idx(at) = j;
  dist(at) = 1 - p;
end

function before = sum_before (i, n)
% How many entries there are of the rows before that of each.
  count = accumarray (i, 1, [n, 1]);
  before = cumsum (count) - count;
  before = before(i);
end

function p = farther (d, middle, spread)
% How likely a number of this normal distribution is larger than D; 1/2 where it has no spread.
  z = (d - middle) ./ spread;
  z(isnan (z) | spread == 0) = 0;
  p = erfc (z / sqrt (2)) / 2;
end

%!test <*1>
%! X = [0 0; 1 0; -1 0; 0 1; 0 -1.5];
%! [idx, dist] = knngraph (X, 4);
%! idx2 = knng.mutualproximity (idx, dist, 1);
%! assert ([max(knng.hubness (idx(:, 1), dist(:, 1))), max(knng.hubness (idx2, 0 * idx2))], [4 3]);

%!test  # what MutualProximity of scikit-hubness 0.21.2 gives
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! [idx, dist] = knngraph (X, 11);
%! [idx, dist] = knng.mutualproximity (idx, dist, 3);
%! assert (idx, 1 + [7 1 8; 6 7 8; 4 6 7; 10 6 0; 2 8 7; 10 9 6; 2 7 1; 6 1 8; 11 4 7; 5 10 11; 5 9 3; 8 4 2]);
%! assert (dist(1:6, :), [0.36323774 0.36702134 0.63339033; 0.26432997 0.28124840 0.33795716; 0.13763435 0.17466406 0.33681364; ...
%!         0.38215251 0.58669471 0.65718299; 0.13763435 0.27679009 0.29786719; 0.02483188 0.25863819 0.57428170], 1e-8);

%!test  # the definition in plain loops, with all rows, with some, a row without neighbours, equal ones
%! warning ('off', 'knng:data:nonFinite', 'local');
%! X = [mod((1:40)' * [0.137 0.713 0.371], 1); NaN 1 1];
%! X(7, :) = X(3, :);
%! for how = [39 8 8 8 1; 1 1 1e150 1e-150 1]
%!   [K, scale] = num2cell (how){:};
%!   [idx, dist] = knngraph (scale * X, K);
%!   k = min (5, K);
%!   [i, d] = knng.mutualproximity (idx, dist, k);
%!   B = knng.mutualproximity (knngraph (scale * X, K), k);
%!   middle = mean (dist / scale, 2)';
%!   spread = std (dist / scale, 1, 2)';
%!   for r = 1:40
%!     phi = @(of) erfc ((dist(r, :) / scale - middle(of)) ./ spread(of) / sqrt (2)) / 2;
%!     p = phi (r) .* phi (idx(r, :));
%!     if (K == 1), p(:) = 0.25; end
%!     at = arrayfun (@(t) find (idx(r, :) == t), i(r, :));
%!     assert (d(r, :), 1 - p(at), 1e-13);
%!     assert (sort (d(r, :)), d(r, :));
%!     assert (max ([0, p(setdiff (1:K, at))]) <= min (p(at)) + 1e-13);
%!     assert (isequal (sort (find (B(r, :))), sort (i(r, :))));
%!     assert (full (B(r, i(r, :))), max (d(r, :), realmin), 1e-13);
%!   end
%!   assert (isequal (i(41, :), zeros (1, k)) && all (isnan (d(41, :))));
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
%! assert (class (knng.mutualproximity (int32 ([2; 1]), [1; 1], 1)), 'int32');
%! n = 20000;                                     # a long row takes no room
%! B = knng.mutualproximity (sparse ([ones(1, n-1) 2:n], [2:n ones(1, n-1)], 1, n, n), 1);
%! assert (nnz (B), n);
%! [i, d] = knng.mutualproximity ([2 3; 1 3; 1 2], [1 Inf; 1 Inf; Inf Inf], 2);
%! assert (i, [2 0; 1 0; 0 0]);
%! assert (knng.mutualproximity (sparse (2, 2), 1), sparse (2, 2));
%!error id=knng:args:count knng.mutualproximity (sparse (2, 2))
%!error id=knng:args:k knng.mutualproximity ([2; 1], [1; 1], 2)
%!error id=knng:args:k knng.mutualproximity ([2; 1], [1; 1], 0)
%!error id=knng:args:idx knng.mutualproximity ([2; 3], [1; 1], 1)
%!error id=knng:args:class knng.mutualproximity (sparse (1, 2), 1)
