% bench_gpu  Times the GPU workloads of docs/performance.md end to end and stage by stage; `make bench-gpu` calls it.
%   From a double matrix of Octave to the tables idx and dist, random normal data (and small integers), median of three
%   calls after a warm one. 'floor' is n^2 d operations (m n d * 2 of a triangle) at 790 TFLOP/s, the half-precision rate of
%   one H200. Writes build/bench_gpu.txt. KNNG_BENCH_GPUS = how many GPUs (default: all).
here = fileparts(mfilename('fullpath'));
addpath(fileparts(here));
list = knng.devices();
if isempty(list)
  error('bench_gpu: no GPU');
end
gpus = str2double(getenv('KNNG_BENCH_GPUS'));
if isnan(gpus)
  gpus = numel(list);
end
work = {'W1', 24158, 295, 20, 'pearson', 'normal'
        'W2', 384126, 295, 20, 'pearson', 'normal'
        'W3', 1533876, 295, 20, 'pearson', 'normal'
        'W4', 16384, 4096, 1, 'euclidean', 'normal'
        'W4', 16384, 4096, 20, 'euclidean', 'normal'
        'W4', 16384, 4096, 512, 'euclidean', 'normal'
        'W7', 1025009, 10, 5, 'euclidean', 'integers'
        'W7, normal', 1025009, 10, 5, 'euclidean', 'normal'
        'W8, a tenth', 500000, 41, 100, 'euclidean', 'normal'};
if ~isempty(getenv('KNNG_BENCH_ONLY'))
  work = work(~cellfun(@isempty, regexp(work(:, 1), getenv('KNNG_BENCH_ONLY'))), :);
end
out = fopen(fullfile(fileparts(here), 'build', 'bench_gpu.txt'), 'w');
lines = {sprintf('%d x %s', gpus, list(1).name), '', ...
         '| work | n | d | k | metric | data | call | prepare | filter | refine | sink | floor | call / floor | f16 | f64 | scan | device memory |', ...
         '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'};
for i = 1:size(work, 1)
  [name, n, d, k, metric, data] = work{i, :};
  randn('twister', i);
  rand('twister', i);
  if strcmp(data, 'integers')
    X = floor(13 * rand(n, d));
  else
    X = randn(n, d);
  end
  seconds = zeros(1, 4);
  for r = 1:4
    t = tic;
    [idx, dist, info] = knngraph(X, k, metric, 'Device', 1:gpus);
    seconds(r) = toc(t);
  end
  s = median(seconds(2:4));
  least = n ^ 2 * d / (790e12 * gpus);
  lines{end + 1} = sprintf('| %s | %d | %d | %d | %s | %s | %.4f s | %.4f | %.4f | %.4f | %.4f | %.4f s | %.2f | %.2f %% | %.2f %% | %.2f %% | %.2f GB |', ...
                           name, n, d, k, metric, data, s, info.seconds.prepare, info.seconds.filter, info.seconds.refine, info.seconds.sink, ...
                           least, s / least, 100 * info.certified.f16 / n, 100 * info.certified.f64 / n, 100 * info.certified.scan / n, info.memory.device / 1e9);
  disp(lines{end});
  fflush(stdout);
end
for i = 1:numel(lines)
  fprintf(out, '%s\n', lines{i});
end
fclose(out);
