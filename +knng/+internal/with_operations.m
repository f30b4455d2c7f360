function [pairs, X] = with_operations (pairs, X)
%WITH_OPERATIONS  The operations of 'Metafeatures' among options, by numbers, as the gateways take them.
%   [PAIRS, X] = knng.internal.with_operations (PAIRS, X): names in full and values; X may be a data set where
%   'Metafeatures' is given, and its matrix is returned then. Errors: knng:args:option, knng:args:ds.

  for at = 2 * find (strcmp ('Metafeatures', pairs(1:2:end)))
    pairs{at} = knng.internal.operations (pairs{at}, 'Metafeatures');
    if (nargin > 1 && isstruct (X))
      ds = knng.internal.check_ds (X);
      X = ds.X;
    end
  end
end

%!assert (knng.internal.with_operations ({'Threads', 2}), {'Threads', 2})
%!test
%! [pairs, X] = knng.internal.with_operations ({'Metafeatures', {'-', '*'}, 'Threads', 2}, struct ('X', [1; 2]));
%! assert (pairs, {'Metafeatures', [1 3], 'Threads', 2});
%! assert (X, [1; 2]);
