function out = needless (given, own)
%NEEDLESS  Options of MATLAB's knnsearch and fitcknn that say how to search: knng is exact however it searches, so that they
%   change nothing, and values that would are refused.
%   opt = knng.internal.needless () is a struct of their names, for knng.internal.options.
%   pairs = knng.internal.needless (GIVEN) checks those in GIVEN, which knng.internal.options returned, and leaves them out.
%   pairs = knng.internal.needless (GIVEN, OWN): but for those in the cell OWN, which are the function's own.

  names = {'NSMethod', 'BucketSize', 'IncludeTies', 'SortIndices'};
  if (nargin > 1)
    names = setdiff (names, own, 'stable');
  end
  if (nargin < 1)
    out = cell2struct (cell (numel (names), 1), names, 1);
    return
  end
  keep = true (1, numel (given));
  for i = 1:2:numel (given)
    v = given{i + 1};
    keep(i:i+1) = ~any (strcmp (given{i}, names));
    if (keep(i))
      continue
    end
    switch (given{i})
      case 'NSMethod'
        if (~knng.internal.is_one_of (v, {'exhaustive', 'kdtree'}))
          error ('knng:args:option', ['''NSMethod'' is %s: it must be ''exhaustive'' or ''kdtree'', which give the same ' ...
                 'neighbours; leave it out'], knng.internal.given (v));
        end
      case 'BucketSize'
        if (numel (v) ~= 1 || ~knng.internal.whole (v, 1, 2 ^ 53))
          error ('knng:args:option', '''BucketSize'' is %s: it must be one whole number from 1 to 2^53, and changes nothing; leave it out', ...
                 knng.internal.given (v));
        end
      case {'IncludeTies', 'SortIndices'}
        knng.internal.check_flag (given{i}, v);
        if (strcmp (given{i}, 'IncludeTies') && v)
          error ('knng:args:option', ['''IncludeTies'' is true: it must be false, since every row gets k neighbours, of equal ' ...
                 'distances those of the smallest indices; to see the others, ask for a larger k']);
        end
    end
  end
  out = given(keep);
end

%!test
%! given = {'K', 3, 'NSMethod', 'KDTree', 'BucketSize', int8(50), 'IncludeTies', 0, 'SortIndices', false, 'Threads', 2};
%! assert (knng.internal.needless (given), {'K', 3, 'Threads', 2});
%!error <'IncludeTies' is true: it must be false, since> knng.internal.needless ({'IncludeTies', true})
%!error <'IncludeTies' is 2: it must be true or false> knng.internal.needless ({'IncludeTies', 2})
%!error <'NSMethod' is 'hnsw': it must be 'exh> knng.internal.needless ({'NSMethod', 'hnsw'})
%!error <'BucketSize' is 0: it must be one> knng.internal.needless ({'BucketSize', 0})
