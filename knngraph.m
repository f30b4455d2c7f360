function [varargout] = knngraph (X, k, varargin)
%KNNGRAPH  Exact k-nearest-neighbour graph of the rows of a matrix.
%   A = knngraph (X, k) finds, for every row of the n-by-d matrix X, the k other
%   rows that are nearest to it. A is sparse and n-by-n: A(i,j) is the distance
%   from row i to its neighbour j.
%   A = knngraph (X, k, metric) measures with another distance than 'euclidean'.
%   A = knngraph (..., 'Name', value, ...) takes options.
%   [idx, dist] = knngraph (...) returns n-by-k tables instead: idx(i,c) is the
%   row that is c-th nearest to row i, counted from 1, and dist(i,c) its
%   distance. Equal distances are in order of idx.
%   [idx, dist, info] = knngraph (...) also tells how it went.
%   info = knngraph (..., 'Output', file) writes idx and dist to a file instead.
%   ... = knngraph (X, k, metric, 'Metafeatures', ops) makes the graph of the
%   differences, sums, products or ratios of all pairs of rows, unstored.
%
%   The neighbours are exact: nothing is approximated and nothing is left to
%   chance. Machine, device and options do not change a bit of the result;
%   docs/canonical.md defines it and has the proof.
%
%   help knng.Contents lists all functions that come with this one.
%
%     X       n-by-d, a row for each point; full, real, double or single. At
%             most 2^31 - 65 rows. A single X gives the neighbours of double
%             (X), and single distances. Or the name of a file that knng.read
%             understands. One of numbers ('images.npy', 'base.fvecs') may be
%             larger than the memory: then its rows are read in blocks, as
%             'MaxMemory' allows, and every two blocks are compared. So may one
%             of HDF5 ('images.h5'), of MATLAB's save ('-v7.3') ('images.mat')
%             and of Octave's save ('-hdf5'). With 'Metafeatures' it may be a
%             data set, as knng.read returns it
%     k       how many neighbours, a whole number from 1 on. If it is larger
%             than n - 1, there are n - 1 columns and a warning,
%             knng:args:kClipped
%     metric  one of the metrics below
%
%   Metrics:
%
%     'euclidean'    sqrt (sum ((x - y).^2)), the default
%     'sqeuclidean'  its square; 'squaredeuclidean' is the same
%     'cosine'       1 - cosine of the angle between the rows
%     'pearson'      1 - r, r the correlation of the rows; 'correlation' is the
%                    same
%     'abspearson'   1 - |r|: strongly correlated rows of either sign are near
%     'antipearson'  1 + r: rows that go against each other are near
%     'spearman'     1 - the correlation of the ranks; equal values share their
%                    mean rank
%     'cityblock'    sum (|x - y|); 'manhattan' is the same
%     'chebychev'    max (|x - y|)
%
%   A row that holds NaN or Inf has no distances: it has no neighbours and is
%   nobody's ('Rows' below says how NaN may be taken otherwise). So it is with a
%   constant row and the correlations, and with a row of zeros and 'cosine'. The
%   idx of such a row are 0, its dist NaN, its row and column of A empty. A
%   warning counts these rows, knng:data:nonFinite or knng:data:constant.
%   knng.impute fills in missing values, knng.filterrows leaves constant rows
%   out. Of two columns every correlation is 1, -1 or none, which is a warning,
%   knng:data:twoColumns. A number such as -9999 or 1e20 that stands for a
%   missing value is a number here; knng:data:fill warns of it where several of
%   64 rows of X have it, the first ones of a file of numbers.
%
%   A row never is its own neighbour; a copy of it is, at distance 0. A sparse
%   matrix cannot hold a zero, so in A a distance of 0 is stored as realmin:
%   treat A <= realmin as 0. The graph is directed: i may be a neighbour of j,
%   and j none of i. max (A, A') has an edge where either is.
%
%   'euclidean' and 'sqeuclidean' square differences: beyond 1e154 squares are
%   Inf and below 1e-162 they are 0, and rows are told apart by their index
%   alone. Where X is single so is dist, and 'sqeuclidean' is Inf there beyond
%   1e19 and 0 below 1e-23. Scale such data first.
%
%   Options:
%
%     'Distance'         the metric, if it is not the third argument, default
%                        'euclidean'; 'Metric' is the same
%     'Device'           default 'auto'
%         'auto'  GPUs where the search is large enough to gain from them and
%                 fits, else the CPU: no GPU below n*n*d = 2e10 (32 000 rows of
%                 20 columns), one more for every 5e12
%         'cpu'   the processor
%         'gpu'   all GPUs that can be used; an error says why there is none
%         [1 2]   the GPUs of these numbers (knng.devices), less any that cannot
%                 be used now
%     'MaxMemory'        bytes of memory to use at most, beside X and the
%                        result; of a file of numbers, with what is read of X;
%                        Inf is no limit. A text may have a unit: '500k', '40M',
%                        '4G' or '4GB' (4e9), '4GiB' (2^32), '1T'. Default: nine
%                        tenths of what the machine or its container has
%                        available
%     'MaxDeviceMemory'  the same for each GPU; default: what is free, less 512
%                        MB. With less of it the search takes more parts,
%                        info.blocks and info.panels; only what does not fit
%                        even so is an error
%     'Threads'          processor threads, a whole number from 1 to 4096; no
%                        more than four a processor, and 128, are started.
%                        Default: all processors that Octave, its container or
%                        its batch job may use, or OMP_NUM_THREADS where that is
%                        set; fewer for a small search
%     'Progress'         'auto' (default): a line with the time left, on a
%                        terminal, when it takes more than 3 s; it is gone at
%                        the end. 'on': from the start, and in files too. 'off':
%                        never
%     'Checkpoint'       a folder where what was found is kept, so that the same
%                        call goes on from there after Ctrl-C, a crash, or the
%                        end of a batch job, and returns the same. The folder
%                        is for this alone, and is made if it is not there. It
%                        takes 24*n*k + 2*n bytes and some, and stays: remove it
%                        when you have the result. Of other rows, k or metric
%                        it is refused. X is searched in eight blocks or more
%                        then
%     'SaveEvery'        of a 'Checkpoint' (without one it is an error): seconds
%                        from one save to the next. A crash loses what was
%                        found since then, or at least what the two blocks at
%                        hand had found. Default: 600, or 50 times what saving
%                        takes, if that is more. Ctrl-C saves
%     'Dataset'          of a file of HDF5 or an archive of NumPy (.npz): the
%                        name of the dataset, of the variable or of the array,
%                        such as '/images'. Default, also '': the only matrix of
%                        numbers in the file
%     'Transposed'       of the same: true: a row is a column of the dataset, as
%                        MATLAB, Octave, Julia and R store it. Default, also []:
%                        true for variables of MATLAB and Octave, which the file
%                        shows; else false. Of their arrays of more than two
%                        dimensions, such as images, it has to be given: false
%                        for a row for each last index, true for X(:, :)
%     'Output'           a file for the graph, 'graph.h5', .hdf5 or .mat: of
%                        HDF5, as MATLAB writes it with -v7.3. knng.loadgraph
%                        reads it, or some of its rows; load of Octave and
%                        MATLAB reads all of it. There is no other result then
%                        than info, and less memory is needed: 12*n*k bytes for
%                        the graph, which 'MaxMemory' counts; if they are too
%                        many they are on the disk meanwhile. The file has
%                        12*n*k bytes (8*n*k of class single) and 4096 more,
%                        which are claimed on the disk before the search, beside
%                        it, as a hidden file .knng-*.part: it has its name when
%                        it is complete. Machine, options and form of X do not
%                        change a byte of it
%     'Rows'             what becomes of missing values, NaN in X
%         'all'       (default) a row with NaN has no neighbours
%         'complete'  columns with NaN in any row are left out of all rows;
%                     info.omitted has them, and so has a warning,
%                     knng:data:leftOut. For matrices, without 'Checkpoint' and
%                     'Output'. knng.impute fills in missing values instead
%         'pairwise'  two rows are compared over the columns that both have, of
%                     which 'MinValid' are needed. Correlations and 'cosine' are
%                     those of these columns, ranks too; the other metrics are
%                     scaled up to all columns: euclidean is
%                     sqrt (d/c*sum ((x - y).^2)) over c of d columns. Not for
%                     'chebychev'. info.nvalid has c. It takes three to six
%                     times as long as a search of all pairs without missing
%                     values, 'spearman' some nine times, more with many rows on
%                     GPUs, or where boxes would leave out pairs (eight times
%                     was seen), and 8*n*d bytes more. On the CPU all n*(n-1)/2
%                     pairs of 'cityblock' get their exact distance, a fraction
%                     of a microsecond each. The CPU does 'spearman' of more
%                     than 4096 columns, whatever 'Device' is (info.note). A row
%                     with Inf still has no neighbours
%     'MinValid'         of 'pairwise': rows that share fewer columns have no
%                        distance, a whole number from 1 to d; default 3, or d
%                        if that is less. A warning counts the rows that have
%                        fewer than k neighbours then, knng:data:fewer. With 1
%                        or 2 correlations may be of two columns, which is a
%                        warning, knng:data:twoColumns
%     'Metafeatures'     operations, as knng.metafeatures takes them, such as
%                        'difference' or {'-', '/'}: the graph is that of the
%                        rows of knng.metafeatures (X, [], ops), first those of
%                        X and then of all pairs, to the last bit. But they are
%                        formed piece by piece where the search reads them, and
%                        never stored, which saves 3.6 GB of 876 rows of 295
%                        columns by four operations. n is their number then, n +
%                        p*n*(n-1)/2 by p operations, at most 2^31 - 65.
%                        knng.metanames names those that idx has. Pairs with a
%                        row in common resemble each other: p-values of
%                        knng.edges do not hold for them. x/0 is Inf, whose
%                        row has no neighbours, with 'Rows', 'pairwise' neither:
%                        make zeros of X missing values, NaN. With 'Output'
%                        and 'Checkpoint', too; not of files of numbers, nor
%                        with 'Rows', 'complete'
%     'Prune'            pairs of rows may be left out that boxes around
%                        neighbouring rows prove to be too far apart. 'auto'
%                        (default): from 8000 rows on, on GPUs from 32768 (of
%                        knng.knnsearch 4000 queries, too), where a sample says
%                        that it gains, as with few columns or clusters, and on
%                        the CPU from 2000 rows on (1000 queries) where these
%                        lie so far apart that single precision does not tell
%                        rows from their neighbours; 'on': wherever it can be,
%                        which is not with 'Rows', 'pairwise', or too little
%                        memory for the boxes, and on GPUs not with more than
%                        344 columns or 1024 neighbours; 'off': no boxes. Of
%                        files in blocks and with a checkpoint 'auto' does so
%                        from 1000 rows of a block on, on GPUs from 32768 of
%                        two. On the CPU long rows, of 128 columns or more, such
%                        as images, may be compared by 63 principal components
%                        first, too, where a sample says that it gains, unless
%                        'off'. The result is the same, and info.pruned and
%                        info.components say what was done.
%                        Whatever 'Prune' is, clusters so far apart that no row
%                        has a neighbour in another one are searched one by one:
%                        from 2000 rows on by 'euclidean', 'sqeuclidean',
%                        'cityblock' and 'chebychev', where memory has room to
%                        find them; with boxes only rows of 16 columns or more,
%                        on GPUs of 8, where many clusters are left to boxes
%     'TileSize'         for testing: how many rows are compared at a time, all
%                        in one search
%     'Target'           for testing: the instruction set of the CPU: 'auto'
%                        (default), 'avx512', 'avx2', 'plain'; 'blas': the best
%                        one, with products by OpenBLAS
%
%   Names of options and metrics may be shortened where that is clear, 'Thr',
%   'corr', and upper and lower case are the same: docs/grammar.md. If an option
%   is given twice, the last counts.
%
%   Fields of info:
%
%     info.device     text: what did the work, such as 'cpu (avx2, 8 threads)'
%     info.note       text: why no GPU did, what failed on the way, or why GPUs
%                     skipped precision levels; else empty
%     info.seconds    times: .prepare rows made ready, .filter candidates found,
%                     .refine exact distances, .sink answers written, .total all
%     info.certified  how many rows had their neighbours proven by which
%                     arithmetic: .f16 half precision (GPUs; of cityblock
%                     bytes), .f32 single precision (GPUs: half precision of
%                     rows in two pieces, but of cityblock and chebychev
%                     single), .f64 double precision, .scan exact distances of
%                     all pairs,
%                     .boxes exact distances of all that boxes, and bounds by
%                     single precision, did not leave out
%     info.memory     bytes beside X and the result (of a file of numbers, with
%                     what is read of X): .planned the bound counted before,
%                     .peak the most held at once, measured, .device on each GPU
%     info.points     different rows; equal ones are searched once (of a file in
%                     blocks, once in each block; of knng.knnsearch, where
%                     clusters are searched one by one, rows of those with
%                     queries)
%     info.refined    exact distances that were computed; with boxes the pairs
%                     that these did not leave out: of most of them single
%                     precision is enough, and no exact distance is computed.
%                     Rows that one precision does not suffice for are counted
%                     again at the next, so there may be more than pairs
%     info.pruned     text: whether pairs were left out by boxes, and why or
%                     why not. A sample of the rows says which share of the
%                     pairs is left to compare, and below which share that is
%                     quicker than to compare all. 'yes: 17.9 % of the pairs
%                     have to be compared, below 100 % it gains': the others
%                     were left out; 'no: at least 40.9 % of the pairs have to
%                     be compared, below 40.4 % it gains': all were compared.
%                     'yes: 4 clusters far from each other one by one, 3 rows
%                     far from all others; in the largest no: ...': each
%                     cluster was a search by itself, and behind the ; stands
%                     what was done in the largest one. The 3 rows were compared
%                     with all rows, as are '3 queries among all rows'. 'no:
%                     ...; 3 rows far from all others by themselves': the other
%                     rows are one cluster, and no pair of them was left out
%     info.components
%                     by how many principal components rows were compared first,
%                     which leaves out most pairs of images; 0: by none
%     info.product    text: who made the matrix products: own (knng itself),
%                     openblas or cublas
%     info.tilesize, info.threads  what was chosen
%     info.blocks     parts of the rows that were searched one after the other:
%                     1, or more where a GPU has no room for the lists of all
%                     rows; of a file of numbers, the blocks in which it is read
%     info.panels     parts in which the rows went to a GPU: 1, or more where it
%                     has no room for all; then they are sent again and again
%     info.resumed    which part of the work a checkpoint had, 0 to 1; refined
%                     and seconds are those of this call. At 1 nothing was
%                     searched: product is empty, tilesize and threads are 0
%     info.nonfinite  rows with NaN or Inf; with 'Rows', 'complete' or
%                     'pairwise', for which NaN is no reason, those with Inf
%     info.constant   other rows without distances: constant, or zero; with
%                     'pairwise' 0: these are among info.fewer
%     info.fewer      with 'Rows', 'pairwise': rows with fewer than k neighbours
%                     that hold no Inf
%     info.nvalid     with 'Rows', 'pairwise': n-by-k like idx, how many columns
%                     a row and its neighbour share, 0 where there is none. Of
%                     files and with a checkpoint the rows are read once more
%                     for it; it is empty where n*d/8 bytes are more than
%                     'MaxMemory' or than is free, with 'Output', and of every
%                     other search. Without a semicolon Octave shows all of it:
%                     look at the rest by rmfield (info, 'nvalid'), or give
%                     struct_levels_to_print (0) before
%     info.omitted    with 'Rows', 'complete': the columns that were left out, a
%                     row; else empty
%     info.dataset    text: of a file of HDF5 or .npz the name of the dataset
%                     that was read; else ''
%     info.version    text: the version of knng
%
%   Cost: n*n*d multiplications and additions, whatever k is; on the CPU, of few
%   columns or of clusters, far less: for 3 columns n*log (n). Memory beside X
%   and the result: on the CPU about 12*n*d + 8*n*max (2*k, k+64) + 115*n bytes,
%   and 8*n + 8.5*n*max (d, 2) more from 2000 rows on, if there is room for
%   'Prune'; with GPUs some 100 MB, and on each of them from 2*n*d bytes on
%   (docs/memory.md). Of a file that is read in blocks of s rows it is the same
%   for 2*s rows in place of n, these rows and 32*s*k bytes for their
%   neighbours, and 12*n*k + n bytes for those of all, which are on the disk if
%   memory has no room for them, with 'Output' or 'Checkpoint'; a row is read
%   about half as often as there are blocks. Ctrl-C stops a search and leaves
%   nothing behind but a checkpoint.
%
%   Errors: knng:args:class, :sparse, :complex, :empty, :dims, :rows, :k,
%   :metric, :unknownOption, :option, :device, :target, :maxMemory, :count;
%   knng:device:none, :memory; knng:memory:host; knng:interrupted; with a file
%   name those of knng.read, and knng:io:format if it holds a graph; with a
%   checkpoint knng:checkpoint:folder, :busy (another search uses it), :other
%   (it is of another search), :data (of other rows or metafeatures); with
%   'Output' knng:args:format, :file (it is the file that is read),
%   knng:io:open, :exists (the file is there and no graph), :write (the disk is
%   too full), :noHDF. A GPU that fails on the way costs a warning,
%   knng:device:fallback, and nothing else; so does a checkpoint that could not
%   be saved, knng:checkpoint:write.
%
%   Source: the problem and its first solutions on GPUs: A. S. Arefin et al.,
%   PLoS ONE 7(8):e44000 (2012); I. Dashti et al., PLoS ONE 8(9):e74113 (2013).
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     [idx, dist] = knngraph (X, 2)
%     A = knngraph (X, 2, 'cityblock', 'Threads', 1);
%
%   See also knng.knnsearch, knng.estimate, knng.read, knng.loadgraph,
%   knng.neighbors, knng.metanames, knng.edges, knng.adjacency, knng.leiden,
%   knng.umap, knng.explore, knng.impute, knng.rangegraph, knng.fitcknn.

  if (nargin < 2)
    error ('knng:args:count', 'knngraph needs a matrix and k, as in knngraph (X, 20): see help knngraph');
  end
  if (nargout > 3)
    error ('knng:args:count', 'knngraph has three results, [idx, dist, info]');
  end
  knng.internal.built ();
  if (ischar (X) && (isrow (X) || isempty (X)) && ~knng.internal.search ('stored', X))
    X = knng.internal.read_points (X);
    state = warning ('off', 'knng:data:fill');               % which was said when it was read
    back = onCleanup (@() warning (state)); %#ok<NASGU>
  end
  if (~isempty (varargin))
    varargin = knng.internal.search_arguments (struct ('Checkpoint', [], 'SaveEvery', [], 'Output', [], 'Dataset', [], ...
                                               'Transposed', [], 'Rows', 'all', 'MinValid', [], 'Metafeatures', []), varargin, true);
    [varargin, X] = knng.internal.with_operations (varargin, X);
  end
  if (any (strcmpi ('Output', varargin(1:2:end))))
    if (nargout > 1)
      error ('knng:args:count', ['with ''Output'' knngraph has one result, info; the graph is in the file: ' ...
             '[idx, dist] = knng.loadgraph (file)']);
    end
    info = knng.internal.search ('graph', X, k, varargin{:});
    if (nargout > 0)
      varargout{1} = info;
    end
  elseif (nargout < 2)
    [idx, dist] = knng.internal.search ('graph', X, k, varargin{:});
    varargout{1} = knng.internal.adjacency (idx, dist, knng.internal.how_to_run (varargin));
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
%!test   % where pairs cannot be left out, 'on' or not
%! X = mod ((1:300)' * sqrt (2:4), 1);
%! [~, ~, info] = knngraph (X, 2, 'euclidean', 'Prune', 'on');
%! assert (info.pruned, 'yes: as ''Prune'' asks');
%! [~, ~, info] = knngraph (X, 2, 'euclidean', 'Prune', 'on', 'Rows', 'pairwise');
%! assert (strncmp (info.pruned, 'no: ', 4) && info.certified.boxes == 0, info.pruned);
%! X = mod ((1:20000)' * sqrt (2:4), 1);
%! e = knng.estimate (20000, 3, 5, 'euclidean', 'Device', 'cpu', 'Threads', 1, 'Calibrate', false);
%! [~, ~, info] = knngraph (X, 5, 'euclidean', 'Prune', 'on', 'Device', 'cpu', 'Threads', 1, 'MaxMemory', e.memory.least);
%! assert (info.pruned, 'no: there is no memory for it');
%!error <fewer rows or columns, or a smaller k$> knngraph (magic (9), 2, 'euclidean', 'MaxMemory', 10)
%!error <fewer rows or columns$> knngraph (magic (9), 1, 'euclidean', 'MaxMemory', 10)
%!error <knng:args:count|matrix and k> knngraph (1)
%!error id=knng:args:metric knngraph (eye (3), 1, 'pearsn')
%!error id=knng:args:unknownOption knngraph (eye (3), 1, 'euclidean', 'Treads', 2)
%!error id=knng:args:k knngraph (eye (3), 0)
%!test
%! X = [0 3; 1 1; 4 2];
%! [idx, dist] = knngraph (X, 2, 'cityblock', 'Metafeatures', {'-', '*'});
%! [right, far] = knngraph (knng.metafeatures (X, [], {'-', '*'}), 2, 'cityblock');
%! assert ({idx, dist}, {right, far});
%! assert (knngraph (struct ('X', X), 2, 'cityblock', 'meta', {'-', '*'}), knngraph (X, 2, 'cityblock', 'Metafeatures', {'-', '*'}));
%!error <'Metafeatures' is 'add': it must be> knngraph (eye (3), 1, 'Metafeatures', 'add')
%!error <X has 40000 rows, which make 3199960000 metafeatures> knngraph ((1:4e4)', 1, 'Metafeatures', {'-', '+', '*', '/'})
%!error id=knng:args:option knngraph (eye (3), 1, 'Metafeatures', '-', 'Rows', 'complete')
%!demo
%! t = linspace (0, 2 * pi, 200)';
%! X = [cos(t), sin(t)] + 0.05 * randn (200, 2);
%! [idx, dist] = knngraph (X, 5);
%! plot (X(:, 1), X(:, 2), 'o', X(idx(1, :), 1), X(idx(1, :), 2), 'r*', X(1, 1), X(1, 2), 'k+')
%! title ('a point and its five nearest neighbours')
