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
end
