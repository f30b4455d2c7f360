function [Z, order] = ordered_tree (F, method, metric, best, tree, rest)
%ORDERED_TREE  The tree Z of the rows of F, as knng.linkage returns it, and the ORDER of its leaves, a column, in which a clustergram shows
%   them: that of knng.clustergram and of the page of knng.explore.
%   BEST: whether neighbours are as alike as the tree allows (knng.optimalleaforder); [] for so where there are up to 2 000 rows. TREE, REST:
%   the options of knng.linkage and of knng.optimalleaforder.

  former = warning ('query', 'knng:data:distances');         % a matrix of distances may be drawn
  back = onCleanup (@() warning (former.state, 'knng:data:distances')); %#ok<NASGU>
  warning ('off', 'knng:data:distances');
  Z = knng.linkage (F, method, metric, tree{:});
  if (isempty (best))
    best = size (F, 1) <= 2000;
  end
  if (best)
    largest = max (abs (F(:)));
    if (largest > 1e100)                                     % so that distances are finite; the order is the same
      F = F / largest;
    end
    order = knng.optimalleaforder (Z, F, metric, rest{:});
  else
    order = knng.internal.tree_order (Z);
  end
  order = order(:);
end

%!test
%! x = [5 1 9 2 8 3 7 0]';
%! [Z, order] = knng.internal.ordered_tree (x, 'average', 'euclidean', [], {}, {});
%! assert (Z, knng.linkage (x, 'average'));
%! assert (issorted (x(order)) || issorted (-x(order)));
%! [~, order] = knng.internal.ordered_tree (x, 'average', 'euclidean', false, {}, {});
%! assert (order', knng.internal.tree_order (Z));
