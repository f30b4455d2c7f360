function t = printable (t)
%PRINTABLE  A text from outside, one row, without control characters and in valid UTF-8: what is neither becomes '?'.

  t(t < 32 | t == 127) = '?';
  try
    native2unicode (uint8 (t), 'UTF-8');
  catch
    t(t > 127) = '?';
  end
end

%!assert (knng.internal.printable (["a" 10 "b" 0]), 'a?b?')
%!assert (knng.internal.printable (char ([195 164])), char ([195 164]))
%!assert (knng.internal.printable (char ([65 195])), 'A?')
