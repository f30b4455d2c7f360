function [Y, lambda, model] = diffusionmap (varargin)
%KNNG.DIFFUSIONMAP  Coordinates for the points of a graph.
%   Y = knng.diffusionmap (A, nd) gives each of the n points of the graph A =
%   knngraph (X, k, ...) nd coordinates, the rows of the n-by-nd matrix Y.
%   A holds distances, not weights.
%   Y = knng.diffusionmap (idx, dist, nd) does the same with the n-by-k tables
%   of [idx, dist] = knngraph (...).
%   [Y, lambda, model] = knng.diffusionmap (...) also returns the eigenvalues of
%   the columns, nd-by-1, descending, above 0 and at most 1, and a plain struct
%   with which knng.nystrom puts new points on the map.
%   [...] = knng.diffusionmap (..., 'Name', value, ...) takes options.
%
%   A walker on the graph steps to a neighbour the more likely the nearer it is.
%   Points between which it soon mixes come to lie together, whatever way around
%   the straight line may take. The first column is the slowest: often a course
%   of time, as of cells that mature, or what tells groups apart.
%
%   Options:
%
%     'Alpha'      how much of the density of the points is divided out, from 0
%                  to 1; default 1
%         1    all: the shape on which the points lie, however densely
%              (Laplace-Beltrami)
%         1/2  half: the motion of particles in the landscape whose density they
%              show (Fokker-Planck)
%         0    nothing: the plain walk on the graph
%     'Epsilon'    the bandwidth; default 'auto'
%         a number  an edge of distance d weighs exp (-d^2/(4*Epsilon))
%         'auto'    of the powers of 2^(1/4) that at which the sum S of all
%                   weights grows fastest, d log S / d log Epsilon; or the next
%                   larger one at which the edges of every point weigh at least
%                   1 together (a single edge 1/2), so that no point holds the
%                   walk for long
%         'knn'     one for each point, s, the largest distance in its row of A,
%                   of its k-th neighbour: an edge weighs exp
%                   (-d^2/(s(i)*s(j))). For points of very different density
%     'Time'       steps of the walk, from 0 on: column c is multiplied by
%                  lambda(c)^Time; default 1
%     'Component'  what becomes of a graph that is not connected; default 'all'
%         'all'      an error, which counts the components: there is no walk
%                    from one to another
%         'largest'  a map of its largest component (of equal ones that with the
%                    first point); the other points get NaN
%     'Tolerance'  how exactly columns are found, 1e-15 to 1e-3; default 1e-12.
%                  A column is off by some Tolerance over the distance of its
%                  eigenvalue to the nearest other
%     'Device'     where the eigenvectors are found; default 'auto'
%         'auto'     on a GPU if there is one, the graph is large enough to gain
%                    from it, and nd is at most 100; else by eigs
%         'cpu'      by eigs
%         'gpu'      on the first GPU that can be used; or the number of one, as
%                    knng.devices has it. It finds the same, as exactly, and of
%                    equal eigenvalues as many
%     'Threads'    processor threads, default: all
%
%   i and j are joined if one of them is a neighbour of the other. A distance up
%   to realmin is 0. A point without edges (its data hold NaN) has no place: its
%   row in Y is NaN. Edges that weigh less than 2^-52, where each point joins
%   itself with 1, join nothing; nor do infinite distances.
%
%   With W the weights, q their sums, K = W/(q(i)*q(j))^Alpha, and P = K with
%   rows of sum 1, the columns of Y are right eigenvectors of P, of mean square
%   1 (points weighted as the walk visits them), times lambda^Time. The column
%   of ones, of the eigenvalue 1, is left out. The largest entry of a column is
%   positive; of those within 1e-6 of it the one in the lowest row.
%
%   The same graph gives the same map, to about 1e-8 over machines, worse where
%   eigenvalues lie close. Where they are equal, as on a ring, any rotation of
%   the columns is as good. Where the last column has an equal that is left out,
%   within 1e-9, there is a warning, knng:graph:equal: with one dimension more,
%   or less, the map is one.
%
%   Fields of model:
%
%     Y, lambda, alpha, time  as above
%     epsilon    the bandwidth; [] with 'knn'
%     scale      with 'knn' the scales s, n-by-1, else []
%     density    the sum of each point's weights, n-by-1
%     dimension  twice the slope of S at 'auto', an estimate of the dimension of
%                the data, low at small k; else NaN
%
%   Cost: for n = 1e6 normal points of 10 dimensions, k = 20, nd = 3 some 120
%   seconds of processor, which two cores share; most of it in eigs, which takes
%   600 products of the weights and a column. Where the walk is slow, on long
%   thin shapes, there are many more: 1 - lambda(nd) a hundredth takes ten times
%   as many. Memory up to 95 bytes an entry of the tables, and 8*n*max (40,
%   2*nd+1). Up to 300 points, and where nd is near n, by eig. On a GPU 2e6
%   points with 200 neighbours, nd = 10, take 17 seconds with 16 processors,
%   mostly for the edges, and 29 GB of the host; of the GPU 12 bytes an edge
%   and 8*n*max (nd+64, 2*nd+24). More than 100 columns are found by the CPU.
%
%   Errors: knng:args:idx, :dist, :class, :empty as knng.adjacency; knng:args:nd
%   (no whole number from 1 on, or there are not that many directions with an
%   eigenvalue above 1e-10); :option, :unknownOption, :count;
%   knng:args:device, knng:device:none ('Device');
%   knng:graph:disconnected (the message counts the components);
%   knng:graph:convergence (eigs, or the GPU, did not get there, or what was
%   found misses the equation); knng:memory:host; knng:interrupted.
%
%   Warnings: knng:graph:equal; knng:args:weight (A may hold weights);
%   knng:device:fallback: the GPU failed or has too little memory, and eigs did
%   it.
%
%   Sources: R. Coifman, S. Lafon, Appl. Comput. Harmon. Anal. 21 (2006) 5-30,
%   the map and 'Alpha'; T. Berry, D. Giannakis, J. Harlim, Phys. Rev. E 91
%   (2015) 032915, and T. Berry, J. Harlim, Appl. Comput. Harmon. Anal. 40
%   (2016) 68-96, 'auto'; L. Zelnik-Manor, P. Perona, NIPS 17 (2004) 1601-1608,
%   'knn'.
%
%   Example:
%     t = (0:199)' / 200;                      % 200 points on a bent line
%     X = [cos(4*t), sin(4*t), t.^2];
%     A = knngraph (X(end:-1:1, :), 6);
%     Y = knng.diffusionmap (A, 1);
%     all (diff (Y) > 0) || all (diff (Y) < 0) % 1: the map has their order
%
%   See also knng.nystrom, knng.laplacianeigenmaps, knng.scatter, knngraph,
%   knng.adjacency.

  [graph, rest] = knng.internal.graph_arguments ('knng.diffusionmap (GRAPH, 2)', varargin);
  if (isempty (rest))
    error ('knng:args:count', ['knng.diffusionmap needs a graph and a number of dimensions, as in knng.diffusionmap (A, 2) ' ...
           'or knng.diffusionmap (idx, dist, 2): see help knng.diffusionmap']);
  end
  nd = rest{1};
  [opt, given] = knng.internal.options (struct ('Alpha', 1, 'Epsilon', 'auto', 'Time', 1, 'Component', 'all', 'Tolerance', 1e-12, ...
                                                'Device', 'auto', 'Threads', []), rest(2:end));
  how = knng.internal.engine (given, {'Threads'});
  check (nd, opt);
  knng.internal.eigen (opt.Device);                          % is there such a one?
  nd = full (double (nd));
  knng.internal.warn_shares (graph);
  for name = {'Alpha', 'Time', 'Tolerance'}
    opt.(name{1}) = full (double (opt.(name{1})));
  end

  % The weights W of the edges. Those below eps, where each point joins itself with 1, join nothing.
  model = struct ('Y', [], 'lambda', [], 'alpha', opt.Alpha, 'time', opt.Time, 'epsilon', [], 'scale', [], 'density', [], ...
                  'dimension', NaN);
  [W, joined, whole, model] = weights (graph, nd, opt, model, how);
  n = size (W, 1);

  % The points of the map: those with edges, if they are connected, or of the largest part.
  [part, sizes] = knng.conncomp (W, how{:});
  sizes(part(~joined)) = 0;
  if (sum (sizes > 0) > 1 && strcmpi (opt.Component, 'all'))
    refuse_parts (sizes, W, whole);
  end
  whole = [];
  [~, most] = max (sizes);
  on = part' == most & joined;
  m = sum (on);
  if (~any (joined))
    error ('knng:args:nd', 'nd is %d, but a graph without edges has no map: give one of two joined points or more', nd);
  elseif (nd > m - 1)
    error ('knng:args:nd', 'nd is %d: a map of %s has at most %s', nd, knng.internal.count_of (m, 'point'), knng.internal.count_of (max (m - 1, 0), 'dimension'));
  end
  if (m < n)
    W = W(on, on);
  end

  % The eigenvectors of the walk on them, their signs, and the steps that it takes.
  [V, lambda, q] = slowest (W, nd, opt);
  Y = NaN (n, nd);
  Y(on, :) = bsxfun (@times, knng.internal.upright (V), (lambda .^ opt.Time)');
  model.Y = Y;
  model.lambda = lambda;
  model.density = NaN (n, 1);
  model.density(on) = q;
end

function check (nd, opt)
  if (~is_number (nd) || ~(nd >= 1) || nd ~= fix (nd) || isinf (nd))
    error ('knng:args:nd', 'nd is %s: it must be the number of dimensions of the map, a whole number from 1 on', knng.internal.given (nd));
  elseif (~is_number (opt.Alpha) || ~(opt.Alpha >= 0 && opt.Alpha <= 1))
    error ('knng:args:option', '''Alpha'' is %s: it must be a number from 0 to 1', knng.internal.given (opt.Alpha));
  elseif (~is_number (opt.Time) || ~(opt.Time >= 0 && opt.Time < Inf))
    error ('knng:args:option', '''Time'' is %s: it must be a finite number from 0 on', knng.internal.given (opt.Time));
  elseif (~is_number (opt.Tolerance) || ~(opt.Tolerance >= 1e-15 && opt.Tolerance <= 1e-3))
    error ('knng:args:option', '''Tolerance'' is %s: it must be a number from 1e-15 to 1e-3', knng.internal.given (opt.Tolerance));
  elseif (~knng.internal.is_one_of (opt.Component, {'all', 'largest'}))
    error ('knng:args:option', '''Component'' is %s: it must be ''all'' or ''largest''', knng.internal.given (opt.Component));
  elseif (~knng.internal.is_one_of (opt.Epsilon, {'auto', 'knn'}) && (~is_number (opt.Epsilon) || ~(opt.Epsilon > 0 && opt.Epsilon < Inf)))
    error ('knng:args:option', '''Epsilon'' is %s: it must be ''auto'', ''knn'' or a number above 0', knng.internal.given (opt.Epsilon));
  end
end

function yes = is_number (x)
  yes = isnumeric (x) && isreal (x) && numel (x) == 1;
end

function [W, joined, whole, model] = weights (graph, nd, opt, model, how)
% The weights of the edges that are eps or more, n-by-n and symmetric, without that of each point with itself, which is 1; which
% points have any edge, and all edges; and in the model the bandwidth or the scales that the weights were made with.
  if (strcmpi (opt.Epsilon, 'knn'))
    A = edges_of (graph, nd, how);
    model.scale = scales (A);
    W = knng.adjacency (A, 'Symmetrize', 'union', 'Weight', 'gaussian', 'Neighbor', max (size (A, 1), 1), how{:});
    joined = full (any (W, 1))';
    whole = W;
    if (any (nonzeros (W) < eps))
      [i, j, w] = find (W);
      W = sparse (i(w >= eps), j(w >= eps), w(w >= eps), size (W, 1), size (W, 2));
    end
    return
  end
  whole = knng.adjacency (graph{:}, 'Symmetrize', 'union', how{:});
  refuse_none (whole, nd);
  [count, same, unfit] = knng.internal.heat ('bins', whole, opt);
  if (unfit > 0)
    whole = knng.internal.finite_edges (whole);
  end
  if (strcmpi (opt.Epsilon, 'auto'))
    [model.epsilon, model.dimension] = bandwidth (whole, count, same, opt);
  else
    model.epsilon = full (double (opt.Epsilon));
  end
  [W, joined] = knng.internal.heat ('weights', whole, 2 * sqrt (model.epsilon), eps, opt);
end

function A = edges_of (graph, nd, how)
% The distances of the graph that are finite, but those of points to themselves.
  A = knng.internal.graph ('knng.diffusionmap (GRAPH, 2)', graph, how);
  refuse_none (A, nd);
  A = knng.internal.finite_edges (A);
end

function refuse_none (A, nd)
  if (isempty (A))
    error ('knng:args:nd', 'nd is %d, but a graph without points has no map: give one of two points or more', nd);
  end
end

function s = scales (A)
% The largest distance in each row; where that is 0, of so many equal points, the smallest above 0 of an edge from or to the
% point, and 1 where there is none: the scales of knng.adjacency.
  n = size (A, 1);
  [i, j, d] = find (A);
  s = accumarray (i, d, [n, 1], @max);
  none = s <= realmin;
  if (any (none))
    d(d <= realmin) = Inf;
    next = min (accumarray (i, d, [n, 1], @min, Inf), accumarray (j, d, [n, 1], @min, Inf));
    next(next == Inf) = 1;
    s(none) = next(none);
  end
end

function [epsilon, dimension] = bandwidth (A, count, same, run)
% The bandwidth at which the sum of the weights of all edges and of each point with itself grows fastest, or the larger one
% that holds every point. Distances are counted in bins of 2^(1/128), as knng.internal.heat has them, so that it costs one pass
% and does not depend on the order of the points; SAME of them are 0.
  same = size (A, 1) + same;
  bin = find (count);
  if (isempty (bin))
    [epsilon, dimension] = deal (1, 0);
    return
  end
  count = count(bin);
  twice = (bin - 1 - 1022 * 128) / 64;                       % log2 of the squared distances
  step = floor (4 * twice(1)) - 16 : ceil (4 * twice(end)) + 8;
  slope = zeros (size (step));
  for g = 1:numel (step)
    t = min (2 .^ (twice - 2 - step(g) / 4), 1e4);           % beyond 1e4 exp is 0
    w = count .* exp (-t);
    slope(g) = sum (w .* t) / (sum (w) + same);
  end
  [best, g] = max (slope);
  dimension = 2 * best;

  % The walk has to leave each point at least as readily as it stays. Else those far from all others, as normal points of
  % many dimensions have them, hold it longest, and the map would show them one by one. A single edge cannot weigh 1.
  at = @(g) min (max (2 ^ (step(1) / 4 + (g - 1) / 4), realmin), realmax);
  wanting = knng.internal.heat ('wanting', A, 2 * sqrt (at (g)), true (size (A, 1), 1), run);
  while (any (wanting) && at (g) < realmax)
    g = g + 1;
    wanting = knng.internal.heat ('wanting', A, 2 * sqrt (at (g)), wanting, run);
  end
  epsilon = at (g);
end

function refuse_parts (sizes, W, whole)
% The error of a graph in parts of these sizes, 0 for points without edges. W: its weights, WHOLE: also the edges that weigh
% less than eps.
  why = 'make it with a larger k';
  if (max (knng.conncomp (whole)) < numel (sizes))
    [i, j] = find (spones (whole) - spones (W), 1);
    why = sprintf ('edges that weigh less than 2^-52, such as that from %d to %d, join nothing; give a larger ''Epsilon'', or ''knn''', ...
                   i, j);
  end
  error ('knng:graph:disconnected', ['the graph falls into %d parts, the largest of %d of %d points, between which nothing ' ...
         'diffuses: %s, or map the largest part with ''Component'', ''largest'''], sum (sizes > 0), max (sizes), sum (sizes), why);
end

function [V, lambda, q] = slowest (W, nd, opt)
% The slowest nd columns of the walk and their eigenvalues, and the density of the points, the sums of their weights.
  % Divide by the density, K = diag (f) * (W + I) * diag (f), and make the walk P = K ./ sum (K, 2) symmetric:
  % S = D^(1/2) * P * D^(-1/2), D = diag (sum (K, 2)), has its eigenvalues, and root is the eigenvector of the eigenvalue 1.
  q = knng.internal.spmv (W, ones (size (W, 1), 1), opt) + 1;
  f = q .^ -opt.Alpha;
  root = sqrt (f .* (knng.internal.spmv (W, f, opt) + f));
  g = f ./ root;
  root = root / norm (root);
  [V, lambda, next] = knng.internal.top_vectors (@(x) g .* (knng.internal.spmv (W, g .* x, opt) + g .* x), root, 1, nd, ...
          opt.Tolerance, 'take ''Epsilon'', ''knn'', a larger ''Tolerance'', fewer dimensions, or make the graph with a larger k', [], ...
          struct ('W', W, 'scale', g, 'self', 1, 'Device', opt.Device, 'run', opt));
  if (next > lambda(nd) - 1e-9)
    warning ('knng:graph:equal', ['the eigenvalues %d and %d are equal to 1e-9 (%.9f): any column of theirs is as good as the one ' ...
             'returned; ask for one dimension more, or less'], nd, nd + 1, lambda(nd));
  end
  if (~(lambda(end) > 1e-10))
    error ('knng:args:nd', 'nd is %d: the walk has only %s with an eigenvalue above 1e-10', nd, knng.internal.count_of (sum (lambda > 1e-10), 'direction'));
  end
  lambda = min (lambda, 1);
  V = bsxfun (@rdivide, V, root);
end

%!shared A, n
%! n = 20;
%! A = knngraph ((1:n)' .^ 2, 3);

%!test <*1>
%! t = (0:199)' / 200;
%! P = [cos(4*t), sin(4*t), t.^2];
%! Y = knng.diffusionmap (knngraph (P(end:-1:1, :), 6), 1);
%! assert (all (diff (Y) > 0) || all (diff (Y) < 0));

%!test  # what the Python package pydiffmap 0.2.0.1 gives, its vectors to the length and times the eigenvalues as here
%! A = knngraph (mod ((1:12)' .^ 2 * [7 13 5], 101), 4);
%! of = {1, [0.9450466228 0.85190398 0.758967571], ...
%!       [-0.9506511398 -0.8680366592 -0.5690306605 0.3604704239 -0.8233691541  0.957498784  -0.429323889  -0.8399082069 ...
%!        -0.9337916548  1.5023260517  1.0046329065 -0.9584142578
%!        -0.3153403007 -0.2352398646  0.050934703  2.0507947467 -0.2328707049  0.0214742021  0.1769065676 -0.2181003889 ...
%!        -0.3585178196 -1.0804918864  0.2152428034 -0.4869465524
%!         1.7031859701  0.8618384003 -0.3745485376 -0.131916424 -0.703460695   0.0671354246  0.3016837749  0.2983070999 ...
%!        -0.4304370418 -0.0265847121  0.0762552197 -1.6311521045]; ...
%!       0.5, [0.9308073507 0.8059919086 0.7021354705], ...
%!       [-0.7283480691 -0.664815254  -0.4407014957  0.4912293805 -0.6430688256  1.2190583554 -0.3046218675 -0.6476678884 ...
%!        -0.7364734238  1.9705547953  1.3131294306 -0.7624781018
%!        -0.2545138212 -0.1848979797  0.0488747404  2.3739063242 -0.1965970475  0.1226712533  0.1789074877 -0.1750917234 ...
%!        -0.3199965631 -1.4235745686  0.3453740412 -0.4573003889
%!         1.5598415331  0.7749412578 -0.3109001216 -0.4179833707 -0.5769267808  0.259829916   0.2834371184  0.2527891138 ...
%!        -0.3592966916 -0.3092349957  0.3146156935 -1.5020426567]};
%! for c = 1:2
%!   [Y, lambda, model] = knng.diffusionmap (A, 3, 'Epsilon', 400, 'Alpha', of{c, 1});
%!   assert (lambda', of{c, 2}, 1e-9);
%!   assert (Y', of{c, 3}, 1e-8);
%!   assert (model.density([1 6 12])', [1.867907368 2.2240877636 1.8776905432], 1e-9);
%! end

%!test  # a ring comes out as a circle, its points in order; -log (lambda) / Epsilon are the frequencies
%! a = 2 * pi * (1:1000)' / 1000;
%! p = mod ((0:999) * 389, 1000) + 1;
%! R = knngraph ([cos(a(p)), sin(a(p))], 8);
%! [Y, lambda, model] = knng.diffusionmap (R, 4);
%! assert (-log (lambda) / model.epsilon, [1; 1; 4; 4], 0.01);
%! assert (max (abs (sqrt (sumsq (Y(:, 1:2), 2)) - sqrt (2))) < 1e-3);
%! turned(p) = atan2 (Y(:, 1), Y(:, 2));
%! turn = mod (diff (turned), 2 * pi);
%! assert (all (abs (turn - turn(1)) < 1e-4));

%!test  # the bandwidth by its definition; loops and infinite distances are no edges; a point whose only edge decides
%! G = knngraph (reshape (knng.internal.random (2, 240), 80, 3), 5);
%! G(81, 81) = 0.2;
%! G(81, 3) = 2;
%! G(7, 7) = 0.1;
%! G(9, find (G(9, :) == 0 & G(:, 9)' == 0, 1)) = Inf;
%! [~, ~, model] = knng.diffusionmap (G, 1);
%! U = full (max (G, G'));
%! U(U == Inf | eye (81)) = 0;
%! weight = @(e) (U > 0) .* exp (-U .^ 2 / (4 * e));
%! e = 2 .^ ((-60:40) / 4);
%! for g = 1:numel (e)
%!   w = weight (e(g));
%!   slope(g) = sum (sum (w .* U .^ 2)) / (4 * e(g)) / (81 + sum (w(:)));
%! end
%! [most, g] = max (slope);
%! first = g;
%! while (any (sum (weight (e(g))) < min (1, sum (U > 0) / 2)))
%!   g = g + 1;
%! end
%! assert (g > first && any (sum (weight (e(g))) < 1));
%! assert (model.epsilon, e(g));
%! assert (model.dimension, 2 * most, 1e-3);
%! assert (model.density, 1 + sum (weight (e(g)))', 1e-12);

%!test  # an edge of 2.4e-14 joins, one of 6.9e-17 does not
%! f = @(d) knng.diffusionmap (sparse ([0 1 0; 1 0 d; 0 d 0]), 1, 'Epsilon', 0.25, 'Component', 'largest');
%! assert (isnan (f (5.6))', [false false false]);
%! assert (isnan (f (6.1))', [false false true]);

%!test  # equal eigenvalues of which one is left out
%! for m = [1000 100]                                        # by eigs, by eig
%!   a = 2 * pi * (1:m)' / m;
%!   text = evalc ('knng.diffusionmap (knngraph ([cos(a), sin(a)], 8), 3);');
%!   [~, id] = lastwarn ();
%!   assert (id, 'knng:graph:equal');
%!   assert (~isempty (strfind (text, 'eigenvalues 3 and 4 are equal')), text);
%! end

%!error <2 parts.*edges that weigh less than 2\^-52, such as that from 3 to 1, join nothing> knng.diffusionmap (sparse ([0 1 9; 1 0 0; 9 0 0]), 1, 'Epsilon', 0.1)
%!error <the walk has only 1 direction> knng.diffusionmap (sparse ([0 1 9; 1 0 9; 9 9 0]), 2, 'Epsilon', 1e9)
%!error id=knng:graph:disconnected knng.diffusionmap (sparse ([0 1 9; 1 0 0; 9 0 0]), 1, 'Epsilon', 0.1)
%!error id=knng:args:count knng.diffusionmap ()
%!error id=knng:args:count knng.diffusionmap (sparse (1))
%!error id=knng:args:count knng.diffusionmap (1, 2)
%!error id=knng:args:class knng.diffusionmap (sparse ([1 2; 3 4; 5 6]), 1)
%!error id=knng:args:class knng.diffusionmap (sparse (1i), 1)
%!error id=knng:args:idx knng.diffusionmap ([1; 3], [1; 1], 1)
%!error id=knng:args:dist knng.diffusionmap (sparse ([0 -1; 1 0]), 1)
%!error id=knng:args:nd knng.diffusionmap (A, 0)
%!error id=knng:args:nd knng.diffusionmap (A, 1.5)
%!error id=knng:args:nd knng.diffusionmap (A, Inf)
%!error id=knng:args:nd knng.diffusionmap (A, {})
%!error id=knng:args:nd knng.diffusionmap (A, n)
%!test
%! warning ('error', 'knng:args:weight', 'local');
%! A = knngraph (mod ((1:60)' * [0.37 0.71], 1), 6);
%! B = knngraph (mod ((1:200)' .^ 2 * sqrt ([2 3]), 1), 9);
%! for f = {@knng.diffusionmap, @knng.laplacianeigenmaps}
%!   fail ('f{1} (knng.adjacency (A, ''Weight'', ''jaccard''), 1)', '^the entries of A were taken for distances');
%!   for w = {'jaccard', 'gaussian', 'similarity'}
%!     W = knng.adjacency (B, 'Weight', w{1}, 'Symmetrize', 'union', 'Metric', 'euclidean');   # max (W, W')
%!     fail ('f{1} (W, 1)', '^the entries of A were taken for distances, but look as weights do');
%!   end
%!   f{1} (max (B, B'), 1);
%! end
%!error <nd is 1, but a graph without edges has no map> knng.diffusionmap (sparse (3, 3), 1)
%!error id=knng:args:nd knng.diffusionmap (sparse (0, 0), 1)
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Alpha', 2)
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Alpha', 'all')
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Time', -1)
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Time', NaN)
%!error <'Time' is Inf: it must be a finite number from 0 on> knng.diffusionmap (A, 1, 'Time', Inf)
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Epsilon', 0)
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Epsilon', 'aut')
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Epsilon')
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Component', 'first')
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Tolerance', 0)
%!error id=knng:args:option knng.diffusionmap (A, 1, 'Tolerance', 'low')
%!error id=knng:args:unknownOption knng.diffusionmap (A, 1, 'Sigma', 1)
