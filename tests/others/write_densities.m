function write_densities (folder)
%WRITE_DENSITIES  What knng.lof and knng.intrinsicdim say of the genes of examples/data and of generated rows, for compare_densities.py.

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
end
