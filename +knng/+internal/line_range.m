function range = line_range (ax)
%LINE_RANGE  Of what the lines in the axes AX hold the least and the largest x and y, rows [x, y]; zeros (2) where there is none.

  range = zeros (2);
  lines = findall (ax, 'type', 'line');
  if (isempty (lines))
    return
  end
  for name = {'xdata', 'ydata'; 1, 2}
    values = get (lines, name(1));
    values = cellfun (@(v) reshape (v(abs (v) < 1e30), [], 1), values, 'UniformOutput', false);
    values = vertcat (values{:});
    if (~isempty (values))
      range(:, name{2}) = [min(values); max(values)];
    end
  end
end

%!test
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! assert (knng.internal.line_range (axes ()), zeros (2));
%! line ([1 NaN 3], [7 8 9]);
%! line (-2, 5, 'handlevisibility', 'off');
%! assert (knng.internal.line_range (gca ()), [-2 5; 3 9]);
