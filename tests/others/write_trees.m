function write_trees (folder)
%WRITE_TREES  Trees of knng.linkage, and what is read off them, for tests/others/read_trees.py: FOLDER/NAME.mat of each set of
%   points, with X, metric (as SciPy calls it) and for each method a struct of Z, y (of the tree from distances), T, coefficients,
%   cophenet, c, and of fewer than 600 points order, T of knng.clusterdata and the leaves that knng.dendrogram draws, all and the last;
%   of 'blocks' what knng.clustergram makes of X.

methods = knng.internal.linkage_methods ();
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
sets = {'patients', ds.X', 'pearson', 'correlation'; 'genes', ds.X, 'pearson', 'correlation'; 'golub', ds.X, 'euclidean', 'euclidean'; ...
        'blocks', ds.X(1:500, :), 'cityblock', 'cityblock'};
rand ('twister', 4);
for i = 1:40
  n = 2 + floor (rand () * 300);
  X = rand (n, 1 + mod (i, 6)) + (rand (n, 1) > 0.5) * (mod (i, 3) == 0);
  sets(end+1, :) = {sprintf('random%d', i), X, 'euclidean', 'euclidean'}; %#ok<AGROW>
end
state = warning ('off', 'knng:args:euclidean');
back = onCleanup (@() warning (state));
lent = knng.internal.headless ();                            %#ok<NASGU>
fig = figure ('visible', 'off');
for i = 1:size (sets, 1)
  [name, X, metric] = sets{i, 1:3};
  s = struct ('X', X, 'metric', sets{i, 4});
  y = knng.internal.linkage ('pairs', X, metric);
  for m = methods
    one = struct ('Z', knng.linkage (X, m{1}, metric, 'Progress', 'off'), 'Y', knng.linkage (y, m{1}));
    one.T = knng.cluster (one.Z, 'MaxClust', 5);
    one.D = knng.cluster (one.Z, 'Cutoff', median (one.Z(:, 3)), 'Criterion', 'distance');
    one.I = knng.cluster (one.Z, 'Cutoff', 1.1, 'Depth', 3);
    one.R = knng.inconsistent (one.Z, 3);
    [one.c, one.d] = knng.cophenet (one.Z, y);
    if (size (X, 1) < 600)
      one.order = knng.optimalleaforder (one.Z, y);
      one.data = knng.clusterdata (X, 'Linkage', m{1}, 'Distance', metric, 'MaxClust', 5);
      [~, ~, one.leaves] = knng.dendrogram (one.Z, 0);
      [~, T, p] = knng.dendrogram (one.Z, 12);
      one.sizes = accumarray (T, 1)(p);
    end
    s.(m{1}) = one;
  end
  if (strcmp (name, 'blocks'))
    s.picture = struct ('X', X, 'order', [], 'columns', [], 'groups', [], 'best', []);
    c = knng.clustergram (X, 'OptimalLeafOrder', false, 'MaxClust', [9 1], 'Linkage', {'average', 'ward'});
    [s.picture.order, s.picture.columns, s.picture.groups] = deal (c.RowOrder, c.ColumnOrder, c.RowClusters);
    c = knng.clustergram (X, 'Linkage', {'average', 'ward'});
    s.picture.best = c.RowOrder;
  end
  save ('-v6', fullfile (folder, [name '.mat']), '-struct', 's');
end
close (fig);
end
