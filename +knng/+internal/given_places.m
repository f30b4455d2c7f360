function start = given_places (name, start, on, seed)
%GIVEN_PLACES  The rows ON of START, the places that the option NAME has: those of the points with edges, which ON marks.
%   One that stands where another does is moved a little, since else nothing would part them.

  start = start(on, :);
  bad = find (any (isnan (start), 2), 1);
  if (~isempty (bad))
    row = find (on);
    error ('knng:args:start', 'row %d of ''%s'' has NaN, but this point has edges: give it a place, a row of numbers up to 1e70', row(bad), name);
  end
  [~, first] = unique (start, 'rows', 'first');
  again = setdiff ((1:size (start, 1))', first(:));
  if (~isempty (again))
    unit = 1e-3 * max (max (start, [], 1) - min (start, [], 1));
    if (unit == 0)
      unit = 1e-3;
    end
    start(again, :) = start(again, :) + unit * knng.internal.noise (seed, numel (again), size (start, 2));
  end
end

%!assert (knng.internal.given_places ('Start', [1 2; NaN NaN; 3 4], [true; false; true], 0), [1 2; 3 4])
%!error <row 3 of 'InitialY' has NaN> knng.internal.given_places ('InitialY', [1 2; NaN NaN; NaN 4], [true; false; true], 0)
