function nfail = test_output ()
%TEST_OUTPUT  Graphs that knngraph and the program write to files: the same bytes whatever the options and the form of X;
%   knng.loadgraph, knng.checksum and knng.verify of the file do what they do with the tables, and Octave loads it. Wrong
%   arguments, failures and damaged files. tests/unit/test_graph_file.c and tests/runs/test_output.c have more of each.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@stored, @arguments_of_reading, @damaged};
if (knng.internal.graph_file ('can'))
  checks = [checks, {@as_the_tables, @same_bytes, @loads, @some_rows, @verifies, @one_result, @wrong_arguments, @failures, @estimates, @lists_on_disk, @program}];
else
  checks = [checks, {@without}];
end
nfail = run_checks (checks);
end

function X = rows_of (n, d)
X = mod ((1:n)' * (1:d) * 0.618, 1);
X(5:60:end, 2) = NaN;
X(3:50:end, :) = X(4:50:end, :);
end

function bytes = content (file)
f = fopen (file, 'r');
bytes = fread (f, Inf, '*uint8');
fclose (f);
end

function put (file, bytes)
f = fopen (file, 'w');
fwrite (f, bytes);
fclose (f);
end

function said = refused (id, f)
try
  f ();
catch err
  assert (err.identifier, id);
  said = err.message;
  return
end
error ('not refused: %s', id);
end

function folder = new_folder ()
folder = tempname ();
mkdir (folder);
end

function forget (folder)
confirm_recursive_rmdir (false, 'local');
rmdir (folder, 's');
end

function names = files_in (folder)
names = setdiff (readdir (folder), {'.', '..'})';
end

function file = sample ()
file = fullfile (fileparts (mfilename ('fullpath')), 'graph.h5');
end

function stored ()
% A file that an earlier knng wrote is read, whatever this one was built with.
[idx, dist, about] = knng.loadgraph (sample ());
assert (idx, [2 3; 1 3; 1 2; 3 2]);
assert (dist, [1 2; 1 sqrt(5); 2 sqrt(5); sqrt(34) sqrt(41)]);
assert (about, struct ('n', 4, 'k', 2, 'class', 'double', 'metric', 'euclidean'));
assert (knng.checksum (sample ()), knng.checksum (idx, dist));
assert (knng.verify ([0 0; 1 0; 0 2; 5 5], 'euclidean', sample ()));
assert (knng.verify ([0 0; 1 0; 0 2; 5 5], sample ()));
end

function as_the_tables ()
% Every metric, class and k.
warning ('off', 'knng:data:nonFinite', 'local');
warning ('off', 'knng:data:constant', 'local');
warning ('off', 'knng:args:kClipped', 'local');
folder = new_folder ();
gone = onCleanup (@() forget (folder));
file = fullfile (folder, 'graph.h5');
for metric = metric_names ()
  for type = {'double', 'single'}
    for k = [1 7 400]
      X = feval (type{1}, rows_of (130, 9));
      [idx, dist, info] = knngraph (X, k, metric{1});
      told = knngraph (X, k, metric{1}, 'Output', file);
      assert (fieldnames (told), fieldnames (info));
      assert ([told.points, told.nonfinite, told.constant], [info.points, info.nonfinite, info.constant]);
      assert (told.memory.peak <= told.memory.planned);
      [i, d, about] = knng.loadgraph (file);
      assert (isequal (i, idx) && isequaln (d, dist) && isa (d, type{1}) && isa (i, 'double'));
      assert (about, struct ('n', 130, 'k', size (idx, 2), 'class', type{1}, 'metric', knng.internal.search ('metric', metric{1})));
      assert (knng.checksum (file), knng.checksum (idx, dist));
    end
  end
end
knngraph (5, 3, 'Output', file);                             # a row alone
[i, d] = knng.loadgraph (file);
assert (size (i), [1 0]);
assert (size (d), [1 0]);
assert (knng.checksum (file), knng.checksum (zeros (1, 0), zeros (1, 0)));
end

function same_bytes ()
warning ('off', 'knng:data:nonFinite', 'local');
warning ('off', 'knng:data:constant', 'local');
folder = new_folder ();
gone = onCleanup (@() forget (folder));
at = @(name) fullfile (folder, name);
X = rows_of (2500, 20);
knngraph (X, 6, 'cosine', 'Output', at ('one.h5'));
wanted = content (at ('one.h5'));
assert (numel (wanted), 4096 + 12 * 2500 * 6);
f = fopen (at ('rows.npy'), 'w');
head = '{''descr'': ''<f8'', ''fortran_order'': False, ''shape'': (2500, 20), }';
fwrite (f, [147, double('NUMPY'), 1, 0]);
fwrite (f, numel (head), 'uint16', 'ieee-le');
fwrite (f, head);
fwrite (f, X', 'double', 'ieee-le');
fclose (f);
most = 1;
for points = {X, at('rows.npy')}
  for options = {{'Threads', 1}, {'Threads', 3}, {'MaxMemory', 3e6}, {'MaxMemory', 1.8e6}, {'TileSize', 16}, ...
                 {'Checkpoint', at('kept')}, {'Checkpoint', at('kept')}}
    info = knngraph (points{1}, 6, 'Distance', 'cosine', options{1}{:}, 'Output', at ('other.mat'));
    assert (content (at ('other.mat')), wanted);
    most = max (most, info.blocks);
    delete (at ('other.mat'));
  end
end
assert (most > 4);
assert (info.resumed, 1);
assert (files_in (folder), {'kept', 'one.h5', 'rows.npy'});
refused ('knng:args:file', @() knngraph (at ('rows.npy'), 6, 'Output', at ('rows.npy.h5'), 'Output', link_to (at ('rows.npy'), at ('x.h5'))));
end

function name = link_to (file, name)
symlink (file, name);
end

function loads ()
% Octave's own load.
folder = new_folder ();
gone = onCleanup (@() forget (folder));
X = rows_of (60, 4)(7:50, :);
for type = {'double', 'single'}
  for ending = {'.h5', '.HDF5', '.mat'}
    file = fullfile (folder, ['graph' ending{1}]);
    [idx, dist] = knngraph (feval (type{1}, X), 5);
    knngraph (feval (type{1}, X), 5, 'Output', file);
    s = load (file);
    assert (sort (fieldnames (s)), {'dist'; 'idx'});
    assert (s.idx, int32 (idx));
    assert (s.dist, double (dist));
  end
end
end

function some_rows ()
% Any rows in any order, of a file larger than what is read together.
folder = new_folder ();
gone = onCleanup (@() forget (folder));
file = fullfile (folder, 'graph.h5');
X = mod ((1:70000)' * 0.618, 1);
[idx, dist] = knngraph (X, 3);
knngraph (X, 3, 'Output', file);
for rows = {1:70000, 70000:-1:1, [1 70000 1], 32768:32769, 1:1500:70000, 5, zeros(1, 0), uint32([7; 7]), (1:70000)'}
  [i, d] = knng.loadgraph (file, rows{1});
  assert (isequal (i, idx(rows{1}, :)) && isequal (d, dist(rows{1}, :)));
end
end

function verifies ()
folder = new_folder ();
gone = onCleanup (@() forget (folder));
file = fullfile (folder, 'graph.h5');
X = rows_of (60, 4)(7:50, :);
n = size (X, 1);
for type = {'double', 'single'}
  Y = feval (type{1}, X);
  [idx, dist] = knngraph (Y, 5, 'cityblock');
  knngraph (Y, 5, 'cityblock', 'Output', file);
  [ok, report] = knng.verify (Y, 'cityblock', file, 'Sample', Inf, 'Threads', 2);
  assert (ok && report.checked == n && isempty (report.malformed));
  bytes = content (file);
  bytes(4096 + 4 * (9 * 1 + n * 2) + 1) = mod (idx(10, 3), n) + 1;       # another row, in idx(10, 3), and 17, 4
  bytes(4096 + 4 * (16 + n * 3) + 1) = 0;
  put (file, bytes);
  [i, d] = knng.loadgraph (file);
  assert (find (any (i ~= idx, 2))', [10 17]);
  for where = {{file}, {i, d}}
    [ok, r] = knng.verify (Y, 'cityblock', where{1}{:}, 'Sample', Inf);
    assert (~ok && isequal (r.rows, [10; 17]));
    reports{numel (where{1})} = rmfield (r, 'seconds');
  end
  assert (isequaln (reports{:}));
  assert (evalc ('knng.verify (Y, ''cityblock'', file)')(1:5), sprintf ('%d of', n)(1:5));
end
refused ('knng:args:idx', @() knng.verify (X(2:end, :), 'cityblock', file));
refused ('knng:args:option', @() knng.verify (X, 'cityblock', file, 'Sample', 0));
refused ('knng:io:open', @() knng.verify (X, 'cityblock', '/nonexistent/graph.h5'));
refused ('knng:args:idx', @() knng.verify (X, 'cityblock', file, 'Queries', X(1:3, :)));
end

function one_result ()
% Only info, and that only where it is asked for.
folder = new_folder ();
gone = onCleanup (@() forget (folder));
file = fullfile (folder, 'graph.h5');
assert (evalc ('knngraph ((1:9)'', 2, ''Output'', file);'), '');
assert (evalc ('knngraph ((1:9)'', 2, ''Output'', file)'), '');
info = knngraph ((1:9)', 2, 'cityb', 'outp', file);
assert (isstruct (info) && info.points == 9);
said = refused ('knng:args:count', @() two_results ((1:9)', 2, 'Output', file));
assert (~isempty (strfind (said, '[idx, dist] = knng.loadgraph (file)')));
assert (knng.loadgraph (file), knng.internal.tables ({knngraph((1:9)', 2)}));
end

function two_results (varargin)
[~, ~] = knngraph (varargin{:});
end

function wrong_arguments ()
folder = new_folder ();
gone = onCleanup (@() forget (folder));
X = (1:9)';
for name = {'graph.txt', 'graph.h5.gz', 'h5', 'graph'}
  said = refused ('knng:args:format', @() knngraph (X, 2, 'Output', fullfile (folder, name{1})));
  assert (~isempty (strfind (said, 'give the file the ending .h5, .hdf5 or .mat')));
end
said = refused ('knng:args:format', @() knng.write (fullfile (folder, 'graph.h5'), knngraph (X, 2)));
assert (~isempty (strfind (said, '''Output''')), said);
refused ('knng:args:option', @() knngraph (X, 2, 'Output', ''));
refused ('knng:args:option', @() knngraph (X, 2, 'Output', 5));
refused ('knng:args:unknownOption', @() knng.knnsearch (X, X, 'Output', 'a.h5'));
for other = {fullfile(folder, 'a.h5'), fullfile(folder, '.', 'a.h5'), [fullfile(folder, 'a.h5') filesep()]}
  for f = {@knngraph, @(x, varargin) knng.estimate (9, 1, varargin{:}, 'Calibrate', false)}
    said = refused ('knng:args:file', @() f{1} (X, 2, 'Output', fullfile (folder, 'a.h5'), 'Checkpoint', other{1}));
    assert (~isempty (strfind (said, 'the folder of ''Checkpoint''')));
  end
end
refused ('knng:io:open', @() knngraph (X, 2, 'Output', fullfile (folder, 'none', 'a.h5')));
refused ('knng:args:k', @() knngraph (X, 0, 'Output', fullfile (folder, 'a.h5')));
refused ('knng:args:maxMemory', @() knngraph (X, 2, 'Output', fullfile (folder, 'a.h5'), 'MaxMemory', 100));
refused ('knng:args:option', @() knng.estimate (50, 5, 2, 'Output', fullfile (folder, 'a.h5'), 'Queries', 3));
assert (files_in (folder), cell (1, 0));
end

function arguments_of_reading ()
refused ('knng:args:count', @() knng.loadgraph ());
refused ('knng:args:file', @() knng.loadgraph ({}));
refused ('knng:args:file', @() knng.checksum (['ab'; 'cd']));
said = refused ('knng:args:rows', @() knng.loadgraph (sample (), [1 5]));
assert (~isempty (strfind (said, 'rows(2) is 5: rows are whole numbers from 1 to 4')));
for rows = {0, -1, 1.5, NaN, Inf, 'a', {1}, @sin, true, ones(2), 1i, 2 ^ 60}
  refused ('knng:args:rows', @() knng.loadgraph (sample (), rows{1}));
end
refused ('knng:io:open', @() knng.loadgraph ('/none/of/this.h5'));
refused ('knng:io:open', @() knng.loadgraph (tempdir ()));
refused ('knng:io:open', @() knng.checksum ('/dev/null'));
refused ('knng:args:unknownOption', @() knng.checksum (sample (), 'K', 1));
end

function damaged ()
% None is believed, and none does harm: tests/unit/test_graph_file.c tries every byte.
file = [tempname() '.h5'];
gone = onCleanup (@() unlink (file));
good = content (sample ());
put (file, good(1:end - 1));
said = refused ('knng:io:truncated', @() knng.loadgraph (file));
assert (~isempty (strfind (said, '4 rows with 2 neighbours each, which take 4192 bytes, and has 4191')));
put (file, [good; 0]);
refused ('knng:io:format', @() knng.checksum (file));
put (file, good(1:200));
refused ('knng:io:format', @() knng.verify ((1:4)', 'euclidean', file));
for i = [1 125 130 300 520 4000]
  bytes = good;
  bytes(i) = bitxor (bytes(i), 1);
  put (file, bytes);
  refused ('knng:io:format', @() knng.loadgraph (file));
end
bytes = good;
bytes(4097) = 200;
put (file, bytes);
for f = {@() knng.loadgraph(file), @() knng.loadgraph(file, 1), @() knng.checksum(file), @() knng.verify((1:4)', 'euclidean', file)}
  said = refused ('knng:io:format', f{1});
  assert (~isempty (strfind (said, 'is damaged: neighbour 1 of row 1 is row 200 of 4')));
end
assert (knng.loadgraph (file, 2), [1 3]);
end

function failures ()
% Whatever call fails, nothing is left behind, and the file that is there stays what it is.
folder = new_folder ();
gone = onCleanup (@() forget (folder));
restore = onCleanup (@() knng.internal.search ('fail', 0));
file = fullfile (folder, 'graph.h5');
put (file, 'before');
before = knng.internal.search ('fail', 0);
failed = 0;
for n = 1:200
  knng.internal.search ('fail', n);
  try
    knngraph ((1:300)' .^ 2, 3, 'Threads', 1, 'Output', file);
    done = true;
  catch err
    assert (strncmp (err.identifier, 'knng:', 5));
    failed = failed + 1;
    done = false;
  end
  [~, live] = knng.internal.search ('fail', 0);
  assert (files_in (folder), {'graph.h5'});
  assert (done == (numel (content (file)) > 6) || ~done);
  if (done)
    put (file, 'before');
  end
  assert (live, 0);
end
assert (failed > 20);
end

function estimates ()
folder = new_folder ();
gone = onCleanup (@() forget (folder));
file = fullfile (folder, 'graph.h5');
X = rows_of (60, 4)(7:50, :);
never = {'Device', 'cpu', 'Calibrate', false};
e = knng.estimate (44, 4, 5, never{:}, 'Output', file);
assert (e.fits && e.memory.result == 0 && e.memory.input == 44 * 4 * 8 && ~exist (file, 'file'));
info = knngraph (X, 5, 'Device', 'cpu', 'Output', file);
assert (e.memory.planned, info.memory.planned);
assert (e.disk, dir (file).bytes);
plain = knng.estimate (44, 4, 5, never{:});
assert (e.memory.planned - plain.memory.planned, 44 * (12 * 5 + 1) + 44 * (4 + 8 * 5) + 50000);
e = knng.estimate (5e8, 10, 100, never{:}, 'MaxMemory', 1e14, 'Output', file);
assert (e.disk, 4096 + 12 * 5e10);
end

function lists_on_disk ()
% Neighbours that memory has no room for are on the disk, are counted, and leave nothing; the graph has the same bytes.
folder = new_folder ();
gone = onCleanup (@() forget (folder));
X = mod ((1:5000)' * (1:3) * 0.618, 1);
k = 100;
lists = 5000 * (12 * k + 1);
files = {fullfile(folder, 'whole.h5'), fullfile(folder, 'some.h5')};
options = {'Device', 'cpu', 'Threads', 1};
knngraph (X, k, options{:}, 'Output', files{1});
least = 0;
for limit = [5.5e6, 4.5e6]
  e = knng.estimate (5000, 3, k, options{:}, 'Calibrate', false, 'MaxMemory', limit, 'Output', files{2});
  assert (e.fits && e.memory.planned <= limit && limit < lists && e.blocks > 1);
  assert (e.disk, 4096 + 12 * 5000 * k + lists);
  assert (least == 0 || e.memory.least == least);
  least = e.memory.least;
  info = knngraph (X, k, options{:}, 'MaxMemory', limit, 'Output', files{2});
  assert (info.memory.planned, e.memory.planned);
  assert (info.memory.peak <= info.memory.planned && info.blocks == e.blocks);
  assert (isequal (content (files{2}), content (files{1})));
  assert (files_in (folder), {'some.h5', 'whole.h5'});
end
assert (least < 4.5e6);
knngraph (X, k, options{:}, 'MaxMemory', least, 'Output', files{2});
assert (isequal (content (files{2}), content (files{1})));
refused ('knng:args:maxMemory', @() knngraph (X, k, options{:}, 'MaxMemory', least - 1, 'Output', files{2}));
refused ('knng:args:maxMemory', @() knngraph (X, k, options{:}, 'MaxMemory', 4.5e6));
% Those of several processes, each of which has a file.
e = knng.estimate (40000, 3, k, options{:}, 'Calibrate', false, 'Ranks', 2, 'MaxMemory', 2e7, 'Output', files{2});
assert (e.fits && e.memory.planned <= 2e7 && e.memory.least < 2e7);
assert (e.disk, 4096 + 12 * 40000 * k + 40000 * (12 * k + 1));
% Every call of the system that can fail, some of those of the file of neighbours among them.
failed = 0;
some = X(1:2000, :);
k = 20;                                                      % in as many blocks, and a third of the time, of 100
e = knng.estimate (2000, 3, k, options{:}, 'Calibrate', false, 'Output', files{2});
e = knng.estimate (2000, 3, k, options{:}, 'Calibrate', false, 'Output', files{2}, 'MaxMemory', e.memory.least);
assert (e.disk > 4096 + 12 * 2000 * k && e.blocks > 4);
for n = [1:100, 110:11:1500]
  delete (files{2});
  knng.internal.search ('fail', n);
  try
    knngraph (some, k, options{:}, 'MaxMemory', e.memory.least, 'Output', files{2});
    missing = {};
  catch err
    assert (strncmp (err.identifier, 'knng:', 5));
    failed = failed + ~isempty (strfind (err.message, 'the neighbours found so far'));
    missing = {'some.h5'};
  end
  [~, live] = knng.internal.search ('fail', 0);
  assert (files_in (folder), setdiff ({'some.h5', 'whole.h5'}, missing));
  assert (live, 0);
  if (~isempty (missing))
    put (files{2}, 'x');
  end
end
assert (failed > 3);
end

function program ()
% The program writes the bytes that knngraph writes, and the checksum is that of the file.
program = fullfile (fileparts (which ('knngraph')), 'build', 'knng');
if (~exist (program, 'file'))
  return
end
folder = new_folder ();
gone = onCleanup (@() forget (folder));
data = fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz');
ds = knng.read (data);
knngraph (ds.X, 4, 'pearson', 'Output', fullfile (folder, 'a.h5'));
for options = {'', '-t 1', '-M 4e6', '-M 2.5e6', ['-C ' fullfile(folder, 'kept')]}
  [status, text] = system (sprintf ('"%s" -q -c -k 4 -m pearson %s -o "%s" "%s" 2>&1', program, options{1}, fullfile (folder, 'b.mat'), data));
  assert (status, 0);
  assert (strtrim (text), knng.checksum (fullfile (folder, 'a.h5')));
  assert (content (fullfile (folder, 'b.mat')), content (fullfile (folder, 'a.h5')));
  delete (fullfile (folder, 'b.mat'));
end
[status, text] = system (sprintf ('"%s" -k 4 --plan -o "%s" "%s" 2>&1', program, fullfile (folder, 'b.mat'), data));
assert (status == 0 && ~isempty (strfind (text, 'disk for the graph: 0.000151 GB')) && isempty (strfind (text, 'GB for the graph')));
[status, text] = system (sprintf ('"%s" -q -k 4 -f knn -o "%s" "%s" 2>&1', program, fullfile (folder, 'b.h5'), data));
assert (status == 0 && strncmp (char (content (fullfile (folder, 'b.h5'))'), '3051 12204', 10));
[status, text] = system (sprintf ('"%s" -k 4 -o "%s" "%s" 2>&1', program, fullfile (folder, 'none', 'b.h5'), data));
assert (status == 1 && strncmp (text, 'knng:io:open: ', 14));
assert (files_in (folder), {'a.h5', 'b.h5', 'kept'});
end

function without ()
% Without HDF5 the option is refused before the search, and says what to install; all else works.
file = [tempname() '.h5'];
said = refused ('knng:io:noHDF', @() knngraph ((1:9)', 2, 'Output', file));
assert (~isempty (strfind (said, 'libhdf5-dev')) && ~exist (file, 'file'));
refused ('knng:io:noHDF', @() knng.estimate (50, 5, 2, 'Output', file));
program = fullfile (fileparts (which ('knngraph')), 'build', 'knng');
if (exist (program, 'file'))
  [status, text] = system (sprintf ('"%s" -o "%s" nothing.csv 2>&1', program, file));
  assert (status == 2 && strncmp (text, 'knng:io:noHDF: ', 16));
end
end
