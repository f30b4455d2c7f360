function [npass, nfail] = gpu_differences(n, only)
%GPU_DIFFERENCES  cityblock and chebychev on one GPU and on all, against the CPU, bit by bit, and the precision that they
%   took: copies in whole numbers, in single precision, doubles. n: rows of the largest data, default 20000; with fewer than
%   1000 there are fewer searches too, as emulated GPUs need, or all where KNNG_ALL is set. only: the data whose
%   name this is alone.
if nargin < 1
  n = 20000;
end
every = nargin < 2;
npass = 0;
nfail = 0;
former = warning();
restore = onCleanup(@() warning(former));
warning('error', 'knng:device:fallback');
warning('off', 'knng:data:constant');
randn('twister', 12);
rand('twister', 12);
few = min(n, 900);  % rows of most data
whole = n >= 1000;
group = ceil(3 * rand(few, 1));
[count, length] = deal(60, 150);
if whole
  [count, length] = deal(257, 4001);
end
N = randn(few, 12);
% What there is, and what must be certified in whole numbers: nearly all, nothing, or 'any'. (Few rows all lie in a list.)
% Passed over: no exact distances were spent on it either.
if whole
  [tight, skipped] = deal('nothing', 'passed over');
else
  [tight, skipped] = deal('any');
end
data = {'normal', N, 'nearly all'
        'singles', single(N), 'nearly all'
        'far from 0', 1e6 + N, 'nearly all'
        'small', 1e-200 * N, 'nearly all'
        'large', 1e300 * N, 'nearly all'
        'uniform', rand(few, 40), 'nearly all'
        'one feature', rand(few, 1), 'any'
        'whole numbers', floor(100 * rand(few, 9)), 'nearly all'
        'whole numbers beyond a byte', floor(3000 * rand(few, 9)), 'any'
        'ties', floor(3 * rand(few, 6)), 'any'
        'a lattice', floor(3 * rand(few, 6)) / 3, 'any'
        'a few far rows', [N; 1e4 * N(1:3, :)], 'any'
        'one large feature', N .* [1e5 ones(1, 11)], 'any'
        'features of all sizes', N .* 10 .^ (-3:8), 'any'
        'long tails', tan(3.1 * (rand(few, 12) - 0.5)), 'any'
        'clusters', 50 * N(group, :) + 1e-3 * N, tight
        'clusters for doubles', 1e5 * N(group, :) + 1e-4 * N, tight
        'equal rows', N(ceil(few / 3 * rand(few, 1)), :), 'any'
        'zeros', zeros(30, 5), 'any'
        'long rows', randn(count, length), 'any'
        'many normal', randn(n, 16), 'nearly all'
        'too long for bytes', randn(40, 1 + 66051 * whole), 'any'
        'of all sizes', exp(4 * randn(few, 12)), 'any'
        'clusters far apart', 1e3 * N(group, :) + N, skipped};
if ~every
  data = data(strcmp(data(:, 1), only), :);
end
for metric = {'cityblock', 'chebychev'}
  for i = 1:size(data, 1)
    [name, X, must] = data{i, :};
    ks = [1 10];
    if every && ~whole && isempty(getenv('KNNG_ALL'))
      ks = ks(1 + mod(i + strcmp(metric{1}, 'chebychev'), 2));  % with either metric another one
    end
    for k = ks
      [ri, rd] = knngraph(X, k, metric{1}, 'Device', 'cpu', 'Prune', 'off');
      [idx, dist, info] = knngraph(X, k, metric{1}, 'Device', 1, 'Prune', 'off', 'TileSize', 1024);
      [ia, da] = knngraph(X, k, metric{1}, 'Device', 'gpu', 'Prune', 'off', 'TileSize', 256);
      share = info.certified.f16 / size(X, 1);
      took = strcmp(must, 'passed over') && share == 0 && info.refined < 1.5 * k * few;
      took = took || strcmp(must, 'any') || (strcmp(must, 'nothing') && share < 0.05) || (strcmp(must, 'nearly all') && share > 0.95);
      check([isequal(idx, ri), isequal(bits(dist), bits(rd)), isequal(ia, ri), isequal(bits(da), bits(rd)), took], ...
            '%s, %s, k = %d (%.0f %% in whole numbers, f32 %d, f64 %d, scan %d)', metric{1}, name, k, 100 * share, ...
            info.certified.f32, info.certified.f64, info.certified.scan);
    end
    Y = X(1:3:end, :) * 0.9;
    [ri, rd] = knng.knnsearch(X, Y, 'K', 4, 'Distance', metric{1}, 'Device', 'cpu', 'Prune', 'off');
    [idx, dist] = knng.knnsearch(X, Y, 'K', 4, 'Distance', metric{1}, 'Device', 1, 'Prune', 'off', 'TileSize', 256);
    check([isequal(idx, ri), isequal(bits(dist), bits(rd))], '%s, %s, queries', metric{1}, name);
  end
  if ~every
    continue;
  end
  % Every remainder of what a thread takes of a row and of a tile.
  lengths = [3 16 65 2 5 8 9 15 17 31 33 63 64 100 127 129];
  for d = lengths(1:end - 13 * ~whole)
    X = randn(count + d, d);
    [ri, rd] = knngraph(X, 3, metric{1}, 'Device', 'cpu', 'Prune', 'off');
    for type = {'double', 'single'}
      if strcmp(type{1}, 'single')
        X = single(X);
        [ri, rd] = knngraph(X, 3, metric{1}, 'Device', 'cpu', 'Prune', 'off');
      end
      [idx, dist] = knngraph(X, 3, metric{1}, 'Device', 1, 'Prune', 'off', 'TileSize', 128);
      check([isequal(idx, ri), isequal(bits(dist), bits(rd))], '%s, %d features, %s', metric{1}, d, type{1});
    end
  end
  % Rows that come in panels, and in blocks.
  X = randn(min(n, 3000), 60);
  [ri, rd] = knngraph(X, 6, metric{1}, 'Device', 'cpu', 'Prune', 'off');
  part = {'Device', 1, 'Prune', 'off', 'TileSize', 256, 'MaxDeviceMemory'};
  try
    knngraph(X, 6, metric{1}, part{:}, 1);
  catch e
    least = str2double(regexp(e.message, '\d{6,}', 'match', 'once'));
  end
  for times = [1 1.004 1.01 1.05]
    [idx, dist, info] = knngraph(X, 6, metric{1}, part{:}, ceil(times * least));
    check([isequal(idx, ri), isequal(bits(dist), bits(rd)), times > 1 || ~whole || info.panels > 1 || info.blocks > 1], ...
          '%s, %g times the least memory', metric{1}, times);
  end
  [idx, dist, info] = knngraph(X, 6, metric{1}, part{:}, 4 * least);
  check([isequal(idx, ri), isequal(bits(dist), bits(rd)), info.panels == 1, info.certified.f16 > 0.9 * size(X, 1)], ...
        '%s, memory for copies', metric{1});
end
fprintf('%d passed, %d failed\n', npass, nfail);

  function check(ok, varargin)
    npass = npass + sum(ok);
    nfail = nfail + sum(~ok);
    if ~all(ok)
      fprintf('%s: %s\n', sprintf(varargin{:}), mat2str(ok));
    end
  end
end

function b = bits(x)
  b = typecast(x(:), 'uint32');
end
