#!/usr/bin/env bash
# test_openblas.sh  Little address space: OpenBLAS, which waits for ever where it cannot map its buffers, is not called.
#
# Each search runs in a session of its own, whose limit is set when everything is loaded but OpenBLAS's buffers. A
# search that hangs spends processor time, and that is limited. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

cat >"$work/limited.m" <<'OCTAVE'
function limited (kind, threads, target, room)
  rand ('twister', 7);
  X = rand (3000, 20);
  if (strcmp (kind, 'clusters'))   % so far apart that single precision cannot tell neighbours within one
    X(1:2:end, :) += 1e5;
  end
  knngraph (X(1:100, :), 2, 'cityblock', 'Device', 'cpu', 'Threads', threads);   % needs no products
  search = @() knngraph (X, 5, 'euclidean', 'Device', 'cpu', 'Threads', threads, 'Target', target, 'Prune', 'off', 'TileSize', 512);
  if (isfinite (room))
    size = regexp (fileread ('/proc/self/status'), 'VmSize:\s*(\d+) kB', 'tokens', 'once');
    limit = str2double (size{1}) * 1024 + room * 2 ^ 20;
    system (sprintf ('prlimit --pid %d --as=%.0f', getpid (), limit));
  end
  [idx, dist, info] = search ();
  printf ('%s %s %s\n', knng.checksum (idx, dist), info.product, merge (info.certified.f64 > 0, 'f64', 'f32'));
end
OCTAVE

# OpenBLAS's own threads would map buffers before there is a limit.
search() { # KIND THREADS TARGET ROOM
	(
		cd "$work" && ulimit -t 60
		OPENBLAS_NUM_THREADS=1 octave-cli --norc -H -q --path "$root" --eval "limited ('$1', $2, '$3', $4)" 2>&1
	)
}

check() { # WHAT, WANTED, GOT
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: '$3' and not '$2'"
	fi
}

for kind in plain clusters; do
	level=$([ $kind = plain ] && echo f32 || echo f64)
	for threads in 1 2; do
		want=$(search $kind $threads plain Inf | cut -d ' ' -f 1)
		# Megabytes left, and who makes the products then
		for case in '60 own' "$((130 * threads - 20)) own" '700 openblas'; do
			read -r room product <<<"$case"
			got=$(search $kind $threads blas "$room")
			check "$kind, $threads threads, $room MB" "$want $product $level" "$got"
		done
	done
done

# Where there is just enough: a buffer that is larger than is thought would hang.
want=$(search plain 1 plain Inf | cut -d ' ' -f 1)
who=
for room in 128 131 134 137 140 143; do
	got=$(search plain 1 blas "$room")
	who+=" $(cut -d ' ' -f 2 <<<"$got")"
	check "$room MB" "$want" "${got%% *}"
done
check "from our own to OpenBLAS's" 'own openblas' "$(tr ' ' '\n' <<<"$who" | grep . | uniq | xargs)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
