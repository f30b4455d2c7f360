function [graph, opt, how] = points_or_graph (form, opt, args, also)
%POINTS_OR_GRAPH  The arguments of a function that takes points, X, or a graph, and then options.
%   [GRAPH, opt, HOW] = knng.internal.points_or_graph (FORM, OPT, ARGS): GRAPH is as of knng.internal.graph_arguments, {} for
%   points. The struct OPT has the options of the function's own; it gets 'Distance' and those of every search, of which HOW
%   are the given ones, as {'Name', value, ...}. With a graph nothing is searched: of these 'Threads' alone is taken, and those
%   in the cell ALSO.

  if (nargin < 4)
    also = {};
  end
  [graph, rest] = knng.internal.graph_arguments (form, args, 'points');
  knng.internal.built ();
  if (isempty (graph))
    knng.internal.doubt_lists (rest{1}, sprintf ('if they are lists, give their distances with them, %s', ...
                                                 strrep (form, 'GRAPH', 'idx, dist')));
    rest(1) = [];
  else
    refuse_points (form, graph);
  end
  engine = knng.internal.engine ();
  opt.Distance = 'euclidean';
  for name = fieldnames (engine)'
    opt.(name{1}) = [];
  end
  [opt, given] = knng.internal.options (opt, rest);
  how = knng.internal.engine (given);
  opt.Distance = knng.internal.metric (opt.Distance);
  for i = 1:2:numel (given)
    if (~isempty (graph) && ~any (strcmp (given{i}, [{'Threads'}, also])) && (isfield (engine, given{i}) || strcmp (given{i}, 'Distance')))
      error ('knng:args:option', '''%s'' is for points: a graph has its distances, and nothing is searched; leave it out', given{i});
    end
  end
end

function refuse_points (form, graph)
% An error where points stand in the place of idx: what comes behind them is no name of an option.
  idx = graph{1};
  if (numel (graph) == 1 || isempty (idx) || all (idx(:) == fix (idx(:))))
    return
  end
  at = find (idx ~= fix (idx), 1);
  [i, j] = ind2sub (size (idx), at);
  error ('knng:args:idx', ['what comes first has %g at (%d,%d), so it is no idx, and %s stands behind it: of points, X, only options ' ...
         'do, as ''Name'', value; a graph is %s'], idx(at), i, j, knng.internal.given (graph{2}), strrep (form, 'GRAPH', 'idx, dist'));
end
