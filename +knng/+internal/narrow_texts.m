function texts = narrow_texts (texts, points, inches)
%NARROW_TEXTS  TEXTS, a cell, as pictures show them: without control characters, and cut in the middle, so that they may still differ, where
%   they are longer than 60 characters or, in letters of so many POINTS, wider than INCHES.

  for i = 1:numel (texts)
    whole = knng.internal.printable (reshape (texts{i}, 1, []));
    most = at_most (whole, points, inches);
    texts{i} = knng.internal.cut_text (whole, most);
    while (most > 3 && knng.internal.text_inches (texts(i), points) > inches)
      most = most - 1;
      texts{i} = knng.internal.cut_text (whole, most);
    end
  end
end

function most = at_most (t, points, inches)
% So many characters of T, cut in the middle, may have room; no more have. Of ASCII: the others are measured one by one.
  n = numel (t);
  most = min (n, 60);
  if (most < 5 || any (t > 127))
    return
  end
  wide = [0; cumsum(knng.internal.text_inches (num2cell (t), points))];
  kept = [1:most - 3, n];
  last = floor (kept / 2);
  cut = wide(kept - last + 1) + wide(n + 1) - wide(n - last + 1) + knng.internal.text_inches ({'...'}, points);
  kept = kept + 3;
  cut(end) = wide(n + 1);                                    % whole
  kept(end) = n;
  fits = cut' <= inches * (1 + 1e-9) & kept <= most;
  most = max ([3, kept(fits)]);
end

%!test
%! texts = {'CD33'; repmat('W', 1, 60); 'one name that is longer than the other'; ''};
%! cut = knng.internal.narrow_texts (texts, 10, 1);
%! assert (strcmp (cut([1 4]), texts([1 4])));
%! wide = knng.internal.text_inches (cut(2:3), 10);
%! assert (all (wide <= 1 & wide > 0.85));
%! assert (regexp (cut{3}, '^one n.*\.\.\..*other$'), 1);
%! assert (strcmp (knng.internal.narrow_texts (texts, 10, Inf), texts));
%! long = knng.internal.narrow_texts ({[repmat('ab', 1, 50), 'z']}, 5, 2);
%! long = long{1};
%! assert (numel (long) < 60 && long(end) == 'z' && numel (strfind (long, '...')) == 1);
%! assert (cellfun (@numel, knng.internal.narrow_texts ({repmat('i', 1, 500)}, 5, Inf)), 60);
%! assert (knng.internal.narrow_texts ({'WWWW', 'WW'}, 10, 0), {'...', 'WW'});
%! assert (knng.internal.narrow_texts ({"a\nb"}, 10, Inf), {'a?b'});
%! assert (knng.internal.narrow_texts (cell (1, 0), 10, 1), cell (1, 0));
