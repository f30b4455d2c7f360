function [varargout] = knngraph (X, k, varargin)
%KNNGRAPH  Exact k-nearest-neighbour graph of the rows of a matrix.
%   A = knngraph (X, k) finds, for every row of the n-by-d matrix X, the k other
%   rows that are nearest to it, and returns the graph as a sparse n-by-n matrix:
%   row i of A holds the distances to the neighbours of row i, A(i,j) = distance.
%   The neighbours are exact: there is no approximation and no chance in them.
%
%   A = knngraph (X, k, metric) measures with another distance:
%
%     'euclidean'    sqrt (sum ((x - y).^2)), the default
%     'sqeuclidean'  its square ('squaredeuclidean' is the same)
%     'cosine'       1 - cosine of the angle between the rows
%     'pearson'      1 - r, r the correlation of the rows ('correlation' is the same)
%     'abspearson'   1 - |r|: strongly correlated rows of either sign are near
%     'antipearson'  1 + r: rows that go against each other are near
%     'spearman'     1 - the correlation of the ranks
%     'cityblock'    sum (|x - y|) ('manhattan' is the same)
%     'chebychev'    max (|x - y|)
%
%   [idx, dist] = knngraph (...) returns n-by-k tables instead: idx(i,c) is the
%   c-th nearest row of row i, dist(i,c) its distance; equal distances are in order of idx.
%   [idx, dist, info] = knngraph (...) also tells how it went (see below).
%
%   X may be double or single, or the name of a file that knng.read understands. A single X
%   gives the neighbours of double (X), and single distances. A row never is its own neighbour;
%   a copy of it is, at distance 0. In A a zero distance is stored as realmin, since a sparse
%   matrix cannot hold a zero: treat A <= realmin as 0.
%
%   The euclidean distances square differences: beyond 1e154 squares are Inf and below 1e-162 they
%   are 0, and rows are told apart by their index alone. Scale such data first.
%
%   A row that holds NaN or Inf has no neighbours and is nobody's; so has a constant row with
%   the correlations, and a zero row with 'cosine'. Its idx are 0, its distances NaN, and a warning
%   (knng:data:nonFinite, knng:data:constant) counts such rows. If k is larger than
%   n - 1, there are n - 1 columns and a warning (knng:args:kClipped).
%
%   Options, as 'Name', value pairs after k or the metric. Their names may be shortened, 'Thr', as those of
%   metrics, 'corr', where that is not ambiguous (docs/grammar.md):
%
%     'Distance'         the metric, if it is not the third argument, default 'euclidean'; 'Metric' is the same
%     'Device'           'auto' (default), 'cpu', 'gpu', or numbers of GPUs, [1 2]; where 'auto'
%                        takes the CPU after all, 'gpu' says in an error why
%     'MaxMemory'        bytes of memory to use at most, beside X and the result;
%                        default: what the machine has available
%     'MaxDeviceMemory'  the same for each GPU. With less of it rows are searched in blocks, or
%                        come in panels; only what does not fit so either is an error
%     'Threads'          processor threads, default: all
%     'Progress'         'auto' (default): a line with the time left on the terminal when it takes
%                        more than 3 s, gone at the end; 'on': also in files; 'off'
%     'TileSize', 'Target'  for testing: rows that are compared at a time, and the kind
%                        of machine code ('auto', 'avx512', 'avx2', 'plain', 'blas').
%                        No choice of options changes a bit of the result.
%
%   info.device, info.note    what did the work, and why no GPU did, or not all its precision levels
%   info.seconds              .prepare, .filter, .refine, .sink, .total
%   info.certified            rows whose neighbours were proven by half-precision products
%                             (.f16, GPUs), single ones (.f32, the CPU; GPUs: half-precision
%                             ones of rows in two pieces), double ones (.f64),
%                             or from all pairs (.scan)
%   info.memory               bytes: .planned, .peak (measured), .device
%   info.points, .refined     different rows; exact distances that were computed
%   info.blocks               parts of the rows that were searched one after the other: 1, or
%                             more where a GPU has no room for all lists
%   info.panels               parts that the rows come to a GPU in: 1, or more where it has no
%                             room for all; they come again and again then
%   info.nonfinite, .constant rows of X without distances
%   info.product, .tilesize, .threads, .version   who made the products, and what was chosen
%
%   Cost: n*n*d multiplications and additions, whatever k; memory beside X and the result,
%   on the CPU, about 12*n*d + 8*n*max (2*k, k+64) + 110*n bytes; with GPUs some 100 MB, and on
%   each of them from 2*n*d bytes on (docs/memory.md). Ctrl-C stops a search and leaves nothing behind.
%
%   Errors: knng:args:class, :sparse, :complex, :empty, :dims, :rows, :k, :metric,
%   :unknownOption, :option, :device, :target, :maxMemory, :count; knng:device:none, :memory;
%   knng:memory:host; knng:interrupted; with a file name those of knng.read,
%   and knng:io:format if it holds a graph. A GPU that fails on the way costs a warning, knng:device:fallback, and nothing else.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     [idx, dist] = knngraph (X, 2)
%     A = knngraph (X, 2, 'cityblock', 'Threads', 1);
%
%   Method: docs/canonical.md has the distances to the last bit and the proof of exactness.
%   The problem and its first GPU solutions: Arefin et al., PLoS ONE 7(8):e44000 (2012);
%   Dashti et al., PLoS ONE 8(9):e74113 (2013).
%
%   See also knng.knnsearch, knng.estimate, knng.read, knng.neighbors.

  if (nargin < 2)
    error ('knng:args:count', 'knngraph needs a matrix and k, as in knngraph (X, 20): see help knngraph');
  end
  if (nargout > 3)
    error ('knng:args:count', 'knngraph has three results, [idx, dist, info]');
  end
  knng.internal.built ();
  if (ischar (X) && size (X, 1) <= 1)
    ds = knng.read (X);
    if (~ isfield (ds, 'X'))
      error ('knng:io:format', '%s holds a graph: knngraph makes one from a data set', X);
    end
    X = ds.X;
  end
  if (~isempty (varargin))
    varargin = knng.internal.search_arguments (struct (), varargin, true);
  end
  if (nargout < 2)
    [idx, dist] = knng.internal.search ('graph', X, k, varargin{:});
    varargout{1} = knng.internal.adjacency (idx, dist, knng.internal.work (varargin));
  else
    varargout = cell (1, nargout);
    [varargout{:}] = knng.internal.search ('graph', X, k, varargin{:});
  end
end

%!test <*1>
%! X = [0 0; 1 0; 0 2; 5 5];
%! [idx, dist] = knngraph (X, 2);
%! assert (idx, [2 3; 1 3; 1 2; 3 2]);
%! assert (dist, [1 2; 1 sqrt(5); 2 sqrt(5); sqrt(34) sqrt(41)]);
%!test
%! X = [0 0; 1 0; 0 2; 5 5];
%! A = knngraph (X, 1, 'cityblock', 'Threads', 1);
%! assert (A, sparse ([1 2 3 4], [2 1 1 3], [1 1 2 8], 4, 4));
%!test
%! A = knngraph ([1 2; 1 2; 3 4], 1);
%! assert (issparse (A) && nnz (A) == 3 && A(1, 2) == realmin);
%!test
%! [idx, dist, info] = knngraph (single ([0; 1; 3]), 1);
%! assert (class (dist), 'single');
%! assert (sum (cell2mat (struct2cell (info.certified))), 3);
%! assert (info.memory.peak <= info.memory.planned);
%!error <knng:args:count|matrix and k> knngraph (1)
%!error id=knng:args:metric knngraph (eye (3), 1, 'pearsn')
%!error id=knng:args:unknownOption knngraph (eye (3), 1, 'euclidean', 'Treads', 2)
%!error id=knng:args:k knngraph (eye (3), 0)
%!demo
%! t = linspace (0, 2 * pi, 200)';
%! X = [cos(t), sin(t)] + 0.05 * randn (200, 2);
%! [idx, dist] = knngraph (X, 5);
%! plot (X(:, 1), X(:, 2), 'o', X(idx(1, :), 1), X(idx(1, :), 2), 'r*', X(1, 1), X(1, 2), 'k+')
%! title ('a point and its five nearest neighbours')
