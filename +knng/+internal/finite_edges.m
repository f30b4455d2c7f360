function A = finite_edges (A)
%FINITE_EDGES  The distances of the graph A, sparse and square, that are finite, but those of points to themselves.

  if (any (nonzeros (A) == Inf) || any (diag (A)))
    [i, j, d] = find (A);
    keep = i ~= j & d < Inf;
    A = sparse (i(keep), j(keep), d(keep), size (A, 1), size (A, 2));
  end
end

%!assert (knng.internal.finite_edges (sparse ([3 Inf; 2 0])), sparse ([0 0; 2 0]))
%!assert (knng.internal.finite_edges (sparse ([0 1; 2 0])), sparse ([0 1; 2 0]))
