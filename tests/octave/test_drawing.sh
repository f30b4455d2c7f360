#!/usr/bin/env bash
# test_drawing.sh  Pictures without gnuplot, and where TMPDIR is no folder or its name has blanks.
#
# Without gnuplot (Octave looks for it where OCTAVE_EXEC_PATH and PATH say) all that draws says what to install.
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
         @() knng.heatmap(ds, ones (10, 1)), @() knng.demo('ring', pwd ())};
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
draw = {@() knng.scatter([1 2; 3 4]), @() knng.heatmap(magic (5)), @() knng.profile(struct ('X', magic (4)), [2 3; 1 3; 1 2; 1 2], 1)};
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
