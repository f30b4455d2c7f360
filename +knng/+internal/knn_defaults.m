function opt = knn_defaults ()
%KNN_DEFAULTS  The options of knng.fitcknn and their defaults, for knng.internal.options.

  opt = struct ('NumNeighbors', 1, 'Distance', 'euclidean', 'DistanceWeight', 'equal', 'BreakTies', 'smallest', ...
                'Standardize', false, 'Prior', 'empirical', 'Cost', [], 'ClassNames', [], 'Seed', 0, ...
                'Rows', 'all', 'MinValid', [], 'IncludeTies', false);
end
