function order = natural_order (texts)
%NATURAL_ORDER  The order of TEXTS, a cell, by the alphabet, but whole numbers in them by their value: 'g2' before 'g10'. A column; the
%   texts that are equal, but for zeros in front of numbers, by the alphabet. What stands behind a decimal point is no whole number.

  [plain, first] = sort (texts(:));
  [numbers, rest] = regexp (plain, '\d+(\.\d+)*', 'match', 'split');
  whole = cellfun (@(n) regexprep (n, {'\..*', '^0+(?=\d)'}, ''), numbers, 'UniformOutput', false);
  widest = max ([0; cellfun(@(w) max ([0, cellfun('length', w)]), whole)]);
  for i = 1:numel (plain)
    keys = cellfun (@(n, w) [repmat('0', 1, widest - numel (w)), w, regexprep(n, '^\d+', '')], numbers{i}, whole{i}, 'UniformOutput', false);
    plain{i} = strjoin (reshape ([rest{i}; keys, {''}], 1, []), '');
  end
  [~, second] = sort (plain);
  order = first(second);
end

%!test
%! texts = {'group 10', 'group 2', 'group 1', 'b', '', 'group 02', '3', '20', 'a1b12', 'a1b2'};
%! assert (texts(knng.internal.natural_order (texts)), {'', '3', '20', 'a1b2', 'a1b12', 'b', 'group 1', 'group 02', 'group 2', 'group 10'});
%! assert (knng.internal.natural_order ({'0.5'; '0.25'; '10.5'; '9.5'}), [2; 1; 4; 3]);
%! assert (isempty (knng.internal.natural_order (cell (0, 1))));
%! long = repmat ('9', 1, 30);
%! assert (knng.internal.natural_order ({['c1' long], ['c' long], 'c2'})', [3 2 1]);
