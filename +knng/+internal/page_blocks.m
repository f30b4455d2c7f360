function page = page_blocks (t, ds, labels, precision, phenotypes)
%PAGE_BLOCKS  What a page carries: struct with BLOCKS (knng.internal.page_block), META, for their JSON, and WORST, the
%   largest rounding error of a value, as of knng.internal.rounded_rows; SHARED, how many samples two neighbours may share.
%   T is the graph by rows: n, count, idx, dist. DS has the field X where there are points. PRECISION: 'byte', 'fine',
%   'none'. page.js says what the blocks are.

  pack = @knng.internal.page_block;
  page.meta = struct ('n', t.n, 'entries', numel (t.idx), 'samples', 0);
  page.worst = [NaN NaN];
  page.shared = 0;
  page.blocks = [pack('count', uint32 (t.count)), pack('idx', uint32 (t.idx)), pack('dist', t.dist)];
  if (isfield (ds, 'X') && ds.named)
    page.blocks(end + 1) = texts ('names', ds.names);
  end
  if (~isempty (labels) && ~all (cellfun ('isempty', labels)))
    page.blocks(end + 1) = texts ('labels', labels);
  end
  if (~isfield (ds, 'X'))
    return
  end
  page.meta.samples = size (ds.X, 2);
  if (~isempty (ds.samples))
    if (~iscellstr (ds.samples))
      [code, kinds] = knng.internal.label_codes (ds.samples);
      kinds = [{''}; knng.internal.label_texts(kinds)];
      ds.samples = kinds(code + 1);
    end
    page.blocks(end + 1) = texts ('samples', ds.samples);
  end
  shared = shared_samples (t, ds.X);
  if (~isempty (shared))
    page.blocks(end + 1) = pack ('shared', shared);
  end
  page.shared = double ([page.meta.samples; shared(:)]);
  page.meta.phenotypes = cell (1, 0);
  for i = 1:numel (phenotypes)
    page = add_phenotype (page, ds.X, phenotypes(i), i);
  end
  if (~strcmp (precision, 'none'))
    page = add_values (page, ds.X, precision);
  end
end

function shared = shared_samples (t, X)
% How many samples the two rows of each neighbour share, as info.nvalid of 'Rows', 'pairwise'; [] where no row of the graph
% misses one.
  shared = [];
  from = repelem ((1:t.n)', t.count(:));
  gaps = isnan (X);
  of = any (gaps, 2);
  some = find (of(from) | of(t.idx));
  if (isempty (some))
    return
  end
  d = size (X, 2);
  shared = repmat (uint32 (d), numel (t.idx), 1);
  step = max (1, floor (2e7 / d));
  for first = 1:step:numel (some)
    at = some(first:min (first + step - 1, end));
    shared(at) = d - sum (gaps(from(at), :) | gaps(t.idx(at), :), 2);
  end
end

function block = texts (name, list)
% One after the other, each with a 0 behind it.
  list = strrep (reshape (list, 1, []), char (0), ' ');
  list = cellfun (@(t) reshape (t, 1, []), list, 'UniformOutput', false);
  all = [list; repmat({char(0)}, 1, numel (list))];
  block = knng.internal.page_block (name, [all{:}]);
end

function page = add_phenotype (page, X, p, number)
  [effect, value, top] = knng.internal.association (X, p.of, numel (p.kinds));
  page.meta.phenotypes{end + 1} = struct ('name', p.name, 'kinds', {reshape(p.kinds, 1, [])}, 'of', {num2cell(p.of)});
  pack = @knng.internal.page_block;
  page.blocks = [page.blocks, pack(sprintf ('effect%d', number), effect), pack(sprintf ('p%d', number), value)];
  if (~isempty (p.kinds))
    page.blocks(end + 1) = pack (sprintf ('top%d', number), uint32 (top));
  end
end

function page = add_values (page, X, precision)
  [n, d] = size (X);
  classes = {'uint8', 'uint16'};
  fine = strcmp (precision, 'fine');
  levels = 256 ^ (1 + fine);
  rows = max (1, floor (2 ^ 18 / d));
  page.meta.values = struct ('precision', precision, 'rows', rows, 'infinite', any (isinf (X(:))));
  [low, step] = deal (zeros (n, 1));
  page.worst = [0 0];
  blocks = cell (1, ceil (n / rows));
  for b = 1:numel (blocks)
    at = (b - 1) * rows + 1:min (b * rows, n);
    [code, low(at), step(at), worst] = knng.internal.rounded_rows (X(at, :), levels);
    page.worst = max (page.worst, worst);
    blocks{b} = knng.internal.page_block (sprintf ('values%d', b), feval (classes{1 + fine}, code'));
  end
  pack = @knng.internal.page_block;
  page.blocks = [page.blocks, pack('low', low), pack('step', step), blocks{:}];
  page.meta.worst = page.worst;
end
