function t = gnuplot_text (t, plain)
%GNUPLOT_TEXT  A text, a char matrix or a cell of texts as it has to stand between double quotes for gnuplot: what means something there
%   is written as \ooo, in octal digits, and so are digits behind that. Where the text is PLAIN these are \ " ` @; else it is Octave's
%   markup ('tex'), in which \ and @ mean what they always do, but for a \ at the end, which would take the quote with it.
%   Ends of lines are written as \n, other control characters and what is no UTF-8 as '?'.

  if (iscell (t))
    t = cellfun (@(s) knng.internal.gnuplot_text (s, plain), t, 'UniformOutput', false);
    return
  elseif (~ischar (t) || isempty (t))
    return
  elseif (size (t, 1) > 1)
    t = knng.internal.gnuplot_text (cellstr (t), plain);
    return
  end
  ends = [0, find(t == 10), numel(t) + 1];
  t = knng.internal.printable (t);
  meant = '["`]';
  if (plain)
    meant = '[\\"`@]';
  end
  lines = cell (1, numel (ends) - 1);
  for i = 1:numel (lines)
    lines{i} = in_octal (t(ends(i) + 1:ends(i + 1) - 1), meant);
    if (~plain && mod (numel (regexp (lines{i}, '\\*$', 'match', 'once')), 2) == 1)
      lines{i} = [lines{i}, '\'];
    end
  end
  t = strjoin (lines, '\\n');
end

function t = in_octal (t, meant)
% gnuplot may read more than three digits.
  [from, to] = regexp (t, [meant '[0-7]*'], 'start', 'end');
  for i = numel (from):-1:1
    t = [t(1:from(i) - 1), sprintf('\\%03o', double (t(from(i):to(i)))), t(to(i) + 1:end)];
  end
end

%!assert (knng.internal.gnuplot_text ('CD33 {a_b}^2 %d #', true), 'CD33 {a_b}^2 %d #')
%!assert (knng.internal.gnuplot_text ('\"`@', true), '\134\042\140\100')
%!assert (knng.internal.gnuplot_text ('`17a8', true), '\140\061\067a8')
%!assert (knng.internal.gnuplot_text ('a"\beta', false), 'a\042\beta')
%!assert (knng.internal.gnuplot_text ('a\', false), 'a\\')
%!assert (knng.internal.gnuplot_text ('a\\', false), 'a\\')
%!assert (knng.internal.gnuplot_text (["a\\\nb" 0 7 200], true), 'a\134\nb???')
%!assert (knng.internal.gnuplot_text ({'"', ''}, true), {'\042', ''})
%!assert (knng.internal.gnuplot_text (['" '; 'bc'], true), {'\042'; 'bc'})
%!assert (knng.internal.gnuplot_text (char ([206 178]), true), char ([206 178]))
%!assert (knng.internal.gnuplot_text ('', true), '')
