function kinds = kinds_of_loss (Mdl)
%KINDS_OF_LOSS  The values of 'LossFun' that go with a model, the default first.

  if (knng.internal.is_regression (Mdl))
    kinds = {'mse', 'mae'};
  else
    kinds = {'mincost', 'classiferror'};
  end
end

%!assert (knng.internal.kinds_of_loss (1), {'mincost', 'classiferror'})
%!assert (knng.internal.kinds_of_loss (knng.crossval (knng.fitrknn ([1; 2], [1 2]))), {'mse', 'mae'})
