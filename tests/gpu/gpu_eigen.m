function [npass, nfail] = gpu_eigen(n)
%GPU_EIGEN  Eigenvectors of maps by a GPU against those by eigs, on graphs of about n points, default 3000; equal ones; calls
%   that fail. On emulated GPUs a small n.
  npass = 0;
  nfail = 0;
  if nargin < 1
    n = 3000;
  end
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('off', 'all');
  warning('error', 'knng:device:fallback');    % a GPU that gives up must not pass as the CPU
  list = knng.devices();  %#ok<NASGU>          the gateway of searches loads the plugin, and counts its calls
  u = reshape(knng.internal.random(1, 3 * n), n, 3);
  a = 2 * pi * (1:n)' / n;
  B = knngraph(u .* [4 2 1], 6, 'Device', 'cpu');
  H = knngraph(reshape(knng.internal.random(2, 1200), 600, 2) .* [2 1], 5, 'Device', 'cpu');
  H(1:2:end, 4) = 1;                           % a hub, whose row is longer than any other; sums of two parts
  R = knngraph([cos(a), sin(a)], 8, 'Device', 'cpu');
  checks = {
    'a box', @() n < 1000 || same(@knng.diffusionmap, B, 2, {})
    'a hub', @() same(@knng.laplacianeigenmaps, H - diag(diag(H)), 1, {'Tolerance', 1e-9})
    'scales of points', @() n < 1000 || same(@knng.diffusionmap, knngraph(u .^ 3, 30, 'Device', 'cpu'), 10, {'Epsilon', 'knn', 'Alpha', 0.5})
    'clusters', @() n < 1000 || isequal(knng.spectralcluster(u .^ 3, 5, 'Device', 1), knng.spectralcluster(u .^ 3, 5, 'Device', 'cpu'))
    'more than two buffers', @() n < 1000 || same(@knng.laplacianeigenmaps, blocks(60000, 40), 1, {})
    'a ring', @() ring(R)
    'two parts', @() refused('knng:graph:disconnected', @() knng.diffusionmap(blkdiag(B, B), 1, 'Device', 1))
    'too few rounds', @() refused('knng:graph:convergence', @() vectors(B, 3, 1))
    'more than it takes', @() n < 1000 || refused('knng:device:fallback', @() vectors(R, 101, 1)) ...
                          && refused('knng:graph:convergence', @() vectors(R, 100, 1))
    'calls that fail', @() failing(B)
  };
  for c = 1:size(checks, 1)
    why = '';
    try
      ok = checks{c, 2}();
    catch e
      ok = false;
      why = [e.identifier ' ' e.message];
    end
    npass = npass + ok;
    nfail = nfail + ~ok;
    if ~ok
      fprintf('FAIL %s %s\n', checks{c, 1}, why);
    end
  end
  fprintf('%d passed, %d failed\n', npass, nfail);
end

function ok = same(map, A, nd, options)
  [Y, lambda] = map(A, nd, options{:}, 'Device', 'cpu');
  before = calls();
  [Z, mu] = map(A, nd, options{:}, 'Device', 1);
  ok = max(abs(mu - lambda)) < 1e-10 && max(abs(Y(:) - Z(:))) < 1e-5 * max(abs(Y(:))) && calls() - before > 200;
  if ~ok
    fprintf('eigenvalues differ by %g, columns by %g of %g\n', max(abs(mu - lambda)), max(abs(Y(:) - Z(:))), max(abs(Y(:))));
  end
end

% Two groups, which few edges join, of more edges than are sent at once.
function A = blocks(n, k)
  i = repmat((1:n)', 1, k);
  r = reshape(knng.internal.random(3, n * k), n, k);
  j = mod(i + 2 * floor(r * n / 2), n) + 1;    % of the other group
  j(:, 4:end) = mod(j(:, 4:end), n) + 1;       % of the same one
  A = spones(sparse(i(:), j(:), 1, n, n));
  A = A - diag(diag(A));
end

% Every eigenvalue is there twice, in columns at right angles; where the last has an equal that is left out, that is said.
function ok = ring(R)
  [Y, lambda] = knng.diffusionmap(R, 4, 'Device', 1, 'Epsilon', 1, 'Tolerance', 1e-7);
  [~, of_cpu] = knng.diffusionmap(R, 4, 'Device', 'cpu', 'Epsilon', 1);
  Y = Y ./ sqrt(sum(Y .^ 2));
  warning('on', 'knng:graph:equal');
  warning('error', 'knng:graph:equal');
  ok = max(abs(lambda - of_cpu)) < 1e-10 && lambda(2) - lambda(3) > 1e-7 && norm(Y' * Y - eye(4)) < 1e-4 ...
       && refused('knng:graph:equal', @() knng.diffusionmap(R, 3, 'Device', 1, 'Epsilon', 1, 'Tolerance', 1e-7));
  warning('off', 'knng:graph:equal');
end

function [V, lambda] = vectors(A, count, rounds)
  W = knng.adjacency(A, 'Symmetrize', 'union', 'Weight', 'binary');
  f = 1 ./ sqrt(full(sum(W, 2)));
  [V, lambda] = knng.internal.top_vectors(@(x) f .* (W * (f .* x)), 1 ./ f / norm(1 ./ f), 3, count, 1e-7, '', rounds, ...
                                          struct('W', W, 'scale', f, 'self', 0, 'Device', 1, 'run', struct('Threads', 1)));
end

% Whatever call fails, the CPU does it, or the error has an identifier; and nothing stays.
function ok = failing(A)
  [~, lambda] = vectors(A, 1, 1000);
  warning('off', 'knng:device:fallback');
  before = calls();
  vectors(A, 1, 1000);
  all = calls() - before;
  ok = true;
  for nth = [1:2:30, 90, all]
    knng.internal.search('fail', nth);
    try
      [~, mu] = vectors(A, 1, 1000);
      good = abs(mu - lambda) < 1e-9;
    catch e
      good = strncmp(e.identifier, 'knng:', 5);
    end
    knng.internal.search('fail', 0);
    knng.internal.search('release');
    [~, live] = knng.internal.search('fail', 0);
    [~, live(2)] = knng.internal.eigen('fail', 0);
    ok = ok && good && ~any(live);
    if ~(good && ~any(live))
      fprintf('call %d of %d: right %d, live %s\n', nth, all, good, mat2str(live));
    end
  end
  warning('error', 'knng:device:fallback');
end
