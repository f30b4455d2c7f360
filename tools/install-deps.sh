#!/usr/bin/env bash
# install-deps.sh SET  Installs what `make SET` needs and this machine lacks; SET is demo, check or lint, or deep, what
# `make check-deep` needs beside check.
#
# On Debian and Ubuntu it asks dpkg, and uses apt-get as root or through a sudo that wants no password; otherwise it
# prints the one line to run and stops with status 1. On other systems it only looks for the commands. If nothing is
# missing it prints nothing and does not use the network. What apt-get says goes to build/install.log.
set -euo pipefail
cd "$(dirname "$0")/.."
log=build/install.log

build="gcc make octave octave-dev libopenblas-dev zlib1g-dev"
pictures="gnuplot-nox ghostscript fonts-dejavu-core"
toolbox="libigraph-dev libhdf5-dev pkg-config"
several="libopenmpi-dev openmpi-bin" # processes: knng-mpi
browser=""                           # for pages of knng.explore; Ubuntu's package is a snap, so there the test is left out
grep -qsx 'ID=debian' /etc/os-release && browser="python3 chromium"
case "${1:-}" in
demo) packages="$build $pictures $toolbox" commands="cc make octave-cli mkoctfile gnuplot gs" ;;
check) packages="$build $pictures $toolbox $several octave-statistics $browser" commands="cc make octave-cli mkoctfile gnuplot gs" ;;
deep) packages="${browser:+python3 firefox-esr}" commands="python3" ;;
lint) packages="make clang-format cppcheck" commands="make clang-format cppcheck" ;;
*)
	echo "usage: tools/install-deps.sh demo|check|lint|deep" >&2
	exit 2
	;;
esac

missing=""
if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
	for c in $commands; do
		command -v "$c" >/dev/null 2>&1 || missing="$missing $c"
	done
	[ -z "$missing" ] && exit 0
	echo "knng: please install the programs$missing" >&2
	[ "$1" = lint ] || echo "knng: also needed are the headers of Octave, OpenBLAS (cblas.h), zlib and, for parts of the toolbox, igraph and HDF5" >&2
	exit 1
fi

for p in $packages; do
	# The flavours of gnuplot push each other out: any of them will do.
	[ "$p" = gnuplot-nox ] && command -v gnuplot >/dev/null 2>&1 && continue
	[ "$p" = firefox-esr ] && python3 tests/browser/firefox.py 2>/dev/null && continue
	[ "$p" = chromium ] && python3 tests/browser/browser.py 2>/dev/null && continue # or another of its family
	state=$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null) || state=none
	[ "$state" = installed ] || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
	as_root="env"
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
	as_root="sudo -n env"
else
	echo "knng: some packages are missing; run" >&2
	echo "sudo apt-get update && sudo apt-get install --no-install-recommends$missing" >&2
	exit 1
fi
# apt-get writes 'dlstatus:ITEM:PERCENT:TEXT' and 'pmstatus:PACKAGE:PERCENT:TEXT' to its Status-Fd. A line is shown for
# every fifth part of the work; the rest goes to the log.
percent() {
	local line what part dlstatus=0 pmstatus=0
	while IFS= read -r line; do
		if ! [[ $line =~ ^(dlstatus|pmstatus):[^:]*:([0-9]+) ]]; then
			printf '%s\n' "$line" >>"$log"
			continue
		fi
		what=${BASH_REMATCH[1]}
		part=$((BASH_REMATCH[2] / 20 * 20))
		[ "$part" -gt "${!what}" ] || continue
		printf -v "$what" %d "$part"
		[ "$what" = dlstatus ] && echo "knng: $part % downloaded" >&2 || echo "knng: $part % installed" >&2
	done
}

echo "knng: installing$missing" >&2
mkdir -p build
: >"$log"
quiet="DEBIAN_FRONTEND=noninteractive"
# shellcheck disable=SC2086 # lists of words
{
	$as_root $quiet apt-get -qq update || true # an old list may do
	$as_root $quiet apt-get -qq -y -o APT::Status-Fd=2 install --no-install-recommends $missing
} </dev/null 2>&1 >>"$log" | percent || {
	echo "knng: apt-get has failed; what it has said is in $log, which ends:" >&2
	tail -n 15 "$log" | sed 's/^/    | /' >&2
	exit 1
}
