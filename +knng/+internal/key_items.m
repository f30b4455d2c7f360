function [items, lines] = key_items (keys, wide)
%KEY_ITEMS  Where the entries of keys stand, in LINES lines of WIDE inches: a struct array with the fields x, in inches, line, from 1 on,
%   and text; shade, the colours of the field before it, a row each, or [] for the name of a key, which begins a line.
%   KEYS has the fields name, texts, a cell, and shades, a cell of colours for each text.

  items = struct ('x', {}, 'line', {}, 'text', {}, 'shade', {});
  lines = 0;
  for key = reshape (keys, 1, [])
    lines = lines + 1;
    indent = 0;
    if (~isempty (key.name))
      indent = 1.1 * knng.internal.text_inches ({key.name}, 8) + 0.1;
      items(end + 1) = struct ('x', 0, 'line', lines, 'text', key.name, 'shade', []); %#ok<AGROW>
    end
    x = indent;
    for i = 1:numel (key.texts)
      long = 0.12 + 0.05 + 0.15 + knng.internal.text_inches (key.texts(i), 8) + 0.38 * (size (key.shades{i}, 1) > 1);
      if (x > indent && x + long > wide)
        lines = lines + 1;
        x = indent;
      end
      items(end + 1) = struct ('x', x, 'line', lines, 'text', key.texts{i}, 'shade', key.shades{i}); %#ok<AGROW>
      x = x + long;
    end
  end
end

%!test
%! key = struct ('name', 'k', 'texts', {{'one', 'two', 'three'}}, 'shades', {{[1 0 0], [0 1 0], [0 0 1]}});
%! [items, lines] = knng.internal.key_items (key, 99);
%! assert ({items.text, lines}, {'k', 'one', 'two', 'three', 1});
%! assert (issorted ([items.x]) && items(1).x == 0);
%! [items, lines] = knng.internal.key_items ([key, key], 1);
%! assert ([items.line], [1 1 2 3 4 4 5 6]);
%! assert (lines, 6);
