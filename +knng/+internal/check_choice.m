function value = check_choice (name, value, values)
%CHECK_CHOICE  The one of the cell VALUES that VALUE, of the option NAME, is in upper or lower case; an error where it is none.

  if (~knng.internal.is_one_of (value, values))
    list = sprintf (', ''%s''', values{1:end-1});
    error ('knng:args:option', '''%s'' is %s: it must be %s or ''%s''', name, knng.internal.given (value), list(3:end), values{end});
  end
  value = lower (value);
end

%!assert (knng.internal.check_choice ('By', 'ROWS', {'rows', 'columns'}), 'rows')
%!error <^'By' is 'row': it must be 'rows', 'both' or 'columns'$> knng.internal.check_choice ('By', 'row', {'rows', 'both', 'columns'})
%!error id=knng:args:option knng.internal.check_choice ('By', {}, {'rows', 'columns'})
