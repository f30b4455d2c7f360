function bars = sample_bars (phenotypes, columns, used)
%SAMPLE_BARS  A bar for each of the phenotypes of KNNG.INTERNAL.PHENOTYPES: a struct array with its name, the colours OF the COLUMNS, and the
%   texts and shades of its key. No two phenotypes have the same colours while these last; the first USED of them are others'.

  bars = struct ('name', {}, 'texts', {}, 'shades', {}, 'of', {});
  if (nargin < 3)
    used = 0;
  end
  for p = phenotypes
    of = reshape (p.of(columns), [], 1);
    form = '%s, %d';
    if (~isempty (p.kinds) && all (~isnan (str2double (p.kinds))))
      form = '%s (%d)';                                      % '1, 24' would be two numbers
    end
    if (isempty (p.kinds))
      bar = bar_of_values (of);
      missing = sum (~(abs (of) < 1e300));
    else
      bar = bar_of_kinds (of, p.kinds, used, form);
      missing = sum (of == 0);
      used = used + numel (p.kinds);
    end
    bar.name = knng.internal.shown (p.name);
    if (missing > 0)
      bar.texts{end + 1} = sprintf (form, knng.internal.missing_name (p.kinds), missing);
      bar.shades{end + 1} = knng.internal.bar_colours (0);
    end
    bars(end + 1) = bar; %#ok<AGROW>
  end
end

function bar = bar_of_kinds (of, kinds, used, form)
% The key has as many as there are colours.
  number = reshape (1:min (22, numel (kinds)), [], 1);
  kinds = knng.internal.short_texts (kinds);
  texts = arrayfun (@(k) sprintf (form, kinds{k}, sum (of == k)), number, 'UniformOutput', false);
  bar = struct ('name', '', 'texts', {texts'}, 'shades', {num2cell(knng.internal.bar_colours (used + number), 2)'}, ...
                'of', knng.internal.bar_colours ((of + used) .* (of > 0)));
  if (numel (kinds) > 22)
    bar.texts{end + 1} = sprintf ('and %d more', numel (kinds) - 22);
    bar.shades{end + 1} = [1 1 1];
  end
end

function bar = bar_of_values (of)
% From pale to violet.
  ramp = interp1 ([0; 1], [0.98 0.95 0.88; 0.33 0.10 0.42], linspace (0, 1, 32)');
  bar = struct ('name', '', 'texts', {{}}, 'shades', {{}}, 'of', knng.internal.bar_colours (zeros (numel (of), 1)));
  known = abs (of) < 1e300;
  if (any (known))
    [low, high] = deal (min (of(known)), max (of(known)));
    step = min (floor ((of(known) - low) / max (high - low, realmin) * 32) + 1, 32);
    bar.of(known, :) = ramp(step, :);
    bar.texts = {sprintf('%.4g to %.4g', low, high)};
    bar.shades = {ramp};
  end
end

%!test
%! p = struct ('name', {'a', 'b'}, 'kinds', {{'1'; '24'}, {'1'; 'x'}}, 'of', {[1 2 2 0], [1 1 2 0]});
%! bars = knng.internal.sample_bars (p, 1:4);
%! assert (bars(1).texts, {'1 (1)', '24 (2)', 'none (1)'});
%! assert (bars(2).texts, {'1, 2', 'x, 1', 'none, 1'});
