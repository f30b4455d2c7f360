function CVMdl = crossval (Mdl, varargin)
%KNNG.CROSSVAL  Split the samples of a model into parts for a test.
%   CVMdl = knng.crossval (Mdl) deals the n rows of Mdl = knng.fitcknn (...) or
%   knng.fitrknn (...) to 10 parts. knng.kfoldPredict (CVMdl) and knng.kfoldLoss
%   (CVMdl) then ask a model of all other parts about each.
%   CVMdl = knng.crossval (Mdl, 'Name', value, ...) splits otherwise.
%
%   Options: 'Seed', and one of the others.
%
%     'KFold'        the number of parts, default 10 (n if there are fewer
%                    rows). Each part has its share of each class, to within one
%                    row (of knng.fitrknn, of all rows)
%     'Leaveout'     'on': each row is a part; default 'off'
%     'Holdout'      a number between 0 and 1: one part, with that share of each
%                    class; only of it is asked
%     'CVPartition'  a vector of n whole numbers, the part of each row (0: never
%                    left out), or CVMdl.Partition of another model. Rows of one
%                    patient or batch belong in one part
%     'Seed'         a whole number from 0 on, default 0: one seed gives the
%                    same parts in Octave and in MATLAB. The state of rand is
%                    neither used nor changed
%
%   A cvpartition object c becomes a vector by
%
%       for i = 1:c.NumTestSets, fold(test (c, i)) = i; end
%
%   A model of the other parts is made with the options of Mdl: with
%   'Standardize' by their own means, with the prior 'empirical' by their own
%   frequencies.
%
%   CVMdl is a plain struct: Mdl and its fields X, Y, ClassNames (if any),
%   NumObservations, the number of parts KFold, and Partition with Type,
%   NumObservations, NumTestSets and fold (n-by-1). If Mdl leaves out rows of
%   its data, X, Y, fold and what knng.kfoldPredict returns have them
%   nevertheless, so that row i is that of the data: NaN in X, missing in Y (of
%   logicals and whole numbers the first class), part 0. CVMdl.NumObservations
%   does not count them, and a vector for 'CVPartition' may leave them out.
%   MATLAB's field Trained, a model of each part, is left out: it would hold the
%   rows once for each part. That without part i is
%
%       keep = CVMdl.Partition.fold ~= i;
%       Mdl_i = knng.fitcknn (CVMdl.X(keep, :), CVMdl.Y(keep, :), ...);
%
%   with the options of Mdl (knng.fitrknn, if that made it).
%
%   Without a semicolon Octave shows all numbers of X; after
%   struct_levels_to_print (0) it shows the sizes of fields.
%
%   Cost: O(n log n); the work is done by knng.kfoldPredict and knng.kfoldLoss.
%
%   Errors: knng:args:model; knng:args:partition if the rows cannot be split so;
%   knng:args:option for the seed; knng:args:unknownOption, :count; those of
%   knng.fitcknn for fields that were set anew.
%
%   Source: R. Kohavi, Proceedings of IJCAI (1995) 1137-1143, for stratified
%   parts.
%
%   Example:
%     X = [1 1; 1 2; 2 1; 6 6; 6 7; 7 6];
%     Mdl = knng.fitcknn (X, [1 1 1 2 2 2]);
%     CVMdl = knng.crossval (Mdl, 'KFold', 3);
%     accumarray ([CVMdl.Partition.fold, CVMdl.Y], 1)  % each class in each part
%     knng.kfoldLoss (CVMdl)                           % 0
%
%   See also knng.kfoldLoss, knng.kfoldPredict, knng.cvk, knng.fitcknn.

  if (nargin < 1)
    error ('knng:args:count', 'knng.crossval needs a model, as in knng.crossval (Mdl): see help knng.crossval');
  end
  knng.internal.built ();
  opt = knng.internal.options (knng.internal.partition_defaults (), varargin);
  CVMdl = knng.internal.crossed (Mdl, opt);
end

%!test <*1>
%! X = [1 1; 1 2; 2 1; 6 6; 6 7; 7 6];
%! Mdl = knng.fitcknn (X, [1 1 1 2 2 2]);
%! CVMdl = knng.crossval (Mdl, 'KFold', 3);
%! assert (accumarray ([CVMdl.Partition.fold, CVMdl.Y], 1), ones (3, 2));
%! assert (knng.kfoldLoss (CVMdl), 0);
%!test  # the default, and parts of one's own, also for rows that were left out of the model
%! Mdl = knng.fitcknn ([1; NaN; 3; 4; 5], [1 1 2 2 1]);
%! CVMdl = knng.crossval (Mdl);
%! assert (sort (CVMdl.Partition.fold), (0:4)');
%! assert (CVMdl.KFold, 4);
%! for given = {[1 2 2 1 1], [1 2 1 1], struct('fold', int8 ([1; 2; 1; 1])), logical([1 0 0 1 1])}
%!   CVMdl = knng.crossval (Mdl, 'CVPartition', given{1});
%!   assert (CVMdl.Partition.NumTestSets, 2 - islogical (given{1}));
%!   assert (CVMdl.Partition.fold, [1; 0; 2 * ~islogical(given{1}); 1; 1]);
%! end
%! again = knng.crossval (Mdl, 'CVPartition', CVMdl.Partition);
%! assert (isequal (again.Partition, CVMdl.Partition));
%! CVMdl = knng.crossval (Mdl, 'Leaveout', 'on');
%! assert (CVMdl.Partition.fold, [1; 0; 2; 3; 4]);

%!test  # what the help has in the place of MATLAB's Trained is the model that is asked
%! X = [mod((1:30)' * [0.37 0.71], 1); 0.3 + mod((1:30)' * [0.37 0.71], 1)];
%! CVMdl = knng.crossval (knng.fitcknn (X, 1 + ((1:60)' > 30), 'NumNeighbors', 3, 'Standardize', true), 'KFold', 4);
%! lines = regexp (get_help_text ('knng.crossval'), '(keep = [^\n]*;).*(Mdl_i = [^\n]*;)', 'tokens', 'once');
%! [label, score] = knng.kfoldPredict (CVMdl);
%! for i = 1:CVMdl.KFold
%!   eval (lines{1});
%!   eval (strrep (lines{2}, '...', '''NumNeighbors'', 3, ''Standardize'', true'));
%!   [l, s] = knng.predict (Mdl_i, X(! keep, :));
%!   assert (isequal ({l, s}, {label(! keep), score(! keep, :)}));
%! end
%!error id=knng:args:count knng.crossval ()
%!error id=knng:args:model knng.crossval (1)
%!error id=knng:args:partition knng.crossval (knng.fitcknn (1, 1))
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'KFold', 3)
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'KFold', 1)
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'KFold', 2, 'Leaveout', 'on')
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'Leaveout', 'yes')
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'Holdout', 1)
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'Holdout', 0.1)
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'CVPartition', [1 1])
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'CVPartition', [0 0])
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'CVPartition', [1 2 1])
%!error id=knng:args:partition knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'CVPartition', 'ab')
%!error id=knng:args:option knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'Seed', 0.5)
%!error id=knng:args:unknownOption knng.crossval (knng.fitcknn ([1; 2], [1 1]), 'Folds', 2)
