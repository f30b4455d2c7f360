function lab = as_seen (colours, vision)
%AS_SEEN  CIE L*a*b* of the colours, rows of red, green and blue from 0 to 1 of sRGB (IEC 61966-2-1; CIE 15): how far two colours seem apart is about
%   their distance there. VISION: 1, the usual one, as without it; 2, 3, 4: without the cones for long, middle, short waves (G. M. Machado,
%   M. M. Oliveira, L. A. F. Fernandes, IEEE Trans. Vis. Comput. Graph. 15 (2009) 1291-1298).

  linear = colours / 12.92;
  at = colours > 0.04045;
  linear(at) = ((colours(at) + 0.055) / 1.055) .^ 2.4;
  if (nargin > 1 && vision > 1)
    lacking = {[0.152286 1.052583 -0.204868; 0.114503 0.786281 0.099216; -0.003882 -0.048116 1.051998], ...
               [0.367322 0.860646 -0.227968; 0.280085 0.672501 0.047413; -0.011820 0.042940 0.968881], ...
               [1.255528 -0.076749 -0.178779; -0.078411 0.930809 0.147602; 0.004733 0.691367 0.303900]};
    linear = min (max (linear * lacking{vision - 1}', 0), 1);
  end
  xyz = bsxfun (@rdivide, linear * [0.4124 0.2126 0.0193; 0.3576 0.7152 0.1192; 0.1805 0.0722 0.9505], [0.9505 1 1.089]);
  f = 7.787 * xyz + 16 / 116;
  at = xyz > 0.008856;
  f(at) = xyz(at) .^ (1 / 3);
  lab = [116 * f(:, 2) - 16, 500 * (f(:, 1) - f(:, 2)), 200 * (f(:, 2) - f(:, 3))];
end

%!assert (knng.internal.as_seen ([1 0 0; 0 0 1; 1 1 1; 0 0 0]), [53.24 80.09 67.2; 32.3 79.19 -107.86; 100 0 0; 0 0 0], 0.05)
%!test  # greys are greys for all; red and green are farther apart for those who have all cones
%! greys = (0:4)' / 4 * [1 1 1];
%! for v = 2:4
%!   assert (knng.internal.as_seen (greys, v), knng.internal.as_seen (greys), 0.05);
%! end
%! apart = @(v) norm (diff (knng.internal.as_seen ([0.75 0.1 0.1; 0.5 0.5 0.1], v)));
%! assert (apart (1) > 2 * max (apart (2), apart (3)));
%! assert (knng.internal.as_seen ([0.2 0.9 0.4], 1), knng.internal.as_seen ([0.2 0.9 0.4]));
