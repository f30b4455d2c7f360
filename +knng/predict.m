function [label, score, cost] = predict (Mdl, X, varargin)
%KNNG.PREDICT  Classes or numbers of new samples, by their nearest neighbours.
%   label = knng.predict (Mdl, X) names the class of each row of the m-by-d
%   matrix X by the model Mdl = knng.fitcknn (...): m labels, in a column, of
%   the kind that the model was made with.
%   [label, score, cost] = knng.predict (Mdl, X) also returns the posterior
%   probabilities and the expected costs, both m-by-C with a column for each of
%   Mdl.ClassNames.
%   yfit = knng.predict (Mdl, X), m-by-p, predicts the p numbers of a model
%   Mdl = knng.fitrknn (...): see there.
%   [...] = knng.predict (Mdl, X, 'Name', value, ...) takes options.
%
%     score(i,c)  what the neighbours of class c count, over what all of them
%                 count; a neighbour counts its weight by distance, times the
%                 prior of its class over the rows that the class has in Mdl.X
%     cost        score*Mdl.Cost
%
%   The label is the class of the least expected cost, with ties broken as
%   Mdl.BreakTies says. The neighbours are the first Mdl.NumNeighbors rows of
%   Mdl.X by (distance, row), or all if there are fewer; with Mdl.IncludeTies
%   also those at the distance of the last. With equal weights, the empirical
%   prior and whole numbers as costs, ties are exact. Weights are added nearest
%   neighbour first, so that scores are the same on every machine.
%
%   Options:
%
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                     as in knngraph
%
%   A row that has no distances (see knngraph) has no neighbours: its scores and
%   costs are NaN (and yfit), and its label is missing: NaN, '', blanks.
%   Logicals and whole-number classes have nothing of the kind, and get the
%   first class. A warning counts such rows, knng:data:nonFinite or
%   knng:data:constant, or knng:data:nought where a function 'DistanceWeight'
%   gives all neighbours of a row 0. NaN is a missing value where the model was
%   made with 'Rows', 'pairwise'. Where fewer than Mdl.NumNeighbors rows share
%   enough columns with a row, those vote, and the warning is knng:data:fewer;
%   it names a 'MinValid' that helps, if there is one.
%
%   Cost: a search of n*m*d operations for the n rows of Mdl.X (see
%   knng.knnsearch), and O(m*k + m*C) for the votes; memory beside that of the
%   search about 40*m*(k + C) bytes.
%
%   Errors: knng:args:model if Mdl is none, or has a field that knng does not
%   know; knng:args:columns if X has other columns than the model;
%   knng:args:count; those of knng.fitcknn (knng:args:labels, :k, :option) for
%   fields that were set anew, and where Mdl.DistanceWeight is a function that
%   returns no weights; as knng.knnsearch.
%
%   Example:
%     X = [1; 2; 3; 10; 11; 12];
%     Mdl = knng.fitcknn (X, [0 0 0 1 1 1], 'NumNeighbors', 2);
%     [label, score] = knng.predict (Mdl, [2.4; 6.6; 9]);
%     label'                         % 0 0 1
%     score(2, :)                    % 0.5 0.5: a tie, the first class wins
%
%   See also knng.fitcknn, knng.fitrknn, knng.loss, knng.kfoldPredict.

  if (nargin < 2)
    error ('knng:args:count', 'knng.predict needs a model and samples, as in knng.predict (Mdl, X): see help knng.predict');
  end
  knng.internal.built ();
  if (isnumeric (Mdl) && isstruct (X) && numel (X) == 1 && any (isfield (X, {'NumNeighbors', 'Mdl'})))
    error ('knng:args:model', 'samples come first here, and a model behind them: the model comes first, as in knng.predict (Mdl, X)');
  end
  [~, given] = knng.internal.options (knng.internal.engine (), varargin);
  if (knng.internal.is_regression (Mdl))
    if (nargout > 1)
      error ('knng:args:count', 'a model of knng.fitrknn has no scores and costs: ask knng.predict for one result');
    end
    label = knng.internal.knr_predict (Mdl, X, knng.internal.engine (given));
    return
  end
  [pick, score, cost] = knng.internal.knn_predict (Mdl, X, knng.internal.engine (given));
  label = knng.internal.label_values (pick, Mdl.ClassNames);
end

%!test <*1>
%! Mdl = knng.fitcknn ([1; 2; 3; 10; 11; 12], [0 0 0 1 1 1], 'NumNeighbors', 2);
%! [label, score] = knng.predict (Mdl, [2.4; 6.6; 9]);
%! assert (label, [0; 0; 1]);
%! assert (score, [1 0; 0.5 0.5; 0 1]);

%!test  # a tie of three classes, whose sums do not add up alike in another order
%! Mdl = knng.fitcknn ((1:10)', [1 2 3 4 1 3 4 1 3 4], 'NumNeighbors', 10, 'BreakTies', 'nearest');
%! assert (knng.predict (Mdl, [1.1; 7.1; 9.1]), [1; 4; 3]);

%!test  # costs and priors
%! Mdl = knng.fitcknn ([1; 2; 3], {'ill', 'well', 'well'}, 'NumNeighbors', 3, 'Cost', [0 5; 1 0]);
%! [label, score, cost] = knng.predict (Mdl, 2);
%! assert (label, {'ill'});
%! assert (score, [1 2] / 3, eps);
%! assert (cost, [2 5] / 3, 2 * eps);
%! Mdl = knng.fitcknn ([1; 2; 3], {'ill', 'well', 'well'}, 'NumNeighbors', 3, 'Prior', [3 1]);
%! [label, score] = knng.predict (Mdl, 2);
%! assert (label, {'ill'});
%! assert (score, [3 1] / 4, eps);

%!test  # rows without distances have no label
%! warning ('off', 'knng:data:nonFinite', 'local');
%! for kind = {{[1 2], [NaN; 2]}, {{'a', 'b'}, {''; 'b'}}, {['ax'; 'b '], ['  '; 'b ']}, {[false true], [false; true]}}
%!   [label, score, cost] = knng.predict (knng.fitcknn ([1; 5], kind{1}{1}), [NaN; 4]);
%!   assert (label, kind{1}{2});
%!   assert (score, [NaN NaN; 0 1]);
%!   assert (cost, [NaN NaN; 1 0]);
%!   [label, score] = knng.predict (knng.fitcknn ([1; 5], kind{1}{1}, 'DistanceWeight', 'inverse'), NaN);
%!   assert (label, kind{1}{2}(1, :));
%!   assert (score, [NaN NaN]);
%! end

%!test  # more neighbours than rows are all rows; single samples
%! Mdl = knng.fitcknn (single ([1; 2; 9]), [1 1 2], 'NumNeighbors', 99);
%! [label, score] = knng.predict (Mdl, 9);
%! assert (label, 1);
%! assert (score, [2 1] / 3, eps);

%!assert (knng.predict (knng.fitcknn ([1; 2; 30], [0 0 1]), [1; 29], 'Thr', 1, 'Device', 'cpu'), [0; 1])
%!error id=knng:args:unknownOption knng.predict (knng.fitcknn (1, 1), 1, 'K', 3)
%!error id=knng:args:count knng.predict (1)
%!error id=knng:args:model knng.predict (1, 1)
%!error <the model comes first, as in knng.predict \(Mdl, X\)$> knng.predict ([1; 2], knng.fitcknn (1, 1))
%!warning <^1 of 2 rows \(50 %\) hold NaN or Inf.* 'Rows', 'pairwise'$> knng.predict (knng.fitcknn ([1; 5], [1 2]), [NaN; 4]);
%!warning <^1 of 2 rows .* no prediction; they are in column 1 \(1 row\); knng.impute fills in what is missing$> knng.predict (knng.fitcknn ([1 2; 5 1; 3 3], [1 2 1], 'Rows', 'pairwise', 'MinValid', 1), [Inf 2; 4 NaN]);
%!test
%! warning ('error', 'knng:data:nonFinite', 'local');
%! try, knng.predict (knng.fitcknn ([1; 5], [1 2]), [NaN; 4]); id = ''; catch e, id = e.identifier; end
%! assert (id, 'knng:data:nonFinite');
%!error id=knng:args:model knng.predict (struct ('X', 1), 1)
%!error id=knng:args:model knng.predict (setfield (knng.fitcknn (1, 1), 'Y', [1 1]), 1)
%!error id=knng:args:model knng.predict (setfield (knng.fitcknn (1, 1), 'Mu', 3), 1)
%!error id=knng:args:k knng.predict (setfield (knng.fitcknn (1, 1), 'NumNeighbors', 1.5), 1)
%!error id=knng:args:option knng.predict (setfield (knng.fitcknn (1, 1), 'Cost', 1), 1)
%!error id=knng:args:columns knng.predict (knng.fitcknn (1, 1), [1 2])
%!error id=knng:args:class knng.predict (knng.fitcknn (1, 1), 'a')
