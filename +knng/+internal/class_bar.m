function class_bar (ax, shade, across, down)
%CLASS_BAR  Draws a bar of colours, a row of SHADE for each column 1, 2, ..., or down the page for each row if it is
%   n-by-1-by-3, between the edges ACROSS, [left, right], and DOWN, [top, bottom], of the axes.

  sideways = size (shade, 3) == 1;
  if (sideways)
    shade = reshape (shade, 1, [], 3);
  end
  n = max (size (shade, 1), size (shade, 2));
  steps = max (min (n, 2000), 2);                            % gnuplot fails at some 20 000; one has no width
  at = ceil (((1:steps) - 0.5) * n / steps);
  inside = @(edges, m) edges(1) + (edges(2) - edges(1)) * ([1, 2 * m - 1]) / (2 * m);
  draw = @(x, y, c) image ('xdata', x, 'ydata', y, 'cdata', c, 'parent', ax);  % which asks for no axes
  if (sideways)
    draw (inside (across, steps), inside (down, 2), shade([1 1], at, :));
  else
    draw (inside (across, 2), inside (down, steps), shade(at, [1 1], :));
  end
end
