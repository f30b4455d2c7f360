function doubt_metric (X, t, metric)
%DOUBT_METRIC  An error where the distances of a graph are those of X by another metric than METRIC, a warning where by none.
%   T is the graph row by row, as knng.explore has it: count, n-by-1, and idx and dist of all lists, nearest first. Of up to 20
%   rows, spread over all, the listed distances are computed anew and compared to the last bit. Distances that differ by rounding,
%   as those of other programs do, are nothing to warn of.
%   Error: knng:args:metric. Warning: knng:data:distances.

  listed = find (t.count > 0);
  listed = listed(unique (round (linspace (1, numel (listed), min (20, numel (listed))))));
  if (isempty (listed))
    return
  end
  ends = cumsum (t.count);
  at = cell (numel (listed), 1);
  for r = 1:numel (listed)
    i = listed(r);
    few = min (t.count(i), 50);                              % of dense graphs the nearest
    first = ends(i) - t.count(i);
    at{r} = [repmat(r, few, 1), t.idx(first + (1:few)'), t.dist(first + (1:few)')];
  end
  at = cat (1, at{:});
  at = at(listed(at(:, 1)) ~= at(:, 2), :);                  % a row may list itself
  if (isempty (at))
    return
  end
  own = knng.internal.pair_distances (X, listed(at(:, 1)), at(:, 2), metric);
  if (isequaln (own, at(:, 3)))
    return
  end
  off = abs (own - at(:, 3));
  off(own == at(:, 3)) = 0;                                  % Inf
  if (all (off <= 1e-9 * max (own)))                         % of data with means of 0, say, cosine is pearson but for rounding
    return
  end
  other = knng.internal.metric_fitting (X, listed(at(:, 1)), at(:, 2), at(:, 3), metric);
  if (~isempty (other))
    error ('knng:args:metric', '''Metric'' is ''%s'', but the distances of the graph are those of ''%s'': give ''Metric'', ''%s''', metric, other, ...
           other);
  end
  [far, worst] = max (off);
  if (any (isnan (off)))
    worst = find (isnan (off), 1);
  elseif (far <= 1e-4 * max (own))
    return
  end
  warning ('knng:data:distances', ['the distances of the graph are not those of DS.X by ''%s'': of rows %d and %d the graph has %.6g, and DS.X gives ' ...
           '%.6g; give the metric and the data that the graph was made of, or no ''Metric'''], metric, listed(at(worst, 1)), at(worst, 2), ...
           at(worst, 3), own(worst));
end

%!test  # what is right passes: every metric, tables and the matrix, gaps, single, rows that list themselves, none
%! X = mod ((1:30)' .^ 2 * (1:6) .^ 1.5 * 0.618, 1);
%! X(5, :) = 3;
%! gone = X;
%! gone(7:3:30, 2) = NaN;
%! warning ('error', 'knng:data:distances', 'local');
%! back = knng.internal.quiet_rows (); %#ok<NASGU>
%! rows = @(idx, dist) struct ('count', sum (idx > 0, 2), 'idx', nonzeros (idx'), 'dist', dist'(idx' > 0));
%! names = knng.internal.search ('metrics');
%! for m = {names.name}
%!   [idx, dist] = knngraph (X, 4, m{1});
%!   knng.internal.doubt_metric (X, rows (idx, dist), m{1});
%!   if (! strcmp (m{1}, 'chebychev'))
%!     [idx, dist] = knngraph (single (gone), 4, m{1}, 'Rows', 'pairwise', 'MinValid', 3);
%!     knng.internal.doubt_metric (single (gone), rows (idx, dist), m{1});
%!   end
%! end
%! knng.internal.doubt_metric (X, struct ('count', [1; 1; zeros(28, 1)], 'idx', [1; 2], 'dist', [0; 0]), 'pearson');
%! knng.internal.doubt_metric (X, struct ('count', zeros (30, 1), 'idx', [], 'dist', []), 'pearson');
%! [idx, dist] = knngraph (X, 4, 'pearson');
%! Z = X - mean (X, 2);
%! [also, near] = knngraph (Z, 4, 'cosine');
%! knng.internal.doubt_metric (Z, rows (also, near), 'pearson');
%! dist *= 1 + 1e-9;
%! knng.internal.doubt_metric (X, rows (idx, dist), 'pearson');
%!test  # what is not
%! X = mod ((1:30)' .^ 2 * (1:6) .^ 1.5 * 0.618, 1);
%! [idx, dist] = knngraph (X, 4, 'pearson');
%! t = struct ('count', sum (idx > 0, 2), 'idx', nonzeros (idx'), 'dist', dist'(idx' > 0));
%! fail ("knng.internal.doubt_metric (X, t, 'cosine')", "^'Metric' is 'cosine', but the distances of the graph are those of 'pearson': give 'Metric', 'pearson'$");
%! warning ('error', 'knng:data:distances', 'local');
%! fail ("knng.internal.doubt_metric (X .^ 2, t, 'pearson')", '^the distances of the graph are not those of DS.X by ''pearson'': of rows \d+ and \d+ the graph has ');
%! X(2, 1) = NaN;
%! fail ("knng.internal.doubt_metric (X, t, 'chebychev')", 'and DS.X gives NaN; give the metric and the data');
