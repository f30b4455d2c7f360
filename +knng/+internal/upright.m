function V = upright (V)
%UPRIGHT  The columns of V, each with the sign that makes its largest entry positive; of those within 1e-6 of it the one in
%   the lowest row, so that rounding does not choose.

  for c = 1:size (V, 2)
    size_of = abs (V(:, c));
    first = find (size_of >= (1 - 1e-6) * max (size_of), 1);
    V(:, c) = V(:, c) * sign (V(first, c));
  end
end

%!assert (knng.internal.upright ([1 -3; -2 3; 0 1]), [-1 3; 2 -3; 0 -1])
