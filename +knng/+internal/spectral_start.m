function Y = spectral_start (W, nd, seed, run)
%SPECTRAL_START  Places from which a map begins, n-by-ND: eigenvectors of the normalised weights of the symmetric n-by-n W.
%   Components side by side, the largest in the middle, then on a spiral outwards; one takes the area of its share of the
%   points. SEED is for what is drawn, RUN as of knng.internal.how_to_run.

  n = size (W, 1);
  Y = zeros (n, nd);
  [part, sizes] = knng.conncomp (W);
  [~, rows_of] = sort (part(:));
  last = cumsum (sizes(:));
  [~, order] = sort (-sizes(:));
  before = 0;
  for c = order'
    at = rows_of(last(c) - sizes(c) + 1:last(c));
    share = sizes(c) / n;
    if (sizes(c) == n)
      Y = 10 * of_component (W, nd, seed, run);
      break
    end
    places = of_component (W(at, at), nd, seed, run);
    if (nd == 1)
      places = 10 * share * places + 20 * (before + share / 2) - 10;
    else
      angle = 2.399963229728653 * before * n / max (sizes);  % the golden angle
      centre = 22 * sqrt (before) * [cos(angle), sin(angle)];
      places = 10 * sqrt (share) * places;
      places(:, 1:2) = bsxfun (@plus, places(:, 1:2), centre);
    end
    Y(at, :) = places;
    before = before + share;
  end
  Y = round (1024 * Y) / 1024;                               % roundings of libraries hardly ever show
  Y = Y + 1e-3 * knng.internal.noise (seed, n, nd);
end

function Y = of_component (W, nd, seed, run)
% Within -1 to 1: eigenvectors of the normalised weights, without that of the eigenvalue 1; drawn for the smallest ones.
  n = size (W, 1);
  if (n < nd + 2)
    Y = knng.internal.noise (seed, n, nd);
    return
  end
  times = @(x) knng.internal.spmv (W, x, run);
  root = sqrt (times (ones (n, 1)));
  f = 1 ./ root;
  root = root / norm (root);
  times = @(x) f .* times (f .* x);
  state = warning ('off', 'Octave:eigs:UnconvergedEigenvalues');   % then there is another way, below
  back = onCleanup (@() warning (state));
  try
    V = knng.internal.top_vectors (times, root, 2, nd, 1e-5, '', 50);
  catch err
    if (isempty (strfind (err.identifier, ':convergence')))
      rethrow (err);
    end
    V = smooth (times, root, nd, seed);
  end
  Y = knng.internal.upright (V);
  Y = bsxfun (@rdivide, Y, max (abs (Y), [], 1));
end

function V = smooth (times, root, nd, seed)
% Where eigenvalues are too close to be found: what 200 steps of a lazy walk leave of columns that are drawn.
  V = knng.internal.noise (seed, numel (root), nd);
  for i = 1:200
    for c = 1:nd
      V(:, c) = V(:, c) + times (V(:, c));
    end
    V = V - root * (root' * V);
    if (mod (i, 10) == 0)
      [V, ~] = qr (V, 0);
    end
  end
end

%!test  # two parts of a graph, the larger one in the middle, and a line in its order
%! W = blkdiag (spdiags (ones (40, 2), [-1 1], 40, 40), spdiags (ones (400, 2), [-1 1], 400, 400));
%! Y = knng.internal.spectral_start (W, 2, 0, struct ('Threads', 1, 'Progress', 'off'));
%! assert (size (Y), [440 2]);
%! assert (norm (mean (Y(41:440, :))) < norm (mean (Y(1:40, :))));
%! assert (abs (corr ((1:400)', Y(41:440, 1))) > 0.9);
