function n = screen_width (texts)
%SCREEN_WIDTH  How many columns of the screen a text, or each of a cell of texts, takes: a column for each character of UTF-8.

  if (ischar (texts))
    n = sum (texts < 128 | texts > 191);                     % the bytes that go on a character have no width
  else
    n = cellfun (@(t) sum (t < 128 | t > 191), texts);
  end
end

%!assert (knng.internal.screen_width (char ([65 195 164 240 159 152 128])), 3)
%!assert (knng.internal.screen_width ({'', 'ab'; char([195 164]), 'x'}), [0 2; 1 1])
