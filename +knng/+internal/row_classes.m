function code = row_classes (Mdl)
%ROW_CLASSES  The number of the class of each row of a model, n-by-1, which is checked; 1 in all rows of a model of numbers.

  if (knng.internal.is_regression (Mdl))
    knng.internal.knr_check (Mdl);
    code = ones (size (Mdl.X, 1), 1);
  else
    code = knng.internal.knn_check (Mdl);
  end
end

%!assert (knng.internal.row_classes (knng.fitcknn ([1; 2; 3], {'b', 'a', 'b'})), [2; 1; 2])
%!assert (knng.internal.row_classes (knng.fitrknn ([1; 2; 3], [5 6 7])), [1; 1; 1])
%!error id=knng:args:model knng.internal.row_classes (setfield (knng.fitrknn ([1; 2], [1 2]), 'Y', 3))
