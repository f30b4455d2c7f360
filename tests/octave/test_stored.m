function nfail = test_stored ()
%TEST_STORED  Graphs of files of numbers: whole in memory and in blocks under 'MaxMemory' they are those of the matrix, and
%   knng.read gives the matrix. tests/unit/test_matrix_file.c has every type and error of the formats.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@as_the_matrix, @reads, @types, @warned_once, @arguments, @verify_arguments, @names_elsewhere, @too_little, @changed, @estimates};
nfail = run_checks (checks);
end

function X = rows_of (kind, n, d)
switch (kind)
  case 'normal'
    X = sin ((1:n)' * (1:d) .^ 2 * 0.618);
  case 'digits'
    X = mod (floor ((1:n)' * (1:d) * 7.31), 4);
  case 'equal'
    X = repmat (mod ((1:ceil (n / 7))' * (1:d) * 0.618, 1), 7, 1)(1:n, :);
  case 'broken'
    X = mod ((1:n)' * (1:d) * 0.618, 1);
    X(3:50:end, 2) = NaN;
    X(4:60:end, :) = 1;
  case 'single'
    X = single (mod ((1:n)' * (1:d) * 0.618, 1));
end
end

function as_the_matrix ()
% Every metric, every kind of data.
warning ('off', 'knng:data:nonFinite', 'local');
warning ('off', 'knng:data:constant', 'local');
file = [tempname(), '.npy'];
unwind_protect
  for kind = {'normal', 'digits', 'equal', 'broken', 'single'}
    X = rows_of (kind{1}, 2000, 60);
    write_npy (file, X);
    for metric = metric_names ()
      for k = [1 9 30]
        if (k == 30 && ~strcmp (metric{1}, 'euclidean'))
          continue
        end
        [idx, dist] = knngraph (X, k, metric{1});
        [i, d, info] = knngraph (file, k, metric{1});
        assert (i, idx);
        assert (isequaln (d, dist) && strcmp (class (d), class (dist)) && info.blocks == 1);
        most = 0.6 * info.memory.planned;
        [i, d, info] = knngraph (file, k, metric{1}, 'MaxMemory', most);
        assert (i, idx);
        assert (isequaln (d, dist) && strcmp (class (d), class (dist)) && info.blocks > 2);
        if (k == 9)
          assert (knng.verify (file, metric{1}, i, d, 'Sample', 50));
        end
        assert (info.memory.peak <= info.memory.planned && info.memory.planned <= most);
        assert (sum (cell2mat (struct2cell (info.certified))), sum (idx(:, 1) > 0));
      end
    end
    assert (knngraph (file, 5, 'Threads', 1), knngraph (X, 5));
  end
unwind_protect_cleanup
  delete (file);
end_unwind_protect
end

function reads ()
% What knng.read makes of each format.
warning ('off', 'knng:data:constant', 'local');
X = 10 * rows_of ('normal', 70, 6);
files = {'.npy', X; '.NPY', single(X); '.npz', X; '.fbin', single(X); '.fvecs', single(X); '.u8bin', single(uint8 (X)); ...
         '.i8bin', single(int8 (X)); '.bvecs', single(uint8 (X)); '.ivecs', double(int32 (X))};
for f = files'
  [ending, Y] = f{:};
  file = [tempname(), ending];
  unwind_protect
    write_numbers (file, Y);
    ds = knng.read (file);
    assert (ds.X, Y);
    assert (class (ds.X), class (Y));
    assert (isempty (ds.names) && isempty (ds.samples) && isempty (ds.classes));
    [idx, dist] = knngraph (file, 4, 'cosine');
    [i, d] = knngraph (Y, 4, 'cosine');
    assert (isequal (idx, i) && isequaln (dist, d));
  unwind_protect_cleanup
    delete (file);
  end_unwind_protect
end
end

function types ()
% Every type of NumPy in either order of bytes; integers that no double is; more behind an array than it says.
file = [tempname(), '.npy'];
codes = {'f4', 'single', 'single'; 'f8', 'double', 'double'; 'u1', 'uint8', 'single'; 'i1', 'int8', 'single'; ...
         'u2', 'uint16', 'single'; 'i2', 'int16', 'single'; 'u4', 'uint32', 'double'; 'i4', 'int32', 'double'; ...
         'u8', 'uint64', 'double'; 'i8', 'int64', 'double'};
X = floor (rows_of ('normal', 60, 5) * 120);
X(7, 3) = 121;
unwind_protect
  for c = codes'
    [code, type, becomes] = c{:};
    Y = feval (becomes, feval (type, X));
    for order = {'<', 'ieee-le'; '>', 'ieee-be'}'
      for fortran = {'False', 'True'}
        Z = Y;
        if (strcmp (fortran{1}, 'False'))
          Z = Y';
        end
        write_array (file, sprintf ('{''descr'': ''%s%s'', ''fortran_order'': %s, ''shape'': (60, 5), }', order{1}, code, fortran{1}), ...
                     Z, type, order{2});
        ds = knng.read (file);
        assert (ds.X, Y);
        assert (class (ds.X), becomes);
        [idx, dist] = knngraph (Y, 3);
        [i, d] = knngraph (file, 3);
        assert (isequal (i, idx) && isequal (d, dist) && strcmp (class (d), class (dist)));
      end
    end
  end

  long = repmat (int64 (2) ^ 53, 4, 3);
  head = '{''descr'': ''>i8'', ''fortran_order'': False, ''shape'': (4, 3), }';
  write_array (file, head, long', 'int64', 'ieee-be');
  ds = knng.read (file);
  assert (ds.X, double (long));
  long(3, 2) = -long(3, 2) - 1;
  write_array (file, head, long', 'int64', 'ieee-be');
  said = refused ('knng:io:format', @() knng.read (file));
  assert (~isempty (strfind (said, 'row 3, column 2 holds -9007199254740993,')));
  assert (refused ('knng:io:format', @() knngraph (file, 1)), said);

  write_npy (file, X);
  f = fopen (file, 'a');
  fwrite (f, zeros (1, 77));
  fclose (f);
  said = refused ('knng:io:format', @() knng.read (file));
  assert (~isempty (strfind (said, ' has 77 bytes more than these: perhaps another array')));
unwind_protect_cleanup
  delete (file);
end_unwind_protect
end

function warned_once ()
% What an earlier file had to say is not said of a file of numbers.
text = [tempname(), '.gct'];
file = [tempname(), '.npy'];
unwind_protect
  f = fopen (text, 'w');
  fprintf (f, '!Series_title\t"T"\n!Sample_title\t"p\n!series_matrix_table_begin\n"ID_REF"\t"A"\t"B"\n"x"\t1\t2\n!series_matrix_table_end\n');
  fclose (f);
  write_npy (file, rows_of ('normal', 40, 3));
  lastwarn ('');
  evalc ('knng.read (text);');
  assert (~isempty (last_warning ()));
  lastwarn ('');
  evalc ('knng.read (file);');
  assert (isempty (last_warning ()));
unwind_protect_cleanup
  delete (text);
  delete (file);
end_unwind_protect
end

function arguments ()
% Wrong arguments have the identifiers that they have with a matrix, and the file its own.
file = [tempname(), '.npy'];
unwind_protect
  write_npy (file, rows_of ('normal', 40, 3));
  refused ('knng:args:k', @() knngraph (file, 0));
  refused ('knng:args:metric', @() knngraph (file, 3, 'manhatten'));
  refused ('knng:args:unknownOption', @() knngraph (file, 3, 'Treads', 2));
  refused ('knng:args:option', @() knngraph (file, 3, 'TileSize', -1));
  refused ('knng:args:maxMemory', @() knngraph (file, 3, 'MaxMemory', 1000));
  refused ('knng:io:open', @() knngraph ('/none/of/this.npy', 3));
  lasterr ('');
  warning ('off', 'knng:args:kClipped', 'local');
  assert (size (nthargout (1:2, @knngraph, file, 99){1}), [40 39]);
  f = fopen (file, 'a');
  fclose (f);
  write_numbers (file, zeros (0, 3));
  refused ('knng:io:format', @() knngraph (file, 3));
  f = fopen (file, 'w');
  fwrite (f, 'no numbers at all');
  fclose (f);
  refused ('knng:io:format', @() knngraph (file, 3));
  refused ('knng:io:format', @() knng.read (file));
unwind_protect_cleanup
  delete (file);
end_unwind_protect
end

function verify_arguments ()
% knng.verify finds what is wrong with its arguments before it reads the file.
none = '/none/of/this.npy';
[idx, dist] = knngraph ((1:5)', 2);
refused ('knng:args:metric', @() knng.verify (none, 'manhatten', idx, dist));
refused ('knng:args:metric', @() knng.verify (none, 3, idx, dist));
refused ('knng:args:dist', @() knng.verify (none, 'euclidean', idx, dist'));
refused ('knng:args:idx', @() knng.verify (none, 'euclidean', {1}, dist));
refused ('knng:args:class', @() knng.verify (none, 'euclidean', idx, dist, 'Queries', 'Y'));
refused ('knng:args:option', @() knng.verify (none, 'euclidean', idx, dist, 'Sample', 0.5));
refused ('knng:args:option', @() knng.verify (none, 'euclidean', idx, dist, 'Seed', -1));
refused ('knng:args:option', @() knng.verify (none, 'euclidean', idx, dist, 'Threads', 0));
refused ('knng:args:unknownOption', @() knng.verify (none, 'euclidean', idx, dist, 'Treads', 1));
refused ('knng:io:open', @() knng.verify (none, 'euclidean', idx, dist));
end

function names_elsewhere ()
% The other functions take no names of files, and say how to have the matrix.
f = 'images.npy';
X = (1:5)';
refused ('knng:io:open', @() knng.knnsearch(f, X));            # which takes them
calls = {@() knng.createns(f), @() knng.knnsearch(X, f), @() knng.knnsearch(X, f, 'K', 2), @() knng.mstknn(f), ...
         @() knng.silhouette(f, [1 2]'), @() knng.dbscan(f, 1, 2), @() knng.hdbscan(f, 2), @() knng.optics(f, 2), @() knng.spectralcluster(f, 2), @() knng.minspantree(f), ...
         @() knng.fitcknn(f, {'a'}), @() knng.cvk(f, [1; 2]), @() knng.duplicates(f), @() knng.metafeatures(f), ...
         @() knng.impute(f), @() knng.filterrows(f, 'LowMean', 5), @() knng.normalize(f, 'log2'), @() knng.collapse(f, [1 2])};
for c = calls
  said = refused ('knng:args:class', c{1});
  assert (~isempty (regexp (said, '[XY] is text: it must be a matrix, .* knng\.read \([XY]\)$')), '%s: %s', func2str (c{1}), said);
end
refused ('knng:args:count', @() knng.knnsearch (X, 'K', 2));
end

function too_little ()
% An allocation of a search that fails names 'MaxMemory', if the search could have been planned with less.
file = [tempname(), '.fbin'];
X = single (rows_of ('normal', 3000, 20));
restore = onCleanup (@() knng.internal.search ('fail', 0));
unwind_protect
  write_numbers (file, X);
  for points = {X, file}
    named = 0;
    for n = 1:4:130
      knng.internal.search ('fail', n);
      try
        [~, ~] = knngraph (points{1}, 3, 'Threads', 1, 'Progress', 'off');  % some it can do without
      catch err
        if (strcmp (err.identifier, 'knng:memory:host'))
          named = named + ~isempty (regexp (err.message, 'or give ''MaxMemory'' less than the [0-9]+ bytes that were planned'));
        end
      end
    end
    assert (named > 3);
  end
unwind_protect_cleanup
  delete (file);
end_unwind_protect
end

function changed ()
% A file that was cut off is refused before any work.
file = [tempname(), '.fvecs'];
unwind_protect
  write_numbers (file, single (rows_of ('normal', 40, 3)));
  f = fopen (file, 'a');
  fwrite (f, 1:3);
  fclose (f);
  refused ('knng:io:truncated', @() knngraph (file, 3));
unwind_protect_cleanup
  delete (file);
end_unwind_protect
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

function estimates ()
% What is said beforehand of a file is what is planned then, and what a checkpoint takes on the disk.
file = [tempname() '.fbin'];
folder = tempname ();
gone = onCleanup (@() remove (file, folder));
write_numbers (file, single (rows_of ('normal', 3000, 40)));
never = {'Device', 'cpu', 'Calibrate', false};
whole = knng.estimate (file, 6, never{:});
assert (whole.fits && whole.blocks == 1 && whole.disk == 0 && whole.memory.input == 0 && isnan (whole.seconds));
some = knng.estimate (file, 6, never{:}, 'MaxMemory', 2e6);
assert (some.fits && some.blocks > 1 && some.memory.planned <= 2e6 && some.memory.least == whole.memory.least);
[~, ~, info] = knngraph (file, 6, 'Device', 'cpu', 'MaxMemory', 2e6);
assert ([info.memory.planned, info.blocks], [some.memory.planned, some.blocks]);
[~, ~, info] = knngraph (file, 6, 'Device', 'cpu', 'MaxMemory', some.memory.least);
assert (info.memory.planned <= some.memory.least);
refused ('knng:args:maxMemory', @() knngraph (file, 6, 'Device', 'cpu', 'MaxMemory', some.memory.least - 1));
none = knng.estimate (file, 6, never{:}, 'MaxMemory', some.memory.least - 1);
assert (~none.fits && ~isempty (strfind (none.problem, sprintf ('%.0f bytes', some.memory.least - 1))));
kept = knng.estimate (file, 6, 'cosine', never{:}, 'Checkpoint', folder);
assert (kept.blocks == 8 && ~exist (folder, 'dir'));
[~, ~, info] = knngraph (file, 6, 'cosine', 'Device', 'cpu', 'Checkpoint', folder);
files = dir (fullfile (folder, '*.knng'));
assert (sum ([files.bytes]), kept.disk);
assert ([info.memory.planned, info.blocks], [kept.memory.planned, 8]);
timed = knng.estimate (file, 6, 'Device', 'cpu');
assert (timed.seconds > 0 && timed.seconds < 60);
refused ('knng:args:option', @() knng.estimate (file, 6, 'Class', 'double'));
refused ('knng:args:option', @() knng.estimate (file, 6, 'Queries', 5));
refused ('knng:io:open', @() knng.estimate ('no such file.npy', 6));
refused ('knng:io:format', @() knng.estimate ('table.csv', 6));
end

function remove (file, folder)
unlink (file);
if (exist (folder, 'dir'))
  delete (fullfile (folder, '*'));
  rmdir (folder);
end
end

function write_npy (file, X)
types = struct ('double', '<f8', 'single', '<f4');
write_array (file, sprintf ('{''descr'': ''%s'', ''fortran_order'': False, ''shape'': (%d, %d), }', types.(class (X)), size (X)), ...
             X', class (X), 'ieee-le');
end

% As numpy.savez does it.
function write_npz (file, X)
write_npy (file, X);
f = fopen (file);
bytes = fread (f, Inf, '*uint8');
fclose (f);
n = numel (bytes);
sum = uint32 (4294967295);
for i = 1:n
  sum = bitxor (sum, uint32 (bytes(i)));
  for b = 1:8
    sum = bitxor (bitshift (sum, -1), uint32 (bitand (sum, 1)) * uint32 (3988292384));
  end
end
head = @(f) {fwrite(f, [20 0 0 0 0], 'uint16', 'ieee-le'), ...
             fwrite(f, [double(bitxor (sum, uint32 (4294967295))), n, n], 'uint32', 'ieee-le'), fwrite(f, [5 0], 'uint16', 'ieee-le')};
f = fopen (file, 'w');
fwrite (f, [double('PK') 3 4]);
head (f);
fwrite (f, 'X.npy');
fwrite (f, bytes);
fwrite (f, [double('PK') 1 2 20 0]);
head (f);
fwrite (f, zeros (1, 14));
fwrite (f, 'X.npy');
fwrite (f, [double('PK') 5 6]);
fwrite (f, [0 0 1 1], 'uint16', 'ieee-le');
fwrite (f, [51, 35 + n], 'uint32', 'ieee-le');
fwrite (f, [0 0]);
fclose (f);
end

function write_array (file, head, numbers, type, order)
f = fopen (file, 'w');
fwrite (f, [147, double('NUMPY'), 1, 0]);
fwrite (f, numel (head), 'uint16', 'ieee-le');
fwrite (f, head);
fwrite (f, numbers, type, order);
fclose (f);
end

function write_numbers (file, X)
[~, ~, ending] = fileparts (file);
types = struct ('fbin', 'single', 'u8bin', 'uint8', 'i8bin', 'int8', 'fvecs', 'single', 'bvecs', 'uint8', 'ivecs', 'int32');
if (strcmpi (ending, '.npy'))
  write_npy (file, X);
  return
end
if (strcmp (ending, '.npz'))
  write_npz (file, X);
  return
end
type = types.(ending(2:end));
f = fopen (file, 'w');
if (any (strfind (ending, 'bin')))
  fwrite (f, size (X), 'uint32');
  fwrite (f, X', type);
else
  for i = 1:size (X, 1)
    fwrite (f, size (X, 2), 'int32');
    fwrite (f, X(i, :), type);
  end
end
fclose (f);
end
