function [V, lambda] = top_vectors (S, known, shift, count)
%TOP_VECTORS  The COUNT largest eigenvalues of the symmetric matrix S, descending, and their eigenvectors, of those that
%   are orthogonal to the columns of KNOWN: orthonormal eigenvectors of S. SHIFT is more than the eigenvalues of S are apart.
%   By ARPACK from fixed starts, to 1e-10, the same every time; up to 300 rows by eig. Error: knng:graph:convergence.

  m = size (S, 1);
  opts.p = max (40, 2 * count + 1);
  if (m <= 300 || opts.p >= m)
    S = full (S - shift * known * known');
    [V, D] = eig ((S + S') / 2);
    [lambda, order] = sort (diag (D), 'descend');
  else
    opts.issym = true;
    opts.isreal = true;
    opts.tol = 1e-10;
    opts.maxit = 1000;
    rest = @(x) S * x - known * (shift * (known' * x));
    [V, lambda] = largest (rest, m, count, opts, 0);
    % Of equal eigenvalues a start finds one vector. So look, from other starts, for what is left above the last.
    for round = 1:count
      [v, l] = largest (@(x) rest (x) - V * (shift * (V' * x)), m, 1, opts, round);
      if (l <= lambda(count) + 1e-9)
        break
      end
      [lambda, order] = sort ([lambda; l], 'descend');
      V = [V, v];
      V = V(:, order);
    end
    order = 1:numel (lambda);
  end
  lambda = lambda(1:count);
  V = V(:, order(1:count));
end

function [V, lambda] = largest (product, m, count, opts, start)
% From a start that is irregular, and the same every time.
  opts.v0 = mod (1e5 * sin ((1:m)' + start), 1) - 0.5;
  [V, D, flag] = eigs (product, m, count, 'la', opts);
  if (flag ~= 0)
    error ('knng:graph:convergence', 'eigs found no %d eigenvectors in %d rounds, so close are the eigenvalues', count, opts.maxit);
  end
  [lambda, order] = sort (diag (D), 'descend');
  V = V(:, order);
end

%!test  # a matrix of known eigenvalues, most of them twice: a ring of 400
%! n = 400;
%! S = sparse ([1:n, 1:n], [2:n, 1, n, 1:n-1], 0.5);
%! [V, lambda] = knng.internal.top_vectors (S, ones (n, 1) / sqrt (n), 3, 5);
%! assert (lambda, cos (2 * pi * [1 1 2 2 3]' / n), 1e-9);
%! assert (V' * V, eye (5), 1e-9);
%! assert (norm (S * V - V * diag (lambda)) < 1e-8);
