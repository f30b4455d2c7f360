function check_title (text)
%CHECK_TITLE  An error unless TEXT, of the option 'Title', is a text in one line.

  if (~ischar (text) || ndims (text) ~= 2 || (size (text, 1) ~= 1 && ~isequal (size (text), [0 0])))
    error ('knng:args:option', '''Title'' is %s: it must be a text, such as ''CD3D''', knng.internal.given (text));
  end
end

%!test
%! knng.internal.check_title ('');
%! knng.internal.check_title ('CD3D');
%!error <'Title' is .*0-by-4> knng.internal.check_title (reshape ('', 0, 4))
%!error <'Title' is .*2-by-1> knng.internal.check_title (['a'; 'b'])
