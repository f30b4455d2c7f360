function k = check_clusters (k, n)
%CHECK_CLUSTERS  The number of clusters k of n rows as a double; an error where it is none.

  if (numel (k) ~= 1 || ~knng.internal.whole (k, 1, 2 ^ 53))
    error ('knng:args:k', 'k is %s: it must be the number of clusters, one whole number from 1 on', knng.internal.given (k));
  end
  k = full (double (k));
  if (k > n)
    error ('knng:args:k', 'k is %d: it must be a whole number from 1 to the number of rows, %d', k, n);
  end
end

%!assert (knng.internal.check_clusters (int8 (3), 3), 3)
%!error <k is 4: it must be a whole number from 1 to the number of rows, 3> knng.internal.check_clusters (4, 3)
%!error id=knng:args:k knng.internal.check_clusters (1.5, 3)
