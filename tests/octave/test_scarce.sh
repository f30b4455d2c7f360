#!/usr/bin/env bash
# test_scarce.sh  Threads that cannot be had: a call makes do with those that there are, and gives its result.
#
# OMP_NUM_THREADS asks for 3000. A session has address space for the stacks of a few, or may not have any more threads
# once it is loaded. To root that is no limit, so a user without rights works, on a copy of the toolbox. OpenBLAS gets
# no threads: it hangs where it cannot start its own, with knng or without. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

mkdir -p "$work/+knng/+internal"
cp knngraph.m "$work/"
cp +knng/*.m "$work/+knng/"
cp +knng/+internal/*.m* "$work/+knng/+internal/"
chmod -R go+rX "$work"
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# Every call has so much work that it would start threads.
cat >"$work/scarce.m" <<'OCTAVE'
function scarce (limit)
  n = 20000;
  idx = 1 + mod (bsxfun (@plus, (1:n)' * 7919, cumsum (1 + mod ((1:n)' * (1:20), 97), 2)), n);
  dist = mod (idx * 0.618, 1);
  X = mod ((1:600)' * (1:12) * 0.618, 1);
  calls = {@() nonzeros (knng.adjacency (idx, dist, 'Weight', 'jaccard', 'Symmetrize', 'union')); ...
           @() knng.mstknn (idx, dist); ...
           @() knng.internal.leaf_order (X, false, struct ('Threads', [])); ...
           @() knng.internal.spmv (knng.adjacency (idx, dist), (1:n)' / n, struct ('Threads', [], 'Progress', 'off'))};
  names = {'adjacency', 'mstknn', 'leaf order', 'product'};
  if (strcmp (limit, 'threads'))
    knng.conncomp (speye (2), 'Threads', 1);                 % whatever loading starts
    system (sprintf ('prlimit --pid %d --nproc=1', getpid ()));
  end
  before = numel (dir ('/proc/self/task'));
  for c = 1:numel (calls)
    v = calls{c} ();
    printf ('%s %s\n', names{c}, hash ('md5', char (typecast (v(:)', 'uint8'))));
  end
  printf ('started %d\n', numel (dir ('/proc/self/task')) - before);
end
OCTAVE

# session THREADS LIMIT  'NAME HASH' of each call, and how many threads were started
session() {
	(
		cd "$work" && ulimit -St 60 && { [ "$2" != space ] || ulimit -v 6000000; }
		"${as_user[@]}" env HOME="$work" OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS="$1" \
			octave-cli --norc -H -q --eval "scarce ('$2')" 2>&1
		echo "status $?"
	)
}

check() { # WHAT, WANTED, GOT
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: '$3' and not '$2'"
	fi
}

names='adjacency mstknn leaf product'
want=$(session 1 none)
check 'one thread is enough' "$names started 0 status 0" \
	"$(sed -E '/^(started|status) /!s/ .*//' <<<"$want" | xargs)"
for limit in none space threads; do
	got=$(session 3000 $limit)
	for name in $names; do
		check "$limit, $name" "$(grep "^$name " <<<"$want")" "$(grep "^$name " <<<"$got")"
	done
	check "$limit, the session lives" 'status 0' "$(tail -n 1 <<<"$got")"
	some=$(sed -n 's/^started \([1-9].*\)/some/p' <<<"$got") # or the test proves nothing
	check "$limit, threads" "$([ $limit = threads ] || echo some)" "$some"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
