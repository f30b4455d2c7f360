function [ns, info] = createns (X, varargin)
%KNNG.CREATENS  A searcher: reference rows prepared once, for many searches.
%   ns = knng.createns (X) prepares the rows of the n-by-d matrix X, so that
%   knng.knnsearch (ns, Y) finds the nearest of them for the rows of any Y, and
%   knng.rangesearch (ns, Y, r) all within a radius, without preparing them
%   again.
%   ns = knng.createns (..., 'Name', value, ...) takes options.
%   [ns, info] = knng.createns (...) also tells how it went, as in knngraph.
%
%   Most of the time of a search for few rows among many goes into preparing
%   the many. The answers of a searcher are those of knng.knnsearch (X, Y) and
%   knng.rangesearch (X, Y, r), to the last bit. It has a copy of the rows, and
%   needs X no more.
%
%   ns is a struct, a plain handle: what was prepared lies outside, and copies
%   of ns mean the same searcher. It is released when the last copy is gone, as
%   by clear ns or at the end of a function, or by knng.release (ns).
%   knng.searchers lists those that there are. Its fields are for reading; to
%   change one is an error of the next search (but for an id that is another
%   searcher's, of the same size).
%
%     ns.rows, ns.columns  the size of X
%     ns.class             text: the class of X
%     ns.Distance          text: the metric
%     ns.bytes             memory that the searcher holds, on the host
%     ns.gpu, ns.gpubytes  number of the GPU that has the rows, 0: the CPU; and
%                          the bytes that it holds there
%     ns.id, ns.hold       what it is known by, and what releases it
%
%   Save X, not ns: Octave warns of it, and save -v7 refuses it. A handle that
%   was saved and is loaded in another session is gone: a search with it is the
%   error knng:searcher:gone. So it is after knng.release. In the session that
%   made it a loaded handle works as long as another one is there. A searcher
%   works in a forked child, too, which has one of its own then; one on a GPU
%   does not, and is gone there.
%
%   Options:
%
%     'Distance'  'euclidean' (default) or any metric of knngraph; 'Metric' is
%                 the same
%     'Prune'     as in knngraph: 'auto' (default) keeps a tree of boxes around
%                 neighbouring rows from 8000 rows on, where a sample of the
%                 rows says that searches gain by it, and on the CPU from 2000
%                 where rows lie so far apart that single precision does not
%                 tell them from their neighbours; 'on' wherever it fits
%                 into memory, 'off' never. A search for 32 rows or more, on
%                 a GPU for 8192 or more, asks a sample of these whether it
%                 gains; on a GPU one for fewer compares them with all rows. A
%                 GPU keeps one from 32768 rows on, of up to 344 columns
%     'Device'    who keeps the rows and searches them: 'cpu'; 'gpu', or the
%                 number of a GPU; 'auto' (default) takes a GPU where a search
%                 for 1000 rows of Y would and the GPU has room for that beside
%                 the rows; else the CPU, and info.note says why. So it does
%                 with fewer than 8 columns, where a tree on the CPU answers
%                 sooner, unless 'Prune' is 'off'. A searcher uses one GPU, the
%                 first of several that works. Rows and copies stay in its
%                 memory, so that a search sends it Y alone
%     'MaxDeviceMemory'
%                 bytes of the GPU that the searcher may hold, and each search
%                 take, together
%     'MaxMemory', 'Threads', 'Progress'
%                 as in knngraph, for this call alone: each search has its own
%     'TileSize', 'Target'
%                 as in knngraph
%     'NSMethod', 'BucketSize'
%                 of MATLAB's: 'exhaustive' or 'kdtree', and a whole number;
%                 they change nothing
%
%   What is given here stays for all searches but for 'MaxMemory', 'Threads'
%   and 'Progress'. How many neighbours is asked at each search, with 'K'.
%
%   Rows without distances (see knngraph) are nobody's neighbours; a warning
%   counts them here, and at a search only those of Y. So rows with missing
%   values are left out: there is no 'Rows', 'pairwise' here. Give
%   knng.knnsearch the matrix itself then, knng.knnsearch (X, Y, 'Rows',
%   'pairwise'), or fill the values in before, X = knng.impute (X, 10).
%
%   Cost: n*d operations, and with a tree n*log (n). Memory: 12*n*ld + 41*n
%   bytes, where ld is d rounded up to a multiple of 8, at most; with a tree
%   8*n*max (d, 2) + 4*n more and some; ns.bytes says how much. 'MaxMemory'
%   limits what is held, and what preparing takes beside it (docs/memory.md).
%   On a GPU 10*n*ld + 28*n bytes of its memory, with a tree some 8*n*ld + 6*n
%   more, ns.gpubytes, and 17*n of the host. They count for other searches,
%   too: one that does not fit beside them is the error knng:device:memory,
%   until knng.release gives them back. A GPU needs room for a search for 1000
%   rows, too, before it takes them.
%
%   Errors: as knng.knnsearch for X and the options (knng:args:class, :count,
%   :unknownOption, :maxMemory and others); knng:args:device if there is no such
%   GPU, knng:device:none if none can be used, knng:device:memory, with the
%   least that would do, if it has no room; knng:memory:host; knng:interrupted.
%   Warnings: those of rows of knngraph: knng:data:nonFinite, :constant,
%   :twoColumns, :fill.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     ns = knng.createns (X, 'Distance', 'cityblock');
%     [idx, D] = knng.knnsearch (ns, [0.9 0.2; 4 4], 'K', 2)
%     idx = knng.knnsearch (ns, [3 3])
%     knng.release (ns);
%
%   See also knng.knnsearch, knng.rangesearch, knng.release, knng.searchers,
%   knngraph.

  if (nargin < 1 || (ischar (X) && ~mod (nargin, 2)))        % an option where X belongs
    error ('knng:args:count', ...
           'knng.createns needs a matrix, as in knng.createns (X): see help knng.createns');
  end
  knng.internal.built ();
  opt = struct ('NSMethod', [], 'BucketSize', []);
  asked = cellfun (@(a) knng.internal.is_one_of (a, {'K', 'NumNeighbors'}), varargin(1:2:end));
  if (any (asked))
    error ('knng:args:unknownOption', ['there is no option ''%s'' of knng.createns: how many neighbours is asked at each search, ' ...
           'as in knng.knnsearch (ns, Y, ''K'', 5)'], varargin{2 * find(asked, 1) - 1});
  end
  asked = cellfun (@(a) knng.internal.is_one_of (a, {'Rows', 'MinValid'}), varargin(1:2:end));
  if (any (asked))
    error ('knng:args:unknownOption', ['there is no option ''%s'' of knng.createns, which compares rows whole: give knng.knnsearch the ' ...
           'matrix itself, knng.knnsearch (X, Y, ''Rows'', ''pairwise''), or fill missing values in with knng.impute'], ...
           varargin{2 * find(asked, 1) - 1});
  end
  varargin = knng.internal.needless (knng.internal.search_arguments (opt, varargin, false));
  id = knng.internal.search ('id');
  hold = releasing (id);                                     % before there is anything to release
  info = knng.internal.search ('prepare', X, id, varargin{:});
  ns = knng.internal.search ('searcher', id);
  ns.hold = hold;
end

function hold = releasing (id)
  hold = onCleanup (@() knng.internal.search ('drop', id));
end

%!test
%! X = [0 0; 1 0; 0 2; 5 5];
%! ns = knng.createns (X, 'Distance', 'cityblock');
%! [idx, D] = knng.knnsearch (ns, [0.9 0.2; 4 4], 'K', 2);
%! assert (idx, [2 1; 4 3]);
%! assert ({ns.rows, ns.columns, ns.class, ns.Distance}, {4, 2, 'double', 'cityblock'});
%! knng.release (ns);
%! try, knng.knnsearch (ns, X); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:searcher:gone');
%!test  # copies mean the same, and the last one releases it
%! before = numel (knng.searchers ());
%! ns = knng.createns (magic (5));
%! other = {ns};
%! clear ns
%! assert (numel (knng.searchers ()), before + 1);
%! assert (knng.knnsearch (other{1}, magic (5)), (1:5)');
%! other = {};
%! assert (numel (knng.searchers ()), before);
%!test  # a warning that is an error leaves nothing
%! before = numel (knng.searchers ());
%! warning ('error', 'knng:data:nonFinite', 'local');
%! try, ns = knng.createns ([1 2; NaN 1]); id = 'none'; catch e, id = e.identifier; end
%! assert (id, 'knng:data:nonFinite');
%! assert (numel (knng.searchers ()), before);
%!error <asked at each search> knng.createns (eye (3), 'K', 2)
%!error <knng.knnsearch \(X, Y, 'Rows', 'pairwise'\)> knng.createns (eye (3), 'Rows', 'pairwise')
%!error id=knng:args:device knng.createns (eye (3), 'Device', 'tpu')
%!error id=knng:args:unknownOption knng.createns (eye (3), 'IncludeTies', false)
%!error id=knng:args:metric knng.createns (eye (3), 'Distance', 'l2')
%!error id=knng:args:class knng.createns ('x.npy')
%!error id=knng:args:count knng.createns ()
%!error id=knng:args:count knng.createns ('Distance', 'cosine')
