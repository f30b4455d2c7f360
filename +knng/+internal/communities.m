function [c, quality, density] = communities (method, graph, opt, varargin)
%COMMUNITIES  What knng.leiden and knng.louvain share.
%  [c, quality] = knng.internal.communities (METHOD, GRAPH, OPT, ...) runs METHOD (A, SEED, ...), a gateway, on GRAPH, {A} or
%  {idx, dist}. DENSITY is the mean weight over all pairs of points. OPT has the fields Weight, Metric, Seed and Threads (a cell, as of knng.internal.engine); what follows is for the method.

  knng.internal.built ();
  values = [{opt.Seed}, varargin];
  method (sparse (0, 0), values{:});                         % a wrong option ends here, before the work
  W = knng.internal.weighted (graph, opt.Weight, opt.Metric, opt.Threads);
  [c, quality] = method (W, values{:});
  n = numel (c);
  if (nargout > 2)
    density = full (sum (W(:)) - sum (diag (W))) / max (n * (n - 1), 1);
  end
  if (n > 0)                                                 % number by size, of equal ones by the first row
    first = accumarray (c, (1:n)', [], @min);
    [~, order] = sortrows ([-accumarray(c, 1), first]);
    number(order) = 1:numel (order);
    c = reshape (number(c), n, 1);
    warn_alone (W, c);
  end
end

function warn_alone (W, c)
% Of points without edges, or with those of weight 0 alone (stored as realmin), which would pass for so many clusters.
  size_of = accumarray (c, 1);
  single = find (size_of(c) == 1);
  joined = have_edges (W, single, realmin);
  listed = have_edges (W, single, 0);
  nought = sum (listed & ~joined);
  if (nought > 0)
    words = {'each of them is', 'is'};
    warning ('knng:graph:disconnected', ['%s edges of weight 0 alone, and %s a cluster of its own: the weights ''jaccard'' and ''snn'' are 0 where two ' ...
             'points have no neighbour in common, as with a small k; take a larger k, or the weight ''binary'''], ...
             knng.internal.share_of (nought, numel (c), 'point', 'has', 'have'), words{1 + (nought == 1)});
  end
  alone = sum (~joined & ~listed);
  if (alone > 0)
    words = {'each of them is', 'them', 'their rows miss', 'them'; 'is', 'it', 'its row misses', 'it'};
    warning ('knng:graph:disconnected', ['%s no edges, and %s a cluster of its own: leave %s out; if %s values, ''Rows'', ''pairwise'' of knngraph ' ...
             'joins %s, or knng.impute fills in what is missing'], knng.internal.share_of (alone, numel (c), 'point', 'has', 'have'), ...
             words{1 + (alone == 1), :});
  end
end

function yes = have_edges (W, of, above)
% Whether the points OF have an edge of a weight above this, other than to themselves.
  loops = full (diag (W));
  loops = loops(of) > above;
  yes = full (sum (W(:, of) > above, 1))' > loops | full (sum (W(of, :) > above, 2)) > loops;
end
