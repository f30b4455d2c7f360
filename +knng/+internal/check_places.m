function start = check_places (name, start, n, nd, most)
%CHECK_PLACES  START as doubles: the option NAME, numeric, must hold a place for each of N points in ND dimensions, 1 to MOST.

  if (~isreal (start) || ndims (start) ~= 2 || ~isequal (size (start), [n, nd]) || nd < 1 || nd > most)
    error ('knng:args:start', '''%s'' is %s: it must be a place for each of %d points, in ''NumDimensions'' numbers, 1 to %d', ...
           name, knng.internal.given (start), n, most);
  end
  start = full (double (start));
  far = abs (start) > 1e70;                              % in the layout, powers of them would overflow
  bad = find (any (far, 2), 1);
  if (~isempty (bad))
    error ('knng:args:start', 'row %d of ''%s'' has %g: give numbers up to 1e70, such as ''%s'' over its largest number', bad, ...
           name, start(bad, find (far(bad, :), 1)), name);
  end
end

%!assert (knng.internal.check_places ('Start', single ([1 2]), 1, 2, 3), [1 2])
%!error <'InitialY' is a 1-by-2 double: it must be a place for each of 3 points, in 'NumDimensions' numbers, 1 to 3> knng.internal.check_places ('InitialY', [1 2], 3, 2, 3)
%!error <row 1 of 'Start' has Inf> knng.internal.check_places ('Start', [1 Inf], 1, 2, 3)
