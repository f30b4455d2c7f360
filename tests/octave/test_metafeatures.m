function nfail = test_metafeatures ()
%TEST_METAFEATURES  Pairs of rows against plain loops, to the last bit; what is not finite.
%   Prints each failure and at last 'N passed, N failed'.

checks = {@last_bit, @not_finite, @unstored};
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

function unstored ()
% Searched without being stored: to a file, in blocks, from a checkpoint, with missing values, as what is stored; and what
% warnings say. (cases.m has every metric.)
former = warning ();
restore = onCleanup (@() warning (former));
warning ('off', 'all');
X = mod ((1:33)' * sqrt ([2 3 5 7 11 13]), 1) + 0.5;
ops = {'/', '-'};
Z = knng.metafeatures (X, [], ops);
[right, far] = knngraph (Z, 5, 'pearson');
folder = tempname ();
[idx, dist] = knngraph (X, 5, 'pearson', 'Metafeatures', ops, 'Checkpoint', folder);
assert ({idx, dist}, {right, far});
[idx, dist, info] = knngraph (X, 5, 'pearson', 'Metafeatures', ops, 'Checkpoint', folder);
assert ({idx, dist, info.resumed}, {right, far, 1});
try
  knngraph (X, 5, 'pearson', 'Metafeatures', fliplr (ops), 'Checkpoint', folder);
  error ('accepted');
catch err
  assert (err.identifier, 'knng:checkpoint:data');
  assert (~isempty (strfind (err.message, 'other operations')), err.message);
end
delete (fullfile (folder, '*'));
rmdir (folder);
if (knng.internal.graph_file ('can'))
  file = [tempname() '.h5'];
  remove = onCleanup (@() delete (file));
  limit = knng.estimate (33, 6, 5, 'pearson', 'Metafeatures', ops, 'Output', file, 'Calibrate', false);
  info = knngraph (X, 5, 'pearson', 'Metafeatures', ops, 'Output', file, 'MaxMemory', limit.memory.least);
  assert (info.blocks > 1 && info.memory.peak <= info.memory.planned);
  [idx, dist] = knng.loadgraph (file);
  assert ({idx, dist}, {right, far});
  assert (knng.verify (X, 'pearson', file, 'Metafeatures', ops));
end
X(4, 2) = NaN;
X(9, 5) = Inf;
Z = knng.metafeatures (single (X(1:12, :)), [], '*');
gaps = {'cosine', 'Rows', 'pairwise', 'MinValid', 2};
[idx, dist, info] = knngraph (single (X(1:12, :)), 5, gaps{:}, 'Metafeatures', '*');
[right, far, other] = knngraph (Z, 5, gaps{:});
assert (isequaln ({idx, dist, info.nvalid}, {right, far, other.nvalid}));
assert (knng.verify (single (X(1:12, :)), 'cosine', idx, dist, 'Rows', 'pairwise', 'MinValid', 2, 'Metafeatures', '*'));
warning (former);
text = evalc ('knngraph (X(1:4, :), 100, ''Metafeatures'', {''-'', ''+''});');
assert (~isempty (strfind (text, 'X has only 16 metafeature(s)')), text);
assert (~isempty (strfind (text, '7 of 16 rows')) && ~isempty (strfind (text, 'from X itself, a division by 0')), text);
X = [1 2 3; 0 1 2; 4 0 1; 2 2 5];                        % the advice on Inf of ratios helps
gaps = {'Rows', 'pairwise', 'MinValid', 1, 'Metafeatures', '/'};
text = evalc ('knngraph (X, 2, gaps{:});');
assert (~isempty (strfind (text, 'of 10 rows')) && ~isempty (strfind (text, 'X(X == 0) = NaN')), text);
X(X == 0) = NaN;
text = evalc ('knngraph (X, 2, gaps{:});');
assert (isempty (strfind (text, 'Inf')), text);
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
