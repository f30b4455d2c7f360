function [t, info] = enrich (ds, clusters, sets, varargin)
%KNNG.ENRICH  Gene sets that are over-represented in clusters, with p-values.
%   t = knng.enrich (ds, clusters, sets) counts how many genes of each cluster
%   are in each set (pathway, signature), and how often there would be so many
%   by chance. The result is a struct of columns, cluster by cluster, the
%   smallest p-value first.
%   [t, info] = knng.enrich (...) also says what was counted.
%   [...] = knng.enrich (..., 'Name', value, ...) takes options.
%   knng.enrich (...) without an output prints the first twenty of all clusters.
%
%     ds        as knng.read returns it, ds.X n-by-d. A row is the gene of
%               ds.symbols where there is such a field, else of ds.names; or a
%               cell of n genes, such as a column of ds.annotation
%     clusters  n labels, as knng.mstknn and others give them, numbers or texts;
%               rows with none (NaN, '') are in no cluster, nor is noise, -1
%               beside numbers from 1 on. Or some rows alone:
%               their numbers, each once, such as t.row(t.fdr < 0.05) of
%               knng.compare; or n logicals
%     sets      the name of a GMT file; or what knng.readsets returns, a struct
%               with names and genes
%
%   Options:
%
%     'Background'  of which genes clusters are a part: 'data', all of ds;
%                   'sets', those that are in at least one set; default 'data'
%     'MinSize'     sets with fewer genes in the background are left out;
%                   default 5
%     'MaxSize'     so are those with more; default 500
%     'MinOverlap'  lists sets that share this many genes with the cluster, 1 or
%                   more; default 1
%     'MaxFDR'      lists sets with this fdr at most; default 1, all
%
%   Genes are counted, not rows: several probes of a gene are one, and a gene
%   whose probes lie in two clusters is in both. A row of several genes, such as
%   'DDR1 /// MIR4640', is each of them; '' or what begins with -- is none.
%   Genes of sets that are not in the data do not count at all. Names have to
%   agree to the letter, in upper and lower case.
%
%   Fields of t, a row for each pair of a cluster and a set that is listed:
%
%     cluster      its label, number or text; 1 for some rows alone
%     set          the name of the set
%     description  that of the file, where there is one
%     overlap      how many genes they share
%     clustersize  how many genes of the background the cluster has
%     size         how many genes of the background the set has
%     total        how many genes the set has in the file
%     expected     how many they would share by chance, clustersize*size over
%                  the background
%     fold         overlap/expected
%     p            the probability of so many or more, were the genes of the
%                  cluster drawn at random (hypergeometric, one-sided)
%     fdr          the smallest false discovery rate at which the set is counted
%                  as found (Benjamini and Hochberg), among all sets of the
%                  right size, for each cluster by itself
%     genes        the genes that they share, a text with ', ' between them
%
%   Fields of info:
%
%     background  how many genes there are
%     clusters    how many clusters
%     sets        how many sets the file has
%     tested      how many have the right size
%     small, large  how many are too small, too large
%     missing     how many genes of all sets are not in the data. A warning says
%                 so if most would be in the other case; or if these are more
%                 than three quarters of them, and more than three quarters of
%                 the genes of the data are in no set
%
%   About the background: where only some genes were measured, or filtered out
%   before, those that could not be in a cluster may not count: ds should be
%   what was clustered. Sets overlap, so that several may be found for one
%   reason.
%
%   Cost: 20 000 genes, 50 clusters and 5 000 sets of 100 genes take some five
%   seconds, two of them to read the file. Memory: some 100 bytes a gene of a
%   set.
%
%   Errors: knng:args:labels (not one for each row, no row at all, or numbers of
%   rows that are listed twice or are none);
%   knng:args:sets (sets are none, or no gene of theirs is in the data, or none
%   has the right size); knng:args:ds; knng:args:option; knng:args:file;
%   knng:io:open, :format, :truncated (see knng.readsets);
%   knng:args:unknownOption, :count. Warning: knng:data:metadata (most genes of
%   the sets are not in the data; see also knng.readsets).
%
%   Sources: Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57 (1995) 289-300; C.
%   Loader, Fast and Accurate Computation of Binomial Probabilities (2000).
%
%   Example:
%     genes = {'CD33', 'ZYX', 'CST3', 'CD3D', 'CD3E', 'CD3G', 'MYB', 'TCF3'};
%     sets.names = {'MYELOID', 'T_CELL'};
%     sets.genes = {{'CD33', 'ZYX', 'CST3', 'LYZ'}, {'CD3D', 'CD3E', 'CD3G'}};
%     cluster = [1 1 1 2 2 2 2 3];
%     t = knng.enrich (genes, cluster, sets, 'MinSize', 2);
%     [t.cluster, t.overlap, t.p]         % 1 3 0.018, and 2 3 0.071
%     t.genes{1}                          % CD33, CST3, ZYX
%
%   See also knng.readsets, knng.compare, knng.clustertable, knng.write.

  if (nargin < 3)
    error ('knng:args:count', ['knng.enrich needs a data set, clusters and gene sets, as in ' ...
           'knng.enrich (ds, clusters, ''c2.cp.gmt''): see help knng.enrich']);
  end
  opt = knng.internal.options (struct ('Background', 'data', 'MinSize', 5, 'MaxSize', 500, 'MinOverlap', 1, 'MaxFDR', 1), varargin);
  opt.Background = knng.internal.check_choice ('Background', opt.Background, {'data', 'sets'});
  check (opt);
  texts = genes_of_rows (ds);
  [code, labels] = clusters_of (clusters, texts, ds);
  sets = sets_of (sets);

  [genes, of_row] = split_genes (texts);                     % rows by genes
  if (isempty (genes))
    error ('knng:args:ds', 'no row has a gene: all symbols are '''' or begin with --');
  end
  [in_set, lacking] = incidence (sets, genes);
  missing = numel (lacking);
  [odd, advice] = kind_of_names (lacking, sum (any (in_set, 1)), genes);
  info = struct ('background', numel (genes), 'clusters', numel (labels), 'sets', numel (sets.names), 'tested', 0, 'small', 0, ...
                 'large', 0, 'missing', missing);
  in_cluster = sparse (find (code > 0), code(code > 0), 1, numel (code), numel (labels));
  in_cluster = spones (of_row' * in_cluster);                % genes by clusters
  if (strcmp (opt.Background, 'sets'))
    some = full (any (in_set, 1));
    [genes, in_set, in_cluster] = deal (genes(some), in_set(:, some), in_cluster(some, :));
    info.background = numel (genes);
  end
  size_of = full (sum (in_set, 2));
  right = size_of >= double (opt.MinSize) & size_of <= double (opt.MaxSize) & size_of > 0;
  info.tested = sum (right);
  info.small = sum (size_of < max (double (opt.MinSize), 1));
  info.large = sum (size_of > double (opt.MaxSize));
  if (info.tested == 0)
    refuse (sets, texts, size_of, opt, odd, advice);
  elseif (odd)
    warning ('knng:data:metadata', '%s', advice);
  end
  found = pairs (in_set, in_cluster, right, genes, sets, labels, opt);
  if (nargout > 0)
    t = found;
  else
    print_table (found, info);
  end
end

function check (opt)
  limits = {'MinSize', 1; 'MaxSize', 1; 'MinOverlap', 1};
  for limit = limits'
    v = opt.(limit{1});
    if (numel (v) ~= 1 || ~(isequal (v, Inf) && strcmp (limit{1}, 'MaxSize')) && ~knng.internal.whole (v, limit{2}, 2 ^ 53))
      error ('knng:args:option', '''%s'' is %s: it must be a whole number from 1 on', limit{1}, knng.internal.given (v));
    end
  end
  if (opt.MinSize > opt.MaxSize)
    error ('knng:args:option', '''MinSize'' is %g: it must be ''MaxSize'', %g, or less', double (opt.MinSize), double (opt.MaxSize));
  end
  v = opt.MaxFDR;
  if (~(isnumeric (v) || islogical (v)) || ~isreal (v) || numel (v) ~= 1 || ~(v >= 0 && v <= 1))
    error ('knng:args:option', '''MaxFDR'' is %s: it must be one number from 0 to 1', knng.internal.given (v));
  end
end

function texts = genes_of_rows (ds)
  if (iscell (ds))
    texts = ds(:);
    if (~iscellstr (texts) || isempty (texts) || any (cellfun ('size', texts, 1) > 1))
      error ('knng:args:ds', 'the genes are %s: they must be a cell of texts, one for each row, or a data set', knng.internal.given (ds));
    end
    return
  end
  ds = knng.internal.check_ds (ds);
  texts = knng.internal.symbols_of (ds);
  if (isempty (texts))
    texts = ds.names;
  end
end

function [code, labels] = clusters_of (clusters, texts, ds)
% The number of the cluster of each row, 0 for none, and the clusters' labels, a column of numbers or texts.
  n = numel (texts);
  if (isempty (clusters))
    error ('knng:args:labels', ['no rows are given: the list of rows is empty, as t.row(t.fdr < 0.05) is where nothing was found; ' ...
           'give a label for each of the %d rows, or the numbers of some rows'], n);
  end
  some = islogical (clusters) && numel (clusters) == n;
  rows = isnumeric (clusters) && isreal (clusters) && numel (clusters) ~= n && ~isempty (clusters) && knng.internal.whole (clusters, 1, n) && ...
         numel (unique (clusters(:))) == numel (clusters);
  if (some || rows)
    code = zeros (n, 1);
    code(full (clusters(:))) = 1;
    labels = 1;
  else
    [code, labels] = knng.internal.cluster_codes (knng.internal.without_noise (clusters));
    if (numel (code) ~= n)
      error ('knng:args:labels', '%s for %s: give one for each row, or the numbers of some rows, each once%s%s', ...
             knng.internal.there_are (numel (code), 'cluster'), knng.internal.count_of (n, 'row'), what_is_wrong (clusters, n), names_hint (clusters, texts, ds));
    end
  end
  if (~any (code > 0))
    error ('knng:args:labels', 'no row is in a cluster, all are '''', NaN, noise (-1) or false: give a label for each row');
  end
end

function text = names_hint (clusters, texts, ds)
% Where names or symbols of rows are given in place of their numbers, at least half of them.
  text = '';
  if (ischar (clusters) && ndims (clusters) == 2)
    clusters = cellstr (clusters);
  end
  names = texts(:);
  if (isstruct (ds) && isfield (ds, 'names') && iscellstr (ds.names))
    names = [names; ds.names(:)];
  end
  if (iscellstr (clusters))
    known = ismember (clusters(:), names);
    if (2 * sum (known) >= numel (known))
      but = '';
      if (~all (known))
        but = sprintf (' (''%s'' is none)', knng.internal.shown (clusters{find (~known, 1)}));
      end
      text = sprintf ('; these are names of rows%s: give their numbers, as t.row of knng.compare', but);
    end
  end
end

function text = what_is_wrong (rows, n)
% Why these are no numbers of rows, or no labels of these rows; '' where they may not be meant so.
  text = '';
  if (numel (rows) > n && ~ischar (rows))
    text = '; labels of more rows, as before knng.collapse or knng.filterrows, go with the data set that had them';
    return
  elseif (~(isnumeric (rows) && isreal (rows)))
    return
  end
  rows = double (full (rows(:)));
  off = find (~(rows >= 1 & rows <= n & rows == fix (rows)), 1);
  sorted = sort (rows);
  twice = find (diff (sorted) == 0, 1);
  if (~isempty (off))
    text = sprintf ('; %g is no row from 1 to %d', rows(off), n);
  elseif (~isempty (twice))
    text = sprintf ('; row %d is listed twice', sorted(twice));
  end
end

function sets = sets_of (sets)
% As knng.readsets gives them, from a file or checked.
  if (ischar (sets))
    sets = knng.readsets (sets);
    return
  end
  good = isstruct (sets) && numel (sets) == 1 && all (isfield (sets, {'names', 'genes'}));
  if (~good)
    error ('knng:args:sets', 'the gene sets are %s: they must be the name of a GMT file, or a struct with names and genes, as knng.readsets returns it', ...
           knng.internal.given (sets));
  end
  good = iscellstr (sets.names) && ~isempty (sets.names) && iscell (sets.genes) && numel (sets.genes) == numel (sets.names) && ...
         all (cellfun (@(g) iscellstr (g) && all (cellfun ('size', g(:), 1) <= 1), sets.genes(:)));
  if (~good)
    error ('knng:args:sets', ['names of the gene sets is %s, genes is %s: they must be a cell of texts, and a cell with a cell of texts ' ...
           'for each of them'], knng.internal.given (sets.names), knng.internal.given (sets.genes));
  end
  sets.names = sets.names(:);
  sets.genes = cellfun (@(g) g(:), sets.genes(:), 'UniformOutput', false);
  if (~isfield (sets, 'descriptions') || ~iscellstr (sets.descriptions) || numel (sets.descriptions) ~= numel (sets.names))
    sets.descriptions = {};
  end
end

function [genes, of_row] = split_genes (texts)
% The different genes, a column, and a sparse matrix of rows by genes.
  several = find (~cellfun ('isempty', strfind (texts, '///')));
  parts = cellfun (@(t) reshape (regexp (t, '///', 'split'), [], 1), texts(several), 'UniformOutput', false);
  row = [(1:numel(texts))'; several(each (cellfun ('numel', parts)))];
  n = numel (texts);
  texts(several) = {''};
  texts = strtrim (vertcat (texts, parts{:}));
  some = ~cellfun ('isempty', texts) & ~strncmp (texts, '--', 2);
  [genes, ~, code] = unique (texts(some));
  of_row = spones (sparse (row(some), code(:), 1, n, numel (genes)));
  genes = genes(:);
end

function at = each (count)
% 1, 2, ..., each as often as COUNT says, a column.
  at = accumarray (cumsum ([1; count(:)]), 1, [sum(count) + 1, 1]);
  at = cumsum (at(1:end-1));
end

function [in_set, lacking] = incidence (sets, genes)
% Sets by genes of the data, and which genes of the sets are none of these.
  texts = vertcat (sets.genes{:}, cell (0, 1));
  set = each (cellfun ('numel', sets.genes(:)));
  [known, at] = ismember (texts, genes);
  in_set = spones (sparse (set(known), at(known), 1, numel (sets.genes), numel (genes)));
  lacking = unique (texts(~known));
end

function [odd, advice] = kind_of_names (lacking, shared, genes)
% Whether so many genes of the sets are LACKING, and only so few SHARED with the data, that one of both may have other names; what then helps.
% Names in another case are a sign if more of them would be shared than are; else most genes of both have to be without the other.
  [odd, advice] = deal (false, '');
  missing = numel (lacking);
  if (missing <= shared)
    return
  end
  [folded, of_data] = deal (upper_ascii (lacking), upper_ascii (genes));
  other_case = sum (ismember (folded, of_data));
  if (other_case > shared)
    hint = sprintf ('%d of them would be in the other case, as those of man and mouse: %s', other_case, turned (lacking, folded, genes, of_data, other_case));
  elseif (missing > 3 * shared && shared < numel (genes) / 4)
    hint = sprintf ('the sets have ''%s'', the data ''%s'': give the genes of the rows in place of ds, a cell of texts of the kind that the sets have', ...
                    knng.internal.shown (lacking{1}), knng.internal.shown (genes{1}));
  else
    return
  end
  odd = true;
  advice = sprintf ('%d of %s of the sets (%.3g %%) are not in the data; %s', missing, knng.internal.count_of (missing + shared, 'gene'), ...
                    100 * missing / (missing + shared), hint);
end

function advice = turned (lacking, folded, genes, of_data, count)
% Which of the two, genes of the sets or of the data, to write in capitals, so that COUNT more are shared.
  of_sets = 'set sets.genes = cellfun (@upper, sets.genes, ''UniformOutput'', false)';
  of_genes = 'give upper (ds.symbols), or upper (ds.names), in place of ds';
  if (sum (ismember (lacking, of_data)) == count)
    advice = [of_genes, ', or other sets'];
  elseif (sum (ismember (folded, genes)) == count)
    advice = [of_sets, ', or give other sets'];
  else
    advice = [of_sets, ', and ', of_genes];
  end
end

function refuse (sets, texts, size_of, opt, odd, advice)
% No set can be tested.
  if (any (size_of > 0) && odd)
    error ('knng:args:sets', 'no set has %g to %g genes in the data: %s', double (opt.MinSize), double (opt.MaxSize), advice);
  elseif (any (size_of > 0))
    error ('knng:args:sets', ['no set has %g to %g genes in the data: of %d sets the smallest has %d, the largest %d; ' ...
           'give others by ''MinSize'' and ''MaxSize'''], double (opt.MinSize), double (opt.MaxSize), numel (size_of), ...
           min (size_of), max (size_of));
  end
  all_genes = vertcat (sets.genes{:}, cell (0, 1));
  if (isempty (all_genes))
    error ('knng:args:sets', 'no gene set has a gene');
  end
  of_data = texts(~cellfun ('isempty', texts));
  hint = ['give the genes of the rows in place of ds, a cell of texts of the kind that the sets have; of probes ', ...
          'knng.annotate (ds, ''platform.annot'') adds gene symbols'];
  [folded, names] = deal (upper_ascii (all_genes), upper_ascii (of_data));
  count = sum (ismember (folded, names));
  if (count > 0)
    hint = ['they differ in upper and lower case alone, as those of man and mouse do: ', turned(all_genes, folded, of_data, names, count)];
  end
  error ('knng:args:sets', 'no gene of the sets, such as ''%s'', is in the data, which has ''%s'': %s', knng.internal.shown (all_genes{1}), ...
         knng.internal.shown (of_data{1}), hint);
end

function texts = upper_ascii (texts)
  texts = cellfun (@(t) char (t - 32 * (t >= 'a' & t <= 'z')), texts(:), 'UniformOutput', false);
end

function t = pairs (in_set, in_cluster, right, genes, sets, labels, opt)
% The result: what is tested and listed, by cluster and p.
  [total, clusters] = size (in_cluster);
  set_size = full (sum (in_set, 2));
  cluster_size = full (sum (in_cluster, 1))';
  listed = find (right);
  [set, cluster, overlap] = find (in_set(right, :) * in_cluster);
  [set, cluster, overlap] = deal (reshape (listed(set), [], 1), cluster(:), overlap(:));
  p = knng.internal.hypergeometric_p (overlap, total, set_size(set), cluster_size(cluster));
  fdr = p;
  last = cumsum ([0; accumarray(cluster, 1, [clusters, 1])]);
  for c = 1:clusters
    at = last(c) + 1:last(c + 1);
    fdr(at) = knng.internal.false_rate (p(at), 1, numel (listed));       % the others share none, and have p 1
  end
  some = find (overlap >= double (opt.MinOverlap) & fdr <= double (opt.MaxFDR));
  [~, order] = sortrows ([cluster(some), p(some), set(some)]);
  some = some(order);
  [set, cluster, overlap] = deal (set(some), cluster(some), overlap(some));
  t = struct ('cluster', {reshape(labels(cluster), [], 1)}, 'set', {reshape(sets.names(set), [], 1)});
  if (~isempty (sets.descriptions))
    t.description = reshape (sets.descriptions(set), [], 1);
  end
  different = unique (set);
  of_file = zeros (numel (set_size), 1);
  of_file(different) = cellfun (@(g) numel (unique (g)), sets.genes(different));
  t.overlap = overlap;
  t.clustersize = cluster_size(cluster);
  t.size = set_size(set);
  t.total = of_file(set);
  t.expected = t.clustersize .* t.size / total;
  t.fold = t.overlap ./ t.expected;
  t.p = p(some);
  t.fdr = fdr(some);
  t.genes = shared_genes (in_set', in_cluster, set, cluster, genes);
end

function texts = shared_genes (in_set, in_cluster, set, cluster, genes)
% What the sets, columns of IN_SET, share with the clusters, joined.
  texts = cell (numel (set), 1);
  genes = strcat (genes, {', '});
  first = [1; find(diff (cluster)) + 1; numel(cluster) + 1];
  for i = 1:(numel (first) - 1) * ~isempty (cluster)
    at = first(i):first(i + 1) - 1;
    inside = find (in_cluster(:, cluster(at(1))));
    [gene, pair] = find (in_set(inside, set(at)));
    pieces = reshape (genes(inside(gene)), [], 1);
    pieces = mat2cell (pieces, accumarray (pair(:), 1, [numel(at), 1]), 1);
    texts(at) = cellfun (@(c) [c{:}], pieces, 'UniformOutput', false);
  end
  texts = cellfun (@(s) s(1:end-2), texts, 'UniformOutput', false);
end

function print_table (t, info)
  fprintf ('%s, %s, %d of %s tested; with fdr < 0.05: %d\n', knng.internal.count_of (info.clusters, 'cluster'), ...
           knng.internal.count_of (info.background, 'gene'), info.tested, knng.internal.count_of (info.sets, 'gene set'), sum (t.fdr < 0.05));
  [~, at] = sort (t.p);
  at = at(1:min (20, numel (at)));
  number = @(v, form) arrayfun (@(x) sprintf (form, x), v(at), 'UniformOutput', false);
  labels = t.cluster;
  if (~iscell (labels))
    labels = arrayfun (@knng.internal.number_text, labels, 'UniformOutput', false);
  end
  knng.internal.print_columns ({'cluster', 'set', 'overlap', 'size', 'expected', 'p', 'fdr', 'genes'}, ...
                               [labels(at), t.set(at), number(t.overlap, '%d'), number(t.size, '%d'), number(t.expected, '%.3g'), ...
                                number(t.p, '%.3g'), number(t.fdr, '%.3g'), t.genes(at)]);
end

%!shared genes, sets
%! genes = {'CD33', 'ZYX', 'CST3', 'CD3D', 'CD3E', 'CD3G', 'MYB', 'TCF3'};
%! sets.names = {'MYELOID', 'T_CELL'};
%! sets.genes = {{'CD33', 'ZYX', 'CST3', 'LYZ'}, {'CD3D', 'CD3E', 'CD3G'}};

%!test  # the example of the help text
%! [t, info] = knng.enrich (genes, [1 1 1 2 2 2 2 3], sets, 'MinSize', 2);
%! assert ([t.cluster, t.overlap, t.clustersize, t.size, t.total], [1 3 3 3 4; 2 3 4 3 3]);
%! assert ([t.p, t.fdr], [1/56 2/56; 4/56 8/56], 1e-15);
%! assert ([t.expected, t.fold], [9/8 8/3; 12/8 2], 1e-15);
%! assert (t.genes, {'CD33, CST3, ZYX'; 'CD3D, CD3E, CD3G'});
%! assert (info, struct ('background', 8, 'clusters', 3, 'sets', 2, 'tested', 2, 'small', 0, 'large', 0, 'missing', 1));
%! text = evalc ('knng.enrich (genes, [1 1 1 2 2 2 2 3], sets, ''MinSize'', 2)');
%! assert (strtok (text, "\n"), '3 clusters, 8 genes, 2 of 2 gene sets tested; with fdr < 0.05: 1');

%!test  # against loops: texts, missing ones, genes twice and in several clusters, every option
%! texts = arrayfun (@(i) sprintf ('G%d', i), ceil (60 * reshape (knng.internal.random (3, 90), [], 1)), 'UniformOutput', false);
%! texts([4 50]) = {'', '---'};
%! texts([7 8]) = {'G1 /// G2', 'G70///G3'};
%! label = arrayfun (@(i) char ('a' + floor (4 * i)), reshape (knng.internal.random (5, 90), [], 1), 'UniformOutput', false);
%! label([9 10]) = {''};
%! s.names = arrayfun (@(i) sprintf ('S%d', i), 1:25, 'UniformOutput', false);
%! s.genes = arrayfun (@(i) arrayfun (@(j) sprintf ('G%d', 1 + mod (i * j * j + j, 75)), 1:2 + mod (7 * i, 19), 'UniformOutput', false), 1:25, ...
%!                     'UniformOutput', false);
%! parts = cellfun (@(x) strtrim (strsplit (x, '///')), texts, 'UniformOutput', false);
%! for background = {'data', 'sets'}
%!   [t, info] = knng.enrich (struct ('X', zeros (90, 2), 'symbols', {texts}), label, s, 'background', background{1}, 'MinSize', 3, 'MaxSize', 12);
%!   every = unique (setdiff ([parts{:}], {'', '---'}));
%!   if (strcmp (background{1}, 'sets'))
%!     every = intersect (every, [s.genes{:}]);
%!   end
%!   N = numel (every);
%!   assert (info.background, N);
%!   listed = 0;
%!   for c = 'abcd'
%!     mine = intersect (every, [parts{strcmp(label, c)}]);
%!     p = ones (25, 1);
%!     tested = false (25, 1);
%!     for i = 1:25
%!       set = intersect (every, s.genes{i});
%!       tested(i) = numel (set) >= 3 && numel (set) <= 12;
%!       both = intersect (set, mine);
%!       p(i) = 0;
%!       for x = numel (both):min (numel (set), numel (mine))
%!         p(i) = p(i) + nchoosek (numel (set), x) / nchoosek (N, numel (mine)) * nchoosek (N - numel (set), numel (mine) - x);
%!       end
%!       at = find (strcmp (t.cluster, c) & strcmp (t.set, s.names{i}));
%!       assert (numel (at), double (tested(i) && ~isempty (both)));
%!       if (~isempty (at))
%!         assert ({t.overlap(at), t.size(at), t.clustersize(at), t.total(at)}, {numel(both), numel(set), numel(mine), numel(unique (s.genes{i}))});
%!         assert (t.genes{at}, strjoin (both, ', '));
%!         assert (t.p(at), p(i), 1e-9 * p(i));
%!         listed = listed + 1;
%!       end
%!     end
%!     q = sort (knng.internal.false_rate (p(tested), 1, sum (tested)));
%!     at = strcmp (t.cluster, c);
%!     assert (issorted (t.p(at)));
%!     assert (sort (t.fdr(at)), q(1:sum (at)), 1e-9);
%!     assert (info.tested, sum (tested));
%!   end
%!   assert (numel (t.p), listed);
%!   u = knng.enrich (texts, label, s, 'background', background{1}, 'MinSize', 3, 'MaxSize', 12, 'MinOverlap', 3, 'MaxFDR', 0.9);
%!   keep = t.overlap >= 3 & t.fdr <= 0.9;
%!   assert (u, structfun (@(v) v(keep), t, 'UniformOutput', false));
%! end

%!test  # some rows alone; a file; no descriptions; nothing shared
%! t = knng.enrich (genes, [5 4 1], sets, 'MinSize', 2);
%! assert ({t.cluster, t.set, t.genes}, {[1; 1], {'T_CELL'; 'MYELOID'}, {'CD3D, CD3E'; 'CD33'}});
%! mark = false (1, 8);
%! mark([5 4 1]) = true;
%! assert (knng.enrich (genes', mark, sets, 'MinSize', 2), t);
%! file = [tempname() '.gmt'];
%! f = fopen (file, 'w');
%! fprintf (f, 'A\tx\tCD33\tMYB\nB\ty\tno\n');
%! fclose (f);
%! gone = onCleanup (@() delete (file));
%! [t, info] = knng.enrich (struct ('X', zeros (8, 1), 'names', {genes}), [1 1 1 1 1 2 2 3], file, 'MinSize', 1);
%! assert ({t.description, t.cluster, info.small, info.missing}, {{'x'; 'x'}, [1; 2], 1, 1});
%! t = knng.enrich (genes, 8, sets, 'MinSize', 2);
%! assert ({size(t.p), size(t.genes), size(t.cluster)}, {[0 1], [0 1], [0 1]});
%! evalc ('knng.enrich (genes, 8, sets, ''MinSize'', 2)');

%!test  # names in another case, of which a few agree: a warning, or an error that does not blame the size
%! n = arrayfun (@(i) sprintf ('Gene%d', i), 1:500, 'UniformOutput', false)';
%! n{500} = 'H19';
%! c = 1 + ((1:500)' <= 40);
%! s.names = {'A', 'B'};
%! s.genes = {[upper(n(1:60)); {'H19'}], upper(n(100:150))};
%! no_set = '^no set has 5 to 500 genes in the data: 111 of 112 genes of the sets \(99.1 %\) are not in the data; 111 of them would be in the ';
%! fail ('knng.enrich (n, c, s)', [no_set, 'other case, as those of man and mouse: give upper \(ds.symbols\), or upper \(ds.names\), in place of ds, or other sets$']);
%! lastwarn ('');
%! [~, info] = knng.enrich (upper (n), c, s);
%! assert ({lastwarn(), info.missing}, {'', 0});
%! warning ('error', 'knng:data:metadata', 'local');
%! fail ('knng.enrich (n, c, s, ''MinSize'', 1)', '^111 of 112 genes .*give upper \(ds.symbols\)');
%! s.genes = {[n(1:60); {'H19'}], n(100:150)};
%! fail ('knng.enrich (upper (n), c, s, ''MinSize'', 1)', 'set sets.genes = cellfun \(@upper,');
%! warning ('off', 'knng:data:metadata', 'local');
%! t = knng.enrich (n(1:499), c(1:499), setfield (s, 'genes', {upper(n(1:60)), n(101)}), 'MinSize', 1);
%! assert (t.set, {'B'});

%!test  # other names altogether; a few rows of many genes, and many sets, are no sign of it
%! n = arrayfun (@(i) sprintf ('%d_at', i), 1:40, 'UniformOutput', false)';
%! s.names = {'A', 'B'};
%! s.genes = {arrayfun(@(i) sprintf ('G%d', i), 1:30, 'UniformOutput', false), n(1:5)};
%! warning ('error', 'knng:data:metadata', 'local');
%! fail ('knng.enrich (n, 1:5, s)', ['^30 of 35 genes of the sets \(85.7 %\) are not in the data; the sets have ''G1'', the data ''10_at'': give ' ...
%!       'the genes of the rows in place of ds, a cell of texts of the kind that the sets have$']);
%! t = knng.enrich (n(1:8), 1:5, s);

%!error id=knng:args:count knng.enrich (genes, 1:8)
%!error id=knng:args:ds knng.enrich (5, 1:8, sets)
%!error id=knng:args:ds knng.enrich ({1, 2}, 1:2, sets)
%!error id=knng:args:ds knng.enrich ({'', '---'}, 1:2, sets)
%!error <there are 3 clusters for 8 rows> knng.enrich (genes, [1 1 2], sets)
%!error <; row 4 is listed twice$> knng.enrich (genes, [4 1 4], sets)
%!error <; 9 is no row from 1 to 8$> knng.enrich (genes, [4 9 4], sets)
%!error <; 0 is no row from 1 to 8$> knng.enrich (genes, uint8 (0), sets)
%!error <; 1.5 is no row from 1 to 8$> knng.enrich (genes, [1 1.5], sets)
%!error <there are 9 clusters for 8 rows: .*; labels of more rows, as before knng.collapse .* that had them$> knng.enrich (genes, [1 1 1 2 2 2 3 3 3], sets)
%!error <there are 9 clusters for 8 rows: .*; labels of more rows> knng.enrich (genes, {'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'b'}, sets)
%!error <there are 2 clusters for 8 rows: .*these are names of rows: give their numbers, as t.row> knng.enrich (genes, {'CD3D', 'MYB'}, sets)
%!error <these are names of rows: give> knng.enrich (genes, 'MYB', sets)
%!error <these are names of rows \('x' is none\): give their numbers> knng.enrich (genes, {'CD3D', 'x', 'MYB'}, sets)
%!error <the numbers of some rows, each once$> knng.enrich (genes, {'a', 'b', 'MYB'}, sets)
%!error <the numbers of some rows, each once$> knng.enrich (genes, {'a', 'b'}, sets)
%!error <^no rows are given: the list of rows is empty> knng.enrich (genes, [], sets)
%!error <give a label for each of the 8 rows> knng.enrich (genes, zeros (0, 1), sets)
%!error id=knng:args:labels knng.enrich (genes, {}, sets)
%!error id=knng:args:labels knng.enrich (genes, NaN (8, 1), sets)
%!error id=knng:args:labels knng.enrich (genes, false (8, 1), sets)
%!error id=knng:args:labels knng.enrich (genes, @sin, sets)
%!error id=knng:args:sets knng.enrich (genes, 1:8, 5)
%!error id=knng:args:sets knng.enrich (genes, 1:8, struct ('names', {{'a'}}, 'genes', {{'b'}}))
%!error id=knng:io:open knng.enrich (genes, 1:8, '/nonexistent/x.gmt')
%!error <no set has 5 to 500 genes in the data: of 2 sets the smallest has 3, the largest 3> knng.enrich (genes, 1:8, sets)
%!error <they differ in upper and lower case alone, .*: give upper \(ds.symbols\), or> knng.enrich (lower (genes), 1:8, sets)
%!error <they differ in upper and lower case alone, .*: set sets.genes = cellfun> knng.enrich (upper (genes), 1:8, setfield (sets, 'genes', cellfun (@lower, sets.genes, 'UniformOutput', false)))
%!error <no gene of the sets, such as 'CD33', is in the data, which has 'x': give> knng.enrich ({'x', 'y'}, 1:2, sets)
%!error id=knng:args:option knng.enrich (genes, 1:8, sets, 'MinSize', 0)
%!error id=knng:args:option knng.enrich (genes, 1:8, sets, 'MinSize', 3, 'MaxSize', 2)
%!error id=knng:args:option knng.enrich (genes, 1:8, sets, 'MaxFDR', 2)
%!error id=knng:args:option knng.enrich (genes, 1:8, sets, 'Background', 'all')
%!error id=knng:args:unknownOption knng.enrich (genes, 1:8, sets, 'Sets', 1)
