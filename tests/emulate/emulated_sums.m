function [npass, nfail] = emulated_sums(skips)
%EMULATED_SUMS  Emulated GPUs whose tensor cores sum as KNNG_EMULATED_SUMS says (emulate.cc): to be run as emulated.m is.
%   skips: whether that breaks what is proven of such sums, so that the levels with half-precision products have to be
%   skipped, and info and knng.devices have to say so. The neighbours are the CPU's either way, bit by bit.
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('error', 'knng:device:fallback');
  randn('twister', 5);
  rand('twister', 5);
  A = randn(170, 12);
  B = 200 * repmat(A(1, :), 240, 1) + randn(240, 12);   % rows that escalate
  L = randn(70, 2057);                                  % products in parts
  G = A;
  G(rand(size(G)) < 0.2) = NaN;
  file = [tempname() '.fbin'];
  remove = onCleanup(@() delete(file));
  f = fopen(file, 'w');
  fwrite(f, size(A), 'uint32');
  fwrite(f, A', 'single');
  fclose(f);
  searches = {
    'euclidean', @(v) knngraph(A, 5, 'euclidean', 'TileSize', 64, v{:})
    'escalating', @(v) knngraph(B, 1, 'pearson', 'TileSize', 128, v{:})
    'parts', @(v) knngraph(L, 3, 'euclidean', 'TileSize', 64, v{:})
    'queries', @(v) knng.knnsearch(A, A(1:40, :) / 2, 'K', 7, 'TileSize', 64, v{:})
    'queries of a file', @(v) knng.knnsearch(file, A(1:40, :) / 2, 'K', 7, v{:})
    'pairwise', @(v) knngraph(G, 5, 'pearson', 'Rows', 'pairwise', 'MinValid', 1, 'TileSize', 64, v{:})
    'cityblock', @(v) knngraph(A, 5, 'cityblock', 'TileSize', 64, v{:})
  };
  ok = true(0);
  for s = 1:size(searches, 1)
    [name, f] = searches{s, :};
    [ri, rd] = f({'Device', 'cpu'});
    [idx, dist, info] = f({'Device', 'gpu'});
    c = info.certified;
    gaps = strcmp(name, 'pairwise');           % that goes on in single precision
    said = ~isempty(strfind(info.note, 'precision levels f16 and f32 are skipped')) || ...
           (gaps && ~isempty(strfind(info.note, 'are multiplied in single precision: its half-precision products err')));
    products = ~strcmp(name, 'cityblock');
    ok(end + 1) = isequal(idx, ri) && isequal(typecast(dist(:), 'uint64'), typecast(rd(:), 'uint64'));
    ok(end + 1) = said == (skips && products);
    ok(end + 1) = (c.f16 + c.f32 > 0) == (~products || ~skips || gaps);
    if ~all(ok(end - 2:end))
      fprintf('%s: neighbours %d, note %d, certified %d %d %d %d\n', name, ok(end - 2), said, c.f16, c.f32, c.f64, c.scan);
    end
  end
  list = knng.devices();
  ok(end + 1) = isempty(list(1).problem) && ~isempty(strfind(list(1).note, 'precision levels f16 and f32 are skipped')) == skips;
  fprintf('GPU 1: %s\n', list(1).note);
  npass = sum(ok);
  nfail = sum(~ok);
  fprintf('%d passed, %d failed\n', npass, nfail);
end
