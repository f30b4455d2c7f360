function bytes = encoded (bytes, encoding)
%ENCODED  BYTES of UTF-8 in another encoding, 'windows-1252' or 'ISO-8859-1'; an error names the first character it lacks.

  if (~any (bytes > 127))
    return
  end
  n = numel (bytes);
  parts = cell (1, ceil (n / 2 ^ 16));
  count = 0;
  from = 1;
  while (from <= n)                                          % whole lines, some thousand at once
    to = min (from + 2 ^ 16 - 1, n);
    while (to < n && bytes(to) ~= 10)
      last = min (to + 2 ^ 16, n);
      to = min ([to + find(bytes(to+1:last) == 10, 1), last]);
    end
    new = bytes(from:to);
    if (any (new > 127))
      new = of_text (native2unicode (new, 'UTF-8'), encoding);
      if (isempty (new))
        refuse (bytes(from:to), sum (bytes(1:from-1) == 10), encoding);
      end
    end
    count = count + 1;
    parts{count} = new;
    from = to + 1;
  end
  bytes = [parts{:}];
end

function refuse (bytes, before, encoding)
  ends = [find(bytes == 10), numel(bytes)];
  from = 1;
  for line = 1:numel (ends)
    text = native2unicode (bytes(from:ends(line)), 'UTF-8');
    if (~isempty (text) && isempty (of_text (text, encoding)))
      break
    end
    from = ends(line) + 1;
  end
  [letter, word] = missing (text, encoding);
  error ('knng:args:encoding', ['line %d of the file would hold ''%s'' (in ''%s''), which %s does not have: leave out ''Encoding'', ' ...
         'or put another text in its place'], before + line, letter, knng.internal.shown (word), encoding);
end

function new = of_text (text, encoding)
% Empty where a character is not there: Octave would take a similar one, MATLAB a mark.
  new = reshape (unicode2native (text, encoding), 1, []);
  if (~isequal (native2unicode (new, encoding), text))
    new = [];
  end
end

function [letter, word] = missing (text, encoding)
  letter = '';
  word = '';
  for part = strsplit (strtrim (text), {',', sprintf('\t'), '"', sprintf('\n')})
    if (isempty (of_text (part{1}, encoding)) && ~isempty (part{1}))
      word = part{1};
      break
    end
  end
  first = 1;
  for last = 1:numel (word)                                  % a letter is several characters of Octave
    if (last < numel (word) && any (double (word(last+1)) == 128:191) && exist ('OCTAVE_VERSION', 'builtin') ~= 0)
      continue
    end
    letter = word(first:last);
    if (isempty (of_text (letter, encoding)))
      return
    end
    first = last + 1;
  end
end

%!function b = utf8 (text)
%!  b = uint8 (text);
%!endfunction
%!test
%! f = @knng.internal.encoded;
%! assert (f (utf8 ("a,b\n1,2\n"), 'windows-1252'), utf8 ("a,b\n1,2\n"));
%! assert (f (utf8 (['x', "\n", 'äß', "\n\n", 'é']), 'windows-1252'), uint8 ([120 10 228 223 10 10 233]));
%! assert (f (utf8 ("€\n"), 'windows-1252'), uint8 ([128 10]));
%! assert (f (zeros (1, 0, 'uint8'), 'ISO-8859-1'), zeros (1, 0, 'uint8'));
%! all = native2unicode (uint8 ([32:127, 160:255]), 'ISO-8859-1');
%! assert (f (reshape (uint8 (all), 1, []), 'ISO-8859-1'), uint8 ([32:127, 160:255]));
%! assert (f (utf8 ('é'), 'windows-1252'), uint8 (233));
%!test  # long lines, many lines, the place of what is wrong
%! long = repmat ('é', 1, 70000);
%! lines = [sprintf('%s\n', long), repmat(sprintf ('Jürgen\n'), 1, 30000), 'ü'];
%! made = knng.internal.encoded (utf8 (lines), 'windows-1252');
%! assert (made, [repmat(uint8 (233), 1, 70000), uint8(10), repmat(uint8 ([74 252 114 103 101 110 10]), 1, 30000), uint8(252)]);
%! caught = '';
%! try
%!   knng.internal.encoded (utf8 ([lines, "\n", 'Ł']), 'ISO-8859-1');
%! catch e
%!   caught = e.message;
%! end
%! assert (strncmp (caught, 'line 30003 of the file would hold', 33), caught);
%!error <^line 2 of the file would hold 'Ł' \(in 'Łódź ł'\), which> knng.internal.encoded (uint8 (['a', "\n", 'b,"Łódź ł"']), 'windows-1252')
%!error <would hold '€' .*ISO-8859-1 does not> knng.internal.encoded (uint8 ('5 €'), 'ISO-8859-1')
