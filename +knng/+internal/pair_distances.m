function d = pair_distances (X, i, j, metric)
%PAIR_DISTANCES  The distances of rows i of X from rows j, columns of one length, to the last bit; NaN where there is none. Where X holds NaN,
%   over the columns that both have, which 'chebychev' does not compare.

  [one, ~, first] = unique (i);
  [other, ~, second] = unique (j);
  [X, Y] = deal (X(one, :), X(other, :));
  D = NaN (numel (one), numel (other));
  pairs = {'K', numel(other), 'Distance', metric, 'Device', 'cpu', 'Progress', 'off'};
  if (any (isnan (X(:))) || any (isnan (Y(:))))
    pairs = [pairs, {'Rows', 'pairwise', 'MinValid', 1}];
  end
  if (~strcmp (metric, 'chebychev') || numel (pairs) == 8)
    back = knng.internal.quiet_rows (); %#ok<NASGU>
    [idx, dist] = knng.knnsearch (Y, X, pairs{:});
    for r = 1:numel (one)
      there = idx(r, :) > 0;
      D(r, idx(r, there)) = dist(r, there);
    end
  end
  d = reshape (D(sub2ind (size (D), first(:), second(:))), [], 1);
end

%!test
%! X = [0 0 1; 3 4 1; 6 8 NaN];
%! warning ('error', 'knng:data:nonFinite', 'local');
%! assert (knng.internal.pair_distances (X, [2; 1; 2], [1; 2; 2], 'euclidean'), [5; 5; 0]);
%! assert (knng.internal.pair_distances (X, [2; 1], [1; 3], 'cityblock'), [7; 21]);
%! assert (knng.internal.pair_distances (X, 1, 3, 'chebychev'), NaN);
