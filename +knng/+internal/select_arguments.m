function [dim, method] = select_arguments (rest)
%SELECT_ARGUMENTS  What follows A and k in knng.mink and knng.maxk: dim, [] if it is not given, and the method.

  knng.internal.built ();
  dim = [];
  if (~isempty (rest) && ~ischar (rest{1}))
    dim = rest{1};
    rest = rest(2:end);
  end
  opt = knng.internal.options (struct ('ComparisonMethod', 'auto'), rest);
  method = opt.ComparisonMethod;
end

%!test
%! [dim, method] = knng.internal.select_arguments ({});
%! assert (isempty (dim) && strcmp (method, 'auto'));
%! [dim, method] = knng.internal.select_arguments ({2, 'comparisonmethod', 'abs'});
%! assert (dim == 2 && strcmp (method, 'abs'));
