function [npass, nfail] = gpu_fused(only)
%GPU_FUSED  Tiles that are compared while they are made, against the CPU, bit by bit: every length of rows that has a
%   kernel of its own, rows that end within a word, few neighbours and so many that hits have no room, graphs and
%   queries, ties, equal rows, clusters that no list holds, and tiles of full size. On a GPU whose tensor cores do not take
%   them the same searches run in the other way. `only`, how their names begin, picks some of the small ones.
npass = 0;
nfail = 0;
former = warning();
restore = onCleanup(@() warning(former));
warning('error', 'knng:device:fallback');
warning('off', 'knng:data:constant');
randn('twister', 11);
rand('twister', 11);
metrics = {'euclidean', 'pearson', 'abspearson', 'antipearson', 'cosine'};
more = {};
for d = [3 8 9 12 16 17 33 41 64 65 92 93 100 128 140 150 190 200 250 295 304 305]
  X = randn(700, d);
  metric = metrics{1 + mod(d, 5)};
  for k = [7 90]
    for m = unique({'euclidean', metric})
      name = sprintf('%s, %d features, k = %d', m{1}, d, k);
      more(end + 1, :) = {name, @(on) knngraph(X, k, m{1}, 'Device', on, 'TileSize', 128), true};
      more(end + 1, :) = {[name ', queries'], @(on) knng.knnsearch(X, X(1:2:end, :) / 2, 'K', k, 'Distance', m{1}, ...
                                                                   'Device', on, 'TileSize', 256), true};
    end
  end
end
for m = metrics
  X = randn(1500, 20);
  more(end + 1, :) = {[m{1} ', k = 300'], @(on) knngraph(X, 300, m{1}, 'Device', on, 'TileSize', 512), true};
  Y = round(randn(1500, 4));
  Y(:, 5) = 1:1500;  % no two rows are equal
  more(end + 1, :) = {[m{1} ', few values'], @(on) knngraph(Y(:, 1:4), 9, m{1}, 'Device', on, 'TileSize', 256), true};
  more(end + 1, :) = {[m{1} ', a line'], @(on) knngraph(Y, 9, m{1}, 'Device', on, 'TileSize', 256), false};
  Z = 20 * randn(3, 20);
  Z = Z(ceil((1:1500)' / 500), :) + 1e-3 * randn(1500, 20);
  more(end + 1, :) = {[m{1} ', clusters'], @(on) knngraph(Z, 9, m{1}, 'Device', on, 'TileSize', 256), false};
end
for m = {'pearson', 'abspearson', 'euclidean'}  % columns in order, and more of them than are tested together
  X = randn(3000, 20);
  more(end + 1, :) = {[m{1} ', in order'], @(on) knngraph(X, 7, m{1}, 'Device', on, 'TileSize', 512, 'Prune', 'off'), true};
end
for c = {[2700 70 7 2048], [6000 92 5 4096], [3000 50 7 2048], [3000 56 9 2048], [2500 64 30 2048]}  % several panels
  c = c{1};
  X = randn(c(1), c(2));
  more(end + 1, :) = {sprintf('euclidean, %d rows of %d features', c(1), c(2)), ...
                      @(on) knngraph(X, c(3), 'euclidean', 'Device', on, 'TileSize', c(4), 'Prune', 'off'), true};
end
for d = [312 320 777 1024 2041 2048 2049 2600 4096]  % too long for registers, in one part and in several
  X = randn(400 + (d < 2000) * 300, d);
  for m = unique({'euclidean', metrics{1 + mod(d, 5)}})
    name = sprintf('long, %s, %d features', m{1}, d);
    more(end + 1, :) = {[name ', few'], @(on) knngraph(X, 9, m{1}, 'Device', on, 'TileSize', 256), true};
    more(end + 1, :) = {[name ', many'], @(on) knngraph(X, 170, m{1}, 'Device', on, 'TileSize', 512), true};
    more(end + 1, :) = {[name ', queries'], @(on) knng.knnsearch(X, X(1:2:end, :) / 2, 'K', 7, 'Distance', m{1}, ...
                                                                 'Device', on, 'TileSize', 128), true};
  end
  Z = round(X(ceil((1:size(X, 1)) / 3), :));  % ties, and equal rows
  more(end + 1, :) = {sprintf('long, ties, %d features', d), ...
                      @(on) knngraph(Z, 30, 'euclidean', 'Device', on, 'TileSize', 256), false};
end
% Rows of a few blocks are refined together, as far as there is room, and the others one by one; hubs come first.
X = randn(800, 600) .* [1.03 * ones(150, 1); ones(650, 1)] + 3 * sign(randn(800, 1));
more(end + 1, :) = {'long, refined in both ways', @(on) knngraph(X, 30, 'euclidean', 'Device', on, 'TileSize', 208, ...
                                                                 'Prune', 'off'), true};
% Clusters that one half does not tell apart: the level is passed over where it does for few rows, whether these lie
% beside each other, or (of 150 rows) everywhere; not where what is near lies beside the rows alone.
lone = {};
for d = [20 64 65 72 96 97 100 104 690]
  C = 20 * randn(9, d);
  wide = min(1, d / 50);
  own = metrics(2 + mod(d, 2));
  if any(d == [64 72])  % the longest in registers, and rows that are in registers in one piece alone
    own = metrics([2 3 5 4 * ones(1, d > 64)]);
  end
  for m = unique([{'euclidean'}, own])
    name = sprintf('two pieces, %s, %d features', m{1}, d);
    spread = wide;
    if strcmp(m{1}, 'antipearson')
      spread = wide / 200;  % distances of what is far differ by far more
    end
    X = C(ceil(3 * rand(900, 1)), :) + spread * randn(900, d);
    lone(end + 1, :) = {[name ', many'], @(on) knngraph(X, 9, m{1}, 'Device', on, 'TileSize', 512, 'Prune', 'off'), {'f32'}};
    if ~any(d == [20 72 100])
      continue
    end
    lone(end + 1, :) = {[name ', queries'], @(on) knng.knnsearch(X, X(1:2:end, :) + 1e-4, 'K', 9, 'Distance', m{1}, ...
                                                                 'Device', on, 'TileSize', 256, 'Prune', 'off'), {'f32'}};
    if spread < wide
      continue
    end
    X = sortrows(X);
    lone(end + 1, :) = {[name ', in a row'], @(on) knngraph(X, 9, m{1}, 'Device', on, 'TileSize', 256, ...
                                                            'Prune', 'off'), {'f32'}};
  end
  if ~any(d == [20 100])
    continue
  end
  X = C(ceil(6 * rand(900, 1)), :) + wide * randn(900, d);
  lone(end + 1, :) = {sprintf('two pieces, %d features, everywhere', d), ...
                      @(on) knngraph(X, 3, 'euclidean', 'Device', on, 'TileSize', 256, 'Prune', 'off'), {'f32'}};
  X = 20 * randn(20, d);
  X = X(ceil((1:900)' / 45), :) + wide * randn(900, d);
  lone(end + 1, :) = {sprintf('two pieces, %d features, beside', d), ...
                      @(on) knngraph(X, 3, 'euclidean', 'Device', on, 'TileSize', 256, 'Prune', 'off'), {'f16'}};
  X = [C(ones(500, 1), :) + wide * randn(500, d); 50 * randn(1000, d)];
  X = X(randperm(1500), :);
  lone(end + 1, :) = {sprintf('two pieces, %d features, some of the rows', d), ...
                      @(on) knngraph(X, 9, 'euclidean', 'Device', on, 'TileSize', 512, 'Prune', 'off'), {'f16', 'f32'}};
end
list = knng.devices();
takes_wgmma = strncmp(list(1).capability, '9.0', 3);
ways = size(more, 1);
more = [more; lone];
picked = nargin > 0;
if picked
  some = strncmp(more(:, 1), only, numel(only));
  more = more(some, :);
  ways = sum(some(1:ways));
end
for i = 1:size(more, 1)
  [name, search, of_levels] = more{i, :};
  [ri, rd] = search('cpu');
  [idx, dist, info] = search(1);
  levels = fieldnames(info.certified);
  levels = levels(cell2mat(struct2cell(info.certified)) > 0);
  ok = [isequal(idx, ri) && isequal(bits(dist), bits(rd)), i > ways || ~of_levels || any(strcmp('f16', levels))];
  if i > ways && (takes_wgmma || strcmp(info.product, 'own'))  % elsewhere none is passed over
    ok(2) = isequal(levels(:)', of_levels);
  end
  npass = npass + sum(ok);
  nfail = nfail + sum(~ok);
  if ~all(ok)
    fprintf('%s: %s\n', name, mat2str(ok));
  end
end
% Tiles of full size: the rows that are looked at are those of some tiles' edges, and some of every kind.
n = 70001;
group = ceil(n / 300 * rand(n, 1));
kinds = {'normal', 'integers', 'clusters', 'clusters in a row', 'normal', 'clusters', 'normal', 'clusters', ...
         'normal', 'clusters', 'normal', 'sixty clusters', 'sixty clusters in a row'};
of = [1 1 1 1 2 2 3 4 1 2 3 5 1];  % metrics; of all but the first rows have one length
features = [24 * ones(1, 8), 320, 400, 2100, 80, 400];
for i = 1:numel(kinds) * ~picked
  kind = kinds(i);
  metric = metrics{of(i)};
  d = features(i);
  sixty = strncmp(kind{1}, 'sixty', 5);
  X = randn(n, d);
  if d > 24
    X = single(X);
  end
  if strcmp(kind{1}, 'integers')
    X = round(X(:, 1:6));
  elseif ~strcmp(kind{1}, 'normal')
    of_rows = group;
    if sixty
      of_rows = ceil(60 * rand(n, 1));
    end
    if ~isempty(strfind(kind{1}, 'in a row'))
      of_rows = sort(of_rows);
    end
    C = 20 * randn(max(of_rows), d);
    X = X + C(of_rows, :);
  end
  rows = unique([1:40, 8180:8200, 32760:32780, 65530:65540, n - 20:n, ceil(n * rand(1, 300))]);
  [idx, dist, info] = knngraph(X, 5, metric, 'Device', 1, 'Prune', 'off');
  [ri, rd] = knng.knnsearch(X, X(rows, :), 'K', 6, 'Distance', metric, 'Device', 'cpu');
  same = true(numel(rows), 1);
  for r = 1:numel(rows)
    keep = find(ri(r, :) ~= rows(r), 5);
    same(r) = isequal(idx(rows(r), :), ri(r, keep)) && isequal(bits(dist(rows(r), :)), bits(rd(r, keep)));
  end
  made = strcmp(info.product, 'own') || ~takes_wgmma || info.points < n;  % of few different rows cublas does
  made = made && (~sixty || ~takes_wgmma || info.certified.f32 == n);  % large clusters are met in two pieces
  ok = [all(same), sum(cell2mat(struct2cell(info.certified))) == n, made];
  npass = npass + sum(ok);
  nfail = nfail + sum(~ok);
  fprintf('%s, %s, %d rows of %d: %s, %d rows looked at\n', kind{1}, metric, n, d, mat2str(ok), numel(rows));
end
fprintf('%d passed, %d failed\n', npass, nfail);
end

function b = bits(x)
  b = typecast(x(:), 'uint32');
end
