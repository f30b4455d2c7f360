function [labels, names] = labels_called (ds, name)
%LABELS_CALLED  The labels of the samples that the data set DS knows by NAME: 'class' are ds.classes; else a phenotype that
%   KNNG.INTERNAL.KNOWN_OF_SAMPLES finds in ds.meta ('sex' of characteristics of GEO), also one that it leaves out since another divides
%   the samples alike, or none does; or a field of ds.meta with one for each sample. The letters may be large or small. [] if there is
%   none; NAMES are those that there are without what is left out, a column.

  labels = [];
  d = size (ds.X, 2);
  pairs = cell (0, 2);
  if (isfield (ds, 'classes') && numel (ds.classes) == d)
    pairs = {'class', ds.classes};
    ds = rmfield (ds, 'classes');                            % else what divides the samples alike would not be found
  end
  [known, ~, every] = knng.internal.known_of_samples (ds, Inf);
  pairs = [pairs; known];
  names = pairs(:, 1);
  if (~isempty (names))
    names(1 + find (strcmp (names(2:end), 'class'))) = [];   % of a table with a row of classes they are in ds.meta, too
  end
  pairs = [pairs; every];
  if (isfield (ds, 'meta') && isstruct (ds.meta) && numel (ds.meta) == 1)
    for field = fieldnames (ds.meta)'
      v = ds.meta.(field{1});
      if (ischar (v) && d > 1 && size (v, 1) == d && ndims (v) == 2)
        v = cellstr (v);
      elseif (isa (v, 'string') || isa (v, 'categorical'))
        [of, kinds] = knng.internal.label_codes (v);
        kinds = [{''}; reshape(knng.internal.label_texts (kinds), [], 1)];
        v = kinds(of + 1);
      end
      if (numel (v) == d && (iscellstr (v) || isnumeric (v) || islogical (v)) && ~strcmp (field{1}, 'format'))
        pairs(end + 1, :) = {field{1}, v}; %#ok<AGROW>
      end
    end
  end
  at = [find(strcmp (pairs(:, 1), name), 1), find(strcmpi (pairs(:, 1), strtrim (name)), 1)];
  if (~isempty (at))
    labels = reshape (pairs{at(1), 2}, 1, d);
  end
end

%!test
%! ds = struct ('X', ones (2, 4), 'classes', [1 1 2 2]);
%! ds.meta = struct ('format', 'geo', 'batch', {{'p', 'q', 'q', 'p'}}, 'Sample_title', {{'a', 'b', 'c', 'd'}}, 'Platform', {{'x'}});
%! ds.meta.Sample_characteristics_ch1 = {'sex: f', 'sex: f', 'sex: m', 'sex: m'; 'age: 30', 'age: 31', 'age: 32', 'age: 33'};
%! [labels, names] = knng.internal.labels_called (ds, 'sex');
%! assert ({labels, names}, {{'f', 'f', 'm', 'm'}, {'class'; 'batch'; 'sex'; 'age'}});
%! assert (knng.internal.labels_called (ds, ' Age'), 30:33);
%! assert (knng.internal.labels_called (ds, 'class'), [1 1 2 2]);
%! assert (knng.internal.labels_called (ds, 'sample_TITLE'), {'a', 'b', 'c', 'd'});
%! assert (knng.internal.labels_called (ds, 'Platform'), []);
%! assert (knng.internal.labels_called (ds, 'format'), []);
%! ds.meta.letters = ['u '; 'vw'; 'vw'; 'u '];
%! assert (knng.internal.labels_called (ds, 'letters'), {'u', 'vw', 'vw', 'u'});
%! ds.meta = struct ('format', 'table', 'class', {{'x', 'x', 'y', 'y'}});
%! [labels, names] = knng.internal.labels_called (ds, 'class');
%! assert ({labels, names}, {[1 1 2 2], {'class'}});
%! ds.classes = [];
%! [labels, names] = knng.internal.labels_called (ds, 'class');
%! assert ({labels, names}, {ds.meta.class, {'class'}});
%! [labels, names] = knng.internal.labels_called (struct ('X', 1), 'sex');
%! assert ({labels, names}, {[], cell(0, 1)});
%!test  # what divides the samples as another does, or does not, is in the file all the same
%! ds = struct ('X', ones (2, 4), 'meta', struct ('format', 'geo'));
%! ds.meta.Sample_characteristics_ch1 = {'sex: f', 'sex: f', 'sex: m', 'sex: m'; 'drug: a', 'drug: a', 'drug: b', 'drug: b'; ...
%!                                       'site: x', 'site: x', 'site: x', 'site: x'; 'patient: p', 'patient: q', 'patient: r', 'patient: s'};
%! assert (knng.internal.labels_called (ds, 'drug'), {'a', 'a', 'b', 'b'});
%! assert (knng.internal.labels_called (ds, 'site'), {'x', 'x', 'x', 'x'});
%! [labels, names] = knng.internal.labels_called (ds, 'patient');
%! assert ({labels, names}, {{'p', 'q', 'r', 's'}, {'sex'}});
