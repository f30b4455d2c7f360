function test_gaps()
%TEST_GAPS  The options 'Rows' and 'MinValid' of knngraph and knng.knnsearch: results are those of the oracle, of any
% class and shape, with any metric; what info says, warnings, and what is refused.
run_checks({@pairwise, @complete, @verifies, @says, @refuses, @estimates, @blocks, @radius, @clusters});
end

function [X, Y] = with_gaps(n, d, share)
rand('twister', 7);
X = rand(n, d);
X(rand(n, d) < share) = NaN;
X(5, :) = NaN;
Y = rand(6, d);
Y(rand(6, d) < share) = NaN;
end

function pairwise()
warning('off', 'knng:data:fewer', 'local');
for d = [1 4 20]
  [X, Y] = with_gaps(30, d, 0.3);
  for metric = setdiff(metric_names(), {'chebychev'})
    for type = {'double', 'single'}
      Z = feval(type{1}, X);
      for least = {[], 1, min(4, d)}
        option = {};
        needed = min(3, d);
        if ~isempty(least{1})
          option = {'MinValid', least{1}};
          needed = least{1};
        end
        [idx, dist, info] = knngraph(Z, 5, metric{1}, 'Rows', 'pairwise', option{:});
        [i, r, shared] = oracle(Z, [], 5, metric{1}, needed);
        tally(isequal(idx, i) && isequaln(dist, r) && strcmp(class(dist), type{1}) && isequal(info.nvalid, shared), ...
              'knngraph, %s, %s, d = %d', metric{1}, type{1}, d);
        tally(info.fewer == sum(i(:, end) == 0), 'fewer: %d', info.fewer);
        [idx, dist, info] = knng.knnsearch(Z, Y, 'K', 3, 'Distance', metric{1}, 'Rows', 'pairwise', option{:});
        [i, r, shared] = oracle(Z, Y, 3, metric{1}, needed);
        tally(isequal(idx, i) && isequaln(dist, r) && isequal(info.nvalid, shared), 'knnsearch, %s, d = %d', metric{1}, d);
      end
    end
  end
end
[X, ~] = with_gaps(30, 8, 0.2);
A = knngraph(X, 4, 'cosine', 'Rows', 'pairwise');
[idx, dist] = knngraph(X, 4, 'cosine', 'Rows', 'pairwise', 'Threads', 2);
tally(isequal(A, knng.adjacency(idx, dist)), 'the sparse matrix');
tally(isempty(subsref(result_of(X, 'all'), struct('type', '.', 'subs', 'nvalid'))), 'nvalid of another search');

% by hand
[idx, dist] = knngraph([1 2 NaN; 4 NaN 3; 0 2 2], 2, 'Rows', 'pairwise', 'MinValid', 1);
tally(isequal(idx, [3 2; 3 1; 1 2]) && max(max(abs(dist.^2 - [1.5 27; 25.5 27; 1.5 25.5]))) < 1e-13, 'by hand: %s', mat2str(dist));
r = corr([1 2 4]', [2 1 7]');
[~, dist] = knngraph([1 NaN 2 4 3; 2 9 1 7 NaN], 1, 'pearson', 'Rows', 'pairwise');
tally(abs(dist(1) - (1 - r)) < 1e-14, 'a correlation by hand: %g', dist(1));
end

function info = result_of(X, rows)
warning('off', 'knng:data:nonFinite', 'local');
[~, ~, info] = knngraph(X, 2, 'Rows', rows); %#ok<ASGLU>
end

function complete()
warning('off', 'knng:data:leftOut', 'local');
[X, Y] = with_gaps(30, 12, 0);
X(5, :) = 0.5 + (1:12) / 20;
X(3, 4) = NaN;
X([7 9], 11) = NaN;
Y(2, 1) = NaN;
for type = {'double', 'single'}
  Z = feval(type{1}, X);
  [idx, dist, info] = knngraph(Z, 4, 'pearson', 'Rows', 'complete');
  [i, r] = oracle(Z(:, [1:3, 5:10, 12]), [], 4, 'pearson');
  tally(isequal(idx, i) && isequaln(dist, r) && isequal(info.omitted, [4 11]) && isempty(info.nvalid), 'knngraph, %s', type{1});
  tally(info.memory.peak <= info.memory.planned && info.memory.planned > 30 * 10 * 4, 'memory: %d', info.memory.planned);
  [idx, dist, info] = knng.knnsearch(Z, Y, 'K', 2, 'Rows', 'complete');
  [i, r] = oracle(Z(:, [2:3, 5:10, 12]), Y(:, [2:3, 5:10, 12]), 2, 'euclidean');
  tally(isequal(idx, i) && isequaln(dist, r) && isequal(info.omitted, [1 4 11]), 'knnsearch, %s', type{1});
end
[idx, dist, info] = knngraph(magic(4), 2, 'Rows', 'complete');
[i, r] = knngraph(magic(4), 2);
tally(isequal(idx, i) && isequal(dist, r) && isequal(size(info.omitted), [1 0]), 'nothing to leave out');
[~, id] = said(@() knngraph(NaN(4), 2, 'Rows', 'complete'));
tally(strcmp(id, 'knng:data:incomplete'), 'nothing is left: %s', id);
[text, id] = said(@() knngraph(X, 2, 'Rows', 'complete', 'MaxMemory', 500));
tally(strcmp(id, 'knng:args:maxMemory'), 'no memory for the copy: %s', text);
end

function verifies()
for id = {'knng:data:fewer', 'knng:data:leftOut', 'knng:data:nonFinite'}
  warning('off', id{1}, 'local');
end
for d = [1 4 20]
  [X, Y] = with_gaps(30, d, 0.3);
  X(11, 1) = Inf;
  X(12, :) = X(13, :);
  for metric = setdiff(metric_names(), {'chebychev'})
    for Z = {X, single(X)}
      how = {'Rows', 'pairwise', 'MinValid', min(2, d)};
      [idx, dist, info] = knngraph(Z{1}, 4, metric{1}, how{:}); %#ok<ASGLU>
      tally(knng.verify(Z{1}, metric{1}, idx, dist, how{:}), '%s, d = %d', metric{1}, d);
      [i, r] = knng.knnsearch(Z{1}, Y, 'K', 3, 'Distance', metric{1}, 'Rows', 'pairwise');
      tally(knng.verify(Z{1}, metric{1}, i, r, 'Queries', Y, 'Rows', 'pairwise'), 'queries, %s, d = %d', metric{1}, d);
    end
    if d == 4
      tally(~knng.verify(X, metric{1}, idx, dist, 'Rows', 'pairwise', 'MinValid', 4), '%s: more columns', metric{1});
    end
  end
end
[X, ~] = with_gaps(30, 20, 0.3);
[idx, dist] = knngraph(X, 4, 'pearson', 'Rows', 'pairwise');
tally(~knng.verify(X, 'pearson', idx, dist), 'as if rows with NaN had no neighbours');
dist(2, 1) = dist(2, 1) - eps(dist(2, 1));
[ok, report] = knng.verify(X, 'pearson', idx, dist, 'Rows', 'pairwise');
tally(~ok && isequal(report.rows, 2), 'one bit');
X(5, :) = 1:20;
X(:, 1:3) = rand(30, 3);
[idx, dist] = knngraph(X, 4, 'Rows', 'complete');
tally(knng.verify(X, 'euclidean', idx, dist, 'Rows', 'complete') && ~knng.verify(X, 'euclidean', idx, dist, 'Rows', 'pairwise'), 'complete');
end

function says()
[X, ~] = with_gaps(30, 12, 0.1);
X(8, 2) = Inf;
X(:, 6) = NaN;
[text, id] = warned(@() knngraph(X, 2));
tally(strcmp(id, 'knng:data:nonFinite') && ~isempty(strfind(text, '30 of 30 rows (100 %)')) && ...
      ~isempty(strfind(text, 'column 6 (30 rows)')) && ~isempty(strfind(text, '''Rows'', ''pairwise''')) && ...
      ~isempty(strfind(text, 'knng.impute')), 'all: %s', text);
[text, id] = warned(@() knngraph(X([1:4, 6:30], :), 2, 'Rows', 'pairwise'));
tally(strcmp(id, 'knng:data:nonFinite') && ~isempty(strfind(text, '1 of 29 rows')) && ~isempty(strfind(text, 'isinf')), 'Inf: %s', text);
[text, id] = warned(@() knngraph(X([1:7, 9:30], :), 2, 'Rows', 'pairwise'));
tally(strcmp(id, 'knng:data:fewer') && ~isempty(strfind(text, '1 of 29 rows')), 'fewer: %s', text);
tally(strncmp(text, ['1 of 29 rows has a distance to fewer than 2 others, since it shares fewer than 3 columns with the rest, or is constant ' ...
                     'over these: its list is shorter '], 150), 'fewer, one: %s', text);
X(9, :) = NaN;
text = warned(@() knngraph(X([1:7, 9:30], :), 1, 'Rows', 'pairwise', 'MinValid', 1));
tally(strncmp(text, ['2 of 29 rows have a distance to fewer than 1 other, since they share fewer than 1 column with the rest, or are constant ' ...
                     'over these: their lists are shorter '], 150), 'fewer, two: %s', text);
Z = magic(6);
Z(1:3, 2) = NaN;
Z(5, 2) = Inf;
Z(4, 5) = Inf;
[text, id] = warned(@() knngraph(Z, 2, 'Rows', 'complete'));
tally(strcmp(id, 'knng:data:nonFinite') && ~isempty(strfind(text, '1 of 6 rows (16.7 %) hold Inf: ')) && ...
      ~isempty(strfind(text, 'in column 5 (1 row); make Inf')), 'Inf in what stays: %s', text);
X([5 8], :) = 1;
X(:, 6) = 1;
X(2, 3) = NaN;
X(:, 7:12) = 1;
[text, id] = warned(@() knngraph(X, 2, 'Rows', 'complete'));
tally(strcmp(id, 'knng:data:leftOut') && ~isempty(strfind(text, ' of 12 columns')) && ~isempty(regexp(text, ': (\d, )*3', 'once')), 'left out: %s', text);
end

function refuses()
X = with_gaps(10, 4, 0.1);
option = 'knng:args:option';
calls = { ...
  'knng:args:metric', 'cityblock', @() knngraph(X, 2, 'chebychev', 'Rows', 'pairwise'); ...
  option, 'has 4 columns', @() knngraph(X, 2, 'Rows', 'pairwise', 'MinValid', 5); ...
  option, '''Rows'', ''pairwise''', @() knngraph(X, 2, 'MinValid', 2); ...
  option, '''Rows'', ''pairwise''', @() knngraph(X, 2, 'Rows', 'complete', 'MinValid', 2); ...
  option, '''all'', ''complete'' or', @() knngraph(X, 2, 'Rows', 'pairs'); ...
  option, '1 or more', @() knngraph(X, 2, 'Rows', 'pairwise', 'MinValid', 0); ...
  option, 'no ''Checkpoint''', @() knngraph(X, 2, 'Rows', 'complete', 'Checkpoint', tempname()); ...
  option, 'has 4 columns', @() knngraph(X, 2, 'Rows', 'pairwise', 'MinValid', 5, 'Checkpoint', tempname()); ...
  option, 'keep = ~any', @() knng.rangegraph(X, 2, 'Rows', 'complete'); ...
  option, '''all'' or ''pairwise''', @() knng.rangegraph(X, 2, 'Rows', 'some'); ...
  option, '''Rows'', ''pairwise''', @() knng.rangesearch(X, X, 2, 'MinValid', 2); ...
  'knng:args:metric', 'cityblock', @() knng.rangesearch(X, X, 2, 'Distance', 'chebychev', 'Rows', 'pairwise'); ...
  option, 'no ''Output''', @() knngraph(X, 2, 'Rows', 'complete', 'Output', [tempname() '.h5']); ...
  option, '''Rows'', ''pairwise''', @() knng.verify(X, 'euclidean', 1, 1, 'MinValid', 2); ...
  option, 'has 4 columns', @() knng.verify(X, 'euclidean', ones(10, 1), ones(10, 1), 'Rows', 'pairwise', 'MinValid', 5); ...
  'knng:args:metric', 'cityblock', @() knng.verify(X, 'chebychev', ones(10, 1), ones(10, 1), 'Rows', 'pairwise'); ...
  option, 'give the matrix itself', @() knng.knnsearch(knng.createns(magic(4)), magic(4), 'Rows', 'pairwise'); ...
  'knng:args:unknownOption', 'Rows', @() knng.createns(magic(4), 'Rows', 'pairwise'); ...
  option, 'leave ''Rows'' out', @() knng.estimate(10, 4, 2, 'Rows', 'complete'); ...
  'knng:args:columns', 'Y 3', @() knng.knnsearch(X, X(:, 1:3), 'Rows', 'complete'); ...
  'knng:args:columns', 'Y 3', @() knng.knnsearch(X, X(:, 1:3), 'Rows', 'pairwise')};
for c = 1:size(calls, 1)
  [text, id] = said(calls{c, 3});
  tally(strcmp(id, calls{c, 1}) && ~isempty(strfind(text, calls{c, 2})), 'call %d: %s %s', c, id, text);
end
end

function estimates()
warning('off', 'knng:data:fewer', 'local');
e = knng.estimate(4000, 40, 7, 'pearson', 'Rows', 'pairwise', 'Calibrate', false, 'Threads', 1);
[X, ~] = with_gaps(400, 40, 0.05);
p = knng.estimate(400, 40, 7, 'pearson', 'Rows', 'pairwise', 'Calibrate', false, 'Threads', 1);
[~, ~, info] = knngraph(X, 7, 'pearson', 'Rows', 'pairwise', 'Threads', 1); %#ok<ASGLU>
tally(e.fits && p.memory.planned == info.memory.planned && info.memory.peak <= info.memory.planned, 'planned: %d, then %d', ...
      p.memory.planned, info.memory.planned);
tally(p.memory.result == 400 * 7 * 24, 'the result: %d', p.memory.result);
e = knng.estimate(2000, 40, 7, 'Rows', 'pairwise');
tally(e.seconds > 0 && ~isempty(strfind(e.device, 'cpu')), 'it takes %g s', e.seconds);
end

function blocks()
% Files of numbers, checkpoints and files of graphs: what the matrix gives. A checkpoint is of one 'MinValid'.
warning('off', 'knng:data:fewer', 'local');
X = single(with_gaps(900, 20, 0.2));
work = tempname();
mkdir(work);
restore = onCleanup(@() rmdir_all(work)); %#ok<NASGU>
file = fullfile(work, 'x.fbin');
f = fopen(file, 'w');
fwrite(f, size(X), 'uint32');
fwrite(f, X', 'single');
fclose(f);
for metric = {'pearson', 'spearman', 'euclidean'}
  how = {metric{1}, 'Rows', 'pairwise', 'MinValid', 15};
  [idx, dist, info] = knngraph(X, 5, how{:});
  kept = fullfile(work, metric{1});
  least = knng.estimate(file, 5, how{:}, 'Calibrate', false);
  calls = {{file}, {file, 'MaxMemory', 1.2 * least.memory.least}, {X, 'Checkpoint', kept}, {file, 'Checkpoint', kept}};
  for c = 1:numel(calls)
    [i, d, of] = knngraph(calls{c}{1}, 5, how{:}, calls{c}{2:end});
    tally(isequal(i, idx) && isequaln(d, dist) && of.fewer == info.fewer && of.nonfinite == 0 && isequal(of.nvalid, info.nvalid), ...
          '%s: call %d, fewer %d', metric{1}, c, of.fewer);
    tally(of.memory.peak <= of.memory.planned && of.blocks > (c == 2), '%s: call %d in %d blocks, %d of %d bytes', metric{1}, c, ...
          of.blocks, of.memory.peak, of.memory.planned);
  end
  tally(of.resumed == 1, '%s: went on from %g', metric{1}, of.resumed);
  [text, id] = said(@() knngraph(X, 5, how{1:3}, 'MinValid', 14, 'Checkpoint', kept));
  tally(strcmp(id, 'knng:checkpoint:other') && ~isempty(strfind(text, [metric{1} ' pairwise 15'])), 'another MinValid: %s', text);
  [~, id] = said(@() knngraph(X, 5, metric{1}, 'Checkpoint', kept));
  tally(strcmp(id, 'knng:checkpoint:other'), 'without Rows: %s', id);
  if with_hdf5()
    graph = fullfile(work, 'graph.h5');
    knngraph(file, 5, how{:}, 'Output', graph);
    [i, d] = knng.loadgraph(graph);
    tally(isequal(i, idx) && isequaln(d, dist), '%s: the file of the graph', metric{1});
    tally(knng.verify(X, metric{1}, graph, how{2:end}) && ~knng.verify(X, metric{1}, graph), '%s: verified', metric{1});
  end
end
% Rows of more than 64 columns, and more of them than are read at a time to see which columns neighbours share; memory
% for the search alone.
X = single(with_gaps(3800, 70, 0.2));
f = fopen(file, 'w');
fwrite(f, size(X), 'uint32');
fwrite(f, X', 'single');
fclose(f);
how = {3, 'euclidean', 'Rows', 'pairwise'};
least = knng.estimate(file, how{:}, 'Calibrate', false);
for times = [1 2]
  [i, ~, of] = knngraph(file, how{:}, 'MaxMemory', times * least.memory.least);
  shared = zeros(size(i));
  for c = 1:3
    there = i(:, c) > 0;
    shared(there, c) = sum(~isnan(X(there, :)) & ~isnan(X(i(there, c), :)), 2);
  end
  tally(any(~there) && ((times == 1 && isempty(of.nvalid)) || isequal(of.nvalid, shared)), ...
        '%d times the least memory: nvalid', times);
end
e = knng.estimate(1e6, 20, 5, 'pearson', 'Rows', 'pairwise', 'Ranks', 4, 'Calibrate', false);
tally(e.ranks == 4 && e.fits, 'ranks');
end

function yes = with_hdf5()
[~, id] = said(@() knngraph(magic(4), 1, 'Output', [tempname() '/none.h5']));
yes = ~strcmp(id, 'knng:io:noHDF');
end

function rmdir_all(folder)
confirm_recursive_rmdir(false, 'local');
rmdir(folder, 's');
end

function radius()
% All rows that the oracle has within a radius.
[X, Y] = with_gaps(40, 12, 0.2);
for metric = {'euclidean', 'pearson', 'spearman', 'cityblock'}
  [i, r] = oracle(X, Y, 40, metric{1}, 7);
  within = r(2, 9);
  [idx, D, info] = knng.rangesearch(X, Y, within, 'Distance', metric{1}, 'Rows', 'pairwise', 'MinValid', 7);
  for q = 1:6
    tally(isequal(idx{q}, i(q, r(q, :) <= within)) && isequal(D{q}, r(q, r(q, :) <= within)), '%s: query %d', metric{1}, q);
  end
  tally(info.nonfinite == 0 && numel(idx{2}) >= 9, '%s', metric{1});
  [i, r] = oracle(X, [], 39, metric{1}, 7);
  A = knng.rangegraph(X, within, metric{1}, 'Rows', 'pairwise', 'MinValid', 7);
  tally(nnz(A) == sum(sum(r <= within)) && isequal(A, A') && full(max(max(A))) == max(r(r <= within)), '%s: the graph', metric{1});
end
[~, D] = knng.rangesearch(single(X), Y, 2, 'Rows', 'pairwise');
tally(isa(D{1}, 'single'), 'the class');
[text, id] = warned(@() knng.rangegraph(X, 2));
tally(strcmp(id, 'knng:data:nonFinite') && ~isempty(strfind(text, '''Rows'', ''pairwise''')) && isempty(strfind(text, 'complete')), 'all: %s', text);
e = knng.estimate(400, 12, 7, 'pearson', 'Rows', 'pairwise', 'Radius', true, 'Calibrate', false);
tally(e.fits, 'the estimate');
end

function clusters()
% knng.dbscan against its definition, of the oracle's distances; knng.spectralcluster of a graph of them. What takes no
% missing values says so before any work.
warning('off', 'knng:data:fewer', 'local');
warning('off', 'knng:graph:components', 'local');
[X, ~] = with_gaps(60, 8, 0.3);
for metric = {'euclidean', 'spearman'}
  [i, r] = oracle(X, [], 59, metric{1}, 4);
  D = Inf(60);
  for row = 1:60
    D(row, i(row, i(row, :) > 0)) = r(row, i(row, :) > 0);
  end
  for c = 1:6
    epsilon = min(r(6 + c, 3 * c), 100);
    minpts = [1 2 4 8 17 30](c);
    core = sum(D <= epsilon, 2) + 1 >= minpts & ~all(isnan(X), 2) & (minpts > 1 | sum(~isnan(X), 2) >= 4);
    part = knng.conncomp(sparse((D <= epsilon) & core & core'))';
    want = -ones(60, 1);
    [~, ~, want(core)] = unique(part(core), 'first');
    order = accumarray(want(core), find(core), [], @min);
    [~, order] = sort(order);
    number(order) = 1:numel(order);
    want(core) = number(want(core));
    for row = find(~core)'
      near = want(D(row, :)' <= epsilon & core);
      want(row) = min([near; Inf]);
    end
    want(isinf(want)) = -1;
    [idx, corepts] = knng.dbscan(X, epsilon, minpts, 'Distance', metric{1}, 'Rows', 'pairwise', 'MinValid', 4);
    tally(isequal(corepts, core) && isequal(idx, want), 'dbscan, %s, minpts = %d: %s, not %s', metric{1}, minpts, mat2str(idx'), mat2str(want'));
    clear number
  end
end
n = 60;                                                      % halves that share no column, and a graph that shows nearly all rows
X = NaN(n, 6);
X(1:30, 1:3) = reshape(knng.internal.random(1, 90), 30, 3);
X(31:60, 4:6) = reshape(knng.internal.random(2, 90), 30, 3);
for minpts = [1 5]
  idx = knng.dbscan(X, 10, minpts, 'Rows', 'pairwise', 'MinValid', 3);
  tally(isequal(idx, [ones(30, 1); 2 * ones(30, 1)]), 'dbscan, rows without a column in common, minpts = %d: %s', minpts, mat2str(idx'));
end
A = knngraph(X, 6, 'Rows', 'pairwise');
S = knng.adjacency(A, 'Symmetrize', 'union');
[i, j, d] = find(S);
S = sparse(i, j, exp(-d .^ 2), 60, 60);
[~, ~, want] = knng.spectralcluster(S, 2, 'Distance', 'precomputed');
[~, ~, got] = knng.spectralcluster(X, 2, 'NumNeighbors', 6, 'Rows', 'pairwise');
tally(isequal(got, want), 'spectralcluster: %s', mat2str(got - want));
for call = {@() knng.mstknn(X, 'Rows', 'pairwise'), @() knng.minspantree(X, 'Rows', 'pairwise'), ...
            @() knng.silhouette(X, ones(60, 1), 'Rows', 'pairwise')}
  [text, id] = said(call{1});
  tally(strcmp(id, 'knng:args:unknownOption') && ~isempty(strfind(text, 'knng.impute')), '%s: %s', func2str(call{1}), text);
end
for call = {@() knng.dbscan(X, 1, 3, 'Rows', 'complete'), @() knng.spectralcluster(X, 2, 'Rows', 'complete'), ...
            @() knng.dbscan(X, 1, 3, 'MinValid', 3), @() knng.spectralcluster(X, 2, 'Rows', 'pairwise', 'MinValid', 9)}
  [text, id] = said(call{1});
  tally(strcmp(id, 'knng:args:option'), '%s: %s', func2str(call{1}), text);
end
end

function [text, id] = said(f) %#ok<INUSD>
% The error of a call.
[text, id] = deal('', 'none');
try
  evalc('f();');
catch e
  [text, id] = deal(e.message, e.identifier);
end
end

function [text, id] = warned(f) %#ok<INUSD>
% The first warning of a call.
former = warning();
restore = onCleanup(@() warning(former)); %#ok<NASGU>
for name = {'knng:data:nonFinite', 'knng:data:fewer', 'knng:data:leftOut'}
  warning('on', name{1});
end
lastwarn('', '');
evalc('f();');
[text, id] = lastwarn();
end

function tally(ok, varargin)
if ~ok
  error(varargin{:});
end
end
