function limit = heat_limit (Z)
%HEAT_LIMIT  The size that 98 of 100 values of Z do not pass; 1 where that is no limit. NaN is no value.

  sizes = sort (abs (Z(~isnan (Z))));
  limit = max ([sizes(max (ceil (0.98 * end), 1):ceil (0.98 * end)); 0]);
  if (limit < 1e-30 || limit > 1e30)
    limit = 1;
  end
end

%!assert (knng.internal.heat_limit ([1:99, -1000]), 98)
%!assert (knng.internal.heat_limit ([NaN -3; 2 NaN]), 3)
%!assert (knng.internal.heat_limit (NaN), 1)
%!assert (knng.internal.heat_limit (1e300), 1)
