function text = share_of (count, n, what, one, more)
%SHARE_OF  '1 of 31 rows is', but '2 of 31 rows are': how many of N, with the verb ONE or MORE ('is' and 'are', if they are not given).

  if (nargin < 5)
    [one, more] = deal ('is', 'are');
  end
  verb = {more, one};
  text = sprintf ('%.15g of %s %s', double (full (count)), knng.internal.count_of (n, what), verb{1 + (count == 1)});
end

%!assert (knng.internal.share_of (1, 31, 'row'), '1 of 31 rows is')
%!assert (knng.internal.share_of (2, 31, 'row'), '2 of 31 rows are')
%!assert (knng.internal.share_of (1, 1, 'value', 'stays', 'stay'), '1 of 1 value stays')
