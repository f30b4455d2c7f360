function doubt_classes (Y, names)
%DOUBT_CLASSES  A warning where the labels Y are numbers that look measured: more than half of them are different, of 10 or more.
%   NAMES: the option 'ClassNames'; whoever gives it knows that these are classes.

  if (~isfloat (Y) || ~isreal (Y) || ~isvector (Y) || ~(isnumeric (names) && isempty (names)))
    return
  end
  known = full (Y(~isnan (Y)));
  count = numel (unique (known));
  if (numel (known) > 9 && count > numel (known) / 2)
    warning ('knng:data:classes', ['Y has %d different numbers in %d rows, and each is taken for a class: of numbers that are measured, ' ...
             'make a model by knng.fitrknn (X, Y). If they are classes, warning (''off'', ''knng:data:classes'') says so'], count, numel (known));
  end
end

%!test
%! warning ('error', 'knng:data:classes', 'local');
%! fail ('knng.internal.doubt_classes (sqrt (1:10), [])', '^Y has 10 different numbers in 10 rows, and each is .* by knng.fitrknn \(X, Y\)\. If');
%! fail ('knng.internal.doubt_classes (single ([sqrt(1:6), 1 1 1 2 NaN])'', [])', '^Y has 6 different numbers in 10 rows');
%! knng.internal.doubt_classes ([1:5, 1:5], []);
%! knng.internal.doubt_classes (sqrt (1:9), []);
%! knng.internal.doubt_classes (1:20, 1:20);
%! knng.internal.doubt_classes (cellstr (char ((65:90)')), []);
%! knng.internal.doubt_classes (eye (20), []);
%! knng.internal.doubt_classes (int8 (1:20), []);
