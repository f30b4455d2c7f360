function warn_short (got, want, X, T, metric, how, fold)
%WARN_SHORT  Counts the rows that got fewer neighbours than a model should ask, in a warning for each reason.
%   GOT, m-by-1: how many neighbours the rows X had among the rows T of a model; WANT, a number or m-by-1: how many there should be.
%   HOW: options of searches, with 'Rows' and 'MinValid'. FOLD, if given: {of X, of T}, and rows of one fold are not compared.

  m = size (X, 1);
  least = 0;                                                 % of 'pairwise': columns that two rows share
  for i = 1:2:numel (how)
    if (strcmpi (how{i}, 'Rows'))
      least = max (least, min (3, size (X, 2)));
    elseif (strcmpi (how{i}, 'MinValid'))
      least = double (how{i+1});
    end
  end
  if (all (got >= want))
    return
  end
  none = got == 0;
  if (least > 0)
    odd = none & any (isinf (X), 2);
    flat = false (m, 1);                                     % which depends on the columns that two rows share
  else
    odd = none & any (~isfinite (X), 2);
    flat = none & ~odd & knng.internal.flat_rows (X, metric);
  end
  short = got < want & ~odd & ~flat;
  if (any (odd))
    also = '';
    if (least == 0)
      also = ', or make the model with ''Rows'', ''pairwise''';
    end
    held = X;
    held(isnan (X) & least > 0) = 0;                         % with 'pairwise' NaN is no reason
    [share, where] = knng.internal.holding (held, odd);
    warning ('knng:data:nonFinite', '%s hold NaN or Inf: they have no neighbours and no prediction%s; knng.impute fills in what is missing%s', ...
             share, where, also);
  end
  if (any (flat))
    warning ('knng:data:constant', ['%s constant (for cosine: zero): no ''%s'' distances and no prediction; a model with another metric, such ' ...
             'as ''euclidean'', has some'], knng.internal.share_of (sum (flat), m, 'row'), metric);
  end
  if (any (short) && least > 0)
    words = {'they share', 'are'; 'it shares', 'is'};
    words = words(1 + (sum (short) == 1), :);
    constant = '';
    if (knng.internal.correlation_sign (metric) ~= 0 || strcmp (metric, 'cosine'))
      constant = sprintf (', or %s constant over these (for cosine: zero)', words{2});
    end
    if (nargin < 7)
      fold = {zeros(m, 1), ones(size (T, 1), 1)};
    end
    [part, others] = fold{:};
    want = want .* ones (m, 1);
    warning ('knng:data:fewer', ['%s a distance to fewer than %s of the model, since %s fewer than %s with the rest%s: those few are asked, and %s none and no prediction; %sknng.impute fills in what is missing'], ...
             knng.internal.share_of (sum (short), m, 'row', 'has', 'have'), knng.internal.count_of (max (want(short)), 'row'), words{1}, ...
             knng.internal.count_of (least, 'column'), constant, knng.internal.count_of (sum (short & none), 'row has', 'rows have'), ...
             remedy (X(short, :), part(short), want(short), T, others, metric, least));
  elseif (any (short & none))
    warning ('knng:data:constant', ['%s no prediction, since no row of the model has a ''%s'' distance there: give another metric, such as ' ...
             '''euclidean'''], knng.internal.share_of (sum (short & none), m, 'row', 'has', 'have'), metric);
  end
end

function text = remedy (X, fold, want, T, others, metric, least)
% The 'MinValid' by which most of the rows with fewest values have neighbours enough, if it is less than LEAST and makes sense.
  text = '';
  lowest = 1 + (strcmp (metric, 'cosine')) + 2 * (knng.internal.correlation_sign (metric) ~= 0);
  [~, order] = sort (sum (~isnan (X), 2));
  some = order(1:min (16, end));
  [n, d] = size (T);
  shared = zeros (numel (some), n);
  here = double (~isnan (X(some, :)));
  step = max (1, floor (2 ^ 20 / d));
  for from = 1:step:n
    to = min (from + step - 1, n);
    shared(:, from:to) = here * double (~isnan (T(from:to, :)))';
  end
  shared(bsxfun (@eq, fold(some), reshape (others, 1, []))) = 0;
  shared = sort (shared, 2, 'descend');
  enough = shared((1:numel (some))' + numel (some) * (max (min (want(some), n), 1) - 1));
  enough = enough(enough >= lowest & enough < least);
  if (~isempty (enough))
    text = sprintf ('make the model with ''Rows'', ''pairwise'', ''MinValid'', %d, or ', min (enough));
  end
end

%!test
%! X = [1 2 NaN; 2 NaN 3; NaN 1 1; 3 1 2; 4 4 1];
%! warning ('error', 'knng:data:fewer', 'local');
%! warning ('error', 'knng:data:constant', 'local');
%! warning ('error', 'knng:data:nonFinite', 'local');
%! f = @knng.internal.warn_short;
%! pairs = {'Rows', 'pairwise'};
%! fail ("f ([0; 1; 2], 2, X(2:4, :), X(4:5, :), 'euclidean', pairs)", ['^2 of 3 rows have a distance to fewer than 2 rows of the model, ' ...
%!       'since they share fewer than 3 columns with the rest: those few are asked, and 1 row has none .*''MinValid'', 2, or knng.impute fills']);
%! fail ("f ([0; 1; 2], 2, X(2:4, :), X(4:5, :), 'pearson', pairs)", 'are constant over these \(for cosine: zero\): .* no prediction; knng.impute');
%! fail ("f ([0; 1], 1, X(1:2, :), X(1:2, :), 'cityblock', [pairs, {'MinValid', 2}], {[1; 2], [1; 2]})", 'and 1 row has none .* ''MinValid'', 1, or');
%! fail ("f ([0; 1], 1, X(1:2, :), X(1:2, :), 'cityblock', [pairs, {'MinValid', 2}], {[1; 1], [1; 1]})", 'and 1 row has none .* no prediction; knng');
%! fail ("f ([0; 0; 2], 2, [Inf 1 1; -Inf NaN 2; 1 2 3], X, 'cosine', pairs)", '^2 of 3 rows \(66.7 %\) hold NaN or Inf.* in column 1 \(2 rows\); .* missing$');
%! fail ("f ([0; 1], 2, [1 1 1; 1 2 3], X, 'pearson', {})", '^1 of 2 rows is constant .* no ''pearson'' distances');
%! fail ("f ([0; 1], 1, [1 2 2; 1 2 3], ones (2, 3), 'pearson', {})", '^1 of 2 rows has no prediction, since no row of the model has a ''pearson''');
%! f ([1; 2], 2, [1 2 2; 1 2 3], X, 'pearson', {});          % of a model with constant rows, which were counted before
%! f ([1; 2], [1; 2], X(1:2, :), X, 'cosine', pairs);
