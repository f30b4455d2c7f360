function [dim, method, device] = select_arguments (rest)
%SELECT_ARGUMENTS  What follows A and k in knng.mink and knng.maxk: dim, [] if it is not given, and the options' values.

  knng.internal.built ();
  dim = [];
  if (~isempty (rest) && ~ischar (rest{1}))
    dim = rest{1};
    rest = rest(2:end);
  end
  opt = knng.internal.options (struct ('ComparisonMethod', 'auto', 'Device', 'auto'), rest);
  method = opt.ComparisonMethod;
  device = opt.Device;
end

%!test
%! [dim, method, device] = knng.internal.select_arguments ({});
%! assert (isempty (dim) && strcmp (method, 'auto') && strcmp (device, 'auto'));
%! [dim, method, device] = knng.internal.select_arguments ({2, 'comparisonmethod', 'abs', 'device', 1});
%! assert (dim == 2 && strcmp (method, 'abs') && device == 1);
