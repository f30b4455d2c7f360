function pairs = metric_first (opt, args)
%METRIC_FIRST  Arguments before whose options a metric may stand, as options: {'cosine', ...} becomes {'Distance', 'cosine', ...}.
%   The first is the metric if it is the odd one out and does not name an option of the struct OPT, or if it is a metric.

  pairs = args;
  if (isempty (args))
    return
  end
  text = ischar (args{1}) && ndims (args{1}) == 2 && size (args{1}, 1) == 1;
  if (text && isfield (opt, args{1}))
    return
  elseif (text)
    [name, several] = knng.internal.option_name (opt, args{1});
    if (~isempty (name))
      return
    end
  end
  is_metric = mod (numel (args), 2) == 1;
  if (~is_metric && text && isempty (several))
    try
      knng.internal.metric (args{1});
      is_metric = true;
    catch
    end
  end
  if (is_metric)
    pairs = [{'Distance'}, args];
  end
end

%!shared opt
%! opt = struct ('Distance', '', 'Threads', 1, 'Progress', '');
%!assert (knng.internal.metric_first (opt, {}), {})
%!assert (knng.internal.metric_first (opt, {'p', 'thr', 2}), {'Distance', 'p', 'thr', 2})
%!assert (knng.internal.metric_first (opt, {7}), {'Distance', 7})
%!assert (knng.internal.metric_first (opt, {'thr'}), {'thr'})
%!assert (knng.internal.metric_first (opt, {'pearson', 'Threads'}), {'Distance', 'pearson', 'Threads'})
%!assert (knng.internal.metric_first (opt, {'Treads', 2}), {'Treads', 2})
%!assert (knng.internal.metric_first (opt, {'pr', 'on'}), {'pr', 'on'})
