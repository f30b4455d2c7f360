function [row, lacking, twice] = match_samples (samples, names)
%MATCH_SAMPLES  Which of NAMES each of SAMPLES is, cells of texts; blanks around them do not count. ROW is a column, 0 where none is.
%   LACKING are the samples that are not there, TWICE those whose name stands there more than once, both by their numbers.

  names = cellfun (@bare, names(:), 'UniformOutput', false);
  [~, row] = ismember (cellfun (@bare, samples(:), 'UniformOutput', false), names);
  lacking = find (row == 0);
  [~, ~, which_name] = unique (names);
  often = accumarray (which_name(:), 1, [numel(names) + 1, 1]);
  twice = find (row > 0);
  twice = twice(often(which_name(row(twice))) > 1);
end

function t = bare (t)
% Octave's strtrim refuses what is no UTF-8, which old files have.
  keep = find (~isspace (t) & t ~= 0);
  t = t(min (keep):max (keep));
end

%!test
%! [row, lacking, twice] = knng.internal.match_samples ({'a', ' b'}, {'b '; 'c'; 'a'; 'c'});
%! assert ({row, isempty(lacking), isempty(twice)}, {[3; 1], true, true});
%! [row, lacking, twice] = knng.internal.match_samples ({'a', 'd', 'b'}, {'b', 'a', 'c'});
%! assert ({row, lacking, isempty(twice)}, {[2; 0; 1], 2, true});
%! [~, ~, twice] = knng.internal.match_samples ({'b', 'a'}, {'b', 'a', 'a '});
%! assert (twice, 2);
%! [row, lacking, twice] = knng.internal.match_samples ({'b', 'c', 'a'}, {'b', 'a', 'a '});
%! assert ({row > 0, lacking, twice}, {[true; false; true], 2, 3});
%! [row, lacking, twice] = knng.internal.match_samples ({'b', 'c'}, {});
%! assert ({row, lacking, isempty(twice)}, {[0; 0], [1; 2], true});
%! row = knng.internal.match_samples ({char(228), ''}, {[char(228) ' '], ''});
%! assert (row, [1; 2]);
