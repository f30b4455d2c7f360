function ds = more_rows (ds, X, names)
%MORE_ROWS  The data set DS with the matrix X, whose first rows are those of DS.X, and with the names of all its rows.
%   What DS.meta has for each row (knng.read: the descriptions of GCT) becomes '' for the new ones.

  n = size (ds.X, 1);
  ds.X = X;
  ds.names = names;
  if (isfield (ds, 'meta') && isstruct (ds.meta) && isfield (ds.meta, 'format') && isequal (ds.meta.format, 'gct'))
    for field = fieldnames (ds.meta)'
      if (iscell (ds.meta.(field{1})) && isequal (size (ds.meta.(field{1})), [n 1]))
        ds.meta.(field{1})(end+1:size (X, 1), 1) = {''};
      end
    end
  end
end
