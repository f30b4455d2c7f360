function [i, j, d, lists] = all_pairs (X, metric, k, how)
%ALL_PAIRS  The minimum spanning tree of all pairs of rows, without computing them all.
%  [i, j, d, lists] = knng.internal.all_pairs (X, METRIC, k, HOW) returns the edges of the tree of the rows that have distances,
%  as knng.minspantree does but in no order, and the n-by-n graph of at least the k nearest neighbours of each row.
%  HOW are options of searches, as of knng.internal.engine. core/graph/forest.h says when an edge is certain. Where no part of the tree can go on, rows of all parts but the largest are
%  searched again, outside of their part.

  knng.internal.check_matrix (X, 'X');
  [X, n] = deal (double (X), size (X, 1));
  K = min (n - 1, max ([k, 5, floor(log (n))]));
  if (K > 0)
    [idx, dist] = knngraph (X, K, metric, how{:});
  else                                                       % one row has no neighbours
    [idx, dist] = deal (zeros (n, 0));
  end
  threads = knng.internal.engine (how, {'Threads'});
  lists = knng.adjacency (idx, dist, threads{:});
  A = lists;
  there = any (idx > 0, 2);
  reach = Inf (n, 1);                                        % shorter edges from a row are all in A
  cut = there & sum (there) - 1 > size (idx, 2);
  if (any (cut))
    reach(cut) = dist(cut, end);
  end
  [i, j, d, part, best] = knng.internal.forest ('tree', A, reach, [], knng.internal.how_to_run (how));
  while (any (part(there) ~= part(find (there, 1))))
    % Of every part but the largest, the rows of which a shorter way out may not be known are searched.
    sizes = accumarray (part(there), 1, [max(part), 1]);
    [~, largest] = max (sizes);
    ask = there & part ~= largest & reach <= best(part);
    [from, to, far] = deal (zeros (0, 1));
    for most = [20, 200]                                     % small parts together: not all neighbours can be inside
      rows = find (ask & sizes(part) <= most);
      ask(rows) = false;
      [from, to, far] = outside (X, metric, find (there), rows, part, max ([0; sizes(part(rows))]) + 1, from, to, far, how);
    end
    for p = unique (part(ask))'
      [from, to, far] = outside (X, metric, find (there & part ~= p), find (ask & part == p), part, 1, from, to, far, how);
    end
    A = max (A, sparse (from, to, max (far, realmin), n, n));
    reach(from) = far;
    [i2, j2, d2, part, best] = knng.internal.forest ('tree', A, reach, part, knng.internal.how_to_run (how));
    [i, j, d] = deal ([i; i2], [j; j2], [d; d2]);
  end
end

function [from, to, far] = outside (X, metric, rest, rows, part, k, from, to, far, how)
% Adds, for each of some rows, the nearest row of REST outside of its part, which is one of the k nearest; so many rows
% at a time that the lists take 300 MB.
  step = ceil (2e7 / k);
  for first = 1:step:numel (rows)
    some = rows(first:min (first + step - 1, end));
    [near, dist] = knng.knnsearch (X(rest, :), X(some, :), 'K', k, 'Distance', metric, how{:});
    near = reshape (rest(near), size (near));
    other = reshape (part(near), size (near)) ~= part(some) * ones (1, k);
    [~, c] = max (other, [], 2);
    at = sub2ind (size (near), (1:numel (some))', c);
    [from, to, far] = deal ([from; some], [to; near(at)], [far; dist(at)]);
  end
end
