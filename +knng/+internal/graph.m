function [A, rest] = graph (form, args, given)
%GRAPH  The graph at the head of the arguments of a public function as distances, and what comes behind it.
%   [A, REST] = knng.internal.graph (FORM, ARGS), as of knng.internal.graph_arguments: A is n-by-n, sparse; its distances are 0
%   or more, 0 as realmin. knng.internal.graph (FORM, ARGS, GIVEN): of the options GIVEN, {'Name', value, ...}, 'Threads' is taken.

  [graph, rest] = knng.internal.graph_arguments (form, args);
  threads = {};
  if (nargin > 2)
    threads = knng.internal.engine (given, {'Threads'});
  end
  A = knng.adjacency (graph{:}, threads{:});
  if (size (A, 1) ~= size (A, 2))
    error ('knng:args:class', 'A is %d-by-%d: it must be square, as knngraph returns it', size (A, 1), size (A, 2));
  end
end
