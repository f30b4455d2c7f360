function pairs = sample_file (file, ds)
%SAMPLE_FILE  What the table in the file of texts FILE says of the samples of DS: a cell of rows {name, values}, one for each column, in the
%   order of the samples, which are found by ds.samples in the column that has most of them. A column all of whose texts are numbers has
%   these, 'd-by-1' double, NaN where one is missing; of others these are ''. Errors: knng:args:labels (a sample is not there, or twice; the
%   samples have no names); those of knng.internal.text_table.

  d = size (ds.X, 2);
  of = sprintf ('''Phenotypes'', the table ''%s''', knng.internal.shown (file));
  try
    t = knng.internal.text_table (file, 0, true);
  catch why
    if (strcmp (why.identifier, 'knng:io:open'))
      error (why.identifier, '''Phenotypes'' is a text, and so the name of a file that describes the samples: %s', why.message);
    end
    rethrow (why);
  end
  if (~isfield (ds, 'samples') || numel (ds.samples) ~= d || ~iscellstr (ds.samples))
    error ('knng:args:labels', ['%s, is matched by the names of the samples, and the data set has none: set ds.samples, a cell of %d ' ...
           'texts'], of, d);
  end
  [key, most] = deal (1, -1);
  for j = 1:numel (t.names)
    found = sum (ismember (ds.samples(:), t.column (j)));
    if (found > most)
      [key, most] = deal (j, found);
    end
  end
  known = t.column (key);
  [found, row] = ismember (ds.samples(:), known);
  lacking = find (~found, 1);
  if (~isempty (lacking))
    error ('knng:args:labels', ['%s, has no row for the sample ''%s''; of the %d samples %d are there, in the column ''%s'', which begins with ' ...
           '''%s'''], of, knng.internal.shown (ds.samples{lacking}), d, sum (found), knng.internal.shown (t.names{key}), ...
           knng.internal.shown (known{1}));
  end
  [~, ~, which_name] = unique (known);
  often = accumarray (which_name(:), 1);
  twice = find (often(which_name(row)) > 1, 1);
  if (~isempty (twice))
    error ('knng:args:labels', '%s, has two rows for the sample ''%s'', in the column ''%s'': each sample has one', of, ...
           knng.internal.shown (ds.samples{twice}), knng.internal.shown (t.names{key}));
  end
  pairs = cell (0, 2);
  for j = setdiff (1:numel (t.names), key)
    texts = t.column (j);
    texts = texts(row);
    [values, missing] = knng.internal.texts_as_numbers (texts);
    if (isempty (values))
      values = texts;
      values(missing) = {''};
    end
    name = t.names{j};
    if (isempty (name))
      name = sprintf ('%d', j);
    end
    pairs(end + 1, :) = {name, values}; %#ok<AGROW>
  end
end

%!function pairs = of (text, ds)
%!  file = [tempname() '.csv'];
%!  gone = onCleanup (@() delete (file));
%!  f = fopen (file, 'w');
%!  fwrite (f, text);
%!  fclose (f);
%!  pairs = knng.internal.sample_file (file, ds);
%!endfunction
%!shared ds
%! ds = struct ('X', ones (2, 3), 'samples', {{'s1', 's2', 's3'}});
%!test  # texts alone, in another order, one too many; as R writes it; German
%! assert (of (sprintf ('sample,sex,tissue\ns3,f,liver\ns1,m,"kidney, left"\nx,m,\ns2,NA,liver\n'), ds), {'sex', {'m'; ''; 'f'}; 'tissue', {'kidney, left'; 'liver'; 'liver'}});
%! assert (of (sprintf ('"sex"\t"age"\n"s1"\t"f"\t7\n"s2"\t"m"\tNA\n"s3"\t"f"\t9\n'), ds), {'sex', {'f'; 'm'; 'f'}; 'age', [7; NaN; 9]});
%! assert (of (sprintf ('no;Probe;Alter\n1;s2;38,5\n2;s1;40\n3;s3;41\n'), ds), {'no', [2; 1; 3]; 'Alter', [40; 38.5; 41]});
%!error <has no row for the sample 's2'; of the 3 samples 2 are there, in the column 'sample', which begins with 's3'> of (sprintf ('sample,sex\ns3,f\ns1,m\n'), ds)
%!error <has two rows for the sample 's1', in the column 'sample'> of (sprintf ('sample,sex\ns3,f\ns1,m\ns1,f\ns2,f\n'), ds)
%!error <the data set has none: set ds.samples> of (sprintf ('sample,sex\ns3,f\n'), struct ('X', [1 2]))
%!error <has no table> of ('a', ds)
%!error id=knng:io:open knng.internal.sample_file ('/nonexistent/samples.csv', ds)
