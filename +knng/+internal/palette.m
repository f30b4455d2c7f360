function [colours, shapes] = palette ()
%PALETTE  Eight colours, a row each, that the colour-blind can tell apart, and the shapes of points that follow them:
%   group g has colours(mod (g - 1, 8) + 1, :) and shapes{mod (floor ((g - 1) / 8), 5) + 1}.
%   The first six are those of M. Okabe and K. Ito, Color universal design (2008). The other two, a brown and a violet, are
%   far from these and from each other for every colour vision, and can be seen on white and on black paper.

  colours = [0 0.447 0.698; 0.835 0.369 0; 0 0.62 0.451; 0.8 0.475 0.655; 0.337 0.706 0.914; 0.902 0.624 0; ...
             0.47 0.22 0.094; 0.53 0.13 0.91];
  shapes = {'o', 's', '^', 'd', 'v'};
end

%!test  # any two are apart for people of each vision, of which one kind of cones may lack, and on any paper
%! % G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, IEEE Trans. Vis. Comput. Graph. 15 (2009) 1291-1298: linear red, green, blue
%! seen = {eye(3), [0.152286 1.052583 -0.204868; 0.114503 0.786281 0.099216; -0.003882 -0.048116 1.051998], ...
%!         [0.367322 0.860646 -0.227968; 0.280085 0.672501 0.047413; -0.011820 0.042940 0.968881], ...
%!         [1.255528 -0.076749 -0.178779; -0.078411 0.930809 0.147602; 0.004733 0.691367 0.303900]};
%! c = knng.internal.palette ();
%! linear = c / 12.92;
%! linear(c > 0.04045) = ((c(c > 0.04045) + 0.055) / 1.055) .^ 2.4;
%! for m = seen
%!   xyz = min (max (linear * m{1}', 0), 1) * [0.4124 0.2126 0.0193; 0.3576 0.7152 0.1192; 0.1805 0.0722 0.9505] ./ [0.9505 1 1.089];
%!   f = 7.787 * xyz + 16 / 116;
%!   f(xyz > 0.008856) = cbrt (xyz(xyz > 0.008856));
%!   lab = [116 * f(:, 2) - 16, 500 * (f(:, 1) - f(:, 2)), 200 * (f(:, 2) - f(:, 3))];
%!   far = sqrt (sumsq (permute (lab, [1 3 2]) - permute (lab, [3 1 2]), 3)) + 1e3 * eye (8);
%!   assert (min (far(:)) > 15);
%! end
%! light = linear * [0.2126; 0.7152; 0.0722];
%! assert (all (1.05 ./ (light + 0.05) > 2.2));               % contrast on white, on the page's dark paper
%! assert (all ((light + 0.05) / (0.0089 + 0.05) > 2));
