function text = of_columns (n, ds)
%OF_COLUMNS  For a message about a graph of n rows and a data set of another number: what to give where the graph is of its columns, or ''.

  text = '';
  if (n == size (ds.X, 2))
    text = ['; DS.X has so many columns: to look at these give ', knng.internal.turned(ds)];
  end
end

%!assert (knng.internal.of_columns (3, struct ('X', ones (2, 3))), '; DS.X has so many columns: to look at these give X''')
%!assert (knng.internal.of_columns (4, struct ('X', ones (2, 3))), '')
