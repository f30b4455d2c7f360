function names = classes_in_order (option, wanted)
%CLASSES_IN_ORDER  The names of classes in the order in which the option of this name lists them, each once.

  [~, names] = knng.internal.label_codes (wanted);
  code = knng.internal.label_codes (wanted, names);
  if (isempty (code) || any (code < 1) || any (accumarray (code, 1) > 1))
    error ('knng:args:classNames', ['''%s'' is %s: it must name each class that you want once, in the order ' ...
           'in which they are to come'], option, knng.internal.given (wanted));
  end
  names = knng.internal.label_values (code, names);
end

%!assert (knng.internal.classes_in_order ('Order', {'b', 'a'}), {'b'; 'a'})
%!assert (knng.internal.classes_in_order ('Order', [3 1]), [3; 1])
%!error <^'Order' is .*: it must name each class> knng.internal.classes_in_order ('Order', [1 1])
%!error id=knng:args:classNames knng.internal.classes_in_order ('Order', {'a', ''})
%!error id=knng:args:classNames knng.internal.classes_in_order ('Order', {})
