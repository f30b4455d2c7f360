function [npass, nfail] = gpu_failures()
%GPU_FAILURES  Makes every wrapped call of a search on GPUs fail in turn. The session lives on, the answer (by smaller
%   tiles, other GPUs or the CPU) is the same or the error has an identifier, and nothing stays on the device.
  npass = 0;
  nfail = 0;
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('off', 'knng:device:fallback');
  warning('off', 'knng:data:nonFinite');
  randn('twister', 5);
  A = randn(600, 20);
  B = randn(600, 20);
  B(1:2:end, :) = B(1:2:end, :) + 1e8;   % escalates to the canonical scan
  C = [A(1:300, :); A(1:300, :); NaN(2, 20)];
  gaps = A;
  gaps(1:7:end) = NaN;
  tiles = {'TileSize', 256};             % several, for several GPUs; in one, or a GPU sees too little of a cluster to escalate
  cases = {A, 'euclidean', 'products', tiles; B, 'euclidean', 'scan', {}; C, 'antipearson', 'duplicates', tiles
           abs(A), 'spearman', 'ranks', tiles; A, 'cityblock', 'differences', tiles
           gaps, 'pearson', 'pairs', [tiles, {'Rows', 'pairwise'}]};
  for c = 1:size(cases, 1)
    X = cases{c, 1};
    [ri, rd] = knngraph(X, 9, cases{c, 2}, 'Device', 'cpu', cases{c, 4}{:});
    search = @() knngraph(X, 9, cases{c, 2}, 'Device', 'gpu', cases{c, 4}{:});
    [p, f, n] = fail_in_turn(cases{c, 3}, @() search_is_right(search, ri, rd));
    npass = npass + p;
    nfail = nfail + f;
    [idx, dist, info] = search();
    ok = isequal(idx, ri) && isequaln_bits(dist, rd) && isempty(strfind(info.device, 'cpu')) && n > 20;
    ok = ok && (info.certified.scan > 0) == strcmp(cases{c, 3}, 'scan');
    npass = npass + ok;
    nfail = nfail + ~ok;
    fprintf('%s: %d calls made to fail, then %s\n', cases{c, 3}, n - 1, info.device);
  end
  [ri, rd] = knng.rangegraph(A, 4, 'Device', 'cpu');        % some rows have more than 32 within it
  [p, f, n] = fail_in_turn('radius', @() search_is_right(@() all_of(A, 4), [ri{:}], [rd{:}]));
  npass = npass + p + (n > 20);
  nfail = nfail + f + (n <= 20);
  [p, f] = selections();
  npass = npass + p;
  nfail = nfail + f;
  [p, f] = trees();
  npass = npass + p;
  nfail = nfail + f;
  [ok, smaller] = no_memory();
  npass = npass + ok;
  nfail = nfail + ~ok;
  fprintf('no memory: a tile of %s rows instead\n', mat2str(smaller));
  fprintf('%d passed, %d failed\n', npass, nfail);
end

% Trees whose leaves hold copies, in a session that is there already: what another search has left in its memory is not to
% be taken for a part of them.
function [npass, nfail] = trees()
  npass = 0;
  nfail = 0;
  for d = [9 17 21]
    X = [randn(100, d); randn(100, d) + 10];
    [ri, rd] = knngraph(X, 5, 'euclidean', 'Device', 'cpu', 'Prune', 'off');
    search = @() knngraph(X, 5, 'euclidean', 'Device', 1, 'Prune', 'on', 'TileSize', 16, 'Threads', 1);
    search();
    n = 0;
    finished = false;
    while ~finished
      n = n + 1;
      before = knng.internal.search('fail', n);
      try
        ok = search_is_right(search, ri, rd);
      catch e
        ok = strncmp(e.identifier, 'knng:', 5) && ~strncmp(e.identifier, 'knng:internal', 13);
      end
      finished = knng.internal.search('fail', 0) - before < n;
      npass = npass + ok;
      nfail = nfail + ~ok;
      if ~ok
        fprintf('trees of %d columns: call %d made to fail: another answer\n', d, n);
      end
    end
  end
end

% Makes the nth wrapped call of what right() does fail, n = 1, 2, ..., until there is none: it returns true, or its error
% has an identifier, and nothing stays on the device. n is the first that was never reached. Calls are counted by
% gateways, those of the plugin by the one that loaded it, which is that of searches.
function [npass, nfail, n] = fail_in_turn(name, right, gateway)
  if nargin < 3
    gateway = @knng.internal.search;
  end
  npass = 0;
  nfail = 0;
  n = 0;
  finished = false;
  while ~finished
    n = n + 1;
    knng.internal.search('release');
    before = gateway('fail', n);
    try
      ok = right();
    catch e
      ok = strncmp(e.identifier, 'knng:', 5) && ~isempty(e.message);
    end
    after = gateway('fail', 0);
    finished = after - before < n;
    knng.internal.search('release');
    [~, live] = knng.internal.search('fail', 0);
    [~, live(2)] = knng.internal.topk('fail', 0);
    ok = ok && all(live == 0);
    npass = npass + ok;
    nfail = nfail + ~ok;
    if ~ok
      fprintf('%s: call %d: live %d and %d\n', name, n, live);
    end
  end
end

function ok = search_is_right(search, ri, rd)
  [idx, dist] = search();
  ok = isequal(idx, ri) && isequaln_bits(dist, rd);
end

% The same for knng.mink: by way of the CPU it is right whatever fails, or the error has an identifier.
function [npass, nfail] = selections()
  npass = 0;
  nfail = 0;
  cases = {randn(3000, 4), 20, 1; single(randn(40, 500)), 3, 2; randn(400000, 1), 2000, 1; randn(5000, 3), 2100, 1};
  for c = 1:size(cases, 1)
    [v, i] = knng.mink(cases{c, :}, 'Device', 'cpu');
    name = sprintf('selection %d', c);
    right = @() selection_is_right(cases(c, :), v, i);
    [p, f, n] = fail_in_turn(name, right);
    [q, g, m] = fail_in_turn(name, right, @knng.internal.topk);
    npass = npass + p + q + (n + m > 15);
    nfail = nfail + f + g + (n + m <= 15);
    fprintf('%s: %d calls of the plugin and %d of the gateway made to fail\n', name, n - 1, m - 1);
  end
end

function ok = selection_is_right(args, v, i)
  [w, j] = knng.mink(args{:}, 'Device', 'gpu');
  ok = isequal(v, w) && isequal(i, j);
end

function [idx, dist] = all_of(X, r)
  [idx, dist] = knng.rangegraph(X, r, 'Device', 'gpu');
  idx = [idx{:}];
  dist = [dist{:}];
end

% An allocation that fails once is answered with smaller tiles on the same GPU.
function [ok, smaller] = no_memory()
  randn('twister', 6);
  X = randn(30000, 64);
  [ri, rd] = knngraph(X, 9, 'pearson', 'Device', 'cpu');
  [idx, dist, usual] = knngraph(X, 9, 'pearson', 'Device', 1);
  smaller = [];
  ok = true;
  for n = 1:100  % the first thirty or so read how much memory there is
    knng.internal.search('release');
    knng.internal.search('fail', n);
    try
      [idx, dist, info] = knngraph(X, 9, 'pearson', 'Device', 1);
      ok = ok && isequal(idx, ri) && isequaln_bits(dist, rd);
      if isempty(strfind(info.device, 'cpu')) && info.tilesize < usual.tilesize
        smaller(end + 1) = info.tilesize;
      end
    catch e  % host memory that fails is an error
      ok = ok && strncmp(e.identifier, 'knng:', 5);
    end
    knng.internal.search('fail', 0);
  end
  knng.internal.search('release');
  ok = ok && ~isempty(smaller);
end

function same = isequaln_bits(a, b)
  same = isequal(typecast(a(:), 'uint64'), typecast(b(:), 'uint64'));
end
