#!/usr/bin/env bash
# test_plugin.sh  CUDA plugins that cannot serve: the search runs on the CPU, is right, and the reason is said.
#
# A copy of the toolbox gets one plugin after the other: no library at all, one without the entry, one of another build,
# and a fake one whose GPUs are missing, dead, too small or lost. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

mkdir -p "$work/+knng/+internal"
ln -s "$root"/knngraph.m "$work/"
ln -s "$root"/+knng/*.m "$work/+knng/"
ln -s "$root"/+knng/+internal/*.m "$work/+knng/+internal/"
cp +knng/+internal/*.mex "$work/+knng/+internal/" # a link would be resolved, and the plugin sought beside it
plugin=$work/+knng/+internal/knng_cuda.so

# Prints what the devices are, and what searches on them gave; a result has to be the CPU's.
cat >"$work/probe.m" <<'OCTAVE'
function probe ()
  [list, why] = knng.devices ();
  printf ('devices: %d %s\n', numel (list), [list.problem, why]);
  X = reshape (mod ((1:5.2e6) * 7919, 104729), 4000, 1300);   % just large enough for 'auto' to ask for a GPU
  pick (X(1:30, 1:9));
  map (knngraph ((1:400)', 4, 'Device', 'cpu'));
  search (X, 'auto');
  search (X(1:100, :), 'gpu');
  search (X(1:100, :), 1);
  search (X(1:100, :), 9);
  e = knng.estimate (1e5, 300, 5, 'Device', 1, 'Calibrate', false);
  printf ('estimate: %d ''%s'' %g: %s\n', e.fits, e.device, e.memory.planned, e.problem);
end
function pick (A)
  try
    [v, i] = knng.mink (A, 3, 'Device', 'gpu');
    [said, id] = lastwarn ();
    [w, j] = sort (A);
    printf ('mink: right %d, %s %s\n', isequal (v, w(1:3, :)) && isequal (i, j(1:3, :)), id, said);
  catch err
    printf ('mink: %s: %s\n', err.identifier, err.message);
  end
  lastwarn ('', '');
end
function map (A)
  try
    Y = knng.diffusionmap (A, 1, 'Device', 'gpu');
    [said, id] = lastwarn ();
    printf ('map: right %d, %s %s\n', isequal (Y, knng.diffusionmap (A, 1, 'Device', 'cpu')), id, said);
  catch err
    printf ('map: %s: %s\n', err.identifier, err.message);
  end
  lastwarn ('', '');
end
function search (X, device)
  try
    [idx, dist, info] = knngraph (X, 3, 'euclidean', 'Device', device);
    [~, id] = lastwarn ();
    [i, d] = knngraph (X, 3, 'euclidean', 'Device', 'cpu');
    printf ('%s: right %d, on %s %s: %s\n', num2str (device), isequal (idx, i) && isequal (dist, d), info.device(1:3), id, info.note);
  catch err
    printf ('%s: %s: %s\n', num2str (device), err.identifier, err.message);
  end
  lastwarn ('', '');
end
OCTAVE

# expect WHAT FAKE LINE...  the probe, or the script that $probe names, says all these lines, which are regular expressions
expect() {
	local what=$1 line
	KNNG_FAKE=$2 env -C "$work" octave-cli --norc -H -q --eval "${probe:-probe}" >"$work/said" 2>&1 || echo "(status $?)" >>"$work/said"
	shift 2
	for line in "$@"; do
		if grep -qE "^$line" "$work/said"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "FAIL $what: no line '$line' in"
			sed 's/^/    | /' "$work/said"
		fi
	done
}

# served WHAT FAKE REASON  no GPU is listed; the CPU serves and says why, and 'gpu' is refused with the reason
served() {
	local refused="knng:device:none: no GPU can be used: .*$3"
	expect "$1" "$2" "devices: 0 $3" "auto: right 1, on cpu : $3" "gpu: $refused" "1: $refused" "9: $refused" \
		"mink: knng:device:none: no GPU can be used: .*$3" "map: knng:device:none: no GPU can be used: .*$3" "estimate: 0 '' NaN: no GPU can be used: .*$3"
}

make_plugin() { # SOURCE INCLUDES...
	"${CC:-cc}" -std=c11 -D_GNU_SOURCE -shared -fPIC "${@:2}" -o "$plugin" "$1" || exit 1
}

rm -f "$plugin"
served 'no plugin' '' 'knng was built without CUDA'
echo 'not a library' >"$plugin"
served 'no library' '' '.*knng_cuda.so'
echo 'int nothing;' >"$work/nothing.c"
make_plugin "$work/nothing.c"
served 'no entry' '' 'the CUDA plugin is of another build'
cp -r core "$work/core" # the same sizes: two fields of the plan change places
sed -i '/^\tint64_t ld;/{N;s/\(.*\)\n\(.*\)/\2\n\1/}' "$work/core/search/knng_search.h"
make_plugin tests/fakes/plugin.c -I"$work/core" "-DKNNG_ABI=$(tools/abi.sh "$work")"
served 'another build' '' 'the CUDA plugin is of another build'

make_plugin tests/fakes/plugin.c -Icore "-DKNNG_ABI=$(tools/abi.sh)"
served 'no GPU' none 'no GPU is plugged in'
expect 'dead GPU' dead 'devices: 1 GPU 1 does not answer' 'auto: right 1, on cpu : GPU 1: GPU 1 does not answer' \
	'gpu: knng:device:none: .*does not answer' '1: knng:device:none: .*does not answer' \
	'9: knng:args:device: .*no GPU number 9: the machine shows 1;.*'
expect 'small GPU' small 'devices: 1 $' 'auto: right 1, on cpu : GPU 1 has not enough' \
	'gpu: knng:device:memory: .*not enough' "estimate: 0 '' NaN: .*GPU 1 has not enough.*" \
	'9: knng:args:device: .*no GPU number 9: the machine shows 1;.*'
expect 'lost GPU' lost 'devices: 1 $' 'mink: right 1, knng:device:fallback a GPU did not finish.*GPU 1 slept' \
	'map: right 1, knng:device:fallback a GPU did not finish.*GPU 1 slept' 'auto: right 1, on cpu knng:device:fallback: GPU 1 fell off the bus' \
	'gpu: knng:device:none: .*does not answer'
# A fault of knng is no failure of a device: nothing else is tried, and the user sees it.
fault='knng:internal:candidates: a row lost its candidates'
expect 'faulty code' faulty 'devices: 1 $' "mink: $fault" "map: $fault" "auto: $fault" "gpu: $fault" "1: $fault"
expect 'three GPUs' three 'devices: 3 $' 'auto: right 1, on cpu knng:device:fallback: GPU 3 fell off the bus' \
	'gpu: knng:device:none: .*does not answer'

# A second gateway opens the plugin: the first stays its host, whose counter sees what the plugin does for either.
cat >"$work/hosts.m" <<'OCTAVE'
knng.devices ();
before = knng.internal.search ('fail', 0);
knng.internal.topk (0, [3 1 2], 1, [], 'auto', 'gpu');
between = knng.internal.search ('fail', 0);
knng.devices ();
printf ('the first host: %d, %d\n', between > before, knng.internal.search ('fail', 0) > between);
OCTAVE
# A fork of a process that has the plugin, with a gateway that asked for it before and one that did not.
cat >"$work/forked.m" <<'OCTAVE'
function forked ()
  knng.devices ();
  pid = fork ();
  if pid == 0
    probe ();
    fflush (stdout);
    kill (getpid (), 9);
  end
  waitpid (pid);
  [list, why] = knng.devices ();
  printf ('the parent: %d %s\n', numel (list), [list.problem, why]);
end
OCTAVE
probe=hosts expect 'two hosts' alive 'the first host: 1, 1'
forked='this process was forked from one that had loaded CUDA: start a new Octave to use GPUs'
probe=forked expect 'a fork' alive "devices: 0 $forked" "auto: right 1, on cpu : $forked" "gpu: knng:device:none: .*$forked" \
	"mink: knng:device:none: no GPU can be used: $forked.*" 'the parent: 1 $'

# A compiler that can build what compares tiles while they are made has built it, unless it was asked for other GPUs.
built=$root/+knng/+internal/knng_cuda.so
nvcc=$(command -v "${NVCC:-nvcc}" || command -v /usr/local/cuda/bin/nvcc)
if [ -e "$built" ] && [ -n "$nvcc" ] && [[ ${CUDA_ARCH-90} = *90* ]] &&
	"$nvcc" --dryrun -arch=sm_90a -c -x cu /dev/null >/dev/null 2>&1; then
	if grep -qa fused_kernel "$built"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $built has no fused_kernel"
	fi
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
