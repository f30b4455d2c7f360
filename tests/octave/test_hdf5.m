function nfail = test_hdf5 ()
%TEST_HDF5  Graphs of files of HDF5 are those of the matrices that Octave has saved in them, whole and in blocks.
%   tests/unit/test_hdf5.c has every type, storage and error, and files as MATLAB and others write them.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@as_the_matrix, @classes, @turned, @behind_a_block, @what_there_is, @cells, @wrong_arguments, @others};
if (~is_built ())
  printf ('knng is built without HDF5: only what is said then is tested\n');
  checks = {@without, @wrong_arguments, @others};
end
nfail = run_checks (checks);
end

function yes = is_built ()
file = saved ('.h5', eye (3));
yes = true;
try
  knng.read (file);
catch err
  yes = ~strcmp (err.identifier, 'knng:io:noHDF');
end
delete (file);
end

function without ()
file = saved ('.h5', eye (3));
unwind_protect
  for f = {@() knngraph(file, 1), @() knng.read(file), @() knng.estimate(file, 1)}
    said = refused ('knng:io:noHDF', f{1});
    assert (~isempty (strfind (said, 'libhdf5-dev')));
  end
unwind_protect_cleanup
  delete (file);
end_unwind_protect
end

% The name of a new file that has X, and where asked for Y, as Octave saves them.
function file = saved (ending, X, Y, how) %#ok<INUSL>
file = [tempname(), ending];
if (nargin < 4)
  how = {};
end
if (nargin < 3)
  save ('-hdf5', how{:}, file, 'X');
else
  save ('-hdf5', how{:}, file, 'X', 'Y');
end
end

function X = read_X (varargin)
ds = knng.read (varargin{:});
X = ds.X;
end

function X = rows_of (n, d)
X = sin ((1:n)' * (1:d) .^ 2 * 0.618);
end

function as_the_matrix ()
% All metrics, in one piece and in packed chunks, double and single, whole and in blocks, and from a checkpoint.
X = rows_of (1500, 60);
X(7, 3) = NaN;
warning ('off', 'knng:data:nonFinite', 'local');
for how = {{}, {'-zip'}}
  for Y = {X, single(X)}
    file = saved ('.h5', 1, Y{1}, how{1});
    folder = tempname ();
    unwind_protect
      for metric = metric_names ()
        [idx, dist] = knngraph (Y{1}, 9, metric{1});
        [i, d, info] = knngraph (file, 9, metric{1});
        assert (isequal (i, idx) && isequaln (d, dist) && strcmp (class (d), class (dist)) && info.blocks == 1);
        most = 0.9 * info.memory.planned;
        [i, d, info] = knngraph (file, 9, metric{1}, 'MaxMemory', most, 'Dataset', '/Y');
        assert (isequal (i, idx) && isequaln (d, dist) && info.blocks > 2);
        assert (info.memory.peak <= info.memory.planned && info.memory.planned <= most);
      end
      assert (knng.verify (file, metric{1}, i, d, 'Sample', 50, 'Dataset', 'Y'));
      for again = 1:2
        [i, d, info] = knngraph (file, 9, metric{1}, 'Checkpoint', folder);
        assert (isequal (i, idx) && isequaln (d, dist) && info.resumed == again - 1);
      end
      ds = knng.read (file);
      assert (isequaln (ds.X, Y{1}) && strcmp (class (ds.X), class (Y{1})) && strcmp (ds.meta.format, 'hdf5'));
      whole = knng.estimate (file, 9, 'Calibrate', false);
      assert (whole.fits && whole.memory.input == 0);
    unwind_protect_cleanup
      delete (file);
      delete (fullfile (folder, '*'));
      rmdir (folder);
    end_unwind_protect
  end
end
end

function classes ()
% Every class that Octave saves as a full matrix of numbers; three dimensions; packed or not.
becomes = struct ('int8', 'single', 'uint8', 'single', 'int16', 'single', 'uint16', 'single', 'int32', 'double', 'uint32', 'double', ...
                  'int64', 'double', 'uint64', 'double', 'single', 'single', 'double', 'double');
for class_of = fieldnames (becomes)'
  for how = {{}, {'-zip'}}
    X = cast (100 * rows_of (90, 6), class_of{1});
    file = saved ('.hdf5', X, 7, how{1});
    unwind_protect
      ds = knng.read (file);
      assert (isequal (ds.X, cast (X, becomes.(class_of{1}))) && strcmp (class (ds.X), becomes.(class_of{1})));
      [idx, dist] = knngraph (ds.X, 4);
      [i, d] = knngraph (file, 4, 'Dataset', 'X');
      assert (isequal (i, idx) && isequal (d, dist));
      X = reshape (X, 30, 3, 6);
      save ('-hdf5', how{1}{:}, file, 'X');
      assert (read_X (file, 'Transposed', true), cast (X(:, :), becomes.(class_of{1})));
      assert (read_X (file, 'Transposed', false), cast (reshape (X, 90, 6)', becomes.(class_of{1})));
      said = refused ('knng:args:dims', @() knng.read (file));
      assert (~isempty (strfind (said, ['X has 3 dimensions (30 x 3 x 6), and a matrix whose rows are points has two: ' ...
                                        'with ''Transposed'', false each of its 6 slices along the last index is a row, ' ...
                                        'of 90 numbers; with ''Transposed'', true each of the 30 along the first, of 18'])));
      refused ('knng:args:dims', @() knngraph (file, 4));
      refused ('knng:args:dims', @() knng.estimate (file, 4));
      [i, d] = knngraph (file, 2, 'Transposed', false);
      [idx, dist] = knngraph (cast (reshape (X, 90, 6)', becomes.(class_of{1})), 2);
      assert (isequal (i, idx) && isequal (d, dist));
    unwind_protect_cleanup
      delete (file);
    end_unwind_protect
  end
end
end

function turned ()
% 'Transposed' says otherwise than the file.
X = rows_of (40, 7);
file = saved ('.h5', X);
unwind_protect
  assert (read_X (file, 'Transposed', true), X);
  assert (read_X (file, 'Transposed', false, 'Dataset', ''), X');
  assert (read_X (file, 'trans', [], 'data', 'X'), X);
  assert (knngraph (file, 3, 'Transposed', false), knngraph (X', 3));
  e = knng.estimate (file, 3, 'Calibrate', false, 'Transposed', 0);
  assert (e.memory.result, 7 * 3 * 16);
unwind_protect_cleanup
  delete (file);
end_unwind_protect
end

function behind_a_block ()
% As in a MAT-file of version 7.3 the file begins after 512 bytes of another kind.
X = rows_of (50, 8);
for how = {{}, {'-zip'}}
  file = saved ('.mat', X, single (X), how{1});
  unwind_protect
    f = fopen (file);
    bytes = fread (f, Inf, '*uint8');
    fclose (f);
    f = fopen (file, 'w');
    fwrite (f, [double('MATLAB 7.3 MAT-file'), 32 * ones(1, 512 - 19)]);
    fwrite (f, bytes);
    fclose (f);
    assert (read_X (file, 'Dataset', 'X'), X);
    assert (read_X (file, 'Dataset', 'Y'), single (X));
  unwind_protect_cleanup
    delete (file);
  end_unwind_protect
end
end

function what_there_is ()
% Variables that are no matrices of numbers; names; several.
X = rows_of (10, 3);
s.text = 'abc';
s.truth = X > 0;
s.sparse = sparse (X);
s.complex = X + i;
s.cell = {X};
s.struct = struct ('X', X);
s.range = 1:5;
s.empty = zeros (0, 3);
s.images = X;
file = [tempname(), '.h5'];
unwind_protect
  save ('-hdf5', file, '-struct', 's');
  assert (read_X (file), X);
  for name = fieldnames (rmfield (s, 'images'))'
    said = refused ('knng:io:format', @() knngraph (file, 2, 'Dataset', name{1}));
    assert (~isempty (strfind (said, [file, ': ', name{1}, ' is '])), '%s: %s', name{1}, said);
  end
  said = refused ('knng:io:format', @() knngraph (file, 2, 'Dataset', 'image'));
  assert (~isempty (strfind (said, ' has no dataset ''image'' (did you mean ''/images''?); it holds /images (10 x 3): name one')));
  s.more = X(1:4, :);
  save ('-hdf5', file, '-struct', 's');
  for f = {@() knngraph(file, 2), @() knng.read(file), @() knng.estimate(file, 2)}
    said = refused ('knng:io:format', f{1});
    assert (~isempty (strfind (said, ' holds several datasets; it holds /images (10 x 3), /more (4 x 3): name one, as in ''Dataset'', ''/images''')));
  end
unwind_protect_cleanup
  delete (file);
end_unwind_protect
end

function cells ()
% A data set of AnnData, as h5py writes it: genes in rows; and a matrix in it, whose rows are cells. 'Transposed' is of a
% matrix alone.
file = fullfile (fileparts (mfilename ('fullpath')), 'cells.h5ad');
ds = knng.read (file);
assert (ds.X, [1 0 0 4; 0 3 0 0; 2 0 0 5]);
assert (ds.names, {'ENSG1'; 'ENSG2'; 'ENSG3'});
assert (ds.samples, {'c1', 'c2', 'c3', 'c4'});
assert (ds.symbols, {'CD3D'; 'LYZ'; 'NKG7'});
assert (ds.annotation, struct ('gene_symbol', {ds.symbols}));
assert (ds.meta, struct ('format', 'h5ad', 'kind', {{'B', 'T', '', 'T'}}, 'n_counts', {{'3', '3', '0', '9.5'}}));
X = [0 0; 1 0; 0 3; 9 9];
ds = knng.read (file, 'Dataset', '/obsm/X_pca');
assert (ds.X, X);
assert (ds.names, {'c1'; 'c2'; 'c3'; 'c4'});
ds = knng.read (file, 'Dataset', '/obsm/X_pca', 'Transposed', true);
assert (ds.X, X');
assert (isempty (ds.names));
[idx, dist] = knngraph (file, 2, 'Dataset', '/obsm/X_pca');
[i, d] = knngraph (X, 2);
assert (isequal (idx, i) && isequal (dist, d));
for f = {@() knngraph(file, 2), @() knng.read(file, 'Transposed', true), @() knng.estimate(file, 2)}
  said = refused ('knng:io:format', f{1});
  assert (~isempty (strfind (said, 'is a data set of AnnData: name the matrix whose rows are meant')));
end
refused ('knng:args:option', @() knng.read (file, 'HeaderLines', 1));
end

function wrong_arguments ()
% The options are for files of HDF5, and have to make sense.
X = rows_of (10, 3);
text = [tempname(), '.csv'];
unwind_protect
  knng.write (text, struct ('X', X, 'names', {{}}, 'samples', {{}}, 'classes', [], 'meta', struct ()));
  for given = {X, text, '/none/of/this.npy'}
    for options = {{'Dataset', 'X'}, {'Transposed', false}, {'dat', 'X', 'tra', true}}
      said = refused ('knng:args:option', @() knngraph (given{1}, 2, options{1}{:}));
      assert (~isempty (regexp (said, '''(Dataset|Transposed)'' is for files of HDF5 and archives of NumPy \(\.npz\)')));
      refused ('knng:args:option', @() knng.verify (given{1}, 'euclidean', knngraph (X, 2), options{1}{:}));
      if (ischar (given{1}))
        refused ('knng:args:option', @() knng.read (given{1}, options{1}{:}));
      end
    end
  end
  refused ('knng:args:option', @() knng.estimate (10, 3, 2, 'Dataset', 'X'));
  refused ('knng:args:option', @() knng.read (text, 'Transposed', 'yes'));
  refused ('knng:args:unknownOption', @() knng.read (text, 'Class', 'single'));
  refused ('knng:args:option', @() knng.knnsearch (X, X, 'Dataset', 'X'));
  refused ('knng:args:unknownOption', @() knng.rangesearch (X, X, 1, 'Dataset', 'X'));
  assert (read_X (text, 'Dataset', '', 'Transposed', []), X);
unwind_protect_cleanup
  delete (text);
end_unwind_protect
end

function others ()
% Octave saves other formats under these endings too.
X = rows_of (10, 3); %#ok<NASGU>
file = [tempname(), '.mat'];
unwind_protect
  for how = {'-v4', '-v6', '-v7', '-text', '-binary'}
    save (how{1}, file, 'X');
    said = refused ('knng:io:format', @() knngraph (file, 2));
    assert (~isempty (strfind (said, '''-hdf5''')), '%s: %s', how{1}, said);
  end
unwind_protect_cleanup
  delete (file);
end_unwind_protect
refused ('knng:io:open', @() knngraph ('/none/of/this.h5', 2));
% HDF5 is known whatever it ends in.
X = rows_of (10, 3);
for ending = {'.oct', '.hdf', ''}
  file = [tempname(), ending{1}];
  unwind_protect
    save ('-hdf5', file, 'X');
    assert (knngraph (file, 2), knngraph (X, 2));
    assert (read_X (file), X);
  unwind_protect_cleanup
    delete (file);
  end_unwind_protect
end
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
