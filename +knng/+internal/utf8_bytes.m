function bytes = utf8_bytes (text)
%UTF8_BYTES  A text as a row of bytes, in UTF-8 (what is none in Octave, whose characters are bytes, stays so).

  text = reshape (text, 1, []);
  if (exist ('OCTAVE_VERSION', 'builtin') ~= 0)
    bytes = uint8 (text);
  else
    bytes = unicode2native (text, 'UTF-8');
  end
end

%!assert (knng.internal.utf8_bytes ('ab'), uint8 ([97 98]))
%!assert (size (knng.internal.utf8_bytes ('')), [1 0])
