function write_hdbscan (folder)
%WRITE_HDBSCAN  What knng.hdbscan says of generated rows, of the digits that compare_hdbscan.py has written and of genes of examples/data,
%   of which it gets the distances. No two distances of rows are equal.

  normal = @(seed, n, d) sum (reshape (knng.internal.random (seed, 12 * n * d), n, d, 12), 3) - 6;
  X = normal (1, 1500, 3) + 6 * floor (5 * reshape (knng.internal.random (2, 4500), 1500, 3));
  Y = [0.2 * normal(3, 700, 2); 5 + normal(4, 500, 2); 20 * reshape(knng.internal.random (5, 800), 400, 2) - 8];
  f = fopen (fullfile (folder, 'digits.bin'), 'r');
  digits = reshape (fread (f, Inf, 'double'), 64, [])';
  fclose (f);
  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  digits = digits + 1e-3 * normal (6, size (digits, 1), 64); % whole numbers have equal lengths
  sets = {'gauss', X, 'euclidean', 1.2; 'uneven', Y, 'euclidean', 0.4; 'blocks', Y, 'cityblock', 0.5; ...
          'digits', digits, 'euclidean', 21; 'genes', ds.X(1:1000, :), 'pearson', 0.25};
  for s = 1:size (sets, 1)
    [name, X, metric, epsilon] = sets{s, :};
    ways = {5, 1, 'eom', 0, Inf; 20, 1, 'eom', 0, Inf; 5, 1, 'leaf', 0, Inf; 12, 1, 'leaf', epsilon, Inf; 5, 1, 'eom', epsilon, Inf; ...
            5, 1, 'eom', 0, 120; 5, 5, 'eom', 0, Inf; 15, 5, 'eom', 0, Inf; 15, 5, 'leaf', 0, Inf; 10, 4, 'eom', epsilon, Inf; ...
            10, 10, 'eom', 0, 120; 10, 3, 'leaf', epsilon, Inf};
    if (strcmp (metric, 'pearson'))
      n = size (X, 1);
      [near, dist] = knngraph (X, n - 1, metric, 'Progress', 'off');
      D = zeros (n);
      D(sub2ind ([n, n], repmat ((1:n)', 1, n - 1), near)) = dist;
      write_array (folder, name, 'X', D);
    else
      write_array (folder, name, 'X', X);
    end
    for w = 1:size (ways, 1)
      [least, samples, method, epsilon, most] = ways{w, :};
      [idx, p, score, tree] = knng.hdbscan (X, least, 'MinSamples', samples, 'ClusterSelectionMethod', method, ...
                                            'ClusterSelectionEpsilon', epsilon, 'MaxClusterSize', most, ...
                                            'Distance', metric, 'Progress', 'off');
      tag = sprintf ('%d', w);
      write_array (folder, name, ['how' tag], [least, samples, strcmp(method, 'leaf'), epsilon, most]);
      write_array (folder, name, ['rows' tag], [idx, p, score]);
      write_array (folder, name, ['edges' tag], tree.edges);
    end
  end
end
