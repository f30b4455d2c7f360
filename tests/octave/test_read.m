function nfail = test_read ()
%TEST_READ  What knng.read returns of a file of each format, and what it says of files that are damaged around the
%   values. tests/unit/test_read.c has every error.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@words_for_classes, @missing_classes, @classes_with_commas, @written_again, @abk, @geo, @soft, @gct, @tables, @lines_of_samples, @cells, @name_of_a_file, ...
          @options, @options_that_do_not_fit, @warnings, @doubts, @damage_around_values, @graphs, @empty_group, @damaged_values};
nfail = run_checks (checks);
end

function words_for_classes ()
% Words for classes, and no sections at all.
f = tempname ();
unwind_protect
  write_text (f, sprintf ('<MicroarrayData>\n1 3\na 1 2 3\n<SamplesClasses>\nALL 1 i\n<EndOfFile>'));
  ds = knng.read (f);
  assert (ds.classes, {'ALL', '1', 'i'});
  assert (size (ds.samples), [1 0]);
  assert (iscell (ds.samples));
  write_text (f, sprintf ('<MicroarrayData>\n1 3\na 1 2 3\n<EndOfFile>'));
  ds = knng.read (f);
  assert (ds.classes, zeros (1, 0));
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end

function missing_classes ()
% Every word for a missing value is one for a missing class.
ds = read_text (sprintf ('<MicroarrayData>\n1 7\na 1 2 3 4 5 6 7\n<SamplesClasses>\n1 na NaN n/a #N/A NULL ?\n<EndOfFile>\n'));
assert (ds.classes, [1 NaN(1, 6)]);
end

function classes_with_commas ()
% Labels have the decimal sign of the file; what has another one is a text.
ds = read_text (sprintf ('g;x;y;z\n#class;1,5;-2;NA\np;1,5;2;3\n'));
assert (ds.classes, [1.5 -2 NaN]);
ds = read_text (sprintf ('g;x;y\n#class;1,5;1.5\np;1,5;2\n'));
assert (ds.classes, {'1,5', '1.5'});
ds = read_text (sprintf ('g;x;y\n#class;1,5;2\np;1.5;2\n'));
assert (ds.classes, {'1,5', '2'});
end

function written_again ()
% Names of Windows-1252, in every format that is written, and UTF-16, which is read everywhere.
f = [tempname(), '.csv'];
g = [tempname(), '.gml'];
unwind_protect
  write_text (f, ['g,s', char(233), sprintf('\n'), 'm', char(252), 'n', sprintf(',1\n')]);
  ds = knng.read (f);
  assert ({ds.names, ds.samples}, {{['m', char([195 188]), 'n']}, {['s', char([195 169])]}});
  knng.write (f, ds);
  assert (rmfield (knng.read (f), 'meta'), rmfield (ds, 'meta'));
  knng.write (g, sparse ([0 1; 1 0]), 'Names', [ds.names; {'b'}]);
  graph = knng.read (g);
  assert (graph.names, [ds.names; {'b'}]);
  wide = @(text) [char([255 254]), reshape([text; char(zeros (1, numel (text)))], 1, [])];
  write_text (f, wide (sprintf ('ID\tsymbol\tx%c\r\na\tA\t1\r\nb\tB\t2\r\n', 233)));
  ds = knng.read (f);
  assert ({ds.X, ds.symbols, ds.samples}, {[1; 2], {'A'; 'B'}, {['x', char([195 169])]}});
  ds = knng.annotate (struct ('X', [1; 2], 'names', {{'b'; 'a'}}), f);
  assert (ds.symbols, {'B'; 'A'});
  write_text (f, wide (sprintf ('set\tnone\tA\tB\r\n')));
  sets = knng.readsets (f);
  assert (sets.genes, {{'A'; 'B'}});
unwind_protect_cleanup
  delete (f);
  if (exist (g, 'file'))
    delete (g);
  end
end_unwind_protect
end

function abk ()
% ABK, both ways round.
ds = read_text (sprintf ('FEATURESINROWS\nTARGETPRESENT\nFIRST\n2\n3\ndummy x y z\n0 1 1\na 1 2 3\nb 4 5 6\n'));
assert (ds.X, [1 2 3; 4 5 6]);
assert (ds.names, {'a'; 'b'});
assert (ds.samples, {'x', 'y', 'z'});
assert (ds.classes, [0 1 1]);
assert (ds.meta, struct ('format', 'abk', 'layout', {{'FEATURESINROWS', 'TARGETPRESENT', 'FIRST'}}));
e = read_text (sprintf ('FEATURESINCOLUMNS\nTARGETPRESENT\nLAST\n2\n3\ndummy a b\nx 1 4 0\ny 2 5 1\nz 3 6 1\n'));
assert (rmfield (e, 'meta'), rmfield (ds, 'meta'));
ds = read_text (sprintf ('FEATURESINROWS\nTARGETNOTPRESENT\nNONE\n1\n2\ndummy x y\na 1 2\n'));
assert (size (ds.classes), [1 0]);
end

function cells ()
% A folder of 10x, as written by its program: gzipped, ids and symbols; and a matrix that is alone.
folder = tempname ();
mkdir (folder);
at = @(name) fullfile (folder, name);
unwind_protect
  write_text (at ('matrix.mtx'), sprintf ('%%%%MatrixMarket matrix coordinate integer general\n%%m\n3 2 3\n1 1 4\n3 2 1\n2 1 9\n'));
  fail_with ('knng:io:format', @() knng.read (at ('matrix.mtx')));
  fail_with ('knng:io:open', @() knng.read (folder));
  write_text (at ('features.tsv'), sprintf ('E1\tA\tGene Expression\nE2\tB\tGene Expression\nE3\t\tPeaks\n'));
  write_text (at ('barcodes.tsv'), sprintf ('AC-1\nGT-1\n'));
  for packed = 0:1
    if packed
      gzip (at ('*'));
      cellfun (@(name) delete (at (name)), {'matrix.mtx', 'features.tsv', 'barcodes.tsv'});
    end
    fail_with ('knng:args:option', @() knng.read (folder, 'HeaderLines', 1));
    ds = knng.read (folder);
    assert (full (ds.X), [4 0; 9 0; 0 1]);
    assert ({ds.names, ds.symbols, ds.samples, size(ds.classes)}, {{'E1'; 'E2'; 'E3'}, {'A'; 'B'; ''}, {'AC-1', 'GT-1'}, [1 0]});
    assert (ds.annotation, struct ('symbol', {ds.symbols}, 'feature_type', {{'Gene Expression'; 'Gene Expression'; 'Peaks'}}));
    assert (ds.meta, struct ('format', 'cells'));
    assert (isequal (knng.read (at (['matrix.mtx', repmat('.gz', 1, packed)])), ds));
  end
unwind_protect_cleanup
  confirm_recursive_rmdir (false, 'local');
  rmdir (folder, 's');
end_unwind_protect
end

function fail_with (id, call)
try
  call ();
catch err
  assert (err.identifier, id);
  return
end
error ('no error: %s', id);
end

function geo ()
% GEO: all lines of a key, in rows.
ds = read_text (sprintf (['!Series_title\t"T"\n!Sample_title\t"p"\t"q"\n!Sample_characteristics_ch1\t"sex: f"\t"sex: m"\n' ...
     '!Sample_characteristics_ch1\t"age: 3"\t""\n!series_matrix_table_begin\n"ID_REF"\t"GSM1"\t"GSM2"\n' ...
     '"1007_s_at"\t1.5\t\n"1053_at"\tnull\t-2\n!series_matrix_table_end\n']));
assert (ds.X, [1.5 NaN; NaN -2]);
assert (ds.names, {'1007_s_at'; '1053_at'});
assert (ds.samples, {'GSM1', 'GSM2'});
assert (size (ds.classes), [1 0]);
assert (ds.meta.format, 'geo');
assert (ds.meta.Series_title, {'T'});
assert (ds.meta.Sample_title, {'p', 'q'});
assert (ds.meta.Sample_characteristics_ch1, {'sex: f', 'sex: m'; 'age: 3', ''});
end

function soft ()
% SOFT of GEO: what subsets and attributes say of samples, what a platform says of rows.
ds = read_text (sprintf (['^DATASET = GDS1\n!dataset_title = T\n^SUBSET = GDS1_1\n!subset_description = tumor\n!subset_sample_id = GSM2\n' ...
     '!subset_type = disease state\n^DATASET = GDS1\n!dataset_table_begin\nID_REF\tIDENTIFIER\tGSM1\tGSM2\n1007_s_at\tDDR1\t1.5\tnull\n' ...
     '1053_at\tRFC2\t3\t-2\n!dataset_table_end\n']));
assert (ds.X, [1.5 NaN; 3 -2]);
assert (ds.names, {'1007_s_at'; '1053_at'});
assert (ds.samples, {'GSM1', 'GSM2'});
assert (ds.classes, {'', 'tumor'});
assert (ds.meta, struct ('format', 'soft', 'dataset_title', {{'T'}}, 'disease_state', {{'', 'tumor'}}));
assert ({ds.symbols, ds.annotation}, {{'DDR1'; 'RFC2'}, struct('IDENTIFIER', {{'DDR1'; 'RFC2'}})});
ds = read_text (sprintf (['^PLATFORM = GPL1\n!platform_table_begin\nID\tGene Symbol\na\tA\nb\tB\n!platform_table_end\n^SAMPLE = GSM1\n' ...
     '!Sample_characteristics_ch1 = sex: f\n!Sample_characteristics_ch1 = age: 3\n!sample_table_begin\nID_REF\tVALUE\nb\t7\n!sample_table_end\n' ...
     '^SAMPLE = GSM2\n!Sample_characteristics_ch1 = sex: m\n!sample_table_begin\nID_REF\tVALUE\nb\t8\na\t9\n!sample_table_end\n']));
assert (ds.X, [NaN 9; 7 8]);
assert (ds.names, {'a'; 'b'});
assert (ds.samples, {'GSM1', 'GSM2'});
assert (size (ds.classes), [1 0]);
assert ({ds.symbols, ds.annotation}, {{'A'; 'B'}, struct('Gene_Symbol', {{'A'; 'B'}})});
assert (ds.meta.Sample_characteristics_ch1, {'sex: f', 'sex: m'; 'age: 3', ''});
end

function gct ()
% GCT.
ds = read_text (sprintf ('#1.2\n2\t2\nName\tDescription\tx\ty\na\tfirst gene\t1\t2\nb\t\t3\t4\n'));
assert (ds.X, [1 2; 3 4]);
assert (ds.meta, struct ('format', 'gct'));
assert ({ds.symbols, ds.annotation}, {cell(0, 1), struct('descriptions', {{'first gene'; ''}})});
ds = read_text (sprintf ('#1.3\n1\t2\t1\t1\nid\tgene symbol\tx\ty\n2 dose\tna\tlow\thigh\na\tA\t1\t2\n'));
assert (ds.samples, {'x', 'y'});
assert (ds.meta, struct ('format', 'gct', 'x2_dose', {{'low', 'high'}}));
assert ({ds.symbols, ds.annotation}, {{'A'}, struct('gene_symbol', {{'A'}})});
end

function tables ()
% Tables.
ds = read_text (sprintf ('gene,x,"y, z"\r\n"a ""b""",1,2\r\nc,N/A,\r\n'));
assert (ds.X, [1 2; NaN NaN]);
assert (ds.names, {'a "b"'; 'c'});
assert (ds.samples, {'x', 'y, z'});
assert (ds.meta, struct ('format', 'table'));
ds = read_text (sprintf ('x\ty\n1\t2\n3\t4\n'));
assert (ds.X, [1 2; 3 4]);
assert (size (ds.names), [0 1]);
assert (ds.samples, {'x', 'y'});
ds = read_text (sprintf (';y\n1;2\n3;4\n'));
assert (ds.X, [2; 4]);
assert (ds.names, {'1'; '3'});
% Numbers that are names, and columns of texts, which follow the rows.
ds = read_text (sprintf ('Entrez ID,symbol,s,t,GO term\n780,DDR1,1,2,a\n5982,,3,4,"b, c"\n1956,EGFR,9,4,\n'));
assert (ds.X, [1 2; 3 4; 9 4]);
assert (ds.names, {'780'; '5982'; '1956'});
assert (ds.samples, {'s', 't'});
assert (ds.meta, struct ('format', 'table'));
assert (ds.symbols, {'DDR1'; ''; 'EGFR'});
assert (ds.annotation, struct ('symbol', {ds.symbols}, 'GO_term', {{'a'; 'b, c'; ''}}));
es = knng.filterrows (ds, 'MinMean', 2);
assert ({es.symbols, es.annotation.symbol}, {{''; 'EGFR'}, {''; 'EGFR'}});
es = knng.collapse (ds, ds.symbols);
assert ({es.names, es.symbols, es.annotation.GO_term}, {{'DDR1'; 'EGFR'}, {'DDR1'; 'EGFR'}, {'a'; ''}});
es = knng.addphenotype (ds, 'age', [30 40]);
assert ({es.symbols, es.annotation.GO_term}, {{'DDR1'; ''; 'EGFR'; ''}, {'a'; 'b, c'; ''; ''}});
es = knng.normalize (knng.impute (ds), 'median');
assert ({es.symbols, es.annotation}, {ds.symbols, ds.annotation});
es = knng.metafeatures (ds, 'sum');
assert ({es.symbols, numel(es.annotation.symbol)}, {{'DDR1'; ''; 'EGFR'; ''; ''; ''}, 6});
ds = read_text (sprintf ('x,y,kind\n1,2,p\n3,4,q\n'));
assert (ds.X, [1 2; 3 4]);
assert (size (ds.names), [0 1]);
assert ({ds.annotation.kind, ds.symbols}, {{'p'; 'q'}, cell(0, 1)});
% Columns of one name.
ds = read_text (sprintf ('g,a b,x,a.b,a_b_4,a-b,format\n1_at,p,1,q,r,s,t\n'));
assert (ds.annotation, struct ('a_b', {{'p'}}, 'a_b_2', {{'q'}}, 'a_b_4', {{'r'}}, 'a_b_9', {{'s'}}, 'format', {{'t'}}));
% A first sample that might be taken for names is none after it was written.
f = [tempname() '.csv'];
unwind_protect
  knng.write (f, struct ('X', [7 1; 8 2], 'samples', {{'gene', 'x'}}));
  ds = knng.read (f);
  assert (ds.X, [7 1; 8 2]);
  assert (ds.samples, {'gene', 'x'});
unwind_protect_cleanup
  delete (f);
end_unwind_protect
ds = read_text (sprintf ('1.5,2\n3,4\n'));
assert (ds.X, [1.5 2; 3 4]);
assert (size (ds.samples), [1 0]);
assert (size (knngraph (ds.X, 1)), [2 2]);
end

function lines_of_samples ()
% Lines below the header of a table: the first has the classes, all are fields of meta, and phenotypes as they come.
ds = read_text (sprintf (['gene,symbol,s1,s2,s3\r\nclass,,ALL,ALL,AML\r\n#age at diagnosis,,51.5,NA,7\r\na,A,1,2,3\r\nb,B,4,5,\r\n']));
assert (ds.X, [1 2 3; 4 5 NaN]);
assert ({ds.names, ds.samples, ds.classes}, {{'a'; 'b'}, {'s1', 's2', 's3'}, {'ALL', 'ALL', 'AML'}});
assert (ds.meta.class, ds.classes);
assert (ds.meta.age_at_diagnosis, {'51.5', '', '7'});
es = knng.addphenotype (ds, 'AML');
assert (es.X(3, :), [0 0 1]);
p = knng.internal.phenotypes (ds, rmfield (ds.meta, 'format'));
assert ({p.name}, {'class', 'age_at_diagnosis'});
ds = read_text (sprintf ('gene;s1;s2;s3\ngroup;1;;2\nsex;f;m;\nsex;f;f;\na;1;2;3\n'));
assert (ds.classes, [1 NaN 2]);
assert (ds.meta.group, {'1', '', '2'});
assert (ds.meta.sex, {'f', 'm', ''; 'f', 'f', ''});
% Without a name, and without names of rows.
ds = read_text (sprintf ('s1\ts2\nu\tv\n1\t2\n'));
assert ({ds.X, ds.names, ds.classes, ds.meta.class}, {[1 2], cell(0, 1), {'u', 'v'}, {'u', 'v'}});
refused ('gene,s1,s2\na,ND,ND\nb,1,2\n', 'line 2: found ''ND'' in field 2, expected a number.*put # before its name');
refused ('gene,s1,s2\nb,1,2\nclass,u,v\n', 'line 3: found ''u'' in field 2');
end

function name_of_a_file ()
% A file name does for knngraph.
f = tempname ();
unwind_protect
  write_text (f, sprintf ('gene,x,y\na,0,0\nb,0,1\nc,0,3\n'));
  assert (knngraph (f, 1), sparse ([1 2 3], [2 1 2], [1 1 2], 3, 3));
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end

function options ()
% What a text does not show: each option alone, by every way to say it, and all together.
text = sprintf ('g;x|y;z\na;1,5|2;-999\nb;ND|7;3\n');
for delimiter = {';', 'semicolon', 'SEMI'}
  ds = read_text (strrep (text, '|', ';'), 'Delimiter', delimiter{1}, 'Missing', 'nd');
  assert ({ds.X, ds.samples}, {[1.5 2 -999; NaN 7 3], {'x', 'y', 'z'}});
end
said = {'|', 'bar', '|'; ' ', 'blank', 'Space'; ',', 'comma', ','; sprintf('\t'), 'tab', '\t'};
for i = 1:4
  other = strrep (sprintf ('g~x\na~1.5\n'), '~', said{i, 1});
  for j = 1:3
    ds = read_text (other, 'delimiter', said{i, j});
    assert ({ds.X, ds.names, ds.samples}, {1.5, {'a'}, {'x'}});
  end
end
ds = read_text (sprintf ('g,h|x\na|1,5\n'), 'Delimiter', '|', 'DecimalComma', 1);
assert ({ds.X, ds.names, ds.samples}, {1.5, {'a'}, {'x'}});
% The decimal comma: found out, said, and denied.
ds = read_text (sprintf ('g;x\na;1,5\nb;-2e1\n'));
assert (ds.X, [1.5; -20]);
ds = read_text (sprintf ('g\tx\na\t1,5\nb\t,25\n'));
assert (ds.X, [1.5; 0.25]);
ds = read_text (sprintf ('g;x\na;1,234\n'), 'DecimalComma', true);
assert (ds.X, 1.234);
ds = read_text (sprintf ('g,x\na,"1,5"\n'), 'DecimalComma', true);
assert (ds.X, 1.5);
refused ('g;x\na;1,234\n', 'line 2: a comma may be decimal here.*give knng.read ''DecimalComma'', true');
refused ('g;x\na;1,5\n', 'line 2: found ''1,5'' in field 2.*''DecimalComma'', true', 'DecimalComma', false);
refused ('g;x\na;1.5\n', 'line 2: found ''1.5'' in field 2.*''DecimalComma'', false', 'DecimalComma', true);
% Lines above; all lines are counted.
ds = read_text (sprintf ('Report; of Tuesday\n\ng,x\na,1\n'), 'HeaderLines', 2);
assert ({ds.X, ds.names}, {1, {'a'}});
refused ('Report\ng,x\na,y\nb,1\n', 'line 3: found ''y''', 'HeaderLines', 1);
% Names of rows.
text = sprintf ('no,probe,x,kind\n7,p,1,u\n8,q,2,v\n');
for column = {2, int8(2), 'probe'}
  ds = read_text (text, 'NamesColumn', column{1});
  assert ({ds.X, ds.names, ds.samples, ds.annotation}, {[7 1; 8 2], {'p'; 'q'}, {'no', 'x'}, struct('kind', {{'u'; 'v'}})});
end
ds = read_text (text, 'NamesColumn', 0);
assert ({ds.X, ds.names, ds.annotation.probe}, {[7 1; 8 2], cell(0, 1), {'p'; 'q'}});
ds = read_text (text, 'NamesColumn', 'no');
assert ({ds.X, ds.names, ds.annotation.probe}, {[1; 2], {'7'; '8'}, {'p'; 'q'}});
% Missing values; the defaults are as if nothing was given.
ds = read_text (sprintf ('g,kind,x\na,-,-\nb,+,#DIV/0!\n-,,3\n'), 'Missing', {'-', '#DIV/0!'});
assert ({ds.X, ds.names, ds.annotation.kind}, {[NaN; NaN; 3], {'a'; 'b'; '-'}, {''; '+'; ''}});
ds = read_text (sprintf ('<MicroarrayData>\n1 2\na -999 1,5\n<EndOfFile>\n'), 'Missing', '-999', 'DecimalComma', true);
assert (ds.X, [NaN 1.5]);
plain = read_text (text);
ds = read_text (text, 'Missing', {}, 'Delimiter', '', 'DecimalComma', 'auto', 'HeaderLines', 0, 'NamesColumn', [], 'Platform', '', 'Dataset', '');
assert (ds, plain);
ds = read_text (sprintf ('g,kind,x,y\na,5.0,-99.0,1e20\nb,u,1,2\n'), 'Missing', {-99, '1E20', 5});
assert ({ds.X, ds.annotation.kind}, {[NaN NaN; 1 2], {''; 'u'}});
refused ('g,x\na,1\nb,ND\n', 'line 3: found ''ND''.*give knng.read ''Missing'', ''ND''$');
end

function options_that_do_not_fit ()
% Each wrong value, and each format that has no use for an option: said before anything is returned.
table = 'g,x\na,1\n';
option = 'knng:args:option';
wrong = {'Delimiter', {'x', 'commas', 5, {','}, @sin, [',';';'], true}; ...
         'DecimalComma', {'x', 2, NaN, [1 0], {true}, @sin, sparse(true), complex(1, 1)}; ...
         'HeaderLines', {-1, 0.5, NaN, Inf, 'x', {1}, true, [1 2]}; ...
         'NamesColumn', {-1, 0.5, NaN, {1}, {'g'}, true, [1 2], @sin, ['g'; 'x']}; ...
         'Platform', {5, {'GPL1'}, true, @sin, ['ab'; 'cd'], NaN}; ...
         'Missing', {[1 2], {1i}, {'a', []}, @sin, {'a', true}, ['ab'; 'cd'], {{'a'}}, containers.Map(), cell(1), true}};
for i = 1:size (wrong, 1)
  for j = 1:numel (wrong{i, 2})
    refused (table, ['''' wrong{i, 1} ''''], wrong{i, 1}, wrong{i, 2}{j}, option);
  end
end
refused (table, '''NamesColumn'' is 3, and .* has 2 columns', 'NamesColumn', 3, option);
refused (table, '''NamesColumn'' is ''h'', and .* no such column; its header has ''g'', ''x''$', 'NamesColumn', 'h', option);
refused (table, '''Platform'' is for families of GEO, and .* is a table .*: leave it out$', 'Platform', 'GPL96', option);
refused ('*Vertices 2\n*Edges\n1 2\n', '''Platform'' is for families of GEO, and .*: leave it out$', 'Platform', 'GPL96', option);
refused (table, '''HeaderLines'' is 3, and .* has 2 lines$', 'HeaderLines', 3, option);
refused (table, '''HeaderLines'' is 2, which leaves nothing of', 'HeaderLines', 2, option);
values = struct ('Delimiter', 'tab', 'NamesColumn', 1, 'Missing', 'x', 'DecimalComma', true);
texts = {'<MicroarrayData>\n1 1\na 2\n<EndOfFile>\n', 'tables', {'Delimiter', 'NamesColumn'}; ...
         '#1.2\n1\t1\nName\tDescription\tx\na\t\t1\n', 'tables', {'Delimiter', 'NamesColumn'}; ...
         '*Vertices 2\n*Edges\n1 2\n', 'data sets', {'Missing', 'DecimalComma'}; ...
         'source,target\n1,2\n', 'data sets', {'Missing', 'DecimalComma'}};
for i = 1:size (texts, 1)
  for name = texts{i, 3}
    refused (texts{i, 1}, ['''' name{1} ''' is for ' texts{i, 2} ', and .*: leave it out'], name{1}, values.(name{1}), option);
  end
end
f = [tempname() '.fbin'];
unwind_protect
  h = fopen (f, 'w');
  fwrite (h, [1 1], 'uint32');
  fwrite (h, 1, 'single');
  fclose (h);
  for name = fieldnames (values)'
    said = '';
    try, knng.read (f, name{1}, values.(name{1})); catch e, said = [e.identifier, ' ', e.message]; end
    remedy = 'leave it out';
    if strcmp (name{1}, 'Missing')
      remedy = 'read it without, and make such numbers NaN: ds = ';
    end
    assert (~isempty (regexp (said, ['^' option ' ''' name{1} ''' is for texts, and .*: ' remedy], 'once')), said);
  end
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end

function warnings ()
% What is wrong around the values is told.
texts = {sprintf('<MicroarrayData>\n1 2\na 1 2\n<SamplesClasses>\n1\n<EndOfFile>\n'), ...
         sprintf('!x\t1\noops\n!series_matrix_table_begin\nID_REF\tS\na\t1\n!series_matrix_table_end\n'), ...
         sprintf('!Sample_c\t1\t2\n!Sample_c\t1\n!series_matrix_table_begin\nID_REF\tS\tT\na\t1\t2\n!series_matrix_table_end\n')};
for i = 1:3
  lastwarn ('', '');
  evalc ('read_text (texts{i});');
  [text, id] = lastwarn ();
  assert (id, 'knng:data:metadata');
end
assert (~isempty (strfind (text, 'line 2: found 1 values of Sample_c, expected 2')), text);
end

function doubts ()
% A file that is in order, and not what it should be: one warning, which can be switched off; the values are as they are.
changed = sprintf ('gene,s1,s2\nTP53,1,2\n1-Mar,3,4\n2-Sep,5,6\nMYC,7,8\nEGFR,9,1\n');
turned = sprintf (['id%s\ns1%s\ns2%s\n'], sprintf (',%d_at', 1:120), sprintf (',%d', 1:120), sprintf (',%d', 1:120));
quoted = sprintf ('gene,s1,s2\na,"<0.1","1"\nb,"0.5","2"\nc,"1.5","3"\n');
twice = sprintf ('gene,s,s\na,1,2\nb,3,4\n');
golub = fullfile (fileparts (which ('knngraph')), 'examples', 'data', {'golub.nbi.gz', 'golub_series_matrix.txt.gz', 'sample.nbi'});
cases = {changed, 'knng:data:spreadsheet', 'the name of row 2, ''1-Mar'', looks like .*\(and 1 more\)', [5 2]; ...
         quoted, 'knng:data:texts', ...
         'the column ''s1'' .* row 1 has ''<0.1'' there, though 2 of .* ''Missing'', ''<0.1''', [3 1]; ...
         twice, 'knng:data:sampleNames', '1 of the 2 samples has .* ''s'' \(columns 1 and 2', [2 2]; ...
         turned, 'knng:data:transposed', 'the columns look like genes \(column 1 is ''1_at''\)', [2 120]};
nowhere = @() read_text (sprintf ('g,x\na,1.00\n'), 'Missing', {'ND', 1});
printed = told (nowhere, 'knng:data:missing', 'on');
assert (~isempty (strfind (printed, '''Missing'' ''ND'' is nowhere in ')), printed);
assert (told (nowhere, 'knng:data:missing', 'off'), '');
for i = 1:size (cases, 1)
  printed = told (@() read_text (cases{i, 1}), cases{i, 2}, 'on');
  assert (numel (regexp (printed, 'warning:(?! called from)')), 1);
  assert (~isempty (regexp (printed, cases{i, 3}, 'once')), printed);
  assert (told (@() read_text (cases{i, 1}), cases{i, 2}, 'off'), '');
  id = '';
  try, told (@() read_text (cases{i, 1}), cases{i, 2}, 'error'); catch e, id = e.identifier; end
  assert (id, cases{i, 2});
  state = warning ('off', cases{i, 2});
  ds = read_text (cases{i, 1});
  warning (state);
  assert (size (ds.X), cases{i, 4});
end
assert (ds.X, [1:120; 1:120]);
% The data that come with knng, and what was transposed as the help says.
for i = 1:numel (golub)
  assert (told (@() knng.read (golub{i}), 'knng:data:transposed', 'on'), '');
end
f = [tempname() '.csv'];
unwind_protect
  knng.write (f, struct ('X', ds.X', 'names', {ds.samples'}, 'samples', {ds.names'}));
  assert (told (@() knng.read (f), 'knng:data:transposed', 'on'), '');
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end

function printed = told (f, id, state) %#ok<INUSL>
% What f prints, with warnings of this identifier on, off, or as errors.
former = warning ();
restore = onCleanup (@() warning (former));
warning (state, id);
printed = evalc ('ignored = f ();');
end

function damage_around_values ()
% What is wrong around the values loses none of them.
state = warning ('off', 'knng:data:metadata');
unwind_protect
  ds = read_text (sprintf ('<MicroarrayData>\n1 2\na 1 2\n<SamplesClasses>\n1\n<EndOfFile>\n'));
  assert (ds.X, [1 2]);
  assert (size (ds.classes), [1 0]);
  assert (ds.meta.SamplesClasses, {'1'});
  ds = read_text (sprintf ('!Sample_c\t1\t2\n!Sample_c\t1\n!series_matrix_table_begin\nID_REF\tS\tT\na\t1\t2\n!series_matrix_table_end\n'));
  assert (ds.meta.Sample_c, {{'1', '2'}; {'1'}});
unwind_protect_cleanup
  warning (state);
end_unwind_protect
end

function graphs ()
% A graph, as knng.write and as others write it.
f = tempname ();
unwind_protect
  write_text (f, sprintf (['graph [\n directed 1\n node [ id 7 label "a" group "x" ]\n' ...
    ' node [ id 5 label "b" x 1 y 2 ]\n edge [ source 7 target 5 weight 0 ]\n]\n']));
  g = knng.read (f);
  assert (fieldnames (g), {'A'; 'names'; 'groups'; 'positions'; 'directed'; 'meta'});
  assert (g.A, sparse (1, 2, realmin, 2, 2));
  assert (g.names, {'a'; 'b'});
  assert (g.groups, {'x'; ''});
  assert (g.positions, [NaN NaN; 1 2]);
  assert (g.directed, true);
  assert (g.meta.format, 'gml');
  write_text (f, sprintf ('*Vertices 3\n*Edges\n1 2\n2 3\n'));
  g = knng.read (f);
  assert (g.A, sparse ([0 1 0; 1 0 1; 0 1 0]));
  assert (g.directed, false);
  assert ({size(g.names, 1), size(g.groups), size(g.positions)}, {0, [0 1], [0 2]});
  fail ("knngraph (f, 1)", 'graph');
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end

function empty_group ()
% A group that is an empty text is no number.
g = read_text (['<graphml><key id="g" for="node" attr.name="group"/><graph><node id="a"><data key="g"><![CDATA[]]></data>' ...
     '</node><node id="b"><data key="g">1</data></node></graph></graphml>']);
assert (g.groups, {''; '1'});
end

function damaged_values ()
f = tempname ();
unwind_protect
  write_text (f, sprintf ('<MicroarrayData>\n1 2\na 1 x\n<EndOfFile>\n'));
  fail ('knng.read (f)', 'line 3: found ''x''');
  id = '';
  try, knng.read (f); catch e, id = e.identifier; end
  assert (id, 'knng:io:format');
  write_text (f, sprintf ('<MicroarrayData>\n2 2\na 1 2\n<EndOfFile>\n'));
  try, knng.read (f); catch e, id = e.identifier; end
  assert (id, 'knng:io:truncated');
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end

function refused (text, why, varargin)
% The error of a file that is none, or with options, behind which its identifier may stand.
id = 'knng:io:format';
if mod (numel (varargin), 2) == 1
  id = varargin{end};
  varargin(end) = [];
end
said = '';
try, read_text (sprintf (text), varargin{:}); catch e, said = [e.identifier, ' ', e.message]; end
assert (~isempty (regexp (said, ['^', id, ' .*', why], 'once')), said);
end

function write_text (file, text)
f = fopen (file, 'w');
fwrite (f, text);
fclose (f);
end

function ds = read_text (text, varargin)
% Read without a trace.
f = tempname ();
unwind_protect
  write_text (f, text);
  ds = knng.read (f, varargin{:});
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end
