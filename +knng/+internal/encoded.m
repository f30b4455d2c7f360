function bytes = encoded (bytes, encoding)
%ENCODED  BYTES of UTF-8 in another encoding, 'windows-1252' or 'ISO-8859-1'; an error names the first character it lacks.

  high = bytes > 127;
  if (~any (high))
    return
  end
  ends = [find(bytes == 10), numel(bytes) + 1];
  begins = [1, ends(1:end-1) + 1];
  lines = unique (cumsum ([1, bytes(1:end-1) == 10]) .* double (high));
  parts = {};
  done = 0;
  for line = lines(lines > 0)                                % of the others each byte stays
    here = begins(line):min (ends(line), numel (bytes));
    text = native2unicode (bytes(here), 'UTF-8');
    new = of_text (text, encoding);
    if (isempty (new))
      [letter, word] = missing (text, encoding);
      error ('knng:args:encoding', ['line %d of the file would hold ''%s'' (in ''%s''), which %s does not have: leave out ''Encoding'', ' ...
             'or put another text in its place'], line, letter, knng.internal.shown (word), encoding);
    end
    parts = [parts, {bytes(done+1:here(1)-1), new}];         %#ok<AGROW>
    done = here(end);
  end
  bytes = [parts{:}, bytes(done+1:end)];
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
%!error <^line 2 of the file would hold 'Ł' \(in 'Łódź ł'\), which> knng.internal.encoded (uint8 (['a', "\n", 'b,"Łódź ł"']), 'windows-1252')
%!error <would hold '€' .*ISO-8859-1 does not> knng.internal.encoded (uint8 ('5 €'), 'ISO-8859-1')
