function restore = headless ()
%HEADLESS  Makes ready to draw without a screen; deleting RESTORE, an onCleanup object, takes that back.

  restore = [];
  if (exist ('OCTAVE_VERSION', 'builtin') == 0)
    return
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
  if (any (strcmp (available_graphics_toolkits (), 'gnuplot')))
    former = graphics_toolkit ();
    warned = warning ('off', 'Octave:gnuplot-graphics');
    graphics_toolkit ('gnuplot');
    restore = onCleanup (@() put_back (former, warned));
  end
end

function put_back (former, warned)
  if (~isempty (former))
    graphics_toolkit (former);
  end
  warning (warned);
end
