#!/usr/bin/env bash
# demo.sh  The steps of `make demo`. What their tools print goes to build/demo/demo.log, which is named if a step fails.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
log=build/demo/demo.log
mkdir -p build/demo
: >"$log"
steps=5
n=0

step() { # WHAT
	n=$((n + 1))
	echo "== $n of $steps: $1"
}

# quietly COMMAND...  its standard output goes to the log
quietly() {
	"$@" >>"$log" && return
	echo "knng: step $n of $steps has failed; what its tools have said is in $log, which ends:" >&2
	tail -n 15 "$log" | sed 's/^/    | /' >&2
	exit 1
}

openly() { # COMMAND...
	"$@" && return
	echo "knng: step $n of $steps has failed, as said above" >&2
	exit 1
}

make=("${MAKE:-make}" --no-print-directory)
case "${MAKEFLAGS:-}" in
*jobserver*) ;;
*) make+=("-j$(nproc 2>/dev/null || echo 2)") ;;
esac
octave=(octave-cli --norc -H -q --eval)
step "install what is missing"
quietly tools/install-deps.sh demo
step "compile"
quietly tools/progress.sh "${make[@]}" all
step "the published sample"
openly "${octave[@]}" "run examples/sample.m"
step "3051 genes: neighbours and two pictures, which take half a minute"
openly "${octave[@]}" "run examples/microarray.m"
step "the same genes as a page, to explore with a browser"
openly "${octave[@]}" "run examples/explore.m"
