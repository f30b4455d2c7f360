function text = why_none (X, row, idx)
%WHY_NONE  What keeps a row from having neighbours, as far as the values say. Where other rows with gaps have some, they were compared over
%   the columns that both have. IDX: the neighbours of all rows, or of this one.

x = double (X(row, :));
gaps = any (isnan (X), 2);
pairwise = size (idx, 1) == numel (gaps) && any (any (idx(gaps, :) > 0));
missing = sum (isnan (x));
known = x(~isnan (x));
shared = 0;
if pairwise
    both = double (~isnan (X)) * double (~isnan (x))';
    both(row) = 0;
    shared = max (both);
end
too_few = sprintf (['with no other row it has more than %d of the %d columns in common, fewer than ''MinValid'' of the search, or it is ' ...
                    'constant over those'], shared, numel (x));
if missing == numel (x)
    text = 'all its values are missing';
elseif missing > 0 && ~pairwise
    text = sprintf (['%d of its %d values are missing (NaN); compare rows over what both have, ''Rows'', ''pairwise'' of knngraph, or fill ' ...
                     'the values in with knng.impute'], missing, numel (x));
elseif any (isinf (x))
    text = sprintf ('%d of its %d values are Inf', sum (isinf (x)), numel (x));
elseif pairwise && shared < 3                                % the default of 'MinValid', of 1 or 2 values alone all are constant or 0
    text = too_few;
elseif all (known == 0)
    text = 'all its values are 0, which leaves no distance with cosine and the correlations';
elseif all (known == known(1))
    text = 'it is constant, which leaves no distance with the correlations';
elseif pairwise
    text = too_few;
else
    text = 'the graph has none for it, as of a row that has too little in common with all others';
end
end

%!assert (knng.internal.why_none ([1 2 3; NaN NaN NaN], 2, [0; 0]), 'all its values are missing')
%!assert (any (strfind (knng.internal.why_none ([1 2 3; 4 NaN 4], 2, 0), '1 of its 3 values are missing')))
%!assert (any (strfind (knng.internal.why_none ([1 2 3; 4 4 4], 2, [2; 0]), 'it is constant')))
