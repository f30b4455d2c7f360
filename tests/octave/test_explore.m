function nfail = test_explore ()
%TEST_EXPLORE  What knng.explore writes: every block is read back from the bytes of the page and compared with what went
%   in; errors, sizes, the same bytes again, hostile names, odd data. tests/browser/test_explore.py opens such pages.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@what_is_in_it, @without_data, @same_bytes, @values, @names_in_bytes, @sizes, @refused_before_work, @small_and_strange, ...
          @shared_samples, @rank_tables, @centres, @default_groups, @from_single_and_sparse, @phenotypes_in_it, @colours, @folder_with_blanks};
warning ('off', 'knng:data:nonFinite', 'local');
warning ('off', 'knng:data:constant', 'local');
nfail = run_checks (checks);
end

function what_is_in_it ()
% Graph, places, groups, names: to the bit.
[ds, idx, dist] = sample ();
XY = [ds.X(:, 1), -ds.X(:, 2) / 3];
XY(4, 2) = NaN;
groups = {'b', 'a', '', 'c c'}(1 + mod (1:60, 4));
[p, info] = written (ds, idx, dist, 'XY', XY, 'Groups', groups, 'Labels', ds.names(60:-1:1), 'Metric', 'pearson', 'Title', 'a "t"');
assert (p.meta.n, 60);
assert (p.meta.title, 'a "t"');
assert (p.meta.correlation, 1);
assert (p.meta.checksum, knng.checksum (idx, dist));
assert (info.checksum, p.meta.checksum);
count = numbers (p, 'count', 'uint32');
assert (count, uint32 (sum (idx > 0, 2)'));
there = (idx > 0)';
[a, b] = deal (idx', dist');
assert (numbers (p, 'idx', 'uint32'), uint32 (a(there))');
assert (numbers (p, 'dist', 'double'), b(there)');
assert (isequaln (numbers (p, 'xy', 'single'), single (reshape (XY', 1, []))));
assert (strsplit (char (p.data.names), char (0))(1:end-1)', ds.names);
assert (strsplit (char (p.data.labels), char (0))(1:end-1)', ds.names(60:-1:1));
assert (p.meta.groups', {'a', 'b', 'c c'});
assert (numbers (p, 'groups', 'uint32'), uint32 ([2 1 0 3](1 + mod (1:60, 4))));
assert (info.groups, groups);
assert (isequaln (info.XY, XY));
% Symbols are labels, unless others are given, or none.
ds.symbols = cellfun (@(t) ['S', t], ds.names, 'UniformOutput', false);
none = {'Layout', 'none', 'Groups', 'none'};
p = written (ds, idx, dist, none{:});
assert (strsplit (char (p.data.labels), char (0))(1:end-1)', ds.symbols);
p = written (ds, idx, dist, 'labels', ds.names(60:-1:1), none{:});
assert (strsplit (char (p.data.labels), char (0))(1:end-1)', ds.names(60:-1:1));
p = written (ds, idx, dist, 'Labels', {}, none{:});
assert (~isfield (p.data, 'labels'));
% A symbol that is the name is shown once.
ds.symbols = ds.names;
p = written (ds, idx, dist, none{:});
assert (~isfield (p.data, 'labels'));
ds.symbols{7} = 'other';
p = written (ds, idx, dist, none{:});
labels = strsplit (char (p.data.labels), char (0), 'CollapseDelimiters', false);
assert (labels([6 7]), {'', 'other'});
end

function without_data ()
% A graph alone, as tables and as A; nothing is in the page of what there is not.
[~, idx, dist] = sample ();
none = {'Layout', 'none', 'Groups', 'none'};
p = written (idx, dist, none{:});
q = written (knng.adjacency (idx, dist), none{:});
for name = {'count', 'idx', 'dist'}
  assert (p.data.(name{1}), q.data.(name{1}));
end
assert (sort (fieldnames (p.data))', {'body', 'count', 'dist', 'idx', 'meta', 'shell', 'style'});
assert (q.meta.checksum, p.meta.checksum);
p = written (sample ().X, idx, dist, none{:});
assert (~isfield (p.data, 'names'));
assert (p.meta.samples, 8);
end

function same_bytes ()
% Written twice, to two names, by layout and groups of its own.
[ds, idx, dist] = sample ();
options = {'Metric', 'pearson', 'Values', 'fine'};
if (~knng.internal.with_igraph ())
  options = [options, {'XY', ds.X(:, 1:2)}];
end
[~, a, text] = written (ds, idx, dist, options{:});
[~, b, again] = written (ds, idx, dist, options{:});
assert (text, again);
assert (rmfield (a, 'file'), rmfield (b, 'file'));
[~, ~, other] = written (ds, idx, dist, options{:}, 'Title', 'x');
assert (~strcmp (text, other));
end

function values ()
% The stored steps stand for X, to what info says.
[ds, idx, dist] = sample ();
ds.X(2, [3 5]) = [NaN Inf];
ds.X(3, :) = 7;
for kind = {'byte', 'fine'; 'uint8', 'uint16'; 255, 65535}
  [p, info] = written (ds, idx, dist, 'Layout', 'none', 'Groups', 'none', 'Values', kind{1});
  codes = reshape (double (numbers (p, 'values1', kind{2})), 8, [])';
  Z = bsxfun (@plus, numbers (p, 'low', 'double')', bsxfun (@times, numbers (p, 'step', 'double')', codes));
  Z(codes == kind{3}) = NaN;
  known = isfinite (ds.X);
  assert (~isnan (Z), known);
  X = ds.X;
  X(~known) = NaN;
  assert (max (abs (Z(:) - X(:))), info.error, 1e-15);
  span = max (X, [], 2) - min (X, [], 2);
  span(span == 0) = Inf;
  off = max (max (abs (Z - X), [], 2) ./ span);
  assert (off, info.rounding, 1e-12);
  assert (info.rounding <= 1 / (2 * (kind{3} - 1)) * (1 + 1e-9));
  assert (p.meta.worst', [info.rounding, info.error]);
end
[p, info] = written (ds, idx, dist, 'Layout', 'none', 'Groups', 'none', 'Values', 'none');
assert (~any (strncmp (fieldnames (p.data), 'values', 6)));
assert ([info.rounding, info.error], [NaN NaN]);
X = mod ((1:5000)' * (1:60) * 0.618, 1);                      % several blocks
[p, info] = written (X, mod ((1:5000)', 5000) + 1, ones (5000, 1), 'Layout', 'none', 'Groups', 'none');
assert (p.meta.values.rows, floor (2 ^ 18 / 60));
codes = [numbers(p, 'values1', 'uint8'), numbers(p, 'values2', 'uint8')];
Z = bsxfun (@plus, numbers (p, 'low', 'double')', bsxfun (@times, numbers (p, 'step', 'double')', reshape (double (codes), 60, [])'));
assert (max (abs (Z(:) - X(:))), info.error, 1e-15);
end

function names_in_bytes ()
% No byte of a name stands in the page but in its title, where it is no markup.
[~, idx, dist] = sample ();
bad = '</title></script><script>window.ran = 1</script>"''<!--';
many = repmat ({bad}, 1, 60);
ds = struct ('X', sample ().X, 'names', {many}, 'samples', {many(1:8)}, 'classes', {many(1:8)});
[p, ~, text] = written (ds, idx, dist, 'Labels', many, 'Groups', many, 'Title', [bad, char(10), '&'], 'XY', ds.X(:, 1:2), ...
                        'Phenotypes', {bad, many(1:8)});
assert (isempty (strfind (text, 'window.ran = 1</script>')));
assert (numel (strfind (text, 'window.ran')), 1);
title = regexp (text, '<title>(.*?)</title>', 'tokens'){1}{1};
assert (title, [strrep(strrep (bad, '<', '&lt;'), '>', '&gt;'), ' &amp;']);
assert (numel (strfind (text, '<script>')), 1);
assert (numel (strfind (text, '</script>')), 1 + numel (strfind (text, '<script type="application/octet-stream"')));
script = regexp (text, '<script>(.*)</script>', 'tokens'){1}{1};
assert (isempty (regexp (text, '<style|style=', 'once')));
policy = regexp (text, 'http-equiv="Content-Security-Policy" content="([^"]*)"', 'tokens'){1}{1};
digest = @(t) matlab.net.base64encode (uint8 (hex2dec (reshape (hash ('sha256', t), 2, [])'))');
assert (policy, sprintf ('default-src ''none''; script-src ''sha256-%s''; img-src data: blob:; base-uri ''none''; form-action ''none''', digest (script)));
outside = [text(1:strfind(text, '<script>')(1)), char(p.data.style), char(p.data.body)];
assert (isempty (regexp (outside, '(src|href|action)\s*=|url\s*\(|@import', 'once')));
assert (isempty (regexp (script, 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|\<eval\>|new Function|XMLHttpRequest|\<fetch\>|WebSocket|importScripts|sendBeacon', 'once')));
assert (isempty (strfind (script, '</')));
end

function sizes ()
% What info says of bytes, and MaxSize to the byte.
[ds, idx, dist] = sample ();
none = {'Layout', 'none', 'Groups', 'none'};
[p, info, text] = written (ds, idx, dist, none{:});
assert (info.bytes, numel (text));
assert (sum (cell2mat (struct2cell (info.blocks))), info.bytes);
assert (info.blocks.idx, numel (p.packed.idx));
[~, same] = written (ds, idx, dist, none{:}, 'MaxSize', info.bytes + 200);   % the call, which the page shows, is longer
assert (same.bytes <= info.bytes + 200);
file = [tempname() '.html'];
refused ('knng:args:maxSize', @() knng.explore (file, ds, idx, dist, none{:}, 'MaxSize', info.bytes - 200));
assert (exist (file, 'file'), 0);
end

function refused_before_work ()
% Nothing is written, and a file that was there stays.
[ds, idx, dist] = sample ();
file = [tempname() '.html'];
fid = fopen (file, 'w');
fputs (fid, 'before');
fclose (fid);
clean = onCleanup (@() delete (file));
tooshort = ds;
tooshort.classes = {'a'};
for c = {'knng:args:ds', {tooshort, idx, dist}; 'knng:args:idx', {ds, idx(1:9, :), dist(1:9, :)}; 'knng:args:dist', {ds, idx, -dist}; ...
         'knng:args:dist', {ds, idx, dist(:, 1)}; 'knng:args:idx', {ds, idx + 60, dist}; 'knng:args:idx', {ds, 'graph.h5'}; ...
         'knng:args:dist', {ds, idx, 3 + dist, 'Metric', 'pearson'}; 'knng:args:labels', {ds, idx, dist, 'Groups', 1:59}; ...
         'knng:args:metric', {ds, idx, dist, 'Metric', 'spearman'}; 'knng:args:metric', {ds, knng.adjacency(idx, dist), 'Metric', 'euclidean'}; ...
         'knng:args:labels', {ds, idx, dist, 'Phenotypes', struct('a', 1:7)}; 'knng:args:option', {ds, idx, dist, 'Phenotypes', {1, 2}}; ...
         'knng:args:option', {idx, dist, 'Phenotypes', struct('a', 1:8)}; 'knng:args:option', {ds, idx, dist, 'Values', 'bytes'}; ...
         'knng:args:labels', {ds, idx, dist, 'Groups', {1}}; 'knng:args:labels', {ds, idx, dist, 'Groups', ones(60, 2)}; ...
         'knng:args:labels', {ds, idx, dist, 'Groups', @sin}; 'knng:args:labels', {ds, idx, dist, 'Groups', []}; ...
         'knng:args:idx', {ds, idx(:, [1 1 2 3]), dist(:, [1 1 2 3])}; 'knng:args:dist', {ds, idx}; 'knng:args:dist', {idx, 'Layout', 'none'}; ...
         'knng:args:dist', {ds.X, idx}; 'knng:args:dist', {ds.X(:, 1:4), idx, 'Title', 'x'}; 'knng:args:count', {ds.X, 'Title', 'x'}; ...
         'knng:args:positions', {ds, idx, dist, 'XY', ones(60, 3)}; 'knng:args:option', {ds, idx, dist, 'Labels', {'a'}}; ...
         'knng:args:option', {ds, idx, dist, 'Seed', -1}; 'knng:args:option', {ds, idx, dist, 'Title', 5}; ...
         'knng:args:maxSize', {ds, idx, dist, 'MaxSize', 5000}; 'knng:args:count', {ds}; 'knng:args:idx', {ds, 'Title', 'x'}}'
  refused (c{1}, @() knng.explore (file, c{2}{:}));
end
for bad = {'', 'x', 'x.html.gz', 5, {'x.html'}, ['ab'; 'cd'], 'html'}
  refused ('knng:args:file', @() knng.explore (bad{1}, ds, idx, dist));
end
refused ('knng:io:open', @() knng.explore ('/dev/null/x.html', idx, dist, 'Layout', 'none', 'Groups', 'none'));
assert (fileread (file), 'before');
end

function small_and_strange ()
% One row, one sample, no edges, gaps, constant rows, 60 groups.
p = written (struct ('X', 1:5, 'names', {{'only'}}), 0, NaN, 'XY', [0 0], 'Groups', 1);
assert ([p.meta.n, p.meta.entries, p.meta.samples], [1 0 5]);
p = written ((1:3)', [2; 1; 2], [0; 0; 1], 'XY', (1:3)' * [1 1], 'Groups', [NaN NaN NaN]);
assert (isempty (p.meta.groups));
assert (p.meta.samples, 1);
p = written (sparse (4, 4), 'Layout', 'none');
assert ([p.meta.entries, p.meta.n], [0 4]);
p = written (NaN (3), zeros (3, 2), NaN (3, 2), 'Layout', 'none', 'Groups', 'none');
assert (all (numbers (p, 'values1', 'uint8') == 255));
p = written ([1e308 -1e308; 4.9e-324 0], [2; 1], [1; 1], 'Layout', 'none', 'Groups', 'none');
assert (all (isfinite (numbers (p, 'step', 'double'))));
p = written (mod ((1:600)', 600) + 1, ones (600, 1), 'Layout', 'none', 'Groups', mod ((1:600)', 60));
assert (numel (p.meta.groups), 60);
A = sparse ([1 1 2 3], [1 2 3 1], [5 realmin 2 1], 3, 3);     % a distance of 0; a row that lists itself
p = written (A, 'Layout', 'none', 'Groups', 'none');
assert (numbers (p, 'idx', 'uint32'), uint32 ([2 1 3 1]));
assert (numbers (p, 'dist', 'double'), [0 5 2 1]);
end

function shared_samples ()
% Of rows with missing values how many samples each pair shares, as info.nvalid; nothing of whole ones.
[ds, idx, dist] = sample ();
none = {'Layout', 'none', 'Groups', 'none'};
p = written (ds, idx, dist, none{:});
assert (~isfield (p.data, 'shared'));
ds.X(7, 3) = NaN;                                             % a row without neighbours is in no pair
[idx, dist] = knngraph (ds.X, 4, 'pearson');
p = written (ds, idx, dist, none{:});
assert (~isfield (p.data, 'shared'));
ds.X(20:30, [2 5]) = NaN;
ds.X(28:35, [1 2]) = NaN;
[idx, dist, info] = knngraph (ds.X, 4, 'pearson', 'Rows', 'pairwise');
assert (any (info.nvalid(idx > 0) < 6));
for graph = {{idx, dist}, {knng.adjacency(idx, dist)}}
  p = written (ds, graph{1}{:}, none{:}, 'Metric', 'pearson');
  if (numel (graph{1}) == 2)
    there = (idx > 0)';
    listed = info.nvalid';
    assert (numbers (p, 'shared', 'uint32'), uint32 (listed(there))');
  else
    from = repelem (1:60, double (numbers (p, 'count', 'uint32')));
    of = double (numbers (p, 'idx', 'uint32'));
    assert (double (numbers (p, 'shared', 'uint32')), sum (~isnan (ds.X(from, :)) & ~isnan (ds.X(of, :)), 2)');
  end
end
end

function rank_tables ()
% By spearman a page has the exact p-values of all numbers of samples that pairs share, and by other metrics none.
[ds, idx, dist] = sample ();
none = {'Layout', 'none', 'Groups', 'none'};
p = written (ds, idx, dist, none{:}, 'Metric', 'pearson');
assert (~isfield (p.meta, 'ranks'));
ds.X(20:30, [2 5]) = NaN;
[idx, dist, info] = knngraph (ds.X, 4, 'spearman', 'Rows', 'pairwise');
p = written (ds, idx, dist, none{:}, 'Metric', 'spearman');
assert (double ([p.meta.ranks.samples])(:)', [6 8]);
assert (unique (info.nvalid(idx > 0))', [6 8]);
assert (p.meta.ranks(1).p(:), knng.internal.rank_p (6), -1e-15);
assert (p.meta.ranks(2).p(:), knng.internal.rank_p (8), -1e-15);
end

function centres ()
% How tight groups are, and which rows are nearest to their centres: by the metric, and only where the page knows of it.
[ds, idx, dist] = sample ();
groups = {'b', 'a', '', 'c c'}(1 + mod (1:60, 4));
options = {'Groups', groups, 'Layout', 'none'};
code = [2 1 0 3](1 + mod (1:60, 4))';
for metric = {'abspearson', 'spearman', 'pearson'}
  [idx, dist] = knngraph (ds.X, 4, metric{1});
  p = written (ds, idx, dist, options{:}, 'Metric', metric{1});
  [far, near] = knng.internal.group_centres (ds.X, code, 3, metric{1});
  assert (all (far > 0 & far < 1));
  assert (numbers (p, 'tight', 'double'), far');
  assert (numbers (p, 'nearest', 'uint32'), uint32 (reshape (near', 1, [])));
  assert (all (code(near) == (1:3)'));
  t = knng.clustertable (ds, groups, 'Metric', metric{1});
  assert ({t.cluster, t.tightness, t.centre}, {{'a'; 'b'; 'c c'}, 1 - far, near(:, 1)});
end
for none = {{ds, idx, dist, options{:}}, {idx, dist, options{:}, 'Metric', 'pearson'}, {ds, idx, dist, 'Groups', 'none', options{3:4}, 'Metric', 'pearson'}}
  p = written (none{1}{:});
  assert (~isfield (p.data, 'tight') && ~isfield (p.data, 'nearest'));
end
p = written (ds, idx, dist, 'Groups', NaN (60, 1), 'Layout', 'none', 'Metric', 'pearson');
assert (isempty (p.meta.groups));
warning ('off', 'knng:data:fewer', 'local');
ds.X(7, 2:end) = NaN;
ds.X(8, 1) = Inf;
[idx, dist] = knngraph (ds.X, 4, 'pearson', 'Rows', 'pairwise');
warning ('error', 'knng:data:nonFinite', 'local');            % rows without a distance are no surprise
warning ('error', 'knng:data:constant', 'local');
warning ('error', 'knng:data:fewer', 'local');
p = written (ds, idx, dist, options{:}, 'Metric', 'pearson');
assert (all (isfinite (numbers (p, 'tight', 'double'))));
assert (p.meta.values.infinite, true);
end

function default_groups ()
% 'auto' is leiden's, or mstknn's; a row without edges, here the constant one, is in none.
[ds, idx, dist] = sample ();
assert (idx(5, 1) == 0);
[p, info] = written (ds, idx, dist, 'XY', ds.X(:, 1:2), 'Seed', 3);
if (knng.internal.with_igraph ())
  right = knng.leiden (idx, dist, 'Seed', 3);
  [~, other] = written (ds, idx, dist, 'Groups', 'none', 'Layout', 'fr', 'Seed', 4);
  A = knng.adjacency (idx, dist);
  assert (other.XY([1:4 6:end], :), knng.internal.layout (A([1:4 6:end], [1:4 6:end]), 'fr', 4));
  assert (isnan (other.XY(5, :)), [true true]);             % nor has it a place
else
  right = knng.mstknn (idx, dist);
end
right = double (right);
right(5) = NaN;
assert (info.groups, right);
assert (numel (p.meta.groups), numel (unique (right(~isnan (right)))));
assert (double (numbers (p, 'groups', 'uint32')(5)), 0);
end

function from_single_and_sparse ()
% Classes of numbers change nothing.
[ds, idx, dist] = sample ();
none = {'Layout', 'none', 'Groups', 'none'};
p = written (ds, int32 (idx), single (dist), none{:});
d = double (single (dist'(:)'));
assert (numbers (p, 'dist', 'double'), d(~isnan (d)));
ds.X = single (ds.X);
q = written (ds, idx, dist, none{:});
r = written (setfield (ds, 'X', double (ds.X)), idx, dist, none{:});
assert (q.data.values1, r.data.values1);
assert (q.data.low, r.data.low);
end

function phenotypes_in_it ()
% Classes come first; effects and p are those of knng.internal.association.
[ds, idx, dist] = sample ();
ds.classes = [1 1 2 2 NaN 3 3 3];
age = [5 3 NaN 8 1 2 9 4];
p = written (ds, idx, dist, 'Layout', 'none', 'Groups', 'none', 'Phenotypes', struct ('age', age));
assert ({p.meta.phenotypes.name}, {'class', 'age'});
assert (p.meta.phenotypes(1).kinds', {'1', '2', '3'});
assert (p.meta.phenotypes(1).of', [1 1 2 2 0 3 3 3]);
[r, t] = knng.internal.association (ds.X, age, 0);
assert (isequaln (numbers (p, 'effect2', 'double'), r'));
assert (isequaln (numbers (p, 'p2', 'double'), t'));
assert (numel (numbers (p, 'top1', 'uint32')), 60);
% What a data set says of its samples is shown, unless others are given, or none.
ds.meta = struct ('format', 'geo', 'title', {{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}}, 'kind', {{'sex: f', 'sex: m', 'sex: f', 'sex: f', '', '', '', ''}});
none = {'Layout', 'none', 'Groups', 'none'};
p = written (ds, idx, dist, none{:});
assert ({p.meta.phenotypes.name}, {'class', 'sex'});
assert (p.meta.phenotypes(2).of', [1 2 1 1 0 0 0 0]);
p = written (ds, idx, dist, none{:}, 'Phenotypes', struct ('age', age));
assert ({p.meta.phenotypes.name}, {'class', 'age'});
p = written (ds, idx, dist, none{:}, 'Phenotypes', {});
assert ({p.meta.phenotypes.name}, {'class'});
end

function colours ()
% No colour means two things: groups, classes and other phenotypes differ, and none has the hue of a value; classes have their colours as in knng.heatmap.
[ds, idx, dist] = sample ();
ds.classes = {'b', 'a', '', 'c', 'a', 'b', 'c', 'a'};
sex = {'f', 'm', 'f', 'm', 'f', 'm', 'f', 'm'};
p = written (ds, idx, dist, 'Layout', 'none', 'Groups', 1 + mod (1:60, 12), 'Phenotypes', {'age', 1:8; 'sex', sex});
parts = @(c) hex2dec (reshape (c(2:end), 2, [])')';
of = @(list) cell2mat (cellfun (parts, list(:), 'UniformOutput', false));
shown = @(c) round (255 * c);
assert (of (p.meta.phenotypes(1).colours), shown (knng.internal.bar_colours (1:3)));
assert (isempty (p.meta.phenotypes(2).colours));
assert (of (p.meta.phenotypes(3).colours), shown (knng.internal.bar_colours (4:5)));
groups = of (p.meta.colours);
assert (size (groups, 1), 40);
all = [groups; of(p.meta.phenotypes(1).colours); of(p.meta.phenotypes(3).colours)];
values = interp1 ([-1 0 1], p.meta.scale, linspace (-1, 1, 65));
seen = @(c) knng.internal.as_seen (c / 255);
apart = @(a, b) sqrt (sumsq (permute (seen (a), [1 3 2]) - permute (seen (b), [3 1 2]), 3));
assert (min ((apart (all, all) + 1e3 * eye (45))(:)) > 13);
assert (min (apart (all, values)(:)) > 12);
assert (p.meta.scale(1, 3) > max (p.meta.scale(1, 1:2)) + 50 && p.meta.scale(3, 1) > p.meta.scale(3, 2) + 50);   # blue is low, orange high
kinds = cellfun (@(s, c) [s, c], p.meta.shapes, p.meta.colours, 'UniformOutput', false);
assert ({numel(unique (kinds)), p.meta.shapes{[1 8 9 40]}}, {40, 'o', 'o', 's', 'v'});
% The same colours as the bar in knng.heatmap has.
lent = knng.internal.headless ();
fig = figure ('visible', 'off');
back = onCleanup (@() close (fig));
[~, ~, columns] = knng.heatmap (ds, [], 'Phenotypes', {'age', 1:8; 'sex', sex});
bars = get (findobj (fig, 'type', 'image'), 'cdata');
bars = cellfun (@(c) shown (squeeze (c(1, :, :))), bars(cellfun (@(c) isequal (size (c), [2 8 3]), bars)), 'UniformOutput', false);
for i = [1 3]
  mine = [shown(knng.internal.bar_colours (0)); of(p.meta.phenotypes(i).colours)];
  mine = mine(1 + p.meta.phenotypes(i).of(columns), :);
  assert (sum (cellfun (@(c) isequal (c, mine), bars)), 1);
end
% A page of nothing but a graph has colours, too.
p = written (idx, dist, 'Layout', 'none', 'Groups', 'none');
assert ({numel(p.meta.colours), size(p.meta.scale)}, {40, [3 3]});
end

function folder_with_blanks ()
% Names of files with blanks and more; the toolbox below such a name.
folder = [tempname() ' a''b & c'];
mkdir (folder);
clean = onCleanup (@() cellfun (@feval, {@() delete(fullfile (folder, 'x y.HTM')), @() rmdir(folder)}, 'UniformOutput', false));
info = knng.explore (fullfile (folder, 'x y.HTM'), [2; 1], [1; 1], 'Layout', 'none', 'Groups', 'none');
assert (dir (fullfile (folder, 'x y.HTM')).bytes, info.bytes);
end

% ---- aids --------------------------------------------------------------------------------------------------------------

function [ds, idx, dist] = sample ()
ds.X = mod ((1:60)' .^ 2 * (1:8) .^ 1.5 * 0.618, 1);
ds.X(5, :) = 3;
ds.names = arrayfun (@(i) sprintf ('g%d', i), (1:60)', 'UniformOutput', false);
ds.samples = arrayfun (@(j) sprintf ('s%d', j), 1:8, 'UniformOutput', false);
ds.classes = {};
[idx, dist] = knngraph (ds.X, 4, 'pearson');
end

function [p, info, text] = written (varargin)
% The page that knng.explore writes: p.packed and p.data have its blocks, the second as bytes, p.meta what is in meta.
file = [tempname() '.html'];
info = knng.explore (file, varargin{:});
clean = onCleanup (@() delete (file));
text = fileread (file);
blocks = regexp (text, '<script type="application/octet-stream" id="data-(\w+)">([^<]*)</script>', 'tokens');
blocks = vertcat (blocks{:});
p.packed = cell2struct (blocks(:, 2), blocks(:, 1), 1);
p.data = cell2struct (unpacked (blocks(:, 2)), blocks(:, 1), 1);
p.meta = jsondecode (char (p.data.meta));
end

function bytes = unpacked (texts)
% base64 by Octave, and gzip itself, once for all: Octave's gunzip changes the folder, which takes several times as long.
names = cellfun (@(t) tempname (), texts, 'UniformOutput', false);
gone = onCleanup (@() cellfun (@unlink, names));
for i = 1:numel (texts)
  fid = fopen ([names{i}, '.gz'], 'w');
  fwrite (fid, matlab.net.base64decode (texts{i}));
  fclose (fid);
end
[status, said] = system (['gzip -d', sprintf(" '%s.gz'", names{:}), ' 2>&1']);
assert (status, 0, said);
bytes = cellfun (@bytes_of, names, 'UniformOutput', false);
end

function bytes = bytes_of (name)
fid = fopen (name, 'r');
bytes = fread (fid, Inf, '*uint8')';
fclose (fid);
end

function v = numbers (p, name, kind)
% Byte by byte as they lie: first the first bytes of all.
width = numel (typecast (zeros (1, 1, kind), 'uint8'));
v = typecast (reshape (reshape (p.data.(name), [], width)', 1, []), kind);
end

function refused (id, call)
said = 'nothing';
try
  call ();
catch e
  said = e.identifier;
end
assert (said, id);
end
