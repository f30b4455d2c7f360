function [npass, nfail] = gpu_memory()
%GPU_MEMORY  'MaxDeviceMemory' holds, measured with the driver's own tool, and info tells the truth.
  npass = 0;
  nfail = 0;
  randn('twister', 3);
  X = randn(40000, 100);
  [ri, rd] = knngraph(X, 20, 'euclidean', 'Device', 'cpu');
  for limit = [2.5e8 5e8 1e9 4e9]
    knng.internal.search('release');
    [idx, dist, info] = knngraph(X, 20, 'euclidean', 'Device', 1, 'MaxDeviceMemory', limit);
    held = used();
    knng.internal.search('release');
    held = held - used();
    ok = [isequal(idx, ri) && isequal(dist, rd), info.memory.device <= limit, held <= limit + 4e6, held > info.memory.device - 4e6];
    fprintf('limit %.0f: said %.0f, held %.0f, tile %d: %s\n', limit, info.memory.device, held, info.tilesize, mat2str(ok));
    npass = npass + sum(ok);
    nfail = nfail + sum(~ok);
  end
  try
    knngraph(X, 20, 'euclidean', 'Device', 1, 'MaxDeviceMemory', 1e6);
    ok = false;
  catch e
    disp(e.message);
    ok = strcmp(e.identifier, 'knng:device:memory');
  end
  [idx, dist, info] = knngraph(X, 20, 'euclidean', 'MaxDeviceMemory', 1e6);  % 'auto': the CPU stands in
  ok(2) = isequal(idx, ri) && strncmp(info.device, 'cpu', 3) && ~isempty(info.note);
  npass = npass + sum(ok);
  nfail = nfail + sum(~ok);
  fprintf('%d passed, %d failed\n', npass, nfail);
end

function bytes = used()
  [status, text] = system('nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits -i 0');
  if status ~= 0
    error('nvidia-smi does not answer');
  end
  bytes = str2double(text) * 1048576;
end
