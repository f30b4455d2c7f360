function out = asked_folds (Mdl, fold, most, how, tell, out)
%ASKED_FOLDS  What the MOST nearest rows of other folds say of each row of a model; see knng.internal.asked.
%   Rows of fold 0 are in all models, and nothing is asked of them. HOW: options of searches.
%   One graph, with some neighbours to spare; rows that lose more than those to their own fold are searched again with more,
%   and what many doublings do not serve fold by fold.

  n = numel (fold);
  rows = find (fold);
  rule = struct ('k', most, 'IncludeTies', Mdl.IncludeTies, 'Distance', Mdl.Distance);
  X = Mdl.X;
  if (rule.IncludeTies)
    X = double (X);                                          % see asked
  end
  if (isempty (Mdl.Mu) && numel (rows) == n)
    sizes = accumarray (fold, 1);
    p = sum (sizes .* (sizes - 1)) / (n * (n - 1));
    want = most + 8 * rule.IncludeTies;
    k = min (n - 1, ceil ((want + 3 * sqrt (want * p)) / (1 - p)));
    state = warning ('off', 'knng:data:fewer');              % than k, which nobody asked for
    back = onCleanup (@() warning (state));
    [idx, d] = knngraph (X, k, Mdl.Distance, how{:});
    back = [];
    quiet = knng.internal.quiet_rows ();
    while (true)
      whole_list = size (idx, 2) >= n - 1 | idx(:, end) == 0;
      [near, dist] = others (idx, double (d), fold, rows);
      [near, ended] = knng.internal.cut_ties (near, dist, most, rule.IncludeTies, whole_list);
      if (any (ended))
        out(rows(ended), :) = tell (rows(ended), near(ended, :), dist(ended, :));
      end
      rows = rows(~ended);
      k = 2 * k;
      if (isempty (rows) || k > 8 * most + 64)
        break
      end
      [idx, d] = knng.knnsearch (X, X(rows, :), 'K', min (k, n), 'Distance', Mdl.Distance, how{:});   % a row is in its own fold
    end
  end
  for f = reshape (unique (fold(rows)), 1, [])
    test = rows(fold(rows) == f);
    train = find (fold ~= f);
    T = X(train, :);
    Q = X(test, :);
    if (~isempty (Mdl.Mu))
      [mu, sigma] = knng.internal.mean_spread (T);
      T = knng.internal.standardized (T, mu, sigma);
      Q = knng.internal.standardized (Q, mu, sigma);
    end
    out = knng.internal.asked (T, Q, rule, how, tell, out, test, train);
    if (exist ('quiet', 'var') == 0)
      quiet = knng.internal.quiet_rows ();                   % one warning of constant rows will do for all folds
    end
  end
end

function [near, dist] = others (idx, d, fold, rows)
% The neighbours in each row of a list that are of another fold, in the first columns.
  keep = idx > 0;
  keep(keep) = fold(idx(keep)) ~= fold(rows(mod (find (keep) - 1, numel (rows)) + 1));
  place = cumsum (keep, 2);
  [i, c] = find (keep);
  from = i + numel (rows) * (c - 1);
  to = i + numel (rows) * (place(from) - 1);
  near = zeros (size (idx));
  dist = NaN (size (idx));
  near(to) = idx(from);
  dist(to) = d(from);
end
