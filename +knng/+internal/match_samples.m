function [row, lacking, twice] = match_samples (samples, names)
%MATCH_SAMPLES  Which of NAMES each of SAMPLES is, cells of texts; blanks around them do not count. ROW is a column, 0 where none is.
%   LACKING are the samples that are not there, TWICE those whose name stands there more than once, both by their numbers.

  [~, row] = ismember (strtrim (samples(:)), strtrim (names(:)));
  lacking = find (row == 0);
  twice = zeros (0, 1);
  if (isempty (lacking))
    [~, ~, which_name] = unique (strtrim (names(:)));
    often = accumarray (which_name(:), 1);
    twice = find (often(which_name(row)) > 1);
  end
end

%!test
%! [row, lacking, twice] = knng.internal.match_samples ({'a', ' b'}, {'b '; 'c'; 'a'; 'c'});
%! assert ({row, isempty(lacking), isempty(twice)}, {[3; 1], true, true});
%! [row, lacking, twice] = knng.internal.match_samples ({'a', 'd', 'b'}, {'b', 'a', 'c'});
%! assert ({row, lacking, isempty(twice)}, {[2; 0; 1], 2, true});
%! [~, ~, twice] = knng.internal.match_samples ({'b', 'a'}, {'b', 'a', 'a '});
%! assert (twice, 2);
