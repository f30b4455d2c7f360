function t = json_text (v)
%JSON_TEXT  A value as JSON: structs are objects, cells are arrays, as numbers are but for one alone; a row of char is a
%   text, [] and what is no finite number are null. '<' and the line separators of Unicode are escaped, so that the text
%   may stand anywhere in a page.

  if (ischar (v))
    t = ['"', escaped(v), '"'];
  elseif (isstruct (v))
    names = fieldnames (v);
    parts = cellfun (@(f) [knng.internal.json_text(f), ':', knng.internal.json_text(v.(f))], names, 'UniformOutput', false);
    t = ['{', joined(parts), '}'];
  elseif (iscell (v))
    parts = cellfun (@knng.internal.json_text, v(:), 'UniformOutput', false);
    t = ['[', joined(parts), ']'];
  elseif (islogical (v) && numel (v) == 1)
    words = {'false', 'true'};
    t = words{v + 1};
  elseif (isempty (v))
    t = 'null';
  else
    t = numbers (double (full (v(:)')));
    if (numel (v) ~= 1)
      t = ['[', t, ']'];
    end
  end
end

function t = joined (parts)
  t = '';
  if (~isempty (parts))
    t = sprintf ('%s,', parts{:});
    t(end) = '';
  end
end

function t = numbers (v)
  v(isinf (v)) = NaN;
  t = strrep (sprintf ('%.17g,', v), 'NaN', 'null');
  t(end) = '';
end

function t = escaped (t)
% Of a text of the bytes of UTF-8, as Octave has it, or of 16 bits a character, as MATLAB has it.
  t = strrep (strrep (reshape (t, 1, []), '\', '\\'), '"', '\"');
  for c = unique (double (t(t < 32 | t == 127 | t == '<')))
    t = strrep (t, char (c), sprintf ('\\u%04x', c));
  end
  for last = [168 169]
    t = strrep (t, char ([226 128 last]), sprintf ('\\u20%02x', last - 128));
  end
end

%!assert (knng.internal.json_text (struct ('a', 1, 'b', {{'x', [1 NaN Inf], true, []}})), '{"a":1,"b":["x",[1,null,null],true,null]}')
%!assert (knng.internal.json_text (['<"\' char([10 0 226 128 168])]), '"\u003c\"\\\u000a\u0000\u2028"')
%!assert (knng.internal.json_text ({}), '[]')
%!assert (knng.internal.json_text (''), '""')
%!assert (knng.internal.json_text (0.1 + 0.2), '0.30000000000000004')
%!assert (knng.internal.json_text (-1e300), '-1.0000000000000001e+300')
