function [Z, info, rows, group] = collapse (X, groups, varargin)
%KNNG.COLLAPSE  One row for all rows of a group: the probes of a gene.
%   Z = knng.collapse (X, groups) keeps of each group of rows of the n-by-d
%   matrix X the one of the largest variance. groups are n labels, such as gene
%   symbols: a cell of texts, a char matrix, or numbers.
%   ds = knng.collapse (ds, groups) does so with a data set as knng.read returns
%   it: ds.names become the labels; samples and classes stay as they are.
%   ds.history, a column of texts, gets one that says what was done.
%   [Z, info, rows, group] = knng.collapse (...) also says what was done, and
%   which row stands for which group.
%   [...] = knng.collapse (..., 'Name', value, ...) takes options.
%
%   Options:
%
%     'Method'         'maxvariance': the row of the largest variance;
%                      'maxmean': the one of the largest mean; 'mean', 'median':
%                      of the rows, column by column, of what is there; default
%                      'maxvariance'
%     'FewestMissing'  with 'maxvariance' and 'maxmean': only rows that miss the
%                      fewest values of their group are considered; default true
%
%   Groups stand in the order of their first rows. Z is g-by-d, of the class of
%   X. Rows without a label ('', blanks, NaN) are left out, and info counts
%   them; so are those whose label begins with --, by which GEO ('--Control')
%   and Affymetrix ('---') mark probes of no gene. Other labels count as they
%   are: a probe of several genes, such as 'DDR1 /// MIR4640', is a group of its
%   own; give it '' to leave it out. Variance and mean are those of what is
%   there, not of NaN; of equal ones the first row counts.
%
%   A mean of rows has less noise, if all measure the same; probes of one gene
%   often do not (other transcripts, cross-hybridization), and then the one of
%   the largest variance says more. The variance wants logarithms first: of raw
%   values the largest variance is about the largest mean. Symbols, annotation
%   and other fields of ds that have an element for each row are those of the
%   rows that stand for groups. Where a file has symbols, knng.collapse (ds,
%   ds.symbols) makes genes of probes.
%
%   Results:
%
%     rows   g-by-1, the row of X that stands for each group; with 'mean' and
%            'median' the first of its rows. So groups(rows) are the labels of Z
%     group  n-by-1, the row of Z of each row of X; NaN without a label
%
%   Fields of info:
%
%     groups   how many there are, the rows of Z
%     several  how many groups have more than one row
%     largest  how many rows the largest group has
%     left     how many rows are left out
%     method   as it was used
%
%   Cost: O(n*d), 54 675 rows of 128 columns in a second or two. Memory: four
%   times X.
%
%   Errors: knng:args:labels (not one for each row, or none at all);
%   knng:args:option; knng:data:infinite (X has Inf); knng:args:ds;
%   knng:args:class, :sparse, :complex, :dims, :empty; knng:args:unknownOption,
%   :count. Warning: knng:data:fill (X has numbers that may stand for missing
%   values, as -9999).
%
%   Source: J. A. Miller et al., Strategies for aggregating gene expression
%   data: the collapseRows R function, BMC Bioinformatics 12:322 (2011).
%
%   Example:
%     ds.X = [1 1 2; 5 1 9; 3 3 3; 4 NaN 6];
%     ds.names = {'p1', 'p2', 'p3', 'p4'};
%     platform.probe = {'p2', 'p1', 'p4'};     % or a file: see knng.annotate
%     platform.symbol = {'ZYX', 'ZYX', 'MYB'};
%     ds = knng.annotate (ds, platform);  % ds.symbols: ZYX, ZYX, '', MYB
%     [es, info, rows] = knng.collapse (ds, ds.symbols);
%     es.names'                           % ZYX MYB
%     es.X                                % [5 1 9; 4 NaN 6]
%     ds.names(rows)                      % p2 p4
%
%   See also knng.annotate, knng.filterrows, knng.normalize, knng.read,
%   knng.duplicates.

  if (nargin < 2)
    error ('knng:args:count', ['knng.collapse needs a matrix or a data set, and a label for each row, as in ' ...
           'knng.collapse (ds, symbols): see help knng.collapse']);
  end
  opt = knng.internal.options (struct ('Method', 'maxvariance', 'FewestMissing', true), varargin);
  [X, ds] = knng.internal.matrix_of (X);
  opt.Method = knng.internal.check_choice ('Method', opt.Method, {'maxvariance', 'maxmean', 'mean', 'median'});
  knng.internal.check_flag ('FewestMissing', opt.FewestMissing);
  [code, names] = in_order (groups, X);
  knng.internal.check_no_inf (X);
  count = accumarray (code(code > 0), 1, [numel(names), 1]);
  [rows, Z] = merge (X, code, count, opt);
  group = code;
  group(code == 0) = NaN;
  info = struct ('groups', numel (count), 'several', sum (count > 1), 'largest', max (count), 'left', sum (code == 0), ...
                 'method', opt.Method);
  if (~isempty (ds))
    ds = knng.internal.keep_rows (ds, rows);
    ds.X = Z;
    ds.names = names;
    how = {'the row of the largest variance', 'the row of the largest mean', 'the mean', 'the median'};
    rest = '';
    if (info.left > 0)
      rest = sprintf ('; %s without a label left out', knng.internal.count_of (info.left, 'row'));
    end
    Z = knng.internal.noted (ds, 'collapse: %s of %s, of each %s%s', knng.internal.count_of (info.groups, 'group'), ...
                             knng.internal.count_of (size (X, 1) - info.left, 'row'), ...
                             how{strcmp(opt.Method, {'maxvariance', 'maxmean', 'mean', 'median'})}, rest);
  end
end

function [code, names] = in_order (groups, X)
% The number of the group of each row, in the order of first rows, 0 for none; their names, a column of texts.
  if (iscellstr (groups))
    groups(cellfun (@(s) all (isspace (s(:))), groups)) = {''};
  end
  [code, names] = knng.internal.label_codes (groups);
  if (iscell (names) || ischar (names))
    none = find (strncmp (cellstr (names), '--', 2));
    code(ismember (code, none)) = 0;
  end
  if (isempty (groups))
    error ('knng:args:labels', ['there are no labels for the rows of X: where a data set has no gene symbols, ' ...
           'knng.annotate (ds, ''platform.annot'') adds them']);
  end
  knng.internal.check_labels (numel (code), X);
  if (all (code == 0))
    error ('knng:args:labels', 'no row has a label, all are '''', NaN or begin with --: give one for each row, such as the symbol of its gene');
  end
  if (isnumeric (names) || islogical (names))
    names = arrayfun (@knng.internal.number_text, names(:), 'UniformOutput', false);
  else
    names = cellstr (names);
  end
  [was, first] = unique (code, 'first');
  [~, order] = sort (first(was > 0));
  was = was(was > 0);
  order = was(order);
  place(order) = 1:numel (order);
  code(code > 0) = place(code(code > 0));
  names = reshape (names(order), [], 1);
end

function [rows, Z] = merge (X, code, count, opt)
% The row that stands for each group, and what becomes of the rows.
  switch (opt.Method)
    case 'maxvariance'
      [~, ~, score] = knng.internal.row_spread (X);
    case 'maxmean'
      [~, score] = knng.internal.row_spread (X);
      score(isnan (score)) = -Inf;
    otherwise
      score = zeros (size (X, 1), 1);
      opt.FewestMissing = false;
  end
  missing = sum (isnan (X), 2) * double (opt.FewestMissing);
  at = find (code > 0);
  [~, order] = sortrows ([code(at), missing(at), -score(at), at]);
  at = at(order);
  rows = at(cumsum ([1; count(1:end-1)]));
  Z = X(rows, :);
  if (strcmp (opt.Method, 'mean'))
    Z = means (X, code, count);
  elseif (strcmp (opt.Method, 'median'))
    Z = medians (X, at, count, Z);
  end
end

function Z = means (X, code, count)
  in = find (code > 0);
  which = sparse (code(in), in, 1, numel (count), numel (code));
  known = ~isnan (X);
  Y = double (X);
  Y(~known) = 0;
  shrink = 2 ^ (-64 * (max (abs (Y(:))) > 1e280));           % so that sums stay finite
  Z = cast (full (which * (Y * shrink)) ./ full (which * double (known)) / shrink, class (X));
end

function Z = medians (X, at, count, Z)
% `at` are the rows, group by group; groups of one size together.
  d = size (X, 2);
  first = cumsum ([1; count(1:end-1)]);
  for s = setdiff (unique (count)', 1)
    some = find (count == s);
    values = zeros (numel (some) * d, s, class (X));
    for r = 1:s
      values(:, r) = reshape (X(at(first(some) + r - 1), :), [], 1);
    end
    Z(some, :) = reshape (knng.internal.row_median (values), [], d);
  end
end

%!test <*1>
%! ds.X = [1 1 2; 5 1 9; 3 3 3; 4 NaN 6];
%! ds.names = {'p1', 'p2', 'p3', 'p4'};
%! [es, info, rows, group] = knng.collapse (ds, {'ZYX', 'ZYX', '', 'MYB'});
%! assert (es.names, {'ZYX'; 'MYB'});
%! assert (es.history, {'collapse: 2 groups of 3 rows, of each the row of the largest variance; 1 row without a label left out'});
%! assert (es.X, [5 1 9; 4 NaN 6]);
%! assert (info, struct ('groups', 2, 'several', 1, 'largest', 2, 'left', 1, 'method', 'maxvariance'));
%! assert (rows, [2; 4]);
%! assert (group, [1; 1; NaN; 2]);

%!test  # every method, against loops; labels of every kind; single
%! X = round (20 * reshape (knng.internal.random (3, 600), 100, 6)) / 4;
%! X(X == 2) = NaN;
%! label = floor (mod ((1:100)' * 7.31, 23)) - 5;
%! label(label == 3) = NaN;
%! kinds = unique (label(~isnan (label)), 'stable');
%! for method = {'maxvariance', 'maxmean', 'mean', 'median'}
%!   for few = [true false]
%!     [Z, info, stands, group] = knng.collapse (X, label, 'Method', upper (method{1}), 'FewestMissing', few);
%!     assert (label(stands), kinds);
%!     assert ([info.groups, info.largest], [numel(kinds), max(arrayfun (@(k) sum (label == k), kinds))]);
%!     for g = 1:numel (kinds)
%!       rows = find (label == kinds(g));
%!       assert (group(rows), g * ones (numel (rows), 1));
%!       best = [];
%!       for r = rows'
%!         v = X(r, ~isnan (X(r, :)));
%!         key = [few * (6 - numel(v)), -var([v, zeros(1, isempty (v))])];
%!         if (strcmp (method{1}, 'maxmean'))
%!           key(2) = -sum (v) / numel (v);
%!         end
%!         if (isempty (best) || key(1) < best(1) || (key(1) == best(1) && key(2) < best(2) - 1e-12))
%!           best = [key, r];
%!         end
%!       end
%!       for j = 1:6
%!         v = sort (X(rows(~isnan (X(rows, j))), j));
%!         want = X(best(3), j);
%!         if (strcmp (method{1}, 'mean'))
%!           want = sum (v) / numel (v);
%!         elseif (strcmp (method{1}, 'median') && ~isempty (v))
%!           want = (v(ceil (end / 2)) + v(floor (end / 2) + 1)) / 2;
%!         elseif (strcmp (method{1}, 'median'))
%!           want = NaN;
%!         end
%!         assert (Z(g, j), want);
%!       end
%!       if (strncmp (method{1}, 'max', 3))
%!         assert (stands(g), best(3));
%!       else
%!         assert (stands(g), rows(1));
%!       end
%!     end
%!     texts = arrayfun (@(v) sprintf ('%d', v), label, 'UniformOutput', false);
%!     texts(isnan (label)) = {''};
%!     assert (isequaln (knng.collapse (X, texts', 'Method', method{1}, 'FewestMissing', few), Z));
%!     assert (isequaln (knng.collapse (X, char (texts), 'Method', method{1}, 'FewestMissing', few), Z));
%!     assert (isequaln (knng.collapse (single (X), label, 'Method', method{1}, 'FewestMissing', few), single (Z)));
%!   end
%! end

%!test  # what GEO and Affymetrix call no gene
%! [Z, info, rows, group] = knng.collapse ((1:5)', {'--Control', 'B', '---', 'B', '-A'});
%! assert ({rows, group, info.left}, {[2; 5], [NaN; 1; NaN; 1; 2], 2});
%! [~, ~, rows] = knng.collapse ((1:3)', ['A  '; '---'; 'A  ']);
%! assert (rows, 1);
%! ds = knng.collapse (struct ('X', [1; 2], 'names', {{'p', 'q'}}), {'---', 'C'});
%! assert (ds.names, {'C'});
%!error id=knng:args:labels knng.collapse ((1:2)', {'---', '--Control'})

%!test  # fewest missing first; equal ones, rows without values; one row, one group
%! X = [1 9 NaN; 1 2 3; 3 2 1; NaN NaN NaN];
%! [~, ~, rows] = knng.collapse (X, {'a', 'a', 'a', 'b'});
%! assert (rows, [2; 4]);
%! [~, ~, rows] = knng.collapse (X, {'a', 'a', 'a', 'b'}, 'FewestMissing', 0);
%! assert (rows, [1; 4]);
%! Z = knng.collapse (X, [7 7 7 7], 'Method', 'mean');
%! assert (Z, [5/3 13/3 2]);
%! assert (knng.collapse (1:3, 5), 1:3);
%! assert (knng.collapse ([1e308 1; 1e308 3], [true true], 'Method', 'mean'), [1e308 2]);
%! assert (knng.collapse (X([2 3], :), {'x', 'y'}), X([2 3], :));

%!test  # labels of blanks are none; no two numbers have one name
%! ds = struct ('X', [1 2; 3 4; 5 6], 'names', {{'a'; 'b'; 'c'}});
%! [es, info] = knng.collapse (ds, {' ', 'G', sprintf(' \t')});
%! assert ({es.names, info.left}, {{'G'}, 2});
%! es = knng.collapse (ds, [0.1 + 0.2, 0.3, 1234567890123457]);
%! assert (es.names, {'0.30000000000000004'; '0.3'; '1234567890123457'});
%! es = knng.collapse (ds, intmax ('int64') - int64 ([0 2 0]));
%! assert (es.names, {'9223372036854775807'; '9223372036854775805'});
%! es = knng.collapse (ds, [true false true]);
%! assert (es.names, {'1'; '0'});

%!test  # a data set with all there is
%! ds = struct ('X', [1 2; 5 9; 3 3], 'names', {{'a'; 'b'; 'c'}}, 'samples', {{'s', 't'}}, 'classes', {{'k', 'l'}}, ...
%!              'annotation', struct ('descriptions', {{'x'; 'y'; 'z'}}), 'chip', 'U133');
%! es = knng.collapse (ds, {'G'; 'G'; 'H'}, 'meth', 'median');
%! assert (es.X, [3 5.5; 3 3]);
%! assert (es.history, {'collapse: 2 groups of 3 rows, of each the median'});
%! assert ({es.names, es.samples, es.classes, es.annotation.descriptions, es.chip}, {{'G'; 'H'}, ds.samples, ds.classes, {'x'; 'z'}, 'U133'});
%! ds.meta = struct ('format', 'soft', 'sex', {{'f', 'm'}});
%! ds.symbols = {'G'; 'G'; 'H'};
%! ds.annotation = struct ('IDENTIFIER', {ds.symbols}, 'length', [7; 8; 9]);
%! es = knng.collapse (ds, ds.symbols);
%! assert ({es.symbols, es.meta}, {{'G'; 'H'}, ds.meta});
%! assert (es.annotation, struct ('IDENTIFIER', {{'G'; 'H'}}, 'length', [8; 9]));

%!error id=knng:args:count knng.collapse (magic (3))
%!error <there are no labels for the rows of X: .* knng.annotate> knng.collapse (magic (3), cell (0, 1))
%!error <there are 2 labels for the 3 rows of X> knng.collapse (magic (3), {'a', 'b'})
%!error <no row has a label> knng.collapse (magic (3), {'', '', ''})
%!error <a row is what has a label> knng.collapse (ones (2, 3), {'a', 'b', 'c'})
%!error id=knng:args:labels knng.collapse (magic (3), [NaN NaN NaN])
%!error id=knng:args:labels knng.collapse (magic (3), {1, 2, 3})
%!error id=knng:args:labels knng.collapse (magic (3), @sin)
%!error <'Method' is 'sum': it must be 'maxvariance', 'maxmean', 'mean' or 'median'> knng.collapse (magic (3), 1:3, 'Method', 'sum')
%!error id=knng:args:option knng.collapse (magic (3), 1:3, 'FewestMissing', 'yes')
%!error id=knng:data:infinite knng.collapse ([1 Inf; 2 3], 1:2)
%!error id=knng:args:ds knng.collapse (struct ('X', magic (3), 'names', {{'a'}}), 1:3)
%!error id=knng:args:class knng.collapse ('abc', 1:3)
%!error id=knng:args:unknownOption knng.collapse (magic (3), 1:3, 'mean')
