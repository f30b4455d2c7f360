function [idx, dist, X, K] = near_lists (form, graph, X, opt, how, most, more)
%NEAR_LISTS  The lists of neighbours of points, which are searched, or of a graph.
%   [IDX, DIST, X, K] = knng.internal.near_lists (FORM, GRAPH, X, OPT, HOW, MOST): tables as of knngraph, as doubles, of the n rows
%   of X, where GRAPH is {}, or of GRAPH; 0 and NaN where a row has fewer neighbours. Entries of a graph that are infinite, or lead
%   from a row to itself, are left out (0 and NaN at their places), and distances up to realmin are 0. GRAPH, OPT and HOW are what
%   knng.internal.points_or_graph returned; OPT.K may be 'auto', the smaller of MOST and n - 1, and has to be 'auto' with a graph.
%   The X that is returned is of doubles, [] for a graph; K is the number of neighbours. ... (..., MORE): MORE neighbours are listed.

  if (~knng.internal.is_one_of (opt.K, {'auto'}))
    K = knng.internal.check_neighbours ('''K''', opt.K);
    if (~isempty (graph))
      error ('knng:args:option', '''K'' is for points: a graph has its neighbours; leave it out, or make another graph');
    end
  end
  if (nargin < 7)
    more = 0;
  end
  if (isempty (graph))
    knng.internal.check_matrix (X, 'X');
    X = double (X);
    n = size (X, 1);
    if (ischar (opt.K))
      K = min (most, n - 1);
    end
    if (n == 1)
      [idx, dist] = deal (zeros (1, 0));                     % there is no other row
    else
      [idx, dist] = knng.internal.searched (X, K + more * (K < n - 1), opt.Distance, how);
    end
  else
    X = [];
    A = knng.internal.graph (form, graph, how);              % an error where it is no graph
    if (numel (graph) == 1)
      graph = {A};
    end
    A = [];
    [idx, dist] = knng.internal.tables (graph);
    dist = double (dist);
    dist(dist <= realmin) = 0;
    K = size (idx, 2);
  end
  gone = idx > 0 & (dist == Inf | bsxfun (@eq, idx, (1:size (idx, 1))'));
  idx(gone) = 0;
  dist(idx == 0) = NaN;
end

%!shared opt
%! opt = struct ('K', 'auto', 'Distance', 'euclidean');
%!test
%! [idx, dist, X, K] = knng.internal.near_lists ('knng.f (GRAPH)', {}, single ([1; 2; 4]), opt, {}, 9);
%! assert ({idx, dist, class(X), K}, {[2 3; 1 3; 2 1], [1 3; 1 2; 2 3], 'double', 2});
%! [idx, ~, ~, K] = knng.internal.near_lists ('knng.f (GRAPH)', {}, [1; 2; 4], opt, {}, 1, 1);
%! assert ({idx, K}, {[2 3; 1 3; 2 1], 1});
%! [idx, dist, X] = knng.internal.near_lists ('knng.f (GRAPH)', {sparse([0 realmin 2; Inf 1 3; 0 0 0])}, [], opt, {}, 9);
%! assert ({idx, dist, X}, {[2 3 0; 0 3 0; 0 0 0], [0 2 NaN; NaN 3 NaN; NaN NaN NaN], []});
%! assert (size (knng.internal.near_lists ('knng.f (GRAPH)', {}, 7, opt, {}, 9)), [1 0]);
%!error <'K' is for points> knng.internal.near_lists ('knng.f (GRAPH)', {sparse(2, 2)}, [], struct ('K', 1), {}, 9)
