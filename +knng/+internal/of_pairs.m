function text = of_pairs (n, m, remedy)
%OF_PAIRS  For a message about a graph of n rows and m names or rows of data: the REMEDY where n is what 'Metafeatures' make of m, or ''.

  text = '';
  if (m > 1 && any (n == m + (1:4) * m * (m - 1) / 2))
    text = sprintf ('; a graph of ''Metafeatures'' has so many: %s', remedy);
  end
end

%!assert (knng.internal.of_pairs (10, 4, 'x'), '; a graph of ''Metafeatures'' has so many: x')
%!assert (knng.internal.of_pairs (4 + 4 * 6, 4, 'x'), '; a graph of ''Metafeatures'' has so many: x')
%!assert ([knng.internal.of_pairs(11, 4, 'x'), knng.internal.of_pairs(4, 4, 'x'), knng.internal.of_pairs(1, 1, 'x'), knng.internal.of_pairs(9, 0, 'x')], '')
