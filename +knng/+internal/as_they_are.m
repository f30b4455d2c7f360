function as_they_are (fig, texts)
%AS_THEY_ARE  Makes Octave show the TEXTS of a figure, all of them by default, as they are, with the gnuplot toolkit too.
%   KNNG.INTERNAL.FIGURE_READY calls it when a function has drawn.
%   Octave hands a text to gnuplot between double quotes, and changes nothing in it: a backslash and what follows it is another
%   character, a quote ends the text, and what stands between backquotes, or behind such a quote, gnuplot runs as a command. Names of
%   genes, samples and classes come from files that others have made. So the texts are spelt by KNNG.INTERNAL.GNUPLOT_TEXT while gnuplot
%   draws the figure, and as they were with another toolkit; what they were is kept with each.

  if (exist ('OCTAVE_VERSION', 'builtin') == 0 || ~ishandle (fig))
    return
  end
  if (isempty (getappdata (fig, 'knng_listens')))
    setappdata (fig, 'knng_listens', true);
    addlistener (fig, '__graphics_toolkit__', @(varargin) knng.internal.as_they_are (fig));
  end
  if (nargin < 2)
    texts = knng.internal.all_texts (fig);
  end
  gnuplot = strcmp (get (fig, '__graphics_toolkit__'), 'gnuplot');
  for h = reshape (texts(doubtful (texts)), 1, [])
    try
      spell (h, gnuplot);
    catch
      set (h, 'string', '?');                                % better than what it may do
    end
  end
end

function d = doubtful (texts)
% Marks those that may be or become others: nearly all texts are of letters that always stand for themselves. A text that
% KNNG.INTERNAL.GNUPLOT_TEXT has changed has a backslash or a question mark.
  unusual = true (1, 256);
  unusual(33:127) = false;                                   % the code of a character, and 1
  unusual(double ('\"`@?') + 1) = true;
  d = false (size (texts));
  for i = 1:numel (texts)
    t = get (texts(i), 'string');
    d(i) = ~ischar (t) || size (t, 1) > 1 || any (unusual(double (t) + 1));
  end
end

function spell (h, gnuplot)
  now = get (h, 'string');
  was = getappdata (h, 'knng_text');
  text = now;
  if (~isempty (was) && isequal (was.spelt, now))
    text = was.text;
  end
  spelt = text;
  if (gnuplot)
    spelt = knng.internal.gnuplot_text (text, strcmp (get (h, 'interpreter'), 'none'));
  end
  if (~isequal (spelt, now))
    set (h, 'string', spelt);
    setappdata (h, 'knng_text', struct ('text', {text}, 'spelt', {spelt}));
  end
end

%!test
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! name = 'a\b "c" `d` @e {f_1} %s';
%! h = text (0, 0, name, 'interpreter', 'none');
%! t = title (name);
%! knng.internal.as_they_are (fig);
%! spelt = get (h, 'string');
%! assert (spelt, 'a\134b \042c\042 \140d\140 \100e {f_1} %s');
%! assert (get (t, 'string'), 'a\b \042c\042 \140d\140 @e {f_1} %s');
%! knng.internal.as_they_are (fig);                          # and no more the next time
%! assert (get (h, 'string'), spelt);
%! set (h, 'string', 'plain');                               # what has been written since is no other text
%! knng.internal.as_they_are (fig);
%! assert (get (h, 'string'), 'plain');
