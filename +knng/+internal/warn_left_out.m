function warn_left_out (found, X, metric)
%WARN_LEFT_OUT  Says how many rows of X are in no cluster, since they have no distances.
%   found: what knng.internal.kmeans or knng.internal.kmedoids has found; metric: its name.

  n = size (X, 1);
  odd = found.left_out - found.constant;
  if (odd > 0)
    [share, where] = knng.internal.holding (X, odd);
    warning ('knng:data:nonFinite', '%s hold NaN or Inf: they are in no cluster%s; knng.impute fills in missing values', share, where);
  end
  if (found.constant > 0)
    what = {'constant', 'zero'};
    verbs = {'are', 'they have'};
    if (found.constant == 1)
      verbs = {'is', 'it has'};
    end
    warning ('knng:data:constant', ['%d of %s (%.3g %%) %s %s: %s no ''%s'' distances and %s in no cluster; knng.filterrows leaves out ' ...
             'flat rows'], found.constant, knng.internal.count_of (n, 'row'), 100 * found.constant / n, verbs{1}, ...
             what{1 + strcmp(metric, 'cosine')}, verbs{2}, metric, verbs{1});
  end
end

%!warning <^1 of 3 rows \(33.3 %\) hold NaN or Inf: .* in column 2 \(1 row\); knng.impute> knng.internal.warn_left_out (struct ('left_out', 1, 'constant', 0), [1 2; 3 Inf; 0 0], 'pearson')
%!warning <^2 of 3 rows \(66.7 %\) are zero: they have no 'cosine' .* knng.filterrows> knng.internal.warn_left_out (struct ('left_out', 2, 'constant', 2), [0 0; 0 0; 1 2], 'cosine')
%!warning <^1 of 3 rows \(33.3 %\) is constant: it has no 'pearson' distances and is in no cluster; > knng.internal.warn_left_out (struct ('left_out', 1, 'constant', 1), [0 0; 1 3; 1 2], 'pearson')
%!test
%! lastwarn ('');
%! knng.internal.warn_left_out (struct ('left_out', 0, 'constant', 0), ones (3, 2), 'cosine');
%! assert (lastwarn (), '');
