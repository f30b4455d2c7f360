function [ds, info] = annotate (ds, from, varargin)
%KNNG.ANNOTATE  Gene symbols and other columns for the rows of a data set.
%   ds = knng.annotate (ds, file) reads a table of what the rows are, such as
%   the platform of a series of GEO (its page has the full table, such as
%   GPL96-57554.txt or GPL96.annot.gz) or the annotation that comes with an
%   array, and gives each row of ds the line that has its name. A series matrix
%   has no gene symbols: this is where they come from.
%   ds = knng.annotate (ds, columns) takes them from a struct: each field is a
%   column, a cell of m texts or m numbers.
%   [ds, info] = knng.annotate (...) also says what was found.
%   [...] = knng.annotate (..., 'Name', value, ...) takes options.
%
%     ds     as knng.read returns it, with ds.names
%     file   a text, plain or gzipped, separated by tabs, semicolons or commas,
%            or by what a first line sep=X says. Lines at the top that begin
%            with #, ! or ^ are left out ('HeaderLines' leaves out others); the
%            next one names the columns; the table ends where the file does, or
%            where a line begins with !. A field may be in double quotes, which
%            may hold commas, semicolons and, doubled, quotes. Lines that are no
%            UTF-8 are taken for Windows-1252, as knng.read does
%
%   Options:
%
%     'Key'      the column with the names of rows, by its name or number;
%                default: that in which most of ds.names are, the first of equal
%                ones
%     'Columns'  which columns to take: a name, or a cell of them, or their
%                numbers; default: all but the key
%     'Symbols'  the column with the gene symbols, by its name or number; 0 for
%                none; default: found by its name, as knng.read does, among
%                those taken
%     'HeaderLines'
%                how many lines at the top of the file are left out, such as a
%                title; messages count all lines. Default: 0
%
%   Results:
%
%     ds.annotation  has a field for each column, n-by-1: a cell of texts, ''
%                    for rows that the table does not have and for what is
%                    missing. Characters that no field can have become _. A
%                    field of the same name is replaced, others stay
%     ds.symbols     those of the column of symbols, '' for none: where it has
%                    -, NA or the like, or begins with --. They stay as they
%                    were if there is no such column, 0-by-1 for none
%     ds.history     a column of texts, gets one that says how many rows were
%                    found, and where
%
%   Fields of info:
%
%     key      the name of the column with the names of rows
%     symbols  the name of the column with the symbols, '' for none
%     columns  the names of the columns that were taken, a cell
%     found    how many rows of ds the table has
%     lines    how many lines it has
%
%   Names have to agree to the letter. Of lines with the same name the first
%   counts. If less than half of the rows are found a warning says so:
%   knng:data:annotation. Another, knng:data:spreadsheet, tells of symbols such
%   as 1-Mar, which a spreadsheet made of those of genes (see knng.read).
%
%   Cost: a table of 54 675 lines and 16 columns, 20 MB, takes some four
%   seconds. Memory: fifteen times the file.
%
%   Errors: knng:args:annotation (no row is in the table; there is no such
%   column; ds has no names); knng:args:file; knng:io:open; knng:io:format (no
%   table, a line of more fields than the first, with its number; quotes that do
%   not end; or the first line has the name of a row where those of
%   columns should be); knng:io:truncated (nothing in the file, a damaged gzip
%   stream); knng:memory:host; knng:interrupted; knng:args:ds; knng:args:option,
%   :unknownOption, :count.
%
%   Example:
%     ds.X = [1 2 3; 4 5 6];
%     ds.names = {'1053_at', '1007_s_at'};
%     file = [tempname() '.txt'];
%     f = fopen (file, 'w');
%     fprintf (f, '#ID = the probe\nID\tGene Symbol\n');
%     fprintf (f, '1007_s_at\tDDR1 /// MIR4640\n1053_at\tRFC2\n');
%     fclose (f);
%     [ds, info] = knng.annotate (ds, file);
%     ds.symbols'                         % RFC2, DDR1 /// MIR4640
%     info.found                          % 2
%     delete (file)
%
%   See also knng.read, knng.collapse, knng.neighbors, knng.enrich.

  if (nargin < 2)
    error ('knng:args:count', ['knng.annotate needs a data set and a table, as in ' ...
           'knng.annotate (ds, ''GPL96-57554.txt''): see help knng.annotate']);
  end
  opt = knng.internal.options (struct ('Key', [], 'Columns', [], 'Symbols', [], 'HeaderLines', []), varargin);
  checked = knng.internal.check_ds (ds);
  if (~isfield (ds, 'names') || isempty (ds.names))
    error ('knng:args:annotation', 'DS has no names: its rows are found in the table by ds.names');
  end
  t = table_of (from, lines_to_skip (opt.HeaderLines));
  key = key_column (t, opt.Key, checked.names);
  [taken, symbols] = wanted (t, opt, key);
  [is_there, at] = first_of (checked.names(:), t.column (key));
  n = numel (is_there);
  if (ischar (from) && any (strcmp (checked.names, t.names{key})))
    error ('knng:io:format', ['%s: the line that names the columns has ''%s'', which is a row of DS: put a line of names, without #, ' ...
           'above the table, or leave out fewer lines (''HeaderLines'')'], t.of, knng.internal.shown (t.names{key}));
  end
  if (~any (is_there))
    known = t.column (key);
    advice = ': choose another with ''Key''';
    if (isempty (opt.Key))
      advice = ', nor in another column: is this the table of another array?';
    end
    error ('knng:args:annotation', ['none of the %d names of DS, such as ''%s'', is in the column ''%s'' of %s, which has ''%s''%s ' ...
           '(the columns are %s)'], n, knng.internal.shown (checked.names{1}), knng.internal.shown (t.names{key}), t.of, ...
           knng.internal.shown (known{1}), advice, listed (t.names));
  end
  fields = field_names (t.names(taken));
  annotation = checked.annotation;
  for i = 1:numel (taken)
    annotation.(fields{i}) = chosen (t.column (taken(i)), is_there, at);
  end
  ds.annotation = annotation;
  if (symbols > 0)
    ds.symbols = symbols_in (chosen (t.column (symbols), is_there, at));
    warn_of_dates (ds.symbols, t.of);
  else
    ds.symbols = checked.symbols;
  end
  if (2 * sum (is_there) < n)
    missing = find (~is_there, 1);
    warning ('knng:data:annotation', 'only %s in the column ''%s'' of %s; ''%s'' is not', ...
             knng.internal.share_of (sum (is_there), n, 'row', 'of DS is', 'of DS are'), knng.internal.shown (t.names{key}), t.of, knng.internal.shown (checked.names{missing}));
  end
  info = struct ('key', t.names{key}, 'symbols', '', 'columns', {t.names(taken)}, 'found', sum (is_there), 'lines', t.lines);
  if (symbols > 0)
    info.symbols = t.names{symbols};
  end
  [~, file, ending] = fileparts (t.of);
  ds = knng.internal.noted (ds, 'annotate: %d of %s found in %s', info.found, knng.internal.count_of (n, 'row'), [file, ending]);
end

% ---- the table, as of knng.internal.text_table --------------------------------------------------------------------------

function skip = lines_to_skip (skip)
  if (isempty (skip))
    skip = 0;
  elseif (~(isnumeric (skip) && isscalar (skip) && isreal (skip) && skip >= 0 && skip == fix (skip) && skip < 2 ^ 53))
    error ('knng:args:option', '''HeaderLines'' is %s: it must be a whole number, of lines to leave out at the top', ...
           knng.internal.given (skip));
  end
  skip = double (skip);
end

function t = table_of (from, skip)
  if (isstruct (from))
    if (skip > 0)
      error ('knng:args:option', '''HeaderLines'' is for files, and the table is a struct: leave it out');
    end
    t = of_struct (from);
  elseif (ischar (from) && ndims (from) == 2 && size (from, 1) <= 1)
    t = knng.internal.text_table (from, skip);
  else
    error ('knng:args:annotation', ['the table is %s: it must be the name of a file, in quotes, or a struct with a field for ' ...
           'each column'], knng.internal.given (from));
  end
end

function t = of_struct (from)
  if (numel (from) ~= 1 || isempty (fieldnames (from)))
    error ('knng:args:annotation', 'the table is %s: it must be one struct, with a field for each column', knng.internal.given (from));
  end
  t.names = fieldnames (from)';
  t.of = 'the table';
  columns = cellfun (@(f) texts (f, from.(f)), t.names, 'UniformOutput', false);
  count = cellfun ('prodofsize', columns);
  if (any (count ~= count(1)) || count(1) == 0)
    other = find (count ~= count(1), 1);
    if (isempty (other))
      other = 1;
    end
    error ('knng:args:annotation', 'the columns of the table have %d elements (%s) and %d (%s): they must have equally many, one at least', ...
           count(1), t.names{1}, count(other), t.names{other});
  end
  t.lines = count(1);
  t.column = @(j) columns{j};
end

function column = texts (name, column)
  if (isnumeric (column) || islogical (column))
    missing = isnan (column(:));
    column = arrayfun (@knng.internal.number_text, column(:), 'UniformOutput', false);
    column(missing) = {''};
  elseif (~iscellstr (column))
    error ('knng:args:annotation', 'the column %s of the table is %s: it must be a cell of texts, or numbers', name, ...
           knng.internal.given (column));
  end
  column = trimmed_texts (column(:));
end

function column = trimmed_texts (column)
  for i = find (cellfun (@(s) ~isempty (s) && any (isspace (s([1, end]))), column))'
    column{i} = strtrim (column{i});
  end
end

% ---- which columns ----------------------------------------------------------------------------------------------------

function key = key_column (t, asked, names)
  if (~isempty (asked))
    key = column_called (t, 'Key', asked, 1);
    return
  end
  [key, most] = deal (1, -1);
  for j = 1:numel (t.names)
    found = sum (ismember (names, t.column (j)) & ~cellfun ('isempty', names));
    if (found > most)
      [key, most] = deal (j, found);
    end
    if (found == numel (names))                              % no need to look further
      break
    end
  end
end

function [taken, symbols] = wanted (t, opt, key)
% The columns that become annotation, and the one of the symbols, 0 for none.
  taken = setdiff (1:numel (t.names), key);
  if (ischar (opt.Columns))
    opt.Columns = {opt.Columns};
  elseif (isnumeric (opt.Columns))
    opt.Columns = num2cell (opt.Columns);
  end
  if (~isempty (opt.Columns))
    if (~iscell (opt.Columns))
      error ('knng:args:option', '''Columns'' is %s: it must be the name of a column, a cell of names, or their numbers', ...
             knng.internal.given (opt.Columns));
    end
    taken = cellfun (@(name) column_called (t, 'Columns', name, 1), opt.Columns(:)');
  end
  if (~isempty (opt.Symbols))
    symbols = column_called (t, 'Symbols', opt.Symbols, 0);
    return
  end
  symbols = symbol_column (t.names(taken));
  if (symbols > 0)
    symbols = taken(symbols);
  end
end

function j = column_called (t, option, name, least)
% The number of a column, given that or its name.
  if (ischar (name) && size (name, 1) == 1 && ndims (name) == 2)
    j = [find(strcmp (t.names, name), 1), find(strcmpi (t.names, strtrim (name)), 1)];
    if (isempty (j))
      near = knng.internal.similar_names (t.names(:), name);
      error ('knng:args:annotation', '''%s'': %s has no column ''%s''%s. The columns are %s', option, t.of, ...
             knng.internal.shown (name), knng.internal.meant (near), listed (t.names));
    end
    j = j(1);
  elseif (isnumeric (name) && isscalar (name) && isreal (name) && any (name == least:numel (t.names)))
    j = double (name);
  else
    error ('knng:args:option', '''%s'' is %s: it must be the name of a column or its number, from %d to %d', option, ...
           knng.internal.given (name), least, numel (t.names));
  end
end

function text = listed (names)
  most = 20;
  more = '';
  if (numel (names) > most)
    more = sprintf (' and %d more', numel (names) - most);
    names = names(1:most);
  end
  text = [strjoin(cellfun (@knng.internal.shown, names, 'UniformOutput', false), ', '), more];
end

function best = symbol_column (names)
% The column whose name says best that it has symbols of genes, 0 for none: the rule of knng.read (core/io/dataset.c).
  rules = {'^(gene|hgnc|mgi|rgd)?symbol$|^(gene)?symbols$', 'symbol', '^identifier$', ...
           '^(genename|genenames|gene|genes|externalgenename|associatedgenename|ilmngene|hgnc)$'};
  words = cellfun (@(s) lower (s(is_plain (s))), names, 'UniformOutput', false);
  best = 0;
  for r = 1:numel (rules)
    fits = ~cellfun ('isempty', regexp (words, rules{r}, 'once')) & cellfun ('length', words) < 40;
    if (r > 1)
      fits = fits & cellfun ('isempty', regexp (words, 'alias|prev|synonym', 'once'));
    end
    if (any (fits))
      best = find (fits, 1);
      return
    end
  end
end

function symbols = symbols_in (symbols)
  none = strncmp (symbols, '--', 2);
  for word = {'-', 'nan', '+nan', '-nan', 'na', 'n/a', '#n/a', 'null', '?'}
    none = none | strcmpi (symbols, word{1});
  end
  symbols(none) = {''};
end

function warn_of_dates (symbols, file)
% Of symbols that a spreadsheet took for dates, less than half of all: the rule of knng.read (core/io/doubts.c).
  month = ['(January|February|March|April|June|July|August|Sept|October|November|December|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|' ...
           'Mrz|M', char([195 164]), 'r|Mai|Okt|Dez|mars|avr|mai|sept|oct|nov|d', char([195 169]), 'c)'];
  if (exist ('OCTAVE_VERSION', 'builtin') == 0)
    month = native2unicode (uint8 (month), 'UTF-8');
  end
  rule = ['^(\d{1,2}', '(-|\. ?)', month, '\.?([- ](\d\d|\d{4}))?|', month, '-\d\d|\d{4}-\d\d-\d\d( 00:00:00)?)$'];
  some = find (~cellfun ('isempty', regexp (symbols, '[-. ]', 'once')) & ~cellfun ('isempty', regexp (symbols, '\d', 'once')));   % seldom
  dates = some(~cellfun ('isempty', regexp (symbols(some), rule, 'once')));
  if (~isempty (dates) && 2 * numel (dates) < numel (symbols))
    more = '';
    if (numel (dates) > 1)
      more = sprintf (' (and %d more)', numel (dates) - 1);
    end
    warning ('knng:data:spreadsheet', ['%s: the symbol of row %d, ''%s'', looks like a gene that a spreadsheet took for a date (1-Mar was MARCH1, ' ...
             'today MARCHF1; 2-Sep SEPT2, SEPTIN2)%s: correct it, or take the table as it was before'], file, dates(1), ...
             knng.internal.shown (symbols{dates(1)}), more);
  end
end

function [is_there, at] = first_of (names, all)
% Where each name is the first time.
  [keys, first] = unique (all, 'first');
  [is_there, at] = ismember (names, keys);
  is_there(cellfun ('isempty', names)) = false;              % a row without a name is not that without an id
  at(is_there) = first(at(is_there));
end

function column = chosen (all, is_there, at)
  column = repmat ({''}, numel (is_there), 1);
  column(is_there) = all(at(is_there));
end

function fields = field_names (names)
% Names of fields, as knng.read makes them: each once.
  fields = names;
  for i = 1:numel (fields)
    s = fields{i};
    s(~is_plain (s)) = '_';
    fields{i} = s;
  end
  odd = cellfun ('isempty', regexp (fields, '^[A-Za-z]', 'once'));
  fields(odd) = strcat ('x', fields(odd));
  for i = 1:numel (fields)
    fields{i} = shortened (fields{i}, 63);
    number = i;
    while (any (strcmp (fields(1:i-1), fields{i})))
      fields{i} = sprintf ('%s_%d', shortened (fields{i}, 40), number);
      number = number + numel (fields);
    end
  end
end

function yes = is_plain (text)
% Letters without accents, and digits.
  yes = (text >= 'a' & text <= 'z') | (text >= 'A' & text <= 'Z') | (text >= '0' & text <= '9');
end

function text = shortened (text, most)
  text = text(1:min (numel (text), most));
end

%!function file = put (text)
%!  file = [tempname() '.txt'];
%!  f = fopen (file, 'w');
%!  fwrite (f, text);
%!  fclose (f);
%!endfunction

%!shared ds
%! ds = struct ('X', magic (4), 'names', {{'p4'; 'p2'; 'q'; 'p1'}}, 'annotation', struct ('chip', {{'a'; 'b'; 'c'; 'd'}}));

%!test  # a platform of GEO: what stands above and below, quotes as ordinary characters, missing fields at the end, blank lines
%! text = sprintf (['^Annotation\n!Annotation_date = 2\n#ID = x\n\n!platform_table_begin\nID\tGene title\tGene Symbol\tSize\n', ...
%!                  'p1\tthe 5" end\tDDR1 /// M\t5\n\np2\t"a ""b"""\t---\np3\tz\tZYX\t\np4\t\t na \nnot one\n!platform_table_end\n']);
%! file = put (text);
%! gone = onCleanup (@() delete (file));
%! [es, info] = knng.annotate (ds, file);
%! assert (es.annotation.chip, ds.annotation.chip);
%! assert (es.annotation.Gene_title, {''; 'a "b"'; ''; 'the 5" end'});
%! assert (es.annotation.Gene_Symbol, {'na'; '---'; ''; 'DDR1 /// M'});
%! assert (es.annotation.Size, {''; ''; ''; '5'});
%! assert (es.symbols, {''; ''; ''; 'DDR1 /// M'});
%! assert (info, struct ('key', 'ID', 'symbols', 'Gene Symbol', 'columns', {{'Gene title', 'Gene Symbol', 'Size'}}, 'found', 3, 'lines', 5));
%! gzip (file);
%! packed = [file, '.gz'];
%! gone2 = onCleanup (@() delete (packed));
%! [~, name, ending] = fileparts (file);
%! assert (es.history, {['annotate: 3 of 4 rows found in ', name, ending]});
%! fs = knng.annotate (setfield (ds, 'history', {'read'}), packed);
%! assert (fs.history, {'read'; ['annotate: 3 of 4 rows found in ', name, ending, '.gz']});
%! assert (rmfield (fs, 'history'), rmfield (es, 'history'));

%!test  # commas and semicolons in quotes, ends of lines in them, the key in the second column, options
%! for s = {',', ';'}
%!   text = strrep (sprintf (['n|"Probe"|"Sym;b,ol"|Sym\r\n1|"p1"|"a,b;c"|A\r\n2|p2|"x\ny ""z"""|B\r\n3|p4||C\r\n4|p4|late|D\r\n']), '|', s{1});
%!   file = put (text);
%!   gone = onCleanup (@() delete (file));
%!   [es, info] = knng.annotate (ds, file, 'symbols', 'sym', 'Columns', 'Sym;b,ol');
%!   assert (es.annotation.Sym_b_ol, {''; sprintf('x\ny "z"'); ''; 'a,b;c'});
%!   assert (es.symbols, {'C'; 'B'; ''; 'A'});
%!   assert ({info.key, info.symbols, info.columns, info.found, info.lines}, {'Probe', 'Sym', {'Sym;b,ol'}, 3, 4});
%!   assert (knng.annotate (ds, file, 'Key', 2, 'Symbols', 4, 'Columns', {'sym;B,ol'}), es);
%!   es = knng.annotate (ds, file, 'Symbols', 0);
%!   assert (es.symbols, cell (0, 1));
%! end

%!test  # a struct; numbers; symbols that the data set has, and none in the table
%! es = ds;
%! es.symbols = {'a'; 'b'; 'c'; 'd'};
%! [es, info] = knng.annotate (es, struct ('length', [1 NaN 3], 'probe', {{'p1', 'p2', 'q'}}));
%! assert (es.annotation.length, {''; ''; '3'; '1'});
%! assert (es.symbols, {'a'; 'b'; 'c'; 'd'});
%! assert (info.key, 'probe');

%!test  # the symbols are found by the rule of knng.read, and cleaned by it; of any two names one order, or both where KNNG_ALL is set
%! names = {'Gene Symbol', 'gene_symbols', 'HGNC symbol', 'GENE_SYMBOL_2', 'symbol alias', 'previous symbols', 'IDENTIFIER', ...
%!          'Gene', 'Gene Name', 'ILMN_Gene', 'gene title', 'a symbolic name'};
%! values = {'A', '-', '--Control', 'NA', 'N/A', 'null', '?', 'A /// B', '- x'};
%! es = struct ('X', zeros (numel (values), 2), 'names', {arrayfun(@(i) sprintf ('p%d', i), (1:numel (values))', 'UniformOutput', false)});
%! for i = 1:numel (names)
%!   for j = [1:i-1, i+1:numel(names)]
%!     if (isempty (getenv ('KNNG_ALL')) && mod (i + j, 2) == (i < j))
%!       continue
%!     end
%!     rows = [es.names'; values; strcat(values, '+'); num2cell(1:numel (values)); num2cell(2:numel (values) + 1)];
%!     file = put ([sprintf('id\t%s\t%s\ts1\ts2\n', names{i}, names{j}), sprintf('%s\t%s\t%s\t%d\t%d\n', rows{:})]);
%!     gone = onCleanup (@() delete (file));
%!     read = knng.read (file);
%!     got = knng.annotate (es, file, 'Columns', names([i j]));
%!     if (isempty (read.symbols))
%!       assert (got.symbols, cell (0, 1));
%!     else
%!       assert (got.symbols, read.symbols);
%!     end
%!   end
%! end

%!test  # quotes in the middle of fields, bytes that are no UTF-8, a last column that no line has, empty fields at the end, tabs in quotes
%! es = struct ('X', zeros (4, 1), 'names', {{'q1'; 'q2'; ''; 'q3'}});
%! text = {sprintf('ID,Title,Symbol\nq1,5" end,A\nq2,3" x,B\nq3,"a, ""b""",C\n'), {'5" end'; '3" x'; ''; 'a, "b"'};
%!         sprintf('ID\tTitle\tSymbol\nq1\t"Rab" like "x"\tA\nq2\t%s\tB\n\tghost\tG\nq3\t\tC\t\t\n', char (181)), {'"Rab" like "x"'; char([194 181]); ''; ''};
%!         sprintf('"ID","Ti\tle","Symbol"\n"q1",1,A\nq2,2,B\nq3,3,C\n'), {'1'; '2'; ''; '3'};
%!         sprintf('ID\tTitle\tSymbol\tNote %s\nq1\t1\tA\nq2\t2\tB\nq3\t3\tC\n', char (228)), {'1'; '2'; ''; '3'};
%!         sprintf('ROW\tTitle\tSymbol\tID\nq2\t1\tA\tq1\nq1\t2\tB\tq2\n\t3\tC\tq3\n'), {'1'; '2'; ''; '3'}};
%! for i = 1:size (text, 1)
%!   file = put (text{i, 1});
%!   gone = onCleanup (@() delete (file));
%!   [got, info] = knng.annotate (es, file);
%!   assert ({got.symbols, info.key, info.found}, {{'A'; 'B'; ''; 'C'}, 'ID', 3});
%!   columns = struct2cell (got.annotation);
%!   assert (columns{1 + (i == 5)}, text{i, 2});
%! end
%! file = put (sprintf ('q1\tA\nq2\tB\n'));
%! gone = onCleanup (@() delete (file));
%! fail ('knng.annotate (es, file)', 'has .q1., which is a row of DS');

%!test  # a title above, which messages count; sep=; columns by number; symbols that were dates
%! text = 'Made on Tuesday; by hand\n\nsep=|\nID|title|Symbol|n\np1|a;b|1-Mar|1\np2|c|TP53|2\np4|d|X|3\n';
%! file = put (sprintf (text));
%! gone = onCleanup (@() delete (file));
%! warning ('off', 'knng:data:spreadsheet', 'local');
%! [es, info] = knng.annotate (ds, file, 'HeaderLines', 1);
%! assert (info.columns, {'title', 'Symbol', 'n'});
%! assert (es.symbols, {'X'; 'TP53'; ''; '1-Mar'});
%! assert (es.annotation.title, {'d'; 'c'; ''; 'a;b'});
%! [~, info] = knng.annotate (ds, file, 'HeaderLines', 1, 'Columns', [4 2]);
%! assert (info.columns, {'n', 'title'});
%! [~, info] = knng.annotate (ds, file, 'HeaderLines', 1, 'Columns', {3, 'n'});
%! assert (info.columns, {'Symbol', 'n'});
%! fail ('knng.annotate (ds, file)', 'none of the 4 names');
%! fail ('knng.annotate (ds, file, ''HeaderLines'', 9)', 'HeaderLines. is 9, and .* has 7 lines');
%! fail ('knng.annotate (ds, file, ''HeaderLines'', 7)', 'no table');
%! fail ('knng.annotate (ds, file, ''HeaderLines'', 4)', 'none of the 4 names');
%! fail ('knng.annotate (ds, file, ''HeaderLines'', 1.5)', 'whole number');
%! fail ('knng.annotate (ds, file, ''HeaderLines'', 1, ''Columns'', 5)', 'from 1 to 4');
%! file = put (sprintf ('By hand\nID,Symbol\np1,A\n'));
%! gone2 = onCleanup (@() delete (file));
%! fail ('knng.annotate (ds, file)', 'found 1 column, .* in line 1.*HeaderLines');
%! file = put (sprintf ('By hand, today\nID,n,Symbol\np1,1,A\n'));
%! gone3 = onCleanup (@() delete (file));
%! fail ('knng.annotate (ds, file)', 'line 2: found 3 fields, expected 2, as in line 1, which .*HeaderLines');

%!test  # symbols that look like dates: those that knng.read warns of
%! words = {'1-Mar', '01. Mrz', 'Mar-01', '2001-03-01', '2001-03-01 00:00:00', '1-Mar-01', ['1.M', char([195 164]), 'r'], '12-Dec', '1.mars', ...
%!          'MARCH1', '1-mar', 'apr-1', 'mai-2', '1-Mar-1', '123-Mar', '2001-3-1', 'Sept', 'Oct-4', '4-Oct-2001', '7. sept.', '1-Mar 2001', 'Mar-011'};
%! warning ('off', 'knng:data:spreadsheet', 'local');
%! for i = 1:numel (words)
%!   file = put (sprintf ('id\tsymbol\ts\np1\t%s\t1\np2\tA\t2\np4\tB\t3\n', words{i}));
%!   gone = onCleanup (@() delete (file));
%!   warned = cell (1, 2);
%!   lastwarn ('', '');
%!   knng.read (file);
%!   [~, warned{1}] = lastwarn ();
%!   lastwarn ('', '');
%!   knng.annotate (struct ('X', (1:3)', 'names', {{'p1'; 'p2'; 'p4'}}), file);
%!   [~, warned{2}] = lastwarn ();
%!   assert (warned{2}, warned{1}, words{i});
%! end

%!test  # Windows-1252
%! file = put ([sprintf('ID\tS'), char(228), sprintf('\tSymbol\np1\t'), char([128 228]), sprintf('\tA'), char(181), sprintf('\np2\t'), char([195 164]), sprintf('\tB\n')]);
%! gone = onCleanup (@() delete (file));
%! es = knng.annotate (struct ('X', [1; 2], 'names', {{'p1'; 'p2'}}), file);
%! assert (es.symbols, {['A', char([194 181])]; 'B'});
%! columns = struct2cell (es.annotation);
%! assert (columns{1}, {char([226 130 172 195 164]); char([195 164])});

%!warning <only 1 of 4 rows of DS is in the column 'a' of the table; 'p4' is not> knng.annotate (ds, struct ('a', {{'p1', 'p9'}}, 'b', [1 2]));
%!error id=knng:args:count knng.annotate (1)
%!error id=knng:args:ds knng.annotate (1, 'a')
%!error id=knng:args:annotation knng.annotate (struct ('X', 1), struct ('a', 1))
%!error id=knng:args:annotation knng.annotate (ds, 5)
%!error id=knng:args:annotation knng.annotate (ds, struct ())
%!error id=knng:args:annotation knng.annotate (ds, struct ('a', {{}}))
%!error <none of the 4 names of DS, such as 'p4', is in the column 'a'> knng.annotate (ds, struct ('a', {{'x'}}, 'b', 1))
%!error <no column 'bb' .did you mean 'b'> knng.annotate (ds, struct ('a', {{'p1'}}, 'b', 1), 'Columns', 'bb')
%!error <equally many> knng.annotate (ds, struct ('a', {{'p1'}}, 'b', [1 2]))
%!error id=knng:args:option knng.annotate (ds, struct ('a', {{'p1'}}), 'Key', 2)
%!error id=knng:args:option knng.annotate (ds, struct ('a', {{'p1'}}), 'Columns', 5)
%!error id=knng:args:unknownOption knng.annotate (ds, struct ('a', {{'p1'}}), 'Keys', 2)
%!error id=knng:io:open knng.annotate (ds, '/nonexistent/a.txt')
%!error id=knng:io:open knng.annotate (ds, '')
%!error id=knng:args:option knng.annotate (ds, struct ('a', {{'p1'}}), 'HeaderLines', 1)
%!error id=knng:args:option knng.annotate (ds, struct ('a', {{'p1'}}), 'Columns', @sin)
%!test
%! bad = {sprintf('#a\n!b\n'), 'no table'; sprintf('a\tb\n'), '2 columns.* and 0 lines'; sprintf('a\np1\n'), '1 column,'; ...
%!        sprintf('#x\n\na,b\np1,"2\n3,4\n'), 'line 4: the quotes'; sprintf('a\tb\np1\t2\t\np2\t3\t4\t\n'), 'line 3: found 3 fields, expected 2'};
%! for i = 1:size (bad, 1)
%!   file = put (bad{i, 1});
%!   gone = onCleanup (@() delete (file));
%!   try
%!     knng.annotate (ds, file);
%!     error ('it was taken');
%!   catch err
%!     assert ({err.identifier, isempty(regexp (err.message, bad{i, 2}, 'once'))}, {'knng:io:format', false}, bad{i, 2});
%!   end
%! end
