function nfail = test_write ()
%TEST_WRITE  What knng.write writes is what knng.read reads, in each format; texts to the byte.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@one_graph, @there_and_back, @nodes_without_places, @data_sets, @directions, @groups, @left_out, ...
          @nothing_at_all};
nfail = run_checks (checks);
end

function one_graph ()
% Matrix, lists and struct are one graph; the nearest comes first.
X = [0; 0; 3; 1];
[idx, dist] = knngraph (X, 2);
A = knngraph (X, 2);
want = sprintf ('4 8\n0 1 0\n0 3 1\n1 0 0\n1 3 1\n2 3 2\n2 0 3\n3 0 1\n3 1 1\n');
assert (written ('.knn', idx, dist), want);
assert (written ('.knn', A), want);
assert (written ('.knn', struct ('A', A)), want);
assert (written ('.txt', A, 'format', 'KNN'), want);
end

function there_and_back ()
% Knng.read reads back what the format holds.
X = [0 0; 1 0; 0 2; 5 5; 5 5; 1/3 1e-7];
A = knngraph (X, 2);
names = {'a"b'; 'R&D <1>'; sprintf('two\nlines'); ' '; 'e,f'; '&#65;'};
holds = struct ('knn', 0, 'mtx', 0, 'csv', 1, 'net', 2, 'gml', 3, 'graphml', 3, 'gexf', 3, 'cyjs', 3);
for format = fieldnames(holds)'
  f = [tempname() '.' format{1} '.gz'];
  unwind_protect
    for groups = {[3; NaN; 1; 1; 2.5; 3], {'x'; ''; 'y'; 'y'; 'x'; '"'}}
      g = struct ('A', A, 'names', {names}, 'groups', {groups{1}}, 'positions', X, 'directed', true);
      ws = warning ('off', 'knng:args:leftOut');
      knng.write (f, g);
      warning (ws);
      h = knng.read (f);
      assert (isequal (h.A, A) && h.directed);
      assert (h.meta.format, format{1});
      assert (isequal (h.names, names), holds.(format{1}) > 0);
      assert (isequal (h.positions, X), holds.(format{1}) > 1);
      if holds.(format{1}) > 2
        assert (h.groups, groups{1});
      end
    end
  unwind_protect_cleanup
    delete (f);
  end_unwind_protect
end
end

function nodes_without_places ()
% Nodes without a place, as knng.read returns them.
g = struct ('A', sparse ([0 1 0; 0 0 2; 3 0 0]), 'names', {{'a'; 'b'; 'c'}});
for format = {'net', 'gml', 'graphml', 'gexf', 'cyjs'}
  f = [tempname() '.' format{1}];
  unwind_protect
    for places = {[NaN NaN; 1 2; -3 0.1], [1 2; NaN NaN; -3 0.1]}
      g.positions = places{1};
      knng.write (f, g);
      h = knng.read (f);
      assert (isequal (h.A, g.A) && isequal (h.names, g.names) && isequaln (h.positions, g.positions));
      assert (isempty (strfind (lower (fileread (f)), 'nan')));
    end
    g.positions = NaN (3, 2);
    knng.write (f, g);
    h = knng.read (f);
    assert (size (h.positions), [0 2]);
  unwind_protect_cleanup
    delete (f);
  end_unwind_protect
end
end

function data_sets ()
% Data sets.
ds = struct ('X', [1 NaN 0.1; -Inf 2 1e-300], 'names', {{'a'; 'R&D'}}, 'samples', {{'s1', 's2', 's3'}}, 'classes', [0 NaN 1]);
want = sprintf (['<MicroarrayData>\n2\t3\na\t1\tNA\t0.1\nR&D\t-INF\t2\t1.0e-300\n' ...
  '<SamplesNames>\ns1\ts2\ts3\n<SamplesClasses>\n0\tNA\t1\n<EndOfFile>\n']);
assert (written ('.nbi', ds), want);
for format = {'nbi', 'csv', 'tsv', 'gct'}
  f = [tempname() '.' format{1} '.gz'];
  unwind_protect
    ws = warning ('off', 'knng:args:leftOut');
    knng.write (f, ds);
    warning (ws);
    back = knng.read (f);
    for field = {'X', 'names', 'samples'}
      assert (isequaln (back.(field{1}), ds.(field{1})));
    end
    assert (isequaln (back.classes, ds.classes), ~strcmp (format{1}, 'gct'));
  unwind_protect_cleanup
    delete (f);
  end_unwind_protect
end
assert (written ('.nbi', struct ('X', single ([0.5; 2]))), sprintf ('<MicroarrayData>\n2\t1\nF1\t0.5\nF2\t2\n<EndOfFile>\n'));
ds = rmfield (ds, 'classes');
assert (written ('.gct', ds), sprintf ('#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\na\tna\t1\tNA\t0.1\nR&D\tna\t-INF\t2\t1.0e-300\n'));
ds.names{2} = 'x, "y"';
assert (written ('.csv', ds), sprintf (',"s1","s2","s3"\n"a",1,NA,0.1\n"x, ""y""",-INF,2,1.0e-300\n'));
assert (written ('.csv', struct ('X', [1; 2])), sprintf (',S1\nF1,1\nF2,2\n'));
assert (written ('.tsv', rmfield (ds, 'names')), sprintf ('"s1"\t"s2"\t"s3"\n1\tNA\t0.1\n-INF\t2\t1.0e-300\n'));
end

function directions ()
% A symmetric A is undirected, unless it is said otherwise.
A = sparse ([0 1 0; 1 0 2; 0 2 0]);
assert (written ('.net', A), sprintf ('*Vertices 3\n*Edges\n1 2 1\n2 3 2\n'));
assert (written ('.net', A, 'Directed', true), sprintf ('*Vertices 3\n*Arcs\n1 2 1\n2 1 1\n2 3 2\n3 2 2\n'));
assert (written ('.csv', A), sprintf ('source,target,weight\n1,2,1\n2,1,1\n2,3,2\n3,2,2\n'));
id = '';
try, knng.write ([tempname() '.gml'], sparse ([0 1; 2 0]), 'Directed', false); catch e, id = e.identifier; end
assert (id, 'knng:args:directed');
end

function groups ()
% Groups of numbers and of texts; none are white.
A = sparse ([0 1 0; 1 0 2; 0 2 0]);
text = written ('.gml', A, 'Groups', {'x', '', 'b'});
assert (numel (strfind (text, 'group "x"')) + numel (strfind (text, 'group "b"')), 2);
assert (numel (strfind (text, '#FFFFFF')), 1);
c = round (255 * knng.internal.palette ());
assert (numel (strfind (text, sprintf ('#%02X%02X%02X', c(2, :)))), 1);
assert (numel (strfind (written ('.graphml', A, 'Groups', [0.1; NaN; 3]), '<data key="group">0.1</data>')), 1);
end

function left_out ()
% What is left out is told.
lastwarn ('', '');
written ('.mtx', sparse (2, 2), 'Names', {'a', 'b'}, 'Positions', [1 2; 3 4]);
[text, id] = lastwarn ();
assert (id, 'knng:args:leftOut');
assert (! isempty (strfind (text, 'names, positions')));
end

function nothing_at_all ()
% Nothing at all, and nothing but nodes.
assert (written ('.knn', sparse (0, 0)), sprintf ('0 0\n'));
assert (written ('.mtx', sparse (3, 3)), sprintf ('%%%%MatrixMarket matrix coordinate real symmetric\n3 3 0\n'));
assert (written ('.csv', sparse (2, 2), 'Names', {'a', 'b'}), sprintf ('source,target,weight\na,,\nb,,\n'));
end

function text = written (ending, varargin)
f = [tempname() ending];
unwind_protect
  knng.write (f, varargin{:});
  text = fileread (f);
unwind_protect_cleanup
  delete (f);
end_unwind_protect
end
