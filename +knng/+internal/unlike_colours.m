function colours = unlike_colours (taken, count)
%UNLIKE_COLOURS  COUNT of the colours of bars, a row each, none of which is like a row of TAKEN; where there are no more, any.

  colours = knng.internal.bar_colours (1:150);
  like = false (150, 1);
  for c = taken'
    like = like | sum (bsxfun (@minus, colours, c') .^ 2, 2) < 0.01;
  end
  colours = [colours(~like, :); colours];
  colours = colours(1 + mod (0:count - 1, size (colours, 1)), :);
end

%!assert (knng.internal.unlike_colours (zeros (0, 3), 3), knng.internal.bar_colours (1:3))
%!test
%! taken = knng.internal.bar_colours ([2 4]);
%! c = knng.internal.unlike_colours (taken, 5);
%! assert (c(1, :), knng.internal.bar_colours (1));
%! apart = sqrt (sum ((permute (c, [1 3 2]) - permute (taken, [3 1 2])) .^ 2, 3));
%! assert (all (apart(:) >= 0.1));
%!assert (size (knng.internal.unlike_colours (knng.internal.bar_colours (1:150), 7)), [7 3])
