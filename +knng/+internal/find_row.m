function rows = find_row (ds, name, several)
%FIND_ROW  The row of the data set DS (as CHECK_DS returns it) that NAME, a name or a number, means: a name of ds.names, else a gene symbol of
%   ds.symbols (one of several, as in 'DDR1 /// MIR4640', will do), else a text of ds.annotation.
%   Of several rows of this name the first, with a warning. Of several rows of this symbol or text all, a column, if SEVERAL is true; else the first, with a
%   warning. Without any an error with the most similar names, symbols and texts: knng:args:name.

n = numel (ds.names);
if isnumeric (name) && isreal (name) && numel (name) == 1
    rows = double (name);
    if ~(rows >= 1 && rows <= n && rows == fix (rows))
        error ('knng:args:name', 'there is no row %g, expected a whole number from 1 to %d, or a name', rows, n);
    end
    return
end
if ~ischar (name) || size (name, 1) ~= 1 || ndims (name) ~= 2
    error ('knng:args:name', 'NAME is %s, expected the name of a row or its number', knng.internal.given (name));
end
rows = find (strcmp (ds.names, name));
if ~isempty (rows)
    rows = first_of (rows, 'the name', name, ds.names);
    return
end
columns = other_texts (ds, n);
for c = 1:size (columns, 1)
    rows = find (has (columns{c, 2}, name));
    if numel (rows) > 20
        error ('knng:args:name', '''%s'' is %s of %d rows: give one that is of fewer, or the name or number of one of them', ...
               knng.internal.shown (name), columns{c, 1}, numel (rows));
    elseif ~isempty (rows) && several
        return
    elseif ~isempty (rows)
        rows = first_of (rows, columns{c, 1}, name, ds.names);
        return
    end
end
refuse (ds.names, columns, name);
end

function row = first_of (rows, what, name, names)
row = rows(1);
if numel (rows) == 1
    return
end
list = sprintf (', %d', rows(1:min (end, 10)));
if ~strcmp (what, 'the name')
    list = cellfun (@(t) [', ', knng.internal.shown(t)], names(rows(1:min (end, 10))), 'UniformOutput', false);
    list = [list{:}];
end
if numel (rows) > 10
    list = [list, ', ...'];
end
warning ('knng:args:name', '''%s'' is %s of %d rows (%s): using row %d; give a number to choose', ...
         knng.internal.shown (name), what, numel (rows), list(3:end), row);
end

function columns = other_texts (ds, n)
% What a row may be called beside its name: {what it is, the texts; ...}.
columns = cell (0, 2);
symbols = knng.internal.symbols_of (ds);
if ~isempty (symbols)
    columns = {'the symbol', symbols};
end
if isfield (ds, 'annotation') && isstruct (ds.annotation) && numel (ds.annotation) == 1
    for field = fieldnames (ds.annotation)'
        texts = ds.annotation.(field{1});
        if iscellstr (texts) && numel (texts) == n && all (cellfun ('size', texts(:), 1) <= 1)
            columns(end + 1, :) = {['the ', field{1}], texts(:)}; %#ok<AGROW>
        end
    end
end
end

function yes = has (texts, name)
% Where NAME is the text, or one of several between '///'.
yes = false (size (texts));
if isempty (strtrim (name))
    return                                 % rows without a symbol are not called so
end
yes = strcmp (texts, name);
for i = find (~cellfun ('isempty', strfind (texts, '///')))'
    yes(i) = yes(i) || any (strcmp (strtrim (regexp (texts{i}, '///', 'split')), name));
end
end

function refuse (names, columns, name)
known = columns(:, 2);
for c = 1:numel (known)
    words = known{c};                      % names of their own, as of a database, and no titles
    known{c} = words(cellfun ('isempty', regexp (words, '\s', 'once')) | strcmp (columns{c, 1}, 'the symbol'));
end
near = knng.internal.similar_names (vertcat (names, known{:}), name);
if isempty (near) && ~isempty (columns)
    near = knng.internal.similar_names (vertcat (columns{:, 2}), name);
end
what = 'named';
if ~isempty (columns)
    what = 'called';
end
if isempty (near)
    hint = '';
    if isempty (columns)
        hint = '; the data set has no gene symbols, which knng.annotate (ds, ''platform.annot'') adds';
    end
    error ('knng:args:name', 'no row is %s ''%s'', or nearly so; the first of %d is ''%s''%s', what, ...
           knng.internal.shown (name), numel (names), knng.internal.shown (names{1}), hint);
end
near = cellfun (@(t) knng.internal.shown (t), near, 'UniformOutput', false);
list = sprintf (', ''%s''', near{:});
error ('knng:args:name', 'no row is %s ''%s''; did you mean %s?', what, knng.internal.shown (name), list(3:end));
end

%!shared ds
%! ds.names = {'p1'; 'p2'; 'p3'; 'p4'; 'CD4'};
%! ds.X = zeros (5, 1);
%! ds.symbols = {'CD3D'; 'CD4'; 'DDR1 /// MIR4640'; 'CD3D'; ''};
%! ds.annotation.title = {'CD3 delta'; 'kinase'; 'DDR1'; 'kinase'; ''};
%! ds.annotation.entrez = [1; 2; 3; 4; 5];
%! ds.annotation.short = {'a', 'b'};
%!test
%! look = @(name) knng.internal.find_row (ds, name, true);
%! assert (look ('p2'), 2);
%! assert (look ('CD4'), 5);                                 # a name comes first
%! assert (look ('CD3D'), [1; 4]);
%! assert (look ('MIR4640'), 3);
%! assert (look ('DDR1'), 3);
%! assert (look ('CD3 delta'), 1);
%! assert (look ('kinase'), [2; 4]);
%! assert (look (int8 (3)), 3);
%!warning <'CD3D' is the symbol of 2 rows \(p1, p4\): using row 1> assert (knng.internal.find_row (ds, 'CD3D', false), 1);
%!warning <'kinase' is the title of 2 rows \(p2, p4\): using row 2> assert (knng.internal.find_row (ds, 'kinase', false), 2);
%!error <no row is called 'cd3d'; did you mean 'CD3D'> knng.internal.find_row (ds, 'cd3d', true)
%!error <no row is called 'kinases'; did you mean 'kinase'\?> knng.internal.find_row (ds, 'kinases', true)
%!error <or nearly so; the first of 5 is 'p1'> knng.internal.find_row (ds, 'something else', true)
%!error <no row is named 'ZYX', or nearly so; the first of 1 is 'p1'; .* knng.annotate> knng.internal.find_row (struct ('X', 1, 'names', {{'p1'}}), 'ZYX', true)
%!error <no row is called 'E70'; did you mean 'E7'> knng.internal.find_row (struct ('X', zeros (2, 1), 'names', {{'n7'; 'n8'}}, 'annotation', struct ('id', {{'E7'; 'E8'}})), 'E70', true)
%!error <'x' is the symbol of 25 rows: give> knng.internal.find_row (struct ('X', zeros (25, 1), 'names', {cell(25, 1)}, 'symbols', {repmat({'x'}, 25, 1)}), 'x', true)
%!error id=knng:args:name knng.internal.find_row (ds, '', true)
%!error id=knng:args:name knng.internal.find_row (ds, 'x'(:, []), true)
