function name = metric (name)
%METRIC  The first name that core/search/metric.c has for a metric, of any of its names or a beginning; knng:args:metric for no metric.

  name = knng.internal.search ('metric', name);
end

%!assert (knng.internal.metric ('Corr'), 'pearson')
%!assert (knng.internal.metric ('squaredeuclidean'), 'sqeuclidean')
%!error <^there is no metric 'l2' \(did you mean 'euclidean'> knng.internal.metric ('l2')
%!error id=knng:args:metric knng.internal.metric (5)
%!error id=knng:args:metric knng.internal.metric ('co')
%!error id=knng:args:metric knng.internal.metric ('')
