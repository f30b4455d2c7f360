function W = weighted (graph, weight, metric, how)
%WEIGHTED  The symmetric weights of a graph, for methods that look for what belongs together.
%  W = knng.internal.weighted ({A}, WEIGHT, METRIC, HOW), or {idx, dist}, is a sparse matrix whose entries are the weights of
%  edges. WEIGHT is 'auto', 'given' or one of knng.adjacency's, METRIC as there, HOW more options of it. Whoever calls it has looked for igraph.
%  A that holds each edge once, in either direction, is taken as directed: max (A, A') is what its owner means.

  known = {'auto', 'given', 'distance', 'similarity', 'binary', 'gaussian', 'jaccard', 'snn'};
  if (~knng.internal.is_one_of (weight, known))
    list = sprintf (', ''%s''', known{:});
    error ('knng:args:option', '''Weight'' is %s: it must be one of %s', knng.internal.given (weight), list(3:end));
  end
  auto = knng.internal.is_one_of (weight, {'auto'});
  A = graph{1};
  if (islogical (A) && issparse (A))
    A = double (A);
  end
  if (issparse (A))
    graph = {A};
    if (auto && ~isempty (metric))
      weight = 'binary';                                     % of this metric are distances
    elseif (auto && is_symmetric (A))
      refuse_mutual (A);
      doubt_distances (A);
      weight = 'given';
    elseif (auto && (istriu (A) || istril (A)))              % in a graph of neighbours the first row has one above, the last one below
      error ('knng:args:weight', ['A has entries on one side of its diagonal alone, as half of a symmetric matrix has: give ' ...
             'A + A'' less its diagonal, or say what the entries are: ''Weight'', ''given'' for weights, ''binary'' or ' ...
             'another one for distances']);
    elseif (auto && knng.internal.like_shares (A))
      warning ('knng:args:weight', ['the entries of A were taken for distances and ignored, but are the weights ''jaccard'' or ''snn'' of ' ...
               'knng.adjacency: give ''Weight'', ''given'', or make them symmetric, knng.adjacency (..., ''Symmetrize'', ''union'')']);
    end
  end
  if (knng.internal.is_one_of (weight, {'given'}))
    if (issparse (A))
      W = A;
    else
      W = knng.adjacency (graph{:}, how{:});
    end
    if (~isequal (W, W'))
      W = (W + W') / 2;
    end
  else
    if (auto)
      weight = 'binary';
    end
    W = knng.adjacency (graph{:}, 'Weight', weight, 'Metric', metric, 'Symmetrize', 'union', how{:});
  end
end

function yes = is_symmetric (A)
% Up to the rounding of weights that were scaled row by row and column by column.
  yes = isequal (A, A');
  if (~yes && size (A, 1) == size (A, 2) && isequal (A ~= 0, (A ~= 0)'))
    yes = full (max (max (abs (A - A')))) <= 1e-12 * full (max (max (abs (A))));
  end
end

function doubt_distances (A)
% A warning where a symmetric A looks as distances do: those of near neighbours, of a spanning tree, or of knng.rangegraph. There two
% rows that each lie within half the radius of a third lie within the radius, so that graph joins them. Of squares and correlations
% sqrt (d) is what obeys the triangle, so it is a quarter of the radius; antipearson obeys nothing. Weights do not: what is a little like
% a third thing need not be alike. At least 10 pairs have to tell.
  entries = nonzeros (A);
  if (isempty (entries) || ~all (entries > 0) || ~isfinite (max (entries)) || any (diag (A)))
    return
  end
  [yes, why] = knng.internal.like_distances (A);
  if (~yes && (joins_all (A, max (entries) / 2.01) || joins_all (A, max (entries) / 5)))   % room for roundings
    yes = true;
    why = 'it joins all that lies near one another, as that of knng.rangegraph';
  end
  if (yes)
    warning ('knng:args:weight', ['the entries of A were taken for weights, where more is nearer, but look as distances do: %s. If they are ' ...
             'distances give their metric, as in ''Metric'', ''euclidean''; if they are weights, ''Weight'', ''given'''], why);
  end
end

function yes = joins_all (A, within)
% Whether any two neighbours within this of the same row are neighbours; of the first 2000 rows that have any.
  [i, j, w] = find (A);                                      % A <= within would hold all that is 0
  near = sparse (i(w <= within), j(w <= within), 1, size (A, 1), size (A, 2));
  rows = find (any (near, 2));
  pairs = 0;
  for from = 1:50:min (numel (rows), 2000)
    some = rows(from:min (from + 49, end));
    both = near * near(:, some);                             % columns, which are at hand
    both(sub2ind (size (both), some, (1:numel (some))')) = 0;
    pairs = pairs + nnz (both);
    if (nnz (both) > nnz (both & A(:, some)))
      yes = false;
      return
    end
  end
  yes = pairs >= 20;                                         % each is counted twice
end

function refuse_mutual (A)
% An error where a symmetric A looks as a graph of knngraph does whose neighbours are all mutual: as many entries in each row that has
% any, none on the diagonal, and of different sizes.
  count = full (sum (A ~= 0, 1));
  count = count(count > 0);
  entries = nonzeros (A);
  if (~isempty (entries) && all (count == count(1)) && ~any (diag (A)) && any (entries ~= entries(1)))
    error ('knng:args:weight', ['A is symmetric and has %d entries in each row, so they may be weights, or distances of knngraph where all ' ...
           'neighbours are mutual: say which, ''Weight'', ''given'' for weights, ''binary'' or another one for distances'], count(1));
  end
end
