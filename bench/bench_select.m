% BENCH_SELECT  Compares the times of knng.mink and knng.maxk with those of Octave's functions: octave-cli
% bench/bench_select.m, with SIZE=2000 for another size than 8000, OMP_NUM_THREADS=1 for one thread. Takes some minutes
% and 4 GB. Each row has the least of three runs, in seconds of elapsed time and of processor time. The floor is the
% time to read the matrix once, by a product of OpenBLAS.

1;
function report (what, class, dim, k, f)
  passed = taken = Inf;
  runs = 3;
  for run = 1:3
    started = tic ();
    worked = cputime ();
    r = cell (1, 2);
    [r{:}] = f ();
    taken = min (taken, cputime () - worked);
    passed = min (passed, toc (started));
    if (passed > 2)
      break
    end
  end
  printf ('%-22s %-6s dim %d  k %5d: %8.3f s, processor %8.3f s\n', what, class, dim, k, passed, taken);
end

function [r, none] = one (f)               % for what has one result
  r = f ();
  none = [];
end

addpath (fileparts (fileparts (mfilename ('fullpath'))));
n = 8000;
if (~isempty (getenv ('SIZE')))
  n = str2double (getenv ('SIZE'));
end
randn ('twister', 3);
normal = randn (n);
slope = @() reshape (1:n * n, n, n) + reshape (1:n * n, n, n)';
kinds = struct ('normal', @() normal, 'constant', @() ones (n), 'rising', slope, 'falling', @() -slope (), ...
                'ten_values', @() floor (abs (5 * normal)));
for c = {'double', 'single'}
  A = cast (normal, c{1});
  report ('floor: one reading', c{1}, 1, 0, @() one (@() A(:)' * A(:)));
  for dim = 1:2
    for k = [1 10 64 512 2048 10000]
      report ('knng.mink', c{1}, dim, k, @() knng.mink (A, k, dim));
    end
    report ('min', c{1}, dim, 1, @() min (A, [], dim));
    for k = [10 512]
      report ('nth_element', c{1}, dim, k, @() one (@() nth_element (A, 1:k, dim)));
    end
    report ('sort', c{1}, dim, n, @() sort (A, dim));
  end
end
for kind = fieldnames (kinds)'
  A = kinds.(kind{1}) ();
  for k = [10 512 2048]
    report (['knng.mink, ' kind{1}], 'double', 1, k, @() knng.mink (A, k, 1));
    report (['knng.maxk, ' kind{1}], 'double', 1, k, @() knng.maxk (A, k, 1));
    report (['knng.maxk, ' kind{1}], 'double', 2, k, @() knng.maxk (A, k, 2));
  end
end
long = struct ('normal', @() normal(:), 'rising', @() (1:n * n)' + 0, 'falling', @() (n * n:-1:1)' + 0);
for kind = fieldnames (long)'
  A = long.(kind{1}) ();
  for k = [1 10 512 2048 100000]
    report (['knng.maxk, one ' kind{1}], 'double', 1, k, @() knng.maxk (A, k));
  end
end
