function [npass, nfail] = growth(calls, seed, drawn)
%GROWTH  Makes mixed good and bad calls in this process and asks that its memory does not grow.
%   [npass, nfail] = growth(calls, seed, drawn) draws 500 calls of the storm (see storm_table), or `drawn`, and makes them
%   over and over, in the same order, first until the allocator has seen everything, then `calls` times. It passes if
%     - no gateway's ledger (what sys.h counts) has a block or a file more than before, and
%     - the anonymous memory of the process, RssAnon of /proc/self/status, has not grown by 40 bytes a call in each
%       quarter of them. If it has, the calls are made twice more: a leak grows in every part of those, too, and the
%       allocator, which may take steps of up to 2 MB or many small ones, has come to rest in one of them.
%   The ledger misses no block of the core's; the second sees what others hold: mxArrays, OpenMP, OpenBLAS, zlib,
%   statics. Since each round is the same, a leak of one block in one of its calls grows by the round.

if nargin < 2
  seed = 20120830;
end
if nargin < 3
  drawn = 500;
end
parts = 4;
warm = 4;                                  % rounds
folder = tempname();
mkdir(folder);
here = pwd();
old = confirm_recursive_rmdir(false);
tidy = onCleanup(@() drop(folder, old, here));
cd(folder);                                % else the toolbox of the folder above came before that of the path
table = storm_table(folder);
former = warning();
restore = onCleanup(@() warning(former));
warning('off', 'all');
list = draw(table, seed, drawn);
for i = 1:warm
  make(list);
end
rounds = ceil(calls / drawn / parts);      % a part
s = state();
started = tic();
grows = true;
while numel(s) <= parts || (grows && numel(s) <= 3 * parts)
  for i = 1:rounds
    make(list);
  end
  s(end + 1) = state(); %#ok<AGROW>
  grows = min(diff([s.memory])) * 1024 > 40 * rounds * drawn;
end
calls = (numel(s) - 1) * rounds * drawn;
left = s(end).live - s(1).live;
fprintf('%d calls, %.0f s: memory %s kB; blocks and files more in each gateway: %s\n', calls, toc(started), ...
        mat2str([s.memory]), mat2str(left));
problem = '';
if any(left > 0)
  problem = sprintf('%d blocks or files are left in %d calls', sum(left), calls);
elseif grows
  problem = sprintf('the memory grows all the time, by %d kB in %d calls', s(end).memory - s(1).memory, calls);
end
if ~isempty(problem)
  fprintf('FAIL %s\n', problem);
end
nfail = double(~isempty(problem));
npass = 1 - nfail;
fprintf('%d passed, %d failed\n', npass, nfail);
end

function drop(folder, old, here)
cd(here);
rmdir(folder, 's');
confirm_recursive_rmdir(old);
end

function list = draw(table, seed, n)
% Calls that are quick, for the sake of many; none that draw: their figures are Octave's. What counts is the time of the
% processor: by the clock it would depend on what else the machine does which calls are drawn.
list = {};
at = 0;
while numel(list) < n
  at = at + 1;
  [row, codes, args, results] = storm_call(table, seed, at); %#ok<ASGLU>
  if any(strcmp(row.name, {'knng.plot', 'knng.scatter', 'knng.heatmap', 'knng.clustergram', 'knng.profile', 'knng.demo'}))
    continue
  end
  started = cputime();
  make({{row.f, args, results}});
  if cputime() - started < 0.02
    list{end + 1} = {row.f, args, results}; %#ok<AGROW>
  end
end
end

function make(list)
for i = 1:numel(list)
  [f, args, results] = list{i}{:};
  out = cell(1, results);
  try
    if results == 0
      evalc('f (args{:});');
    else
      evalc('[out{1:results}] = f (args{:});');
    end
  catch
  end
end
end

function s = state()
% Anonymous memory in kB, and what the ledger of every gateway holds.
text = fileread('/proc/self/status');
s.memory = str2double(regexp(text, 'RssAnon:\s*(\d+)', 'tokens', 'once'){1});
names = gateway_names();
s.live = zeros(1, numel(names));
for i = 1:numel(names)
  f = eval(['@knng.internal.' names{i}]);
  [calls, s.live(i)] = f('fail', 0); %#ok<ASGLU>
end
end
