function varargout = mink (A, k, varargin)
%KNNG.MINK  The k smallest elements along a dimension, in order.
%   v = knng.mink (A, k) returns the k smallest elements of a vector, or of each
%   column of a matrix, the smallest first. Of an m-by-n matrix v is k-by-n; of
%   an array with more dimensions it goes along the first one whose size is not
%   1. If there are fewer than k elements, v has them all, sorted, as with k =
%   Inf; with k = 0 it is empty.
%   v = knng.mink (A, k, dim) goes along the dimension dim: with dim = 2 along
%   the rows, and v is m-by-k.
%   [v, i] = knng.mink (...) also says where they stand: for a vector v is A(i);
%   for a matrix the column v(:,j) is A(i(:,j),j).
%   [...] = knng.mink (..., 'Name', value, ...) takes options.
%
%   A is a full array of any real numeric class, or logical; v has its class.
%   Equal elements come in the order of their indices; 0 and -0 are equal. NaN
%   comes last, and is returned only where there is nothing else. int64 and
%   uint64 are compared exactly. v and i are the same on every machine, for any
%   number of threads, and on a GPU.
%
%   Options:
%
%     'ComparisonMethod'  'auto' or 'real', by value; 'abs', by magnitude, and
%                         of two that have the same the positive one first;
%                         default 'auto'
%     'Device'            where to work: 'cpu'; 'gpu' for the first GPU that can
%                         be used, or the number of one as knng.devices has it;
%                         'auto' (default): the CPU, since A has to go to a GPU
%                         first, which pays only along rows of large arrays
%     'Threads'           processor threads, default: all
%
%   These are the names and rules of MATLAB's mink. Not supported are complex
%   arrays: take abs (A) or real (A), and the indices serve for A.
%
%   Cost: it looks at each element once or twice and sorts nothing but the
%   answer, on all cores of the CPU. With k up to 10 it takes two to three times
%   as long as reading A, and up to three times that along the rows; from some
%   hundred on the sorting counts more (docs/performance.md). Memory beside A
%   and the results: on each core 4 MB and 200*k bytes for each of the vectors
%   that it works at together: one column, or 32 rows of class double, 64 of
%   class single. On a GPU at most 1 GiB of its memory, whatever the size of A,
%   and 50 MB of the machine's, both kept until Octave ends. Ctrl-C stops it.
%
%   Errors: knng:args:count; knng:args:class, :sparse, :complex, :dims (A); :k;
%   :dim; :option, :unknownOption; knng:args:device, knng:device:none
%   ('Device'); knng:build:missing; knng:memory:host; knng:interrupted.
%
%   Warnings: knng:device:fallback: the GPU failed or has too little memory, and
%   the CPU did it. With k above 2048 that is so for vectors of more than some
%   ten million elements.
%
%   Example:
%     D = [4 1 3; 2 2 NaN; 9 1 0; 1 5 3];
%     [v, i] = knng.mink (D, 2)         % v = [1 1 0; 2 1 3], i = [4 1 3; 2 3 1]
%     [v, i] = knng.mink (D, 2, 2)      % of each row: v(2, :) is [2 2]
%     knng.mink ([-3 1 2], 2, 'ComparisonMethod', 'abs')   % 1 2
%
%   See also knng.maxk, knng.knnsearch.

  if (nargin < 2)
    error ('knng:args:count', 'knng.mink needs an array and k, as in knng.mink (A, 3): see help knng.mink');
  end
  [varargout{1:max (1, nargout)}] = knng.internal.mink_maxk (0, A, k, varargin);
end

%!test <*1>
%! D = [4 1 3; 2 2 NaN; 9 1 0; 1 5 3];
%! [v, i] = knng.mink (D, 2);
%! assert (v, [1 1 0; 2 1 3]);
%! assert (i, [4 1 3; 2 3 1]);
%! [v, i] = knng.mink (D, 2, 2);
%! assert (v, [1 3; 2 2; 0 1; 1 3]);
%! assert (i, [2 3; 1 2; 3 2; 1 3]);
%! assert (knng.mink ([-3 1 2], 2, 'ComparisonMethod', 'abs'), [1 2]);
%! assert (knng.mink ([3 1 2], Inf), [1 2 3]);
%! assert (knng.mink ([3 1 2], 1e300), [1 2 3]);

%!test  # by magnitude
%! [v, i] = knng.mink ([3 -1 2 1 -2 NaN -0], 9, 'comparisonmethod', 'ABS');
%! assert (i, [7 4 2 3 5 1 6]);
%! assert (knng.mink (int8 ([-128 127 -127 1]), 3, 2, 'ComparisonMethod', 'abs'), int8 ([1 127 -127]));
%! assert (knng.mink ([2 1], 1, 'ComparisonMethod', 'real'), 1);

%!test  % where there is no GPU, asking for one is an error; else it gives the same
%! A = mod ((1:5000)' * [7919 104729], 3001);
%! [w, j] = knng.mink (A, 300, 'Device', 'cpu');
%! try
%!   [v, i] = knng.mink (A, 300, 'Device', 'gpu');
%!   assert (v, w);
%!   assert (i, j);
%! catch err
%!   assert (err.identifier, 'knng:device:none');
%! end

%!error id=knng:args:count knng.mink ()
%!error id=knng:args:count knng.mink (1)
%!error id=knng:args:class knng.mink ('abc', 1)
%!error id=knng:args:class knng.mink ({1}, 1)
%!error id=knng:args:sparse knng.mink (speye (3), 1)
%!error id=knng:args:complex knng.mink ([1i 2], 1)
%!error id=knng:args:k knng.mink (1, -1)
%!error id=knng:args:k knng.mink (1, 1.5)
%!error id=knng:args:k knng.mink (1, [1 2])
%!error id=knng:args:dim knng.mink (1, 1, 0)
%!error id=knng:args:dim knng.mink (1, 1, {})
%!error id=knng:args:option knng.mink (1, 1, 'ComparisonMethod', 'imag')
%!error id=knng:args:option knng.mink (1, 1, 'ComparisonMethod')
%!error id=knng:args:unknownOption knng.mink (1, 1, 1, 'Method', 'abs')
%!error id=knng:args:unknownOption knng.mink (1, 1, 1, 2)
%!error id=knng:args:device knng.mink (1, 1, 'Device', 'tpu')
%!error id=knng:args:device knng.mink (1, 1, 1, 'device', 0)
