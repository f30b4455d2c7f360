function how = knn_rows (parameters, d, metric)
%KNN_ROWS  What becomes of missing values in the searches that a function makes, as options of knng.knnsearch.
%   HOW is {} or {'Rows', 'pairwise', ...}, from the fields Rows and MinValid of the struct PARAMETERS, for rows of D columns
%   and a metric. Wrong ones are an error, knng:args:option or knng:args:metric. A model that was saved before there were such
%   fields has none.

  how = {};
  if (~isfield (parameters, 'Rows'))
    return
  end
  rows = knng.internal.check_choice ('Rows', parameters.Rows, {'all', 'complete', 'pairwise'});
  if (strcmp (rows, 'complete'))
    error ('knng:args:option', ['''Rows'' is ''complete'', which is for knngraph and knng.knnsearch: leave columns with NaN out of X, ' ...
           'keep = ~any (isnan (X)), X(:, keep), and out of rows to come, or give ''Rows'', ''pairwise''']);
  end
  if (strcmp (rows, 'pairwise'))
    how = {'Rows', 'pairwise'};
  end
  if (~isempty (parameters.MinValid))
    how = [how, {'MinValid', parameters.MinValid}];
  end
  if (~isempty (how))                                        % core/ says what is wrong
    knng.internal.search ('plan', 1, d, 1, 'Distance', metric, 'Device', 'cpu', how{:}, 'Calibrate', false);
  end
end

%!assert (knng.internal.knn_rows (struct ('Prior', 1, 'Seed', 0), 3, 'euclidean'), {})
%!assert (knng.internal.knn_rows (struct ('Rows', 'All', 'MinValid', []), 3, 'chebychev'), {})
%!assert (knng.internal.knn_rows (struct ('Rows', 'pairwise', 'MinValid', 2), 3, 'cosine'), {'Rows', 'pairwise', 'MinValid', 2})
%!error <X\(:, keep\), and out> knng.internal.knn_rows (struct ('Rows', 'complete', 'MinValid', []), 3, 'cosine')
%!error id=knng:args:option knng.internal.knn_rows (struct ('Rows', 'all', 'MinValid', 2), 3, 'cosine')
%!error id=knng:args:option knng.internal.knn_rows (struct ('Rows', 'pairwise', 'MinValid', 4), 3, 'cosine')
%!error id=knng:args:metric knng.internal.knn_rows (struct ('Rows', 'pairwise', 'MinValid', []), 3, 'chebychev')
