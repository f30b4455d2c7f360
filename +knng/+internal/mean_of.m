function out = mean_of (Y, near, dist, rule, ks)
%MEAN_OF  The weighted mean of the targets of the first k neighbours, for each k of the ascending vector KS, as asked wants it.
%   Y, n-by-p: the targets of the rows that NEAR, m-by-w, names. RULE: struct with DistanceWeight and IncludeTies. OUT is
%   m-by-(p*numel(KS)+1), NaN where there is no neighbour or none that counts; the last column is 1 in rows with neighbours that
%   by their distances all count 0, for any of the k. Sums run nearest neighbour first, in double: those of weights times targets
%   and of weights, then one division. Sums that would be Inf are taken of targets times 2^-200.

  w = max (find (any (near > 0, 1), 1, 'last'), 1);
  near = near(:, 1:w);
  dist = dist(:, 1:w);
  here = near > 0;
  m = size (near, 1);
  p = size (Y, 2);
  out = NaN (m, p * numel (ks));
  nought = false (m, 1);
  any_weight = isa (rule.DistanceWeight, 'function_handle');           % which may depend on all k distances of a row
  if (~any_weight)
    W = knng.internal.neighbour_weights (dist, here, rule.DistanceWeight);
  end
  total = zeros (m, p);
  count = zeros (m, 1);
  done = zeros (m, 1);
  for a = 1:numel (ks)
    [upto, asked] = knng.internal.first_of (here, dist, ks(a), rule.IncludeTies);
    if (any_weight)
      W = knng.internal.neighbour_weights (dist, asked, rule.DistanceWeight);
      nought = nought | (any (asked, 2) & ~any (W, 2));
      total = zeros (m, p);
      count = zeros (m, 1);
      done = zeros (m, 1);
    end
    for j = min (done) + 1:max (upto)
      has = find (j > done & j <= upto);
      total(has, :) = total(has, :) + bsxfun (@times, W(has, j), double (Y(near(has, j), :)));
      count(has) = count(has) + W(has, j);
    end
    done = upto;
    out(:, (a - 1) * p + 1:a * p) = bsxfun (@rdivide, total, count);
  end
  over = ~isfinite (out) & repmat (any (here, 2), 1, size (out, 2));
  if (any (over(:)) && max (abs (double (Y(:)))) > 2 ^ 824)  % weights are at most 2^100 or so
    r = find (any (over, 2));
    less = knng.internal.mean_of (double (Y) * 2 ^ -200, near(r, :), dist(r, :), rule, ks);
    less = less(:, 1:end-1) * 2 ^ 200;
    less(isinf (less)) = realmax () * sign (less(isinf (less)));         % no mean is more than what is in Y
    out(over) = less(over(r, :));
  end
  out = [out, nought];
end

%!assert (knng.internal.mean_of ([1; 2; 6], [1 2 3; 3 2 0; 0 0 0], [1 2 2; 2 4 NaN; NaN NaN NaN], struct ('DistanceWeight', 'inverse', 'IncludeTies', false), 2:3), ...
%!        [2/1.5, (1 + 1 + 3)/2, 0; 7/1.5, 7/1.5, 0; NaN NaN 0])
%!test  # sums that would be Inf; large weights
%! rule = struct ('DistanceWeight', 'equal', 'IncludeTies', false);
%! Y = [1.5e308 * ones(6, 1), [-realmax(); realmax(); 1; 1; realmax(); realmax()]];
%! near = [1:6; 3 4 0 0 0 0; zeros(1, 6)];
%! out = knng.internal.mean_of (Y, near, ones (3, 6), rule, [1 2 6]);
%! assert (out(1, 1:2:5), 1.5e308 * [1 1 1], eps (1.5e308));
%! assert (out(1, 2:2:6), [-realmax(), 0, realmax() / 3], eps (realmax ()));
%! assert (out(2, :), [1.5e308, 1, 1.5e308, 1, 1.5e308, 1, 0]);
%! assert (out(3, :), [NaN(1, 6), 0]);
%! rule.DistanceWeight = @(d) 1e290 * d;
%! assert (knng.internal.mean_of ([1e50; 3e50], 1:2, [1 1], rule, 2), [2e50, 0], 4 * eps (2e50));
%! rule.DistanceWeight = @(d) 0 * d;
%! assert (knng.internal.mean_of ([1e308; 3], 1:2, [1 1], rule, 2), [NaN, 1]);
