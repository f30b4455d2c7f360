function [i, j, d, core, lists] = all_pairs (X, metric, k, how, m)
%ALL_PAIRS  The minimum spanning tree of all pairs of rows, without computing them all.
%  [i, j, d] = knng.internal.all_pairs (X, METRIC, k, HOW) returns the edges of the tree of the rows that have distances, as
%  knng.minspantree does but in no order.
%  [i, j, d, core] = knng.internal.all_pairs (X, METRIC, k, HOW, m) does it for mutual reachability: core, n-by-1, is the distance
%  of a row to its m-th nearest other (of fewer: the last; Inf without any), and the edge of two rows is as long as the largest of
%  their distance and their two core distances. Without m core is [].
%  [i, j, d, core, lists] = ... also returns the n-by-n graph of at least the k nearest neighbours of each row. Edges are ordered by (length, i, j), i < j: so there is one tree.
%  HOW are options of searches, as of knng.internal.engine; 'Prune' and 'TileSize' of knngraph may be among them. 'Prune' also
%  says whether rows are searched again, outside of their part of the tree, by boxes (core/rows/spanning.h). Where they are not,
%  since boxes do not gain, the whole search is made again for them (core/graph/forest.h).

  if (nargin < 5)
    m = 0;
  end
  knng.internal.check_matrix (X, 'X');
  [X, n] = deal (double (X), size (X, 1));
  K = min (n - 1, m + max ([k, 5, floor(log (n))]));
  if (K > 0)
    [idx, dist] = knng.internal.searched (X, K, metric, how, 'plain');
  else                                                       % one row has no neighbours
    [idx, dist] = deal (zeros (n, 0));
  end
  there = any (idx > 0, 2);
  core = [];
  if (m > 0)
    core = Inf (n, 1);
    if (any (there))
      core(there) = dist(there, max (1, min ([m, K, sum(there) - 1])));
    end
  end
  boxes = struct ('Prune', 'auto', 'MaxMemory', 0, 'TileSize', 0);
  for o = 1:2:numel (how)
    boxes.(how{o}) = how{o+1};
  end
  [i, j, d, part] = knng.internal.spanning (X, metric, idx, dist, core, boxes.Prune, boxes.MaxMemory, boxes.TileSize, ...
                                            knng.internal.how_to_run (how));
  lists = [];
  if (nargout > 4)
    threads = knng.internal.engine (how, {'Threads'});
    lists = knng.adjacency (idx, dist, threads{:});
  end
  if (any (part(there) ~= part(find (there, 1))))
    [i2, j2, d2] = by_searches (X, metric, idx, dist, lists, core, part, max (m, 1), how);
    [i, j, d] = deal ([i; i2], [j; j2], [d; d2]);
  end
end

function [i, j, d] = by_searches (X, metric, idx, dist, A, core, part, wanted, how)
% The edges that join parts of the tree. Where no part can go on, rows of all but the largest are searched outside of their
% part: WANTED of them at first. A is the graph of the tables, or [] where nobody has made it yet.
  [n, m] = deal (size (X, 1), ~isempty (core));
  there = any (idx > 0, 2);
  if (isempty (A))
    threads = knng.internal.engine (how, {'Threads'});
    A = knng.adjacency (idx, dist, threads{:});
  end
  if (m)
    [from, to, far] = find (A);
    A = edges (from, to, far, core);
  end
  reach = Inf (n, 1);                                        % shorter edges from a row are all in A: none is shorter than its distance
  if (sum (there) - 1 > size (idx, 2))
    reach(there) = dist(there, end);
  end
  wanted = repmat (wanted, n, 1);                            % rows outside of its part that a row lists when it is asked again
  [i, j, d, part, best] = knng.internal.forest ('tree', A, known (reach, m), part, knng.internal.how_to_run (how));
  while (any (part(there) ~= part(find (there, 1))))
    % Of every part but the largest, the rows of which a shorter way out may not be known are searched.
    sizes = accumarray (part(there), 1, [max(part), 1]);
    [~, largest] = max (sizes);
    ask = there & part ~= largest & known (reach, m) <= best(part);
    asked = ask;
    found = {zeros(0, 3)};
    for most = [20, 200]                                     % small parts together: not all neighbours can be inside
      rows = find (ask & sizes(part) <= most);
      ask(rows) = false;
      [found{end+1}, reach] = outside (X, metric, find (there), rows, part, max ([0; sizes(part(rows))]), wanted, m, reach, how);
    end
    for p = unique (part(ask))'
      [found{end+1}, reach] = outside (X, metric, find (there & part ~= p), find (ask & part == p), part, 0, wanted, m, reach, how);
    end
    found = vertcat (found{:});
    if (m)
      A = max (A, edges (found(:, 1), found(:, 2), found(:, 3), core));
      wanted(asked) = 2 * wanted(asked);
    else
      A = max (A, sparse (found(:, 1), found(:, 2), max (found(:, 3), realmin), n, n));
    end
    [i2, j2, d2, part, best] = knng.internal.forest ('tree', A, known (reach, m), part, knng.internal.how_to_run (how));
    [i, j, d] = deal ([i; i2], [j; j2], [d; d2]);
  end
end

function reach = known (reach, m)
% By core distances an edge that is not listed may be as long as reach, and come before one that is.
  if (m)
    ends = reach > 0 & reach < Inf;
    reach(ends) = reach(ends) - eps (reach(ends));
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
