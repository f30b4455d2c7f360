function text = count_of (n, what, more)
%COUNT_OF  '1 row', but '2 rows': a number and a word, with s where it is not 1, or the word MORE.

  if (nargin < 3)
    more = [what, 's'];
  end
  if (n == 1)
    more = what;
  end
  text = sprintf ('%.15g %s', double (n), more);
end

%!assert (knng.internal.count_of (1, 'row'), '1 row')
%!assert (knng.internal.count_of (0, 'row'), '0 rows')
%!assert (knng.internal.count_of (int8 (2), 'class', 'classes'), '2 classes')
%!test  # messages and tables say 1 row, not 1 rows
%! X = magic (3);
%! calls = {
%!   @() knng.silhouette(X, 1),                       'there is 1 label for the 3 rows of X'
%!   @() knng.confusionmat(1, [1 2]),                 'there is 1 label and 2 predictions'
%!   @() knng.heatmap(X, 1),                          'there is 1 cluster for 3 rows'
%!   @() knng.clustertable(X, 1),                     'there is 1 label for 3 rows'
%!   @() knng.labelspread(knngraph (X, 1), 1),        'there is 1 label for the 3 rows'
%!   @() knng.predict(knng.fitcknn (X, [1 1 2]), 1),  'X has 1 column, '
%!   @() knng.compare(X, 1),                          'there is 1 class for the 3 columns'
%! };
%! for c = calls'
%!   try, c{1} (); text = ''; catch err, text = err.message; end
%!   assert (strncmp (text, c{2}, numel (c{2})), text);
%! end
%! u = mod ((1:90)' * [0.37 0.71 0.13], 1);
%! evalc ('knng.kmeans (u, 9, ''MaxIter'', 1);');
%! assert (! isempty (strfind (lastwarn (), 'after 1 iteration:')));
%! evalc ("text = evalc ('knng.kmeans (u, 9, ''MaxIter'', 1, ''Display'', ''final'');');");
%! assert (! isempty (strfind (text, 'Replicate 1, 1 iteration, total')));
%! assert (regexp (evalc ('knng.clustertable (1:3, 1)'), '^1 cluster of 1 row; 0 in none'), 1);
%! ds = struct ('X', X, 'names', {{'a', 'b', 'c'}});
%! assert (! isempty (strfind (evalc ('knng.neighbors (ds, [2; 1; 2], [1; 1; 2], ''a'')'), "has 1 neighbour\n")));
