function offset = offset_of (low, high)
%OFFSET_OF  A round number near LOW, where LOW and HIGH differ by less than 1e-4 of the larger: numbers beside a scale then are less that; else 0.

  offset = 0;
  reach = high - low;
  if (reach > 0 && reach < 1e-4 * max (abs ([low, high])))
    power = ceil (log10 (reach));
    if (power < 0)
      offset = round (low * 10 ^ -power) / 10 ^ -power;      % a multiple of 1e-12 itself is no round number
    else
      offset = round (low / 10 ^ power) * 10 ^ power;
    end
    offset = str2double (sprintf ('%.15g', offset));         % what is written is what was subtracted
  end
end

%!assert (knng.internal.offset_of (1e9 - 3, 1e9 + 4), 1e9)
%!assert (knng.internal.offset_of (1, 1 + 1e-12), 1)
%!assert (knng.internal.offset_of (-273.1502, -273.1493), -273.15)
%!assert (knng.internal.offset_of (5, 5), 0)
%!assert (knng.internal.offset_of (1000, 1001), 0)
