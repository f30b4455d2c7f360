function write_diffusion (folder)
%WRITE_DIFFUSION  Maps of knng.diffusionmap of genes and patients of examples/data and of generated rows, for compare_diffusion.py: FOLDER/NAME.mat
%   of each, with X, k, epsilon and for each alpha a map, its eigenvalues and the sums of the weights.

  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  u = reshape (knng.internal.random (1, 2400), 800, 3);
  roll = 2 + 6 * u(:, 1);
  sets = {'genes', ds.X(1:700, :), 12; 'patients', ds.X', 6; 'roll', [roll .* cos(2 * roll), 4 * u(:, 2), roll .* sin(2 * roll)], 15; ...
          'uneven', [u(1:500, 1) .^ 3, u(1:500, 2)], 20};
  for i = 1:size (sets, 1)
    [name, X, k] = sets{i, :};
    [idx, dist] = knngraph (X, k, 'Progress', 'off');
    s = struct ('X', X, 'k', k, 'epsilon', median (dist(:, end)) ^ 2);
    for alpha = [0 0.5 1]
      [Y, lambda, model] = knng.diffusionmap (idx, dist, 4, 'Epsilon', s.epsilon, 'Alpha', alpha, 'Time', 0);
      s.(sprintf ('map%d', 10 * alpha)) = struct ('Y', Y, 'lambda', lambda, 'density', model.density);
    end
    save ('-v7', fullfile (folder, [name '.mat']), '-struct', 's');
  end
end
