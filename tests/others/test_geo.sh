#!/usr/bin/env bash
# test_geo.sh PYTHON FOLDER  knng.read makes of files as GEO has them what GEOparse does, which PYTHON has. FOLDER has those that the
# package r-bioc-geoquery of Debian comes with. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp "$2"/*.gz "$work" || exit 1
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "read_geo ('$work')" || exit 1
"$1" -W ignore tests/others/compare_geo.py "$work"
