function text = number_text (x)
%NUMBER_TEXT  A number as the shortest text, of 15 digits or 17, that is read as the same number; an integer with all its digits.

  if (isinteger (x))
    text = sprintf ('%d', x);
    return
  end
  x = double (x);
  text = sprintf ('%.15g', x);
  if (str2double (text) ~= x)
    text = sprintf ('%.17g', x);
  end
end

%!assert (knng.internal.number_text (0.3), '0.3')
%!assert (knng.internal.number_text (0.1 + 0.2), '0.30000000000000004')
%!assert (knng.internal.number_text (1234567890123457), '1234567890123457')
%!assert (knng.internal.number_text (intmin ('int64') + 1), '-9223372036854775807')
%!assert (knng.internal.number_text (true), '1')
%!assert (knng.internal.number_text (single (-7)), '-7')
