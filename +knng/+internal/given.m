function t = given (v)
%GIVEN  An argument as a message may show it: a number or a text itself, of others the size and class.

  if ((isnumeric (v) || islogical (v)) && numel (v) == 1 && isreal (v))
    t = sprintf ('%g', double (full (v)));
  elseif (ischar (v) && ndims (v) == 2 && size (v, 1) == 1)
    t = ['''', knng.internal.shown(v), ''''];
  else
    kind = class (v);
    if (issparse (v))
      kind = ['sparse ', kind];
    end
    if (isnumeric (v) && ~isreal (v))
      kind = ['complex ', kind];
    end
    t = sprintf ('a %s %s', strrep (sprintf ('%d-', builtin ('size', v)), '-', '-by-'), kind);
    t = strrep (t, '-by- ', ' ');
  end
end

%!assert (knng.internal.given (containers.Map ()), 'a 1-by-1 containers.Map')
%!assert (knng.internal.given (1.5), '1.5')
%!assert (knng.internal.given ('a%b'), '''a%b''')
%!assert (knng.internal.given ({1, 2}), 'a 1-by-2 cell')
%!assert (knng.internal.given (1i), 'a 1-by-1 complex double')
%!assert (knng.internal.given (sparse (1, 2)), 'a 1-by-2 sparse double')
