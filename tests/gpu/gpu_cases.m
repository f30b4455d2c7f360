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

  % Rows that share candidates are staged together: at once, in several turns, and not where a tile has no room for it;
  % a graph, what of it climbs, and queries.
  X = randn(700, 70);
  Y = X;
  Y(1:2:end, :) = Y(1:2:end, :) + 1e8;
  for k = [15 100 690]
    for metric = {'euclidean', 'abspearson', 'chebychev'}
      for tile = [256 2048]
        search = {@(d) knngraph(X, k, metric{1}, 'Device', d, 'TileSize', tile), ...
                  @(d) knngraph(Y, k, metric{1}, 'Device', d, 'TileSize', tile), ...
                  @(d) knng.knnsearch(X, Y(1:333, :) / 3, 'K', k, 'Distance', metric{1}, 'Device', d, ...
                                      'TileSize', tile)};
        for r = 1:numel(search)
          [ri, rd] = search{r}('cpu');
          for d = 2:numel(devices)
            [idx, dist] = search{r}(devices{d});
            ok = isequal(idx, ri) && isequal(typecast(dist(:), 'uint64'), typecast(rd(:), 'uint64'));
            npass = npass + ok;
            nfail = nfail + ~ok;
            if ~ok
              fprintf('k = %d, %s, tiles of %d, search %d, GPUs %s: not the neighbours of the CPU\n', k, metric{1}, ...
                      tile, r, mat2str(devices{d}));
            end
          end
        end
      end
    end
  end
end
