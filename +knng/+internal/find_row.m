function row = find_row (names, name)
%FIND_ROW  The row that NAME, a name or a number, means among the cell NAMES. Of several rows of this name the first, with
%   a warning; without any an error with the most similar names: knng:args:name.

n = numel (names);
if isnumeric (name) && isreal (name) && numel (name) == 1
    row = double (name);
    if ~(row >= 1 && row <= n && row == fix (row))
        error ('knng:args:name', 'there is no row %g, expected a whole number from 1 to %d, or a name', row, n);
    end
    return
end
if ~ischar (name) || size (name, 1) ~= 1 || ndims (name) ~= 2
    error ('knng:args:name', 'NAME is %s, expected the name of a row or its number', knng.internal.given (name));
end
row = find (strcmp (names, name));
if numel (row) > 1
    list = sprintf (', %d', row(1:min (end, 10)));
    if numel (row) > 10
        list = [list, ', ...'];
    end
    warning ('knng:args:name', '''%s'' is the name of %d rows (%s): using row %d; give a number to choose', ...
             knng.internal.shown (name), numel (row), list(3:end), row(1));
    row = row(1);
elseif isempty (row)
    near = knng.internal.similar_names (names, name);
    if isempty (near)
        error ('knng:args:name', 'no row is named ''%s'', or nearly so; the first of %d is ''%s''', ...
               knng.internal.shown (name), n, knng.internal.shown (names{1}));
    end
    near = cellfun (@(t) knng.internal.shown (t), near, 'UniformOutput', false);
    list = sprintf (', ''%s''', near{:});
    error ('knng:args:name', 'no row is named ''%s''; did you mean %s?', knng.internal.shown (name), list(3:end));
end
end
