function [colours, shapes] = palette ()
%PALETTE  Eight colours, a row each, that the colour-blind can tell apart, and the shapes of points that follow them:
%   group g has colours(mod (g - 1, 8) + 1, :) and shapes{mod (floor ((g - 1) / 8), 5) + 1}.
%   After M. Okabe and K. Ito, Color universal design (2008), with a darker yellow.

  colours = [0 0.447 0.698; 0.835 0.369 0; 0 0.62 0.451; 0.8 0.475 0.655; 0.337 0.706 0.914; 0.902 0.624 0; ...
             0.2 0.2 0.2; 0.6 0.55 0];
  shapes = {'o', 's', '^', 'd', 'v'};
end
