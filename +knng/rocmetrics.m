function r = rocmetrics (Y, scores, names, varargin)
%KNNG.ROCMETRICS  How well scores tell classes apart: ROC curves.
%   r = knng.rocmetrics (Y, scores, names) takes n labels, the n-by-C scores of
%   [~, scores] = knng.predict (...) or knng.kfoldPredict, and the C classes of
%   their columns, Mdl.ClassNames. For each class it asks how well the scores
%   part its rows from all others, whatever the threshold.
%   r = knng.rocmetrics (Y, scores, name) takes n-by-1 scores, of one class: the
%   larger, the likelier it is.
%
%   Fields of r:
%
%     ClassNames  the C classes
%     AUC         1-by-C, the area under each curve: how likely a row of the
%                 class has a larger score than one of the others, of equal ones
%                 half. 1 is perfect, 0.5 chance; NaN for a class that all or
%                 none have
%     Curves      1-by-C struct array of the curves, from (0, 0) to (1, 1):
%         Threshold          descending: who scores that much or more is called
%                            positive. Inf first
%         FalsePositiveRate  the share of the others that are, the curve's x
%         TruePositiveRate   the share of the class that are, its y
%     NumObservations  how many rows were counted: those with a label and scores
%                 (no NaN)
%
%   Of several classes the score of one is what it has more than the largest of
%   the others, as in MATLAB's rocmetrics, whose arguments these are. It has
%   none of its options, such as 'AdditionalMetrics', 'Weights' and
%   'NumBootstraps', and none of its methods, such as average and addMetrics: r
%   is a plain struct, and plot draws its curves, as below.
%
%   Cost: O(n*log (n)) a class; memory some 10 numbers a row.
%
%   Errors: knng:args:labels if Y is no list of labels, not one for each row of
%   scores, or of another kind than names; knng:args:scores;
%   knng:args:classNames; knng:args:unknownOption, :count.
%
%   Source: T. Fawcett, Pattern Recognition Letters 27 (2006) 861-874.
%
%   Example:
%     X = [1 2 3 5 4 8 9 10]';
%     Y = {'a' 'a' 'a' 'a' 'b' 'b' 'b' 'b'};
%     CV = knng.crossval (knng.fitcknn (X, Y, 'K', 3), 'Leaveout', 'on');
%     [~, scores] = knng.kfoldPredict (CV);
%     r = knng.rocmetrics (Y, scores, CV.ClassNames);
%     r.AUC                                % 0.75 0.75
%     plot (r.Curves(1).FalsePositiveRate, r.Curves(1).TruePositiveRate)
%
%   See also knng.confusionmat, knng.predict, knng.kfoldPredict, knng.loss.

  if (nargin > 3)
    error ('knng:args:unknownOption', ['knng.rocmetrics has no options, and %s stands where one would: leave it out; accuracy and the like come ' ...
           'from the counts of knng.confusionmat'], knng.internal.given (varargin{1}));
  elseif (nargin < 3)
    error ('knng:args:count', ['knng.rocmetrics needs labels, scores and the classes of their columns, as in ' ...
           'knng.rocmetrics (Y, scores, Mdl.ClassNames): see help knng.rocmetrics']);
  end
  if (~isfloat (scores) || ~isreal (scores) || issparse (scores) || ndims (scores) ~= 2 || isempty (scores))
    error ('knng:args:scores', 'scores is %s: it must be a full matrix of numbers, a row for each label and a column for each class', ...
           knng.internal.given (scores));
  end
  names = knng.internal.classes_in_order ('names', names);
  C = size (names, 1);
  code = reshape (knng.internal.label_codes (Y, names), [], 1);
  [n, columns] = size (scores);
  if (columns ~= C)
    error ('knng:args:classNames', '%s for the %s of scores: give one for each, as in Mdl.ClassNames', ...
           knng.internal.there_are (C, 'class', 'classes'), knng.internal.count_of (columns, 'column'));
  elseif (numel (code) ~= n)
    error ('knng:args:labels', '%s for the %s of scores: give one for each', knng.internal.there_are (numel (code), 'label'), ...
           knng.internal.count_of (n, 'row'));
  end
  counted = code ~= 0 & ~any (isnan (scores), 2);
  [code, scores] = deal (code(counted), double (scores(counted, :)));
  r.ClassNames = names;
  r.AUC = NaN (1, C);
  r.Curves = repmat (struct ('Threshold', [], 'FalsePositiveRate', [], 'TruePositiveRate', []), 1, C);
  for c = 1:C
    s = scores(:, c);
    if (C > 1)
      s = s - max (scores(:, [1:c-1, c+1:C]), [], 2);
    end
    s(isnan (s)) = 0;                                        % Inf less Inf: as much as the others
    [r.Curves(c), r.AUC(c)] = curve (s, code == c);
  end
  r.NumObservations = numel (code);
end

function [one, area] = curve (s, is)
% The share of either kind among those whose score is the threshold or more, at every threshold there is.
  [s, order] = sort (s, 'descend');
  is = is(order);
  last = find ([s(1:end-1) ~= s(2:end); true(min (numel (s), 1), 1)]);   % a difference of infinite ones is NaN
  one.Threshold = [Inf; s(last)];
  [yes, no] = deal (cumsum (is), cumsum (~is));
  [yes, no] = deal ([0; yes(last)], [0; no(last)]);
  one.FalsePositiveRate = no / max (no(end), 1);
  one.TruePositiveRate = yes / max (yes(end), 1);
  area = sum (diff (no) .* (yes(1:end-1) + yes(2:end))) / 2 / (no(end) * yes(end));
end

%!test <*1>
%! X = [1 2 3 5 4 8 9 10]';
%! Y = {'a' 'a' 'a' 'a' 'b' 'b' 'b' 'b'};
%! CV = knng.crossval (knng.fitcknn (X, Y, 'K', 3), 'Leaveout', 'on');
%! [~, scores] = knng.kfoldPredict (CV);
%! r = knng.rocmetrics (Y, scores, CV.ClassNames);
%! assert (r.AUC, [0.75 0.75]);

%!test  # what roc_curve and roc_auc_score of scikit-learn 1.9.1 give
%! r = knng.rocmetrics ([1 2 3 1 2 3 1 1 2 3 3 2] == 1, [0.9 0.2 0.2 0.8 0.1 0.3 0.55 0.8 0.4 0.1 0.7 0.55]', true);
%! assert (r.AUC, 0.953125, 1e-15);
%! assert (r.Curves.Threshold', [Inf 0.9 0.8 0.7 0.55 0.4 0.3 0.2 0.1]);
%! assert (r.Curves.FalsePositiveRate', [0 0 0 0.125 0.25 0.375 0.5 0.75 1]);
%! assert (r.Curves.TruePositiveRate', [0 0.25 0.75 0.75 1 1 1 1 1]);

%!test  # the area is the share of pairs, the curve that of plain counts; ties, missing ones, classes in any order
%! n = 60;
%! Y = mod ((1:n)' * 7, 3);
%! Y(4) = NaN;
%! S = round (10 * mod ((1:n)' * [0.37 0.71 0.13] + [Y == 2, Y == 0, Y == 1] * 0.4, 1)) / 10;
%! S(9, 2) = NaN;
%! r = knng.rocmetrics (Y, S, [2 0 1]);
%! ok = ! isnan (Y) & ! any (isnan (S), 2);
%! assert (r.NumObservations, 58);
%! assert (r.ClassNames, [2 0 1]');
%! for c = 1:3
%!   s = S(:, c) - max (S(:, setdiff (1:3, c)), [], 2);
%!   is = Y == r.ClassNames(c);
%!   [a, b] = deal (s(ok & is), s(ok & ! is));
%!   assert (r.AUC(c), mean (mean ((a > b') + (a == b') / 2)), 1e-14);
%!   o = r.Curves(c);
%!   assert (o.Threshold, [Inf; flipud(unique (s(ok)))]);
%!   assert (o.TruePositiveRate, arrayfun (@(t) mean (a >= t), o.Threshold), 1e-15);
%!   assert (o.FalsePositiveRate, arrayfun (@(t) mean (b >= t), o.Threshold), 1e-15);
%! end

%!test  # one class, none of it, infinite scores, texts
%! r = knng.rocmetrics ([1 1 0 0], single ([0.9 0.4 0.4 0.1]'), 1);
%! assert (r.AUC, 0.875);
%! assert (r.Curves.Threshold, double (single ([Inf 0.9 0.4 0.1]')));
%! assert (isnan (getfield (knng.rocmetrics ([1 1], [2; 3], 1), 'AUC')));
%! r = knng.rocmetrics ({'x', 'y', ''}, [Inf -Inf; -Inf Inf; 0 0], {'x', 'y'});
%! assert (r.AUC, [1 1]);
%! assert (getfield (knng.rocmetrics ([1 2], [Inf Inf; Inf Inf], [1 2]), 'AUC'), [0.5 0.5]);
%! for Y = [1 2 1 2; 2 1 1 2]'
%!   assert (getfield (knng.rocmetrics (Y, [-Inf; -Inf; 0; -1], 1), 'AUC'), 0.625);
%! end

%!error <^knng.rocmetrics has no options, and 'Weights' stands where one would: leave it out; > knng.rocmetrics ([1 2 1], [1 2 3]', 2, 'Weights', 1:3)
%!error id=knng:args:count knng.rocmetrics ([1 2], [1 2])
%!error id=knng:args:labels knng.rocmetrics ([1 2], [1; 2; 3], 1)
%!error id=knng:args:labels knng.rocmetrics ({'a'}, 1, 1)
%!error id=knng:args:classNames knng.rocmetrics ([1 2], [1 2; 3 4], 1)
%!error id=knng:args:classNames knng.rocmetrics ([1 2], [1 2; 3 4], [1 1])
%!error id=knng:args:scores knng.rocmetrics ([1 2], {1}, 1)
%!error id=knng:args:scores knng.rocmetrics ([], [], 1)
