function [V, lambda, next] = top_vectors (times, known, shift, count, tolerance, remedy, rounds, gpu)
%TOP_VECTORS  The COUNT largest eigenvalues of a symmetric matrix S, descending, and their eigenvectors, of length 1.
%   TIMES (x) is S * x for a column x. The columns of KNOWN, eigenvectors of S, orthogonal and of length 1, are left out; SHIFT is by
%   how much their eigenvalues, and all that are looked for, may be lowered so as not to be among the largest. NEXT is the
%   largest eigenvalue that was not asked for, -Inf if there is none. By ARPACK, from fixed starts; up to 300 rows, and where COUNT is near n, by eig.
%   Error: knng:graph:convergence, with the text REMEDY, where ROUNDS of ARPACK, default 1000 ([]), are not enough.
%   With GPU, a struct of W, scale, self, Device and run, as knng.internal.eigen takes them for the same matrix, a GPU
%   does it where it gains, or is asked for. Warning: knng:device:fallback.

  if (nargin < 7 || isempty (rounds))
    rounds = 1000;
  end
  m = size (known, 1);
  opts.p = max (40, 2 * count + 1);
  if (m <= 300 || opts.p >= m)
    S = zeros (m);
    for c = 1:m
      S(:, c) = times (double ((1:m)' == c));
    end
    S = S - shift * full (known * known');
    [V, D] = eig ((S + S') / 2);
    [lambda, order] = sort (diag (D), 'descend');
    V = V(:, order(1:count));
    next = max ([lambda(count+1:m); -Inf]);
    lambda = lambda(1:count);
    return
  end
  if (nargin > 7)
    [V, lambda, next, off, why] = knng.internal.eigen (gpu.W, gpu.scale, gpu.self, full (known), count, tolerance, rounds, ...
                                                       gpu.Device, gpu.run);
    if (off == Inf)
      unfound (count, sprintf ('the GPU not in %s', knng.internal.count_of (rounds, 'round')), remedy);
    elseif (~isempty (V))
      check (off, count, tolerance, remedy);
      return
    elseif (~isempty (why))
      warning ('knng:device:fallback', 'a GPU did not finish (%s): the CPU finds the eigenvectors', why);
    end
  end
  opts.issym = true;
  opts.isreal = true;
  opts.tol = tolerance;
  opts.maxit = rounds;
  rest = @(x) times (x) - known * (shift * (known' * x));
  [V, lambda] = largest (rest, m, count, opts, 0, remedy);
  % Of equal eigenvalues a start finds one vector. So look, from other starts, for what is left above the last.
  for round = 1:count
    without = @(x) rest (x) - V * (shift * (V' * x));
    opts.tol = max (tolerance, 1e-6);                        % an eigenvalue is right to the square of that
    [~, next] = largest (without, m, 1, opts, round, remedy);
    if (next <= lambda(count) + 1e-9)
      break
    end
    opts.tol = tolerance;
    [v, l] = largest (without, m, 1, opts, round, remedy);
    [lambda, order] = sort ([lambda; l], 'descend');
    V = [V, v];
    V = V(:, order(1:count));
    next = lambda(count + 1);
    lambda = lambda(1:count);
  end
  for c = 1:count
    check (norm (rest (V(:, c)) - lambda(c) * V(:, c)), count, tolerance, remedy);
  end
end

function check (off, count, tolerance, remedy)
  if (~(off <= max (100 * tolerance, 1e-9)))
    unfound (count, sprintf ('one misses its equation by %.1g', off), remedy);
  end
end

function [V, lambda] = largest (product, m, count, opts, start, remedy)
% By ARPACK, from a start that is irregular, and the same every time.
  opts.v0 = mod (1e5 * sin ((1:m)' + start), 1) - 0.5;
  id = 'Octave:eigs:UnconvergedEigenvalues';                 % the error says it better
  former = warning ('query', id);
  back = onCleanup (@() warning (former.state, id));         %#ok<NASGU>
  warning ('off', id);
  [V, D, flag] = eigs (product, m, count, 'la', opts);
  if (flag ~= 0)
    unfound (count, sprintf ('eigs not in %d rounds', opts.maxit), remedy);
  end
  [lambda, order] = sort (diag (D), 'descend');
  V = V(:, order);
end

function unfound (count, how, remedy)
  error ('knng:graph:convergence', '%s not found (%s), so close are the eigenvalues: %s', knng.internal.count_of (count, 'eigenvector was', 'eigenvectors were'), how, remedy);
end

%!test  # known eigenvalues, most of them twice: rings of 400 and 200
%! for n = [400 200]
%!   S = sparse ([1:n, 1:n], [2:n, 1, n, 1:n-1], 0.5);
%!   for shift = [1 3]
%!     [V, lambda, next] = knng.internal.top_vectors (@(x) S * x, ones (n, 1) / sqrt (n), shift, 5, 1e-10, '');
%!     assert (lambda, cos (2 * pi * [1 1 2 2 3]' / n), 1e-9);
%!     assert (next, lambda(5), 1e-9);
%!     assert (V' * V, eye (5), 1e-9);
%!     assert (norm (S * V - V * diag (lambda)) < 1e-8);
%!     assert (norm (sum (V)) < 1e-8);
%!   end
%! end
%! [~, lambda, next] = knng.internal.top_vectors (@(x) S * x, zeros (200, 0), 3, 200, 1e-10, '');
%! assert (lambda, sort (cos (2 * pi * (1:200)' / 200), 'descend'), 1e-12);
%! assert (next, -Inf);

%!test  # what is not symmetric has other eigenvectors than ARPACK finds for it
%! S = spdiags (ones (400, 1) * [1 2], 0:1, 400, 400);
%! try
%!   knng.internal.top_vectors (@(x) S * x, zeros (400, 0), 3, 3, 1e-10, 'remedy');
%!   assert (false);
%! catch e
%!   assert (e.identifier, 'knng:graph:convergence');
%!   assert (~isempty (regexp (e.message, 'misses its equation.*remedy')), e.message);
%! end

%!test  # too few rounds: an error, and no warning of eigs before it
%! S = sparse ([1:400, 1:400], [2:400, 1, 400, 1:399], 0.5);
%! lastwarn ('', '');
%! try
%!   knng.internal.top_vectors (@(x) S * x, ones (400, 1) / 20, 3, 5, 1e-12, 'remedy', 1);
%!   assert (false);
%! catch e
%!   assert ({e.identifier, lastwarn()}, {'knng:graph:convergence', ''});
%! end
