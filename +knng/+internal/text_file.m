function text = text_file (file)
%TEXT_FILE  What the file of texts FILE holds, a row of characters: unpacked if it is gzipped, without a byte order mark, with \n at the ends of lines.
%   Errors: knng:io:open, knng:io:format (bytes of 0, a damaged gzip stream).
  f = -1;
  if (exist (file, 'dir') ~= 7 && ~any (file == 0))
    f = fopen (file, 'r');
  end
  if (f < 0)
    error ('knng:io:open', 'cannot open %s: is there such a file, and may you read it?', knng.internal.shown (file));
  end
  close_it = onCleanup (@() fclose (f));                     %#ok<NASGU>
  bytes = contents (f);
  if (numel (bytes) > 1 && all (bytes(1:2) == [31 139]))
    bytes = unpacked (bytes, file);
  end
  if (numel (bytes) > 2 && all (bytes(1:3) == [239 187 191]))
    bytes = bytes(4:end);
  end
  if (any (bytes == 0))
    error ('knng:io:format', '%s is no text: it has bytes of 0', knng.internal.shown (file));
  end
  if (exist ('OCTAVE_VERSION', 'builtin') ~= 0)
    text = char (bytes);
  else
    text = native2unicode (bytes, 'UTF-8');
  end
  text = strrep (strrep (text, sprintf ('\r\n'), sprintf ('\n')), sprintf ('\r'), sprintf ('\n'));
end

function bytes = contents (f)
% As many bytes as the file has: what has no end, such as a device, has none.
  bytes = zeros (1, 0, 'uint8');
  if (fseek (f, 0, 'eof') == 0)
    count = ftell (f);
    fseek (f, 0, 'bof');
    bytes = reshape (fread (f, count, 'uint8=>uint8'), 1, []);
  end
end

function bytes = unpacked (bytes, file)
  folder = tempname ();
  mkdir (folder);
  gone = onCleanup (@() remove (folder));
  packed = fullfile (folder, 'text.gz');
  f = fopen (packed, 'w');
  fwrite (f, bytes);
  fclose (f);
  try
    gunzip (packed, folder);
    f = fopen (fullfile (folder, 'text'), 'r');
    bytes = contents (f);
    fclose (f);
  catch
    error ('knng:io:format', '%s is gzipped, and damaged', knng.internal.shown (file));
  end
end

function remove (folder)
  delete (fullfile (folder, '*'));
  rmdir (folder);
end
