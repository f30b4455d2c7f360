function [opt, given] = options (opt, pairs)
%OPTIONS  The values of options: the struct OPT has a field with the default of each, PAIRS is a cell {'Name', value, ...}.
%   Names are understood as knng.internal.option_name says; of one that is given twice the last counts. GIVEN is PAIRS with
%   the names that OPT has.

  given = pairs;
  for i = 1:2:numel (pairs)
    if (~ischar (pairs{i}) || ndims (pairs{i}) ~= 2 || size (pairs{i}, 1) ~= 1)
      [~, ~, list] = knng.internal.option_name (opt, '');
      error ('knng:args:unknownOption', ['%s stands where the name of an option should: options come as ''Name'', value; ' ...
             'the options are %s%s'], knng.internal.given (pairs{i}), list, nameless (opt, pairs{i}));
    end
    name = pairs{i};
    if (~isfield (opt, name))                                % else there is nothing to look for
      [name, several] = knng.internal.option_name (opt, pairs{i});
    end
    if (isempty (name))
      refuse (opt, pairs{i}, several);
    elseif (i == numel (pairs))
      error ('knng:args:option', 'the option ''%s'' has no value: options come as ''Name'', value', knng.internal.shown (pairs{i}));
    end
    given{i} = name;
    opt.(name) = pairs{i + 1};
  end
end

function note = nameless (opt, value)
% What a count without a name may be the value of, as it is an argument of other programs; '' if of nothing.
  note = '';
  known = {'MaxClust', 'clusters'; 'NumComponents', 'components'; 'NumDimensions', 'dimensions'; ...
           'NumNeighbors', 'neighbours'; 'Ks', 'neighbours'; 'K', 'neighbours'; 'KFold', 'parts'};
  known = known(isfield (opt, known(:, 1)), :);
  if (~isempty (known) && isnumeric (value) && numel (value) == 1 && knng.internal.whole (value, 1, 2 ^ 53))
    note = sprintf ('; if that is a number of %s give it as ''%s'', %d', known{1, 2}, known{1, 1}, full (value));
    for i = 2:size (known, 1)
      note = sprintf ('%s, of %s as ''%s'', %d', note, known{i, 2}, known{i, 1}, full (value));
    end
  end
end

function refuse (opt, text, several)
  if (numel (several) > 1)
    error ('knng:args:unknownOption', 'the option ''%s'' is short for several, %s: give more of the name', ...
           knng.internal.shown (text), strjoin (several, ', '));
  end
  [~, ~, list, all] = knng.internal.option_name (opt, '');
  [name, note] = knng.internal.foreign_option (opt, text);
  if (~isempty (name))
    name = {name};
  elseif (isempty (note) && numel (text) > 1)
    name = knng.internal.similar_names (all(:), text);
  end
  if (~isempty (note))
    note = [': ', note];
  end
  error ('knng:args:unknownOption', 'there is no option ''%s''%s%s; the options are %s', knng.internal.shown (text), ...
         knng.internal.meant (name), note, list);
end

%!shared opt
%! opt = struct ('K', 1, 'Distance', 'euclidean', 'Threads', 0, 'TileSize', 0);
%!test
%! [o, given] = knng.internal.options (opt, {'tileS', 16, 'METRIC', 'cosine', 'numn', 3, 'k', 4});
%! assert (o, struct ('K', 4, 'Distance', 'cosine', 'Threads', 0, 'TileSize', 16));
%! assert (given, {'TileSize', 16, 'Distance', 'cosine', 'K', 3, 'K', 4});
%! assert (knng.internal.options (opt, {}), opt);
%! assert (knng.internal.options (struct ('Metric', '', 'Ks', 1), {'dist', 'cosine'}), struct ('Metric', 'cosine', 'Ks', 1));
%!error id=knng:args:unknownOption knng.internal.options (opt, {'T', 1})
%!error <no option 'Neighbours' \(did you mean 'K'\?\)> knng.internal.options (opt, {'Neighbours', 1})
%!error <no option 'neighbors': k, .* knngraph \(X, 20\); the options> knng.internal.options (rmfield (opt, 'K'), {'neighbors', 1})
%!error <no option 'K': k, .* knngraph \(X, 20\); the options> knng.internal.options (rmfield (opt, 'K'), {'K', 1})
%!error <no option 'rows': rows are compared whole> knng.internal.options (opt, {'rows', 'pairwise'})
%!error <no option 'n_jobs' \(did you mean 'Threads'\?\); the options> knng.internal.options (opt, {'n_jobs', 1})
%!error <no option 'pearson': a metric .* 'Distance', 'pearson'; the options> knng.internal.options (opt, {'pearson'})
%!error <no option '> knng.internal.options (opt, {char([226 130]), 1})
%!error <no option 'K'; the options are 'Dataset'> knng.internal.options (struct ('Dataset', ''), {'K', 1})
%!error <no option 'Treads' \(did you mean 'Threads'\?\); the options are 'K' \(or 'NumNeighbors'\), 'Dist> knng.internal.options (opt, {'Treads', 1})
%!error <no option 't'; the> knng.internal.options (opt, {'t', 1})
%!error <the option 'metric' has no value> knng.internal.options (opt, {'k', 3, 'metric'})
%!error <short for several, 'BucketSize', 'BucketSort': give> knng.internal.options (struct ('BucketSize', 1, 'BucketSort', 2), {'bu', 3})
%!error <0-by-0 char stands where> knng.internal.options (opt, {'', 3})
%!error <5 stands where .*; if that is a number of neighbours give it as 'K', 5$> knng.internal.options (opt, {5, 3})
%!error <; if that is a number of neighbours give it as 'NumNeighbors', 5, of parts as 'KFold', 5$> knng.fitcknn ([1; 2], [1; 2], 5)
%!error <; if that is a number of dimensions give it as 'NumDimensions', 15, of neighbours as 'K', 15$> knng.umap (ones (40, 2), 15)
%!error <0.5 stands where .*'TileSize'$> knng.internal.options (opt, {0.5, 3})
%!error <5 stands where .*'TileSize'$> knng.internal.options (rmfield (opt, 'K'), {5, 3})
%!assert (getfield (knng.internal.options (struct ('KFold', 1, 'CVPartition', 2), {'cvp', 5}), 'CVPartition'), 5)
