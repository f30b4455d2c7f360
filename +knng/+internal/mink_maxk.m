function varargout = mink_maxk (largest, A, k, rest)
%MINK_MAXK  What knng.mink and knng.maxk share: [v, i] = knng.internal.mink_maxk (LARGEST, A, k, REST).
%   REST is the cell of what follows k: dim, or nothing, and options.

  if (nargout > 2)
    error ('knng:args:count', '%d results are asked for, and there are two', nargout);
  end
  knng.internal.built ();
  if (ischar (k))                    % an option where k belongs
    error ('knng:args:k', 'k is ''%s'': it must be a whole number from 0 on, or Inf for all', knng.internal.shown (k));
  end
  dim = [];
  if (~isempty (rest) && ~ischar (rest{1}))
    dim = rest{1};
    rest = rest(2:end);
  end
  [opt, given] = knng.internal.options (struct ('ComparisonMethod', 'auto', 'Device', 'auto', 'Threads', []), rest);
  knng.internal.threads (given);
  out = cell (1, max (1, nargout) + 1);
  [out{:}] = knng.internal.topk (largest, A, k, dim, opt.ComparisonMethod, opt.Device, opt);
  if (~isempty (out{2}))
    warning ('knng:device:fallback', 'a GPU did not finish (%s): the CPU did the selection, with the same result', out{2});
  end
  varargout = out([1, 3:end]);
end

%!test
%! [v, i] = knng.internal.mink_maxk (0, [3 1; 2 2], 1, {2, 'comparisonmethod', 'ABS', 'device', 'cpu'});
%! assert (v, [1; 2]);
%! assert (i, [2; 1]);
%! assert (knng.internal.mink_maxk (1, [3 1 2], 2, {}), [3 2]);
%!error id=knng:args:count [a, b, c] = knng.internal.mink_maxk (0, 1, 1, {});
%!error <k is 'Device'> knng.mink ([3 1 2], 'Device', 'gpu');
