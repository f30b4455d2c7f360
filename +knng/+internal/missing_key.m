function key = missing_key (Z)
%MISSING_KEY  What says below a heat map how missing values of Z look and how many they are, a struct as KNNG.INTERNAL.SAMPLE_BARS returns;
%   without rows where none is missing.

  key = struct ('name', {}, 'texts', {}, 'shades', {}, 'of', {}, 'colours', {});
  missing = sum (isnan (Z(:)));
  if (missing > 0)
    key = struct ('name', 'value', 'texts', {{sprintf('none, %d', missing)}}, 'shades', {{knng.internal.missing_grey()}}, 'of', [], 'colours', []);
  end
end

%!assert (isempty (knng.internal.missing_key (magic (3))))
%!test
%! key = knng.internal.missing_key ([1 NaN; NaN 2]);
%! assert ({key.name, key.texts, key.shades}, {'value', {'none, 2'}, {knng.internal.missing_grey()}});
%! bars = knng.internal.sample_bars (struct ('name', 'sex', 'kinds', {{'f'}}, 'of', 1), 1);
%! assert (size ([key, bars]), [1 2]);
