function Y = nystrom (model, varargin)
%KNNG.NYSTROM  Put new points on a diffusion map.
%   Ynew = knng.nystrom (model, idx, dist) gives each of m new points its
%   coordinates on a map, the rows of the m-by-nd matrix Ynew, out of its
%   neighbours among the points of the map, m-by-k tables.
%   Ynew = knng.nystrom (model, B) does the same with distances in an m-by-n
%   sparse matrix: B(i,j) is that of the new point i to the point j of the map,
%   realmin where it is 0.
%
%     model      from [Y, lambda, model] = knng.diffusionmap (knngraph (X, k),
%                nd). It holds no data but the map: it may be saved, and loaded
%                where X is not
%     idx, dist  from [idx, dist] = knng.knnsearch (X, Xnew, 'K', k), with the
%                metric and the k of the map
%
%   Options:
%
%     'Threads'  processor threads, default: all
%
%   A new point lies at the mean of its neighbours, weighted as the walk would
%   step to them, divided by lambda. A row that has no neighbour on the map (idx
%   is 0, or they lie in components that the map leaves out) is NaN. A point far
%   from all others comes to lie by its nearest neighbour.
%
%   Points of the map come out where they are, to about 1e-8, if their
%   neighbours are given as the map has them, with themselves at distance 0: B =
%   knng.adjacency (A, 'Symmetrize', 'union') + realmin*speye (n). By the tables
%   of knng.knnsearch (X, X, 'K', k+1), which lack the neighbours in the other
%   direction, they lie beside it: in the test by less than 2 % of the standard
%   deviation on average, single points by up to 30 %.
%
%   Cost: O(m*k*nd), about a second for n = m = 1e5, k = 20, nd = 3.
%
%   Errors: knng:args:model (model is not what knng.diffusionmap returned);
%   knng:args:idx, :dist, :empty as knng.adjacency; knng:args:class (B is not
%   real); knng:args:columns (B has not the n columns of the map);
%   knng:args:option, :unknownOption, :count; knng:memory:host.
%
%   Source: E. Nystroem, Acta Math. 54 (1930) 185-204; for diffusion maps R.
%   Coifman, S. Lafon, Appl. Comput. Harmon. Anal. 21 (2006) 31-52.
%
%   Example:
%     t = (0:199)' / 200;
%     X = [cos(4*t), sin(4*t), t.^2];              % points on a bent line
%     old = mod (1:200, 4) > 0;                    % a map of three of four
%     [Y, ~, model] = knng.diffusionmap (knngraph (X(old, :), 6), 1);
%     [idx, dist] = knng.knnsearch (X(old, :), X(~old, :), 'K', 6);
%     Ynew = knng.nystrom (model, idx, dist);
%     all (diff (Ynew) > 0) || all (diff (Ynew) < 0)   % 1: in their order
%
%   See also knng.diffusionmap, knng.knnsearch, knng.adjacency.

  [graph, pairs] = knng.internal.graph_arguments ('knng.nystrom (model, GRAPH)', varargin, 'any');
  [~, given] = knng.internal.options (struct ('Threads', []), pairs);
  how = knng.internal.engine (given, {'Threads'});
  if (~right (model))
    error ('knng:args:model', 'the model is a %d-by-%d %s that knng.diffusionmap did not make: give its third result', ...
           size (model, 1), size (model, 2), class (model));
  end
  knng.internal.built ();
  n = size (model.Y, 1);
  B = graph{1};
  if (numel (graph) == 2)
    B = knng.adjacency (graph{:}, 'Columns', n, how{:});
  end
  if (size (B, 2) ~= n)
    error ('knng:args:columns', 'B has %s: it needs one for each of the %d points of the map', knng.internal.count_of (size (B, 2), 'column'), n);
  end
  m = size (B, 1);
  [i, j, d] = find (double (B));
  i = i(:);
  j = j(:);
  d = d(:);
  if (any (~(d >= 0)))
    error ('knng:args:dist', 'B has a negative distance or NaN: it must hold distances');
  end
  s = zeros (m, 1);
  if (isempty (model.epsilon))                               % the largest distance of each; that of a point of the map is known
    near = d < Inf;
    s = accumarray (i(near), d(near), [m, 1], @max);
    same = d <= realmin & ~isnan (model.Y(j, 1));
    s(i(same)) = model.scale(j(same));
    s(s <= realmin) = 1;
  end
  keep = d < Inf & ~isnan (model.Y(j, 1));
  [i, j, d] = deal (i(keep), j(keep), d(keep));
  d(d <= realmin) = 0;
  if (isempty (model.epsilon))
    t = (d ./ s(i)) .* (d ./ model.scale(j));
  else
    t = (d / (2 * sqrt (model.epsilon))) .^ 2;
  end
  t = min (t, realmax);
  least = accumarray (i, t, [m, 1], @min);                   % a factor that cancels: no row of weights vanishes
  P = sparse (i, j, exp (least(i) - t) ./ model.density(j) .^ model.alpha, m, n);
  on = ~isnan (model.Y(:, 1));
  Y = bsxfun (@rdivide, P(:, on) * model.Y(on, :), full (sum (P, 2)));
  Y = bsxfun (@rdivide, Y, model.lambda(:)');
end

function yes = right (model)
% Whether it has the fields of a model, and these their sizes.
  yes = isstruct (model) && numel (model) == 1 && ...
        all (isfield (model, {'Y', 'lambda', 'alpha', 'epsilon', 'scale', 'density'})) && ...
        all (structfun (@(v) isa (v, 'double') && isreal (v) && ndims (v) == 2, model)) && ...
        ~isempty (model.Y) && numel (model.lambda) == size (model.Y, 2) && all (model.lambda(:) > 0) && ...
        numel (model.alpha) == 1 && numel (model.density) == size (model.Y, 1) && ...
        numel (model.density) == numel (model.scale) + size (model.Y, 1) * numel (model.epsilon);
end

%!shared X, A, B, n
%! n = 400;                                                  # a band with a bend, points irregular
%! u = mod ((1:n)' * [0.618033988749895, 0.414213562373095], 1);
%! X = [cos(3 * u(:, 1)), sin(3 * u(:, 1)), u(:, 2) / 2];
%! A = knngraph (X, 8);
%! B = knng.adjacency (A, 'Symmetrize', 'union') + realmin * speye (n);

%!test <*1>
%! t = (0:199)' / 200;
%! P = [cos(4*t), sin(4*t), t.^2];
%! old = mod (1:200, 4) > 0;
%! [Y, ~, model] = knng.diffusionmap (knngraph (P(old, :), 6), 1);
%! [idx, dist] = knng.knnsearch (P(old, :), P(~old, :), 'K', 6);
%! Ynew = knng.nystrom (model, idx, dist);
%! assert (all (diff (Ynew) > 0) || all (diff (Ynew) < 0));

%!test  # points of the map come out where they are
%! for arguments = {{}, {'Epsilon', 'knn'}, {'Alpha', 0, 'Time', 3}, {'Epsilon', 0.01, 'Alpha', 0.5, 'Time', 0}}
%!   [Y, ~, model] = knng.diffusionmap (A, 3, arguments{1}{:});
%!   assert (knng.nystrom (model, B), Y, 1e-8);
%!   [idx, dist] = knng.knnsearch (X, X, 'K', 9);
%!   assert (max (max (abs (knng.nystrom (model, idx, dist) - Y)) ./ std (Y)) < 0.3);
%!   assert (max (mean (abs (knng.nystrom (model, idx, dist) - Y)) ./ std (Y)) < 0.02);
%! end

%!test  # golub: every other patient on the map of the others, told by the first coordinate
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! [X, Z] = deal (ds.X(:, 1:2:end)', ds.X(:, 2:2:end)');
%! [Y, ~, model] = knng.diffusionmap (knngraph (X, 10, 'pearson'), 1, 'Epsilon', 'knn');
%! [idx, dist] = knng.knnsearch (X, Z, 'K', 10, 'Distance', 'pearson');
%! Ynew = knng.nystrom (model, idx, dist);
%! aml = ds.classes(2:2:end)' == 1;
%! assert (min (Ynew(aml)) > max (Ynew(~aml)) || max (Ynew(aml)) < min (Ynew(~aml)));

%!test  # the formula, by plain loops
%! [Y, lambda, model] = knng.diffusionmap (A, 2, 'Alpha', 0.5);
%! [idx, dist] = knng.knnsearch (X, X(1:5, :) + 0.01, 'K', 4);
%! got = knng.nystrom (model, idx, dist);
%! for i = 1:5
%!   w = exp (-dist(i, :) .^ 2 / (4 * model.epsilon)) ./ sqrt (model.density(idx(i, :)))';
%!   assert (got(i, :), (w / sum (w) * Y(idx(i, :), :)) ./ lambda', 1e-12);
%! end

%!test  # a model survives save and load; rows without neighbours, points far away, parts that the map leaves out
%! C = blkdiag (A, sparse ([0 1; 1 0]));
%! [Y, lambda, model] = knng.diffusionmap (C, 2, 'Component', 'largest');
%! file = tempname ();
%! save ('-binary', file, 'model');
%! loaded = load (file);
%! unlink (file);
%! assert (isequaln (loaded.model, model));
%! Z = knng.nystrom (loaded.model, [3 0; 7 8; n+1 n+2; 0 0; n+1 3], [1e200 NaN; 1e9 2e9; 1 1; NaN NaN; 1 Inf]);
%! assert (Z(1:2, :), Y([3 7], :) ./ lambda', 1e-12);
%! assert (all (all (isnan (Z(3:5, :)))));
%! assert (size (knng.nystrom (model, sparse (0, n + 2))), [0 2]);

%!error id=knng:args:count knng.nystrom ()
%!error id=knng:args:count knng.nystrom (1, 1)
%!error id=knng:args:unknownOption knng.nystrom (1, sparse (1), 1)
%!error id=knng:args:model knng.nystrom (1, 1, 1)
%!error id=knng:args:model knng.nystrom (struct ('Y', 1), sparse (1))
%!function model = small ()
%!  [~, ~, model] = knng.diffusionmap (sparse (ones (5)), 1);
%!endfunction
%!error id=knng:args:model knng.nystrom (setfield (small (), 'scale', 1), sparse (1, 5))
%!error id=knng:args:model knng.nystrom (setfield (small (), 'Y', {}), sparse (1, 5))
%!error id=knng:args:columns knng.nystrom (small (), sparse (1, 4))
%!error id=knng:args:class knng.nystrom (small (), sparse (1i * ones (1, 5)))
%!error id=knng:args:dist knng.nystrom (small (), sparse (-ones (1, 5)))
%!error id=knng:args:dist knng.nystrom (small (), sparse (NaN (1, 5)))
%!error id=knng:args:dist knng.nystrom (small (), 2, -1)
%!error id=knng:args:idx knng.nystrom (small (), 6, 1)
