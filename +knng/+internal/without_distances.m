function without_distances (err, X, metric)
%WITHOUT_DISTANCES  Raises the error ERR of knng.internal.linkage again. Where it names a row of X that has no distances by METRIC, a full name, in
%   words that say what that row is, of the reasons that the metric has, and how to leave out or mend such rows, and those of the other reason.

  head = regexp (err.message, '^row (\d+) of X has no distances[^:]*: ', 'match', 'once');
  row = sscanf (head, 'row %d');
  if (~strcmp (err.identifier, 'knng:data:rows') || isempty (row) || row > size (X, 1))
    rethrow (err);
  end
  odd = ~all (isfinite (X), 2);
  flat = knng.internal.flat_rows (X, metric) & ~odd;
  if (~odd(row) && ~flat(row))
    rethrow (err);
  end
  zero = strcmp (metric, 'cosine');
  what = {'constant', 'zero'};
  out = {'knng.filterrows (X, ''MinVariance'', eps)', 'X(any (X, 2), :)'};
  holds = 'leave rows with NaN or Inf out, as in X(all (isfinite (X), 2), :), or fill them in with knng.impute';
  leave = sprintf ('leave %s rows out, as in %s, or take ''euclidean''', what{1 + zero}, out{1 + zero});
  if (odd(row))
    text = sprintf ('it has NaN or Inf, and a tree has all rows; %s', holds);
    if (any (flat))
      text = sprintf ('%s; others are %s: %s', text, what{1 + zero}, leave);
    end
  else
    text = sprintf ('it is %s, and a tree has all rows; %s', what{1 + zero}, leave);
    if (any (odd))
      text = sprintf ('%s; others have NaN or Inf: %s', text, holds);
    end
  end
  error ('knng:data:rows', '%s%s', head, text);
end

%!function text = said (X, metric)
%!  text = '';
%!  try
%!    knng.linkage (X, 'average', metric);
%!  catch err
%!    text = err.message;
%!    assert (err.identifier, 'knng:data:rows');
%!  end
%!endfunction
%!test  # what the remedies leave has distances
%! X = [1 2 4; 3 3 3; 5 1 2; 0 0 0];
%! assert (regexp (said (X, 'corr'), '^row 2 of X has no distances \(2 rows have none\): it is constant, .* \(X, ''MinVariance'', eps\), or take ''eucl'), 1);
%! assert (said (knng.filterrows (X, 'MinVariance', eps), 'corr'), '');
%! assert (regexp (said (X, 'cosine'), '^row 4 of X has no distances: it is zero, and a tree has all rows; leave zero rows out, as in X\(any \(X, 2\), :\), or'), 1);
%! assert (said (X(any (X, 2), :), 'cosine'), '');
%! X(1, 2) = NaN;
%! assert (regexp (said (X, 'spearman'), '^row 1 of X has no distances \(3 rows have none\): it has NaN or Inf, .* knng.impute; others are constant: leave'), 1);
%! assert (regexp (said (X([2 1 3], :), 'spearman'), '^row 1 of X has no distances \(2 rows have none\): it is constant, .*; others have NaN or Inf: '), 1);
%! assert (regexp (said (X, 'euclidean'), '^row 1 of X has no distances: it has NaN or Inf, .* or fill them in with knng.impute$'), 1);
%! assert (isempty (strfind (said (X([3 2], :), 'corr'), 'knng.impute')));
%!error <^other$> knng.internal.without_distances (struct ('message', 'other', 'identifier', 'knng:x:y', 'stack', struct ('file', {}, 'name', {}, 'line', {}, 'column', {})), 1, 'cosine')
