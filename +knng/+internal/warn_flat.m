function warn_flat (Mdl)
%WARN_FLAT  Says how many rows of a new model of knng.fitcknn or knng.fitrknn are nobody's neighbours, since they are constant.

  if (isfield (Mdl, 'Partition') || any (strcmpi (Mdl.ModelParameters.Rows, {'pairwise'})))
    return
  end
  T = Mdl.X;
  if (~isempty (Mdl.Mu))
    T = knng.internal.standardized (T, Mdl.Mu, Mdl.Sigma);
  end
  flat = sum (knng.internal.flat_rows (T, Mdl.Distance));
  if (flat > 0)
    words = {'them: they are nobody''s neighbours', 'them'; 'it: it is nobody''s neighbour', 'it'};
    warning ('knng:data:constant', ['%s constant (for cosine: zero), so that ''%s'' has no distance for %s; take another metric, such as ' ...
             '''euclidean'', or leave %s out'], knng.internal.share_of (flat, size (T, 1), 'row'), Mdl.Distance, words{1 + (flat == 1), :});
  end
end

%!test
%! warning ('error', 'knng:data:constant', 'local');
%! M = struct ('X', [2 2 2; 1 2 3], 'Mu', [], 'Sigma', [], 'Distance', 'pearson', 'ModelParameters', struct ('Rows', 'all'));
%! fail ('knng.internal.warn_flat (M)', '^1 of 2 rows is constant .* for it: it is nobody''s neighbour; take another .* or leave it out$');
%! M.Mu = [1 2 3];
%! M.Sigma = [1 1 1];
%! M.X = [2 3 4; 2 3 4; 5 5 5];
%! fail ('knng.internal.warn_flat (M)', '^2 of 3 rows are constant .* for them: they are nobody''s neighbours; take another .* or leave them out$');
%! M.Distance = 'cityblock';
%! knng.internal.warn_flat (M);
%! M.Distance = 'pearson';
%! M.ModelParameters.Rows = 'Pairwise';                      % there it depends on the columns that two rows share
%! knng.internal.warn_flat (M);
