function L = class_loss (code, pick, mass, Cost, kind)
%CLASS_LOSS  The mean of what it costs to call rows of the classes CODE (m-by-1) PICK (m-by-p), a row of p numbers.
%   A class weighs MASS, 1-by-C, however many rows it has. KIND: 'mincost', Cost(i,j) for each row, or 'classiferror', 1 for
%   each wrong row. Rows whose CODE or PICK is 0 are left out; where none remains L is NaN.

  C = numel (mass);
  if (strcmpi (kind, 'classiferror'))
    Cost = 1 - eye (C);
  end
  L = zeros (1, size (pick, 2));
  for a = 1:size (pick, 2)
    on = code > 0 & pick(:, a) > 0;
    price = Cost(code(on) + C * (pick(on, a) - 1));
    count = accumarray (code(on), 1, [C, 1])';
    sums = accumarray (code(on), price(:), [C, 1])';
    here = count > 0;                      % the product first: with mass = count the sum of the prices, without rounding
    L(a) = sum (mass(here) .* sums(here) ./ count(here)) / sum (mass(here));
  end
end

%!assert (knng.internal.class_loss ([1; 1; 2; 0], [1; 2; 1; 1], [2 1], [0 3; 5 0], 'mincost'), (3 + 5) / 3)
%!assert (knng.internal.class_loss ([1; 1; 2; 0], [1; 2; 1; 1], [1 1], [0 3; 5 0], 'classiferror'), (0.5 + 1) / 2)
%!assert (knng.internal.class_loss ([1; 2], [0 0; 1 0], [1 1], [0 1; 1 0], 'mincost'), [1 NaN])
