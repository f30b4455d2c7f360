function list = phenotypes (ds, given)
%PHENOTYPES  What is known of the samples of a data set: a struct array, 1-by-p, with the fields name; kinds, a cell of the
%   different labels, {} where the phenotype has values; and of, a row of the values, or of the numbers of labels, 0 for
%   a missing one. Where all labels are missing there are values, all NaN. GIVEN is a struct of fields, or a cell of rows {name, values}. The classes of DS come first.
%   The struct may be ds.meta of knng.read: its field format, one text, is of the file and not of the samples, and is left out.

  list = struct ('name', {}, 'kinds', {}, 'of', {});
  pairs = as_pairs (given);
  if (isstruct (given) && isfield (ds, 'X') && size (ds.X, 2) ~= 1)
    of_file = strcmp (pairs(:, 1), 'format') & cellfun (@(v) ischar (v) && size (v, 1) <= 1, pairs(:, 2));
    pairs = pairs(~of_file, :);
  end
  if (~isfield (ds, 'X'))
    if (~isempty (pairs))
      error ('knng:args:option', '''Phenotypes'' are of samples, and there is no data set: give ds, as in knng.explore (file, ds, idx, dist)');
    end
    return
  end
  d = size (ds.X, 2);
  if (~isempty (ds.classes))
    [code, kinds] = knng.internal.label_codes (ds.classes);
    list(1) = struct ('name', 'class', 'kinds', {knng.internal.label_texts(kinds)}, 'of', reshape (code, 1, d));
    list(1).of(list(1).of == 0 & isempty (kinds)) = NaN;
  end
  for i = 1:size (pairs, 1)
    list(end + 1) = one (pairs{i, 1}, pairs{i, 2}, d); %#ok<AGROW>
  end
end

function pairs = as_pairs (given)
  pairs = cell (0, 2);
  if (isstruct (given) && numel (given) == 1)
    pairs = [fieldnames(given), struct2cell(given)];
  elseif (iscell (given) && (isempty (given) || (ndims (given) == 2 && size (given, 2) == 2 && iscellstr (given(:, 1)))))
    if (~isempty (given))
      pairs = given;
    end
  elseif (~(isnumeric (given) && isempty (given)))
    error ('knng:args:option', ['''Phenotypes'' is %s: it must be a struct of one element, or a cell with a row {name, values} ' ...
           'for each'], knng.internal.given (given));
  end
end

function p = one (name, values, d)
  labels = iscell (values) || ischar (values) || isa (values, 'categorical') || isa (values, 'string');
  if (~(labels || ((isnumeric (values) || islogical (values)) && isreal (values))))
    error ('knng:args:labels', 'the phenotype ''%s'' is %s: it must be %d numbers or texts, one for each sample', knng.internal.shown (name), ...
           knng.internal.given (values), d);
  end
  kinds = {};
  if (labels)
    [of, kinds] = knng.internal.label_codes (values);
    kinds = knng.internal.label_texts (kinds);
    of(of == 0 & isempty (kinds)) = NaN;
  elseif (islogical (values))
    kinds = {'no'; 'yes'};
    of = 1 + full (values(:));
  else
    of = double (full (values(:)));
  end
  if (numel (of) ~= d)
    error ('knng:args:labels', 'the phenotype ''%s'' has %d values: give one for each of the %d samples', knng.internal.shown (name), ...
           numel (of), d);
  end
  p = struct ('name', name, 'kinds', {kinds}, 'of', reshape (of, 1, d));
end

%!test
%! ds = struct ('X', magic (3), 'classes', {{'b', 'a', ''}});
%! p = knng.internal.phenotypes (ds, struct ('age', [1; 2; NaN], 'sex', {{'f', 'm', 'f'}}, 'ill', logical ([1 0 1])));
%! assert ({p.name}, {'class', 'age', 'sex', 'ill'});
%! assert ({p.kinds}, {{'a'; 'b'}, {}, {'f'; 'm'}, {'no'; 'yes'}});
%! assert ({p.of}, {[2 1 0], [1 2 NaN], [1 2 1], [2 1 2]});
%! p = knng.internal.phenotypes (struct ('X', 1, 'classes', []), {'a b', 7});
%! assert (p, struct ('name', 'a b', 'kinds', {{}}, 'of', 7));
%! assert (isempty (knng.internal.phenotypes (struct (), {})));
%! p = knng.internal.phenotypes (struct ('X', magic (3), 'classes', {{'', '', ''}}), {'sex', {'', '', ''}});
%! assert ({p.kinds}, {cell(0, 1), cell(0, 1)});
%! assert ({p.of}, {NaN(1, 3), NaN(1, 3)});
%!test  # ds.meta of knng.read: the format of the file is none, but one for each sample is
%! ds = struct ('X', magic (3), 'classes', []);
%! p = knng.internal.phenotypes (ds, struct ('format', 'soft', 'sex', {{'f', 'm', 'f'}}));
%! assert ({p.name}, {'sex'});
%! assert (isempty (knng.internal.phenotypes (ds, struct ('format', 'soft'))));
%! p = knng.internal.phenotypes (ds, struct ('format', {{'a', 'b', 'a'}}));
%! assert ({p.name, p.of}, {'format', [1 2 1]});
%! p = knng.internal.phenotypes (struct ('X', 1, 'classes', []), struct ('format', 'one'));
%! assert ({p.name, p.of}, {'format', 1});
%!error id=knng:args:labels knng.internal.phenotypes (struct ('X', magic (3), 'classes', []), {'format', 'soft'})
%!error id=knng:args:option knng.internal.phenotypes (struct (), {'a', 7})
%!error id=knng:args:option knng.internal.phenotypes (struct ('X', 1, 'classes', []), 'a')
%!error id=knng:args:labels knng.internal.phenotypes (struct ('X', 1, 'classes', []), {'a', [1 2]})
%!error id=knng:args:labels knng.internal.phenotypes (struct ('X', 1, 'classes', []), {'a', @sin})
