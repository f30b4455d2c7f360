function [count, h] = hubness (varargin)
%KNNG.HUBNESS  In how many lists of neighbours each row is.
%   count = knng.hubness (idx, dist) takes the n-by-k tables of [idx, dist] =
%   knngraph (X, k, ...) and returns how many rows have each row as a neighbour,
%   n-by-1. Its mean is k.
%   count = knng.hubness (A) does the same with the n-by-n sparse matrix A =
%   knngraph (X, k, ...).
%   [count, h] = knng.hubness (...) also returns what tells whether the graph
%   has hubs: rows that are in very many lists, and say little about those that
%   have them as a neighbour. In data of many dimensions that is the rule.
%
%   Fields of h:
%
%     skewness   of count: the third central moment over the standard deviation
%                cubed. Near 0 where nobody is a hub, above 1.4 much hubness;
%                NaN if all counts are equal
%     robinhood  which share of all places in the lists would have to go to
%                other rows for all to be in as many, from 0 to 1
%     hubs       the rows that are in at least twice as many lists as the mean,
%                those in most first, of equal ones the lower row
%     hubshare   which share of all places in the lists they take
%     antihubs   the share of rows that are in no list at all
%
%   knng.mutualproximity makes graphs with fewer hubs, and so does knng.mutual.
%
%   Cost: O(n*k), a tenth of a second for n = 1e5, k = 20; memory 8 bytes a row
%   and 32 an edge.
%
%   Errors: knng:args:idx, knng:args:dist if the tables are none of a graph, as
%   of knng.adjacency; knng:args:class if A is not square, sparse and real;
%   knng:args:count.
%
%   Sources: M. Radovanovic, A. Nanopoulos, M. Ivanovic, J. Machine Learning
%   Research 11 (2010) 2487-2531; R. Feldbauer, M. Leodolter, C. Plant, A.
%   Flexer, IEEE Int. Conf. Big Knowledge (2018) 358-367, the other measures.
%
%   Example:
%     X = [0 0; 1 0; -1 0; 0 1; 0 -1.5];   % one in the middle
%     [count, h] = knng.hubness (knngraph (X, 1));
%     count'                               % 4 1 0 0 0
%     h.hubs                               % 1
%
%   See also knng.mutualproximity, knng.mutual, knng.pagerank, knngraph.

  [graph, rest] = knng.internal.graph_arguments ('knng.hubness (GRAPH)', varargin);
  if (~isempty (rest))
    error ('knng:args:count', ['knng.hubness takes a graph and nothing else, as in knng.hubness (A) or knng.hubness (idx, dist): ' ...
           'see help knng.hubness']);
  end
  n = size (graph{1}, 1);
  if (numel (graph) == 1)
    [~, j] = find (graph{1});
  else
    knng.adjacency (graph{:});                               % an error where they are no tables of a graph
    j = graph{1};
    j = j(j > 0);
  end
  count = accumarray (j(:), 1, [n, 1]);
  if (nargout < 2)
    return
  end
  all_places = sum (count);
  even = all_places / max (n, 1);
  spread = count - even;
  h.skewness = mean (spread .^ 3) / mean (spread .^ 2) ^ 1.5;
  h.robinhood = sum (abs (spread)) / (2 * all_places);
  hubs = find (count >= 2 * even & count > 0);
  [~, order] = sort (-count(hubs));
  h.hubs = hubs(order);
  h.hubshare = sum (count(hubs)) / all_places;
  h.antihubs = sum (count == 0) / n;
end

%!test <*1>
%! X = [0 0; 1 0; -1 0; 0 1; 0 -1.5];
%! [count, h] = knng.hubness (knngraph (X, 1));
%! assert (count', [4 1 0 0 0]);
%! assert (h.hubs, 1);
%! assert ([h.robinhood, h.hubshare, h.antihubs], [0.6 0.8 0.6], 1e-15);

%!test  # what scikit-hubness 0.21.2 gives
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! [count, h] = knng.hubness (knngraph (X, 3));
%! assert (count', [0 3 4 1 4 2 6 6 4 2 3 1]);
%! assert ([h.skewness, h.robinhood, h.hubshare, h.antihubs], [0.1643167672515498, 1/4, 1/3, 1/12], 1e-14);
%! assert (h.hubs', [7 8]);

%!test  # against plain counts; more dimensions, more hubs
%! warning ('off', 'knng:data:nonFinite', 'local');
%! norminv = @(p) - sqrt (2) * erfcinv (2 * p);
%! noise = @(n, d) norminv (0.0001 + 0.9998 * mod ((1:n)' * sqrt (2:d+1) * 997 + (1:n)' .^ 2 * sqrt (3:d+2), 1));
%! X = [noise(300, 3); NaN(1, 3)];
%! [idx, dist] = knngraph (X, 5);
%! [count, few] = knng.hubness (idx, dist);
%! assert (count, accumarray (idx(idx > 0), 1, [301, 1]));
%! assert (knng.hubness (knngraph (X, 5)), count);
%! assert (few.skewness, mean ((count - mean (count)) .^ 3) / std (count, 1) ^ 3, 1e-12);
%! [~, many] = knng.hubness (knngraph (noise (300, 200), 5));
%! assert (many.skewness > 1.4 && many.skewness > 2 * few.skewness);
%! assert (many.hubshare > few.hubshare && many.antihubs > few.antihubs && many.robinhood > few.robinhood);

%!test  # on a ring all are equal; nothing
%! [count, h] = knng.hubness (sparse (1:4, [2 3 4 1], 1));
%! assert (count, ones (4, 1));
%! assert (isnan (h.skewness) && isempty (h.hubs) && isequal ([h.robinhood, h.hubshare, h.antihubs], [0 0 0]));
%! [count, h] = knng.hubness (sparse (0, 0));
%! assert (size (count), [0 1]);
%! assert (size (h.hubs), [0 1]);
%!error id=knng:args:count knng.hubness ()
%!error id=knng:args:count knng.hubness (sparse (1), 2)
%!error id=knng:args:idx knng.hubness ([2; 4], [1; 1])
%!error id=knng:args:class knng.hubness (sparse (1, 2))
