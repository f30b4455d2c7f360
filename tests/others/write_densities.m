function write_densities (folder)
%WRITE_DENSITIES  What knng.lof, knng.intrinsicdim and knng.mutualinfo say of the genes of examples/data and of generated rows, for compare_densities.py.

  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  X = reshape (knng.internal.random (1, 6000), 2000, 3);
  X(1:600, :) = 0.05 * X(1:600, :);                          % two densities
  cases = {'genes', ds.X; 'uneven', X};
  for c = 1:size (cases, 1)
    [name, X] = cases{c, :};
    write_array (folder, name, 'X', X);
    Y = bsxfun (@plus, X(1:7:end, :), std (X, 1, 1) .* sin (1:size (X, 2)));
    write_array (folder, name, 'Y', Y);
    for k = [5 20 50]
      [score, ~, new] = knng.lof (X, 'K', k, 'Queries', Y, 'Progress', 'off');
      write_array (folder, name, sprintf ('lof%d', k), score);
      write_array (folder, name, sprintf ('new%d', k), new);
      [dim, of_row] = knng.intrinsicdim (X, 'K', k);
      write_array (folder, name, sprintf ('dim%d', k), [dim; of_row]);
    end
    write_array (folder, name, 'twonn', knng.intrinsicdim (X, 'Method', 'twonn'));
  end
  X = round (2 ^ 20 * reshape (knng.internal.random (5, 8000), 2000, 4)) / 2 ^ 20;   % squares of differences are exact
  X(:, 3) = round (9 * X(:, 3));                             % and some are equal
  y = sin (5 * X(:, 1)) + X(:, 2) .* X(:, 3) / 9;
  class = floor (3 * X(:, 1)) + (X(:, 2) > 0.99);
  cases = {'rows', X, y, class; 'tissues', round(2 ^ 12 * ds.X(1:40, :)') / 2 ^ 12, ds.X(41, :)', ds.classes(:)};
  for c = 1:2
    [name, X, y, class] = cases{c, :};
    write_array (folder, name, 'X', [y, class, X]);
    for k = [3 8]
      known = knng.mutualinfo (X, y, 'K', k, 'Standardize', false, 'Progress', 'off');
      named = knng.mutualinfo (X, class, 'K', k, 'Standardize', false, 'Target', 'discrete');
      write_array (folder, name, sprintf ('mi%d', k), [known, named]);
    end
  end
end
