function paper (fig, inches)
%PAPER  Makes the paper of a figure [width, height] INCHES, and the picture as large as the paper: print leaves no page around
%   it, and pixels are inches times the resolution. Where the user has said another place on paper, since, it stays.

  ways = {'portrait', 'landscape'};                          % else print turns the page
  set (fig, 'paperunits', 'inches', 'paperorientation', ways{1 + (inches(1) > inches(2))});
  set (fig, 'papersize', inches, 'paperposition', [0, 0, inches]);
  setappdata (fig, 'knng_paper', [0, 0, inches]);
end
