function write_maps (folder)
%WRITE_MAPS  Maps of knng.umap, knng.tsne and others and components of knng.pca, for compare_maps.py: of the genes of examples/data, each row centred and of
%   length 1, of the digits that it has written, and of points on a rolled-up sheet.

  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  X = bsxfun (@minus, ds.X, mean (ds.X, 2));
  genes = bsxfun (@rdivide, X, sqrt (sum (X .^ 2, 2)));
  f = fopen (fullfile (folder, 'digits.X'), 'r');
  n = fread (f, [1 2], 'double');
  digits = fread (f, n, 'double');
  fclose (f);
  u = reshape (knng.internal.random (7, 8 * 900), 900, 8);
  r = 2 + 6 * u(:, 1);
  roll = [r .* cos(r), 5 * u(:, 2), r .* sin(r), bsxfun(@times, u(:, 4:8), 0.3 * (1:5))];
  cases = {'genes', genes; 'digits', digits; 'roll', roll};
  for c = 1:size (cases, 1)
    [name, X] = cases{c, :};
    write_array (folder, name, 'X', X);
    [idx, dist] = knngraph (X, 14);                          % umap-learn's 15 are these and the row itself
    write_array (folder, name, 'idx', idx);
    write_array (folder, name, 'dist', dist);
    for seed = 0:2
      [Y, W] = knng.umap (idx, dist, 'Seed', seed, 'Progress', 'off');
      write_array (folder, name, sprintf ('map%d', seed), Y);
    end
    for seed = 0:2
      [Y, loss(seed+1)] = knng.tsne (X, 'Seed', seed, 'Progress', 'off');
      write_array (folder, name, sprintf ('tsne%d', seed), Y);
    end
    write_array (folder, name, 'loss', loss);
    [i, j, w] = find (W);
    write_array (folder, name, 'W', [i, j, w]);
    [idx, dist] = knngraph (X(1:600, :), 12);
    write_array (folder, name, 'ways', knng.isomap (idx, dist, 3));
    write_array (folder, name, 'near', idx);
    write_array (folder, name, 'far', dist);
    write_array (folder, name, 'joined', knng.laplacianeigenmaps (idx, dist, 3));
    write_array (folder, name, 'heat', knng.laplacianeigenmaps (idx, dist, 3, 'Weight', 'gaussian', 'Bandwidth', median (dist(:))));
    [~, score, latent] = knng.pca (X);
    write_array (folder, name, 'score', score(:, 1:5));
    write_array (folder, name, 'latent', latent(1:5));
    [~, score] = knng.pca (X, 'Algorithm', 'randomized', 'NumComponents', 5, 'Iterations', 30);
    write_array (folder, name, 'drawn', score);
  end
  curves = [0.1 1; 0.5 1; 0 1; 0.99 1; 0.01 2];
  for c = 1:size (curves, 1)
    [curves(c, 3), curves(c, 4)] = knng.internal.umap_curve (curves(c, 1), curves(c, 2));
  end
  write_array (folder, 'all', 'curves', curves);
end
