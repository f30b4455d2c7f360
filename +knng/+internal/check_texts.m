function check_texts (labels, n, name, each)
%CHECK_TEXTS  An error where the option 'Labels' is no cell of n texts, one for each row, nor {}; NAME is another option, EACH not a row.

  if (nargin < 3)
    [name, each] = deal ('Labels', 'row');
  end
  if (~iscellstr (labels) || ~any (numel (labels) == [0 n]))
    error ('knng:args:option', '''%s'' is %s: it must be a cell of %d texts, one for each %s, or {}%s', ...
           name, knng.internal.given (labels), n, each, ...
           knng.internal.of_pairs (n, numel (labels), sprintf ('knng.metanames (names, ops, 1:%d) names them', n)));
  end
end

%!error <'Labels' is a 1-by-1 cell: it must be a cell of 2 texts> knng.internal.check_texts ({'a'}, 2)
%!test knng.internal.check_texts ({'a', 'b'}, 2); knng.internal.check_texts ({}, 2);
