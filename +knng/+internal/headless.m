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
  % Octave draws nothing without its own font, which Debian only recommends (fonts-freefont-otf): lend it another, for the
  % session, since it remembers where it found one.
  other = [glob('/usr/share/fonts/truetype/*/DejaVuSans.ttf'); glob('/usr/share/fonts/*/DejaVuSans.ttf')];
  own = {'/usr/share/fonts/opentype/freefont/FreeSans.otf', ...
         fullfile(OCTAVE_HOME (), 'share', 'octave', '*', 'fonts', 'FreeSans.otf')};
  lent = getenv ('OCTAVE_FONTS_DIR');
  if (isempty (glob (own)) && ~isempty (other) && (isempty (lent) || ~exist (lent, 'dir')))
    fonts = tempname ();
    [~, ~] = mkdir (fonts);
    for style = {'', 'Bold', 'Oblique', 'BoldOblique'}
      symlink (other{1}, fullfile (fonts, ['FreeSans', style{1}, '.otf']));
    end
    setenv ('OCTAVE_FONTS_DIR', fonts);
  end
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
