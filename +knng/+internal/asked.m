function out = asked (T, X, rule, how, tell, out, rows, number)
%ASKED  What the neighbours in T of each row of X say.
%   RULE: struct with k, the most neighbours that are asked, IncludeTies, and Distance. HOW: options of knng.knnsearch.
%   OUT, m-by-c: for rows r, out(r, :) = TELL (r, near, dist) of their tables of neighbours: numbers of rows of T, 0 behind the
%   last, and distances in double. With IncludeTies a table has all rows at the k-th distance; what is wider than others is
%   asked for again, some rows at a time, so that memory stays bounded.
%   ROWS, NUMBER, if given: what rows of X are called in R, those of T in NEAR.

  [n, m] = deal (size (T, 1), size (X, 1));
  k = min (rule.k, n);
  width = k;
  if (rule.IncludeTies)
    width = min (n, k + 8);
    T = double (T);                                          % distances that only rounding makes equal are no ties
    X = double (X);
  end
  if (nargin < 7)
    rows = (1:m)';
    number = (1:n)';
  end
  quiet = [];
  open = (1:m)';
  step = m;
  while (~isempty (open))
    later = cell (1, 0);
    for from = 1:step:numel (open)
      some = open(from:min (from + step - 1, end));
      if (isempty (quiet))
        [near, dist] = first (T, X, width, rule.Distance, how);
        quiet = knng.internal.quiet_rows ();
      else
        [near, dist] = knng.knnsearch (T, X(some, :), 'K', width, 'Distance', rule.Distance, how{:});
      end
      dist = double (dist);
      near(near > 0) = number(near(near > 0));
      [near, ended] = knng.internal.cut_ties (near, dist, k, rule.IncludeTies, near(:, end) == 0 | width == n);
      if (any (ended))
        r = rows(some(ended));
        out(r, :) = tell (r, near(ended, :), dist(ended, :));
      end
      later{end+1} = some(~ended); %#ok<AGROW>
    end
    open = vertcat (later{:});
    width = min (n, 4 * width);
    step = max (1, floor (2 ^ 20 / width));
  end
end

function [near, dist] = first (T, X, width, metric, how)
% All rows of X; the warning of missing values counts these alone, not those of the model too, and offers what models take.
  id = 'knng:data:nonFinite';
  former = warning ('query', id);
  back = onCleanup (@() warning (former.state, id));
  warning ('off', id);
  [near, dist, info] = knng.knnsearch (T, X, 'K', width, 'Distance', metric, how{:});
  back = [];                                                 %#ok<NASGU>
  if (info.nonfinite > 0)
    also = '';
    if (~any (strcmp (how(1:2:end), 'Rows')))
      also = ', or make the model with ''Rows'', ''pairwise''';
    end
    warning (id, '%d of %d rows hold NaN or Inf: they have no neighbours and no prediction; knng.impute fills in what is missing%s', ...
             info.nonfinite, size (X, 1), also);
  end
end
