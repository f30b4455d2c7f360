function pairs = search_arguments (opt, args, metric_first)
%SEARCH_ARGUMENTS  The options of knngraph, knng.knnsearch and knng.estimate, as the gateway names them.
%   PAIRS = knng.internal.search_arguments (OPT, ARGS, METRIC_FIRST): the struct OPT has the options that the function has beside
%   those of every search; with METRIC_FIRST ARGS may begin with the metric. PAIRS has the names in full.

  engine = {'Distance', 'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads', 'Progress', 'TileSize', 'Target'};
  for i = 1:numel (engine)
    opt.(engine{i}) = [];
  end
  if (metric_first)
    args = knng.internal.metric_first (opt, args);
  end
  [~, pairs] = knng.internal.options (opt, args);
end
