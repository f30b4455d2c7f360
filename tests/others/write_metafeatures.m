function write_metafeatures (folder)
%WRITE_METAFEATURES  Pairs of genes of examples/data and of generated rows, formed and never stored, for compare_metafeatures.py: FOLDER/NAME.mat
%   of each, with X, ops, metric, Z and pairs of knng.metafeatures, and of the graph of never stored rows idx, dist and the names in it.

  ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
  u = reshape (knng.internal.random (3, 900), 45, 20) + 0.5;
  sets = {'genes', ds.X(1:60, :), '-', 'pearson', 'correlation'; 'products', ds.X(101:140, :), '*', 'euclidean', 'euclidean'; ...
          'uniform', u, '-+*/', 'cityblock', 'manhattan'; 'ratios', u, '/', 'cosine', 'cosine'};
  for i = 1:size (sets, 1)
    [name, X, signs, metric] = sets{i, 1:4};
    ops = num2cell (signs);
    s = struct ('X', X, 'ops', signs, 'metric', sets{i, 5});
    [s.Z, ~, s.pairs] = knng.metafeatures (X, [], ops);
    [s.idx, s.dist] = knngraph (X, 7, metric, 'Metafeatures', ops, 'Progress', 'off');
    s.names = knng.metanames (size (X, 1), ops, s.idx(:, 1));
    save ('-v7', fullfile (folder, [name '.mat']), '-struct', 's');
  end
end
