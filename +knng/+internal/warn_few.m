function warn_few (id, name, value, n, what)
%WARN_FEW  A warning, ID, where the number NAME, VALUE, is more than there are rows, n; WHAT is what comes of it.

  if (value > n && n > 1)                                    % of one row nothing else could be
    warning (id, '%s is %.15g, but there are %d rows: %s; give %d or less', name, value, n, what, n);
  end
end

%!warning <minpts is 5, but there are 4 rows: all are noise; give 4 or less> knng.internal.warn_few ('knng:args:minpts', 'minpts', 5, 4, 'all are noise');
%!test
%! lastwarn ('');
%! knng.internal.warn_few ('knng:args:minpts', 'minpts', 4, 4, 'all are noise');
%! knng.internal.warn_few ('knng:args:minpts', 'minpts', 2, 1, 'all are noise');
%! assert (lastwarn (), '');
