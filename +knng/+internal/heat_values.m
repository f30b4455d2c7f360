function [Z, F] = heat_values (X, way, rest)
%HEAT_VALUES  What a clustergram shows of the matrix X, and what its trees are made of, of knng.clustergram and of the page of knng.explore.
%   Z: the values as WAY has them: 'row', 'column' (each less its mean, over its standard deviation) or 'none'; NaN where X has no finite one.
%   One value alone has no standard deviation: it counts as missing.
%   F: Z without gaps, which knng.impute fills with the options REST; what is left gets the mean of its row.

  X = double (X);
  there = isfinite (X);
  if (strcmp (way, 'row'))
    Z = knng.internal.standard_rows (X);
    Z(sum (there, 2) == 1 & size (X, 2) > 1, :) = NaN;
  elseif (strcmp (way, 'column'))
    Z = knng.internal.standard_rows (X')';
    Z(:, sum (there, 1) == 1 & size (X, 1) > 1) = NaN;
  else
    Z = X;
  end
  Z(~isfinite (Z)) = NaN;
  F = Z;
  if (nargout < 2 || ~any (isnan (Z(:))))
    return
  end
  former = warning ('query', 'knng:data:nonFinite');         % of what is left
  back = onCleanup (@() warning (former.state, 'knng:data:nonFinite')); %#ok<NASGU>
  warning ('off', 'knng:data:nonFinite');
  F = knng.impute (Z, 10, rest{:});
  gaps = isnan (F);
  known = F;
  known(gaps) = 0;
  count = max (sum (~gaps, 2), 1);
  middle = repmat (sum (bsxfun (@rdivide, known, count), 2), 1, size (F, 2));
  F(gaps) = middle(gaps);
end

%!test
%! X = [1 2 4 9; 1 NaN 4 Inf; 3 3 3 3];
%! [Z, F] = knng.internal.heat_values (X, 'row', {});
%! assert (Z, knng.internal.standard_rows (X));
%! assert (~any (isnan (F(:))) && isequal (F(~isnan (Z)), Z(~isnan (Z))));
%! assert (knng.internal.heat_values (X, 'none', {}), [1 2 4 9; 1 NaN 4 NaN; 3 3 3 3]);
%! assert (knng.internal.heat_values (X', 'column', {})', Z);
%! assert (isnan (knng.internal.heat_values ([1 2; 3 NaN], 'row', {})), logical ([0 0; 1 1]));
