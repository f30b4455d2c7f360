function name = metric_among (value, values, own)
%METRIC_AMONG  As knng.internal.metric, of the option 'Distance' of a function that takes the cell VALUES, of which the cell OWN are no metrics of
%   knngraph: where one of these was meant, the error says so, and names VALUES.

  try
    name = knng.internal.metric (value);
  catch err
    near = {};
    if (strcmp (err.identifier, 'knng:args:metric') && ischar (value) && ndims (value) == 2 && size (value, 1) == 1 && numel (value) < 100)
      near = knng.internal.similar_names (values, value);
    end
    if (isempty (near) || ~any (strcmp (near{1}, own)))
      rethrow (err);
    end
    list = sprintf (', ''%s''', values{1:end-1});
    error ('knng:args:metric', '''Distance'' is %s%s: it must be %s or ''%s''', knng.internal.given (value), knng.internal.meant (near), ...
           list(3:end), values{end});
  end
end

%!shared all
%! all = {'cosine', 'euclidean', 'seuclidean', 'hamming'};
%!assert (knng.internal.metric_among ('Corr', all, all(3:4)), 'pearson')
%!error <^'Distance' is 'hammming' \(did you mean 'hamming'\?\): it must be 'cosine', 'euclidean', 'seuclidean' or 'hamming'$> knng.internal.metric_among ('hammming', all, all(3:4))
%!error <^'Distance' is 'seuclidan' \(did you mean 'seuclidean'\?\)> knng.internal.metric_among ('seuclidan', all, all(3:4))
%!error <^there is no metric 'euclidan' \(did you mean 'euclidean'\?\); the> knng.internal.metric_among ('euclidan', all, all(3:4))
%!error id=knng:args:metric knng.internal.metric_among (5, all, all(3:4))
%!error id=knng:args:metric knng.internal.metric_among ('co', all, all(3:4))
