function draw_key (ax, items, X, Y)
%DRAW_KEY  Draws the ITEMS of KNNG.INTERNAL.KEY_ITEMS into axes; X and Y turn inches from the left and from the top into their units.
%   Lines are 0.18 inches high.

  for item = reshape (items, 1, [])
    y = 0.18 * (item.line - 0.5);
    style = {'parent', ax, 'fontsize', 8, 'interpreter', 'none'};
    if (isempty (item.shade))
      text (X (item.x), Y (y), item.text, style{:}, 'fontweight', 'bold');
      continue
    end
    wide = 0.12 + 0.38 * (size (item.shade, 1) > 1);
    knng.internal.class_bar (ax, item.shade, X (item.x + [0, wide]), Y (y + [-0.06, 0.06]));
    text (X (item.x + wide + 0.05), Y (y), item.text, style{:});
  end
end
