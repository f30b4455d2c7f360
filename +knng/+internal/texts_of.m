function texts = texts_of (kinds)
%TEXTS_OF  Different labels, a cell of texts or numbers, as texts for pictures, a column.

  if (iscell (kinds))
    texts = knng.internal.short_texts (kinds(:));
  else
    texts = arrayfun (@(v) sprintf ('%.6g', v), double (kinds(:)), 'UniformOutput', false);
    if (numel (unique (texts)) < numel (texts))
      texts = arrayfun (@knng.internal.number_text, double (kinds(:)), 'UniformOutput', false);
    end
  end
end

%!assert (knng.internal.texts_of ([1; 2.5]), {'1'; '2.5'})
%!assert (knng.internal.texts_of ([20120830; 20120831]), {'20120830'; '20120831'})
%!assert (knng.internal.texts_of ({'a', 'b'}), {'a'; 'b'})
