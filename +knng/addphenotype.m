function ds = addphenotype (ds, name, values)
%KNNG.ADDPHENOTYPE  The class of the samples as one more row of a data set.
%   ds = knng.addphenotype (ds, name, values) appends a row of this name to ds.X
%   and ds.names: the class of the samples or a clinical value, as if it were a
%   gene. Its neighbours are the genes that follow it. The correlations do not
%   mind that a survival in years and an expression have different scales.
%   ds = knng.addphenotype (ds, name) takes the classes of the data set,
%   ds.classes.
%
%     ds      as knng.read returns it; ds.X is n-by-d, a column for each sample.
%             Where ds.names is missing, the names are the numbers of the rows
%     name    a text, not yet the name of a row
%     values  d numbers or logicals, one for each sample, taken as they are; or
%             a cell of d texts of two kinds: 0 for the first by the alphabet, 1
%             for the other
%
%   samples, classes and meta stay; symbols and annotation are '' or NaN for the
%   new row; ds.history, a column of texts, gets one that names it. A row with a
%   missing value has no neighbours: where values has NaN or '', a warning,
%   knng:data:nonFinite, says how many, and how to leave these samples out.
%
%   More than two classes have no order that a correlation could follow, and are
%   an error. Make a row for each:
%
%       for c = unique (ds.classes)
%         ds = knng.addphenotype (ds, c{1}, strcmp (ds.classes, c{1}));
%       end
%
%   Cost: O(n*d), a copy of ds.X.
%
%   Errors: knng:args:ds; knng:args:name (no text, or the name of a row);
%   knng:args:labels (values are not one for each sample, or texts of other than
%   two kinds; the data set has no classes); knng:args:count.
%
%   Source: A. S. Arefin et al., PLoS ONE 7(8):e44000 (2012), who keep the years
%   to relapse as a 'dummy' probe.
%
%   Example:
%     ds = struct ('X', [1 2 3 4; 4 2 3 1; 7 7 6 7]);
%     ds.names = {'ZYX', 'MYB', 'CD33'};
%     ds.classes = {'ALL', 'ALL', 'AML', 'AML'};
%     ds = knng.addphenotype (ds, 'AML');
%     ds.X(4, :)                          % 0 0 1 1
%     [idx, dist] = knng.knnsearch (ds.X(1:3, :), ds.X(4, :), 'K', 2, ...
%                                   'Distance', 'abspearson');
%     ds.names(idx)'                      % ZYX CD33: 1 - |r| is 0.11 and 0.42
%
%   See also knng.metafeatures, knng.knnsearch, knng.neighbors, knng.read.

  if (nargin < 2)
    error ('knng:args:count', 'knng.addphenotype needs a data set and a name, as in knng.addphenotype (ds, ''survival'', years): see help knng.addphenotype');
  end
  ds = knng.internal.check_ds (ds);
  d = size (ds.X, 2);
  if (~ischar (name) || ndims (name) ~= 2 || size (name, 1) ~= 1)
    error ('knng:args:name', 'the name of the new row is %s: it must be a text in one row', knng.internal.given (name));
  elseif (any (strcmp (name, ds.names)))
    error ('knng:args:name', 'row %d is named ''%s'' already: choose another name', find (strcmp (name, ds.names), 1), ...
           knng.internal.shown (name));
  end
  if (nargin < 3)
    values = ds.classes;
    if (isempty (values))
      error ('knng:args:labels', 'the data set has no classes: give the values, as in knng.addphenotype (ds, ''survival'', years)');
    end
  end
  if (numel (values) ~= d || ~knng.internal.is_labels (values))
    error ('knng:args:labels', 'the values are %s: they must be %d numbers, or a cell of %d texts, one for each sample', ...
           knng.internal.given (values), d, d);
  end
  if (iscell (values))
    values = zero_or_one (values);
  end
  values = reshape (double (full (values)), 1, d);
  missing = sum (~isfinite (values));
  if (missing > 0)
    warn_of (missing, name, ds);
  end
  ds = knng.internal.more_rows (ds, [ds.X; values], [ds.names; {name}]);
  ds = knng.internal.noted (ds, 'addphenotype: ''%s'' is row %d', knng.internal.shown (name), size (ds.X, 1));
end

function values = zero_or_one (texts)
% 0 for the first of two kinds of texts, 1 for the second, NaN for a missing one.
  [code, kinds] = knng.internal.label_codes (texts);
  if (numel (kinds) < 2)
    error ('knng:args:labels', 'all values are ''%s'' or missing: there must be two kinds of texts, or numbers', ...
           knng.internal.shown ([kinds{:}]));
  elseif (numel (kinds) > 2)
    list = cellfun (@(t) [', ''', knng.internal.shown(t), ''''], kinds(1:min (end, 4)), 'UniformOutput', false);
    list = [list{:}, repmat(', ...', 1, numel (kinds) > 4)];
    error ('knng:args:labels', ['the values are texts of %d kinds (%s), and only two kinds can be 0 and 1: give numbers, ' ...
           'or a row for each kind, as in knng.addphenotype (ds, ''a'', strcmp (values, ''a''))'], numel (kinds), list(3:end));
  end
  values = code - 1;
  values(code == 0) = NaN;
end

function warn_of (missing, name, ds)
% How many samples have no value, and the lines that leave these out.
  also = '';
  for field = {'samples', 'classes'}
    if (~isempty (ds.(field{1})))
      also = sprintf ('%s ds.%s = ds.%s(at);', also, field{1}, field{1});
    end
  end
  warning ('knng:data:nonFinite', ['%d of %d values of ''%s'' are missing, so that this row has no neighbours; without these ' ...
           'samples: at = isfinite (ds.X(end, :)); ds.X = ds.X(:, at);%s'], missing, size (ds.X, 2), knng.internal.shown (name), also);
end

%!test <*1>
%! ds = struct ('X', [1 2 3 4; 4 2 3 1; 7 7 6 7]);
%! ds.names = {'ZYX', 'MYB', 'CD33'};
%! ds.classes = {'ALL', 'ALL', 'AML', 'AML'};
%! ds = knng.addphenotype (ds, 'AML');
%! assert (ds.X(4, :), [0 0 1 1]);
%! assert (ds.names, {'ZYX'; 'MYB'; 'CD33'; 'AML'});
%! assert (ds.history, {'addphenotype: ''AML'' is row 4'});
%! [idx, dist] = knng.knnsearch (ds.X(1:3, :), ds.X(4, :), 'K', 2, 'Distance', 'abspearson');
%! assert (ds.names(idx), {'ZYX'; 'CD33'});
%! assert (dist, 1 - [sqrt(0.8), sqrt(1/3)], 1e-12);

%!test  # numbers, logicals, columns; the class of X stays; the row is a neighbour by its name
%! ds = struct ('X', single (magic (4)), 'names', {{'a'; 'b'; 'c'; 'd'}}, 'samples', {{'w', 'x', 'y', 'z'}}, 'classes', [1 2 3 3], ...
%!              'symbols', {{'A'; 'B'; ''; 'D'}}, 'annotation', struct ('descriptions', {{'1'; '2'; '3'; '4'}}));
%! es = knng.addphenotype (ds, 'years', [1.5; 0.25; 7; -3]);
%! assert (es.X, single ([magic(4); 1.5 0.25 7 -3]));
%! assert (class (es.X), 'single');
%! assert ([es.symbols, es.annotation.descriptions], {'A', '1'; 'B', '2'; '', '3'; 'D', '4'; '', ''});
%! assert (es.samples, ds.samples);
%! es = knng.addphenotype (knng.addphenotype (es, 'class'), 'is 3', ds.classes == 3);
%! assert (es.X(6:7, :), single ([1 2 3 3; 0 0 1 1]));
%! [idx, dist] = knngraph (es.X, 2, 'pearson');
%! t = knng.neighbors (es, idx, dist, 'is 3', 1);
%! assert (t.name, {'class'});

%!test  # missing values
%! ds = struct ('X', magic (3));
%! lastwarn ('', '');
%! evalc ('es = knng.addphenotype (ds, ''x'', {''b'', '''', ''a''});');
%! [text, id] = lastwarn ();
%! assert (id, 'knng:data:nonFinite');
%! assert (sscanf (text, '%d of %d')', [1 3]);
%! assert (es.X(4, :), [1 NaN 0]);
%! assert (es.names, {'1'; '2'; '3'; 'x'});
%! for classes = {{}, {'u', 'v', 'w'}}                        # the remedy can be copied
%!   ds.classes = classes{1};
%!   evalc ('ds = es = knng.addphenotype (ds, ''x'', {''b'', '''', ''a''});');
%!   eval ([regexprep(lastwarn (), '.*without these samples: ', ''), ';']);
%!   assert (ds.X, es.X(:, [1 3]));
%!   assert (numel (ds.classes), 2 * ~isempty (classes{1}));
%!   ds = struct ('X', magic (3));
%! end

%!error id=knng:args:count knng.addphenotype (struct ('X', 1))
%!error id=knng:args:ds knng.addphenotype (5, 'a', 5)
%!error id=knng:args:name knng.addphenotype (struct ('X', 1), 5, 5)
%!error id=knng:args:name knng.addphenotype (struct ('X', 1, 'names', {{'a'}}), 'a', 5)
%!error id=knng:args:labels knng.addphenotype (struct ('X', [1 2]), 'a')
%!error id=knng:args:labels knng.addphenotype (struct ('X', [1 2]), 'a', 5)
%!error id=knng:args:labels knng.addphenotype (struct ('X', [1 2]), 'a', 'ab')
%!error id=knng:args:labels knng.addphenotype (struct ('X', [1 2]), 'a', {1, 2})
%!error <3 kinds \('a', 'b', 'c'\)> knng.addphenotype (struct ('X', [1 2 3]), 'a', {'a', 'c', 'b'})
