function [npass, nfail] = lost_radius(nth)
%LOST_RADIUS  A search for a radius on an emulated GPU that is lost at the NTH copy, once in a session: the CPU does the rest, with the
%   same result, or, where the GPU has the rows of a searcher, an error says what to do.
  randn('twister', 5);
  X = randn(300, 9);
  ns = knng.createns(X, 'Device', 1);
  searches = {@(v) knng.rangegraph(X, 3.3, v{:}), @(v) knng.rangesearch(X, X, Inf, v{:}), @(v) knng.rangesearch(ns, X, 3.3)};
  which = 1 + mod(nth, 3);
  former = warning('off', 'all');
  restore = onCleanup(@() warning(former));
  if which < 3
    [ri, rd] = searches{which}({'Device', 'cpu'});
  else
    [ri, rd] = knng.rangesearch(X, X, 3.3, 'Device', 'cpu');
  end
  setenv('KNNG_EMULATED_LOST', sprintf('device%d', nth));
  lastwarn('');
  why = '';
  try
    [idx, dist, info] = searches{which}({'Device', 1});
    reached = ~isempty(info.note) || ~isempty(lastwarn());
    if ~isequal(idx, ri) || ~isequal(typecast([dist{:}], 'uint32'), typecast([rd{:}], 'uint32'))
      why = 'other rows';
    elseif info.memory.peak > info.memory.planned
      why = 'more memory than planned';
    elseif reached && isempty(strfind(info.device, 'cpu'))
      why = ['done on ' info.device];
    end
  catch e
    reached = true;
    if which < 3 || ~strncmp(e.identifier, 'knng:', 5) || numel(strfind(e.message, 'knng.createns')) ~= 1 || ...
       ~isempty(strfind(e.message, '''auto'''))
      why = [e.identifier ' ' e.message];
    end
  end
  setenv('KNNG_EMULATED_LOST', '');
  if isempty(why) && ~reached && nth < 5
    why = 'nothing was lost';
  end
  npass = double(isempty(why));
  nfail = 1 - npass;
  if nfail
    fprintf('lost at copy %d: %s\n', nth, why);
  end
  fprintf('%d passed, %d failed\n', npass, nfail);
end
