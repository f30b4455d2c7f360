function pictures (folder)
%PICTURES  Makes the pictures of docs/img that no example makes.
%   pictures ('docs/img') writes graph.png, patients.png, umap.png, tsne.png, optics.png, silhouette.png, dendrogram.png, heatmap.png,
%   clustergram.png, tutorial-heatmap.png and tutorial-patients.png. It needs igraph
%   and gnuplot, and takes some seconds. profile.png is by knng.demo ('microarray'), swissroll.png and images.png are by the demos of
%   their names, and those of knng.explore are of a browser's window.
root = fileparts (fileparts (mfilename ('fullpath')));
data = fullfile (root, 'examples', 'data');
lent = knng.internal.headless (); %#ok<NASGU>
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
out = @(name) fullfile (folder, name);

% Golub et al.: genes, their clusters, the gene of T cells as what is known of the patients.
ds = knng.annotate (knng.read (fullfile (data, 'golub.nbi.gz')), fullfile (data, 'leukaemia_platform.txt.gz'));
named = {'ALL', 'AML'};
ds.classes = named(ds.classes + 1);
cd3d = ds.X(strcmp (ds.names, 'X03934_at'), :);

t = knng.compare (ds);
knng.clustergram (ds, 'Subset', t.row(1:50), 'RowPDist', 'pearson', 'MaxClust', [2 3], 'Phenotypes', {'CD3D', cd3d}, 'CallOut', 'X95735_at');
print (fig, out ('clustergram.png'), '-dpng', '-r80');

[idx, dist] = knngraph (ds.X, 20, 'pearson');
cluster = knng.leiden (knng.adjacency (idx, dist, 'Weight', 'jaccard', 'Symmetrize', 'union'));
knng.heatmap (ds, cluster, 'Mark', {'CD33', 'CST3', 'MPO', 'LYN', 'CD19', 'CD72', 'CD1A', 'TCRB', 'TCF3', 'CCND3'}, 'Phenotypes', {'CD3D', cd3d});
print (fig, out ('heatmap.png'), '-dpng', '-r80');

knng.plot (idx(:, 1:5), dist(:, 1:5), 'Groups', cluster, 'Title', sprintf ('%d genes, joined to the 5 nearest, in %d clusters', ...
                                                                           numel (cluster), max (cluster)));
print (fig, out ('graph.png'), '-dpng', '-r80');

t = knng.compare (ds, 'Sort', false);
for c = {'umap.png', 'tsne.png'; @() knng.umap(idx, dist), @() knng.tsne(ds.X, 'Distance', 'pearson')}
  clf (fig);
  set (fig, 'paperposition', [0 0 10.5 4.2]);
  Y = c{2}();
  axes ('position', [0.05 0.11 0.38 0.8]);                 % the legend takes its room from them
  knng.scatter (Y, cluster, 'Title', 'clusters of genes');
  axes ('position', [0.58 0.11 0.36 0.8]);
  knng.scatter (Y, min (max (t.statistic, -5), 5), 'Title', 'higher in AML, or in ALL (below 0): Welch''s t');
  print (fig, out (c{1}), '-dpng', '-r80');
end

Y = knng.diffusionmap (knngraph (ds.X', 12, 'pearson'), 2, 'Epsilon', 'knn');
clf (fig);
set (fig, 'paperposition', [0 0 9.5 3.8]);
axes ('position', [0.07 0.13 0.42 0.76]);                  % the legend takes its room from them
knng.scatter (Y, ds.classes, 'Title', 'diagnosis');
axes ('position', [0.6 0.13 0.33 0.76]);
knng.scatter (Y, cd3d', 'Title', 'CD3D, a gene of T cells');
print (fig, out ('patients.png'), '-dpng', '-r80');

% Five densities, and clusters within clusters
clf (fig);
set (fig, 'paperposition', [0 0 10.5 4.2]);
U = reshape (knng.internal.random (1, 3000), [], 2);
G = sqrt (-2 * log (U(1:1250, 1))) * [1 1] .* [cos(2 * pi * U(1:1250, 2)), sin(2 * pi * U(1:1250, 2))];   % normal numbers
size_of = [400 0 0 0.3; 300 4 4 0.6; 150 4.2 4.2 0.1; 200 8 0 0.15; 200 9 0.5 0.15];
group = repelem (1:5, size_of(:, 1))';
X = [size_of(group, 2:3) + bsxfun(@times, G, size_of(group, 4)); 12 * U(1251:1500, :) - 2];
[c, o] = knng.optics (X, 10, 'MinClusterSize', 50);
axes ('position', [0.05 0.11 0.4 0.8]);
knng.scatter (X, c, 'Title', 'clusters, and noise in grey', 'Legend', false);
axes ('position', [0.56 0.13 0.42 0.78]);
knng.optics (o, 'MinClusterSize', 50);
print (fig, out ('optics.png'), '-dpng', '-r80');

clf (fig);
set (fig, 'paperposition', [0 0 6 4]);
knng.silhouette (X(c > 0, :), c(c > 0), 'euclidean');
print (fig, out ('silhouette.png'), '-dpng', '-r80');

clf (fig);
set (fig, 'paperposition', [0 0 8 4]);
Z = knng.linkage (ds.X', 'average', 'pearson');
who = cellfun (@(c, i) sprintf ('%s %d', c, i), ds.classes, num2cell (1:38), 'UniformOutput', false);
knng.dendrogram (Z, 0, 'Reorder', knng.optimalleaforder (Z, ds.X', 'pearson'), 'ColorThreshold', 0.27, 'Labels', who);
print (fig, out ('dendrogram.png'), '-dpng', '-r80');

% docs/tutorial.md, steps 1, 7, 9 and 10
ds = knng.read (fullfile (data, 'golub_series_matrix.txt.gz'));
ds.classes = strrep (ds.meta.Sample_characteristics_ch1(1, :), 'diagnosis: ', '');
knng.heatmap (ds, knng.mstknn (ds.X, 'Distance', 'pearson', 'K', 'connected'));
print (fig, out ('tutorial-heatmap.png'), '-dpng', '-r80');
knng.scatter (knng.diffusionmap (knngraph (ds.X', 12, 'pearson'), 2, 'Epsilon', 'knn'), ds.classes);
print (fig, out ('tutorial-patients.png'), '-dpng', '-r80');
end
