function list = phenotypes (ds, given)
%PHENOTYPES  What is known of the samples of a data set: a struct array, 1-by-p, with the fields name; kinds, a cell of the
%   different labels, {} where the phenotype has values; and of, a row of the values, or of the numbers of labels, 0 for
%   a missing one. Where all labels are missing there are values, all NaN. GIVEN is a struct of fields, or a cell of rows {name, values}. The classes of DS come first;
%   they have the name of the first phenotype that has the same labels, which then does not come again.
%   The struct may be ds.meta of knng.read, known by its field format, the name of one: of its texts come the phenotypes that
%   knng.internal.known_of_samples finds, however many, since titles and much else in it is no phenotype; what no reader makes in it, as
%   a column, must have a value for each sample. It may also be a table of the samples, as knng.read returns it, whose rows have their
%   names, in any order, or the name of a file that has such a table; or, where no file is called so, the name of labels as
%   KNNG.INTERNAL.LABELS_CALLED knows them.

  list = struct ('name', {}, 'kinds', {}, 'of', {});
  if (isstruct (given) && numel (given) == 1 && isfield (ds, 'X') && all (isfield (given, {'X', 'names', 'samples', 'annotation'})))
    given = of_table (given, ds);
  elseif (ischar (given) && size (given, 1) == 1 && ndims (given) == 2 && isfield (ds, 'X'))
    labels = knng.internal.labels_called (ds, given);
    if (isempty (labels) || exist (fullfile ('.', given), 'file') == 2)       % without the dot 'type' would be type.m of the path
      given = knng.internal.sample_file (given, ds);
    else
      given = {given, labels};
    end
  end
  pairs = as_pairs (given);
  if (isstruct (given) && isfield (ds, 'X') && size (ds.X, 2) ~= 1)
    if (is_meta (given))
      pairs = of_meta (given, ds);
    end
  end
  if (isfield (ds, 'X') && isfield (ds, 'samples') && ~(isstruct (given) && is_meta (given)))
    pairs = by_names (pairs, ds.samples, size (ds.X, 2));
  end
  if (~isfield (ds, 'X'))
    if (~isempty (pairs))
      error ('knng:args:option', '''Phenotypes'' are of samples, and there is no data set: give ds, as in knng.explore (file, ds, idx, dist)');
    end
    return
  end
  d = size (ds.X, 2);
  if (~isempty (ds.classes))
    [code, kinds] = knng.internal.label_codes (ds.classes);
    list(1) = struct ('name', 'class', 'kinds', {knng.internal.label_texts(kinds)}, 'of', reshape (code, 1, d));
    list(1).of(list(1).of == 0 & isempty (kinds)) = NaN;
  end
  for i = 1:size (pairs, 1)
    list(end + 1) = one (pairs{i, 1}, pairs{i, 2}, ds); %#ok<AGROW>
  end
  if (~isempty (ds.classes) && ~isempty (list(1).kinds))
    same = find (arrayfun (@(p) isequal (p.kinds, list(1).kinds) && isequal (p.of, list(1).of), list(2:end)), 1);
    if (~isempty (same))
      list = list([1 + same, 2:same, same + 2:end]);
    end
  end
end

function pairs = by_names (pairs, samples, d)
% Where one of them has the names of the samples, in any order, it says which value is whose, and is none itself.
  for i = 1:size (pairs, 1)
    v = pairs{i, 2};
    if (d < 2 || numel (samples) ~= d || ~iscellstr (v) || numel (v) ~= d)
      continue
    end
    [row, lacking, twice] = knng.internal.match_samples (samples, v);
    if (~isempty (lacking) || ~isempty (twice))
      continue
    end
    pairs(i, :) = [];
    for j = 1:size (pairs, 1)
      v = pairs{j, 2};
      if (ischar (v) && size (v, 1) == d && ndims (v) == 2)
        pairs{j, 2} = v(row, :);
      elseif (numel (v) == d)
        pairs{j, 2} = v(row);
      end
    end
    return
  end
end

function yes = is_meta (given)
% Is this ds.meta of knng.read? Its field format is one of those that data sets have.
  yes = isfield (given, 'format') && ischar (given.format) && any (strcmp (given.format, {'nbi', 'abk', 'geo', 'soft', 'gct', 'table', 'cells', 'h5ad'}));
end

function pairs = of_meta (meta, ds)
% What ds.meta says of the samples; with a warning of what is left out of what is no line of a file.
  d = size (ds.X, 2);
  for field = fieldnames (meta)'
    v = meta.(field{1});
    if (strcmp (field{1}, 'format') || (isempty (v) && (isnumeric (v) || iscell (v))))
      continue
    end
    if (ischar (v) && size (v, 1) == d && ndims (v) == 2)
      v = cellstr (v);
    elseif (isa (v, 'string') || isa (v, 'categorical'))
      [of, kinds] = knng.internal.label_codes (v);
      kinds = [{''}; reshape(knng.internal.label_texts (kinds), [], 1)];
      v = reshape (kinds(of + 1), 1, []);
    end
    of_file = iscellstr (v) && (numel (v) ~= d || ~isempty (regexpi (field{1}, '^!?(series|platform|database|dataset|annotation)_', 'once')));
    if (~of_file && ~(iscellstr (v) || (size (v, 1) > 1 && size (v, 2) == d)))
      one (field{1}, v, ds);                                 % an error, where it is not one for each sample
    end
    if (~of_file && numel (v) == d)
      v = reshape (v, 1, d);                                 % a column is as a row is
    end
    meta.(field{1}) = v;
  end
  [pairs, left] = knng.internal.known_of_samples (struct ('X', ds.X, 'meta', meta), Inf);
  if (~isempty (left))
    more = '';
    if (numel (left) > 3)
      more = sprintf (', and %d more', numel (left) - 3);
    end
    warning ('knng:data:metadata', '''Phenotypes'' is ds.meta, of which this is left out: %s%s', strjoin (left(1:min (3, end)), '; '), more);
  end
end

function pairs = of_table (t, ds)
% The columns of a table of samples: a cell of rows {name, values}, in the order of the samples of DS, which are found by their names.
  d = size (ds.X, 2);
  n = size (t.X, 1);
  row = 1:d;
  if (isfield (ds, 'samples') && numel (ds.samples) == d && d > 0 && numel (t.names) == n)
    [row, lacking, twice] = knng.internal.match_samples (ds.samples, t.names);
    if (2 * numel (lacking) >= d)
      first = [reshape(t.names, [], 1); {''}];
      error ('knng:args:labels', ['''Phenotypes'' is a table of %d rows, and none of them has the name of the sample ''%s''; %d of the %d ' ...
             'samples are there; its first row is ''%s'''], n, knng.internal.shown (ds.samples{lacking(1)}), sum (row > 0), d, ...
             knng.internal.shown (first{1}));
    end
    if (~isempty (twice))
      error ('knng:args:labels', '''Phenotypes'' is a table, and two of its rows have the name ''%s'': each sample has one', ...
             knng.internal.shown (ds.samples{twice(1)}));
    end
    knng.internal.warn_lacking (sprintf ('''Phenotypes'', a table of %s', knng.internal.count_of (n, 'row')), ds.samples, lacking);
  elseif (isfield (ds, 'samples') && numel (ds.samples) == d && d > 0 && isempty (t.names))
    error ('knng:args:labels', ['''Phenotypes'' is a table whose rows have no names, and the samples of the data have: say which ' ...
           'column has them when it is read, knng.read (file, ''NamesColumn'', 1), so that no row goes to another sample']);
  elseif (n ~= d)
    error ('knng:args:labels', '''Phenotypes'' is a table of %s: it must have one for each of the %d samples', knng.internal.count_of (n, 'row'), d);
  end
  pairs = [fieldnames(t.annotation), struct2cell(t.annotation)];
  for j = 1:size (t.X, 2)
    name = sprintf ('%d', j);
    if (numel (t.samples) == size (t.X, 2))
      name = t.samples{j};
    end
    pairs(end + 1, :) = {name, t.X(:, j)}; %#ok<AGROW>
  end
  pairs(:, 2) = cellfun (@(v) knng.internal.picked (v, row), pairs(:, 2), 'UniformOutput', false);
end

function pairs = as_pairs (given)
  pairs = cell (0, 2);
  if (isstruct (given) && numel (given) == 1)
    pairs = [fieldnames(given), struct2cell(given)];
  elseif (iscell (given) && (isempty (given) || (ndims (given) == 2 && size (given, 2) == 2 && iscellstr (given(:, 1)))))
    if (~isempty (given))
      pairs = given;
    end
  elseif (~(isnumeric (given) && isempty (given)))
    error ('knng:args:option', ['''Phenotypes'' is %s: it must be a struct of one element, a cell with a row {name, values} ' ...
           'for each, or a table of the samples: the name of its file, or what knng.read returns of it'], knng.internal.given (given));
  end
end

function p = one (name, values, ds)
  d = size (ds.X, 2);
  labels = iscell (values) || ischar (values) || isa (values, 'categorical') || isa (values, 'string');
  if (~(labels || ((isnumeric (values) || islogical (values)) && isreal (values))))
    error ('knng:args:labels', 'the phenotype ''%s'' is %s: it must be %d numbers or texts, one for each sample', knng.internal.shown (name), ...
           knng.internal.given (values), d);
  end
  kinds = {};
  if (iscellstr (values))
    doubt_texts (name, values);
  end
  if (labels)
    [of, kinds] = knng.internal.label_codes (values);
    kinds = knng.internal.label_texts (kinds);
    of(of == 0 & isempty (kinds)) = NaN;
  elseif (islogical (values))
    kinds = {'no'; 'yes'};
    of = 1 + full (values(:));
  else
    of = double (full (values(:)));
  end
  if (numel (of) ~= d)
    also = '';
    if (numel (of) == size (ds.X, 1))
      also = ['. If the rows are the samples, give ', knng.internal.turned(ds)];
    end
    error ('knng:args:labels', 'the phenotype ''%s'' has %s: give one for each of the %d samples%s', knng.internal.shown (name), ...
           knng.internal.count_of (numel (of), 'value'), d, also);
  end
  p = struct ('name', name, 'kinds', {kinds}, 'of', reshape (of, 1, d));
end

function doubt_texts (name, texts)
% A warning where nearly all texts are numbers, and many different ones: one bad cell makes classes of them, and so do units, limits,
% both decimal signs, or commas between thousands.
  read = texts;
  read(cellfun (@(t) any (t(:) > 127), texts)) = {'-'};      % no number; Octave's functions refuse what is no UTF-8
  [numbers, missing] = knng.internal.texts_as_numbers (read);
  if (~isempty (numbers))
    return
  end
  known = texts(~missing);
  other = cellfun (@(t) isempty (knng.internal.texts_as_numbers ({t})), read(~missing));
  many = numel (unique (known(~other)));
  if (any (other) && sum (other) <= max (1, 0.1 * numel (known)) && many > 3 && many > numel (known) / 3)
    first = known(other);
    warning ('knng:data:metadata', ['the phenotype ''%s'' has %d numbers, but also ''%s'', so that all are taken for classes: ' ...
             'correct this, or leave it empty where it is missing'], knng.internal.shown (name), sum (~other), knng.internal.shown (first{1}));
    return
  end
  [spelt, limit] = numbers_in (known);
  like = ~cellfun ('isempty', spelt);
  many = numel (unique (spelt(like & ~limit)));
  if (~any (other))                                          % each alone is a number: the commas are what divides them
    other = ~cellfun ('isempty', strfind (known, ','));
  end
  odd = find (like(:) & other(:), 1);
  if (~isempty (odd) && sum (like) >= 0.9 * numel (known) && many > 3 && many > sum (like & ~limit) / 3)
    warning ('knng:data:metadata', ['the phenotype ''%s'' has numbers that are written as ''%s'', so that all are taken for classes: put ' ...
             'numbers alone there, with one decimal sign, and without units, limits or commas between thousands'], knng.internal.shown (name), ...
             knng.internal.shown (known{odd}));
  end
end

function [spelt, limit] = numbers_in (texts)
% The number in each text, as it is spelt, '' if there is none: in front of it may be a limit or a currency, behind it a unit, which is
% that of the first that has one. LIMIT: there is a limit. A capital letter that touches the number is no unit: 12T may be a name.
  ascii = cellfun (@in_ascii, texts(:)', 'UniformOutput', false);
  limit = ~cellfun ('isempty', regexp (ascii, '^([<>~]=?|=)', 'once'));
  rest = regexprep (ascii, '^[<>~=]{0,2} *[$]? *', '');
  spelt = regexp (rest, '^[-+]?(\d[\d.,]*|[.,]\d+)([eE][-+]?\d+)?', 'match', 'once');
  unit = '';
  for i = find (~cellfun ('isempty', spelt))
    behind = rest{i};
    behind(1:numel (spelt{i})) = [];
    own = strtrim (behind);
    if (isempty (unit) && ~isempty (regexp (behind, '^( *%| *[a-z]+[\w/^.]*| +[A-Z][\w/^.]*)$', 'once')))
      unit = own;
    end
    if (~isempty (own) && ~strcmp (own, unit))
      spelt{i} = '';
    end
  end
end

function t = in_ascii (t)
  t = strtrim (reshape (t, 1, []));
  t(t > 127) = 'u';
end

%!test
%! ds = struct ('X', magic (3), 'classes', {{'b', 'a', ''}});
%! p = knng.internal.phenotypes (ds, struct ('age', [1; 2; NaN], 'sex', {{'f', 'm', 'f'}}, 'ill', logical ([1 0 1])));
%! assert ({p.name}, {'class', 'age', 'sex', 'ill'});
%! assert ({p.kinds}, {{'a'; 'b'}, {}, {'f'; 'm'}, {'no'; 'yes'}});
%! assert ({p.of}, {[2 1 0], [1 2 NaN], [1 2 1], [2 1 2]});
%! p = knng.internal.phenotypes (struct ('X', 1, 'classes', []), {'a b', 7});
%! assert (p, struct ('name', 'a b', 'kinds', {{}}, 'of', 7));
%! assert (isempty (knng.internal.phenotypes (struct (), {})));
%! p = knng.internal.phenotypes (struct ('X', magic (3), 'classes', {{'', '', ''}}), {'sex', {'', '', ''}});
%! assert ({p.kinds}, {cell(0, 1), cell(0, 1)});
%! assert ({p.of}, {NaN(1, 3), NaN(1, 3)});
%! p = knng.internal.phenotypes (struct ('X', magic (3), 'classes', []), {'sex', {char([254 255]), 'f', 'm'}});      # no UTF-8
%! assert (numel (p.kinds), 3);
%!test  # ds.meta of knng.read: the format of the file is none, but one for each sample is
%! ds = struct ('X', magic (3), 'classes', []);
%! p = knng.internal.phenotypes (ds, struct ('format', 'soft', 'sex', {{'f', 'm', 'f'}}));
%! assert ({p.name}, {'sex'});
%! assert (isempty (knng.internal.phenotypes (ds, struct ('format', 'soft'))));
%! p = knng.internal.phenotypes (ds, struct ('format', {{'a', 'b', 'a'}}));
%! assert ({p.name, p.of}, {'format', [1 2 1]});
%! p = knng.internal.phenotypes (struct ('X', 1, 'classes', []), struct ('format', 'one'));
%! assert ({p.name, p.of}, {'format', 1});
%!test  # ds.meta of a series of GEO: titles are none, characteristics are several, with names of their own
%! ds = struct ('X', magic (4), 'classes', {{'ALL', 'AML', 'ALL', 'AML'}});
%! ds.meta = struct ('format', 'geo', 'Series_title', {{'one'}}, 'Sample_title', {{'a', 'b', 'c', 'd'}});
%! ds.meta.Sample_characteristics_ch1 = {'sex: f', 'sex: m', 'sex: m', 'sex: f'; 'diagnosis: ALL', 'diagnosis: AML', 'diagnosis: ALL', 'diagnosis: AML'; ...
%!                                       'age: 3', 'age: 5', 'age: 3', 'age: 41'};
%! p = knng.internal.phenotypes (ds, ds.meta);
%! assert ({p.name}, {'diagnosis', 'sex', 'age'});
%! assert ({p.of}, {[1 2 1 2], [1 2 2 1], [3 5 3 41]});
%! [~, e] = knng.clustertable (ds, [1 2 2 1], 'Of', 'samples', 'Phenotypes', ds.meta);
%! assert (unique (e.phenotype), {'diagnosis'; 'sex'});
%! p = knng.internal.phenotypes (ds, 'sex');                  # one by its name
%! assert ({p.name, p.of}, {'class', 'sex', [1 2 1 2], [1 2 2 1]});
%! es = setfield (ds, 'meta', struct ('format', 'h5ad', 'type', {{'q', 'p', 'q', 'q'}}));
%! p = knng.internal.phenotypes (es, 'type');                 # which is a function, too
%! assert ({p.name}, {'class', 'type'});
%! folder = tempname ();
%! mkdir (folder, 'type');
%! here = pwd ();
%! unwind_protect
%!   cd (folder);
%!   assert (knng.internal.phenotypes (es, 'type'), p);       # and a folder
%! unwind_protect_cleanup
%!   cd (here);
%!   rmdir (fullfile (folder, 'type'));
%!   rmdir (folder);
%! end_unwind_protect
%! fail ('knng.internal.phenotypes (ds, ''sexe'')', 'a text, and so the name of a file that .*, or of what the data set says of them \(did you mean ''sex''\?\): cannot open');
%!test  # ds.meta with more in it: columns, characters, more than 20; a field format alone makes no ds.meta
%! d = 6;
%! ds = struct ('X', ones (2, d), 'classes', []);
%! ds.meta = struct ('format', 'geo', 'Series_author', {{'a'; 'b'; 'a'; 'a'; 'b'; 'b'}}, 'Series_title', {{'one'}}, 'age', (1:d)');
%! ds.meta.sex = ['f '; 'm '; 'f '; 'm '; 'm '; 'f '];
%! ds.meta.kind = {'x'; 'x'; 'y'; 'x'; 'y'; 'y'};
%! for i = 1:25
%!   ds.meta.(sprintf ('n%d', i)) = i + (1:d) .^ 2;
%! end
%! p = knng.internal.phenotypes (ds, ds.meta);
%! assert ({p(1:3).name, numel(p)}, {'age', 'sex', 'kind', 28});
%! assert ({p(1:3).of}, {1:d, [1 2 1 2 2 1], [1 1 2 1 2 2]});
%! assert (p(2).kinds, {'f'; 'm'});
%!warning <is ds.meta, of which this is left out: 'b' is the same for all samples; 'c' divides them as 'a'> knng.internal.phenotypes (struct ('X', ones (2, 4), 'classes', []), struct ('format', 'geo', 'a', [1 1 2 2], 'b', ones (4, 1), 'c', [3 3 5 5]));
%!error <^'Phenotypes' is a 1-by-1-by-3 char> knng.internal.phenotypes (struct ('X', ones (2, 3)), reshape ('cpu', 1, 1, 3))
%!error <the phenotype 'a' has 3 values: give one for each of the 30 samples> knng.internal.phenotypes (struct ('X', ones (2, 30), 'classes', []), struct ('format', 'geo', 'a', 1:3))
%!error <has 2 values: give one for each of the 30 samples. If the rows are the samples, give X'$> knng.internal.phenotypes (struct ('X', ones (2, 30), 'classes', []), struct ('a', 1:2))
%!error <the phenotype 'format' has 1 value: give one> knng.internal.phenotypes (struct ('X', ones (2, 30), 'classes', []), struct ('format', 'paper', 'a', 1:30))
%!test  # the classes once, by their own name
%! ds = struct ('X', magic (3), 'classes', {{'b', 'a', ''}});
%! p = knng.internal.phenotypes (ds, {'age', [1 2 3]; 'ill', {'b', 'a', ''}; 'sex', {'b', 'a', 'a'}; 'again', {'b', 'a', ''}});
%! assert ({p.name}, {'ill', 'age', 'sex', 'again'});
%! assert ({p.of}, {[2 1 0], [1 2 3], [2 1 1], [2 1 0]});
%! p = knng.internal.phenotypes (ds, {'ill', {'y', 'x', ''}});
%! assert ({p.name}, {'class', 'ill'});
%! p = knng.internal.phenotypes (struct ('X', magic (3), 'classes', [1 2 1]), {'dose', [1 2 1]});
%! assert ({p.name, p.kinds}, {'class', 'dose', {'1'; '2'}, {}});
%!test  # a table of the samples, in another order, with one too many
%! file = [tempname() '.csv'];
%! gone = onCleanup (@() delete (file));
%! f = fopen (file, 'w');
%! fprintf (f, 'sample,sex,age\ns3,f,50\ns9,m,1\ns1,m,\ns2,f,70\n');
%! fclose (f);
%! t = knng.read (file);
%! ds = struct ('X', magic (3), 'classes', [], 'samples', {{'s1', 's2', 's3'}});
%! p = knng.internal.phenotypes (ds, t);
%! assert (knng.internal.phenotypes (ds, file), p);
%! assert ({p.name}, {'sex', 'age'});
%! assert ({p.of}, {[2 1 1], [NaN 70 50]});
%! assert (p(1).kinds, {'f'; 'm'});
%! assert (knng.internal.phenotypes (setfield (ds, 'samples', {'s1', 's2 ', ' s3'}), t), p);
%! other = t;
%! other.names{2} = 's1';
%! lacking = setfield (ds, 'samples', {'s1', 's2', 'S3'});
%! fail ('knng.internal.phenotypes (lacking, t);', 'warning', '^''Phenotypes'', a table of 4 rows, has no row for 1 of 3 samples, first ''S3''');
%! warning ('off', 'knng:data:metadata', 'local');
%! q = knng.internal.phenotypes (lacking, t);
%! assert (knng.internal.phenotypes (lacking, file), q);
%! assert ({q.name; q.of; q.kinds}, {'sex', 'age'; [2 1 0], [NaN 70 NaN]; {'f'; 'm'}, {}});
%! cases = {setfield(ds, 'samples', {'s1', 'S2', 'S3'}), t, 'has the name of the sample ''S2''; 1 of the 3 samples are there; its first row is ''s3''';
%!          ds, other, 'two of its rows have the name ''s1''';
%!          rmfield(ds, 'samples'), t, 'a table of 4 rows: it must have one for each of the 3 samples'};
%! for c = 1:3
%!   e = struct ('message', '', 'identifier', '');
%!   try, knng.internal.phenotypes (cases{c, 1:2}); catch e, end
%!   assert (e.identifier, 'knng:args:labels');
%!   assert (! isempty (strfind (e.message, cases{c, 3})), e.message);
%! end
%!warning <'age' has 5 numbers, but also 'old', so that> knng.internal.phenotypes (struct ('X', ones (2, 7), 'classes', []), {'age', {'38', '40', 'old', '', '51', '17', '60'}});
%!test  # numbers with units and limits, with both decimal signs, and with commas that may part thousands
%! for c = {{'10 mg', '20 mg', '5 mg', '', '7.5 mg'}, {'5%', '7%', '8%', '10%'}, {'1.5', '2,5', '3.5', '4,5'}, {'2,137', '1,250', '', '3,004', '4,999'}, ...
%!          {'<0.1', '<0.1', '<0.1', '0.5', '0.7', '<0.1', '0.9', '1.2', '<0.1'}, {'$5', '$6', '$7', '$8', 'free', '$9', '$10', '$11', '$12', '$13'}, ...
%!          {'24h', '0h', '48h', '72h'}, {char([53 32 194 181 103]), char([55 32 194 181 103]), char([56 32 194 181 103]), char([57 32 194 181 103])}; ...
%!          '10 mg', '5%', '2,5', '2,137', '<0.1', '$5', '24h', char([53 32 194 181 103])}
%!   lastwarn ('', '');
%!   evalc ('knng.internal.phenotypes (struct (''X'', ones (2, numel (c{1})), ''classes'', []), {''dose'', c{1}});');
%!   [e, id] = lastwarn ();
%!   assert ({id, ! isempty(strfind (e, ['''dose'' has numbers that are written as ''', c{2}, ''', so that all are taken for classes']))}, {'knng:data:metadata', true}, e);
%! end
%!test  # of these there is none
%! lastwarn ('', '');
%! for texts = {{'38', '40', 'NA', '', '51', '17', '60'}, {'1', '2', '3', '1', '2', '2', 'x', '1', '3', '4', '4', '1'}, {'a', 'b', '3', '4', '5', '6', '7'}, ...
%!              {'I', 'II', 'II', '', 'I', 'IV', 'V'}, {'<50', '>=50', '<50', '>=50'}, {'101T', '102T', '103T', '104T'}, {'1a', '1b', '2a', '2b', '3c'}, ...
%!              {'0h', '0h', '0h', '24h', '24h', '24h', '48h', '48h', '48h', '72h', '72h', '72h'}, {'10-20', '20-30', '30-40', '50-60'}, ...
%!              {'001', '035', '023', '017'}, {'p1', 'p2', 'p3', 'p4'}, {'10 mg', '20 mg', '10 mg', '20 mg'}}
%!   n = numel (texts{1});
%!   knng.internal.phenotypes (struct ('X', ones (2, n), 'classes', []), {'age', texts{1}});
%!   assert (lastwarn (), '');
%! end
%!error id=knng:args:labels knng.internal.phenotypes (struct ('X', magic (3), 'classes', []), {'format', 'soft'})
%!error id=knng:args:option knng.internal.phenotypes (struct (), {'a', 7})
%!error id=knng:io:open knng.internal.phenotypes (struct ('X', 1, 'classes', []), 'a')
%!error id=knng:args:option knng.internal.phenotypes (struct ('X', 1, 'classes', []), '')
%!error id=knng:args:labels knng.internal.phenotypes (struct ('X', 1, 'classes', []), {'a', [1 2]})
%!error id=knng:args:labels knng.internal.phenotypes (struct ('X', 1, 'classes', []), {'a', @sin})
%!error <'NamesColumn'> knng.internal.phenotypes (struct ('X', ones (2), 'classes', [], 'samples', {{'1', '2'}}), struct ('X', [2 5; 1 6], 'names', {cell(0, 1)}, 'samples', {{'number', 'age'}}, 'annotation', struct ()))
%!test <*1>
%! # names of the samples among them say whose values they are
%! ds = struct ('X', rand (4, 3), 'samples', {{'a', 'b', 'c'}}, 'classes', []);
%! list = knng.internal.phenotypes (ds, struct ('sample', {{'c'; 'a'; 'b'}}, 'age', [3; 1; 2], 'sex', ['x'; 'y'; 'z']));
%! assert ({list.name}, {'age', 'sex'});
%! assert (list(1).of, [1 2 3]);
%! assert (list(2).kinds(list(2).of)', {'y', 'z', 'x'});
%! list = knng.internal.phenotypes (ds, struct ('sample', {{'c'; 'a'; 'd'}}, 'age', [3; 1; 2]));
%! assert ({list.name}, {'sample', 'age'});
