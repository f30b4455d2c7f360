function near = similar_names (names, name)
%SIMILAR_NAMES  At most five of the cell NAMES: the same but for case, then those that contain NAME (of two letters or more), then those a few edits away.

low = cellfun (@lower_ascii, names(:), 'UniformOutput', false);
name = lower_ascii (name);
m = numel (name);
if m == 0
    near = {};
    return
end
edits = inf (numel (low), 1);
few = max (2, floor (m / 3));
close = find (abs (cellfun ('length', low) - m) <= few);
edits(close) = edit_distance (low(close), name);
edits(edits > few) = inf;
edits(cellfun ('isempty', low)) = inf;    % no name at all, as where a row has no symbol
part = m > 1 & ~cellfun ('isempty', strfind (low, name));
[key, order] = sortrows ([~strcmp(low, name), ~part, edits]);
order = order(~key(:, 2) | key(:, 3) < inf);
[~, first] = unique (low(order), 'first');
order = order(sort (first));
near = names(order(1:min (end, 5)));
end

function t = lower_ascii (t)
% Octave's lower warns of what is no UTF-8, which old files have.
t = char (t + 32 * (t >= 'A' & t <= 'Z'));
end

function e = edit_distance (words, word)
% Levenshtein's distance from every one of WORDS to WORD, all at once, where two neighbours that changed places are one edit; memory
% numel (WORDS) * numel (WORD).
e = zeros (numel (words), 1);
if isempty (words)
    return
end
wide = cellfun ('length', words);
text = char (words);
m = numel (word);
d = repmat (0:m, numel (words), 1);      % d(:, j+1): from what was read of the words to word(1:j); before: from one letter less
before = d;
e(wide == 0) = m;
for i = 1:size (text, 2)
    next = d;
    next(:, 1) = i;
    for j = 1:m
        next(:, j+1) = min (min (d(:, j+1), next(:, j)) + 1, d(:, j) + (text(:, i) ~= word(j)));
        if i > 1 && j > 1
            turned = text(:, i) == word(j-1) & text(:, i-1) == word(j);
            next(turned, j+1) = min (next(turned, j+1), before(turned, j-1) + 1);
        end
    end
    before = d;
    d = next;
    e(wide == i) = d(wide == i, m+1);
end
end
%!test  # two letters that changed places
%! near = knng.internal.similar_names ({'p3'; 'p5'; 'TP53'; 'p13'}, 'TP35');
%! assert (near{1}, 'TP53');
%! near = knng.internal.similar_names ({'ACTG1'; 'CATB'; 'ACTB'}, 'ATCB');   # CATB is two edits away
%! assert (near{1}, 'ACTB');
