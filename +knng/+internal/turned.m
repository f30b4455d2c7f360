function text = turned (ds)
%TURNED  How a message writes a data set, checked by knng.internal.check_ds, whose rows and columns have changed places.

  text = 'X''';
  if (isfield (ds, 'samples') && iscellstr (ds.samples) && ~isempty (ds.samples))
    text = 'struct (''X'', ds.X'', ''names'', {ds.samples''}, ''samples'', {ds.names''})';
  end
end

%!assert (knng.internal.turned (knng.internal.check_ds (struct ('X', [1 2]))), 'X''')
%!test
%! ds = struct ('X', [1 2; 3 4; 5 6], 'samples', {{'s', 't'}}, 'names', {{'a'; 'b'; 'c'}});
%! new = knng.internal.check_ds (eval (knng.internal.turned (knng.internal.check_ds (ds))));
%! assert ({new.X, new.names, new.samples}, {ds.X', {'s'; 't'}, {'a', 'b', 'c'}});
