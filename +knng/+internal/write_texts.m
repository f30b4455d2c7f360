function write_texts (ax, x, y, texts, varargin)
%WRITE_TEXTS  Writes TEXTS, a cell, at X and Y, a number for each or one for all, into axes: as they are, by one call of
%   text, which takes less time than one for each. VARARGIN: more properties.

  n = numel (texts);
  if (n == 0)
    return
  end
  texts = regexprep (texts(:), '^(default|factory)$', '\\$1');  % else those two would stand for a property's value
  if (n == 1)
    texts = texts{1};                                        % a cell would be the lines of one text
  end
  text (x(:) + zeros (n, 1), y(:) + zeros (n, 1), texts, 'parent', ax, 'interpreter', 'none', varargin{:});
end

%!test
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! ax = knng.internal.fixed_axes (fig, [0 0 1 1], [0 9], [0 9]);
%! knng.internal.write_texts (ax, 1, 2, {'one'}, 'fontsize', 7);
%! knng.internal.write_texts (ax, 1:4, 3, {'default', 'factory', 'a_b\n', ''}, 'fontsize', 6);
%! knng.internal.write_texts (ax, 5, 1:2, {'default'; '{x}'}(1:2));
%! knng.internal.write_texts (ax, 5, 1, {'factory'});
%! knng.internal.write_texts (ax, zeros (0, 1), 1, cell (0, 1));
%! h = flipud (get (ax, 'children'));
%! assert (get (h, 'string')', {'one', 'default', 'factory', 'a_b\n', '', 'default', '{x}', 'factory'});
%! assert (cell2mat (get (h, 'position')), [1 2 0; (1:4)', repmat([3 0], 4, 1); 5 1 0; 5 2 0; 5 1 0]);
%! assert (cell2mat (get (h(1:5), 'fontsize'))', [7 6 6 6 6]);
%! assert (unique (get (h, 'interpreter')), {'none'});
