#!/usr/bin/env bash
# test_drawing.sh  Pictures of hostile texts, without gnuplot, and where TMPDIR is no folder or its name has blanks.
#
# Texts of a file are data for gnuplot: none runs a command, and all are shown as they are. Without gnuplot (Octave looks for it where OCTAVE_EXEC_PATH and PATH say) all that draws says what to install.
# Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() { # WHAT COMMAND...
	if "${@:2}" >"$work/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1"
		sed 's/^/    | /' "$work/log"
	fi
}

octave() { # [NAME=VALUE...] FILE
	(cd "$work" && env "${@:1:$#-1}" octave-cli --norc -H -q --path "$root" "${!#}" </dev/null)
}

cat >"$work/without.m" <<'OCTAVE'
if (~isempty (available_graphics_toolkits ()))   # another one draws
  exit (0);
end
ds = knng.read (fullfile (fileparts (which ('knngraph')), 'examples', 'data', 'sample.nbi'));
[idx, dist] = knngraph (ds.X, 3);
A = knngraph (ds.X, 3);
calls = {@() knng.plot(A, 'XY', ds.X(:, 1:2)), @() knng.scatter(ds.X(:, 1:2)), @() knng.profile(ds, idx, 1), ...
         @() knng.heatmap(ds, ones (10, 1)), @() knng.clustergram(ds), @() knng.demo('ring', pwd ())};
for f = calls
  e = struct ('identifier', 'no error', 'message', '');
  try, f{1} (); catch e, end
  assert (e.identifier, 'knng:toolbox:noGraphics');
  assert (~isempty (strfind (e.message, 'gnuplot-nox')), e.message);
end
OCTAVE
mkdir "$work/bin"
ln -s "$(command -v octave-cli)" "$(command -v sh)" "$work/bin"
check "without gnuplot it says what to install" octave -u DISPLAY PATH="$work/bin" OCTAVE_EXEC_PATH="$work/bin" "$work/without.m"

# Octave hands texts to gnuplot as they are, and gnuplot runs what stands between backquotes or behind a quote. Every kind of text of
# every function that draws: nothing runs, gnuplot complains of nothing, and the picture has the text to the letter. Of the second
# and third kind of text each function meets one, in turns, or both where KNNG_ALL is set.
cat >"$work/hostile.m" <<'OCTAVE'
back = knng.internal.headless ();
fig = figure ('visible', 'off');
X = mod ((1:12)' .^ 2 * (1:6) .^ 1.5 * 0.618, 1);
XY = [mod((1:12)' * 0.618, 1), mod((1:12)' * 0.7548, 1)];
A = knngraph (XY, 2);
[idx, ~] = knngraph (X, 3, 'pearson');
endings = {'`touch owned`";system("touch owned");"', '{a_b^c}@d"\`touch owned`\\n\t#%s$&<i>', "x\n!touch owned\n\a\\"};
for e = endings
  name = @(what) [what, e{1}];
  two = @(what) repmat ({name([what '1 ']), name([what '2 '])}, 1, 6)(:);
  each = @(what, n) arrayfun (@(i) name (sprintf ('%s%d ', what, i)), 1:n, 'UniformOutput', false);
  ds = struct ('X', X, 'names', {each('g', 12)}, 'samples', {each('s', 6)}, 'symbols', {each('y', 12)});
  ds.classes = two ('k')(1:6)';
  calls = {
    @() knng.scatter(XY, two ('g'), 'Title', name ('t ')), [two('g')(1:2); {name('t ')}]
    @() knng.scatter(XY, XY(:, 1), 'Title', name ('v ')), {name('v ')}
    @() knng.plot(A, 'XY', XY, 'Groups', two ('g'), 'Labels', [each('l', 1), repmat({''}, 1, 11)], 'Title', name ('t ')), [two('g')(1:2); {name('t ')}; each('l', 1)(:)]
    @() knng.plot(A, 'XY', XY, 'Title', name ('u ')), {name('u ')}
    @() knng.heatmap(ds, two ('c'), 'Phenotypes', {name('p '), two('f')(1:6)}), [two('c')(1:2); each('s', 6)(:); cellfun(@(s, g) [s ' ' g], ds.symbols, ds.names, 'UniformOutput', false)(:); {name('p ')}; two('f')(1:2); two('k')(1:2)]
    @() knng.heatmap(ds, [], 'Mark', ds.names(3)), ds.names(3)
    @() knng.heatmap(ds, [], 'Labels', each ('r', 12)), each('r', 12)(:)
    @() knng.clustergram(ds, 'MaxClust', 2, 'ColumnLabels', each ('q', 6), 'Phenotypes', {name('p '), two('f')(1:6)}), [each('q', 6)(:); cellfun(@(s, g) [s ' ' g], ds.symbols, ds.names, 'UniformOutput', false)(:); {name('p ')}; two('f')(1:2); two('k')(1:2)]
    @() knng.clustergram(X(repmat (1:12, 1, 6), :), 'RowLabels', each ('r', 72), 'CallOut', each ('r', 72)([1 72])), each('r', 72)([1 72])(:)
    @() knng.dendrogram(knng.linkage (X, 'average'), 0, 'Labels', each ('d', 12), 'Orientation', 'left'), each('d', 12)(:)
    @() knng.silhouette(X, two ('k')), cellfun(@(t) t(1:12), two('k')(1:2), 'UniformOutput', false)   % long names are cut in the middle
    @() knng.profile(ds, idx, 1), [ds.names(idx(1, :))(:); ds.symbols(idx(1, :))(:); two('k')(1:2)]
    @() knng.optics(X, 2, 'MinClusterSize', 2), {}   % it has no texts of its own
    @() knng.profile(rmfield (ds, 'classes'), idx, 1, 'Labels', each ('r', 12)), each('r', 12)(idx(1, :))(:)
  };
  for c = 1:size (calls, 1)
    if (isempty (getenv ('KNNG_ALL')) && e{1}(1) == '{x'(1 + mod (c, 2)))
      continue
    end
    calls{c, 1} ();
    print (fig, 'hostile.svg', '-dsvg');
    if (e{1}(1) == '`')
      print (fig, 'hostile.png', '-dpng', '-r50');
    end
    svg = fileread ('hostile.svg');
    for want = calls{c, 2}(:)'
      want = strrep (strrep (knng.internal.shown (want{1}), '&', '&amp;'), '<', '&lt;');
      if (isempty (strfind (svg, ['>' want])))
        printf ('%s: no %s\n', func2str (calls{c, 1}), want);
        exit (1);
      end
    end
  end
end
OCTAVE
hostile() {
	octave "$work/hostile.m" >"$work/raw" 2>&1
	code=$?
	grep -v 'enhanced text mode parser - ignoring spurious }\|^$' "$work/raw" >"$work/said" # measured as markup, written as it is
	cat "$work/said"
	[ "$code" = 0 ] && [ ! -s "$work/said" ] && ! ls "$work"/owned*
}
check "texts of files run nothing, and are shown as they are" hostile

# Each function that draws is among those, and draws into a figure that knng.internal.figure_ready has made.
drawing() {
	code=0
	for f in "$root"/+knng/*.m; do
		sed '/^ *%/d' "$f" >"$work/code"
		grep -Eq '(^|[^.a-z_])(axes|figure|text|title|xlabel|ylabel|zlabel|legend|line|image|patch|gcf|gca) ?\(' "$work/code" || continue
		grep -Eq 'knng\.internal\.(axes_ready|blank_figure|figure_ready)' "$work/code" || continue
		grep -q "knng\.$(basename "$f" .m)(" "$work/hostile.m" || { echo "$f draws, and is not among the hostile texts"; code=1; }
	done
	return $code
}
check "every function that draws is tried with hostile texts" drawing

# With a screen and gnuplot alone, as octave-cli often has it, its first figure says eight lines of gnuplot otherwise.
cat >"$work/quiet.m" <<'OCTAVE'
if (~isequal (available_graphics_toolkits (), {'gnuplot'}))
  exit (0);
end
set (0, 'defaultfigurevisible', 'off');
warning ('off', 'Octave:shadowed-function');
addpath ('screen');
knng.scatter ([1 2; 3 4]);
id = 'none';
[~, id] = lastwarn ();
assert (~strcmp (id, 'Octave:gnuplot-graphics'));
assert (warning ('query', 'Octave:gnuplot-graphics').state, 'on');
OCTAVE
mkdir "$work/screen"
printf 'function yes = have_window_system ()\n  yes = true;\nend\n' >"$work/screen/have_window_system.m"
quiet() {
	octave "$work/quiet.m" 2>&1 | tee "$work/said"
	[ "${PIPESTATUS[0]}" = 0 ] && ! grep -q discouraged "$work/said"
}
check "a screen and gnuplot: no warning of gnuplot" quiet

cat >"$work/warned.m" <<'OCTAVE'
former = warning ();
knng.scatter ([1 2; 3 4]);
assert (isequal (warning (), former));
OCTAVE
check "without a screen the warnings are as before" octave "$work/warned.m"

# A page of PDF is as large as its picture.
cat >"$work/page.m" <<'OCTAVE'
back = knng.internal.headless ();
figure ('visible', 'off');
draw = {@() knng.scatter([1 2; 3 4]), @() knng.heatmap(magic (5)), @() knng.clustergram(magic (5)), @() knng.profile(struct ('X', magic (4)), [2 3; 1 3; 1 2; 1 2], 1)};
for i = 1:numel (draw)
  draw{i} ();
  file = sprintf ('page%d.pdf', i);
  print (file, '-dpdf');
  fid = fopen (file);
  bytes = fread (fid, Inf, 'uint8')';
  fclose (fid);
  box = regexp (char (bytes(bytes < 128)), 'MediaBox *\[([^\]]*)\]', 'tokens', 'once');
  assert (sscanf (box{1}, '%f')', [0, 0, 72 * get(gcf (), 'paperposition')(3:4)], 1);
end
OCTAVE
check "a page of PDF is as large as its picture" octave "$work/page.m"

# By the shell, and, being large, by Ghostscript.
cat >"$work/pictures.m" <<'OCTAVE'
former = getenv ('TMPDIR');
back = knng.internal.headless ();
f = figure ('visible', 'off');
plot (1:3);
print (f, fullfile (pwd (), 'small.png'), '-dpng');
print (f, fullfile (pwd (), 'large.png'), '-dpng', '-r300');
clear back
assert (getenv ('TMPDIR'), former);
OCTAVE
printed() { # TMPDIR
	rm -f "$work"/*.png
	octave TMPDIR="$1" "$work/pictures.m" && [ -s "$work/small.png" ] && [ -s "$work/large.png" ]
}
mkdir "$work/with blanks"
check "TMPDIR with blanks" printed "$work/with blanks"
check "TMPDIR that is no folder" printed "$work/none"
check "a build where TMPDIR is no folder" env TMPDIR="$work/none" make --no-print-directory NVCC= B=build/drawing build/drawing/needs
rm -rf build/drawing

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
