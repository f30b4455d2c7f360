function [npass, nfail] = gpu_boxes(n, only)
%GPU_BOXES  Searches on GPUs that leave out pairs by boxes, against the CPU comparing all pairs, bit by bit.
%   n: rows of a set; few where GPUs are emulated. Where n is given, each set meets a quarter of the metrics, in turns, or all
%   where KNNG_ALL is set. only: how the names of those sets begin that are to be searched, by all metrics.
  if nargin < 1
    n = 5000;
  end
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('off', 'all');
  warning('error', 'knng:device:fallback');
  randn('twister', 17);
  rand('twister', 17);
  group = ceil(n / 40 * rand(n, 1));
  C = 20 * randn(max(5, ceil(n / 40)), 40);
  line = (1:n)' / 7;
  half = floor(n / 2);
  f = min(n, 1000);                                        % rows of which most have to be compared
  odd = mod((1:f)', 2);
  last = [zeros(f, 99), 1 + 100 * 2 ^ -26 * min(1, abs(randn(f, 1)))];
  chains = sign(randn(f, 100)) .* (odd .* [ones(f, 1), 0.98 * 2 ^ -12.5 * ones(f, 99)] + (1 - odd) .* last);
  sets = {
    'normal, 1', randn(n, 1)
    'normal, 2', randn(n, 2)
    'normal, 3', randn(n, 3)
    'normal, 5', randn(n, 5)
    'normal, 7', randn(n, 7)
    'normal, 8', randn(n, 8)
    'normal, 13', randn(n, 13)
    'clusters, 10', C(group, 1:10) + randn(n, 10)
    'clusters, 40', C(group, :) + randn(n, 40)
    'clusters, 90', [C(group, :), zeros(n, 50)] + randn(n, 90)
    'lattice', floor(12 * rand(n, 3))                      % ties on the faces of boxes, and equal rows
    'lattice, 9', floor(2.5 * rand(n, 9))
    'clumps, 12', randn(f, 12) + 2 ^ 18 * ceil((1:f)' / 8) % too few rows for a centre, which single precision does not tell apart
    'apart, 12', 1e7 * C(1 + mod(group, 3), 1:12) + randn(n, 12) % each cluster has a centre of its own, in which it does;
    'within, 30', 1e10 * C(1 + mod(group, 2), 1:30) + 1e5 * C(3 + mod(group, 3), 1:30) + randn(n, 30) % with others in it
    'apart, 200', [1e8 * C(1 + mod(group, 3), :), zeros(n, 160)] + randn(n, 200) % so long rows only by these centres
    'chains, 100', chains                                  % small squares that it does not add to one large one
    'strays, 9', randn(f, 9) .* (1 + 1e6 * (mod((1:f)', 50) == 7))
    'clusters, 200', [C(group, :), zeros(n, 160)] + randn(n, 200)
    'huge, 12', 1e160 * randn(f, 12)                       % beyond what copies are made of
    'huge, 180', 1e160 * randn(f, 180)
    'line', [line, -2 * line, 3 * line]
    'powers', 2 .^ floor(60 * rand(n, 3)) .* sign(randn(n, 3))
    'nearly equal', 1e8 + randn(n, 4)
    'tiny', 1e-310 * randn(n, 3)                           % squares that are zero, or below the normal range
    'huge', 1e160 * randn(n, 3)                            % and such as are infinite
    'two equal halves', repmat(randn(half, 4), 2, 1)
    'few different', floor(2 * rand(n, 3))
    'stray, 12', [2 ^ 30 * ones(1, 12); randn(max(f, 700) - 1, 12)] % rows are taken after all
    'two rows, 300', randn(2, 300)                         % copies of eight rows of which six are not there
    'some without distances', [[NaN(5, 4); Inf(5, 4)]; zeros(9, 4); randn(n, 4)]
  };
  if nargin > 1
    sets = sets(strncmp(sets(:, 1), only, numel(only)), :);
  end
  devices = gpu_devices();
  metrics = {'euclidean', 'sqeuclidean', 'cityblock', 'chebychev', 'cosine', 'pearson', 'abspearson', 'antipearson', 'spearman'};
  turns = nargin == 1 && isempty(getenv('KNNG_ALL'));
  npass = 0;
  nfail = 0;
  pruned = 0;
  for s = 1:size(sets, 1)
    [name, X] = sets{s, :};
    for m = 1:numel(metrics)
      if turns && mod(m - s, 4) ~= 0
        continue
      end
      k = [1 10 33 200](1 + mod(s + m, 4));
      leaf = [8 13 24 32](1 + mod(s + floor(m / 4), 4));
      Z = X;
      if mod(s + m, 3) == 0
        Z = single(X);
      end
      Q = Z(ceil(size(Z, 1) * rand(ceil(size(Z, 1) / [1 5 50](1 + mod(m, 3))), 1)), :);
      Q = Q(randperm(size(Q, 1)), :) + 0.1 * (mod(m, 2) == 0);
      if strncmp(name, 'chains', 6)
        Q = 1e-6 * randn(40, 100);
      elseif strncmp(name, 'strays', 6)
        Q = 1e12 * Q;                                      % farther than copies can be
      elseif strncmp(name, 'two rows', 8)
        Q = randn(200, 300);
      end
      searches = {
        'graph', @(v) knngraph(Z, k, metrics{m}, v{:})
        'queries', @(v) knng.knnsearch(Z, Q, 'K', k, 'Distance', metrics{m}, v{:})
      };
      for q = 1:2
        [ri, rd] = searches{q, 2}({'Device', 'cpu', 'Prune', 'off'});
        for w = 1:numel(devices)
          why = 'not the neighbours of the CPU, or more memory than planned';
          try
            [idx, dist, info] = searches{q, 2}({'Device', devices{w}, 'Prune', 'on', 'TileSize', leaf});
            ok = isequal(idx, ri) && isequal(typecast(dist(:), 'uint32'), typecast(rd(:), 'uint32')) && ...
                 info.memory.peak <= info.memory.planned;
            pruned = pruned + (info.certified.boxes > 0);
          catch e
            ok = false;
            why = [e.identifier ' ' e.message];
          end
          npass = npass + ok;
          nfail = nfail + ~ok;
          if ~ok
            fprintf('%s, %s, %s, k = %d, leaves of %d, way %d: %s\n', name, metrics{m}, searches{q, 1}, k, leaf, w, why);
          end
        end
      end
    end
  end
  % Or all this was something else than it says; a search without any row that has a distance is none.
  ok = pruned > 0.9 * (npass + nfail - 1);
  npass = npass + ok;
  nfail = nfail + ~ok;
  if ~ok
    fprintf('only %d searches left out pairs\n', pruned);
  end
  fprintf('%d passed, %d failed\n', npass, nfail);
end
