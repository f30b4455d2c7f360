#!/usr/bin/env bash
# run-tests.sh GROUP...  Builds and runs groups of tests, prints a line for each and at last 'N passed, N failed'.
#
# Groups: build, c, asan, octave, mexapi. A test is a program that ends with a line 'N passed, N failed' and status 0.
# A crash, a time-out (KNNG_TEST_SECONDS, 450), a lost summary line or a bad status without a failure counts as one
# failure. The output of a test goes to build/logs/, and its end to the screen when it failed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
root=$PWD
logs=build/logs
limit=${KNNG_TEST_SECONDS:-450}
passed=0
failed=0
mkdir -p "$logs"

report() { # label, passed, failed, log, seconds
	passed=$((passed + $2))
	failed=$((failed + $3))
	printf '%-28s %5d passed, %d failed  (%d s)\n' "$1" "$2" "$3" "$5"
	[ "$3" = 0 ] || tail -n 40 "$4" | sed 's/^/    | /'
}

# counts LABEL COMMAND...  runs a test with a summary line.
counts() {
	local label=$1 log=$logs/${1//\//-}.log t=$SECONDS rc=0 line p=0 f=0
	shift
	timeout -k 10 "$limit" "$@" </dev/null >"$log" 2>&1 || rc=$?
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

# succeeds LABEL COMMAND...  runs something that only has a status.
succeeds() {
	local label=$1 log=$logs/${1//\//-}.log t=$SECONDS rc=0
	shift
	timeout -k 10 "$limit" "$@" </dev/null >"$log" 2>&1 || rc=$?
	[ "$rc" = 0 ] || echo "(status $rc)" >>"$log"
	report "$label" $((rc == 0)) $((rc != 0)) "$log" $((SECONDS - t))
	return "$rc"
}

make=("${MAKE:-make}" --no-print-directory)
case "${MAKEFLAGS:-}" in
*jobserver*) ;;
*) make+=("-j$(nproc 2>/dev/null || echo 2)") ;;
esac
octave=(octave-cli --norc -H -q --path "$root" --path "$root/tests")

group_build() {
	succeeds build "${make[@]}" all
	grep -a '^knng: ' "$logs/build.log" # what is left out, and why
}

group_c() {
	succeeds c/build "${make[@]}" ctests || return
	for t in tests/test_*.c; do
		t=$(basename "$t" .c)
		counts "c/$t" "build/tests/$t"
	done
}

group_asan() {
	local san="-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
	succeeds asan/build "${make[@]}" B=build/asan SANITIZE="$san" ctests || return
	for t in tests/test_*.c; do
		t=$(basename "$t" .c)
		UBSAN_OPTIONS=print_stacktrace=1 counts "asan/$t" "build/asan/tests/$t"
	done
}

group_octave() {
	succeeds octave/build "${make[@]}" all oracle || return
	counts octave/run_cases "${octave[@]}" --eval "run_cases ('short')"
	for t in tests/test_*.m; do
		t=$(basename "$t" .m)
		counts "octave/$t" "${octave[@]}" --eval "$t"
	done
	for t in tests/test_*.sh; do
		counts "octave/$(basename "$t")" bash "$t"
	done
	counts octave/help-tests "${octave[@]}" --path "$root/tools" --eval \
		"run_blocks ('$root/knngraph.m', '$root/+knng/*.m')"
	succeeds octave/sample "${octave[@]}" --eval "run ('$root/examples/sample.m')"
}

group_mexapi() {
	succeeds mexapi "${make[@]}" check-mexapi
}

shopt -s nullglob
for g in "$@"; do
	"group_$g"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
