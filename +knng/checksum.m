function h = checksum (varargin)
%KNNG.CHECKSUM  A fingerprint of a graph, which equal graphs share.
%   h = knng.checksum (idx, dist) takes the n-by-k tables of [idx, dist] =
%   knngraph (...) or of knng.knnsearch and returns their SHA-256, a text of 64
%   hexadecimal digits.
%   h = knng.checksum (A) takes the sparse matrix A = knngraph (...): the
%   checksum is that of its tables, if some row has k neighbours.
%   h = knng.checksum (file) takes the file of knngraph (..., 'Output', file),
%   of any size: the checksum is that of the tables in it.
%
%   Every computer, GPU and choice of options gives the same graph to the last
%   bit, so they give the same text. Print it beside a result, and anybody can
%   see whether theirs is the same, without sending the graph. The command-line
%   program prints it with --checksum. A single X has single distances, and so
%   another checksum than double (X).
%
%   What is hashed: n and k; then, row by row, the k indices and after them the
%   k distances. n, k and the indices are 64-bit integers, counted from 1, with
%   0 for no neighbour. The distances are doubles; a single is converted, which
%   is exact; every NaN is 0x7FF8000000000000. All are little-endian.
%
%   Cost: one pass over the tables, O(n*k), about 0.2 GB a second; memory 64
%   rows, for a file up to 40 MB. Ctrl-C stops it.
%
%   Errors: knng:args:count, :unknownOption; knng:args:class if A is no sparse
%   matrix of real numbers; knng:args:idx, :dist if they are not full real
%   matrices of one size, or idx holds something else than whole numbers; of a
%   file those of knng.loadgraph; knng:memory:host; knng:interrupted.
%
%   Source: FIPS 180-4, Secure Hash Standard (2015).
%
%   Example:
%     [idx, dist] = knngraph ([0 0; 1 0; 0 2; 5 5], 2);
%     h = knng.checksum (idx, dist);
%     h(1:16)                             % 216511cc77cf9acf
%
%   See also knngraph, knng.verify, knng.loadgraph.

  if (nargin > 0 && ischar (varargin{1}))
    knng.internal.options (struct (), varargin(2:end));
    knng.internal.built ();
    h = knng.internal.graph_file ('checksum', varargin{1});
    return
  end
  [graph, rest] = knng.internal.graph_arguments ('knng.checksum (GRAPH)', varargin, 'any');
  knng.internal.options (struct (), rest);                   % it has none
  knng.internal.built ();
  [idx, dist] = knng.internal.tables (graph);
  h = knng.internal.checksum (idx, dist);
end

%!function bytes = serialised (idx, dist)  # what the help says, in Octave
%!  rows = [reshape(typecast (int64 (idx')(:), 'uint8'), 8 * columns (idx), []); ...
%!          reshape(typecast (double (dist')(:), 'uint8'), 8 * columns (idx), [])];
%!  bytes = [typecast(int64 (size (idx)), 'uint8')(:); rows(:)];
%!endfunction
%!test <*1>
%! for k = [1 2 3 7 8]
%!   for n = [1 2 63 64 65 130]
%!     idx = reshape (mod (7 * (1:n*k), n + 1), n, k);
%!     dist = sin (idx) + idx;
%!     dist(1) = NaN;
%!     assert (knng.checksum (idx, dist), hash ('sha256', char (serialised (idx, dist)')));
%!     dist = single (dist);
%!     assert (knng.checksum (idx, dist), hash ('sha256', char (serialised (idx, dist)')));
%!   end
%! end
%!test
%! [idx, dist] = knngraph ([0 0; 1 0; 0 2; 5 5], 2);
%! h = knng.checksum (idx, dist);
%! assert (h(1:16), '216511cc77cf9acf');
%! other = dist;
%! other(end) = other(end) + eps (other(end));
%! assert (strcmp (knng.checksum (idx, other), h), false);
%!test  # every NaN is one
%! nan = typecast (uint64 (18446744073709551615), 'double');
%! assert (knng.checksum (0, nan), knng.checksum (0, NaN));
%! assert (knng.checksum (zeros (3, 0), zeros (3, 0)), hash ('sha256', char (typecast (int64 ([3 0]), 'uint8'))));
%!test  # the command-line program says the same
%! root = fileparts (which ('knngraph'));
%! program = fullfile (root, 'build', 'knng');
%! file = fullfile (root, 'examples', 'data', 'golub.nbi.gz');
%! if (exist (program, 'file'))
%!   ds = knng.read (file);
%!   [idx, dist] = knngraph (ds.X, 3, 'cosine');
%!   [status, text] = system (['"' program '" -q -k 3 -m cosine --checksum "' file '"']);
%!   assert (text, [knng.checksum(idx, dist) "\n"]);
%! end
%!testif ; knng.internal.graph_file ('can')  # and so has its file
%! file = [tempname() '.mat'];
%! X = mod ((1:70)' * [0.137 0.713], 1);
%! X(3, 1) = NaN;
%! warning ('off', 'knng:data:nonFinite', 'local');
%! for type = {'double', 'single'}
%!   [idx, dist] = knngraph (feval (type{1}, X), 4);
%!   knngraph (feval (type{1}, X), 4, 'Output', file);
%!   assert (knng.checksum (file), knng.checksum (idx, dist));
%! end
%! delete (file);
%!error id=knng:args:count knng.checksum (1)
%!error id=knng:io:open knng.checksum ('/nonexistent/graph.h5')
%!error id=knng:args:unknownOption knng.checksum ('graph.h5', 'K', 1)
%!error id=knng:args:idx knng.checksum (1.5, 1)
%!error id=knng:args:idx knng.checksum (NaN, 1)
%!error id=knng:args:idx knng.checksum (@sin, 1)
%!assert (knng.checksum (int32 ([2; 1]), [1; 1]), knng.checksum ([2; 1], [1; 1]))
%!test  # a matrix has the checksum of the tables
%! X = [0 0; 0 0; 1 0; 0 2; 5 5; 0 0];
%! for k = [1 3 5]
%!   [idx, dist] = knngraph (X, k);
%!   assert (knng.checksum (knngraph (X, k)), knng.checksum (idx, dist));
%!   assert (knng.checksum (knngraph (single (X), k)), knng.checksum (idx, single (dist)));
%! end
%!error id=knng:args:unknownOption knng.checksum ([2; 1], [1; 1], 'K', 1)
%!error id=knng:args:dist knng.checksum (1, [1 2])
%!error id=knng:args:dist knng.checksum (1, 1i)
%!error id=knng:args:dist knng.checksum (1, {1})
