function ds = keep_rows (ds, rows)
%KEEP_ROWS  The data set DS with these rows alone, in this order: of X, names, symbols, each field of annotation, and every
%   other field that is a column with an element for each row.

  n = size (ds.X, 1);
  for field = setdiff (fieldnames (ds)', {'X', 'samples', 'classes', 'annotation', 'meta', 'history'})
    of_rows = size (ds.(field{1}), 1) == n || any (strcmp (field{1}, {'names', 'symbols'}));
    if (numel (ds.(field{1})) == n && of_rows)
      ds.(field{1}) = reshape (ds.(field{1})(rows), [], 1);
    end
  end
  if (isfield (ds, 'annotation') && isstruct (ds.annotation))
    for field = fieldnames (ds.annotation)'
      column = ds.annotation.(field{1});
      if (size (column, 1) ~= n)                              % a row of them, as of names
        column = column(:);
      end
      ds.annotation.(field{1}) = column(rows, :);
    end
  end
  ds.X = ds.X(rows, :);
end

%!test
%! ds = struct ('X', magic (3), 'names', {{'a', 'b', 'c'}}, 'samples', {{'x', 'y', 'z'}}, 'classes', [1 2 3], 'symbols', {{'k', 'l', 'm'}}, ...
%!              'other', 7, 'score', [4; 5; 6], 'meta', struct ('format', 'gct', 'of_samples', {{1, 2, 3}}), ...
%!              'annotation', struct ('text', {{'p'; 'q'; 'r'}}, 'length', [7; 8; 9], 'twice', {{'a', 'A'; 'b', 'B'; 'c', 'C'}}));
%! es = knng.internal.keep_rows (ds, [3; 1]);
%! assert (es.X, magic (3)([3 1], :));
%! assert ([es.names, es.symbols, es.annotation.text], {'c', 'm', 'r'; 'a', 'k', 'p'});
%! assert ({es.samples, es.classes, es.other, es.score, es.meta}, {ds.samples, ds.classes, 7, [6; 4], ds.meta});
%! assert ({es.annotation.length, es.annotation.twice}, {[9; 7], {'c', 'C'; 'a', 'A'}});
%! es = knng.internal.keep_rows (struct ('X', [1; 2], 'history', {{'read'; 'made'}}), 2);   # which has no element for a row
%! assert (es.history, {'read'; 'made'});
%! es = knng.internal.keep_rows (struct ('X', [1; 2], 'names', {{'a'; 'b'}}, 'annotation', struct ('text', {{'p', 'q'}})), 2);
%! assert (es.annotation.text, {'q'});
%! es = knng.internal.keep_rows (struct ('X', [1; 2], 'names', {cell(0, 1)}, 'symbols', {cell(0, 1)}, 'annotation', []), 2);
%! assert (es, struct ('X', 2, 'names', {cell(0, 1)}, 'symbols', {cell(0, 1)}, 'annotation', []));
