function [pick, score, cost, nought] = vote (class_of, dist, rule, ks)
%VOTE  The classes that the first k neighbours choose, for each k of the ascending vector KS.
%   CLASS_OF, m-by-K: the class of each neighbour, nearest first, 0 behind the last. DIST, m-by-K: their distances.
%   RULE: struct with DistanceWeight, IncludeTies, BreakTies and Cost as in a model; weight, 1-by-C or m-by-C, what a neighbour of
%   each class counts; chance, m-by-1, numbers in [0, 1) for BreakTies 'random'.
%   PICK is m-by-numel(KS), 0 where a row has no neighbours; SCORE and COST, m-by-C, are those of the last k.
%   NOUGHT, m-by-1: rows with neighbours that by their distances all count 0, for any of the k.
%   What decides are sums that were not divided by anything: where all weights are 1 and costs whole numbers, ties are exact.
%   A class's weights are added nearest neighbour first.

  [m, most] = size (class_of);
  C = size (rule.Cost, 1);
  here = class_of > 0;
  any_weight = isa (rule.DistanceWeight, 'function_handle');           % which may depend on all k distances of a row
  if (~any_weight)
    W = knng.internal.neighbour_weights (dist, here, rule.DistanceWeight);
  end
  first = Inf (m, C);                      % the nearest neighbour of each class
  votes = zeros (m, C);
  pick = zeros (m, numel (ks));
  done = zeros (m, 1);
  nought = false (m, 1);
  for a = 1:numel (ks)
    [upto, asked] = knng.internal.first_of (here, dist, ks(a), rule.IncludeTies);
    if (any_weight)
      W = knng.internal.neighbour_weights (dist, asked, rule.DistanceWeight);
      nought = nought | (any (asked, 2) & ~any (W, 2));
      votes = zeros (m, C);
      done = zeros (m, 1);
    end
    for j = min (done) + 1:max (upto)
      has = find (j > done & j <= upto);
      at = has + m * (class_of(has, j) - 1);
      votes(at) = votes(at) + W(has, j);
      first(at) = min (first(at), j);
    end
    done = upto;
    mass = bsxfun (@times, votes, rule.weight);
    total = sum (mass, 2);
    cost = expected (mass, total, rule.Cost);
    tied = bsxfun (@eq, cost, min (cost, [], 2));
    switch lower (rule.BreakTies)
      case 'smallest'
        [~, p] = max (double (tied), [], 2);
      case 'nearest'
        rank = min (first, most + 1);
        rank(~tied) = Inf;
        [~, p] = min (rank, [], 2);
      case 'random'
        wanted = floor (rule.chance .* sum (tied, 2));
        p = sum (bsxfun (@le, cumsum (tied, 2), wanted), 2) + 1;
    end
    p(~(total > 0)) = 0;
    pick(:, a) = p;
  end
  score = bsxfun (@rdivide, mass, total);
  cost = bsxfun (@rdivide, cost, total);
end

function cost = expected (mass, total, Cost)
% What each class costs, m-by-C: Cost(i,j) is the price of j where i is true.
C = size (Cost, 1);
if isequal (Cost, 1 - eye (C))
  cost = bsxfun (@minus, total, mass);
  return
end
cost = zeros (size (mass));
for i = 1:C
  for j = find (Cost(i, :))
    cost(:, j) = cost(:, j) + mass(:, i) * Cost(i, j);
  end
end
end
