function [npass, nfail] = gpu_cases(part, parts)
%GPU_CASES  The whole table of cases on the CPU, on one GPU and on all of them, each against the oracle, bit by bit.
%   gpu_cases(part, parts) does one of so many parts of it.
  if nargin < 2
    [part, parts] = deal(1);
  end
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('error', 'knng:device:fallback');  % a GPU that gives up must not pass as the CPU
  devices = {'cpu', 1};
  if numel(knng.devices()) > 1
    devices{end + 1} = 'gpu';
  end
  [npass, nfail] = run_cases('short', 'Device', devices, 'Part', [part, parts]);

  more = {};  % searches of which each is a function of the device, and what they are

  % Long lists are put in order in another place than short ones.
  randn('twister', 8);
  rand('twister', 8);
  X = floor(randn(3100, 4) * 6);  % with ties
  Y = randn(3100, 300);
  for k = [2047 2048 2049 3000 3099]
    more(end + 1, :) = {sprintf('ties, k = %d', k), @(d) knngraph(X, k, 'euclidean', 'Device', d, 'TileSize', 512)};
    more(end + 1, :) = {sprintf('k = %d', k), @(d) knngraph(Y, k, 'abspearson', 'Device', d, 'TileSize', 512)};
  end

  % Rows that share candidates are refined in blocks: at once, in several launches, and not where a tile has no room for it;
  % a graph, what of it escalates, and queries.
  X = randn(700, 70);
  Y = X;
  Y(1:2:end, :) = Y(1:2:end, :) + 1e8;
  for k = [15 100 690]
    for metric = {'euclidean', 'abspearson', 'chebychev'}
      for tile = [256 2048]
        name = sprintf('%s, k = %d, tiles of %d', metric{1}, k, tile);
        more(end + 1, :) = {name, @(d) knngraph(X, k, metric{1}, 'Device', d, 'TileSize', tile)};
        more(end + 1, :) = {[name ', escalating'], @(d) knngraph(Y, k, metric{1}, 'Device', d, 'TileSize', tile)};
        more(end + 1, :) = {[name ', queries'], @(d) knng.knnsearch(X, Y(1:333, :) / 3, 'K', k, 'Distance', metric{1}, ...
                                                                    'Device', d, 'TileSize', tile)};
      end
    end
  end

  % Products of long rows are summed up in parts.
  for set = {randn(701, 2049), randn(701, 4100), double(rand(701, 4100) < 0.1), single(randn(300, 9001))}
    Z = set{1};
    for metric = {'euclidean', 'abspearson', 'antipearson'}
      for tile = [256 8192]
        name = sprintf('%s, %d features, tiles of %d', metric{1}, size(Z, 2), tile);
        more(end + 1, :) = {name, @(d) knngraph(Z, 7, metric{1}, 'Device', d, 'TileSize', tile)};
        more(end + 1, :) = {[name ', queries'], @(d) knng.knnsearch(Z(1:2:end, :), Z, 'K', 7, 'Distance', metric{1}, ...
                                                                    'Device', d, 'TileSize', tile)};
      end
    end
  end

  % Clusters too tight for half precision: lists stay full, and are refined or escalate. In random order and side by side,
  % so that a tile holds few rows of a cluster, or more than its list.
  for d = [10 90 180 300]
    for shape = [110 600 2000; 20 5 1]                      % rows of a cluster, clusters
      n = shape(1) * shape(2);
      group = ceil((1:n)' / shape(1));
      for order = {1:n, randperm(n)}
        for spread = [50 1e6]
          Z = spread * randn(shape(2), d);
          Z = Z(group(order{1}), :) + randn(n, d);
          for metric = {'euclidean', 'pearson', 'abspearson', 'cityblock'}
            name = sprintf('%s, %d x %d, clusters of %d, %g apart', metric{1}, n, d, shape(1), spread);
            more(end + 1, :) = {name, @(d) knngraph(Z, 4, metric{1}, 'Device', d)};
          end
          more(end + 1, :) = {[name ', k = 30, tiles of 512'], @(d) knngraph(Z, 30, 'euclidean', 'Device', d, 'TileSize', 512)};
        end
      end
    end
  end

  % Rows of single precision that are searched as they came stay so: normal ones, equal ones, clusters that are refined,
  % and two so far apart that rows escalate to double products or the scan.
  F = randn(2000, 41);
  two = (1:2000)' > 1000;
  kinds = {F, F([1:2000 1:99], :), 20 * F(ceil((1:2000)' / 100), :) + F, 1e5 * two + F(:, 1:3), 1e9 * two + 50 * F(:, 1:8)};
  for z = 1:numel(kinds)
    Z = single(kinds{z});
    for metric = {'euclidean', 'sqeuclidean', 'cityblock', 'chebychev'}
      name = sprintf('%s, single, kind %d', metric{1}, z);
      more(end + 1, :) = {name, @(d) knngraph(Z, 4, metric{1}, 'Device', d, 'TileSize', 512)};
      more(end + 1, :) = {[name ', queries'], @(d) knng.knnsearch(Z, Z(1:3:end, :) / 2, 'K', 4, 'Distance', metric{1}, ...
                                                                  'Device', d, 'TileSize', 512)};
    end
  end

  % Missing values: clusters that halves tell apart, clusters that they do not, ties; long lists, full ones, long rows, and
  % rows that share few columns.
  group = ceil((1:5000)' / 250);
  kinds = {F, [5 * F(group, :) + randn(5000, 41), randn(5000, 60)], 300 * repmat(F(1, :), 5000, 1) + randn(5000, 41), ...
           floor(randn(5000, 3)), randn(500, 1500)};
  shares = [0.05 0.5 0.05 0.05 0.3];
  for z = 1:numel(kinds)
    Z = kinds{z};
    Z(rand(size(Z)) < shares(z)) = NaN;
    Z(7, :) = NaN;
    Z(8, 1) = Inf;
    for metric = {'euclidean', 'cosine', 'pearson', 'abspearson', 'antipearson', 'cityblock', 'spearman'}
      for k = [1 20 700]
        name = sprintf('%s, pairwise, kind %d, k = %d', metric{1}, z, k);
        options = {metric{1}, 'Rows', 'pairwise', 'MinValid', 1 + 2 * (z ~= 4)};
        more(end + 1, :) = {name, @(d) knngraph(Z, min(k, size(Z, 1) - 1), options{:}, 'Device', d)};
        tile = 512 - 179 * mod(z, 2);
        more(end + 1, :) = {sprintf('%s, tiles of %d', name, tile), ...
                            @(d) knngraph(Z, min(k, size(Z, 1) - 1), options{:}, 'Device', d, 'TileSize', tile)};
      end
      more(end + 1, :) = {[name ', queries'], @(d) knng.knnsearch(Z, single(Z(1:3:end, :) / 2), 'K', 9, 'Distance', options{:}, 'Device', d)};
    end
  end

  for i = part:parts:size(more, 1)
    [name, search] = more{i, :};
    [ri, rd] = search('cpu');
    for d = 2:numel(devices)
      [idx, dist] = search(devices{d});
      ok = isequal(class(dist), class(rd)) && isequal(idx, ri) && isequal(bits(dist), bits(rd));
      npass = npass + ok;
      nfail = nfail + ~ok;
      if ~ok
        fprintf('%s, GPUs %s: not the neighbours of the CPU\n', name, mat2str(devices{d}));
      end
    end
  end
  fprintf('%d passed, %d failed\n', npass, nfail);
end

function b = bits(x)
  b = typecast(x(:), 'uint32');
end
