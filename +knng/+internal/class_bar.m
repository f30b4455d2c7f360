function class_bar (ax, group, names, low, high, above)
%CLASS_BAR  Draws the groups of columns 1, 2, ... as a bar from height LOW to HIGH, and at height ABOVE the names of
%   groups where there is room for them. Columns of one group stand side by side.

  d = numel (group);
  shade = knng.internal.group_colours (group, names);
  steps = min (d, 2000);                                     % gnuplot fails at some 20 000
  at = ceil (((1:steps) - 0.5) * d / steps);
  image (0.5 + d / steps * [0.5, steps - 0.5], low + [0.25 0.75] * (high - low), ...
         repmat (reshape (shade(at, :), 1, steps, 3), [2 1 1]), 'parent', ax);
  place = get (ax, 'position');
  paper = get (get (ax, 'parent'), 'paperposition');
  letters = place(3) * paper(3) / 0.095;                     % so many of size 10 side by side on paper
  first = [1; find(diff (group(:))) + 1];
  last = [first(2:end) - 1; d];
  for r = 1:numel (first)
    wide = last(r) - first(r) + 1;
    name = names{group(first(r))};
    tries = {sprintf('%s, %d', name, wide), 10; name, 10; name, 7};
    fits = find (cellfun ('length', tries(:, 1)) .* [tries{:, 2}]' <= 10 * letters * wide / d, 1);
    if (~isempty (fits))
      text ((first(r) + last(r)) / 2, above, tries{fits, 1}, 'parent', ax, 'horizontalalignment', 'center', ...
            'fontsize', tries{fits, 2}, 'fontweight', 'bold', 'interpreter', 'none', 'color', 0.85 * shade(first(r), :));
    end
  end
end
