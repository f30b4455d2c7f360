#!/usr/bin/env bash
# test_cyjs.sh PYTHON  Cytoscape.js opens what knng.write writes for Cytoscape. PYTHON has the package ipycytoscape, which comes with it;
# it runs in Chromium. Prints 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
octave-cli --norc -H -q --path "$PWD" --path "$PWD/tests/others" --eval "write_graphs ('$work')" || exit 1
package=$("$1" -c 'import sysconfig; print (sysconfig.get_path ("purelib"))')/ipycytoscape
python3 tests/others/read_cyjs.py "$work" "$package"
