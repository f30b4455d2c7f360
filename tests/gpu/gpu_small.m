% Small searches through every kernel, for compute-sanitizer.
randn('twister', 2);
A = randn(500, 20);
B = A(1:400, 1:9);
B(1:2:end, :) = B(1:2:end, :) + 1e8;
table = knng.internal.search('metrics');
for m = {table.name}
  knngraph(A, 10, m{1}, 'Device', 1, 'TileSize', 256);
end
knngraph(randn(2500, 20), 10, 'pearson', 'Device', 1, 'TileSize', 1024);  % columns in order
[idx, dist] = knngraph(A(randperm(500), :), 3, 'euclidean', 'Device', 1, 'TileSize', 64);
knngraph(B, 5, 'euclidean', 'Device', 1, 'TileSize', 128);
knngraph(A .* 2 .^ (20 * rand(500, 1)), 20, 'euclidean', 'Device', 1, 'TileSize', 256);  % copies of several scales
knngraph([A(1:99, :); A(1:99, :)], 5, 'abspearson', 'Device', 1, 'TileSize', 64);
knng.knnsearch(A, single(A(1:33, :)), 'K', 5, 'Device', 1);
C = randn(300, 70);                            % rows that share candidates are refined in blocks
knngraph(C, 20, 'pearson', 'Device', 1);
knngraph(C, 60, 'abspearson', 'Device', 1);
knngraph(C, 60, 'abspearson', 'Device', 1, 'TileSize', 256);          % in several launches
knng.knnsearch(C, C(1:99, :) / 2, 'K', 30, 'Device', 1);
knngraph(floor(A), 4, 'sqeuclidean', 'Device', 1, 'TileSize', 256);
for d = [320 2049]                             % too long for registers; products in parts
  L = randn(301, d);
  knngraph(L, 5, 'euclidean', 'Device', 1, 'TileSize', 256);
  knng.knnsearch(L, L(1:99, :) / 2, 'K', 40, 'Distance', 'abspearson', 'Device', 1, 'TileSize', 128);
  knngraph(L, 5, 'antipearson', 'Device', 1);  % tiles by cuBLAS
end
E = [randn(300, 90); 1e8 + randn(100, 90)];    % rows that come in panels, some of them up to the scan
try
  knngraph(E, 3, 'euclidean', 'Device', 1, 'TileSize', 64, 'MaxDeviceMemory', 1e6);
catch e
  least = str2double(regexp(e.message, '\d+', 'match', 'once'));
end
[idx, dist, info] = knngraph(E, 3, 'euclidean', 'Device', 1, 'TileSize', 64, 'MaxDeviceMemory', least);
assert(info.panels > 1);
knngraph(randn(2100, 2), 2060, 'Device', 1);   % lists that are put in order outside shared memory
knngraph(A, 10, 'euclidean', 'Device', 'gpu', 'TileSize', 64);       % several GPUs, if there are
knng.mink(A(1:300), 7, 'Device', 1);
knng.maxk(repmat(A(1:1500)', 1, 2), 40, 'Device', 1);                % a sample
knng.mink([zeros(1100, 1); -ones(200, 1); zeros(3000, 1)], 250, 'Device', 1);  % ties
knng.mink(single(A(1:33, :)), 3, 2, 'Device', 1);
knng.mink(int16(A(1:4400)' * 100), 2049, 'Device', 1);
% Boxes: rows that lie in registers and in shared memory, lists in shared memory and in place; queries.
for d = [1 3 4 6 8 20]
  [idx, dist, info] = knngraph(A(:, 1:d), 10, 'euclidean', 'Device', 1, 'Prune', 'on');
  assert(info.certified.boxes == 500);
end
knngraph(C, 150, 'abspearson', 'Device', 1, 'Prune', 'on');
knngraph(A, 10, 'antipearson', 'Device', 1, 'Prune', 'on', 'TileSize', 8);
knng.knnsearch(A, A(1:99, :) / 2, 'K', 70, 'Distance', 'cityblock', 'Device', 1, 'Prune', 'on');
% Clusters: by two pieces in one part and in two, by double products; and lists that make room
% from 67 rows on, so that those of a cluster of 100 escalate unless they are refined.
N = randn(300, 180);
group = ceil((1:300)' / 100);
escalating = {200 * A(1, 1:12) + N(1:240, 1:12), 30 * randn(1, 180) + N(1:240, :)};
for z = escalating
  [idx, dist, info] = knngraph(z{1}, 1, 'pearson', 'Device', 1, 'TileSize', 128);
  assert(info.certified.f32 > 0);
end
[idx, dist, info] = knngraph(3e3 * A(1, 1:12) + N(1:240, 1:12), 1, 'pearson', 'Device', 1, 'TileSize', 128);
assert(info.certified.f64 > 0);
[idx, dist, info] = knngraph([200 * A(ones(100, 1), 1:12) + N(1:100, 1:12); 50 * N(101:300, 1:12)], 1, 'pearson', ...
                             'Device', 1, 'TileSize', 128, 'Prune', 'off');
assert(info.certified.f16 == 300);
[idx, dist, info] = knngraph(200 * A(group, 1:12) + N(:, 1:12), 1, 'pearson', 'Device', 1, 'TileSize', 128);
assert(info.certified.f16 + info.certified.f32 == 300);
% Differences: whole numbers; two clusters of which these tell nothing, single precision something, doubles the rest.
for metric = {'cityblock', 'chebychev'}
  [idx, dist, info] = knngraph(N(:, 1:12), 1, metric{1}, 'Device', 1, 'TileSize', 128);
  assert(info.certified.f16 == 300);
  [idx, dist, info] = knngraph(1e8 * ((1:500)' > 250) + A, 1, metric{1}, 'Device', 1, 'TileSize', 128);
  assert(info.certified.f32 > 0 && info.certified.f64 > 0);
end
two = (1:300)' > 150;                          % floats that stay so: equal rows, refined, by two pieces or double products, scan
F = randn(300, 8);
for z = {[A(1:200, :); A(1:99, :)], 20 * A(group, :) + A(1:300, :), 1e5 * two + F(:, 1:3), 1e9 * two + 50 * F}
  for metric = {'euclidean', 'cityblock'}
    knngraph(single(z{1}), 1, metric{1}, 'Device', 1, 'TileSize', 128);
  end
end
knng.knnsearch(single(A), single(A(1:33, :)), 'K', 2, 'Device', 1);
% Missing values: by halves, by single precision where these tell too little, of all pairs; lists that are full.
G = A;
G(1:9:end) = NaN;
for metric = {'pearson', 'cosine', 'euclidean', 'cityblock', 'spearman'}
  knngraph(G, 10, metric{1}, 'Rows', 'pairwise', 'Device', 1, 'TileSize', 200);
end
knngraph(300 * repmat(A(1, :), 500, 1) + G, 1, 'pearson', 'Rows', 'pairwise', 'Device', 1);
knngraph([G(:, 1:3); G(:, 4:6)], 1, 'cityblock', 'Rows', 'pairwise', 'MinValid', 1, 'Device', 1);
knng.knnsearch(G, A(1:33, :), 'K', 5, 'Rows', 'pairwise', 'Device', 1);
knngraph(floor(G), 5, 'spearman', 'Rows', 'pairwise', 'Device', 1);
% Eigenvectors, one more than once: rows of many lengths, sums of two parts.
H = knngraph(randn(600, 3), 6);
H(1:300, 5) = 1;
H(5, 5) = 0;
knng.laplacianeigenmaps(H, 2, 'Device', 1, 'Tolerance', 1e-3, 'Component', 'largest');
% Trees: centres, panels that are not full, and tables; few enough places that they close up.
for method = {'ward', 'median', 'average'}
  knng.linkage(A(1:150, 1:11), method{1}, 'euclidean', 'Device', 1);
end
% Searchers: copies that stay, are made again for far larger queries, and for their like; a tree with copies, and with rows.
for metric = {'euclidean', 'pearson', 'cityblock'}
  ns = knng.createns(A, 'Distance', metric{1}, 'Device', 1, 'TileSize', 64);
  for size = [1 1e7 1e150 1]
    knng.knnsearch(ns, size * A(1:40, :) + 1, 'K', 5);
  end
end
for d = [3 20]
  ns = knng.createns(A(:, 1:d), 'Device', 1, 'Prune', 'on');
  [idx, dist, info] = knng.knnsearch(ns, A(1:40, 1:d) + 1, 'K', 5);
  assert(info.certified.boxes == 40);
  knng.knnsearch(ns, A(1, 1:d));
end
knng.release('all');
disp('done');
