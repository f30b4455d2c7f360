function check_asked (Mdl, bad, gaps, maker)
%CHECK_ASKED  An error where what models of classes and of numbers have in common is wrong: fields that may be set anew, and others
%   that nobody may set and that do not belong together.
%   BAD: what is wrong with Y, or ''. GAPS: whether X may have NaN. MAKER: the function that makes such models.

  [n, d] = size (Mdl.X);
  if (isempty (bad) && ~all (isfinite (Mdl.X(:)) | (gaps & isnan (Mdl.X(:)))))
    bad = 'X and Y do not belong together';
  elseif (isempty (bad) && (~isequal (Mdl.NumObservations, n) || ...
          ~(isempty (Mdl.RowsUsed) || (islogical (Mdl.RowsUsed) && sum (Mdl.RowsUsed(:)) == n))))
    bad = 'NumObservations or RowsUsed is not what X has';
  elseif (isempty (bad) && (~isequal (size (Mdl.Mu), size (Mdl.Sigma)) || ~(isempty (Mdl.Mu) || (isequal (size (Mdl.Mu), [1, d]) && ...
          isa (Mdl.Mu, 'double') && isreal (Mdl.Mu) && isa (Mdl.Sigma, 'double') && isreal (Mdl.Sigma) && all (Mdl.Sigma > 0)))))
    bad = 'Mu and Sigma do not belong to X';
  end
  if (~isempty (bad))
    error ('knng:args:model', 'in the model, %s: make it anew with %s', bad, maker);
  end
  knng.internal.check_neighbours ('''NumNeighbors''', Mdl.NumNeighbors);
  if (~isa (Mdl.DistanceWeight, 'function_handle') && ~knng.internal.is_one_of (Mdl.DistanceWeight, {'equal', 'inverse', 'squaredinverse'}))
    error ('knng:args:option', ['''DistanceWeight'' is %s: it must be ''equal'', ''inverse'', ''squaredinverse'' or a function of a matrix of ' ...
           'distances, as @(d) exp (-d)'], knng.internal.given (Mdl.DistanceWeight));
  end
  if (isfield (Mdl, 'IncludeTies'))                          % older models have none
    knng.internal.check_flag ('IncludeTies', Mdl.IncludeTies);
  end
end
