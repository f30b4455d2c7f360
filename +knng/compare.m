function t = compare (ds, varargin)
%KNNG.COMPARE  Which rows differ between classes of samples, with p-values.
%   t = knng.compare (ds, classes) tests every row (gene) of a data set: are its
%   values of one class of samples higher than those of the other? The result is
%   a struct of columns, the smallest p-value first.
%   t = knng.compare (ds) takes the classes of the data set, ds.classes.
%   t = knng.compare (..., 'Name', value, ...) takes options.
%   knng.compare (...) without an output prints the first twenty.
%
%     ds       as knng.read returns it, ds.X n-by-d; or a matrix, n-by-d
%     classes  d labels, one for each sample: a cell of texts, numbers,
%              logicals; or the name of what the file says of the samples, such
%              as 'sex', in ds.meta, also of the characteristics of GEO; or []
%              for ds.classes. Samples without one ('', NaN) are left out
%
%   Options:
%
%     'Method'   'welch': Welch's t of two classes, which need not vary alike,
%                and Welch's analysis of variance of more; 'ranks': Mann and
%                Whitney's test (Wilcoxon's rank sum) of two, and Kruskal and
%                Wallis's of more, which ask for order alone, so that outliers
%                do little harm; 'mann-whitney' and 'wilcoxon' are other names
%                of that; default 'welch'
%     'Class'    this class, against all others together; default [], all
%                classes
%     'Against'  against this class alone: the others are left out if 'Class' is
%                given, else they are together what is compared with it; default
%                [], none
%     'Sort'     true: the smallest p first; false: in the order of ds.X, so
%                that row i of t is row i; default true
%
%   Fields of t, of n rows:
%
%     row         the row in ds.X
%     name        its name, a cell
%     symbol      its gene symbol, where ds.symbols has them
%     mean        the means, a column for each class of t.classes
%     count       how many values these are the means of, likewise
%     difference  of two classes: the mean of the second less that of the first.
%                 If X are logarithms to base 2 it is the log2 fold change: 1 is
%                 twice as much
%     highest     of more classes: the name of the one of the highest mean
%     statistic   t, positive where the second class is higher; F of Welch's
%                 analysis of variance; with 'ranks' U of the second class, the
%                 number of pairs of samples in which it is higher (an equal
%                 pair is a half); H of Kruskal and Wallis
%     df          with 'welch': degrees of freedom, of F the second
%     p           two-sided p-value
%     fdr         the smallest false discovery rate at which the row is counted
%                 as found (Benjamini and Hochberg), over all rows that have p
%     classes     1-by-c, the names of the columns of mean and count
%
%   Two classes stand in the order of their labels, so that 'control' comes
%   before 'treated', and 0 before 1. With 'Class', 'A' or 'Against', 'B' the
%   difference is that of A less B, or of what stands for the other.
%
%   Missing values are left out row by row: count says what is left. A class
%   with fewer than two values in a row ('ranks': none), or rows that are
%   constant in all classes ('ranks': altogether; with more than two classes of
%   'welch': in one of them) leave nothing to test: statistic and p are NaN.
%   These rows come last, and are no tests. Where their classes differ all the
%   same, a warning counts them: 'ranks' tests such rows.
%
%   With 'ranks' p of two classes is exact for a row without equal values, both
%   classes of fewer than 50; else a normal approximation with corrections for
%   ties and for continuity. p of more classes is that of chi-squared. These are
%   the rules of wilcox.test and kruskal.test of R.
%
%   The page of knng.explore ranks rows by the analysis of variance of classes
%   that vary alike, so that its p, and the order of its rows, differ from those
%   of 'welch'.
%
%   About choosing: a test of clusters that were made from the same values says
%   nothing, since clusters differ by construction. Classes that come from
%   elsewhere, such as diagnoses, may be compared.
%
%   struct2table (rmfield (t, 'classes')) makes a table of t where there is one.
%
%   Cost: 'welch' O(n*d), 50 000 rows of 300 columns in less than a second;
%   'ranks' O(n*d*log (d)), four seconds. Memory: some 3*n*c numbers.
%
%   Errors: knng:args:labels (not one for each sample, fewer than two classes,
%   or with 'welch' a class of one sample); knng:args:ds; knng:args:option;
%   knng:data:infinite (X has Inf); knng:args:class, :sparse, :complex, :dims,
%   :empty; knng:args:unknownOption, :count.
%
%   Warnings: knng:data:constant (rows that differ between classes of which one,
%   or both of two, have no two different values); knng:data:fill (X has numbers
%   that may stand for missing values, as -9999).
%
%   Sources: B. L. Welch, Biometrika 34 (1947) 28-35, and 38 (1951) 330-336; H.
%   B. Mann, D. R. Whitney, Ann. Math. Stat. 18 (1947) 50-60; W. H. Kruskal, W.
%   A. Wallis, J. Am. Stat. Assoc. 47 (1952) 583-621; Y. Benjamini, Y. Hochberg,
%   J. R. Stat. Soc. B 57 (1995) 289-300.
%
%   Example:
%     root = fileparts (which ('knngraph'));
%     ds = knng.read (fullfile (root, 'examples', 'data', 'golub.nbi.gz'));
%     t = knng.compare (ds);
%     t.classes                           % ALL AML
%     t.name{1}                           % the gene that differs most
%     sum (t.fdr < 0.01)                  % how many differ
%     knng.compare (ds, ds.classes, 'Method', 'ranks')
%
%   See also knng.enrich, knng.write, knng.edges, knng.collapse, knng.heatmap,
%   knng.mutualinfo.

  if (nargin < 1)
    error ('knng:args:count', 'knng.compare needs a data set and the classes of its samples, as in knng.compare (ds, classes): see help knng.compare');
  end
  opt = struct ('Method', 'welch', 'Class', [], 'Against', [], 'Sort', true);
  [X, ds] = matrix_and_set (ds);
  [classes, pairs] = split (varargin, opt, ds);
  opt = knng.internal.options (opt, pairs);
  opt.Method = knng.internal.check_choice ('Method', opt.Method, {'welch', 'ranks', 'mann-whitney', 'wilcoxon'});
  if (~strcmp (opt.Method, 'welch'))
    opt.Method = 'ranks';
  end
  knng.internal.check_flag ('Sort', opt.Sort);
  [code, names] = classes_of (classes, ds);
  check_class ('Class', opt.Class);
  check_class ('Against', opt.Against);
  [code, names] = chosen (code, names, opt);
  check_sizes (code, names, opt.Method);
  knng.internal.check_no_inf (X);

  s = tests (X, code, names, opt.Method);
  warn_apart (s, ds, opt.Method);
  found = columns (s, ds, names, opt);
  if (nargout > 0)
    t = found;
  else
    print_table (found, code, opt.Method);
  end
end

function [classes, pairs] = split (args, opt, ds)
% The classes, [] without, and what follows. A text with a value and any more options behind it is the name of an option; by itself, or
% before whole options, it names classes, unless these are not there and an option is.
  classes = [];
  pairs = args;
  if (isempty (args))
    return
  end
  text = ischar (args{1}) && isrow (args{1});
  if (~text || (mod (numel (args), 2) == 1 && ...
                (isempty (knng.internal.option_name (opt, args{1})) || ~isempty (knng.internal.labels_called (ds, args{1})))))
    classes = args{1};
    pairs = args(2:end);
  end
end

function [X, ds] = matrix_and_set (ds)
  [X, was] = knng.internal.matrix_of (ds);
  if (isempty (was))
    ds = struct ('X', X);
  end
  ds = knng.internal.check_ds (ds);
end

function [code, names] = classes_of (classes, ds)
% The number of the class of each sample, 0 for none, and their names.
  d = size (ds.X, 2);
  if (isnumeric (classes) && isempty (classes))
    classes = ds.classes;
    if (isempty (classes))
      error ('knng:args:labels', 'the data set has no classes: give a label for each sample, as in knng.compare (ds, classes)%s', ...
             [classes_of_meta(ds), classes_of_rows(ds)]);
    end
  end
  if (ischar (classes) && isrow (classes))
    classes = classes_called (classes, ds);
  end
  [code, kinds] = knng.internal.label_codes (classes);
  names = knng.internal.label_texts (kinds)';
  if (numel (code) ~= d)
    also = '';
    if (numel (code) == size (ds.X, 1))
      also = ['. If the rows are the samples, give ', knng.internal.turned(ds)];
    end
    error ('knng:args:labels', '%s for the %s of X: give one for each sample%s', ...
           knng.internal.there_are (numel (code), 'class', 'classes'), knng.internal.count_of (d, 'column'), also);
  end
end

function classes = classes_called (name, ds)
% What the file says of the samples, by its name.
  [classes, names] = knng.internal.labels_called (ds, name);
  if (~isempty (classes))
    return
  end
  known = '; give a label for each sample, as in knng.compare (ds, classes)';
  if (~isempty (names))
    list = cellfun (@(t) [', ''', knng.internal.shown(t), ''''], names(1:min (end, 10)), 'UniformOutput', false);
    list = [list{:}, repmat(', ...', 1, numel (names) > 10)];
    known = [': it has ', list(3:end), known];
  end
  error ('knng:args:labels', 'the classes are ''%s'', and the data set says nothing of that name of its samples%s%s', knng.internal.shown (name), ...
         knng.internal.meant (knng.internal.similar_names (names, name)), known);
end

function text = classes_of_meta (ds)
% What the file says of the samples may divide them.
  text = '';
  pairs = knng.internal.known_of_samples (ds, Inf);
  for i = 1:size (pairs, 1)
    if (iscell (pairs{i, 2}))
      text = sprintf (', perhaps knng.compare (ds, ''%s'')', strrep (pairs{i, 1}, '''', ''''''));
      return
    end
  end
end

function text = classes_of_rows (ds)
% Where a column of texts beside the rows divides them, they may be the samples, if they have no gene symbols.
  text = '';
  for field = fieldnames (ds.annotation)'
    column = ds.annotation.(field{1});
    if (iscellstr (column) && size (column, 2) == 1 && isempty (knng.internal.symbols_of (ds)))
      known = column(~cellfun ('isempty', column));
      kinds = numel (unique (known));
      if (kinds > 1 && kinds <= numel (known) / 2)
        text = sprintf ('. If the rows are the samples, and ds.annotation.%s has their classes: knng.compare (%s, ds.annotation.%s)', field{1}, ...
                        knng.internal.turned (ds), field{1});
        return
      end
    end
  end
end

function check_class (name, value)
  text = ischar (value) && ndims (value) == 2 && size (value, 1) == 1;
  number = (isnumeric (value) || islogical (value)) && isreal (value) && (numel (value) == 1 || isequal (size (value), [0 0]));
  if (~text && ~number)
    error ('knng:args:option', '''%s'' is %s: it must be the label of one class, or []', name, knng.internal.given (value));
  end
end

function [code, names] = chosen (code, names, opt)
% As 'Class' and 'Against' have it: what is compared with becomes class 1, the other class 2.
  class = number_of ('Class', opt.Class, names);
  against = number_of ('Against', opt.Against, names);
  if (class == 0 && against == 0)
    return
  elseif (class == against)
    error ('knng:args:option', '''Against'' is the class of ''Class'': it must be another');
  end
  was = code;
  code = zeros (size (was));
  code(was > 0 & class == 0) = 2;
  code(was > 0 & against == 0) = 1;
  code(was == class & class > 0) = 2;
  code(was == against & against > 0) = 1;
  rest = {'others'};
  both = [rest, names];
  names = both([against, class] + 1);
end

function number = number_of (option, value, names)
% Of the class that an option names; 0 without it.
  number = 0;
  if (isempty (value))
    return
  end
  text = value;
  if (~ischar (value))
    text = knng.internal.number_text (full (value));
  end
  number = find (strcmp (names, text), 1);
  if (isempty (number))
    list = cellfun (@(t) [', ''', knng.internal.shown(t), ''''], names(1:min (end, 10)), 'UniformOutput', false);
    list = [list{:}, repmat(', ...', 1, numel (names) > 10), repmat(', none', 1, isempty (names))];
    error ('knng:args:option', '''%s'' is %s%s: it must be one of the classes, %s', option, knng.internal.given (value), ...
           knng.internal.meant (knng.internal.similar_names (names(:), text)), list(3:end));
  end
end

function check_sizes (code, names, method)
  count = accumarray (code(code > 0), 1, [numel(names), 1]);
  if (sum (count > 0) < 2)
    if (~any (code > 0))
      error ('knng:args:labels', 'no sample has a class, all are '''' or NaN: give two classes or more');
    end
    error ('knng:args:labels', 'all samples with a class are of one, ''%s'': give two classes or more', ...
           knng.internal.shown (names{find (count > 0, 1)}));
  end
  lone = find (count == 1, 1);
  if (strcmp (method, 'welch') && ~isempty (lone))
    error ('knng:args:labels', ['the class ''%s'' has one sample, and ''welch'' needs two or more of each: make it '''' (a number: NaN), ' ...
           'or give ''Method'', ''ranks'''], knng.internal.shown (names{lone}));
  end
end

% ---- the tests ----

function s = tests (X, code, names, method)
% count, mean, statistic, df and p of all rows, a part of them at a time.
  [n, d] = size (X);
  kinds = numel (names);
  [s.count, s.mean] = deal (zeros (n, kinds));
  [s.statistic, s.df, s.p] = deal (NaN (n, 1));
  used = find (code > 0);
  code = code(used);
  step = max (1, floor (5e5 / d));
  exact = zeros (n, 1);
  for first = 1:step:n
    at = first:min (first + step - 1, n);
    Y = X(at, used);
    [s.count(at, :), s.mean(at, :), spread] = knng.internal.class_moments (Y, code, kinds);
    if (strcmp (method, 'ranks'))
      [s.statistic(at), s.p(at), exact(at)] = by_ranks (double (Y), code, s.count(at, :));
    elseif (kinds == 2)
      [s.statistic(at), s.df(at), s.p(at)] = welch_t (s.count(at, :), s.mean(at, :), spread);
    else
      [s.statistic(at), s.df(at), s.p(at)] = welch_anova (s.count(at, :), s.mean(at, :), spread);
    end
  end
  if (any (exact))
    at = find (exact);
    s.p(at) = knng.internal.ranksum_p (s.statistic(at), s.count(at, 1), s.count(at, 2));
  end
end

function [t, df, p] = welch_t (count, means, spread)
  error_of = spread ./ sqrt (count);
  total = hypot (error_of(:, 1), error_of(:, 2));
  total(total == 0) = NaN;
  t = (means(:, 2) / 2 - means(:, 1) / 2) ./ (total / 2);    % which stays finite
  share = bsxfun (@rdivide, error_of, total) .^ 2;
  df = 1 ./ sum (share .^ 2 ./ (count - 1), 2);
  p = tail_of_f (t .^ 2, 1, df);
  [t, df] = deal (with_p (t, p), with_p (df, p));
end

function [f, df, p] = welch_anova (count, means, spread)
  kinds = size (count, 2);
  scale = max (spread, [], 2);
  w = count ./ bsxfun (@rdivide, spread, scale) .^ 2;
  w(any (spread == 0, 2), :) = NaN;
  total = sum (w, 2);
  scaled = bsxfun (@rdivide, means, scale);
  middle = sum (w .* scaled, 2) ./ total;
  off = bsxfun (@minus, scaled, middle);
  rest = sum ((1 - bsxfun (@rdivide, w, total)) .^ 2 ./ (count - 1), 2) / (kinds ^ 2 - 1);
  f = sum (w .* off .^ 2, 2) / (kinds - 1) ./ (1 + 2 * (kinds - 2) * rest);
  df = 1 ./ (3 * rest);
  p = tail_of_f (f, kinds - 1, df);
  [f, df] = deal (with_p (f, p), with_p (df, p));
end

function p = tail_of_f (f, df1, df2)
% How often F is so large by chance; of t, F = t^2 with one degree of freedom.
  p = NaN (size (f));
  some = ~isnan (f) & df2 > 0 & df2 < Inf;
  p(some) = betainc (df2(some) ./ (df2(some) + df1 * f(some)), df2(some) / 2, df1 / 2 * ones (size (f(some))));
end

function v = with_p (v, p)
  v(isnan (p)) = NaN;
end

function [statistic, p, exact] = by_ranks (X, code, count)
% U of the second of two classes, and where p has to be found exactly; H of more.
  kinds = size (count, 2);
  [R, ties] = knng.internal.ranks (X);
  total = sum (count, 2);
  R = bsxfun (@minus, R, (total + 1) / 2);                   % of mean 0: no digit is lost
  R(isnan (R)) = 0;
  sums = R * sparse (1:numel (code), code, 1, numel (code), kinds);
  fine = all (count > 0, 2) & ties < total .^ 3 - total;
  if (kinds == 2)
    half = prod (count, 2) / 2;
    statistic = sums(:, 2) + half;
    sigma = sqrt (half / 6 .* (total + 1 - ties ./ (total .* max (total - 1, 1))));
    p = min (1, erfc (max (abs (sums(:, 2)) - 0.5, 0) ./ sigma / sqrt (2)));
    exact = fine & ties == 0 & all (count < 50, 2);
  else
    % 12 / (N^3 - N) is one over the variance of ranks without ties, (N^3 - N - ties) / 12 over N - 1
    statistic = 12 * (total - 1) .* sum (sums .^ 2 ./ max (count, 1), 2) ./ max (total .^ 3 - total - ties, 1);
    p = gammainc (statistic / 2, (kinds - 1) / 2 * ones (size (statistic)), 'upper');
    exact = false (size (p));
  end
  statistic(~fine) = NaN;
  p(~fine) = NaN;
end

function warn_apart (s, ds, method)
% Rows that 'welch' cannot test though their classes differ: perfect markers may be among them.
  apart = strcmp (method, 'welch') & isnan (s.p) & all (s.count > 1, 2) & max (s.mean, [], 2) > min (s.mean, [], 2);
  many = sum (apart);
  if (many > 0)
    words = {'have', 'their', 'them, which stand', 'them'; 'has', 'its', 'it, which stands', 'it'};
    words = words(1 + (many == 1), :);
    first = find (apart, 1);
    warning ('knng:data:constant', ['%s %s no two different values in a class though %s classes differ (%srow %d, ''%s''): ''welch'' has ' ...
             'no p for %s last; give ''Method'', ''ranks'' to test %s'], knng.internal.count_of (many, 'row'), words{1:2}, ...
             repmat ('first ', 1, many > 1), first, knng.internal.shown (ds.names{first}), words{3:4});
  end
end

% ---- the result ----

function t = columns (s, ds, names, opt)
  n = size (ds.X, 1);
  order = (1:n)';
  if (opt.Sort)
    strength = abs (s.statistic);
    if (strcmp (opt.Method, 'ranks') && numel (names) == 2)
      strength = abs (s.statistic - prod (s.count, 2) / 2);
    end
    [~, order] = sortrows ([s.p, -strength, order]);         % NaN last
  end
  t = struct ('row', order, 'name', {ds.names(order)});
  symbols = knng.internal.symbols_of (ds);
  if (~isempty (symbols))
    t.symbol = symbols(order);
  end
  t.mean = s.mean(order, :);
  t.count = s.count(order, :);
  if (numel (names) == 2)
    t.difference = t.mean(:, 2) - t.mean(:, 1);
  else
    [top, highest] = max (t.mean, [], 2);
    t.highest = reshape (names(highest), [], 1);
    t.highest(isnan (top)) = {''};
  end
  t.statistic = s.statistic(order);
  if (strcmp (opt.Method, 'welch'))
    t.df = s.df(order);
  end
  t.p = s.p(order);
  t.fdr = knng.internal.false_rate (t.p, 1, sum (~isnan (t.p)));
  t.classes = names;
end

function print_table (t, code, method)
  kinds = numel (t.classes);
  names = struct ('welch', {{'Welch''s t', 'Welch''s analysis of variance'}}, 'ranks', {{'Mann-Whitney', 'Kruskal-Wallis'}});
  shown = cellfun (@knng.internal.shown, t.classes, 'UniformOutput', false);
  sizes = accumarray (code(code > 0), 1, [kinds, 1]);
  list = cell (1, kinds);
  for c = 1:kinds
    list{c} = sprintf ('%s (%d)', shown{c}, sizes(c));
  end
  joint = ', ';
  if (kinds == 2)
    list = list([2 1]);
    joint = ' against ';
  end
  fprintf ('%s: %s; %d of %s with fdr < 0.05\n', names(1).(method){1 + (kinds > 2)}, strjoin (list, joint), sum (t.fdr < 0.05), ...
           knng.internal.count_of (numel (t.p), 'row'));
  heads = {'row', 'name'};
  at = 1:min (20, numel (t.p));
  cells = [arrayfun(@(v) sprintf ('%d', v), t.row(at), 'UniformOutput', false), t.name(at)];
  if (isfield (t, 'symbol'))
    heads{end + 1} = 'symbol';
    cells = [cells, t.symbol(at)];
  end
  for c = 1:min (kinds, 6)
    heads{end + 1} = ['mean ', shown{c}]; %#ok<AGROW>
    cells = [cells, arrayfun(@(v) sprintf ('%.4g', v), t.mean(at, c), 'UniformOutput', false)]; %#ok<AGROW>
  end
  if (kinds == 2)
    heads{end + 1} = 'difference';
    cells = [cells, arrayfun(@(v) sprintf ('%.4g', v), t.difference(at), 'UniformOutput', false)];
  else
    heads{end + 1} = 'highest';
    cells = [cells, t.highest(at)];
  end
  for field = {'p', 'fdr'}
    heads{end + 1} = field{1}; %#ok<AGROW>
    cells = [cells, arrayfun(@(v) sprintf ('%.3g', v), t.(field{1})(at), 'UniformOutput', false)]; %#ok<AGROW>
  end
  knng.internal.print_columns (heads, cells);
end

%!shared sleep, sleeper, plants, plant, gaps
%! sleep = [0.7 -1.6 -0.2 -1.2 -0.1 3.4 3.7 0.8 0 2, 1.9 0.8 1.1 0.1 -0.1 4.4 5.5 1.6 4.6 3.4];      # data of R
%! sleeper = [ones(1, 10), 2 * ones(1, 10)];
%! plants = [4.17 5.58 5.18 6.11 4.50 4.61 5.17 4.53 5.33 5.14, 4.81 4.17 4.41 3.59 5.87 3.83 6.03 4.89 4.32 4.69, ...
%!           6.31 5.12 5.54 5.50 5.37 5.29 4.92 6.15 5.80 5.26];
%! plant = [repmat({'ctrl'}, 1, 10), repmat({'trt1'}, 1, 10), repmat({'trt2'}, 1, 10)];
%! gaps = struct ('X', [1 2 NaN 4 9 8; NaN NaN 3 4 NaN 7; 5 5 5 5 5 5; 1 1 1 2 2 2; 3 NaN NaN 1 2 4; 6 1 2 9 4 5], ...
%!                'names', {{'a', 'b', 'c', 'd', 'e', 'f'}}, 'classes', {{'x', 'x', 'x', 'y', 'y', 'y'}});

%!test  # what R prints of t.test, wilcox.test, oneway.test, kruskal.test, as its pages have it
%! near = @(v, text) assert (v, str2double (text), 0.5001 * 10 ^ -(numel (text) - find (text == '.')));
%! t = knng.compare (sleep, sleeper);
%! near (t.statistic, '1.8608'); near (t.df, '17.776'); near (t.p, '0.07939');
%! assert ([t.mean, t.difference], [0.75 2.33 1.58], 1e-14);
%! t = knng.compare (sleep, sleeper, 'Method', 'ranks');                  # with ties
%! assert (t.statistic, 100 - 25.5);
%! near (t.p, '0.06933');
%! t = knng.compare (plants, plant);
%! near (t.statistic, '5.181'); near (t.df, '17.128'); near (t.p, '0.01739');
%! assert (t.classes, {'ctrl', 'trt1', 'trt2'});
%! assert (t.highest, {'trt2'});
%! t = knng.compare (plants, plant, 'method', 'RANKS');
%! near (t.statistic, '7.9882'); near (t.p, '0.01842');
%! t = knng.compare (plants, plant, 'Class', 'ctrl', 'Against', 'trt1', 'Method', 'ranks');
%! assert (t.statistic, 67.5);
%! near (t.p, '0.1986');
%! chorion = [.80 .83 1.89 1.04 1.45 1.38 1.91 1.64 .73 1.46, 1.15 .88 .90 .74 1.21];
%! assert (isequal (knng.compare (chorion, [ones(1, 10), zeros(1, 5)], 'Method', 'Mann-Whitney'), knng.compare (chorion, [ones(1, 10), zeros(1, 5)], 'Method', 'ranks')));
%! t = knng.compare (chorion, [ones(1, 10), zeros(1, 5)], 'Method', 'ranks');
%! assert (t.statistic, 35);
%! near (t.p / 2, '0.1272');
%! cilia = [2.9 3 2.5 2.6 3.2 3.8 2.7 4 2.4 2.8 3.4 3.7 2.2 2];
%! t = knng.compare (cilia, [1 1 1 1 1 2 2 2 2 3 3 3 3 3], 'Method', 'ranks');
%! near (t.statistic, '0.77143'); near (t.p, '0.68');

%!test  # zyxin of Golub et al., as multtest of Bioconductor has it; the example of the help text
%! ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'golub.nbi.gz'));
%! t = knng.compare (ds);
%! assert (t.name{1}, 'X95735_at');
%! assert ({t.row(1), t.classes}, {2124, {'0', '1'}});
%! assert (t.statistic(1), 10.5777, 1e-4);
%! assert (issorted (t.p));
%! assert (sum (t.fdr < 0.05), 695);
%! assert (sum (getfield (knng.compare (ds, [], 'Method', 'ranks'), 'fdr') < 0.05), 679);

%!test  # Welch's formulas in loops, p from the density of t; gaps as if the samples were not there
%! X = mod ((1:40)' * (1:13) .^ 2 * 0.618, 1);
%! X(X < 0.1) = NaN;
%! code = [2 1 2 0 1 1 2 1 2 2 1 1 2];
%! t = knng.compare (X, code ./ (code > 0), 'Sort', false);
%! for i = 1:40
%!   [x, y] = deal (X(i, code == 1 & ~isnan (X(i, :))), X(i, code == 2 & ~isnan (X(i, :))));
%!   assert (t.count(i, :), [numel(x), numel(y)]);
%!   [a, b] = deal (var (x) / numel (x), var (y) / numel (y));
%!   v = (mean (y) - mean (x)) / sqrt (a + b);
%!   df = (a + b) ^ 2 / (a ^ 2 / (numel (x) - 1) + b ^ 2 / (numel (y) - 1));
%!   density = @(z) gamma ((df + 1) / 2) / (sqrt (df * pi) * gamma (df / 2)) * (1 + z .^ 2 / df) .^ (-(df + 1) / 2);
%!   assert ([t.statistic(i), t.df(i)], [v, df], 1e-12 * [abs(v) + 1, df]);
%!   assert (t.p(i), 2 * quadgk (density, abs (v), Inf, 'RelTol', 1e-12, 'AbsTol', 0), 1e-9);
%! end
%! assert (t.row, (1:40)');
%! for method = {'welch', 'ranks'}
%!   for three = [false true]
%!     label = 1 + mod (0:12, 2 + three);
%!     t = knng.compare (X, label, 'Method', method{1}, 'Sort', 0);
%!     for i = 1:40
%!       known = ~isnan (X(i, :));
%!       one = knng.compare (X(i, known), label(known), 'Method', method{1});
%!       assert ([t.statistic(i), t.p(i), t.mean(i, :)], [one.statistic, one.p, one.mean], 1e-12);
%!     end
%!   end
%! end

%!test  # what may not matter: the order of samples, level and scale, for ranks any increasing map; large and small values
%! X = round (50 * mod ((1:30)' * (1:17) .^ 2 * 0.618, 1)) / 8;
%! p = [5 17 2 9 1 12 3 16 8 4 14 7 11 6 15 10 13];
%! for kinds = 2:4
%!   code = 1 + mod (0:16, kinds);
%!   for method = {'welch', 'ranks'}
%!     t = knng.compare (X, code, 'Method', method{1}, 'Sort', false);
%!     maps = {@(x) x(:, p), p; @(x) 1e290 * x, 1:17; @(x) 1e-300 * x, 1:17; @(x) 3 * x - 70, 1:17; @(x) x .^ 3, 1:17};
%!     for m = 1:size (maps, 1) - strcmp (method{1}, 'welch')
%!       u = knng.compare (maps{m, 1}(X), code(maps{m, 2}), 'Method', method{1}, 'Sort', false);
%!       assert ([u.statistic, u.p], [t.statistic, t.p], 1e-9);
%!     end
%!     u = knng.compare (X, kinds - code, 'Method', method{1}, 'Sort', false);      # classes the other way round
%!     assert (u.p, t.p, 1e-12);
%!     if (kinds == 2 && strcmp (method{1}, 'welch'))
%!       assert (u.statistic, -t.statistic, 1e-12);
%!       assert (u.difference, -t.difference, 1e-12);
%!     elseif (kinds == 2)
%!       assert (u.statistic, prod (t.count, 2) - t.statistic, 1e-12);
%!     end
%!   end
%! end

%!test  # one class against the others is two labels; against one class
%! X = mod ((1:9)' * (1:12) .^ 2 * 0.618, 1);
%! label = {'a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c', '', 'b', 'b'};
%! t = knng.compare (X, label, 'Class', 'b');
%! assert (t.classes, {'others', 'b'});
%! labelled = ~strcmp (label, '');
%! want = knng.compare (X(:, labelled), strcmp (label(labelled), 'b'));
%! assert (rmfield (t, 'classes'), rmfield (want, 'classes'));
%! u = knng.compare (X, label, 'Against', 'b');
%! assert ({u.classes, u.p, u.difference}, {{'b', 'others'}, t.p, -t.difference});
%! u = knng.compare (X, label, 'cl', 'c', 'Against', 'a');
%! assert (u.classes, {'a', 'c'});
%! ac = ismember (label, {'a', 'c'});
%! assert (u.statistic, getfield (knng.compare (X(:, ac), label(ac)), 'statistic'));
%! u = knng.compare (X, [1 2 3 1 2 3 1 2 3 NaN 2 2], 'Class', int8 (3), 'Against', 1);
%! assert ({u.classes, u.p}, {{'1', '3'}, getfield(knng.compare (X(:, ac), label(ac)), 'p')});

%!test  # rows in which nothing can be tested; names, symbols, order
%! ds = gaps;
%! ds.symbols = {'A', 'B', 'C', 'D', 'E', 'F'};
%! t = knng.compare (ds);
%! assert (t.name(1:2), {'a'; 'f'});
%! assert (t.symbol, upper (t.name));
%! assert (isnan (t.p)', logical ([0 0 1 1 1 1]));
%! assert (t.row(3:6)', 2:5);
%! assert (isnan (t.fdr), isnan (t.p));
%! assert (t.fdr(1:2), [min(2 * t.p(1), t.p(2)); t.p(2)], 1e-15);
%! assert (t.count(3:6, :), [1 2; 3 3; 3 3; 1 3]);
%! assert (t.mean(3:4, :), [3 5.5; 5 5]);
%! t = knng.compare (ds, [], 'Method', 'ranks', 'Sort', false);
%! assert (isnan (t.p)', logical ([0 0 1 0 0 0]));
%! assert (t.p([2 5])', [2/3, 1], 1e-15);
%! t = knng.compare (single (ds.X), [1 1 2 2 3 3], 'Method', 'ranks', 'Sort', false);
%! assert (isnan (t.p)', logical ([0 1 1 0 0 0]));
%! assert ({t.highest{2}, class(t.mean)}, {'3', 'double'});
%! t = knng.compare ([1e300 1e300 1e-300 0], [1 1 2 2]);
%! assert ([t.p, t.difference], [NaN -1e300]);
%! t = knng.compare ([1e300 2e300 -1e300 -1.5e300], [1 1 2 2]);
%! assert ([t.statistic, t.p], cellfun (@(f) getfield (knng.compare ([1 2 -1 -1.5], [1 1 2 2]), f), {'statistic', 'p'}), 1e-14);

%!test  # the table
%! warning ('off', 'knng:data:constant', 'local');                # evalc has it, too
%! text = evalc ('knng.compare (gaps)');
%! lines = strsplit (strtrim (text), "\n");
%! assert (lines{1}, 'Welch''s t: y (3) against x (3); 0 of 6 rows with fdr < 0.05');
%! assert (numel (lines), 8);
%! assert (strsplit (strtrim (lines{2}), ' '), {'row', 'name', 'mean', 'x', 'mean', 'y', 'difference', 'p', 'fdr'});

%!test  # classes by their name in the file, with options and without; 'Method' is an option
%! ds = struct ('X', [1 2 3 5; 4 4 1 2; 7 5 6 9], 'classes', [1 2 1 2]);
%! ds.meta = struct ('format', 'geo', 'Sample_characteristics_ch1', {{'sex: f', 'sex: f', 'sex: m', 'sex: m'; 'dose: a', 'dose: b', 'dose: b', 'dose: a'}});
%! assert (knng.compare (ds, 'Sex'), knng.compare (ds, {'f', 'f', 'm', 'm'}));
%! assert (knng.compare (ds, 'dose', 'Method', 'ranks', 'Class', 'b'), knng.compare (ds, {'a', 'b', 'b', 'a'}, 'Method', 'ranks', 'Class', 'b'));
%! assert (knng.compare (ds, 'class'), knng.compare (ds));
%! assert (knng.compare (ds, 'Method', 'ranks'), knng.compare (ds, ds.classes, 'Method', 'ranks'));
%! fail ('knng.compare (ds, ''sexe'')', 'says nothing of that name of its samples \(did you mean ''sex''\?\): it has ''class'', ''sex'', ''dose''; give');
%! fail ('knng.compare (ds, ''Method'')', 'the option ''Method'' has no value');
%! fail ('knng.compare (ds, ''dosis'', 1)', 'there is no option ''dosis''');
%!error id=knng:args:labels knng.compare (magic (4), reshape ('auto', 1, 2, 2))
%!error <the classes are 'sex', and the data set says nothing of that name of its samples; give a label for each> knng.compare (magic (4), 'sex')

%!error id=knng:args:count knng.compare ()
%!error id=knng:args:ds knng.compare (struct ('Y', 1), [1 2])
%!error <there are 2 classes for the 6 columns of X: give one for each sample> knng.compare (gaps, [1 2])
%!error <If the rows are the samples, give X'> knng.compare (ones (4, 3), [1 1 2 2])
%!test  # that remedy, where samples lack a characteristic, so that rows of the file mix them, and with a quote in its name
%! ds = struct ('X', [1 2 4 7 5 3; 9 8 1 2 5 6], 'meta', struct ('format', 'geo'));
%! ds.meta.Sample_characteristics_ch1 = {'it''s: a', 'it''s: a', 'dose: x', 'it''s: b', 'it''s: b', 'dose: x'; 'dose: x', 'dose: y', '', 'dose: x', 'dose: y', ''};
%! fail ('knng.compare (ds)', 'perhaps knng.compare \(ds, ''it''''s''\)$');
%! t = knng.compare (ds, 'it''s');
%! assert (t.classes, {'a', 'b'});
%!error <perhaps knng.compare \(ds, 'told'\)> knng.compare (struct ('X', ones (2, 4), 'meta', struct ('ids', {{'a', 'b', 'c', 'd'}}, 'told', {{'x', 'x', 'x', 'x'; 'f', 'f', 'm', 'm'}})))
%!error <as in knng.compare \(ds, classes\)$> knng.compare (struct ('X', ones (2, 4), 'meta', struct ('ids', {{'a', 'b', 'c', 'd'}})))
%!error id=knng:args:labels knng.compare (rmfield (gaps, 'classes'))
%!test  # samples in rows, as of a table with a line for each
%! ds = struct ('X', [1 7; 2 7.5; 8 7; 9 8], 'names', {{'s1', 's2', 's3', 's4'}}, 'samples', {{'g1', 'g2'}}, ...
%!              'annotation', struct ('id', {{'p'; 'q'; 'r'; 's'}}, 'group', {{'x'; 'x'; 'y'; 'y'}}));
%! try
%!   knng.compare (ds);
%!   said = '';
%! catch err
%!   said = err.message;
%! end
%! call = regexp (said, ': (knng.compare .struct .*ds.annotation.group.)$', 'tokens', 'once');
%! t = eval ([call{1}, ';']);
%! assert ({t.name, t.classes, t.mean(1, :)}, {{'g1'; 'g2'}, {'x', 'y'}, [1.5 8.5]});
%! fail ('knng.compare (ds, ds.annotation.group)', 'If the rows are the samples, give struct \(''X'', ds.X''');
%! fail ('knng.compare (setfield (ds, ''symbols'', {''a'', ''b'', ''c'', ''d''}))', 'as in knng.compare \(ds, classes\)$');    # genes
%! fail ('knng.compare (rmfield (ds, ''annotation''))', 'as in knng.compare \(ds, classes\)$');
%!error id=knng:args:labels knng.compare (gaps, @sin)
%!error <all samples with a class are of one, '1'> knng.compare (gaps, ones (1, 6))
%!error <no sample has a class> knng.compare (gaps, NaN (1, 6))
%!test
%! warning ('error', 'knng:data:constant', 'local');
%! X = [0 0 0 0 7 9; 1 2 3 4 5 7; 5 5 5 5 5 5; 1 1 2 2 3 3];
%! fail ('knng.compare (X, [1 1 2 2 3 3])', '^2 rows have .* their classes differ \(first row 1, .* for them, which stand last; .* test them$');
%! fail ('knng.compare ([1 2 3 4; 0 0 1 1], [1 1 2 2])', '^1 row has .* its classes differ \(row 2, .* for it, which stands last; .* test it$');
%! t = knng.compare (X, [1 1 2 2 3 3], 'Method', 'ranks');
%! assert (t.row(4), 3);
%! t = knng.compare (X(3, :), [1 1 2 2 3 3]);
%!error <the class '2' has one sample> knng.compare (gaps, [1 1 1 1 1 2])
%!error <'Class' is 'X' \(did you mean 'x'\?\): it must be one of the classes, 'x', 'y'> knng.compare (gaps, [], 'Class', 'X')
%!error id=knng:args:option knng.compare (gaps, [], 'Class', 'x', 'Against', 'x')
%!error id=knng:args:option knng.compare (gaps, [], 'Class', {'x'})
%!error <'Method' is 't': it must be 'welch', 'ranks', 'mann-whitney' or 'wilcoxon'> knng.compare (gaps, [], 'Method', 't')
%!error id=knng:args:option knng.compare (gaps, [], 'Sort', 'p')
%!error id=knng:args:labels knng.compare (gaps, 'x')
%!error id=knng:args:unknownOption knng.compare (gaps, 'x', 2)
%!error id=knng:data:infinite knng.compare ([1 2 Inf], [1 1 2], 'Method', 'ranks')
%!error id=knng:args:class knng.compare ('abc', [1 1 2])
