function block = page_block (name, data)
%PAGE_BLOCK  A part of what a page carries: struct with name and text, the numbers or the text DATA packed, a uint8 row.
%   Numbers are little-endian, in the order in which they lie in memory.

  if (ischar (data))
    data = knng.internal.utf8_bytes (data);
  end
  width = numel (typecast (zeros (1, 1, class (data)), 'uint8'));
  bytes = typecast (reshape (data, 1, []), 'uint8');
  block = struct ('name', name, 'text', knng.internal.explore ('pack', bytes, width));
end

%!assert (char (getfield (knng.internal.page_block ('x', 'hello world'), 'text')), 'H4sIAAAAAAAAA8tIzcnJVyjPL8pJAQCFEUoNCwAAAA==')
