function [npass, nfail] = gpu_memory()
%GPU_MEMORY  'MaxDeviceMemory' holds, measured with the driver's own tool, and info tells the truth.
  randn('twister', 3);
  X = randn(40000, 100);
  [ri, rd] = knngraph(X, 20, 'euclidean', 'Device', 'cpu');
  limits = [4e9 2.5e8 5e8 1e9];  % what the first search holds is too much for the second
  ok = [];
  for i = 1:numel(limits)
    [idx, dist, info] = knngraph(X, 20, 'euclidean', 'Device', 1, 'MaxDeviceMemory', limits(i));
    blocks(i) = info.blocks;
    held(i) = used();
    said(i) = info.memory.device;
    ok(end + 1) = isequal(idx, ri) && isequal(dist, rd);
    ok(end + 1) = said(i) <= limits(i);
  end
  knng.internal.search('release');
  held = held - used();
  for i = 1:numel(limits)
    fprintf('limit %.0f: said %.0f, held %.0f\n', limits(i), said(i), held(i));
    ok(end + 1) = held(i) <= limits(i) + 4e6;     % the driver counts in pages of 2 MiB
    ok(end + 1) = abs(held(i) - said(i)) < 16e6;
  end
  ok(end + 1) = blocks(1) == 1 && blocks(2) > 1;  % little memory: block after block
  small = {'pearson', X(1:4000, :); 'euclidean', [X(1:3000, :) * 1e3; X(1:1000, :) * 1e-3]; 'cityblock', X(1:4000, 1:20)
           'sqeuclidean', floor(X(1:5000, 1:6)); 'abspearson', X([1:4000 1:4000], 1:30)
           'spearman', single(X(1:3000, 1:90)); 'antipearson', X([1:3500 1:7:3500], 1:60)};
  for i = 1:size(small, 1)
    [metric, Y] = small{i, :};
    least = 1e6;
    try
      knngraph(Y, 300, metric, 'Device', 1, 'MaxDeviceMemory', least);
    catch e
      least = str2double(regexp(e.message, '\d+', 'match', 'once'));
    end
    [qi, qd] = knngraph(Y, 300, metric, 'Device', 'cpu');
    [yi, yd] = knng.knnsearch(Y, Y(1:2:end, :), 'K', 300, 'Distance', metric, 'Device', 'cpu');
    devices = {1, 'gpu', 'gpu'};
    for j = 1:3
      limit = least + (j - 1) * 1e7;
      [idx, dist, info] = knngraph(Y, 300, metric, 'Device', devices{j}, 'MaxDeviceMemory', limit);
      ok(end + 1) = isequal(idx, qi) && isequal(dist, qd) && info.blocks > 1 && info.memory.device <= limit;
      ok(end + 1) = j > 1 || info.panels > 1;     % the least is what streamed rows need
      [idx, dist, info] = knng.knnsearch(Y, Y(1:2:end, :), 'K', 300, 'Distance', metric, 'Device', devices{j}, 'MaxDeviceMemory', limit + 16 * numel(Y) + 1e6);
      ok(end + 1) = isequal(idx, yi) && isequal(dist, yd);
    end
    fprintf('%s: at least %.0f bytes\n', metric, least);
  end
  Y = X(1:6000, 1:20);                            % clusters far apart, one by one
  Y(1:2:end, :) = Y(1:2:end, :) + 1e6;
  [qi, qd] = knngraph(Y, 6, 'euclidean', 'Device', 'cpu');
  try
    knngraph(Y, 6, 'euclidean', 'Device', 1, 'MaxDeviceMemory', 1e6);
  catch e
    least = str2double(regexp(e.message, '\d+', 'match', 'once'));
  end
  [idx, dist, info] = knngraph(Y, 6, 'euclidean', 'Device', 1, 'MaxDeviceMemory', least);
  ok(end + 1) = isequal(idx, qi) && isequal(dist, qd);
  ok(end + 1) = info.memory.device <= least && ~isempty(strfind(info.pruned, '2 clusters far from each other'));
  Y = X(1:9000, :);                               % missing values: the same rows at all times, with smaller tiles
  Y(1:11:end) = NaN;
  [qi, qd] = knngraph(Y, 20, 'pearson', 'Device', 'cpu', 'Rows', 'pairwise');
  try
    knngraph(Y, 20, 'pearson', 'Device', 1, 'Rows', 'pairwise', 'MaxDeviceMemory', 1e6);
  catch e
    least = str2double(regexp(e.message, '\d+', 'match', 'once'));
  end
  for limit = [least, least + 5e7, 1e9]
    [idx, dist, info] = knngraph(Y, 20, 'pearson', 'Device', 1, 'Rows', 'pairwise', 'MaxDeviceMemory', limit);
    ok(end + 1) = isequal(idx, qi) && isequal(dist, qd) && info.memory.device <= limit && info.memory.peak <= info.memory.planned;
    fprintf('pairwise, limit %.0f: tiles of %d\n', limit, info.tilesize);
  end
  panels = 0;                                     % lists of all rows, while the rows come and go
  Z = randn(4000, 900);                           % rows that are equal, and rows without distances
  Z(2:3:end, :) = Z(2 * ones(1, numel(2:3:4000)), :);
  Z(1:50:end, 7) = NaN;
  warning('off', 'knng:data:nonFinite');
  for Y = {randn(6000, 2000), randn(2500, 2100), single(randn(5000, 1500)), [randn(1500, 600); 1e8 + randn(1500, 600)], Z}
    Y = Y{1};
    [qi, qd] = knngraph(Y, 5, 'euclidean', 'Device', 'cpu');
    [yi, yd] = knng.knnsearch(Y(1:2:end, :), Y, 'K', 5, 'Device', 'cpu');
    try
      knngraph(Y, 5, 'euclidean', 'Device', 1, 'MaxDeviceMemory', 1e6);
    catch e
      least = str2double(regexp(e.message, '\d+', 'match', 'once'));
    end
    for more = [0 8e6 2e7 4e7]
      for device = {1, 'gpu'}
        [idx, dist, info] = knngraph(Y, 5, 'euclidean', 'Device', device{1}, 'MaxDeviceMemory', least + more);
        ok(end + 1) = isequaln(idx, qi) && isequaln(dist, qd) && info.memory.device <= least + more;
        panels = panels + (info.panels > 1 && info.blocks == 1);
        [idx, dist] = knng.knnsearch(Y(1:2:end, :), Y, 'K', 5, 'Device', device{1}, 'MaxDeviceMemory', least + more + 3 * numel(Y) + 2e6);
        ok(end + 1) = isequaln(idx, yi) && isequaln(dist, yd);
      end
    end
  end
  fprintf('%d searches with streamed rows and the lists of all\n', panels);
  ok(end + 1) = panels > 0;
  try
    knngraph(X, 20, 'euclidean', 'Device', 1, 'MaxDeviceMemory', 1e6);
    ok(end + 1) = false;
  catch e
    disp(e.message);
    ok(end + 1) = strcmp(e.identifier, 'knng:device:memory');
  end
  [idx, dist, info] = knngraph(X, 20, 'euclidean', 'MaxDeviceMemory', 1e6);  % 'auto': the CPU stands in
  ok(end + 1) = isequal(idx, ri) && strncmp(info.device, 'cpu', 3) && ~isempty(info.note);
  npass = sum(ok == 1);
  nfail = sum(ok ~= 1);
  fprintf('%d passed, %d failed\n', npass, nfail);
end

function bytes = used()
  [status, text] = system('nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits -i 0');
  if status ~= 0
    error('nvidia-smi does not answer');
  end
  bytes = str2double(text) * 1048576;
end
