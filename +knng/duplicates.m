function [group, first, count] = duplicates (X, varargin)
%KNNG.DUPLICATES  Which rows of a matrix are the same.
%   group = knng.duplicates (X) numbers the different rows of the n-by-d matrix
%   X in the order in which they first appear: group(i) == group(j) if rows i
%   and j are equal, element by element.
%   [group, first, count] = knng.duplicates (X) also returns the first row of
%   each group and how many rows it has: X(first,:) are the different rows, find
%   (count(group) > 1) the rows that have a copy, isequal (X(first(group),:),
%   X).
%   [...] = knng.duplicates (X, metric) finds the rows that this metric of
%   knngraph cannot tell apart, since what it measures of them is the same, to
%   the last bit.
%   [...] = knng.duplicates (..., 'Name', value, ...) takes options.
%
%   A duplicate is a neighbour at distance 0, before all others, and a gene or
%   cell that stands in the data k times over has no other neighbours. So look
%   at duplicates before a graph is made.
%
%   With 'spearman' rows of the same ranks are the same; with 'pearson' and
%   'cosine' rows that differ by a power of two as a factor, other multiples
%   only if their rounding allows. They have the same distances to everything.
%   (So have a row and its negative with 'abspearson', which are in two groups
%   all the same.)
%
%   group, first and count are columns. 0 and -0 are equal. A row that has no
%   distances (see knngraph) is alone in its group; without a metric these are
%   the rows with NaN or Inf.
%
%   Options:
%
%     'Distance'  the metric, if it is not the second argument, default
%                 'euclidean'; 'Metric' is the same
%     'Threads'   processor threads, default: all
%
%   Cost: O(n*d), about a second for n = 1e6, d = 41; memory 40 bytes a row.
%   Ctrl-C stops it.
%
%   Errors: as knngraph for X and metric (knng:args:class, :sparse, :complex,
%   :dims, :empty, :rows, :metric); knng:args:option, :unknownOption, :count;
%   knng:memory:host; knng:interrupted.
%
%   Example:
%     X = [1 2 3; 4 5 7; 1 2 3; 2 4 6];
%     [group, first, count] = knng.duplicates (X);
%     group'                              % 1 2 1 3
%     first'                              % 1 2 4
%     count'                              % 2 1 1
%     knng.duplicates (X, 'pearson')'     % 1 2 1 1
%
%   See also knngraph, knng.knnsearch.

  if (nargin < 1)
    error ('knng:args:count', 'knng.duplicates needs a matrix, as in knng.duplicates (X) or knng.duplicates (X, ''pearson''): see help knng.duplicates');
  end
  knng.internal.built ();
  opt = struct ('Distance', 'euclidean', 'Threads', []);
  [opt, given] = knng.internal.options (opt, knng.internal.metric_first (opt, varargin));
  metric = knng.internal.metric (opt.Distance);
  knng.internal.threads (given);
  [group, first, count] = knng.internal.duplicates (X, metric, opt);
end

%!test <*1>
%! X = [1 2 3; 4 5 7; 1 2 3; 2 4 6];
%! [group, first, count] = knng.duplicates (X);
%! assert (group, [1; 2; 1; 3]);
%! assert (first, [1; 2; 4]);
%! assert (count, [2; 1; 1]);
%! assert (knng.duplicates (X, 'pearson'), [1; 2; 1; 1]);

%!test  # against unique, with many groups and few, double and single
%! for n = [1 2 63 64 65 1000 30000]
%!   for d = [1 7 8 9]
%!     for v = [2 3 1000]
%!       X = floor (mod ((1:n)' .^ 2 * sqrt (2:d+1) * 17.3, v));
%!       [group, first, count] = knng.duplicates (X);
%!       [rows, i, j] = unique (X, 'rows', 'first');
%!       assert (sort (i(:)), first);
%!       assert (i(j)(:), first(group));
%!       assert (count, accumarray (group, 1));
%!       assert (issorted (first));
%!       assert (knng.duplicates (single (X)), group);
%!     end
%!   end
%! end

%!test  # the last bit, -0, NaN, Inf
%! X = [1 0; 1 + eps, 0; 1 -0; NaN 0; NaN 0; Inf 0; Inf 0; -1 0];
%! [group, first, count] = knng.duplicates (X);
%! assert (group, [1; 2; 1; 3; 4; 5; 6; 7]);
%! assert (count(1:2), [2; 1]);

%!test  # what a metric cannot tell apart has the same distances
%! X = [3 1 2; 6 2 4; 9 1 4; 5 5 5; 5 5 5; 0 0 0; 3 1 2.5; -3 -1 -2];
%! assert (knng.duplicates (X), [1; 2; 3; 4; 4; 5; 6; 7]);
%! assert (knng.duplicates (X, 'pearson'), [1; 1; 2; 3; 4; 5; 6; 7]);
%! assert (knng.duplicates (X, 'Spearman'), [1; 1; 1; 2; 3; 4; 1; 5]);
%! assert (knng.duplicates (X, 'cosine'), [1; 1; 2; 3; 3; 4; 5; 6]);
%! assert (knng.duplicates (X, 'abspearson'), [1; 1; 2; 3; 4; 5; 6; 7]);
%! warning ('off', 'knng:data:constant', 'local');
%! [idx, dist, info] = knngraph (X, 2, 'spearman');
%! assert (info.points, 2);

%!error id=knng:args:count knng.duplicates ()
%!error id=knng:args:class knng.duplicates ({})
%!error id=knng:args:sparse knng.duplicates (speye (3))
%!error id=knng:args:empty knng.duplicates ([])
%!error id=knng:args:metric knng.duplicates (1, 'pearsn')
%!error id=knng:args:metric knng.duplicates (1, 2)
