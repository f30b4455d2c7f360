function out = mean_of (Y, near, dist, rule, ks)
%MEAN_OF  The weighted mean of the targets of the first k neighbours, for each k of the ascending vector KS, as asked wants it.
%   Y, n-by-p: the targets of the rows that NEAR, m-by-w, names. RULE: struct with DistanceWeight and IncludeTies. OUT is
%   m-by-(p*numel(KS)), NaN where there is no neighbour or none that counts. Sums run nearest neighbour first, in double: those
%   of weights times targets and of weights, then one division.

  w = max (find (any (near > 0, 1), 1, 'last'), 1);
  near = near(:, 1:w);
  dist = dist(:, 1:w);
  here = near > 0;
  m = size (near, 1);
  p = size (Y, 2);
  out = NaN (m, p * numel (ks));
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
end

%!assert (knng.internal.mean_of ([1; 2; 6], [1 2 3; 3 2 0; 0 0 0], [1 2 2; 2 4 NaN; NaN NaN NaN], struct ('DistanceWeight', 'inverse', 'IncludeTies', false), 2:3), ...
%!        [2/1.5, (1 + 1 + 3)/2; 7/1.5, 7/1.5; NaN NaN])
