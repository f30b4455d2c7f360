function [numbers, missing] = texts_as_numbers (texts)
%TEXTS_AS_NUMBERS  The numbers that texts are, as knng.read takes them; [] if one is none, or all are missing. MISSING marks those that say so:
%   '', NA, NaN, N/A, #N/A, null, ?, in upper or lower case. A D begins an exponent where that is plain (1.5D-02;
%   1D3 and 1.D3 may be wells). A comma is the decimal sign where no text has a point, and not all of them have it before three digits, as
%   between thousands.

  texts = strtrim (texts(:));
  missing = cellfun ('isempty', texts) | ismember (lower (texts), {'na', 'nan', 'n/a', '#n/a', 'null', '?'});
  known = texts(~missing);
  numbers = [];
  commas = ~cellfun ('isempty', strfind (known, ','));
  if (any (commas))
    thousands = ~cellfun ('isempty', regexp (known(commas), '^[-+]?[1-9]\d{0,2},\d{3}$', 'once'));
    if (all (thousands) || ~all (cellfun ('isempty', strfind (known, '.'))))
      return
    end
    known = strrep (known, ',', '.');
  end
  is_number = ~cellfun ('isempty', regexpi (known, '^[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|\d*\.\d+d[-+]?\d+|\d+\.d[-+]\d+|inf(inity)?)$', 'once'));
  if (isempty (known) || ~all (is_number))
    return
  end
  numbers = NaN (numel (texts), 1);
  numbers(~missing) = str2double (regexprep (known, {'^([-+]?)inf.*$', 'd'}, {'$1Inf', 'e'}, 'ignorecase'));
end

%!test
%! [v, m] = knng.internal.texts_as_numbers ({'1', ' 2.5', '-.5e1', 'na', '', '+Inf', '-INFINITY', '#N/A'});
%! assert (v, [1; 2.5; -5; NaN; NaN; Inf; -Inf; NaN]);
%! assert (m', logical ([0 0 0 1 1 0 0 1]));
%! assert (knng.internal.texts_as_numbers ({'38,5', '40', '1,250'}), [38.5; 40; 1.25]);
%! assert (knng.internal.texts_as_numbers ({'1.5D-02', '-.5d+1', '2.D+02'}), [0.015; -5; 200], eps);
%! assert (knng.internal.texts_as_numbers ({'1,5D3', '40'}), [1500; 40]);
%! for bad = {{'1D3'}, {'1.D3'}, {'.D3'}, {'1.5D'}, {'1', 'x'}, {'NA', ''}, {'1,5', '2.5'}, {'1,250', '40'}, {'1,234,567'}, {'24h'}, {'1 2'}, {'2i'}, {'1e'}, {'0x1'}, {'.'}}
%!   assert (isempty (knng.internal.texts_as_numbers (bad{1})));
%! end
