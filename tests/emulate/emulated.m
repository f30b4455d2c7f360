function [npass, nfail] = emulated(only, in)
%EMULATED  The CUDA backend on emulated GPUs against the CPU, bit by bit: to be run from the folder that build.sh made.
%   Small shapes, of which each takes another way through the code; on one GPU, on two, with the least memory, in turns, or
%   all three where KNNG_ALL is set. only: how the names of those begin that are to be run in all ways, or those numbered in
%   `in`, for a fault that each must show; it ends after four failures.
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('off', 'all');
  warning('error', 'knng:device:fallback');  % a GPU that gives up must not pass as the CPU
  randn('twister', 5);
  rand('twister', 5);
  A = randn(110, 12);
  noise = randn(240, 12);
  B = 200 * repmat(A(1, :), 150, 1) + noise(1:150, :);   % correlations that two pieces tell apart, or double products
  S = 3e8 * repmat(A(1, :), 240, 1) + noise;     % and only the scan
  C = [A(1:50, :); A(1:50, :); A(1:20, :)];      % equal rows
  C(3, 4) = NaN;
  group = ceil(2 * rand(200, 1));                % clusters in which half precision sees little: full lists are refined
  R = 20 * A(group, :) + randn(200, 12);
  D = A .* 2 .^ (20 * rand(110, 1));             % copies of several scales
  E = randn(100, 66);                            % lists that share candidates: blocked
  L = randn(70, 2057);                           % products in parts
  F = randn(300, 8);
  two = (1:300)' > 150;                          % clusters so far apart that a row of floats escalates
  T = {'TileSize', 48};
  search = {};
  table = knng.internal.search('metrics');
  for m = {table.name}
    search(end + 1, :) = {m{1}, @(v) knngraph(A, 5, m{1}, T{:}, v{:})};
  end
  for m = {'euclidean', 'abspearson', 'antipearson', 'cityblock'}
    search(end + 1, :) = {[m{1} ', blocked'], @(v) knngraph(E, 9, m{1}, T{:}, v{:})};
    search(end + 1, :) = {[m{1} ', equal rows'], @(v) knngraph(C, 4, m{1}, T{:}, v{:})};
  end
  search = [search; {
    'escalating', @(v) knngraph(B, 1, 'pearson', 'TileSize', 128, v{:})
    'scan', @(v) knngraph(S, 1, 'pearson', 'TileSize', 128, v{:})
    'refined', @(v) knngraph(R, 1, 'pearson', T{:}, v{:})
    'refined, abspearson', @(v) knngraph(R .* (-1) .^ (1:rows(R))', 1, 'abspearson', T{:}, v{:})
    'refined, cityblock', @(v) knngraph(1e8 * two + F, 1, 'cityblock', T{:}, v{:})
    'scales', @(v) knngraph(D, 20, 'euclidean', T{:}, v{:})
    'integers', @(v) knngraph(floor(A * 2), 6, 'sqeuclidean', T{:}, v{:})
    'single', @(v) knngraph(single(A), 3, 'cosine', T{:}, v{:})
    'single, as it came', @(v) knngraph(single(A), 2, 'euclidean', T{:}, v{:})
    'single, cityblock', @(v) knngraph(single(A), 2, 'cityblock', T{:}, v{:})
    'single, equal rows', @(v) knngraph(single(C), 1, 'euclidean', T{:}, v{:})
    'single, blocked', @(v) knngraph(single(E), 9, 'euclidean', T{:}, v{:})
    'single, refined', @(v) knngraph(single(R), 1, 'sqeuclidean', T{:}, v{:})
    'single, escalating', @(v) knngraph(single(1e5 * two + F(:, 1:3)), 1, 'euclidean', 'TileSize', 128, v{:})
    'single, scan', @(v) knngraph(single(1e9 * two + 50 * F), 1, 'euclidean', 'TileSize', 128, v{:})
    'single, parts', @(v) knngraph(single(L), 1, 'euclidean', T{:}, v{:})
    'single, queries', @(v) knng.knnsearch(single(A), single(E(1:40, 1:12)), 'K', 2, T{:}, v{:})
    'single, queries of doubles', @(v) knng.knnsearch(single(A), E(1:40, 1:12), 'K', 2, T{:}, v{:})
    'all neighbours', @(v) knngraph(E(1:90, :), 89, 'pearson', T{:}, v{:})
    'parts', @(v) knngraph(L, 3, 'euclidean', T{:}, v{:})
    'queries', @(v) knng.knnsearch(A, E(1:40, 1:12), 'K', 7, T{:}, v{:})
    'queries, blocked', @(v) knng.knnsearch(E, E(1:33, :) / 2, 'K', 11, 'Distance', 'abspearson', T{:}, v{:})
    'a row of zeros beside large ones', @(v) knngraph([1e200 * A(1:60, :); zeros(1, 12)], 3, 'euclidean', T{:}, v{:})
    'one row', @(v) knngraph(A(1, :), 1, v{:})
    'one row of integers', @(v) knngraph(1:4, 1, v{:})
    'all equal', @(v) knngraph(ones(9, 3), 4, 'euclidean', v{:})
    'metafeatures', @(v) knngraph(A([1:6 3], :), 5, 'pearson', 'Metafeatures', {'-', '+', '*', '/'}, T{:}, v{:})
    'metafeatures, single', @(v) knngraph(single(A([1:7 3], :)), 4, 'euclidean', 'Metafeatures', {'/', '-'}, T{:}, v{:})
  }];
  % Missing values: rows that are like no other, that hold Inf or nothing, or are constant; ties; tight clusters, which
  % halves do not tell apart; numbers whose differences are beyond the doubles.
  G = A;
  G(rand(size(G)) < 0.2) = NaN;
  G(5, :) = NaN;
  G(9, 2) = Inf;
  G(11, ~isnan(G(11, :))) = 3;
  H = 200 * repmat(A(1, :), 170, 1) + randn(170, 12);
  H(rand(size(H)) < 0.1) = NaN;
  P = {'Rows', 'pairwise'};
  for m = setdiff({table.name}, {'chebychev'})
    search(end + 1, :) = {['pairwise, ' m{1}], @(v) knngraph(G, 5, m{1}, P{:}, T{:}, v{:})};
  end
  search(end + 1, :) = {'pairwise, full lists', @(v) knngraph(repmat(G(:, 1:2), 6, 1), 1, 'cityblock', P{:}, 'TileSize', 1024, v{:})};
  for m = {'pearson', 'euclidean', 'spearman', 'cityblock'}
    search = [search; {
      ['pairwise, tight, ' m{1}], @(v) knngraph(H, 1, m{1}, P{:}, 'TileSize', 512, v{:})
      ['pairwise, ties, ' m{1}], @(v) knngraph(floor(G(:, 1:3)), 7, m{1}, P{:}, 'MinValid', 1, T{:}, v{:})
      ['pairwise, single, ' m{1}], @(v) knngraph(single(G), 3, m{1}, P{:}, T{:}, v{:})
      ['pairwise, all neighbours, ' m{1}], @(v) knngraph(G, 109, m{1}, P{:}, 'MinValid', 11, 'TileSize', 16, v{:})
      ['pairwise, queries, ' m{1}], @(v) knng.knnsearch(G, E(1:40, 1:12), 'K', 7, 'Distance', m{1}, P{:}, T{:}, v{:})
      ['pairwise, long rows, ' m{1}], @(v) knngraph([L, G(1:70, :)], 2, m{1}, P{:}, T{:}, v{:})
      ['pairwise, large, ' m{1}], @(v) knngraph(1e308 * G, 2, m{1}, P{:}, T{:}, v{:})
    }];
  end
  npass = 0;
  nfail = 0;
  some = {3, 2, 1, 3, 1};   % the third and the fifth have those whose rows come to doubles and to the scan
  if nargin > 0 || ~isempty(getenv('KNNG_ALL'))
    some = {1:3};
  end
  if nargin > 1
    some = {in};
  end
  met = zeros(1, 6);  % rows by two pieces, by double products, by the scan; searches in blocks, in panels, on GPUs
  if nargin > 0
    search = search(strncmp(search(:, 1), only, numel(only)), :);
  end
  for s = 1:size(search, 1)
    [name, f] = search{s, :};
    [ri, rd] = f({'Device', 'cpu'});
    least = NaN;
    try
      f({'Device', 1, 'MaxDeviceMemory', 1e6});
    catch e
      least = str2double(regexp(e.message, '\d+', 'match', 'once'));
    end
    ways = {{'Device', 1}, {'Device', 'gpu'}, {'Device', 'gpu', 'MaxDeviceMemory', least}};  % the last: blocks, panels
    for w = some{mod(s, numel(some)) + 1}
      why = 'not the neighbours of the CPU, or more memory than planned';
      try
        [idx, dist, info] = f(ways{w});
        c = info.certified;
        met = met + [[c.f32, c.f64, c.scan] * (w < 3), info.blocks > 1, info.panels > 1, ...
                     numel(strfind(info.device, 'emulated'))];
        ok = isequal(idx, ri) && isequal(typecast(dist(:), 'uint32'), typecast(rd(:), 'uint32')) && ...
             info.memory.peak <= info.memory.planned;
      catch e
        ok = false;
        why = [e.identifier ' ' e.message];
      end
      npass = npass + ok;
      nfail = nfail + ~ok;
      if ~ok
        fprintf('%s, way %d: %s\n', name, w, why);
      end
      if nargin > 0 && nfail >= 4
        return
      end
    end
  end
  for k = [1 7 250 2000]
    for x = {A(:), single(A(:)), int8(30 * A(:)), floor(A(:))}
      [rv, ri] = knng.mink(x{1}, k, 'Device', 'cpu');
      [v, i] = knng.mink(x{1}, k, 'Device', 2);
      ok = isequal(v, rv) && isequal(i, ri);
      npass = npass + ok;
      nfail = nfail + ~ok;
      if ~ok
        fprintf('the %d smallest of class %s: not those of the CPU\n', k, class(x{1}));
      end
    end
  end
  if nargin == 0 || strcmp(only, 'estimates')
    [p, f] = estimates(A);
    npass = npass + p;
    nfail = nfail + f;
  end
  % Two gateways use the plugin, and what it holds is counted by the one that loaded it, the first: it is in balance.
  knng.internal.search('release');
  [~, live] = knng.internal.search('fail', 0);
  [~, live(2)] = knng.internal.topk('fail', 0);
  npass = npass + all(live == 0);
  nfail = nfail + any(live ~= 0);
  if any(live ~= 0)
    fprintf('gateways hold %d and %d blocks after all were given back\n', live);
  end
  [list, why] = knng.devices();
  % Or all this was something else than it says.
  ok = isempty(why) && numel(list) > 1 && strcmp(list(1).name, 'emulated GPU') && all(met > 0);
  fprintf('rows by two pieces %d, by double products %d, by the scan %d; searches in blocks %d, in panels %d, on GPUs %d\n', met);
  npass = npass + ok;
  nfail = nfail + ~ok;
  fprintf('%d passed, %d failed\n', npass, nfail);
end

% What knng.estimate says of a GPU's memory is what the search takes: that much does, and one byte less blocks or panels.
function [npass, nfail] = estimates(A)
  npass = 0;
  nfail = 0;
  [n, d] = size(A);
  options = {'Device', 1, 'TileSize', 64};
  for class = {'double', 'single'}
    X = cast(A, class{1});
    for metric = {'euclidean', 'pearson'}
      e = knng.estimate(n, d, 2, metric{1}, 'Class', class{1}, 'Calibrate', false, options{:});
      q = knng.estimate(n, d, 2, metric{1}, 'Class', class{1}, 'Calibrate', false, 'Queries', 40, options{:});
      for less = 0:1
        [~, ~, g] = knngraph(X, 2, metric{1}, options{:}, 'MaxDeviceMemory', e.memory.device - less);
        [~, ~, s] = knng.knnsearch(X, X(1:40, :), 'K', 2, 'Distance', metric{1}, options{:}, ...
                                   'MaxDeviceMemory', q.memory.device - less);
        ok = ([g.blocks * g.panels, s.blocks * s.panels] > 1) == less;
        npass = npass + sum(ok);
        nfail = nfail + sum(~ok);
        if ~all(ok)
          fprintf('%s, %s: %d bytes less than estimated, and all at once %d, %d\n', class{1}, metric{1}, less, ok == less);
        end
      end
    end
  end
end
