function texts = all_texts (fig)
%ALL_TEXTS  The texts of a figure, also those that belong to axes: findall (fig, 'type', 'text'), which takes ten times
%   as long, since it asks each object for all of its properties.

  former = get (0, 'showhiddenhandles');
  back = onCleanup (@() set (0, 'showhiddenhandles', former));
  set (0, 'showhiddenhandles', 'on');
  texts = zeros (0, 1);
  some = fig;
  while (~isempty (some))
    is_text = strcmp (get (some, 'type'), 'text');
    texts = [texts; some(is_text)]; %#ok<AGROW>
    some = get (some(~is_text), 'children');
    if (iscell (some))
      some = vertcat (some{:});
    end
  end
end

%!test
%! lent = knng.internal.headless ();
%! fig = figure ('visible', 'off');
%! back = onCleanup (@() close (fig));
%! assert (knng.internal.all_texts (fig), zeros (0, 1));
%! subplot (1, 2, 1);
%! title ('one');
%! text (0, 0, 'two');
%! subplot (1, 2, 2);
%! text ([0 0], [1 2], {'three', 'four'}, 'handlevisibility', 'off');
%! line (1:3, 1:3);
%! assert (knng.internal.all_texts (fig), findall (fig, 'type', 'text'));
%! assert (get (0, 'showhiddenhandles'), 'off');
