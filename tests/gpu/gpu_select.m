function [npass, nfail] = gpu_select()
%GPU_SELECT  knng.mink and knng.maxk on a GPU against the CPU, byte for byte: every class and order, sizes on either side of
%   every limit of cuda/topk/select.cu and cuda/topk/selection.cu, orders that are bad for a selection; some against sort.
  global passed failed
  passed = 0;
  failed = 0;
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('error', 'knng:device:fallback');  % a GPU that gives up must not pass as the CPU
  rand('twister', 11);
  randn('twister', 11);
  classes = {'double', 'single', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'logical'};
  kinds = {'normal', 'constant', 'rising', 'falling', 'few', 'periods', 'stairs', 'bits', 'nan'};
  % Sizes: all sorted, 1024; a sample, 4096; parts, 2^17; lines of their own in a sort, 2^18. Every dimension.
  sizes = {[1 1], [1 2], [1 33], [1 1023], [1024 3], [1025 3], [2 1100], [3 4096], [4096 2], [4097 2], [33 1500], [5000 2], ...
           [7 5 11], [3 1 2000], [2 1300 3], [65536 3], [17 9000], [131071 1], [131072 2], [131073 1], [2 131100], [262144 1], [300001 1]};
  ks = [1 2 20 64 65 255 256 511 512 513 1023 1024 1025 2047 2048 2049 5000 Inf];
  for s = 1:numel(sizes)
    for c = 1:numel(classes)
      for kind = 1:1 + 2 * (prod(sizes{s}) < 2e4)
        A = make(sizes{s}, classes{c}, kinds{floor(rand() * numel(kinds)) + 1});
        for dim = 1:ndims(A)
          if size(A, dim) > 1 || rand() < 0.2
            check(A, ks(floor(rand() * numel(ks)) + 1), dim);
          end
        end
      end
    end
  end
  for c = classes(3:10)                % the ends of integers, which have no negative, or no positive
    A = repmat([intmin(c{1}), intmin(c{1}) + 1, 0, intmax(c{1}), intmax(c{1}) - 1, 1], 300, 1);
    for times = 1:6
      check(A, 5, 2);
      check(A(:), 9, 1);
    end
  end
  % Every bad order, where there is a sample, and every k.
  for kind = kinds
    for c = {'double', 'single', 'int16', 'uint8'}
      A = make([30000 4], c{1}, kind{1});
      for k = [1 300 2048 7000]
        check(A, k, 1);
      end
      check(A', 100, 2);
    end
  end
  for k = ks
    check(single(randn(65536, 2)), k, 1);
    check(randn(3, 20000), k, 2);
  end
  % Many short lines; more than a pinned buffer, more than a batch of lines; lines that do not fit in one; three levels.
  check(single(randn(3, 300000)), 2, 1);
  check(single(randn(300000, 3)), 2, 2);
  check(int8(50 * randn(2, 900000)), 1, 1);
  check(randn(1, 3300000), 2048, 2);
  check(single(randn(9000, 8000)), 40, 1);
  check(single(randn(9000, 8000)), 40, 2);
  check(randn(34e6, 1), 2048, 1);
  check(floor(100 * randn(34e6, 1)), 2000, 1);
  check(randn(32, 1060000), 17, 2);
  % Values alone, and logic that shares nothing with the CPU's.
  A = randn(5000, 40);
  count(isequal(knng.mink(A, 9, 'Device', 'gpu'), knng.mink(A, 9, 'Device', 'cpu')), 'values alone');
  for A = {randn(3000, 20), single(randn(20, 100000)), floor(3 * randn(10000, 7)), int32(1e6 * randn(50, 60, 70))}
    for dim = 1:ndims(A{1})
      [v, i] = sort(A{1}, dim);
      [w, j] = knng.mink(A{1}, 2500, dim, 'Device', 1);
      at = repmat({':'}, 1, ndims(v));
      at{dim} = 1:size(w, dim);
      count(isequal(v(at{:}), w) && isequal(i(at{:}), j), 'sort');
    end
  end
  npass = passed;
  nfail = failed;
  fprintf('%d passed, %d failed\n', npass, nfail);
end

function check(A, k, dim)
  functions = {@knng.mink, @knng.maxk};
  which = functions{1 + (rand() < 0.5)};
  methods = {'auto', 'auto', 'abs'};
  method = methods{floor(rand() * 3) + 1};
  [v, i] = which(A, min(k, size(A, dim)), dim, 'ComparisonMethod', method, 'Device', 'cpu');
  try
    [w, j] = which(A, min(k, size(A, dim)), dim, 'ComparisonMethod', method, 'Device', 'gpu');
    ok = strcmp(class(v), class(w)) && isequal(size(v), size(w)) && isequal(bytes(v), bytes(w)) && isequal(i, j);
    why = '';
  catch e
    ok = false;
    why = [e.identifier ': ' e.message];
  end
  count(ok, sprintf('%s (%s of %s, %g, %d, %s) %s', func2str(which), mat2str(size(A)), class(A), k, dim, method, why));
end

function count(ok, what)
  global passed failed
  passed = passed + ok;
  failed = failed + ~ok;
  if ~ok
    fprintf('FAIL %s\n', what);
  end
end

function b = bytes(x)
  if islogical(x)
    x = uint8(x);
  end
  b = typecast(x(:), 'uint8');
end

function A = make(sizes, class, kind)
  n = prod(sizes);
  e = (0:n - 1)';
  switch kind
    case 'normal'
      x = 50 * randn(n, 1);
    case 'constant'
      x = 7 * ones(n, 1);
    case 'rising'
      x = e / n * 120;
    case 'falling'
      x = 120 - e / n * 120;
    case 'few'
      x = floor(4 * rand(n, 1)) - 2;
    case 'periods'                     % the small ones where a sample may not look, or looks at nothing else
      x = 50 + 50 * rand(n, 1);
      x(6:64:end) = -50 * rand(size(x(6:64:end)));
    case 'stairs'                      % ties between what has come and what comes
      x = -floor(e / 3000) - 2 * (rand(n, 1) < 0.005) - (rand(n, 1) < 0.25);
    case 'nan'
      x = randn(n, 1);
      x(rand(n, 1) < 0.98) = NaN;
      x(rand(n, 1) < 0.01) = 0;
      x(rand(n, 1) < 0.01) = -0;
      x(rand(n, 1) < 0.01) = -Inf;
    otherwise
      x = 50 * randn(n, 1);
      if ~strcmp(class, 'logical')
        one = zeros(1, 1, class);
        width = numel(typecast(one, 'uint8'));
        x = typecast(uint8(floor(256 * rand(n * width, 1))), class);
      end
  end
  if strcmp(class, 'logical')
    A = reshape(x > 0, sizes);
  else
    A = reshape(cast(x, class), sizes);
  end
end
