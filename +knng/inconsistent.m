function Y = inconsistent (Z, varargin)
%KNNG.INCONSISTENT  How far each step of a tree lies above those below it.
%   Y = knng.inconsistent (Z) compares the height of each step of a tree of n
%   rows, Z from knng.linkage, with those of the steps just below it. Y has four
%   columns, as MATLAB's; it is n-1-by-4:
%
%     Y(:,1)  the mean of these heights, its own among them
%     Y(:,2)  their standard deviation; 0 of a single one
%     Y(:,3)  how many they are
%     Y(:,4)  the inconsistency coefficient, (Z(:,3) - Y(:,1)) ./ Y(:,2); 0
%             where the deviation is 0
%
%   Y = knng.inconsistent (Z, d) takes the steps of d levels, that of the step
%   itself among them, in place of 2.
%
%   A large coefficient says that a step joins what is much farther apart than
%   what lies in its parts; knng.cluster (Z, 'Cutoff', c) cuts there.
%
%   Cost: O(n*2^d) at most. Ctrl-C stops it.
%
%   Errors: knng:args:tree (Z is no tree); knng:args:option (d);
%   knng:args:count; knng:memory:host; knng:interrupted.
%
%   Source: A. Jain, R. Dubes, Algorithms for Clustering Data, Prentice Hall
%   (1988).
%
%   Example:
%     Z = knng.linkage ([1; 2; 4; 10; 11], 'average');
%     Y = knng.inconsistent (Z);
%     Y(:, 3:4)                           % 1 0; 1 0; 2 0.7071; 3 1.1317
%
%   See also knng.linkage, knng.cluster, knng.cophenet.

  if (nargin < 1 || nargin > 2)
    error ('knng:args:count', 'knng.inconsistent needs a tree, as in knng.inconsistent (Z) or knng.inconsistent (Z, 3): see help knng.inconsistent');
  end
  knng.internal.built ();
  d = 2;
  if (nargin > 1)
    d = varargin{1};
  end
  if (~isnumeric (d) || numel (d) ~= 1 || ~knng.internal.whole (d, 1, 2 ^ 53))
    error ('knng:args:option', 'the depth is %s: it must be a whole number, 1 or more', knng.internal.given (d));
  end
  Y = knng.internal.tree ('inconsistent', Z, min (double (full (d)), 1e9));
end

%!test <*1>
%! Z = knng.linkage ([1; 2; 4; 10; 11], 'average');
%! Y = knng.inconsistent (Z);
%! assert (Y(:, 3:4), [1 0; 1 0; 2 sqrt(0.5); 3 1.1317], 1e-4);
%! assert (Y(:, 1:2), [1 0; 1 0; 1.75 std([1 2.5]); mean([2.5 1 49/6]) std([2.5 1 49/6])], 1e-14);

%!test  # what SciPy 1.17.1 gives
%! X = mod ((1:12)' .^ 2 * [7 13 5], 101);
%! Y = knng.inconsistent (knng.linkage (X, 'centroid'), 3);
%! assert (Y(:, 3)', [1 1 1 3 4 3 3 2 3 3 5]);
%! assert (Y(5:11, 1)', [29.361436924 34.699309930 42.770078100 40.606148916 50.223865885 62.925202678 58.972585421], 1e-8);
%! assert (Y(5:11, 2)', [5.702677357 5.648502952 8.351276758 22.842533581 10.970093854 12.288895102 21.431850660], 1e-8);
%! assert (Y(:, 4)', [0 0 0 0.809089934 1.441015481 0.642334065 1.153540639 0.707106781 0.885733603 1.099068987 0.854151671], 1e-8);

%!test  # plainly, at any depth
%! Z = knng.linkage (reshape (mod ((1:120) .^ 2 * sqrt (2), 1), 60, 2), 'complete');
%! for d = [1 2 3 5 100]
%!   Y = knng.inconsistent (Z, d);
%!   for s = 1:59
%!     [level, of] = deal (s, []);
%!     for l = 1:min (d, 60)
%!       of = [of, level];
%!       level = Z(level, 1:2)(:)' - 60;
%!       level = level(level > 0);
%!     end
%!     h = Z(of, 3);
%!     assert (Y(s, 1:3), [mean(h), std(h), numel(h)], 1e-13);
%!     assert (Y(s, 4), (Z(s, 3) - mean (h)) / max (std (h), realmin), 1e-11);
%!   end
%! end

%!test  # equal heights have no deviation, whatever rounding does to their mean
%! Y = knng.inconsistent (knng.linkage (0.1 * ones (1, 21)));
%! assert (Y(:, [2 4]), zeros (6, 2));
%! assert (size (knng.inconsistent (zeros (0, 3))), [0 4]);

%!error id=knng:args:count knng.inconsistent ()
%!error id=knng:args:option knng.inconsistent ([1 2 3], 0)
%!error id=knng:args:option knng.inconsistent ([1 2 3], 'a')
%!error id=knng:args:tree knng.inconsistent ([1 2 3 4])

%!test  # whatever the scale
%! Z = knng.linkage ([1 9 9.5 9 9 2.5], 'average');
%! Y = knng.inconsistent (Z);
%! for e = [600 -600 1000 -1000]
%!   V = knng.inconsistent ([Z(:, 1:2), Z(:, 3) * 2 ^ e]);
%!   assert (V, [Y(:, 1:2) * 2 ^ e, Y(:, 3:4)]);
%! end
