#!/usr/bin/env bash
# test_igraph.sh  The toolbox without igraph, and Ctrl-C while igraph is at work.
#
# A copy of the toolbox has no gateway to igraph, or one that cannot be loaded: what needs it says what to install, and
# all else works. Where igraph is, work in it ends soon after the signal, and the session goes on.
# Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/+knng/+internal"
ln -s "$root"/knngraph.m "$work/"
ln -s "$root"/+knng/*.m "$work/+knng/"
ln -s "$root"/+knng/+internal/*.m* "$work/+knng/+internal/"
ln -s "$root"/+knng/+internal/page "$work/+knng/+internal/"
rm -f "$work"/+knng/+internal/igraph.mex

cat >"$work/without.m" <<'OCTAVE'
1;
function check (ok, what)
  printf ('%s %s\n', {'FAIL', 'pass'}{1 + ok}, what);
end
X = mod ((1:40)' * [0.137 0.713 0.371], 1);
A = knngraph (X, 4);
calls = {@knng.leiden, @knng.betweenness, @knng.pagerank, @(A) knng.shortestpath(A, 1), @(A) knng.isomap(A, 1), @knng.plot};
for f = calls
  e = struct ('identifier', 'none', 'message', '');
  try, f{1} (A); catch e, end
  check (strcmp (e.identifier, 'knng:toolbox:noIgraph') && any (strfind (e.message, 'libigraph-dev')) && any (strfind (e.message, pwd ())), ...
         ['without igraph: ', func2str(f{1}), ' says ', e.message]);
end
check (any (strfind (e.message, '''XY''')), 'without igraph: knng.plot says what would do');
h = knng.plot (A, 'XY', X(:, 1:2));
check (all (ishandle (h.edges)), 'without igraph: knng.plot draws places that are given');
lastwarn ('', '');
evalc ('page = knng.explore (''x.html'', X, A);');
[~, id] = lastwarn ();
check (strcmp (id, 'knng:toolbox:noIgraph') && isempty (page.XY) && isequal (page.groups, knng.mstknn (A, 'K', 3)), ...
       'without igraph: knng.explore has groups of mstknn and no map, and says so');
try, knng.explore ('x.html', X, A, 'Layout', 'fr'); e.identifier = 'none'; catch e, end
check (strcmp (e.identifier, 'knng:toolbox:noIgraph'), 'without igraph: knng.explore lays nothing out');
page = knng.explore ('x.html', [2; 1; 4; 3; 4], ones (5, 1), 'XY', magic (5)(:, 1:2));
check (isequal (page.groups, [1 1 2 2 2]'), 'without igraph: groups of few neighbours');
check (max (knng.conncomp (A)) == 1 && max (knng.louvain (A, 'Resolution', 0)) == 1, 'without igraph: the rest works');
OCTAVE

# later OCTAVE SIGNAL WHOM STAMP  Sends a signal to Octave, or to the process of igraph, when that has been there for half
# a second. Notes what both had done until then, in ticks of the processor.
cat >"$work/later" <<'SH'
until [ -n "$child" ] || ! kill -0 "$1"; do
	sleep 0.01
	for one in $(cat "/proc/$1/task/$1/children"); do # or the shell that has started this
		! cmp -s "/proc/$1/comm" "/proc/$one/comm" || child=$one
	done
done
sleep 0.5
cat "/proc/$1/stat" "/proc/$child/stat" | sed 's/.*) //' | awk '{ n += $12 + $13 + $14 + $15 } END { print n }' >"$4.now"
[ "$3" = igraph ] || child=$1
kill -s "$2" "$child"
mv "$4.now" "$4"
SH
export LATER=$work/later STAMP=$work/stamp
cat >"$work/interrupt.m" <<'OCTAVE'
1;
function check (ok, what)
  printf ('%s %s\n', {'FAIL', 'pass'}{1 + ok}, what);
end
function later (signal, whom)
  if exist (getenv ('STAMP'), 'file')
    delete (getenv ('STAMP'));
  end
  system (sprintf ('sh "%s" %d %s %s "%s" </dev/null >/dev/null 2>&1 &', getenv ('LATER'), getpid (), signal, whom, getenv ('STAMP')));
end
function seconds = since ()      % processor time since the signal; Inf where a minute has passed, which is no work
  ended = time ();
  line = fileread ('/proc/self/stat');
  numbers = sscanf (line(rindex (line, ')') + 3:end), '%f');
  while ! exist (getenv ('STAMP'), 'file')
    pause (0.01);
  end
  seconds = (sum (numbers(11:14)) - sscanf (fileread (getenv ('STAMP')), '%f')) / 100;
  if ended - stat (getenv ('STAMP')).mtime > 60
    seconds = Inf;
  end
end
function interrupted (label, f)
  id = 'no error';
  later ('INT', 'Octave');
  try, f (); catch e, id = e.identifier; end
  spent = since ();
  check (strcmp (id, 'knng:interrupted') && spent < 2, sprintf ('Ctrl-C, %s: %s, %.2f s of processor time after it', label, id, spent));
  check (isequal (knng.leiden (sparse ([2 1 4 3], 1:4, 1)), [1 1 2 2]'), [label ': the next call']);
end
if ! knng.internal.with_igraph ()
  exit (0);
end
n = 2e5;
u = knng.internal.random (1, 6 * n);
W = sparse (ceil (n * u(1:3*n)), ceil (n * u(3*n+1:end)), 1, n, n);
W = W + W';
interrupted ('leiden', @() knng.internal.igraph ('leiden', W, 1, 1, 'modularity', 0.01, Inf));
interrupted ('betweenness', @() knng.internal.igraph ('betweenness', W, 1, 0, Inf));
interrupted ('louvain', @() knng.internal.igraph ('louvain', W, 1, 1));
interrupted ('drl', @() knng.internal.igraph ('layout', W, 1, 'drl'));
interrupted ('fr', @() knng.internal.igraph ('layout', W, 1, 'fr'));
interrupted ('kk', @() knng.internal.igraph ('layout', W(1:3000, 1:3000), 1, 'kk'));
id = 'no error';                  # a signal to igraph's process alone
later ('TERM', 'igraph');
try, knng.internal.igraph ('layout', W, 1, 'drl'); catch e, id = e.identifier; end
spent = since ();
check (strcmp (id, 'knng:toolbox:igraph') && spent < 2, sprintf ('SIGTERM ends igraph alone: %s, %.2f s of processor time after it', id, spent));
OCTAVE

{
	cd "$work" || exit 1
	octave-cli --norc -H -q "$work/without.m"
	echo 'no library' >"$work/+knng/+internal/igraph.mex"
	octave-cli --norc -H -q "$work/without.m" | sed 's/without igraph/with a broken gateway/'
	cd "$root" || exit 1
	octave-cli --norc -H -q --path "$root" "$work/interrupt.m" || echo 'FAIL it ended'
	said=$(make -n IGRAPH_LIBS= INNER="$work/none" B="$work/build" all 2>&1)
	if grep -q 'libigraph-dev' <<<"$said" && ! grep -q 'igraph.mex$' <<<"$said" && grep -q 'search.mex' <<<"$said"; then
		echo 'pass make without igraph says so, and builds the rest'
	else
		echo 'FAIL make without igraph says so, and builds the rest'
	fi
	mkdir "$work/bin" # another igraph than those that will do
	printf '#!/bin/sh\ncase "$*" in\n*modversion*) echo 0.9.10 ;;\n*) exit 1 ;;\nesac\n' >"$work/bin/pkg-config"
	chmod +x "$work/bin/pkg-config"
	said=$(PATH="$work/bin:$PATH" make -n INNER="$work/none" B="$work/build" all 2>&1)
	if grep -q 'no igraph 0.10 or 1 found (pkg-config has 0.9.10' <<<"$said" && ! grep -q 'igraph.mex$' <<<"$said"; then
		echo 'pass make with another igraph names its version'
	else
		echo 'FAIL make with another igraph names its version'
	fi
} >"$work/log" 2>&1
grep -v '^pass' "$work/log" >&2
passed=$(grep -c '^pass' "$work/log")
failed=$(grep -c '^FAIL\|^error' "$work/log")
[ "$passed" -ge 14 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
