function warn_shares (graph)
%WARN_SHARES  A warning where a graph that holds distances is of weights. GRAPH: {A} or {idx, dist}.

  if (issparse (graph{1}) && knng.internal.like_shares (graph{1}))
    warning ('knng:args:weight', ['the entries of A were taken for distances, but are the weights ''jaccard'' or ''snn'' of knng.adjacency: ' ...
             'give the graph that these were made of']);
  end
end

%!warning id=knng:args:weight knng.internal.warn_shares ({knng.adjacency(knngraph (mod ((1:60)' * [0.37 0.71], 1), 6), 'Weight', 'jaccard')});
%!test
%! warning ('error', 'knng:args:weight', 'local');
%! knng.internal.warn_shares ({knngraph(mod ((1:60)' * [0.37 0.71], 1), 6)});
%! knng.internal.warn_shares (nthargout (1:2, @knngraph, mod ((1:60)' * [0.37 0.71], 1), 6));
