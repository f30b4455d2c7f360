function [place, height] = tree_lines (tree, order)
%TREE_LINES  A tree, as knng.linkage returns it, as lines: leaf order(i) stands at place i and at height 0.
%   PLACE and HEIGHT are 5-by-(n-1), a column for each step, whose last point is a gap. Heights beyond 1e30 are there: axes fail beyond
%   about 1e38.

  most = numel (order);
  [at, high] = deal (zeros (1, 2 * most - 1));
  at(order) = 1:most;
  [place, height] = deal (NaN (5, most - 1));
  top = min (tree(:, 3), 1e30);
  top(top < 1e-30) = 0;
  for s = 1:most - 1
    at(most + s) = (at(tree(s, 1)) + at(tree(s, 2))) / 2;
  end
  high(most + 1:end) = top;
  place(1:4, :) = at(tree(:, [1 1 2 2]))';
  height(1:4, :) = [high(tree(:, 1))', top, top, high(tree(:, 2))']';
end

%!test
%! [place, height] = knng.internal.tree_lines ([1 2 1; 3 4 Inf], [3 1 2]);
%! assert (place, [2 2 3 3 NaN; 1 1 2.5 2.5 NaN]');
%! assert (height, [0 1 1 0 NaN; 0 1e30 1e30 1 NaN]');
