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
%                   direction alone counts half. Not for 'distance', of which
%                   there is a warning: a halved distance says nothing
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
%   knng.louvain and knng.leiden take a matrix that is not symmetric for one of
%   distances: give them weights with 'Symmetrize', or 'Weight', 'given'. A
%   function that wants distances warns of weights, knng:args:weight, where a
%   matrix tells: it has 'jaccard' or 'snn', or it is symmetric, and the larger
%   an entry, the more neighbours its two rows share. Few edges, and other
%   weights of points on a lattice or of a matrix that is not symmetric, do not
%   tell: there nobody can know.
%
%   Infinite distances are left out of the scales. Where a scale is 0, since a
%   row has so many copies, it is the smallest distance above 0 of an edge from
%   or to that row, or 1 if there is none.
%
%   Cost: O(n*k), a few seconds for n = 1e6, k = 20; 'jaccard' and 'snn'
%   O(n*k^2), some seconds more. Memory for a symmetric matrix 32 bytes an edge
%   of the tables (16 of A) beside the result; for the last three weights 16
%   even without 'Symmetrize'; else up to 4, or 8 a row.
%
%   Errors: knng:args:idx, knng:args:dist if the tables are none, idx holds no
%   rows or one twice, or a distance is negative or NaN; knng:args:class if A is
%   not sparse and real; knng:args:option, :unknownOption, :metric, :count;
%   knng:memory:host. Warning: knng:args:weight ('Bandwidth' or 'Neighbor', and
%   another weight than 'gaussian'; 'mean' of distances).
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
%   See also knngraph, knng.knnsearch, knng.write, knng.leiden, knng.conncomp,
%   knng.shortestpath, knng.hubness, knng.labelspread.

  [graph, pairs] = knng.internal.graph_arguments ('knng.adjacency (GRAPH)', varargin, 'any');
  knng.internal.built ();
  [opt, given] = knng.internal.options (struct ('Weight', 'distance', 'Symmetrize', 'none', 'Metric', '', 'Columns', 0, ...
                                                'Bandwidth', 'selftuning', 'Neighbor', 7, 'Threads', []), pairs);
  knng.internal.threads (given);
  for name = {'Bandwidth', 'Neighbor'}
    if (any (strcmp (given(1:2:end), name{1})) && ischar (opt.Weight) && isrow (opt.Weight) && ~strcmpi (opt.Weight, 'gaussian'))
      warning ('knng:args:weight', '''%s'' is of the weight ''gaussian'', and does nothing with ''%s'': leave it out, or give ''Weight'', ''gaussian''', ...
               name{1}, opt.Weight);
    end
  end
  if (knng.internal.is_one_of (opt.Symmetrize, {'mean'}) && knng.internal.is_one_of (opt.Weight, {'distance'}))
    warning ('knng:args:weight', ['''Symmetrize'', ''mean'' halves the distance of an edge in one direction alone, as if its rows were nearer: give ' ...
             '''Symmetrize'', ''union'', or a ''Weight'' of which more is nearer, such as ''binary''']);
  end
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

%!test <*1>
%! X = [0 0; 1 0; 0 2; 5 5];
%! [idx1, dist1] = knngraph (X, 1);
%! A = knng.adjacency (idx1, dist1, 'Symmetrize', 'union', 'Weight', 'binary');
%! assert (full (sum (A)), [2 1 2 1]);

%!test  # where the directions differ, and where there is only one
%! i = [2; 1; 1];
%! d = [1; 3; 5];
%! assert (full (knng.adjacency (i, d, 'Symmetrize', 'union')), [0 1 5; 1 0 0; 5 0 0]);
%! assert (full (knng.adjacency (i, d, 'Symmetrize', 'mutual')), [0 3 0; 3 0 0; 0 0 0]);
%! warning ('off', 'knng:args:weight', 'local');
%! assert (full (knng.adjacency (i, d, 'Symmetrize', 'mean')), [0 2 2.5; 2 0 0; 2.5 0 0]);

%!test  # searches, and nothing at all
%! [i, d] = knng.knnsearch ((1:9)', [3.1; 8.2], 'K', 2);
%! A = knng.adjacency (i, d, 'Columns', 9);
%! assert (size (A), [2 9]);
%! assert (nnz (A), 4);
%! assert (full (A(1, 3)), d(1, 1));
%! assert (knng.adjacency (zeros (1, 0), zeros (1, 0), 'Symmetrize', 'mean', 'Weight', 'binary'), sparse (1, 1));
%! assert (knng.adjacency ([0; 0], [NaN; NaN]), sparse (2, 2));

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
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Weight', reshape ('knot', 1, 2, 2), 'Bandwidth', 'auto')
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Symmetrize', 'max')
%!error id=knng:args:option knng.adjacency ([2; 1], [1; 1], 'Symmetrize', {})
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
%!warning <'Neighbor' is of the weight 'gaussian', and does nothing with 'distance'> knng.adjacency ([2; 1], [1; 1], 'Neighbor', 2);
%!warning <halves the distance of an edge in one direction alone> knng.adjacency ([2; 1; 1], [1; 1; 2], 'Symmetrize', 'mean');
%!error <did you mean 'Symmetrize'\?> knng.adjacency ([2; 1], [1; 1], 'Symmetric', 'union')
%!error <no option ''; the options are 'Weight'> knng.adjacency ([2; 1], [1; 1], char (zeros (1, 0)), 'union')
