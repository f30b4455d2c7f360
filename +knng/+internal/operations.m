function code = operations (ops, option)
%OPERATIONS  The numbers of operations of metafeatures.
%   CODE = knng.internal.operations (OPS): a row of numbers from 1 on, in the order of OPS, a text or a cell of texts.
%   CODE = knng.internal.operations (OPS, NAME): those that the option NAME gives. Errors: knng:args:option.

  known = {'difference', 'sum', 'product', 'ratio'};
  signs = {'-', '+', '*', '/'};
  if (ischar (ops))
    ops = {ops};
  end
  code = zeros (1, 0);
  if (iscell (ops))
    for i = 1:numel (ops)
      at = 0;
      if (knng.internal.is_one_of (ops{i}, [known, signs]))
        at = find (strcmpi (ops{i}, known) | strcmp (ops{i}, signs));
      end
      code = [code, at, zeros(1, isempty (at))]; %#ok<AGROW>
    end
  end
  if (isempty (code) || any (code == 0))
    given = knng.internal.given (ops);
    if (~isempty (code))
      given = knng.internal.given (ops{find (code == 0, 1)});
    end
    if (nargin > 1)
      error ('knng:args:option', ['''%s'' is %s: it must be ''difference'', ''sum'', ''product'', ''ratio'', one of their signs, or ' ...
             'a cell of some of them, each once'], option, given);
    end
    error ('knng:args:option', ['an operation is %s: operations are ''difference'', ''sum'', ''product'' and ''ratio'', ' ...
           'or a cell of some of them, each once'], given);
  end
  again = find (accumarray (code(:), 1) > 1, 1);
  if (~isempty (again))
    error ('knng:args:option', 'the operation ''%s'' (or its sign, ''%s'') is given more than once: give each once', ...
           known{again}, signs{again});
  end
end

%!assert (knng.internal.operations ('Ratio'), 4)
%!assert (knng.internal.operations ({'+', 'difference'}), [2 1])
%!error <an operation is 'add'> knng.internal.operations ({'sum', 'add'})
%!error <'Metafeatures' is a 1-by-1 cell: it must be> knng.internal.operations ({{'sum'}}, 'Metafeatures')
