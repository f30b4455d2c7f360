function order = tree_order (tree)
%TREE_ORDER  The leaves of a tree, as knng.linkage returns it, from the left to the right as the tree has them: a row.

  most = size (tree, 1) + 1;
  count = [ones(most, 1); zeros(most - 1, 1)];
  for s = 1:most - 1
    count(most + s) = count(tree(s, 1)) + count(tree(s, 2));
  end
  start = zeros (2 * most - 1, 1);
  for s = most - 1:-1:1
    start(tree(s, 1)) = start(most + s);
    start(tree(s, 2)) = start(most + s) + count(tree(s, 1));
  end
  order(start(1:most) + 1) = 1:most;
end

%!assert (knng.internal.tree_order ([2 3 1; 1 4 2]), [1 2 3])
%!assert (knng.internal.tree_order ([1 3 1; 2 4 2]), [2 1 3])
%!assert (knng.internal.tree_order (zeros (0, 3)), 1)
