function check_title (text)
%CHECK_TITLE  An error unless TEXT, of the option 'Title', is a text in one line.

  if (~ischar (text) || ndims (text) ~= 2 || size (text, 1) > 1)
    error ('knng:args:option', '''Title'' is %s: it must be a text, such as ''CD3D''', knng.internal.given (text));
  end
end
