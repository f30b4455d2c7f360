function [pairs, left, every] = known_of_samples (ds, most)
%KNOWN_OF_SAMPLES  The phenotypes that a data set brings with it: a cell of rows {name, values}, of what ds.meta of knng.read
%   says of the samples. Left out are texts that are the same for all samples, or tell most of them apart (titles, numbers of
%   accession), and what divides them as the classes or an earlier one do; of numbers that differ in most samples, what an earlier
%   one has, too. Of a text 'sex: f' in every sample the name is sex; where samples lack some of several such texts, so that those
%   behind move up, each word has a row; 1:2 has no word. No more than MOST, by default 20. LEFT says, for each that no file's titles
%   explain, why it was left out, a cell of texts: numbers, and what divides the samples as another does. EVERY: as
%   PAIRS, with nothing left out, however many.

  pairs = cell (0, 2);
  left = {};
  every = cell (0, 2);
  if (nargin < 2)
    most = 20;
  end
  if (~isfield (ds, 'X') || ~isfield (ds, 'meta') || ~isstruct (ds.meta) || numel (ds.meta) ~= 1)
    return
  end
  d = size (ds.X, 2);
  seen = zeros (0, d);                                       % the partitions that there are
  called = {};
  if (isfield (ds, 'classes') && numel (ds.classes) == d)
    seen = partition (ds.classes);
    called = {'the classes'};
  end
  for field = fieldnames (ds.meta)'
    rows = ds.meta.(field{1});
    if (strcmp (field{1}, 'format') || size (rows, 2) ~= d || ndims (rows) > 2 || ~(iscellstr (rows) || isnumeric (rows) || islogical (rows)))
      continue
    end
    if (iscell (rows))
      rows = by_word (rows, ~isempty (strfind (lower (field{1}), 'characteristics')));
    end
    for i = 1:size (rows, 1)
      [name, values] = one (field{1}, rows(i, :));
      every(end + 1, :) = {unused(name, every(:, 1)), values}; %#ok<AGROW>
      cut = partition (values);
      if (~iscell (values) && numel (unique (cut(cut > 0))) > d / 2)
        cut = double (values);                               % nearly each has its own: not one kind or another
        cut(isnan (cut)) = -realmax;
      end
      same = find (all (bsxfun (@eq, seen, cut), 2), 1);
      if (~tells (values, partition (values)))
        if (~iscell (values))
          left{end + 1} = sprintf ('''%s'' is the same for all samples', knng.internal.shown (name)); %#ok<AGROW>
        end
      elseif (~isempty (same))
        left{end + 1} = sprintf ('''%s'' divides them as %s', knng.internal.shown (name), called{same}); %#ok<AGROW>
      elseif (size (pairs, 1) < most)
        name = unused (name, pairs(:, 1));
        seen(end + 1, :) = cut; %#ok<AGROW>
        called{end + 1} = ['''' knng.internal.shown(name) '''']; %#ok<AGROW>
        pairs(end + 1, :) = {name, values}; %#ok<AGROW>
      end
    end
  end
end

function rows = by_word (rows, always)
% Texts 'sex: f' of several rows of which some mix words: a row for each word, the first in the file first, and behind them what
% has none. A word that a sample has twice has two rows. ALWAYS: one row may be of several words, too.
  [m, d] = size (rows);
  texts = strtrim (rows);
  there = ~cellfun ('isempty', texts);
  words = regexp (texts, '^(?![\d\s.,]*:)([^:]{1,60}):', 'tokens', 'once');
  has = ~cellfun ('isempty', words);
  if (m < 1 || (m < 2 && ~always) || 2 * sum (has(:)) < sum (there(:)))
    return
  end
  words(~has) = {{''}};
  words = cellfun (@(w) strtrim (w{1}), words, 'UniformOutput', false);
  [~, first, which] = unique (lower (reshape (words', [], 1)), 'first');
  which = reshape (which, d, m)';
  which(~has) = 0;                                           % no word
  if (all (arrayfun (@(i) numel (unique (which(i, there(i, :)))) <= 1, 1:m)))
    return
  end
  mixed = texts;
  rows = cell (0, d);
  [~, order] = sort (first);
  for w = reshape (order(ismember (order, which)), 1, [])
    of = which == w;
    spelt = words{find (of, 1)};
    while (any (of(:)))
      row = repmat ({''}, 1, d);
      for s = find (any (of, 1))
        i = find (of(:, s), 1);
        row{s} = [spelt ':' regexprep(mixed{i, s}, '^[^:]*:', '')];
        of(i, s) = false;
      end
      rows(end + 1, :) = row; %#ok<AGROW>
    end
  end
  mixed(has) = {''};
  rows = [rows; mixed(any (~cellfun ('isempty', mixed), 2), :)];
end

function [name, values] = one (name, values)
% Texts that are numbers become these, if they are no labels; those that all begin with the same word and a colon lose it.
  if (~iscell (values))
    return
  end
  values = strtrim (values);
  some = values(~cellfun ('isempty', values));
  word = regexp (some, '^(?![\d\s.,]*:)([^:]{1,60}):', 'tokens', 'once');
  if (~isempty (some) && ~any (cellfun ('isempty', word)) && numel (unique (cellfun (@(w) w{1}, word, 'UniformOutput', false))) == 1)
    name = word{1}{1};
    values = strtrim (regexprep (values, '^[^:]*:', ''));
  end
  values(strcmpi (values, 'unknown')) = {''};
  values = knng.internal.numbers_or_labels (values);
end

function yes = tells (values, cut)
  kinds = numel (unique (cut(cut > 0)));
  yes = kinds > 1 && (~iscell (values) || kinds <= max (2, sum (cut > 0) / 2));
end

function cut = partition (values)
% The number of each sample's kind, in the order in which they first come; 0: missing.
  code = knng.internal.label_codes (values);
  cut = zeros (1, numel (code));
  [~, first] = unique (code, 'first');
  kinds = code(sort (first));
  kinds = kinds(kinds > 0);
  [~, cut(code > 0)] = ismember (code(code > 0), kinds);
end

function name = unused (name, names)
  base = name;
  for i = 2:numel (names) + 1
    if (~any (strcmp (name, names)))
      break
    end
    name = sprintf ('%s %d', base, i);
  end
end

%!test
%! ds = struct ('X', ones (2, 4), 'classes', {{'a', 'a', 'b', 'b'}});
%! ds.meta = struct ('format', 'geo', 'title', {{'s1', 's2', 's3', 's4'}}, 'same', {{'x', 'x', 'x', 'x'}}, 'again', {{'t', 't', 'u', 'u'}}, ...
%!                   'kind', {{'sex: f', 'sex: m', 'sex: f', ''; 'age: 3', 'age: 4.5', '', 'age: 7'; 'dead: 1', 'dead: 0', 'dead: 0', 'dead: 1'}}, ...
%!                   'patient', {{'035', '023', '001', '001'}}, 'short', {{'a', 'b'}}, 'sex', {{'q', 'q', 'q', 'r'}});
%! ds.meta.size = {'2,5', '3', '4,25', '1'};
%! p = knng.internal.known_of_samples (ds);
%! assert (p(end, :), {'size', [2.5 3 4.25 1]});
%! [one, ~, q] = knng.internal.known_of_samples (ds, 1);
%! assert (one, p(1, :));
%! assert (q(:, 1)', {'title', 'same', 'again', 'sex', 'age', 'dead', 'patient', 'sex 2', 'size'});
%! assert (q([2 5], 2), {ds.meta.same; p{2, 2}});
%! p = p(1:end-1, :);
%! assert (p, {'sex', {'f', 'm', 'f', ''}; 'age', [3 4.5 NaN 7]; 'dead', {'1', '0', '0', '1'}; 'sex 2', {'q', 'q', 'q', 'r'}});
%! assert (numel (knng.internal.phenotypes (setfield (ds, 'classes', {}), p)), 4);
%! assert (isempty (knng.internal.known_of_samples (rmfield (ds, 'meta'))));
%! assert (isempty (knng.internal.known_of_samples (struct ())));
%! ds.meta = struct ('age', [1 2 3 4], 'batch', [1 1 1 1], 'format', 'h5ad', 'code', {repmat({'z'}, 3, 4)});
%! assert (knng.internal.known_of_samples (ds), {'age', [1 2 3 4]});
%!test  # numbers that all differ are not the same for that; why the others are left out
%! ds = struct ('X', ones (2, 6), 'meta', struct ('age', [3 1 2 4 5 6], 'weight', [9 8 7 NaN 5 4], 'batch', ones (1, 6), 'sex', {{'f', 'm', 'f', 'f', 'm', 'm'}}));
%! ds.meta.kind = {'a', 'b', 'a', 'a', 'b', 'b'};
%! ds.meta.years = ds.meta.age;
%! [p, left] = knng.internal.known_of_samples (ds);
%! assert (p(:, 1)', {'age', 'weight', 'sex'});
%! assert (left, {'''batch'' is the same for all samples', '''kind'' divides them as ''sex''', '''years'' divides them as ''age'''});
%! assert (size (knng.internal.known_of_samples (ds, 2), 1), 2);
%! ds.meta = struct ('age', [3 0 2 4 5 6], 'other', [3 NaN 2 4 5 6]);
%! assert (size (knng.internal.known_of_samples (ds), 1), 2);
%!test  # samples that lack a characteristic have the next ones a row higher; words in other letters; one that comes twice
%! meta = struct ('format', 'soft');
%! meta.Sample_characteristics_ch1 = {'Sex: f', 'age: 51', 'sex: f', 'Sex: m', 'tissue: a', 'Sex: m'; 'age: 40', 'tissue: a', 'tissue: b', 'age: 38', 'Sex: f', 'just words'; ...
%!                                    'tissue: b', '', 'age: 7', 'tissue: a', 'tissue: b: c', 'tissue: b'};
%! p = knng.internal.known_of_samples (struct ('X', ones (2, 6), 'meta', meta));
%! assert (p(:, 1)', {'Sex', 'age', 'tissue'});
%! assert (p{1, 2}, {'f', '', 'f', 'm', 'f', 'm'});
%! assert (p{2, 2}, [40 51 7 38 NaN NaN]);
%! assert (p{3, 2}, {'b', 'a', 'b', 'a', 'a', 'b'});
%! meta.Sample_characteristics_ch1 = {'sex: f', 'sex: m', 'stage: I', 'stage: II', 'sex: f', 'stage: I'};
%! p = knng.internal.known_of_samples (struct ('X', ones (2, 6), 'meta', meta));
%! assert (p, {'sex', {'f', 'm', '', '', 'f', ''}; 'stage', {'', '', 'I', 'II', '', 'I'}});
%! meta = struct ('kind', {{'T: a', 'B: a', 'T: a', 'B: a', 'T: a', 'x'}});         # no characteristics, and no several rows
%! p = knng.internal.known_of_samples (struct ('X', ones (2, 6), 'meta', meta));
%! assert (p, {'kind', meta.kind});
%!test  # dilutions and times are no words with values
%! meta.characteristics_ch1 = {'1:2', '1:10', '1:2', '1:10', '1:2', 'sex: f'; 'sex: f', 'sex: m', 'sex: m', 'sex: m', 'sex: f', '1:10'; ...
%!                             'age: 40', 'age: 38', 'age: 40', 'age: 51', 'age: 60', 'age: 51'};
%! meta.fixed = {'8:30', '9:00', '9:00', '8:30', '8:30', ''};
%! p = knng.internal.known_of_samples (struct ('X', ones (2, 6), 'meta', meta));
%! assert (p([1 2 4], :), {'sex', {'f', 'm', 'm', 'm', 'f', 'f'}; 'age', [40 38 40 51 60 51]; 'fixed', meta.fixed});
%! assert (p(3, :), {'characteristics_ch1', {'1:2', '1:10', '1:2', '1:10', '1:2', ''}});
