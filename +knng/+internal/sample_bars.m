function bars = sample_bars (phenotypes, columns, taken, own)
%SAMPLE_BARS  A bar for each of the phenotypes of KNNG.INTERNAL.PHENOTYPES: a struct array with its name, the colours OF the COLUMNS, the
%   texts and shades of its key, and COLOURS, a row for each kind, [] of values. Of more than 40 kinds the 39 largest have colours, the others
%   are grey, and the last in the key. The phenotype of the number OWN, such as the classes, has the first colours in every picture
%   of values; no other has one that is like these, like those of other phenotypes, or like the rows of TAKEN, others' colours.

  if (nargin < 3)
    taken = zeros (0, 3);
  end
  if (nargin < 4)
    own = 0;
  end
  bars = struct ('name', {}, 'texts', {}, 'shades', {}, 'of', {}, 'colours', {});
  sizes = arrayfun (@(p) accumarray (reshape (p.of(p.of > 0 & ~isempty (p.kinds)), [], 1), 1, [numel(p.kinds), 1]), phenotypes, ...
                    'UniformOutput', false);
  count = cellfun (@(c) min (numel (c), 40 - (numel (c) > 40)), sizes);
  if (own > 0)
    taken = [taken; knng.internal.bar_colours(1:count(own))];
  end
  for i = 1:numel (phenotypes)
    p = phenotypes(i);
    of = reshape (p.of(columns), [], 1);
    if (isempty (p.kinds))
      bar = bar_of_values (of);
      missing = sum (~(abs (of) < 1e300));
    else
      if (i == own)
        colours = knng.internal.bar_colours (1:count(i));
      else
        colours = knng.internal.unlike_colours (taken, count(i));
        taken = [taken; colours]; %#ok<AGROW>
      end
      bar = bar_of_kinds (of, p.kinds, sizes{i}, colours);
      missing = sum (of == 0);
    end
    bar.name = knng.internal.shown (p.name);
    if (missing > 0)
      bar.texts(end + 1) = knng.internal.counted ({knng.internal.missing_name(p.kinds)}, missing, [p.kinds(:); {'none'}]);
      bar.shades{end + 1} = knng.internal.bar_colours (0);
    end
    bars(end + 1) = bar; %#ok<AGROW>
  end
end

function bar = bar_of_kinds (of, kinds, sizes, colours)
  kinds = knng.internal.short_texts (kinds);
  kept = (1:numel (kinds))';
  if (numel (kinds) > size (colours, 1))
    [~, rank] = sort (sizes, 'descend');                     % as KNNG.INTERNAL.FEW_GROUPS has it
    kept = sort (rank(1:size (colours, 1)));
  end
  order = knng.internal.legend_order (kinds(kept));
  texts = knng.internal.counted (reshape (kinds(kept), [], 1), arrayfun (@(k) sum (of == k), kept), kinds);
  every = repmat ([0.6 0.6 0.6], numel (kinds), 1);
  every(kept, :) = colours;
  bar = struct ('name', '', 'texts', {texts(order)'}, 'shades', {num2cell(colours(order, :), 2)'}, 'of', knng.internal.bar_colours (zeros (numel (of), 1)), ...
                'colours', every);
  bar.of(of > 0, :) = every(of(of > 0), :);
  if (numel (kept) < numel (kinds))
    bar.texts{end + 1} = sprintf ('%d others, %d', numel (kinds) - numel (kept), sum (of > 0 & ~ismember (of, kept)));
    bar.shades{end + 1} = [0.6 0.6 0.6];
  end
end

function bar = bar_of_values (of)
% From pale to violet.
  ramp = interp1 ([0; 1], [0.98 0.95 0.88; 0.33 0.10 0.42], linspace (0, 1, 32)');
  bar = struct ('name', '', 'texts', {{}}, 'shades', {{}}, 'of', knng.internal.bar_colours (zeros (numel (of), 1)), ...
                'colours', []);
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

%!test  # more kinds than the list has: no colour twice; of more than 40 the largest, as knng.scatter has them
%! p = struct ('name', {'id', 'sex', 'run'}, 'kinds', {arrayfun(@(i) sprintf ('k%02d', i), (1:30)', 'UniformOutput', false), {'f'; 'm'}, ...
%!             arrayfun(@(i) sprintf ('r%02d', i), (1:50)', 'UniformOutput', false)}, 'of', {[1:30, 1:30], [ones(1, 40), 2 * ones(1, 20)], [1:50, 41:50]});
%! bars = knng.internal.sample_bars (p, 1:60, [0 0.62 0.45]);
%! assert (cellfun (@numel, {bars.texts}), [30 2 40]);
%! assert (bars(3).texts{40}, '11 others, 11');
%! shown = cellfun (@(c) vertcat (c{:}), {bars.shades}, 'UniformOutput', false);
%! shown = unique ([vertcat(shown{:}); 0 0.62 0.45; 0.85 0.85 0.85], 'rows');
%! assert (size (shown, 1), 30 + 2 + 40 + 2);
%! apart = sqrt (sum ((permute (shown, [1 3 2]) - permute (shown, [3 1 2])) .^ 2, 3)) + 9 * eye (size (shown, 1));
%! assert (min (apart(:)) > 0.06);
%! few = knng.internal.few_groups (p(3).of);
%! assert (isnan (few), ismember (bars(3).of, [0.6 0.6 0.6], 'rows'));
%!test  # the classes have the first colours, whatever else there is, and nothing else has them
%! p = struct ('name', {'class', 'sex'}, 'kinds', {{'a'; 'b'; 'c'}, {'f'; 'm'}}, 'of', {[3 1 2 0], [1 1 2 0]});
%! bars = knng.internal.sample_bars (p, 1:4, zeros (0, 3), 1);
%! assert (bars(1).of, knng.internal.bar_colours ([3 1 2 0]));
%! assert (size (unique ([bars(1).of; bars(2).of], 'rows')), [6 3]);
%! assert (bars(2).colours(1, :), knng.internal.bar_colours (4));
%! bars = knng.internal.sample_bars (p([2 1]), 1:4, zeros (0, 3), 2);
%! assert (bars(2).of, knng.internal.bar_colours ([3 1 2 0]));
%!test  # the key has numbers inside names by their value; colours are by the alphabet
%! bars = knng.internal.sample_bars (struct ('name', 'g', 'kinds', {{'g1'; 'g10'; 'g2'}}, 'of', [1 2 3 3]), 1:4);
%! assert (bars.texts, {'g1, 1', 'g2, 2', 'g10, 1'});
%! assert (vertcat (bars.shades{:}), bars.colours([1 3 2], :));
%! assert (bars.of, bars.colours([1 2 3 3], :));
