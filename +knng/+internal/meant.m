function text = meant (near)
%MEANT  What a message says of the name that was meant: '' where the cell NEAR is empty, else its first name, as a question.

  text = '';
  if (~isempty (near))
    text = sprintf (' (did you mean ''%s''?)', near{1});
  end
end

%!assert (knng.internal.meant ({}), '')
%!assert (knng.internal.meant ({'log2', 'log'}), ' (did you mean ''log2''?)')
