function lend_font ()
%LEND_FONT  Octave draws nothing without its own font, which Debian only recommends (fonts-freefont-otf): lends it another, for the
%   session, since it remembers where it found one.

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
end
