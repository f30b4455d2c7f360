function write_optics (folder)
%WRITE_OPTICS  What knng.optics says of generated rows, of the digits that compare_optics.py has written and of the genes of examples/data.
%   Coordinates are such that squares and their sums are exact, so that scikit-learn has the same distances; of the genes it gets ours.

  X = round (2 ^ 12 * reshape (knng.internal.random (1, 6000), 2000, 3)) / 2 ^ 12;
  X(1:600, :) = round (2 ^ 8 * X(1:600, :)) / 2 ^ 12;        % two densities
  X(601:700, :) = X(1:100, :);                               % copies
  lattice = floor (12 * reshape (knng.internal.random (2, 3000), 1500, 2));
  f = fopen (fullfile (folder, 'digits.bin'), 'r');
  digits = reshape (fread (f, Inf, 'double'), 64, [])';
  fclose (f);
  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  cases = {'uneven', X, 'euclidean', 5, Inf; 'uneven2', X, 'euclidean', 20, 0.05; 'lattice', lattice, 'cityblock', 9, Inf; ...
           'lattice2', lattice, 'chebychev', 12, 1; 'digits', digits, 'euclidean', 10, Inf; 'genes', ds.X, 'pearson', 5, Inf; ...
           'genes2', ds.X, 'pearson', 4, 0.2};
  for c = 1:size (cases, 1)
    [name, X, metric, minpts, most] = cases{c, :};
    [idx, o] = knng.optics (X, minpts, 'Distance', metric, 'MaxEpsilon', most, 'Progress', 'off');
    if (strcmp (metric, 'pearson'))
      [near, dist] = knngraph (X, size (X, 1) - 1, metric, 'Progress', 'off');
      n = size (X, 1);
      X = zeros (n);
      X(sub2ind ([n, n], repmat ((1:n)', 1, n - 1), near)) = dist;
    end
    write_array (folder, name, 'X', X);
    write_array (folder, name, 'how', [minpts, most]);
    write_array (folder, name, 'order', [o.order, o.reach, o.core, o.pred]);
    finite = sort (o.reach(o.reach < Inf));
    epsilon = finite(ceil (end / 2));
    [low, x] = knng.optics (o, 'Xi', 0.01, 'MinClusterSize', 30);
    write_array (folder, name, 'xi', [idx, low, knng.optics(o, 'PredecessorCorrection', false, 'Xi', 0.1), knng.optics(o, 'Epsilon', epsilon)]);
    write_array (folder, name, 'epsilon', epsilon);
    write_array (folder, name, 'clusters', o.clusters);
    write_array (folder, name, 'low', x.clusters);
  end
end
