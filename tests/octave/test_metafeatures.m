function nfail = test_metafeatures ()
%TEST_METAFEATURES  Pairs of rows against plain loops, to the last bit; what is not finite.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@last_bit, @not_finite};
nfail = run_checks (checks);
end

function last_bit ()
% To the last bit: sizes at the edges of blocks, both classes, every choice of operations.
all_ops = {'difference', 'sum', 'product', 'ratio'};
for n = [1 2 3 17 46 91]
  for kind = {'double', 'single'}
    X = feval (kind{1}, tan ((1:n)' * (1:5) .* [1 1e-3 1e5 pi 7]));
    texts = arrayfun (@(i) sprintf ('gene %d', i), 1:n, 'UniformOutput', false);
    for c = 1 + 14 * (n > 20):15
      ops = all_ops(bitand (c, [1 2 4 8]) > 0);
      if (mod (n + c, 3) == 0)
        ops = fliplr (ops);
      end
      [Z, names, pairs] = knng.metafeatures (X, texts, ops);
      [Y, right, from] = plain (X, texts, ops);
      bits = struct ('double', 'uint64', 'single', 'uint32').(kind{1});
      assert (class (Z), kind{1});
      assert (isequal (typecast (Z(:), bits), typecast (Y(:), bits)) && isequal (size (Z), size (Y)));
      assert (isequal (names, right));
      assert (pairs, from);
    end
  end
end
end

function not_finite ()
% Zeros, NaN, Inf, overflow: as in Octave, and counted.
X = [0 1; 0 2; NaN 1; Inf 1; 1e300 1e300; -0 1; 5 5];
lastwarn ('', '');
evalc ('Z = knng.metafeatures (X);');
[text, id] = lastwarn ();
assert (id, 'knng:data:nonFinite');
Y = plain (X, repmat ({''}, 7, 1), {'difference', 'sum', 'product', 'ratio'});
assert (isequaln (Z, Y));
assert (sscanf (text, '%d of %d')', [sum(any (~isfinite (Y), 2)), 7 + 4 * 21]);
lastwarn ('', '');
knng.metafeatures (X([1 2 7], :), [], {'sum', '-'});
assert (lastwarn (), '');
end

function [Z, names, pairs] = plain (X, texts, ops)
% Loops.
n = rows (X);
kinds = struct ('difference', {{@minus, '-'}}, 'sum', {{@plus, '+'}}, 'product', {{@times, '*'}}, 'ratio', {{@rdivide, '/'}});
Z = {X};
names = texts(:);
pairs = [(1:n)', zeros(n, 2)];
[j, i] = find (tril (ones (n), -1));
for p = 1:numel (ops)
  [f, sign] = kinds.(ops{p}){:};
  for e = 1:numel (i)
    Z{end+1} = f (X(i(e), :), X(j(e), :));
  end
  names = [names; cellfun(@(a, b) [a, sign, b], texts(i)(:), texts(j)(:), 'UniformOutput', false)];
  pairs = [pairs; [i(:), j(:), repmat(p, numel (i), 1)]];
end
Z = vertcat (Z{:});
end
