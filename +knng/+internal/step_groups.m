function group = step_groups (tree, threshold)
%STEP_GROUPS  For each step of a tree, as knng.linkage returns it: 0 above the threshold, below it the number of the largest subtree
%   that lies there as a whole, counted from the last step on.

  most = size (tree, 1) + 1;
  below = tree(:, 3) < threshold;
  below = [true(most, 1); below];
  for s = 1:most - 1                                         % where heights fall, all below has to be below
    below(most + s) = below(most + s) && below(tree(s, 1)) && below(tree(s, 2));
  end
  below(1:most) = [];
  group = zeros (most - 1, 1);
  next = 0;
  for s = most - 1:-1:1
    if (below(s) && group(s) == 0)
      next = next + 1;
      group(s) = next;
    end
    if (below(s))
      pair = tree(s, 1:2);
      group(pair(pair > most) - most) = group(s);
    end
  end
end

%!assert (knng.internal.step_groups ([1 2 1; 3 4 2; 6 7 5], 3), [2; 1; 0])
%!assert (knng.internal.step_groups ([1 2 1; 3 4 2; 6 7 5], 2), [1; 0; 0])
%!assert (knng.internal.step_groups ([1 2 3; 3 4 2], 2.5), [0; 0])       # a step over a higher one
%!assert (knng.internal.step_groups ([1 2 1; 3 4 2], Inf), [1; 1])
%!assert (knng.internal.step_groups (zeros (0, 3), 1), zeros (0, 1))
