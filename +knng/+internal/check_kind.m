function check_kind (kind)
%CHECK_KIND  An error where KIND is no value of 'LossFun'.

  if (~knng.internal.is_one_of (kind, {'mincost', 'classiferror'}))
    error ('knng:args:option', '''LossFun'' is %s: it must be ''mincost'' or ''classiferror''', knng.internal.given (kind));
  end
end
