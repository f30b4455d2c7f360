function t = text_table (file, skip, without_corner, remedy)
%TEXT_TABLE  A table in a file of texts, as knng.annotate takes it (its help has the rules): T.names, a 1-by-c cell of what its first line
%   says; T.lines, how many are below it; T.column (j), a cell of the texts of column j; T.of, what it is called in messages. SKIP lines at
%   the top are left out. With WITHOUT_CORNER the first line may have no name for the first column, as R writes it: then that is ''. REMEDY is
%   what messages say of a title that is no part of the table; default: the option 'HeaderLines', which the caller then has to have.
%   Errors: those of knng.internal.text_file; knng:io:format; knng:args:option (SKIP is more than there are).

  if (nargin < 3)
    without_corner = false;
  end
  if (nargin < 4)
    remedy = 'leave it out by ''HeaderLines''';
  end
  t = of_text (knng.internal.text_file (file), knng.internal.shown (file), skip, without_corner, remedy);
end

function t = of_text (text, file, skip, without_corner, remedy)
  [text, first, given] = head_off (text, skip, file);
  if (isempty (strtrim (text)))
    error ('knng:io:format', '%s has no table: a line that names the columns, and lines below it', file);
  end
  [from, to, line, number] = fields_of (text, first, file, given);
  header = line == 1;
  t.of = file;
  t.names = pieces (text, from(header), to(header))';
  count = accumarray (line(:), 1);
  t.lines = numel (count) - 1;
  if (without_corner && t.lines > 0 && all (count(2:end) == numel (t.names) + 1))
    t.names = [{''}, t.names];
  end
  c = numel (t.names);
  if (c < 2 || t.lines < 1)
    error ('knng:io:format', ['%s has no table: found %s, separated by tabs, semicolons or commas, in line %d, and %s below ' ...
           'their names; if this line is a title, %s'], file, knng.internal.count_of (c, 'column'), number(1), ...
           knng.internal.count_of (t.lines, 'line'), remedy);
  end
  start = cumsum ([0; count(1:end-1)]);
  place = (1:numel (line))' - start(line(:));
  reach = accumarray (line(:), place .* (to(:) >= from(:)), [], @max);   % the last field of each line that holds something
  long = find (reach > c, 1);
  if (~isempty (long))
    error ('knng:io:format', '%s, line %d: found %s, expected %d, as in line %d, which names the columns; if that is a title, %s', ...
           file, number(long), knng.internal.count_of (reach(long), 'field'), c, number(1), remedy);
  end
  t.column = @(j) column_of (text, from, to, start(2:end), count(2:end), j);
end

function column = column_of (text, from, to, start, count, j)
  column = repmat ({''}, numel (start), 1);
  has = count >= j;
  at = start(has) + j;
  column(has) = pieces (text, from(at), to(at));
end

function [text, first, separator] = head_off (text, skip, file)
% The table alone: without so many lines, and those above it that begin with #, ! or ^, or hold nothing; the number of its first line; and
% the separator that a line sep=X gives, [] for none.
  ends = [0, find(text == 10), numel(text) + 1];
  separator = [];
  lines = numel (ends) - 1 - (ends(end-1) == numel (text));
  if (skip > lines)
    error ('knng:args:option', '''HeaderLines'' is %.0f, and %s has %s', skip, file, knng.internal.count_of (lines, 'line'));
  end
  while (skip < numel (ends) - 2)
    line = text(ends(skip + 1) + 1:ends(skip + 2) - 1);
    if (numel (line) == 5 && strncmpi (line, 'sep=', 4) && isempty (separator))
      separator = line(5);
    elseif (~isempty (strtrim (line)) && ~any (line(1) == '#!^'))
      break
    end
    skip = skip + 1;
  end
  first = skip + 1;
  text = text(ends(first) + 1:end);
  over = strfind (text, sprintf ('\n!'));                      % no regexp: it takes nothing but UTF-8
  if (~isempty (over))
    text = text(1:over(1));
  end
end

function [from, to, line, number] = fields_of (text, first, file, separator)
% Where each field begins and ends, the line it is in among those that hold something, and what number these have in the file.
  if (text(end) ~= 10)
    text = [text, char(10)];
  end
  quotes = find (text == '"');
  if (isempty (separator))
    separator = outside (text(1:find (text == 10, 1)));
  end
  if (separator == 9)
    quotes = [];                                             % a quote is an ordinary character there
  else
    quotes = real_quotes (text, quotes, separator);
  end
  at = find (text == separator | text == 10);
  [both, order] = sort ([quotes(:); at(:)]);
  is_quote = order <= numel (quotes);
  inside = mod (cumsum (is_quote), 2) == 1;
  if (mod (numel (quotes), 2) == 1)
    error ('knng:io:format', '%s, line %d: the quotes that begin here, or before, do not end', file, ...
           first + sum (text(1:quotes(end)) == 10));
  end
  to = both(~is_quote & ~inside);                            % the separator behind each field
  from = [1; to(1:end-1) + 1];
  to = to - 1;
  ends = text(to + 1)' == 10;
  line = cumsum ([1; ends(1:end-1)]);
  number = first + before (find (text' == 10), from([true; ends(1:end-1)]));
  blank = accumarray (line, 1) == 1 & to(ends) < from(ends);
  keep = ~blank(line);
  renumber = cumsum (~blank);
  from = from(keep);
  to = to(keep);
  line = renumber(line(keep));
  number = number(~blank);
end

function quotes = real_quotes (text, quotes, separator)
% Those that begin or end a field in quotes, or are doubled in one: a quote in the middle of another field is a character.
  at = quotes(1:2:end);
  follows = [false, diff(quotes) == 1];                      % a doubled one
  fine = follows(1:2:end);
  at(fine) = [];
  if (all (begins (text, at, separator)))
    return                                                   % as it should be
  end
  starts = begins (text, quotes, separator);
  keep = true (size (quotes));
  inside = false;
  i = 1;
  while (i <= numel (quotes))
    if (inside && i < numel (quotes) && quotes(i + 1) == quotes(i) + 1)
      i = i + 1;
    elseif (inside || starts(i))
      inside = ~inside;
    else
      keep(i) = false;
    end
    i = i + 1;
  end
  quotes = quotes(keep);
end

function yes = begins (text, at, separator)
% Is there but blanks between each place and the separator, or the end of a line, before it?
  at = at - 1;
  some = find (at > 0);
  while (~isempty (some))
    some = some(text(at(some)) == ' ');
    at(some) = at(some) - 1;
    some = some(at(some) > 0);
  end
  yes = at == 0;
  yes(~yes) = text(at(~yes)) == separator | text(at(~yes)) == 10;
end

function count = before (p, s)
% How many of the ascending places p lie before each of the ascending places s.
  [~, order] = sort ([p; s - 0.5]);
  is_p = order <= numel (p);
  count = cumsum (is_p);
  count = count(~is_p);
end

function separator = outside (line)
% A tab, if one is outside of quotes, else the one of ; and , that is there more often.
  plain = line(mod (cumsum (line == '"'), 2) == 0);
  separator = ',';
  if (any (plain == 9))
    separator = 9;
  elseif (sum (plain == ';') > sum (plain == ','))
    separator = ';';
  end
end

function c = pieces (text, from, to)
% The texts between these places, a column, without blanks or quotes around them.
  [from, to] = deal (from(:), to(:));
  if (isempty (from))
    c = cell (0, 1);
    return
  end
  [from, to] = trimmed (text, from, to);
  quoted = to > from;
  quoted(quoted) = text(from(quoted)) == '"' & text(to(quoted)) == '"';
  from(quoted) = from(quoted) + 1;
  to(quoted) = to(quoted) - 1;
  cut = reshape ([from - [1; to(1:end-1) + 1], to - from + 1]', 1, []);   % what is before each, and each
  c = mat2cell (text(1:to(end)), 1, cut);
  c = reshape (c(2:2:end), [], 1);
  within = c(quoted);
  single = ~cellfun ('isempty', strfind (strrep (within, '""', ''), '"'));
  within = strrep (within, '""', '"');
  within(single) = cellfun (@(s) ['"', s, '"'], within(single), 'UniformOutput', false);   % "a" or "b" is no quoted field
  c(quoted) = within;
  c(to < from) = {''};
end

function [from, to] = trimmed (text, from, to)
  is_blank = @(c) c == ' ' | c == 9 | c == 10 | c == 13;
  some = find (from <= to);
  while (~isempty (some))
    some = some(is_blank (text(from(some))));
    from(some) = from(some) + 1;
    some = some(from(some) <= to(some));
  end
  some = find (from <= to);
  while (~isempty (some))
    some = some(is_blank (text(to(some))));
    to(some) = to(some) - 1;
    some = some(from(some) <= to(some));
  end
end

%!test
%! file = [tempname() '.csv'];
%! gone = onCleanup (@() delete (file));
%! f = fopen (file, 'w');
%! fprintf (f, 'made today\n"a b",c\nx,1\ny,"2,5"\n');
%! fclose (f);
%! t = knng.internal.text_table (file, 1);
%! assert ({t.names, t.lines, t.column(1), t.column(2)}, {{'a b', 'c'}, 2, {'x'; 'y'}, {'1'; '2,5'}});
%!test  # as R writes it
%! file = [tempname() '.txt'];
%! gone = onCleanup (@() delete (file));
%! f = fopen (file, 'w');
%! fprintf (f, '"sex"\t"age"\n"s1"\t"f"\t7\n"s2"\t"m"\tNA\n');
%! fclose (f);
%! t = knng.internal.text_table (file, 0, true);
%! assert ({t.names, t.column(1), t.column(3)}, {{'', 'sex', 'age'}, {'s1'; 's2'}, {'7'; 'NA'}});
%! id = '';
%! try, knng.internal.text_table (file, 0); catch e, id = e.identifier; end
%! assert (id, 'knng:io:format');
