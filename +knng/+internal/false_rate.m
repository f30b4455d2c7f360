function q = false_rate (p, count, tests)
%FALSE_RATE  The smallest false discovery rate at which each p-value is counted as found, as Benjamini and Hochberg have it.
%   p is a column; COUNT, its size or 1, is what an entry counts for in ranks; TESTS how many there were. NaN were no tests, and stay.

  q = NaN (size (p));
  done = find (~isnan (p));
  count = count + zeros (size (p));
  [some, order] = sort (p(done));
  done = done(order);
  rank = cumsum (count(done));
  q(done) = min (1, flipud (cummin (flipud (some .* tests ./ max (1, rank)))));
end

%!test  # the example of the paper of 1995, and its definition in loops
%! p = [.0001; .0004; .0019; .0095; .0201; .0278; .0298; .0344; .0459; .3240; .4262; .5719; .6528; .7590; 1];
%! q = knng.internal.false_rate (p, 1, 15);
%! assert (sum (q <= 0.05), 4);
%! for i = 1:15
%!   assert (q(i), min (1, min (15 * p(i:15) ./ (i:15)')), 1e-15);
%! end
%! mixed = [7 3 15 1 9 2 4 6 5 8 10 14 11 13 12]';
%! assert (knng.internal.false_rate ([NaN; p(mixed); NaN], 1, 15), [NaN; q(mixed); NaN]);
%! assert (knng.internal.false_rate ([.2; .1], [1; .5], 4), [8/15; 0.4], 1e-15);
%! assert (knng.internal.false_rate (zeros (0, 1), 1, 0), zeros (0, 1));
