function bytes = table_text (t, separator)
%TABLE_TEXT  A struct of columns (knng.internal.is_table) as the bytes of a file, a line for each row below one of names.
%   Numbers are the shortest decimals that are read back as the same; NaN is nothing. Texts stand in quotes where they have to; those that a
%   spreadsheet would take for a formula have a ' in front, as on the page of knng.explore. Error: knng:args:names where a text is no UTF-8.

  heads = cell (1, 0);
  columns = cell (1, 0);
  classes = {};
  if (knng.internal.names_columns (t))
    classes = t.classes;
    t = rmfield (t, 'classes');
  end
  for name = fieldnames (t)'
    v = t.(name{1});
    if (iscell (v))
      columns{end + 1} = texts_of (v, separator, name{1}); %#ok<AGROW>
      heads{end + 1} = name{1}; %#ok<AGROW>
      continue
    end
    for c = 1:size (v, 2)
      columns{end + 1} = numbers_of (full (v(:, c))); %#ok<AGROW>
      heads{end + 1} = head (name{1}, c, size (v, 2), classes); %#ok<AGROW>
    end
  end
  heads = texts_of (heads(:), separator, 'classes');
  rows = numel ([columns{1:min(1, end)}]);
  parts = cell (2 * numel (columns), rows + 1);
  for c = 1:numel (columns)
    parts(2 * c - 1, :) = [heads(c); columns{c}];
    parts(2 * c, :) = {separator};
  end
  parts(end, :) = {sprintf('\n')};
  bytes = knng.internal.utf8_bytes ([parts{:}]);
end

function name = head (name, c, several, classes)
  if (several > 1 && numel (classes) == several)
    name = [name, ' ', reshape(classes{c}, 1, [])];
  elseif (several > 1)
    name = sprintf ('%s %d', name, c);
  end
end

function texts = texts_of (texts, separator, name)
% Quoted and defused where need be.
  texts = texts(:);
  texts(cellfun ('isempty', texts)) = {''};
  check_texts ([texts{:}], name);
  wide = {char([239 188 157]), char([239 188 139]), char([239 188 141]), char([239 188 160])};         % = + - @ of full width
  if (exist ('OCTAVE_VERSION', 'builtin') == 0)
    wide = {char(65309), char(65291), char(65293), char(65312)};
  end
  formula = false (size (texts));
  for w = [num2cell(['=+-@', sprintf('\t\r\n')]), wide]
    formula = formula | strncmp (texts, w{1}, numel (w{1}));
  end
  texts(formula) = strcat ({''''}, texts(formula));
  special = @(c) ~cellfun ('isempty', strfind (texts, c));
  quoted = special (separator) | special ('"') | special (sprintf ('\n')) | special (sprintf ('\r')) | strncmp (texts, ' ', 1);
  texts(quoted) = strcat ({'"'}, strrep (texts(quoted), '"', '""'), {'"'});
end

function check_texts (text, name)
  good = ~any (text == 0);
  try
    native2unicode (knng.internal.utf8_bytes (text), 'UTF-8');
  catch
    good = false;
  end
  if (~good)
    error ('knng:args:names', 'a text of the column ''%s'' is no UTF-8, or has the character 0, which a table cannot hold', name);
  end
end

function texts = numbers_of (v)
  if (isinteger (v))
    texts = split (sprintf ('%d\n', v));
    return
  end
  v = double (v);
  texts = cell (size (v));
  left = (1:numel (v))';
  for digits = 15:17
    some = split (sprintf (sprintf ('%%.%dg\n', digits), v(left)));
    back = sscanf (sprintf ('%s\n', some{:}), '%f');
    same = back(:) == v(left) | digits == 17;
    texts(left(same)) = some(same);
    left = left(~same);
  end
  texts(isnan (v)) = {''};
end

function texts = split (text)
  texts = reshape (regexp (text, '\n', 'split'), [], 1);
  texts = texts(1:end-1);
end

%!test
%! t = struct ('row', [2; 1; 3], 'name', {{'a,b'; '=1+1'; 'say "x"'}}, 'mean', [0.1 NaN; 1/3 -Inf; 1e300 -2], 'in', [true; false; true]);
%! text = @(t, c) char (knng.internal.table_text (t, c));
%! assert (text (t, ','), sprintf ('row,name,mean 1,mean 2,in\n2,"a,b",0.1,,1\n1,''=1+1,0.3333333333333333,-Inf,0\n3,"say ""x""",1e+300,-2,1\n'));
%! t.classes = {'-A', 'B,C'};
%! assert (strtok (text (t, ','), "\n"), 'row,name,mean -A,"mean B,C",in');
%! assert (strtok (text (t, "\t"), "\n"), sprintf ('row\tname\tmean -A\tmean B,C\tin'));
%! t = struct ('x', {{'+1'; '-'; '@a'; "\ta"; ''; ' b'; char([239 188 157 49]); char([195 164]); "l\nm"}});
%! want = sprintf ('x\n''+1\n''-\n''@a\n''\ta\n\n" b"\n''%s1\n%s\n"l\nm"\n', char ([239 188 157]), char ([195 164]));
%! assert (text (t, ','), want);
%! assert (text (struct ('i', zeros (0, 1), 'name', {cell(0, 1)}), ','), sprintf ('i,name\n'));
%! assert (text (struct ('i', intmax ('int64'), 'j', single (0.1), 'k', sparse (3)), ','), sprintf ('i,j,k\n9223372036854775807,0.10000000149011612,3\n'));
%!test  # every number is read back as it was
%! v = [knng.internal.random(3, 300); 10 .^ (-300:20:300)'; realmin; 4.9e-324; realmax; pi; 1e22; 123456789012345678; Inf; -0];
%! lines = strsplit (strtrim (char (knng.internal.table_text (struct ('v', v), ','))), "\n");
%! assert (str2double (lines(2:end))', v);
%! assert (all (cellfun ('length', lines(2:end)) <= 24));
%!error id=knng:args:names knng.internal.table_text (struct ('x', {{char(200)}}), ',')
%!error id=knng:args:names knng.internal.table_text (struct ('x', {{char(0)}}), ',')
