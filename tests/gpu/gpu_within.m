function [npass, nfail] = gpu_within(n)
%GPU_WITHIN  All rows within a radius, searched on GPUs by ever more nearest ones, against the CPU, bit by bit.
%   n: rows of a set; few where GPUs are emulated. See gpu_sets for generated sets.
  if nargin < 1
    n = 5000;
  end
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('off', 'all');
  warning('error', 'knng:device:fallback');
  randn('twister', 23);
  rand('twister', 23);
  npass = 0;
  nfail = 0;
  X = randn(n, 12);
  few = X(1:max(45, ceil(n / 10)), :);
  gaps = X;
  gaps(rand(n, 12) < 0.05) = NaN;
  bad = X;
  bad(3:7:end, 2) = NaN;
  lengths = sort(sqrt(sum(bsxfun(@minus, X, X(1, :)) .^ 2, 2)));
  at = @(k) lengths(min(ceil(k), n));
  cases = {                                                % some rows have more than 32, than 256, than 2048; all have all
    'few', X, at(3), {}
    'some have more', X, at(33), {}
    'most have more', single(X), at(n / 10), {}
    'half', X, at(n / 2), {'Distance', 'cityblock'}
    'all', few, Inf, {}
    'equal rows', [few; few; few(1:5, :)], at(5), {}
    'equal rows alone', repmat(few(1:3, :), 50, 1), 0, {}
    'clusters', X + 50 * floor(3 * rand(n, 1)), at(n / 2), {'Prune', 'on'}
    'far clusters', X + 1e8 * floor(3 * rand(n, 1)), at(n / 2), {}
    'correlations', X, 0.3, {'Distance', 'pearson'}
    'gaps', gaps(1:max(80, ceil(n / 4)), :), 4, {'Rows', 'pairwise'}
    'gaps, correlations', gaps(1:max(80, ceil(n / 4)), :), 0.9, {'Rows', 'pairwise', 'Distance', 'spearman', 'MinValid', 10}
    'without distances', bad, at(n / 8), {}
    'many queries', [few(1:10, :); few(1:4, :)], at(20), {} % more than 4096: a sample says how many are sought first
    'one row', X(1, :), 1, {}
    'two rows', X(1:2, :), Inf, {}
  };
  if n >= 5000
    cases(end+1, :) = {'many rows', randn(200000, 12), 1.6, {}}; % as many have more than are sought first
  end
  devices = gpu_devices();
  for c = 1:size(cases, 1)
    [name, Z, r, how] = cases{c, :};
    Q = [Z(1:min(end, 40), :); Z(1:min(end, 9), :) + 0.01];
    if strcmp(name, 'many queries')
      Q = randn(4100, 12);
    end
    searches = {
      'graph', @(v) knng.rangegraph(Z, r, how{:}, v{:})
      'queries', @(v) knng.rangesearch(Z, Q, r, how{:}, v{:})
    };
    for q = 1:2
      [ri, rd, right] = searches{q, 2}({'Device', 'cpu'});
      if q == 1
        [~, ~, plain] = knngraph(Z, 1, how{:}, 'Device', 'cpu');
      else
        [~, ~, plain] = knng.knnsearch(Z, Q, 'K', 1, how{:}, 'Device', 'cpu');
      end
      for w = 1:numel(devices)
        try
          [idx, dist, info] = searches{q, 2}({'Device', devices{w}});
          gpu = ~strncmp(info.device, 'cpu', 3) || size(Z, 1) == 1;
          why = different(idx, dist, ri, rd);
          if isempty(why) && ~gpu
            why = ['searched on ' info.device];
          elseif isempty(why) && info.memory.peak > info.memory.planned
            why = sprintf('%g bytes held, %g planned', info.memory.peak, info.memory.planned);
          elseif isempty(why) && ~isequal([info.nonfinite, info.constant, info.fewer], [right.nonfinite, right.constant, right.fewer])
            why = sprintf('other rows without distances: %s, not %s', mat2str([info.nonfinite, info.constant, info.fewer]), ...
                          mat2str([right.nonfinite, right.constant, right.fewer]));
          elseif isempty(why)
            why = unlike(info, plain);
          end
        catch e
          why = [e.identifier ' ' e.message];
        end
        count(why, '%s, %s, way %d', name, searches{q, 1}, w);
      end
    end
  end

  % As a matrix, and where there may be no more than so many pairs.
  [ri, rd] = knng.rangegraph(X, at(40), 'Device', 'cpu');
  A = knng.rangegraph(X, at(40), 'Device', 'cpu');
  count(if_so(~isequal(A, knng.rangegraph(X, at(40), 'Device', 1)), 'not the matrix'), 'matrix');
  pairs = nnz(A);
  for most = [1, pairs - 1, pairs]
    found = knng.internal.range('graph', X, [], at(40), {'Device', 1, 'MaxPairs', most});
    ok = isequal(found, cellfun('size', ri, 2)') || (most < pairs && isempty(found));
    count(if_so(~ok || (most < pairs && ~isempty(found)), 'not those pairs'), 'at most %d pairs', most);
  end

  % With ever less memory: fewer rows at once, at last an error.
  [~, ~, plain] = knngraph(X, 1, 'Device', 'cpu');
  for r = [at(3), at(n / 4)]
    [ri, rd, info] = knng.rangegraph(X, r, 'Device', 1);
    limit = info.memory.planned + 2e5 + 400 * n + 60 * numel([ri{:}]);
    [ri, rd] = knng.rangegraph(X, r, 'Device', 'cpu');
    step = (limit - info.memory.planned) / 8;
    most = 0;
    refused = false;
    while limit > 0 && ~refused
      try
        [idx, dist, info] = knng.rangegraph(X, r, 'Device', 1, 'MaxMemory', limit);
        why = different(idx, dist, ri, rd);
        if isempty(why) && info.memory.peak > min(limit, info.memory.planned)
          why = sprintf('%g bytes held, %g planned', info.memory.peak, info.memory.planned);
        elseif isempty(why)
          why = unlike(info, plain);
        end
        most = max(most, info.blocks);
      catch e
        refused = true;
        why = '';
        if ~strcmp(e.identifier, 'knng:args:maxMemory') || isempty(strfind(e.message, 'smaller radius'))
          why = [e.identifier ' ' e.message];
        end
      end
      count(why, 'radius %g, MaxMemory %g', r, limit);
      limit = limit - step;
    end
    count(if_so(most < 2 && r == at(3), 'all rows at once'), 'MaxMemory');
  end

  % A searcher on a GPU, time after time.
  ns = knng.createns(X, 'Device', 1);
  for r = [at(3), at(100), 0, at(40)]
    for m = [1 30]
      [ri, rd] = knng.rangesearch(X, X(1:m, :), r, 'Device', 'cpu');
      [idx, dist] = knng.rangesearch(ns, X(1:m, :), r);
      count(different(idx, dist, ri, rd), 'searcher, radius %g, %d rows', r, m);
      count(if_so(~isequal(knng.knnsearch(ns, X(1:m, :)), (1:m)'), 'not the nearest'), 'searcher');
    end
  end
  knng.release(ns);

  % Core points and clusters.
  for epsilon = [at(10), at(n / 8)]
    a = knng.dbscan(X, epsilon, 8, 'Device', 'cpu');
    count(if_so(~isequal(a, knng.dbscan(X, epsilon, 8, 'Device', 1)), 'other clusters'), 'dbscan, %g', epsilon);
  end
  fprintf('%d passed, %d failed\n', npass, nfail);

  function count(why, varargin)
    npass = npass + isempty(why);
    nfail = nfail + ~isempty(why);
    if ~isempty(why)
      fprintf(['%s: ' varargin{1} '\n'], why, varargin{2:end});
    end
  end
end

function why = if_so(failed, text)
  why = '';
  if failed
    why = text;
  end
end

% The same points, and as many rows that are certified, as a search for the nearest says.
function why = unlike(info, right)
  why = '';
  said = @(info) [info.points, sum(cell2mat(struct2cell(info.certified)))];
  if ~isequal(said(info), said(right))
    why = sprintf('points and certified rows: %s, not %s', mat2str(said(info)), mat2str(said(right)));
  end
end

function why = different(idx, dist, ri, rd)
  why = '';
  if ~isequal(idx, ri) || ~isequal(typecast([dist{:}], 'uint32'), typecast([rd{:}], 'uint32'))
    why = 'not what the CPU finds';
  end
end
