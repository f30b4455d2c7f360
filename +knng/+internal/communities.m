function [c, quality] = communities (method, graph, opt, varargin)
%COMMUNITIES  What knng.leiden and knng.louvain share.
%  [c, quality] = knng.internal.communities (METHOD, GRAPH, OPT, ...) runs METHOD (A, SEED, ...), a gateway, on GRAPH, {A} or
%  {idx, dist}. OPT has the fields Weight, Metric, Seed and Threads (a cell, as of knng.internal.engine); what follows is for the method.

  knng.internal.built ();
  values = [{opt.Seed}, varargin];
  method (sparse (0, 0), values{:});                         % a wrong option ends here, before the work
  [c, quality] = method (knng.internal.weighted (graph, opt.Weight, opt.Metric, opt.Threads), values{:});
  n = numel (c);
  if (n > 0)                                                 % number by size, of equal ones by the first row
    first = accumarray (c, (1:n)', [], @min);
    [~, order] = sortrows ([-accumarray(c, 1), first]);
    number(order) = 1:numel (order);
    c = reshape (number(c), n, 1);
  end
end
