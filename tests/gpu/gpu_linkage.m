function [npass, nfail] = gpu_linkage(n)
%GPU_LINKAGE  Trees of nodes on a GPU, centres and tables of distances, are those of the processor, to the last bit, for
%   about n rows, default 3000; calls that fail. On emulated GPUs a small n.
  npass = 0;
  nfail = 0;
  if nargin < 1
    n = 3000;
  end
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('off', 'all');
  warning('error', 'knng:device:fallback');    % a GPU that gives up must not pass as the CPU
  list = knng.devices();  %#ok<NASGU>          the gateway of searches loads the plugin, and counts its calls
  u = reshape(knng.internal.random(1, 9 * n), n, 9);
  few = u(1:ceil(n / 5), :);
  wide = reshape(knng.internal.random(2, 300 * 130), 300, 130);
  points = {
    'a box', u(:, 1:3)
    'nine columns', u
    'many columns', wide(1:min(n, 300), :)
    'a lattice', floor(4 * u(:, 1:2))
    'equal rows', [few; few; few]
    'one point', ones(70, 2)
    'one column', u(:, 1)
    'one long chain', 1.01 .^ (1:min(n, 600))' * [1 0 0]
    'huge', few(:, 1:5) * 2 ^ 1000
    'tiny', few(:, 1:5) * 2 ^ -1060
    'floats', single(few)
    'far from 0', floor(8 * few(:, 1:4)) + 1e6
    'one row', 5
    'two rows', [0; 3]
  };
  for p = 1:size(points, 1)
    for method = {'ward', 'centroid', 'median'}
      tell([points{p, 1} ', ' method{1}], @() same({points{p, 2}, method{1}, 'euclidean'}));
    end
    for method = {'complete', 'average', 'weighted'}
      if size(points{p, 2}, 1) <= n
        tell([points{p, 1} ', ' method{1}], @() same({points{p, 2}, method{1}, 'euclidean'}));
      end
    end
  end
  for metric = {'pearson', 'abspearson', 'cityblock', 'chebychev', 'cosine', 'spearman', 'sqeuclidean'}
    for method = {'average', 'ward', 'median'}
      tell([metric{1} ', ' method{1}], @() same({u(1:min(n, 700), :), method{1}, metric{1}}));
    end
  end
  y = knng.internal.linkage('pairs', u(1:ceil(n / 2), 1:4), 'euclidean');
  y(5:9:end) = Inf;
  y(3:5:end) = 0;
  for scale = [1, 1e300, 1e-300]
    for method = {'single', 'complete', 'average', 'weighted', 'ward', 'centroid', 'median'}
      tell(sprintf('distances times %g, %s', scale, method{1}), @() same({scale * y, method{1}}));
    end
  end
  tell('by itself', @() n < 3000 || by_itself(u));
  tell('more than one block of columns', @() n < 3000 || same({u(mod(0:4499, n) + 1, 1:3), 'average', 'euclidean'}));
  tell('too little memory', @() refused('knng:device:fallback', @() knng.linkage(u, 'ward', 'euclidean', 'Device', 1, 'MaxDeviceMemory', 1e3)));
  tell('too little memory of both', @() refused('knng:args:maxMemory', @() knng.linkage(u, 'average', 'euclidean', 'Device', 1, ...
                                                'MaxDeviceMemory', 1e3, 'MaxMemory', 1e3)));
  tell('too little for distances', @() refused('knng:args:maxMemory', @() knng.linkage(1:45, 'average', 'Device', 1, 'MaxMemory', 1)));
  tell('what an earlier call left', @() refused('knng:device:fallback', @() knng.linkage(few, 'ward', 'euclidean', 'Device', 1, ...
                                                'MaxDeviceMemory', 7e7)));
  tell('a row without distances', @() refused('knng:data:rows', @() knng.linkage([few; NaN(1, 9)], 'ward', 'euclidean', 'Device', 1)));
  tell('no such GPU', @() refused('knng:args:device', @() knng.linkage(few, 'ward', 'euclidean', 'Device', 60)) ...
                          && refused('knng:args:device', @() knng.linkage(5, 'ward', 'euclidean', 'Device', 60)));
  tell('calls that fail', @() failing(few));
  fprintf('%d passed, %d failed\n', npass, nfail);

  function tell(name, check)
    why = '';
    try
      ok = check();
    catch e
      ok = false;
      why = [e.identifier ' ' e.message];
    end
    npass = npass + ok;
    nfail = nfail + ~ok;
    if ~ok
      fprintf('FAIL %s %s\n', name, why);
    end
  end
end

function ok = same(args)
  n = size(args{1}, 1);
  if numel(args) < 3
    n = (1 + sqrt(1 + 8 * numel(args{1}))) / 2;
  end
  Z = knng.linkage(args{:}, 'Device', 'cpu');
  before = calls();
  ok = isequal(knng.linkage(args{:}, 'Device', 1), Z) && (n < 2 || calls() - before > 3 * (n - 1));
end

% So many rows that a GPU is taken unasked.
function ok = by_itself(u)
  X = [u; u + 1; u + 3];
  X = [X, X .^ 2, X .^ 3, X .^ 4, X .^ 5, X .^ 6, X .^ 7, X .^ 8, X .^ 9, X .^ 10, X .^ 11, X .^ 12];
  before = calls();
  Z = knng.linkage(X, 'ward');
  ok = calls() - before > size(X, 1) && isequal(Z, knng.linkage(X, 'ward', 'euclidean', 'Device', 'cpu'));
  X = [X; X + 1](1:12500, 1:2);
  before = calls();
  Z = knng.linkage(X, 'average');
  ok = ok && calls() - before > size(X, 1) && isequal(Z, knng.linkage(X, 'average', 'euclidean', 'Device', 'cpu'));
end

% Whatever call fails, the CPU does it, or the error has an identifier; and nothing stays.
function ok = failing(X)
  ok = true;
  for method = {'ward', 'median', 'average'}
    Z = knng.linkage(X, method{1}, 'euclidean', 'Device', 'cpu');
    before = calls();
    knng.linkage(X, method{1}, 'euclidean', 'Device', 1);
    all = calls() - before;
    warning('on', 'knng:device:fallback');
    told = 0;                                  % by the others an option or the list of GPUs was not taken, or nothing failed
    for nth = [1:2:30, 40:5:90, round(all / 2), all]
      knng.internal.search('fail', nth);
      lastwarn('', '');
      try
        good = isequal(knng.linkage(X, method{1}, 'euclidean', 'Device', 1), Z);
        [~, id] = lastwarn();
        told = told + strcmp(id, 'knng:device:fallback');
      catch e
        good = any(strcmp(e.identifier, {'knng:memory:host', 'knng:device:none'}));
      end
      knng.internal.search('fail', 0);
      good = good && isequal(knng.linkage(X, method{1}, 'euclidean', 'Device', 1), Z);
      knng.internal.search('release');
      [~, live] = knng.internal.search('fail', 0);
      [~, live(2)] = knng.internal.linkage('fail', 0);
      ok = ok && good && ~any(live);
      if ~(good && ~any(live))
        fprintf('%s, call %d of %d: right %d, live %s\n', method{1}, nth, all, good, mat2str(live));
      end
    end
    warning('error', 'knng:device:fallback');
    ok = ok && told > 5;
  end
end
