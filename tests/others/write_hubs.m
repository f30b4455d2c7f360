function write_hubs (folder)
%WRITE_HUBS  What knng.hubness and knng.mutualproximity make of graphs of generated rows and of the genes of examples/data, for compare_hubs.py.

  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  X = reshape (knng.internal.random (1, 60000), 600, 100);
  sets = {'cube', X, 'euclidean', 599, 10; 'few', X(:, 1:3), 'cityblock', 60, 5; 'genes', ds.X, 'pearson', 200, 20; ...
          'patients', ds.X', 'euclidean', 37, 4};
  for s = 1:size (sets, 1)
    [name, X, metric, most, k] = sets{s, :};
    [idx, dist] = knngraph (X, most, metric, 'Progress', 'off');
    [near, far] = knng.mutualproximity (idx, dist, k);
    write_array (folder, name, 'idx', idx);
    write_array (folder, name, 'dist', dist);
    write_array (folder, name, 'near', near);
    write_array (folder, name, 'far', far);
    tables = {idx(:, 1:k), near};
    for t = 1:2
      [count, h] = knng.hubness (tables{t}, double (tables{t} > 0));
      write_array (folder, name, sprintf ('count%d', t), count);
      write_array (folder, name, sprintf ('hubs%d', t), h.hubs);
      write_array (folder, name, sprintf ('measures%d', t), [h.skewness, h.robinhood, h.hubshare, h.antihubs]);
    end
  end
end
