function r = correlate (Y, x)
%CORRELATE  Pearson's correlation of each row of Y with the row x, over the columns that both have; NaN where there is none, as of a
%   constant row.

r = unit_rows (Y) * unit_rows (x)';
both = bsxfun (@and, ~isnan (Y), ~isnan (x));
for i = find (~all (both, 2) & sum (both, 2) > 1)'
    r(i) = unit_rows (Y(i, both(i, :))) * unit_rows (x(both(i, :)))';
end
r(abs (r) > 1) = sign (r(abs (r) > 1));
end

function u = unit_rows (x)
x = double (full (x));
big = max (abs (x), [], 2);
x(max (x, [], 2) == min (x, [], 2), :) = NaN;
x = bsxfun (@rdivide, x, big);
x = bsxfun (@minus, x, mean (x, 2));
u = bsxfun (@rdivide, x, sqrt (sum (x .^ 2, 2)));
end

%!test
%! Y = [1 2 4 8; 2 1 NaN 5; 3 3 3 3; NaN NaN NaN 1];
%! r = knng.internal.correlate (Y, [1 3 2 NaN]);
%! assert (r(1), corr ([1 2 4]', [1 3 2]'), 1e-12);
%! assert (r(2), -1, 1e-12);
%! assert (r(3:4), [NaN; NaN]);
