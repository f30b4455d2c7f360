function out = asked_folds (Mdl, fold, most, how, tell, out)
%ASKED_FOLDS  What the MOST nearest rows of other folds say of each row of a model; see knng.internal.asked.
%   Rows of fold 0 are in all models, and nothing is asked of them. HOW: options of searches.
%   Warnings count the rows asked that have fewer neighbours than the models of other folds should have for them.
%   One graph, with some neighbours to spare; rows that lose more than those to their own fold are searched again with more,
%   and what few doublings do not serve fold by fold; where the folds are many, doublings go on, some rows at a time.

  n = numel (fold);
  rows = find (fold);
  rule = struct ('k', most, 'IncludeTies', Mdl.IncludeTies, 'Distance', Mdl.Distance);
  X = Mdl.X;
  if (rule.IncludeTies)
    X = double (X);                                          % see asked
  end
  tell = @(r, near, dist) [tell(r, near, dist), sum(near > 0, 2)];
  out(:, end+1) = 0;
  asked = X;
  if (numel (rows) < n)
    asked = X(rows, :);
  end
  place = zeros (n, 1);
  place(rows) = 1:numel (rows);
  these = rows;
  if (isempty (Mdl.Mu) && numel (rows) == n)
    sizes = accumarray (fold, 1);
    p = sum (sizes .* (sizes - 1)) / (n * (n - 1));
    want = most + 8 * rule.IncludeTies;
    k = min (n - 1, ceil ((want + 3 * sqrt (want * p)) / (1 - p)));
    back = knng.internal.quiet_rows ({'knng:data:constant', 'knng:data:fewer', 'knng:data:nonFinite'});  % fewer than k, which nobody asked for
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
      asked(place(test), :) = Q;
    end
    out = knng.internal.asked (T, Q, rule, how, tell, out, test, train);
    if (exist ('quiet', 'var') == 0)
      quiet = knng.internal.quiet_rows ();                   % one warning of correlations over two columns will do for all folds
    end
  end
  quiet = []; %#ok<NASGU>
  sizes = accumarray (fold + 1, 1);
  knng.internal.warn_short (out(these, end), min (most, n - sizes(fold(these) + 1)), asked, X, Mdl.Distance, how, {fold(these), fold});
  out(:, end) = [];
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
%!test  # short lists are told of, by one graph, by a search for each part, and of what is asked alone
%! quiet = warning ('query', 'quiet');                          # pkg test does not show warnings
%! back = onCleanup (@() warning (quiet.state, 'quiet'));
%! warning ('off', 'quiet');
%! warning ('on', 'knng:data:fewer', 'local');
%! X = reshape (knng.internal.random (1, 120), 40, 3);
%! Y = X(:, 1) > 0.5;
%! X(1:10, 1) = NaN;
%! M = knng.fitcknn (X, Y, 'K', 3, 'Rows', 'pairwise');
%! N = knng.fitrknn (X, double (Y), 'K', 3, 'Rows', 'pairwise', 'Standardize', true);
%! for parts = {{'KFold', 4}, {'Leaveout', 'on'}, {'CVPartition', [ones(1, 5), zeros(1, 20), 2 * ones(1, 15)]}}
%!   for one = {M, N}
%!     C = knng.crossval (one{1}, parts{1}{:});
%!     asked = find (C.Partition.fold);
%!     want = sprintf ('warning: %d of %d rows have a distance to fewer than 3 rows of the model', sum (asked <= 10), numel (asked));
%!     for f = {@() knng.kfoldPredict(C), @() knng.kfoldLoss(C)}
%!       said = evalc ('f{1} ();');
%!       assert (numel (regexp (said, 'warning: \d')) == 1 && strncmp (said, want, numel (want)), 'said: %s', said);
%!       assert (! isempty (strfind (said, [char(39) 'MinValid' char(39) ', 2, or'])), 'said: %s', said);
%!     end
%!   end
%! end
%! C = knng.crossval (knng.fitcknn (X, Y, 'K', 99, 'Rows', 'pairwise', 'MinValid', 2), 'KFold', 4);   # all there are
%! assert (evalc ('knng.kfoldLoss (C);'), '');
