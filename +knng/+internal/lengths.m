function D = lengths (form, graph, opt, how)
%LENGTHS  The lengths of a graph's edges, for ways in it: what knng.shortestpath and knng.betweenness share.
%   D = knng.internal.lengths (FORM, GRAPH, OPT, HOW) is n-by-n and sparse: D(i,j) is how long the edge from i to j is, 0 as
%   realmin; without those of a row to itself and infinite ones. OPT has the fields Length, 'distance' or 'hops', and
%   Directed; if that is false, D is symmetric, and i and j are joined if one of them is a neighbour of the other.
%   FORM and GRAPH as of knng.internal.graph_arguments, HOW as of knng.internal.engine.

  length_is = knng.internal.check_choice ('Length', opt.Length, {'distance', 'hops'});
  knng.internal.check_flag ('Directed', opt.Directed);
  if (strcmp (length_is, 'distance'))
    knng.internal.warn_shares (graph);
  end
  if (islogical (graph{1}))                                  % there is an edge, or not
    graph{1} = double (graph{1});
  end
  D = knng.internal.graph (form, graph, how);
  if (~opt.Directed)
    D = knng.adjacency (D, 'Symmetrize', 'union', how{:});
  end
  if (any (nonzeros (D) == Inf) || any (diag (D)))
    [i, j, d] = find (D);
    some = i ~= j & d < Inf;
    D = sparse (i(some), j(some), d(some), size (D, 1), size (D, 2));
  end
  if (strcmp (length_is, 'hops'))
    D = spones (D);
  end
end

%!test
%! A = sparse ([3 1 0; 0 0 Inf; realmin 0 0]);
%! D = @(varargin) full (knng.internal.lengths ('knng.f (GRAPH)', {A}, struct (varargin{:}), {}));
%! assert (D ('Length', 'distance', 'Directed', true), [0 1 0; 0 0 0; realmin 0 0]);
%! assert (D ('Length', 'HOPS', 'Directed', false), [0 1 1; 1 0 0; 1 0 0]);
%!error id=knng:args:option knng.internal.lengths ('knng.f (GRAPH)', {sparse(1)}, struct ('Length', 'miles', 'Directed', false), {})
%!error id=knng:args:option knng.internal.lengths ('knng.f (GRAPH)', {sparse(1)}, struct ('Length', 'hops', 'Directed', 2), {})
