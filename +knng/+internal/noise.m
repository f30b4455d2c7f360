function u = noise (seed, n, nd)
%NOISE  n-by-ND numbers from -1 to 1, by knng.internal.random.

  u = 2 * reshape (knng.internal.random (seed, n * nd), n, nd) - 1;
end

%!assert (knng.internal.noise (3, 4, 2), 2 * reshape (knng.internal.random (3, 8), 4, 2) - 1)
