% bench_explore.m  Times knng.explore with a large page, and what a browser takes to open, search and draw it.
%
% octave-cli --path . bench/bench_explore.m  The page has 50 000 rows of 300 values in 100 modules, the graph of the 20 nearest
% by pearson, places, groups, labels and two phenotypes, which are given: layout, clusters and clustergram are not timed. Of knng.explore
% it prints the processor time and the size; bench/bench_explore.py opens the page in Chromium, and in Firefox where it is.
1;

rand ('twister', 1);
randn ('twister', 1);
[n, d, k] = deal (50000, 300, 20);
module = ceil (100 * rand (n, 1));
centre = 2 * randn (100, 2) * 10;
base = randn (100, d);
X = base(module, :) + 0.8 * randn (n, d);
ds = struct ('X', X, 'names', {arrayfun(@(i) sprintf ('probe%05d_at', i), (1:n)', 'UniformOutput', false)});
ds.samples = arrayfun (@(j) sprintf ('GSM%06d', 100000 + j), 1:d, 'UniformOutput', false);
ds.classes = repmat ({'case', 'control', 'other'}, 1, d / 3);
letters = char (floor (26 * rand (n, 4)) + 'A');
labels = cellstr ([letters, num2str(mod ((1:n)', 90) + 10)]);
[idx, dist, info] = knngraph (X, k, 'pearson');
file = fullfile (tempdir (), sprintf ('bench_explore_%d.html', getpid ()));
gone = onCleanup (@() delete (file));
t = zeros (1, 3);
for i = 1:3
  before = cputime ();
  page = knng.explore (file, ds, idx, dist, 'Metric', 'pearson', 'Groups', module, 'XY', centre(module, :) + 3 * randn (n, 2), ...
                       'Labels', labels, 'Info', info, 'Phenotypes', struct ('age', 20 + 60 * rand (1, d)), 'Clustergram', 'none');
  t(i) = cputime () - before;
end
printf ('knng.explore: %.1f MB, %.1f s of processor time (median of three)\n', page.bytes / 1e6, median (t));
fflush (stdout);
here = fileparts (mfilename ('fullpath'));
system (sprintf ('python3 "%s" "%s"', fullfile (here, 'bench_explore.py'), file));
