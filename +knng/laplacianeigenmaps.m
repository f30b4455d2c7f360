function [Y, lambda] = laplacianeigenmaps (varargin)
%KNNG.LAPLACIANEIGENMAPS  A map on which joined points lie near each other.
%   Y = knng.laplacianeigenmaps (A, nd) gives each of the n points of the graph
%   A = knngraph (X, k, ...) nd coordinates, the rows of the n-by-nd matrix Y.
%   A holds distances, not weights. The coordinates are chosen so that points
%   that are joined lie as near to each other as they can.
%   Y = knng.laplacianeigenmaps (idx, dist, nd) does the same with the n-by-k
%   tables of [idx, dist] = knngraph (...).
%   [Y, lambda] = knng.laplacianeigenmaps (...) also returns the eigenvalues of
%   the columns, nd-by-1, ascending, above 0 and at most 2.
%   [...] = knng.laplacianeigenmaps (..., 'Name', value, ...) takes options.
%
%   With W the weights of the edges, symmetric, and D the diagonal matrix of
%   their sums, the columns of Y solve (D - W)*y = lambda*D*y and have y'*D*y =
%   1: of all such columns, at right angles to the ones before, each has the
%   least sum of W(i,j)*(y(i) - y(j))^2 over the edges, which is lambda. The
%   column of equal numbers, of the eigenvalue 0, is left out.
%
%   Options:
%
%     'Weight'     what an edge of distance d weighs; default 'binary', or
%                  'gaussian' if there is a 'Bandwidth'
%         'binary'    1
%         'gaussian'  exp (-d^2/(s(i)*s(j))), the heat kernel, with the scales s
%                     that 'Bandwidth' says
%     'Bandwidth'  of 'gaussian', as in knng.adjacency; default 'auto'
%         'auto'        s is the median of all distances above 0
%         'selftuning'  s(i) is the distance from i to its seventh neighbour, or
%                       to its last. For points of very different density
%         a number      s, the same for every point: exp (-(d/s)^2)
%     'Component'  what becomes of a graph that is not connected; default 'all'
%         'all'      an error, which counts the components: a map would show
%                    nothing but them, as lambda is 0 for each
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
%   i and j are joined if one of them is a neighbour of the other. A point
%   without edges (its data hold NaN) has no place: its row in Y is NaN.
%   Infinite distances join nothing, nor do edges with W(i,j) below
%   2^-52*sqrt (D(i,i)*D(j,j)), over which no eigenvalue could be told from 0.
%
%   The same graph gives the same map, to about 1e-8 over machines, worse where
%   eigenvalues lie close. The largest entry of a column is positive; of those
%   within 1e-6 of it the one in the lowest row. Where eigenvalues are equal,
%   as on a ring, any rotation of the columns is as good. Where the last column
%   has an equal that is left out, within 1e-9, there is a warning,
%   knng:graph:equal: with one dimension more, or less, the map is one.
%
%   knng.diffusionmap divides out how densely points lie, and its columns fade
%   as its walk mixes; with 'Alpha', 0 and 'Time', 0 it differs from this map by
%   the scale of columns, and by the weight of 1 with which each point joins
%   itself there.
%
%   Cost: most of it in eigs, which takes some hundreds of products of the
%   weights and a column, more where lambda is small: 100 000 normal
%   points of 10 dimensions, k = 20, nd = 3, took 9 seconds of processor. Memory
%   some 60 bytes an entry of the tables, and 8*n*max (40, 2*nd+1). Up to 300
%   points, and where nd is near n, by eig.
%
%   Errors: knng:args:idx, :dist, :class, :empty as knng.adjacency; knng:args:nd
%   (no whole number from 1 on, or there are not that many directions); :option,
%   :unknownOption, :count; knng:args:device, knng:device:none ('Device');
%   knng:graph:disconnected (the message counts the components);
%   knng:graph:convergence (eigs, or the GPU, did not get there, or what was
%   found misses the equation); knng:memory:host; knng:interrupted.
%
%   Warnings: knng:graph:equal; knng:args:weight (A may hold weights);
%   knng:device:fallback: the GPU failed or has too little memory, and eigs did
%   it.
%
%   Source: M. Belkin, P. Niyogi, Neural Computation 15 (2003) 1373-1396.
%
%   Example:
%     t = (0:199)' / 200;                      % 200 points on a bent line
%     X = [cos(4*t), sin(4*t), t.^2];
%     A = knngraph (X(end:-1:1, :), 6);
%     Y = knng.laplacianeigenmaps (A, 1, 'Weight', 'gaussian');
%     all (diff (Y) > 0) || all (diff (Y) < 0) % 1: the map has their order
%
%   See also knng.diffusionmap, knng.spectralcluster, knng.umap, knng.isomap,
%   knng.scatter, knng.adjacency.

  form = 'knng.laplacianeigenmaps (GRAPH, 2)';
  [graph, rest] = knng.internal.graph_arguments (form, varargin);
  if (isempty (rest))
    error ('knng:args:count', ['knng.laplacianeigenmaps needs a graph and a number of dimensions, as in ' ...
           'knng.laplacianeigenmaps (A, 2) or knng.laplacianeigenmaps (idx, dist, 2): see help knng.laplacianeigenmaps']);
  end
  nd = rest{1};
  [opt, given] = knng.internal.options (struct ('Weight', [], 'Bandwidth', [], 'Component', 'all', 'Tolerance', 1e-12, ...
                                                'Device', 'auto', 'Threads', []), rest(2:end));
  how = knng.internal.engine (given, {'Threads'});
  opt = checked (nd, opt);
  knng.internal.eigen (opt.Device);                          % is there such a one?
  nd = full (double (nd));
  knng.internal.warn_shares (graph);

  % The weights of the edges. Those that are nothing beside what both ends have of others join nothing.
  A = knng.internal.finite_edges (knng.internal.graph (form, graph, how));
  kernel = {'Weight', opt.Weight};
  if (strcmp (opt.Weight, 'gaussian') || any (strcmp (given(1:2:end), 'Bandwidth')))   % knng.adjacency warns where it does nothing
    kernel = [kernel, {'Bandwidth', opt.Bandwidth}];
  end
  if (isempty (A))
    error ('knng:args:nd', 'nd is %d, but a graph without points has no map: give one of two points or more', nd);
  end
  W = knng.adjacency (A, 'Symmetrize', 'union', kernel{:}, how{:});
  n = size (W, 1);
  joined = full (any (W, 1))';
  cut = '';
  if (strcmp (opt.Weight, 'gaussian'))
    [W, cut] = that_count (W);
  end

  % The points of the map: those with edges, if they are connected, or of the largest part.
  [part, sizes] = knng.conncomp (W);
  sizes(part(~joined)) = 0;
  [most, first] = max (sizes);
  if (sum (sizes > 0) > 1 && strcmp (opt.Component, 'all'))
    error ('knng:graph:disconnected', ['the graph falls into %d parts, the largest of %d of %d points, which a map would show as points: ' ...
           '%smake it with a larger k, or map the largest part with ''Component'', ''largest'''], sum (sizes > 0), most, n, cut);
  end
  if (isempty (most) || most < 2)
    error ('knng:args:nd', 'nd is %d, but a graph without edges has no map: give one of two joined points or more', nd);
  end
  on = part(:) == first;
  if (nd > most - 1)
    error ('knng:args:nd', 'nd is %d: a map of %s has at most %s', nd, knng.internal.count_of (most, 'point'), knng.internal.count_of (most - 1, 'dimension'));
  end
  if (most < n)
    W = W(on, on);
  end

  % The symmetric S = D^(-1/2) * W * D^(-1/2) has the eigenvalues 1 - lambda, and root is the eigenvector of lambda = 0.
  root = sqrt (knng.internal.spmv (W, ones (most, 1), opt));
  f = 1 ./ root;
  [V, s, next] = knng.internal.top_vectors (@(x) f .* knng.internal.spmv (W, f .* x, opt), root / norm (root), 3, nd, opt.Tolerance, ...
                                            'take a larger ''Tolerance'', fewer dimensions, or make the graph with a larger k', [], ...
                                            struct ('W', W, 'scale', f, 'self', 0, 'Device', opt.Device, 'run', opt));
  if (next > s(nd) - 1e-9)
    warning ('knng:graph:equal', ['the eigenvalues %d and %d are equal to 1e-9 (%.9f): any column of theirs is as good as the one ' ...
             'returned; ask for one dimension more, or less'], nd, nd + 1, 1 - s(nd));
  end
  lambda = min (max (1 - s, realmin), 2);
  Y = NaN (n, nd);
  Y(on, :) = knng.internal.upright (bsxfun (@times, V, f));
end

function opt = checked (nd, opt)
  if (~isnumeric (nd) || numel (nd) ~= 1 || ~knng.internal.whole (nd, 1, 2 ^ 53))
    error ('knng:args:nd', 'nd is %s: it must be the number of dimensions of the map, a whole number from 1 on', knng.internal.given (nd));
  end
  if (isequal (opt.Weight, []))
    kinds = {'binary', 'gaussian'};
    opt.Weight = kinds{1 + ~isequal(opt.Bandwidth, [])};
  end
  opt.Weight = knng.internal.check_choice ('Weight', opt.Weight, {'binary', 'gaussian'});
  opt.Component = knng.internal.check_choice ('Component', opt.Component, {'all', 'largest'});
  if (~is_number (opt.Tolerance) || ~(opt.Tolerance >= 1e-15 && opt.Tolerance <= 1e-3))
    error ('knng:args:option', '''Tolerance'' is %s: it must be a number from 1e-15 to 1e-3', knng.internal.given (opt.Tolerance));
  end
  opt.Tolerance = full (double (opt.Tolerance));
  if (isequal (opt.Bandwidth, []))
    opt.Bandwidth = 'auto';
  elseif (~knng.internal.is_one_of (opt.Bandwidth, {'auto', 'selftuning'}) && ...
          (~is_number (opt.Bandwidth) || ~(opt.Bandwidth > 0 && opt.Bandwidth < Inf)))
    error ('knng:args:option', '''Bandwidth'' is %s: it must be ''auto'', ''selftuning'' or a number above 0', knng.internal.given (opt.Bandwidth));
  end
end

function yes = is_number (x)
  yes = isnumeric (x) && isreal (x) && numel (x) == 1;
end

function [W, cut] = that_count (W)
% Without the weights that are below 2^-52 beside the sums of all that both ends have, or are 0 but for rounding (realmin, of
% knng.adjacency); CUT says so, for a message.
  cut = '';
  degree = full (sum (W, 1))';
  [i, j, w] = find (W);
  keep = w >= eps * sqrt (degree(i)) .* sqrt (degree(j)) & w > realmin;
  if (~all (keep))
    at = find (~keep, 1);
    cut = sprintf ('edges that weigh next to nothing, such as that from %d to %d, join nothing; give a larger ''Bandwidth'', or ''selftuning'', ', ...
                   i(at), j(at));
    W = sparse (i(keep), j(keep), w(keep), size (W, 1), size (W, 2));
  end
end

%!test <*1>
%! t = (0:199)' / 200;
%! X = [cos(4*t), sin(4*t), t.^2];
%! A = knngraph (X(end:-1:1, :), 6);
%! Y = knng.laplacianeigenmaps (A, 1, 'Weight', 'gaussian');
%! assert (all (diff (Y) > 0) || all (diff (Y) < 0));

%!test  # the definition, by eig and by eigs, with every weight
%! for n = [90 500]
%!   X = reshape (knng.internal.random (3, 3 * n), n, 3) .* [3 2 1];
%!   [idx, dist] = knngraph (X, 9);
%!   A = knngraph (X, 9);
%!   U = full (max (A, A'));
%!   scale = dist(:, 7);
%!   middle = sort (dist(:))(ceil (end / 2));
%!   for c = {{}, {'Bandwidth', 0.5}, {'Weight', 'gaussian', 'Bandwidth', 'selftuning'}, {'Weight', 'gaussian'}; ...
%!            (U > 0), (U > 0) .*exp(-U .^ 2 / 0.25), (U > 0) .*exp(-U .^ 2 ./ (scale * scale')), ...
%!            (U > 0) .*exp(-(U / middle) .^ 2)}
%!     W = c{2};
%!     D = diag (sum (W));
%!     [Y, lambda] = knng.laplacianeigenmaps (idx, dist, 4, c{1}{:});
%!     assert ((D - W) * Y, D * Y .* lambda', 1e-9);
%!     assert (Y' * D * Y, eye (4), 1e-9);
%!     assert (sum (D * Y), zeros (1, 4), 1e-8);
%!     want = sort (eig (D - W, D));
%!     assert (lambda, want(2:5), 1e-9);
%!     assert (knng.laplacianeigenmaps (A, 4, c{1}{:}, 'Threads', 1), Y);
%!   end
%! end

%!test  # a map of scikit-learn 1.9.1: SpectralEmbedding (affinity='precomputed')
%! X = mod ((1:12)' * [0.137 0.713 0.371], 1);
%! Y = knng.laplacianeigenmaps (knngraph (X, 4), 2);
%! known = [-0.11643862 -0.05507348; -0.09936746 -0.21266395;  0.21927987 -0.07553373; -0.12524944  0.13221022
%!          -0.10992071 -0.01136997;  0.20424865  0.04896865; -0.06133446  0.23212104; -0.21406313 -0.09636838
%!           0.10506563 -0.08281064;  0.07367959 -0.15958997;  0.02698143  0.15469508;  0.07897271  0.07829365];
%! assert (Y, known, 1e-8);

%!test  # a ring comes out as a circle
%! a = 2 * pi * (1:400)' / 400;
%! [Y, lambda] = knng.laplacianeigenmaps (knngraph ([cos(a), sin(a)], 2), 2);
%! assert (lambda, (1 - cos (2 * pi / 400)) * [1; 1], 1e-9);
%! assert (sqrt (sumsq (Y, 2)), sqrt (1 / 400) * ones (400, 1), 1e-6);
%! text = evalc ('knng.laplacianeigenmaps (knngraph ([cos(a), sin(a)], 2), 3);');
%! [~, id] = lastwarn ();
%! assert (id, 'knng:graph:equal');

%!test  # parts, points without edges, equal points, edges that weigh nothing
%! A = knngraph ([0; 1; 2; 3; 100; 101; 102], 2);
%! Y = knng.laplacianeigenmaps (A, 1, 'Component', 'largest');
%! assert (isnan (Y)', logical ([0 0 0 0 1 1 1]));
%! assert (Y(1:4), knng.laplacianeigenmaps (A(1:4, 1:4), 1));
%! Y = knng.laplacianeigenmaps (sparse ([0 realmin 1 0; 0 0 1 0; 0 0 0 0; 0 0 Inf 5]), 1, 'Weight', 'gaussian');
%! assert (isnan (Y)', logical ([0 0 0 1]));
%! [Y, lambda] = knng.laplacianeigenmaps (sparse ([0 1; 1 0]), 1);
%! assert (Y, [1; -1] / sqrt (2), 1e-15);
%! assert (lambda, 2, 1e-15);
%! far = sparse ([0 1 0 0; 1 0 50 0; 0 50 0 1; 0 0 1 0]);
%! Y = knng.laplacianeigenmaps (far, 1);
%! assert (sign (Y)', sign (Y(1)) * [1 1 -1 -1]);
%! tiny = sparse ([0 1 0; 1 0 20; 0 20 0]);                  # a point by itself is as far as it says, beside nothing else
%! [~, lambda] = knng.laplacianeigenmaps (tiny, 2, 'Weight', 'gaussian', 'Bandwidth', 4);
%! assert (lambda(1) > 0 && lambda(2) > 1);
%! try
%!   knng.laplacianeigenmaps (far, 1, 'Weight', 'gaussian', 'Bandwidth', 1);
%!   assert (false);
%! catch e
%!   assert (e.identifier, 'knng:graph:disconnected');
%!   assert (~isempty (regexp (e.message, '2 parts, the largest of 2 of 4 points.*from 3 to 2, join nothing; give a larger ''Bandwidth''')), e.message);
%! end
%! try                                                       # weights that are all 0 but for rounding
%!   knng.laplacianeigenmaps (far, 1, 'Bandwidth', 1e-3);
%!   assert (false);
%! catch e
%!   assert (e.identifier, 'knng:graph:disconnected');
%!   assert (~isempty (regexp (e.message, '^the graph falls into 4 parts.*give a larger ''Bandwidth''')), e.message);
%! end
%! try
%!   knng.laplacianeigenmaps (knngraph ([0; 1; 9; 10], 1), 1);
%!   assert (false);
%! catch e
%!   assert (e.identifier, 'knng:graph:disconnected');
%!   assert (~isempty (strfind (e.message, 'falls into 2 parts, the largest of 2 of 4 points, which a map would show as points: make')), e.message);
%! end

%!shared A
%! A = knngraph ((1:20)' .^ 2, 3);
%!error id=knng:args:count knng.laplacianeigenmaps ()
%!error id=knng:args:count knng.laplacianeigenmaps (sparse (1))
%!error id=knng:args:nd knng.laplacianeigenmaps (A, 0)
%!error id=knng:args:nd knng.laplacianeigenmaps (A, 20)
%!error id=knng:args:nd knng.laplacianeigenmaps (sparse (3, 3), 1)
%!error id=knng:args:nd knng.laplacianeigenmaps (sparse (0, 0), 1)
%!error id=knng:args:option knng.laplacianeigenmaps (A, 1, 'Weight', 'jaccard')
%!error id=knng:args:option knng.laplacianeigenmaps (A, 1, 'Weight', 'gaussian', 'Bandwidth', 0)
%!error id=knng:args:option knng.laplacianeigenmaps (A, 1, 'Component', 'first')
%!error id=knng:args:option knng.laplacianeigenmaps (A, 1, 'Tolerance', 0)
%!error id=knng:args:unknownOption knng.laplacianeigenmaps (A, 1, 'Sigma', 1)
%!warning <'Bandwidth' is of the weight 'gaussian', and does nothing with 'binary'> knng.laplacianeigenmaps (A, 1, 'Weight', 'binary', 'Bandwidth', 1);
