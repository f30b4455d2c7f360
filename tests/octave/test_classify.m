function test_classify()
%TEST_CLASSIFY  The classifier against a plain one that shares no code with it: distances, order, weights and votes in loops.
%   Labels have to be the same and scores to rounding, with many ties; cross-validation has to be what a model for each
%   part and each k says, to the last bit. At last the 38 samples of the Golub data, each left out once.
%   KNNG_ALL: all cases, where a third stands for them otherwise. Prints each failure and at last 'N passed, N failed'.

npass = 0;
nfail = 0;
checks = {@against_plain, @parts_one_by_one, @crowded_parts, @balanced_parts, @golub, @one_warning, @missing_values};
for i = 1:numel(checks)
  problems = checks{i}();
  for j = 1:numel(problems)
    printf('FAIL %s: %s\n', func2str(checks{i}), problems{j});
  end
  npass = npass + isempty(problems);
  nfail = nfail + ~isempty(problems);
end
printf('%d passed, %d failed\n', npass, nfail);
end

function problems = missing_values()
% Rows that are compared over the columns that both have: neighbours are the oracle's, and parts are what models of the
% other rows say.
problems = {};
warning('off', 'knng:data:fewer', 'local');
warning('off', 'knng:data:nonFinite', 'local');
for c = 1:12 + 12 * ~isempty(getenv('KNNG_ALL'))              % twelve have all metrics, k and least numbers
  n = 20 + c;
  Z = mod((1:n + 8)' .^ 2 * sqrt([2 3 5 7]) * (16 + c), 4);
  Z(mod(floor(Z * 64), 3) == 0) = NaN;
  Z([3 n + 2], :) = NaN;
  Z(n + 4, 1) = Inf;
  X = Z(1:n, :);
  Q = Z(n + 1:end, :);
  y = 1 + mod(floor(3 * mod((1:n)' * sqrt(c + 1), 1)), 3);
  k = 1 + mod(c, 6);
  least = 1 + mod(c, 2);
  metric = {'euclidean', 'cityblock', 'pearson', 'spearman'}{1 + mod(c, 4)};
  Mdl = knng.fitcknn(X, y, 'K', k, 'Distance', metric, 'Rows', 'pairwise', 'MinValid', least, 'Standardize', mod(c, 3) == 0, ...
                     'DistanceWeight', 'inverse');
  if ~isequal(Mdl.RowsUsed, ~all(isnan(X), 2))
    problems{end + 1} = sprintf('case %d: rows that are used', c); %#ok<AGROW>
  end
  if isempty(Mdl.Mu)
    label = knng.predict(Mdl, Q);
    idx = oracle(Mdl.X, Q, k, metric, least);
    for q = 1:8
      votes = accumarray(Mdl.Y(idx(q, idx(q, :) > 0)), 1, [3 1]);
      if isnan(label(q)) ~= (idx(q, 1) == 0) || (k == 1 && idx(q, 1) > 0 && ~votes(label(q)))
        problems{end + 1} = sprintf('case %d: the label of query %d', c, q); %#ok<AGROW>
      end
    end
  end
  CVMdl = knng.crossval(Mdl, 'KFold', 3, 'Seed', c);
  [label, score] = knng.kfoldPredict(CVMdl);
  for f = 1:3
    test = CVMdl.Partition.fold == f;
    train = CVMdl.Partition.fold > 0 & ~test;
    one = knng.fitcknn(CVMdl.X(train, :), CVMdl.Y(train), 'K', k, 'Distance', metric, 'Rows', 'pairwise', 'MinValid', least, ...
                       'Standardize', mod(c, 3) == 0, 'DistanceWeight', 'inverse', 'ClassNames', Mdl.ClassNames);
    [l, s] = knng.predict(one, CVMdl.X(test, :));
    if ~isequaln(label(test), l) || ~isequaln(score(test, :), s)
      problems{end + 1} = sprintf('case %d: part %d', c, f); %#ok<AGROW>
    end
  end
  L = knng.cvk(X, y, 'Ks', k, 'KFold', 3, 'Seed', c, 'Distance', metric, 'Rows', 'pairwise', 'MinValid', least, ...
               'Standardize', mod(c, 3) == 0, 'DistanceWeight', 'inverse');
  if ~isequaln(L, knng.kfoldLoss(CVMdl))
    problems{end + 1} = sprintf('case %d: knng.cvk says %g', c, L); %#ok<AGROW>
  end
end
end

function problems = against_plain()
% Whole numbers, so that distances and votes tie often; a query that is a row, one far off.
problems = {};
for c = 1:100 + 200 * ~isempty(getenv('KNNG_ALL'))
  n = 5 + mod(7 * c, 20);
  X = floor(mod((1:n)' .^ 2 * sqrt([2 3]) * (16 + c), 4));
  Q = [floor(mod((1:9)' .^ 2 * sqrt([5 7]) * (16 + c), 4)); X(2, :); 1000 1000];
  y = floor(mod((1:n)' .^ 3 * sqrt(c + 1), 3)) + 1;
  y(1:3) = 1:3;
  k = 1 + mod(c, 7);
  weight = {'equal', 'inverse', 'squaredinverse'}{1 + mod(floor(c / 2), 3)};
  rule = {'smallest', 'nearest'}{1 + mod(c, 2)};
  Cost = {1 - eye(3), [0 1 4; 2 0 1; 1 1 0]}{1 + (mod(c, 5) == 0)};
  prior = {'empirical', 'uniform', [4 2 2]}{1 + mod(floor(c / 6), 3)};
  metric = {'euclidean', 'cityblock', 'chebychev'}{1 + mod(c, 3)};
  Mdl = knng.fitcknn(X, y, 'NumNeighbors', k, 'DistanceWeight', weight, 'BreakTies', rule, 'Cost', Cost, 'Prior', prior, ...
                     'Distance', metric);
  [label, score, cost] = knng.predict(Mdl, Q);
  [want, posterior] = plain(X, y, Q, k, weight, rule, Cost, prior, metric);
  if ~isequal(label, want)
    problems{end + 1} = sprintf('case %d: labels %s, not %s', c, mat2str(label'), mat2str(want')); %#ok<AGROW>
  elseif max(max(abs(score - posterior))) > 1e-12 || max(max(abs(cost - posterior * Cost))) > 1e-11
    problems{end + 1} = sprintf('case %d: other scores or costs', c); %#ok<AGROW>
  end
end
end

function [label, posterior] = plain(X, y, Q, k, weight, rule, Cost, prior, metric)
n = size(X, 1);
C = size(Cost, 1);
label = zeros(size(Q, 1), 1);
posterior = zeros(size(Q, 1), C);
for q = 1:size(Q, 1)
  d = zeros(1, n);
  for i = 1:n
    switch metric
      case 'euclidean'
        d(i) = sqrt(sum((X(i, :) - Q(q, :)) .^ 2));
      case 'cityblock'
        d(i) = sum(abs(X(i, :) - Q(q, :)));
      case 'chebychev'
        d(i) = max(abs(X(i, :) - Q(q, :)));
    end
  end
  [d, order] = sort(d);                    % stable: of equal ones the first row
  near = y(order(1:min(k, n)));
  mass = zeros(1, C);
  for a = 1:numel(near)
    switch weight
      case 'equal'
        w = 1;
      case 'inverse'
        w = 1 / d(a);
      case 'squaredinverse'
        w = 1 / d(a) ^ 2;
    end
    if ~strcmp(weight, 'equal') && d(1) == 0
      w = double(d(a) == 0);
    end
    mass(near(a)) = mass(near(a)) + w;
  end
  for c = 1:C
    if strcmp(prior, 'uniform')
      mass(c) = mass(c) / sum(y == c);
    elseif ~strcmp(prior, 'empirical')
      mass(c) = mass(c) * prior(c) / sum(y == c);
    end
  end
  posterior(q, :) = mass / sum(mass);
  expected = posterior(q, :) * Cost;
  tied = find(expected <= min(expected) * (1 + 1e-12) + 1e-14);
  label(q) = tied(1);
  if strcmp(rule, 'nearest')
    for a = numel(near):-1:1
      if any(tied == near(a))
        label(q) = near(a);
      end
    end
  end
end
end

function problems = parts_one_by_one()
% The curve, the labels and the scores of cross-validation, and what models of the other rows say, k by k.
problems = {};
options = {{}, {'DistanceWeight', 'inverse'}, {'BreakTies', 'nearest', 'Distance', 'cityblock'}, ...
           {'BreakTies', 'random', 'Seed', 7}, {'Standardize', true}, {'Prior', 'uniform'}, {'Prior', [1 2 3], 'DistanceWeight', 'squaredinverse'}, ...
           {'Cost', [0 1 4; 2 0 1; 1 1 0]}, {'Distance', 'pearson'}};
splits = {{'KFold', 5}, {'KFold', 2}, {'Leaveout', 'on'}, {'Holdout', 0.3}, {'CVPartition', ceil((1:60) / 13)}, ...
          {'CVPartition', mod(1:60, 4)}};
n = 60;
X = floor(mod((1:n)' .^ 2 * sqrt([2 3 5]) * 17, 5));
X(31, :) = X(30, :);
y = floor(mod((1:n)' .^ 3 * sqrt(7), 3)) * 2;
all_ks = [4 1 2 13 70];
warning('off', 'knng:data:constant', 'local');
for o = 1:numel(options)
  for s = 1:numel(splits)
    if isempty(getenv('KNNG_ALL')) && mod(o + s, 3) > 0
      continue                             % each option meets two splits, and each split three of the options
    end
    data = X;
    if mod(o + s, 2) == 1
      data = single(X) / 3;
    end
    seed = {'Seed', 7};
    ks = all_ks(1:end - 3 * (s == 3));
    Mdl = knng.fitcknn(data, y, options{o}{:});
    CVMdl = knng.crossval(Mdl, splits{s}{:}, seed{:});
    fold = CVMdl.Partition.fold;
    L = knng.cvk(data, y, 'Ks', ks, options{o}{:}, splits{s}{:}, seed{:});
    models = cell(1, max(fold));           % one of each part, which is asked for every k
    for f = 1:max(fold)
      models{f} = knng.fitcknn(data(fold ~= f, :), y(fold ~= f), options{o}{:}, 'ClassNames', [0 2 4]);
    end
    for a = 1:numel(ks)
      label = NaN(n, 1);
      score = NaN(n, 3);
      cost = NaN(n, 3);
      for f = 1:max(fold)
        test = fold == f;
        part = models{f};
        part.NumNeighbors = ks(a);
        [label(test), score(test, :), cost(test, :)] = knng.predict(part, data(test, :));
      end
      CVMdl.Mdl.NumNeighbors = ks(a);
      [got, got_score, got_cost] = knng.kfoldPredict(CVMdl);
      loss = knng.kfoldLoss(CVMdl);
      if ~isequaln(got, label) || ~isequaln(got_score, score) || ~isequaln(got_cost, cost)
        problems{end + 1} = sprintf('options %d, parts %d, k %d: kfoldPredict says something else', o, s, ks(a)); %#ok<AGROW>
      end
      if ~isequal(loss, L(a))
        problems{end + 1} = sprintf('options %d, parts %d, k %d: kfoldLoss %.17g, cvk %.17g', o, s, ks(a), loss, L(a)); %#ok<AGROW>
      end
      known = ~isnan(label);
      wrong = sum(label(known) ~= y(known)) / sum(known);
      if ~any(strcmp(options{o}(1:2:end), 'Prior')) && ~any(strcmp(options{o}(1:2:end), 'Cost')) && all(known) && loss ~= wrong
        problems{end + 1} = sprintf('options %d, parts %d, k %d: a loss of %.17g, not %.17g', o, s, ks(a), loss, wrong); %#ok<AGROW>
      end
    end
  end
end
end

function problems = crowded_parts()
% Parts that are heaps: the lists of a graph hold a row's own part alone, and have to be searched again, some many times.
problems = {};
n = 1200;
fold = ceil((1:n)' / 400);
fold(1:40) = 4 + floor((0:39)' / 4);
X = [100 * fold + mod((1:n)' * 0.6180339, 1), mod((1:n)' * 0.4142135, 1)];
y = 1 + (mod((1:n)' * 0.7320508, 1) > 0.4);
ks = [1 3 8];
L = knng.cvk(X, y, 'Ks', ks, 'CVPartition', fold);
for a = 1:numel(ks)
  wrong = 0;
  for i = 1:n
    d = (X(:, 1) - X(i, 1)) .^ 2 + (X(:, 2) - X(i, 2)) .^ 2;
    d(fold == fold(i)) = Inf;
    [~, order] = sort(d);
    votes = accumarray(y(order(1:ks(a))), 1, [2 1]);
    [~, label] = max(votes);
    wrong = wrong + (label ~= y(i));
  end
  if L(a) ~= wrong / n
    problems{end + 1} = sprintf('k %d: %.17g, not %.17g', ks(a), L(a), wrong / n); %#ok<AGROW>
  end
end
end

function problems = balanced_parts()
% Each part has its share of each class to within a row; other seeds deal otherwise, one seed always so.
problems = {};
state = rand('twister');
for n = [10 33 100]
  y = floor(mod((1:n)' .^ 2 * sqrt(3), 3));
  Mdl = knng.fitcknn((1:n)', y);
  for k = [2 3 7 10]
    p = parts(Mdl, 'KFold', k, 'Seed', 3);
    table = accumarray([p.fold, y + 1], 1, [k 3]);
    if any(max(table) - min(table) > 1) || range(sum(table, 2)) > 1
      problems{end + 1} = sprintf('%d parts of %d rows are uneven', k, n); %#ok<AGROW>
    end
    again = parts(Mdl, 'KFold', k, 'Seed', 3);
    other = parts(Mdl, 'KFold', k, 'Seed', 4);
    if ~isequal(p, again) || isequal(p, other)
      problems{end + 1} = sprintf('%d parts of %d rows do not follow the seed', k, n); %#ok<AGROW>
    end
  end
  p = parts(Mdl, 'Holdout', 0.3);
  share = accumarray(y + 1, p.fold) - 0.3 * accumarray(y + 1, 1);
  if any(abs(share) >= 1) || sum(p.fold) ~= round(0.3 * n)
    problems{end + 1} = sprintf('0.3 of %d rows are uneven', n); %#ok<AGROW>
  end
end
p = parts(knng.fitcknn((1:12)', repmat([1 2], 1, 6)), 'KFold', 3);
if ~isequal(p.fold', [3 3 3 2 2 1 1 1 2 2 1 3])   % in MATLAB too
  problems{end + 1} = sprintf('the parts of seed 0 are %s', mat2str(p.fold'));
end
if ~isequal(state, rand('twister'))
  problems{end + 1} = 'the state of rand is another';
end
end

function p = parts(varargin)
CVMdl = knng.crossval(varargin{:});
p = CVMdl.Partition;
end

function problems = golub()
% 38 samples of two leukaemias, 3051 genes (T. Golub et al., Science 286 (1999) 531-537): which are wrong, each left out once.
problems = {};
ds = knng.read(fullfile(fileparts(which('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
X = ds.X';
n = size(X, 1);
D = Inf(n);
for i = 1:n
  for j = [1:i - 1, i + 1:n]
    D(i, j) = sum((X(i, :) - X(j, :)) .^ 2);
  end
end
[~, order] = sort(D, 2);
ks = [1 3 5 7 9];
wrong = zeros(size(ks));
for a = 1:numel(ks)
  ones_near = sum(reshape(ds.classes(order(:, 1:ks(a))), n, []), 2);
  wrong(a) = sum((2 * ones_near > ks(a)) ~= ds.classes(:));
end
L = knng.cvk(X, ds.classes, 'Ks', ks, 'Leaveout', 'on');
if ~isequal(L, wrong / n)
  problems{end + 1} = sprintf('wrong are %s, not %s', mat2str(L * n), mat2str(wrong));
end
if ~isequal(wrong, [0 1 1 0 0])
  problems{end + 1} = sprintf('of the data %s samples are wrong', mat2str(wrong));
end
Mdl = knng.fitcknn(X, ds.classes, 'NumNeighbors', 3);
CVMdl = knng.crossval(Mdl, 'Leaveout', 'on');
if ~isequal(knng.kfoldLoss(CVMdl), wrong(2) / n) || sum(knng.kfoldPredict(CVMdl) ~= ds.classes(:)) ~= wrong(2)
  problems{end + 1} = 'a model for each part has another loss than the graph of all';
end
near = sum(reshape(ds.classes([(1:n)', order(:, 1:2)]), n, []), 2);  % each is its own nearest
if ~isequal(knng.predict(Mdl, X), double(near > 1)) || ...
   ~isequal(knng.resubLoss(Mdl), sum((near > 1) ~= ds.classes(:)) / n, knng.loss(Mdl, X, ds.classes))
  problems{end + 1} = 'other predictions of the samples that the model knows';
end
end

function problems = one_warning()
% However many searches the parts take, one warning tells of the rows without distances.
problems = {};
warning('off', 'knng:data:constant', 'local');
Mdl = knng.fitcknn([1 1; 1 2; 2 1; 5 1], [1 1 2 2], 'Distance', 'pearson');
warning('on', 'knng:data:constant', 'local');
for fold = {[1 2 2 1], [1 2 3 0]}  % one graph, three searches
  CVMdl = knng.crossval(Mdl, 'CVPartition', fold{1});
  shown = evalc('knng.kfoldPredict (CVMdl);');
  if numel(regexp(shown, '1 of [34] rows is constant')) ~= 1
    problems{end + 1} = ['not one warning: ' shown];
  end
end
end
