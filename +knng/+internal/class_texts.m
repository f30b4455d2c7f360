function [texts, points] = class_texts (group, names, wide)
%CLASS_TEXTS  What can stand above a bar of classes, WIDE inches: a text for each run of columns, all of one size in POINTS, with
%   the numbers of columns where there is room. {} where a name has no room: then the names have to stand elsewhere.

  group = group(:);
  first = [1; find(diff (group)) + 1];
  count = diff ([first; numel(group) + 1]);
  bare = reshape (names(group(first)), [], 1);
  counted = knng.internal.counted (bare, count, names);
  for way = {counted, bare, counted, bare; 10, 10, 8, 7}
    [texts, points] = way{:};
    if (all (1.08 * knng.internal.text_inches (texts, points) <= wide * count / numel (group)))  % they are bold
      return
    end
  end
  [texts, points] = deal ({}, 0);
end

%!assert (knng.internal.class_texts ([1 1 1 2], {'a', 'b'}, 4), {'a, 3'; 'b, 1'})
%!assert (knng.internal.class_texts ([2 2 2 2 1], {'long', 'a'}, 2), {'a'; 'long'})
%!assert (knng.internal.class_texts ([1 1 1 2], {'a', 'something longer'}, 2), {})
%!assert (knng.internal.class_texts ([1 1 1 2], {'0', '1'}, 4), {'0 (3)'; '1 (1)'})
