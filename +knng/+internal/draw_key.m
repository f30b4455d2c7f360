function draw_key (ax, items, X, Y)
%DRAW_KEY  Draws the ITEMS of KNNG.INTERNAL.KEY_ITEMS into axes; X and Y turn inches from the left and from the top into their units.
%   Lines are 0.18 inches high.

  items = reshape (items, 1, []);
  x = [items.x];
  y = 0.18 * ([items.line] - 0.5);
  shades = cellfun (@(s) size (s, 1), {items.shade});
  for i = find (shades)
    wide = 0.12 + 0.38 * (shades(i) > 1);
    knng.internal.class_bar (ax, items(i).shade, X (x(i) + [0, wide]), Y (y(i) + [-0.06, 0.06]));
    x(i) = x(i) + wide + 0.05;
  end
  weight = {'bold', 'normal'};
  for w = 1:2
    some = (shades > 0) == w - 1;
    knng.internal.write_texts (ax, X (x(some)), Y (y(some)), {items(some).text}, 'fontsize', 8, 'fontweight', weight{w});
  end
end
