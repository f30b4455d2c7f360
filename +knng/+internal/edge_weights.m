function W = edge_weights (graph, weight, metric, how)
%EDGE_WEIGHTS  The weights of the edges of a graph, sparse, 0 where one weighs nothing.
%   W = knng.internal.edge_weights (GRAPH, WEIGHT, METRIC, HOW): GRAPH is {A} or {idx, dist}; WEIGHT is 'given', the entries of A, or one
%   of knng.adjacency's, METRIC as there, HOW more options of it. Error: knng:args:weight ('given' of tables).

  W = graph{1};
  if (islogical (W))                                         % there is an edge, or not
    W = double (W);
  end
  if (strcmp (weight, 'given'))
    if (numel (graph) == 2)
      error ('knng:args:weight', '''Weight'', ''given'' is for a matrix of weights, not for tables of distances: choose another weight');
    end
    return
  end
  W = knng.adjacency (W, graph{2:end}, 'Weight', weight, 'Metric', metric, how{:});
  W = W .* (W > realmin);                                    % which stands for 0
end

%!test
%! A = sparse ([0 0 2; 0 0 0; 3 0 0]);
%! assert (knng.internal.edge_weights ({A}, 'given', '', {}), A);
%! assert (knng.internal.edge_weights ({A > 0}, 'given', '', {}), double (A > 0));
%! assert (knng.internal.edge_weights ({A}, 'binary', '', {'Symmetrize', 'union'}), double (A + A' > 0));
%! assert (nnz (knng.internal.edge_weights ({[2; 3; 2], [1; 1; 0]}, 'distance', '', {})), 2);
%!error id=knng:args:weight knng.internal.edge_weights ({[2; 1], [1; 1]}, 'given', '', {})
