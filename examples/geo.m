%GEO  From a series of GEO to answers: symbols, gaps, clusters, genes that differ, what they are known for, a page.
%   A series matrix with gaps, the table of its platform, and sets of genes: the leukaemia data of Golub et al. (1999),
%   914 probes of 38 patients. Some 5 seconds. It writes clusters.png, differ.csv and geo.html. The lines to copy:
%
%     ds = knng.read ('leukaemia_series_matrix.txt.gz');          % probes x patients, with gaps (NaN)
%     ds.classes = strrep (ds.meta.Sample_characteristics_ch1(1, :), 'diagnosis: ', '');
%     ds = knng.annotate (ds, 'leukaemia_platform.txt.gz');       % symbols, from the table of the platform
%     ds = knng.collapse (ds, ds.symbols);                        % one row for each gene
%     [idx, dist, info] = knngraph (ds.X, 15, 'pearson', 'Rows', 'pairwise');   % over the patients that both genes have
%     knng.neighbors (ds, idx, dist, 'CD33', 5)                   % the genes most like CD33
%     W = knng.adjacency (idx, dist, 'Weight', 'jaccard', 'Symmetrize', 'union');
%     cluster = knng.leiden (W);                                  % clusters; without igraph the next line:
%     % cluster = knng.mstknn (getfield (knng.impute (ds, 10), 'X'), 'Distance', 'pearson', 'K', 'connected');
%     t = knng.compare (ds);                                      % ALL against AML, gene by gene
%     knng.write ('differ.csv', t)
%     knng.enrich (ds, cluster, 'leukaemia_sets.gmt', 'MaxFDR', 0.05)           % what the clusters are about
%     knng.clustertable (ds, cluster)                             % how tight they are, and their centres
%     knng.heatmap (ds, cluster), print ('clusters.png', '-dpng')
%     knng.explore ('geo.html', ds, idx, dist, 'Metric', 'pearson', 'Groups', cluster, 'Info', info)

% Run it from any directory: octave-cli examples/geo.m. What it writes goes to build/demo/; where the toolbox was
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
data = fullfile (root, 'examples', 'data');

% ---- the file, what its rows are, and what is missing --------------------------------------------------------------
ds = knng.read (fullfile (data, 'leukaemia_series_matrix.txt.gz'));
ds.classes = strrep (ds.meta.Sample_characteristics_ch1(1, :), 'diagnosis: ', '');
[ds, found] = knng.annotate (ds, fullfile (data, 'leukaemia_platform.txt.gz'));
gaps = isnan (ds.X);
fprintf ('%d probes of %d patients; %.1f %% of the values are missing, in %d probes\n', size (ds.X), 100 * mean (gaps(:)), ...
         sum (any (gaps, 2)));
[ds, info] = knng.collapse (ds, ds.symbols);
fprintf ('%d of them are in the table of the platform: %d genes\n', found.found, info.groups);
fprintf ('  %s\n', ds.history{:});                                         % what was done so far
fprintf ('\n');

% ---- which genes go together ---------------------------------------------------------------------------------------
% Two genes are compared over the patients that both have. Nothing is filled in.
[idx, dist, info] = knngraph (ds.X, 15, 'pearson', 'Rows', 'pairwise');
knng.neighbors (ds, idx, dist, 'CD33', 5)
layout = 'auto';
if knng.internal.with_igraph ()
    cluster = knng.leiden (knng.adjacency (idx, dist, 'Weight', 'jaccard', 'Symmetrize', 'union'));
else
    full = knng.impute (ds, 10);
    cluster = knng.mstknn (full.X, 'Distance', 'pearson', 'K', 'connected');
    layout = 'none';                                                      % of the page's map, which igraph draws
end

% ---- which of them differ between the diagnoses --------------------------------------------------------------------
t = knng.compare (ds);
fprintf ('%d genes differ between ALL and AML at a false discovery rate of 5 %%, %s most\n', sum (t.fdr < 0.05), ...
         strjoin (t.name(1:5)', ', '));
knng.write (fullfile (folder, 'differ.csv'), t);

% ---- what the clusters are about -----------------------------------------------------------------------------------
fprintf ('\n%d clusters, the largest of %d genes\n', max (cluster), max (accumarray (cluster, 1)));
sets = fullfile (data, 'leukaemia_sets.gmt');
e = knng.enrich (ds, cluster, sets, 'MaxFDR', 0.05);
knng.enrich (ds, cluster, sets, 'MaxFDR', 0.05)
knng.clustertable (ds, cluster)
if ~any (strcmp (e.set, 'RESPIRATION')) || ~any (strcmp (t.name(1:50), 'CD33'))
    error ('knng:geo:answers', 'the genes of respiration should lie together, and CD33 tell AML from ALL');
end

knng.heatmap (ds, cluster);
print (fullfile (folder, 'clusters.png'), '-dpng', '-r110');
close (gcf ());
page = knng.explore (fullfile (folder, 'geo.html'), ds, idx, dist, 'Metric', 'pearson', 'Groups', cluster, 'Layout', layout, ...
                     'Info', info, 'Title', 'Leukaemia: genes of 38 patients (Golub et al., 1999)');
fprintf ('wrote clusters.png, differ.csv and geo.html in %s\n', folder);
