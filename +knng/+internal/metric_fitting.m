function name = metric_fitting (X, i, j, d, but)
%METRIC_FITTING  The metric, other than BUT, by which d, a column, are the distances of rows i and j of X to the last bit; '' where there is none.

  name = '';
  others = knng.internal.search ('metrics');
  for m = setdiff ({others.name}, {but}, 'stable')
    if (isequaln (cast (knng.internal.pair_distances (X, i, j, m{1}), class (d)), d))
      name = m{1};
      return
    end
  end
end

%!test
%! X = magic (6);
%! for m = {'pearson', 'cityblock', 'sqeuclidean'}
%!   [idx, dist] = knngraph (X, 1, m{1});
%!   assert (knng.internal.metric_fitting (X, (1:6)', idx, dist, 'euclidean'), m{1});
%!   assert (knng.internal.metric_fitting (X, (1:6)', idx, single (dist), 'euclidean'), m{1});
%!   assert (knng.internal.metric_fitting (X, (1:6)', idx, dist * 3, 'euclidean'), '');
%! end
%! assert (knng.internal.metric_fitting (X, (1:6)', idx, dist, 'sqeuclidean'), '');
