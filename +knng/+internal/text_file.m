function text = text_file (file)
%TEXT_FILE  What the file of texts FILE holds, a row of characters: unpacked if it is gzipped, in UTF-8, without a byte order mark, with \n at the ends of lines.
%   Errors: those of knng.read for a text, knng:args:file, knng:io:open, knng:io:format (bytes of 0, as UTF-16 has them), knng:io:truncated (nothing,
%   or a damaged gzip stream), knng:memory:host.
  knng.internal.built ();
  text = reshape (knng.internal.read (file, 'text'), 1, []);
end
