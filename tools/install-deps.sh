#!/bin/sh
# install-deps.sh SET  Installs what `make SET` needs and this machine lacks; SET is demo, check or lint.
#
# On Debian and Ubuntu it asks dpkg, and uses apt-get as root or through a sudo that wants no password; otherwise it
# prints the one line to run and stops with status 1. Elsewhere it only looks for the commands. When nothing is
# missing it prints nothing and touches no network.
set -eu

build="gcc make octave octave-dev libopenblas-dev zlib1g-dev"
pictures="gnuplot-nox ghostscript fonts-dejavu-core"
toolbox="libigraph-dev pkg-config"
case "${1:-}" in
demo) packages="$build $pictures $toolbox" commands="cc make octave-cli mkoctfile gnuplot gs" ;;
check) packages="$build $pictures $toolbox octave-statistics" commands="cc make octave-cli mkoctfile gnuplot gs" ;;
lint) packages="make clang-format cppcheck" commands="make clang-format cppcheck" ;;
*)
	echo "usage: tools/install-deps.sh demo|check|lint" >&2
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
	[ "$1" = lint ] || echo "knng: also needed are the headers of Octave, OpenBLAS (cblas.h), zlib and, for parts of the toolbox, igraph" >&2
	exit 1
fi

for p in $packages; do
	# The flavours of gnuplot push each other out: any of them will do.
	[ "$p" = gnuplot-nox ] && command -v gnuplot >/dev/null 2>&1 && continue
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
	echo "sudo apt-get install --no-install-recommends$missing" >&2
	exit 1
fi
echo "knng: installing$missing"
quiet="DEBIAN_FRONTEND=noninteractive"
# shellcheck disable=SC2086 # lists of words
{
	$as_root $quiet apt-get -qq update || true # an old list may do
	$as_root $quiet apt-get -qq -y install --no-install-recommends $missing
} </dev/null
