function restore = headless ()
%HEADLESS  Makes ready to draw without a screen; deleting RESTORE, an onCleanup object, takes that back.
%   An error with a remedy where Octave cannot draw.

  restore = [];
  if (exist ('OCTAVE_VERSION', 'builtin') == 0)
    return
  end
  toolkits = available_graphics_toolkits ();
  if (isempty (toolkits))
    error ('knng:toolbox:noGraphics', ['Octave cannot draw here: it finds no gnuplot; install it (Debian, Ubuntu: sudo apt-get ' ...
           'install gnuplot-nox ghostscript) and restart Octave']);
  end
  % print gives names of the temporary folder to a shell, without quotes, and to Ghostscript, which wants it to exist.
  temporary = getenv ('TMPDIR');
  plain = exist (temporary, 'dir') == 7 && isempty (regexp (temporary, '[^-A-Za-z0-9_./+:@%,=]', 'once'));
  if (~isempty (temporary) && ~plain)
    setenv ('TMPDIR', P_tmpdir ());
  end
  knng.internal.lend_font ();
  former = '';
  warned = [];
  if (any (strcmp (toolkits, 'gnuplot')))
    former = graphics_toolkit ();
    warned = warning ('off', 'Octave:gnuplot-graphics');
    graphics_toolkit ('gnuplot');
  end
  restore = onCleanup (@() put_back (former, warned, temporary));
end

function put_back (former, warned, temporary)
  if (~isempty (former))
    graphics_toolkit (former);
  end
  if (~isempty (warned))
    warning (warned);
  end
  if (~isempty (temporary))
    setenv ('TMPDIR', temporary);
  end
end
