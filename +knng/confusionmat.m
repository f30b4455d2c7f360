function [C, order] = confusionmat (known, predicted, varargin)
%KNNG.CONFUSIONMAT  How often each class was called what.
%   C = knng.confusionmat (known, predicted) compares n labels with what they
%   were predicted to be: the c-by-c matrix C counts in C(i,j) those that are of
%   class i and were called j. The diagonal is what is right.
%   [C, order] = knng.confusionmat (known, predicted) also returns the c
%   classes, in the order of the rows and columns of C: those of known and
%   predicted together, sorted.
%   [...] = knng.confusionmat (..., 'Order', order) chooses them.
%
%   Options:
%
%     'Order'  the classes in the order that you want, each once; what is of
%              others is not counted; by default all, sorted
%
%   Labels are those of knng.fitcknn: numbers, logicals, a cell of texts, or a
%   char matrix (categorical and string arrays where they exist), both of one
%   kind. Where one of the two is missing (NaN, '', blanks), as knng.predict
%   leaves rows without neighbours, the pair is not counted: the sum of C says
%   how many were. Arguments and counts are those of MATLAB's confusionmat,
%   whose 'Order' has to have all classes.
%
%   Cost: O(n*log (n)); memory 8 bytes for each pair of classes.
%
%   Errors: knng:args:labels if they are no labels, of two kinds or not as many,
%   or have over 5000 classes; knng:args:classNames for 'Order';
%   knng:args:count, :unknownOption, :option.
%
%   Source: R. Kohavi, F. Provost, Machine Learning 30 (1998) 271-274.
%
%   Example:
%     X = [1; 2; 3; 10; 11; 12];
%     Y = {'a'; 'a'; 'b'; 'b'; 'b'; 'b'};
%     CV = knng.crossval (knng.fitcknn (X, Y), 'Leaveout', 'on');
%     [C, order] = knng.confusionmat (Y, knng.kfoldPredict (CV))
%     % C is [2 0; 1 3], order {'a'; 'b'}
%
%   See also knng.rocmetrics, knng.predict, knng.kfoldPredict, knng.fitcknn.

  if (nargin < 2)
    error ('knng:args:count', ['knng.confusionmat needs labels and their predictions, as in knng.confusionmat (Y, knng.predict (Mdl, X)): ' ...
           'see help knng.confusionmat']);
  end
  opt = knng.internal.options (struct ('Order', []), varargin);
  [i, names] = knng.internal.label_codes (known);
  [j, others] = knng.internal.label_codes (predicted);
  if (numel (i) ~= numel (j))
    error ('knng:args:labels', '%s and %s: give one for each', knng.internal.there_are (numel (i), 'label'), ...
           knng.internal.count_of (numel (j), 'prediction'));
  end
  if (isempty (opt.Order) && isnumeric (opt.Order))
    order = all_names (names, others, known);
  else
    order = knng.internal.classes_in_order ('Order', opt.Order);
    if (isnumeric (order))                                   % whole numbers of another class are the same classes
      order = double (order);
    end
  end
  classes = size (order, 1);
  if (classes > 5000)
    error ('knng:args:labels', 'there are %d different labels: numbers that are measured are no classes', classes);
  end
  i = knng.internal.label_codes (known, order);
  j = knng.internal.label_codes (predicted, order);
  both = i > 0 & j > 0;
  C = accumarray ([i(both), j(both)], 1, [classes, classes]);
end

function order = all_names (names, others, known)
% The classes of both, sorted, of the kind of the labels.
  if (ischar (names) ~= ischar (others) || iscell (names) ~= iscell (others))
    error ('knng:args:labels', 'the labels are of class %s, their predictions of class %s: give both the same kind', class (names), class (others));
  end
  if (ischar (names))
    texts = [cellstr(names); cellstr(others)];
    order = char (unique (texts(~cellfun ('isempty', texts))));
  elseif (iscell (names) || strcmp (class (names), class (others)))
    order = unique ([names(:); others(:)]);
  else
    order = unique ([double(names(:)); double(others(:))]);
  end
end

%!test <*1>
%! Y = {'a'; 'a'; 'b'; 'b'; 'b'; 'b'};
%! Mdl = knng.crossval (knng.fitcknn ([1; 2; 3; 10; 11; 12], Y), 'Leaveout', 'on');
%! [C, order] = knng.confusionmat (Y, knng.kfoldPredict (Mdl));
%! assert (C, [2 0; 1 3]);
%! assert (order, {'a'; 'b'});

%!test  # what confusion_matrix of scikit-learn 1.9.1 gives
%! C = knng.confusionmat ([1 2 3 1 2 3 1 1 2 3 3 2], [1 2 2 1 2 3 3 1 2 3 1 1]);
%! assert (C, [3 0 1; 1 3 0; 1 1 2]);

%!test  # every kind of labels, missing ones, classes of one side alone, an order
%! known = [1 2 2 3 NaN 1 5];
%! predicted = [1 2 3 3 1 NaN 2];
%! want = [1 0 0 0; 0 1 1 0; 0 0 1 0; 0 1 0 0];
%! [C, order] = knng.confusionmat (known, predicted');
%! assert (C, want);
%! assert (order, [1 2 3 5]');
%! text = @(v) arrayfun (@(t) char (96 + t(! isnan (t))), v, 'UniformOutput', false);
%! [C, order] = knng.confusionmat (text (known), text (predicted));
%! assert (C, want);
%! assert (order, {'a'; 'b'; 'c'; 'e'});
%! [C, order] = knng.confusionmat (char (text (known)), char (text (predicted)));
%! assert (C, want);
%! assert (order, ['a'; 'b'; 'c'; 'e']);
%! [C, order] = knng.confusionmat (int8 ([1 2 2 3 5]), [1 2 3 3 2]);
%! assert (C, want);
%! assert (class (order), 'double');
%! [C, order] = knng.confusionmat ([true false true], [false false true]);
%! assert ({C, order}, {[1 0; 1 1], [false; true]});
%! [C, order] = knng.confusionmat (known, predicted, 'Order', [3 2]);
%! assert ({C, order}, {[1 0; 1 1], [3; 2]});
%! [C, order] = knng.confusionmat ([], []);
%! assert ({size(C), numel(order)}, {[0 0], 0});

%!error id=knng:args:count knng.confusionmat (1)
%!error id=knng:args:labels knng.confusionmat ([1 2], 1)
%!error id=knng:args:labels knng.confusionmat ([1 2], {'a', 'b'})
%!error id=knng:args:labels knng.confusionmat (1:5001, 1:5001)
%!error id=knng:args:classNames knng.confusionmat (1, 1, 'Order', [2 2])
%!error id=knng:args:unknownOption knng.confusionmat (1, 1, 'Sort', 1)
