%EXPLORE  From a file of GEO to a page in which to explore its 3 051 genes with a browser, in five lines.
%   The file is in the form SOFT of a GEO data set (GDS): values of 38 patients, the symbols of the genes, and which patients
%   have which leukaemia (Golub et al., 1999). The page shows the 20 nearest genes of each by Pearson's correlation: one file,
%   which any browser opens, without network. Search for CD33, follow neighbours, draw a lasso around a part of the map, see
%   which genes go with the diagnosis. Some 5 seconds. The lines to copy:
%
%     ds = knng.read ('leukaemia.soft');                          % ds.X: genes x patients; symbols, diagnoses
%     ds = knng.filterrows (ds, 'MaxMissing', 0);                 % without genes that miss a value; here there are none
%     [idx, dist, info] = knngraph (ds.X, 20, 'pearson');         % the 20 genes most like each gene
%     knng.neighbors (ds, idx, dist, 'CD33', 5)                   % five of those of CD33, as text
%     knng.explore ('explore.html', ds, idx, dist, 'Metric', 'pearson', 'Info', info)

% Run it from any directory: octave-cli examples/explore.m. What it writes goes to build/demo/; where the toolbox was
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

% The file, as one of GEO would be downloaded: the data of golub.nbi.gz, with symbols from the table of the platform, and of
% some probes that have none there by hand.
soft = fullfile (folder, 'leukaemia.soft');
data = fullfile (root, 'examples', 'data');
golub = knng.annotate (knng.read (fullfile (data, 'golub.nbi.gz')), fullfile (data, 'leukaemia_platform.txt.gz'));
symbols = {
    'X95735_at', 'ZYX',    'X07743_at', 'PLEK',   'M23197_at', 'CD33',     'X62320_at', 'GRN',   'M27783_s_at', 'ELANE', ...
    'X16546_at', 'RNASE2', 'L08246_at', 'MCL1',   'X17042_at', 'SRGN',     'X62654_rna1_at', 'CD63', ...
    'U46751_at', 'SQSTM1', 'D88422_at', 'CSTA',   'M16038_at', 'LYN',      'M84526_at', 'CFD',   'M27891_at', 'CST3', ...
    'X52056_at', 'PU.1',   'M19507_at', 'MPO',    'M80254_at', 'PPIF',     'X03934_at', 'CD3D',  'M89957_at', 'CD79B'};
[found, at] = ismember (golub.names, symbols(1:2:end));
golub.symbols(found) = symbols(2 * at(found));
golub.samples = regexprep (golub.samples, '^S', 'GSM');                   % as GEO calls them
f = fopen (soft, 'w');
fprintf (f, '^DATASET = leukaemia\n!dataset_title = Leukaemia: 3 051 genes of 38 patients (Golub et al., 1999)\n');
named = {'ALL', 'AML'};
for c = 0:1
    fprintf (f, '^SUBSET = %s\n!subset_description = %s\n!subset_sample_id = %s\n!subset_type = disease state\n', named{c + 1}, ...
             named{c + 1}, strjoin (golub.samples(golub.classes == c), ','));
end
fprintf (f, '^DATASET = leukaemia\n!dataset_table_begin\nID_REF\tIDENTIFIER%s\n', sprintf ('\t%s', golub.samples{:}));
for i = 1:numel (golub.names)
    fprintf (f, '%s\t%s%s\n', golub.names{i}, golub.symbols{i}, sprintf ('\t%.17g', golub.X(i, :)));
end
fprintf (f, '!dataset_table_end\n');
fclose (f);

% ---- the five lines; the map is drawn by igraph, and where it is not there, the page goes without ------------------
file = fullfile (folder, 'explore.html');
more = {};
if ~knng.internal.with_igraph ()
    more = {'Layout', 'none'};
end
ds = knng.read (soft);
ds = knng.filterrows (ds, 'MaxMissing', 0);
[idx, dist, info] = knngraph (ds.X, 20, 'pearson');
knng.neighbors (ds, idx, dist, 'CD33', 5)
page = knng.explore (file, ds, idx, dist, 'Metric', 'pearson', 'Info', info, 'Title', ds.meta.dataset_title{1}, more{:});

if ~isequal (ds.X, golub.X) || ~any (strcmp (ds.symbols, 'ZYX')) || ~strcmp (page.checksum, knng.checksum (idx, dist))
    error ('knng:explore:answers', 'the page should have the values, symbols and neighbours of the file');
end
fprintf ('%d genes, %d neighbours of each, %.1f MB\n', size (ds.X, 1), size (idx, 2), page.bytes / 1e6);
fprintf ('wrote %s: open it with a browser\n', file);
