function [idx, dist] = searched (X, k, metric, how, kind)
%SEARCHED  The nearest rows, for functions of points that have no option 'Rows', or less of it than knngraph has.
%   [IDX, DIST] = knng.internal.searched (X, K, METRIC, HOW) is [idx, dist] = knngraph (X, K, METRIC, HOW{:}), but its warning of missing
%   values offers what there is. Another, knng:data:range, counts the rows whose neighbours are all infinitely far away.
%   KIND is 'plain' where infinite distances are no matter, 'pairwise' where the function takes 'Rows', 'pairwise', too.

  if (nargin < 5)
    kind = '';
  end
  if (any (strcmpi (how(1:2:end), 'Rows')))                  % NaN is no reason for a warning
    [idx, dist] = knngraph (X, k, metric, how{:});
    return
  end
  id = 'knng:data:nonFinite';
  former = warning ('query', id);
  back = onCleanup (@() warning (former.state, id));
  warning ('off', id);
  [idx, dist, info] = knngraph (X, k, metric, how{:});
  back = [];                                                 %#ok<NASGU>
  n = size (X, 1);
  if (info.nonfinite > 0)
    remedies = {'knng.impute fills in what is missing, or leave these rows or columns out', ...
                '''Rows'', ''pairwise'' compares two rows over the columns that both have, knng.impute fills in what is missing'};
    [share, where] = knng.internal.holding (X, info.nonfinite);
    warning (id, '%s hold NaN or Inf: they have no neighbours and are nobody''s%s; %s', share, where, remedies{1 + strcmp(kind, 'pairwise')});
  end
  if (~isempty (kind))
    return
  end
  far = sum (any (idx > 0, 2) & ~any (dist < Inf, 2));
  if (far > 0)
    warning ('knng:data:range', ['%s infinitely far from all others, since the numbers are too large for ''%s'' distances: divide X by its ' ...
             'largest number'], knng.internal.share_of (far, n, 'row'), metric);
  end
end

%!shared X
%! X = reshape (knng.internal.random (1, 60), 20, 3);
%!test
%! lastwarn ('', '');
%! [idx, dist] = knng.internal.searched (X, 4, 'cityblock', {'Threads', 1});
%! [i, d] = knngraph (X, 4, 'cityblock');
%! assert ({idx, dist, lastwarn()}, {i, d, ''});
%!warning <^1 of 20 rows \(5 %\) hold NaN or Inf: they have no neighbours and are nobody's; they are in column 1 \(1 row\); knng.impute fills in> knng.internal.searched ([NaN 1 2; X(2:20, :)], 2, 'euclidean', {});
%!warning <^20 of 20 rows are infinitely far .* for 'euclidean'> knng.internal.searched (1e200 * X, 2, 'euclidean', {});
%!warning <^1 of 20 rows is infinitely far> knng.internal.searched ([X(1:19, :); 1e200 1 1], 2, 'sqeuclidean', {});
%!warning <nobody's; they are in column 1 \(1 row\); 'Rows', 'pairwise' compares two rows over the columns that both have, knng.impute> knng.internal.searched ([NaN 1 2; X(2:20, :)], 2, 'cosine', {}, 'pairwise');
%!test
%! lastwarn ('', '');
%! knng.internal.searched (1e200 * X, 2, 'euclidean', {}, 'plain');
%! knng.internal.searched ([NaN 1 2; X(2:20, :)], 2, 'euclidean', {'Rows', 'pairwise', 'MinValid', 2});
%! assert (lastwarn (), '');
%!test
%! warning ('error', 'knng:data:nonFinite', 'local');
%! try, knng.internal.searched ([NaN 1 2; X(2:20, :)], 2, 'euclidean', {}); id = ''; catch e, id = e.identifier; end
%! assert (id, 'knng:data:nonFinite');
%! assert (warning ('query', 'knng:data:nonFinite').state, 'error');
