function t = shown (t)
%SHOWN  A text from outside as a message may show it: at most 60 characters, no control characters, valid UTF-8.

  t = knng.internal.printable (knng.internal.cut_text (t, 60, 0));
end

%!assert (knng.internal.shown ('CD33'), 'CD33')
%!assert (knng.internal.shown (["a" 10 "b" 0]), 'a?b?')
%!assert (knng.internal.shown (char ([195 164])), char ([195 164]))
%!assert (knng.internal.shown (char ([65 195])), 'A?')
%!assert (knng.internal.shown (repmat ('x', 1, 61)), [repmat('x', 1, 57), '...'])
%!assert (isempty (knng.internal.shown ('')))
%!assert (knng.internal.shown (repmat (char ([206 178]), 1, 40)), [repmat(char ([206 178]), 1, 28), '...'])
