function t = cut_text (t, n, last)
%CUT_TEXT  A text of at most N bytes, without its middle if it is longer; LAST of them, by default the half, are from its end. No
%   character of UTF-8 is cut in two.

  t = reshape (t, 1, []);
  if (numel (t) <= n)
    return
  end
  n = max (n - 3, 0);
  if (nargin < 3)
    last = floor (n / 2);
  end
  within = t > 127 & t < 192;                                % the rest of a character
  ends = find (~[within(2:end), false] & (1:numel (t)) <= n - last, 1, 'last');
  from = find (~within & (1:numel (t)) > numel (t) - last, 1);
  t = [t(1:ends), '...', t(from:end)];
end

%!assert (knng.internal.cut_text ('abcdefghij', 10), 'abcdefghij')
%!assert (knng.internal.cut_text ('abcdefghij', 9), 'abc...hij')
%!assert (knng.internal.cut_text ('abcdefghij', 8, 0), 'abcde...')
%!assert (knng.internal.cut_text ('abcdefghij', 2), '...')
%!assert (knng.internal.cut_text (repmat (char ([206 178]), 1, 5), 9), [char([206 178]), '...', char([206 178])])
