function one_scale (ax, margin)
%ONE_SCALE  One scale for both directions of the axes AX, and limits that hold all lines in them and MARGIN, a part of these, on each side.
%   Octave's limits fill the window, which has another shape than the paper where long names made this wider: without a window the limits fill the
%   axes on paper.

  axis (ax, 'equal');
  [inches, fig] = knng.internal.axes_inches (ax);
  if (strcmp (get (fig, 'visible'), 'on'))
    return
  end
  range = knng.internal.line_range (ax);
  unit = max (diff (range, 1, 1) ./ inches(3:4)) * (1 + 2 * margin);
  if (unit > 0)
    axis (ax, reshape (bsxfun (@plus, mean (range, 1), unit * [-0.5; 0.5] * inches(3:4)), 1, 4));
  end
end
