function warn_left_out (found, n, metric)
%WARN_LEFT_OUT  Says how many of n rows are in no cluster, since they have no distances.
%   found: what knng.internal.kmeans or knng.internal.kmedoids has found; metric: its name.

  odd = found.left_out - found.constant;
  if (odd > 0)
    warning ('knng:data:nonFinite', '%d of %d rows hold NaN or Inf: they are in no cluster; knng.impute fills in missing values', odd, n);
  end
  if (found.constant > 0)
    what = {'constant', 'zero'};
    warning ('knng:data:constant', '%d of %d rows are %s: they have no ''%s'' distances and are in no cluster', ...
             found.constant, n, what{1 + strcmp(metric, 'cosine')}, metric);
  end
end

%!warning <1 of 3 rows hold NaN or Inf> knng.internal.warn_left_out (struct ('left_out', 1, 'constant', 0), 3, 'pearson')
%!warning <2 of 3 rows are zero: they have no 'cosine'> knng.internal.warn_left_out (struct ('left_out', 2, 'constant', 2), 3, 'cosine')
%!test
%! lastwarn ('');
%! knng.internal.warn_left_out (struct ('left_out', 0, 'constant', 0), 3, 'cosine');
%! assert (lastwarn (), '');
