function check_texts (labels, n)
%CHECK_TEXTS  An error where the option 'Labels' is no cell of n texts, one for each row, nor {}.

  if (~iscellstr (labels) || ~any (numel (labels) == [0 n]))
    error ('knng:args:option', '''Labels'' is %s: it must be a cell of %d texts, one for each row, or {}', ...
           knng.internal.given (labels), n);
  end
end

%!error <'Labels' is a 1-by-1 cell: it must be a cell of 2 texts> knng.internal.check_texts ({'a'}, 2)
%!test knng.internal.check_texts ({'a', 'b'}, 2); knng.internal.check_texts ({}, 2);
