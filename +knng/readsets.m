function sets = readsets (file)
%KNNG.READSETS  Read gene sets from a GMT file.
%   sets = knng.readsets (file) reads sets of genes (pathways, signatures) as
%   MSigDB, Enrichr and others give them: a line for each set, with its name, a
%   description and its genes between tabs. The file may be gzipped.
%
%   Fields of sets, columns with an element for each set:
%
%     names         a cell of texts
%     descriptions  a cell of texts, often an address
%     genes         a cell of cells: the genes of each set, m-by-1, texts,
%                   each gene once, in the order of the file
%
%   A struct with names and genes that you make yourself does for knng.enrich as
%   well. Lines that are empty or begin with # are left out, and so are fields
%   without a gene. Blanks around fields do not count. Lines that are no UTF-8
%   are taken for Windows-1252, as knng.read does.
%
%   Cost: 5 000 sets of 100 genes in two seconds.
%
%   Errors: knng:args:file (no name of a file); knng:io:open; knng:io:format (a
%   line without tabs, with its number; no set at all);
%   knng:io:truncated (nothing in the file, or a damaged gzip stream);
%   knng:memory:host; knng:interrupted; knng:args:count. Warning:
%   knng:data:metadata (most descriptions are genes of other sets: the file may
%   have none).
%
%   Example:
%     file = [tempname() '.gmt'];
%     f = fopen (file, 'w');
%     fprintf (f, 'MYELOID\tby hand\tCD33\tZYX\tCST3\n');
%     fprintf (f, 'T_CELL\tby hand\tCD3D\tCD3E\n');
%     fclose (f);
%     sets = knng.readsets (file);
%     sets.names'                         % MYELOID T_CELL
%     sets.genes{2}'                      % CD3D CD3E
%     delete (file)
%
%   See also knng.enrich, knng.read.

  if (nargin < 1)
    error ('knng:args:count', 'knng.readsets needs the name of a file, as in knng.readsets (''c2.cp.gmt''): see help knng.readsets');
  end
  if (~ischar (file) || ndims (file) ~= 2 || size (file, 1) ~= 1)
    error ('knng:args:file', 'FILE is %s: it must be the name of a file, in quotes', knng.internal.given (file));
  end
  text = knng.internal.text_file (file);
  [fields, line, number] = split (text);
  count = accumarray (line(:), 1);
  short = find (count == 1, 1);
  if (isempty (count))
    error ('knng:io:format', '%s has no gene set: a line of a GMT file has a name, a description and genes, between tabs', knng.internal.shown (file));
  elseif (~isempty (short))
    error ('knng:io:format', ['%s is no GMT file: line %d, ''%s'', has no tab; a line has the name of a set, a description and genes, ' ...
           'between tabs'], knng.internal.shown (file), number(short), knng.internal.shown (fields{find (line == short, 1)}));
  end
  first = cumsum ([1; count(1:end-1)]);
  sets = struct ('names', {fields(first)}, 'descriptions', {fields(first + 1)}, 'genes', {cell(numel (count), 1)});
  kept = true (numel (fields), 1);
  kept([first; first + 1]) = false;
  [sets.genes, different] = once (fields(kept), line(kept), numel (count));
  doubt_descriptions (file, sets, different);
end

function doubt_descriptions (file, sets, different)
% A warning where most descriptions are genes: the file has none, and the first gene of each set stands in their place.
  said = find (~cellfun ('isempty', sets.descriptions) & ~strcmp (sets.descriptions, sets.names));
  genes = said(ismember (sets.descriptions(said), different));
  if (2 * numel (genes) > numel (said))
    warning ('knng:data:metadata', ['%s: of %d of %s the second field, as ''%s'' of ''%s'', is a gene of others; it counts as the description, and ' ...
             'is no gene of its set. If the file has no descriptions, make genes of them: ' ...
             'sets.genes = cellfun (@(d, g) [{d}; g], sets.descriptions, sets.genes, ''UniformOutput'', false)'], ...
             knng.internal.shown (file), numel (genes), knng.internal.count_of (numel (sets.names), 'set'), ...
             knng.internal.shown (sets.descriptions{genes(1)}), knng.internal.shown (sets.names{genes(1)}));
  end
end

function [fields, line, number] = split (text)
% All fields, a column, without blanks around them; the line of each among those that count, and what number these have in the file.
  lines = regexp (text, '\n', 'split');
  number = find (~cellfun ('isempty', strtrim (lines)) & ~strncmp (lines, '#', 1));
  lines = lines(number);
  text = strcat (lines, {sprintf('\n')});
  text = [text{:}];
  beside = [true, text == 9 | text == 10, true];
  if (any (text == ' ' & (beside(1:end-2) | beside(3:end)))) % seldom, and slow
    text = regexprep (regexprep (text, ' *([\t\n]) *', '$1'), '^ +', '');
  end
  cut = find (text == 9 | text == 10);
  long = [diff([0, cut]) - 1; ones(1, numel (cut))];         % a field, and what is behind it
  pieces = mat2cell (text, ones (1, ~isempty (text)), long(:)');
  fields = reshape (pieces(1:2:end), [], 1);
  fields(cellfun ('isempty', fields)) = {''};
  line = cumsum ([1, text(cut) == 10]);
  line = reshape (line(1:end-1), [], 1);
end

function [genes, different] = once (fields, line, sets)
% The genes of each set, each once, in their order; and all that there are.
  some = ~cellfun ('isempty', fields);
  [fields, line] = deal (fields(some), line(some));
  [different, ~, code] = unique (fields);
  [~, first] = unique ([line(:), code(:)], 'rows', 'first');
  first = sort (first);
  size_of = accumarray (reshape (line(first), [], 1), 1, [sets, 1]);
  genes = mat2cell (reshape (fields(first), [], 1), size_of, 1);
end

%!function file = put (text)
%!  file = tempname ();
%!  f = fopen (file, 'w');
%!  fwrite (f, text);
%!  fclose (f);
%!endfunction

%!test
%! file = put (sprintf ('MYELOID\tby hand\tCD33\tZYX\tCST3\nT_CELL\tby hand\tCD3D\tCD3E\n'));
%! gone = onCleanup (@() delete (file));
%! sets = knng.readsets (file);
%! assert (sets.names, {'MYELOID'; 'T_CELL'});
%! assert (sets.descriptions, {'by hand'; 'by hand'});
%! assert (sets.genes, {{'CD33'; 'ZYX'; 'CST3'}; {'CD3D'; 'CD3E'}});
%! gzip (file);
%! packed = [file, '.gz'];
%! gone2 = onCleanup (@() delete (packed));
%! assert (knng.readsets (packed), sets);

%!test  # ends of lines of every kind, none at the end, blanks, comments, genes twice, none, a byte order mark
%! text = [char([239 187 191]), sprintf(['#a\tb\r\n\r\n S 1 \t\tB\t A\tB\t\t\tA\r\n\t \t\r\nT\tx\r', ...
%!         'U\ty\tB\n  \nV\t%s\tB'], char ([195 164]))];
%! file = put (text);
%! gone = onCleanup (@() delete (file));
%! sets = knng.readsets (file);
%! assert (sets.names, {'S 1'; 'T'; 'U'; 'V'});
%! assert (sets.descriptions, {''; 'x'; 'y'; char([195 164])});
%! assert (sets.genes([1 3 4]), {{'B'; 'A'}; {'B'}; {'B'}});
%! assert (size (sets.genes{2}), [0 1]);

%!test  # no descriptions: the first gene of each set is no gene of it; a gene that the set is called by, and rare ones, are no doubt
%! warning ('error', 'knng:data:metadata', 'local');
%! file = put (sprintf ('S1\tCD33\tMYB\nS2\tMYB\tZYX\nS3\tLYN\tCD33\tMYB\n'));
%! gone = onCleanup (@() delete (file));
%! fail ('knng.readsets (file)', 'of 2 of 3 sets the second field, as ''CD33'' of ''S1'', is a gene of others');
%! file2 = put (sprintf ('MYC\tMYC\tMYB\nMYB\tMYB\tMYC\nS3\tCD33\tMYB\nS4\tna\tCD33\nS5\t\tMYC\nS6\thttp\tMYC\n'));
%! gone2 = onCleanup (@() delete (file2));
%! sets = knng.readsets (file2);
%! assert (numel (sets.names), 6);

%!test  # Windows-1252
%! file = put (['S', char(228), sprintf('\tx\tA'), char(181), sprintf('\nT\t'), char([195 164]), sprintf('\tB\n')]);
%! gone = onCleanup (@() delete (file));
%! sets = knng.readsets (file);
%! assert (sets.names, {['S', char([195 164])]; 'T'});
%! assert (sets.descriptions, {'x'; char([195 164])});
%! assert (sets.genes{1}, {['A', char([194 181])]});

%!error id=knng:args:count knng.readsets ()
%!error id=knng:args:file knng.readsets (5)
%!error id=knng:io:open knng.readsets ('/nonexistent/a.gmt')
%!error id=knng:io:open knng.readsets (pwd ())
%!error id=knng:args:file knng.readsets ('')
%!error id=knng:io:format knng.readsets ('/dev/zero')
%!error id=knng:io:truncated knng.readsets ('/dev/null')
%!test
%! bad = {sprintf('# only\n\n'), 'no gene set'; sprintf('#\nA\tx\tG\n\nBB\nC\n'), 'line 4, ''BB'', has no tab'; ...
%!        sprintf('A\tx\0'), 'NUL byte'};
%! for i = 1:size (bad, 1)
%!   file = put (bad{i, 1});
%!   gone = onCleanup (@() delete (file));
%!   try
%!     knng.readsets (file);
%!     error ('it was read');
%!   catch err
%!     assert ({err.identifier, isempty(strfind (err.message, bad{i, 2}))}, {'knng:io:format', false});
%!   end
%! end
