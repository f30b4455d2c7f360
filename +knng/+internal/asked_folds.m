function out = asked_folds (Mdl, fold, most, how, tell, out)
%ASKED_FOLDS  What the MOST nearest rows of other folds say of each row of a model; see knng.internal.asked.
%   Rows of fold 0 are in all models, and nothing is asked of them. HOW: options of searches.
%   One graph, with some neighbours to spare; rows that lose more than those to their own fold are searched again with more,
%   and what few doublings do not serve fold by fold; where the folds are many, doublings go on, some rows at a time.

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
    whole = n - 1;                                           % so many are all: a graph lacks the row itself
    open = rows;
    step = n;
    while (true)
      later = cell (1, 0);
      for from = 1:step:numel (open)
        some = open(from:min (from + step - 1, end));
        if (whole == n)                                      % a search finds it, in its own fold
          [idx, d] = knng.knnsearch (X, X(some, :), 'K', min (k, n), 'Distance', Mdl.Distance, how{:});
        end
        [near, dist] = others (idx, double (d), fold, some);
        [near, ended] = knng.internal.cut_ties (near, dist, most, rule.IncludeTies, size (idx, 2) >= whole | idx(:, end) == 0);
        if (any (ended))
          out(some(ended), :) = tell (some(ended), near(ended, :), dist(ended, :));
        end
        later{end+1} = some(~ended); %#ok<AGROW>
      end
      open = vertcat (later{:});
      k = 2 * k;
      whole = n;
      if (k > 8 * most + 64)
        if (numel (unique (fold(open))) <= 20)               % a doubling searches in all rows for those of all folds at once
          break
        end
        step = max (1, floor (2 ^ 20 / min (k, n)));
      end
      if (isempty (open))
        break
      end
    end
    rows = open;
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

%!test  # all others tie, in lists that are whole, and in those that only look it
%! for n = [19 37]
%!   CVMdl = knng.crossval (knng.fitrknn (eye (n), (1:n)', 'K', 1, 'IncludeTies', true), 'Leaveout', 'on');
%!   assert (knng.kfoldPredict (CVMdl), (n * (n + 1) / 2 - (1:n)') / (n - 1));
%! end
%!test  # ties of more rows than the first doublings find, of many folds and of few
%! X = repmat ((1:4)', 75, 1);
%! Y = mod ((1:300)' * 37, 101);
%! for parts = [75 30 2]
%!   CVMdl = knng.crossval (knng.fitrknn (X, Y, 'K', 1, 'IncludeTies', true), 'CVPartition', mod (floor ((0:299)' / 4), parts) + 1);
%!   fold = CVMdl.Partition.fold;
%!   want = arrayfun (@(i) mean (Y(X == X(i) & fold ~= fold(i))), (1:300)');
%!   assert (knng.kfoldPredict (CVMdl), want);
%! end
