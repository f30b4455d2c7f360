% bench_gpu  Times knngraph on GPUs as a user calls it, and verifies the result; `make bench-gpu` calls it.
%
% A time is that of a whole call on a matrix of Octave: the median of three calls after a first one. From 5 s on it is
% that of one call after the first, or of the first itself where there was no time for another. n is reduced to what
% fits into memory and to what one call does in the time; the row says so. The floor is n^2 d operations (multiply and
% add, half of the square) at 790 TFLOP/s a GPU, the half-precision rate of one H200. Writes build/bench_gpu.txt line
% by line. Ends with an error if a row that was verified is wrong or a workload failed. Environment:
%   KNNG_BENCH_SECONDS   how long the calls on one matrix may take in all, default 120
%   KNNG_BENCH_GPUS      how many GPUs: '2', or '1 2 4' for each in turn and the speedup against the first; default all
%   KNNG_BENCH_VERIFY    rows of each result that knng.verify computes again, default as many as take a quarter of the
%                        seconds, from 10 to 1000
%   KNNG_BENCH_ONLY      a regular expression for names such as 'W4 normal k=512'
1;

function X = random_rows (kind, n, d, class)
  % Column j is a part of one long vector of random numbers, from start(j) on. That is far quicker than n * d random
  % numbers, and as hard to search: no number occurs twice in a row, and hardly any in two rows.
  if strcmp (kind, 'integers')
    pool = rand (n + 2 ^ 22, 1, class);
  else
    pool = randn (n + 2 ^ 22, 1, class);
  end
  start = randperm (2 ^ 22, d);
  groups = ceil (n / 1000);
  group = ceil (groups * rand (n, 1));
  copied = ceil (n / 4 * rand (n, 1));
  X = zeros (n, d, class);
  for j = 1:d
    x = pool(start(j):start(j) + n - 1);
    switch kind
      case 'clusters' % a thousand rows of spread 1 around each of the centres of spread 20
        centre = 20 * randn (groups, 1);
        x = x + centre(group);
      case 'integers' % 0 ... 3 and 0 ... 12 in turn, the suits and ranks of W7's hands of cards
        x = floor ((13 - 9 * mod (j, 2)) * x);
      case 'duplicates' % each four times on average
        x = x(copied);
    end
    X(:, j) = x;
  end
end

function n = rows_that_fit (w, gpus)
  n = w.n;
  while true
    e = knng.estimate (n, w.d, w.k, w.metric, 'Class', w.class, 'Device', 1:gpus, 'Calibrate', false);
    if e.fits
      break
    end
    n = floor (0.95 * n);
    if n < 4096
      error ('bench_gpu: not even %d rows fit into the memory', n);
    end
  end
  if n < w.n
    n = floor (0.9 * n); % room for tiles and lists of full size
  end
end

function n = rows_in_time (w, most, gpus, seconds)
  % How many rows one call can do in so many seconds, from the times of two smaller calls, of m and of m / 4 rows. The
  % first is linear + square, the second linear / 4 + square / 16: linear to prepare and refine, square to compare.
  n = most;
  m = 4096;
  s = 0;
  while m < most
    before = s;
    s = toc_of_call (random_rows (w.data, m, w.d, w.class), w, gpus);
    if s > seconds / 64
      linear = max (0, min (s, (16 * before - s) / 3));
      square = s - linear;
      n = min (most, m * 2 * seconds / (linear + sqrt (linear ^ 2 + 4 * square * seconds)));
      break
    end
    m = 4 * m;
  end
end

function [s, idx, dist, info] = toc_of_call (X, w, gpus)
  clock = tic ();
  [idx, dist, info] = knngraph (X, w.k, w.metric, 'Device', 1:gpus);
  s = toc (clock);
end

function [s, calls, idx, dist, info] = median_call (X, w, gpus, seconds)
  % The median of the calls after the first, and the results of the last with the info of the median call. If there is
  % no time for a second call, those of the first, and calls is 0.
  [s, idx, dist, infos] = toc_of_call (X, w, gpus);
  calls = max (0, min (1 + 2 * (s < 5), floor (seconds / s) - 1));
  for i = 1:calls
    idx = dist = []; % leave the memory to the next call
    [s(i), idx, dist, infos(i)] = toc_of_call (X, w, gpus);
  end
  [s, order] = sort (s);
  middle = ceil (numel (s) / 2);
  s = s(middle);
  info = infos(order(middle));
end

function text = certified (c)
  % 'f16 99.9 %, f64 0.1 %'
  levels = fieldnames (c)';
  count = cellfun (@(level) c.(level), levels);
  list = [levels(count > 0); num2cell(100 * count(count > 0) / sum (count))];
  text = sprintf ('%s %.4g %%, ', list{:});
  text = text(1:end - 2);
end

function text = optional (format, x)
  text = '';
  if ~isnan (x)
    text = sprintf (format, x);
  end
end

function print (out, varargin)
  text = sprintf (varargin{:});
  fprintf ('%s\n', text);
  fprintf (out, '%s\n', text);
  fflush (stdout);
  fflush (out);
end

here = fileparts (fileparts (mfilename ('fullpath')));
addpath (here);
[list, why] = knng.devices ();
if isempty (list)
  error ('bench_gpu: no GPU: %s', why);
end
gpus = sscanf (getenv ('KNNG_BENCH_GPUS'), '%d')';
if isempty (gpus)
  gpus = numel (list);
end
seconds = str2double (getenv ('KNNG_BENCH_SECONDS'));
if isnan (seconds)
  seconds = 120;
end
verified = str2double (getenv ('KNNG_BENCH_VERIFY'));

% The last two are seconds of other programs for the same shape in single precision, measured separately on one H200,
% without transfers: FAISS's bfKnn, and the brute force of cuVS 26.08 (the faster of its own choice and its tiled one).
work = {'W1', 'normal', 24158, 295, 20, 'pearson', 'double', 0.0122, 0.0126
        'W2', 'normal', 384126, 295, 20, 'pearson', 'double', 2.75, 2.63
        'W3', 'normal', 1533876, 295, 20, 'pearson', 'double', 44.3, NaN
        'W4', 'normal', 16384, 4096, 1, 'euclidean', 'double', NaN, NaN
        'W4', 'normal', 16384, 4096, 20, 'euclidean', 'double', NaN, NaN
        'W4', 'normal', 16384, 4096, 512, 'euclidean', 'double', 0.0584, 0.0817
        'W4', 'normal', 16384, 4096, 1024, 'euclidean', 'double', NaN, NaN
        'W5', 'normal', 1966080, 2048, 512, 'euclidean', 'single', NaN, NaN
        'W6', 'normal', 2000000, 15876, 200, 'euclidean', 'single', NaN, NaN
        'W7', 'integers', 1025009, 10, 5, 'euclidean', 'double', NaN, NaN
        'W7', 'integers', 1025009, 10, 100, 'euclidean', 'double', NaN, NaN
        'W7', 'normal', 1025009, 10, 5, 'euclidean', 'double', NaN, NaN
        'W8', 'normal', 4898431, 41, 5, 'euclidean', 'double', NaN, NaN
        'W8', 'normal', 4898431, 41, 100, 'euclidean', 'double', NaN, NaN
        'W8 tenth', 'normal', 500000, 41, 100, 'euclidean', 'double', 1.80, 2.62
        'differences', 'normal', 50000, 295, 20, 'cityblock', 'double', NaN, NaN
        'largest difference', 'normal', 50000, 295, 20, 'chebychev', 'double', NaN, NaN};
for kind = {'normal', 'clusters', 'integers', 'duplicates'} % of data, with fewer rows
  work = [work; {'W2 small', kind{1}, 100000, 295, 20, 'pearson', 'double', NaN, NaN
                 'W4 small', kind{1}, 16000, 4096, 512, 'euclidean', 'double', NaN, NaN
                 'W7 small', kind{1}, 200000, 10, 5, 'euclidean', 'double', NaN, NaN
                 'W8 small', kind{1}, 200000, 41, 100, 'euclidean', 'double', NaN, NaN}];
end
work = cell2struct (work, {'name', 'data', 'n', 'd', 'k', 'metric', 'class', 'faiss', 'cuvs'}, 2);
for i = 1:numel (work)
  work(i).name = sprintf ('%s %s k=%d', work(i).name, work(i).data, work(i).k);
end
if ~isempty (getenv ('KNNG_BENCH_ONLY'))
  work = work(~cellfun (@isempty, regexp ({work.name}, getenv ('KNNG_BENCH_ONLY'))));
end
if isempty (work)
  error ('bench_gpu: KNNG_BENCH_ONLY is %s, which no workload matches', getenv ('KNNG_BENCH_ONLY'));
end

[~, ~, ~, info] = toc_of_call (randn (1000, 8), struct ('k', 1, 'metric', 'euclidean'), max (gpus)); % starts CUDA
[~, ~] = mkdir (fullfile (here, 'build'));
out = fopen (fullfile (here, 'build', 'bench_gpu.txt'), 'w');
print (out, 'knng %s, Octave %s, %d x %s, %d processors, %s, %g s for the calls on a matrix\n', info.version, ...
       version (), numel (list), list(1).name, nproc (), datestr (now (), 'yyyy-mm-dd'), seconds);
head = {'work', 'n', 'd', 'metric', 'class', 'device', 'call (median of)', 'prepare', 'filter', 'refine', 'sink', ...
        'filter speedup', 'call speedup', 'floor', 'call / floor', 'certified', 'GB on a GPU', 'blocks', 'panels', 'GB on the host', ...
        'FAISS fp32', 'cuVS fp32', 'verified', 'different'};
print (out, '|%s', sprintf (' %s |', head{:}));
print (out, '|%s', repmat (' --- |', 1, numel (head)));
bad = {};
for w = work'
  try
    full = w.n;
    n = rows_in_time (w, rows_that_fit (w, gpus(1)), gpus(1), seconds);
    size_text = sprintf ('%d', full);
    if n < full
      digits = 10 ^ (floor (log10 (n)) - 1);
      n = floor (n / digits) * digits;
      size_text = sprintf ('%d of %d', n, full);
      w.faiss = w.cuvs = NaN; % these are for all
    end
    rand ('twister', 1);
    randn ('twister', 1);
    X = random_rows (w.data, n, w.d, w.class);
    first = [];
    for g = gpus
      [s, calls, idx, dist, info] = median_call (X, w, g, seconds);
      t = info.seconds;
      if isempty (first)
        first = [t.filter, s];
      end
      sample = verified;
      if isnan (sample) % at 20 GFLOP/s a processor; see help knng.verify
        sample = max (10, min (1000, floor (seconds / 4 * 20e9 * nproc () / (3 * n * w.d))));
      end
      [~, report] = knng.verify (X, w.metric, idx, dist, 'Sample', sample);
      different = numel (union (report.rows, report.malformed));
      idx = dist = [];
      least = n ^ 2 * w.d / (790e12 * g);
      print (out, ['| %s | %s | %d | %s | %s | %s | %.4g s (%d) | %.4f | %.4f | %.4f | %.4f | %.2f | %.2f |' ...
                   ' %.3g s | %.3g | %s | %.2f | %d | %d | %.2f | %s | %s | %d | %d |'], ...
             w.name, size_text, w.d, w.metric, w.class, info.device, s, calls, t.prepare, t.filter, t.refine, t.sink, ...
             first ./ [t.filter, s], least, s / least, certified (info.certified), info.memory.device / 1e9, info.blocks, info.panels, ...
             info.memory.peak / 1e9, optional ('%.4g s', w.faiss), optional ('%.4g s', w.cuvs), report.checked, ...
             different);
      if different > 0
        bad{end + 1} = sprintf ('%s: %d rows differ', w.name, different);
      end
    end
  catch e
    if strcmp (e.identifier, 'knng:interrupted')
      rethrow (e);
    end
    bad{end + 1} = sprintf ('%s: %s', w.name, e.message);
    print (out, '| %s | %s |', w.name, e.message);
  end
  X = idx = dist = [];
end
fclose (out);
if ~isempty (bad)
  error ('bench_gpu:wrong', '%s', strjoin (bad, '\n'));
end
