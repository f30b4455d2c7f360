function W = weighted (graph, weight, metric)
%WEIGHTED  The symmetric weights of a graph, for methods that look for what belongs together.
%  W = knng.internal.weighted ({A}, WEIGHT, METRIC), or {idx, dist}, is a sparse matrix whose entries are the weights of
%  edges. WEIGHT is 'auto', 'given' or one of knng.adjacency's, METRIC as there. Whoever calls it has looked for igraph.

  known = {'auto', 'given', 'distance', 'similarity', 'binary', 'gaussian', 'jaccard', 'snn'};
  if (~knng.internal.is_one_of (weight, known))
    list = sprintf (', ''%s''', known{:});
    error ('knng:args:option', '''Weight'' is %s: it must be one of %s', knng.internal.given (weight), list(3:end));
  end
  auto = knng.internal.is_one_of (weight, {'auto'});
  A = graph{1};
  if (islogical (A) && issparse (A))
    A = double (A);
  end
  if (issparse (A))
    n = size (A, 1);
    if (n ~= size (A, 2))
      error ('knng:args:class', 'A is %d-by-%d: it must be square, as knngraph returns it', n, size (A, 2));
    end
    graph = {A};
    if (auto && isreal (A) && isequal (A, A'))
      weight = 'given';
    end
  end
  if (knng.internal.is_one_of (weight, {'given'}))
    if (issparse (A) && isreal (A))
      W = A;
    else
      W = knng.adjacency (graph{:});
    end
    if (~isequal (W, W'))
      W = (W + W') / 2;
    end
  else
    if (auto)
      weight = 'binary';
    end
    W = knng.adjacency (graph{:}, 'Weight', weight, 'Metric', metric, 'Symmetrize', 'union');
  end
end
