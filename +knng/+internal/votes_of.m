function out = votes_of (code, r, near, dist, rule, ks)
%VOTES_OF  [pick, score, cost, nought] of knng.internal.vote for tables of the rows R, as knng.internal.asked wants them.
%   CODE: the class of each row that NEAR may name. RULE: weight and chance have a row for each of all rows.

  w = max (find (any (near > 0, 1), 1, 'last'), 1);
  near = near(:, 1:w);
  dist = dist(:, 1:w);
  class_of = zeros (size (near));
  class_of(near > 0) = code(near(near > 0));
  rule.weight = rule.weight(r, :);
  rule.chance = rule.chance(r);
  [pick, score, cost, nought] = knng.internal.vote (class_of, dist, rule, ks);
  out = [pick, score, cost, nought];
end
