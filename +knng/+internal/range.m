function varargout = range (kind, X, Y, r, given)
%RANGE  Rows within a radius: what knng.rangesearch, knng.rangegraph and others share.
%   [count, idx, dist, info] = knng.internal.range ('search', X, Y, R, GIVEN): how many rows of X are within R of each row of Y,
%   in a row, and in rows, one after the other, their numbers and distances.
%   [count, idx, dist, info] = knng.internal.range ('graph', X, [], R, GIVEN): the other rows of X, of each row of X.
%   [A, info] = knng.internal.range ('adjacency', X, [], R, GIVEN): the same as a sparse matrix.
%   GIVEN: as knng.internal.search_arguments returned it; 'MaxPairs', too: where there are more pairs than that all results are [].

  if (isstruct (X) && isfield (X, 'hold'))                   % a searcher
    error ('knng:args:class', 'X is a searcher, which knng.rangesearch takes: give the matrix');
  end
  given = knng.internal.needless (given);
  switch (kind)
    case 'search'
      args = {'rangesearch', X, Y, r};
    case 'graph'
      args = {'rangegraph', X, r};
    otherwise
      args = {'rangematrix', X, r};
  end
  varargout = cell (1, max (nargout, 1));
  [varargout{:}] = knng.internal.search (args{:}, given{:});
end

%!assert (knng.internal.range ('search', [1; 2; 4], [2; 9], 1, {'Device', 'cpu', 'Threads', 1, 'Distance', 'city', 'MaxDeviceMemory', 1e9}), [2 0])
%!test
%! [count, idx] = knng.internal.range ('graph', [1; 2; 4], [], 2, {'MaxPairs', 4});
%! assert ({count, idx}, {[1 2 1], [2 1 3 2]});
%! [count, idx] = knng.internal.range ('graph', [1; 2; 4], [], 2, {'MaxPairs', 3});
%! assert ({count, idx}, {[], []});
%! assert (knng.internal.range ('graph', (1:30000)', [], 4e4, {'MaxPairs', 1e6}), []);
%!assert (knng.internal.range ('graph', [1; 2; 4], [], 2, {'Progress', 'off'}), [1 2 1])
%!error <X is a searcher, which> knng.internal.range ('search', knng.createns (eye (3)), 1, 1, {})
