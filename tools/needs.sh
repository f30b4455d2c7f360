#!/bin/sh
# needs.sh  Says what a build lacks, with Debian's names; status 1 if anything is missing.
#
# The Makefile runs it before it compiles anything, and exports COMPILE, the compiler with all its flags, LINK, flags of
# the linker, and BLAS, what links OpenBLAS.
set -u
work=$(mktemp -d 2>/dev/null || TMPDIR=/tmp mktemp -d) || exit 1 # TMPDIR may be gone: compilers do without, too
trap 'rm -rf "$work"' EXIT
packages=""

# builds SOURCE FLAGS  whether a program of one line can be compiled and linked.
builds() {
	printf '%b\n' "$1" >"$work/try.c"
	# shellcheck disable=SC2086 # lists of words
	$COMPILE -o "$work/try" "$work/try.c" $LINK $2 >"$work/log" 2>&1
}

# need PACKAGE WHAT SOURCE FLAGS
need() {
	builds "$3" "$4" && return
	echo "knng: cannot build without $2 (Debian: $1)" >&2
	sed -n '/error\|not found\|cannot/{s/^/knng:   /p;q;}' "$work/log" >&2
	packages="$packages $1"
}

need gcc "a C compiler" 'int main(void) { return 0; }' ""
if [ -z "$packages" ]; then
	need libopenblas-dev "OpenBLAS and its header cblas.h" \
		'#include <cblas.h>\nint main(void) { return openblas_get_num_threads() < 0; }' "$BLAS"
	need zlib1g-dev "zlib and its header zlib.h" '#include <zlib.h>\nint main(void) { return zlibVersion() == 0; }' -lz
fi
[ -z "$packages" ] && exit 0
echo "knng: on Debian and Ubuntu: sudo apt-get update && sudo apt-get install$packages" >&2
exit 1
