function vanishing (fig, texts)
%VANISHING  Warns of letters in the TEXTS of a figure, all of them by default, that its files would lack: by gnuplot print makes those
%   of '-dpng' and '-dpdf' with the letters of ISO 8859-1 alone, and leaves out all others without a word.

  if (exist ('OCTAVE_VERSION', 'builtin') == 0 || ~ishandle (fig) || ~strcmp (get (fig, '__graphics_toolkit__'), 'gnuplot'))
    return
  end
  if (nargin < 2)
    texts = knng.internal.all_texts (fig);
  end
  count = 0;
  for h = reshape (texts, 1, [])
    t = get (h, 'string');
    if (ischar (t) && all (t(:) < 196))                      % as nearly all
      continue
    end
    t = strjoin (reshape (cellstr (t), 1, []), ' ');
    at = find (t >= 196, 1);                                 % bytes of UTF-8 from U+0100 on
    if (~isempty (at))
      count = count + 1;
      last = find ([t(at + 1:end), 'x'] < 128 | [t(at + 1:end), 'x'] > 191, 1) - 1 + at;
      first = {t(at:last), knng.internal.cut_text(t, 30)};
    end
  end
  if (count > 0)
    form = {'text of the figure has', 'texts of the figure have'};
    warning ('knng:toolbox:letters', ['%d %s letters, such as ''%s'' of ''%s'', that print (''-dpng'') and print (''-dpdf'') leave out with ' ...
             'gnuplot: print (''-dsvg'', file) keeps them'], count, form{1 + (count > 1)}, first{:});
  end
end

%!test
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! gone = onCleanup (@() close (fig));
%! text (0, 0, char ([195 169 32 194 181]), 'interpreter', 'none');   # both are of ISO 8859-1
%! lastwarn ('', '');
%! knng.internal.vanishing (fig);
%! [~, id] = lastwarn ();
%! assert (id, '');

%!warning <^1 text of the figure has letters, such as '\S+' of '\S+-globin', that print>
%! back = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! gone = onCleanup (@() close (fig));
%! text (0, 0, [char([206 178]) '-globin'], 'interpreter', 'none');
%! knng.internal.vanishing (fig);
