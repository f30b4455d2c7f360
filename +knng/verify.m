function [ok, report] = verify (X, metric, varargin)
%KNNG.VERIFY  Check a graph by computing rows again in another way.
%   ok = knng.verify (X, metric, idx, dist) says whether idx and dist, the
%   n-by-k tables of [idx, dist] = knngraph (X, k, metric), are right.
%   ok = knng.verify (X, metric, A) does the same with the sparse matrix A =
%   knngraph (X, k, metric).
%   ok = knng.verify (X, metric, file) does so with the file of knngraph (X, k,
%   metric, 'Output', file), of any size; ok = knng.verify (X, file) takes the
%   metric from it.
%   [ok, report] = knng.verify (..., 'Name', value, ...) takes options, and also
%   says what was found.
%   knng.verify (...) without results prints it, and which metric the distances
%   are by, where it is another, or that they are those of single (X).
%
%   The form of every row is looked at. 1000 rows (all, if there are fewer) are
%   chosen, their distances to all rows of X measured, and the k nearest
%   compared with the tables, to the last bit. The code that does so is short,
%   and has nothing in common with the search: an error in the one is not
%   repeated in the other. Use it to see that a graph is what it says, whatever
%   machine, GPU or file it came from.
%
%   Options:
%
%     'Sample'    how many rows are computed again, a whole number from 1 on, or
%                 Inf for all; default 1000
%     'Seed'      which ones: a whole number from 0 to 2^53; the same rows for
%                 the same number on every machine; default 0
%     'Queries'   Y, if the tables are those of [idx, D] = knng.knnsearch (X, Y,
%                 ...)
%     'Rows', 'MinValid'
%                 those of the graph, as in knngraph; default 'all'
%     'Metafeatures'
%                 those of the graph, as in knngraph: the rows are the
%                 metafeatures of X, which may be a data set then. They are
%                 formed here by other code than the search's
%     'Threads'   processor threads, default: all
%     'Progress'  as in knngraph, default 'auto'
%     'Dataset', 'Transposed'
%                 of a file of HDF5 or an archive of NumPy, as in knngraph
%
%   Fields of report:
%
%     report.checked    how many rows were computed again
%     report.different  how many of these differ from the tables
%     report.rows       which ones, a column
%     report.malformed  rows that can be no answer, whatever X is, a column: an
%                       index that is no row of X, the row itself or listed
%                       twice; distances that do not ascend; equal distances out
%                       of order; 0 before a neighbour, or with a distance
%     report.why        what is wrong with the first of these, or ''
%     report.examples   for the first five of report.rows a struct with row, idx
%                       and dist (what is right), found_idx and found_dist (what
%                       the tables have)
%     report.seed       the seed
%     report.seconds    how long it took
%
%   X is the matrix, or the name of the file, of which the graph was made; the
%   rows of a file are read into memory here. metric is that of the graph, any
%   that knngraph knows. If X, Y or dist is single, the right distances are
%   rounded to single before they are compared.
%   Where a row is wrong by chance in a share p of all rows, a sample of 1000
%   misses that with probability (1 - p)^1000: 5 % for p = 0.3 %.
%
%   Cost: about 3*Sample*n*d operations, at 20 to 40 GFLOP/s a thread with
%   AVX-512: a minute of one thread for 1000 rows of 1.5 million, d = 295.
%   With 'pairwise' 40 to 110 times as long, by 'spearman' 350 times: 3 to 12
%   microseconds a pair of d = 295, and 92. For 1000 rows of 24 158 that is one
%   to five minutes of one thread, and 37; 'Sample', 20 may do there.
%   Memory beside the input: 8*Sample*(d + 2*k) bytes, n bytes and some 20 MB,
%   for a file of 'Output' 60 MB. Ctrl-C stops it.
%
%   Errors: of X, Y and metric those of knngraph (knng:args:metric);
%   knng:args:idx, knng:args:dist if the tables are none, or not of the size
%   that X and Y ask for; of a file of 'Output' those of knng.loadgraph;
%   knng:args:option, :unknownOption, :count; knng:memory:host;
%   knng:interrupted. A wrong table is no error: ok is false. Warning, where X
%   is a file: knng:data:fill.
%
%   Source: the definitions of docs/canonical.md, sections 1 to 4.
%
%   Example:
%     X = magic (8);
%     [idx, dist] = knngraph (X, 3, 'pearson');
%     ok = knng.verify (X, 'pearson', idx, dist)          % 1
%     idx(5, 1:2) = idx(5, [2 1]);
%     [ok, report] = knng.verify (X, 'pearson', idx, dist);
%     report.rows                                         % 5
%     file = [tempname() '.h5'];
%     knngraph (X, 3, 'pearson', 'Output', file);
%     ok = knng.verify (X, file)                          % 1
%     delete (file);
%
%   See also knngraph, knng.knnsearch, knng.checksum, knng.loadgraph,
%   knng.duplicates.

  of_file = nargin > 1 && ischar (metric) && isrow (metric) && ~mod (nargin, 2) && (nargin == 2 || ischar (varargin{1})) ...
            && ~is_metric (metric);
  if (nargin < 3 - of_file)
    error ('knng:args:count', ['knng.verify needs points, the metric and a graph, as in knng.verify (X, ''pearson'', idx, dist), with a sparse A, ' ...
           'or with the file of ''Output'', knng.verify (X, ''graph.h5''), which knows its metric: see help knng.verify']);
  elseif (~ischar (metric))
    error ('knng:args:metric', 'the metric is %s: it comes before the graph, as in knng.verify (X, ''pearson'', idx, dist)', ...
           knng.internal.given (metric));
  end
  if (of_file)
    [~, ~, about] = knng.loadgraph (metric, []);
    [metric, varargin] = deal (about.metric, [{metric}, varargin]);
  end
  in_file = ischar (varargin{1});
  if (in_file)
    [idx, dist, pairs] = deal (varargin{1}, [], varargin(2:end));
  else
    [graph, pairs] = knng.internal.graph_arguments ('knng.verify (X, ''pearson'', GRAPH)', varargin, 'any');
    [idx, dist] = knng.internal.tables (graph);
  end
  knng.internal.built ();
  metric = knng.internal.metric (metric);
  [opt, given] = knng.internal.options (struct ('Sample', 1000, 'Seed', 0, 'Queries', [], 'Threads', [], 'Progress', 'auto', ...
                                                'Dataset', [], 'Transposed', [], 'Rows', 'all', 'MinValid', [], 'Metafeatures', []), pairs);
  knng.internal.check_choice ('Rows', opt.Rows, {'all', 'complete', 'pairwise'});
  pairwise = strcmpi (opt.Rows, 'pairwise');
  if (~isempty (opt.MinValid))                              % what is no number is an error
    knng.internal.search ('plan', 1, 2 ^ 30, 1, 'Rows', 'pairwise', 'MinValid', opt.MinValid, 'Calibrate', false);
  end
  if (~isempty (opt.MinValid) && ~pairwise)
    error ('knng:args:option', '''MinValid'' is for ''Rows'', ''pairwise'': give that, too, or leave it out');
  end
  ops = [];
  if (~isempty (opt.Metafeatures) || any (strcmp ('Metafeatures', given(1:2:end))))
    [found, X] = knng.internal.with_operations ({'Metafeatures', opt.Metafeatures}, X);
    ops = found{2};
    if (strcmpi (opt.Rows, 'complete'))
      error ('knng:args:option', ['''Rows'' is ''complete'', which does not go with ''Metafeatures'': leave the columns out before, ' ...
             'X(:, ~any (isnan (X)))']);
    end
  end
  knng.internal.engine (given, {'Threads', 'Progress'});
  knng.internal.read ('', opt.Dataset, opt.Transposed);     % a wrong one costs no reading
  clock = tic ();
  if (ischar (X) && (isrow (X) || isempty (X)))
    knng.internal.verify (X, metric, idx, dist, opt.Queries, opt.Sample, opt.Seed, least_of (opt.MinValid, pairwise, Inf), ops, opt);  % a wrong one costs no reading
    X = knng.internal.read_points (X, 'Dataset', opt.Dataset, 'Transposed', opt.Transposed);
  else
    if (~isempty (opt.Dataset) || ~isempty (opt.Transposed))
      error ('knng:args:option', ['''Dataset'' and ''Transposed'' are for files of HDF5 and archives of NumPy (.npz): leave ' ...
                                  'them out']);
    end
  end
  least = least_of (opt.MinValid, pairwise, size (X, 2));
  Y = opt.Queries;
  if (strcmpi (opt.Rows, 'complete') && isfloat (X) && ndims (X) == 2 && (isempty (Y) || (isfloat (Y) && size (Y, 2) == size (X, 2))))
    keep = ~any (isnan (X), 1);
    if (~isempty (Y))
      keep = keep & ~any (isnan (Y), 1);
      Y = Y(:, keep);
    end
    X = X(:, keep);
  end
  [checked, rows, malformed, why, right_idx, right_dist] = knng.internal.verify (X, metric, idx, dist, ...
    Y, opt.Sample, opt.Seed, least, ops, opt);
  good = isempty (rows) && isempty (malformed);
  examples = struct ('row', {}, 'idx', {}, 'dist', {}, 'found_idx', {}, 'found_dist', {});
  first = rows(1:size (right_idx, 1));
  if (in_file)
    [found_idx, found_dist, about] = knng.loadgraph (idx, first);
    n = about.n;
  else
    [found_idx, found_dist, n] = deal (idx(first, :), dist(first, :), size (idx, 1));
  end
  for i = 1:numel (first)
    examples(i, 1) = struct ('row', first(i), 'idx', right_idx(i, :), 'dist', right_dist(i, :), ...
                             'found_idx', found_idx(i, :), 'found_dist', found_dist(i, :));
  end
  report = struct ('checked', checked, 'different', numel (rows), 'rows', rows, 'malformed', malformed, 'why', why, ...
                   'examples', examples, 'seed', double (opt.Seed), 'seconds', toc (clock));
  if (nargout > 0)
    ok = good;
    return
  end
  fprintf ('%d of %d rows computed again (seed %d, %.1f s): %d differ\n', checked, n, report.seed, ...
           report.seconds, report.different);
  if (~isempty (malformed))
    fprintf ('rows that can be no answer: %d; the first is row %d: %s\n', numel (malformed), malformed(1), why);
  end
  for i = 1:numel (examples)
    e = examples(i);
    same = (e.dist == e.found_dist & 1 ./ e.dist == 1 ./ e.found_dist) | (isnan (e.dist) & isnan (e.found_dist));
    c = find (e.idx ~= e.found_idx | ~same, 1);          % 1 ./ 0 and 1 ./ -0 differ
    fprintf ('row %d: neighbour %d is row %d at %.17g, not row %d at %.17g\n', e.row, c, e.idx(c), e.dist(c), ...
             e.found_idx(c), e.found_dist(c));
  end
  if (strcmpi (opt.Rows, 'all') && isempty (malformed) && isempty (ops) && over_gaps (X, examples, isempty (Y)))
    fprintf ('rows with missing values (NaN) have neighbours: give the ''Rows'' of the search, such as ''Rows'', ''pairwise''\n');
  elseif (~isempty (examples) && isempty (malformed) && isempty (Y) && isempty (ops))
    state = warning ('off', 'knng:data:fill');               % of the few rows that are searched again
    back = onCleanup (@() warning (state)); %#ok<NASGU>
    other = of_other_metric (X, examples, metric);
    if (of_single (X, examples, metric))
      fprintf ('the distances are those of single (X): give knng.verify single (X), or make the graph of X as it is\n');
    elseif (isa (X, 'single') && of_double (examples))
      fprintf ('the distances are not rounded to single, but X is single: give the X, in double, that the graph was made of\n');
    elseif (~isempty (other))
      fprintf ('the distances are those by ''%s'': is that the metric of the graph?\n', other);
    end
  end
end

function yes = is_metric (name)
  knng.internal.built ();
  try
    knng.internal.search ('metric', name);
    yes = true;
  catch
    yes = false;
  end
end

function yes = over_gaps (X, examples, of_X)
% Whether one of the rows that differ (OF_X: they are rows of X) has neighbours though it has NaN, or one that has: a search has to be
% asked for that.
  yes = false;
  for e = examples'
    found = double (e.found_idx(e.found_idx > 0 & e.found_idx <= size (X, 1)));
    if (of_X && ~isempty (found))
      found = [found, e.row]; %#ok<AGROW>
    end
    yes = yes || any (any (isnan (X(found, :))));
  end
end

function name = of_other_metric (X, examples, metric)
% The metric of the distances that the examples have; '' for none.
  [row, idx, dist] = found_pairs (examples);
  name = knng.internal.metric_fitting (X, row, idx, dist, metric);
end

function yes = of_single (X, examples, metric)
% Whether the examples have the distances of X rounded to single.
  yes = false;
  if (isa (X, 'double'))
    [row, idx, dist] = found_pairs (examples);
    right = knng.internal.pair_distances (single (X), row, idx, metric);
    yes = ~isempty (row) && isequaln (double (single (right)), double (dist));
  end
end

function yes = of_double (examples)
% Whether the examples have distances that are no numbers of single.
  [~, ~, dist] = found_pairs (examples);
  yes = any (double (single (dist)) ~= dist);
end

function [row, idx, dist] = found_pairs (examples)
% Columns of the neighbours that the examples have.
  idx = double (vertcat (examples.found_idx))';
  dist = vertcat (examples.found_dist)';
  row = repmat ([examples.row], size (idx, 1), 1);
  there = idx > 0;
  [row, idx, dist] = deal (row(there), idx(there), dist(there));
end

function least = least_of (given, pairwise, d)
  % how many columns two rows must share: 0 where NaN is no missing value
  least = given;
  if (~pairwise)
    least = 0;
  elseif (isempty (given))
    least = min (3, d);
  end
end

%!test <*1>
%! M = magic (8);
%! [idx, dist] = knngraph (M, 3, 'pearson');
%! assert (knng.verify (M, 'pearson', idx, dist), true);
%! idx(5, 1:2) = idx(5, [2 1]);
%! [ok, report] = knng.verify (M, 'pearson', idx, dist);
%! assert (ok, false);
%! assert (report.rows, 5);
%! assert (report.different, 1);
%! assert (report.checked, 8);
%! assert (report.examples.found_idx, idx(5, :));
%! assert (report.examples.idx, idx(5, [2 1 3]));
%! assert (report.examples.dist, dist(5, :));

%!test  # a graph by another metric
%! X = mod ((1:30)' .^ 2 * (1:6) .^ 1.5 * 0.618, 1);
%! A = knngraph (X, 4, 'pearson');
%! by = 'those by ''pearson'': is that the metric of the graph\?\n$';
%! assert (! isempty (regexp (evalc ('knng.verify (X, ''euclidean'', A)'), by)));
%! [idx, dist] = knngraph (single (X), 4, 'pearson');
%! assert (! isempty (regexp (evalc ('knng.verify (single (X), ''cosine'', idx, dist)'), by)));
%! assert (isempty (strfind (evalc ('knng.verify (X, ''pearson'', A)'), 'those by')));
%! assert (isempty (strfind (evalc ('knng.verify (X .^ 2, ''euclidean'', A)'), 'those by')));
%! one = 'the distances are those of single \(X\): give knng.verify single \(X\)';
%! two = 'not rounded to single, but X is single: give the X, in double';
%! for metric = {'euclidean', 'pearson', 'sqeuclidean', 'chebychev'}
%!   [idx, dist] = knngraph (single (X * 1000), 4, metric{1});
%!   S = knngraph (single (X * 1000), 4, metric{1});
%!   D = knngraph (X * 1000, 4, metric{1});
%!   assert (! isempty (regexp (evalc ('knng.verify (X * 1000, metric{1}, idx, dist)'), one)));
%!   assert (! isempty (regexp (evalc ('knng.verify (X * 1000, metric{1}, S)'), one)));
%!   assert (! isempty (regexp (evalc ('knng.verify (single (X * 1000), metric{1}, D)'), two)));
%!   assert (isempty (regexp (evalc ('knng.verify (X * 1000, metric{1}, D * 2)'), [one, '|', two])));
%!   assert (isempty (regexp (evalc ('knng.verify (single (X * 1000), metric{1}, idx, dist * 2)'), [one, '|', two])));
%! end
%! X(2, 3) = NaN;                                            # a graph over missing values, checked without
%! [idx, dist] = knngraph (X, 2, 'pearson', 'Rows', 'pairwise');
%! said = evalc ('knng.verify (X, ''pearson'', idx, dist)');
%! assert (isempty (strfind (said, 'those by')));
%! assert (! isempty (strfind (said, 'have neighbours: give the ''Rows'' of the search, such as ''Rows'', ''pairwise''')));
%! assert (isempty (strfind (evalc ('knng.verify (X, ''pearson'', idx, dist, ''Rows'', ''pairwise'')'), 'give the')));
%! assert (! isempty (strfind (evalc ('knng.verify (X, ''pearson'', idx + 0.5, dist)'), 'no answer')));

%!test  # the sample is the same on every machine
%! [idx, dist] = knngraph ((1:100)', 1);
%! [ok, report] = knng.verify ((1:100)', 'euclidean', idx, dist + 1, 'Sample', 5, 'Seed', 7);
%! assert (report.rows, [6; 24; 30; 36; 46]);
%! [ok, report] = knng.verify ((1:100)', 'euclidean', idx, dist + 1, 'Sample', Inf);
%! assert (report.rows, (1:100)');
%! assert (knng.verify (5, 'euclidean', zeros (1, 0), zeros (1, 0)));

%!test  # metafeatures
%! X = magic (6);
%! ops = {'ratio', 'sum'};
%! [idx, dist] = knngraph (X, 3, 'cosine', 'Metafeatures', ops);
%! assert (knng.verify (X, 'cosine', idx, dist, 'Metafeatures', ops), true);
%! assert (knng.verify (struct ('X', X), 'cosine', knngraph (X, 3, 'cosine', 'Metafeatures', ops), 'Metafeatures', ops));
%! assert (knng.verify (X, 'cosine', idx, dist, 'Metafeatures', {'ratio', 'product'}), false);
%! assert (knng.verify (X, 'cosine', idx, dist, 'Metafeatures', {'sum', 'ratio'}), false);

%!testif ; knng.internal.graph_file ('can')    # a file knows its metric
%! X = magic (8);
%! file = [tempname() '.h5'];
%! gone = onCleanup (@() delete (file));
%! knngraph (X, 3, 'pearson', 'Output', file);
%! assert (knng.verify (X, file));
%! [ok, report] = knng.verify (X + eye (8), file, 'Sample', 5);
%! assert ([ok, report.checked], [0, 5]);
%! assert (! isempty (strfind (evalc ('knng.verify (X, file)'), '8 of 8 rows')));
%! fail ('knng.verify (X, ''pearson'', file, ''Sample'')', '''Sample'' has no value');
%! fail ('knng.verify (X, file, ''pearson'')', 'there is no metric');

%!error id=knng:args:count knng.verify (1, 'euclidean', 1)
%!error id=knng:args:count knng.verify (1, 'euclidean')
%!error id=knng:args:count knng.verify (1)
%!error id=knng:io:open knng.verify (1, 'no such file.h5')
%!error <with 6 metafeatures of X> knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Metafeatures', '-')
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Metafeatures', 'add')
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Metafeatures', '-', 'Queries', eye (3))
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Metafeatures', '-', 'Rows', 'complete')
%!error id=knng:args:metric knng.verify (eye (3), 'pearsn', [2; 1; 1], [1; 1; 1])
%!error id=knng:args:metric knng.verify (eye (3), 1, [2; 1; 1], [1; 1; 1])
%!error id=knng:args:class knng.verify (@sin, 'euclidean', [2; 1; 1], [1; 1; 1])
%!error <'Queries', Y> knng.verify (eye (3), 'euclidean', [2; 1], [1; 1])
%!error <1 to 2 columns> knng.verify (eye (3), 'euclidean', zeros (3, 0), zeros (3, 0))
%!error id=knng:args:idx knng.verify (eye (3), 'euclidean', [2; 1], [1; 1])
%!error id=knng:args:idx knng.verify (eye (3), 'euclidean', [2 3 1; 1 3 2; 1 2 3], ones (3))
%!error id=knng:args:idx knng.verify (eye (3), 'euclidean', {1}, 1)
%!error id=knng:args:dist knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1])
%!error id=knng:args:columns knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Queries', 1)
%!error id=knng:args:empty knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Queries', zeros (0, 3))
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Sample', 0)
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Sample', 1.5)
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Seed', -1)
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Threads', 0.5)
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Progress', 3)
%!error id=knng:args:option knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Seed')
%!error id=knng:args:unknownOption knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 'Sed', 1)
%!error id=knng:args:unknownOption knng.verify (eye (3), 'euclidean', [2; 1; 1], [1; 1; 1], 3, 1)
