function nfail = test_predict ()
%TEST_PREDICT  Ties, weights and refused models of the classifier, worked out by hand; test_classify compares with
%   plain loops.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@ties, @weights, @unknown_fields};
nfail = run_checks (checks);
end

function ties ()
% Ties: the first class, the nearest one, any one by the seed.
X = [1; 3];
Mdl = knng.fitcknn (X, [1 2], 'NumNeighbors', 2);
assert (knng.predict (Mdl, [2.1; 1.9; 2]), [1; 1; 1]);
Mdl.BreakTies = 'nearest';
assert (knng.predict (Mdl, [2.1; 1.9; 2]), [2; 1; 1]);
Mdl.BreakTies = 'random';
state = rand ('twister');
drawn = knng.predict (Mdl, 2 * ones (400, 1));
assert (abs (mean (drawn) - 1.5) < 0.1);
assert (knng.predict (Mdl, 2 * ones (400, 1)), drawn);
Mdl.ModelParameters.Seed = 1;
assert (~isequal (knng.predict (Mdl, 2 * ones (400, 1)), drawn));
assert (rand ('twister'), state);
end

function weights ()
% Weights: what is near counts more, what is equal alone.
Mdl = knng.fitcknn ([0; 2; 2; 0], [2 1 1 2], 'NumNeighbors', 3, 'DistanceWeight', 'inverse');
[label, score] = knng.predict (Mdl, [0.5; 2; 1e-320]);
assert (label, [2; 1; 2]);
assert (score, [1/7 6/7; 1 0; 0 1] * [0 0; 0 0] + [(2/3)/(4+2/3), 4/(4+2/3); 1 0; 0 1], 1e-15);
Mdl.DistanceWeight = 'squaredinverse';
[~, score] = knng.predict (Mdl, 0.5);
assert (score(1), (4/9) / (8 + 4/9), 1e-15);
Mdl = knng.fitcknn (1e308 * [1; -1; -1], [1 2 2], 'NumNeighbors', 3, 'DistanceWeight', 'squaredinverse');
[~, score] = knng.predict (Mdl, 1e308);
assert (score, [1 0]);
end

function unknown_fields ()
% A field that means nothing here is refused, not ignored.
M = knng.fitcknn ([1; 2; 3; 10], [0 0 1 1]);
for name = {'Exponent', 'ScoreTransform', 'K', 'x'}
  N = M;
  N.(name{1}) = true;
  for f = {@() knng.predict(N, 2), @() knng.loss(N, 2, 0), @() knng.resubLoss(N), @() knng.crossval(N)}
    try, f{1} (); id = 'none'; catch e, id = e.identifier; end
    assert (id, 'knng:args:model');
    assert (! isempty (strfind (e.message, ['''' name{1} ''''])));
  end
end
N = M;
N.Prior = [1 0];
try, knng.predict (N, 2); id = 'none'; catch e, id = e.identifier; end
assert (id, 'knng:args:model');
N = M;
N.ModelParameters.IncludeTies = true;
try, knng.predict (N, 2); id = 'none'; catch e, id = e.identifier; end
assert (id, 'knng:args:model');
C = knng.crossval (M, 'KFold', 2);
C.IncludeTies = true;
try, knng.kfoldPredict (C); id = 'none'; catch e, id = e.identifier; end
assert (id, 'knng:args:model');
end
