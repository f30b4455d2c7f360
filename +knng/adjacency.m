function A = adjacency (varargin)
%KNNG.ADJACENCY  A sparse matrix of weights from a graph, directed or symmetric.
%   A = knng.adjacency (idx, dist) makes the n-by-n sparse matrix of the n-by-k
%   tables [idx, dist] = knngraph (...): A(i,idx(i,c)) = dist(i,c). It is what A
%   = knngraph (...) returns.
%   A = knng.adjacency (A) takes such a matrix in place of the tables.
%   A = knng.adjacency (..., 'Name', value, ...) makes other weights, and
%   symmetric matrices, as clustering and layouts want them.
%
%   Options:
%
%     'Weight'      what an edge of distance d weighs; default 'distance'
%         'distance'    d
%         'similarity'  1 - d for the correlations and cosine, which is r, |r|,
%                       -r or the cosine again; 1/(1 + d) for all other metrics
%         'binary'      1
%         'gaussian'    exp (-d^2/(s(i)*s(j))), with the scales s that
%                       'Bandwidth' says
%         'jaccard'     the share of neighbours that i and j have in common:
%                       those in both lists over those in any of the two
%         'snn'         shared nearest neighbours: how many are in both lists
%     'Bandwidth'   the scales of 'gaussian'; default 'selftuning'
%         'selftuning'  s(i) is the distance from i to its neighbour number
%                       'Neighbor', so that dense and sparse regions are weighed
%                       alike
%         'auto'        s is the median of all distances above 0, the same for
%                       every row
%         a number      s, the same for every row: exp (-(d/s)^2)
%     'Neighbor'    which neighbour 'selftuning' takes, default 7; a row with
%                   fewer takes its last
%     'Metric'      the metric of the graph; only 'similarity' asks for it;
%                   'Distance' is the same
%     'Symmetrize'  what becomes of an edge that may be in one list alone;
%                   default 'none'
%         'none'    A is as the lists say: row i holds the neighbours of i
%         'union'   i and j are joined if one of them is a neighbour of the
%                   other
%         'mutual'  they are joined if each is a neighbour of the other
%         'mean'    (A + A')/2: joined as by 'union', and an edge in one
%                   direction alone counts half. For 'binary' and 'similarity':
%                   a halved distance says nothing
%     'Columns'     for the tables of knng.knnsearch (X, Y, ...): the rows of X;
%                   default n. Such tables, whose rows are no nodes, have the
%                   weights 'distance', 'similarity' and 'binary' alone
%     'Threads'     processor threads, default: all
%
%   A weight of 0 (the distance of equal rows, the similarity of uncorrelated
%   ones) is stored as realmin, 2.2e-308, since a sparse matrix holds no zeros:
%   no edge vanishes. In A a distance up to realmin is read as 0.
%
%   The two distances of a pair are the same. In tables of other origin, where
%   they differ, 'union' takes the smaller one and 'mutual' the larger.
%
%   'jaccard' and 'snn' compare the lists as they were given: directed, without
%   the row itself, before edges are symmetrized. An edge whose ends share
%   nobody weighs 0, that is realmin; A.*(A > realmin) drops it.
%
%   Infinite distances are left out of the scales. Where a scale is 0, since a
%   row has so many copies, it is the smallest distance above 0 of an edge from
%   or to that row, or 1 if there is none.
%
%   Cost: O(n*k), a few seconds for n = 1e6, k = 20; 'jaccard' and 'snn'
%   O(n*k^2), some seconds more. Memory for a symmetric matrix 32 bytes an edge
%   of the tables (16 of A) beside the result; for the last three weights 16
%   even without 'Symmetrize'.
%
%   Errors: knng:args:idx, knng:args:dist if the tables are none, idx holds no
%   rows or one twice, or a distance is negative or NaN; knng:args:class if A is
%   not sparse and real; knng:args:option, :unknownOption, :metric, :count;
%   knng:memory:host.
%
%   Sources: M. Brito et al., Statistics & Probability Letters 35 (1997) 33-42,
%   'union' and 'mutual'; L. Zelnik-Manor, P. Perona, NIPS 17 (2004) 1601-1608,
%   'selftuning'; J. Levine et al., Cell 162 (2015) 184-197 (PhenoGraph),
%   'jaccard'; R. Jarvis, E. Patrick, IEEE Trans. Computers C-22 (1973)
%   1025-1034, and L. Ertoz, M. Steinbach, V. Kumar, SIAM Int. Conf. on Data
%   Mining (2003) 47-58, 'snn', both with 'mutual'.
%
%   Example:
%     X = [0 0; 1 0; 0 2; 5 5];
%     [idx, dist] = knngraph (X, 1);
%     A = knng.adjacency (idx, dist, 'Symmetrize', 'union', 'Weight', 'binary');
%     full (sum (A))                      % degrees: 2 1 2 1
%
%   See also knngraph, knng.knnsearch, knng.write.

  [graph, pairs] = knng.internal.graph_arguments ('knng.adjacency (GRAPH)', varargin, 'any');
  knng.internal.built ();
  [opt, given] = knng.internal.options (struct ('Weight', 'distance', 'Symmetrize', 'none', 'Metric', '', 'Columns', 0, ...
                                                'Bandwidth', 'selftuning', 'Neighbor', 7, 'Threads', []), pairs);
  knng.internal.threads (given);
  if (isempty (opt.Metric))
    opt.Metric = '';
  else
    opt.Metric = knng.internal.metric (opt.Metric);
  end
  graph{3} = [];
  [idx, dist] = graph{1:2};                                  % dist is [] for A
  A = knng.internal.adjacency (idx, dist, opt.Weight, opt.Symmetrize, opt.Metric, opt.Columns, opt.Bandwidth, ...
                               opt.Neighbor, opt);
end

%!function A = plainly (idx, W, n)  # edges one by one
%!  A = zeros (rows (idx), n);
%!  for i = 1:rows (idx)
%!    for c = find (idx(i, :) > 0)
%!      A(i, idx(i, c)) = W(i, c);
%!    end
%!  end
%!endfunction

%!shared idx, dist, D, E
%! X = [mod((1:50)' * 37, 23), mod((1:50)' * 53, 19)];  # ties, no equal rows
%! X(7, 1) = NaN;
%! warning ('off', 'knng:data:nonFinite', 'local');
%! [idx, dist] = knngraph (X, 4);
%! D = plainly (idx, dist, 50);
%! E = D > 0;

%!test <*1>
%! X = [0 0; 1 0; 0 2; 5 5];
%! [idx1, dist1] = knngraph (X, 1);
%! A = knng.adjacency (idx1, dist1, 'Symmetrize', 'union', 'Weight', 'binary');
%! assert (full (sum (A)), [2 1 2 1]);

%!test  # every weight and symmetry, from tables and from A
%! A = knng.adjacency (idx, dist);
%! assert (issparse (A) && isequal (full (A), D));
%! before = D;
%! arguments = {{'distance'}, {'binary'}, {'similarity', 'Metric', 'cityblock'}, {'similarity', 'Metric', 'correlation'}};
%! wanted = {D, ones(50), 1 ./ (1 + D), 1 - D};
%! for w = 1:4
%!   W = E .* wanted{w};
%!   W(E & W == 0) = realmin;
%!   want = {W, W + W' .* ~E, W .* E', (W + W') / 2};
%!   names = {'none', 'union', 'mutual', 'mean'};
%!   for s = 1:4
%!     for given = {{idx, dist}, {A}, {idx, single(dist)}}
%!       got = knng.adjacency (given{1}{:}, 'Weight', arguments{w}{:}, 'SYMMETRIZE', upper (names{s}));
%!       if (numel (given{1}) == 2 && isa (given{1}{2}, 'single') && w ~= 2)
%!         assert (full (got), want{s}, 1e-6);
%!       else
%!         assert (full (got), want{s});
%!       end
%!       assert (nnz (got), nnz (want{s}));
%!       assert (s == 1 || isequal (got, got'));
%!     end
%!   end
%! end
%! assert (isequal (full (A), before));

%!function W = weigh (idx, dist, i, j, d, weight, bandwidth, m)  # the weight of one edge, by sets
%!  near = idx(i, idx(i, :) > 0);
%!  far = idx(j, idx(j, :) > 0);
%!  switch weight
%!    case 'jaccard'
%!      W = numel (intersect (near, far)) / numel (union (near, far));
%!    case 'snn'
%!      W = numel (intersect (near, far));
%!    otherwise
%!      s = [0 0];
%!      for e = 1:2
%!        if (ischar (bandwidth) && strcmpi (bandwidth, 'selftuning'))
%!          all = sort (dist([i j](e), idx([i j](e), :) > 0));
%!          s(e) = all(min (m, end));
%!        elseif (ischar (bandwidth))
%!          all = sort (dist(idx > 0 & dist > 0));
%!          s(e) = all(ceil (end / 2));
%!        else
%!          s(e) = bandwidth;
%!        end
%!      end
%!      W = exp (-(d / s(1)) * (d / s(2)));
%!  end
%!endfunction

%!test  # weights of two nodes: against sets, with every symmetry, from tables and from A
%! A = knng.adjacency (idx, dist);
%! cases = {{'jaccard'}, {'snn'}, {'gaussian'}, {'gaussian', 'Neighbor', 2}, {'gaussian', 'Neighbor', 99}, ...
%!          {'gaussian', 'Bandwidth', 'AUTO'}, {'Gaussian', 'Bandwidth', 2.5}};
%! bandwidths = {'', '', 'selftuning', 'selftuning', 'selftuning', 'auto', 2.5};
%! m = [0 0 7 2 99 0 0];
%! for c = 1:numel (cases)
%!   W = zeros (50);
%!   for i = 1:50
%!     for j = find (E(i, :))
%!       W(i, j) = max (realmin, weigh (idx, dist, i, j, D(i, j), lower (cases{c}{1}), bandwidths{c}, m(c)));
%!     end
%!   end
%!   both = E & E';
%!   want = {W, W + W' .* ~E, W .* both, max((W .* (W > realmin) + W' .* (W' > realmin)) / 2, realmin * (E | E'))};
%!   names = {'none', 'union', 'mutual', 'mean'};
%!   for s = 1:4
%!     got = knng.adjacency (idx, dist, 'Weight', cases{c}{:}, 'Symmetrize', names{s});
%!     assert (full (got), want{s}, -4 * eps);
%!     assert (isequal (knng.adjacency (A, 'Weight', cases{c}{:}, 'Symmetrize', names{s}), got));
%!     assert (s == 1 || isequal (got, got'));
%!     assert (nnz (got), nnz (want{s}));
%!   end
%! end

%!test  # scales of copies, of infinite distances, of rows without neighbours
%! i = [2 3; 1 3; 1 2; 1 2; 0 0];
%! d = [0 0; 0 0; 0 0; 3 Inf; NaN NaN];
%! W = full (knng.adjacency (i, d, 'Weight', 'gaussian', 'Neighbor', 1));
%! assert (W(4, 1:2), [exp(-1) realmin]);                    # s(1) = 3, of the edge from 4; s(4) = 3
%! assert (W(1, [2 3]), [1 1]);
%! assert (knng.adjacency ([2; 1], [0; 0], 'Weight', 'gaussian'), sparse ([0 1; 1 0]));
%! assert (knng.adjacency ([2; 1], [0; 0], 'Weight', 'gaussian', 'Bandwidth', 'auto'), sparse ([0 1; 1 0]));
%! assert (knng.adjacency ([2; 1], [1; 1], 'Weight', 'jaccard'), sparse ([0 realmin; realmin 0]));
%! assert (full (knng.adjacency ([3; 3; 1], [1; 1; 1], 'Weight', 'snn', 'Symmetrize', 'union')), realmin * [0 0 1; 0 0 1; 1 1 0]);
%! assert (full (knng.adjacency (knngraph ((1:5)', 4), 'Weight', 'jaccard')), 0.6 * ~eye (5));
%! assert (full (knng.adjacency (sparse (2, 2), 'Weight', 'gaussian')), zeros (2));

%!test  # lists of all lengths, and a node that is in everybody's, which is done in no time
%! B = mod ((1:60)' * (1:60), 61) .* (mod ((1:60)' .^ 2 * (1:60), 61) < (1:60)') .* ~eye (60);
%! E = B > 0;
%! shared = (double (E) * double (E)') .* E;
%! assert (full (knng.adjacency (sparse (B), 'Weight', 'snn')), max (shared, realmin * E));
%! n = 1e5;
%! A = sparse ([ones(n - 1, 1); (2:n)'], [(2:n)'; ones(n - 1, 1)], 1, n, n);
%! A(2, 3) = 1;
%! t = tic;
%! W = knng.adjacency (A, 'Weight', 'snn', 'Symmetrize', 'union');
%! assert (toc (t) < 3);
%! [i, j] = find (W > realmin);
%! assert ([i, j], [2 1; 1 2; 3 2; 2 3]);

%!test  # zeros stay
%! [i, d] = knngraph ([1 2 3; 1 2 3; 3 1 2; 2 3 1], 1, 'pearson');
%! for s = {'none', 'union', 'mutual', 'mean'}
%!   A = knng.adjacency (i, d, 'Symmetrize', s{1});
%!   assert (full (A(1, 2)), realmin);
%!   assert (isequal (knng.adjacency (A), A));
%!   A = knng.adjacency (i, d, 'Symmetrize', s{1}, 'Weight', 'similarity', 'Metric', 'pearson');
%!   assert (full (A(1, 2)), 1);
%! end
%! A = knng.adjacency ([2; 1], [1; 1], 'Weight', 'similarity', 'Metric', 'cosine');
%! assert (full (A), [0 realmin; realmin 0]);
%! A = knng.adjacency ([2; 1], [1.5; 1.5], 'Weight', 'similarity', 'Metric', 'cosine');
%! assert (full (A), [0 -.5; -.5 0]);

%!test  # where the directions differ, and where there is only one
%! i = [2; 1; 1];
%! d = [1; 3; 5];
%! assert (full (knng.adjacency (i, d, 'Symmetrize', 'union')), [0 1 5; 1 0 0; 5 0 0]);
%! assert (full (knng.adjacency (i, d, 'Symmetrize', 'mutual')), [0 3 0; 3 0 0; 0 0 0]);
%! assert (full (knng.adjacency (i, d, 'Symmetrize', 'mean')), [0 2 2.5; 2 0 0; 2.5 0 0]);

%!test  # searches, and nothing at all
%! [i, d] = knng.knnsearch ((1:9)', [3.1; 8.2], 'K', 2);
%! A = knng.adjacency (i, d, 'Columns', 9);
%! assert (size (A), [2 9]);
%! assert (nnz (A), 4);
%! assert (full (A(1, 3)), d(1, 1));
%! assert (knng.adjacency (zeros (1, 0), zeros (1, 0), 'Symmetrize', 'mean'), sparse (1, 1));
%! assert (knng.adjacency ([0; 0], [NaN; NaN]), sparse (2, 2));

%!test  # as many entries as need all threads
%! n = 20000;
%! i = mod ((1:n)' * ones (1, 10) + ones (n, 1) * (1:10) .^ 3, n) + 1;
%! d = mod (i, 7) + 1;
%! W = sparse (repmat ((1:n)', 10, 1), i(:), d(:), n, n);
%! assert (isequal (knng.adjacency (i, d, 'Symmetrize', 'mean'), (W + W') / 2));
%! assert (isequal (knng.adjacency (i, d, 'Weight', 'binary'), spones (W)));
%! S = spones (W) * spones (W)' .* spones (W);
%! got = knng.adjacency (i, d, 'Weight', 'snn');
%! assert (isequal (got .* (got > realmin), S));
%! got = knng.adjacency (i, d, 'Weight', 'jaccard');
%! [r, c, s] = find (S);
%! assert (isequal (got .* (got > realmin), sparse (r, c, s ./ (20 - s), n, n)));

%!test  # every allocation fails in turn: nothing is left
%! A = knngraph ((1:40)' .^ 2, 4);
%! for w = {'distance', 'gaussian', 'jaccard'}
%!   for s = {'none', 'union'}
%!     failures = 0;
%!     for nth = 1:20
%!       knng.internal.adjacency ('fail', nth);
%!       try
%!         knng.adjacency (A, 'Weight', w{1}, 'Symmetrize', s{1});
%!       catch err
%!         assert (err.identifier, 'knng:memory:host');
%!         failures = failures + 1;
%!       end
%!       [~, live] = knng.internal.adjacency ('fail', 0);
%!       assert (live, 0);
%!     end
%!     assert (failures >= 3 * ~strcmp (w{1}, 'distance'));
%!   end
%! end

%!error id=knng:args:count knng.adjacency ()
%!error id=knng:args:count knng.adjacency (1)
%!error id=knng:args:empty knng.adjacency (zeros (3, 0), zeros (3, 0))
%!error id=knng:args:class knng.adjacency (sparse (1i))
%!error id=knng:args:class knng.adjacency (sparse (true))
%!error id=knng:args:idx knng.adjacency (@sin, 1)
%!error id=knng:args:idx knng.adjacency ([1; 3], [1; 1])
%!error id=knng:args:idx knng.adjacency ([1; 1.5], [1; 1])
%!error id=knng:args:idx knng.adjacency ([2 2; 0 0], [1 2; 1 1])
%!error id=knng:args:idx knng.adjacency ([2 2; 0 0], [1 2; 1 1], 'Symmetrize', 'union')
%!error id=knng:args:dist knng.adjacency ([2; 1], [1 1])
%!error id=knng:args:dist knng.adjacency ([2; 1], [1; -1])
%!error id=knng:args:dist knng.adjacency ([2; 1], [1; NaN])
%!error id=knng:args:dist knng.adjacency (sparse ([0 -1; 1 0]))
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', 'similarity')
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', 'heavy')
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', 3)
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Symmetrize', 'max')
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Symmetrize', {})
%!test  # more columns than the machine has memory for
%! f = fopen ('/proc/meminfo');
%! if f >= 0
%!   free = regexp (fread (f, [1 Inf], 'char=>char'), 'MemAvailable: *(\d+) kB', 'tokens', 'once');
%!   fclose (f);
%!   if ~isempty (free) && str2double (free{1}) < 30e6
%!     try, knng.adjacency ([2; 1], [1; 1], 'Columns', 2 ^ 31 - 66); id = 'none'; catch e, id = e.identifier; end
%!     assert (id, 'knng:memory:host');
%!   end
%! end
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Columns', -1)
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Columns', 3, 'Symmetrize', 'union')
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', 'gaussian', 'Bandwidth', 0)
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', 'gaussian', 'Bandwidth', Inf)
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', 'gaussian', 'Bandwidth', 'knn')
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', 'gaussian', 'Neighbor', 0)
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', 'snn', 'Columns', 3)
%!error id=knng:args:metric knng.adjacency ([2; 1], [1; 1], 'Weight', 'similarity', 'Metric', 'pearsn')
%!error id=knng:args:unknownOption knng.adjacency ([2; 1], [1; 1], 'Wait', 'similarity')
%!error <did you mean 'pearson'\?> knng.adjacency ([2; 1], [1; 1], 'Weight', 'similarity', 'Metric', 'pearsn')
%!error <'distance', 'similarity', 'binary', 'gaussian', 'jaccard' or 'snn'> knng.adjacency ([2; 1], [1; 1], 'Weight', 'sim')
%!error <did you mean 'Symmetrize'\?> knng.adjacency ([2; 1], [1; 1], 'Symmetric', 'union')
%!error <no option ''; the options are 'Weight'> knng.adjacency ([2; 1], [1; 1], char (zeros (1, 0)), 'union')
