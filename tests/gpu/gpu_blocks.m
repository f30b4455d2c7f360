function [npass, nfail] = gpu_blocks(n, metrics)
%GPU_BLOCKS  Graphs from pairs of blocks on one GPU and on all against whole searches on the CPU, bit by bit. n: rows
%   (default 900). Each pair is met once for both blocks; among the data are rows that escalate, equal rows in different
%   blocks, clusters far apart, and rows without distances. make check runs it on two emulated GPUs. metrics: graphs by
%   these, and nothing else. Where n is given, each third call fails, or all where KNNG_ALL is set.
if nargin < 1
  n = 900;
end
few = nargin > 1;
if ~few
  metrics = {'euclidean', 'abspearson', 'antipearson', 'cityblock'};
end
former = warning();
restore = onCleanup(@() warning(former));
warning('off', 'knng:data:nonFinite');
randn('twister', 7);
rand('twister', 7);
X = randn(n, 9);
far = 200 * repmat(randn(1, 12), n, 1) + randn(n, 12);
holes = X;
holes(1:7:end, 3) = NaN;
apart = randn(n, 9) + 1e7 * mod((1:n)', 3);
data = {X, far, X(mod((1:n) * 7, ceil(n / 2)) + 1, :), holes, single(X), apart};
all = numel(knng.devices());
ways = @(turn) 1:2;
if nargin > 0 && isempty(getenv('KNNG_ALL'))
  ways = @(turn) 1 + mod(turn, 2);
end
turn = 0;
npass = 0;
nfail = 0;
for metric = metrics
  for x = 1:numel(data)
    for c = {1, ceil(0.4 * n), 1; 6, ceil(0.75 * n), all; n + 10, ceil(0.37 * n), all}'
      [k, size, gpus] = c{:};
      [ri, rd] = knngraph(data{x}, min(k, n - 1), metric{1}, 'Device', 'cpu');
      turn = turn + 1;
      for prune = [1 2](ways(turn))                        % with boxes, and without
        [idx, dist, refined, pruned] = knng.internal.blocks(data{x}, k, metric{1}, size, 1:gpus, 64, [], prune);
        same = isequal(idx, ri) && isequaln(dist, rd) && strcmp(class(dist), class(rd)) && ...
               strncmp(pruned, {'yes: in ', 'no: as '}{prune}, 6);
        npass = npass + same;
        nfail = nfail + ~same;
        if ~same
          fprintf('%s, data %d, k %d, blocks of %d, %d GPUs, %s: not the neighbours\n', metric{1}, x, k, size, gpus, pruned);
        end
      end
    end
  end
end
if few
  fprintf('%d passed, %d failed\n', npass, nfail);
  return
end

% On GPUs with so little memory that lists make room in blocks and prepared rows come in panels: the least that there
% can be, as the message says, and more.
for metric = {'euclidean', 'cityblock'}
  for x = {far, single(X)}
    for size = ceil([0.4, 0.75] * n)
      [ri, rd] = knngraph(x{1}, 6, metric{1}, 'Device', 'cpu');
      room = 1e6;
      more = 8 * n * [0 2 8 40];
      while ~isempty(more)
        try
          [idx, dist] = knng.internal.blocks(x{1}, 6, metric{1}, size, 1:all, 64, room + more(1));
          same = isequal(idx, ri) && isequaln(dist, rd);
          npass = npass + same;
          nfail = nfail + ~same;
          if ~same
            fprintf('%s, %s, blocks of %d, %g bytes: not the neighbours\n', metric{1}, class(x{1}), size, room + more(1));
          end
          more(1) = [];
        catch e
          least = str2double(regexp(e.message, '(?<=at least )\d+', 'match', 'once'));
          if ~(strcmp(e.identifier, 'knng:device:memory') && least > room)
            rethrow(e);
          end
          room = least;
        end
      end
    end
  end
end

% A file of numbers, read into memory and searched by the GPUs.
file = [tempname() '.fbin'];
f = fopen(file, 'w');
fwrite(f, [n 9], 'uint32');
fwrite(f, single(X)', 'single');
fclose(f);
[ri, rd] = knngraph(single(X), 6, 'pearson', 'Device', 'cpu');
[idx, dist, info] = knngraph(file, 6, 'pearson', 'Device', 1:all);
same = isequal(idx, ri) && isequaln(dist, rd) && isempty(strfind(info.device, 'cpu'));
npass = npass + same;
nfail = nfail + ~same;
if ~same
  fprintf('a file, on %s: not the neighbours\n', info.device);
end

% The CPU steps in for a GPU that fails in a search, as with a matrix. While a search is planned a failure is an error, since
% GPUs were asked for; a few calls may be made for the first search alone.
warning('off', 'knng:device:fallback');
errors = [0 0];
fell = [0 0];
step = 1 + 2 * (nargin > 0 && isempty(getenv('KNNG_ALL')));
for what = 1:2
  for nth = 1:step:150
    knng.internal.search('fail', nth);
    try
      [idx, dist, info] = knngraph({single(X), file}{what}, 6, 'pearson', 'Device', 1:all);
      same = isequal(idx, ri) && isequaln(dist, rd);
      fell(what) = fell(what) + ~isempty(info.note);
    catch e
      errors(what) = errors(what) + strncmp(e.identifier, 'knng:device:', 12);
      same = any(strncmp(e.identifier, {'knng:device:', 'knng:memory:', 'knng:io:open'}, 12));
    end
    knng.internal.search('fail', 0);
    npass = npass + same;
    nfail = nfail + ~same;
    if ~same
      fprintf('call %d of kind %d failing\n', nth, what);
    end
  end
end
delete(file);
same = errors(2) <= errors(1) + 3 && min(fell) > 20 / step;
npass = npass + same;
nfail = nfail + ~same;
if ~same
  fprintf('errors %s, searches that fell back %s\n', mat2str(errors), mat2str(fell));
end
fprintf('%d passed, %d failed\n', npass, nfail);
end
