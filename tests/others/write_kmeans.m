function write_kmeans (folder)
%WRITE_KMEANS  Clusters of knng.kmeans, for compare_kmeans.py: for each case the rows, the starts, and what was found.

  warning ('off', 'knng:data:notConverged', 'local');
  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  u = @(n, d, seed) reshape (knng.internal.random (seed, n * d), n, d);
  rings = u (3000, 2, 3);
  cases = {'uniform', u(5000, 10, 1), 20; 'genes', ds.X, 12; 'samples', ds.X', 3; ...
           'groups', u(4000, 6, 2) + 3 * floor(4 * u(4000, 6, 4)), 50; ...
           'far', 1e4 + u(2000, 3, 5), 8; 'circle', [cos(6.28 * rings(:, 1)), sin(6.28 * rings(:, 1))], 7; ...
           'line', u(1000, 1, 6), 5; 'many', u(1500, 4, 7), 400};
  for c = 1:size (cases, 1)
    [name, X, k] = cases{c, :};
    start = X(round (linspace (1, size (X, 1), k)), :);
    [idx, C, sumd, D, info] = knng.kmeans (X, k, 'Start', start, 'MaxIter', 30, 'Progress', 'off');
    write_array (folder, name, 'X', X);
    write_array (folder, name, 'start', start);
    write_array (folder, name, 'idx', idx - 1);
    write_array (folder, name, 'D', D);
    write_array (folder, name, 'found', [info.total, info.iterations, info.converged]);
    [~, ~, ~, ~, info] = knng.kmeans (X, k, 'Replicates', 10, 'Progress', 'off');
    best = min (info.total);
    [~, ~, ~, ~, info] = knng.kmeans (X, k, 'Replicates', 10, 'OnlinePhase', 'on', 'Progress', 'off');
    write_array (folder, name, 'best', [best, min(info.total)]);
    s = knng.evalclusters (X, idx, 'CalinskiHarabasz');
    b = knng.evalclusters (X, idx, 'DaviesBouldin');
    write_array (folder, name, 'criteria', [s.CriterionValues, b.CriterionValues]);
    write_array (folder, name, 'silhouette', [knng.silhouette(X, idx, 'sqeuclidean'), knng.silhouette(X, idx, 'cityblock')]);
  end
end
