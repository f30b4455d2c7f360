function [label, score, cost] = kfoldPredict (CVMdl, varargin)
%KNNG.KFOLDPREDICT  Classes or numbers of samples by models that never saw them.
%   label = knng.kfoldPredict (CVMdl), n-by-1, gives each of the n rows that
%   knng.fitcknn had, of which CVMdl = knng.crossval (...) was made, the class
%   that a model of the rows outside its part has for it.
%   [label, score, cost] = knng.kfoldPredict (CVMdl) also returns scores and
%   costs, n-by-C, as knng.predict.
%   yfit = knng.kfoldPredict (CVMdl), n-by-p, if the model is of knng.fitrknn.
%   [...] = knng.kfoldPredict (CVMdl, 'Name', value, ...) takes options.
%
%   Options:
%
%     'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress'
%                     as in knngraph
%
%   It is what knng.fitcknn (knng.fitrknn) on the other rows and knng.predict on
%   the part return, part by part, to the last bit; means and deviations of
%   'Standardize' and the empirical prior are those of the other rows. But it
%   takes one graph of all rows: a row leaves out the neighbours of its own
%   part, and where too few remain, more are searched. With 'Standardize'
%   distances differ from part to part, and each part takes a search of its own.
%
%   Rows that are never left out ('Holdout', part 0), rows without distances,
%   and those that the model does not use, such as rows without a label, have
%   scores and costs NaN and a missing label (of logicals and whole numbers the
%   first class: look at the scores), or NaN in yfit. So row i is that of the X
%   and Y which knng.fitcknn had, and of CVMdl.Y. Warnings count the rows of the
%   parts that have no neighbours, or too few, as in knng.predict:
%   knng:data:constant, :fewer, :nought.
%
%   Cost: that of knngraph for a little more than k/(1 - 1/parts) neighbours,
%   O(n*k + n*C) for votes; with 'Standardize' that of a search in n rows for n
%   rows.
%
%   Errors: knng:args:model if CVMdl is none of knng.crossval;
%   knng:args:partition if its parts were changed; knng:args:count; those of
%   knng.fitcknn for fields that were set anew.
%
%   Example:
%     X = [1; 2; 3; 10; 11; 12];
%     Mdl = knng.fitcknn (X, ('aaabbb')', 'NumNeighbors', 2);
%     knng.kfoldPredict (knng.crossval (Mdl, 'Leaveout', 'on'))'   % aaabbb
%
%   See also knng.crossval, knng.kfoldLoss, knng.predict.

  if (nargin < 1)
    error ('knng:args:count', 'knng.kfoldPredict needs a model of knng.crossval, as in knng.kfoldPredict (CVMdl): see help knng.kfoldPredict');
  end
  knng.internal.built ();
  [~, given] = knng.internal.options (knng.internal.engine (), varargin);
  how = knng.internal.engine (given);
  fold = knng.internal.check_crossed (CVMdl);
  if (knng.internal.is_regression (CVMdl.Mdl))
    if (nargout > 1)
      error ('knng:args:count', 'a model of knng.fitrknn has no scores and costs: ask knng.kfoldPredict for one result');
    end
    label = knng.internal.all_rows (knng.internal.kfold_mean (CVMdl.Mdl, fold, double (CVMdl.Mdl.NumNeighbors), how), CVMdl.Mdl.RowsUsed, NaN);
    return
  end
  [pick, score, cost] = knng.internal.kfold_vote (CVMdl.Mdl, fold, double (CVMdl.Mdl.NumNeighbors), how);
  label = knng.internal.label_values (knng.internal.all_rows (pick, CVMdl.Mdl.RowsUsed, 0), CVMdl.Mdl.ClassNames);
  score = knng.internal.all_rows (score, CVMdl.Mdl.RowsUsed, NaN);
  cost = knng.internal.all_rows (cost, CVMdl.Mdl.RowsUsed, NaN);
end

%!test <*1>
%! Mdl = knng.fitcknn ([1; 2; 3; 10; 11; 12], ['a'; 'a'; 'a'; 'b'; 'b'; 'b'], 'NumNeighbors', 2);
%! assert (knng.kfoldPredict (knng.crossval (Mdl, 'Leaveout', 'on'))', 'aaabbb');
%!test  # what is never left out is not classified
%! Mdl = knng.fitcknn ([1; 2; 3; 10; 11; 12], {'a', 'a', 'a', 'b', 'b', 'b'});
%! [label, score, cost] = knng.kfoldPredict (knng.crossval (Mdl, 'CVPartition', [0 1 0 0 0 1]));
%! assert (label, {''; 'a'; ''; ''; ''; 'b'});
%! assert (score([2 6], :), eye (2));
%! assert (all (isnan (score([1 3 4 5], :)(:))) && all (isnan (cost([1 3 4 5], :)(:))));
%!test  # a row for each that was given, also for those that the model does not use
%! X = [1; 2; NaN; 3; 10; 11; 12; 13];
%! C = knng.crossval (knng.fitcknn (X, {'a', 'a', 'a', 'a', 'b', '', 'b', 'b'}, 'K', 2), 'Leaveout', 'on');
%! [label, score, cost] = knng.kfoldPredict (C);
%! assert (label, {'a'; 'a'; ''; 'a'; 'b'; ''; 'b'; 'b'});
%! assert (isnan ([score, cost]), repmat (logical ([0 0 1 0 0 1 0 0]'), 1, 4));
%! assert (label, C.Y);
%! assert (isequaln (C.X, [1; 2; NaN; 3; 10; NaN; 12; 13]));
%! assert (C.Partition.fold', [1 2 0 3 4 0 5 6]);
%! assert (isequaln (knng.kfoldPredict (knng.crossval (C.Mdl, 'CVPartition', C.Partition)), label));
%! assert (knng.kfoldLoss (C), 0);
%! C = knng.fitrknn (X, [1 2; 2 NaN; 3 3; 4 4; 5 5; 6 6; 7 7; 8 8], 'K', 1, 'Leaveout', 'on');
%! assert (isequaln (C.Y, [1 2; NaN NaN; NaN NaN; 4 4; 5 5; 6 6; 7 7; 8 8]));
%! assert (knng.kfoldPredict (C), [4 4; NaN NaN; NaN NaN; 1 2; 6 6; 5 5; 6 6; 7 7]);
%! assert (knng.kfoldLoss (C), [mean([9 9 1 1 1 1]), mean([4 4 1 1 1 1])]);
%!test  # what cross_val_predict of scikit-learn 1.9.1 gives for the same parts
%! X = mod ((1:14)' .^ 2 * sqrt ([2 3 5 7]), 1);
%! parts = mod (0:13, 3) + 1;
%! [label, score] = knng.kfoldPredict (knng.fitcknn (X, [1 1 2 2 1 2 1 1 2 2 1 2 3 3], 'K', 3, 'CVPartition', parts));
%! assert (label', [1 2 1 1 2 2 1 2 1 1 1 2 1 1]);
%! assert (3 * score, [1 1 1; 1 2 0; 2 0 1; 2 1 0; 0 2 1; 1 2 0; 2 0 1; 1 2 0; 1 1 1; 1 1 1; 1 1 1; 1 2 0; 2 0 1; 2 1 0], 1e-12);
%! yfit = knng.kfoldPredict (knng.fitrknn (X, X * [3; 1; 2; -1], 'K', 3, 'DistanceWeight', 'inverse', 'CVPartition', parts));
%! assert (yfit', [1.802310683073 3.216775401275 1.718008382836 3.758277525892 2.766631318007 3.020512376863 2.483028024576 ...
%!                 1.938356346617 1.767524002917 1.951693130548 2.7484800836 3.349154612893 2.085976386915 2.021214939794], 1e-11);

%!test  # rows without distances are warned of
%! Mdl = knng.fitcknn ([1 1; 1 2; 2 1; 5 1], [1 1 2 2], 'Distance', 'pearson');
%! warning ('on', 'knng:data:constant', 'local');
%! lastwarn ('', '');
%! label = knng.kfoldPredict (knng.crossval (Mdl, 'CVPartition', [1 2 2 1]));
%! [~, id] = lastwarn ();
%! assert (id, 'knng:data:constant');
%! assert (isnan (label(1:3)), [true; false; false]);
%!error id=knng:args:count knng.kfoldPredict ()
%!error id=knng:args:model knng.kfoldPredict (knng.fitcknn (1, 1))
%!error id=knng:args:partition knng.kfoldPredict (struct ('Mdl', knng.fitcknn ([1; 2], [1 2]), 'Partition', struct ('fold', [1 9])))
