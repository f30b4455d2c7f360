function ds = read (file)
%KNNG.READ  Read a data set or a graph from a text file.
%   ds = knng.read (FILE) reads FILE, plain or gzipped, and returns a struct with
%     ds.X        n-by-d double, a row for each feature (gene, probe), a column for each sample;
%                 missing values are NaN
%     ds.names    n-by-1 cell, the names of the rows
%     ds.samples  1-by-d cell, the names of the samples; 1-by-0 if the file has none
%     ds.classes  1-by-d double, the class labels, if every label is a number (a missing one is NaN),
%                 else 1-by-d cell; 1-by-0 if the file has none
%
%   The format is recognised by what is in the file, not by its name. One is known, NBI:
%
%     <MicroarrayData>
%     3 4                           features and samples
%     GAPDH   7.3   7.1   7.9   8   a name without blanks, and a value for each sample
%     ZYX     1.5   NA    3e-2  4
%     CD33    0     2.25  ?     -1
%     <SamplesNames>                optional
%     S1 S2 S3 S4
%     <SamplesClasses>              optional
%     0 0 1 1
%     <EndOfFile>
%
%   Blanks or a tab stand between fields. NA, NaN, null, ? or nothing between two tabs is a missing
%   value; the decimal sign is the point. Values are correctly rounded doubles.
%
%   g = knng.read (FILE) reads a graph in one of the formats of knng.write, GML, GraphML, Pajek, MatrixMarket,
%   a table with the columns source and target, or .knn, as knng.write or other programs write them:
%     g.A          n-by-n sparse, A(i,j) the weight of the edge from i to j (1 if none has a weight); 0 is realmin
%     g.names      n-by-1 cell, the names of the nodes; no elements if the file has none but numbers
%     g.groups     n-by-1 double, or a cell of texts; no elements if the file has none
%     g.positions  n-by-2 double; 0-by-2 if the file has none
%     g.directed   false if all edges are undirected; then A is symmetric
%
%   Errors
%     knng:args:count    no argument, or more than one
%     knng:args:file     FILE is not a row of characters
%     knng:io:open       there is no such file, or it cannot be read
%     knng:io:format     something else than expected; the message has the line
%     knng:io:truncated  the file ends too early: no <EndOfFile>, fewer rows than promised, a cut gzip stream
%     knng:memory:host   it does not fit into memory
%
%   Cost: one pass; 24 158 x 295 numbers take well under a second. Memory: the text, and 8 bytes a number.
%
%   Example
%     root = fileparts (which ('knngraph'));
%     ds = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
%     size (ds.X)                         % 3051 38
%     [idx, dist] = knngraph (ds.X, 20, 'pearson');
%     knng.neighbors (ds, idx, dist, 'X95735_at', 5)
%
%   See also knng.write, knng.neighbors, knngraph.
if nargin ~= 1
    error ('knng:args:count', 'expected 1 argument, the name of a file: ds = knng.read (''data.nbi'')');
end
if ~ischar (file) || size (file, 1) ~= 1
    error ('knng:args:file', 'FILE is a %d-by-%d %s: it must be the name of a file, in quotes', size (file, 1), size (file, 2), class (file));
end
knng.internal.built ();
ds = knng.internal.read (file);
end

%!function write_text (file, text)
%!  f = fopen (file, 'w');
%!  fwrite (f, text);
%!  fclose (f);
%!endfunction

%!test  # all that the help promises
%! f = tempname ();
%! unwind_protect
%!   write_text (f, sprintf (['<MicroarrayData>\n3 4\nGAPDH 7.3 7.1 7.9 8\nZYX\t1.5\tNA\t3e-2\t4\n' ...
%!               'CD33 0 2.25 ? -1\n<SamplesNames>\nS1 S2 S3 S4\n<SamplesClasses>\n0 0 1 NA\n<EndOfFile>\n']));
%!   ds = knng.read (f);
%!   assert (fieldnames (ds), {'X'; 'names'; 'samples'; 'classes'; 'meta'});
%!   assert (ds.X, [7.3 7.1 7.9 8; 1.5 NaN 3e-2 4; 0 2.25 NaN -1]);
%!   assert (ds.names, {'GAPDH'; 'ZYX'; 'CD33'});
%!   assert (ds.samples, {'S1', 'S2', 'S3', 'S4'});
%!   assert (ds.classes, [0 0 1 NaN]);
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect

%!test  # words for classes, and no sections at all
%! f = tempname ();
%! unwind_protect
%!   write_text (f, sprintf ('<MicroarrayData>\n1 3\na 1 2 3\n<SamplesClasses>\nALL 1 i\n<EndOfFile>'));
%!   ds = knng.read (f);
%!   assert (ds.classes, {'ALL', '1', 'i'});
%!   assert (size (ds.samples), [1 0]);
%!   assert (iscell (ds.samples));
%!   write_text (f, sprintf ('<MicroarrayData>\n1 3\na 1 2 3\n<EndOfFile>'));
%!   ds = knng.read (f);
%!   assert (ds.classes, zeros (1, 0));
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect

%!test  # the example data, twice: the second call after an error
%! root = fileparts (fileparts (which ('knng.read')));
%! f = fullfile (root, 'examples', 'data', 'golub.nbi.gz');
%! ds = knng.read (f);
%! assert (size (ds.X), [3051 38]);
%! assert (ds.X(1, 1), -1.45769);
%! assert (ds.names{end}, 'M71243_f_at');
%! assert (ds.classes, [zeros(1, 27), ones(1, 11)]);
%! fail ("knng.read ('/nonexistent/x.nbi')", 'No such file');
%! assert (isequal (knng.read (f), ds));

%!test  # a graph, as knng.write and as others write it
%! f = tempname ();
%! unwind_protect
%!   write_text (f, sprintf (['graph [\n directed 1\n node [ id 7 label "a" group "x" ]\n' ...
%!     ' node [ id 5 label "b" x 1 y 2 ]\n edge [ source 7 target 5 weight 0 ]\n]\n']));
%!   g = knng.read (f);
%!   assert (fieldnames (g), {'A'; 'names'; 'groups'; 'positions'; 'directed'; 'meta'});
%!   assert (g.A, sparse (1, 2, realmin, 2, 2));
%!   assert (g.names, {'a'; 'b'});
%!   assert (g.groups, {'x'; ''});
%!   assert (g.positions, [NaN NaN; 1 2]);
%!   assert (g.directed, true);
%!   assert (g.meta.format, 'gml');
%!   write_text (f, sprintf ('*Vertices 3\n*Edges\n1 2\n2 3\n'));
%!   g = knng.read (f);
%!   assert (g.A, sparse ([0 1 0; 1 0 1; 0 1 0]));
%!   assert (g.directed, false);
%!   assert ({size(g.names, 1), size(g.groups), size(g.positions)}, {0, [0 1], [0 2]});
%!   fail ("knngraph (f, 1)", 'graph');
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect

%!error id=knng:args:count knng.read ()
%!error id=knng:args:file knng.read (1)
%!error id=knng:args:file knng.read ({'x'})
%!error id=knng:args:file knng.read (['ab'; 'cd'])
%!error id=knng:args:file knng.read (@sin)
%!error id=knng:args:file knng.read ('')
%!error id=knng:io:open knng.read ('/nonexistent/x.nbi')
%!test
%! f = tempname ();
%! unwind_protect
%!   write_text (f, sprintf ('<MicroarrayData>\n1 2\na 1 x\n<EndOfFile>\n'));
%!   fail ('knng.read (f)', 'line 3: found ''x''');
%!   id = '';
%!   try, knng.read (f); catch e, id = e.identifier; end
%!   assert (id, 'knng:io:format');
%!   write_text (f, sprintf ('<MicroarrayData>\n2 2\na 1 2\n<EndOfFile>\n'));
%!   try, knng.read (f); catch e, id = e.identifier; end
%!   assert (id, 'knng:io:truncated');
%! unwind_protect_cleanup
%!   delete (f);
%! end_unwind_protect
