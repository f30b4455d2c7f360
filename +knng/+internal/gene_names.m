function names = gene_names (ds, option)
%GENE_NAMES  What the rows of the data set DS, the value of OPTION, are called in a graph, a column: their symbols, 'SYMBOL name' where
%   others have the same symbol, or are named so, and their names where they have none. Errors: knng:args:ds.

  if (~isstruct (ds) || numel (ds) ~= 1 || ~isfield (ds, 'X'))
    error ('knng:args:ds', '''%s'' is %s: it must be a cell of texts, or a data set, as knng.read returns it', option, knng.internal.given (ds));
  end
  ds = knng.internal.check_ds (ds);
  names = ds.names;
  symbols = knng.internal.symbols_of (ds);
  if (isempty (symbols))
    return
  end
  some = ~cellfun ('isempty', symbols) & ~strcmp (symbols, names);
  [~, ~, which] = unique (symbols);
  count = accumarray (which(:), 1);
  alone = some & count(which(:)) == 1 & ~ismember (symbols, names);
  names(some & ~alone) = cellfun (@(s, t) [s, ' ', t], symbols(some & ~alone), names(some & ~alone), 'UniformOutput', false);
  names(alone) = symbols(alone);
end

%!test
%! ds = struct ('X', (1:6)', 'names', {{'p1', 'p2', 'p3', 'p4', 'MYB', 'ZYX'}}, 'symbols', {{'CD33', 'ACTB', 'ACTB', '', 'JUN', 'ZYX'}});
%! assert (knng.internal.gene_names (ds, 'Names'), {'CD33'; 'ACTB p2'; 'ACTB p3'; 'p4'; 'JUN'; 'ZYX'});
%! ds.symbols{4} = 'MYB';                                     # which is the name of another row
%! assert (knng.internal.gene_names (ds, 'Names'), {'CD33'; 'ACTB p2'; 'ACTB p3'; 'MYB p4'; 'JUN'; 'ZYX'});
%! assert (knng.internal.gene_names (rmfield (ds, 'symbols'), 'Names'), ds.names');
%! assert (knng.internal.gene_names (struct ('X', [1; 2]), 'Names'), {'1'; '2'});
%!error <'Labels' is .*: it must be a cell of texts, or a data set> knng.internal.gene_names (struct ('Y', 1), 'Labels')
