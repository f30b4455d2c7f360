#!/usr/bin/env bash
# test_files.sh  Files as users have them, from Octave and from the program: ~, rights, links, pipes whose other end does
# not come and Ctrl-C then, planted links, two runs at once. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

passed=0
failed=0
check() { # WHAT COMMAND...
	if "${@:2}"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1"
	fi
}

# ---- Octave ----
# later PID  Sends SIGINT to Octave when it waits in a gateway: only there SIGINT is not blocked (core/base/signals.c).
cat >"$work/later" <<'SH'
in_gateway() {
	while kill -0 "$1" && ! grep -q '^SigBlk:.*[014589cd]$' "/proc/$1/status"; do sleep 0.01; done
}
in_gateway "$1" # of one that asks for something first, perhaps
sleep 0.5
in_gateway "$1"
kill -INT "$1"
SH
cat >"$work/files.m" <<'OCTAVE'
1;

function check (ok, what)
  if ok
    printf ('pass %s\n', what);
  else
    printf ('FAIL %s\n', what);
  end
end

function id = interrupted (f)
  % What f ends with, when SIGINT comes while it waits.
  system (sprintf ('sh later %d </dev/null >/dev/null 2>&1 &', getpid ()));
  id = 'no error';
  try
    f ();
  catch err
    id = err.identifier;
  end
end

cd (getenv ('WORK'));
A = sparse ([1 2 3], [2 3 1], [0.5 0.25 0.125]);
knng.write ('~/graph.gml', A);
g = knng.read ('~/graph.gml');
check (isequal (g.A, A) && exist (fullfile (getenv ('HOME'), 'graph.gml'), 'file') == 2, 'a name with ~');

system ('mkfifo fifo.knn');
check (strcmp (interrupted (@() knng.read ('fifo.knn')), 'knng:interrupted'), 'a pipe that nobody writes');
check (strcmp (interrupted (@() knng.write ('fifo.knn', A)), 'knng:interrupted'), 'a pipe that nobody reads');
system ('cat fifo.knn >copy.knn </dev/null & exit 0');
knng.write ('fifo.knn', A);
copy = stat ('copy.knn');
while copy.size < 30
  pause (0.01);
  copy = stat ('copy.knn');
end
g = knng.read ('copy.knn');
check (isequal (g.A, A), 'a pipe that is read');

system ('umask 0; echo old >kept.knn; chmod 600 kept.knn; ln -s made.knn link.knn; ln -s kept.knn kept.knn.part');
knng.write ('kept.knn', A);
[~, mode] = system ('stat -c %a kept.knn');
check (strcmp (strtrim (mode), '600'), 'the rights of what is replaced');
knng.write ('link.knn', A);
g = knng.read ('made.knn');
link = lstat ('link.knn');
check (isequal (g.A, A) && S_ISLNK (link.mode), 'a link to what is not there');
printf ('end\n');
OCTAVE
mkdir "$work/home"
out=$(env WORK="$work" HOME="$work/home" octave-cli --norc -H -q --path "$root" "$work/files.m" </dev/null 2>&1)
echo "$out" | grep -v '^pass'
passed=$((passed + $(grep -c '^pass' <<<"$out")))
failed=$((failed + $(grep -c '^FAIL' <<<"$out")))
check 'the session goes on to its end' grep -q '^end$' <<<"$out"

# ---- the program ----
knng=$root/build/knng
cd "$work" || exit 1
awk 'BEGIN { srand (1); for (i = 0; i < 60; i++) print rand () "," rand () "," rand () "," rand () }' >data.csv
"$knng" -q -k 3 data.csv >want.knn
echo safe >victim
ln -s victim out.knn.part
"$knng" -q -k 3 -o out.knn data.csv
check 'the program writes what it prints' cmp -s want.knn out.knn
check 'a link that lies there leads nowhere' grep -qx safe victim
rm -f out.knn out.knn.part

# Two at once; the one that waits in the middle of its file (at a pipe for its input) has begun none.
mkfifo slow
"$knng" -q -k 3 -o out.knn slow &
slow=$!
"$knng" -q -k 3 -o out.knn data.csv
check 'of two runs the first to end' cmp -s want.knn out.knn
cat data.csv >slow
wait "$slow"
check 'of two runs the second' cmp -s want.knn out.knn

"$knng" -q -k 3 -o out.knn.gz data.csv
check 'a name that ends in .gz' cmp -s want.knn <(gzip -dc out.knn.gz)
"$knng" -q -k 3 data.csv -o slow &
other=$!
check 'a pipe' cmp -s want.knn slow
wait "$other"

# Standard output by its name, and a substituted process: pipes that no path leads to; a file that the shell has opened.
check '-o /dev/stdout into a pipe' cmp -s want.knn <("$knng" -q -k 3 -o /dev/stdout data.csv | cat)
"$knng" -q -k 3 -o >(cat >substituted.knn; : >substituted) data.csv
until [ -e substituted ]; do sleep 0.02; done
check '-o >(command)' cmp -s want.knn substituted.knn
echo before >appended
"$knng" -q -k 3 -o /dev/stdout data.csv >>appended
check '-o /dev/stdout behind >>' cmp -s <(echo before; cat want.knn) appended

for way in "slow" "-o slow data.csv"; do # shellcheck disable=SC2086
	"$knng" -q -k 3 $way 2>/dev/null &
	waiting=$!
	sleep 0.5
	kill -TERM "$waiting"
	wait "$waiting"
	check "stopped while it waits for a pipe ($way)" test $? -gt 128
done
check 'nothing else is left' test "$(find . -name '*.part' ! -name kept.knn.part | wc -l)" = 0

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
