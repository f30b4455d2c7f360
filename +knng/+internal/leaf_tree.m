function [place, height, tree] = leaf_tree (Z, squared, at)
%LEAF_TREE  The tree of average linkage over the rows of Z, which stand in the order of KNNG.INTERNAL.LEAF_ORDER, as lines.
%   [PLACE, HEIGHT] = knng.internal.leaf_tree (Z, SQUARED, AT): row i stands at AT(i), the leaves at height 0, the root at 1.
%   Five points for each branching, of which the last is NaN, a gap; nothing where there are fewer than two rows.
%   TREE: the two nodes that each joins, numbered as by knng.linkage.
%   What the tree joins stands side by side in such an order, so that neighbours alone are compared.

  n = size (Z, 1);
  D = knng.internal.leaf_distances (Z, squared);
  S = zeros (n + 1);                                         % S(i+1,j+1): the sum of D(1:i,1:j)
  S(2:end, 2:end) = cumsum (cumsum (D, 1), 2);
  [first, last, node, at, high] = deal (1:n, 1:n, 1:n, reshape (at, 1, []), zeros (1, n));
  tree = zeros (max (n - 1, 0), 2);
  gaps = diag (D, 1)';
  [place, height] = deal (NaN (5, max (n - 1, 0)));
  for step = 1:n-1
    [d, g] = min (gaps);
    d = max ([d, high([g, g + 1])]);                         % rounding alone could make it lower
    place(1:4, step) = at([g, g, g + 1, g + 1]);
    height(1:4, step) = [high(g), d, d, high(g + 1)];
    tree(step, :) = node([g, g + 1]);
    node(g) = n + step;
    at(g) = mean (at([g, g + 1]));
    high(g) = d;
    last(g) = last(g + 1);
    first(g + 1) = [];
    last(g + 1) = [];
    node(g + 1) = [];
    at(g + 1) = [];
    high(g + 1) = [];
    gaps(g) = [];
    for o = max (g - 1, 1):min (g, numel (first) - 1)
      gaps(o) = mean_between (S, first(o:o + 1), last(o:o + 1));
    end
  end
  height = height / max ([height(:); realmin]);
end

function d = mean_between (S, first, last)
% Of two groups of leaves, from FIRST to LAST each.
  d = S(last(1) + 1, last(2) + 1) - S(first(1), last(2) + 1) - S(last(1) + 1, first(2)) + S(first(1), first(2));
  d = max (d, 0) / prod (last - first + 1);
end

%!test
%! [x, h, tree] = knng.internal.leaf_tree ([0; 1; 5; 7], false, [1 2 3 4]);
%! assert (tree, [1 2; 3 4; 5 6]);
%! assert (x(1:4, :), [1 3 1.5; 1 3 1.5; 2 4 3.5; 2 4 3.5]);
%! assert (h(1:4, :), [0 0 1; 1 2 5.5; 1 2 5.5; 0 0 2] / 5.5, 1e-12);
%! assert (all (isnan (x(5, :))));
%! assert (size (knng.internal.leaf_tree (3, true, 1)), [5 0]);
%! [~, h] = knng.internal.leaf_tree (ones (5), true, 1:5);
%! assert (h(1:4, :), zeros (4));

%!testif ; exist ('of_statistics') && ! isempty (pkg ('list', 'statistics'))  # the heights of the statistics package's tree
%! X = reshape (mod ((1:60*7)' .^ 2 * sqrt (2), 1), 60, 7);
%! X = X(knng.internal.leaf_order (X, false), :);
%! t = of_statistics ('linkage', of_statistics ('pdist', X), 'average');
%! [x, h] = knng.internal.leaf_tree (X, false, 1:60);
%! assert (sort (h(2, :)), t(:, 3)' / t(end, 3), 1e-9);
