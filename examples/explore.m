%EXPLORE  A page in which to explore 3 051 genes with a browser, from the leukaemia data of Golub et al. (1999).
%   It reads the genes of 38 patients, builds the graph of the 20 nearest genes by Pearson's correlation, and writes
%   explore.html: one file, which any browser opens, without network. Search for CD33, follow neighbours, draw a lasso
%   around a part of the map, see which genes go with the diagnosis. Some 5 seconds. The lines to copy:
%
%     ds = knng.read ('golub.nbi.gz');                            % ds.X: genes x patients, ds.classes: 0 ALL, 1 AML
%     [idx, dist, info] = knngraph (ds.X, 20, 'pearson');         % the 20 genes most like each gene
%     knng.explore ('explore.html', ds, idx, dist, 'Metric', 'pearson', 'Info', info)

% Run it from any directory: octave-cli examples/explore.m. The page goes to build/demo/; where the toolbox was
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

ds = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
named = {'ALL', 'AML'};
ds.classes = named(ds.classes + 1);
[idx, dist, info] = knngraph (ds.X, 20, 'pearson');

% Symbols of some of the probes: they are searched, too, and stand on the map.
symbols = {
    'X95735_at', 'ZYX',    'X07743_at', 'PLEK',   'M23197_at', 'CD33',     'X62320_at', 'GRN',   'M27783_s_at', 'ELANE', ...
    'X16546_at', 'RNASE2', 'L08246_at', 'MCL1',   'X17042_at', 'SRGN',     'X62654_rna1_at', 'CD63', ...
    'U46751_at', 'SQSTM1', 'D88422_at', 'CSTA',   'M16038_at', 'LYN',      'M84526_at', 'CFD',   'M27891_at', 'CST3', ...
    'X52056_at', 'PU.1',   'M19507_at', 'MPO',    'M80254_at', 'PPIF',     'X03934_at', 'CD3D',  'M89957_at', 'CD79B'};
labels = repmat ({''}, numel (ds.names), 1);
[found, at] = ismember (ds.names, symbols(1:2:end));
labels(found) = symbols(2 * at(found));

% The map is drawn by igraph; where it is not there, the page goes without.
layout = 'auto';
if ~knng.internal.with_igraph ()
    layout = 'none';
end
file = fullfile (folder, 'explore.html');
page = knng.explore (file, ds, idx, dist, 'Metric', 'pearson', 'Labels', labels, 'Layout', layout, 'Info', info, ...
                     'Title', 'Leukaemia: 3 051 genes of 38 patients (Golub et al., 1999)');
fprintf ('%d genes, %d neighbours of each, %.1f MB\n', size (ds.X, 1), size (idx, 2), page.bytes / 1e6);
fprintf ('wrote %s: open it with a browser\n', file);
