function [Y, lambda] = isomap (varargin)
%KNNG.ISOMAP  A map that keeps the lengths of ways over neighbours (Isomap).
%   Y = knng.isomap (A, nd) gives each of the n points of the graph A = knngraph
%   (X, k, ...) nd coordinates, the rows of the n-by-nd matrix Y. They are
%   chosen so that points are as far apart as the shortest way over edges from
%   one to the other is long. What is rolled up in X comes out flat.
%   Y = knng.isomap (idx, dist, nd) does the same with the n-by-k tables of
%   [idx, dist] = knngraph (...).
%   [Y, lambda] = knng.isomap (...) also returns the mean of the squares of each
%   column, over the landmarks, nd-by-1, descending.
%   [...] = knng.isomap (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Landmarks'  from how many points, drawn among all, ways are followed;
%                  default 'auto': all of up to 1000 points, else 200. From all,
%                  Y is the classical scaling of the lengths of all ways; else
%                  that of the ways between landmarks, and the other points are
%                  put among them by their lengths
%     'Component'  what becomes of a graph that is not connected; default 'all'
%         'all'      an error, which counts the components
%         'largest'  a map of its largest component (of equal ones that with the
%                    first point); the other points get NaN
%     'Seed'       for the landmarks, a whole number from 0 on; default 0
%     'Threads'    processor threads that prepare the graph, default: all
%
%   i and j are joined if one of them is a neighbour of the other, and of two
%   distances the smaller counts. A point without edges (its data hold NaN) has
%   no place: its row in Y is NaN. Infinite distances join nothing. A single
%   edge across, from one turn of a roll to the next, spoils the lengths: take a
%   smaller k, and knng.diffusionmap where it does not help.
%
%   The same graph gives the same map up to rounding. The largest entry of a
%   column is positive; of those within 1e-6 of it the one in the lowest row.
%
%   igraph does the work: see knng.leiden for what that means.
%
%   Cost: O(n*k*log (n)) for each landmark. Memory 25 bytes for each landmark
%   and point, and in igraph's process 150 an edge. Ctrl-C stops it at any time,
%   but while eigenvalues of the landmarks are computed.
%
%   Errors: knng:args:nd (no whole number from 1 on, or there are not that many
%   directions, above 1e-10 of the first); knng:graph:disconnected;
%   knng:args:idx, :dist (also: ways are longer than realmax), :class, :empty as
%   knng.adjacency; knng:args:option, :unknownOption, :count;
%   knng:toolbox:noIgraph (what to install); knng:toolbox:igraph;
%   knng:interrupted; knng:memory:host. Warnings: knng:args:weight (A may hold
%   weights).
%
%   Sources: J. Tenenbaum, V. de Silva, J. Langford, Science 290 (2000)
%   2319-2323; V. de Silva, J. Tenenbaum, Technical Report, Stanford University
%   (2004), landmarks.
%
%   Example:
%     t = (0:199)' / 200;                      % 200 points on a bent line
%     X = [cos(4*t), sin(4*t)];
%     Y = knng.isomap (knngraph (X(end:-1:1, :), 6), 1);
%     all (diff (Y) > 0) || all (diff (Y) < 0)  % 1: the map has their order
%     round (100 * (max (Y) - min (Y)))         % 398: the length of the line
%
%   See also knng.diffusionmap, knng.umap, knng.shortestpath, knng.scatter,
%   knngraph.

  form = 'knng.isomap (GRAPH, 2)';
  [graph, rest] = knng.internal.graph_arguments (form, varargin);
  if (isempty (rest))
    error ('knng:args:count', ['knng.isomap needs a graph and a number of dimensions, as in knng.isomap (A, 2) or ' ...
           'knng.isomap (idx, dist, 2): see help knng.isomap']);
  end
  nd = rest{1};
  if (~isnumeric (nd) || numel (nd) ~= 1 || ~knng.internal.whole (nd, 1, 2 ^ 53))
    error ('knng:args:nd', 'nd is %s: it must be the number of dimensions of the map, a whole number from 1 on', knng.internal.given (nd));
  end
  nd = full (double (nd));
  [opt, given] = knng.internal.options (struct ('Landmarks', 'auto', 'Component', 'all', 'Seed', 0, 'Threads', []), rest(2:end));
  how = knng.internal.engine (given, {'Threads'});
  knng.internal.built ();
  knng.internal.check_choice ('Component', opt.Component, {'all', 'largest'});
  knng.internal.check_seed (opt.Seed);
  if (~knng.internal.is_one_of (opt.Landmarks, {'auto'}) && (numel (opt.Landmarks) ~= 1 || ~knng.internal.whole (opt.Landmarks, 2, 2 ^ 53)))
    error ('knng:args:option', '''Landmarks'' is %s: it must be ''auto'' or a whole number from 2 on', knng.internal.given (opt.Landmarks));
  end
  knng.internal.with_igraph ();

  % The points of the map: those with edges, if they are connected, or of the largest part.
  undirected = struct ('Length', 'distance', 'Directed', false);
  D = knng.internal.lengths (form, graph, undirected, how);
  n = size (D, 1);
  [part, sizes] = knng.conncomp (D);
  [most, first] = max (sizes);
  alone = sum (sizes == 1);
  if (sum (sizes > 1) > 1 && strcmpi (opt.Component, 'all'))
    error ('knng:graph:disconnected', ['the graph falls into %d parts, the largest of %d of %d points, between which there is no way: ' ...
           'make it with a larger k, or map the largest part with ''Component'', ''largest'''], numel (sizes) - alone, most, n);
  end
  if (isempty (most) || most < 2)
    error ('knng:args:nd', 'nd is %d, but a graph without edges has no map: give one of two joined points or more', nd);
  end
  on = find (part(:) == first);
  D = D(on, on);
  m = numel (on);

  % Ways from the landmarks, and classical scaling of those between them.
  count = full (double (opt.Landmarks));
  if (ischar (opt.Landmarks))
    count = m;
    if (m > 1000)
      count = 200;
    end
  end
  count = min (count, m);
  if (nd >= m)
    error ('knng:args:nd', 'nd is %d, but ways between %d points have no more than %d directions: take fewer dimensions', nd, m, m - 1);
  elseif (nd >= count)
    error ('knng:args:nd', ['nd is %d, but ways between %d landmarks have no more than %d directions: take fewer dimensions, or more ' ...
           '''Landmarks'', %d to %d'], nd, count, count - 1, nd + 1, m);
  end
  from = (1:m)';
  if (count < m)
    [~, order] = sort (knng.internal.random (opt.Seed, m));
    from = sort (order(1:count));
  end
  d = knng.internal.igraph ('lengths', D, 0, 0, from);
  scale = max (d(:));
  if (scale == Inf)
    error ('knng:args:dist', ['distances are up to %g, and ways over several edges longer than %g, the largest number: divide all ' ...
           'distances by the largest'], max (nonzeros (D)), realmax);
  end
  d = (d / max (scale, realmin)) .^ 2;
  B = d(from, :);
  middle = mean (B, 1);
  B = bsxfun (@minus, B, middle);
  B = -bsxfun (@minus, B, mean (B, 2)) / 2;
  [V, L] = eig ((B + B') / 2);
  [lambda, order] = sort (diag (L), 'descend');
  there = sum (lambda > 1e-10 * lambda(1) & lambda > 0);
  if (nd > there)
    remedy = sprintf ('take %s or fewer', knng.internal.count_of (there, 'dimension'));
    if (there == 0)
      remedy = 'all are 0; give distances above 0';
    end
    if (count < m)
      remedy = sprintf ('%s, or more ''Landmarks'', up to %d', remedy, m);
    end
    error ('knng:args:nd', 'nd is %d, but the lengths of ways have only %s: %s', nd, knng.internal.count_of (there, 'direction'), remedy);
  end
  lambda = lambda(1:nd);
  V = V(:, order(1:nd));
  places = bsxfun (@minus, middle, d) * bsxfun (@rdivide, V, 2 * sqrt (lambda'));
  Y = NaN (n, nd);
  Y(on, :) = scale * knng.internal.upright (places);
  lambda = scale ^ 2 * lambda / count;
end

%!testif ; knng.internal.with_igraph ()
%! t = (0:199)' / 200;
%! X = [cos(4*t), sin(4*t)];
%! Y = knng.isomap (knngraph (X(end:-1:1, :), 6), 1);
%! assert (all (diff (Y) > 0) || all (diff (Y) < 0));
%! assert (round (100 * (max (Y) - min (Y))), 398);

%!testif ; knng.internal.with_igraph ()  # what Isomap of scikit-learn 1.9.1 gives (n_neighbors=4, eigen_solver='dense')
%! Y = knng.isomap (knngraph (mod ((1:12)' .^ 2 * [7 13 5], 101), 4), 2);
%! assert (Y, [-48.2125049656 -35.2598716439; -31.6180806944 -21.2924287283; -3.2050762036 7.7272682139; 28.4143984728 -41.6553776973; ...
%!             -27.4212438856 12.8379174144; 53.1576935203 -11.1033066345; -0.7105312226 -16.8342141894; -29.9086371170 -11.5241398215; ...
%!             -49.7218509845 16.7307858129; 77.3240139556 60.7090428905; 68.7039625798 -28.2622247611; -36.8021434552 67.9265491443], 1e-8);

%!testif ; knng.internal.with_igraph ()  # the definition, from the ways between all points
%! X = reshape (knng.internal.random (1, 240), 80, 3);
%! [idx, dist] = knngraph (X, 6);
%! D = Inf (80);
%! D(sub2ind ([80 80], repmat ((1:80)', 1, 6), idx)) = dist;
%! D = min (D, D');
%! D(1:81:end) = 0;
%! for via = 1:80
%!   D = min (D, D(:, via) + D(via, :));
%! end
%! H = eye (80) - 1 / 80;
%! B = -H * D .^ 2 * H / 2;
%! [V, L] = eig ((B + B') / 2);
%! [L, order] = sort (diag (L), 'descend');
%! Z = knng.internal.upright (V(:, order(1:3)) .* sqrt (L(1:3)'));
%! [Y, lambda] = knng.isomap (idx, dist, 3);
%! assert (Y, Z, 1e-10);
%! assert (lambda, L(1:3) / 80, 1e-10);
%! assert (knng.isomap (knngraph (X, 6), 3, 'Landmarks', 80, 'Threads', 1), Y);

%!testif ; knng.internal.with_igraph ()  # a rolled sheet comes out flat, from all points and from landmarks
%! u = reshape (knng.internal.random (3, 1600), 800, 2);
%! t = 4 + 6 * u(:, 1);
%! A = knngraph ([t .* cos(t), t .* sin(t), 10 * u(:, 2)], 8);
%! along = t .* sqrt (1 + t .^ 2) / 2 + asinh (t) / 2;      # of the spiral
%! for landmarks = [800 60]
%!   Y = knng.isomap (A, 2, 'Landmarks', landmarks);
%!   r = abs (corr (Y, [along, u(:, 2)]));
%!   assert (r(1, 1) > 0.99 && r(2, 2) > 0.95, 'correlations %g, %g', r(1, 1), r(2, 2));
%! end
%! assert (~isequal (knng.isomap (A, 2, 'Landmarks', 60, 'Seed', 1), Y));

%!testif ; knng.internal.with_igraph ()  # parts, points without edges, equal points
%! A = knngraph ([0; 1; 2; 3; 100; 101; 102], 2);
%! Y = knng.isomap (A, 1, 'Component', 'largest');
%! assert (Y, [1.5; 0.5; -0.5; -1.5; NaN; NaN; NaN], 1e-12);
%! Y = knng.isomap (sparse ([0 realmin 1 0; 0 0 1 0; 0 0 0 0; 0 0 0 5]), 1);
%! assert (Y, [-1; -1; 2; NaN] / 3, 1e-12);
%! assert (knng.isomap (sparse ([0 1e200; 0 0]), 1), [1; -1] * 5e199, 1e187);

%!testif ; knng.internal.with_igraph ()
%! try
%!   knng.isomap (knngraph ([0; 1; 9; 10], 1), 1);
%!   assert (false);
%! catch e
%!   assert (e.identifier, 'knng:graph:disconnected');
%!   assert (~isempty (strfind (e.message, 'falls into 2 parts, the largest of 2 of 4 points')), e.message);
%! end

%!testif ; knng.internal.with_igraph ()  # more dimensions than ways can have, seen before they are followed; no such lengths
%! far = sparse ([0 1e308 0; 0 0 1e308; 0 0 0]);
%! ring = knngraph ([cos((1:20)'), sin((1:20)')], 4);
%! for c = {{far, 3}, 'knng:args:nd', 'ways between 3 points have no more than 2 directions: take fewer dimensions'; ...
%!          {ring, 5, 'Landmarks', 5}, 'knng:args:nd', 'between 5 landmarks have no more than 4 directions: take fewer .* more ''Landmarks'', 6 to 20$'; ...
%!          {knngraph((1:9)', 2), 2}, 'knng:args:nd', 'have only 1 direction: take 1 dimension or fewer$'; ...
%!          {knngraph((1:9)', 2), 2, 'Landmarks', 5}, 'knng:args:nd', 'take 1 dimension or fewer, or more ''Landmarks'', up to 9$'; ...
%!          {knngraph(ones (4, 1), 2), 1}, 'knng:args:nd', 'only 0 directions: all are 0; give distances above 0$'; ...
%!          {far, 1}, 'knng:args:dist', 'up to 1e\+308, .* divide all distances by the largest$'}'
%!   try
%!     knng.isomap (c{1}{:});
%!     e = struct ('identifier', 'none', 'message', '');
%!   catch e
%!   end
%!   assert (e.identifier, c{2});
%!   assert (~isempty (regexp (e.message, c{3}, 'once')), e.message);
%! end
%! assert (knng.isomap (far / 1e308, 1), [1; 0; -1], 1e-12);

%!error id=knng:args:count knng.isomap ()
%!error id=knng:args:count knng.isomap (sparse (1))
%!error id=knng:args:nd knng.isomap (sparse ([0 1; 1 0]), 0)
%!error id=knng:args:option knng.isomap (sparse ([0 1; 1 0]), 1, 'Landmarks', 1)
%!error id=knng:args:option knng.isomap (sparse ([0 1; 1 0]), 1, 'Component', 'first')
%!error id=knng:args:option knng.isomap (sparse ([0 1; 1 0]), 1, 'Seed', -1)
%!error id=knng:args:unknownOption knng.isomap (sparse ([0 1; 1 0]), 1, 'K', 3)
