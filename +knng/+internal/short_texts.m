function short = short_texts (texts)
%SHORT_TEXTS  TEXTS, a cell, as pictures show them: KNNG.INTERNAL.SHOWN, but texts that differ, differ when they are cut as well. They are
%   then cut in the middle, or numbered.

  short = cellfun (@knng.internal.shown, texts, 'UniformOutput', false);
  short = apart (short, texts, @(t, i) knng.internal.cut_text (t, 60));
  short = apart (short, texts, @(t, i) sprintf ('%s (%d)', knng.internal.cut_text (t, 50, 0), i));
end

function short = apart (short, texts, cut)
% Those that are alike, and are not of one text, anew.
  [~, ~, kind] = unique (short(:));
  [~, ~, of] = unique (texts(:));
  most = accumarray (kind(:), of(:), [], @max, 0);
  least = accumarray (kind(:), of(:), [], @min, 0);
  for i = find (most(kind(:)) ~= least(kind(:)))'
    short{i} = knng.internal.printable (cut (texts{i}, of(i)));
  end
end

%!test
%! long = repmat ('x', 1, 80);
%! short = knng.internal.short_texts ({'a', [long 'a'], [long 'b'], 'a', long});
%! assert (short([1 4]), {'a', 'a'});
%! assert (numel (unique (short)), 4);
%! assert (max (cellfun ('length', short)) <= 60);
%! same = knng.internal.short_texts ({[long 'a' long], [long 'b' long], [long 'a' long]});
%! assert (numel (unique (same)), 2);
%! assert (same{1}, same{3});
%! assert (size (knng.internal.short_texts (cell (0, 1))), [0 1]);
%! letters = repmat (char ([230 188 162]), 1, 30);            # three bytes each
%! short = knng.internal.short_texts ({[letters 'a'], [letters 'b']});
%! assert (unicode2native (native2unicode (uint8 (short{1}), 'UTF-8'), 'UTF-8'), uint8 (short{1}));
%! assert (short{1}(end), 'a');
