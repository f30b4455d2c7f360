function page = page_trees (page, X, code, kinds, how)
%PAGE_TREES  Adds to a page what its clustergram needs: the trees of rows and samples, as knng.clustergram has them.
%   HOW: 'rows', a leaf for each row of X; 'groups', one for the mean of each group (of its rows as they are shown); CODE has the number of each
%   row's group, 0 for none, of KINDS ones. The blocks gramrows and gramcolumns: what stands at each place, from 1; gramsteps1, gramheights1 of
%   rows and gramsteps2, gramheights2 of samples: each step joins what ends at a place with what begins at the next one, at a height of which
%   the root's is 1.

  way = 'row';
  if (size (X, 2) == 1)
    way = 'none';
  end
  if (strcmp (how, 'rows'))
    [~, F] = knng.internal.heat_values (X, way, {});
  else
    [~, F] = knng.internal.heat_values (means (X, code, kinds, way), 'none', {});
  end
  page.meta.gram = struct ('of', how, 'leaves', size (F, 1), 'standardized', strcmp (way, 'row'));
  names = {'gramrows', 'gramcolumns'};
  for i = 1:2
    [Z, order] = knng.internal.ordered_tree (F, 'average', 'euclidean', [], {}, {});
    [gap, height] = steps (Z, order);
    pack = @(name, data) knng.internal.page_block (name, data);
    page.blocks = [page.blocks, pack(names{i}, uint32 (order)), pack(sprintf ('gramsteps%d', i), uint32 (gap)), ...
                   pack(sprintf ('gramheights%d', i), single (height))];
    F = F';
  end
end

function M = means (X, code, kinds, way)
% Of each group the mean of its rows, of what there is.
  [sums, counts] = deal (zeros (kinds, size (X, 2)));
  some = find (code(:) > 0);
  step = max (1, floor (4e6 / size (X, 2)));
  for first = 1:step:numel (some)
    at = some(first:min (first + step - 1, end));
    Z = knng.internal.heat_values (X(at, :), way, {});
    S = sparse (code(at), 1:numel (at), 1, kinds, numel (at));
    known = ~isnan (Z);
    Z(~known) = 0;
    sums = sums + S * Z;
    counts = counts + S * known;
  end
  M = sums ./ counts;
end

function [gap, height] = steps (Z, order)
% Branches are stretches of places: each step joins two side by side.
  n = numel (order);
  height = min (Z(:, 3), 1e30);
  height = height / max ([height; realmin]);
  last = zeros (2 * n - 1, 1);
  first = last;
  [first(order), last(order)] = deal ((1:n)');
  gap = zeros (n - 1, 1);
  for s = 1:n - 1
    [a, b] = deal (Z(s, 1), Z(s, 2));
    if (first(a) > first(b))
      [a, b] = deal (b, a);
    end
    gap(s) = last(a);
    first(n + s) = first(a);
    last(n + s) = last(b);
  end
end

%!test  # rows of which two pairs are alike, and means of groups
%! X = [1 2 9 4; 9 1 1 5; 1 2 8 4; 9 1 2 5];
%! page = knng.internal.page_trees (struct ('meta', struct (), 'blocks', []), X, [], 0, 'rows');
%! text = @(p, name) p.blocks(strcmp ({p.blocks.name}, name)).text;
%! packed = @(data) getfield (knng.internal.page_block ('x', data), 'text');
%! assert (page.meta.gram, struct ('of', 'rows', 'leaves', 4, 'standardized', true));
%! F = knng.internal.standard_rows (X);
%! [Z, order] = knng.internal.ordered_tree (F, 'average', 'euclidean', [], {}, {});
%! assert (text (page, 'gramrows'), packed (uint32 (order)));
%! assert (sort (abs (diff (reshape (order, 2, 2)))), [2 2]);
%! gap = [3; 1; 2];                                         # one of the pairs is nearer
%! if (any (order(1:2) == Z(1, 1))), gap = [1; 3; 2]; end
%! assert (text (page, 'gramsteps1'), packed (uint32 (gap)));
%! assert (text (page, 'gramheights1'), packed (single (Z(:, 3) / Z(3, 3))));
%! page = knng.internal.page_trees (struct ('meta', struct (), 'blocks', []), [X; NaN(1, 4)], [1 2 1 2 0], 2, 'groups');
%! assert ({page.meta.gram.leaves, text(page, 'gramsteps1')}, {2, packed(uint32 (1))});
%! [Z, order] = knng.internal.ordered_tree ([F(1, :) + F(3, :); F(2, :) + F(4, :)]' / 2, 'average', 'euclidean', [], {}, {});
%! assert (text (page, 'gramcolumns'), packed (uint32 (order)));
