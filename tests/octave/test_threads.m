function nfail = test_threads()
%TEST_THREADS  'Threads', 1 starts no thread, in any function and any gateway, and 'Threads', 3 two in each gateway. The
%   system counts them. Prints 'N passed, N failed'.

npass = 0;
nfail = 0;
first = threads();
calls = table_of_functions();                % first, since threads stay
started = threads() - first;
npass = npass + (started <= 0);
nfail = nfail + (started > 0);
if started > 0
  fprintf('FAIL making the graphs: one thread starts %d others\n', started);
end
for c = 1:size(calls, 1)
  [name, f] = calls{c, :};
  before = threads();
  ignored = f(); %#ok<NASGU>
  started = threads() - before;
  npass = npass + (started <= 0);          % a fork ends those of OpenBLAS
  nfail = nfail + (started > 0);
  if started > 0
    fprintf('FAIL %s: one thread starts %d others\n', name, started);
  end
end
calls = table_of_calls();
for c = 1:size(calls, 1)
  [name, f] = calls{c, :};
  before = threads();
  f(1);
  alone = threads() - before;
  f(3);
  three = threads() - before;
  ok = alone == 0 && three == 2;
  npass = npass + ok;
  nfail = nfail + ~ok;
  if ~ok
    fprintf('FAIL %s: one thread starts %d others, three %d\n', name, alone, three);
  end
end
fprintf('%d passed, %d failed\n', npass, nfail);
end

function calls = table_of_functions()
% Each with so much work that without the option it would start threads.
one = {'Threads', 1};
rand('twister', 3);
X = rand(6000, 12);
[idx, dist] = knngraph(X, 20, one{:});
A = knngraph(X, 20, 'euclidean', one{:});
labels = 1 + mod((1:6000)', 5);
[~, ~, map] = knng.diffusionmap(A, 2, one{:});
calls = {'knngraph', @() knngraph(X, 20, 'cityblock', one{:}); ...
         'knng.knnsearch', @() knng.knnsearch(X, X, 'K', 20, one{:}); ...
         'knng.rangesearch', @() knng.rangesearch(X, X, 0.3, one{:}); ...
         'knng.rangegraph', @() knng.rangegraph(X, 0.3, 'Prune', 'on', one{:}); ...
         'knng.createns', @() knng.createns(X, one{:}); ...
         'a searcher', @() knng.knnsearch(knng.createns(X, one{:}), X, 'K', 20, one{:}); ...
         'knng.adjacency', @() knng.adjacency(idx, dist, 'Weight', 'jaccard', 'Symmetrize', 'union', one{:}); ...
         'knng.trim', @() knng.trim(A, 5, one{:}); ...
         'knng.conncomp', @() knng.conncomp(idx, dist, one{:}); ...
         'knng.minspantree', @() knng.minspantree(A, one{:}); ...
         'knng.minspantree of points', @() knng.minspantree(X, one{:}); ...
         'knng.mstknn', @() knng.mstknn(idx, dist, one{:}); ...
         'knng.mstknn of points', @() knng.mstknn(X, one{:}); ...
         'knng.edges', @() knng.edges(idx, dist, one{:}); ...
         'knng.diffusionmap', @() knng.diffusionmap(idx, dist, 2, one{:}); ...
         'knng.nystrom', @() knng.nystrom(map, idx, dist, one{:}); ...
         'knng.spectralcluster', @() knng.spectralcluster(X, 3, one{:}); ...
         'knng.dbscan', @() knng.dbscan(X, 0.2, 3, one{:}); ...
         'knng.silhouette', @() knng.silhouette(X(1:3000, :), labels(1:3000), one{:}); ...
         'knng.impute', @() knng.impute(X(1:3000, :) + 0 ./ (X(1:3000, :) > 0.05), 5, one{:}); ...
         'knng.duplicates', @() knng.duplicates(X, one{:}); ...
         'knng.metafeatures', @() knng.metafeatures(X(1:200, :), [], 'difference', one{:}); ...
         'knng.verify', @() knng.verify(X, 'euclidean', idx, dist, 'Sample', 100, one{:}); ...
         'knng.mink', @() knng.mink(X, 5, 2, one{:}); ...
         'leaf order', @() knng.internal.leaf_order(X(1:600, :), false, struct('Threads', 1))};
if knng.internal.with_igraph()
  calls(end + 1, :) = {'knng.louvain', @() knng.louvain(idx, dist, one{:})};
end
end

function calls = table_of_calls()
% One call of each gateway that has work for several threads; each has threads of its own.
n = 20000;
k = 20;
idx = 1 + mod(bsxfun(@plus, (1:n)' * 7919, cumsum(1 + mod((1:n)' * (1:k), 97), 2)), n);
dist = mod(idx * 0.618, 1);
A = knng.internal.adjacency(idx, dist, struct('Threads', 1));
[i, j, d] = knng.internal.forest('tree', A, [], [], struct('Threads', 1));
X = mod((1:3000)' * (1:40) * 0.618, 1);
D = abs(bsxfun(@minus, X(1:300, 2), X(1:300, 2)'));
how = @(t) struct('Threads', t, 'Progress', 'off');
calls = {'adjacency', @(t) knng.internal.adjacency(idx, dist, 'jaccard', 'union', '', 0, 1, 1, how(t)); ...
         'forest', @(t) knng.internal.forest('clusters', A, i, j, d, 5, how(t)); ...
         'spmv', @(t) knng.internal.spmv(A, ones(n, 1), how(t)); ...
         'leaforder', @(t) knng.internal.leaforder(D, how(t)); ...
         'topk', @(t) knng.internal.topk(0, dist, 5, 2, 'auto', 'cpu', how(t)); ...
         'silhouette', @(t) knng.internal.silhouette(X, 'cityblock', 1 + mod((1:3000)', 5), how(t)); ...
         'impute', @(t) knng.internal.impute(X + 0 ./ (X > 0.05), 'euclidean', 5, 0, [], 0, how(t)); ...
         'rangesearch', @(t) knng.internal.rangesearch('graph', X, [], 3, 'Distance', 'cityblock', how(t)); ...
         'search', @(t) knng.internal.search('graph', X, 5, 'cityblock', 'Device', 'cpu', how(t))};
end

function n = threads()
n = numel(dir('/proc/self/task')) - 2;
end
