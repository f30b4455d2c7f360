function [A, rest] = graph (name, example, args)
%GRAPH  The graph at the head of the arguments of a public function, and what comes behind it.
%  [A, rest] = knng.internal.graph (NAME, EXAMPLE, args) takes args{1}, a sparse matrix, or the tables args{1}, args{2},
%  and returns the n-by-n sparse matrix A of its distances: 0 or more, 0 as realmin. NAME is that of the function,
%  EXAMPLE what follows the graph in a call of it, such as ', 2', for messages.

  first = numel (args) > 0 && issparse (args{1});
  if (numel (args) < 2 - first)
    error ('knng:args:count', '%s needs a graph, as in %s (A%s) with a sparse A or %s (idx, dist%s): see help %s', name, name, example, ...
           name, example, name);
  end
  A = knng.adjacency (args{1:2-first});
  if (size (A, 1) ~= size (A, 2))
    error ('knng:args:class', 'A is %d-by-%d: it must be square, as knngraph returns it', size (A, 1), size (A, 2));
  end
  rest = args(3-first:end);
end
