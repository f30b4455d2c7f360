function T = cluster (Z, varargin)
%KNNG.CLUSTER  Clusters of rows, from a tree.
%   T = knng.cluster (Z, 'MaxClust', N) cuts the tree Z of knng.linkage into N
%   clusters, by undoing its last N-1 steps. T is n-by-1: the cluster of each
%   row, counted from 1 in the order of their first rows. With n rows or fewer
%   than N, each is a cluster.
%   T = knng.cluster (Z, 'Cutoff', c) takes all rows below a step of the tree as
%   one cluster if the inconsistency coefficient of that step, and of all steps
%   below it, is at most c: knng.inconsistent has the coefficients.
%   T = knng.cluster (Z, 'Cutoff', c, 'Criterion', 'distance') takes heights,
%   Z(:,3), in place of coefficients.
%   T = knng.cluster (Z, 'Cutoff', c, 'Depth', d) looks d levels down for the
%   coefficients.
%
%   N and c may be vectors: T then has a column for each of their elements.
%
%   Options:
%
%     'MaxClust'   the number of clusters; whole numbers, 1 or more
%     'Cutoff'     the limit; numbers of 0 or more
%     'Criterion'  'inconsistent', the default, or 'distance'
%     'Depth'      levels of steps, a whole number, 1 or more; default 2
%
%   One of 'MaxClust' and 'Cutoff' is needed. Where heights fall (by 'centroid'
%   and 'median') 'distance' asks for all steps below too.
%
%   MATLAB numbers clusters in an order of its own. Compare clusterings by their
%   parts, not by their numbers.
%
%   Cost: O(n) for each column; 'Cutoff' with a depth of many levels more.
%
%   Errors: knng:args:tree (Z is no tree); knng:args:option, :unknownOption,
%   :count; knng:memory:host; knng:interrupted.
%
%   Source: A. Jain, R. Dubes, Algorithms for Clustering Data, Prentice Hall
%   (1988).
%
%   Example:
%     Z = knng.linkage ([1; 2; 4; 10; 11], 'average');
%     knng.cluster (Z, 'MaxClust', [2 3])'  % 1 1 1 2 2; 1 1 2 3 3
%     knng.cluster (Z, 'Cutoff', 1, 'Criterion', 'distance')'  % 1 1 2 3 3
%
%   See also knng.linkage, knng.clusterdata, knng.inconsistent,
%   knng.clustertable.

  if (nargin < 1)
    error ('knng:args:count', ['knng.cluster needs a tree and how to cut it, as in knng.cluster (Z, ''MaxClust'', 5): ' ...
           'see help knng.cluster']);
  end
  knng.internal.built ();
  opt = struct ('MaxClust', [], 'Cutoff', [], 'Criterion', 'inconsistent', 'Depth', 2);
  [opt, given] = knng.internal.options (opt, varargin);
  many = any (strcmp (given(1:2:end), 'MaxClust'));
  if (many == any (strcmp (given(1:2:end), 'Cutoff')))
    error ('knng:args:option', 'one of ''MaxClust'' and ''Cutoff'' is needed, and not both, as in knng.cluster (Z, ''MaxClust'', 5)');
  end
  opt.Criterion = knng.internal.check_choice ('Criterion', opt.Criterion, {'inconsistent', 'distance'});
  check_depth (opt.Depth);
  n = size (Z, 1) + 1;
  if (many)
    if (isempty (opt.MaxClust) || ~knng.internal.whole (opt.MaxClust, 1, 2 ^ 53))
      error ('knng:args:option', '''MaxClust'' is %s: it must be whole numbers, 1 or more', knng.internal.given (opt.MaxClust));
    end
    knng.internal.tree ('check', Z);                         % before there are numbers for each row of what is no tree
    T = knng.internal.tree ('cut', Z, (1:n-1)', n - min (double (full (opt.MaxClust(:))), n));
    return
  end
  c = opt.Cutoff;
  if (~isnumeric (c) || isempty (c) || ~isreal (c) || ~all (c(:) >= 0))
    error ('knng:args:option', '''Cutoff'' is %s: it must be numbers of 0 or more', knng.internal.given (c));
  end
  knng.internal.tree ('check', Z);
  if (strcmp (opt.Criterion, 'distance'))
    measure = Z(:, 3);
  else
    Y = knng.inconsistent (Z, opt.Depth);
    measure = Y(:, 4);
  end
  T = knng.internal.tree ('cut', Z, measure, double (full (c(:))));
end

function check_depth (d)
  if (~isnumeric (d) || numel (d) ~= 1 || ~knng.internal.whole (d, 1, 2 ^ 53))
    error ('knng:args:option', '''Depth'' is %s: it must be a whole number, 1 or more', knng.internal.given (d));
  end
end

%!test <*1>
%! Z = knng.linkage ([1; 2; 4; 10; 11], 'average');
%! assert (knng.cluster (Z, 'MaxClust', [2 3]), [1 1 1 2 2; 1 1 2 3 3]');
%! assert (knng.cluster (Z, 'Cutoff', 1, 'Criterion', 'distance'), [1 1 2 3 3]');
%! assert (knng.cluster (Z, 'Cut', [0.5 1 2.5 8 9], 'Crit', 'DISTANCE'), [1 2 3 4 5; 1 1 2 3 3; 1 1 1 2 2; 1 1 1 2 2; 1 1 1 1 1]');

%!test  # what fcluster of SciPy 1.17.1 gives, its clusters in another order
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! same = @(T, of) assert ([rows(unique ([T, of'], 'rows')), max(T)], [max(of), max(of)]);
%! Z = knng.linkage (X, 'average');
%! same (knng.cluster (Z, 'MaxClust', 3), [2 2 2 3 2 1 2 2 2 1 1 2]);
%! same (knng.cluster (Z, 'Cutoff', 40, 'Criterion', 'distance'), [5 4 3 7 3 1 4 4 4 2 1 6]);
%! same (knng.cluster (Z, 'Cutoff', 0.9, 'Depth', 3), [5 3 2 7 2 1 3 3 4 1 1 6]);
%! Z = knng.linkage (X, 'ward');
%! same (knng.cluster (Z, 'MaxClust', 3), [3 3 2 3 2 1 3 3 2 1 1 2]);
%! same (knng.cluster (Z, 'Cutoff', 40, 'Criterion', 'distance'), [7 6 3 8 3 1 6 6 4 2 1 5]);
%! same (knng.cluster (Z, 'Cutoff', 0.9, 'Depth', 3), [5 4 2 6 2 1 4 4 3 1 1 3]);
%! Z = knng.linkage (X, 'centroid');
%! same (knng.cluster (Z, 'Cutoff', 0.9, 'Depth', 3), [5 4 2 7 2 1 2 2 3 1 1 6]);

%!test  # every number of clusters; more than rows; by coefficients
%! X = reshape (mod ((1:80) .^ 2 * sqrt (2), 1), 40, 2);
%! Z = knng.linkage (X, 'ward');
%! T = knng.cluster (Z, 'MaxClust', 1:50);
%! assert (max (T), min (1:50, 40));
%! for N = 2:40                                          % each of N clusters lies in one of N - 1
%!   assert (rows (unique (T(:, [N-1, N]), 'rows')), N);
%! end
%! Y = knng.inconsistent (Z, 3);
%! T = knng.cluster (Z, 'Cutoff', 1, 'Depth', 3);
%! whole = Y(:, 4) <= 1;                                 % MATLAB's rule, step by step
%! part = num2cell (1:40);
%! for s = 1:39
%!   below = Z(s, 1:2);
%!   for c = below
%!     whole(s) &= c <= 40 || whole(max (c - 40, 1));
%!   end
%!   part{40 + s} = [part{below}];
%! end
%! assert (any (whole) && ! all (whole));
%! for s = find (whole)'
%!   assert (all (T(part{40 + s}) == T(part{40 + s}(1))));
%! end
%! parts = part([true(1, 40), whole']);
%! for i = 1:40
%!   of_i = parts(cellfun (@(p) any (p == i), parts));
%!   assert (sum (T == T(i)), max (cellfun (@numel, of_i)));
%! end

%!assert (knng.cluster (zeros (0, 3), 'MaxClust', 3), 1)
%!assert (knng.cluster ([1 2 Inf], 'Cutoff', Inf, 'Criterion', 'distance'), [1; 1])
%!error id=knng:args:count knng.cluster ()
%!error id=knng:args:option knng.cluster ([1 2 1])
%!error id=knng:args:option knng.cluster ([1 2 1], 'MaxClust', 2, 'Cutoff', 1)
%!error id=knng:args:option knng.cluster ([1 2 1], 'MaxClust', 0)
%!error id=knng:args:option knng.cluster ([1 2 1], 'Cutoff', -1)
%!error id=knng:args:option knng.cluster ([1 2 1], 'Cutoff', NaN)
%!error id=knng:args:option knng.cluster ([1 2 1], 'Cutoff', 1, 'Depth', 0)
%!error id=knng:args:option knng.cluster ([1 2 1], 'Cutoff', 1, 'Criterion', 'height')
%!error id=knng:args:unknownOption knng.cluster ([1 2 1], 3)
%!error <^3 stands where .*'Depth'; if that is a number of clusters give it as 'MaxClust', 3$> knng.cluster ([1 2 1], 3)
%!error id=knng:args:tree knng.cluster ([1 2], 'MaxClust', 2)
%!error id=knng:args:tree knng.cluster (zeros (2 ^ 40, 0), 'MaxClust', 2)
%!error id=knng:args:tree knng.cluster ([1 1 3], 'MaxClust', 2)
%!error id=knng:args:tree knng.cluster ([1 3 3], 'MaxClust', 2)
%!error id=knng:args:tree knng.cluster ([1 2 NaN], 'Cutoff', 2)
%!error id=knng:args:tree knng.cluster ([1 2 1; 1 3 2], 'MaxClust', 2)
%!error id=knng:args:tree knng.cluster ('abc', 'MaxClust', 2)
