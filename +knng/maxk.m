function varargout = maxk (A, k, varargin)
%KNNG.MAXK  The k largest elements along a dimension, in order.
%   v = knng.maxk (A, k) returns the k largest elements of a vector, or of each
%   column of a matrix, the largest first. Of an m-by-n matrix v is k-by-n.
%   v = knng.maxk (A, k, dim) goes along the dimension dim: with dim = 2 along
%   the rows, and v is m-by-k.
%   [v, i] = knng.maxk (...) also says where they stand: for a vector v is A(i);
%   for a matrix the column v(:,j) is A(i(:,j),j).
%   [...] = knng.maxk (..., 'Name', value, ...) takes options.
%
%   All else is as in knng.mink: equal elements come in the order of their
%   indices, and NaN comes last here too.
%
%   Options:
%
%     'ComparisonMethod'  'auto' or 'real', by value; 'abs', by magnitude, and
%                         of two that have the same the negative one first;
%                         default 'auto'
%     'Device'            where to work, as in knng.mink; default 'auto'
%     'Threads'           processor threads, default: all
%
%   These are the names and rules of MATLAB's maxk. Not supported are complex
%   arrays: take abs (A) or real (A), and the indices serve for A.
%
%   Cost: time and memory as knng.mink.
%
%   Errors: knng:args:count; knng:args:class, :sparse, :complex, :dims (A); :k;
%   :dim; :option, :unknownOption; knng:args:device, knng:device:none
%   ('Device'); knng:build:missing; knng:memory:host; knng:interrupted.
%
%   Warnings: knng:device:fallback, as in knng.mink.
%
%   Example:
%     S = [0.1 0.9; 0.7 0.3; 0.7 NaN];  % similarities of 3 genes to 2 others
%     [v, i] = knng.maxk (S, 2)         % v = [0.7 0.9; 0.7 0.3], i = [2 1; 3 2]
%
%   See also knng.mink, knng.knnsearch.

  if (nargin < 2)
    error ('knng:args:count', 'knng.maxk needs an array and k, as in knng.maxk (A, 3): see help knng.maxk');
  end
  [varargout{1:max (1, nargout)}] = knng.internal.mink_maxk (1, A, k, varargin);
end

%!test <*1>
%! [v, i] = knng.maxk ([0.1 0.9; 0.7 0.3; 0.7 NaN], 2);
%! assert (v, [0.7 0.9; 0.7 0.3]);
%! assert (i, [2 1; 3 2]);

%!test  # against sort of what has no ties, and max
%! A = reshape (mod ((1:60000) * 7919, 60013) - 30000, 100, 20, 30);
%! for dim = 1:3
%!   [s, p] = sort (A, dim, 'descend');
%!   [w, q] = max (A, [], dim);
%!   for k = [1 7 100]
%!     at = repmat ({':'}, 1, 3);
%!     at{dim} = 1:min (k, size (A, dim));
%!     for c = {'double', 'single', 'int16', 'int32', 'int64'}
%!       [v, i] = knng.maxk (cast (A, c{1}), k, dim);
%!       assert (double (v), s(at{:}));
%!       assert (i, p(at{:}));
%!     end
%!   end
%!   assert (knng.maxk (A, 1, dim), w);
%! end

%!test  # ties to the lower index, NaN last, by magnitude
%! [v, i] = knng.maxk ([NaN 1 0 -0 1 NaN -Inf], 9);
%! assert (v, [1 1 0 -0 -Inf NaN NaN]);
%! assert (i, [2 5 3 4 7 1 6]);
%! [v, i] = knng.maxk ([3 -1 2 1 -2 NaN 0 -0], 9, 'ComparisonMethod', 'abs');
%! assert (i, [1 5 3 2 4 7 8 6]);
%! assert (knng.maxk (int8 ([-128 127 -127 1]), 3, 'ComparisonMethod', 'abs'), int8 ([-128 -127 127]));
%! [v, i] = knng.maxk ([false true false true true], 4);
%! assert (islogical (v) && isequal (v, [true true true false]) && isequal (i, [2 4 5 1]));
%! [v, i] = knng.maxk (intmax ('uint64') - uint64 ([3 1 2 0]), 2);
%! assert (v, intmax ('uint64') - uint64 ([0 1]));
%! assert (i, [4 2]);

%!error id=knng:args:count knng.maxk (1)
%!error id=knng:args:class knng.maxk (@sin, 1)
%!error id=knng:args:k knng.maxk (1, NaN)
%!error id=knng:args:device knng.maxk (1, 1, 'Device', 'tpu')
%!error id=knng:args:device knng.maxk (1, 1, 1, 'device', 0)
