% BENCH_TOOLBOX  Seconds and memory of the toolbox on a large graph: octave-cli bench/bench_toolbox.m
% The graph of N (1000000) normal points in 10 dimensions, k = 20, is made first. GRAPH names a file with idx and dist
% to take it from; if there is none, it is written. ONLY is a regular expression for the names of rows. Memory is by
% how much the process grew at most, result included, beside the graph (320 bytes a row, as tables and as A), without
% the process that runs igraph. Linux only.

1;
function kB = memory (field)
  kB = str2double (regexp (fileread ('/proc/self/status'), [field, ':\s*(\d+)'], 'tokens', 'once'){1});
end
function s = processor ()  # seconds, of ended children too: igraph runs in one
  v = sscanf (regexprep (fileread ('/proc/self/stat'), '.*\) \S ', ''), '%f');
  s = sum (v(11:14)) / 100;
end
function forget_peak ()
  f = fopen ('/proc/self/clear_refs', 'w');
  fputs (f, '5');
  fclose (f);
end

addpath (fileparts (fileparts (mfilename ('fullpath'))));
n = str2double (getenv ('N'));
if (isnan (n))
  n = 1000000;
end
graph = getenv ('GRAPH');
if (! isempty (graph) && exist (graph, 'file'))
  load (graph);
else
  randn ('twister', 1);
  X = randn (n, 10);
  started = tic ();
  [idx, dist] = knngraph (X, 20);
  printf ('knngraph: %.1f s\n', toc (started));
  if (! isempty (graph))
    save ('-binary', graph, 'idx', 'dist');
  end
end
idx = double (idx);
A = knng.adjacency (idx, dist);
n = rows (idx);

randn ('twister', 2);
genes = randn (2000, 295);

% Name, and what is called. The last ones are of genes, not of the graph.
table = {
  'adjacency, tables',           @() knng.adjacency (idx, dist)
  'adjacency, union',            @() knng.adjacency (A, 'Symmetrize', 'union')
  'adjacency, gaussian',         @() knng.adjacency (A, 'Weight', 'gaussian')
  'adjacency, gaussian, union',  @() knng.adjacency (A, 'Weight', 'gaussian', 'Symmetrize', 'union')
  'adjacency, gaussian, auto',   @() knng.adjacency (A, 'Weight', 'gaussian', 'Bandwidth', 'auto')
  'adjacency, jaccard',          @() knng.adjacency (A, 'Weight', 'jaccard')
  'adjacency, jaccard, union',   @() knng.adjacency (A, 'Weight', 'jaccard', 'Symmetrize', 'union')
  'adjacency, snn, mutual',      @() knng.adjacency (A, 'Weight', 'snn', 'Symmetrize', 'mutual')
  'conncomp',                    @() knng.conncomp (A)
  'minspantree',                 @() knng.minspantree (A)
  'mstknn',                      @() knng.mstknn (A)
  'mstknn, connected',           @() knng.mstknn (A, 'K', 'connected')
  'edges',                       @() knng.edges (A)
  'diffusionmap, auto',          @() knng.diffusionmap (A, 3)
  'diffusionmap, knn',           @() knng.diffusionmap (A, 3, 'Epsilon', 'knn')
  'leiden',                      @() knng.leiden (A)
  'leiden, jaccard, union',      @() knng.leiden (knng.adjacency (A, 'Weight', 'jaccard', 'Symmetrize', 'union'))
  'louvain',                     @() knng.louvain (A)
  'metafeatures, 876 x 295',     @() knng.metafeatures (genes(1:876, :), [], 'difference')
  'metafeatures, single, four',  @() knng.metafeatures (single (genes(1:876, :)))
  'leaf order, 1000 rows',       @() knng.internal.leaf_order (genes(1:1000, :), true)
  'leaf order, 2000 rows',       @() knng.internal.leaf_order (genes, true)
};

printf ('n = %d, k = %d, %d edges, %d threads at most\n', n, columns (idx), nnz (A), nproc ());
for r = 1:rows (table)
  if (isempty (regexp (table{r, 1}, getenv ('ONLY'), 'once')) && ! isempty (getenv ('ONLY')))
    continue
  end
  forget_peak ();
  before = memory ('VmRSS');
  started = tic ();
  used = processor ();
  result = table{r, 2} ();
  printf ('%-28s %7.1f s  %7.1f s of processor  %6.0f MB\n', table{r, 1}, toc (started), processor () - used, ...
          (memory ('VmHWM') - before) / 1e3);
  clear result
end
