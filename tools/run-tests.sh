#!/usr/bin/env bash
# run-tests.sh GROUP...  Builds and runs groups of tests, prints a line for each and at last 'N passed, N failed'.
#
# Groups: build, runner, c, asan, gateways, tsan, octave, emulated, mpi, mexapi, and the long forms deep_…, which
# check-deep.sh calls; docs/testing.md says what each proves. A test is a program that ends with a line 'N passed,
# N failed' and status 0. A crash, more than KNNG_TEST_SECONDS (450) of processor time, a lost summary line or a bad
# status without a failure counts as one failure. The output of a test goes to build/logs/, and its end to the screen
# when it failed. Ctrl-C ends all.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
root=$PWD
logs=build/logs
limit=${KNNG_TEST_SECONDS:-450}
mkdir -p "$logs"

seconds_of() { # FILE  that `times` has written: what all programs took that a shell has waited for
	awk 'NR == 2 { split ($0, t, /[ms ]+/); printf "%d", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$1"
}

# Threads of OpenBLAS that have nothing to do ask for work all the time for a while; so long, nearly, that they do nothing
# else in tests, whose products are small. With the least number they sleep soon.
export OPENBLAS_THREAD_TIMEOUT=${OPENBLAS_THREAD_TIMEOUT:-4}

# Tests run beside each other, so many at a time: one a core and one more, since many of them wait: of two
# more, tests of deadlines may see their own load. While something is
# built that later tests need some run, too, since parts of builds keep one core busy. A test runs in its own shell, which
# leaves what it counted in $tally. One of which nothing is there, since that shell was ended or the disk is full, has
# failed.
cores=$(nproc 2>/dev/null || echo 2)
lanes=${KNNG_TEST_LANES:-$(((cores < 4 ? cores : 4) + 1))}
[ "$lanes" -le 5 ] || lanes=5
[ "$lanes" -ge 1 ] || lanes=1 # else nothing would ever begin
tally=$logs/tally.$$
failures=$logs/failed # the reports of tests that failed, which are shown again at the end
: >"$tally"
: >"$failures"
: >"$logs/seconds" # of the processor and by the clock, and the label
begun=0
trap 'exit 130' INT

# The tests that take longest, the longest first, by build/logs/seconds, which has what each took of the processor. They
# begin in this order and before all others, so that no core waits for one of them at the end.
longest=(octave/test_package.sh octave/help-tests octave/test_grammar mpi/test_program octave/test_figures
	octave/browser emulated/searchers octave/test_progress.sh mpi/test_ranks-8 octave/test_numbers c/test_boxes
	asan/test_checkpoint asan/test_boxes octave/test_drawing.sh octave/test_storm octave/test_program.sh
	octave/test_interrupt.sh emulated/searches asan/test_hdf5 c/test_blocks octave/test_classify
	octave/test_plugin.sh octave/run_cases c/test_hdf5 octave/test_growth octave/test_checkpoint.sh emulated/boxes
	asan/test_components octave/test_output octave/test_help gateways/run_cases-30th emulated/within
	emulated/blocks tsan/test_runs asan/test_blocks octave/test_examples asan/test_output asan/test_kmeans
	octave/example-microarray gateways/test_args octave/test_stored octave/test_plot octave/test_args
	octave/test_cookbook mpi/test_queue emulated/linkage asan/test_h5ad octave/test_metamorphic octave/test_explore)
declare -A place=()
for i in "${!longest[@]}"; do
	place[${longest[i]}]=$((i - ${#longest[@]}))
done
# This one waits for deadlines most of the time, so it has no lane: it begins as soon as it can, beside all others.
lies_in_wait=mpi/test_kills
idle=none # its shell
taken() { # lanes
	jobs -pr | grep -cvx "$idle"
}
waiting=() # the tests that wait: place in the list, or 0; number; command line
beside() { # COMMAND LABEL...  when there is a lane
	begun=$((begun + 1))
	if [ "$2" = "$lies_in_wait" ] && [ "$lanes" -gt 1 ]; then
		"$@" &
		idle=$!
		return
	fi
	waiting+=("${place[$2]:-0} $begun limit=$limit; $(printf '%q ' "$@")")
}
begin_next() {
	local next
	mapfile -t waiting < <(printf '%s\n' "${waiting[@]}" | sort -n -k 1,1 -k 2,2)
	next=${waiting[0]#* }
	waiting=("${waiting[@]:1}")
	eval "${next#* }" &
}
run_waiting() {
	while [ ${#waiting[@]} != 0 ]; do
		while [ "$(taken)" -ge "$lanes" ]; do
			wait -n
		done
		begin_next
	done
	wait
}

report() { # label, passed, failed, log, seconds
	echo "$2 $3" >>"$tally"
	times >"$4.times"
	local processor
	processor=$(seconds_of "$4.times")
	echo "$processor $5 $1" >>"$logs/seconds"
	{
		printf '%-28s %6d passed, %d failed  (%d s, %d of processor)\n' "$1" "$2" "$3" "$5" "$processor"
		[ "$3" = 0 ] || tail -n 40 "$4" | sed 's/^/    | /'
	} >"$4.report"
	cat "$4.report" # at once, since others write too
	[ "$3" = 0 ] || cat "$4.report" >>"$failures"
	rm -f "$4.times" "$4.report"
}

# limited COMMAND...  with at most $limit seconds of processor time, so that other work does not count. A program that
# hangs is ended too, later. A shell lets what it runs beside itself not hear Ctrl-C.
limited() {
	local rc=0
	(
		ulimit -St "$limit"
		ulimit -Ht $((limit + 10))
		exec env --default-signal=INT,QUIT timeout --foreground -k 10 $((60 + 8 * limit)) "$@"
	) || rc=$?
	[ "$rc" != 152 ] || echo "(more than $limit s of processor time)"
	return "$rc"
}

# counts LABEL COMMAND...  runs a test with a summary line.
counts() {
	beside count "$@"
}
count() {
	local label=$1 log=$logs/${1//\//-}.log t=$SECONDS rc=0 line p=0 f=0
	shift
	limited "$@" </dev/null >"$log" 2>&1 || rc=$?
	line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
	if [ -n "$line" ]; then
		p=${line%% *}
		f=${line#*, }
		f=${f%% *}
	else
		echo "(no summary line)" >>"$log"
		f=1
	fi
	if [ "$rc" != 0 ] && [ "$f" = 0 ]; then
		f=1
	fi
	[ "$rc" = 0 ] || echo "(status $rc)" >>"$log"
	report "$label" "$p" "$f" "$log" $((SECONDS - t))
}

# builds LABEL COMMAND...  runs something that only has a status, and that the tests of the group need; beside it, in two
# thirds of the lanes, those whose group is built.
builds() {
	local pid
	begun=$((begun + 1))
	(succeed "$@" || : >"$logs/unbuilt.$$") &
	pid=$!
	while grep -qx "$pid" <<<"$(jobs -pr)"; do
		while [ ${#waiting[@]} != 0 ] && [ "$(taken)" -lt $((lanes - lanes / 3)) ]; do
			begin_next
		done
		wait -n
	done
	! rm "$logs/unbuilt.$$" 2>/dev/null
}
# succeeds LABEL COMMAND...  what nothing waits for
succeeds() {
	beside succeed "$@"
}
succeed() {
	local label=$1 log=$logs/${1//\//-}.log t=$SECONDS rc=0
	shift
	limited "$@" </dev/null >"$log" 2>&1 || rc=$?
	[ "$rc" = 0 ] || echo "(status $rc)" >>"$log"
	report "$label" $((rc == 0)) $((rc != 0)) "$log" $((SECONDS - t))
	return "$rc"
}

# finds LABEL TEXT COMMAND...  must fail and say TEXT, because of a planted fault.
finds() {
	beside find_fault "$@"
}
find_fault() {
	local label=$1 text=$2 log=$logs/${1//\//-}.log t=$SECONDS rc=0 found=0
	shift 2
	[[ "$label" != c/* ]] || export KNNG_ALL=1 KNNG_FAILURES=4 KNNG_FAILURE="$text" # it ends then; of ranks, the others would not
	limited "$@" </dev/null >"$log" 2>&1 || rc=$?
	[ "$rc" != 0 ] && grep -qF "$text" "$log" && found=1
	[ "$found" = 1 ] || echo "(status $rc, where a fault is planted that should read: $text)" >>"$log"
	report "$label" "$found" $((1 - found)) "$log" $((SECONDS - t))
}

# skips LABEL WHY  what cannot run here
skips() {
	printf '%-28s not run: %s\n' "$1" "$2"
}

# Without a GPU no test needs the CUDA plugin, which takes nvcc minutes.
gpu=$(nvidia-smi -L 2>/dev/null | grep -q . && echo yes) || true
make=("${MAKE:-make}" --no-print-directory "PLUGIN=$gpu")
case "${MAKEFLAGS:-}" in
*jobserver*) ;;
*) make+=("-j$(nproc 2>/dev/null || echo 2)") ;;
esac
asserts=$root/build/asserts # a quicker assert
! command -v octave-cli >/dev/null || tests/octave/quick_assert.sh "$asserts" || mkdir -p "$asserts"
octave=(octave-cli --norc -H -q --path "$root" --path "$root/tests" --path "$root/tests/octave" --path "$asserts")

group_build() {
	builds build "${make[@]}" all
	grep -a '^knng: ' "$logs/build.log" # what is left out, and why
}

# The limit: a program that waits may pass it, one that computes may not.
group_runner() {
	limit=1 counts runner/waits bash -c 'sleep 2; echo "1 passed, 0 failed"'
	limit=1 finds runner/planted-loop '(more than 1 s of processor time)' bash -c 'while :; do :; done'
}

ctests=()
for t in tests/unit/test_*.c tests/runs/test_*.c; do
	ctests+=("${t%.c}")
done

# test_checkpoint saves thousands of times, and a disk would let it wait each time. test_checkpoint.sh has one.
memory=${TMPDIR:-/tmp}
[ -w /dev/shm ] && [ "$(df -Pk /dev/shm | awk 'END { print $4 }')" -gt 1000000 ] && memory=/dev/shm

group_c() {
	builds c/build "${make[@]}" ctests build/tests/runs/test_blocks_planted build/tests/runs/test_blocks_elsewhere \
		build/tests/runs/test_blocks_forgets build/tests/runs/test_blocks_stale \
		build/tests/runs/test_checkpoint_planted build/tests/runs/test_boxes_{BOX,NEAR,TIE,SLACK,COPY,LENGTH,CENTRE,SUM} \
		build/tests/runs/test_range_{RADIUS,BOX,TIE,SLACK,BOUND} build/tests/runs/test_searcher_stale \
		build/tests/runs/test_components_planted build/tests/runs/test_queries_planted \
		build/tests/runs/test_spanning_{LABEL,PART,TIE,ORDER,BOX} build/tests/runs/test_optics_{LIMIT,FAR,TIE} \
		build/tests/runs/test_separate_{APART,FEW,ITSELF} \
		build/tests/runs/test_gaps_{COUNT,FACTOR,BOUND,RANKS,RADIUS} || return
	for t in "${ctests[@]}"; do
		counts "c/$(basename "$t")" env TMPDIR="$memory" "build/$t"
	done
	finds c/planted-twice 'lists merged in parts' build/tests/runs/test_blocks_planted merge
	finds c/planted-forgets ', filed 1: ' build/tests/runs/test_blocks_forgets answers
	finds c/planted-elsewhere 'blocks of 5, k = 1, filed 0' build/tests/runs/test_blocks_elsewhere answers
	finds c/planted-stale 'euclidean, larger and larger' build/tests/runs/test_blocks_stale kept
	finds c/planted-searcher 'same(b, idx, dist)' build/tests/runs/test_searcher_stale answers
	finds c/planted-early 'second.right  read' build/tests/runs/test_checkpoint_planted stops
	finds c/planted-later 'at a time: ' build/tests/runs/test_queries_planted answers
	finds c/planted-components 'not so: left_out == 0' build/tests/runs/test_components_planted data
	for fault in APART FEW ITSELF; do
		finds "c/separate-${fault,,}" 'fine  ' "build/tests/runs/test_separate_$fault" data large
	done
	finds c/planted-box 'same_answers(want' build/tests/runs/test_boxes_BOX data
	finds c/planted-near 'same_answers(want' build/tests/runs/test_boxes_NEAR data
	finds c/planted-tie 'lattice, graph' build/tests/runs/test_boxes_TIE data
	finds c/planted-count 'same_answers(&t' build/tests/runs/test_gaps_COUNT data
	finds c/planted-bound 'same_answers(&t' build/tests/runs/test_gaps_BOUND bounds
	finds c/planted-within 'within ' build/tests/runs/test_gaps_RADIUS range
	finds c/planted-ranks 'rising' build/tests/runs/test_gaps_RANKS bounds
	finds c/planted-factor 'same_answers(&t' build/tests/runs/test_gaps_FACTOR data
	finds c/planted-slack 'rings, search' build/tests/runs/test_boxes_SLACK rings
	finds c/planted-copy 'clumps, ' build/tests/runs/test_boxes_COPY copies
	finds c/planted-length 'of divided, ' build/tests/runs/test_boxes_LENGTH centres
	finds c/planted-centre 'clumps, ' build/tests/runs/test_boxes_CENTRE copies
	finds c/planted-sum 'chains, ' build/tests/runs/test_boxes_SUM copies
	for fault in LABEL PART TIE ORDER BOX; do
		finds "c/spanning-${fault,,}" 'same tree: ' "build/tests/runs/test_spanning_$fault" data
	done
	for fault in LIMIT FAR TIE; do
		finds "c/optics-${fault,,}" 'same order: ' "build/tests/runs/test_optics_$fault" data
	done
	finds c/range-radius '== n' build/tests/runs/test_range_RADIUS data
	finds c/range-box '== n' build/tests/runs/test_range_BOX data
	finds c/range-tie '== n' build/tests/runs/test_range_TIE data
	finds c/range-slack '== n' env KNNG_FAILURES=1 build/tests/runs/test_range_SLACK data
	finds c/range-bound '== n' build/tests/runs/test_range_BOUND data
}

# One build of C tests and gateways under the address and undefined-behaviour sanitizers. The gateways go into their
# own copy of the toolbox. Warnings are left to the ordinary build, because a sanitizer's code leads to false ones. To
# follow variables through the code of a sanitizer takes gcc longer than all the rest; reports name lines without it.
unfollowed=-fno-var-tracking-assignments
toolbox=$root/build/asan/toolbox
# gcc 14 looks for uses of locals after their function has returned, too, in frames that are not aligned to 64 bytes as
# AVX-512 code takes them to be. gcc 12 does not look for these.
aligned='--param asan-use-after-return=0'
asan=(B=build/asan "INNER=build/asan/toolbox/+knng/+internal" NVCC= WERROR=
	"SANITIZE=-g1 -Og $unfollowed $aligned -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all")

export UBSAN_OPTIONS=print_stacktrace=1
group_asan() {
	builds asan/build "${make[@]}" "${asan[@]}" ctests build/asan/tests/unit/fuzz_read_planted || return
	# Files of HDF5 are tried in children, and to make one takes as long as there is memory. So of what was freed less stays
	# out of use there; make check-deep leaves it at 256 MB.
	local little=(ASAN_OPTIONS=quarantine_size_mb=32) set
	for t in "${ctests[@]}"; do
		set=(TMPDIR="$memory")
		[[ $t != */test_hdf5 && $t != */test_h5ad ]] || set+=("${little[@]}")
		counts "asan/$(basename "$t")" env "${set[@]}" "build/asan/$t"
	done
	counts asan/fuzz_read build/asan/tests/unit/fuzz_read
	counts asan/fuzz_cells build/asan/tests/unit/fuzz_cells
	counts asan/fuzz_matrix_file build/asan/tests/unit/fuzz_matrix_file
	counts asan/fuzz_hdf5 env "${little[@]}" build/asan/tests/unit/fuzz_hdf5 280
	counts asan/fuzz_h5ad env "${little[@]}" build/asan/tests/unit/fuzz_h5ad 160
	finds asan/planted-read 'AddressSanitizer: ' build/asan/tests/unit/fuzz_read_planted
}

# Octave on the gateways of that build, as a command line. Octave has leaks of its own, which the sanitizer would
# report. The counter shows that knng has none. Octave looks into the current folder before its path.
under_asan() { # FAULT ('' for none), CODE; sets sanitized
	local libraries
	libraries="$(${CC:-cc} -print-file-name=libasan.so) $(${CC:-cc} -print-file-name=libubsan.so)"
	[ -z "$1" ] || libraries="$libraries ../planted.so" # from $toolbox: a name in LD_PRELOAD has no blanks
	sanitized=(env -C "$toolbox" "LD_PRELOAD=$libraries" "KNNG_PLANT=$1"
		ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:malloc_context_size=1
		octave-cli --norc -H -q --path "$toolbox" --path "$toolbox/tests" --path "$asserts" --eval
		"$2; [~, live] = knng.internal.search ('fail', 0); if live ~= 0, error ('%d blocks are left', live); end")
}

build_gateways() {
	builds gateways/build "${make[@]}" "${asan[@]}" gateways build/asan/planted.so &&
		builds gateways/oracle "${make[@]}" oracle || return
	mkdir -p "$toolbox/tests" "$toolbox/build"
	ln -sfn "$root"/knngraph.m "$root"/Contents.m "$root"/docs "$root"/mex "$root"/examples "$root"/tools "$toolbox/"
	ln -sf "$root"/+knng/*.m "$toolbox/+knng/"
	ln -sf "$root"/+knng/+internal/*.m "$toolbox/+knng/+internal/"
	ln -sfn "$root"/+knng/+internal/page "$toolbox/+knng/+internal/"
	ln -sf "$root"/tests/octave/*.m "$root"/tests/octave/graph.h5 "$root"/tests/oracle.mex "$toolbox/tests/"
}

planted_gateways() {
	under_asan memory 'knngraph (magic (8), 3)'
	finds gateways/planted-memory 'AddressSanitizer: heap-buffer-overflow' "${sanitized[@]}"
	under_asan alignment 'knngraph (magic (8), 3)'
	finds gateways/planted-alignment 'runtime error: load of misaligned address' "${sanitized[@]}"
}

group_gateways() {
	build_gateways || return
	under_asan '' "run_cases ('short', 'Every', 30)"
	counts gateways/run_cases-30th "${sanitized[@]}"
	under_asan '' 'test_args (3)'
	counts gateways/test_args "${sanitized[@]}"
	planted_gateways
}

# ThreadSanitizer needs memory at fixed addresses.
fixed=()
setarch -R true 2>/dev/null && fixed=(setarch -R)

build_tsan() { # TARGET... or VARIABLE=VALUE
	local tsan=(B=build/tsan WERROR= "SANITIZE=-g1 -Og $unfollowed -fno-omit-frame-pointer -fsanitize=thread")
	builds tsan/build "${make[@]}" "${tsan[@]}" "$@" build/tsan/tests/runs/test_runs_planted || return
	finds tsan/planted-race 'ThreadSanitizer: data race' \
		env TSAN_OPTIONS=halt_on_error=1 "${fixed[@]}" build/tsan/tests/runs/test_runs_planted
}

group_tsan() {
	# What these tests are linked with, half of all that there is. A source that is missing here is named by the linker.
	local linked=(core/{base,blocks,search,search/cpu}/*.c core/rows/{complete,optics,outside,spanning}.c
		core/io/{boxes,graph_file,graph_head,hdf5}.c core/graph/steep.c)
	build_tsan "SOURCES=${linked[*]}" build/tsan/tests/runs/test_{runs,boxes,range,components,gaps,searcher,spanning,optics} || return
	counts tsan/test_runs "${fixed[@]}" build/tsan/tests/runs/test_runs
	counts tsan/test_boxes "${fixed[@]}" build/tsan/tests/runs/test_boxes many_rows memory
	counts tsan/test_range "${fixed[@]}" build/tsan/tests/runs/test_range many_rows limits scarce
	counts tsan/test_components "${fixed[@]}" build/tsan/tests/runs/test_components memory
	counts tsan/test_gaps "${fixed[@]}" build/tsan/tests/runs/test_gaps complete memory
	counts tsan/test_searcher "${fixed[@]}" build/tsan/tests/runs/test_searcher several
	counts tsan/test_spanning "${fixed[@]}" build/tsan/tests/runs/test_spanning failures
	counts tsan/test_optics "${fixed[@]}" build/tsan/tests/runs/test_optics failures
}

# Octave takes and frees small blocks all the time, of which glibc keeps 7 of a size at hand. With thousands it takes a
# fifth less time. Other tests go without, since of blocks at hand glibc looks less closely at what is freed.
at_hand=(env GLIBC_TUNABLES=glibc.malloc.tcache_count=2000)

# Fails on a warning, such as gnuplot's, which Octave's status does not show.
unwarned=(bash -o pipefail -c '"$@" 2>&1 | awk "{ print } /[Ww]arning:/ { bad = 1 } END { exit bad }"' bash)

group_octave() {
	local hold java # the storm uses java; Octave does not find every one
	for java in /usr/lib/jvm/*/lib/server/libjvm.so; do
		export JAVA_HOME=${JAVA_HOME:-${java%/lib/server/libjvm.so}}
	done
	builds octave/build "${make[@]}" all oracle plant || return
	counts octave/run_cases "${at_hand[@]}" "${octave[@]}" --eval "run_cases ('short', 'Every', 9)"
	for t in tests/octave/test_*.m; do
		t=$(basename "$t" .m)
		hold=("${at_hand[@]}")
		[ "$t" != test_growth ] || hold=() # it sees what stays at hand as growth
		counts "octave/$t" "${hold[@]}" "${octave[@]}" --eval "$t"
	done
	for t in tests/octave/test_*.sh; do
		hold=()
		[[ $t != *_package.sh && $t != *_drawing.sh ]] || hold=("${at_hand[@]}") # others see what Octave's process takes
		counts "octave/$(basename "$t")" "${hold[@]}" bash "$t"
	done
	if python3 tests/browser/browser.py 2>/dev/null; then
		counts octave/browser python3 tests/browser/test_explore.py
	else
		skips octave/browser 'there is no Chromium or Chrome, or no python3 (Debian: chromium)'
	fi
	# Once is enough: test_package.sh runs them all by pkg test, where it can make a package.
	git rev-parse HEAD >/dev/null 2>&1 || counts octave/help-tests "${at_hand[@]}" "${octave[@]}" --path "$root/tools" --eval \
		"run_blocks ('$root/knngraph.m', '$root/+knng/*.m', '$root/+knng/+internal/*.m')"
	for t in examples/*.m; do
		t=$(basename "$t" .m)
		succeeds "octave/example-$t" "${unwarned[@]}" "${at_hand[@]}" "${octave[@]}" --eval "knng.demo ('$t', '$root/build/pictures')"
	done
}

# The memory of emulated GPUs, which is taken and given back all the time, stays with the process.
kept=(MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296)

# The CUDA backend as it is, on emulated GPUs; and without a barrier, which has to be found.
emulate() { # FOLDER, ARGUMENT; sets emulated
	emulated=(env -C "$1" "${kept[@]}" octave-cli --norc -H -q --path "$1" --path "$root/tests/emulate" --eval
		"[~, f] = emulated ($2); exit (f > 0)")
}

# On a GPU whose tensor cores sum in the way SUMS (emulate.cc): whether that is found, and what is done then.
sums() { # FOLDER, SUMS, whether levels are to be skipped
	local emulated
	emulate "$1" ''
	emulated[-1]="[~, f] = emulated_sums ($3); exit (f > 0)"
	counts "emulated/sums-$2" env KNNG_EMULATED_GPUS=1 KNNG_EMULATED_SUMS="$2" "${emulated[@]}"
}

group_emulated() {
	local folder=$root/build/emulated fault lost name rows searches text
	builds emulated/build "${make[@]}" all &&
		builds emulated/backend tests/emulate/build.sh "$folder" || return
	emulate "$folder" ''
	counts emulated/searches "${emulated[@]}"
	counts emulated/memory-pages env -C "$folder" octave-cli --norc -H -q --path "$folder" --path "$root/tests/emulate" --eval \
		'[~, f] = memory_pages (); exit (f > 0)'
	counts emulated/blocks env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=2 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_blocks (60); exit (f > 0)'
	counts emulated/boxes env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=2 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_boxes (70); exit (f > 0)'
	counts emulated/sets env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=2 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_sets (200, 17, 100); exit (f > 0)'
	counts emulated/within env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_within (150); exit (f > 0)'
	for lost in 1 2 3 4 5 6 7 8; do
		counts "emulated/lost-radius-$lost" env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q --path "$folder" \
			--path "$root/tests/emulate" --eval "[~, f] = lost_radius ($lost); exit (f > 0)"
	done
	counts emulated/separate env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=2 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_separate (4200); exit (f > 0)'
	counts emulated/eigen env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_eigen (310); exit (f > 0)'
	counts emulated/linkage env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_linkage (75); exit (f > 0)'
	counts emulated/differences env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=2 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_differences (100); exit (f > 0)'
	counts emulated/searchers env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval '[~, f] = gpu_searchers (70); exit (f > 0)'
	for rows in 'long, euclidean, 320' 'long, ties, 2049' 'long, refined in both ways' 'two pieces, 20 features' 'two pieces, cosine, 72 features, many' \
		'two pieces, euclidean, 104'; do
		counts "emulated/$(tr -d , <<<"${rows// /-}")" env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q --path "$folder" \
			--path "$root/tests/gpu" --eval "[~, f] = gpu_fused ('$rows'); exit (f > 0)"
	done
	counts emulated/passed-over env -C "$folder" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q --path "$folder" \
		--path "$root/tests/gpu" --eval "[~, f] = gpu_differences (1000, 'clusters far apart'); exit (f > 0)"
	sums "$folder" 24 false # tensor cores as canonical.md has them
	sums "$folder" 23 true # that keep a bit less
	sums "$folder" 8 true
	sums "$folder" carried true
	sums "$folder" halves true
	KNNG_EMULATED_LIKE=$folder KNNG_EMULATED_IN=cuda/search/best.cu builds emulated/backend-planted tests/emulate/build.sh "$folder-planted" -DKNNG_PLANT_RACE || return
	emulate "$folder-planted" "'euclidean'"
	finds emulated/planted-race 'Segmentation fault' "${emulated[@]}" # a place that no thread has written yet
	# One is of cityblock and chebychev, one of missing values, one of graphs that are compared while they are made; none
	# of them is of what another's test searches.
	KNNG_EMULATED_LIKE=$folder builds emulated/backend-grid tests/emulate/build.sh "$folder-grid" -DKNNG_PLANT_GRID -DKNNG_PLANT_TURN -DKNNG_PLANT_TWICE || return
	emulate "$folder-grid" "'pairwise, spearman'"
	finds emulated/planted-turn 'pairwise, spearman, way 1: not the neighbours' "${emulated[@]}"
	finds emulated/planted-grid 'cityblock, one large feature, k = 1 (100 % in whole numbers' env -C "$folder-grid" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q \
		--path "$folder-grid" --path "$root/tests/gpu" --eval "[~, f] = gpu_differences (500, 'one large feature'); exit (f > 0)"
	for fault in 'twice/long, euclidean, 312 features, many/' 'scores/long, refined in both ways/' 'pieces/two pieces, euclidean, 20 features, many/' \
		'order/two pieces, cosine, 72 features, many/this is a fault of knng'; do
		IFS=/ read -r name search text <<<"$fault"
		finds "emulated/planted-$name" "${text:-$search: }" env -C "$folder-grid" "${kept[@]}" KNNG_EMULATED_GPUS=1 \
			KNNG_PLANT="$name" octave-cli --norc -H -q --path "$folder-grid" --path "$root/tests/gpu" --eval \
			"[~, f] = gpu_fused ('$search'); exit (f > 0)"
	done
	# blanks may be in its name
	KNNG_EMULATED_LIKE=$folder builds emulated/backend-radius tests/emulate/build.sh "$folder radius" -DKNNG_PLANT_RADIUS -DKNNG_PLANT_LOSS \
		-DKNNG_PLANT_TRUST -DKNNG_PLANT_LOW -DKNNG_PLANT_LEAVES -DKNNG_PLANT_LEAST -DKNNG_PLANT_STAYS || return
	emulate "$folder radius" "'refined, c', 1" # one GPU; the other ways take long, and are as wrong
	finds emulated/planted-radius 'refined, cityblock, way 1: not the neighbours' "${emulated[@]}"
	finds emulated/planted-within ': not the neighbours' env -C "$folder radius" "${kept[@]}" KNNG_EMULATED_GPUS=2 \
		octave-cli --norc -H -q --path "$folder radius" --path "$root/tests/gpu" --eval \
		"[~, f] = gpu_blocks (80, {'euclidean'}); exit (f > 0)"
	for fault in "box/300, 'normal, 3'/not the neighbours" "near/90, 'lattice'/not the neighbours" \
		"tie/90, 'lattice'/not the neighbours" "leaf/90, 'lattice'/Segmentation fault" "copy/150, 'clumps'/not the neighbours" \
		"sum/150, 'chains'/not the neighbours" "centre/150, 'apart, 12'/not the neighbours" \
		"queue/150, 'clusters, 40'/not the neighbours" "again/150, 'clusters, 40'/not the neighbours"; do
		IFS=/ read -r name searches text <<<"$fault"
		finds "emulated/planted-$name" "$text" env -C "$folder radius" "${kept[@]}" KNNG_EMULATED_GPUS=1 KNNG_PLANT="$name" octave-cli \
			--norc -H -q --path "$folder radius" --path "$root/tests/gpu" --eval "[~, f] = gpu_boxes ($searches); exit (f > 0)"
	done
	for fault in stays/euclidean other/several; do
		finds "emulated/planted-${fault%/*}" 'not the neighbours' env -C "$folder radius" "${kept[@]}" KNNG_EMULATED_GPUS=1 \
			KNNG_PLANT="${fault%/*}" octave-cli --norc -H -q --path "$folder radius" --path "$root/tests/gpu" --eval \
			"[~, f] = gpu_searchers (70, '${fault#*/}'); exit (f > 0)"
	done
	finds emulated/planted-least 'pearson, in order' env -C "$folder radius" KNNG_EMULATED_GPUS=1 octave-cli --norc -H -q \
		--path "$folder radius" --path "$root/tests/gpu" --eval "[~, f] = gpu_fused ('pearson, in order'); exit (f > 0)"
	finds emulated/planted-closer 'long, euclidean, 1024 features, few: ' env -C "$folder radius" "${kept[@]}" KNNG_EMULATED_GPUS=1 octave-cli \
		--norc -H -q --path "$folder radius" --path "$root/tests/gpu" --eval "[~, f] = gpu_fused ('long, euclidean, 1024 features, few'); exit (f > 0)"
	emulate "$folder radius" "'pairwise, tight, pearson'"
	finds emulated/planted-low 'pairwise, tight, pearson, way 1: not the neighbours' "${emulated[@]}"
	emulate "$folder radius" "'euclidean'"
	finds emulated/planted-loss 'euclidean, way 1: knng:internal:candidates' env KNNG_PLANT=loss "${emulated[@]}"
	finds emulated/planted-trust 'euclidean, blocked, way 1: not the neighbours' env KNNG_EMULATED_SUMS=8 "${emulated[@]}"
}

can_mpi() { # LABEL
	command -v mpirun >/dev/null && [ -x build/knng-mpi ] && return
	skips "$1" 'there is no mpirun, or knng-mpi was not built'
	return 1
}

# Several processes. Planted are radii that are those of other rows, a checkpoint that says what is not so yet, and
# what visitors have found, thrown away.
group_mpi() {
	local r ranks=(bash tests/mpi/under.sh)
	builds mpi/build "${make[@]}" all mpitests mpiplanted || return
	counts mpi/test_schedule build/tests/mpi/test_schedule
	counts mpi/test_model build/tests/mpi/test_model
	can_mpi mpi || return
	for r in 1 2 3 5 8; do
		counts "mpi/test_ranks-$r" "${ranks[@]}" "$r" build/tests/mpi/test_ranks
	done
	finds mpi/planted-elsewhere 'euclidean, kind' "${ranks[@]}" 3 build/tests/mpi/test_ranks_ELSEWHERE
	finds mpi/planted-early ', idx, dist)  after' "${ranks[@]}" 3 build/tests/mpi/test_ranks_EARLY
	finds mpi/planted-loss 'euclidean, kind' "${ranks[@]}" 5 build/tests/mpi/test_ranks_LOSS
	finds mpi/planted-forgets ', kind ' "${ranks[@]}" 3 build/tests/mpi/test_ranks_FORGET
	counts mpi/test_program bash tests/mpi/test_program.sh
	counts mpi/test_queue bash tests/mpi/test_queue.sh
	counts mpi/test_kills bash tests/mpi/test_kills.sh
}

group_mexapi() {
	succeeds mexapi "${make[@]}" check-mexapi
}

# ---- the long forms, parts of check-deep.sh -------------------------------------------------------------------------
level=${KNNG_DEEP_LEVEL:-deep}
[ "$level" = deep ] && files=1000000 repeats=10 || files=1000 repeats=1

group_deep_cases() { in_octave cases "run_cases ('$level')" oracle; }
group_deep_storm() { in_octave storm "test_storm ('$level')" oracle; }
group_deep_growth() { in_octave growth "test_growth ('$level')" plant; }
group_deep_boxes() {
	builds boxes/build "${make[@]}" build/tests/runs/test_boxes build/tests/runs/test_separate || return
	counts "boxes/$level" env KNNG_BOXES_SETS=$((files / 100)) build/tests/runs/test_boxes generated
	counts "separate/$level" env KNNG_SEPARATE_ROUNDS=$((files / 1000)) build/tests/runs/test_separate data
}
group_deep_metamorphic() { in_octave metamorphic "test_metamorphic ('$level')"; }

in_octave() { # LABEL CODE TARGET...  and the numbers that the test prints
	builds "$1/build" "${make[@]}" all "${@:3}" || return
	counts "$1/$level" "${octave[@]}" --eval "$2"
	run_waiting
	grep -aE '^[0-9]+ (calls|cases|rounds)' "$logs/$1-$level.log" | sed 's/^/    /'
}

# Files for each format of each reader, of another seed than in make check. Those of HDF5 take hours, so they come in
# parts, which run beside each other.
group_deep_fuzz() {
	local t part
	builds fuzz/build "${make[@]}" "${asan[@]}" ctests && builds fuzz/toolbox "${make[@]}" all || return
	counts "fuzz/test_mutated-$files" "${octave[@]}" --eval "test_mutated ($files, 191127)"
	for t in cells matrix_file read; do
		counts "fuzz/fuzz_$t-$files" "build/asan/tests/unit/fuzz_$t" "$files" 191127
	done
	for t in hdf5 h5ad; do
		for part in 0 1 2 3; do
			counts "fuzz/fuzz_$t-$files-$part" "build/asan/tests/unit/fuzz_$t" $((files / 4)) 191127 $((files / 4 * part))
		done
	done
	counts fuzz/test_hdf5-all build/asan/tests/unit/test_hdf5 all
	for t in runs/test_{blocks,boxes,checkpoint,components,gaps,output,queries,range,runs,searcher,separate,spanning} unit/test_{h5ad,impute,kmeans,kmedoids,npz,select,tsne,umap}; do # which skip cases otherwise
		counts "fuzz/${t#*/}-all" env KNNG_ALL=1 "build/asan/tests/$t"
	done
}

# What make check tries a part of.
group_deep_parts() {
	builds parts/build "${make[@]}" all oracle && builds parts/backend tests/emulate/build.sh "$root/build/emulated" || return
	emulate "$root/build/emulated" ''
	counts parts/searches-all env KNNG_ALL=1 "${emulated[@]}"
	for t in classify grammar numbers; do
		counts "parts/test_$t-all" env KNNG_ALL=1 "${octave[@]}" --eval "test_$t"
	done
	for t in interrupt drawing; do
		counts "parts/test_$t-all" env KNNG_ALL=1 bash "tests/octave/test_$t.sh"
	done
	for t in blocks/60/2 boxes/90/2 differences/100/2 linkage/100/1 searchers/70/1 separate/4200/2 sets/10000/2; do # name, rows (of sets how many), GPUs
		IFS=/ read -r t rows gpus <<<"$t"
		counts "parts/$t-all" env -C "$root/build/emulated" "${kept[@]}" KNNG_ALL=1 KNNG_EMULATED_GPUS="$gpus" octave-cli --norc -H -q \
			--path "$root/build/emulated" --path "$root/tests/gpu" --eval "[~, f] = gpu_$t ($rows); exit (f > 0)"
	done
}

group_deep_gateways() {
	local t
	build_gateways || return
	planted_gateways
	under_asan '' "run_cases ('short')"
	counts gateways/run_cases "${sanitized[@]}"
	for t in args storm help; do
		under_asan '' "test_$t"
		counts "gateways/test_$t" "${sanitized[@]}"
	done
}

# Every C test; test_runs several times, since the order of events differs.
group_deep_tsan() {
	local t i
	build_tsan ctests || return
	for t in "${ctests[@]}"; do
		counts "tsan/$(basename "$t")" env KNNG_ALL=1 TSAN_OPTIONS=die_after_fork=0 "${fixed[@]}" "build/tsan/$t" # children have threads
	done
	for ((i = 2; i <= repeats; i++)); do
		counts "tsan/test_runs-$i" env KNNG_ALL=1 "${fixed[@]}" build/tsan/tests/runs/test_runs
	done
}

# No result may depend on memory that was never written. The other sanitizers do not see that. valgrind has no long
# double, which test_bounds needs, and no rounding flags, which test_runs reads.
group_deep_memcheck() {
	local memcheck=(valgrind -q --error-exitcode=9 "--suppressions=$root/tools/memcheck.supp") t
	if ! command -v valgrind >/dev/null; then
		skips memcheck 'there is no valgrind'
		return
	fi
	builds memcheck/build "${make[@]}" all ctests oracle build/planted.so || return
	finds memcheck/planted 'depends on uninitialised value' env KNNG_PLANT=undefined LD_PRELOAD="$root/build/planted.so" \
		"${memcheck[@]}" "${octave[@]}" --eval 'knngraph (magic (8), 3)'
	for t in unit/test_failures unit/test_proof unit/test_read unit/test_stages unit/test_write runs/test_checkpoint; do
		counts "memcheck/${t#*/}" "${memcheck[@]}" "build/tests/$t"
	done
	counts memcheck/test_args "${memcheck[@]}" "${octave[@]}" --eval test_args
	counts memcheck/run_cases-50th "${memcheck[@]}" "${octave[@]}" --eval "run_cases ('short', 'Every', 50)"
}

# Open MPI has leaks of its own; test_ranks looks for those of knng.
group_deep_mpi() {
	local r kills=5 ranks=(bash tests/mpi/under.sh) depth=()
	[ "$level" != deep ] || kills=100 depth=(deep)
	builds mpi/build "${make[@]}" all mpitests || return
	can_mpi mpi || return
	builds mpi/build-asan "${make[@]}" "${asan[@]}" mpitests || return
	for r in 1 2 3 4 5 7 8; do
		counts "mpi/test_ranks-$r-$level" "${ranks[@]}" "$r" build/tests/mpi/test_ranks "${depth[@]}"
	done
	for r in 1 3 5; do
		counts "mpi/test_ranks-$r-asan" env ASAN_OPTIONS=detect_leaks=0 "${ranks[@]}" "$r" \
			build/asan/tests/mpi/test_ranks
	done
	counts "mpi/test_kills-$kills" bash tests/mpi/test_kills.sh "$kills"
	counts mpi/test_hosts bash tests/mpi/test_hosts.sh
}

# What other programs make of our files, and of the same points. They come from PyPI.
group_deep_others() {
	local python=$root/build/others/bin/python
	builds others/build "${make[@]}" all || return
	if ! { python3 -m venv build/others && "$python" -m pip install networkx igraph lxml jsonschema scikit-learn scipy GEOparse six; } >"$logs/others-pip.log" 2>&1; then
		skips others 'networkx, igraph, lxml, jsonschema, scikit-learn, SciPy and GEOparse cannot be installed from PyPI (build/logs/others-pip.log)'
		return
	fi
	counts others/graphs bash tests/others/test_graphs.sh "$python"
	if python3 tests/browser/browser.py 2>/dev/null && "$python" -m pip install --no-deps ipycytoscape >>"$logs/others-pip.log" 2>&1; then
		counts others/cyjs bash tests/others/test_cyjs.sh "$python"
	else
		skips others/cyjs 'there is no Chromium, or no ipycytoscape from PyPI, which comes with Cytoscape.js'
	fi
	counts others/kmeans bash tests/others/test_kmeans.sh "$python"
	counts others/models bash tests/others/test_models.sh "$python"
	counts others/optics bash tests/others/test_optics.sh "$python"
	if "$python" -m pip install scikit-dimension >>"$logs/others-pip.log" 2>&1; then
		counts others/densities bash tests/others/test_densities.sh "$python"
	else
		skips others/densities 'scikit-dimension cannot be installed from PyPI (build/logs/others-pip.log)'
	fi
	if "$python" -m pip install hdbscan >>"$logs/others-pip.log" 2>&1; then
		counts others/hdbscan bash tests/others/test_hdbscan.sh "$python"
	else
		skips others/hdbscan 'hdbscan cannot be installed from PyPI (build/logs/others-pip.log)'
	fi
	if "$python" -m pip install tqdm >>"$logs/others-pip.log" 2>&1 && "$python" -m pip install --no-deps scikit-hubness >>"$logs/others-pip.log" 2>&1; then
		counts others/hubs bash tests/others/test_hubs.sh "$python"
	else
		skips others/hubs 'scikit-hubness cannot be installed from PyPI (build/logs/others-pip.log)'
	fi
	if "$python" -m pip install kmedoids >>"$logs/others-pip.log" 2>&1; then
		counts others/medoids bash tests/others/test_medoids.sh "$python"
	else
		skips others/medoids 'kmedoids cannot be installed from PyPI (build/logs/others-pip.log)'
	fi
	if "$python" -m pip install pydiffmap >>"$logs/others-pip.log" 2>&1; then
		counts others/diffusion bash tests/others/test_diffusion.sh "$python"
	else
		skips others/diffusion 'pydiffmap cannot be installed from PyPI (build/logs/others-pip.log)'
	fi
	counts others/metafeatures bash tests/others/test_metafeatures.sh "$python"
	counts others/trees bash tests/others/test_trees.sh "$python"
	counts others/ways bash tests/others/test_ways.sh "$python"
	if "$python" -m pip install umap-learn >>"$logs/others-pip.log" 2>&1; then
		counts others/maps bash tests/others/test_maps.sh "$python"
	else
		skips others/maps 'umap-learn cannot be installed from PyPI (build/logs/others-pip.log)'
	fi
	if geo_files >"$logs/others-geo-files.log" 2>&1; then
		counts others/geo bash tests/others/test_geo.sh "$python" build/others/geo
	else
		skips others/geo 'files of GEO cannot be had: they are in the Debian package r-bioc-geoquery (build/logs/others-geo-files.log)'
	fi
}

# Files as GEO has them, out of a package that is not installed, since it needs R.
geo_files() {
	[ -s build/others/geo/GDS507.soft.gz ] && return
	mkdir -p build/others/geo/package || return
	(cd build/others/geo && apt-get -q download r-bioc-geoquery) && dpkg-deb -x build/others/geo/r-bioc-geoquery_*.deb build/others/geo/package &&
		cp build/others/geo/package/usr/lib/R/site-library/GEOquery/extdata/*.gz build/others/geo
}

group_deep_browser() {
	builds browser/build "${make[@]}" all || return
	if python3 tests/browser/browser.py 2>/dev/null; then
		counts browser/chromium python3 tests/browser/test_explore.py --deep
	else
		skips browser/chromium 'there is no Chromium or Chrome, or no python3 (Debian: chromium)'
	fi
	if ! python3 tests/browser/firefox.py 2>/dev/null; then
		tools/install-deps.sh deep >"$logs/browser-install.log" 2>&1
	fi
	if python3 tests/browser/firefox.py 2>/dev/null; then
		counts browser/firefox python3 tests/browser/test_explore.py --firefox
	else
		skips browser/firefox 'there is no Firefox, or no python3 (Debian: firefox-esr)'
	fi
}

group_deep_package() {
	builds package/build "${make[@]}" all || return
	if "${make[@]}" -s has-nvcc; then
		counts package/cuda env KNNG_ALL=1 bash tests/octave/test_package.sh cuda
	else
		skips package/cuda 'there is no nvcc'
		counts package/all env KNNG_ALL=1 bash tests/octave/test_package.sh
	fi
}

# The shell reads the whole file before it runs, so that it may be edited meanwhile.
{
	shopt -s nullglob
	for g in "$@"; do
		"group_$g"
	done
	run_waiting
	times >"$logs/times"
	[ ! -s "$failures" ] || printf '\nwhat failed:\n%s\n\n' "$(<"$failures")"
	echo "$SECONDS s, $(seconds_of "$logs/times") s of processor"
	awk -v begun="$begun" '{ p += $1; f += $2 } END {
		if (NR < begun)
			printf "nothing is known of %d tests or builds that were begun\n", begun - NR
		printf "%d passed, %d failed\n", p, f += begun - NR
		exit f > 0
	}' "$tally"
	failed=$?
	rm -f "$tally"
	exit "$failed"
}
