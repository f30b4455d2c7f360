function count = graph_arguments (name, args)
%GRAPH_ARGUMENTS  How many of the arguments of function NAME are its graph: 1, a sparse A, or 2, the tables idx and dist.

  if (isempty (args) || (~issparse (args{1}) && numel (args) < 2))
    error ('knng:args:count', '%s needs a graph, as in %s (A) with a sparse A or %s (idx, dist): see help %s', name, name, name, name);
  end
  count = 2 - issparse (args{1});
end
