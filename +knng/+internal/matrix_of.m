function [X, ds] = matrix_of (X)
%MATRIX_OF  The matrix of an argument that is one, or a data set as knng.read returns it, checked. DS is the data set as it
%   came, [] for a matrix. A warning where a matrix has numbers that may stand for missing values, knng:data:fill. Errors:
%   knng:args:class, :sparse, :complex, :dims, :empty; knng:args:ds.

  ds = [];
  if (isstruct (X))
    ds = X;
    checked = knng.internal.check_ds (ds);
    X = checked.X;
  end
  knng.internal.check_matrix (X, 'X');
  if (isempty (ds))                                          % else knng.read has said it
    knng.internal.doubt_filled (X);
  end
end

%!test
%! [X, ds] = knng.internal.matrix_of (struct ('X', [1 2], 'names', {{'a'}}));
%! assert (X, [1 2]);
%! assert (ds.names, {'a'});
%! [X, ds] = knng.internal.matrix_of (5);
%! assert (isempty (ds) && X == 5);
%!warning id=knng:data:fill knng.internal.matrix_of ([1 -999; 2 3; 4 -999]);
%!error id=knng:args:ds knng.internal.matrix_of (struct ('Y', 1))
%!error id=knng:args:class knng.internal.matrix_of ('a')
