function write_medoids (folder)
%WRITE_MEDOIDS  Medoids that knng.kmedoids found, for compare_medoids.py: for each case all distances, the first medoids, and what
%   was found from them.

  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  u = @(n, d, seed) reshape (knng.internal.random (seed, n * d), n, d);
  cases = {'genes', ds.X, 'pearson', 12; 'genes-l1', ds.X(1:1000, :), 'cityblock', 40; 'patients', ds.X', 'spearman', 3; ...
           'uniform', u(1500, 5, 1), 'euclidean', 20; 'groups', u(1200, 4, 2) + 3 * floor(4 * u(1200, 4, 3)), 'sqeuclidean', 60; ...
           'ties', floor(6 * u(600, 3, 4)), 'chebychev', 9};
  for c = 1:size (cases, 1)
    [name, X, metric, k] = cases{c, :};
    n = size (X, 1);
    [~, first] = unique (X, 'rows', 'first');                % of copies one
    first = sort (first(round (linspace (1, numel (first), k))));
    [idx, ~, sumd, ~, midx, info] = knng.kmedoids (X, k, 'Distance', metric, 'Start', X(first, :), 'Progress', 'off');
    start = knng.knnsearch (X, X(first, :), 'Distance', metric);
    [j, d] = knngraph (X, n - 1, metric);
    D = zeros (n);
    D(sub2ind ([n, n], repmat ((1:n)', 1, n - 1), j)) = d;
    write_array (folder, name, 'D', D);
    write_array (folder, name, 'start', start - 1);
    write_array (folder, name, 'idx', idx - 1);
    write_array (folder, name, 'midx', midx - 1);
    write_array (folder, name, 'found', [info.total, sum(sumd), info.iterations, info.swaps]);
  end
end
