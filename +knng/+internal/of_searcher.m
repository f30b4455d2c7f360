function pairs = of_searcher (given, call, own)
%OF_SEARCHER  The options of a search with a searcher.
%   pairs = knng.internal.of_searcher (GIVEN, CALL, OWN): GIVEN less what changes nothing; an error where there are others than 'MaxMemory',
%   'Threads', 'Progress', 'SortIndices' and OWN, which a searcher has from knng.createns. CALL: the same search of a matrix with gaps.

  for i = 1:2:numel (given)
    if (any (strcmp (given{i}, {'Rows', 'MinValid'})))
      error ('knng:args:option', ['''%s'' is for matrices: a searcher has no rows with missing values; give the matrix itself, ' ...
             '%s'], given{i}, call);
    end
    if (any (strcmp (given{i}, {'Dataset', 'Transposed'})))
      error ('knng:args:option', '''%s'' is for files: a searcher has the rows of a matrix; leave it out', given{i});
    end
    if (~any (strcmp (given{i}, [own, {'MaxMemory', 'Threads', 'Progress', 'SortIndices'}])))
      error ('knng:args:option', ['''%s'' is given to knng.createns, and stays for all searches of a searcher: leave it out, ' ...
             'or make another'], given{i});
    end
  end
  pairs = knng.internal.needless (given);
end

%!assert (knng.internal.of_searcher ({'K', 2, 'SortIndices', true}, '', {'K'}), {'K', 2})
%!error <^'Prune' is given to knng.createns> knng.internal.of_searcher ({'MaxMemory', 1e9, 'Prune', 'on'}, '', {})
%!error <^'Rows' is for matrices: .* itself, f \(X\)$> knng.internal.of_searcher ({'Rows', 'all'}, 'f (X)', {})
%!error <^'Dataset' is for files: a searcher> knng.internal.of_searcher ({'Dataset', '/x'}, '', {})
