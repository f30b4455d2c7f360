function [npass, nfail] = gpu_interrupt()
%GPU_INTERRUPT  Ctrl-C on a long search: back within a second, nothing held that was not before, the next call right.
  npass = 0;
  nfail = 0;
  randn('twister', 9);
  list = knng.devices();
  n = floor(min(1500000, min([list.free]) / 8e3));
  X = randn(n, 295);
  S = randn(2000, 30);
  [ri, rd] = knngraph(S, 10, 'euclidean', 'Device', 'cpu');
  [idx, dist] = knngraph(X, 20, 'pearson', 'Device', 'gpu');  % the first of a session takes longer
  [idx, dist, info] = knngraph(X, 20, 'pearson', 'Device', 'gpu');
  for wait = info.seconds.total * [0.2 0.6]
    t = clock();
    system(sprintf('(sleep %g; kill -INT %d) > /dev/null 2>&1 &', wait, getpid()));
    try
      [idx, dist] = knngraph(X, 20, 'pearson', 'Device', 'gpu');
      id = 'none: it ended before the signal';
    catch e
      id = e.identifier;
    end
    late = etime(clock(), t) - wait;
    [idx, dist, info] = knngraph(S, 10, 'euclidean', 'Device', 'gpu');
    ok = [strcmp(id, 'knng:interrupted'), late < 1, isequal(idx, ri) && isequal(dist, rd) && isempty(strfind(info.device, 'cpu'))];
    fprintf('%s, %.3f s after the signal: %s\n', id, late, mat2str(ok));
    npass = npass + sum(ok);
    nfail = nfail + sum(~ok);
  end
  Y = X(1:2:end, :);                             % a searcher: in a search, and while another one is made
  ns = knng.createns(X, 'Distance', 'pearson', 'Device', 1);
  [ri, rd] = knng.knnsearch(ns, Y(1:50, :), 'K', 20);
  [~, ~, info] = knng.knnsearch(ns, Y, 'K', 20);
  calls = {@() knng.knnsearch(ns, Y, 'K', 20), @() knng.createns(X, 'Distance', 'pearson', 'Device', 1)};
  for c = 1:2
    wait = {info.seconds.total / 2, 0.05}{c};
    t = clock();
    system(sprintf('(sleep %g; kill -INT %d) > /dev/null 2>&1 &', wait, getpid()));
    try
      calls{c}();
      id = 'none: it ended before the signal';
    catch e
      id = e.identifier;
    end
    late = etime(clock(), t) - wait;
    [idx, dist] = knng.knnsearch(ns, Y(1:50, :), 'K', 20);
    ok = [strcmp(id, 'knng:interrupted'), late < 1, isequal(idx, ri) && isequal(dist, rd), numel(knng.searchers()) == 1];
    fprintf('a searcher: %s, %.3f s after the signal: %s\n', id, late, mat2str(ok));
    npass = npass + sum(ok);
    nfail = nfail + sum(~ok);
  end
  clear calls ns Y
  S(1:7:end) = NaN;                              % missing values
  X = X(1:min(n, 400000), :);
  X(1:7:end) = NaN;
  [ri, rd] = knngraph(S, 10, 'euclidean', 'Device', 'cpu', 'Rows', 'pairwise');
  t = clock();
  system(sprintf('(sleep 2; kill -INT %d) > /dev/null 2>&1 &', getpid()));
  try
    [idx, dist] = knngraph(X, 20, 'pearson', 'Device', 1, 'Rows', 'pairwise');
    id = 'none: it ended before the signal';
  catch e
    id = e.identifier;
  end
  late = etime(clock(), t) - 2;
  [idx, dist, info] = knngraph(S, 10, 'euclidean', 'Device', 1, 'Rows', 'pairwise');
  ok = [strcmp(id, 'knng:interrupted'), late < 1, isequal(idx, ri) && isequal(dist, rd) && isempty(strfind(info.device, 'cpu'))];
  fprintf('pairwise: %s, %.3f s after the signal: %s\n', id, late, mat2str(ok));
  npass = npass + sum(ok);
  nfail = nfail + sum(~ok);
  X = randn(25000, 400);                         % trees: while distances go to the GPU, and later
  S = randn(900, 30);
  Z = knng.linkage(S, 'average', 'euclidean', 'Device', 'cpu');
  start = tic();
  knng.linkage(X, 'average', 'euclidean', 'Device', 1);
  for wait = toc(start) * [0.25 0.8]
    t = clock();
    system(sprintf('(sleep %g; kill -INT %d) > /dev/null 2>&1 &', wait, getpid()));
    try
      knng.linkage(X, 'average', 'euclidean', 'Device', 1);
      id = 'none: it ended before the signal';
    catch e
      id = e.identifier;
    end
    late = etime(clock(), t) - wait;
    ok = [strcmp(id, 'knng:interrupted'), late < 1, isequal(knng.linkage(S, 'average', 'euclidean', 'Device', 1), Z)];
    fprintf('a tree: %s, %.3f s after the signal: %s\n', id, late, mat2str(ok));
    npass = npass + sum(ok);
    nfail = nfail + sum(~ok);
  end
  fprintf('%d passed, %d failed\n', npass, nfail);
end
