#!/usr/bin/env bash
# test_install_deps.sh  What `make demo` shows of an installation, with made-up tools of Debian, and where a step fails;
# and which mpicc counts.
# Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/clone"
cp -r tools "$work/clone/"
passed=0
failed=0

check() { # WHAT COMMAND...
	if "${@:2}" >"$work/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1"
		sed 's/^/    | /' "$work/log" "$work/said"
	fi
}

fake() { # NAME LINE...
	printf '%s\n' '#!/bin/bash' "${@:2}" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

runs() { # STATUS COMMAND...  in the copy, with the made-up tools
	local status=0
	(cd "$work/clone" && PATH="$work/bin:$PATH" "${@:2}") >"$work/said" 2>&1 || status=$?
	[ "$status" = "$1" ]
}

fake dpkg-query 'exit 1' # nothing is installed
fake gnuplot ''
fake sudo 'exit 1'
fake id 'echo 1000'
without_rights() {
	runs 1 tools/install-deps.sh check &&
		grep -qx 'sudo apt-get update && sudo apt-get install --no-install-recommends gcc make octave .*' "$work/said"
}
check "who may not install is told the line, which begins with update" without_rights

only_check() { # what more than the demo needs
	grep -q ' openmpi-bin' "$work/said" && { [ -z "$debian" ] || grep -q ' chromium' "$work/said"; } && runs 1 tools/install-deps.sh demo && grep -q ' octave ' "$work/said" &&
		! grep -q 'mpi\|chromium' "$work/said"
}
debian=$(grep -sx 'ID=debian' /etc/os-release)
fake python3 'exit 1' # nor is there a browser
check "the demo does without MPI and a browser" only_check

fake id 'echo 0'
fake apt-get '[[ "$*" == *install* ]] || exit 0' \
	'for ((i = 0; i < 700; i++)); do echo "Unpacking $i ..."; echo "dlstatus:$i:$((i / 7)).5:Retrieving" >&2; done' \
	'for ((i = 0; i < 700; i++)); do echo "Setting up $i ..."; echo "pmstatus:p$i:$((i / 7)).2:Installing" >&2; done' \
	'echo "a warning" >&2; exit ${fails:-0}'
lines() {
	runs 0 tools/install-deps.sh check && [ "$(wc -l <"$work/said")" -lt 20 ] && grep -q '60 % installed' "$work/said" &&
		[ "$(wc -l <"$work/clone/build/install.log")" = 1401 ]
}
check "of an installation a few lines are shown, the rest is in a log" lines
fails() {
	runs 1 env fails=100 tools/install-deps.sh demo && grep -q 'what it has said is in build/install.log' "$work/said" &&
		grep -q '| a warning' "$work/said"
}
check "where it fails, the log is named" fails

fake dpkg-query 'echo installed'
step_fails() {
	runs 1 env MAKE=false tools/demo.sh && grep -q 'step 2 of 5 has failed; .* build/demo/demo.log' "$work/said"
}
check "a step of the demo that fails is named, and its log" step_fails

fake mpicc 'exit 1' # as on Debian without libopenmpi-dev: there is no mpi.h
mpi() { # FOUND
	[ "$(env -u MPICC -u MAKEFLAGS PATH="$work/bin:$PATH" make -npq help 2>/dev/null | sed -n 's/^MPICC := *//p')" = "$1" ]
}
check "an mpicc that finds no mpi.h is passed over" mpi ''
fake mpicc ''
check "one that does is taken" mpi "$work/bin/mpicc"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
