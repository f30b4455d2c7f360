function doubt_filled (X)
%DOUBT_FILLED  A warning where numbers of the matrix X may stand for missing values, such as -9999 or 1e20.
%   knng.internal.doubt_filled (X): of functions that take such numbers as they are, and of which searches see them no more. O(64 d).

  found = knng.internal.search ('filled', X);
  if (~isempty (found{1}))
    warning ('knng:data:fill', ['%s: if that stands for a missing value, it counts as a number here; X(%s) = NaN says so, ' ...
             'and knng.impute fills in. If it is a number, warning (''off'', ''knng:data:fill'') says so'], found{:});
  end
end

%!warning <^column 2 of X holds -999.9 in 2 of 4 rows .* X\(X == -999.9\) = NaN> knng.internal.doubt_filled (single ([1 2; 3 -999.9; 5 1; 6 -999.9]))
%!warning <X\(X == -9999 \| X == 1e\+20\) = NaN says so> knng.internal.doubt_filled ([-9999 1; 2 1e20; -9999 3; 4 1e20])
%!test
%! lastwarn ('');
%! for X = {[1 2; 3 -999; 5 1], [1 65535; 3 65535], {1}, 'text', zeros(0, 3), [1e4; 999; 999], [9 9; 9 9], single([])}   # once, none, among larger ones, all
%!   knng.internal.doubt_filled (X{1});
%! end
%! assert (isempty (lastwarn ()));
