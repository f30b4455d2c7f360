function ok = whole (v, low, high)
%WHOLE  Whether V holds real whole numbers from LOW to HIGH, and nothing else.

  ok = (isnumeric (v) || islogical (v)) && isreal (v);
  if (ok)
    v = double (full (v(:)));
    ok = all (v >= low & v <= high & v == fix (v) & v < Inf);
  end
end

%!assert (knng.internal.whole ([1 2], 1, 2) && ~knng.internal.whole ([1 3], 1, 2) && ~knng.internal.whole (1.5, 1, 2))
%!assert (~knng.internal.whole (Inf, 1, Inf) && ~knng.internal.whole (NaN, 1, 2) && ~knng.internal.whole ('a', 1, 200))
