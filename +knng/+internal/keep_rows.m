function ds = keep_rows (ds, rows)
%KEEP_ROWS  The data set DS with these rows alone, in this order: of X, names, and every other field that is a column with
%   an element for each row; of what DS.meta has for each row (knng.read: columns of GCT, SOFT, tables)
%   likewise.

  n = size (ds.X, 1);
  for field = setdiff (fieldnames (ds)', {'X', 'samples', 'classes', 'meta'})
    if (numel (ds.(field{1})) == n && (strcmp (field{1}, 'names') || size (ds.(field{1}), 1) == n))
      ds.(field{1}) = reshape (ds.(field{1})(rows), [], 1);
    end
  end
  if (isfield (ds, 'meta'))
    for field = knng.internal.of_rows (ds.meta, n, size (ds.X, 2))
      ds.meta.(field{1}) = ds.meta.(field{1})(rows, :);
    end
  end
  ds.X = ds.X(rows, :);
end

%!test
%! ds = struct ('X', magic (3), 'names', {{'a', 'b', 'c'}}, 'samples', {{'x', 'y', 'z'}}, 'classes', [1 2 3], 'symbols', {{'k'; 'l'; 'm'}}, ...
%!              'other', 7, 'meta', struct ('format', 'gct', 'descriptions', {{'p'; 'q'; 'r'}}, 'of_samples', {{1, 2, 3}}, 'twice', {{'a', 'A'; 'b', 'B'; 'c', 'C'}}));
%! es = knng.internal.keep_rows (ds, [3; 1]);
%! assert (es.X, magic (3)([3 1], :));
%! assert ([es.names, es.symbols, es.meta.descriptions], {'c', 'm', 'r'; 'a', 'k', 'p'});
%! assert ({es.samples, es.classes, es.other, es.meta.of_samples}, {ds.samples, ds.classes, 7, {1, 2, 3}});
%! assert (es.meta.twice, {'c', 'C'; 'a', 'A'});
%! es = knng.internal.keep_rows (struct ('X', [1; 2], 'names', {cell(0, 1)}), 2);
%! assert (es, struct ('X', 2, 'names', {cell(0, 1)}));
