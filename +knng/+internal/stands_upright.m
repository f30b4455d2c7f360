function yes = stands_upright (Z, y)
%STANDS_UPRIGHT  Whether y is a column of the 3 distances of a tree of 3 rows, and not the 3 points of it: every method begins with the
%   least of the distances, which is that of two of the points if it is these.

  yes = size (Z, 1) == 2 && isequal (size (y), [3 1]) && all (y >= 0);
  if (yes)
    y = double (y);
    least = min (abs (y - y([2 3 1])));
    yes = same (min (y), Z(1, 3)) && ~same (least, Z(1, 3));
  end
end

function yes = same (a, b)
  yes = abs (a - b) <= 1e-6 * max (a, b);                    % single, or roundings
end

%!test
%! y = [1.5; 5; 4.5];
%! for method = {'single', 'complete', 'average', 'weighted', 'centroid', 'median', 'ward'}
%!   assert (knng.internal.stands_upright (knng.linkage (y', method{1}), y));
%!   assert (knng.internal.stands_upright (knng.linkage (single (y)', method{1}), single (y)));
%!   assert (! knng.internal.stands_upright (knng.linkage (y, method{1}), y));
%! end
%! Z = knng.linkage (y');
%! assert (! knng.internal.stands_upright (Z, y'));
%! assert (! knng.internal.stands_upright (Z, [1.5; NaN; 4.5]));
%! assert (! knng.internal.stands_upright (Z, [1.5; 3; 8]));   # either may be: points, as the help says
%! assert (! knng.internal.stands_upright ([1 2 1.5], 1.5));
%! Z = knng.linkage ([1; 1; 3]);
%! assert (! knng.internal.stands_upright (Z, [1; 1; 3]));
