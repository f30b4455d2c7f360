%CLUSTER  From a MATLAB script of cluster analysis to knng: clusterdata, clustergram and kmeans, line by line.
%   Above each line stands the one of MATLAB (Statistics and Bioinformatics Toolbox) that it takes the place of. The data are
%   the leukaemia data of Golub et al. (1999), 3 051 genes of 38 patients. Some seconds. It writes genes.png, patients.png and
%   silhouette.png. The lines to copy:
%
%     ds = knng.read ('golub.nbi.gz');                            % genes x patients
%     X = knng.filterrows (ds.X, 'LowVariance', 80);              % was X = X(genevarfilter (X, 'Percentile', 80), :)
%     Z = knng.normalize (X, 'zscore', 'By', 'rows');             % was zscore (X, 0, 2)
%     T = knng.clusterdata (Z, 'Distance', 'correlation', 'Linkage', 'average', 'MaxClust', 6);
%     tree = knng.linkage (Z', 'ward');
%     P = knng.cluster (tree, 'MaxClust', 3);
%     k = knng.kmeans (Z, 6, 'Distance', 'correlation', 'Replicates', 5, 'Seed', 1);
%     [s, h] = knng.silhouette (Z, k, 'correlation');
%     knng.clustergram (X, 'RowPDist', 'correlation', 'MaxClust', 6)

% Run it from any directory: octave-cli examples/cluster.m. What it writes goes to build/demo/; where the toolbox was
% installed, to knng-demo/ in the current folder; or to `folder`, where that is set.

root = fileparts (fileparts (mfilename ('fullpath')));
addpath (root);
if ~exist ('folder', 'var')
    folder = fullfile (root, 'build', 'demo');
    if ~exist (fullfile (root, 'Makefile'), 'file')                       % an installed toolbox is not the place
        folder = fullfile (pwd (), 'knng-demo');
    end
end
if ~exist (folder, 'dir')
    mkdir (folder);
end
restore = knng.internal.headless ();                                     % draws without a screen
figure ('visible', 'off');

% ---- the data ------------------------------------------------------------------------------------------------------
%   load golub.mat X genes diagnosis
ds = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
diagnosis = {'ALL', 'AML'};
diagnosis = diagnosis(ds.classes + 1);

%   keep = genevarfilter (X, 'Percentile', 80); X = X(keep, :); genes = genes(keep);
ds = knng.filterrows (ds, 'LowVariance', 80);
[X, genes] = deal (ds.X, ds.names);
fprintf ('%d genes of %d patients, the most variable\n', size (X));

%   Z = zscore (X, 0, 2);
Z = knng.normalize (X, 'zscore', 'By', 'rows');

% ---- clusters of genes by a tree -----------------------------------------------------------------------------------
%   T = clusterdata (Z, 'Distance', 'correlation', 'Linkage', 'average', 'MaxClust', 6);
T = knng.clusterdata (Z, 'Distance', 'correlation', 'Linkage', 'average', 'MaxClust', 6);
fprintf ('clusterdata: clusters of %s genes\n', strjoin (arrayfun (@num2str, sort (accumarray (T, 1), 'descend')', ...
                                                                   'UniformOutput', false), ', '));

% ---- the same genes by kmeans --------------------------------------------------------------------------------------
%   rng (1)
%   [k, C, sumd] = kmeans (Z, 6, 'Distance', 'correlation', 'Replicates', 5);
[k, C, sumd] = knng.kmeans (Z, 6, 'Distance', 'correlation', 'Replicates', 5, 'Seed', 1);

%   [s, h] = silhouette (Z, k, 'correlation');
[s, h] = knng.silhouette (Z, k, 'correlation');
print (h, fullfile (folder, 'silhouette.png'), '-dpng', '-r80');
t = knng.silhouette (Z, T, 'correlation');
fprintf ('kmeans: clusters of %s genes, distances of %.1f in all; silhouette %.3f, of the tree''s %.3f\n', strjoin (arrayfun (@num2str, ...
         sort (accumarray (k, 1), 'descend')', 'UniformOutput', false), ', '), sum (sumd), mean (s), mean (t));

%   E = evalclusters (Z, 'kmeans', 'CalinskiHarabasz', 'KList', 2:8); E.OptimalK
E = knng.evalclusters (Z, 'kmeans', 'CalinskiHarabasz', 'KList', 2:8, 'Seed', 1);
fprintf ('evalclusters: %d clusters\n', E.OptimalK);

% ---- a tree of the patients ----------------------------------------------------------------------------------------
%   D = pdist (Z', 'euclidean'); tree = linkage (D, 'ward'); cophenet (tree, D)
tree = knng.linkage (Z', 'ward');
r = knng.cophenet (tree, Z', 'euclidean');

%   P = cluster (tree, 'MaxClust', 3); crosstab (P, diagnosis)
P = knng.cluster (tree, 'MaxClust', 3);
found = accumarray ([P, ds.classes(:) + 1], 1);
fprintf ('patients: cophenetic correlation %.2f; clusters with ALL and AML:%s\n', r, sprintf ('  %d %d', found'));

%   order = optimalleaforder (tree, D);
%   dendrogram (tree, 0, 'Reorder', order, 'ColorThreshold', 'default', 'Labels', diagnosis)
order = knng.optimalleaforder (tree, Z', 'euclidean');
clf ();
knng.dendrogram (tree, 0, 'Reorder', order, 'ColorThreshold', 'default', 'Labels', diagnosis);
print (fullfile (folder, 'patients.png'), '-dpng', '-r80');

% ---- both in one picture -------------------------------------------------------------------------------------------
%   cg = clustergram (X, 'Standardize', 'row', 'RowPDist', 'correlation', 'ColumnPDist', 'euclidean', ...
%                     'Linkage', {'average', 'ward'}, 'RowLabels', genes, 'ColumnLabels', diagnosis, ...
%                     'Colormap', redbluecmap, 'DisplayRange', 2);
cg = knng.clustergram (X, 'Standardize', 'row', 'RowPDist', 'correlation', 'ColumnPDist', 'euclidean', ...
                       'Linkage', {'average', 'ward'}, 'RowLabels', genes, 'ColumnLabels', diagnosis, ...
                       'DisplayRange', 2, 'MaxClust', [6 3], 'Phenotypes', {'diagnosis', diagnosis}, ...
                       'CallOut', {'X95735_at', 'M27891_at', 'M84526_at', 'X03934_at'});
print (fullfile (folder, 'genes.png'), '-dpng', '-r80');

%   cg.RowLabels                      % in the order of the picture
fprintf ('clustergram: from %s at the top to %s\n', cg.RowLabels{[1 end]});
if ~isequal (cg.RowClusters, T) || ~isequal (cg.ColumnClusters, P)
    error ('knng:cluster:answers', 'the clusters of the picture should be those of clusterdata and of cluster');
elseif max (found(:, 2)) < 8 || mean (s) < mean (t)
    error ('knng:cluster:answers', 'most AML should lie together, and kmeans fit better than the tree');
end
close (gcf ());
fprintf ('wrote genes.png, patients.png and silhouette.png in %s\n', folder);
