function check_matrix (X, name)
%CHECK_MATRIX  Raises what knngraph raises where X is no full real matrix of doubles or singles with rows and columns.

  size_class = sprintf ('%s is a %d-by-%d %s', name, size (X, 1), size (X, 2), class (X));
  if (ischar (X))
    error ('knng:args:class', '%s is text: it must be a matrix, a row for each point; that of a file is ds.X of ds = knng.read (%s)', name, name);
  elseif (isstruct (X))
    error ('knng:args:class', '%s is a struct: give the matrix in it; of ds = knng.read (...) that is ds.X', name);
  elseif (~isfloat (X))
    error ('knng:args:class', '%s: it must be a double or single matrix, a row for each point', size_class);
  elseif (issparse (X))
    error ('knng:args:sparse', '%s is sparse: give full (%s)', name, name);
  elseif (~isreal (X))
    error ('knng:args:complex', '%s is complex: give real (%s) or abs (%s)', name, name, name);
  elseif (ndims (X) ~= 2)
    error ('knng:args:dims', '%s has %d dimensions: it must be a matrix, a row for each point', name, ndims (X));
  elseif (isempty (X))
    error ('knng:args:empty', '%s: it needs at least one row and one column', size_class);
  end
end

%!error <^Y is text: it must be a matrix.* knng.read \(Y\)$> knng.internal.check_matrix ('images.npy', 'Y')
%!error <^X is a struct: .* that is ds.X$> knng.internal.check_matrix (struct ('X', 1), 'X')
%!error <^X is a 2-by-2 cell: it must be> knng.internal.check_matrix (cell (2), 'X')
