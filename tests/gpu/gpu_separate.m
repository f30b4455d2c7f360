function [npass, nfail] = gpu_separate(n)
%GPU_SEPARATE  Clusters far apart, which are searched one by one: on one GPU and on all, against the CPU and one search of
%   all rows, bit by bit. n: rows, default 12000; with fewer than that there are fewer searches too, as emulated GPUs need.
%   Two clusters are searched one by one from some 4200 rows on. KNNG_ALL: as many queries all the same.
if nargin < 1
  n = 12000;
end
[columns, metrics, devices, names] = deal([3 20 150], {'euclidean', 'chebychev'}, {1, 'gpu'}, {});
few = n < 12000;
if few
  [columns, metrics, devices, names] = deal(9, {'euclidean'}, {'gpu'}, {'holes'});
end
npass = 0;
nfail = 0;
former = warning();
restore = onCleanup(@() warning(former));
warning('error', 'knng:device:fallback');
warning('off', 'knng:data:fill');
warning('off', 'knng:data:nonFinite');
randn('twister', 21);
rand('twister', 21);
for d = columns
  N = randn(n, d);
  group = 1 + (rand(n, 1) < 0.5);
  far = N;
  far(5:997:n, :) = far(5:997:n, :) * 1e12;
  many = N;
  many(5:61:n, :) = many(5:61:n, :) * 1e12;              % more than are far by chance: no clusters
  filled = N;
  filled(group == 1, 2) = 1e20;
  holes = single(N + 1e5 * (group == 1));
  holes(1:500:n, 1) = NaN;
  holes(7:1999:n, :) = 1e30;
  nested = N + 1e4 * (group == 1) + 1e9 * (rand(n, 1) < 0.5);
  sets = {'two', N + 1e6 * (group == 1), true
          'singles', single(N + 1e3 * (group == 1)), true
          'far rows', far, true
          'many far rows', many, false
          'filled', filled, true
          'holes', holes, true
          'nested', nested, true
          'normal', N, false};
  if ~isempty(names)
    sets = sets(ismember(sets(:, 1), names), :);
  end
  for s = 1:size(sets, 1)
    [name, X, cut] = sets{s, :};
    for metric = metrics
      [ri, rd] = knngraph(X, 6, metric{1}, 'Device', 'cpu', 'TileSize', 256);
      for device = devices
        [idx, dist, info] = knngraph(X, 6, metric{1}, 'Device', device{1}, 'Prune', 'off');
        check([same(idx, ri), same(dist, rd), isempty(regexp(info.pruned, 'far from (each|all) other')) ~= cut], '%s, %s, d = %d: %s', ...
              metric{1}, name, d, info.pruned);
        if ~few                                              % boxes may do it before
          [idx, dist, info] = knngraph(X, 6, metric{1}, 'Device', device{1});
          check([same(idx, ri), same(dist, rd), cut || isempty(regexp(info.pruned, 'far from (each|all) other'))], ...
                '%s, %s, d = %d, with boxes: %s', metric{1}, name, d, info.pruned);
        end
      end
      Y = X(1:3 + 9 * (few && isempty(getenv('KNNG_ALL'))):end, :) * 0.999;
      [ri, rd] = knng.knnsearch(X, Y, 'K', 6, 'Distance', metric{1}, 'Device', 'cpu', 'TileSize', 256);
      [idx, dist] = knng.knnsearch(X, Y, 'K', 6, 'Distance', metric{1}, 'Device', 1);
      check([same(idx, ri), same(dist, rd)], '%s, %s, d = %d, queries', metric{1}, name, d);
    end
  end
  if ~isempty(names)
    continue;
  end
  X = N(1:2:end, :) + 1e6 * (group(1:2:end) == 1);       % rows that come again and again
  least = 1e6;
  try
    knngraph(X, 6, 'euclidean', 'Device', 1, 'MaxDeviceMemory', least);
  catch e
    least = str2double(regexp(e.message, '\d+', 'match', 'once'));
  end
  [ri, rd] = knngraph(X, 6, 'euclidean', 'Device', 'cpu');
  [idx, dist] = knngraph(X, 6, 'euclidean', 'Device', 1, 'MaxDeviceMemory', least); % gpu_memory looks at what it holds
  check([same(idx, ri), same(dist, rd)], 'd = %d, %g bytes of the GPU', d, least);
end
if ~few                                                      % many clusters are left to boxes
  for s = {4, 1e3, '4 clusters far from each other'; 6, 1e3, ' of the pairs have to be compared'; 6, 1e9, ' of the pairs have to be compared'}'
    X = randn(40000, 20);
    X(:, 1) = X(:, 1) + s{2} * ceil(s{1} * rand(40000, 1));
    [ri, rd] = knngraph(X, 6, 'euclidean', 'Device', 'cpu');
    [idx, dist, info] = knngraph(X, 6, 'euclidean', 'Device', 1);
    check([same(idx, ri), same(dist, rd), ~isempty(strfind(info.pruned, s{3}))], '%d clusters: %s', s{1}, info.pruned);
  end
end
fprintf('%d passed, %d failed\n', npass, nfail);

  function check(fine, varargin)
    npass = npass + sum(fine);
    nfail = nfail + sum(~fine);
    if ~all(fine)
      fprintf('FAILED %s: %s\n', sprintf(varargin{:}), mat2str(fine));
    end
  end
end

function yes = same(a, b)
% Bit by bit, of singles, too.
type = {'uint64', 'uint32'};
type = type{1 + isa(a, 'single')};
yes = strcmp(class(a), class(b)) && isequal(size(a), size(b)) && isequal(typecast(a(:), type), typecast(b(:), type));
end
