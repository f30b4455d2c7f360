function text = given_but (v, good)
%GIVEN_BUT  As knng.internal.given, and of several real numbers V also the first that is not GOOD, logical, of the size of V: 'a 1-by-3 double that has -1'.

  text = knng.internal.given (v);
  at = find (~good(:), 1);
  if (numel (v) > 1 && ~isempty (at))
    text = sprintf ('%s that has %.15g', text, double (full (v(at))));
  end
end

%!assert (knng.internal.given_but ([1 -1 NaN], [true false false]), 'a 1-by-3 double that has -1')
%!assert (knng.internal.given_but (-1, false), '-1')
%!assert (knng.internal.given_but ([1; 2], true (2, 1)), 'a 2-by-1 double')
