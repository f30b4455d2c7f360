function values = numbers_or_labels (texts)
%NUMBERS_OR_LABELS  What texts of samples, a cell, say: numbers of its shape, NaN where one is missing, if all are numbers (see texts_as_numbers);
%   else the texts without blanks around them, '' for missing ones. Labels, though they are numbers, are those of which one begins with 0
%   before a digit, as the code 035 does, those that are all 0 or 1, and two different ones, or one, of which one comes again.

  values = strtrim (texts);
  [numbers, missing] = knng.internal.texts_as_numbers (values);
  values(missing) = {''};
  known = numbers(~isnan (numbers));
  kinds = unique (known);
  codes = any (~cellfun ('isempty', regexp (values(:), '^[-+]?0\d', 'once'))) || all (kinds == 0 | kinds == 1) || ...
          (numel (kinds) <= 2 && numel (known) > numel (kinds));
  if (~isempty (numbers) && ~codes)
    values = reshape (numbers, size (values));
  end
end

%!test
%! assert (knng.internal.numbers_or_labels ({'2,5', ' 3', 'NA'; '4', '', '2'}), [2.5 3 NaN; 4 NaN 2]);
%! assert (knng.internal.numbers_or_labels ({'7'; 'NA'; '9'}), [7; NaN; 9]);
%! assert (knng.internal.numbers_or_labels ({'1.5D-02'; '2.5D+01'; 'NA'}), [0.015; 25; NaN], eps);
%! assert (knng.internal.numbers_or_labels ({'0.5', '0', '1'}), [0.5 0 1]);
%! assert (knng.internal.numbers_or_labels ({' a', 'NA', '3'}), {'a', '', '3'});
%!test  # numbers that are labels: codes; 0 and 1, even once each; two that come again
%! for labels = {{'035', '23', '1'}, {'-01', '2', '3'}, {'0', '1', ''}, {'1', '2', '1'}, {'7', '7'}, {'', ''}}
%!   assert (knng.internal.numbers_or_labels (labels{1}), labels{1});
%! end
%! assert (knng.internal.numbers_or_labels (cell (1, 0)), cell (1, 0));
