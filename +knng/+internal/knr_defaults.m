function opt = knr_defaults ()
%KNR_DEFAULTS  The options of knng.fitrknn that make the model, and their defaults, for knng.internal.options.

  opt = struct ('NumNeighbors', 5, 'Distance', 'euclidean', 'DistanceWeight', 'equal', 'IncludeTies', false, 'Standardize', false, ...
                'Rows', 'all', 'MinValid', []);
end
