function ds = more_rows (ds, X, names)
%MORE_ROWS  The data set DS with the matrix X, whose first rows are those of DS.X, and with the names of all its rows.
%   What DS.meta has for each row (knng.read: the descriptions of GCT, the genes of SOFT) becomes '' or NaN for the new
%   ones.

  n = size (ds.X, 1);
  ds.X = X;
  ds.names = names;
  if (isfield (ds, 'meta'))
    for field = knng.internal.of_rows (ds.meta, n, size (X, 2))
      if (iscell (ds.meta.(field{1})))
        ds.meta.(field{1})(end+1:size (X, 1), :) = {''};
      else
        ds.meta.(field{1}) = [double(ds.meta.(field{1})); NaN(size (X, 1) - n, 1)];
      end
    end
  end
end

%!test
%! ds = struct ('X', [1 2 3; 4 5 6], 'names', {{'a'; 'b'}}, 'meta', struct ('length', [7; 8], 'twice', {{'a', 'A'; 'b', 'B'}}, 'sex', {{1, 2, 3}}));
%! es = knng.internal.more_rows (ds, [ds.X; 7 8 9], {'a'; 'b'; 'c'});
%! assert (es.meta, struct ('length', [7; 8; NaN], 'twice', {{'a', 'A'; 'b', 'B'; '', ''}}, 'sex', {{1, 2, 3}}));
