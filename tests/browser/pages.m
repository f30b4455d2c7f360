function pages (folder)
%PAGES  Writes the pages that test_explore.py opens, NAME.html, and what they have to show, NAME.json.

warning ('off', 'knng:data:nonFinite', 'local');
warning ('off', 'knng:data:constant', 'local');
warning ('off', 'knng:data:distances', 'local');              % graphs that are made up
main_page (folder);
gaps_page (folder);
ranks_page (folder);
alone_pages (folder);
hostile_page (folder);
odd_pages (folder);
long_page (folder);
end

function long_page (folder)
% Names of rows, samples, groups and classes that are the same at their beginning; noise, and a row without a label.
X = mod ((1:30)' .^ 2 * (1:8) .^ 1.3 * 0.618, 1);
called = @(form, n) arrayfun (@(i) sprintf (form, i), 1:n, 'UniformOutput', false);
ds = struct ('X', X, 'names', {called('gene with a rather long name %d', 30)}, 'samples', {called('sample number %d of the trial', 8)}, ...
             'classes', {called('a stage of the tumour that is called %d', 2)(1 + mod (1:8, 2))});
[idx, dist] = knngraph (X, 4, 'pearson');
knng.explore (fullfile (folder, 'long.html'), ds, idx, dist, 'Metric', 'pearson', 'Groups', [NaN, -1, -1, 1 + mod(4:30, 3)], ...
              'XY', X(:, 1:2), 'Clustergram', 'rows');
end

function main_page (folder)
% 240 rows in five groups, two of them no neighbours; every part of the page is there.
n = 240;
d = 24;
part = 1 + mod ((1:n)', 5);
X = sin (part * (1:d) * 0.7) + 0.8 * (mod ((1:n)' .^ 2 * (1:d) .^ 1.3 * 0.618, 1) - 0.5);
X(7, 3) = NaN;
X(8, :) = 4.5;
ds.X = X;
ds.names = arrayfun (@(i) sprintf ('gene%03d_at', i), (1:n)', 'UniformOutput', false);
ds.names{17} = 'X95735_at';
ds.names{18} = '=1+2';
ds.names{19} = '-cmd';
ds.samples = arrayfun (@(j) sprintf ('s%d', j), 1:d, 'UniformOutput', false);
ds.classes = repmat ({'ALL', 'AML', 'CML'}, 1, d / 3);
ds.classes{4} = '';
labels = repmat ({''}, n, 1);
labels{17} = 'zyxin';
labels{20} = 'MYB';
[idx, dist, info] = knngraph (ds.X, 6, 'pearson');
XY = [cos(part * 1.3), sin(part * 1.3)] + 0.4 * (mod ((1:n)' .^ 2 * [0.618 0.414], 1) - 0.5);
XY(9, :) = NaN;
groups = {'alpha', 'beta', 'gamma', 'delta', 'epsilon'}(part);
groups{5} = '';
years = sin (1:d) * 3;
years(2) = NaN;
sexes = {'female', 'male'};
options = {'Metric', 'pearson', 'Title', 'The main page', 'Groups', groups, 'XY', XY, 'Labels', labels, 'Info', info, ...
           'Phenotypes', struct('years', years, 'sex', {{sexes{1 + (mod((1:d) .^ 2, 7) < 3)}}})};
knng.explore (fullfile (folder, 'main.html'), ds, idx, dist, options{:});
E = knng.edges (idx, dist, 'Metric', 'pearson', 'Samples', d);
[tight, central] = centres_by_loops (X, groups);
[r, p] = knng.internal.association (X, years, 0);
[Z, F] = knng.internal.heat_values (X, 'row', {});
T = knng.linkage (F, 'average');
code = knng.internal.label_codes (ds.classes);
[~, of_class] = knng.internal.association (X, code, 3);
note (folder, 'main', struct ('names', {ds.names}, 'labels', {labels}, 'idx', {num2cell(idx, 2)}, 'dist', {num2cell(dist, 2)}, ...
                              'i', E.i, 'j', E.j, 'r', E.r, 'p', E.p, 'fdr', E.fdr, 'groups', {groups}, 'X', {num2cell(X, 2)}, ...
                              'years', years, 'years_r', r, 'years_p', p, 'class_p', of_class, 'certified', info.certified.f32, 'x', XY(:, 1), 'y', XY(:, 2), ...
                              'group_names', {{'alpha', 'beta', 'delta', 'epsilon', 'gamma'}}, 'tight', tight, 'central', {num2cell(central, 2)}, ...
                              'Z', {num2cell(Z, 2)}, 'tree', {num2cell(T, 2)}, 'order', knng.optimalleaforder (T, F, 'euclidean'), ...
                              'sample_order', knng.optimalleaforder (knng.linkage (F', 'average'), F', 'euclidean'), ...
                              'sex', {options{end}.sex}, 'version', knng.internal.explore ('version', zeros (1, 0, 'uint8')), ...
                              'checksum', knng.checksum (idx, dist)));
save ('-text', fullfile (folder, 'places.txt'), 'XY');
end

function [tight, central] = centres_by_loops (X, groups)
% Pearson's r of the rows of each group with the mean of their standardized rows; rows with gaps over what they have, a
% constant row is out.
names = {'alpha', 'beta', 'delta', 'epsilon', 'gamma'};
for g = 1:5
  rows = find (strcmp (groups(:), names{g}));
  [sums, counts] = deal (zeros (1, size (X, 2)));
  for i = rows'
    on = find (~isnan (X(i, :)));
    if (max (X(i, on)) > min (X(i, on)))
      sums(on) = sums(on) + (X(i, on) - mean (X(i, on))) / std (X(i, on));
    end
    counts(on) = counts(on) + 1;
  end
  r = NaN (numel (rows), 1);
  for i = 1:numel (rows)
    on = find (~isnan (X(rows(i), :)));
    if (max (X(rows(i), on)) > min (X(rows(i), on)))
      r(i) = corr (X(rows(i), on)', (sums(on) ./ counts(on))');
    end
  end
  tight(g) = mean (r(~isnan (r)));
  [~, order] = sort (-r);
  central(g, :) = rows(order(1:3))';
end
end

function alone_pages (folder)
% Rows without neighbours: X has 30 rows; why is '' for those that have some.
X = mod ((1:30)' .^ 2 * (1:8) .^ 1.3 * 0.618, 1);
X(2, 3) = NaN;
X(4, 2:7) = NaN;
X(5, :) = NaN;
X(6, :) = 2;
X(7, [1 8]) = NaN;
X(9, 4) = Inf;
X(10, 3:8) = Inf;
why = repmat ({''}, 30, 1);
why{4} = '6 of its 8 values are missing or infinite: the others are too few, or other rows do not have them.';
why{5} = 'All its values are missing or infinite.';
why{6} = 'Its values are all the same: then there is no correlation.';
why{9} = '1 of its 8 values is missing or infinite: the others are too few, or other rows do not have them.';
why{10} = '6 of its 8 values are missing or infinite: the others are too few, or other rows do not have them.';
[idx, dist] = knngraph (X, 3, 'pearson', 'Rows', 'pairwise');
none = {'Layout', 'none', 'Groups', 'none'};
file = @(name) fullfile (folder, [name, '.html']);
knng.explore (file ('alone'), X, idx, dist, 'Metric', 'pearson', none{:});
known = X;
known(isinf (X)) = NaN;
note (folder, 'alone', struct ('why', {why}, 'X', {num2cell(known, 2)}));
few = {[0; 3; 2], [NaN; 1; 1]};
knng.explore (file ('alone-graph'), few{:}, none{:});
knng.explore (file ('alone-zero'), [0 0; 1 2; 2 1], few{1}, few{2} / 5, 'Metric', 'cosine', none{:});
knng.explore (file ('alone-whole'), [NaN NaN; 1 2; 2 1], few{:}, none{:});
knng.explore (file ('alone-far'), [9 8; 1 2; 2 1], few{:}, none{:});
knng.explore (file ('itself'), sparse ([1 1 1 2 3], [1 2 3 1 2], [realmin 1 2 1 1]), 'Layout', 'none', 'Groups', [1 1 NaN]);
end

function gaps_page (folder)
% Missing values, and pairs of rows that share 2 samples or fewer: each pair has a test of its own.
X = mod ((1:60)' .^ 2 * (1:12) .^ 1.3 * 0.618, 1);
X(mod ((1:60)' .^ 2 * (1:12), 7) == 3) = NaN;
X(4, 3:12) = NaN;
X(5, [1:3, 7:12]) = NaN;
ds = struct ('X', X, 'names', {arrayfun(@(i) sprintf ('HG%04d-HT%d_s_at', i, i), (1:60)', 'UniformOutput', false)}, ...
             'symbols', {arrayfun(@(i) sprintf ('SYMBOL%04d', i), (1:60)', 'UniformOutput', false)});
[idx, dist, info] = knngraph (X, 6, 'pearson', 'Rows', 'pairwise', 'MinValid', 2);
knng.explore (fullfile (folder, 'gaps.html'), ds, idx, dist, 'Metric', 'pearson', 'XY', (1:60)' * [1 1], 'Groups', 'none');
E = knng.edges (idx, dist, 'Metric', 'pearson', 'Samples', info.nvalid);
note (folder, 'gaps', struct ('idx', {num2cell(idx, 2)}, 'i', E.i, 'j', E.j, 'r', E.r, 'p', E.p, 'fdr', E.fdr, 'samples', E.samples));
end

function ranks_page (folder)
% By spearman: pairs of 2 to 16 samples, exact tests and others, and pairs of the same order, whose p is the least.
X = mod ((1:60)' .^ 2 * (1:16) .^ 1.3 * 0.618, 1);
X(31:60, :) = exp (X(1:30, :));
X(mod ((1:60)' .^ 2 * (1:16), 7) == 3) = NaN;
X([3 6], 3:16) = NaN;
X([8 9], 1:12) = NaN;
[idx, dist, info] = knngraph (X, 6, 'spearman', 'Rows', 'pairwise', 'MinValid', 2);
names = arrayfun (@(i) sprintf ('n%d', i), (1:60)', 'UniformOutput', false);
ds = struct ('X', X, 'names', {names}, 'symbols', {upper(names)});
knng.explore (fullfile (folder, 'ranks.html'), ds, idx, dist, 'Metric', 'spearman', 'XY', (1:60)' * [1 1], 'Groups', 'none');
E = knng.edges (idx, dist, 'Metric', 'spearman', 'Samples', info.nvalid);
note (folder, 'ranks', struct ('idx', {num2cell(idx, 2)}, 'i', E.i, 'j', E.j, 'r', E.r, 'p', E.p, 'fdr', E.fdr, 'samples', E.samples));
end

function hostile_page (folder)
% Whatever may stand in names, classes, titles and groups; #ran# is what code would write if it ran.
bad = {'<script>window.ran = 1</script>', '</script><script>window.ran = 1</script>', '"><img src=http://127.0.0.1:48009/x onerror="window.ran = 1">', ...
       '''"`${window.ran = 1}`', '<!--', ']]>', 'javascript:window.ran=1', [char([226 128 174]) 'abc'], char([240 159 152 128]), ...
       sprintf('two\nlines'), '', 'twice', 'twice', repmat('x', 1, 10000), char([226 128 168]), '&lt;b&gt;', '\u003cscript>', ...
       '__proto__', 'constructor', char([255 254]), ['nul' char(0) 'inside'], '<b>', '#/g/1', '%s%n', '=cmd|'' /C calc''!A0'};
n = numel (bad);
ds = struct ('X', mod ((1:n)' .^ 2 * (1:n) .^ 1.5 * 0.618, 1), 'names', {bad}, 'samples', {bad}, 'classes', {bad});
[idx, dist] = knngraph (ds.X, 4, 'pearson');
options = {'Metric', 'pearson', 'Groups', bad, 'Labels', fliplr(bad), 'XY', ds.X(:, 1:2)};
knng.explore (fullfile (folder, 'hostile.html'), ds, idx, dist, options{:}, 'Title', strjoin (bad([1:9 15:end]), ' '), ...
              'Phenotypes', [reshape(bad([1:10 14:19 22:25]), [], 1), repmat({bad}, 20, 1)]);
note (folder, 'hostile', struct ('n', n));
end

function odd_pages (folder)
% Small, empty and strange ones, each a page that has to open.
none = {'Layout', 'none', 'Groups', 'none'};
X = mod ((1:30)' .^ 2 * [0.37 0.71 0.13 0.93], 1);
[idx, dist] = knngraph (X, 3);
file = @(name) fullfile (folder, ['odd-', name, '.html']);
knng.explore (file ('graph'), idx, dist, none{:});
knng.explore (file ('matrix'), knngraph (X, 3), 'XY', X(:, 1:2), 'Groups', 'none');
knng.explore (file ('points'), X, idx, dist, 'XY', X(:, 1:2), 'Groups', X(:, 1) > 0.5, 'Clustergram', 'groups');
knng.explore (file ('values-none'), X, idx, dist, 'XY', X(:, 1:2), 'Values', 'none');
knng.explore (file ('values-fine'), X, idx, dist, 'XY', X(:, 1:2), 'Values', 'fine');
knng.explore (file ('one-row'), struct ('X', 1:5, 'names', {{'only'}}), 0, NaN, 'XY', [0 0], 'Groups', 1);
knng.explore (file ('one-sample'), struct ('X', (1:9)', 'classes', {{'a'}}), [2:9, 8]', ones (9, 1) / 2, 'XY', (1:9)' * [1 1], 'Metric', 'pearson');
knng.explore (file ('no-edges'), sparse (5, 5), 'XY', magic (5)(:, 1:2), 'Groups', [1 1 2 NaN NaN]);
wild = [NaN(1, 4); 5 5 5 5; Inf 1 2 3; 1e308 -1e308 0 1; 4.9e-324 0 0 0; X(1:5, :)];
near = [zeros(4, 1); 6; 7; 6; 7; 8; 9];
knng.explore (file ('wild'), wild, near, double (near > 0), 'XY', [wild(:, 1), 1e300 * wild(:, 2)], 'Groups', 'none');
X = mod ((1:600)' .^ 2 * [0.37 0.71 0.13 0.93], 1);
[idx, dist] = knngraph (X, 3);
knng.explore (file ('60-groups'), X, idx, dist, 'XY', X(:, 1:2), 'Groups', mod ((1:600)', 60));
end

function note (folder, name, facts)
fid = fopen (fullfile (folder, [name, '.json']), 'w');
fputs (fid, knng.internal.json_text (facts));
fclose (fid);
end
