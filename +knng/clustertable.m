function [t, e] = clustertable (ds, clusters, varargin)
%KNNG.CLUSTERTABLE  Size, tightness and centre of each cluster, as a table.
%   t = knng.clustertable (ds, clusters) describes the clusters of the rows
%   (genes) of a data set, or of its samples. The result is a struct of columns,
%   a row for each cluster.
%   [t, e] = knng.clustertable (ds, clusters) also says, of clusters of samples,
%   which classes are over-represented in which.
%   [...] = knng.clustertable (..., 'Name', value, ...) takes options.
%   knng.clustertable (...) without an output prints the largest twenty.
%
%     ds        as knng.read returns it, ds.X n-by-d; or a matrix, n-by-d
%     clusters  labels, numbers or texts, as knng.mstknn, knng.leiden and others
%               give them: n of them are of the rows, d of the samples. Missing
%               ones (NaN, '') are in no cluster, and -1 beside numbers from 1
%               on, the noise of knng.dbscan and others, neither: what is
%               printed says how many are noise. Or the name of labels of the
%               samples that the file has, such as 'leiden' of AnnData's obs
%
%   Options:
%
%     'Metric'      of tightness and centre, default 'pearson'; 'Distance' is
%                   the same
%     'Of'          'rows' or 'samples', where n is d; default: what there are
%                   as many of as labels, and rows if n is d
%     'Phenotypes'  of clusters of samples, beside ds.classes: a struct with a
%                   field for each, or a cell with a row {name, values} for
%                   each, d labels; or a table of the samples or the name of
%                   its file, as for knng.explore; or ds.meta, as its 'auto'
%                   takes that, with what you put in it, or the name of one of
%                   these, such as 'sex'. Numbers are values,
%                   not labels, and are left out. Default {}
%
%   Fields of t, in the order of the labels, numbers inside texts by their value
%   ('group 2' before 'group 10'):
%
%     cluster    the label, number or text
%     size       how many rows (samples) it has
%     tightness  how near its rows (samples) are to its centre, which is the
%                mean of the standardized rows: the mean of their correlations r
%                with it, 1 if all have the same shape; NaN of fewer than two.
%                Of m rows that have nothing in common it is some 1/sqrt (m) by
%                chance. Of another 'Metric' as on the page of knng.explore,
%                whose help has the rules: the mean |r|, or the mean distance,
%                which is small where they are near
%     centre     the row (sample) that is nearest to it; NaN where none has a
%                distance
%     name       its name, '' where centre is NaN; with ds.symbols also symbol
%     phenotype, class
%                of samples: the class that is most over-represented
%     share      how much of the cluster is of this class, 0 to 1
%     p, fdr     its p-value and false discovery rate, as in e
%
%   Fields of e, a row for each cluster and class of samples, by cluster and p:
%
%     cluster, phenotype, class
%                  which; ds.classes is the phenotype 'class', or has the name
%                  of the one with the same labels
%     overlap      how many samples are of both
%     clustersize, size
%                  how many samples with a label the cluster has, and how many
%                  the class
%     expected, fold
%                  how many of both there would be by chance; overlap/expected
%     p            the probability of so many or more, were the samples of the
%                  cluster drawn at random (hypergeometric, one-sided)
%     fdr          the smallest false discovery rate at which it is counted as
%                  found (Benjamini and Hochberg), over all rows of e
%
%   Constant rows have no correlation and count for the size alone. Rows with
%   missing values count by the columns that they have.
%
%   Cost: O(n*d). Memory: four times X.
%
%   Errors: knng:args:labels (neither n nor d of them, or none at all);
%   knng:data:infinite (X has Inf); knng:args:ds; knng:args:class, :sparse,
%   :complex, :dims, :empty; knng:args:metric; knng:args:option, :unknownOption,
%   :count; knng:io:open, knng:io:format, knng:io:truncated (the file of
%   'Phenotypes'). Warnings: knng:data:metadata, as knng.explore; knng:data:fill
%   (X has numbers that may stand for missing values, as -9999).
%
%   Example:
%     X = [1 2 3 4; 2 4 6 9; 0 1 1 3; 4 3 2 1; 3 3 2 0];
%     t = knng.clustertable (X, [1 1 1 2 2]);
%     [t.cluster, t.size, t.centre]       % 1 3 2, and 2 2 4
%     t.tightness'                        % 0.99 0.98
%     ds = struct ('X', X, 'classes', {{'a', 'a', 'b', 'b'}});
%     [t, e] = knng.clustertable (ds, [1 1 2 2]);
%     [t.class, num2cell(t.p)]            % a 0.17, and b 0.17
%
%   See also knng.enrich, knng.silhouette, knng.mstknn, knng.write,
%   knng.heatmap, knng.compare.

  if (nargin < 2)
    error ('knng:args:count', 'knng.clustertable needs a data set and clusters, as in knng.clustertable (ds, clusters): see help knng.clustertable');
  end
  opt = knng.internal.options (struct ('Metric', 'pearson', 'Of', 'auto', 'Phenotypes', {{}}), varargin);
  opt.Metric = knng.internal.metric (opt.Metric);
  opt.Of = knng.internal.check_choice ('Of', opt.Of, {'auto', 'rows', 'samples'});
  [X, was] = knng.internal.matrix_of (ds);
  state = warning ('off', 'knng:data:fill');                 % which was said
  back = onCleanup (@() warning (state)); %#ok<NASGU>
  if (isempty (was))
    was = struct ('X', X);
  end
  ds = knng.internal.check_ds (was);
  phenotypes = knng.internal.phenotypes (ds, opt.Phenotypes);
  if (ischar (clusters) && isrow (clusters) && (all (size (X) > 1) || ~isempty (knng.internal.labels_called (ds, clusters))))
    [clusters, opt.Of] = clusters_called (clusters, ds, opt.Of);
  end
  [clusters, noise] = knng.internal.without_noise (clusters);
  [code, labels] = knng.internal.cluster_codes (clusters);
  order = knng.internal.legend_order (labels);
  labels = labels(order);
  place(order) = 1:numel (order);
  code(code > 0) = place(code(code > 0));
  samples = of_samples (numel (code), size (X), opt.Of);
  if (~any (code > 0) && all (noise))
    error ('knng:args:labels', ['nothing is in a cluster, all %d are noise (-1): cluster again with a larger epsilon, or a smaller minpts or ' ...
           'minsize'], numel (code));
  elseif (~any (code > 0))
    error ('knng:args:labels', 'nothing is in a cluster, all labels are '''', NaN or noise (-1): give a label for each row or sample');
  elseif (~samples && ~isempty (opt.Phenotypes))
    error ('knng:args:option', '''Phenotypes'' are of samples, and the clusters are of rows: leave them out');
  end
  knng.internal.check_no_inf (X);

  [names, symbols] = deal (ds.names, knng.internal.symbols_of (ds));
  if (samples)
    [X, names, symbols] = deal (X', ds.samples, {});
    if (~iscellstr (names) || isempty (names))
      names = arrayfun (@(i) sprintf ('%d', i), (1:size (X, 1))', 'UniformOutput', false);
    end
  end
  found = describe (double (X), code, labels, names(:), symbols, opt.Metric);
  e = classes_in (code, labels, phenotypes(1:end * samples));
  if (~isempty (e.p))
    found = with_best (found, e);
  end
  if (nargout > 0)
    t = found;
  else
    print_table (found, code, sum (noise), samples, opt.Metric);
  end
end

function [clusters, of] = clusters_called (name, ds, of)
% Labels of the samples, by their name in the file.
  [clusters, names] = knng.internal.labels_called (ds, name);
  if (~isempty (clusters) && strcmp (of, 'rows'))
    error ('knng:args:labels', 'the clusters are ''%s'', which are labels of the samples, and ''Of'' is ''rows'': leave ''Of'' out', ...
           knng.internal.shown (name));
  elseif (isempty (clusters))
    known = '';
    if (~isempty (names))
      list = cellfun (@(t) [', ''', knng.internal.shown(t), ''''], names(1:min (end, 10)), 'UniformOutput', false);
      list = [list{:}, repmat(', ...', 1, numel (names) > 10)];
      known = [': of its samples it has ', list(3:end)];
    end
    error ('knng:args:labels', 'the clusters are ''%s'', and the data set has no labels of that name%s%s; give a label for each row or sample', ...
           knng.internal.shown (name), knng.internal.meant (knng.internal.similar_names (names, name)), known);
  end
  of = 'samples';
end

function samples = of_samples (count, shape, of)
% Whether the clusters are of the samples.
  samples = strcmp (of, 'samples') || (strcmp (of, 'auto') && count ~= shape(1) && count == shape(2));
  what = {'row', 'sample'};
  if (count ~= shape(1 + samples))
    also = '';
    if (strcmp (of, 'auto'))
      also = sprintf (', or for each of the %d samples', shape(2));
    end
    error ('knng:args:labels', '%s for %s: give one for each%s', knng.internal.there_are (count, 'label'), ...
           knng.internal.count_of (shape(1 + samples), what{1 + samples}), also);
  end
end

function t = describe (X, code, labels, names, symbols, metric)
  kinds = numel (labels);
  [tightness, centre] = knng.internal.group_centres (X, code, kinds, metric);
  if (knng.internal.correlation_sign (metric) ~= 0)
    tightness = 1 - tightness;
  end
  none = centre(:, 1) == 0;
  at = max (centre(:, 1), 1);
  t = struct ('cluster', {labels}, 'size', accumarray (code(code > 0), 1, [kinds, 1]), 'tightness', tightness, 'centre', at, ...
              'name', {names(at)});
  t.centre(none) = NaN;
  t.name(none) = {''};
  if (~isempty (symbols))
    t.symbol = reshape (symbols(at), [], 1);
    t.symbol(none) = {''};
  end
end

function e = classes_in (code, labels, phenotypes)
% The classes of phenotypes in the clusters of samples; columns of no rows where there are none.
  [cluster, class, overlap, clustersize, sizes, total] = deal (zeros (0, 1));
  [phenotype, names] = deal (cell (0, 1));
  clusters = numel (labels);
  for p = phenotypes(~cellfun ('isempty', {phenotypes.kinds}))
    of = p.of(:);
    kinds = numel (p.kinds);
    known = of > 0;
    both = known & code > 0;
    table = accumarray ([code(both), of(both)], 1, [clusters, kinds]);
    [c, k] = ndgrid (1:clusters, 1:kinds);
    cluster = [cluster; c(:)]; %#ok<AGROW>
    class = [class; numel(names) + k(:)]; %#ok<AGROW>
    names = [names; p.kinds(:)]; %#ok<AGROW>
    phenotype = [phenotype; repmat({p.name}, clusters * kinds, 1)]; %#ok<AGROW>
    overlap = [overlap; table(:)]; %#ok<AGROW>
    in_cluster = sum (table, 2);
    in_class = accumarray (of(known), 1, [kinds, 1]);
    clustersize = [clustersize; reshape(in_cluster(c), [], 1)]; %#ok<AGROW>
    sizes = [sizes; reshape(in_class(k), [], 1)]; %#ok<AGROW>
    total = [total; sum(known) * ones(clusters * kinds, 1)]; %#ok<AGROW>
  end
  p = knng.internal.hypergeometric_p (overlap, total, sizes, clustersize);
  fdr = knng.internal.false_rate (p, 1, numel (p));
  [~, order] = sortrows ([cluster, p, (1:numel (p))']);
  cluster = cluster(order);
  expected = clustersize .* sizes ./ total;
  e = struct ('cluster', {reshape(labels(cluster), [], 1)}, 'phenotype', {phenotype(order)}, 'class', {reshape(names(class(order)), [], 1)}, ...
              'overlap', overlap(order), 'clustersize', clustersize(order), 'size', sizes(order), 'expected', expected(order), ...
              'fold', overlap(order) ./ expected(order), 'p', p(order), 'fdr', fdr(order));
end

function t = with_best (t, e)
% The first row of e of each cluster; a cluster has as many as there are classes.
  at = (1:numel (e.p) / numel (t.size):numel (e.p))';
  t.phenotype = e.phenotype(at);
  t.class = e.class(at);
  t.share = e.overlap(at) ./ e.clustersize(at);
  t.p = e.p(at);
  t.fdr = e.fdr(at);
end

function print_table (t, code, noise, samples, metric)
  what = {'row', 'sample'};
  [~, at] = sort (-t.size);
  some = '';
  if (noise > 0)
    some = sprintf (', %d of them noise', noise);
  end
  fprintf ('%s of %s; %d in none%s\n', knng.internal.count_of (numel (t.size), 'cluster'), knng.internal.count_of (sum (code > 0), what{1 + samples}), ...
           sum (code == 0), some);
  how = {'a distance, tightest at 0', 'tightest at 1'};
  fprintf ('tightness by %s: %s\n', metric, how{1 + (knng.internal.correlation_sign (metric) ~= 0)});
  at = at(1:min (20, numel (at)));
  number = @(v, form) arrayfun (@(x) sprintf (form, x), v(at), 'UniformOutput', false);
  labels = t.cluster;
  if (~iscell (labels))
    labels = arrayfun (@knng.internal.number_text, labels, 'UniformOutput', false);
  end
  heads = {'cluster', 'size', 'tightness', 'centre', 'name'};
  cells = [labels(at), number(t.size, '%d'), number(t.tightness, '%.3f'), number(t.centre, '%d'), t.name(at)];
  if (isfield (t, 'symbol'))
    heads{end + 1} = 'symbol';
    cells = [cells, t.symbol(at)];
  end
  if (isfield (t, 'class'))
    heads = [heads, {'phenotype', 'class', 'share', 'p', 'fdr'}];
    cells = [cells, t.phenotype(at), t.class(at), number(t.share, '%.3f'), number(t.p, '%.3g'), number(t.fdr, '%.3g')];
  end
  knng.internal.print_columns (heads, cells);
end

%!test  # the example of the help text
%! X = [1 2 3 4; 2 4 6 9; 0 1 1 3; 4 3 2 1; 3 3 2 0];
%! t = knng.clustertable (X, [1 1 1 2 2]);
%! assert ([t.cluster, t.size, t.centre], [1 3 2; 2 2 4]);
%! assert (t.tightness', [0.9856 0.9780], 5e-5);
%! ds = struct ('X', X, 'classes', {{'a', 'a', 'b', 'b'}});
%! [t, e] = knng.clustertable (ds, [1 1 2 2]);
%! assert (t.class, {'a'; 'b'});
%! assert ([t.p, t.share, t.fdr], [1/6 1 1/3; 1/6 1 1/3], 1e-15);
%! assert ({e.cluster, e.class, e.overlap, e.expected}, {[1; 1; 2; 2], {'a'; 'b'; 'b'; 'a'}, [2; 0; 2; 0], [1; 1; 1; 1]});
%! lines = strsplit (strtrim (evalc ('knng.clustertable (ds, [1 1 2 2])')), "\n");
%! assert (lines(1:2), {'2 clusters of 4 samples; 0 in none', 'tightness by pearson: tightest at 1'});
%! assert (numel (lines), 5);
%!test  # numbers inside texts by value
%! X = mod ((1:6)' .^ 2 * (1:5) * 0.618, 1);
%! [t, e] = knng.clustertable (struct ('X', X', 'classes', {{'a', 'b', 'a', 'b', 'a', 'b'}}), {'c10', 'c2', 'c1', 'c2', 'c1', 'c10'}, 'Of', 'samples');
%! assert (t.cluster, {'c1'; 'c2'; 'c10'});
%! assert (t.size, [2; 2; 2]);
%! assert (e.cluster, {'c1'; 'c1'; 'c2'; 'c2'; 'c10'; 'c10'});
%! assert (t.class, {'a'; 'b'; 'a'});

%!test  # against loops: clusters of rows by texts, of samples; constant rows, labels missing
%! X = mod ((1:40)' * (1:23) .^ 2 * 0.618, 1) + mod ((1:40)', 3) * sin (1:23);
%! X(7, :) = 4;
%! names = arrayfun (@(i) sprintf ('r%d', i), 1:40, 'UniformOutput', false);
%! label = arrayfun (@(i) char ('a' + mod (i, 3)), 1:40, 'UniformOutput', false);
%! label{9} = '';
%! label{40} = 'z';
%! ds = struct ('X', X, 'names', {names}, 'symbols', {upper(names)});
%! t = knng.clustertable (ds, label);
%! assert (t.cluster, {'a'; 'b'; 'c'; 'z'});
%! for c = 1:3
%!   at = find (strcmp (label, t.cluster{c}));
%!   some = setdiff (at, 7);
%!   Z = (X(some, :) - mean (X(some, :), 2)) ./ std (X(some, :), 0, 2);
%!   r = corr (X(some, :)', mean (Z)');
%!   assert (t.size(c), numel (at));
%!   assert (t.tightness(c), mean (r), 1e-11);
%!   [~, best] = max (r);
%!   assert ({t.centre(c), t.name{c}, t.symbol{c}}, {some(best), names{some(best)}, upper(names{some(best)})});
%! end
%! assert ({t.size(4), t.tightness(4), t.centre(4)}, {1, NaN, 40});
%! u = knng.clustertable (struct ('X', X', 'samples', {names}), label);
%! assert ({u.size, u.centre, u.name}, {t.size, t.centre, t.name});
%! assert (u.tightness, t.tightness, 1e-14);

%!test  # phenotypes, several, with missing ones; n is d
%! ds = struct ('X', magic (6), 'classes', [1 1 1 2 2 NaN], 'samples', {{'p', 'q', 'r', 's', 't', 'u'}});
%! [t, e] = knng.clustertable (ds, [7 7 5 5 5 NaN], 'Of', 'samples', 'Phenotypes', {'sex', {'f', 'f', 'm', 'm', 'm', 'm'}; 'age', 1:6});
%! assert (t.cluster, [5; 7]);
%! assert (numel (e.p), 8);
%! assert (unique (e.phenotype), {'class'; 'sex'});
%! at = strcmp (e.phenotype, 'sex') & strcmp (e.class, 'm') & e.cluster == 5;
%! assert ([e.overlap(at), e.clustersize(at), e.size(at), e.expected(at), e.p(at)], [3 3 4 2 4/20], 1e-15);
%! at = strcmp (e.phenotype, 'class') & strcmp (e.class, '1') & e.cluster == 7;
%! assert ([e.overlap(at), e.clustersize(at), e.size(at), e.expected(at), e.p(at)], [2 2 3 1.2 3/10], 1e-15);
%! assert ({t.phenotype{2}, t.class{2}, t.p(2)}, {'sex', 'f', min(e.p(e.cluster == 7))});
%! [t, e] = knng.clustertable (ds, [7 7 5 5 5 NaN]);
%! assert ({isfield(t, 'class'), size(e.p)}, {false, [0 1]});

%!test  # clusters of samples by their name in the file
%! ds = struct ('X', mod ((1:9)' * (1:5) .^ 2 * 0.618, 1), 'classes', {{'a', 'b', 'a', 'b', 'b'}});
%! ds.meta = struct ('format', 'h5ad', 'leiden', {{'1', '0', '1', '0', '0'}});
%! assert (knng.clustertable (ds, 'leiden'), knng.clustertable (ds, ds.meta.leiden));
%! fail ('knng.clustertable (ds, ''lieden'')', 'are ''lieden'', and .* no labels of that name \(did you mean ''leiden''\?\): of its samples it has ''class'', ''leiden'';');
%! fail ('knng.clustertable (ds, ''leiden'', ''Of'', ''rows'')', 'are labels of the samples, and ''Of'' is ''rows'': leave ''Of'' out');
%! ds.X = ds.X(1, :);                                         # one row: a text could be its label
%! t = knng.clustertable (ds, 'leiden');
%! assert (t.size, [3; 2]);
%!error <^labels are a 1-by-1-by-3 char> knng.clustertable (magic (3), reshape ('cpu', 1, 1, 3))
%!error <the clusters are 'leiden', and the data set has no labels of that name; give a label for each row or sample> knng.clustertable (magic (4), 'leiden')

%!test  # other metrics, as on the page of knng.explore; missing values
%! X = mod ((1:30)' * (1:9) .^ 2 * 0.618, 1);
%! X(4, 2) = NaN;
%! code = 1 + mod ((1:30)', 2);
%! for metric = {'abspearson', 'antipearson', 'spearman', 'euclidean', 'cosine'}
%!   [far, near] = knng.internal.group_centres (X, code, 2, metric{1});
%!   t = knng.clustertable (X, code, 'Distance', metric{1});
%!   if (any (strcmp (metric{1}, {'euclidean', 'cosine'})))
%!     assert (t.tightness, far);
%!   else
%!     assert (t.tightness, 1 - far);
%!   end
%!   assert (t.centre, near(:, 1));
%! end
%! t = knng.clustertable (X, code);
%! Z = knng.internal.standard_rows (X(2:2:30, :));
%! known = ~isnan (Z);
%! Z(~known) = 0;
%! c = sum (Z) ./ sum (known);
%! r = arrayfun (@(i) corr (X(2 * i, known(i, :))', c(known(i, :))'), 1:15);
%! assert (t.tightness(1), mean (r), 1e-11);
%!error id=knng:args:metric knng.clustertable (magic (3), 1:3, 'Metric', 'l2')
%!error id=knng:args:count knng.clustertable (magic (3))
%!error <there are 2 labels for 4 rows: give one for each, or for each of the 3 samples> knng.clustertable (ones (4, 3), [1 2])
%!error id=knng:args:labels knng.clustertable (ones (4, 3), [1 2 3], 'Of', 'rows')
%!error id=knng:args:labels knng.clustertable (magic (3), NaN (1, 3))
%!error id=knng:args:labels knng.clustertable (magic (3), @sin)
%!error id=knng:args:ds knng.clustertable (struct ('Y', 1), 1)
%!error <X has Inf, the first in row 2> knng.clustertable ([1 2 3; 4 Inf 6; 3 1 2], [1 1 2])
%!error id=knng:data:infinite knng.clustertable ([1 2 3; 4 -Inf 6], [1 1 2])
%!error id=knng:args:class knng.clustertable ('abc', 1)
%!error id=knng:args:option knng.clustertable (magic (3), 1:3, 'Of', 'genes')
%!error id=knng:args:option knng.clustertable (magic (3), 1:3, 'Phenotypes', struct ('a', [1 2 3]))
%!error id=knng:args:option knng.clustertable (magic (3), 1:3, 'Phenotypes', 5)
%!error id=knng:args:unknownOption knng.clustertable (magic (3), 1:3, 'Sort', 1)
%!test
%! t = knng.clustertable (zeros (1, 50), -2);
%! assert ({t.cluster, t.size, t.tightness}, {-2, 1, NaN});
%! t = knng.clustertable (magic (4), int8 ([2 -1 2 1]), 'Of', 'rows');   # noise is no cluster
%! assert ({t.cluster, t.size}, {[1; 2], [1; 2]});
%! assert (! isempty (strfind (evalc ('knng.clustertable (magic (5), [1 -1 2 NaN 1])'), '2 clusters of 3 rows; 2 in none, 1 of them noise')));
%!error <nothing is in a cluster, all 2 are noise \(-1\): .* larger epsilon, or a smaller minpts or minsize> knng.clustertable (zeros (2, 50), [-1 -1])
%!error <all labels are '', NaN or noise \(-1\): give a label> knng.clustertable (zeros (2, 50), [-1 NaN])
%!test  # clusters of constant and of empty rows have no centre; one row that has a correlation is one
%! ds = struct ('X', [1 2 4; 5 5 5; 6 6 6; NaN NaN NaN; 7 7 7; 3 1 2], 'symbols', {{'a', 'b', 'c', 'd', 'e', 'f'}});
%! t = knng.clustertable (ds, [1 2 2 3 4 4], 'Of', 'rows');
%! assert ([t.size, t.tightness, t.centre], [1 NaN 1; 2 NaN NaN; 1 NaN NaN; 2 NaN 6]);
%! assert ({t.name, t.symbol}, {{t.name{1}; ''; ''; t.name{4}}, {'a'; ''; ''; 'f'}});
%! lines = strsplit (strtrim (evalc ('knng.clustertable (ds, [1 2 2 3 4 4])')), "\n");
%! assert (numel (lines), 7);
%! file = [tempname() '.csv'];
%! gone = onCleanup (@() delete (file));
%! knng.write (file, t);
%! assert (strsplit (fileread (file), "\n"){3}, '2,2,,,,');
