function text = memory_table(device)
%MEMORY_TABLE  How many rows fit into how much memory: the tables of docs/memory.md, from the plans of searches.
%   text = memory_table ('cpu') is the table of searches on the CPU, text = memory_table ('gpu') the two of searches on
%   one GPU: all rows at once, and at most. The latter needs the CUDA backend but no GPU: run it on the emulated one,
%   where 'MaxDeviceMemory' stands for the size of the GPU,
%
%     tests/emulate/build.sh build/emulated
%     cd build/emulated && octave-cli --path . --path ../../tools --eval "disp (memory_table ('gpu'))"
if strcmp(device, 'cpu')
  text = table([8 16 32 64 256], {'double', 'single'}, @on_cpu);
  return
end
former = getenv('KNNG_EMULATED_MEMORY');
back = onCleanup(@() setenv('KNNG_EMULATED_MEMORY', former));
setenv('KNNG_EMULATED_MEMORY', '1e18');
sizes = [8 16 24 80 141];
text = [table(sizes, {'double', 'single'}, @(s, n) on_gpu(s, n, true)), "\n", ...
        table(sizes, {'double'}, @(s, n) on_gpu(s, n, false))];
end

function yes = on_cpu(s, n)
e = knng.estimate(n, s.d, 20, 'Class', s.class, 'Device', 'cpu', 'Threads', 8, 'MaxMemory', 1e30, 'Prune', 'off', 'Calibrate', false);
yes = e.memory.planned + e.memory.input + e.memory.result <= 0.9 * s.bytes;
end

function yes = on_gpu(s, n, at_once)
e = knng.estimate(n, s.d, 20, 'Class', s.class, 'Device', 1, 'MaxDeviceMemory', s.bytes - 512e6, 'MaxMemory', 1e30, ...
                  'Calibrate', false);
yes = e.fits && (~at_once || (e.blocks == 1 && e.panels == 1));
end

function text = table(sizes, classes, fits)
text = ['| columns | class |', sprintf(' %d GB |', sizes), "\n| ---: | --- |", repmat(' ---: |', 1, numel(sizes)), "\n"];
for d = [50 300 2000 16000]
  for class = classes
    text = [text, sprintf('| %s | %s |', grouped(d), class{1})];
    for gigabytes = sizes
      s = struct('d', d, 'class', class{1}, 'bytes', gigabytes * 1e9);
      text = [text, sprintf(' %s |', shown(most(@(n) fits(s, n))))];
    end
    text = [text, "\n"];
  end
end
end

function n = most(fits)
% The most rows that fit, to four digits.
n = 1000;
while n < 2 ^ 31 - 65 && fits(2 * n)
  n = 2 * n;
end
last = min(2 * n, 2 ^ 31 - 65);
while last - n > n / 1e4
  middle = floor((n + last) / 2);
  if fits(middle)
    n = middle;
  else
    last = middle;
  end
end
end

function text = shown(n)
% In thousands, of three digits at most, rounded down.
n = n / 1000;
unit = 10 ^ max(0, floor(log10(n)) - 2);
text = grouped(unit * floor(n / unit));
end

function text = grouped(n)
% 12 345
text = regexprep(sprintf('%d', n), '(\d)(?=(\d{3})+$)', '$1 ');
end
