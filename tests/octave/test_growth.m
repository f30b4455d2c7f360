function [npass, nfail] = test_growth(level, seed)
%TEST_GROWTH  Memory does not grow in thousands of mixed good and bad calls, and growth is seen where a leak is planted.
%   test_growth(level, seed): 'short' (default) is 1000 calls, 100 of them different, 'deep' 100 000. The planted leaks are in build/plant,
%   see tests/fakes/leak.c; `make plant` builds it. Prints each failure and at last 'N passed, N failed'.

if nargin < 1
  level = 'short';
end
if nargin < 2
  seed = 20120830;
end
if ~isempty(strfind(getenv('LD_PRELOAD'), 'asan'))
  fprintf('0 passed, 0 failed (the sanitizer keeps what is freed)\n');
  return
end
drawn = struct('short', 100, 'deep', 500).(level);
[npass, nfail] = growth(struct('short', 1000, 'deep', 100000).(level), seed, drawn);

tests = fileparts(mfilename('fullpath'));
plant = fullfile(fileparts(which('knngraph')), 'build', 'plant');
% A few calls show them: what one call loses is lost by the round.
leaks = {'none', '1 passed, 0 failed'; 'block', 'blocks or files are left'; 'malloc', 'grows all the time'};
for i = 1:size(leaks, 1)
  [status, text] = system(sprintf(['KNNG_LEAK=%s octave-cli --norc -H -q --path ''%s'' --path ''%s'' ' ...
                                   '--eval "growth (640, %d, 40)" 2>&1'], leaks{i, 1}, plant, tests, seed));
  seen = ~isempty(strfind(text, leaks{i, 2}));
  if status == 0 && seen
    npass = npass + 1;
  else
    nfail = nfail + 1;
    fprintf('FAIL planted leak ''%s'': %s\n', leaks{i, 1}, text);
  end
end
fprintf('%d passed, %d failed\n', npass, nfail);
end
