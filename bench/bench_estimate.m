% BENCH_ESTIMATE  Compares what knng.estimate says with the time of the search: octave-cli bench/bench_estimate.m, with
% THREADS=1 for one thread.
% Rows of random normal numbers, k = 20, pearson, on the CPU. Takes some minutes and 2 GB.

addpath (fileparts (fileparts (mfilename ('fullpath'))));
options = {'Device', 'cpu'};
if (~isempty (getenv ('THREADS')))
  options(3:4) = {'Threads', str2double(getenv ('THREADS'))};
end
randn ('twister', 3);
for d = [10 295 2000]
  for n = [8000 20000 50000]
    X = randn (n, d);
    started = tic ();
    e = knng.estimate (n, d, 20, 'pearson', options{:});
    took = toc (started);
    started = tic ();
    [idx, dist, info] = knngraph (X, 20, 'pearson', options{:});
    actual = toc (started);
    printf ('n %6d  d %5d: estimated %8.3g s in %.1f s, took %8.3g s; %.2f; peak / planned %.3f\n', ...
            n, d, e.seconds, took, actual, e.seconds / actual, info.memory.peak / info.memory.planned);
  end
end
