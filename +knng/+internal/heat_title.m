function heat_title (ax, page, n, parts, d)
%HEAT_TITLE  Writes above a heat map of n rows in PARTS clusters, and of d samples, how many they are.

  some = '';
  if (parts > 1)
    some = sprintf (' in %d clusters', parts);
  end
  text (page.X (0.15), page.Y (0.3), sprintf ('%d row%s%s, %d sample%s', n, repmat ('s', 1, n > 1), some, d, repmat ('s', 1, d > 1)), 'parent', ax, 'interpreter', 'none', ...
        'fontsize', 12, 'fontweight', 'bold');
end
