function write (file, varargin)
%KNNG.WRITE  Write a graph, data set or table to a file for other programs.
%   knng.write (file, A) writes the graph of the sparse n-by-n matrix A, as
%   knngraph returns it: an edge from node i to node j with the weight A(i,j).
%   knng.write (file, idx, dist) writes what [idx, dist] = knngraph (...)
%   returned.
%   knng.write (file, g) writes a struct, such as knng.read returns: the field
%   A, and names, groups, positions, attributes, directed if it has them.
%   knng.write (file, ds) writes a data set: a struct with the n-by-d matrix X
%   and, where it has them, names, samples, classes and symbols, as knng.read
%   returns it.
%   knng.write (file, t) writes a table of results: a struct of columns, such as
%   knng.neighbors, knng.edges, knng.compare, knng.enrich and knng.clustertable
%   return.
%   knng.write (..., 'Name', value, ...) takes options.
%
%   The ending of the file says the format; with .gz behind it, as in
%   'graph.gml.gz', the file is packed. knng.read reads back what was written,
%   as far as the format holds it, but for attributes.
%
%   Formats of graphs:
%
%     .gml      GML, with names, groups, positions, attributes, undirected
%               edges: opens in yEd laid out and coloured; igraph, networkx,
%               Gephi, Cytoscape
%     .graphml  GraphML, with the same: Gephi, Cytoscape, igraph, networkx
%     .gexf     GEXF 1.3, with the same: opens in Gephi laid out and coloured;
%               networkx
%     .cyjs     JSON of Cytoscape, with the same: opens in Cytoscape laid out;
%               Cytoscape.js, networkx
%     .net      Pajek, with names, positions, undirected edges: Pajek, igraph
%     .mtx      MatrixMarket, the matrix alone: SciPy, Julia, R
%     .csv      a table source,target,weight, with names, which have to differ:
%               Gephi, Cytoscape, pandas, spreadsheets
%     .knn      a line 'n m', then m lines 'source target weight', counted from
%               0: GPU-FS-kNN and the command-line program
%
%   Formats of data sets:
%
%     .nbi        with names, samples, classes; none of them with blanks, or
%                 with < in front
%     .csv, .tsv  tables with names, symbols behind them, and samples; classes
%                 are a line #class below the header, which R passes over by
%                 comment.char = "#", pandas by comment='#'. Without it a first
%                 row that is called class, group or the like, of whole numbers,
%                 will be read as classes. Symbols of which knng.read takes the
%                 first for a number are left out
%     .gct        GCT 1.2 with names, samples; without tabs, quotes, and blanks
%                 at their ends
%
%   Formats of tables:
%
%     .csv, .tsv  a line for each row, between commas or tabs, below one of the
%                 names of the fields: spreadsheets, R, pandas. A field of
%                 several columns has their names behind its own ('mean ALL' of
%                 knng.compare)
%
%   Options; for a data set and a table 'Format' and 'Encoding' alone:
%
%     'Names'      cell of n texts in UTF-8, the names of the nodes, such as
%                  ds.names; or a data set ds of n rows: their gene symbols,
%                  'SYMBOL name' where rows share one, and names where there is
%                  none. 'Labels' is the same; default none; GML and Pajek get
%                  numbers from 1
%     'Groups'     n labels, numbers or a cell of texts; nodes of one group have
%                  one colour in GML and GEXF. NaN and '' are no group. Default
%                  none
%     'Positions'  n-by-2, where to draw the nodes, NaN is nowhere; 'XY' is the
%                  same. In GML, GEXF and .cyjs the default is a disc of nodes
%                  for each group
%     'Attributes'
%                  what else is known of the nodes: a struct, such as
%                  ds.annotation or, of samples, ds.meta (its format is left
%                  out), of which each field has n numbers or texts; or a cell
%                  with a row {name, values} for each. NaN and '' are missing;
%                  logicals are 0 and 1. Names such as label and x, which a
%                  format has a use for, are refused. In GML a name loses all
%                  but letters and digits. Default none
%     'Directed'   true: every entry of A is an edge from i to j; false: A is
%                  symmetric, and i and j have one edge. Default: false if A is
%                  symmetric to the bit, else true
%     'Format'     an ending from above without the point, whatever the file
%                  ends in
%     'Encoding'   of texts: 'UTF-8', the default; 'windows-1252' ('cp1252') for
%                  spreadsheets that take a CSV file for it; 'ISO-8859-1'
%                  ('latin1') for older programs. A character that it lacks is
%                  an error, knng:args:encoding. GraphML, GEXF and .cyjs are
%                  always UTF-8
%
%   What a format does not hold is left out, with a warning, knng:args:leftOut.
%   In .csv and .knn an undirected edge stands twice, once in each direction; in
%   .csv a node without edges of its own has a row with nothing behind its name,
%   so that the first column has every node in order. The edges of a node stand
%   together, nearest first. A weight of realmin, which stands for the distance
%   0 in A, is written as 0, and becomes realmin again when it is read.
%
%   Numbers are the shortest decimals that read back to the same bits, in every
%   locale; NaN in a data set is written as NA; annotation and meta are not
%   written. knng.write ('rows.csv', setfield (ds.annotation, 'name', ds.names))
%   makes a table of annotation, which knng.annotate reads. Names that are
%   missing in a data set become F1, F2, ... and S1, S2, ... (.csv and .tsv of
%   several samples need no names of rows, unless there are classes, or the
%   first sample is called as a column of names would be, see knng.read).
%   Classes that are texts of numbers alone come back as numbers. A name that is
%   no UTF-8, or has characters that the format cannot hold, is an error; names
%   of knng.read are UTF-8, whatever the file was. knng.read finds out which of
%   the encodings above a file has, line by line.
%
%   In a table NaN is an empty field, and logicals are 0 and 1. Texts that begin
%   with =, +, -, @, a tab or the end of a line have a ' in front, so that no
%   spreadsheet takes them for a formula; numbers are never changed.
%
%   x and y of a node are its 'Positions', to the bit. What programs draw by has
%   them stretched to pixels: graphics in GML, viz:position in GEXF, position in
%   .cyjs. The colours of groups are the first 40 of knng.plot, of which people
%   of every colour vision tell the first eight apart; from the 41st group on
%   they repeat. Cytoscape finds them in the column color (Style > Fill Color >
%   passthrough).
%   A node without group is white, in GEXF and .cyjs as the program draws it. In
%   .cyjs a weight that is NaN is null.
%
%   The file appears when it is complete and on the disk: after an error, a full
%   disk or Ctrl-C the old one is still there. It has the rights of the one that
%   it replaces, which has to be writable. Links are followed; a pipe or a
%   device is written straight. A leading ~/ is your folder. Of several runs
%   that write the same file at once, the last to end stays.
%
%   Cost: one pass over the edges. Memory: 16 bytes an edge and 8 a node, and
%   for idx and dist 16 more an edge. A .csv or .tsv with symbols or classes
%   takes as much as its file before it is packed, in memory and as a file in
%   tempdir; whatever is written in another encoding than UTF-8 three times that
%   much in memory.
%
%   Errors: knng:args:file, :format, :encoding, :count, :class, :dims, :idx,
%   :names, :groups, :positions, :attributes, :directed, :ds, :unknownOption,
%   :option; knng:io:open, knng:io:write; knng:memory:host; knng:interrupted.
%
%   Source: M. Okabe, K. Ito (2008), for six of the eight colours.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     A = knngraph (X, 2);
%     file = [tempname() '.gml'];
%     knng.write (file, A, 'Names', {'a', 'b', 'c', 'd'}, ...
%                 'Groups', [1 1 1 2], 'Positions', X)
%     g = knng.read (file);
%     isequal (g.A, A)                    % 1
%     delete (file)
%
%   See also knng.read, knngraph.
if nargin < 2
    error ('knng:args:count', 'knng.write needs a file and a graph, as in knng.write (''graph.gml'', A): see help knng.write');
end
if ~ischar (file) || size (file, 1) ~= 1 || ndims (file) ~= 2
    error ('knng:args:file', 'FILE is %s: it must be the name of a file, in quotes', knng.internal.given (file));
end
knng.internal.built ();
if isstruct (varargin{1}) && isscalar (varargin{1}) && isfield (varargin{1}, 'X')
    write_data (file, varargin{1}, knng.internal.options (struct ('Format', '', 'Encoding', 'UTF-8'), varargin(2:end)));
    return
elseif isstruct (varargin{1}) && ~isfield (varargin{1}, 'A')
    write_table (file, varargin{1}, knng.internal.options (struct ('Format', '', 'Encoding', 'UTF-8'), varargin(2:end)));
    return
end
opt = struct ('Format', '', 'Encoding', 'UTF-8', 'Directed', [], 'Names', [], 'Groups', [], 'Positions', [], 'Attributes', []);
if isstruct (varargin{1})
    [A, opt] = from_struct (varargin{1}, opt);
    pairs = varargin(2:end);
    graph = knng.internal.graph_arguments ('knng.write (file, GRAPH)', {A});
else
    if ~issparse (varargin{1}) && (nargin < 3 || ischar (varargin{2}))
        error ('knng:args:class', ['the graph is %s: it must be a square sparse matrix as knngraph returns it, ' ...
               'or idx and dist; for a data set struct (''X'', X)'], knng.internal.given (varargin{1}));
    end
    [graph, pairs] = knng.internal.graph_arguments ('knng.write (file, GRAPH)', varargin);
end
A = graph{1};
if numel (graph) == 2
    A = knng.internal.graph ('knng.write (file, GRAPH)', graph);
end
if islogical (A)
    A = double (A);
end
opt = knng.internal.options (opt, pairs);
n = size (A, 1);
if isstruct (opt.Names)
    opt.Names = knng.internal.gene_names (opt.Names, 'Names');
    if numel (opt.Names) ~= n
        error ('knng:args:names', '''Names'' is a data set of %s, and the graph has %s: give the one that it was made of', ...
               knng.internal.count_of (numel (opt.Names), 'row'), knng.internal.count_of (n, 'node'));
    end
end
check_format (opt.Format, 'gml');
if ~(isnumeric (opt.Directed) && isempty (opt.Directed))
    knng.internal.check_flag ('Directed', opt.Directed);
end
p = opt.Positions;
if ~(isnumeric (p) && isempty (p)) && ~(isfloat (p) && isreal (p) && isequal (size (p), [n 2]) && ~any (isinf (p(:))))
    error ('knng:args:positions', '''Positions'' is a %d-by-%d %s: it must be %d-by-2, without Inf', ...
           size (p, 1), size (p, 2), class (p), n);
end
[labels, group] = group_numbers (opt.Groups, n);
parts = {pack(opt.Names, n, 'knng:args:names', '''Names''', 'node'), labels, group, double(full (p)), attributes_of(opt.Attributes, n)};
left_out = in_encoding (file, opt, @(file, format) knng.internal.write (file, format, double (opt.Directed), A, parts{:}));
warn_left_out (file, left_out, '.gml, .graphml, .gexf and .cyjs hold everything');
end

function left_out = write_text (file, text)
left_out = '';
knng.internal.explore ('write', text, file);                  % packs by the ending of FILE
end

function left_out = in_encoding (file, opt, make)
% make (file, format) writes a file in UTF-8. For another encoding it writes a temporary one first.
names = {'utf-8', 'utf8', 'windows-1252', 'cp1252', 'iso-8859-1', 'latin1'};
encodings = {'UTF-8', 'UTF-8', 'windows-1252', 'windows-1252', 'ISO-8859-1', 'ISO-8859-1'};
encoding = encodings{strcmp(names, knng.internal.check_choice ('Encoding', opt.Encoding, names))};
if strcmp (encoding, 'UTF-8')
    left_out = make (file, opt.Format);
    return
end
[~, format] = separator_of (file, opt.Format);
known = knng.internal.write ('formats');
known = [known.endings];
if ~any (strcmpi (format(2:end), known))
    left_out = make (file, opt.Format);                       % an error, which says what is
    return
elseif any (strcmpi (format, {'.graphml', '.gexf', '.cyjs'}))
    error ('knng:args:encoding', 'a %s file is always UTF-8, as it says itself: leave out ''Encoding''', format);
end
temporary = [tempname(), format];
gone = onCleanup (@() remove (temporary)); %#ok<NASGU>
left_out = make (temporary, opt.Format);
knng.internal.explore ('write', knng.internal.encoded (bytes_of (temporary), encoding), file);
end

function warn_left_out (file, left_out, remedy)
if ~isempty (left_out)
    warning ('knng:args:leftOut', '%s does not hold %s, which are left out: %s', file, left_out, remedy);
end
end

function write_data (file, ds, opt)
X = ds.X;
if ~isfloat (X) || ~isreal (X) || ndims (X) > 2 || isempty (X)
    error ('knng:args:ds', 'X of the data set is a %d-by-%d %s: it must be a real matrix, as knng.read returns it', ...
           size (X, 1), size (X, 2), class (X));
end
check_format (opt.Format, 'nbi');
counts = [size(X, 1), size(X, 2), size(X, 2)];
fields = {'names', 'samples', 'classes'};
kinds = {'row', 'sample', 'sample'};
text = cell (1, 3);
for c = 1:3
    strings = [];
    if isfield (ds, fields{c})
        strings = ds.(fields{c});
    end
    if c == 3 && (isnumeric (strings) || islogical (strings))
        missing = isnan (strings);
        strings = arrayfun (@knng.internal.number_text, full (strings), 'UniformOutput', false);
        strings(missing) = {'NA'};
    end
    text{c} = pack (strings, counts(c), 'knng:args:ds', ['The field ' fields{c}], kinds{c});
end
labels = strings;                                             % of the classes, which were the last
symbols = {};
if isfield (ds, 'symbols')
    pack (ds.symbols, counts(1), 'knng:args:ds', 'The field symbols', 'row');
    symbols = knng.internal.symbols_of (ds);
end
separator = separator_of (file, opt.Format);
why = '';
written = false;
if ~isempty (separator) && ~isempty (text{1}) && ~isempty (symbols)
    check_texts (symbols, 'symbol', 'row');
    [written, why] = are_read (symbols);
end
line = '';
if ~isempty (separator) && ~isempty (text{3})
    check_texts (labels, 'class', 'sample');
    name = 'F1';
    if ~isempty (text{1})
        name = ds.names{1};
    end
    [line, differs] = class_line (labels, ds.classes, separator, written, name, full (double (X(1:min (end, 1), :))));
end
if written || ~isempty (line)
    columns = {};
    if written
        columns = symbols;
    end
    names = arrayfun (@(i) sprintf ('F%d', i), 1:counts(1) * isempty (text{1}), 'UniformOutput', false);
    if ~isempty (text{1})
        names = ds.names;
    end
    if ~isempty (line)
        text{3} = zeros (1, 0, 'uint8');
    end
    left_out = in_encoding (file, opt, @(file, ~) write_lines (file, separator, full (double (X)), text, names, columns, line));
    if written && ~isempty (why)
        warning ('knng:args:leftOut', '%s has the symbols, but %s', file, why);
    end
    if ~isempty (line) && ~isempty (differs)
        warning ('knng:args:leftOut', '%s has the classes, but %s', file, differs);
    end
else
    left_out = in_encoding (file, opt, @(file, format) knng.internal.write (file, format, full (double (X)), text{:}));
end
remedy = repmat ({'.nbi holds them'}, 1, ~isempty (left_out));
if ~isempty (symbols) && ~written
    left_out = [left_out, repmat(', ', 1, ~isempty (left_out)), 'symbols'];
    if isempty (why)
        why = '.csv and .tsv hold symbols, beside names';
    end
    remedy{end+1} = why;
end
warn_left_out (file, left_out, strjoin (remedy, '; '));
end

function [separator, ending] = separator_of (file, format)
% Of .csv and .tsv, by the ending of the file, packed or not, or by FORMAT; '' of all others.
packed = numel (file) > 3 && strcmp (file(end-2:end), '.gz');
[~, ~, ending] = fileparts (file(1:end - 3 * packed));
if ~isempty (format)
    ending = ['.', reshape(format, 1, [])];
end
separator = {',', sprintf('\t')};
separator = [separator{strcmpi(ending, {'.csv', '.tsv'})}];
end

function check_texts (texts, what, of)
% An error, where a table cannot hold one of these.
temporary = [tempname(), '.csv'];
gone = onCleanup (@() remove (temporary));
n = numel (texts);
texts(cellfun ('isempty', texts)) = {'none'};
try
    knng.internal.write (temporary, 'csv', zeros (n, 1), pack (texts, n, 'knng:args:ds', what, of), zeros (1, 0, 'uint8'), zeros (1, 0, 'uint8'));
catch err
    error (err.identifier, '%s', strrep (err.message, 'a text of row', sprintf ('the %s of %s', what, of)));
end
end

function back = read_again (text)
% What knng.read makes of a small table, without a word.
temporary = [tempname(), '.csv'];
gone = onCleanup (@() remove (temporary));
knng.internal.explore ('write', knng.internal.utf8_bytes (text), temporary);
doubts = {'spreadsheet', 'metadata', 'transposed', 'counts', 'samples', 'texts', 'sampleNames'}; % of which knng.read tells when the file is read
restored = knng.internal.quiet_rows (strcat ('knng', ':data:', doubts));
back = knng.read (temporary);
end

function [line, why] = class_line (texts, classes, separator, symbols, name, values)
% The line of the classes, for below the header; '' where knng.read would find none in it, as all are missing. WHY: what it reads otherwise.
% With # before its name a line is one whatever is in it, and other programs may pass over it. SYMBOLS: whether it passes a column of these.
% NAME and VALUES: the first row, which may be taken for classes, too.
fields = quoted (texts, '');
if ~iscell (classes)
    fields = reshape (texts, 1, []);
end
d = numel (fields);
[line, why] = deal ('', '');
by_commas = [repmat({','}, 1, d); fields];
first = [quoted({name}, ''), {sprintf(',%.17g', values), sprintf('\n')}];
try
    back = read_again ([sprintf(',"s%d"', 1:d), sprintf('\n#class'), by_commas{:}, sprintf('\n'), first{:}, '"r"', repmat(',0.5', 1, d), sprintf('\n')]);
catch err
    if isempty (regexp (err.identifier, ':io:format$', 'once'))
        rethrow (err);
    end
    return
end
if numel (back.classes) ~= d
    return
end
parts = [repmat({separator}, 1, d); fields];
line = ['#class', repmat(separator, 1, symbols), parts{:}, sprintf('\n')];
found = back.classes;
if isnumeric (found)
    missing = isnan (found);
    found = arrayfun (@knng.internal.number_text, found, 'UniformOutput', false);
    found(missing) = {repmat('NA', 1, ~iscell (classes))};
end
other = find (~strcmp (found(:), texts(:)));
if size (back.X, 1) < 2
    why = sprintf ('knng.read takes the first row, called ''%s'', for classes, too: call it otherwise', knng.internal.shown (name));
elseif ~isempty (other)
    why = sprintf ('knng.read has ''%s'' for %d of them, the first ''%s'' of sample %d', knng.internal.shown (found{other(1)}), numel (other), ...
                   knng.internal.shown (texts{other(1)}), other(1));
end
end

function [yes, why] = are_read (symbols)
% Will knng.read take the column for texts? It is asked, with a small table. WHY not; or what it reads otherwise, '' for nothing.
lines = [repmat({'"r",'}, 1, numel (symbols)); quoted(symbols, ''); repmat({sprintf(',0.5\n')}, 1, numel (symbols))];
try
    back = read_again ([sprintf(',symbol,"S"\n'), lines{:}]);
    yes = size (back.X, 2) == 1 && numel (back.symbols) == numel (symbols);
catch err
    if isempty (regexp (err.identifier, ':io:format$', 'once'))
        rethrow (err);
    end
    yes = false;
end
why = '';
if ~yes
    known = symbols(~ismember (lower (strtrim (symbols)), {'', 'na', 'nan', '+nan', '-nan', 'n/a', '#n/a', 'null', '?'}));
    why = 'all are words for a missing value';
    if ~isempty (known)
        why = sprintf ('the first, ''%s'', is a number to knng.read, which would take them for values', knng.internal.shown (known{1}));
    end
elseif ~isequal (back.symbols, symbols)
    other = find (~strcmp (back.symbols, symbols));
    why = sprintf ('knng.read has ''%s'' for %d of them, the first ''%s'' in row %d: leave it empty where there is none', ...
                   knng.internal.shown (back.symbols{other(1)}), numel (other), knng.internal.shown (symbols{other(1)}), other(1));
end
end

function texts = quoted (texts, empty)
texts = strcat ({'"'}, strrep (reshape (texts, 1, []), '"', '""'), {'"'});
texts(strcmp (texts, '""')) = {empty};
end

function left_out = write_lines (file, separator, X, text, names, symbols, line)
% As the gateway writes a table, with LINE below the header, '' for none, and a column of symbols behind the names, {} for none: it writes
% blocks of rows without either, and without the names.
[n, d] = size (X);
part = [tempname(), '.csv'];
whole = [tempname(), '.csv'];
gone = {onCleanup(@() remove (part)), onCleanup(@() remove (whole))}; %#ok<NASGU>
format = {'csv', 'tsv'};
format = format{1 + (separator ~= ',')};
knng.internal.write (part, format, zeros (n, 1), text{1}, zeros (1, 0, 'uint8'), zeros (1, 0, 'uint8'));     % an error, if it cannot hold the names
beside = cell (0, n);
if ~isempty (symbols)
    beside = [repmat({separator}, 1, n); quoted(symbols, '')];
end
total = 0;
step = max (1, floor (2^17 / d));
for from = 1:step:n
    rows = from:min (from + step - 1, n);
    m = numel (rows);
    left_out = knng.internal.write (part, format, X(rows, :), pack (repmat ({'r'}, 1, m), m, '', '', ''), text{2:3});
    bytes = bytes_of (part);
    ends = find (bytes == 10);
    top = ends(end - m);                                      % the names of samples may have ends of lines
    values = strsplit (char (bytes(top+1:end)), '"r"');       % letters of ASCII
    lines = [quoted(names(rows), '""'); beside(:, rows); values(2:end)];
    head = zeros (1, 0, 'uint8');
    if from == 1
        head = [knng.internal.utf8_bytes(repmat ([separator, 'symbol'], 1, ~isempty (symbols))), bytes(1:top), knng.internal.utf8_bytes(line)];
    end
    bytes = [head, knng.internal.utf8_bytes([lines{:}])];
    append (whole, bytes);
    total = total + numel (bytes);
end
bytes = zeros (1, total, 'uint8');
f = fopen (whole, 'r');
closed = onCleanup (@() fclose (f)); %#ok<NASGU>
for from = 1:2^20:total                                       % at once it would take the memory twice
    to = min (from + 2^20 - 1, total);
    bytes(from:to) = fread (f, to - from + 1, '*uint8');
end
knng.internal.explore ('write', bytes, file);
end

function bytes = bytes_of (file)
f = fopen (file, 'r');
closed = onCleanup (@() fclose (f)); %#ok<NASGU>
bytes = reshape (fread (f, Inf, '*uint8'), 1, []);
end

function append (file, bytes)
f = fopen (file, 'a');
if f < 0
    error ('knng:io:open', 'cannot write the temporary file %s', file);
end
count = fwrite (f, bytes, 'uint8');
if fclose (f) ~= 0 || count ~= numel (bytes)
    error ('knng:io:write', 'cannot write the temporary file %s: is the disk full?', file);
end
end

function remove (file)
if exist (file, 'file')
    delete (file);
end
end

function write_table (file, t, opt)
% A struct of columns.
check_format (opt.Format, 'csv');
[separator, ending] = separator_of (file, opt.Format);
if ~knng.internal.is_table (t)
    error ('knng:args:class', ['a struct must have the field A, the sparse matrix of a graph, or X, the matrix of a data set; or be a table ' ...
           'of results, whose fields are columns of one length, of real numbers or texts']);
elseif isempty (separator) && (numel (ending) < 2 || strcmp (ending, '.gz'))
    error ('knng:args:format', ['the ending of %s does not say how a table of results is written: give it one of the endings .csv, ' ...
           '.tsv (and .gz behind it, to pack it), or use the option ''Format'''], knng.internal.given (file));
elseif isempty (separator)
    error ('knng:args:format', 'a table of results is no %s file: it must be .csv or .tsv (and .gz to pack it), by the ending of the file or ''Format''', ...
           knng.internal.given (ending));
end
in_encoding (file, opt, @(file, ~) write_text (file, knng.internal.table_text (t, separator)));
end

function check_format (given, example)
if ~ischar (given)
    error ('knng:args:format', '''Format'' is a %s: it must be text, such as ''%s''', class (given), example);
end
end

function [A, opt] = from_struct (g, opt)
% The parts of a graph in one struct.
if ~isscalar (g) || ~isfield (g, 'A')
    error ('knng:args:class', ['a struct must have the field A, the sparse matrix of a graph, or X, the matrix of a ' ...
           'data set']);
end
A = g.A;
fields = {'names', 'groups', 'positions', 'attributes', 'directed'};
names = {'Names', 'Groups', 'Positions', 'Attributes', 'Directed'};
for c = 1:numel (fields)
    if isfield (g, fields{c})
        opt.(names{c}) = g.(fields{c});
    end
end
end

function text = pack (strings, n, id, what, each)
% The n strings as one uint8 row, each with a 0 behind it; empty for none.
text = zeros (1, 0, 'uint8');
if isempty (strings)
    return
end
if ~iscellstr (strings) || numel (strings) ~= n || any (cellfun ('size', strings(:), 1) > 1) || any (cellfun ('ndims', strings(:)) > 2)
    error (id, '%s is a %d-by-%d %s: it must be a cell of %d texts, one for each %s%s', what, ...
           size (strings, 1), size (strings, 2), class (strings), n, each, ...
           knng.internal.of_pairs (n, numel (strings), sprintf ('knng.metanames (names, ops, 1:%d) names them', n)));
end
all = [reshape(strings, 1, n); repmat({char(0)}, 1, n)];
if exist ('OCTAVE_VERSION', 'builtin') ~= 0
    text = uint8 ([all{:}]);    % its characters are the bytes of UTF-8
else
    text = unicode2native ([all{:}], 'UTF-8');
end
if sum (text == 0) ~= n
    error (id, '%s has texts that hold the character 0', what);
end
end

function list = attributes_of (given, n)
% As the gateway takes them: a struct array with name and key, packed, and values, n doubles or n packed texts.
list = struct ('name', {}, 'key', {}, 'values', {});
pairs = cell (0, 2);
if isstruct (given) && numel (given) == 1
    pairs = [fieldnames(given), struct2cell(given)];
    pairs(strcmp (pairs(:, 1), 'format') & cellfun (@(v) ischar (v) && isrow (v) && n > 1, pairs(:, 2)), :) = [];
elseif iscell (given) && ndims (given) == 2 && size (given, 2) == 2 && iscellstr (given(:, 1))
    pairs = given;
elseif ~((isnumeric (given) || iscell (given)) && isempty (given))
    error ('knng:args:attributes', '''Attributes'' is %s: it must be a struct of one element, or a cell with a row {name, values} for each', ...
           knng.internal.given (given));
end
used = {'id', 'name', 'label', 'group', 'x', 'y', 'value', 'color', 'graphics', 'source', 'target', 'weight', 'suid', 'selected', 'parent'};
keys = {};
for i = 1:size (pairs, 1)
    [name, values] = pairs{i, :};
    if any (strcmpi (strtrim (name), used))
        error ('knng:args:attributes', 'an attribute is called ''%s'', which formats of graphs have a use for: give it another name', ...
               knng.internal.shown (name));
    elseif isempty (name) || size (name, 1) ~= 1 || any (strcmp (name, pairs(1:i-1, 1)))
        error ('knng:args:attributes', 'attribute %d is called %s: each needs a name of its own', i, knng.internal.given (name));
    end
    if ischar (values) && ndims (values) == 2
        values = cellstr (values);
    elseif (isnumeric (values) || islogical (values)) && isreal (values) && numel (values) == n
        values = double (full (values(:)));
    end
    if iscell (values)
        values = pack (values, n, 'knng:args:attributes', sprintf ('The attribute ''%s''', knng.internal.shown (name)), 'node');
    elseif ~isa (values, 'double') || ~isequal (size (values), [n 1])
        error ('knng:args:attributes', 'the attribute ''%s'' is %s: it must have a number or a text for each of the %d nodes', ...
               knng.internal.shown (name), knng.internal.given (pairs{i, 2}), n);
    end
    if isempty (values)
        continue                                              % of no nodes
    end
    keys{end+1} = key_of (name, [used, keys]); %#ok<AGROW>
    list(end+1) = struct ('name', pack ({name}, 1, 'knng:args:attributes', 'The name of an attribute', 'attribute'), ...
                          'key', pack (keys(end), 1, '', '', ''), 'values', values); %#ok<AGROW>
end
end

function key = key_of (name, used)
% A word for GML that is not used.
word = name(isstrprop (name, 'alphanum') & name < 128);
if isempty (word) || ~isletter (word(1))
    word = ['a', word];
end
word = word(1:min (end, 60));
key = word;
for i = 2:numel (used) + 2
    if ~any (strcmpi (key, used))
        break
    end
    key = sprintf ('%s%d', word, i);
end
end

function [labels, group] = group_numbers (groups, n)
% The different labels, packed, and the number of the label of each node; 0 is none.
labels = zeros (1, 0, 'uint8');
group = [];
if isempty (groups)
    return
end
number = isnumeric (groups) || islogical (groups);
if numel (groups) ~= n || ~(number && isreal (groups) || iscellstr (groups))
    error ('knng:args:groups', '''Groups'' is a %d-by-%d %s: it must have a number or a text for each of the %d nodes', ...
           size (groups, 1), size (groups, 2), class (groups), n);
end
if number
    groups = full (groups(:));
    some = ~isnan (groups);
else
    groups = groups(:);
    some = ~cellfun ('isempty', groups);
end
group = zeros (n, 1);
[different, ~, group(some)] = unique (groups(some));
if number
    different = arrayfun (@knng.internal.number_text, different, 'UniformOutput', false);
end
labels = pack (different, numel (different), 'knng:args:groups', '''Groups''', 'node');
end

%!test  # the example of the help
%! X = [0 0; 1 0; 0 2; 5 5];
%! A = knngraph (X, 2);
%! f = [tempname() '.gml'];
%! unwind_protect
%!   knng.write (f, A, 'Names', {'a', 'b', 'c', 'd'}, 'Groups', [1 1 1 2], 'Positions', X);
%!   text = fileread (f);
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect
%! assert (numel (strfind (text, 'label "d" group "2" x 5.0 y 5.0 graphics [ x ')), 1);
%! assert (numel (strfind (text, 'targetArrow')), 8);
%! assert (numel (strfind (text, '#0072B2')), 3);

%!test  # names from a data set: symbols, which differ
%! ds = struct ('X', magic (4), 'names', {{'p1', 'p2', 'p3', 'p4'}}, 'symbols', {{'CD33', 'ACTB', 'ACTB', ''}});
%! A = knngraph (ds.X, 2);
%! for ending = {'.gml', '.csv'}
%!   file = [tempname() ending{1}];
%!   gone = onCleanup (@() delete (file));
%!   knng.write (file, A, 'Names', ds);
%!   g = knng.read (file);
%!   assert ({g.A, sort(g.names)}, {A, {'ACTB p2'; 'ACTB p3'; 'CD33'; 'p4'}});
%! end
%!test  # a first row that knng.read takes for classes, too
%! name = [tempname(), '.csv'];
%! gone = onCleanup (@() delete (name));
%! warning ('error', 'knng:args:leftOut', 'local');
%! ds = struct ('X', [8 1 5; 3 1 6], 'names', {{'class'; 'x'}}, 'samples', {{'a', 'b', 'c'}}, 'classes', {{'p', 'q', 'p'}});
%! fail ('knng.write (name, ds)', 'has the classes, but knng.read takes the first row, called ''class'', for classes, too: call it otherwise');
%! ds.names{1} = 'a "class", of its own';
%! knng.write (name, ds);
%! back = knng.read (name);
%! assert ({back.X, back.classes, back.names{1}}, {ds.X, ds.classes, ds.names{1}});

%!error <'Names' is a data set of 4 rows, and the graph has 3 nodes: give> knng.write ('never.gml', sparse (3, 3), 'Names', struct ('X', magic (4)))
%!error id=knng:args:names knng.write ('never.gml', sparse (3, 3), 'Names', struct ('X', magic (4)))
%!error id=knng:args:ds knng.write ('never.gml', sparse (3, 3), 'Names', struct ('a', 1))

%!test  # attributes, in every format that carries them; names as words in GML; 'XY' is 'Positions'
%! X = [0 0; 1 0; 0 2];
%! more = {'log FC', [1.5; NaN; -2]; 'log-FC', {'a', '', 'c "d" & é'}; '2 x', logical([1; 0; 1])};
%! f = tempname ();
%! text = cell (1, 5);
%! kinds = {'gml', 'graphml', 'gexf', 'cyjs', 'net'};
%! warning ('off', 'knng:args:leftOut', 'local');
%! lastwarn ('', '');
%! for i = 1:5
%!   knng.write (f, knngraph (X, 1), 'XY', X, 'Attributes', more, 'Format', kinds{i});
%!   text{i} = fileread (f);
%!   delete (f);
%! end
%! assert (! isempty (strfind (text{1}, ' logFC 1.5 logFC2 "a" a2x 1.0 graphics [')));
%! assert (! isempty (strfind (text{1}, ' y 0.0 a2x 0.0 graphics [')));
%! assert (! isempty (strfind (text{1}, 'logFC -2.0 logFC2 "c &quot;d&quot; &amp; &#233;"')));
%! assert (! isempty (strfind (text{2}, '<key id="a2" for="node" attr.name="log-FC" attr.type="string"/>')));
%! assert (! isempty (strfind (text{2}, '<data key="a1">-2</data><data key="a2">c "d" &amp; é</data><data key="a3">1</data></node>')));
%! assert (! isempty (strfind (text{3}, '<attribute id="a1" title="log FC" type="double"/>')));
%! assert (! isempty (strfind (text{3}, '<attvalue for="y" value="0"/><attvalue for="a3" value="0"/></attvalues>')));
%! assert (! isempty (strfind (text{4}, '"y": 2, "log FC": -2, "log-FC": "c \"d\" & é", "2 x": 1}')));
%! knng.write (f, struct ('A', knngraph (X, 1), 'attributes', struct ('a', {{'x'; 'y'; 'z'}})), 'Format', 'gml');
%! text = fileread (f);
%! delete (f);
%! assert (numel (regexp (text, ' a "[xyz]"')), 3);
%!test  # what knng.read knows of samples, among it the format of the file
%! f = [tempname() '.csv.graphml'];
%! unwind_protect
%!   knng.write (f, knngraph ([1; 2; 4], 1), 'Attributes', struct ('format', 'h5ad', 'kind', {{'B', 'T', ''}}));
%!   text = fileread (f);
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect
%! assert (numel (strfind (text, 'attr.name="kind"')), 1);
%! assert (isempty (strfind (text, 'h5ad')));
%!error <attributes, which are left out> warning ('error', 'knng:args:leftOut', 'local'), knng.write ([tempname() '.mtx'], sparse (2, 2), 'Attributes', {'a', [1 2]})
%!error <an attribute is called 'X', which formats> knng.write ('x.gml', sparse (1), 'Attributes', struct ('X', 1))
%!error <attribute 2 is called 'a': each needs> knng.write ('x.gml', sparse (1), 'Attributes', {'a', 1; 'a', 2})
%!error <the attribute 'a' is a 1-by-2 double: it must have> knng.write ('x.gml', sparse (1), 'Attributes', struct ('a', [1 2]))
%!error id=knng:args:attributes knng.write ('x.gml', sparse (1), 'Attributes', {'a', {1}})
%!error id=knng:args:attributes knng.write ('x.gml', sparse (1), 'Attributes', {'', 1})
%!error id=knng:args:attributes knng.write ('x.gml', sparse (1), 'Attributes', 'a')
%!error id=knng:args:names knng.write ('x.graphml', sparse (1), 'Attributes', {char(7), 1})
%!error id=knng:args:names knng.write ('x.gml', sparse (1), 'Attributes', {'a', {char(200)}})
%!test  # the symbols of a data set come back; what could pass for values is left out, with a warning
%! ds = struct ('X', [0.1 NaN; 2 -Inf; 1e-300 1/3], 'names', {{'a"b', "c,\td", 'é'}}, 'samples', {{'s1', "x\ny"}}, 'symbols', {{'', "S/// \"T\"\t,", 'NA'}});
%! for ending = {'.csv', '.tsv', '.TSV.gz', '.csv.gz'}
%!   f = [tempname() ending{1}];
%!   gone = onCleanup (@() delete (f));
%!   warning ('off', 'knng:args:leftOut', 'local');
%!   knng.write (f, ds);
%!   back = knng.read (f);
%!   assert ({back.X, back.names', back.samples}, {ds.X, ds.names, ds.samples});
%!   assert ({back.annotation.symbol, back.symbols}, {ds.symbols', {''; ds.symbols{2}; ''}});
%! end
%! f = [tempname() '.csv'];
%! gone = onCleanup (@() delete (f));
%! knng.write (f, ds);
%! assert (strncmp (fileread (f), sprintf (',symbol,"s1","x\ny"\n"a""b",,0.1,NA\n"c,\td","S/// ""T""\t,",2,-INF\n'), 60));
%! warning ('error', 'knng:args:leftOut', 'local');
%! fail ('knng.write (f, ds)', 'has the symbols, but knng.read has '''' for 1 of them, the first ''NA'' in row 3: leave it empty');
%! knng.write (f, struct ('X', 1, 'names', {{'a'}}, 'symbols', {{'b'}}), 'Format', 'tsv');
%! assert (fileread (f), sprintf ('\tsymbol\tS1\n"a"\t"b"\t1\n'));
%! odd = struct ('X', [1 2], 'symbols', {{'TP53'}});
%! fail ('knng.write (f, odd)', 'does not hold symbols, which are left out: .csv and .tsv hold symbols');
%! odd = struct ('X', [1 2], 'names', {{'a'}}, 'symbols', {{'TP53'}}, 'classes', [0 1]);
%! knng.write (f, odd);
%! assert (fileread (f), sprintf (',symbol,S1,S2\n#class,,0,1\n"a","TP53",1,2\n'));
%! back = knng.read (f);
%! assert (back.classes, [0 1]);
%! fail ('knng.write (f, odd, ''Format'', ''gct'')', 'does not hold classes, symbols, which are left out: .nbi holds them; .csv and .tsv');
%! odd.symbols = {char([97 200])};
%! fail ('knng.write (f, odd)', 'UTF-8');
%!test  # classes come back, odd ones too; where they do not it is said
%! files = {[tempname() '.csv'], [tempname() '.tsv.gz']};
%! gone = onCleanup (@() cellfun (@delete, files));
%! warning ('error', 'knng:args:leftOut', 'local');
%! ds = struct ('X', [1.5 2 NaN; 4 5 6.25], 'names', {{'a'; 'b'}}, 'samples', {{'s1', 's2', 's3'}}, 'symbols', {{'A'; 'B'}});
%! for classes = {{'x', 'y y', ''}, {' a', 'b ', '"q"'}, {'a,b', "c\td", 'e;f'}, {'1', 'a', '2'}, {'1.5', 'x', ''}, {'x', 'x', 'x'}, ...
%!                {'"', '""', ','}, {'NA', 'x', 'y'}, {"a\nb", 'c', "\303\274"}, {'#x', '!y', '=z'}, {'1e3', '1d3', '0x10'}, {'---', '-', '.'}, ...
%!                {'2020-01-01', '1.2.3', '24h'}, {'class', 'group', 'x'}, [1 2 3], [1 NaN 0.1], [0 0 0]}
%!   ds.classes = classes{1};
%!   for file = files
%!     for less = {{}, {'symbols'}, {'symbols', 'names'}}
%!       knng.write (file{1}, rmfield (ds, less{1}));
%!       back = knng.read (file{1});
%!       assert (isequaln ({back.X, back.samples, back.classes}, {ds.X, ds.samples, ds.classes}));
%!       assert (isequal (back.names, ds.names), numel (less{1}) < 2);
%!       assert (isequal (back.symbols, ds.symbols), isempty (less{1}));
%!     end
%!   end
%! end
%! ds.classes = [true, false, true];
%! knng.write (files{1}, ds);
%! assert (fileread (files{1}), sprintf (',symbol,"s1","s2","s3"\n#class,,1,0,1\n"a","A",1.5,2,NA\n"b","B",4,5,6.25\n'));
%! ds.classes = {'1', '2', '3'};                                # knng.read takes these for numbers, in every format
%! knng.write (files{2}, rmfield (ds, {'symbols', 'names'}));
%! back = knng.read (files{2});
%! assert ({back.classes, back.names}, {[1 2 3], {'F1'; 'F2'}});
%! ds.classes = {"\374", 'a', 'b'};
%! fail ('knng.write (files{1}, ds)', 'the class of sample 1');
%! ds.classes = {'01', '1', '2'};
%! fail ('knng.write (files{1}, ds)', 'has the classes, but knng.read has ''1'' for 1 of them, the first ''01'' of sample 1$');
%! ds.classes = {'', '', ''};
%! fail ('knng.write (files{1}, ds)', 'does not hold classes, which are left out: .nbi holds them$');
%! ds.classes = {"\303\274", 'a', 'b'};
%! knng.write (files{1}, ds, 'Encoding', 'latin1');
%! back = knng.read (files{1});
%! assert (back.classes, ds.classes);

%!test  # what is written comes back, in the first row, too: the reader says what a symbol is
%! f = [tempname() '.csv'];
%! gone = onCleanup (@() delete (f));
%! warning ('error', 'knng:args:leftOut', 'local');
%! warning ('off', 'knng:data:texts', 'local');            % of <5
%! ds = struct ('X', [0.5 NaN; NaN NaN], 'names', {{'a', ''}});
%! for first = {'i', '1i', '#x', '<5', '1.2.3', '1,2,3', ' a ', "1\n2", 'TP53', 'Infinity 2', '1-Mar', ''}
%!   ds.symbols = {first{1}; '7157'};
%!   if (isempty (first{1}))
%!     ds.symbols{2} = 'x';
%!   end
%!   knng.write (f, ds);
%!   back = knng.read (f);
%!   assert ({back.X, back.symbols}, {ds.X, ds.symbols});
%! end
%! warning ('off', 'knng:args:leftOut', 'local');
%! for first = {'1.234.567', '1 2', '12%', '1e', '1E', '1e+', 'Infinity', '7157', '1,234,567'}
%!   ds.symbols = {'NA'; first{1}};
%!   warning ('error', 'knng:args:leftOut', 'local');
%!   fail ('knng.write (f, ds)', ['not hold symbols, which are left out: the first, ''' strrep(first{1}, '+', '\+') ''', is a number to']);
%!   warning ('off', 'knng:args:leftOut', 'local');
%!   knng.write (f, ds);
%!   back = knng.read (f);
%!   assert ({back.X, back.symbols}, {ds.X, cell(0, 1)});
%! end
%! warning ('error', 'knng:args:leftOut', 'local');
%! ds.symbols = {'null', 'n/a'};
%! fail ('knng.write (f, ds)', 'left out: all are words for a missing value');
%! ds.symbols = {'TP53', '---'};
%! fail ('knng.write (f, ds)', 'knng.read has '''' for 1 of them, the first ''---'' in row 2');
%!test  # in blocks of rows, as in one
%! n = 2500;
%! f = [tempname() '.tsv'];
%! gone = onCleanup (@() delete (f));
%! ds = struct ('X', reshape (1:1000 * n, n, 1000) / 8, 'names', {arrayfun(@(i) sprintf ('ä%d', i), (1:n)', 'UniformOutput', false)});
%! ds.symbols = strcat ('"é', ds.names);
%! ds.samples = strcat ({"ü\n"}, ds.names(1:1000)');
%! knng.write (f, ds);
%! back = knng.read (f);
%! assert ({back.X, back.names, back.symbols, back.samples}, {ds.X, ds.names, ds.symbols, ds.samples});
%!error <^the symbol of row 3, 'a.', holds characters> knng.write ('x.csv', struct ('X', ones (3, 2), 'names', {{'a', 'b', 'c'}}, 'symbols', {{'', 'ok', char([97 200])}}))
%!error <^The field symbols is a 1-by-2 cell: it must be a cell of 3 texts> knng.write ('x.csv', struct ('X', ones (3, 2), 'symbols', {{'s', 'ok'}}))
%!error id=knng:args:ds knng.write ('x.nbi', struct ('X', ones (3, 2), 'names', {{'a', 'b', 'c'}}, 'symbols', {{'s', 'ok', 5}}))

%!test  # tables: what others return, and what R would read
%! f = [tempname() '.CSV'];
%! gone = onCleanup (@() delete (f));
%! ds = struct ('X', [1 2 3 4; 2 4 6 9; 4 3 2 1; 1 3 2 NaN], 'names', {{'ZYX', 'CD33', '=MYB', 'a,b'}}, 'classes', {{'x', 'x', 'y', 'y'}});
%! t = knng.compare (ds);
%! knng.write (f, t);
%! lines = strsplit (fileread (f), "\n");
%! assert (lines{1}, 'row,name,mean x,mean y,count x,count y,difference,statistic,df,p,fdr');
%! assert (numel (lines), 6);
%! assert (sum (~cellfun ('isempty', strfind (lines, ',''=MYB,'))), 1);
%! at = find (t.row == 2);
%! assert (str2double (strsplit (lines{at + 1}, ','))([1, 3:11]), [2, t.mean(at, :), t.count(at, :), t.difference(at), t.statistic(at), t.df(at), ...
%!         t.p(at), t.fdr(at)]);
%! [idx, dist] = knngraph (ds.X, 2, 'Rows', 'pairwise', 'MinValid', 1);
%! knng.write (f, knng.neighbors (ds, idx, dist, 'CD33'), 'Format', 'tsv');
%! assert (strtok (fileread (f), "\n"), sprintf ('rank\tname\tindex\tdistance\tr'));
%! E = knng.edges (idx, dist, 'Names', ds.names);
%! knng.write (f, E);
%! assert (sum (fileread (f) == "\n"), numel (E.i) + 1);
%! [~, e] = knng.clustertable (ds, [1 1 2 2], 'Of', 'samples');
%! knng.write (f, e);
%! knng.write (f, knng.clustertable (ds, [1 1 2 2]));
%! sets = struct ('names', {{'s'}}, 'genes', {{{'ZYX', 'CD33'}}});
%! knng.write (f, knng.enrich (ds, [1 1 2 2], sets, 'MinSize', 1));
%! line = strsplit (fileread (f), "\n"){2};
%! assert ({strncmp(line, '1,s,2,2,2,2,1,2,0.1666', 22), line(end-11:end)}, {true, ',"CD33, ZYX"'});
%!test  # packed: the same bytes below, the same each time; 'Format' says the kind, .gz that it is packed
%! t = struct ('i', (1:2000)', 'name', {repmat({'a,b'; 'c'}, 1000, 1)});
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   at = @(name) fullfile (folder, name);
%!   knng.write (at ('t.csv'), t);
%!   plain = fileread (at ('t.csv'));
%!   knng.write (at ('t.csv.gz'), t);
%!   bytes = fileread (at ('t.csv.gz'));
%!   assert (double (bytes(1:2)), [31 139]);
%!   assert (numel (bytes) < numel (plain));
%!   knng.write (at ('t.csv.gz'), t);
%!   assert (fileread (at ('t.csv.gz')), bytes);
%!   delete (at ('t.csv'));
%!   gunzip (at ('t.csv.gz'), folder);
%!   assert (fileread (at ('t.csv')), plain);
%!   knng.write (at ('u.gz'), t, 'Format', 'tsv');
%!   gunzip (at ('u.gz'), folder);
%!   assert (strtok (fileread (at ('u')), "\n"), sprintf ('i\tname'));
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, 'local');
%!   rmdir (folder, 's');
%! end_unwind_protect
%!test  # symbols that are numbers but for the first: no warning of the trial table that knng.read is asked about
%! warning ('error', 'knng:data:texts', 'local');
%! ds = struct ('X', reshape (1:10, 5, 2), 'names', {{'a', 'b', 'c', 'd', 'e'}}, 'symbols', {{'x', '1.5', '2.5', '3.5', '4.5'}});
%! file = [tempname() '.csv'];
%! unwind_protect
%!   knng.write (file, ds);
%!   assert (! isempty (strfind (fileread (file), '"a","x",')));
%! unwind_protect_cleanup
%!   delete (file);
%! end_unwind_protect

%!test  # other encodings: what is read back is the same, and the bytes are those of the encoding
%! names = {'Jürgen', 'naïve', 'Ångström', 'plain'};
%! ds = struct ('X', [1.5 2; 3 4; 5 6; 7 8.25], 'names', {names}, 'samples', {{'é1', 's2'}}, 'symbols', {{'Ä', 'B', 'ß', 'C'}});
%! A = knngraph (ds.X, 1);
%! made = {{ds}, {rmfield(ds, 'symbols')}, {struct('name', {names'}, 'x', (1:4)')}, {A, 'Names', names}};
%! for m = 1:4
%!   for ending = {'.csv', '.csv.gz', '.tsv', '.net', '.gml'}
%!     if (m < 4 && any (strcmp (ending{1}, {'.net', '.gml'})) || m == 4 && strcmp (ending{1}, '.tsv'))
%!       continue
%!     end
%!     for encoding = {'windows-1252', 'Latin1', 'UTF-8'}
%!       file = [tempname() ending{1}];
%!       unwind_protect
%!         knng.write (file, made{m}{:}, 'Encoding', encoding{1});
%!         back{1} = knng.read (file);
%!         if (! strcmp (ending{1}, '.csv.gz'))
%!           text = fileread (file);
%!           assert (any (text == char (252)), ! strcmp (encoding{1}, 'UTF-8') && ! strcmp (ending{1}, '.gml'));
%!           assert (any (text == char (195)), strcmp (encoding{1}, 'UTF-8') && ! strcmp (ending{1}, '.gml'));
%!         end
%!         knng.write (file, made{m}{:});
%!         back{2} = knng.read (file);
%!       unwind_protect_cleanup
%!         if (exist (file, 'file'))
%!           delete (file);
%!         end
%!       end_unwind_protect
%!       assert (isequaln (back{1}, back{2}));
%!     end
%!   end
%! end

%!test  # what an encoding lacks is an error, and the file that was there stays
%! file = [tempname() '.csv'];
%! unwind_protect
%!   knng.write (file, struct ('a', [1; 2]));
%!   old = fileread (file);
%!   try
%!     knng.write (file, struct ('name', {{'Łódź'; 'b'}}), 'Encoding', 'windows-1252');
%!     assert (false);
%!   catch e
%!     assert (e.identifier, 'knng:args:encoding');
%!     assert (! isempty (regexp (e.message, '^line 2 of the file would hold .Ł. \(in .Łódź.\), which windows-1252')), e.message);
%!   end
%!   assert (fileread (file), old);
%! unwind_protect_cleanup
%!   delete (file);
%! end_unwind_protect
%!error <the ending of 'x.foo' names no format> knng.write ('x.foo', sparse (1), 'Encoding', 'latin1')
%!error <a table of results is no '.gml' file> knng.write ('x.gml', struct ('i', [1; 2]), 'Encoding', 'latin1')
%!error <always UTF-8, as it says itself> knng.write ('x.graphml', sparse (1), 'Encoding', 'latin1')
%!error <'Encoding' is 'utf-16': it must be> knng.write ('x.csv', struct ('i', 1), 'Encoding', 'utf-16')
%!error <a table of results is no '.gml' file: it must be .csv or .tsv> knng.write ('x.gml.gz', struct ('i', [1; 2]))
%!error id=knng:args:format knng.write ('x.gz', struct ('i', [1; 2]))
%!error <the ending of 'x.gz' does not say how .* of the endings .csv, .tsv> knng.write ('x.gz', struct ('i', [1; 2]))
%!error <the ending of 'x' does not say how > knng.write ('x', struct ('i', [1; 2]))
%!error <the ending of 'x.' does not say how > knng.write ('x.', struct ('i', [1; 2]))
%!error <the ending of '.gz' does not say how > knng.write ('.gz', struct ('i', [1; 2]))
%!error id=knng:args:format knng.write ('.gz', struct ('i', [1; 2]))
%!error <a table of results is no '.gml' file: it must be .csv or .tsv> knng.write ('x.gml', struct ('i', [1; 2]))
%!error id=knng:args:class knng.write ('x.csv', struct ('i', [1; 2], 'j', 3))
%!error id=knng:args:format knng.write ('x.csv', struct ('i', 1), 'Format', ['cs'; 'v '])
%!error id=knng:args:file knng.write (cat (3, 'a', 'b'), struct ('i', 1))
%!error id=knng:args:names knng.write ('x.csv', struct ('i', {{char(200)}}))
%!error id=knng:io:open knng.write ('/nonexistent/x.csv', struct ('i', 1))
%!error id=knng:args:unknownOption knng.write ('x.csv', struct ('i', 1), 'Names', {'a'})
%!error id=knng:args:count knng.write ('x.gml')
%!error id=knng:args:file knng.write (1, sparse (1))
%!error id=knng:args:format knng.write ('x.dat', sparse (1))
%!error id=knng:args:format knng.write ('x.gml', sparse (1), 'Format', 'xls')
%!error id=knng:args:format knng.write ('x.gml', sparse (1), 'Format', 1)
%!error id=knng:args:class knng.write ('x.gml', eye (3))
%!error id=knng:args:class knng.write ('x.gml', sparse (1, 2))
%!error id=knng:args:class knng.write ('x.gml', sparse (1i))
%!error id=knng:args:class knng.write ('x.gml', @sin)
%!error id=knng:args:class knng.write ('x.gml', struct ('B', 'a'))
%!error id=knng:args:idx knng.write ('x.knn', [2 2; 1 1], ones (2))
%!error id=knng:args:idx knng.write ('x.knn', [3; 1], ones (2, 1))
%!error id=knng:args:dist knng.write ('x.knn', [2; 1], 1)
%!error id=knng:args:names knng.write ('x.gml', sparse (1), 'Names', {'a', 'b'})
%!error id=knng:args:names knng.write ('x.gml', sparse (1), 'Names', 'a')
%!error id=knng:args:names knng.write ('x.gml', sparse (1), 'Names', {char(0)})
%!error id=knng:args:names knng.write ('x.gml', sparse (1), 'Names', {char(200)})
%!error id=knng:args:names knng.write ('x.graphml', sparse (1), 'Names', {char(7)})
%!error id=knng:args:names knng.write ('x.csv', sparse (2, 2), 'Names', {'a', 'a'})
%!error id=knng:args:groups knng.write ('x.gml', sparse (1), 'Groups', [1 2])
%!error id=knng:args:groups knng.write ('x.gml', sparse (1), 'Groups', struct ())
%!error id=knng:args:positions knng.write ('x.gml', sparse (1), 'Positions', {})
%!error id=knng:args:positions knng.write ('x.gml', sparse (1), 'Positions', [1 2 3])
%!error id=knng:args:positions knng.write ('x.gml', sparse (1), 'Positions', [1 Inf])
%!error <'Directed' is 2: it must be true or false> knng.write ('x.gml', sparse (1), 'Directed', 2)
%!error id=knng:args:option knng.write ('x.gml', sparse (1), 'Directed', containers.Map ())
%!error id=knng:args:unknownOption knng.write ('x.gml', sparse (1), 'Colour', 2)
%!error id=knng:args:option knng.write ('x.gml', sparse (1), 'Names')
%!error id=knng:args:ds knng.write ('x.nbi', struct ('X', 'a'))
%!error id=knng:args:ds knng.write ('x.nbi', struct ('X', []))
%!error id=knng:args:ds knng.write ('x.nbi', struct ('X', [1 2], 'names', {{'a', 'b'}}))
%!error id=knng:args:ds knng.write ('x.nbi', struct ('X', [1 2], 'classes', [1 2 3]))
%!error id=knng:args:format knng.write ('x.gml', struct ('X', 1))
%!error id=knng:args:names knng.write ('x.nbi', struct ('X', 1, 'names', {{'a b'}}))
%!error id=knng:args:names knng.write ('x.gct', struct ('X', 1, 'samples', {{'"'}}))
%!error id=knng:io:open knng.write ('/nonexistent/x.gml', sparse (1))
