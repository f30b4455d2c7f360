function [i, j, d, lists, core] = all_pairs (X, metric, k, how, m)
%ALL_PAIRS  The minimum spanning tree of all pairs of rows, without computing them all.
%  [i, j, d, lists] = knng.internal.all_pairs (X, METRIC, k, HOW) returns the edges of the tree of the rows that have distances,
%  as knng.minspantree does but in no order, and the n-by-n graph of at least the k nearest neighbours of each row.
%  [i, j, d, lists, core] = knng.internal.all_pairs (X, METRIC, k, HOW, m) does it for mutual reachability: core, n-by-1, is the
%  distance of a row to its m-th nearest other (of fewer: the last; Inf without any), and the edge of two rows is as long as the
%  largest of their distance and their two core distances. Of edges of equal length any may be in the tree.
%  HOW are options of searches, as of knng.internal.engine. core/graph/forest.h says when an edge is certain. Where no part of the
%  tree can go on, rows of all parts but the largest are searched again, outside of their part.

  if (nargin < 5)
    m = 0;
  end
  knng.internal.check_matrix (X, 'X');
  [X, n] = deal (double (X), size (X, 1));
  K = min (n - 1, m + max ([k, 5, floor(log (n))]));
  if (K > 0)
    [idx, dist] = knngraph (X, K, metric, how{:});
  else                                                       % one row has no neighbours
    [idx, dist] = deal (zeros (n, 0));
  end
  threads = knng.internal.engine (how, {'Threads'});
  lists = knng.adjacency (idx, dist, threads{:});
  there = any (idx > 0, 2);
  reach = Inf (n, 1);                                        % shorter edges from a row are all in A: none is shorter than its distance
  cut = there & sum (there) - 1 > size (idx, 2);
  if (any (cut))
    reach(cut) = dist(cut, end);
  end
  [A, core] = deal (lists, Inf (n, 1));
  if (m > 0 && any (there))
    core(there) = dist(there, max (1, min ([m, K, sum(there) - 1])));
    [from, to, far] = find (lists);
    A = edges (from, to, far, core);
  end
  wanted = repmat (max (m, 1), n, 1);                        % rows outside of its part that a row lists when it is asked again
  [i, j, d, part, best] = knng.internal.forest ('tree', A, reach, [], knng.internal.how_to_run (how));
  while (any (part(there) ~= part(find (there, 1))))
    % Of every part but the largest, the rows of which a shorter way out may not be known are searched.
    sizes = accumarray (part(there), 1, [max(part), 1]);
    [~, largest] = max (sizes);
    ask = there & part ~= largest & reach <= best(part);
    asked = ask;
    found = {zeros(0, 3)};
    for most = [20, 200]                                     % small parts together: not all neighbours can be inside
      rows = find (ask & sizes(part) <= most);
      ask(rows) = false;
      [found{end+1}, reach] = outside (X, metric, find (there), rows, part, max ([0; sizes(part(rows))]), wanted, m > 0, reach, how);
    end
    for p = unique (part(ask))'
      [found{end+1}, reach] = outside (X, metric, find (there & part ~= p), find (ask & part == p), part, 0, wanted, m > 0, reach, how);
    end
    found = vertcat (found{:});
    if (m > 0)
      A = max (A, edges (found(:, 1), found(:, 2), found(:, 3), core));
      wanted(asked) = 2 * wanted(asked);
    else
      A = max (A, sparse (found(:, 1), found(:, 2), max (found(:, 3), realmin), n, n));
    end
    [i2, j2, d2, part, best] = knng.internal.forest ('tree', A, reach, part, knng.internal.how_to_run (how));
    [i, j, d] = deal ([i; i2], [j; j2], [d; d2]);
  end
end

function A = edges (from, to, far, core)
% The lengths of edges by mutual reachability.
  A = sparse (from, to, max (max ([far, core(from), core(to)], [], 2), realmin), numel (core), numel (core));
end

function [found, reach] = outside (X, metric, rest, rows, part, inside, wanted, all, reach, how)
% [row, other, distance] of some rows and the nearest of REST, at most INSIDE of which are in their own part, or ALL of REST that were
% listed, which lie outside of their part; and how far each has been looked at then. So many rows at a time that the lists take 300 MB.
  k = min (numel (rest), inside + max ([1; wanted(rows)]));
  step = ceil (2e7 / k);
  found = {zeros(0, 3)};
  for first = 1:step:numel (rows)
    some = rows(first:min (first + step - 1, end));
    [near, dist] = knng.knnsearch (X(rest, :), X(some, :), 'K', k, 'Distance', metric, how{:});
    near = reshape (rest(near), size (near));
    other = reshape (part(near), size (near)) ~= part(some) * ones (1, k);
    if (all)
      reach(some) = max (reach(some), dist(:, k));
      if (k == numel (rest))
        reach(some) = Inf;
      end
    else
      [~, c] = max (other, [], 2);
      at = sub2ind (size (near), (1:numel (some))', c);
      other(:) = false;
      other(at) = true;
      reach(some) = dist(at);
    end
    [r, ~] = find (other);                                   % rows where there is one row alone
    found{end+1} = [reshape(some(r), [], 1), reshape(near(other), [], 1), reshape(dist(other), [], 1)]; %#ok<AGROW>
  end
  found = vertcat (found{:});
end
