#!/usr/bin/env bash
# check-deep.sh [PART...]  The long forms of the tests, one part after the other; `make check-deep` calls it.
#
# Every part writes its record into build/deep/: what ran, when, for how long, with what result. build/deep.txt is all
# of them. Without PART (or KNNG_DEEP="PART...") the parts without a good record of the present sources run, so an
# interrupted run goes on where it was. A part that is named runs again. KNNG_DEEP_LEVEL=short makes fewer calls, to
# see that a part runs. Its record is build/short.txt. docs/testing.md describes the parts.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
all=(package parts others browser fuzz gateways tsan memcheck mpi cases boxes storm growth metamorphic)
records=build/${KNNG_DEEP_LEVEL:-deep}
mkdir -p "$records"
sources=$(make -s source-hash)

fresh() { # PART  has passed on these sources
	[ -f "$records/$1" ] && head -n 1 "$records/$1" | grep -q "$sources" && tail -n 1 "$records/$1" | grep -q ' 0 failed$'
}

# Says once a minute that the part is still running, until it is killed.
heartbeat() { # PART
	local t=$SECONDS
	while sleep 60; do
		echo "   $1: $((SECONDS - t)) s; $(tail -n 1 "$records/$1.now")"
	done
}

# The record is written at the end of a part: the hash of the sources and the date, the lines of run-tests.sh.
run() { # PART
	local part=$1 beat
	echo "== $part"
	: >"$records/$part.now"
	heartbeat "$part" &
	beat=$!
	KNNG_TEST_SECONDS=${KNNG_TEST_SECONDS:-86400} tools/run-tests.sh "deep_$part" >"$records/$part.now" 2>&1
	kill "$beat"
	{
		echo "$sources $(date -u +%Y-%m-%d)"
		cat "$records/$part.now"
	} >"$records/$part"
	rm -f "$records/$part.now"
	cat "$records/$part"
}

compose() {
	local part hash date
	echo "sources: $sources"
	echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
	echo "octave: $(octave-cli --version | sed -n '1s/.*version //p')"
	for part in "${all[@]}"; do
		if [ ! -f "$records/$part" ]; then
			printf '\n%-12s not yet run\n' "$part"
			continue
		fi
		read -r hash date <"$records/$part"
		[ "$hash" = "$sources" ] && hash='' || hash=", sources ${hash:0:12}…"
		printf '\n%-12s %s%s\n' "$part" "$date" "$hash"
		grep -aE '^[a-z].* (passed|not run)|^    [0-9]' "$records/$part" | sed 's/^/    /'
	done
}

# The shell reads the whole file before it runs, so that it may be edited meanwhile.
{
	read -ra parts <<<"${*:-${KNNG_DEEP:-}}"
	if [ ${#parts[@]} = 0 ]; then
		for part in "${all[@]}"; do
			fresh "$part" || parts+=("$part")
		done
	fi
	trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM
	for part in "${parts[@]}"; do
		run "$part"
		compose >"$records.txt"
	done
	compose | tee "$records.txt"
	for part in "${all[@]}"; do
		fresh "$part" || exit 1
	done
	exit 0
}
