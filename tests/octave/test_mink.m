function nfail = test_mink ()
%TEST_MINK  The k smallest and largest against sort: every class, dimension and order. knng.maxk goes with it.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@against_sort, @beyond_doubles};
nfail = run_checks (checks);
end

function against_sort ()
% Against sort: classes, dimensions, k.
classes = {'double', 'single', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'};
for c = [classes, {'logical'}]
  for sizes = {[1 7], [50 1], [33 4], [3 40], [2 3 4 5], [1 1 6], [5 0], [0 5], [0 0], [1 0], [2 0 3], [1 1]}
    A = cast (mod (reshape (1:prod (sizes{1}), sizes{1}) .^ 2 * 7.3, 100) - 30, c{1});
    first = find (size (A) ~= 1, 1);
    for dim = 1:ndims (A)
      [s, p] = sort (A, dim);
      for k = [0 1 2 5 100]
        at = repmat ({':'}, 1, ndims (A));
        at{dim} = 1:min (k, size (A, dim));
        [v, i] = knng.mink (A, k, dim);
        assert (class (v), c{1});
        assert (v, s(at{:}));
        assert (i, p(at{:}));
        if (isequal (dim, first))
          [w, j] = knng.mink (A, k);
          assert (w, v);
          assert (j, i);
        end
      end
    end
    assert (knng.mink (A, 3, 7), A);
  end
end
assert (size (knng.mink (ones (2, 3), 0, 4)), [2 3 1 0]);
end

function beyond_doubles ()
% What is beyond the doubles; 0 and -0; NaN.
A = intmax ('int64') - int64 ([3 5 4 5]);
[v, i] = knng.mink (A, 3);
assert (v, intmax ('int64') - int64 ([5 5 4]));
assert (i, [2 4 3]);
assert (knng.mink (intmin ('int64') + int64 (2:-1:0), 2), intmin ('int64') + int64 ([0 1]));
[v, i] = knng.mink ([0 -0 NaN -1 0], 9);
assert (i, [4 1 2 5 3]);
assert (1 ./ v, [-1 Inf -Inf Inf NaN]);
[v, i] = knng.mink (single ([NaN NaN 2]), 2);
assert (i, [3 1]);
assert (isna (knng.mink ([NaN NA], 2)), [false true]);
end
