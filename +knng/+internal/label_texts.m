function texts = label_texts (kinds)
%LABEL_TEXTS  Different labels as texts, a column: all of them whole, unlike knng.internal.texts_of; numbers to all digits.

  if (ischar (kinds) || isa (kinds, 'categorical') || isa (kinds, 'string'))
    texts = reshape (cellstr (kinds), [], 1);
  elseif (iscell (kinds))
    texts = kinds(:);
  else
    texts = arrayfun (@knng.internal.number_text, full (kinds(:)), 'UniformOutput', false);
  end
end

%!assert (knng.internal.label_texts ([1; 2.5]), {'1'; '2.5'})
%!assert (knng.internal.label_texts ({'a', ''}), {'a'; ''})
%!assert (knng.internal.label_texts (['ab'; 'c ']), {'ab'; 'c'})
%!assert (knng.internal.label_texts (true), {'1'})
