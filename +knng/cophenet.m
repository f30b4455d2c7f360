function [c, d] = cophenet (Z, Y, varargin)
%KNNG.COPHENET  How well a tree keeps the distances between rows.
%   c = knng.cophenet (Z, y) is the correlation of distances y with the heights
%   at which the tree Z of knng.linkage joins the same rows: near 1 where the
%   tree is true to the distances. y is a row of n*(n-1)/2 distances, as from
%   pdist, or the n-by-n matrix of them.
%   c = knng.cophenet (Z, X, metric) takes the distances of the rows of the
%   n-by-d matrix X; metric is one of knngraph, default 'euclidean'. Without a
%   metric an n-by-n matrix is one of distances: of n points in n columns give
%   the metric, too. A column is always one of points; one that must be the
%   distances of 3 rows is refused.
%   [c, d] = knng.cophenet (...) also returns these heights: d is a row of
%   n*(n-1)/2, those of rows (1,2), (1,3), ..., (2,3), ....
%
%   Compare the trees of several methods by c. It is NaN where all distances or
%   all heights are equal, or one of them is Inf.
%
%   Cost: O(n^2), from X O(n^2*d); memory 16*n^2 bytes beside y, from X 20*n^2.
%   Ctrl-C stops it.
%
%   Errors: knng:args:tree (Z is no tree); knng:args:dist (y is no row of
%   n*(n-1)/2 distances, nor a symmetric matrix of them, X has not n rows, or is
%   the column y of the distances of 3 rows); knng:data:rows (a row of X has no
%   distances); knng:args:class, :sparse, :complex, :dims, :empty, :metric,
%   :count; knng:memory:host; knng:interrupted.
%
%   Source: R. Sokal, F. Rohlf, The comparison of dendrograms by objective
%   methods, Taxon 11 (1962) 33-40.
%
%   Example:
%     X = [1; 2; 4; 10; 11];
%     Z = knng.linkage (X, 'average');
%     [c, d] = knng.cophenet (Z, X);
%     c                                   % 0.9482
%     d                                   % 1 2.5 8.1667 8.1667 2.5 8.1667 ...
%
%   See also knng.linkage, knng.inconsistent, knng.cluster.

  if (nargin < 2 || nargin > 3)
    error ('knng:args:count', ['knng.cophenet needs a tree and distances or points, as in knng.cophenet (Z, y) or ' ...
           'knng.cophenet (Z, X, ''pearson''): see help knng.cophenet']);
  end
  knng.internal.built ();
  metric = 'euclidean';
  if (nargin > 2)
    metric = knng.internal.metric (varargin{1});
  end
  knng.internal.tree ('check', Z);
  knng.internal.check_matrix (Y, 'Y');
  n = size (Z, 1) + 1;
  if (nargin < 3 && n > 1 && isequal (size (Y), [n n]))
    y = double (Y);
    [i, j] = find (tril (y ~= y' & ~(isnan (y) & isnan (y')), -1) | diag (diag (y) ~= 0), 1);
    if (~isempty (i))
      which = sprintf ('Y(%d,%d) is %.17g', i, j, y(i, j));
      if (i ~= j)
        which = sprintf ('Y(%d,%d) is %.17g and %s', j, i, y(j, i), which);
      end
      error ('knng:args:dist', ['%s: a matrix of distances is symmetric, and 0 on its diagonal; where only roundings differ give ' ...
             '(Y + Y'')/2, and of points the metric, as in knng.cophenet (Z, X, ''euclidean'')'], which);
    end
    y = y(tril (true (n), -1))';
    check_distances (y);
  elseif (size (Y, 1) == 1 && nargin < 3 && numel (Y) == n * (n - 1) / 2)
    y = double (Y);
    check_distances (y);
  elseif (nargin < 3 && knng.internal.stands_upright (Z, Y))
    error ('knng:args:dist', ['the column has the distances of the tree''s 3 rows, it seems: give a row, as in knng.cophenet (Z, y''), or of 3 points ' ...
           'the metric, as in knng.cophenet (Z, X, ''euclidean'')']);
  elseif (size (Y, 1) == n)
    y = knng.internal.linkage ('pairs', Y, metric);
  else
    error ('knng:args:dist', ['the distances are %d-by-%d, and the tree has %d rows: give a row of %d distances, or a matrix of ' ...
           '%d rows'], size (Y, 1), size (Y, 2), n, n * (n - 1) / 2, n);
  end
  d = knng.internal.tree ('cophenet', Z);
  a = apart (y);
  b = apart (d);
  c = sum (a .* b) / (norm (a) * norm (b));
end

function check_distances (y)
  if (any (isnan (y) | y < 0))
    error ('knng:args:dist', 'a distance is %g: it must be 0 or more, and not NaN', y(find (isnan (y) | y < 0, 1)));
  end
end

function x = apart (x)
% Less their mean, in a scale in which squares neither overflow nor vanish.
  [~, e] = log2 (max ([x(x < Inf), 0]));
  x = x * 2 ^ -floor (e / 2) * 2 ^ -ceil (e / 2);
  x = x - mean (x);
end

%!test <*1>
%! X = [1; 2; 4; 10; 11];
%! Z = knng.linkage (X, 'average');
%! [c, d] = knng.cophenet (Z, X);
%! assert (c, 0.9482, 1e-4);
%! assert (d, [1 2.5 49/6 49/6 2.5 49/6 49/6 49/6 49/6 1], 1e-14);
%! [c2, d2] = knng.cophenet (Z, [1 3 9 10 2 8 9 6 7 1]);
%! assert ({c2, d2}, {c, d});
%! D = abs (X - X');
%! [c2, d2] = knng.cophenet (Z, D);
%! assert ({c2, d2}, {c, d});
%! assert (knng.cophenet (Z, single (D)), c);
%! assert (abs (knng.cophenet (Z, D, 'euclidean') - c) > 0.01);  # points
%!error <^Y\(1,2\) is 1 and Y\(2,1\) is 2: .* of points the metric, as> knng.cophenet ([1 2 1], [0 1; 2 0])
%!error <^Y\(2,2\) is 3: a matrix of distances is symmetric, and 0 on> knng.cophenet ([1 2 1], [0 1; 1 3])
%!error <^a distance is -1: > knng.cophenet ([1 2 1], [0 -1; -1 0])
%!error <^a distance is NaN: > knng.cophenet ([1 2 1; 3 4 2], [0 1 NaN; 1 0 2; NaN 2 0])

%!test  # a column of 3: the points of a tree that they make, no distances
%! X = [1; 2.5; 7];
%! Z = knng.linkage (X, 'average');
%! assert (knng.cophenet (Z, X), knng.cophenet (Z, X, 'euclidean'));
%!error <^the column has the distances of the tree's 3 rows, .*cophenet \(Z, y'\), or> knng.cophenet (knng.linkage ([1.5 5 4.5]), [1.5; 5; 4.5])

%!test  # what SciPy 1.17.1 gives
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! [c, d] = knng.cophenet (knng.linkage (X, 'average'), X);
%! assert (c, 0.7783677200056348, 1e-14);
%! assert (d([1 3 5 9 11 12]), [57.086912340507574 81.30256335131976 89.13326606032084 89.13326606032084 64.15803096381286 ...
%!                              41.16386783903807], 1e-12);
%! assert (knng.cophenet (knng.linkage (X, 'ward'), X), 0.6803839559267656, 1e-14);
%! assert (knng.cophenet (knng.linkage (X, 'centroid'), X), 0.7739318756450317, 1e-14);

%!test  # plainly
%! X = reshape (mod ((1:100) .^ 2 * sqrt (2), 1), 50, 2);
%! for m = {'single', 'median'}
%!   Z = knng.linkage (X, m{1});
%!   [c, d] = knng.cophenet (Z, X, 'cityblock');
%!   D = zeros (50);
%!   part = num2cell (1:50);
%!   for s = 1:49
%!     [a, b] = deal (part{Z(s, 1)}, part{Z(s, 2)});
%!     D(a, b) = Z(s, 3);
%!     D(b, a) = Z(s, 3);
%!     part{50 + s} = [a, b];
%!   end
%!   assert (d, D(tril (true (50), -1))');
%!   y = squeeze (sum (abs (permute (X, [1 3 2]) - permute (X, [3 1 2])), 3))(tril (true (50), -1))';
%!   assert (c, corr (y', d'), 1e-12);
%! end

%!assert (isnan (knng.cophenet ([1 2 1], [0; 1])))
%!error id=knng:args:count knng.cophenet ([1 2 1])
%!error id=knng:args:tree knng.cophenet ([1 2], [0; 1])
%!error id=knng:args:dist knng.cophenet ([1 2 1; 3 4 2], [1 2])
%!error id=knng:args:dist knng.cophenet ([1 2 1; 3 4 2], [1 -2 3])
%!error id=knng:args:dist knng.cophenet ([1 2 1; 3 4 2], [1; 2])
%!error id=knng:args:metric knng.cophenet ([1 2 1; 3 4 2], [1; 2; 3], 'l2')
%!error id=knng:data:rows knng.cophenet ([1 2 1; 3 4 2], [1; NaN; 3])

%!test  # whatever the scale
%! y = [1 9 9.5 9 9 2.5];
%! c = knng.cophenet (knng.linkage (y, 'average'), y);
%! for e = [600 -600 1000 -1000]
%!   assert (knng.cophenet (knng.linkage (y * 2 ^ e, 'average'), y * 2 ^ e), c);
%! end
