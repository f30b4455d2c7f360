function order = optimalleaforder (Z, D, varargin)
%KNNG.OPTIMALLEAFORDER  An order of a tree's rows in which neighbours are alike.
%   order = knng.optimalleaforder (Z, y) flips the nodes of the tree Z of
%   knng.linkage so that the sum of the distances between rows that stand side
%   by side is the least that the tree allows. order is a row of the numbers 1
%   to n; give it to knng.dendrogram as 'Reorder'. y is a row of n*(n-1)/2
%   distances, as from pdist, or the n-by-n matrix of them.
%   order = knng.optimalleaforder (Z, X, metric) takes the distances of the
%   rows of the n-by-d matrix X, by a metric of knngraph, default 'euclidean'.
%   Without a metric an n-by-n matrix is one of distances: of n points in n
%   columns give the metric, too. A column is always one of points; one that
%   must be the distances of 3 rows is refused.
%   order = knng.optimalleaforder (Z, y, 'Name', value, ...) takes options.
%
%   Options:
%
%     'Distance'        the metric, if it is not the third argument; default
%                       'euclidean'
%     'Criteria'        'adjacent', the default; MATLAB's 'group' is not there
%     'Transformation'  what of two rows side by side adds up to the most;
%                       default 'linear'
%         'linear'      the largest of all distances, less theirs: so distances
%                       add up to the least
%         'inverse'     1 over their distance: near pairs count for more
%         a function    of the matrix of distances, such as @(D) exp (-D): a
%                       matrix of as many finite numbers, symmetric too
%     'Threads', 'Progress'  as in knngraph
%
%   Sums are doubles, of 'inverse' and functions those of how much each step's
%   pair falls short of its best: less than 1e-16 of such a sum does not count.
%
%   An order and its reverse are as good: that with the smaller row first is
%   returned.
%
%   Cost: up to O(n^3); 2 000 rows take a second, memory 30*n^2 bytes. Ctrl-C
%   stops it.
%
%   Errors: knng:args:tree (Z is no tree); knng:args:dist (the distances are not
%   those of n rows, not finite or not symmetric, or of 3 rows a column);
%   knng:data:rows (a row of X has no distances); knng:args:class, :sparse,
%   :complex, :dims, :empty, :metric, :option, :unknownOption, :count;
%   knng:memory:host; knng:interrupted.
%
%   Source: Z. Bar-Joseph, D. Gifford, T. Jaakkola, Fast optimal leaf ordering
%   for hierarchical clustering, Bioinformatics 17 (2001) S22-S29.
%
%   Example:
%     X = [5; 1; 9; 2; 8];
%     Z = knng.linkage (X, 'average');
%     knng.optimalleaforder (Z, X, 'euclidean')       % 2 4 1 5 3
%
%   See also knng.dendrogram, knng.linkage, knng.heatmap.

  if (nargin < 2)
    error ('knng:args:count', ['knng.optimalleaforder needs a tree and distances, as in knng.optimalleaforder (Z, y) or ' ...
           'knng.optimalleaforder (Z, X, ''pearson''): see help knng.optimalleaforder']);
  end
  knng.internal.built ();
  opt = struct ('Distance', [], 'Criteria', 'adjacent', 'Transformation', 'linear', 'Threads', [], 'Progress', 'auto');
  [opt, given] = knng.internal.options (opt, knng.internal.metric_first (opt, varargin));
  if (~knng.internal.is_one_of (opt.Criteria, {'adjacent'}))
    error ('knng:args:option', '''Criteria'' is %s: it must be ''adjacent'', the only one here', knng.internal.given (opt.Criteria));
  end
  f = opt.Transformation;
  if (~isa (f, 'function_handle') && ~knng.internal.is_one_of (f, {'linear', 'inverse'}))
    error ('knng:args:option', '''Transformation'' is %s: it must be ''linear'', ''inverse'' or a function of the distances', ...
           knng.internal.given (f));
  end
  knng.internal.engine (given, {'Threads', 'Progress'});
  knng.internal.tree ('check', Z);
  knng.internal.check_matrix (D, 'D');
  n = size (Z, 1) + 1;
  named = any (strcmp (given(1:2:end), 'Distance'));
  is_row = size (D, 1) == 1 && numel (D) == n * (n - 1) / 2;
  if (named || (size (D, 1) == n && size (D, 2) ~= n && ~is_row))
    metric = 'euclidean';
    if (~named && knng.internal.stands_upright (Z, D))
      error ('knng:args:dist', ['the column has the distances of the tree''s 3 rows, it seems: give a row, as in knng.optimalleaforder (Z, y''), or ' ...
             'of 3 points the metric, as in knng.optimalleaforder (Z, X, ''euclidean'')']);
    end
    if (named)
      metric = knng.internal.metric (opt.Distance);
    end
    if (size (D, 1) ~= n)
      error ('knng:args:dist', 'X has %s, and the tree %d: give the matrix that it was made of', knng.internal.count_of (size (D, 1), 'row'), n);
    end
    D = square (knng.internal.linkage ('pairs', D, metric, opt), n);
  elseif (is_row)
    D = square (double (D), n);
  elseif (~isequal (size (D), [n n]))
    error ('knng:args:dist', ['the distances are %d-by-%d, and the tree has %d rows: give a row of %d distances, an n-by-n matrix of them, ' ...
           'or the %d points that it was made of'], size (D, 1), size (D, 2), n, n * (n - 1) / 2, n);
  elseif (n > 1 && ~isequal (D, D'))
    check_distances (double (D), ['; where only roundings differ give (D + D'')/2, and of points the metric, as in ' ...
                                  'knng.optimalleaforder (Z, X, ''euclidean'')']);
  end
  D = double (D);
  if (~ischar (f) || ~strcmpi (f, 'linear'))
    check_distances (D, '');
    D = of_similarity (similarity (D, f), Z);
  end
  order = knng.internal.leaforder (D, Z, opt)';
  if (order(1) > order(end))
    order = fliplr (order);
  end
end

function check_distances (D, note)
% As knng.internal.leaforder says it, before another matrix is made of them.
  [i, j] = find (tril (~isfinite (D) | D ~= D', -1), 1);
  if (~isempty (i))
    error ('knng:args:dist', 'D(%d,%d) is %.17g and D(%d,%d) is %.17g: distances are finite and symmetric%s', j, i, D(j, i), i, j, D(i, j), note);
  end
end

function S = similarity (D, f)
% What of two rows side by side adds up to the most, each pair; but for a factor.
  n = size (D, 1);
  if (ischar (f))
    [i, j] = find (tril (D == 0, -1), 1);
    if (~isempty (i))
      error ('knng:args:option', ['the distance of rows %d and %d is 0, and ''Transformation'', ''inverse'', makes Inf of 1/0 of equal rows: ' ...
             'give a function such as @(D) 1 ./ (1 + D)'], j, i);
    end
    S = min ([Inf; abs(D(D ~= 0))]) ./ D;                    % 1 / 1e-310 would be Inf
    S(1:n+1:end) = 0;
    return
  end
  try
    S = f (D);
  catch err
    error ('knng:args:option', '''Transformation'' is a function that failed for a %d-by-%d matrix of distances: %s', size (D), ...
           knng.internal.shown (err.message));
  end
  if (~isequal (size (S), [n, n]) || ~isnumeric (S) || ~isreal (S))
    error ('knng:args:option', '''Transformation'' returns %s: it must return a %d-by-%d matrix of numbers', knng.internal.given (S), n, n);
  end
  S = full (double (S));
  S(1:n+1:end) = 0;                                          % a row does not stand beside itself
  [i, j] = find (tril (~isfinite (S) | ~isfinite (S'), -1), 1);
  if (~isempty (i))
    error ('knng:args:option', ['''Transformation'' makes NaN or Inf of the distance of rows %d and %d, %g: it must make finite numbers, ' ...
           'as @(D) 1 ./ (1 + D) does'], j, i, D(i, j));
  end
  [i, j] = find (tril (S ~= S', -1), 1);
  if (~isempty (i))
    error ('knng:args:option', ['''Transformation'' makes %.17g of D(%d,%d) and %.17g of D(%d,%d): it must return a symmetric matrix; ' ...
           '(S + S'') / 2 is one'], S(j, i), j, i, S(i, j), i, j);
  end
  most = realmax / (8 * n);
  if (any (abs (S(:)) > most))                               % or sums would be Inf
    S = S / 2 ^ nextpow2 (8 * n);
  end
end

function D = of_similarity (S, Z)
% Distances whose sum is the least where that of the similarities is the largest. Every order has one pair of rows side by side
% for each step, one row of either part. So each step has an offset of its own: of one for all near-equal rows would leave no digits.
  n = size (S, 1);
  D = zeros (n);
  rows = [num2cell(1:n), cell(1, n - 1)];
  for s = 1:n - 1
    [a, b] = deal (rows{Z(s, 1:2)});
    pairs = S(a, b);
    D(a, b) = max (pairs(:)) - pairs;
    D(b, a) = D(a, b)';
    rows{n + s} = [a, b];
    rows(Z(s, 1:2)) = {[]};
  end
end

function D = square (y, n)
  D = zeros (n);
  D(tril (true (n), -1)) = y;
  D = D + D';
end

%!test <*1>
%! X = [5; 1; 9; 2; 8];
%! assert (knng.optimalleaforder (knng.linkage (X, 'average'), X, 'euclidean'), [2 4 1 5 3]);

%!test  # at least as short as the orders of SciPy 1.17.1
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! lengths = [489.62958791042536, 497.4221771840216, 467.29904479999163];
%! methods = {'average', 'ward', 'centroid'};
%! for m = 1:3
%!   p = knng.optimalleaforder (knng.linkage (X, methods{m}), X, 'euclidean');
%!   assert (sum (sqrt (sum (diff (X(p, :)) .^ 2, 2))) < lengths(m));
%! end

%!function orders = every_flip (Z)
%!  # of the leaves, all that flips of nodes make
%!  n = size (Z, 1) + 1;
%!  orders = cell (1, 2 ^ (n - 1));
%!  for flips = 0:2 ^ (n - 1) - 1
%!    part = num2cell (1:n);
%!    for s = 1:n - 1
%!      pair = Z(s, 1:2);
%!      if (bitand (flips, 2 ^ (s - 1)))
%!        pair = fliplr (pair);
%!      end
%!      part{n + s} = [part{pair}];
%!    end
%!    orders{flips + 1} = part{end};
%!  end
%!endfunction

%!test  # of similarities the largest sum, by every flip
%! X = mod ((1:8)' .^ 2 * [7 13], 101);
%! Z = knng.linkage (X, 'average');
%! D = sqrt (sum ((permute (X, [1 3 2]) - permute (X, [3 1 2])) .^ 2, 3));
%! kinds = {'inverse', @(D) 1 ./ D; @(D) exp (-D / 20), @(D) exp (-D / 20); @(D) -D .^ 2, @(D) -D .^ 2; 'LINEAR', @(D) -D};
%! found = cell (4, 1);
%! for i = 1:4
%!   S = kinds{i, 2}(D);
%!   total = @(p) sum (S(sub2ind ([8 8], p(1:end-1), p(2:end))));
%!   best = max (cellfun (total, every_flip (Z)));
%!   found{i} = knng.optimalleaforder (Z, D, 'Transformation', kinds{i, 1});
%!   assert (total (found{i}), best, 1e-9 * abs (best));
%!   assert (knng.optimalleaforder (Z, X, 'euclidean', 'Transformation', kinds{i, 1}), found{i});
%! end
%! assert (! isequal (found{1}, found{4}));
%! assert (knng.optimalleaforder (Z, D), found{4});

%!function value = total (S, p)
%!  value = sum (sort (S(sub2ind (size (S), p(1:end-1), p(2:end)))));
%!endfunction

%!test  # near-equal rows, of which 1/D is huge, do not hide the rest
%! X = mod ((1:8)' .^ 2 * [7 13], 101) / 20;
%! X(5, :) = X(2, :) + [1e-14 0];
%! Z = knng.linkage (X, 'average');
%! D = sqrt (sum ((permute (X, [1 3 2]) - permute (X, [3 1 2])) .^ 2, 3));
%! S = 1 ./ D;
%! S([2 5], [2 5]) = 0;                                        % side by side in every order
%! best = max (cellfun (@(p) total (S, p), every_flip (Z)));
%! assert (total (S, knng.optimalleaforder (Z, X, 'euclidean', 'Transformation', 'inverse')), best, 1e-12);
%! assert (total (S, knng.optimalleaforder (Z, D, 'Transformation', @(D) 1 ./ D)), best, 1e-12);

%!test  # tiny distances, huge values: neither 1/0 nor Inf; a factor changes nothing
%! X = mod ((1:8)' .^ 2 * [7 13], 101);
%! Z = knng.linkage (X, 'average');
%! D = round (sqrt (sum ((permute (X, [1 3 2]) - permute (X, [3 1 2])) .^ 2, 3)));
%! want = knng.optimalleaforder (Z, D, 'Transformation', 'inverse');
%! assert (knng.optimalleaforder (Z, D * 2 ^ -1040, 'Transformation', 'inverse'), want);
%! S = 2 .^ -ceil (8 * D / max (D(:)));
%! want = knng.optimalleaforder (Z, D, 'Transformation', @(D) S);
%! assert (knng.optimalleaforder (Z, D, 'Transformation', @(D) (2 * S - 1) * (realmax / 2)), ...
%!         knng.optimalleaforder (Z, D, 'Transformation', @(D) 2 * S - 1));
%! assert (numel (knng.optimalleaforder (Z, D, 'Transformation', @(D) realmax * (1 - 2 * (D > 50)))), 8);

%!test  # what the function returns is no D of the user's; D is looked at first
%! X = mod ((1:6)' .^ 2 * [7 13], 101);
%! Z = knng.linkage (X);
%! D = sqrt (sum ((permute (X, [1 3 2]) - permute (X, [3 1 2])) .^ 2, 3));
%! for f = {@(D) D * inv(D + eye (6)) + triu(D, 1), @(D) D ./ (D ~= D(2, 1))}
%!   fail ('knng.optimalleaforder (Z, D, ''Transformation'', f{1})', '''Transformation'' makes ');
%!   [~, id] = lasterr ();
%!   assert (id, 'knng:args:option');
%! end
%! D(2, 1) = Inf;
%! for f = {'inverse', @(D) 1 ./ D, 'linear'}
%!   fail ('knng.optimalleaforder (Z, D, ''Transformation'', f{1})', 'D\(1,2\) is .* and D\(2,1\) is [Ii]nf: distances are finite');
%! end

%!test  # no flip is better
%! X = reshape (mod ((1:27) .^ 2 * sqrt (2), 1), 9, 3);
%! y = knng.internal.linkage ('pairs', X, 'euclidean');
%! D = zeros (9);
%! D(tril (true (9), -1)) = y;
%! D = D + D';
%! for m = {'single', 'ward', 'median'}
%!   Z = knng.linkage (X, m{1});
%!   p = knng.optimalleaforder (Z, y);
%!   assert (sort (p), 1:9);
%!   assert (knng.optimalleaforder (Z, D), p);
%!   assert (knng.optimalleaforder (Z, X, 'Distance', 'euclidean', 'Threads', 2), p);
%!   len = @(p) sum (D(sub2ind ([9 9], p(1:end-1), p(2:end))));
%!   assert (len (p), min (cellfun (len, every_flip (Z))), 1e-12);
%! end

%!test  # points without a metric, as MATLAB's pdist has it
%! X = [mod((1:9)' .^ 2 * [7 13 5], 101), (1:9)'];
%! Z = knng.linkage (X, 'average');
%! want = knng.optimalleaforder (Z, X, 'euclidean');
%! assert (knng.optimalleaforder (Z, X), want);
%! assert (knng.optimalleaforder (Z, single (X), 'Transformation', 'linear', 'Threads', 1), want);
%! assert (knng.optimalleaforder (knng.linkage (X(:, 1)), X(:, 1)), knng.optimalleaforder (knng.linkage (X(:, 1)), X(:, 1), 'euclidean'));
%! assert (knng.optimalleaforder (zeros (0, 3), [1 2 3]), 1);
%! assert (knng.optimalleaforder ([1 2 1], [1; 2]), [1 2]);
%!error <^the distances are 1-by-3, and the tree has 2 rows: .* the 2 points> knng.optimalleaforder ([1 2 1], [1 2 3])
%!error <^D\(1,2\) is 1 and D\(2,1\) is 2: .* of points the metric> knng.optimalleaforder ([1 2 1], [0 1; 2 0])
%!error <^D\(1,2\) is 1 and D\(2,1\) is 1.0000000000000002: .* give \(D \+ D'\)/2, and> knng.optimalleaforder ([1 2 1], [0 1; 1+eps 0])
%!error <^the column has the distances of the tree's 3 rows, .*optimalleaforder \(Z, y'\), or> knng.optimalleaforder (knng.linkage ([1.5 5 4.5]), [1.5; 5; 4.5])
%!test  # points that are such a column
%! X = [1; 2.5; 7];
%! assert (knng.optimalleaforder (knng.linkage (X), X), knng.optimalleaforder (knng.linkage (X), X, 'euclidean'));
%! assert (knng.optimalleaforder (knng.linkage ([1.5 5 4.5]), [1.5; 5; 4.5], 'euclidean'), 1:3);
%!assert (knng.optimalleaforder (zeros (0, 3), 0), 1)
%!assert (knng.optimalleaforder ([1 2 1], 1), [1 2])
%!error id=knng:args:count knng.optimalleaforder ([1 2 1])
%!error id=knng:args:tree knng.optimalleaforder ([1 2], 1)
%!error id=knng:args:dist knng.optimalleaforder ([1 2 1], [1 2 3])
%!error id=knng:args:dist knng.optimalleaforder ([1 2 1], Inf)
%!error id=knng:args:dist knng.optimalleaforder ([1 2 1], [0 1; 2 0])
%!error id=knng:args:dist knng.optimalleaforder ([1 2 1], [1; 2; 3], 'euclidean')
%!error <'Criteria' is 'group': it must be 'adjacent', the only one here> knng.optimalleaforder ([1 2 1], 1, 'Criteria', 'group')
%!error id=knng:args:option knng.optimalleaforder ([1 2 1], 1, 'Transformation', 'square')
%!error id=knng:args:option knng.optimalleaforder ([1 2 1], 1, 'Transformation', @(D) 1)
%!error <that failed for a 2-by-2 matrix of distances: > knng.optimalleaforder ([1 2 1], 1, 'Transformation', @(D) D * [1 2 3])
%!error <1/0 of equal rows> knng.optimalleaforder ([1 2 0], 0, 'Transformation', 'inverse')
%!error id=knng:args:metric knng.optimalleaforder ([1 2 1], [1; 2], 'l2')
