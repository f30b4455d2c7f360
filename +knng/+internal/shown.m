function t = shown (t)
%SHOWN  A text from outside as a message may show it: at most 60 characters, no control characters, valid UTF-8.

  t = reshape (t, 1, []);
  if (numel (t) > 60)
    t = t(1:57);
    while (~isempty (t) && t(end) > 127)     % do not cut a character in two
      t(end) = [];
    end
    t = [t, '...'];
  end
  t(t < 32 | t == 127) = '?';
  try
    native2unicode (uint8 (t), 'UTF-8');
  catch
    t(t > 127) = '?';
  end
end

%!assert (knng.internal.shown ('CD33'), 'CD33')
%!assert (knng.internal.shown (["a" 10 "b" 0]), 'a?b?')
%!assert (knng.internal.shown (char ([195 164])), char ([195 164]))
%!assert (knng.internal.shown (char ([65 195])), 'A?')
%!assert (knng.internal.shown (repmat ('x', 1, 61)), [repmat('x', 1, 57), '...'])
%!assert (isempty (knng.internal.shown ('')))
