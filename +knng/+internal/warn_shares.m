function warn_shares (graph, other)
%WARN_SHARES  A warning where a graph that holds distances is of weights. GRAPH: {A} or {idx, dist}. OTHER, if given, is a text: what else
%   helps where the weights are symmetric.

  if (nargin < 2)
    other = '';
  end
  A = graph{1};
  if (~issparse (A))
    return
  elseif (knng.internal.like_shares (A))
    warning ('knng:args:weight', ['the entries of A were taken for distances, but are the weights ''jaccard'' or ''snn'' of knng.adjacency: ' ...
             'give the graph that these were made of']);
    return
  end
  [yes, why] = knng.internal.like_weights (A);
  if (yes)
    warning ('knng:args:weight', ['the entries of A were taken for distances, but look as weights do, where more is nearer: %s. Give the graph ' ...
             'that they were made of%s; A + A'' of distances doubles some, max (A, A'') does not'], why, other);
  end
end

%!warning id=knng:args:weight knng.internal.warn_shares ({knng.adjacency(knngraph (mod ((1:60)' * [0.37 0.71], 1), 6), 'Weight', 'jaccard')});
%!warning <taken for distances, but look as weights do, .*: the larger one is, .*. Give the graph> knng.internal.warn_shares ({knng.adjacency(knngraph (mod ((1:200)' .^ 2 * sqrt ([2 3]), 1), 9), 'Weight', 'gaussian', 'Symmetrize', 'union')});
%!test
%! warning ('error', 'knng:args:weight', 'local');
%! X = mod ((1:60)' * [0.37 0.71], 1);
%! knng.internal.warn_shares ({knngraph(X, 6)});
%! knng.internal.warn_shares ({max(knngraph (X, 6), knngraph (X, 6)')});
%! knng.internal.warn_shares ({knngraph(X, 6) > 0});
%! knng.internal.warn_shares (nthargout (1:2, @knngraph, X, 6));
