% bench_components.m  Times knngraph on the CPU with principal components first, as 'auto' does where it gains, and without.
%
% octave-cli --path . bench/bench_components.m [IMAGE ...]: rows are made-up images of spots, normal numbers, and pieces
% of 28 x 28 pixels of the images, if there are any. One thread. A time is the processor time of a whole call on a matrix
% of singles, which returns idx and dist: the least of three, in turns. Checksums have to be equal. Prints a table in
% Markdown.
1;
addpath (fileparts (mfilename ('fullpath')));

function t = call_time (X, k, metric, prune)
  start = cputime ();
  [idx, dist, info] = knngraph (X, k, metric, 'Threads', 1, 'Device', 'cpu', 'Prune', prune);
  t = {cputime() - start, info.components, knng.checksum(idx, dist)};
end

function go (name, X, k, metric)
  t = cell (3, 2);
  for r = 1:3
    t{r,1} = call_time (X, k, metric, 'auto');
    t{r,2} = call_time (X, k, metric, 'off');
  end
  least = @(c) min (cellfun (@(x) x{1}, t(:,c)));
  if (! strcmp (t{1,1}{3}, t{1,2}{3}))
    error ('bench_components: %s: other neighbours', name);
  end
  printf ('| %s | %s | %d | %d | %d | %.3g s | %.3g s | %.2f |\n', name, metric, rows (X), columns (X), t{1,1}{2}, ...
          least (1), least (2), least (2) / least (1));
  fflush (stdout);
end

% Pieces of 28 x 28 pixels from anywhere in the images, grey, 0 to 1.
function X = pieces (files, n)
  X = zeros (n, 784, 'single');
  images = cellfun (@(f) mean (single (imread (f)), 3) / 255, files, 'UniformOutput', false);
  for i = 1:n
    A = images{ceil(rand * numel (images))};
    r = ceil (rand * (rows (A) - 28));
    c = ceil (rand * (columns (A) - 28));
    X(i,:) = A(r:r+27, c:c+27)(:)';
  end
end

rand ('twister', 1);
randn ('twister', 1);
files = argv ()(! cellfun ('isempty', regexp (argv (), '\.(jpe?g|png|tiff?)$')));
printf ('| data | metric | n | d | components | ''auto'' | ''off'' | ratio |\n');
printf ('| --- | --- | --- | --- | --- | --- | --- | --- |\n');
if (! isempty (files))
  X = pieces (files, 60000);
  go ('pieces of photographs', X(1:20000,:), 20, 'euclidean');
  go ('pieces of photographs', X(1:20000,:), 20, 'pearson');
  go ('pieces of photographs', X, 20, 'euclidean');
end
X = made_up ('spots', 60000, 784);
go ('images of spots', X(1:20000,:), 20, 'euclidean');
go ('images of spots', X(1:20000,:), 20, 'pearson');
go ('images of spots', X, 20, 'euclidean');
go ('images of spots', made_up ('spots', 10000, 4096), 20, 'euclidean');
go ('normal', randn (20000, 784, 'single'), 20, 'euclidean');
go ('normal', randn (20000, 300, 'single'), 20, 'pearson');
