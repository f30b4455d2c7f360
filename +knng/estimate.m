function e = estimate (n, d, k, varargin)
%KNNG.ESTIMATE  What a search would take: time, memory and device.
%   knng.estimate (n, d, k) says in a sentence what knngraph (X, k) would take
%   for an n-by-d matrix X in memory, which need not exist yet.
%   knng.estimate (X, k) says it for the matrix X itself, some of whose rows it
%   tries: their clusters and surfaces count.
%   knng.estimate (file, k) says what knngraph (file, k) would take for a file
%   of numbers, such as 'images.npy'. It reads no more than the file's head
%   (of a .npz all of it, once).
%   knng.estimate (..., metric, 'Name', value, ...) takes the metric and all
%   options of knngraph, and some of its own.
%   e = knng.estimate (...) returns a 1-by-1 struct instead.
%
%   Options:
%
%     'Queries'    m: the search of knng.knnsearch (X, Y) for an m-by-d matrix
%                  Y, in place of the graph
%     'Radius'     true: the search of knng.rangegraph, or, with 'Queries', of
%                  knng.rangesearch, in place of the graph, where k rows are
%                  within the radius of a row on average. Its time is taken to
%                  be that of the k nearest; a tenth of the rows, which GPUs
%                  search twice, count twice. e.memory.result has the cells.
%                  Default false
%     'Class'      'double' (default) or 'single', the class of X and Y; not
%                  where X is given
%     'Calibrate'  false: no time is estimated and nothing is run; default true
%     'Metafeatures'
%                  as in knngraph: the graph of the metafeatures of an n-by-d
%                  matrix X; e.memory.input is X, which alone is stored
%     'Ranks'      how many processes of knng-mpi do it (docs/clusters.md), each
%                  on a machine as this one, in place of knngraph; the rows come
%                  from a file then, and 'MaxMemory' is of each
%     'Network'    bytes that each of these machines receives in a second, such
%                  as 10e9 or '10G';
%                  default: what comes over the network takes no time
%     'Distance', 'Device', 'MaxMemory', 'MaxDeviceMemory', 'Threads',
%     'Progress', 'Checkpoint', 'SaveEvery', 'Output', 'Dataset', 'Transposed',
%     'Rows', 'MinValid', 'Prune', 'TileSize', 'Target'
%                  as in knngraph; no file is made. 'Rows' is 'complete' only
%                  where X is given: else give the number of columns without NaN
%                  for d
%
%   Fields of e:
%
%     e.seconds          of the search with results [idx, dist]; NaN where it
%                        was not estimated
%     e.pruned           text: whether boxes would leave out pairs of the rows
%                        ('Prune' in knngraph), and why or why not, as
%                        info.pruned; empty where no time was estimated
%     e.device, e.gpus   what would do the work, as info.device, and the numbers
%                        of the GPUs, 1-by-g; both empty where the search would
%                        not start
%     e.note             why no GPU would, or not all of them; else empty
%     e.fits, e.problem  whether the search would start, and if not, the error
%                        that it would raise and what to change
%     e.memory           bytes: .planned at most, beside X and the result;
%                        .least that would do; .device on each GPU; .input X and
%                        Y, 0 for a file; .result idx and dist (and info.nvalid
%                        of 'pairwise'), 0 with 'Output'. NaN where no device is
%                        left to plan for
%     e.disk             bytes that the checkpoint takes, and the file of
%                        'Output', and, where memory has no room for them, the
%                        neighbours while they are sought, those of all ranks
%                        together; 0 without these
%     e.threads, e.tilesize, e.blocks, e.panels  as in info of knngraph
%     e.ranks            processes; 1 without 'Ranks', of each of which e.device
%                        and e.memory speak, but .result is that of rank 0
%     e.traffic          bytes: .received by each rank from others while it
%                        searches, .gathered by rank 0 in the end, .read of the
%                        file by all; 0 without ranks, or a file
%
%   The memory is counted by the code that plans every search, for what is
%   available now; without 'MaxMemory' less X and Y, which need not be there
%   yet, unless X is given. The time is scaled up from a few short searches of
%   some rows of X, or, where it is not given, of made-up ones. Of up to 100 000
%   rows it was mostly within four tenths where little else ran
%   (docs/performance.md), and it is as wrong as the machine's other work is
%   uneven. Of searches of hours expect the order of magnitude.
%
%   The made-up rows have no structure. With few columns the CPU leaves out most
%   pairs of such rows, and e.pruned says how many are left. Of rows that lie in
%   clusters, or on a surface of few dimensions, it leaves out most whatever
%   their columns, and a search may be ten times as quick as is said of a size
%   alone, or more: give X. On GPUs the time of a size is that of all pairs, and
%   rows that escalate to a higher precision cost more, such as those of tight
%   clusters. Equal rows cost less. Of a file in many blocks the time is
%   rougher, and that of a slow disk comes on top: a row is read about half as
%   often as there are blocks. Of several ranks it is the part of each of what
%   one needs; rows are received meanwhile, the graph is gathered afterwards.
%   They have been timed on two GPUs only (docs/performance.md).
%
%   Cost: about a second, with X up to some seconds, and less memory than the
%   search itself; with 'Calibrate', false neither.
%
%   Errors: knng:args:rows, :columns, :k, :metric, :unknownOption, :option,
%   :device, :target, :count; knng:interrupted; of X those of knngraph, such as
%   knng:data:incomplete ('Rows' is 'complete', and no column is); of a file
%   knng:io:open, :format, :truncated, :noHDF. A search that does not fit is
%   none, and neither is a checkpoint that is another search's or has no room:
%   see e.problem. Warnings, of X, unless 'Calibrate' is false: those of rows of
%   knngraph but for constant ones: knng:data:nonFinite, :twoColumns, :fill.
%
%   Example:
%     knng.estimate (50000, 300, 20, 'pearson')
%     knng.estimate (magic (8), 3)
%     e = knng.estimate (1e9, 10, 5, 'Calibrate', false);
%     if (~e.fits), disp (e.problem), end
%     knng.estimate (2e6, 100, 20, 'Ranks', 8, 'Network', 10e9);
%
%   See also knngraph, knng.knnsearch, knng.devices, knng.demo.

  whole = nargin > 1 && (ischar (n) || numel (n) ~= 1 || isstruct (n)) && (ischar (n) || nargin < 3 || ischar (k));
  if (nargin < 3 - whole)
    error ('knng:args:count', ...
           ['knng.estimate needs the rows and columns of X and k, as in knng.estimate (1e5, 300, 20), or X itself or a file, and k, ' ...
            'as in knng.estimate (X, 20) or knng.estimate (''images.npy'', 20): see help knng.estimate']);
  end
  if (~whole && isfloat (n) && numel (n) > 1 && ischar (d))
    error ('knng:args:k', 'k is %s: it must be the number of neighbours, as in knng.estimate (X, 20)', knng.internal.given (d));
  end
  if (whole)
    if (ischar (n) && (isrow (n) || isempty (n)) && ~knng.internal.search ('stored', n))
      error ('knng:io:format', ['%s is no file of numbers of which rows can be read apart (.npy, .fbin and so on): read a ' ...
             'table by knng.read, and give its matrix, as in knng.estimate (ds.X, 20). Raw numbers need their size in front: ' ...
             'as .fbin, uint32 rows, uint32 columns, then float32 (see help knng.read)'], knng.internal.shown (n));
    end
    if (nargin > 2)
      varargin = [{k}, varargin];
    end
    k = d;
    d = [];
  end
  knng.internal.built ();
  if (isempty (d) && isnumeric (n) && isequal (size (n), [1 2]) && all (n >= 1 & n == fix (n)) && n(1) > 1)
    error ('knng:args:rows', ['X is a matrix of one row, [%g %g]: for a matrix of %g rows and %g columns give these one by one, as in ' ...
           'knng.estimate (%.15g, %.15g, k)'], n, n, n);
  end
  pairs = knng.internal.search_arguments (struct ('Class', [], 'Queries', [], 'Calibrate', true, 'Checkpoint', [], 'SaveEvery', [], ...
                                           'Output', [], 'Dataset', [], 'Transposed', [], 'Ranks', [], 'Network', [], 'Radius', false, 'Rows', 'all', 'MinValid', [], ...
                                           'Metafeatures', []), varargin, true);
  [pairs, n] = knng.internal.with_operations (pairs, n);
  if (isempty (d))
    [pairs, n] = without_gaps (pairs, n);
  end
  p = knng.internal.search ('plan', n, d, k, pairs{:});
  s = summary (p);
  if (nargout > 0)
    e = s;
  else
    tell (s);
  end
end

function [pairs, X] = without_gaps (pairs, X)
% 'Rows', 'complete' of a matrix that is there: its columns without NaN.
  names = pairs(1:2:end);
  at = 2 * find (strcmp (names, 'Rows'), 1, 'last');
  if (isempty (at) || ~knng.internal.is_one_of (pairs{at}, {'complete'}) || any (strcmp (names, 'Metafeatures')) || ~isfloat (X))
    return
  end
  whole = ~any (isnan (X), 1);
  if (~any (whole))
    error ('knng:data:incomplete', ['each of the %d columns of X holds NaN, so that ''Rows'', ''complete'' leaves none: give ''Rows'', ' ...
           '''pairwise'', or fill the gaps in by knng.impute (X)'], size (X, 2));
  end
  X = X(:, whole);
  pairs{at} = 'all';
end

function s = summary (p)
% What knng.estimate returns of a plan.
  s.seconds = p.seconds;
  s.pruned = p.pruned;
  s.device = p.device;
  s.gpus = p.gpus;
  s.note = p.note;
  s.fits = isempty (p.problem);
  s.problem = p.problem;
  s.memory = struct ('planned', p.planned, 'least', p.least, 'device', p.ondevice, 'input', p.input, 'result', p.result);
  s.disk = p.disk;
  s.threads = p.threads;
  s.tilesize = p.tilesize;
  s.blocks = p.blocks;
  s.panels = p.panels;
  s.ranks = p.ranks;
  s.traffic = struct ('received', p.received, 'gathered', p.gathered, 'read', p.read);
  if (~s.fits)                         % nothing would do the work
    s.device = '';
    s.gpus = zeros (1, 0);
    if (p.planned == 0)
      [s.memory.planned, s.memory.least, s.memory.device] = deal (NaN);
    end
  end
end

function tell (s)
  if (~s.fits)
    fprintf ('would not start: %s\n', s.problem);
    return
  end
  if (~isnan (s.seconds))
    fprintf ('about %s ', time_text (s.seconds));
  end
  if (s.ranks > 1)
    fprintf ('by %d ranks, each ', s.ranks);
  end
  fprintf ('on %s', s.device);
  if (~isempty (s.gpus))
    fprintf (', %s on each GPU', size_text (s.memory.device));
  end
  if (s.memory.input > 0)
    fprintf (', %s beside X and the result (%s)', size_text (s.memory.planned), size_text (s.memory.input + s.memory.result));
  elseif (s.memory.result > 0)
    fprintf (', %s beside the result (%s)', size_text (s.memory.planned), size_text (s.memory.result));
  else                                                       % which goes to a file
    fprintf (', %s', size_text (s.memory.planned));
  end
  if (s.blocks > 1)
    fprintf (', in %d blocks', s.blocks);
  end
  if (s.disk > 0)
    fprintf (', %s of disk', size_text (s.disk));
  end
  if (s.ranks > 1)
    fprintf ('; a rank receives %s, rank 0 another %s of the graph', size_text (s.traffic.received), size_text (s.traffic.gathered));
  end
  fprintf ('\n');
  if (~isempty (s.pruned) && (isempty (s.gpus) || strncmp (s.pruned, 'yes', 3)))
    fprintf ('pairs left out by boxes? %s\n', s.pruned);
  end
  if (isempty (s.gpus))
    fprintf ('no GPU: %s\n', s.note);
  elseif (~isempty (s.note))
    fprintf ('not all GPUs: %s\n', s.note);
  end
end

function text = time_text (s)
  units = [86400, 3600, 60, 1];
  names = {'d', 'h', 'min', 's'};
  year = 365.25 * 86400;
  if (~(s < 1000 * year))
    text = 'more than 1000 years';
    return
  elseif (s >= 10 * year)
    text = sprintf ('%.0f years', s / year);
    return
  elseif (s < 9.95)
    text = sprintf ('%.1f s', max (s, 0.1));
    return
  end
  s = round (s);
  u = find (s >= units, 1);
  text = sprintf ('%d %s', floor (s / units(u)), names{u});
  if (u < 4)
    text = sprintf ('%s %d %s', text, floor (mod (s, units(u)) / units(u + 1)), names{u + 1});
  end
end

function text = size_text (b)
  names = {'kB', 'MB', 'GB', 'TB'};
  u = max (1, min (4, floor (log10 (max (b, 1)) / 3)));
  b = b / 1000 ^ u;
  if (b < 9.95)
    text = sprintf ('%.1f %s', b, names{u});
  else
    text = sprintf ('%.0f %s', b, names{u});
  end
end

%!test
%! X = mod ((1:3000)' * sqrt (2:31), 1);
%! [idx, dist, info] = knngraph (X, 7, 'cosine', 'Device', 'cpu');
%! e = knng.estimate (3000, 30, 7, 'cosine', 'Device', 'cpu', 'Calibrate', false);
%! assert (e.fits && isempty (e.problem) && isnan (e.seconds) && isempty (e.gpus));
%! assert (e.device, info.device);
%! assert (e.note, info.note);
%! assert ([e.memory.planned, e.threads, e.tilesize, e.blocks, e.panels], [info.memory.planned, info.threads, info.tilesize, info.blocks, info.panels]);
%! assert ([e.memory.input, e.memory.result], [3000 * 30 * 8, 3000 * 7 * 16]);
%! [idx, dist, info] = knng.knnsearch (X, X(1:50, :), 'K', 3, 'Device', 'cpu');
%! e = knng.estimate (3000, 30, 3, 'Queries', 50, 'Class', 'single', 'Device', 'cpu', 'Calibrate', false);
%! assert (e.memory.planned, info.memory.planned);
%! assert ([e.memory.input, e.memory.result], [3050 * 30 * 4, 50 * 3 * 12]);
%!test   % the matrix itself
%! X = single (mod ((1:3000)' * sqrt (2:31), 1));
%! [idx, dist, info] = knngraph (X, 7, 'cosine', 'Device', 'cpu');
%! e = knng.estimate (X, 7, 'cosine', 'Device', 'cpu', 'Calibrate', false);
%! f = knng.estimate (3000, 30, 7, 'cosine', 'Class', 'single', 'Device', 'cpu', 'Calibrate', false);
%! assert (e, f);
%! assert ([e.memory.planned, e.memory.input, e.memory.result], [info.memory.planned, 3000 * 30 * 4, 3000 * 7 * 12]);
%! e = knng.estimate (double (X), 7);
%! assert (e.seconds > 0 && e.memory.input == 3000 * 30 * 8);
%! e = knng.estimate (X, 7, 'Queries', 50, 'MaxMemory', 1e8, 'Calibrate', false);
%! f = knng.estimate (3000, 30, 7, 'Queries', 50, 'Class', 'single', 'MaxMemory', '100M', 'Calibrate', false);
%! assert (e, f);
%! ds = struct ('X', 1 + double (X(1:40, 1:10)));
%! e = knng.estimate (ds, 7, 'Metafeatures', '-', 'Calibrate', false);
%! assert (e, knng.estimate (40, 10, 7, 'Metafeatures', '-', 'Calibrate', false));
%!error <matrix of one row, \[2e\+06 576\]: .* knng.estimate \(2000000, 576, k\)$> knng.estimate ([2e6 576], 50)
%!error id=knng:args:count knng.estimate (magic (8))
%!error id=knng:args:k knng.estimate (magic (8), 0)
%!error <^k is 'K': it must be the number> knng.estimate (magic (8), 'K', 3)
%!error id=knng:args:rows knng.estimate (magic (8), 5, 1)
%!error id=knng:args:class knng.estimate (int8 (magic (8)), 5)
%!error <that is ds.X> knng.estimate (struct ('X', magic (8)), 5)
%!error id=knng:args:empty knng.estimate ([], 5)
%!error id=knng:args:sparse knng.estimate (speye (4), 2)
%!error <^'Class' is for a matrix that is not there> knng.estimate (magic (8), 5, 'Class', 'single')
%!error id=knng:args:option knng.estimate (magic (8), 5, 'Dataset', 'X')
%!test   % metafeatures, which are not stored
%! X = 1 + mod ((1:40)' * sqrt (2:11), 1);
%! [idx, dist, info] = knngraph (X, 7, 'cosine', 'Device', 'cpu', 'Metafeatures', {'-', '/'});
%! e = knng.estimate (40, 10, 7, 'cosine', 'Device', 'cpu', 'Metafeatures', {'-', '/'}, 'Calibrate', false);
%! assert ([e.memory.planned, e.memory.input, e.memory.result], [info.memory.planned, 40 * 10 * 8, 1600 * 7 * 16]);
%! f = knng.estimate (40, 10, 7, 'cosine', 'Device', 'cpu', 'Metafeatures', {'-', '/'}, 'Output', 'graph.h5', 'Calibrate', false);
%! assert ([f.memory.input, f.memory.result], [40 * 10 * 8, 0]);
%! f = knng.estimate (50, 10, 7, 'Metafeatures', '-');
%! assert (f.seconds > 0 && f.memory.input == 4000);
%!error id=knng:args:option knng.estimate (50, 10, 7, 'Metafeatures', '-', 'Queries', 7)
%!error id=knng:args:option knng.estimate (50, 10, 7, 'Metafeatures', '-', 'Ranks', 7)
%!error id=knng:args:option knng.estimate (50, 10, 7, 'Metafeatures', '-', 'Radius', true)
%!error id=knng:args:rows knng.estimate (1e5, 10, 7, 'Metafeatures', '-')
%!test   % all rows within a radius
%! X = mod ((1:9000)' * sqrt (2:4), 1);
%! [idx, ~, info] = knng.rangegraph (X, 0.1);
%! k = ceil (mean (cellfun ('numel', idx)));
%! e = knng.estimate (9000, 3, k, 'Radius', true, 'Calibrate', false);
%! assert (e.fits && strcmp (e.device, info.device) && strcmp (e.note, info.note));
%! assert (e.memory.planned > info.memory.planned && e.memory.planned < info.memory.planned + 1.2e6 * info.threads + 32 * 9000);
%! assert (e.memory.result, 9000 * (512 + 16 * k));
%! e = knng.estimate (1e5, 3, 1e4, 'Radius', true, 'Calibrate', false, 'MaxMemory', 1e9);
%! assert (~e.fits && e.memory.least > 3.2e10 && ~isempty (strfind (e.problem, '''MaxMemory''')));
%! e = knng.estimate (2000, 3, 20, 'Radius', true, 'Queries', 100, 'Class', 'single', 'Threads', 1);
%! assert (e.fits && e.seconds > 0 && e.memory.result == 100 * (512 + 12 * 20));
%!test   % a hundred times the work, and ten times the work of it
%! state = rand ('twister');
%! e = [knng.estimate(800, 50, 10), knng.estimate(8000, 50, 10), knng.estimate(80000, 50, 10)];
%! assert (all (diff ([0, e.seconds]) > 0) && e(3).seconds > 10 * e(1).seconds);
%! assert (isequal (rand ('twister'), state));
%! e = knng.estimate (30000, 20, 5, 'Queries', 3, 'Threads', 1);
%! assert (e.seconds > 0 && e.seconds < 10);
%! e = knng.estimate (5, 20, 5, 'euclidean', 'Queries', 1000, 'Threads', 1);
%! assert (e.seconds > 0 && e.seconds < 10);
%! e = knng.estimate (2000, 20, 5, 'euclidean', 'Queries', 1e4, 'Threads', 1);
%! assert (e.seconds > 0 && e.seconds < 1000);
%!test   % where boxes leave out pairs, and where they do not
%! few = {'Device', 'cpu', 'Threads', 1};
%! e = [knng.estimate(1e6, 3, 10, few{:}), knng.estimate(1e6, 3, 10, few{:}, 'Prune', 'off')];
%! assert (e(1).seconds < e(2).seconds / 4);
%! assert (strncmp (e(1).pruned, 'yes: ', 5) && strcmp (e(2).pruned, 'no: as ''Prune'' asks'), e(1).pruned);
%! e = knng.estimate (1e5, 100, 10, few{:});
%! assert (strncmp (e.pruned, 'no: all pairs will be compared (made-up rows ', 45), e.pruned);
%! e = knng.estimate (1e4, 3, 10, few{:}, 'Queries', 10);
%! assert (e.pruned, 'no: there are too few rows to gain');
%! e = knng.estimate (1e6, 3, 10, few{:}, 'Calibrate', false);
%! assert (isempty (e.pruned) && isnan (e.seconds));
%!test   % rows that are there lie in clusters; made-up ones do not
%! few = {'Device', 'cpu', 'Threads', 1};
%! centres = 30 * knng.internal.random (1, 40 * 60);
%! X = reshape (centres, 40, 60)(mod (0:19999, 40) + 1, :) + reshape (knng.internal.random (2, 20000 * 60), 20000, 60);
%! e = [knng.estimate(X, 10, few{:}), knng.estimate(20000, 60, 10, few{:}), knng.estimate(single (X), 10, few{:}, 'Queries', 5000)];
%! assert (strncmp (e(1).pruned, 'yes: of some of the rows ', 25), e(1).pruned);
%! assert (strncmp (e(2).pruned, 'no: all pairs will be compared (made-up rows ', 45), e(2).pruned);
%! assert (strncmp (e(3).pruned, 'yes: of some of the rows ', 25) && e(3).seconds > 0, e(3).pruned);
%! X(:, 1) = 1e9 * mod (0:19999, 2)';                       # two halves
%! e = knng.estimate (X, 10, few{:});
%! assert (strncmp (e.pruned, 'yes: 2 clusters far from each other one by one', 46) && e.seconds > 0, e.pruned);
%! [~, ~, info] = knngraph (X, 10, few{:});
%! assert (strncmp (e.pruned, info.pruned, 46), info.pruned);
%!test   % rows of X without distances
%! X = reshape (knng.internal.random (1, 12000), 2000, 6);
%! X(5:7, [2 4]) = NaN;
%! X(9, 1) = Inf;
%! warning ('error', 'knng:data:nonFinite', 'local');
%! e = knng.estimate (X, 3, 'Calibrate', false);
%! calls = {@() knng.estimate(X, 3), @() knngraph(X, 3), @() knng.estimate(X, 3, 'Rows', 'pairwise', 'Radius', true)};
%! said = {'', '', ''};
%! for c = 1:3
%!   try, e = calls{c}(); catch problem, said{c} = problem.message; end
%! end
%! assert (strncmp (said{1}, '4 of 2000 rows (0.2 %) hold NaN or Inf', 38), said{1});
%! assert (said{2}, said{1});
%! assert (strncmp (said{3}, '1 of 2000 rows (0.05 %) hold Inf: they have no neighbours (an empty list)', 72), said{3});
%!test   % among all rows the nearest are nearer than among those that are tried
%! few = {'Device', 'cpu', 'Threads', 1};
%! e = knng.estimate (reshape (knng.internal.random (1, 600000), 60000, 10), 10, few{:});
%! assert (strncmp (e.pruned, 'yes: of some of the rows ', 25), e.pruned);
%!test   % within 'MaxMemory'
%! X = reshape (knng.internal.random (1, 240000), 20000, 12);
%! few = {'Device', 'cpu', 'Threads', 1};
%! e = knng.estimate (X, 10, few{:}, 'Calibrate', false);
%! for limit = [e.memory.planned, e.memory.least]
%!   f = knng.estimate (X, 10, few{:}, 'MaxMemory', limit);
%!   assert (f.fits && f.seconds > 0 && isempty (strfind (f.pruned, 'no memory')) == (limit > e.memory.least), f.pruned);
%! end
%!test   % whether a sample leaves it open that all rows gain
%! X = reshape (knng.internal.random (1, 240000), 20000, 12);
%! for d = [8 10 12]
%!   e = knng.estimate (X(:, 1:d), 10, 'Device', 'cpu', 'Threads', 1);
%!   part = sscanf (regexprep (e.pruned, '^\D+', ''), '%g');
%!   enough = sscanf (regexprep (e.pruned, '^.* below ', ''), '%g');
%!   assert (isempty (strfind (e.pruned, 'so near')), abs (part - enough) >= 0.4 * enough, e.pruned);
%! end
%!test   % only columns without gaps
%! X = reshape (knng.internal.random (1, 600), 100, 6);
%! X(3, [2 5]) = NaN;
%! assert (knng.estimate (X, 3, 'rows', 'Complete', 'Calibrate', false), knng.estimate (100, 4, 3, 'Calibrate', false));
%!error <^each of the 2 columns of X holds NaN> knng.estimate ([1 NaN; NaN 2; 3 4], 1, 'Rows', 'complete')
%!error <give their number for d> knng.estimate (100, 6, 3, 'Rows', 'complete')
%!test   % data that has no distances, in rows that are fewer than k
%! e = knng.estimate (3, 1, 10, 'pearson');
%! assert (e.seconds >= 0 && e.seconds < 10);
%! e = knng.estimate (1, 4, 1);
%! assert (e.seconds >= 0 && e.seconds < 10 && e.memory.result == 0);
%! e = knng.estimate (1, 4, 1, 'Device', 'cpu', 'Prune', 'on');
%! assert (e.pruned, 'no: there is nothing to compare');
%!test
%! e = knng.estimate (1e5, 100, 20, 'MaxMemory', 1e7);
%! assert (~e.fits && isnan (e.seconds) && ~isempty (strfind (e.problem, sprintf ('%.0f', e.memory.least))));
%! e = knng.estimate (1e5, 100, 20, 'MaxMemory', e.memory.least, 'Calibrate', false);
%! assert (e.fits && e.memory.planned <= e.memory.least);
%! e = knng.estimate (1e9, 1000, 20);
%! assert (~e.fits && e.memory.input == 8e12 && isempty (e.device) && isempty (e.gpus));
%! [~, why] = knng.devices ();
%! if (~isempty (why))
%!   for device = {'gpu', 1, int8([1 2])}
%!     e = knng.estimate (1e4, 10, 5, 'Device', device{1});
%!     assert (~e.fits && isempty (e.device) && isempty (e.gpus) && strncmp (e.problem, 'no GPU can be used', 18), e.problem);
%!     assert (isnan ([e.seconds, e.memory.planned, e.memory.least, e.memory.device]));
%!     assert (e.memory.input, 8e5);
%!     e = knng.estimate (1e4, 10, 5, 'Device', device{1}, 'Ranks', 2);
%!     assert (~e.fits && isempty (e.device) && isempty (e.gpus) && strncmp (e.problem, 'no GPU can be used', 18), e.problem);
%!   end
%! end
%!test   % several processes: their blocks, memory and traffic
%! never = {'Class', 'single', 'Device', 'cpu', 'Calibrate', false};
%! one = knng.estimate (1e6, 100, 10, never{:});
%! assert ([one.ranks, one.traffic.received, one.traffic.gathered, one.traffic.read], [1, 0, 0, 0]);
%! e = knng.estimate (1e6, 100, 10, never{:}, 'Ranks', 4);
%! f = knng.estimate (1e6, 100, 10, never{:}, 'Ranks', 8);
%! assert ([e.ranks, f.ranks, e.blocks, f.blocks], [4, 8, 8, 16]);
%! assert (e.fits && f.memory.planned < 0.6 * e.memory.planned && e.memory.input == 0 && e.memory.result == 32e7);
%! assert ([e.traffic.gathered, e.traffic.read], [75e4 * 121, 4e8]);
%! assert (e.traffic.received > 2e8 && e.traffic.received < 3e8);
%! g = knng.estimate (1e6, 100, 10, never{:}, 'Ranks', 4, 'MaxMemory', e.memory.planned / 2);
%! assert (g.fits && g.memory.planned <= e.memory.planned / 2 && g.memory.least == e.memory.least && g.blocks > 8);
%! g = knng.estimate (1e6, 100, 10, never{:}, 'Ranks', 4, 'MaxMemory', e.memory.least);
%! assert (g.fits && g.traffic.read > 4e8);
%! g = knng.estimate (1e6, 100, 10, never{:}, 'Ranks', 4, 'MaxMemory', e.memory.least - 1);
%! assert (~g.fits && ~isempty (strfind (g.problem, 'each of 4 ranks')));
%! fast = knng.estimate (2000, 50, 10, 'Device', 'cpu', 'Ranks', 2, 'Network', Inf);
%! slow = knng.estimate (2000, 50, 10, 'Device', 'cpu', 'Ranks', 2, 'Network', 1e4);
%! assert (fast.seconds > 0 && fast.seconds < 10);
%! assert (slow.seconds, (slow.traffic.received + slow.traffic.gathered) / 1e4, -1e-12);
%! text = evalc ('knng.estimate (50000, 100, 20, ''Device'', ''cpu'', ''Ranks'', 2)');
%! assert (~isempty (regexp (text, '^about .* by 2 ranks, each on cpu \(.*\), \d+ MB beside the result \(32 MB\), in 4 blocks; a rank receives \d+ MB, rank 0 another 6.0 MB of the graph\n')), text);
%!test
%! text = evalc ('knng.estimate (50000, 100, 20, ''euclidean'', ''Device'', ''cpu'')');
%! assert (~isempty (regexp (text, '^about .* on cpu \(.*\), \d+ MB beside X and the result \(56 MB\)\npairs left out by boxes\? no: all pairs will be compared \(.*\)\nno GPU: the CPU was asked for\n$')), text);
%! text = evalc ('knng.estimate (50000, 100, 20, ''MaxMemory'', 1)');
%! assert (strncmp (text, 'would not start: ', 17));
%!error id=knng:args:count knng.estimate (5, 5)
%!error id=knng:args:rows knng.estimate (2.5, 5, 1)
%!error <^n is 2.5> knng.estimate (2.5, 5, 1)
%!error id=knng:args:rows knng.estimate (2 ^ 40, 5, 1)
%!error id=knng:args:columns knng.estimate (5, 0, 1)
%!error id=knng:args:k knng.estimate (5, 5, 0)
%!error id=knng:args:metric knng.estimate (5, 5, 1, 'euclidian')
%!error id=knng:args:unknownOption knng.estimate (5, 5, 1, 'K', 2)
%!error id=knng:args:option knng.estimate (5, 5, 1, 'Calibrate', 1)
%!error id=knng:args:option knng.estimate (5, 5, 1, 'Class', 'int8')
%!error id=knng:args:option knng.estimate (5, 5, 1, 'Radius', 0.5)
%!error id=knng:args:option knng.estimate (5, 5, 1, 'Radius', true, 'Output', 'graph.h5')
%!error id=knng:args:unknownOption knngraph (eye (5), 1, 'Class', 'double')
