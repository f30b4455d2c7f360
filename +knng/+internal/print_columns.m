function print_columns (heads, cells)
%PRINT_COLUMNS  A table on the screen: HEADS over the columns of CELLS, texts; those that are numbers stand on the right.

  cells = cellfun (@knng.internal.shown, cells, 'UniformOutput', false);
  lines = repmat ({''}, 1 + size (cells, 1), 1);
  for c = 1:numel (heads)
    wide = max (knng.internal.screen_width ([heads(c); cells(:, c)]));
    right = all (cellfun (@(t) ~isempty (t) && (~isnan (str2double (t)) || strcmp (t, 'NaN')), cells(:, c)));
    column = [heads(c); cells(:, c)];
    for i = 1:numel (column)
      gap = repmat (' ', 1, wide - knng.internal.screen_width (column{i}));
      if (right)
        column{i} = [gap, column{i}];
      elseif (c < numel (heads))
        column{i} = [column{i}, gap];
      end
      lines{i} = [lines{i}, repmat('  ', 1, c > 1), column{i}];
    end
  end
  fprintf ('%s\n', lines{:});
end

%!test
%! text = evalc ("knng.internal.print_columns ({'row', 'name', 'p'}, {'1', 'ab', '0.5'; '12', 'a', 'NaN'})");
%! assert (text, sprintf ('row  name    p\n  1  ab    0.5\n 12  a     NaN\n'));
%! text = evalc ("knng.internal.print_columns ({'row', 'name'}, cell (0, 2))");
%! assert (text, sprintf ('row  name\n'));
%! text = evalc ("knng.internal.print_columns ({'a', 'b'}, {char([195 164]), '1'; 'xy', '2'})");
%! assert (text, sprintf ('a   b\n%s   1\nxy  2\n', char ([195 164])));
