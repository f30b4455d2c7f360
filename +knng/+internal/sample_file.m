function pairs = sample_file (file, ds)
%SAMPLE_FILE  What the table in the file of texts FILE says of the samples of DS: a cell of rows {name, values}, one for each column, in the
%   order of the samples, which are found by ds.samples in the column that has most of them, the first of several; blanks around names do
%   not count. A column all of whose texts are numbers, and no labels (see numbers_or_labels), has these, d-by-1 double, NaN where one is
%   missing; others have the texts, '' for missing ones. Of samples that are not there all is missing, and a warning counts them,
%   knng:data:metadata. Errors: knng:args:labels (half of them are not there, or one is twice; another column has all these names, too, and
%   in other rows; the samples have no names); those of knng.internal.text_table.

  d = size (ds.X, 2);
  of = sprintf ('''Phenotypes'', the table ''%s''', knng.internal.shown (file));
  try
    t = knng.internal.text_table (file, 0, true, 'delete it, or put # before it');
  catch why
    if (strcmp (why.identifier, 'knng:io:open'))
      [~, names] = knng.internal.labels_called (ds, '');
      also = '';
      if (~isempty (names))
        also = [', or of what the data set says of them', knng.internal.meant(knng.internal.similar_names (names, file))];
      end
      error (why.identifier, '''Phenotypes'' is a text, and so the name of a file that describes the samples%s: %s', also, why.message);
    end
    rethrow (why);
  end
  if (~isfield (ds, 'samples') || numel (ds.samples) ~= d || ~iscellstr (ds.samples))
    error ('knng:args:labels', ['%s, is matched by the names of the samples, and the data set has none: set ds.samples, a cell of %d ' ...
           'texts'], of, d);
  end
  samples = trimmed (ds.samples(:));
  found = zeros (1, numel (t.names));
  for j = 1:numel (t.names)
    found(j) = sum (ismember (samples, trimmed (t.column (j))));
  end
  having = find (found == max (found));
  key = having(1);
  known = trimmed (t.column (key));
  [row, lacking, twice] = knng.internal.match_samples (samples, known);
  if (2 * numel (lacking) >= d)
    error ('knng:args:labels', ['%s, has no row for the sample ''%s''; of the %d samples %d are there, in the column ''%s'', which begins with ' ...
           '''%s'''], of, knng.internal.shown (samples{lacking(1)}), d, sum (row > 0), knng.internal.shown (t.names{key}), ...
           knng.internal.shown (known{1}));
  end
  if (~isempty (twice))
    error ('knng:args:labels', '%s, has two rows for the sample ''%s'', in the column ''%s'': each sample has one', of, ...
           knng.internal.shown (samples{twice(1)}), knng.internal.shown (t.names{key}));
  end
  for j = having(2:end)
    texts = trimmed (t.column (j));
    other = find (~strcmp (reshape (knng.internal.picked (texts, row), [], 1), samples) & row > 0, 1);
    if (~isempty (other))
      error ('knng:args:labels', ['%s, has the names of %d samples in column %d, ''%s'', and in column %d, ''%s'', too, and not in the ' ...
             'same rows: where the former has ''%s'', the latter has ''%s''. Delete the one that does not name the samples, or write its ' ...
             'texts in another way, such as p1 for 1'], of, sum (row > 0), key, knng.internal.shown (t.names{key}), j, ...
             knng.internal.shown (t.names{j}), knng.internal.shown (samples{other}), knng.internal.shown (texts{row(other)}));
    end
  end
  knng.internal.warn_lacking (of, samples, lacking);
  pairs = cell (0, 2);
  for j = setdiff (1:numel (t.names), key)
    values = reshape (knng.internal.numbers_or_labels (knng.internal.picked (t.column (j), row)), [], 1);
    name = t.names{j};
    if (isempty (name))
      name = sprintf ('%d', j);
    end
    pairs(end + 1, :) = {name, values}; %#ok<AGROW>
  end
end

function texts = trimmed (texts)
% Without blanks around them, one by one: of a cell strtrim asks regexprep, which wants UTF-8.
  texts = cellfun (@strtrim, texts, 'UniformOutput', false);
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
%!test  # codes and 0 or 1 are labels, as of ds.meta
%! t = sprintf ('sample;patient;dead;dose\ns1;035;1;0,5\ns2;023;0;2\ns3;001;;1\n');
%! expected = {'patient', {'035'; '023'; '001'}; 'dead', {'1'; '0'; ''}; 'dose', [0.5; 2; 1]};
%! assert (of (t, ds), expected);
%! meta = struct ('patient', {{'035', '023', '023'}}, 'dead', {{'1', '0', ''}}, 'dose', {{'0,5', '2', '1'}});
%! p = knng.internal.known_of_samples (struct ('X', ds.X, 'meta', meta));
%! assert (p, {'patient', {'035', '023', '023'}; 'dead', {'1', '0', ''}; 'dose', [0.5 2 1]});
%!test  # blanks around names do not count
%! assert (of (sprintf ('sample,sex\ns3,f\ns1,m\ns2,x\n'), setfield (ds, 'samples', {'s1', ' s2 ', 's3 '})), {'sex', {'m'; 'x'; 'f'}});
%! assert (of (sprintf ('sample,sex\ns3,f\n" s1 ",m\n s2,x\n'), ds), {'sex', {'m'; 'x'; 'f'}});
%!test  # two columns have all names: in the same rows, whatever others hold
%! numbered = setfield (ds, 'samples', {'1', '2', '3'});
%! assert (of (sprintf ('"","patient","sex"\n"1",1,"f"\n"2",2,"m"\n"3",3,"f"\n'), numbered), {'patient', [1; 2; 3]; 'sex', {'f'; 'm'; 'f'}});
%! assert (of (sprintf ('a,b,c\n3,3,x\n4,1,y\n1,1,z\n2,2,x\n'), numbered), {'b', [1; 2; 3]; 'c', {'z'; 'x'; 'x'}});
%!error <in column 1, '', and in column 2, 'patient', .*: where the former has '1', the latter has '3'. Delete the one> of (sprintf ('"","patient","sex"\n"1",3,"f"\n"2",1,"m"\n"3",2,"f"\n'), setfield (ds, 'samples', {'1', '2', '3'}))
%!error id=knng:args:labels of (sprintf ('a,b\n1,2\n2,1\n'), struct ('X', [1 2], 'samples', {{'1', '2'}}))
%!error <in column 1, 'no', and in column 2, 'patient',> of (sprintf ('no,patient\n1,1\n2,1\n3,2\n4,2\n5,3\n6,3\n'), setfield (ds, 'samples', {'1', '2', '3'}))
%!error <line 2: found 4 fields, expected 2, .*title, delete it, or put # before it$> of (sprintf ('Samples, of today\nsample,sex,age,dose\ns1,f,1,2\n'), ds)
%!error <found 1 column, .*title, delete it, or put # before it$> of (sprintf ('Samples of today\nsample,sex,age\ns1,f,1\n'), ds)
%!test  # which then is read
%! assert (of (sprintf ('# Samples of today\nsample,sex\ns1,f\ns2,m\ns3,f\n'), ds), {'sex', {'f'; 'm'; 'f'}});
%!error <has no row for the sample 's1'; of the 3 samples 1 are there, in the column 'sample', which begins with 's3'> of (sprintf ('sample,sex\ns3,f\ns4,m\n'), ds)
%!test  # fewer than half are not there: what is said of them is missing; names in two columns
%! warning ('off', 'knng:data:metadata', 'local');
%! assert (of (sprintf ('sample,sex,age\ns3,f,4\ns1,m,7.5\n'), ds), {'sex', {'m'; ''; 'f'}; 'age', [7.5; NaN; 4]});
%! assert (of (sprintf ('a,b,c\ns3,s3,4\ns1,s1,7.5\nx,y,1\n'), ds), {'b', {'s1'; ''; 's3'}; 'c', [7.5; NaN; 4]});
%! fail ('of (sprintf (''a,b\ns3,s1\ns1,s3\n''), ds)', 'has the names of 2 samples in column 1, ''a'', and in column 2, ''b''');
%! fail ('of (sprintf (''a,b\ns3,1\ns1,2\ns3,3\n''), ds)', 'has two rows for the sample ''s3''');
%!warning <has no row for 1 of 3 samples, first 's2': what it says of the others is missing there> of (sprintf ('sample,sex\ns3,f\ns1,m\n'), ds);
%!error <has two rows for the sample 's1', in the column 'sample'> of (sprintf ('sample,sex\ns3,f\ns1,m\ns1,f\ns2,f\n'), ds)
%!error <the data set has none: set ds.samples> of (sprintf ('sample,sex\ns3,f\n'), struct ('X', [1 2]))
%!error <has no table> of ('a', ds)
%!error id=knng:io:open knng.internal.sample_file ('/nonexistent/samples.csv', ds)
%!error <has no row for the sample 'B.*of the 3 samples 0 are there> of (sprintf ('sample,sex\ns1,f\n'), setfield (ds, 'samples', {char([66 228 114]), 'b', 'c'}))
