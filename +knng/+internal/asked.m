function out = asked (T, X, rule, how, tell, out, rows, number)
%ASKED  What the neighbours in T of each row of X say.
%   RULE: struct with k, the most neighbours that are asked, IncludeTies, and Distance. HOW: options of knng.knnsearch.
%   OUT, m-by-c: for rows r, out(r, :) = TELL (r, near, dist) of their tables of neighbours: numbers of rows of T, 0 behind the
%   last, and distances in double. With IncludeTies a table has all rows at the k-th distance; what is wider than others is
%   asked for again, some rows at a time, so that memory stays bounded.
%   ROWS, NUMBER, if given: what rows of X are called in R, those of T in NEAR. Without them warnings count the rows of X that have
%   fewer than k neighbours; with them that is the caller's.

  [n, m] = deal (size (T, 1), size (X, 1));
  k = min (rule.k, n);
  width = k;
  if (rule.IncludeTies)
    width = min (n, k + 8);
    T = double (T);                                          % distances that only rounding makes equal are no ties
    X = double (X);
  end
  alone = nargin < 7;
  if (alone)
    rows = (1:m)';
    number = (1:n)';
    tell = @(r, near, dist) [tell(r, near, dist), sum(near > 0, 2)];
    out(:, end+1) = 0;
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
  quiet = []; %#ok<NASGU>
  if (alone)
    knng.internal.warn_short (out(:, end), k, X, T, rule.Distance, how);
    out(:, end) = [];
  end
end

function [near, dist] = first (T, X, width, metric, how)
% All rows of X, without the search's own warnings of rows, which count those of the model too.
  back = knng.internal.quiet_rows ({'knng:data:constant', 'knng:data:fewer', 'knng:data:nonFinite'}); %#ok<NASGU>
  [near, dist] = knng.knnsearch (T, X, 'K', width, 'Distance', metric, how{:});
end

%!test  # warnings are of the rows that are asked, not of the model's own, which are told of when it is made
%! P = [ones(3, 4); magic(4); -magic(4)'];
%! Y = [1 1 1 1 1 1 1 2 2 2 2];
%! warning ('error', 'knng:data:constant', 'local');
%! fail ("knng.fitcknn (P, Y, 'Distance', 'pearson')", '^3 of 11 rows are constant');
%! fail ("knng.fitrknn (P, Y, 'Distance', 'pearson', 'CrossVal', 'on')", '^3 of 11 rows are constant');
%! fail ("knng.cvk (P, Y, 'Distance', 'pearson')", '^3 of 11 rows are constant .* no prediction');
%! warning ('off', 'knng:data:constant', 'local');
%! M = knng.fitcknn (P, Y, 'Distance', 'pearson');
%! N = knng.fitrknn (P, Y, 'Distance', 'pearson', 'K', 3);
%! warning ('error', 'knng:data:constant', 'local');
%! assert (knng.predict (M, magic (4)), [1; 1; 1; 1]);
%! knng.predict (N, magic (4));
%! for f = {@() knng.predict(M, [magic(4); ones(2, 4)]), @() knng.loss(N, [magic(4); ones(2, 4)], 1:6)}
%!   try, f{1} (); text = ''; catch e, text = e.message; end
%!   assert (strncmp (text, '2 of 6 rows are constant', 24), 'said: %s', text);
%! end
