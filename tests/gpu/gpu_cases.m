function [npass, nfail] = gpu_cases()
%GPU_CASES  The whole table of cases on the CPU, on one GPU and on all of them, each against the oracle, bit by bit.
  former = warning();
  restore = onCleanup(@() warning(former));
  warning('error', 'knng:device:fallback');  % a GPU that gives up must not pass as the CPU
  devices = {'cpu', 1};
  if numel(knng.devices()) > 1
    devices{end + 1} = 'gpu';
  end
  [npass, nfail] = run_cases('short', 'Device', devices);

  % Long lists are put in order in another place than short ones.
  randn('twister', 8);
  X = floor(randn(3100, 4) * 6);  % with ties
  Y = randn(3100, 300);
  for k = [2047 2048 2049 3000 3099]
    for metric = {'euclidean', 'abspearson'}
      Z = Y;
      if strcmp(metric{1}, 'euclidean')
        Z = X;
      end
      [ri, rd] = knngraph(Z, k, metric{1}, 'Device', 'cpu');
      for d = 2:numel(devices)
        [idx, dist] = knngraph(Z, k, metric{1}, 'Device', devices{d}, 'TileSize', 512);
        ok = isequal(idx, ri) && isequal(typecast(dist(:), 'uint64'), typecast(rd(:), 'uint64'));
        npass = npass + ok;
        nfail = nfail + ~ok;
        if ~ok
          fprintf('k = %d, %s, GPUs %s: not the neighbours of the CPU\n', k, metric{1}, mat2str(devices{d}));
        end
      end
    end
  end
end
