function E = edges (varargin)
%KNNG.EDGES  The edges of a graph as a list; of correlations with p-values.
%   E = knng.edges (A) lists the edges of the n-by-n graph A = knngraph (X, k,
%   ...), nearest first: a struct of m-by-1 columns. struct2table (E) makes a
%   table of it where there is one.
%   E = knng.edges (idx, dist) does the same with the n-by-k tables of [idx,
%   dist] = knngraph (...).
%   E = knng.edges (..., 'Name', value, ...) takes options.
%
%     E.i, E.j      the two rows, i < j: a pair is listed once, whichever of the
%                   two has the other for a neighbour
%     E.from, E.to  their names, with 'Names'
%     E.fromsymbol, E.tosymbol
%                   their gene symbols, with 'Symbols'
%     E.distance    of that pair; the list is in order of (distance, i, j)
%     E.r           where 'Metric' is pearson, spearman, abspearson or
%                   antipearson: the correlation; with abspearson |r|
%     E.p           with 'Samples' too: two-sided p-value of r, were the rows
%                   independent: Student's t with Samples - 2 degrees of
%                   freedom, of which no digit is lost, however near r is to 1.
%                   For spearman see below
%     E.fdr         the smallest false discovery rate at which the pair is
%                   counted as found
%
%   Options:
%
%     'Metric'    the metric of the graph; 'Distance' is the same
%     'Samples'   how many columns X had, 3 or more; or, with tables of 'Rows',
%                 'pairwise', info.nvalid: then every pair has its own number,
%                 and E.samples has it. A pair that shares fewer than 3 has p 1
%     'Tests'     how many pairs were tested; default n*(n-1)/2, n the rows that
%                 have edges
%     'Names'     a cell of n texts, such as ds.names, or a data set ds: the
%                 symbols, or names, of its rows; 'Labels' is the same
%     'Symbols'   a cell of n texts, such as ds.symbols
%     'Directed'  true: an entry for each neighbour j that row i lists, i to j;
%                 default false
%     'Threads'   processor threads, default: all
%
%   About fdr: a graph lists the best pairs of all. So the correction for
%   multiple tests (Benjamini and Hochberg) has to count all pairs that were
%   looked at, not the few that are listed: fdr = p*Tests/rank, made monotone.
%   The rank is counted among the listed pairs. A pair that is in nobody's list
%   may have a smaller p, so the true rank may be higher and fdr is an upper
%   bound.
%
%   About p of spearman: to 13 samples it is exact, the share of all orders of
%   the samples that have such an |r| or a larger one. From 14 on it is
%   Student's t, which is too small where p is small, but never below 2/n!, the
%   least that there is. Of an exact p of 1e-3, 1e-5 and 1e-7 t has, with 14
%   samples, 0.61, 0.26 and 0.06; with 20 samples 0.70, 0.40 and 0.21; of 0.05
%   it has 0.94 or more. So among thousands of pairs of 14 to 20 samples a few
%   with an fdr just below 0.05 may be chance. Ties are taken as if there were
%   none: of rows with many equal values, as counts with zeros, p is too small,
%   by orders of magnitude where few values differ, and a warning says so.
%
%   If the matrix has two distances for a pair, the smaller one counts; what is
%   on the diagonal is no edge. A distance up to realmin is 0.
%
%   Cost: O(n*k*log (n*k)), some 6 seconds for n = 1e6, k = 20, without p;
%   memory some 100 bytes an edge.
%
%   Errors: knng:args:idx, :dist, :class, :empty, :metric as knng.adjacency;
%   knng:args:dist also where a distance is above 2 and 'Metric' says
%   correlation; :option, :unknownOption, :names, :ds, :count; knng:memory:host.
%   Warning: knng:data:ties, of spearman and fewer than 30 samples.
%
%   Source: Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57 (1995) 289-300, for
%   fdr.
%
%   Example:
%     X = [1 2 3 4 5; 2 4 6 8 11; 5 3 4 1 1; 1 5 2 4 3];
%     [idx, dist] = knngraph (X, 1, 'pearson');
%     E = knng.edges (idx, dist, 'Metric', 'pearson', 'Samples', 5, ...
%                     'Names', {'ZYX', 'CD33', 'MYB', 'LYN'});
%     [E.i, E.j, E.r, E.p, E.fdr]
%     for e = 1:numel (E.i)
%       fprintf ('%s %s %.4f %.2g\n', E.from{e}, E.to{e}, E.r(e), E.fdr(e));
%     end
%
%   See also knng.neighbors, knng.adjacency, knng.minspantree, knng.write,
%   knngraph.

  [graph, pairs] = knng.internal.graph_arguments ('knng.edges (GRAPH)', varargin);
  [opt, given] = knng.internal.options (struct ('Metric', '', 'Samples', [], 'Tests', [], 'Names', {{}}, 'Symbols', {{}}, 'Directed', false, ...
                                                'Threads', []), pairs);
  how = knng.internal.engine (given, {'Threads'});
  A = knng.internal.graph ('knng.edges (GRAPH)', graph, how);
  if (isstruct (opt.Names))
    opt.Names = knng.internal.gene_names (opt.Names, 'Names');
  end
  if (isempty (opt.Metric))
    opt.Metric = '';
  else
    opt.Metric = knng.internal.metric (opt.Metric);
  end
  [names, signs, of_ranks] = correlations ();
  sign = sum (signs(strcmp (opt.Metric, names)));                % 0: no correlation
  ranked = any (of_ranks(strcmp (opt.Metric, names)));
  check (opt, graph, size (A, 1), names, sign);

  [i, j, d, count] = entries (A, opt, how);
  E = struct ('i', i, 'j', j);
  if (~isempty (opt.Names))
    names = reshape (opt.Names, [], 1);
    E.from = names(i);
    E.to = names(j);
  end
  if (~isempty (opt.Symbols))
    symbols = reshape (opt.Symbols, [], 1);
    E.fromsymbol = symbols(i);
    E.tosymbol = symbols(j);
  end
  E.distance = d;
  if (sign == 0)
    return
  elseif (any (d > 2.00001))
    error ('knng:args:dist', 'a distance is %g: of %s there is none above 2; is ''Metric'' that of the graph?', d(end), opt.Metric);
  end
  E.r = sign * (1 - d);
  if (~isempty (opt.Samples))
    tests = full (double (opt.Tests));
    if (isempty (tests))
      tests = sum (any (A, 1)' | any (A, 2));
      tests = tests * (tests - 1) / 2;
    end
    if (numel (opt.Samples) == 1)
      samples = full (double (opt.Samples));
    else
      samples = own_samples (graph{1}, double (opt.Samples), i, j);
      E.samples = samples;
    end
    E.p = knng.internal.correlation_p (d, samples, ranked);
    if (ranked)
      doubt_ties (d, samples, tests);
    end
    E.fdr = knng.internal.false_rate (E.p, count, tests);
  end
end

function doubt_ties (d, samples, tests)
% Without ties the sum of squared differences of ranks is an even number, and chance makes hardly any two rows the same. Of many samples ties do
% little to p, and no distance tells.
  few = samples + zeros (size (d)) < 30;
  s = d .* (samples .^ 3 - samples) / 12;
  tied = few & abs (s - round (s)) > 0.02;
  same = few & abs (d) < 1e-7;
  if (sum (same) > 10 * tests * exp (-gammaln (min ([samples(:); 30]) + 1)))
    tied = tied | same;
  end
  if (any (few) && sum (tied) > sum (few) / 10)
    warning ('knng:data:ties', ['%d of %s are of rows with equal values, as the correlations of their ranks tell: p is for rows without, and too ' ...
             'small for these, by far where few values differ; orders drawn by chance, X(i, randperm (end)), tell the true one'], ...
             sum (tied), knng.internal.count_of (numel (d), 'edge'));
  end
end

function [i, j, d, count] = entries (A, opt, how)
% The listed pairs and their distances, in order, and with 'Samples' what an entry counts for in ranks: a pair is 1.
  count = [];
  if (opt.Directed)
    n = size (A, 1);
    B = A - spdiags (diag (A), 0, n, n);
    [j, i, d] = find (B');
    if (~isempty (opt.Samples))
      B = spones (B');
      [~, ~, count] = find (B - 0.5 * (B .* B'));
    end
  else
    [j, i, d] = find (tril (knng.adjacency (A, 'Symmetrize', 'union', how{:}), -1));
  end
  [d, order] = sort (d(:));
  [i, j] = deal (i(order), j(order));
  [i, j] = deal (i(:), j(:));
  d(d <= realmin) = 0;
  if (~isempty (count))
    count = count(order);
  elseif (~isempty (opt.Samples))
    count = ones (size (d));
  end
end

function count = own_samples (idx, table, i, j)
% Of each pair the number that stands where one of the two lists the other.
  n = size (idx, 1);
  [row, ~] = find (idx > 0);
  C = sparse (row(:), idx(idx > 0), table(idx > 0), n, n);
  C = max (C, C');
  count = full (C(i + n * (j - 1)));
  count = count(:);
end

function [names, signs, ranked] = correlations ()
% The metrics whose distance d is 1 - r, 1 - abs (r) or 1 + r; signs .* (1 - d) is r, or abs (r); and which are of ranks.
  t = knng.internal.search ('metrics');
  t = t(strcmp ({t.map}, 'half') & (strcmp ({t.prepared}, 'centred') | strcmp ({t.prepared}, 'ranked')));
  names = {t.name};
  signs = 1 - 2 * strcmp ({t.sum}, 'plus');
  ranked = strcmp ({t.prepared}, 'ranked');
end

function yes = is_table (samples, graph)
% whether it is a number for each place of idx
  yes = numel (graph) == 2 && isnumeric (samples) && isreal (samples) && numel (samples) ~= 1 && isequal (size (samples), size (graph{1})) && ...
        all (samples(:) >= 0 & samples(:) <= 2 ^ 53 & samples(:) == fix (samples(:)));
end

function check (opt, graph, n, correlations, sign)
  knng.internal.check_flag ('Directed', opt.Directed);
  if (~isempty (opt.Samples) && ~is_table (opt.Samples, graph) && ~(numel (opt.Samples) == 1 && knng.internal.whole (opt.Samples, 3, 2 ^ 53)))
    error ('knng:args:option', ['''Samples'' is %s: it must be one whole number, the columns of X, and 3 or more for p-values; or, with ' ...
           'tables, info.nvalid of ''Rows'', ''pairwise'''], ...
           knng.internal.given (opt.Samples));
  elseif (~isempty (opt.Samples) && sign == 0)
    error ('knng:args:option', '''Samples'' is for p-values of correlations: give ''Metric'' too, %s or ''%s''', ...
           strjoin (strcat ('''', correlations(1:end-1), ''''), ', '), correlations{end});
  elseif (~isempty (opt.Tests) && ~(isnumeric (opt.Tests) && isreal (opt.Tests) && numel (opt.Tests) == 1 && ...
                                    opt.Tests >= 1 && opt.Tests < Inf))
    error ('knng:args:option', '''Tests'' is %s: it must be one number from 1 on, of the pairs that were looked at', ...
           knng.internal.given (opt.Tests));
  end
  for name = {'Names', 'Symbols'}
    texts = opt.(name{1});
    if (~isempty (texts) && ~(iscellstr (texts) && numel (texts) == n))
      error ('knng:args:names', '''%s'' is a %d-by-%d %s: it must be a cell of %d texts, one for each row%s', name{1}, ...
             size (texts, 1), size (texts, 2), class (texts), n, ...
             knng.internal.of_pairs (n, numel (texts), 'knng.metanames (names, ops, E.i), without the option, names those that the table has'));
    end
  end
end

%!test <*1>
%! X = [1 2 3 4 5; 2 4 6 8 11; 5 3 4 1 1; 1 5 2 4 3];
%! [idx, dist] = knngraph (X, 1, 'pearson');
%! E = knng.edges (idx, dist, 'Metric', 'pearson', 'Samples', 5);
%! R = corr (X');
%! r = R(sub2ind ([4 4], E.i, E.j));
%! assert (E.r, r, 1e-14);
%! t = r .* sqrt (3 ./ (1 - r .^ 2));
%! p = betainc (3 ./ (3 + t .^ 2), 3 / 2, 1 / 2);
%! assert (E.p, p, 1e-12);
%! [p, order] = sort (p);
%! q = 6 * p ./ (1:numel (p))';
%! for e = numel (q)-1:-1:1
%!   q(e) = min (q(e), q(e+1));
%! end
%! assert (E.fdr(order), min (q, 1), 1e-12);
%! assert (fieldnames (E), {'i'; 'j'; 'distance'; 'r'; 'p'; 'fdr'});
%! E = knng.edges (idx, dist, 'Symbols', {'a', 'b', 'c', 'd'});
%! assert ({E.fromsymbol, E.tosymbol}, {reshape(cellstr (char ('a' + E.i - 1)), [], 1), reshape(cellstr (char ('a' + E.j - 1)), [], 1)});

%!test  # each pair has its own number of samples
%! X = [1 2 3 4 5; 2 4 NaN 8 11; 5 3 4 1 1; 1 5 2 NaN 3];
%! [idx, dist, info] = knngraph (X, 2, 'pearson', 'Rows', 'pairwise');
%! E = knng.edges (idx, dist, 'Metric', 'pearson', 'Samples', info.nvalid);
%! have = ~isnan (X);
%! for e = 1:numel (E.i)
%!   both = have(E.i(e), :) & have(E.j(e), :);
%!   assert (E.samples(e), sum (both));
%!   r = corr (X(E.i(e), both)', X(E.j(e), both)');
%!   t = r * sqrt ((sum (both) - 2) / (1 - r ^ 2));
%!   assert (E.p(e), betainc ((sum (both) - 2) / (sum (both) - 2 + t ^ 2), (sum (both) - 2) / 2, 1/2), 1e-12);
%! end
%! F = knng.edges (idx, dist, 'Metric', 'pearson', 'Samples', 5);
%! G = knng.edges (idx, dist, 'Metric', 'pearson', 'Samples', 5 * (idx > 0));
%! assert ([F.i, F.j, F.p, F.fdr], [G.i, G.j, G.p, G.fdr]);
%! D = knng.edges (idx, dist, 'Metric', 'pearson', 'Samples', info.nvalid, 'Directed', true);
%! assert (D.samples(D.i < D.j), arrayfun (@(i, j) sum (have(i, :) & have(j, :)), D.i(D.i < D.j), D.j(D.i < D.j)));
%!test  # two samples say nothing
%! E = knng.edges ([2; 1], [0; 0], 'Metric', 'pearson', 'Samples', [2; 2]);
%! assert ([E.p, E.fdr, E.samples], [1 1 2]);
%!test  # ties make distances that ranks without them have not, or the same ones far too often
%! warning ('on', 'knng:data:ties', 'local');
%! X = mod ((1:60)' * sqrt ([2 3 5 7 11 13 17 19]), 1);
%! for made = {X, single(X), round(3 * X), double(X > 0.5), [eye(8); eye(8); eye(8)]}
%!   [idx, dist] = knngraph (made{1}, 3, 'spearman');
%!   lastwarn ('');
%!   knng.edges (idx, dist, 'Metric', 'spearman', 'Samples', 8);
%!   [~, id] = lastwarn ();
%!   assert (strcmp (id, 'knng:data:ties'), ~isequal (single (made{1}), single (X)));
%!   lastwarn ('');
%!   knng.edges (idx, dist, 'Metric', 'spearman', 'Samples', 30);
%!   assert (isempty (lastwarn ()));
%! end

%!error id=knng:args:option knng.edges ([2; 1], [0; 0], 'Metric', 'pearson', 'Samples', [2 2])
%!error id=knng:args:option knng.edges ([2; 1], [0; 0], 'Metric', 'pearson', 'Samples', [2; 1.5])
%!error id=knng:args:option knng.edges (sparse ([0 1; 1 0]), 'Metric', 'pearson', 'Samples', [5 5; 5 5])
%!error id=knng:args:count knng.edges ()
%!error id=knng:args:class knng.edges (sparse (1, 2))
%!error id=knng:args:dist knng.edges (sparse (-1))
%!error id=knng:args:dist knng.edges (sparse ([0 3; 0 0]), 'Metric', 'pearson')
%!error id=knng:args:idx knng.edges ([1; 3], [1; 1])
%!error id=knng:args:metric knng.edges (sparse (1), 'Metric', 'pearsn')
%!error id=knng:args:metric knng.edges (sparse (1), 'Metric', 3)
%!test
%! ds = struct ('X', zeros (3, 1), 'names', {{'p1', 'p2', 'p3'}}, 'symbols', {{'CD4', '', 'MYB'}});
%! E = knng.edges (sparse ([1 2], [2 3], 1, 3, 3), 'Names', ds);
%! assert ({E.from, E.to}, {{'CD4'; 'p2'}, {'p2'; 'MYB'}});
%!error <'Names' is a 3-by-1 cell: it must be a cell of 2 texts> knng.edges (sparse ([0 1; 0 0]), 'Names', struct ('X', [1; 2; 3]))
%!error id=knng:args:ds knng.edges (sparse (1), 'Names', struct ('a', 1))
%!error id=knng:args:names knng.edges (sparse (1), 'Names', {'a', 'b'})
%!error id=knng:args:option knng.edges (sparse (1), 'Samples', 5)
%!error id=knng:args:option knng.edges (sparse (1), 'Metric', 'euclidean', 'Samples', 5)
%!error id=knng:args:option knng.edges (sparse (1), 'Metric', 'pearson', 'Samples', 2)
%!error id=knng:args:option knng.edges (sparse (1), 'Metric', 'pearson', 'Samples', 5, 'Tests', 0)
%!error id=knng:args:option knng.edges (sparse (1), 'Directed', 'yes')
%!error <'Directed' is NaN> knng.edges (sparse (1), 'Directed', NaN)
%!error <too, 'pearson', 'abspearson', 'antipearson' or 'spearman'$> knng.edges (sparse (1), 'Samples', 5)
%!error <'Samples' is 2> knng.edges (sparse (1), 'Metric', 'pearson', 'Samples', 2)
%!assert (knng.edges (sparse ([0 1; 0 0]), 'Metric', {}, 'Tests', []), struct ('i', 1, 'j', 2, 'distance', 1))
%!error id=knng:args:unknownOption knng.edges (sparse (1), 'Direction', true)
