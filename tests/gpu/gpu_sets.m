function [npass, nfail] = gpu_sets(sets, seed, largest)
%GPU_SETS  Generated sets of rows, searched on GPUs with boxes and without, against the CPU comparing all pairs, bit by bit;
%   each third also for a radius. SETS (1000) of SEED (17), of LARGEST (600) rows at most, of the kinds of tests/rows.h and others: ties on the faces of boxes,
%   lattices, lines, equal rows, far clusters, subnormal and huge numbers. gpu_sets(1, seed + n - 1) repeats set n.
  if nargin < 1
    sets = 1000;
  end
  if nargin < 2
    seed = 17;
  end
  if nargin < 3
    largest = 600;
  end
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('off', 'all');
  warning('error', 'knng:device:fallback');
  devices = gpu_devices();
  metrics = {'euclidean', 'sqeuclidean', 'cityblock', 'chebychev', 'cosine', 'pearson', 'abspearson', 'antipearson', 'spearman'};
  kinds = generators();
  npass = 0;
  nfail = 0;
  pruned = 0;
  radii = 0;
  for s = 1:sets
    rand('twister', seed + s - 1);
    randn('twister', seed + s - 1);
    kind = ceil(rand() * size(kinds, 1));
    n = ceil(largest ^ rand());
    d = ceil(60 ^ rand());
    if rand() < 0.05
      d = 60 + ceil(400 * rand());                         % wider than what GPUs leave out pairs of, sometimes
    end
    k = ceil(min(n, 150) ^ rand());
    metric = metrics{ceil(numel(metrics) * rand())};
    X = kinds{kind, 2}(n, d);
    if rand() < 1 / 3
      X = single(X);
    end
    how = {'Prune', {'on', 'off'}{1 + (rand() < 0.2)}, 'TileSize', 7 + ceil(57 * rand()), 'Device', devices{ceil(numel(devices) * rand())}};
    if rand() < 0.5
      what = sprintf('graph of %d', n);
      search = @(v) knngraph(X, k, metric, v{:});
    else
      m = ceil(200 ^ rand());
      Q = X(ceil(n * rand(m, 1)), :);
      if rand() < 0.5
        Q = cast(kinds{kind, 2}(m, d), class(X));
      end
      what = sprintf('%d queries of %d', m, n);
      search = @(v) knng.knnsearch(X, Q, 'K', k, 'Distance', metric, v{:});
    end
    why = '';
    within = @(r, v) knng.rangegraph(X, r, metric, v{:});
    if what(1) ~= 'g'
      within = @(r, v) knng.rangesearch(X, Q, r, 'Distance', metric, v{:});
    end
    try
      [ri, rd] = search({'Device', 'cpu', 'Prune', 'off'});
      [idx, dist, info] = search(how);
      pruned = pruned + (info.certified.boxes > 0);
      if ~isequal(idx, ri) || ~isequal(typecast(dist(:), 'uint32'), typecast(rd(:), 'uint32'))
        why = 'not the neighbours of the CPU';
      elseif info.memory.peak > info.memory.planned
        why = 'more memory than planned';
      end
      if isempty(why) && mod(s, 3) == 0
        r = radius(rd);
        [ri, rd] = within(r, {'Device', 'cpu', 'Prune', 'off'});
        [idx, dist, info] = within(r, how);
        radii = radii + (info.device(1) ~= 'c');
        if ~isequal(idx, ri) || ~isequal(typecast([dist{:}], 'uint32'), typecast([rd{:}], 'uint32'))
          why = sprintf('not what the CPU finds within %.17g', r);
        elseif info.memory.peak > info.memory.planned
          why = 'more memory than planned for a radius';
        end
      end
    catch e
      why = [e.identifier ' ' e.message];
    end
    npass = npass + isempty(why);
    nfail = nfail + ~isempty(why);
    if ~isempty(why)
      fprintf('gpu_sets(1, %d, %d): %s, d = %d, %s, %s, k = %d: %s\n', seed + s - 1, largest, kinds{kind, 1}, d, what, metric, k, why);
    end
  end
  % Or all this was something else than it says.
  ok = sets < 50 || (pruned > 0.5 * sets && radii > 0.25 * sets);
  npass = npass + ok;
  nfail = nfail + ~ok;
  if ~ok
    fprintf('only %d of %d searches left out pairs, and GPUs searched %d radii\n', pruned, sets, radii);
  end
  fprintf('%d passed, %d failed\n', npass, nfail);
end

% A distance that there is, or one next to it, or another.
function r = radius(dist)
  r = double(dist(ceil(numel(dist) * rand())));
  r = [r, r, r * (1 - eps), r * (1 + eps), 3 * r, 0, Inf](ceil(7 * rand()));
  if isnan(r)
    r = 1;
  end
end

% Kinds of rows: a name, and what makes n of d columns.
function kinds = generators()
  some = @(n, varargin) floor(n * rand(varargin{:}));      % 0 to n - 1
  kinds = {
    'normal', @(n, d) randn(n, d)
    'clusters', @(n, d) 1e-3 * randn(n, d) + mod(bsxfun(@plus, 7 * (0:n - 1)', 3 * (0:d - 1)), 11)
    'lattice', @(n, d) some(3 + 9 * (d < 3), n, d)
    'faces', @(n, d) mixed(rand(n, d) < 0.5, some(4, n, d), randn(n, d))
    'line', @(n, d) mod((0:n - 1)', 97) * (1:d) / 3
    'all but one', @(n, d) [repmat((0:d - 1) .^ 2, n - 1, 1); randn(1, d)]
    'equal', @(n, d) repmat((0:d - 1) .^ 2, n, 1)
    'far', @(n, d) randn(n, d) .* repmat(mixed(rand(n, 1) < 0.5, 1e140, 1), 1, d) + [1e150 * some(5, n, 1), zeros(n, d - 1)]
    'apart', @(n, d) 1e7 * repmat(some(4, n, 1), 1, d) + randn(n, d)
    'very far apart', @(n, d) 1e11 * repmat(some(3, n, 1), 1, d) + randn(n, d)
    'within', @(n, d) 1e10 * repmat(some(2, n, 1), 1, d) + 1e5 * some(3, n, d) + randn(n, d)
    'overflows', @(n, d) randn(n, d) .* repmat([1; 1e200; 1e307](1 + some(3, n, 1)), 1, d)
    'subnormal', @(n, d) mixed(rand(n, d) < 0.5, randn(n, d) * 2 ^ -1060, (some(9, n, d) - 4) * 2 ^ -1074)
    'scales', @(n, d) randn(n, d) .* 10 .^ (some(601, n, d) - 300)
    'scales of columns', @(n, d) bsxfun(@times, randn(n, d), 10 .^ (some(40, 1, d) - 20))
    'integers', @(n, d) some(1000, n, d) - 500
    'a constant', @(n, d) [7 * ones(n, 1), randn(n, d - 1)]
    'broken', @(n, d) broken(randn(n, d))
    'all broken', @(n, d) [[NaN; Inf; -Inf](1 + some(3, n, 1)), randn(n, d - 1)]
    'rings', @(n, d) ring(randn(n, d), 4 * some(3, n, 1))
    'repeated', @(n, d) randn(min(n, 20), d)(1 + some(min(n, 20), n, 1), :)
    'signed zeros', @(n, d) mixed(rand(n, d) < 0.7, mixed(rand(n, d) < 0.5, 0, -0), some(3, n, d))
    'powers', @(n, d) 2 .^ some(60, n, d) .* sign(randn(n, d))
    'nearly equal', @(n, d) 1e8 + randn(n, d)
    'groups', @(n, d) randn(n, d) + 100 * repmat(floor((0:n - 1)' / 8), 1, d)
  };
end

function x = mixed(which, a, b)
  a = a .* ones(size(which));
  x = b .* ones(size(which));
  x(which) = a(which);
end

function X = broken(X)
  [n, d] = size(X);
  X(rand(n, 1) < 0.1, :) = 0;
  X(rand(n, 1) < 0.1, :) = 2.5;
  X(find(rand(n, 1) < 0.1) + n * floor(d * rand())) = NaN;
  X(rand(n, 1) < 0.05, d) = -Inf;
end

% Around a centre, which is a row too, all at distance 1 but for roundings.
function X = ring(X, centre)
  X = bsxfun(@plus, bsxfun(@rdivide, X, sqrt(sum(X .^ 2, 2))), centre);
  X(1, :) = centre(1);
end
