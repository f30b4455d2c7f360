function colours = colour_map (c, default, usual)
%COLOUR_MAP  The colours of an option 'Colormap', a row [red, green, blue] each: a matrix, a function, the name of a colour map, or [].
%   colours = knng.internal.colour_map (C, DEFAULT, USUAL): DEFAULT for [], and USUAL says what these are, as in 'from blue to orange'.

  [c, by] = made_by_function (c, usual);
  if (isnumeric (c) && isempty (c) && isempty (by))
    colours = default;
  elseif (~isnumeric (c) || ~isreal (c) || ndims (c) ~= 2 || size (c, 2) ~= 3 || size (c, 1) < 2 || size (c, 1) > 4096 || ~all (c(:) >= 0 & c(:) <= 1))
    error ('knng:args:option', ['''Colormap'' is %s%s: it must be a matrix of 2 to 4096 colours, a row [red, green, blue] each, from 0 to 1, ' ...
           'as in jet (64), or a function that makes one, as ''jet'' or @jet'], by, knng.internal.given (c));
  else
    colours = double (full (c));
  end
end

function [c, by] = made_by_function (c, usual)
% 64 colours, where c is a function or the name of a colour map; then BY says so.
  by = '';
  if (ischar (c))
    known = {'abyss', 'autumn', 'bone', 'colorcube', 'cool', 'copper', 'cubehelix', 'flag', 'gray', 'hot', 'hsv', 'jet', 'lines', 'nebula', ...
             'ocean', 'parula', 'pink', 'prism', 'rainbow', 'redbluecmap', 'redgreencmap', 'sky', 'spring', 'summer', 'turbo', 'viridis', ...
             'white', 'winter'};                             % of MATLAB and Octave, of which each has some
    known = known(cellfun (@(name) any (exist (name, 'file') == [2 3 6]), known));
    if (~knng.internal.is_one_of (c, known))
      error ('knng:args:option', ['''Colormap'' is %s, and there is no colour map of that name: there are %s; or give a function, such as ' ...
             '@jet, or a matrix of colours; without ''Colormap'' they go %s'], knng.internal.given (c), strjoin (known, ', '), usual);
    end
    c = str2func (lower (c));
  end
  if (isa (c, 'function_handle'))
    by = 'a function that returns ';
    try
      c = c (64);
    catch err
      error ('knng:args:option', '''Colormap'' is a function that failed for 64 colours: %s', knng.internal.shown (err.message));
    end
  end
end

%!assert (knng.internal.colour_map ([], [1 1 1; 0 0 0], ''), [1 1 1; 0 0 0])
%!assert (knng.internal.colour_map (single ([0 0 1; 1 0 0]), [], ''), [0 0 1; 1 0 0])
%!assert ({knng.internal.colour_map('GRAY', [], ''), knng.internal.colour_map(@(n) gray (n), [], '')}, {gray(64), gray(64)})
%!error <is 'pwd', and there is no colour map of that name: there are autumn, .*, lines, .*, winter; or .* they go up$> knng.internal.colour_map ('pwd', [], 'up')
%!error <there is no colour map of that name> knng.internal.colour_map ('', [], '')
%!error <is a function that returns a 0-by-0 double: > knng.internal.colour_map (@(n) [], [], '')
%!error id=knng:args:option knng.internal.colour_map (@sin, [], '')
%!error <failed for 64 colours: out of bounds> knng.internal.colour_map (@(n) error ('out of bounds'), [], '')
