function nfail = test_read ()
%TEST_READ  What knng.read returns of a file of each format, and what it says of files that are damaged around the
%   values. tests/unit/test_read.c has every error.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@words_for_classes, @missing_classes, @abk, @geo, @soft, @gct, @tables, @name_of_a_file, ...
          @warnings, @damage_around_values, @graphs, @empty_group, @damaged_values};
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
assert (ds.meta, struct ('format', 'soft', 'dataset_title', {{'T'}}, 'IDENTIFIER', {{'DDR1'; 'RFC2'}}, 'disease_state', {{'', 'tumor'}}));
ds = read_text (sprintf (['^PLATFORM = GPL1\n!platform_table_begin\nID\tGene Symbol\na\tA\nb\tB\n!platform_table_end\n^SAMPLE = GSM1\n' ...
     '!Sample_characteristics_ch1 = sex: f\n!Sample_characteristics_ch1 = age: 3\n!sample_table_begin\nID_REF\tVALUE\nb\t7\n!sample_table_end\n' ...
     '^SAMPLE = GSM2\n!Sample_characteristics_ch1 = sex: m\n!sample_table_begin\nID_REF\tVALUE\nb\t8\na\t9\n!sample_table_end\n']));
assert (ds.X, [NaN 9; 7 8]);
assert (ds.names, {'a'; 'b'});
assert (ds.samples, {'GSM1', 'GSM2'});
assert (size (ds.classes), [1 0]);
assert (ds.meta.Gene_Symbol, {'A'; 'B'});
assert (ds.meta.Sample_characteristics_ch1, {'sex: f', 'sex: m'; 'age: 3', ''});
end

function gct ()
% GCT.
ds = read_text (sprintf ('#1.2\n2\t2\nName\tDescription\tx\ty\na\tfirst gene\t1\t2\nb\t\t3\t4\n'));
assert (ds.X, [1 2; 3 4]);
assert (ds.meta, struct ('format', 'gct', 'descriptions', {{'first gene'; ''}}));
ds = read_text (sprintf ('#1.3\n1\t2\t1\t1\nid\tgene symbol\tx\ty\n2 dose\tna\tlow\thigh\na\tA\t1\t2\n'));
assert (ds.samples, {'x', 'y'});
assert (ds.meta, struct ('format', 'gct', 'gene_symbol', {{'A'}}, 'x2_dose', {{'low', 'high'}}));
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
assert (ds.meta, struct ('format', 'table', 'symbol', {{'DDR1'; ''; 'EGFR'}}, 'GO_term', {{'a'; 'b, c'; ''}}));
es = knng.filterrows (ds, 'MinMean', 2);
assert (es.meta.symbol, {''; 'EGFR'});
es = knng.collapse (ds, ds.meta.symbol);
assert ({es.names, es.meta.GO_term}, {{'DDR1'; 'EGFR'}, {'a'; ''}});
ds = read_text (sprintf ('x,y,kind\n1,2,p\n3,4,q\n'));
assert (ds.X, [1 2; 3 4]);
assert (size (ds.names), [0 1]);
assert (ds.meta.kind, {'p'; 'q'});
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

function write_text (file, text)
f = fopen (file, 'w');
fwrite (f, text);
fclose (f);
end

function ds = read_text (text)
% Read without a trace.
f = tempname ();
unwind_protect
  write_text (f, text);
  ds = knng.read (f);
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end
