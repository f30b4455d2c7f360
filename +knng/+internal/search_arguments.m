function pairs = search_arguments (opt, args, metric_first)
%SEARCH_ARGUMENTS  The options of knngraph, knng.knnsearch and knng.estimate, as the gateway names them.
%   PAIRS = knng.internal.search_arguments (OPT, ARGS, METRIC_FIRST): the struct OPT has the options that the function has beside
%   those of every search; with METRIC_FIRST ARGS may begin with the metric. PAIRS has the names in full.

  persistent names engine heads metrics
  if (isempty (names))
    names = {'Distance', 'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress', 'Prune', 'TileSize', 'Target'};
    engine = cell2struct (cell (numel (names), 1), names, 1);
    heads = [names, {'Metric'}];
    metrics = knng.internal.search ('metrics');
    metrics = {metrics.name};
  end
  pairs = args;                                              % names in full, as programs give them: small searches do not wait
  if (metric_first && mod (numel (args), 2) && are_lines (args(1)) ...
      && (any (strcmp (args{1}, metrics)) || ~any (strncmpi ([heads, fieldnames(opt)'], args{1}, max (numel (args{1}), 1)))))
    pairs = [{'Distance'}, args];
  end
  if (~mod (numel (pairs), 2) && are_lines (pairs(1:2:end)) ...
      && all (isfield (engine, pairs(1:2:end)) | isfield (opt, pairs(1:2:end))))
    doubt_least (pairs);
    return
  end
  for i = 1:numel (names)
    opt.(names{i}) = [];
  end
  if (metric_first)
    args = knng.internal.metric_first (opt, args);
  end
  [~, pairs] = knng.internal.options (opt, args);
  doubt_least (pairs);
end

function doubt_least (pairs)
  % A warning where correlations may be of two columns: by these, rows with next to no values are near all others.
  names = pairs(1:2:end);
  if (~any (strcmp (names, 'MinValid')) || ~any (strcmp (names, 'Rows')) || ~any (strcmp (names, 'Distance')) || ...
      any (strcmp (names, 'Calibrate')))
    return
  end
  value = @(name) pairs{2 * find(strcmp (names, name), 1, 'last')};
  least = value ('MinValid');
  if (~isnumeric (least) || numel (least) ~= 1 || ~any (least == [1 2]) || ~knng.internal.is_one_of (value ('Rows'), {'pairwise'}))
    return
  end
  metric = value ('Distance');
  try
    doubtful = knng.internal.correlation_sign (knng.internal.metric (metric)) ~= 0;
  catch                                                      % which core/ says better
    doubtful = false;
  end
  if (doubtful)
    warning ('knng:data:twoColumns', ['''MinValid'' is %d: over two columns ''%s'' is 1, -1 or none, whatever they are, so that rows with ' ...
             'next to no values come near to all others; give 3 or more, or another metric'], least, metric);
  end
end

function yes = are_lines (names)
  % whether all are texts in one row
  yes = iscellstr (names) && all (cellfun ('size', names, 1) == 1) && all (cellfun ('ndims', names) == 2);
end

%!assert (knng.internal.search_arguments (struct (), {'pearson', 'Threads', 2}, true), {'Distance', 'pearson', 'Threads', 2})
%!warning <'MinValid' is 2: over two columns 'corr' is 1, -1> knng.internal.search_arguments (struct ('Rows', '', 'MinValid', []), {'corr', 'minv', 2, 'rows', 'Pairwise'}, true);
%!warning <'MinValid' is 1: over two columns 'spearman'> knng.internal.search_arguments (struct ('Rows', '', 'MinValid', []), {'Distance', 'spearman', 'Rows', 'pairwise', 'MinValid', 1}, false);
%!test  # of these there is none
%! f = @(varargin) knng.internal.search_arguments (struct ('Rows', '', 'MinValid', []), varargin, true);
%! lastwarn ('', '');
%! f ('corr', 'MinValid', 3, 'Rows', 'pairwise');
%! f ('cosine', 'MinValid', 2, 'Rows', 'pairwise');
%! f ('corr', 'MinValid', 2, 'MinValid', 3, 'Rows', 'pairwise');
%! f ('corr', 'MinValid', 2, 'Rows', 'all');
%! f ('corr', 'MinValid', 2);
%! f ('MinValid', 2, 'Rows', 'pairwise');
%! f ('corr', 'MinValid', 'two', 'Rows', 'pairwise');
%! f ({}, 'MinValid', 2, 'Rows', 'pairwise');
%! assert (lastwarn (), '');
%!assert (knng.internal.search_arguments (struct (), {'pearson', 'thr', 2}, true), {'Distance', 'pearson', 'Threads', 2})
%!assert (knng.internal.search_arguments (struct ('Class', ''), {'cosine', 'cl', 2}, true), {'Distance', 'cosine', 'Class', 2})
%!error <the option 'thr' has no value> knng.internal.search_arguments (struct (), {'thr'}, true)
%!error <the option 'metric' has no value> knng.internal.search_arguments (struct (), {'metric'}, true)
%!error <no option 'co'> knng.internal.search_arguments (struct (), {'Threads', 2, 'co', 1}, true)
%!error <2-by-7 char stands where the name> knng.internal.search_arguments (struct (), {['Threads'; 'Threads'], 1}, true)
%!error <1-by-6-by-2 char stands where the name> knng.internal.search_arguments (struct (), {cat(3, 'Target', 'Target'), 1}, true)
%!assert (knng.internal.search_arguments (struct (), {['pear'; 'pear']}, true), {'Distance', ['pear'; 'pear']})
%!assert (knng.internal.search_arguments (struct (), {7, 'Threads', 1}, true), {'Distance', 7, 'Threads', 1})
