function write_graphs (folder)
%WRITE_GRAPHS  Graphs of several kinds in every format that other programs read, and what is in each of them in JSON:
%   for read_graphs.py.
rand ('twister', 3);
X = rand (60, 4);
[idx, dist] = knngraph (X, 3);
names = arrayfun (@(i) sprintf ('g%d', i), 1:60, 'UniformOutput', false)';
names{2} = 'R&D <"1">';
names{3} = char ([195 169 32 240 159 152 128]);
groups = arrayfun (@(i) {'', 'A & L', 'b'}{1 + mod(i, 3)}, 1:60, 'UniformOutput', false)';
A = knngraph (X, 3);
G = knng.adjacency (idx, dist, 'Symmetrize', 'union', 'Weight', 'similarity', 'Metric', 'euclidean');
special = sparse ([0 realmin 0; 1e-300 0 NaN; 0 0 0]);
put (folder, 'plain', A, struct ('names', {names}));
score = round (1e6 * sin (1:60)') / 7;
score(5) = NaN;
score(6) = 1e-300;
put (folder, 'known', A, struct ('names', {names}, 'positions', X(:, 1:2), 'groups', {groups}, 'attributes', ...
                                struct ('score', score, 'gene', {names(60:-1:1)}, 'empty', {[repmat({''}, 59, 1); {']]> \\ /'}]})));
put (folder, 'drawn', G, struct ('names', {names}, 'groups', {groups}, 'positions', X(:, 1:2)));
put (folder, 'discs', A, struct ('names', {names}, 'groups', {groups}));
put (folder, 'special', special, struct ('names', {{'a'; 'b'; 'c'}}, 'positions', [1e-7 NaN; 1/3 -5; NaN NaN]));
end

function put (folder, kind, A, g)
g.A = A;
for format = {'gexf', 'cyjs', 'graphml', 'gml'}
  knng.write (fullfile (folder, [kind '.' format{1}]), g);
end
[i, j, w] = find (A);
w(w == realmin) = 0;
f = fopen (fullfile (folder, [kind '.json']), 'w');
closing = onCleanup (@() fclose (f));
if (isequaln (A, A'))
  fprintf (f, '{"directed": false, "nodes": [');
else
  fprintf (f, '{"directed": true, "nodes": [');
end
for v = 1:size (A, 1)
  group = 'null';
  place = 'null';
  if (isfield (g, 'groups') && ~isempty (g.groups{v}))
    group = ['"' g.groups{v} '"'];
  end
  if (isfield (g, 'positions') && ~any (isnan (g.positions(v,:))))
    place = sprintf ('[%.17g, %.17g]', g.positions(v,:));
  end
  known = struct ();
  if (isfield (g, 'attributes'))
    for name = fieldnames (g.attributes)'
      value = g.attributes.(name{1})(v);
      if (iscell (value) && ~isempty (value{1}))
        known.(name{1}) = value{1};
      elseif (~iscell (value) && ~isnan (value))
        known.(name{1}) = value;
      end
    end
  end
  fprintf (f, '%s\n["%s", %s, %s, %s]', repmat (',', 1, v > 1), strrep (g.names{v}, '"', '\"'), group, place, knng.internal.json_text (known));
end
fprintf (f, '], "edges": [');
for e = 1:numel (i)
  fprintf (f, '%s\n[%d, %d, %s]', repmat (',', 1, e > 1), i(e) - 1, j(e) - 1, sprintf ('%.17g', w(e)));
end
fprintf (f, ']}\n');
end
