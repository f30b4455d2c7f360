function [npass, nfail] = gpu_shared()
%GPU_SHARED  Another process holds most of the card (tests/gpu/hog.cu, started by check.sh, leaves KNNG_LEFT bytes): the
%   search takes smaller tiles, or the CPU where too little is left; the answer is the same.
  left = str2double(getenv('KNNG_LEFT'));
  randn('twister', 4);
  X = randn(60000, 50);
  [ri, rd] = knngraph(X, 20, 'euclidean', 'Device', 'cpu');
  list = knng.devices();
  [idx, dist, info] = knngraph(X, 20, 'euclidean');
  on_gpu = isempty(strfind(info.device, 'cpu'));
  fprintf('left %.0f, free %.0f: %s, tile %d, %.0f bytes; %s\n', left, list(1).free, info.device, info.tilesize, info.memory.device, info.note);
  ok = [isequal(idx, ri) && isequal(dist, rd), info.memory.device < left, on_gpu == (left > 1e9) || numel(list) > 1];
  npass = sum(ok);
  nfail = sum(~ok);
  fprintf('%d passed, %d failed\n', npass, nfail);
end
