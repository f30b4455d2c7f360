function name = metric_by_name (name, note)
%METRIC_BY_NAME  As knng.internal.metric; where a function handle stands in the place of a name, NOTE follows in the message.

  try
    name = knng.internal.metric (name);
  catch err
    if (~isa (name, 'function_handle'))
      rethrow (err);
    end
    error ('knng:args:metric', '%s; %s', err.message, note);
  end
end

%!assert (knng.internal.metric_by_name ('Corr', 'x'), 'pearson')
%!error <^the metric is a 1-by-1 function_handle: .* a matrix; give a name$> knng.internal.metric_by_name (@sin, 'give a name')
%!error <^there is no metric 'l2'.*> knng.internal.metric_by_name ('l2', 'give a name')
%!error id=knng:args:metric knng.internal.metric_by_name ({}, 'give a name')
