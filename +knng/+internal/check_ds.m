function ds = check_ds (ds)
%CHECK_DS  A data set as knng.read returns it, checked, with a column of names: without any, the numbers of the rows.
%   classes and samples that are missing become empty, and so do symbols and annotation, which are checked, too. Errors:
%   knng:args:ds.

  if (~isstruct (ds) || numel (ds) ~= 1 || ~isfield (ds, 'X'))
    error ('knng:args:ds', 'DS is %s: it must be a struct with X and names, as knng.read returns it', knng.internal.given (ds));
  end
  [n, d] = size (ds.X);
  if (~isfloat (ds.X) || ~isreal (ds.X) || issparse (ds.X) || ndims (ds.X) ~= 2 || isempty (ds.X))
    error ('knng:args:ds', 'DS.X is %s: it must be a full real matrix, a row for each feature and a column for each sample', ...
           knng.internal.given (ds.X));
  end
  if (~isfield (ds, 'names') || isempty (ds.names))
    ds.names = arrayfun (@(i) sprintf ('%d', i), (1:n)', 'UniformOutput', false);
  end
  if (~iscellstr (ds.names) || numel (ds.names) ~= n)
    error ('knng:args:ds', 'DS.names is %s: it must be a cell of %d texts, one for each row of DS.X', ...
           knng.internal.given (ds.names), n);
  end
  ds.names = ds.names(:);
  for field = {'samples', 'classes'}
    if (~isfield (ds, field{1}) || isempty (ds.(field{1})))
      ds.(field{1}) = zeros (1, 0);
    elseif (~(iscell (ds.(field{1})) || isnumeric (ds.(field{1})) || islogical (ds.(field{1}))) || numel (ds.(field{1})) ~= d)
      error ('knng:args:ds', 'DS.%s is %s: it must have one for each of the %d columns of DS.X', field{1}, ...
             knng.internal.given (ds.(field{1})), d);
    end
  end
  ds = check_symbols (ds, n);
end

function ds = check_symbols (ds, n)
% What is said of the rows beside their names.
  if (~isfield (ds, 'symbols') || isempty (ds.symbols))
    ds.symbols = cell (0, 1);
  elseif (~iscellstr (ds.symbols) || numel (ds.symbols) ~= n)
    error ('knng:args:ds', 'DS.symbols is %s: it must be a cell of %d texts, one for each row of DS.X', ...
           knng.internal.given (ds.symbols), n);
  end
  ds.symbols = ds.symbols(:);
  if (~isfield (ds, 'annotation') || isempty (ds.annotation))
    ds.annotation = struct ();
  elseif (~isstruct (ds.annotation) || numel (ds.annotation) ~= 1)
    error ('knng:args:ds', 'DS.annotation is %s: it must be a struct with a field for each column of texts', ...
           knng.internal.given (ds.annotation));
  end
  for field = fieldnames (ds.annotation)'
    column = ds.annotation.(field{1});
    if (isvector (column) && numel (column) == n && size (column, 1) == 1)
      ds.annotation.(field{1}) = column(:);
    elseif (size (column, 1) ~= n || ndims (column) ~= 2)
      error ('knng:args:ds', 'DS.annotation.%s is %s: it must have %d rows, one for each row of DS.X', field{1}, ...
             knng.internal.given (column), n);
    end
  end
end

%!test
%! ds = knng.internal.check_ds (struct ('X', [1 2; 3 4; 5 6]));
%! assert (ds.names, {'1'; '2'; '3'});
%! assert (size (ds.classes), [1 0]);
%! assert ({ds.symbols, ds.annotation}, {cell(0, 1), struct()});
%! ds = knng.internal.check_ds (struct ('X', [1; 2], 'symbols', {{'a', ''}}, 'annotation', struct ('length', [7; 8])));
%! assert ({ds.symbols, ds.annotation.length}, {{'a'; ''}, [7; 8]});
%! ds = knng.internal.check_ds (struct ('X', [1; 2], 'annotation', struct ('length', [7 8])));
%! assert (ds.annotation.length, [7; 8]);
%!error id=knng:args:ds knng.internal.check_ds (5)
%!error id=knng:args:ds knng.internal.check_ds (struct ('X', {{}}))
%!error id=knng:args:ds knng.internal.check_ds (struct ('X', 1, 'names', {{'a', 'b'}}))
%!error id=knng:args:ds knng.internal.check_ds (struct ('X', 1, 'classes', [1 2]))
%!error <DS.symbols> knng.internal.check_ds (struct ('X', 1, 'symbols', {{'a', 'b'}}))
%!error <DS.symbols> knng.internal.check_ds (struct ('X', [1; 2], 'symbols', 'ab'))
%!error <DS.annotation is> knng.internal.check_ds (struct ('X', 1, 'annotation', 7))
%!error <DS.annotation.b is .* 2 rows> knng.internal.check_ds (struct ('X', [1; 2], 'annotation', struct ('a', {{'u'; 'v'}}, 'b', {{'u'}})))
