function marks = marked_rows (ds, labels, given, option)
%MARKED_ROWS  The rows that the value GIVEN of an OPTION names, each once, and the text of each: MARKS has the fields rows, texts and at, [].
%   GIVEN has names, symbols or LABELS of rows, or their numbers. Of more than 200 there is an error.

  marks = struct ('rows', zeros (1, 0), 'texts', {cell(1, 0)}, 'at', []);
  if (ischar (given) && ndims (given) == 2)
    given = {given};
  elseif (isnumeric (given))
    given = num2cell (given(:)');
  elseif (~iscell (given))
    error ('knng:args:option', '''%s'' is %s: it must be names or symbols of rows, a cell of texts, or numbers of rows', ...
           option, knng.internal.given (given));
  end
  for i = 1:numel (given)
    rows = zeros (0, 1);
    if (ischar (given{i}))
      rows = find (strcmp (labels(:), given{i}));
    end
    if (isempty (rows))
      rows = in_names (ds, labels, given{i});
    end
    texts = knng.internal.row_texts (ds, labels, rows);
    if (ischar (given{i}))
      texts(:) = given(i);
    end
    new = ~ismember (rows(:)', marks.rows);
    marks.rows = [marks.rows, rows(new)'];
    marks.texts = [marks.texts, reshape(texts(new), 1, [])];
  end
  if (numel (marks.rows) > 200)
    error ('knng:args:option', '''%s'' names %d rows: at most 200 have room', option, numel (marks.rows));
  end
  marks.texts = knng.internal.short_texts (marks.texts);
end

function rows = in_names (ds, labels, what)
% As find_row. What is none of its names is told from the labels, where there are any: they are what stands in the picture.
  try
    rows = knng.internal.find_row (ds, what, true);
  catch err
    if (ischar (what) && ~isempty (labels))
      ds.names = labels(:);
      rows = knng.internal.find_row (ds, what, true);
    else
      rethrow (err);
    end
  end
end
