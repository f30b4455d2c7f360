%LEUKAEMIA  From a file of expressions to answers: clusters of genes, a map of the patients, a diagnosis, its genes.
%   The leukaemia data of Golub et al. (1999): 3 051 genes of 38 patients, 27 with ALL, 11 with AML. Which genes go
%   together, do the patients fall into groups by themselves, could a new patient be told, and by which genes? Three
%   pictures: genes.png, patients.png and phenotype.png. Some 5 seconds. The lines to copy:
%
%     ds = knng.read ('golub.nbi.gz');                            % ds.X: genes x patients, ds.classes: 0 ALL, 1 AML
%     [idx, dist] = knngraph (ds.X, 20, 'pearson');               % the 20 genes most like each gene
%     W = knng.adjacency (idx, dist, 'Weight', 'jaccard', 'Symmetrize', 'union');
%     cluster = knng.leiden (W);                                  % clusters of genes; without igraph:
%     cluster = knng.mstknn (ds.X, 'Distance', 'pearson', 'K', 'connected');
%     knng.heatmap (ds, cluster)
%     A = knngraph (ds.X', 12, 'pearson');                        % the 12 patients most like each patient
%     Y = knng.diffusionmap (A, 2, 'Epsilon', 'knn');             % a map of the patients
%     knng.scatter (Y, ds.classes)
%     L = knng.cvk (ds.X', ds.classes, 'Leaveout', 'on', 'Distance', 'pearson');    % errors for k = 1, 2, ...
%     ds = knng.addphenotype (ds, 'AML');                         % the diagnosis as a row
%     idx = knng.knnsearch (ds.X, ds.X(end, :), 'K', 21, 'Distance', 'abspearson'); % the genes that follow it

% Run it from any directory: octave-cli examples/leukaemia.m. The pictures go to build/demo/; where the toolbox was
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
ds = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
[n, d] = size (ds.X);
named = {'ALL', 'AML'};
ds.classes = named(ds.classes + 1);
isaml = strcmp (ds.classes, 'AML');
fprintf ('%d genes of %d patients, %d with ALL, %d with AML\n', n, d, sum (~isaml), sum (isaml));

% ---- which genes go together ---------------------------------------------------------------------------------------
% Two genes are near where their expressions rise and fall together, whatever their levels: Pearson's correlation. An
% edge of the graph counts by the neighbours that its ends have in common (Jaccard), which quiets chance. Leiden's
% method looks for groups that hold more of these edges than chance would give them. MST-kNN goes another way: it keeps
% an edge of the minimum spanning tree only where one end is among the nearest few of the other, so many as the graph
% needs to hang together, and does so again inside each part.
[idx, dist] = knngraph (ds.X, 20, 'pearson');
cluster = knng.mstknn (ds.X, 'Distance', 'pearson', 'K', 'connected');
fprintf ('MST-kNN finds %d clusters of genes, the largest of %d\n', max (cluster), max (accumarray (cluster, 1)));
try
    cluster = knng.leiden (knng.adjacency (idx, dist, 'Weight', 'jaccard', 'Symmetrize', 'union'));
    fprintf ('Leiden finds %d, the largest of %d\n', max (cluster), max (accumarray (cluster, 1)));
catch err
    if ~strcmp (err.identifier, 'knng:toolbox:noIgraph')
        rethrow (err);
    end
    fprintf ('Leiden is left out: %s\n', err.message);
end

% No cluster knows the diagnosis. Which ones follow it? The mean of a cluster's genes, each in standard deviations,
% against the class.
Z = bsxfun (@rdivide, bsxfun (@minus, ds.X, mean (ds.X, 2)), std (ds.X, 0, 2));
r = zeros (max (cluster), 1);
for c = 1:max (cluster)
    r(c) = corr (mean (Z(cluster == c, :), 1)', double (isaml)');
end
[~, best] = max (abs (r));
fprintf ('Cluster %d, of %d genes, follows the diagnosis most, r = %.2f\n\n', best, sum (cluster == best), r(best));
knng.heatmap (ds, cluster);
print (fullfile (folder, 'genes.png'), '-dpng', '-r110');

% ---- do the patients fall into groups by themselves ----------------------------------------------------------------
% The same with rows and columns changed: each patient is joined to the 12 most like him, and a walk along these edges
% takes long to get from one group to another. The diffusion map has the slowest directions of that walk as coordinates.
% The classes colour the picture and were not used.
Y = knng.diffusionmap (knngraph (ds.X', 12, 'pearson'), 2, 'Epsilon', 'knn');
told = 0;
for i = 1:d                                                               % the best single cut through the map
    for j = 1:2
        right = sum ((Y(:, j) > Y(i, j)) == isaml');
        told = max ([told, right, d - right]);
    end
end
apart = mean (knng.silhouette (Y, ds.classes'));
fprintf ('A straight cut through the map tells the classes of %d of %d patients; mean silhouette %.2f\n', told, d, apart);
if told < d - 1 || apart < 0.5
    error ('knng:leukaemia:map', 'the classes should be apart on the map');
end

% The map has ALL in two groups, and the file does not say why. The gene CD3D does: it makes a part of the receptor of T
% cells. There is an ALL of T cells and one of B cells. MST-kNN sets the former apart.
cd3d = ds.X(strcmp (ds.names, 'X03934_at'), :)';
fprintf ('Among ALL the second coordinate follows the gene CD3D of T cells, r = %.2f\n', corr (Y(~isaml, 2), cd3d(~isaml)));
kind = knng.mstknn (ds.X', 'Distance', 'pearson', 'K', 'connected');
for c = 1:max (kind)
    fprintf ('MST-kNN: %d patients, %d of them with AML, with CD3D at %.1f on average\n', sum (kind == c), ...
             sum (kind == c & isaml'), mean (cd3d(kind == c)));
end

% ---- could a new patient be told -----------------------------------------------------------------------------------
% Each patient in turn is left out, and his nearest neighbours among the others vote on his class, for every number of
% neighbours at once.
[L, ks] = knng.cvk (ds.X', ds.classes', 'Ks', 1:20, 'Leaveout', 'on', 'Distance', 'pearson');
fprintf ('Left out in turn, %.0f of %d patients are misjudged by 1 neighbour, %.0f by 7, %.0f by 20\n\n', d * L(1), d, ...
         d * L(7), d * L(20));
if L(7) > 2 / d
    error ('knng:leukaemia:accuracy', '7 neighbours should tell nearly all patients');
end

clf ();
set (gcf (), 'color', 'w', 'paperposition', [0 0 13 4]);
axes ('position', [0.06 0.13 0.22 0.76]);
knng.scatter (Y, ds.classes, 'Legend', false);
title ('patients by diffusion: ALL blue, AML orange', 'fontsize', 10);
axes ('position', [0.39 0.13 0.22 0.76]);
knng.scatter (Y, cd3d, 'Title', 'CD3D');
title ('the same, by CD3D, a gene of T cells', 'fontsize', 10);
axes ('position', [0.73 0.13 0.25 0.76]);
plot (ks, 100 * (1 - L), 'ko-', 'markersize', 4, 'markerfacecolor', 'k');
axis ([0, max(ks) + 1, 60, 102]);
grid on
set (gca (), 'gridcolor', [0.85 0.85 0.85], 'gridalpha', 1);
xlabel ('neighbours that vote');
ylabel ('patients told rightly, %');
title ('each left out in turn', 'fontsize', 10);
print (fullfile (folder, 'patients.png'), '-dpng', '-r110');

% ---- which genes tell ----------------------------------------------------------------------------------------------
% The diagnosis becomes a row like that of a gene, 0 for ALL and 1 for AML; its nearest rows are the genes that follow
% it, up or down. Zyxin (X95735) and cystatin C (M27891) are among those that Golub et al. name.
phenotype = knng.addphenotype (ds, 'AML');
[near, far] = knng.knnsearch (ds.X, phenotype.X(end, :), 'K', 20, 'Distance', 'abspearson');
fprintf ('The genes that follow it most: %s, |r| from %.2f\n', strjoin (ds.names(near(1:5))', ', '), 1 - far(1));
knng.profile (phenotype, near, 'AML');
print (fullfile (folder, 'phenotype.png'), '-dpng', '-r110');

% Two genes together may tell more than either: the differences of all pairs of the 500 genes that vary most. Of so many
% some look good by chance. They are where to look, and no proof.
[~, order] = sort (var (ds.X, 0, 2), 'descend');
[pairs, names] = knng.metafeatures (ds.X(order(1:500), :), ds.names(order(1:500)), 'difference');
[at, away] = knng.knnsearch (pairs, phenotype.X(end, :), 'K', 1, 'Distance', 'abspearson');
fprintf ('Of %d genes and differences of genes %s does so most, |r| = %.2f\n', size (pairs, 1), names{at}, 1 - away);
close (gcf ());
fprintf ('wrote genes.png, patients.png and phenotype.png in %s\n', folder);
