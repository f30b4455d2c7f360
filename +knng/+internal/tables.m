function [idx, dist] = tables (graph)
%TABLES  The tables of a graph, {idx, dist} or {A}: a row of A in order of (distance, column), behind its end 0 and NaN.
%   A distance up to realmin is 0. As many columns as the longest row has entries.

  if (numel (graph) == 2)
    [idx, dist] = graph{:};
    return
  end
  [n, ~] = size (graph{1});
  [i, j, d] = find (graph{1});
  [i, j, d] = deal (i(:), j(:), double (d(:)));
  d(d <= realmin & d >= 0) = 0;
  [~, order] = sort (d);                                     % keeps what is equal in order of j
  [i, again] = sort (i(order));
  order = order(again);
  count = accumarray (i, 1, [n, 1]);
  before = cumsum (count) - count;
  place = (1:numel (i))' - reshape (before(i), [], 1);
  idx = zeros (n, max ([count; 0]));
  dist = NaN (size (idx));
  at = i + n * (place - 1);
  idx(at) = j(order);
  dist(at) = d(order);
end

%!test
%! X = mod ((1:60)' * [0.137 0.713], 0.3) > 0.15;
%! X = double ([X, (1:60)' > 30]);                            % many ties and distances of 0
%! X(7, 1) = NaN;
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, dist] = knngraph (X, 9);
%! [i, d] = knng.internal.tables ({knngraph(X, 9)});
%! assert (i, idx);
%! assert (d, dist);
%! [i, d] = knng.internal.tables ({sparse(2, 3)});
%! assert (size (i), [2 0]);
%! assert (size (d), [2 0]);
%! [i, d] = knng.internal.tables ({sparse([3 0 1])});
%! assert (i, [3 1]);
%! assert (d, [1 3]);
