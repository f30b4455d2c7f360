function opt = options (opt, pairs)
%OPTIONS  The values of options: the struct OPT has a field with the default of each, PAIRS is a cell {'Name', value, ...}.
%   Names are understood in upper or lower case; of one that is given twice the last counts.

  names = fieldnames (opt);
  list = sprintf (', ''%s''', names{:});
  list = list(3:end);
  if (any (strcmp (names, 'Distance')))                      % knngraph takes it as its third argument
    list = [list, ' (the metric is the value of ''Distance'')'];
  end
  for i = 1:2:numel (pairs)
    if (~ischar (pairs{i}) || ndims (pairs{i}) ~= 2 || size (pairs{i}, 1) ~= 1)
      error ('knng:args:unknownOption', ['%s stands where the name of an option should: ' ...
             'options come as ''Name'', value; they are %s'], knng.internal.given (pairs{i}), list);
    end
    which = find (strcmpi (names, pairs{i}));
    if (isempty (which))
      near = knng.internal.similar_names (names, pairs{i});
      if (isempty (near))
        near = '';
      else
        near = sprintf ('; did you mean ''%s''?', near{1});
      end
      error ('knng:args:unknownOption', 'there is no option ''%s''%s; the options are %s', ...
             knng.internal.shown (pairs{i}), near, list);
    end
    if (i == numel (pairs))
      error ('knng:args:option', 'the option ''%s'' has no value: options come as ''Name'', value', names{which});
    end
    opt.(names{which}) = pairs{i + 1};
  end
end
