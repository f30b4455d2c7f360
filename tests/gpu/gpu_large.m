function [npass, nfail] = gpu_large()
%GPU_LARGE  A search of real size: 1000 rows of its answer against the CPU, bit by bit, on one GPU and on all.
%   384126 x 295 as in the second workload of docs/performance.md; fewer rows on a GPU with less than 6 GB free.
  npass = 0;
  nfail = 0;
  list = knng.devices();
  n = min(384126, floor(min([list.free]) / 16e3));
  randn('twister', 7);
  X = randn(n, 295);
  rows = floor((0:999) * n / 1000) + 1;
  [qi, qd] = knng.knnsearch(X, X(rows, :), 'K', 21, 'Distance', 'pearson', 'Device', 'cpu');
  devices = {1, 'gpu'};
  for i = 1:1 + (numel(list) > 1)
    tic;
    [idx, dist, info] = knngraph(X, 20, 'pearson', 'Device', devices{i});
    seconds = toc;
    same = isequal(idx(rows, :), qi(:, 2:end)) && isequal(typecast(dist(rows, :)(:), 'uint64'), typecast(qd(:, 2:end)(:), 'uint64'));
    proven = sum(cell2mat(struct2cell(info.certified))) == n;
    fprintf('%s: %d x 295, k = 20, %.3f s, %s\n', info.device, n, seconds, mat2str([same, proven]));
    npass = npass + same + proven;
    nfail = nfail + ~same + ~proven;
  end
  fprintf('%d passed, %d failed\n', npass, nfail);
end
