function [name, several, list, all] = option_name (opt, text)
%OPTION_NAME  The field of the struct OPT that TEXT names; '' if none, or more than one.
%   TEXT is a field or its alias, in upper or lower case: 'Metric' and 'Distance' are the same, as are 'NumNeighbors' and 'K',
%   'XY' and 'Positions', 'Labels' and 'RowLabels', and 'Labels' stands for 'Names', too.
%   Or it is the beginning, of two letters or more, of the names of one field alone ('K' never is: it always means neighbours).
%   SEVERAL are the names, in quotes, that begin so; LIST all names as a message shows them, and ALL as a cell.

  names = fieldnames (opt)';
  fields = names;
  alias = {'Metric', 'Distance', 'NumNeighbors', 'K', 'XY', 'Positions', 'Labels', 'RowLabels', 'Labels'};
  field = {'Distance', 'Metric', 'K', 'NumNeighbors', 'Positions', 'XY', 'RowLabels', 'Labels', 'Names'};
  begun = true (1, 9);                                       % all of them where TEXT is ''
  if (~isempty (text))
    begun = strncmpi (alias, text, numel (text));
  end
  for i = find (begun)
    if (isfield (opt, field{i}) && ~isfield (opt, alias{i}))
      fields{end+1} = field{i}; %#ok<AGROW>
      names{end+1} = alias{i};  %#ok<AGROW>
    end
  end
  several = {};
  which = find (strcmpi (names, text), 1);
  if (isempty (which) && numel (text) > 1)
    which = find (strncmpi (names, text, numel (text)));
    if (numel (unique (fields(which))) > 1)
      several = cellfun (@(n) ['''', n, ''''], names(which), 'UniformOutput', false);
      which = [];
    end
  end
  name = [fields{which(1:min (end, 1))}];
  if (isempty (name))
    name = '';
  end
  if (nargout > 2)
    all = names;
    list = cell (1, numel (fieldnames (opt)));
    for i = 1:numel (list)
      list{i} = ['''', names{i}, ''''];
      also = find (strcmp (fields, names{i}));
      if (numel (also) > 1)
        list{i} = sprintf ('%s (or ''%s'')', list{i}, names{also(2)});
      end
    end
    list = strjoin ([list, repmat({'none'}, 1, isempty (list))], ', ');
  end
end

%!assert (knng.internal.option_name (struct ('K', 1, 'KFold', 2), 'numn'), 'K')
%!assert (knng.internal.option_name (struct ('KFold', 2), 'K'), '')
%!assert (knng.internal.option_name (struct ('KFold', 2), 'kf'), 'KFold')
%!assert (knng.internal.option_name (struct ('Ks', 1, 'Ksi', 2), 'ks'), 'Ks')
%!assert (knng.internal.option_name (struct ('RowLabels', 1, 'ColumnLabels', 2), 'labels'), 'RowLabels')
%!assert (knng.internal.option_name (struct ('Labels', 1), 'RowLabels'), 'Labels')
%!assert (knng.internal.option_name (struct ('Names', 1), 'Labels'), 'Names')
