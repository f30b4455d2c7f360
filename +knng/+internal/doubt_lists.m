function doubt_lists (X, remedy)
%DOUBT_LISTS  A warning, knng:data:lists, where the points X look like lists of neighbours; REMEDY is what to do if they are.

  if (knng.internal.like_lists (X))
    warning ('knng:data:lists', ['X is a %d-by-%d matrix of the numbers of other rows and looks like idx of [idx, dist] = knngraph (...), ' ...
             'but is taken for points: %s. If they are points, warning (''off'', ''knng:data:lists'') says so'], size (X, 1), size (X, 2), remedy);
  end
end

%!warning <X is a 20-by-2 matrix of the numbers .* for points: give dist, too. If .* warning \('off', 'knng:data:lists'\) says so$> knng.internal.doubt_lists ([2 1:19; 3 3:20 18]', 'give dist, too')
%!test
%! lastwarn ('', '');
%! knng.internal.doubt_lists ([2 3; 3 1; 1 2; 5 6; 6 4; 4 6], 'none');
%! assert (lastwarn (), '');
