function [path, d] = shortestpath (varargin)
%KNNG.SHORTESTPATH  The shortest ways from one row to others in a graph.
%   path = knng.shortestpath (A, s, t) returns the shortest way from row s to
%   row t in the graph A = knngraph (X, k, ...): the numbers of the rows on it,
%   a row from s to t, or zeros (1, 0) where no way leads there. Each step is an
%   edge, and the way is as long as the distances along it together.
%   path = knng.shortestpath (idx, dist, s, t) does the same with the n-by-k
%   tables of [idx, dist] = knngraph (X, k, ...).
%   [path, d] = knng.shortestpath (...) also returns how long the way is, Inf
%   where there is none. If t is a list of rows, path is a cell of its size with
%   a way each, and d has its size.
%   [before, d] = knng.shortestpath (A, s) goes from s to every row: d is
%   n-by-1, and before(i) is the row before i on the way there, 0 for s and
%   where no way leads.
%   [...] = knng.shortestpath (..., 'Name', value, ...) takes options.
%
%   A way over neighbours follows the shape on which the points lie, as the
%   course of cells that mature, where the straight line cuts across.
%
%   Options:
%
%     'Length'    how long an edge is; default 'distance'
%         'distance'  what the graph holds
%         'hops'      1: the way with the fewest steps
%     'Directed'  true: a step leads from a row to its neighbours alone;
%                 default false: an edge leads both ways
%     'Threads'   processor threads that prepare the graph, default: all
%
%   Where the two distances of a pair differ, which those of knngraph never do,
%   'Directed', false takes the smaller one. Infinite distances, and those of a
%   row to itself, are left out. Of ways whose lengths differ by less than 1e-10
%   of them, any may be returned.
%
%   igraph does the work: see knng.leiden for what that means. Weights, where
%   more is nearer, are no lengths: give distances.
%
%   Cost: O(n*k*log (n)) for any number of targets, some 2 seconds for n = 1e5,
%   k = 20; memory 150 bytes an edge. Ctrl-C stops it at any time.
%
%   Errors: knng:args:row (s or t is no row of the graph); knng:args:idx, :dist,
%   :class, :empty as knng.adjacency; knng:args:option, :unknownOption, :count;
%   knng:toolbox:noIgraph (what to install); knng:toolbox:igraph;
%   knng:interrupted; knng:memory:host. Warnings: knng:args:weight (A may hold
%   weights).
%
%   Source: E. W. Dijkstra, Numerische Mathematik 1 (1959) 269-271.
%
%   Example:
%     t = (0:199)' / 200;                  % 200 points on a bent line
%     X = [cos(5*t), sin(5*t)];
%     [path, d] = knng.shortestpath (knngraph (X, 2), 1, 200);
%     [numel(path), round(1000 * d)]       % 198 4975: along the line
%
%   See also knng.betweenness, knng.pagerank, knng.conncomp,
%   knng.minspantree, knngraph.

  form = 'knng.shortestpath (GRAPH, 1, 2)';
  [graph, rest] = knng.internal.graph_arguments (form, varargin);
  if (numel (rest) > 0)
    refuse_name ('s', rest{1});
  end
  if (isempty (rest) || ischar (rest{1}))
    error ('knng:args:count', ['knng.shortestpath needs a graph and the row from which it goes, as in knng.shortestpath (A, 1, 2) ' ...
           'or knng.shortestpath (idx, dist, 1, 2): see help knng.shortestpath']);
  end
  if (numel (rest) == 2)
    refuse_name ('t', rest{2});
  end
  s = rest{1};
  to_all = numel (rest) < 2 || ischar (rest{2});
  t = [];
  if (~to_all)
    t = rest{2};
  end
  [opt, given] = knng.internal.options (struct ('Length', 'distance', 'Directed', false, 'Threads', []), rest(3-to_all:end));
  how = knng.internal.engine (given, {'Threads'});
  knng.internal.built ();
  n = size (graph{1}, 1);
  if (numel (s) ~= 1 || ~knng.internal.whole (s, 1, n))
    error ('knng:args:row', 's is %s: it must be the number of a row, from 1 to %d', knng.internal.given (s), n);
  elseif (~to_all && ~knng.internal.whole (t, 1, n))
    error ('knng:args:row', 't is %s: it must be the number of a row, from 1 to %d, or a list of them', knng.internal.given (t), n);
  end
  knng.internal.with_igraph ();
  D = knng.internal.lengths (form, graph, opt, how);
  [before, far] = knng.internal.igraph ('paths', D, 0, double (opt.Directed), full (double (s)));
  if (to_all)
    [path, d] = deal (before, far);
    return
  end
  t = full (double (t));
  d = reshape (far(t), size (t));
  path = cell (size (t));
  for i = 1:numel (t)
    path{i} = way_to (s, t(i), before);
  end
  if (numel (t) == 1)
    path = path{1};
  end
end

function refuse_name (what, value)
% Graphs have no names.
  if (ischar (value) && isrow (value) && ~isempty (value) && ~any (strncmpi (value, {'Length', 'Directed', 'Threads'}, numel (value))))
    error ('knng:args:row', '%s is the text ''%s'': a row goes by its number, such as find (strcmp (ds.names, ''%s''))', ...
           what, knng.internal.shown (value), knng.internal.shown (value));
  end
end

function path = way_to (s, t, before)
% From its end back to the row with none before it.
  path = zeros (1, 0);
  if (before(t) == 0 && t ~= s)
    return
  end
  back = zeros (1, 64);
  steps = 0;
  while (t > 0)
    steps = steps + 1;
    if (steps > numel (back))
      back(2 * steps) = 0;
    end
    back(steps) = t;
    t = before(t);
  end
  path = back(steps:-1:1);
end

%!testif ; knng.internal.with_igraph ()  <*1>
%! t = (0:199)' / 200;
%! [path, d] = knng.shortestpath (knngraph ([cos(5*t), sin(5*t)], 2), 1, 200);
%! assert ([numel(path), round(1000 * d)], [198 4975]);

%!testif ; knng.internal.with_igraph ()  # what networkx 3.6.1 gives
%! A = knngraph (mod ((1:12)' .^ 2 * [7 13 5], 101), 3);
%! [path, d] = knng.shortestpath (A, 1, 12);
%! assert ({path, d}, {[1 8 9 12], 111.52125502598687}, 1e-12);
%! [~, d] = knng.shortestpath (A, 1);
%! assert (d([2 3 4 6 10 11])', [46.765371804360 75.193443164243 106.695630107468 103.300686382029 156.225160871626 127.754724903304], 1e-10);
%! [~, d] = knng.shortestpath (A, 1, 'Directed', true);
%! assert (d', [0 46.765371804360 80.982711855443 Inf 71.293463943682 Inf 53.450912059571 40.422765862815 71.098489163171 Inf Inf Inf], 1e-10);
%! [~, d] = knng.shortestpath (A, 1, 'Length', 'hops');
%! assert (d', [0 1 2 2 2 2 1 1 2 3 3 3]);

%!testif ; knng.internal.with_igraph ()  # against plain code (Bellman-Ford), both ways, by hops, with equal rows and parts
%! warning ('off', 'knng:data:nonFinite', 'local');
%! X = [mod((1:60)' * [0.137 0.713], 1); 9 + mod((1:9)' * [0.137 0.713], 1); NaN 1];
%! X(7, :) = X(3, :);
%! [idx, dist] = knngraph (X, 3);
%! A = knngraph (X, 3);
%! n = rows (A);
%! for directed = [false true]
%!   for hops = [false true]
%!     D = Inf (n);
%!     D(A > 0) = max (0, A(A > 0) - realmin);
%!     if (! directed) D = min (D, D'); end
%!     if (hops) D(D < Inf) = 1; end
%!     want = Inf (n, 1);
%!     want(3) = 0;
%!     for i = 1:n, want = min (want, min (want + D, [], 1)'); end
%!     options = {'Directed', directed, 'Length', {'distance', 'hops'}{1 + hops}};
%!     [before, d] = knng.shortestpath (A, 3, options{:});
%!     assert (d, want, 1e-14);
%!     assert (isequal (before == 0, want == Inf | (1:n)' == 3));
%!     for i = find (before)'
%!       assert (d(i), d(before(i)) + D(before(i), i));       # an edge, and to the bit
%!     end
%!     t = find (d < Inf & d > 0)(end);
%!     [ways, far] = knng.shortestpath (idx, dist, 3, [n; t; 65; 3; 7], options{:});
%!     assert (far, d([n t 65 3 7]));
%!     assert (size (ways), [5 1]);
%!     assert (ways{4}, 3);
%!     assert (ways{1}, zeros (1, 0));
%!     assert (isequal (ways{2}([1 end]), [3 t]) && isequal (before(ways{2}(2:end))', ways{2}(1:end-1)));
%!   end
%! end

%!testif ; knng.internal.with_igraph ()  # huge and tiny lengths, none, a way of many steps
%! A = sparse ([1 2 3], [2 3 4], [1e300 1e307 1], 4, 4);
%! [path, d] = knng.shortestpath (A, 1, 4);
%! assert (path, 1:4);
%! assert (d, 1e300 + 1e307 + 1);
%! [~, d] = knng.shortestpath (sparse ([1 2], [2 3], [1e-310 realmin], 3, 3), 1);
%! assert (d, [0 0 0]');                          # up to realmin it is 0
%! [~, d] = knng.shortestpath (sparse ([1 2 1 4], [2 3 3 5], [1e-20 1e-20 1e-21 1e305], 5, 5), 1);
%! assert (d, [0 1e-20 1e-21 Inf Inf]');
%! assert (knng.shortestpath (sparse ([1 2], [2 3], [1.7e308 1.7e308], 3, 3), 1, 3), 1:3);   # Inf, but a way
%! assert (knng.shortestpath (sparse (3, 3), 1, 2), zeros (1, 0));
%! assert (knng.shortestpath (sparse (1, 1), 1, 1), 1);
%! n = 3000;
%! assert (knng.shortestpath (sparse (1:n-1, 2:n, 1, n, n), n, 1), n:-1:1);
%! assert (knng.shortestpath (sparse (1:n-1, 2:n, 1, n, n), n, 1, 'Directed', true), zeros (1, 0));

%!testif ; knng.internal.with_igraph ()  # weights in the place of distances
%! W = knng.adjacency (knngraph (mod ((1:60)' * [0.37 0.71], 1), 6), 'Weight', 'jaccard');
%! warning ('error', 'knng:args:weight', 'local');
%! for f = {'shortestpath (W, 1, 2)', 'betweenness (W, ''Length'', ''distance'')', 'isomap (W, 1)'}
%!   fail (['knng.', f{1}], '^the entries of A were taken for distances');
%! end
%! knng.shortestpath (W, 1, 2, 'Length', 'hops');
%! knng.betweenness (W);

%!error id=knng:args:count knng.shortestpath ()
%!error id=knng:args:count knng.shortestpath (sparse (1))
%!error id=knng:args:count knng.shortestpath (sparse (1), 'Length', 'hops')
%!error <s is the text 'b': a row goes by its number, such as find \(strcmp \(ds.names, 'b'\)\)> knng.shortestpath (sparse (2, 2), 'b', 2)
%!error id=knng:args:row knng.shortestpath (sparse (2, 2), 'b')
%!error <t is the text 'b': a row goes by its number> knng.shortestpath (sparse (2, 2), 1, 'b')
%!error id=knng:args:unknownOption knng.shortestpath (sparse (2, 2), 1, 'b', 2)
%!error id=knng:args:option knng.shortestpath (sparse (2, 2), 1, 'Length')
%!error id=knng:args:count knng.shortestpath (sparse (2, 2), '')
%!error id=knng:args:unknownOption knng.shortestpath (sparse (2, 2), 1, '')
%!error id=knng:args:row knng.shortestpath (sparse (2, 2), 3)
%!error id=knng:args:row knng.shortestpath (sparse (2, 2), [1 2])
%!error id=knng:args:row knng.shortestpath (sparse (2, 2), 1, 0)
%!error id=knng:args:row knng.shortestpath (sparse (2, 2), 1, {1})
%!error id=knng:args:unknownOption knng.shortestpath (sparse (2, 2), 1, 2, 'Weight', 1)
