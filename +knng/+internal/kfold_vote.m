function [pick, score, cost] = kfold_vote (Mdl, fold, ks, how)
%KFOLD_VOTE  What models without a row's fold say of it, for each k of the ascending vector KS; results as of knng.internal.vote.
%   Rows of fold 0 are in all models, and nothing is asked of them. HOW: options of searches, as of knng.internal.engine.

  [code, ~, mass, rows] = knng.internal.knn_check (Mdl);
  C = numel (mass);
  n = numel (code);
  within = accumarray ([fold + 1, code], 1, [max(fold) + 1, C]);
  train = bsxfun (@minus, accumarray (code, 1, [C, 1])', within);          % rows of each class that a fold leaves
  if (ischar (Mdl.ModelParameters.Prior) && strcmpi (Mdl.ModelParameters.Prior, 'empirical'))
    weight = ones (size (train));
  else
    weight = bsxfun (@rdivide, mass, max (train, 1));
  end
  rule = struct ('DistanceWeight', Mdl.DistanceWeight, 'BreakTies', Mdl.BreakTies, 'Cost', Mdl.Cost);
  rule.weight = weight(fold + 1, :);
  rule.chance = [];
  if (strcmpi (Mdl.BreakTies, 'random'))   % as if each fold were asked by itself
    u = knng.internal.random (Mdl.ModelParameters.Seed, max (accumarray (fold + 1, 1)));
    [sorted, order] = sort (fold);
    start = find ([true; diff(sorted) > 0]);
    rank = (1:n)' - start(cumsum ([true; diff(sorted) > 0])) + 1;
    rule.chance(order, 1) = u(rank);
  end
  most = min (ks(end), n);
  [near, dist] = lists (Mdl, fold, most, [rows, how]);
  class_of = zeros (size (near));
  class_of(near > 0) = code(near(near > 0));
  [pick, score, cost] = knng.internal.vote (class_of, dist, rule, ks);
end

function [near, dist] = lists (Mdl, fold, most, how)
% The MOST nearest rows of other folds, n-by-MOST, 0 behind the last. One graph, with some neighbours to spare; rows that
% lose more than those to their own fold are searched again with more, and what many doublings do not serve fold by fold.
n = numel (fold);
near = zeros (n, most);
dist = NaN (n, most);
rows = find (fold);
if (isempty (Mdl.Mu) && numel (rows) == n)
  sizes = accumarray (fold, 1);
  p = sum (sizes .* (sizes - 1)) / (n * (n - 1));
  k = min (n - 1, ceil ((most + 3 * sqrt (most * p)) / (1 - p)));
  state = warning ('off', 'knng:data:fewer');                % than k, which nobody asked for
  back = onCleanup (@() warning (state));
  [idx, d] = knngraph (Mdl.X, k, Mdl.Distance, how{:});
  back = [];
  quiet = silence ();
  while (true)
    whole_list = size (idx, 2) >= n - 1 | idx(:, end) == 0;
    [near(rows, :), dist(rows, :), found] = others (idx, double (d), fold, rows, most);
    rows = rows(found < most & ~whole_list);
    k = 2 * k;
    if (isempty (rows) || k > 8 * most + 64)
      break
    end
    [idx, d] = knng.knnsearch (Mdl.X, Mdl.X(rows, :), 'K', min (k, n), 'Distance', Mdl.Distance, how{:});   % a row is in its own fold
  end
end
for f = reshape (unique (fold(rows)), 1, [])
  test = rows(fold(rows) == f);
  train = find (fold ~= f);
  T = Mdl.X(train, :);
  Q = Mdl.X(test, :);
  if (~isempty (Mdl.Mu))
    [mu, sigma] = knng.internal.mean_spread (T);
    T = knng.internal.standardized (T, mu, sigma);
    Q = knng.internal.standardized (Q, mu, sigma);
  end
  [idx, d] = knng.knnsearch (T, Q, 'K', min (most, numel (train)), 'Distance', Mdl.Distance, how{:});
  if (exist ('quiet', 'var') == 0)
    quiet = silence ();
  end
  c = 1:size (idx, 2);
  idx(idx > 0) = train(idx(idx > 0));
  near(test, c) = idx;
  dist(test, c) = d;
end
end

function [near, dist, found] = others (idx, d, fold, rows, most)
% The first MOST neighbours in each row of a list that are of another fold.
keep = idx > 0;
keep(keep) = fold(idx(keep)) ~= fold(rows(mod (find (keep) - 1, numel (rows)) + 1));
place = cumsum (keep, 2);
found = min (place(:, end), most);
[i, c] = find (keep & place <= most);
from = i + numel (rows) * (c - 1);
to = i + numel (rows) * (place(from) - 1);
near = zeros (numel (rows), most);
dist = NaN (numel (rows), most);
near(to) = idx(from);
dist(to) = d(from);
end

function back = silence ()
% One warning of constant rows, of short lists, or of two columns, will do for all searches.
former = [warning('query', 'knng:data:constant'), warning('query', 'knng:data:fewer'), warning('query', 'knng:data:twoColumns')];
for i = 1:2
  warning ('off', former(i).identifier);
end
back = onCleanup (@() warning (former));
end
